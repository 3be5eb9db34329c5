"""The page's scripts stand on one another without circles."""

import re
from graphlib import TopologicalSorter
from pathlib import Path

from bot.chats.web.assets import STYLES
from bot.texts import LANGUAGES, language
from tests.laws.weight import ROOT

SCRIPTS = ROOT / "bot" / "chats" / "web" / "static"
IMPORTED = re.compile(r"""(?:\bfrom|\bimport)\s*\(?\s*["']\./([\w-]+\.js)["']""")


def imports(folder: Path) -> dict[str, set[str]]:
    """The scripts that each script of *folder* imports, at once or later."""
    return {
        path.name: set(IMPORTED.findall(path.read_text("utf-8"))) for path in folder.glob("*.js")
    }


def test_no_script_needs_itself():
    found = imports(SCRIPTS)
    assert set().union(*found.values()) <= set(found)
    # Within Discord this one stands before the page, and fetches it once the reader is known.
    found["activity.js"].remove("page.js")
    list(TopologicalSorter(found).static_order())


def test_a_circle_would_be_found(tmp_path):
    (tmp_path / "a.js").write_text('import { b } from "./b.js";\n')
    (tmp_path / "b.js").write_text('export * from "./a.js";\n')
    assert imports(tmp_path) == {"a.js": {"b.js"}, "b.js": {"a.js"}}


WIDEST = 120


def long_lines(folder: Path) -> dict[str, list[int]]:
    """The lines above ``WIDEST`` signs of each script below *folder*."""
    found = {
        path.name: [
            number
            for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
            if len(line) > WIDEST
        ]
        for path in (*folder.glob("*.js"), *folder.glob("*.d.ts"))
    }
    return {name: lines for name, lines in found.items() if lines}


def test_no_line_of_a_script_is_wider_than_a_window():
    assert long_lines(SCRIPTS) | long_lines(SCRIPTS.parent) == {}


def test_a_wide_line_would_be_found(tmp_path):
    (tmp_path / "a.js").write_text(f"short\n{'x' * (WIDEST + 1)}\n")
    assert long_lines(tmp_path) == {"a.js": [2]}


ROOTED = re.compile(r"""["'`](/(?:static|p|t|d)/[^"'`]*)["'`]""")
"""An address from the root, which within Discord is the root of its proxy."""

AT_ROOT = {"miniapp.js", "sw.js", "address.js"}
"""Scripts that run at our own root alone, or ask where they are."""

LATE = re.compile(r"""<[^>]*\bloading="?lazy[^>]*>""")
"""An element of the page that may be fetched after its base has changed."""


def outliving(folder: Path) -> dict[str, list[str]]:
    """The addresses by file that are wrong where the page's base is another one later."""
    found = {
        path.name: ROOTED.findall(path.read_text("utf-8"))
        for path in folder.glob("*.js")
        if path.name not in AT_ROOT
    }
    found |= {path.name: LATE.findall(path.read_text("utf-8")) for path in folder.glob("*.html")}
    return {name: all_ for name, all_ in found.items() if all_}


def test_no_address_outlives_a_change_of_base():
    """Within Discord the base moves to the token's address: what is fetched later goes there."""
    assert outliving(SCRIPTS) == {}


def test_an_address_that_outlives_its_base_would_be_found(tmp_path):
    (tmp_path / "a.js").write_text('make("img", { src: "/static/icon.svg" });\n')
    (tmp_path / "b.html").write_text('<img src="static/1/icon.svg" loading="lazy">\n')
    assert set(outliving(tmp_path)) == {"a.js", "b.html"}


def test_every_door_and_every_sign_that_begins_a_text_is_drawn():
    style = "".join((SCRIPTS / name).read_text("utf-8") for name in STYLES)
    shelf = (SCRIPTS / "shelf.js").read_text("utf-8")
    parts = (
        r'^export const TODAY = (".*?");',
        r"^const WAYS = \[(.*?)\]",
        r"doors: .*?doors\(\[(.*?)\]",
    )
    listed = " ".join(re.search(one, shelf, re.MULTILINE)[1] for one in parts)
    places = re.findall(r'"([^"]*)"', listed)
    assert len(places) > 10
    plain = style.replace('"', "")
    assert [one for one in places if f"[data-place={one}]" not in plain] == []
    drawn = dict(re.findall(r'"(.)": "([a-z]+)",', (SCRIPTS / "dom.js").read_text("utf-8")))
    begin = {
        text[0]
        for code in LANGUAGES
        for one in language(code).templates.values()
        for text in ((one,) if isinstance(one, str) else one)
        if re.match("[\u2300-\u23ff\u2700-\u27bf\u21a9\U0001f300-\U0001faff]", text)
    }
    assert begin <= set(drawn), begin - set(drawn)
    assert [one for one in drawn.values() if f".{one}-sign " not in style] == []
