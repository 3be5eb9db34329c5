"""In turn is in turn: a press is judged by what it means, whichever board it was made on."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.boards import pacing
from bot.port import Pace, Press
from bot.presenters.button_codes import Action, Click, encode_click
from bot.session import events, play
from bot.session.fold import TABLES
from bot.session.play import SETTLED, TAPPED, Outdated, entries_of_press, pressed_move
from bot.session.table import PLAYING, Player
from bot.session.unit_of_work import UnitOfWork
from games.core import IllegalMove
from games.core.move_parsing import spelled
from games.core.shelf import find_game, shelf
from games.parchis.menus import MENUS
from games.parchis.moves import Throw
from storage.records import Written
from tests.fakes import person

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
SOON, LATER = SETTLED / 3, SETTLED * 2
"""How long after a choice a second tap comes, and a second thought."""


class Evening:
    """A game of people whose clock is set by hand."""

    def __init__(self, key: str, seed: bytes = b"s" * 32, seats: int = 2, **options: str) -> None:
        self.now = NOON
        opened = play.open_table(
            "AAAAAA", find_game(key), options=options, begins="", seats=seats, host=1,
            secret=seed, now=NOON, steady=NOON,
        )  # fmt: skip
        for number in range(1, seats + 1):
            play.take_chair(opened, Player(number))
        play.start(opened)
        self.secret, self.table, self.before = seed, opened.table, opened.table

    def work(self) -> UnitOfWork:
        return UnitOfWork(self.table, self.now, self.now, self.secret)

    @property
    def mover(self) -> int:
        return min(self.table.actors())

    def steps(self, seat: int | None = None) -> list[tuple[str, ...]]:
        seat = self.mover if seat is None else seat
        position = self.table.present
        return list(spelled(self.table.game, position, position.legal_moves(seat)))

    def meant(self, seat: int, turn: int, steps: tuple[str, ...]):
        return pressed_move(self.table, seat, turn, steps, self.now)

    def press(self, seat: int, turn: int, steps: tuple[str, ...]) -> None:
        move, work = self.meant(seat, turn, steps), self.work()
        play.play_pressed(work, seat, move, steps)
        self.table = work.table

    def again(self, seat: int, turn: int, steps: tuple[str, ...]) -> int:
        return entries_of_press(self.table, seat, turn, steps, self.now)

    def move(self, rng: random.Random) -> None:
        """Whoever is to move makes some move on their newest board, a while later."""
        self.now, self.before = self.now + LATER, self.table
        self.press(self.mover, self.table.turns[self.mover], rng.choice(self.steps()))

    def say(self, seat: int) -> None:
        """*seat* says the first thing that it may say."""
        work = self.work()
        play.say_aside(work, seat, self.table.present.asides(seat)[0])
        self.table = work.table

    def write(self, event: events.Event) -> None:
        written = Written(self.table.version + 1, self.now, event, self.now)
        self.table = TABLES.after(self.table, written)


def parchis_with(wanted: str, eyes: int) -> Evening:
    """A Parchís whose first mover rolls *eyes* at once."""
    for number in range(400):
        found = Evening("parchis", number.to_bytes(32, "big"), seats=4)
        tried = Evening("parchis", number.to_bytes(32, "big"), seats=4)
        tried.press(tried.mover, tried.table.turns[tried.mover], ("tirar",))
        rolled = [one.text for one in tried.table.log if one.text.startswith("d")][-1]
        if rolled == f"d{eyes}":
            return found
    raise AssertionError(wanted)


def test_a_late_board_of_another_seat_has_a_key_that_rolls():
    at = parchis_with("a one, which moves nothing", 1)
    first, late = at.mover, at.table.turns[at.mover]
    at.press(first, late, ("tirar",))
    second = at.mover
    assert second != first
    at.press(second, late, ("tirar",))  # the board still shows the turn of the first
    assert (second, "tirar") in [(one.seat, one.text) for one in at.table.log]


def test_a_second_tap_rolls_no_second_time_even_after_a_six():
    at = parchis_with("a six, which rolls again", 6)
    seat, turn = at.mover, at.table.turns[at.mover]
    at.press(seat, turn, ("tirar",))
    assert at.mover == seat
    assert at.steps() == [("tirar",)]
    at.now += SOON
    assert at.again(seat, turn, ("tirar",))
    at.now += LATER  # now it is the second roll, though the board is late
    assert not at.again(seat, turn, ("tirar",))
    at.press(seat, turn, ("tirar",))


def test_who_has_moved_a_piece_by_a_six_rolls_at_once_on_a_late_board():
    at, rng = parchis_with("a six", 6), random.Random(6)
    for _ in range(400):
        seat, late = at.mover, at.table.turns[at.mover]
        moves = at.steps()
        at.move(rng)
        if at.mover == seat and moves != [("tirar",)] and at.steps() == [("tirar",)]:
            break
    at.now += SOON
    assert not at.again(seat, late, ("tirar",))
    at.press(seat, late, ("tirar",))


def test_a_second_tap_hears_what_the_first_has_done():
    at = parchis_with("a one", 1)
    seat, turn = at.mover, at.table.turns[at.mover]
    at.press(seat, turn, ("tirar",))
    count = at.again(seat, turn, ("tirar",))
    told = play.what_happened(at.table, seat, seat, count)
    assert told is not None
    assert told.key == "house.drawn"


def test_the_key_of_a_die_outlasts_whole_rounds_and_that_of_a_piece_none():
    at, rng = parchis_with("a five", 5), random.Random(1)
    seat, turn = at.mover, at.table.turns[at.mover]
    at.press(seat, turn, ("tirar",))
    while at.mover == seat:
        at.move(rng)
    while at.mover != seat:
        at.move(rng)
    assert isinstance(at.meant(seat, turn, ("tirar",)), type(at.table.present.legal_moves(seat)[0]))
    for _ in range(2000):
        at.move(rng)
        if at.table.status != PLAYING:
            break
        old, keys = at.table.turns[at.mover], at.steps()
        if len(keys) > 1:
            one = at.mover
            at.move(rng)
            at.now += LATER
            now = at.steps() if at.table.actors() == {one} else []
            if len(now) > 1 and keys[0] in now:
                with pytest.raises(Outdated):
                    at.meant(one, old, keys[0])
                return
    raise AssertionError("no piece could be chosen twice")


def parchis_held() -> tuple[Evening, int, tuple[str, ...]]:
    """A Parchís whose mover is to roll and then to choose, with the turn and the keys that hold."""
    for number in range(400):
        at = Evening("parchis", number.to_bytes(32, "big"), seats=4)
        rng = random.Random(number)
        for _ in range(60):
            seat, turn = at.mover, at.table.turns[at.mover]
            held = MENUS.onward(at.table.present, seat)
            at.move(rng)
            chooses = at.table.actors() == {seat} and len(at.steps()) > 1
            if held and chooses and play.choices_held(at.table, seat):
                return at, turn, held
    raise AssertionError("nobody could choose")


def test_a_key_that_holds_rolls_first_and_then_moves_its_piece():
    at, turn, held = parchis_held()
    seat, before = at.mover, at.table.last_choice(at.mover).before
    piece = play.choices_held(at.table, seat)[0]
    assert play.is_asked_again(at.table, held)
    assert not play.is_asked_again(at.table)
    assert not play.is_asked_again(at.table, tuple(one for one in held if one != piece))
    for step in held:  # whatever the die will show, its key is for the throw
        at_throw = replace(at.table, position=before)
        assert isinstance(pressed_move(at_throw, seat, turn, ("tirar", step), at.now), Throw)
    at.now = at.table.last_choice(seat).at + SOON / 2  # a second tap, which has read no toast
    assert at.again(seat, turn, ("tirar", piece))
    at.now += TAPPED
    assert not at.again(seat, turn, ("tirar", piece))
    at.press(seat, turn, ("tirar", piece))
    gone = at.table.last_choice(seat)
    assert MENUS.steps(gone.before, gone.move) == (piece,)
    at.now = gone.at + SOON
    assert at.again(seat, turn, ("tirar", piece))


def test_a_key_that_holds_rolls_and_moves_its_piece_by_one_press_if_the_die_lets_it():
    at, turn, held = parchis_held()
    seat, choices, rolled = at.mover, play.choices_held(at.table, at.mover), at.table.log
    for piece in held:
        at.table = at.before
        at.press(seat, turn, ("tirar", piece))
        (thrown, die), made = at.table.log[len(rolled) - 2 :][:2], at.table.last_choice(seat)
        assert (thrown.text, die.text) == (rolled[-2].text, rolled[-1].text), "the die is the same"
        goes = piece in choices
        assert MENUS.steps(made.before, made.move) == ((piece,) if goes else ("tirar",))
        assert goes or play.choices_held(at.table, seat) == choices, "they are asked"
        assert at.again(seat, turn, ("tirar", piece))
    assert {*choices} & {*held}


def test_a_key_that_holds_moves_no_piece_which_the_die_leaves_none():
    at, turn, held = parchis_held()
    seat = at.mover
    with pytest.raises((Outdated, IllegalMove)):
        at.meant(seat, turn, ("tirar", "X9"))
    at.now += LATER
    for step in held:
        moves = {steps[0] for steps in at.steps()}
        if step not in moves:
            with pytest.raises((Outdated, IllegalMove)):
                at.meant(seat, turn, ("tirar", step))


def test_the_cards_of_niya_mean_the_same_in_every_later_turn():
    at, rng = Evening("niya"), random.Random(2)
    seat, turn, board = at.mover, at.table.turns[at.mover], at.steps()
    at.move(rng)
    at.move(rng)
    still = [one for one in board if one in at.steps()]
    assert at.mover == seat
    assert still
    at.meant(seat, turn, still[0])
    at.now = at.table.last_choice(seat).at + SOON  # another finger on another card
    with pytest.raises(Outdated):
        at.meant(seat, turn, still[0])


@pytest.mark.parametrize("key", sorted(shelf()))
def test_a_choice_on_a_board_before_the_seat_s_own_last_one_is_outdated(key):
    if find_game(key).menus.lasting:
        pytest.skip("its keys last")
    at, rng, tried = Evening(key), random.Random(3), 0
    boards: dict[int, tuple[int, list[tuple[str, ...]]]] = {}
    for _ in range(40):
        seat = at.mover
        if seat in boards:
            turn, keys = boards[seat]
            at.now += LATER
            for one in keys if len(at.steps()) > 1 else ():
                with pytest.raises((Outdated, IllegalMove)):
                    at.meant(seat, turn, one)
                tried += 1
        boards[seat] = at.table.turns[seat], at.steps()
        at.move(rng)
        if at.table.status != PLAYING:
            break
    assert tried


@pytest.mark.parametrize("key", sorted(shelf()))
@given(seed=st.integers(0, 2**32), plies=st.integers(0, 12))
def test_two_presses_of_one_board_are_one_act(key, seed, plies):
    """Twice, from two devices, in any order: whichever comes first counts, and the other not."""
    at, rng = Evening(key, seed.to_bytes(32, "big")), random.Random(seed)
    for _ in range(plies):
        if at.table.status == PLAYING:
            at.move(rng)
    if at.table.status != PLAYING:
        return
    at.now += LATER
    seat, turn, keys = at.mover, at.table.turns[at.mover], at.steps()
    first, second = rng.choice(keys), rng.choice(keys)
    at.press(seat, turn, first)
    at.now += SOON
    assert bool(at.again(seat, turn, second)) == (first == second)
    if first != second and at.table.status == PLAYING and seat in at.table.actors():
        with pytest.raises((Outdated, IllegalMove)):
            at.meant(seat, turn, second)


@pytest.mark.parametrize("key", ["shogi", "cirya", "storilljudhjorrayc"])
def test_a_choice_seen_before_a_take_back_is_outdated(key):
    options = {"setup": "fixed"} if key == "storilljudhjorrayc" else {}
    at, rng = Evening(key, **options), random.Random(4)
    at.move(rng)
    seat, turn, keys = at.mover, at.table.turns[at.mover], at.steps()
    at.write(events.Undone(1 - seat, 0))
    at.move(rng)
    at.now += LATER
    assert at.mover == seat
    now = at.steps()
    still = [one for one in keys if one in now]
    for one in still:
        with pytest.raises(Outdated):
            at.meant(seat, turn, one)
    at.meant(seat, at.table.turns[seat], still[0])


def test_the_only_move_is_taken_from_any_board():
    for number in range(60):
        at, rng = Evening("niya", number.to_bytes(32, "big")), random.Random(number)
        turn = at.table.turns[at.mover]
        while at.table.status == PLAYING and len(at.steps()) > 1:
            at.move(rng)
        if at.table.status == PLAYING:
            at.now += LATER
            at.press(at.mover, turn, at.steps()[0])
            return
    raise AssertionError("never one move alone")


def test_what_hides_hands_is_judged_alike():
    at = Evening("storilljudhjorrayc")
    seat, other = sorted(at.table.actors())
    mine, theirs = at.table.turns[seat], at.table.turns[other]
    swap = next(one for one in at.steps(seat) if len(one) > 1)
    at.press(seat, mine, swap)
    at.now += LATER
    at.press(other, theirs, at.steps(other)[0])  # the other's board is as good as it was
    with pytest.raises((Outdated, IllegalMove)):
        at.meant(seat, mine, swap)


def test_a_key_of_a_move_outlives_every_cry_of_its_own_seat():
    at, rng = Evening("cirya"), random.Random(5)
    for _ in range(8):
        at.move(rng)
    seat, turn = at.mover, at.table.turns[at.mover]
    for _ in range(3):
        at.say(seat)
        assert at.table.turns[seat] > turn
        for keys in at.steps():
            at.meant(seat, turn, keys)
    at.press(seat, turn, at.steps()[0])
    assert at.mover != seat


def test_a_table_tells_when_each_seat_has_chosen_last():
    at, rng = Evening("cirya"), random.Random(5)
    seat = at.mover
    assert at.table.acted == (0, 0)
    at.move(rng)
    assert at.table.acted[seat] == at.table.version
    assert at.table.acted[1 - seat] == 0
    at.write(events.Undone(seat, 0))
    assert at.table.acted == (at.table.version,) * 2


async def test_where_calls_are_scarce_a_roll_after_which_one_rolls_again_waits_for_the_next(
    at, monkeypatch
):
    monkeypatch.setattr(play, "SETTLED", timedelta())
    monkeypatch.setattr(pacing, "RESTS", 3000.0)
    people = {one.name: one for one in (person("Nerea"), person("Bruno"))}
    await at.call(people["Nerea"], "play", game="parchis", opponent=people["Bruno"])
    code = list(at.chat.messages.values())[-1].screen.table
    await at.press(people["Bruno"], at.chat.board(code), "Aceptar")
    at.chat.limit = Pace(1000)
    at.facade.services.delivery.pacing._limiters._kept.clear()
    saved = 0
    for number in range(200):
        table, board = await at.facade.services.tables.get(code), at.chat.board(code)
        who, edits = people[table.players[min(table.actors())].name], board.edits
        key = next(button.code for button in board.moves)
        # Once a board waits, the next press must hurry it, also where its answer may show boards.
        takes = bool(saved)
        pressed = Press(f"roll{number}", at.where, who, key, board.id, takes_board=takes)
        await at.facade.requests.press(pressed)
        table = await at.facade.services.tables.get(code)
        if play.is_asked_again(table):
            await asyncio.sleep(0.02)
            assert at.chat.board(code).edits == edits
            saved += 1
            continue
        async with asyncio.timeout(60):
            await at.settle()
        assert at.chat.board(code).edits == edits + 1
        assert at.chat.board(code).screen.version == table.version
        if saved:
            return
    raise AssertionError("nobody rolled twice")


async def test_a_cry_is_taken_from_a_board_that_is_older_than_the_last_cry(at):
    people = {one.name: one for one in (person("Nerea"), person("Bruno"))}
    await at.call(people["Nerea"], "play", game="cirya", opponent=people["Bruno"])
    (shown,) = at.chat.messages.values()
    await at.press(people["Bruno"], shown, "Aceptar")
    await at.settle()
    code = shown.screen.table
    for move in ("a1", "a5", "b2", "b4"):
        table = await at.facade.services.tables.get(code)
        await at.call(people[table.players[min(table.actors())].name], "move", move=move)
    await at.settle()
    table = await at.facade.services.tables.get(code)
    mover, turn = min(table.actors()), max(table.turns)
    key = at.facade.services.key
    for steps in list(spelled(table.game, table.present, table.present.asides(mover)))[:2]:
        click = Click(Action.ASIDE, code, turn, steps)
        who = people[table.players[mover].name]
        board = at.chat.board(code)
        assert (await at.press(who, board, code=encode_click(click, key))).good
