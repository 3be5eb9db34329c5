"""Half a point in place of a round: its key, its words in both languages, and what comes of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.tournament.values import Phase
from tests.tournament.evening import Evening, entered, opened

KEY = "Descansar (½)"


@pytest.fixture(name="evening")
async def evening_fixture(at, clock) -> Evening:
    """A Swiss of three rounds among six, whose first round is played."""
    evening = await entered(await opened(at, clock, ("format", "swiss"), ("rounds", "3")), 6)
    assert (await evening.press(evening.manager, "begin")).good
    await evening.look()
    assert (await evening.now()).phase is Phase.RUNNING
    return evening


def labels(evening: Evening) -> list[str]:
    return [button.label for row in evening.message.screen.rows for button in row]


async def played_round(evening: Evening) -> None:
    """End the games of this round, and let the next one be paired."""
    number = (await evening.now()).number
    for code in await evening.waiting():
        await evening.end(code)
    for _ in range(30):
        now = await evening.now()
        if now.number > number or now.phase is Phase.ENDED:
            return
        await evening.wait(1)


async def test_it_is_asked_for_taken_back_had_once_and_counts_half(evening):
    who, other = evening.people[:2]
    assert KEY in labels(evening)
    asked = await evening.press(who, "bye")
    assert asked.said.startswith("Descansas la próxima ronda, con medio punto.")
    assert (await evening.press(who, "bye")).said == "De acuerdo: juegas la próxima ronda."
    spoken = replace(who, language="en")
    asked = await evening.press(spoken, "bye")
    assert asked.said.startswith("You sit the next round out, for half a point."), asked
    await played_round(evening)
    now = await evening.now()
    mine = now.entrant_of(await evening.services.people.number(who))
    (*_, newest) = now.rounds
    assert newest.halves == (mine.number,)
    assert mine.number not in [one for meeting in newest.meetings for one in meeting.entrants]
    lines = "\n".join([evening.message.screen.headline, *evening.message.screen.lines])
    assert "Descansan esta ronda con medio punto: P1." in lines
    # Once is all, and the last round is to be played.
    assert KEY not in labels(evening)
    for one in (who, other):
        refused = await evening.press(one, "bye")
        assert not refused.good
        assert "una sola vez" in refused.said
    await played_round(evening)
    table = await evening.press(other, "table")
    assert "½" in str(table)


async def test_who_is_not_entered_or_leaves_too_few_has_none(at, evening):
    stranger = await evening.press(evening.manager, "bye")
    assert not stranger.good
    for who in evening.people[:2]:
        assert (await evening.press(who, "bye")).good
    refused = await evening.press(evening.people[2], "bye")
    assert "al menos cuatro" in refused.said
    english = await evening.press(replace(evening.people[3], language="en"), "bye")
    assert "at least four" in english.said
