"""What a board tells: everything since one's last turn, however often it was changed since."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from bot.presenters.table.composer import Composer
from bot.presenters.table.viewers import Viewer
from bot.session.table import ENDED, HistoryEntry, Table
from bot.session.visibility import KEPT_GLIMPSES, VisibleTable, news, since, still_news
from bot.texts.orthography import capital
from games.core import CHANCE
from games.core.shelf import shelf
from games.parchis.board import HOME
from games.parchis.moves import Go, Lapse, Roll, Stage
from games.parchis.notation import piece_name
from render.kit.painters import paint
from render.parchis.layout import HOMES, centre
from render.parchis.painter import MOST_WAYS
from render.scene import Scene
from tests.played import tables
from tests.render.pictures import changed

KEY = b"k" * 32


def told(*seats: int) -> tuple[HistoryEntry, ...]:
    """What the players in *seats* did, one after the other: -1 is chance, 10 a forced move of 0."""
    position = shelf()["niya"].start(shelf()["niya"].setting({}, 2))
    return tuple(
        HistoryEntry(position, seat % 10 if seat >= 0 else CHANCE, None, 0 <= seat < 10)
        for seat in seats
    )


def screen(table: Table, seat: int | None, code: str = "es"):
    return Composer(table, Viewer(seat, code, personal=seat is not None), KEY).board()


@pytest.mark.parametrize(
    ("happened", "from_on"),
    [
        ((0, 1), 1),
        ((0, 0, 1, 2, 3), 2),
        ((0, 1, 2, 3, 0), 1),  # In the middle of one's own turn the others' are still news.
        ((0, 1, 2, 3, 0, -1, 0), 1),
        ((0, 1, 10, 1), 1),  # A turn without a choice was none.
        ((1, 2, 3), 0),
        ((0, -1, 1), 2),  # What was drawn in one's own turn is known.
    ],
)
def test_news_is_what_others_did_since_ones_last_turn(happened, from_on):
    assert news(told(*happened), 0) == from_on


def test_who_has_just_moved_is_told_his_own_move():
    assert since(told(0, 1, 0), 0, {1}) == 2


def test_who_is_passed_over_is_told_what_everybody_is_told():
    """A player who has finished would else be told all that was played since."""
    assert since(told(2, 0, 1, 0, 1, 0), 2, {1}) == since(told(2, 0, 1, 0, 1, 0), None, {1}) == 5


def test_nobody_s_news_are_thrown_away_and_no_more_than_that_is_kept():
    assert len(still_news(told(0, 1, 0, 1, 0, 1), range(2))) == 2
    assert len(still_news(told(0, *[1, 2] * KEPT_GLIMPSES), range(3))) == KEPT_GLIMPSES


@pytest.mark.parametrize("kept", [3, 7, 11, 12, 30])
def test_of_the_last_things_that_happened_as_many_are_told_as_are_kept(kept):
    """Of seven to eleven kept, the last twelve were the last two, or one: a roll was not shown."""
    table = next(iter(tables(shelf()["niya"])))
    seat = min(table.actors())
    move = next(iter(table.present.legal_moves(seat)))
    log = (HistoryEntry(table.present, seat, move, True),) * 40
    visible = VisibleTable(replace(table, log=log, recent=log[-kept:]), None)
    for count in (0, 1, kept, 12):
        numbers = [one.number for one in visible.last(count)]
        assert numbers == list(range(40 - min(count, kept), 40))


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, pytest.param(4, marks=pytest.mark.slow)])
def test_who_was_eaten_between_his_turns_is_told_so_at_his_turn(seats):
    """Of all boards at which a piece of yours was eaten since your last turn, all say so."""
    eaten = 0
    for seed in range(1, 5):
        left: dict[int, tuple[int, ...]] = {}
        before = None
        for table in tables(shelf()["parchis"], seats=seats, seed=seed):
            now = table.position
            if before is not None and before.turn != now.turn:
                left[before.turn] = now.pieces[before.turn]
            if now.stage is Stage.THROW and now.turn in left and not now.sixes:
                seat = now.turn
                for number, then in enumerate(left[seat]):
                    if then != HOME and now.pieces[seat][number] == HOME:
                        eaten += 1
                        name = piece_name(now, (seat, number))
                        for viewer in (seat, None):
                            shown = screen(table, viewer)
                            told = any("come" in line and name in line for line in shown.lines)
                            assert told, shown.lines
                            home = HOMES[arm(shown.scene, now.colours[seat])]
                            assert marked(shown.scene, home[number])
            before = now
    assert eaten >= 5


def test_a_roll_that_nobody_asked_for_is_told_with_the_name_of_its_player():
    passed = 0
    for table in tables(shelf()["parchis"], {"rolling": "auto"}, seats=2):
        *_, before, last = (None, None, *table.recent)
        if before is None or not isinstance(before.move, Lapse) or not isinstance(last.move, Roll):
            continue
        (seat,) = table.actors()
        name, lines = table.players[seat].name, screen(table, None).lines
        (told,) = (line for line in lines if f"sale un {last.move.eyes}" in line)
        assert told.startswith(f"{name}: "), lines
        passed += before.seat != seat
        if passed > 2:
            break
    assert passed > 2


@pytest.mark.sampled
@pytest.mark.parametrize("key", sorted(shelf()))
def test_no_line_of_what_happened_is_long_and_each_player_has_one(key):
    for table in itertools.islice(tables(shelf()[key], seats=max(shelf()[key].rules.seats)), 150):
        lines = screen(table, None).lines
        names = [player.name for player in table.players]
        for name in names:
            assert sum(line.startswith(f"{name}: ") for line in lines) <= 1, lines
        assert all(len(line) <= 260 for line in lines), max(lines, key=len)


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 4])
def test_all_that_went_since_ones_last_turn_is_marked_at_a_die_to_use(seats):
    """Of all boards with a die to use none is bare, unless nobody has gone anywhere since."""
    boards = 0
    for table in itertools.islice(tables(shelf()["parchis"], seats=seats), 150):
        now = table.position
        if now.stage is not Stage.DIE:
            continue
        for viewer in (now.turn, None):
            scene = screen(table, viewer).scene
            gone = [one for one in scene.last if isinstance(one.move, Go)]
            boards += bool(gone)
            bare = paint(replace(scene, last=()))
            assert bool(gone) == (changed(paint(scene), bare) is not None)
            for one in gone:
                start = one.before.own[one.move.pieces[0]]
                way = [
                    centre(arm(scene, one.before.colours[one.seat]), one.move.pieces[0], index)
                    for index in range(start, max(one.move.to, start + 1))
                ]
                assert len(gone) > MOST_WAYS or any(marked(scene, point) for point in way)
    assert boards >= 30


def arm(scene: Scene, colour: int) -> int:
    """Of which colour the arm is, when nothing is turned, in which *colour* is shown."""
    return (colour - scene.seen.colours[scene.bottom]) % 4


def marked(scene: Scene, at: tuple[float, float]) -> bool:
    """Whether what happened of late shows within 36 pixels of the point *at*."""
    x, y = map(round, at)
    box = (x - 36, y - 36, x + 36, y + 36)
    now, bare = (paint(one).crop(box) for one in (scene, replace(scene, last=())))
    return changed(now, bare) is not None


def test_a_finished_game_tells_the_move_that_ended_it():
    *_, last = tables(shelf()["niya"])
    assert last.status == ENDED
    assert any(": toma " in line for line in screen(last, None).lines)


@pytest.mark.parametrize("key", ["niya", "cirya"])
def test_what_the_only_person_played_is_told_beside_the_answer_of_the_computer(key):
    """The answer came at once, and no board had told one's own move."""
    game = shelf()[key]
    table = next(itertools.islice(tables(game), 4, None))
    (mover,) = table.actors()
    alone = replace(
        table,
        players=tuple(
            replace(one, level=None if seat == mover else 1, person=1 if seat == mover else None)
            for seat, one in enumerate(table.players)
        ),
    )
    for seat in (None, mover):
        names = Composer(alone, Viewer(seat, "es"), KEY).names
        lines = screen(alone, seat).lines[:2]
        assert [line.split(":")[0] for line in lines] == [names[mover], capital(names[1 - mover])]
    assert screen(table, None).lines[0].startswith(table.players[1 - mover].name)
