"""What strangers may cost: purses, prices, and what is remembered of them."""

from __future__ import annotations

import pytest

from bot.chats.web import budget
from bot.chats.web.budget import (
    FRAME_PRICES,
    PURSES,
    Overspent,
    Purse,
    Stranger,
    StrangerBudget,
    network_of,
)
from bot.chats.web.reading import KINDS


@pytest.fixture(name="now")
def now_fixture(strangers_pay):
    return [1000.0]


@pytest.fixture(name="kept")
def kept_fixture(now):
    return StrangerBudget(lambda: now[0])


def test_who_has_spent_all_is_refused_until_enough_has_come_back(kept, now):
    at_once, a_second = PURSES["guest"]
    assert kept.take("guest", "ana", at_once)
    assert not kept.take("guest", "ana", 1.0)
    assert kept.take("guest", "bea", 1.0), "each has a purse of their own"
    assert kept.take("address", "ana", 1.0)
    assert kept.wait("guest", "ana", 10.0) == pytest.approx(10.0 / a_second)
    now[0] += 10.0 / a_second + 0.001
    assert kept.take("guest", "ana", 10.0)
    assert not kept.take("guest", "ana", 10.0)


def test_what_is_refused_costs_nothing(kept, now):
    assert kept.take("guest", "ana", PURSES["guest"].at_once)
    for _ in range(1000):
        assert not kept.take("guest", "ana", 50.0)
    now[0] += PURSES["guest"].at_once / PURSES["guest"].a_second
    assert kept.take("guest", "ana", PURSES["guest"].at_once)


def test_the_less_is_left_the_longer_one_waits(kept, now):
    waits = []
    for _ in range(10):
        waits.append(kept.pause("guest", "ana"))
        kept.take("guest", "ana", PURSES["guest"].at_once / 10)
    assert waits == sorted(waits)
    assert waits[0] == 0
    assert waits[3] < 0.01
    assert 0.1 < waits[9] <= budget.HELD


def test_whoever_floods_again_and_again_comes_back_after_a_while(kept, now):
    at_once, a_second = PURSES["guest"]
    for _ in range(100):
        kept.spend("guest", "ana", at_once)
    assert kept.wait("guest", "ana") <= at_once / a_second
    now[0] += at_once / a_second + 1
    assert kept.take("guest", "ana", 10.0)


async def test_a_claim_that_holds_costs_nothing(kept, monkeypatch):
    monkeypatch.setattr(budget, "PURSES", {**PURSES, "claims": Purse(1e9, 1e9)})
    stranger = Stranger(kept, "203.0.113.7")
    for _ in range(10_000):
        await stranger.claim("claim")
        stranger.prove("claim")
    for _ in range(int(PURSES["junk"].at_once / budget.request_price("claim"))):
        await stranger.claim("claim")
    with pytest.raises(Overspent) as refused:
        await stranger.claim("claim")
    assert refused.value.wait > 0


async def test_claims_of_very_many_strangers_wait_for_one_another_and_none_is_refused(
    kept, now, monkeypatch
):
    waits = []

    async def sleep(seconds):
        waits.append(seconds)
        now[0] += seconds

    monkeypatch.setattr(budget.asyncio, "sleep", sleep)
    for number in range(5000):
        await Stranger(kept, str(number)).claim("claim")
    at_once, a_second = PURSES["claims"]
    spent = 5000 * budget.request_price("claim")
    assert sum(waits[:50]) < 0.1, "a few notice nothing"
    assert spent - at_once < (now[0] - 1000) * a_second < spent
    assert max(waits) <= budget.HELD


def test_of_very_many_strangers_few_are_remembered_and_after_a_while_none(kept, now):
    for number in range(100_000):
        kept.take("address", f"10.{number}", 100.0)
    assert len(kept._spent) == budget.PURSES_KEPT
    now[0] += 60.0
    kept.take("address", "x", 1.0)
    assert len(kept._spent) == 1


def test_of_one_network_so_many_new_guests_are_taken_and_of_all_some_more(kept, now):
    taken = [Stranger(kept, network_of(f"2001:db8::{n:x}")).take_newcomer() for n in range(1, 18)]
    assert sum(taken) == PURSES["newcomer"].at_once
    assert Stranger(kept, "203.0.113.8").take_newcomer()
    assert all(Stranger(kept, "127.0.0.1").take_newcomer() for _ in range(200)), "the operator's"
    found = [Stranger(kept, f"198.51.100.{n}").take_newcomer() for n in range(200)]
    assert found.count(True) == PURSES["newcomers"].at_once - sum(taken) - 1
    now[0] += 86_400
    assert Stranger(kept, network_of("2001:db8::1")).take_newcomer()


def test_every_price_is_of_a_frame_and_below_every_purse():
    assert set(FRAME_PRICES) <= KINDS
    dearest = max(*FRAME_PRICES.values(), *budget.REQUEST_PRICES.values())
    heads = {"words", "patience", "newcomer", "newcomers"}
    assert all(one.at_once >= dearest for name, one in PURSES.items() if name not in heads)


@pytest.mark.parametrize(
    ("client", "network"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8::ffff:1", "2001:db8::/64"),
        ("x" * 5000, "x" * 64),
        ("", ""),
    ],
)
def test_an_address_counts_as_far_as_its_owner_cannot_choose_it(client, network):
    assert network_of(client) == network
