"""Bundles the scripts of the page, so that a browser makes one request instead of twenty.

Each script becomes a function that is called at once and returns the script's exports. It runs
after the scripts that it imports.

A bundler such as esbuild would need npm when the bot is installed or packed. The bot starts by two
commands and needs Python alone, so these few patterns do it for the two forms that our scripts use.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

_IMPORT = re.compile(r'^import \{(.*)\} from "\./([a-z-]+\.js)";$', re.MULTILINE)
"""An import of names from another script."""

_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const) (\w+))", re.MULTILINE)
"""An export of a function or a constant."""

_OTHER = re.compile(r"^\s*(?:import\s*[\w{*\"']|export\b)", re.MULTILINE)
"""Any other form of import or export."""


class NotBundled(Exception):
    """A script imports itself, or has another form of import or export."""


def dependencies(sources: Mapping[str, str], last: str) -> tuple[str, ...]:
    """The script *last* of *sources* and all that it imports, each after its own imports.

    Raises ``NotBundled`` for a circle, ``KeyError`` for a missing script.
    """
    order: dict[str, None] = {}

    def put(name: str, above: tuple[str, ...]) -> None:
        if name in above:
            raise NotBundled(f"{name} needs itself")
        for found in _IMPORT.finditer(sources[name]):
            put(found[2], (*above, name))
        order[name] = None

    put(last, ())
    return tuple(order)


def bundled(sources: Mapping[str, str], parts: Collection[str]) -> str:
    """One script of the *parts* of *sources* in their order, which exports each as an object.

    Raises ``NotBundled``.
    """
    done = [
        f"const {_variable(name)} = (() => {{\n{_body(sources[name])}\n}})();" for name in parts
    ]
    return "\n".join([*done, f"export {{ {', '.join(map(_variable, parts))} }};"])


def importing_bundle(source: str, parts: Collection[str], whole: str) -> str:
    """The script *source*, importing the *parts* from the bundle *whole* that holds them."""

    def from_bundle(found: re.Match[str]) -> str:
        if found[2] not in parts:
            return found[0]
        return f'import {{ {_variable(found[2])} }} from "./{whole}";\n{_unpacking(found)}'

    return _IMPORT.sub(from_bundle, source)


def _body(source: str) -> str:
    """The body of the function that *source* becomes."""
    exports = ", ".join(_EXPORT.findall(source))
    done = _EXPORT.sub("", _IMPORT.sub(_unpacking, source))
    if other := _OTHER.search(done):
        raise NotBundled(other[0])
    return f"{done}\nreturn {{ {exports} }};"


def _unpacking(found: re.Match[str]) -> str:
    """The imported names, taken out of the object that the other script has become."""
    names = found[1].strip().replace(" as ", ": ")
    return f"const {{ {names} }} = {_variable(found[2])};"


def _variable(name: str) -> str:
    """The variable that holds the script *name* within the bundle."""
    return f"${name.removesuffix('.js').replace('-', '_')}"
