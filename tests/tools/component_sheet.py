"""All parts of the page with samples in them: ``python -m tests.tools.component_sheet FOLDER``.

Writes ``light.html`` and ``dark.html``, which any browser opens without a server: the page's own
style, typeface and scripts, whose parts are filled by ``component_sheet.js``.
"""

from __future__ import annotations

import re
import sys
from base64 import b64encode
from importlib import resources
from pathlib import Path

from bot.chats.web.assets import Asset, bundle, dependencies, load_assets, page_html

SAMPLES = Path(__file__).with_suffix(".js")
IMPORT = re.compile(r"^import .*$", re.MULTILINE)
"""What the samples take from a script, which is bundled before them."""

THEMES = ("light", "dark")

SHOWN = """
html, body, #talk { height: auto !important; overflow: visible !important; }
html, body, #talk { display: block !important; }
body > :not(main), .home .top, .home .write, .panel:not(#talk) { display: none !important; }
#talk { max-width: 640px; margin: auto; padding: 16px; }
#talk > * { margin-bottom: 14px; }
.home .board.sample { display: block; padding: 0; }
.home .board.sample > .head { display: block !important; }
"""
"""What lets the parts stand one below the other."""


def document(theme: str) -> str:
    """The page of all parts in *theme*."""
    files = load_assets()
    folder = resources.files("bot.chats.web").joinpath("static")
    scripts = {
        one.name: one.read_text("utf-8") for one in folder.iterdir() if one.name.endswith(".js")
    }
    script, _, _ = bundle(scripts, dependencies(scripts, "screen.js")).rpartition("export {")
    page = page_html(files).text
    page = re.sub(r"<(?:link|script)[^>]*>(?:</script>)?", "", page)
    page = re.sub(r"url\(/static/[0-9a-f]{12}/([^)]+)\)", lambda one: _inlined(files[one[1]]), page)
    page = page.replace("</style>", f"{SHOWN}</style>")
    page = page.replace('<html lang="es">', f'<html lang="en" data-theme="{theme}">')
    page = page.replace("nameless home", "home")
    samples = IMPORT.sub("", SAMPLES.read_text("utf-8"))
    whole = f"{script}\n{{ {samples} }}"
    return page.replace("</body>", f'<script type="module">{whole}</script></body>')


def _inlined(font: Asset) -> str:
    return f"url(data:font/woff;base64,{b64encode(font.body).decode()})"


def main(folder: Path) -> None:
    """Write both pages into *folder*."""
    folder.mkdir(parents=True, exist_ok=True)
    for theme in THEMES:
        (folder / f"{theme}.html").write_text(document(theme), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
