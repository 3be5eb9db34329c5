"""Who moves again after long sees in small pictures, and reads, what happened meanwhile."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from functools import cache
from typing import Any

import pytest

from bot.chats.web.message_formatting import PageWriter
from bot.chats.web.person.guests import Guest
from bot.presenters.button_codes import NO_TABLE
from bot.presenters.table.composer import Composer
from bot.presenters.table.since_last_turn import LONG, MOST_GLIMPSES
from bot.presenters.table.viewers import Viewer
from bot.session.table import PLAYING, Table
from games.core import CHANCE, Seat
from games.core.shelf import shelf
from render.kit import paint, png, themed
from render.kit.missed_moves_strip import BARS, HEIGHT, window
from render.kit.output import LARGEST
from render.scene import Recap, Scene
from tests.fakes import Desk, FakeClock, desk, person
from tests.played import tables
from tests.slow_parameters import by_turns

KEY = b"k" * 32
NEREA, BRUNO = person("Nerea"), person("Bruno")
SEATS = {"parchis": 4}
THEMES = ("light", "dark", "contrast", "safe")


def apart(table: Table, each: timedelta) -> Table:
    """*table* as if so long had passed between any two things that happened."""
    recent = (
        replace(one, at=table.created + number * each) for number, one in enumerate(table.recent)
    )
    return replace(table, recent=tuple(recent))


def board(table: Table, seat: Seat | None, code: str = "es") -> tuple[Recap | None, Scene, str]:
    """The recap, the picture and the words that *seat*, or everybody, is shown."""
    shown = Composer(table, Viewer(seat, code, personal=seat is not None), KEY).board()
    assert shown.scene is not None
    return shown.scene.recap, shown.scene, "\n".join(shown.lines)


@cache
def game(key: str) -> tuple[Table, ...]:
    """The tables of the beginning of a game of *key*."""
    of = shelf()[key]
    begun = tables(of, seats=SEATS.get(key), looks=4)
    return tuple(itertools.islice(begun, 12 if key != "parchis" else 40))


def returns(key: str) -> Iterator[tuple[Table, Seat]]:
    """The tables of a slow game at which a seat moves again and has something to be told."""
    for table in game(key):
        slow = apart(table, LONG)
        for seat in table.actors():
            if table.status == PLAYING and board(slow, seat)[0] is not None:
                yield slow, seat


@pytest.mark.sampled
@pytest.mark.parametrize("key", sorted(shelf()))
def test_who_moves_again_after_long_is_shown_their_move_and_what_followed(key):
    found = list(returns(key))
    assert len(found) >= 3
    for table, seat in found:
        recap, _, words = board(table, seat)
        shared, _, _ = board(table, None)
        assert recap is not None
        assert 1 <= len(recap.moments) <= MOST_GLIMPSES
        assert recap.title == "Desde tu última jugada"
        movers = [one.scene.last[0].seat for one in recap.moments]
        assert CHANCE not in movers
        assert any(mover != seat for mover in movers)
        if seat in movers:
            assert movers.index(seat) == 0
            assert recap.moments[0].words == "Tú"
            assert "Tu última jugada: " in words
        newest = next(
            one for one in reversed(table.recent) if one.seat not in (CHANCE, seat) and one.chosen
        )
        assert newest.seat in movers
        if shared is not None:
            assert shared.title == f"Desde la última jugada de {table.players[seat].name}"


@pytest.mark.sampled
@pytest.mark.parametrize("key", sorted(shelf()))
def test_nobody_who_moves_soon_or_has_nothing_to_be_told_sees_a_recap(key):
    for table in game(key):
        soon = apart(table, (LONG - timedelta(seconds=1)) / max(1, len(table.recent)))
        undated = replace(table, recent=tuple(replace(one, at=None) for one in table.recent))
        for seat in (None, *range(len(table.players))):
            for shown in (table, soon, undated):
                assert board(shown, seat)[0] is None
            if seat is not None and seat not in table.actors():
                assert board(apart(table, LONG), seat)[0] is None


@pytest.mark.parametrize("key", sorted(shelf()))
def test_a_recap_shows_no_more_than_the_viewer_may_see(key):
    for table, _ in returns(key):
        public, _, _ = board(table, None)
        for moment in () if public is None else public.moments:
            assert moment.scene.seen == moment.scene.seen.seen_by(None)
            assert moment.scene.last[0].before == moment.scene.last[0].before.seen_by(None)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("key", "theme"), by_turns(sorted(shelf()), THEMES))
def test_a_board_with_its_recap_is_a_small_file_in_every_theme(key, theme):
    table, seat = list(returns(key))[-1]
    viewer = Viewer(seat, "en", personal=True)
    look = replace(viewer.look, theme=theme)
    scene = Composer(table, replace(viewer, look=look), KEY).board().scene
    assert scene is not None
    assert scene.recap is not None
    assert {one.scene.theme for one in scene.recap.moments} == {scene.theme}
    assert scene.theme == themed(key, theme, look.pieces)
    assert scene.recap.title == "Since your last move"
    picture, bare = paint(scene), paint(replace(scene, recap=None))
    assert picture.height == bare.height + HEIGHT
    assert picture.crop((0, HEIGHT, *picture.size)).tobytes() == bare.tobytes()
    assert len(png(picture)) <= LARGEST


@pytest.mark.parametrize("change", [(10, 80, 60, 130), (300, 90, 480, 860), (700, 800, 790, 880)])
@pytest.mark.parametrize("aspect", [1.5, 2.4])
def test_a_small_picture_shows_where_something_happened_and_no_bars(change, aspect):
    left, top, right, bottom = window(change, (800, 960), aspect)
    assert (right - left) / (bottom - top) == pytest.approx(aspect, rel=0.02)
    assert BARS <= top < bottom <= 960 - BARS
    assert 0 <= left <= change[0] < change[2] <= right <= 800
    assert top <= (change[1] + change[3]) / 2 <= bottom


class Undressed:
    """As much of a facade and of a page's pictures as a writer asks for a screen of no table."""

    def __init__(self) -> None:
        self.boards, self.lobby, self.painted = self, None, list[Scene]()

    async def dress_scene(self, scene: Scene, *_: object) -> Scene:
        return scene

    async def show(self, _: str, scene: Scene) -> None:
        self.painted.append(scene)


