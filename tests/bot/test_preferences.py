"""What people and places have chosen, and how it is kept."""

import pytest

from bot.port import Where
from bot.session.preferences import NotificationChoice, Openers, Personal, PlaceRules, read, stored
from tests.fakes import desk, person

NEREA, SQUARE = person("Nerea"), Where("fake", "square")


def test_what_is_chosen_comes_back_and_defaults_are_not_kept():
    chosen = Personal(theme="dark", calls=NotificationChoice.NEVER, quiet=(23, 8), refused=(3, 5))
    kept = stored(chosen)
    assert kept == {"theme": "dark", "calls": "never", "quiet": [23, 8], "refused": [3, 5]}
    assert read(Personal, kept) == chosen
    assert stored(PlaceRules()) == {}


@pytest.mark.parametrize(
    "broken", [{"calls": "loudly"}, {"quiet": "night"}, {"quiet": [23]}, {"later": 1}]
)
def test_what_cannot_be_read_is_as_if_it_were_not_chosen(broken):
    assert read(Personal, {"theme": "dark", **broken}) == Personal(theme="dark")


async def test_the_house_remembers_what_was_chosen(tmp_path):
    async with desk(tmp_path) as at:
        services = at.facade.services
        nerea = (await services.people.of(NEREA)).id
        assert await services.people.personal(nerea) == Personal()
        await services.people.choose(nerea, calls=NotificationChoice.TIME)
        rules = PlaceRules(openers=Openers.MANAGERS, most=4)
        assert await services.places.rules(SQUARE) == PlaceRules()
        await services.places.choose(SQUARE, lambda _: rules)
    async with desk(tmp_path) as at:
        services = at.facade.services
        assert await services.people.personal(nerea) == Personal(calls=NotificationChoice.TIME)
        assert await services.places.rules(SQUARE) == rules
