"""What happens at a table, as it is kept: the form may never change unnoticed."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import get_args

import pytest

from bot.session import events
from bot.session.events import (
    EVENTS,
    Answered,
    Closed,
    Drawn,
    Ended,
    Judged,
    Left,
    Moved,
    Offered,
    OfferKind,
    Opened,
    Rematched,
    Revealed,
    SaidAside,
    Sat,
    Started,
    Stood,
    Undone,
    Worded,
)
from storage.records import EventRow, Written

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
OPENED = {"game": "niya", "rules": 1, "options": {"x": "y"}, "begins": "lot", "host": 7}
NOBODY = {"person": None, "level": 2, "side": "red"}
STARTED = {"chairs": [1, 0], "sides": ["red", "blue"], "first": 1}

KEPT = [
    (
        Opened("niya", 1, {"x": "y"}, "lot", 7, 2, "c0ffee"),
        ("open", None, "", {**OPENED, "seats": 2, "commitment": "c0ffee"}),
    ),
    (
        Sat(1, 7, None, None, invited=True),
        ("sit", 1, "", {"person": 7, "level": None, "side": None, "invited": True}),
    ),
    (Sat(0, None, 2, "red"), ("sit", 0, "", NOBODY)),
    (Stood(1), ("stand", 1, "", {})),
    (Worded(0, "olé"), ("words", 0, "olé", {})),
    (Started((1, 0), ("red", "blue"), 1), ("start", None, "", STARTED)),
    (Started((1, 0), ("red", "blue"), 1, (2, 1)), ("start", None, "", {**STARTED, "lot": [2, 1]})),
    (Moved(1, "M2"), ("move", 1, "M2", {})),
    (Moved(1, "--", forced=True), ("move", 1, "--", {"forced": True})),
    (Drawn("d6", 3), ("draw", None, "d6", {"draw": 3})),
    (SaidAside(0, "londë"), ("aside", 0, "londë", {})),
    (Judged(0, "refuted", ("e1",)), ("verdict", 0, "refuted", {"line": ["e1"]})),
    (Offered(0, OfferKind.DRAW), ("offer", 0, "draw", {})),
    (Answered(1, OfferKind.UNDO, accepted=True), ("answer", 1, "undo", {"accepted": True})),
    (Undone(0, 4), ("undo", 0, "", {"to": 4})),
    (Left(2, 1), ("leave", 2, "", {"level": 1})),
    (Left(2, 1, absent=True), ("leave", 2, "", {"level": 1, "absent": True})),
    (
        Ended("first", (frozenset({1}), frozenset({2, 0})), by_rule=True),
        ("end", None, "first", {"places": [[1], [0, 2]], "rule": True}),
    ),
    (Revealed(b"\x01\xff"), ("reveal", None, "01ff", {})),
    (Rematched("K7K7K7"), ("rematch", None, "K7K7K7", {})),
    (Closed("expired"), ("close", None, "expired", {})),
    (Closed("cancelled", 0), ("close", 0, "cancelled", {})),
    (Closed("idle", None, 7), ("close", None, "idle", {"person": 7})),
    (Moved(0, "M2", uncounted=250), ("move", 0, "M2", {"uncounted": 250})),
    (events.GivenBack(1, 9000), ("give-back", 1, "", {"time": 9000})),
    (events.Overstepped(1), ("overstep", 1, "", {})),
    (events.Granted(0, 1), ("grant", 0, "", {"to": 1})),
    (events.Flagged(1), ("flag", 1, "", {})),
    (events.Paused(0), ("pause", 0, "", {})),
    (events.Resumed(1), ("resume", 1, "", {})),
    (events.Missed(1, events.Absence.LEFT), ("miss", 1, "left", {})),
    (events.Missed(0, events.Absence.BLOCKED), ("miss", 0, "blocked", {})),
    (events.Returned(1), ("return", 1, "", {})),
    (events.Counted(rated=True), ("count", None, "", {"rated": True})),
    (events.Uncounted(7), ("uncount", None, "", {"by": 7})),
    (events.Ruled(7, (2, 0)), ("rule", None, "", {"by": 7, "points": [2, 0]})),
]


@pytest.mark.parametrize(("event", "columns"), KEPT)
def test_an_event_is_kept_in_this_very_form(event, columns):
    kind, seat, text, data = columns
    assert EVENTS.encode(Written(3, NOON, event)) == EventRow(
        3, NOON, kind, seat, text, {"v": 1, **data}
    )


@pytest.mark.parametrize(("event", "columns"), KEPT)
def test_an_event_is_read_as_it_was_written(event, columns):
    assert EVENTS.decode(EVENTS.encode(Written(3, NOON, event))) == Written(3, NOON, event)


def test_no_kind_is_forgotten_here():
    kinds = {kind for part in get_args(events.Event) for kind in (get_args(part) or (part,))}
    assert {type(event) for event, _ in KEPT} == kinds


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"kind": "sing"}, "no event is called so"),
        ({"seat": None}, "seat"),
        ({"seat": True}, "seat"),
        ({"data": {}}, "v is None"),
        ({"data": {"v": 2}}, "v is 2"),
        ({"data": "{"}, "object"),
        ({"data": {"v": 1, "forced": 1}}, "forced is 1"),
        ({"data": {"v": 1, "hasty": True}}, "hasty"),
    ],
)
def test_a_move_with_a_wrong_column_is_refused_with_a_reason(change, why):
    row = replace(EVENTS.encode(Written(9, NOON, Moved(0, "M2"))), **change)
    with pytest.raises(ValueError, match=why):
        EVENTS.decode(row)


@pytest.mark.parametrize(
    ("event", "change", "why"),
    [
        (KEPT[0][0], {"options": {"x": 1}}, "x is 1"),
        (KEPT[0][0], {"options": []}, "options"),
        (KEPT[0][0], {"host": "7"}, "host"),
        (KEPT[1][0], {"invited": None}, "invited"),
        (KEPT[6][0], {"lot": [1]}, "lot"),
        (KEPT[6][0], {"chairs": "10"}, "chairs"),
        (KEPT[15][0], {"places": [0]}, "places"),
        (KEPT[15][0], {"places": [["0"]]}, "places"),
    ],
)
def test_a_field_of_another_type_is_refused(event, change, why):
    row = EVENTS.encode(Written(2, NOON, event))
    with pytest.raises(ValueError, match=why):
        EVENTS.decode(replace(row, data={**row.data, **change}))


@pytest.mark.parametrize("event", [Offered(0, OfferKind.DRAW), Revealed(b"")])
def test_a_text_that_means_nothing_is_refused(event):
    with pytest.raises(ValueError, match="zz"):
        EVENTS.decode(replace(EVENTS.encode(Written(2, NOON, event)), text="zz"))
