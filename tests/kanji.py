"""The kanji of the page's words, as a small font of its own: ``python -m tests.kanji`` makes it.

No system need have a Japanese typeface. Only this needs fontTools (``pip install fonttools``); a
test says when the file lacks a character.
"""

from __future__ import annotations

import inspect
import subprocess
import sys
import unicodedata
from importlib import import_module
from pathlib import Path

from bot.texts import LANGUAGES, language, rules
from games.core.shelf import shelf
from games.shogi import piece_and_move_names, pieces

FILE = Path(__file__).resolve().parents[1] / "bot" / "chats" / "web" / "static" / "kanji.woff"
FIRST, LAST = "\u3000", "\uffef"
"""Between these stand kanji and kana, and signs as wide as they."""


def wanted() -> str:
    """Every such character in what players read, and in the names of the pieces of shogi."""
    told = [str(said) for code in LANGUAGES for said in language(code).templates.values()]
    ruled = [rules(game, code) for code in LANGUAGES for game in shelf()]
    written = [inspect.getsource(module) for module in (piece_and_move_names, pieces)]
    texts = (*told, *ruled, *written)
    found = {c for text in texts for c in text if FIRST <= c <= LAST}
    # What follows an emoji and asks for its colours is no character by itself.
    return "".join(sorted(c for c in found if unicodedata.category(c) != "Mn"))


def make() -> None:
    """Write the font: those characters of the typeface with which the pictures are written."""
    typeface = import_module("noto_cjk_sans_jp_bold").FONT_PATH
    options = ["--flavor=woff", "--desubroutinize", "--layout-features=", "--name-IDs=0,1,2,13,14"]
    subset = [sys.executable, "-m", "fontTools.subset", str(typeface), f"--text={wanted()}"]
    subprocess.run([*subset, *options, f"--output-file={FILE}"], check=True)


if __name__ == "__main__":
    make()
