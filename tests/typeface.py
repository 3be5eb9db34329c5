"""The page's own typeface, as two small fonts: ``python -m tests.typeface`` makes them.

They are cut from Source Sans, with which the pictures are written too (SIL Open Font License 1.1,
package font-source-sans-pro). Its name is reserved for the whole typeface, so the cut ones have
another. Only this needs fontTools; a test says when they lack a character that players read.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from bot.texts import LANGUAGES, language, rules
from games.core.shelf import shelf

FOLDER = Path(__file__).resolve().parents[1] / "bot" / "chats" / "web" / "static"
WEIGHTS = {"sans.woff": "Regular", "sans-strong.woff": "Semibold"}
"""The files, with the weights that they are cut from."""

NAMES = range(0xC0, 0x17F)
"""Letters of European names beside those of the texts."""

SIGNS = "«»¡¿…—–‘’“”·×−←→↑↓№€"
"""Signs beside those of ASCII that people write."""


def wanted() -> str:
    """Every Latin letter and sign in what players read, and those of names."""
    told = [str(said) for code in LANGUAGES for said in language(code).templates.values()]
    ruled = [rules(game, code) for code in LANGUAGES for game in shelf()]
    read = {c for text in (*told, *ruled) for c in text if 0x20 <= ord(c) < 0x2100}
    ascii_signs = {chr(n) for n in range(0x20, 0x7F)}
    return "".join(sorted(read | ascii_signs | {*SIGNS} | {*map(chr, NAMES)}))


def make() -> None:
    """Write the fonts."""
    from fontTools import subset
    from fontTools.ttLib import TTFont

    files = resources.files("font_source_sans_pro").joinpath("files")
    for name, weight in WEIGHTS.items():
        options = subset.Options(
            flavor="woff", hinting=False, layout_features=["kern", "tnum", "mark", "locl"]
        )
        font = TTFont(str(files.joinpath(f"SourceSansPro-{weight}.ttf")))
        cutter = subset.Subsetter(options)
        cutter.populate(text=wanted())
        cutter.subset(font)
        for record in font["name"].names:
            if record.nameID in (1, 3, 4, 6, 16):
                record.string = "LudotecaSans"
        subset.save_font(font, str(FOLDER / name), options)


if __name__ == "__main__":
    make()
