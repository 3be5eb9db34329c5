"""Whole tournaments played by lot, without a chat: what laws and drives look at."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count

from bot.tournament import organizer, swiss
from bot.tournament.agenda import Step, next_step
from bot.tournament.pairing import next_pairing
from bot.tournament.trf import entrants_in, starting_order, trf
from bot.tournament.unit_of_work import NotNow, TournamentWork
from bot.tournament.values import How, Phase, Rules, Tournament, TournamentFormat

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class Hall:
    """A tournament with a clock of its own; *dice* decide everything."""

    dice: random.Random
    work: TournamentWork
    codes: Iterator[str] = field(default_factory=lambda: (f"T{n:05}" for n in count(1)))
    reports: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)
    """The report from which each Swiss round was paired, and whose its starting numbers were."""
    lates: Iterator[int] = field(default_factory=lambda: count(1000))

    @property
    def now(self) -> Tournament:
        return self.work.tournament

    def tick(self, minutes: float) -> None:
        self.work.now = self.work.steady = self.work.steady + timedelta(minutes=minutes)


def opened(rules: Rules, entrants: int, seed: int) -> Hall:
    dice = random.Random(seed)
    hall = Hall(dice, organizer.open_tournament("TESTED", rules, 1, BEGIN, BEGIN))
    for person in range(1, entrants + 1):
        organizer.enter(hall.work, person, dice.choice((1500, dice.randint(1100, 2100))))
    return hall


def played(hall: Hall, *, restless: bool = True) -> Tournament:
    """Play *hall* to its end; with *restless* people some leave, come late, or do not come."""
    organizer.begin(hall.work)
    for _ in range(3000):
        if hall.now.phase is Phase.ENDED:
            return hall.now
        step = next_step(hall.now, hall.work.steady, hall.work.now)
        if step is not None and step.at <= hall.work.steady:
            done(hall, step.step)
        elif any(game.result is None for _, _, game in hall.now.games()):
            finish_some(hall, restless=restless)
        else:
            hall.tick(1)
    raise AssertionError("it does not end")


def done(hall: Hall, step: Step) -> None:
    if step is Step.END:
        organizer.end(hall.work, "done")
    elif step is Step.EXTEND:
        organizer.extend(hall.work, hall.codes)
    else:
        pair(hall)


def pair(hall: Hall) -> None:
    pairs = ()
    if hall.now.rules.format is TournamentFormat.SWISS:
        report = trf(hall.now, {})
        hall.reports.append((report, starting_order(hall.now)))
        try:
            pairs = entrants_in(hall.now, swiss.pairs(report))
        except swiss.Unpairable:
            organizer.end(hall.work, "unpairable")
            return
    pairing = next_pairing(hall.now, pairs)
    if pairing is None:
        organizer.end(hall.work, "few")
    else:
        organizer.pair(hall.work, pairing, hall.codes)


def finish_some(hall: Hall, *, restless: bool) -> None:
    """Some games end, and between them people come and go."""
    dice = hall.dice
    waiting = [game for _, _, game in hall.now.games() if game.result is None]
    for game in dice.sample(waiting, dice.randint(1, len(waiting))):
        hall.tick(dice.choice((0, 1, 5)))
        size, absent = len(game.seats), ()
        if restless and dice.random() < 0.05:
            absent = tuple(dice.sample(game.seats, dice.choice((1, 1, size))))
        if absent:
            points = tuple(0 if one in absent else 2 for one in game.seats)
            if size > 2:
                there = [n for n, one in enumerate(game.seats) if one not in absent]
                gone = [n for n, one in enumerate(game.seats) if one in absent]
                points = organizer.points_by_place([p for p in (there, gone) if p], size)
            organizer.tell(hall.work, game.code, How.FORFEIT, points, absent)
        else:
            seats = list(range(size))
            dice.shuffle(seats)
            places = [[seat] for seat in seats] if dice.random() < 0.7 else [seats]
            how = How.PLAYED if dice.random() < 0.9 else How.ADJUDICATED
            organizer.tell(hall.work, game.code, how, organizer.points_by_place(places, size))
    if not restless:
        return
    if dice.random() < 0.1 and len(hall.now.present) > 2:
        organizer.leave(hall.work, dice.choice(hall.now.present).person)
    if dice.random() < 0.1:
        with suppress(NotNow):
            organizer.ask_bye(hall.work, dice.choice(hall.now.entrants).person)
    if dice.random() < 0.15:
        try:
            organizer.enter(hall.work, next(hall.lates), 1500)
        except NotNow:
            return