async def test_the_page_which_plays_what_happened_has_no_recap_above_the_board_it_is_tapped_on():
    table, seat = next(returns("niya"))
    screen = Composer(table, Viewer(seat, personal=True), KEY).board()
    assert screen.scene is not None
    assert screen.scene.recap is not None
    page: Any = Undressed()
    writer, guest = PageWriter(page, page, page, page.show), Guest("g", "Nerea")
    told = await writer.form(guest, replace(screen, table=NO_TABLE))
    assert told["scene"] == replace(screen.scene, recap=None)
    assert page.painted == [told["scene"]]
    assert any(line.startswith("Tu última jugada: ") for line in told["lines"])


async def two_days(at: Desk, clock: FakeClock) -> str:
    """A game of Cirya in which each move comes a day after the one before; its table."""
    await at.call(NEREA, "play", game="cirya", seats="2")
    code = list(at.chat.messages.values())[-1].screen.table
    await at.call(BRUNO, "join", table=code)
    for move in ("a1", "b2", "c3"):
        clock.wait(timedelta(days=1))
        table = await at.facade.services.tables.get(code)
        (seat,) = table.actors()
        who = NEREA if table.players[seat].name == "Nerea" else BRUNO
        answer = await at.call(who, "move", table=code, move=move)
        assert answer.good, answer.said
    return code


@pytest.mark.slow
async def test_the_board_of_a_game_with_a_move_a_day_has_a_recap_also_after_a_restart(tmp_path):
    clock = FakeClock()
    async with desk(tmp_path, clock=clock) as at:
        code = await two_days(at, clock)
        await at.settle()
        before = at.chat.board(code, at.where).screen.scene.recap
        assert before is not None
        assert len(before.moments) == 2
    async with desk(tmp_path, clock=clock) as at:
        table = await at.facade.services.tables.get(code)
        assert board(table, None)[0] == before
