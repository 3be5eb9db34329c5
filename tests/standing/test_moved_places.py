"""A group that becomes a supergroup gets a new id: its ladder, medals and bars go along."""

import pytest

from bot.facade import RatingCheck
from bot.port import PlaceStanding, Where
from bot.session.preferences import PlaceRules
from storage.club import ratings
from tests.fakes import FakeClock, desk
from tests.standing.simulated import Hall
from tests.standing.test_ladder import asker, top
from tests.standing.test_moderation import MARTA, barred

NEW = Where("fake", "supergroup")


@pytest.fixture
async def hall(tmp_path):
    async with desk(tmp_path, clock=FakeClock()) as at:
        at.chat.standings[MARTA.external, at.where.place] = PlaceStanding(manages=True)
        yield Hall(at)


async def test_the_ladder_goes_along_and_the_journal_still_agrees(hall):
    ana, bo, cy = [one.id for one in await hall.invite(3)]
    for better, worse in ((ana, bo), (bo, cy)):
        await hall.end(await hall.seat("niya", (better, worse)), [[better], [worse]])
    facade, old = hall.at.facade, hall.at.where
    rules = PlaceRules(season=True)
    await facade.services.places.choose(old, lambda _: rules)
    await facade.services.seasons.begin(old)
    noted = await facade.services.seasons.load_owed(old)
    await barred(hall, "Person 2")
    await facade.boards.places.move_place(old, NEW)
    card = await top(hall, where=NEW)
    names = [line.split(":")[0].split(" ", 1)[1] for line in card.screen.alt.splitlines()]
    assert sorted(names) == ["Person 0", "Person 1", "Person 2"]
    assert (await top(hall)).screen.alt == ""
    profile = await hall.at.call(asker(1), "profile", NEW, person=asker(0))
    assert "Primera victoria" in profile.screen.alt
    assert not (await hall.at.call(asker(2), "play", NEW, game="niya")).good
    assert await facade.services.seasons.load_owed(NEW) == noted
    assert await facade.services.seasons.load_owed(old) is None
    async with facade.store.reading() as tx:
        assert await RatingCheck().run(tx) == []


@pytest.mark.slow
async def test_who_has_played_in_both_is_counted_anew(hall):
    ana, bo = [one.id for one in await hall.invite(2)]
    await hall.end(await hall.seat("niya", (ana, bo)), [[ana], [bo]])
    there = Hall(type(hall.at)(hall.at.facade, hall.at.chat, NEW), hall.people, hall.codes)
    await there.end(await there.seat("niya", (ana, bo)), [[bo], [ana]])
    await hall.at.facade.boards.places.move_place(hall.at.where, NEW)
    async with hall.at.facade.store.reading() as tx:
        assert await RatingCheck().run(tx) == []
        rows = await ratings.load_tallies(tx, "niya", (ana,))
    assert {place for _, place, _ in rows} == {"", "supergroup"}
    mine = rows["fake", "supergroup", ana]
    assert (mine.won, mine.drawn, mine.lost) == (1, 0, 1)
