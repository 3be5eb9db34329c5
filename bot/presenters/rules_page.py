"""The rules of a game as a whole, for a page with room for them, and what stands on its board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from bot.presenters.rulebook import FIGURE, chapters
from bot.texts import language
from bot.texts.marks import spans
from games.core import Game, phrase
from render.kit.button_faces import legend

Spans: TypeAlias = tuple[tuple[str, str], ...]
"""The parts of a text, each behind how it is set: a value of ``bot.texts.marks.Mark``."""


@dataclass(frozen=True)
class Part:
    """A paragraph, an item of a list, or a *figure* with what it shows in words."""

    kind: Literal["text", "item", "figure"]
    spans: Spans
    figure: str = ""


@dataclass(frozen=True)
class Chapter:
    """A chapter called *title*."""

    title: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Sign:
    """What stands on the board, by pictures of it called *faces*, and what it does."""

    faces: tuple[str, ...]
    spans: Spans


@dataclass(frozen=True)
class Book:
    """The rules of *game*, called *title*: its chapters, and the *signs* of its board."""

    game: str
    title: str
    chapters: tuple[Chapter, ...]
    signs: tuple[Sign, ...]


def book(game: Game, code: str) -> Book:
    """The rules of *game* in the language *code*."""
    say = language(code).say
    return Book(
        game.key,
        say(phrase(f"{game.key}.name")),
        tuple(Chapter(title, tuple(_parts(body))) for title, body in chapters(game, code)),
        tuple(
            Sign(faces, _set(say(phrase(f"{game.key}.legend.{key}"))))
            for key, faces in legend(game.key).items()
        ),
    )


def _parts(body: str) -> Iterator[Part]:
    """The parts of a chapter, which stand on lines of their own."""
    for line in filter(None, body.split("\n")):
        figure = FIGURE.fullmatch(line.strip())
        if figure is not None:
            alt, name = figure.groups()
            yield Part("figure", _set(alt), name)
        elif line.startswith("- "):
            yield Part("item", _set(line[2:]))
        else:
            yield Part("text", _set(line))


def _set(text: str) -> Spans:
    return tuple((mark.value, part) for mark, part in spans(text))
