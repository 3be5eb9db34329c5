"""The rule book of a game: as pages to turn, and as a whole with the signs of its board. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypeAlias

from bot.port import Button, Card, Choice
from bot.presenters.base import PagePresenter
from bot.presenters.button_codes import Action
from bot.presenters.game_poster import cover_scene
from bot.presenters.table.keyboard import in_rows
from bot.presenters.table.viewers import theme_for
from bot.session.exercise_catalogue import step_that_teaches
from bot.session.preferences import Look
from bot.texts import chapter_numbers, language, rules
from bot.texts.inline_markup import spans
from games.core import Game, phrase
from games.core.shelf import shelf
from render.club.cheat_sheet import CHEAT, CheatSheet, cheat_sheet_picture
from render.kit import figure, png
from render.kit.button_faces import legend

CHAPTERS = "x"
"""Stands for the page number in the button that lists the chapters."""

FIGURE = re.compile(r"!\[([^\]]*)\]\(figure:([a-z0-9-]+)\)")
"""How a figure stands in a rule text: what it shows in words, and its name."""


@dataclass(frozen=True)
class RulesPage:
    """A page of the *chapter* called *title*: text in marks, perhaps a *figure* with its *alt*."""

    chapter: int
    title: str
    text: str
    figure: str | None = None
    alt: str = ""


def rules_pages(game: Game, code: str) -> tuple[RulesPage, ...]:
    """The rule text of *game*, page by page: a chapter with two figures takes two."""
    found: list[RulesPage] = []
    for number, (title, body) in enumerate(rules_chapters(game, code)):
        found += _chapter(number, title, body)
    return tuple(found)


def rules_chapters(game: Game, code: str) -> Iterator[tuple[str, str]]:
    """The chapters of the rule text of *game*: the title of each, and its text in marks."""
    for part in re.split(r"^## +", rules(game.key, code), flags=re.MULTILINE):
        title, _, body = part.partition("\n")
        if text := _tidy(body):
            yield title.lstrip("# ").strip(), text


def chapter_title(game: Game, code: str, rule: str) -> str:
    """The title of the chapter that tells *rule*, a number; empty where none does."""
    chapter = chapter_numbers(game.key).get(rule)
    return "" if chapter is None else [title for title, _ in rules_chapters(game, code)][chapter]


def _chapter(number: int, title: str, body: str) -> Iterator[RulesPage]:
    """The pages of one chapter: each figure but the last ends a page."""
    first, *rest = FIGURE.split(body)
    if not rest:
        yield RulesPage(number, title, _tidy(first))
        return
    texts, alts, figures = [first, *rest[2::3]], rest[::3], rest[1::3]
    texts[-2:] = [f"{texts[-2]}\n{texts[-1]}"]
    for text, alt, drawn in zip(texts, alts, figures, strict=True):
        yield RulesPage(number, title, _tidy(text), drawn, alt)


def _tidy(text: str) -> str:
    """Markdown with the marks of ``bot.texts.inline_markup``: no headings, links, broken lines."""
    text = re.sub(r"\[([^\]\n]+)\]\(https?:[^)\n]+\)", r"\1", text)
    text = re.sub(r"^### +(.+)$", r"**\1**", text, flags=re.MULTILINE)
    text = re.sub(r"(?<!\n)\n(?![\n\-|0-9])", " ", text)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def rules_card(game: Game, code: str, number: int, key: bytes, look: Look) -> Card:
    """Page *number* of the rules of *game*, its figure in the *look* of the reader's boards."""
    book = _RulesCards(code, key, game)
    number = max(0, min(number, len(book.pages) - 1))
    page = book.pages[number]
    words = ("house.button.before", "house.button.next")
    row = book.page_keys(number, len(book.pages), book.page_code, words=words)
    lines = [part for part in (page.text, f"*{page.alt}*" if page.alt else "") if part]
    name, count = phrase(f"{game.key}.name"), len(book.pages)
    rows = [row, [Button(book.say("school.button.practise"), one) for one in book.lessons(page)]]
    headline = book.say("house.rules.page", game=name, title=page.title, n=number + 1, of=count)
    chapters, options = book.page_code(CHAPTERS), tuple(book.chapters())
    choice = Choice(book.say("house.rules.chapter"), options, page.chapter, chapters)
    screen = book.page(headline, lines, rows, [choice] if len(options) > 1 else [])
    screen = replace(screen, alt=page.alt, marked=True)
    if page.figure is None:
        return Card(screen)
    return Card(screen, figure_file(game, page.figure, theme_for(game.key, look), code))


