"""What the drive of a crowd counts as wrong (``tests.drives.crowd``)."""

from __future__ import annotations

import random
from types import SimpleNamespace

from bot.session.table import PLAYING
from tests.drives.crowd import FLIP, Crowd, Pressed, Seated, Silence


class Shown(Crowd):
    """A crowd whose tables show the turns *shown*, where the fifth turn is due."""

    shown: dict[str, list[int]]

    def boards(self, code):
        return [(None, [f"m.{code}.{turn}"]) for turn in self.shown[code]]


def crowd(*presses: tuple[str, float, float | None]) -> Shown:
    """A crowd that pressed, by place, instant and seconds until the answer."""

    async def table(code):
        return SimpleNamespace(status=PLAYING, turns=(5,))

    made = Shown(SimpleNamespace(table=table), random.Random(1))
    for place, at, wait in presses:
        made.done.append(Pressed("player", place, at, SimpleNamespace(latency=wait)))
    return made


def judged(made: Shown) -> list[str]:
    made.judge()
    return made.report.breaches


def test_a_press_without_an_answer_is_wrong():
    made = crowd(("club", 10.0, 0.2), ("club", 20.0, None))
    assert judged(made) == ["1 unanswered"]
    assert made.report.lines == ["player in club"]


def test_where_nothing_can_be_said_it_is_excused_and_nowhere_else():
    made = crowd(("club", 20.0, None), ("forum", 20.0, None), ("club", 40.0, None))
    made.silences.append(Silence("club", 15.0, 25.0))
    assert judged(made) == ["2 unanswered"]
    early = crowd(("club", 15.0 - FLIP / 2, None))
    early.silences.append(Silence("club", 15.0))
    assert judged(early) == []


async def test_a_board_that_is_not_the_newest_and_two_living_ones_are_wrong():
    made = crowd()
    made.shown = {"AAAA": [4], "BBBB": [5, 5], "CCCC": [5]}
    made.seated = [Seated(None, [], "niya", code) for code in made.shown]
    await made.look()
    assert made.report.breaches == ["AAAA (niya) is stale at rest", "BBBB (niya) has 2 live boards"]
