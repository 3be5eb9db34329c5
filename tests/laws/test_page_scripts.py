"""The page's scripts stand on one another without circles."""

import re
from graphlib import TopologicalSorter
from pathlib import Path

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
