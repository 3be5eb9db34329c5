"""Records of whole games by honest houses and by others, and what a liar does to them."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from bot.presenters.table.record_and_draw_proof import record_of
from bot.session import offers, play
from bot.session.table import PLAYING, Player
from bot.session.unit_of_work import UnitOfWork
from games.core import CHANCE, Entry, Game, Record
from games.core.chance import Draws

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
WORDS = ("hola", "¡suerte!", 'say "hi"', "Þetta ”reddast”", "骰子", "o o")


@dataclass
class Picky(Draws):
    """Draws of a house that passes numbers over, or takes one again, until one suits it."""

    step: int = 1

    def __call__(self, cases: int) -> tuple[int, int]:
        number, case = super().__call__(cases)
        if case:  # it would like the first case best
            self.number = max(0, number + self.step)
            number, case = super().__call__(cases)
        return number, case


@dataclass
class Cheat(UnitOfWork):
    """A pen whose draws are picked: *step* 1 leaves a number out, -1 takes the last one again."""

    step: int = 1

    def draws(self) -> Picky:
        honest = super().draws()
        return Picky(honest.secret, honest.table, honest.words, honest.number, self.step)


def game_played(
    game: Game, rng: random.Random, *, most: int = 4000, step: int | None = None
) -> Record | None:
    """The record of a game of moves at random, ``None`` where it has no draw.

    After *most* moves somebody resigns. *step* makes the house a cheat.
    """
    code = "".join(rng.choices(LETTERS, k=6))
    secret = rng.randbytes(32)
    seats = rng.choice(game.rules.seats)
    begins = rng.choice(game.rules.begins)
    options = {one.key: rng.choice(one.values) for one in game.rules.options if one.key != "setup"}
    work = play.open_table(
        code, game, options=options, begins=begins, seats=seats, host=1, secret=secret, now=NOON
    )
    if step is not None:
        work = Cheat(work.table, work.now, None, work.secret, written=work.written, step=step)
    for person in range(seats):
        play.take_chair(work, Player(person + 1, f"P{person + 1}"))
    for person in range(rng.randrange(3)):
        play.say_words(work, min(person, seats - 1) + 1, rng.choice(WORDS))
    play.start(work)
    _play_on(work, rng, most)
    record = record_of(work.table)
    drew = any(one.seat == CHANCE for one in record.log) or "Draw0" in record.tags
    return record if drew else None


def _play_on(work: UnitOfWork, rng: random.Random, most: int) -> None:
    for _ in range(most):
        if work.table.status != PLAYING:
            return
        seat = rng.choice(sorted(work.table.actors()))
        if work.table.players[seat].person is not None and rng.random() < 0.03:
            _take_back(work, seat)
        elif len(work.table.players) > 2 and rng.random() < 0.002 and _people(work) > 1:
            play.resign(work, next(n for n, one in enumerate(work.table.players) if one.person))
        else:
            play.play_moves(work, seat, (rng.choice(work.table.present.legal_moves(seat)),))
    while work.table.status == PLAYING:
        seat = rng.choice([n for n, one in enumerate(work.table.players) if one.person])
        play.resign(work, seat)


def _people(work: UnitOfWork) -> int:
    return sum(one.person is not None for one in work.table.players)


def _take_back(work: UnitOfWork, seat: int) -> None:
    if work.table.undo_to(seat) is None:
        return
    at_once = offers.place_offer(work, seat, "undo")
    other = next((n for n, p in enumerate(work.table.players) if p.person and n != seat), None)
    if not at_once and other is not None:
        offers.answer(work, other, "undo", accepted=True)


# -- what liars do ----------------------------------------------------------------------


def swapped_seats(record: Record, rng: random.Random) -> Record:
    """Who played what is changed about, in the moves, in the beginning and in the result."""
    last = len(record.sides) - 1
    log = tuple(
        one if one.seat == CHANCE else replace(one, seat=last - one.seat) for one in record.log
    )
    places, _, reason = record.tags["Result"].partition(" ")
    turned = "".join(str(last - int(one)) if one.isdigit() else one for one in places)
    tags = {**record.tags, "Result": f"{turned} {reason}"}
    return replace(record, log=log, first=last - record.first, tags=tags)


def another_lot(record: Record, rng: random.Random) -> Record:
    cases, _, case = record.tags.get("Draw0", "").partition(" ")
    if not cases:
        return replace(record, tags={**record.tags, "Draw0": f"{len(record.sides)} 0"})
    other = rng.choice([n for n in range(int(cases)) if str(n) != case])
    return replace(record, tags={**record.tags, "Draw0": f"{cases} {other}"})


def lot_of_one_who_knows(record: Record, rng: random.Random) -> Record:
    """The lot and who begins are changed together."""
    changed = another_lot(record, rng)
    first = int(changed.tags["Draw0"].split()[1])
    return replace(changed, first=first)


def no_lot(record: Record, rng: random.Random) -> Record:
    tags = {key: value for key, value in record.tags.items() if key != "Draw0"}
    return replace(record, tags=tags)


def another_first(record: Record, rng: random.Random) -> Record:
    return replace(record, first=rng.choice([n for n in range(5) if n != record.first]))


def other_sides(record: Record, rng: random.Random) -> Record:
    sides = list(record.sides)
    match rng.randrange(3):
        case 0:
            sides.reverse()
        case 1:
            sides.pop()
        case 2:
            sides[rng.randrange(len(sides))] = rng.choice(["blue", "", sides[0] + "x"])
    return replace(record, sides=tuple(one for one in sides if one))


def another_result(record: Record, rng: random.Random) -> Record:
    places, _, reason = record.tags["Result"].partition(" ")
    groups = places.split("/")
    others = [
        f"{'/'.join(reversed(groups))} {reason}",
        f"{','.join(sorted(places.replace('/', ',').split(',')))} {reason}",
        f"{places} {reason}s",
        f"{places}",
        f"{places} agreement",
        f"{groups[0]} {reason}",
        "",
    ]
    kept = [one for one in others if one != record.tags["Result"]]
    return replace(record, tags={**record.tags, "Result": rng.choice(kept)})


def no_result(record: Record, rng: random.Random) -> Record:
    tags = {key: value for key, value in record.tags.items() if key != "Result"}
    return replace(record, tags=tags)


def other_words(record: Record, rng: random.Random) -> Record:
    words = record.tags["Words"]
    return replace(
        record, tags={**record.tags, "Words": rng.choice([words + "a", words + "/", "x"])}
    )


def another_table(record: Record, rng: random.Random) -> Record:
    code = record.tags["Table"]
    return replace(record, tags={**record.tags, "Table": code[::-1] + "X"})


def another_secret(record: Record, rng: random.Random) -> Record:
    """Another secret with the seal that was shown before."""
    return replace(record, tags={**record.tags, "Secret": rng.randbytes(32).hex()})


def another_seal(record: Record, rng: random.Random) -> Record:
    return replace(record, tags={**record.tags, "Commitment": rng.randbytes(32).hex()})


def _drawn(record: Record) -> list[int]:
    return [n for n, one in enumerate(record.log) if one.seat == CHANCE]


def _with_entry(record: Record, index: int, *entries: Entry) -> Record:
    return replace(record, log=(*record.log[:index], *entries, *record.log[index + 1 :]))


def another_die(record: Record, rng: random.Random) -> Record:
    index = rng.choice(_drawn(record))
    entry = record.log[index]
    texts = {record.log[n].text for n in _drawn(record)} - {entry.text}
    return _with_entry(record, index, replace(entry, text=rng.choice(sorted(texts))))


def draw_left_out(record: Record, rng: random.Random) -> Record:
    return _with_entry(record, rng.choice(_drawn(record)))


def draw_told_twice(record: Record, rng: random.Random) -> Record:
    index = rng.choice(_drawn(record))
    return _with_entry(record, index, record.log[index], record.log[index])


def another_number(record: Record, rng: random.Random) -> Record:
    index = rng.choice(_drawn(record))
    entry = record.log[index]
    number = rng.choice([(entry.draw or 0) + 1, max((entry.draw or 0) - 1, 0), 999, None])
    if number == entry.draw:
        number = 7777
    return _with_entry(record, index, replace(entry, draw=number))


def numbers_moved_on(record: Record, rng: random.Random) -> Record:
    """All numbers from one on are higher by one, as if one had been passed over."""
    index = rng.choice(_drawn(record))
    later = tuple(
        replace(one, draw=one.draw + 1) if one.draw is not None and n >= index else one
        for n, one in enumerate(record.log)
    )
    return replace(record, log=later)


def cut_short(record: Record, rng: random.Random) -> Record:
    return replace(record, log=record.log[: rng.randrange(len(record.log))])


def a_start_of_its_own(record: Record, rng: random.Random) -> Record:
    return replace(record, tags={**record.tags, "Position": "anything"})


Lie = Callable[[Record, random.Random], Record]

OF_DRAWS: tuple[Lie, ...] = (
    swapped_seats,
    another_lot,
    lot_of_one_who_knows,
    no_lot,
    another_first,
    other_sides,
    another_result,
    no_result,
    other_words,
    another_table,
    another_secret,
    another_seal,
    another_die,
    draw_left_out,
    draw_told_twice,
    another_number,
    numbers_moved_on,
    cut_short,
    a_start_of_its_own,
)
"""Lies in the record of a game that its rules ended and that draws all the time."""


def summed(record: Record) -> Record:
    """*record* as a liar hands it on, who makes its sum anew."""
    return replace(record, tags={**record.tags, "Check": record.digest()})


def other_options(record: Record, rng: random.Random, game: Game) -> Record | None:
    """The same log under another option, the sum as it was; ``None`` where there are none."""
    if not game.rules.options:
        return None
    option = rng.choice(game.rules.options)
    value = rng.choice([one for one in option.values if one != record.options[option.key]])
    return replace(record, options={**record.options, option.key: value})


def one_bit(text: str, rng: random.Random) -> str | None:
    """*text* with a single bit turned, ``None`` where that is no text any more."""
    data = bytearray(text.encode())
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None
