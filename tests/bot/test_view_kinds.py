"""What goes out besides boards: nothing stands twice, is lost or waits for one word of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest

from bot.port import BlockedByFilter, ChatError, Later, PlaceShut, RequestRefused, Shown
from bot.session.preferences import PlaceRules
from storage.table import views as stored_views
from tests.fakes import FakeChat, FakeClock, Message, desk
from tests.tournament.evening import entered, opened


class Forgetful(FakeChat):
    """Takes the next message and loses the answer; it knows no repeated posting by itself."""

    loses = 0

    def newest(self, where, board):
        return str(len(self.messages))

    async def show(self, target, screen, picture) -> Shown:
        shown = await super().show(target, screen, picture)
        if self.loses:
            self.loses -= 1
            raise ChatError("the connection is lost")
        return shown

    async def remove_repeated(
        self, where, after: str, before: str, skips: Callable[[str], Awaitable[bool]]
    ) -> None:
        for other in [*self.messages][int(after) :]:
            if other != before and not await skips(other):
                del self.messages[other]


def of_tournament(chat: FakeChat) -> list[Message]:
    return [one for one in chat.messages.values() if "apuntad" in "".join(one.screen.lines)]


@pytest.fixture
async def at(tmp_path):
    clock = FakeClock()
    async with desk(tmp_path, clock=clock, chat=Forgetful()) as house:
        house.clock = clock
        house.facade.services.delivery.retries = (0.01,)
        yield house


async def test_the_message_of_a_tournament_stands_once_after_a_lost_answer(at):
    at.chat.loses = 1
    await opened(at, at.clock)
    await at.settle()
    assert len(of_tournament(at.chat)) == 1


@pytest.mark.parametrize("wrong", [BlockedByFilter("a name"), RequestRefused("words")])
async def test_a_name_that_a_filter_refuses_costs_the_name_and_not_the_message(at, wrong):
    evening = await opened(at, at.clock)
    await at.settle()
    at.chat.failures.append(wrong)
    await entered(evening, 1)
    at.facade.services.delivery.refused_boards.try_at(at.where)
    await at.settle()
    (message,) = of_tournament(at.chat)
    assert "Hay 1 persona" in "".join(message.screen.lines)
    named = "P1" in "".join(message.screen.lines)
    assert named is isinstance(wrong, RequestRefused)


async def test_what_is_no_board_is_shown_again_with_its_place(at):
    await opened(at, at.clock)
    await at.settle()
    await at.facade.boards.places.show_again(at.where)
    await at.settle()
    assert not await at.facade.store.read(stored_views.owing_views)


@pytest.mark.parametrize("wrong", [Later(0.01), PlaceShut(), ChatError("down")])
async def test_a_daily_puzzle_comes_once_whatever_befalls_its_first_call(at, wrong):
    clock = at.facade.services.clock
    rules = PlaceRules(daily="all", day_hour=clock.now().hour, day_zone="UTC")
    await at.facade.services.places.choose(at.where, lambda _: rules)
    at.chat.failures.append(wrong)
    await at.facade.process_duties.daily.look()
    await at.settle()
    await at.facade.services.delivery.closed_places.reopen(at.where)
    await at.facade.process_duties.daily.look()
    await at.settle()
    puzzles = [one for one in at.chat.messages.values() if "jugada de hoy" in one.screen.headline]
    assert len(puzzles) == 1


async def test_what_waited_for_too_long_is_not_shown_any_more(at):
    shown = at.facade.services.clock
    rules = PlaceRules(daily="all", day_hour=shown.now().hour, day_zone="UTC")
    await at.facade.services.places.choose(at.where, lambda _: rules)
    at.chat.failures.append(PlaceShut())
    await at.facade.process_duties.daily.look()
    await at.settle()
    now = shown.now()
    shown.now = lambda: now + timedelta(hours=8)
    await at.facade.services.delivery.closed_places.reopen(at.where)
    await at.settle()
    assert at.chat.messages == {}
