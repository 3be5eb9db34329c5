"""A game as a PDF: its boards, its pieces and its rules, one sheet after the other."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from render.paper.cutting import board_pages, cutout_pages
from render.paper.page import DPI, Page, Paper
from render.paper.parts import Printable
from render.paper.prose import Block, text_pages

QUALITY = 88
"""The quality of the pictures (JPEG): no ring is seen around letters, and ten sheets are few MB."""


@dataclass(frozen=True)
class Words:
    """What is said on the sheets, in one language.

    *sheet* is the name of the game; *ruler* tells what the ruler is for, *join* what is done with
    the parts of a board, *cut*, *fold* and *net* with pieces of one face, of two, and with bodies.
    """

    sheet: str
    ruler: str
    join: str
    cut: str
    fold: str
    net: str


_Sheets: TypeAlias = Iterator[tuple[Page, bool]]
"""Sheets, and whether their size matters."""


def booklet(printable: Printable, rules: Sequence[Block], paper: Paper, words: Words) -> bytes:
    """The PDF of a game: what is *printable* of it and its *rules*, on *paper*."""
    sheets = list(_sheets(printable, rules, paper, words))
    for number, (page, measured) in enumerate(sheets, 1):
        page.foot(f"{words.sheet}  {number}/{len(sheets)}", words.ruler if measured else "")
    first, *others = (page.image for page, _ in sheets)
    written = io.BytesIO()
    first.save(
        written,
        "PDF",
        save_all=True,
        append_images=others,
        resolution=DPI,
        quality=QUALITY,
        subsampling=0,
        title=words.sheet,
        producer="Ludoteca",
    )
    return written.getvalue()


def _sheets(printable: Printable, rules: Sequence[Block], paper: Paper, words: Words) -> _Sheets:
    for board in printable.boards:
        for page in board_pages(board, paper, words.join):
            yield page, True
    plain = [one for one in printable.cutouts if len(one.faces) == 1]
    folded = [one for one in printable.cutouts if len(one.faces) > 1]
    for cutouts, said in ((plain, words.cut), (folded, words.fold), (printable.nets, words.net)):
        if cutouts:
            for page in cutout_pages(cutouts, paper, said):
                yield page, True
    for page in text_pages(rules, paper):
        yield page, False
