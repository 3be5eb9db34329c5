"""What the drive of an evening counts as wrong (``tests.drives.evening``)."""

from __future__ import annotations

from types import SimpleNamespace

from tests.drives.evening_report import FLIP, Pressed, Report, Silence


def report(*presses: tuple[str, float, float | None]) -> Report:
    """An evening of presses by place, instant and seconds until their answers."""
    made = Report("an evening")
    for place, at, wait in presses:
        made.done.append(Pressed("player", place, at, SimpleNamespace(latency=wait)))
    return made


def judged(made: Report) -> Report:
    made.judge(lambda handle: handle.latency)
    return made


def test_a_press_without_an_answer_is_wrong():
    made = judged(report(("club", 10.0, 0.2), ("club", 20.0, None)))
    assert made.wrong == ["1 unanswered: ['player in club']"]


def test_where_nothing_can_be_said_it_is_excused_and_nowhere_else():
    made = report(("club", 20.0, None), ("forum", 20.0, None), ("club", 40.0, None))
    made.silences.append(Silence("club", 15.0, 25.0))
    assert judged(made).wrong == ["2 unanswered: ['player in forum', 'player in club']"]
    early = report(("club", 15.0 - FLIP / 2, None))
    early.silences.append(Silence("club", 15.0))
    assert judged(early).wrong == []


def test_a_board_that_is_not_the_newest_and_two_living_ones_are_wrong():
    made = report()
    made.boards(12, ["AAAAAA"], ["BBBBBB"])
    assert made.lines == [
        "boards at the end | 11 of 12 are the newest; stale ['AAAAAA']; "
        "tables with two live boards ['BBBBBB']"
    ]
    assert len(made.wrong) == 2
    fine = report()
    fine.boards(12, [], [])
    assert fine.wrong == []
    assert "nothing is wrong" in fine.told()
