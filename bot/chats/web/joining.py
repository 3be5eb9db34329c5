"""The scripts of the page as one file: a browser that has nothing of it makes one trip, not twenty.

A script becomes a function that is called at once and answers what the script exports, so that each
keeps its own names and is run once, after those that it takes something from.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

_TAKES = re.compile(r'^import \{(.*)\} from "\./([a-z-]+\.js)";$', re.MULTILINE)
"""How a script takes something from another one."""

_GIVES = re.compile(r"^export (?=(?:async )?(?:function|const) (\w+))", re.MULTILINE)
"""How it gives something to others."""

_OTHERWISE = re.compile(r"^\s*(?:import\s*[\w{*\"']|export\b)", re.MULTILINE)
"""What takes or gives something in another way."""


class NotJoined(Exception):
    """A script takes or gives something otherwise than the joined one can, or from itself."""


def needed(sources: Mapping[str, str], last: str) -> tuple[str, ...]:
    """*last* of *sources* after all that it needs of them, each after what it needs itself.

    Raises ``NotJoined`` for one that needs itself, ``KeyError`` for one that is not there.
    """
    order: dict[str, None] = {}

    def put(name: str, above: tuple[str, ...]) -> None:
        if name in above:
            raise NotJoined(f"{name} needs itself")
        for found in _TAKES.finditer(sources[name]):
            put(found[2], (*above, name))
        order[name] = None

    put(last, ())
    return tuple(order)


def joined(sources: Mapping[str, str], parts: Collection[str]) -> str:
    """One script that does what the *parts* of *sources* do in their order.

    It exports each of them as an object. Raises ``NotJoined``.
    """
    done = [f"const {_held(name)} = (() => {{\n{_body(sources[name])}\n}})();" for name in parts]
    return "\n".join([*done, f"export {{ {', '.join(map(_held, parts))} }};"])


def beside(source: str, parts: Collection[str], whole: str) -> str:
    """The script *source*, which takes from the joined script *whole* what it takes of *parts*."""

    def taken(found: re.Match[str]) -> str:
        if found[2] not in parts:
            return found[0]
        return f'import {{ {_held(found[2])} }} from "./{whole}";\n{_out_of(found)}'

    return _TAKES.sub(taken, source)


def _body(source: str) -> str:
    """What the function does that *source* becomes."""
    given = ", ".join(_GIVES.findall(source))
    done = _GIVES.sub("", _TAKES.sub(_out_of, source))
    if other := _OTHERWISE.search(done):
        raise NotJoined(other[0])
    return f"{done}\nreturn {{ {given} }};"


def _out_of(found: re.Match[str]) -> str:
    """The names that are taken, out of the object that the other script has become."""
    names = found[1].strip().replace(" as ", ": ")
    return f"const {{ {names} }} = {_held(found[2])};"


def _held(name: str) -> str:
    """What the script *name* is called within the joined one."""
    return f"${name.removesuffix('.js').replace('-', '_')}"