def figure_file(game: Game, name: str, theme: str, code: str) -> bytes:
    """The PNG file of a figure of the rules of *game*; raises ``NoPainter`` for none."""
    say = language(code).say
    if name != CHEAT:
        return png(figure(game.key, name, theme, say))
    goal, *rules_ = (say(phrase(f"{game.key}.cheat.{n}")) for n in range(6))
    lines = tuple(one.partition("|")[::2] for one in rules_)
    title, words = say(phrase(f"{game.key}.name")), say(phrase("house.cheat"))
    sheet = CheatSheet(title, words, goal, lines)
    return cheat_sheet_picture(sheet, cover_scene(game, theme, code))


def rules_of_which(code: str, key: bytes) -> Card:
    """The question which game's rules are meant, with a button for each."""
    books = [_RulesCards(code, key, game) for game in shelf().values()]
    rows = [[Button(one.say(f"{one.game.key}.name"), one.page_code(0))] for one in books]
    question = PagePresenter(code, key)
    return Card(question.page(question.say("house.rules-of-which"), rows=rows))


def chapters_card(game: Game, code: str, key: bytes) -> Card:
    """The chapters of the rules of *game*, for chats that have no lists."""
    book = _RulesCards(code, key, game)
    rows = in_rows(list(book.chapters()))
    return Card(book.page(book.say(f"{game.key}.name"), [book.say("house.rules.chapters")], rows))


class _RulesCards(PagePresenter):
    """The cards of the rules of *game*, with the buttons between them."""

    game: Game

    @cached_property
    def pages(self) -> tuple[RulesPage, ...]:
        return rules_pages(self.game, self.language)

    def chapters(self) -> Iterator[Button]:
        """A button for the first page of each chapter."""
        for number, page in enumerate(self.pages):
            if number == 0 or page.chapter != self.pages[number - 1].chapter:
                yield Button(page.title, self.page_code(number))

    def lessons(self, page: RulesPage) -> Iterator[str]:
        """The code of the button for the first step that teaches a rule of the chapter, if any."""
        if page in self.pages[:1] or page.chapter != self.pages[self.pages.index(page) - 1].chapter:
            numbers = chapter_numbers(self.game.key)
            told = (rule for rule, chapter in numbers.items() if chapter == page.chapter)
            steps = (step_that_teaches(self.game.key, rule) for rule in told)
            found = sorted((one for one in steps if one is not None), key=lambda one: one.step)
            yield from (self.code(Action.LEARN, one.code) for one in found[:1])

    def page_code(self, page: int | str) -> str:
        return self.code(Action.RULES, self.game.key, str(page))


Spans: TypeAlias = tuple[tuple[str, str], ...]
"""The parts of a text, each behind its value of ``bot.texts.inline_markup.Mark``."""


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
class RulesBook:
    """The rules of *game*, called *title*: its chapters, and the *signs* of its board."""

    game: str
    title: str
    chapters: tuple[Chapter, ...]
    signs: tuple[Sign, ...]


def rules_book(game: Game, code: str) -> RulesBook:
    """The rules of *game* in the language *code*."""
    say = language(code).say
    return RulesBook(
        game.key,
        say(phrase(f"{game.key}.name")),
        tuple(Chapter(title, tuple(_parts(body))) for title, body in rules_chapters(game, code)),
        tuple(
            Sign(faces, _set(say(phrase(f"{game.key}.legend.{key}"))))
            for key, faces in legend(game.key).items()
        ),
    )


def _parts(body: str) -> Iterator[Part]:
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
