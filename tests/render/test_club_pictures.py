"""The club's pictures: words large enough for a phone, names of every script, files that travel."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PIL import Image

from bot.presenters.game_poster import cover_scene
from bot.session.exercise_catalogue import puzzles_of
from bot.texts import language
from games.core import phrase
from games.core.shelf import shelf
from render.club.bracket import Bracket, BracketMatch, BracketSide, bracket_picture
from render.club.club_canvas import LEAST, NARROWEST, WIDE, ClubCanvas
from render.club.daily import DailyPuzzle, daily_picture
from render.club.medal_collection import (
    MedalCollection,
    MedalLine,
    medal_card_picture,
    medal_collection_picture,
)
from render.club.podium import Podium, PodiumGroup, PodiumStep, podium_picture
from render.club.rank_card import RankCard, RankFact, RankRow, rank_card_picture
from render.club.ranking import Ranking, RankingRow, ranking_picture
from render.club.versus import Versus, VersusRow, versus_picture
from render.club.week import Week, WeekLine, WeekPerson, week_picture
from render.kit import fonts, paint
from render.kit.themes import TOKENS
from render.medals import METALS, MedalFace
from render.result_card import board_alone

LARGEST, LARGEST_WITH_BOARD = 80_000, 120_000

NAMES = (
    "María del Mar Fernández-Villanueva",
    "علي محمد",
    "佐藤さくら",
    "Ó",
    "xX_DragónNegro_1987_Xx",
    "🦊🦊",
    "Кирилл",
    "W" * 40,
)


def rows(game: str) -> tuple[RankingRow, ...]:
    sides = shelf()[game].rules.sides
    return tuple(
        RankingRow(
            n + 1,
            name,
            "12½",
            settled=n != 4,
            change=(n * 7 - 20) if n % 2 else None,
            form="wdl1-"[: n + 1],
            note="104½" if n < 3 else "",
            zone=(n < 2) - (n > 5),
            side=sides[n % len(sides)] if n < 3 else "",
            own=n == 3,
        )
        for n, name in enumerate(NAMES)
    )


def pictures(game: str, theme: str) -> Iterator[bytes]:
    """One of each kind, with the hardest of names."""
    title, found = "W" * 60, rows(game)
    yield ranking_picture(Ranking(game, title, (title, title, title), found, tall=True), theme)
    heads = ("últimas", "desempate", "puntos")
    yield ranking_picture(Ranking(game, title, (title,), found, found[:1], heads, "GTP"), theme)
    medals = tuple(MedalFace("streak", title, game, metal) for metal in METALS)
    ranks = tuple(
        RankRow(
            key,
            f"{key} {title}",
            900 + 300 * n,
            160,
            "1784?",
            False,
            "wdl1-"[: 1 + n],
            side=one.rules.sides[0],
        )
        for n, (key, one) in enumerate(shelf().items())
    )
    facts = tuple(RankFact(title, "8/10", sign, 97) for sign in ("", "flame", "goal"))
    card = RankCard(NAMES[0], title, ranks, title, ("1234.º", "de 5678"), title, medals, facts)
    yield rank_card_picture(card, theme)
    lines = tuple(
        MedalLine(one, title, title, "104/198" * (n > 4)) for n, one in enumerate(medals * 2)
    )
    yield medal_collection_picture(MedalCollection(NAMES[0], title, lines), theme)
    for one in lines[:3]:
        yield medal_card_picture(NAMES[0], replace(one, share="100 % del club", told=title), theme)
    pairs = tuple(VersusRow(game, title, 104, 98 + n) for n in range(5))
    yield versus_picture(Versus((NAMES[0], NAMES[1]), (1042, 998), 12, pairs, title), theme)
    steps = tuple(PodiumStep(1 + n // 2, name, title) for n, name in enumerate(NAMES[:6]))
    beside = tuple(PodiumGroup(title, NAMES[:2], game * (n > 0)) for n in range(3))
    yield podium_picture(Podium(game, title, title, steps, beside), theme)
    rounds = tuple(
        tuple(
            BracketMatch((BracketSide(NAMES[n % 8], "2½", won=True), BracketSide(NAMES[-n % 8])))
            for n in range(count)
        )
        for count in (8, 4, 2, 1)
    )
    for first in range(4):
        yield bracket_picture(Bracket(game, title, title, rounds[first:], "Final"), theme)


def weeks(game: str, theme: str) -> Iterator[bytes]:
    """A week with all that it may have, and one without a finest move."""
    title, medals = "W" * 60, [MedalFace("streak", "", game, metal) for metal in METALS]
    people = tuple(WeekPerson(NAMES[n], change=n * 100 + 7) for n in range(3))
    given = tuple(WeekPerson(name, medal=one) for name, one in zip(NAMES, medals, strict=False))
    upset = WeekLine(title, (WeekPerson(NAMES[3], title),), title)
    lines = (upset, WeekLine(title, people), WeekLine(title, given))
    board = board_alone(game, paint(cover_scene(shelf()[game], theme, "es")))
    for coming, of, shown in (((title, title), game, board), (("", ""), "", None)):
        week = Week(title, title, "La jugada más fina", (NAMES[0], title), lines, coming, of)
        yield week_picture(week, shown, theme)


@pytest.fixture
def sizes(monkeypatch) -> list[float]:
    """How large the words are that are written, none of them over an edge."""

    def inside(canvas, x, y, text, px, *rest, **how):
        wide = words(canvas, x, y, text, px, *rest, **how)
        anchor = how.get("anchor", rest[2] if len(rest) > 2 else "l")
        left = x - {"l": 0, "m": wide / 2, "r": wide}[anchor]
        assert left >= 0, text
        assert left + wide <= canvas.size[0] + 1, text
        assert not text or 0 < y < canvas.size[1], text
        found.append(px)
        return wide

    words, found = ClubCanvas.words, []
    monkeypatch.setattr(ClubCanvas, "words", inside)
    return found


@pytest.mark.sampled
@pytest.mark.parametrize("theme", [*TOKENS, "light-western"])
@pytest.mark.parametrize("game", [*shelf()])
def test_words_are_large_enough_for_a_phone_and_stay_inside(game, theme, sizes):
    for one in pictures(game, theme):
        shown = Image.open(io.BytesIO(one))
        assert shown.size == WIDE
        assert len(one) <= LARGEST
    assert min(sizes) >= LEAST
    assert LEAST * NARROWEST * 360 / WIDE[0] > 9


@pytest.mark.sampled(2)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("game", [*shelf()])
def test_those_with_a_board_are_as_legible_and_travel_too(game, theme, sizes):
    for one in weeks(game, theme):
        assert Image.open(io.BytesIO(one)).size == WIDE
        assert len(one) <= LARGEST_WITH_BOARD
    assert min(sizes) >= LEAST


@pytest.mark.sampled
@pytest.mark.parametrize("game", [*shelf()])
def test_the_move_of_the_day_is_asked_in_full_beside_its_board(game, monkeypatch):
    """The longest task of each game stands whole in both languages, and the file travels."""
    written, words = [], ClubCanvas.words

    def noted(canvas, x, y, text, px, *rest, **how):
        wide = words(canvas, x, y, text, px, *rest, **how)
        if text and how.get("room") == 386:
            written.append((text, wide == pytest.approx(width(text, px))))
        return wide

    def width(text: str, px: float) -> float:
        return fonts.width(text, px / fonts.SOURCE, "Bold")

    monkeypatch.setattr(ClubCanvas, "words", noted)
    board = paint(cover_scene(shelf()[game], "light", "es"))
    for code in ("es", "en"):
        say = language(code).say
        for theme in {one.lesson.theme for one in puzzles_of(game)}:
            side = shelf()[game].rules.sides[0]
            task = say(phrase(f"{game}.puzzle.{theme}", side=phrase(f"{game}.side.{side}")))
            written.clear()
            told = DailyPuzzle(game, game, "La jugada de hoy", "n.º 1279", task, side, ("W" * 40,))
            assert len(daily_picture(told, board, "light")) <= 120_000
            assert " ".join(text for text, _ in written) == task
            assert all(whole for _, whole in written)


def test_a_half_point_and_the_sign_of_an_ordinal_stay_whole():
    for text in ("3½", "2.º", "1.ª", "Dos…"):
        assert fonts.fitting_text(text, 30, 1000) == text
        assert fonts.drawable(text) == text


def test_the_metals_of_medals_are_told_without_colour():
    shapes = set()
    for metal in METALS:
        card = RankCard("A", "", (), medals=(MedalFace("ten", "", "", metal),))
        with Image.open(io.BytesIO(rank_card_picture(card))) as image:
            ground = image.convert("RGB").crop((960, 20, 1080, 170)).convert("L")
            shapes.add(ground.point([255 * (level > 70) for level in range(256)]).tobytes())
    assert len(shapes) == len(METALS)


def test_what_is_not_known_takes_no_room():
    bare = RankCard("Ana", "", (RankRow("niya", "Niya", 1500, 100, "1500", settled=True),))
    assert len(rank_card_picture(bare)) < len(
        rank_card_picture(RankCard("Ana", "", bare.rows, place=("1.º", "de 3"), where="aquí"))
    )
