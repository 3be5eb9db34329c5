"""What if: other moves are tried from any moment of a game that is over, by whoever looks back."""

from __future__ import annotations

import random

import pytest

from bot.port import Screen
from bot.presenters.school.what_if import LONGEST_LINE, SUPPOSED, what_if_screen
from bot.presenters.table.composer import Composer
from bot.presenters.table.viewers import Viewer
from tests.bot.test_advice import GAMES, between_people, lost
from tests.chat_capabilities import CAPABILITIES
from tests.fakes import Desk


async def looking_back(at: Desk, code: str) -> Composer:
    table = await at.facade.services.tables.get(code)
    viewer = Viewer(0, "es", personal=True, space=CAPABILITIES["web"].space)
    return Composer(table, viewer, at.facade.services.key)


def choices(screen: Screen) -> list[tuple[tuple[str, ...], bool]]:
    """What may be chosen on *screen*: the steps so far, and whether they are a whole move."""
    found = [one for row in screen.rows for one in row if one.style in ("move", "final")]
    assert all(one.code.startswith(SUPPOSED) for one in found)
    return [(tuple(one.code.removeprefix(SUPPOSED).split(",")), one.plays) for one in found]


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
async def test_any_moves_are_tried_from_any_moment(at, game):
    composer, rng = await looking_back(at, await lost(at, game)), random.Random(game)
    number = rng.randrange(len(composer.table.log) + 1)
    line, path = [], ()
    for _ in range(12):
        screen = what_if_screen(composer, number, line, path)
        assert screen is not None
        assert screen.scene is not None
        assert screen.headline.startswith("¿Y si")
        if not (open_now := choices(screen)):
            break
        steps, whole = rng.choice(open_now)
        line, path = ([*line, steps], ()) if whole else (line, steps)
    assert line
    again = what_if_screen(composer, number, [], ())
    assert again is not None
    assert again.scene != screen.scene


@pytest.mark.slow
async def test_what_cannot_be_played_is_not_tried(at):
    composer = await looking_back(at, await lost(at, "cirya"))
    assert what_if_screen(composer, 0, [("z9",)], ()) is None
    assert what_if_screen(composer, -1, [], ()) is None
    assert what_if_screen(composer, len(composer.table.log) + 1, [], ()) is None
    assert what_if_screen(composer, 0, [("a1",)] * (LONGEST_LINE + 1), ()) is None


async def test_while_they_play_nobody_tries(at):
    composer = await looking_back(at, await between_people(at, "niya"))
    assert what_if_screen(composer, 0, [], ()) is None
