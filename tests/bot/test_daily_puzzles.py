"""The daily puzzle of a place: once a day, in time, silently, and no longer than anybody cares."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.facade import Thinkers, open_facade
from bot.notify.daily import IDLE_DAYS, NIGHT, due_day
from bot.port import Card, ChatError, PlaceShut, PlaceStanding, Where
from bot.presenters.school.puzzles import solution
from bot.session.daily_calendar import calendar_day, daily_exercise
from bot.session.exercise_catalogue import exercises, puzzles_of
from bot.session.preferences import PlaceRules
from games.core.shelf import shelf
from render.kit import Gallery
from storage.school import puzzles
from tests.bot.test_move_of_the_day import counted
from tests.fakes import Desk, FakeChat, FakeClock, Message, desk, person

ANA = person("Ana")
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
SHIPPED = {key: puzzles_of(key) for key in shelf() if puzzles_of(key)}
WANTS = PlaceRules(daily="all", day_hour=18, day_zone="America/Lima", day_place="group")


@pytest.fixture
async def at(tmp_path, monkeypatch):
    monkeypatch.setattr(Gallery, "picture", lambda self, scene: b"painted")
    monkeypatch.setattr("bot.notify.daily._paint", lambda told, scene: b"painted")
    clock = FakeClock()
    async with desk(tmp_path, clock=clock) as house:
        house.clock = clock
        house.daily = house.facade.process_duties.daily
        await house.facade.services.places.choose(house.where, lambda _: WANTS)
        yield house


def posted(house) -> list:
    return [m for m in house.chat.messages.values() if "La jugada de hoy" in m.screen.headline]


@pytest.mark.parametrize(
    ("hours", "due"),
    [
        (0, None),  # noon in UTC is seven in the morning in Lima
        (10, None),
        (11, True),
        (15.9, True),
        (16, False),  # eleven at night
        (24, None),  # the next day has its own hour
    ],
)
def test_it_is_due_from_its_hour_on_by_the_zone_of_the_place_and_not_at_night(hours, due):
    found = due_day(WANTS, NOON + timedelta(hours=hours), 0)
    assert (None if found is None else found[1]) == due


def test_what_is_more_than_six_hours_late_is_left_out():
    early = PlaceRules(daily="all", day_hour=8)
    day = NOON.replace(hour=8)
    assert due_day(early, day + timedelta(hours=6), 0) == (NOON.toordinal(), True)
    assert due_day(early, day + timedelta(hours=6, minutes=1), 0) == (NOON.toordinal(), False)


@dataclass
class Sixty:
    """Days that pass hour by hour over two processes, of which each is up or not."""

    houses: tuple[Desk, Desk]
    clock: FakeClock
    lot: random.Random
    seen: list[int] = field(default_factory=list)
    """The days, by the place, on which a puzzle was posted."""
    solved: list[int] = field(default_factory=list)

    def pass_time(self) -> None:
        """An hour, or a time in which both are down, or a clock that somebody sets."""
        if self.lot.random() < 0.01:
            self.clock.wait(timedelta(hours=self.lot.choice([3, 9, 30])))
        elif self.lot.random() < 0.005:
            self.clock.set(timedelta(hours=self.lot.choice([-5, -1, 2])))
        else:
            self.clock.wait(timedelta(hours=1))

    async def look(self) -> list[Message]:
        """Both look at once, or only one that is up; what that has posted."""
        up = [one for one in self.houses if self.lot.random() < 0.8]
        before = len(posted(self.houses[0]))
        if self.lot.random() < 0.005:
            for one in up:
                one.chat.failures.append(ChatError("down"))
        await asyncio.gather(*(one.facade.process_duties.daily.look() for one in up))
        for one in up:
            await one.settle()
        for one in up:
            one.chat.failures.clear()
        return posted(self.houses[0])[before:]

    async def solve(self, message: Message) -> None:
        """Ana opens the puzzle in private and solves it, by words."""
        house = self.houses[0]
        answer = await house.press(ANA, message, "Resolver")
        assert isinstance(answer, Card)
        click = house.facade.requests.buttons.click(message.button("Resolver").code)
        exercise = exercises()[click.path[0]]
        for before, seat, move in solution(exercise).played:
            if seat == exercise.resumed(0).seat:
                text = exercise.game.notation.written(before, move)
                await house.call(ANA, "puzzle", answer=text)
        self.solved.append(here(self.clock).toordinal())


def here(clock: FakeClock) -> datetime:
    return clock.shown.astimezone(ZoneInfo(WANTS.day_zone))


@asynccontextmanager
async def beside(house: Desk, clock: FakeClock) -> AsyncIterator[Desk]:
    """A second process on the database of *house* that takes the same places for its own."""
    facade, chat = await open_facade(house.facade.store, Thinkers(), "es"), FakeChat()
    chat.messages = house.chat.messages  # one platform, of which both edit the messages
    chat._numbers = house.chat._numbers
    facade.services.clock.now = lambda: clock.shown
    await facade.start([chat])
    yield Desk(facade, chat)
    await facade.stop()


@pytest.mark.parametrize("days", [4, pytest.param(60, marks=pytest.mark.slow)])
async def test_day_by_day_with_downtimes_clock_jumps_and_two_processes(at, days):
    async with beside(at, at.clock) as other:
        await at.call(ANA, "puzzle", game="niya")
        await at.facade.services.people.choose(1, zone=WANTS.day_zone)
        sixty = Sixty((at, other), at.clock, random.Random(39))
        for _ in range(days * 24):
            sixty.pass_time()
            for message in await sixty.look():
                assert 18 <= here(at.clock).hour < NIGHT
                assert message.screen.silent
                sixty.seen.append(here(at.clock).toordinal())
                if sixty.lot.random() < 0.8:
                    await sixty.solve(message)
                    row = await other.facade.store.read(puzzles.load_solver, 1, "")
                    assert (row.streak, row.longest) == counted(sixty.solved)
    assert len(sixty.seen) == len(set(sixty.seen))
    assert len(sixty.seen) >= days * 2 // 3 - 1
    assert len(sixty.solved) >= len(sixty.seen) // 2


def of_niya(entry):
    return entry.move if entry.game == "niya" else entry.five["niya"]


async def test_the_puzzle_is_the_calendar_s_in_every_place_and_house(at):
    day = NOON.toordinal()
    for number, entry in enumerate(map(calendar_day, range(day, day + 40)), day):
        assert daily_exercise("", number, SHIPPED).code == entry.move
        assert daily_exercise("niya", number, SHIPPED).code == of_niya(entry)


def test_what_a_house_does_not_put_gives_way_to_others_in_turn():
    few = {"niya": SHIPPED["niya"][:2]}
    for day in range(NOON.toordinal(), NOON.toordinal() + 30):
        named = of_niya(calendar_day(day))
        here = {one.code for one in few["niya"]}
        found = daily_exercise("", day, few).code
        assert found == named if named in here else found in here
    assert daily_exercise("shogi", NOON.toordinal(), few) is None


async def test_after_a_week_without_a_press_it_says_so_and_stops(at):
    for day in range(12):
        at.clock.shown = NOON + timedelta(days=day, hours=11)
        await at.daily.look()
        await at.settle()
    assert len(posted(at)) == IDLE_DAYS
    stopped = list(at.chat.messages.values())[-1].screen
    assert "una semana" in stopped.headline
    assert stopped.silent
    assert (await at.facade.services.places.rules(at.where)).daily == ""


async def test_it_is_solved_in_private_and_rated_like_any_other(at):
    at.clock.shown = NOON + timedelta(hours=11)
    await at.daily.look()
    await at.settle()
    (message,) = posted(at)
    answer = await at.press(ANA, message, "Resolver")
    assert isinstance(answer, Card)
    code = at.facade.requests.buttons.click(message.button("Resolver").code).path[0]
    row = await at.facade.store.read(puzzles.load_daily, "fake", "group")
    assert row.puzzle == code
    assert code in exercises()
    day = NOON.toordinal()
    assert len(await at.facade.store.read(puzzles.daily_tries_at, "fake", "group", day, code)) == 1


async def test_a_place_that_shuts_us_out_gets_none_and_the_others_do(at):
    other = Where("fake", "other")
    rules = PlaceRules(daily="niya", day_zone="America/Lima", day_place="other")
    await at.facade.services.places.choose(other, lambda _: rules)
    at.chat.failures.append(PlaceShut())
    at.clock.shown = NOON + timedelta(hours=11)
    await at.daily.look()
    await at.settle()
    assert len(posted(at)) == 1


async def test_a_place_that_wants_none_has_none(at):
    await at.facade.services.places.choose(at.where, lambda _: PlaceRules())
    at.clock.shown = NOON + timedelta(hours=11)
    await at.daily.look()
    await at.settle()
    assert posted(at) == []


async def test_a_group_with_a_new_id_gets_no_second_one(at):
    at.clock.shown = NOON + timedelta(hours=11)
    await at.daily.look()
    await at.settle()
    await at.facade.boards.places.move_place(at.where, Where("fake", "supergroup"))
    await at.facade.services.delivery.wake_all()
    await at.daily.look()
    await at.settle()
    assert len(posted(at)) == 1


async def test_whoever_manages_the_place_asks_for_it_where_it_is_to_stand(at):
    await at.facade.services.places.choose(at.where, lambda _: PlaceRules())
    at.chat.standings[ANA.external, "group"] = PlaceStanding(manages=True)
    shown = await at.call(ANA, "settings", whispered="yes")
    place = Message("c", at.where, shown.screen, None, card=True)
    shown = await at.press(ANA, place, "Ajustes de este sitio »")
    assert "Jugada de hoy" in {one.label for one in shown.screen.choices}
    choice = next(one for one in shown.screen.choices if one.label == "Jugada de hoy")
    every = next(one for one in choice.options if "cada día" in one.label)
    card = Message("c", at.where, shown.screen, None, card=True)
    await at.press(ANA, card, code=every.code)
    rules = await at.facade.services.places.rules(at.where)
    assert (rules.daily, rules.day_place) == ("all", "group")
