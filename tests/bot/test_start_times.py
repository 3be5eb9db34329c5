"""Typed instants: what is understood, in both languages, and what is refused in a sentence."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from bot.session.start_times import BadStart, read_start

MADRID = ZoneInfo("Europe/Madrid")
NOW = datetime(2026, 11, 26, 15, 0, tzinfo=UTC)
"""A Thursday, at four in the afternoon in Madrid."""


def in_madrid(text: str) -> str:
    return f"{read_start(text, NOW, MADRID).astimezone(MADRID):%a %d %b %H:%M}"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Sunday 18:00", "Sun 29 Nov 18:00"),
        ("domingo 18:00", "Sun 29 Nov 18:00"),
        ("el domingo a las 6 de la tarde", "Sun 29 Nov 18:00"),
        ("El próximo domingo, a las 18.00 h", "Sun 29 Nov 18:00"),
        ("next Sunday at 6 pm", "Sun 29 Nov 18:00"),
        ("dom. 18h", "Sun 29 Nov 18:00"),
        ("18:00 domingo", "Sun 29 Nov 18:00"),
        ("Sun 6:30 p.m.", "Sun 29 Nov 18:30"),
        ("sábado a las 10 de la mañana", "Sat 28 Nov 10:00"),
        ("jueves 18:00", "Thu 26 Nov 18:00"),
        ("Thursday 15:59", "Thu 03 Dec 15:59"),
        ("18:00", "Thu 26 Nov 18:00"),
        ("15:00", "Fri 27 Nov 15:00"),
        ("12 am", "Fri 27 Nov 00:00"),
        ("today 18:00", "Thu 26 Nov 18:00"),
        ("hoy a las 18", "Thu 26 Nov 18:00"),
        ("tomorrow 20:30", "Fri 27 Nov 20:30"),
        ("mañana a las 8 de la noche", "Fri 27 Nov 20:00"),
        ("in 2 h", "Thu 26 Nov 18:00"),
        ("en 2 h", "Thu 26 Nov 18:00"),
        ("dentro de 1 hora y 30 minutos", "Thu 26 Nov 17:30"),
        ("2h30m", "Thu 26 Nov 18:30"),
        ("in 3 days", "Sun 29 Nov 16:00"),
        ("2026-12-01 18:00", "Tue 01 Dec 18:00"),
        ("2026-12-01T18:00", "Tue 01 Dec 18:00"),
        ("1 de diciembre a las 18:00", "Tue 01 Dec 18:00"),
        ("December 1 18:00", "Tue 01 Dec 18:00"),
        ("1 dec 2026 18:00", "Tue 01 Dec 18:00"),
        ("6 de enero de 2027, 18:00", "Wed 06 Jan 18:00"),
        ("6 de enero 18:00", "Wed 06 Jan 18:00"),
    ],
)
def test_a_time_is_read_as_people_say_it_where_they_live(text, said):
    assert in_madrid(text) == said


def test_a_day_and_an_hour_are_those_of_the_zone_on_that_day():
    # On the last Sunday of March the clocks of Madrid are put forward.
    now = datetime(2027, 3, 27, 12, 0, tzinfo=UTC)
    assert read_start("domingo 18:00", now, MADRID) == datetime(2027, 3, 28, 16, 0, tzinfo=UTC)
    assert read_start("Sunday 18:00", now, UTC) == datetime(2027, 3, 28, 18, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        *("", "soon", "domingo", "Sunday 18", "25:00", "18:60", "in 2", "in 0 h", "in two hours"),
        *("1/12 18:00", "31 de febrero 18:00", "2026-13-01 18:00", "13 pm", "domingo lunes 18:00"),
        *("Sunday 18:00 18:00", "<12> 18:00", "9" * 400, "in 1 h sharp", "29 feb 2027 18:00"),
    ],
)
def test_what_nobody_can_read_is_refused_with_examples(text):
    with pytest.raises(BadStart) as refused:
        read_start(text, NOW, MADRID)
    assert refused.value.phrase.key == "tournament.start.bad"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("2026-11-26 15:00", "tournament.start.over"),
        ("today 15:00", "tournament.start.over"),
        ("2024-01-01 18:00", "tournament.start.over"),
        ("2027-12-01 18:00", "tournament.start.far"),
        ("in 9999 weeks", "tournament.start.far"),
        ("in 61 days", "tournament.start.far"),
    ],
)
def test_what_is_over_or_too_far_is_refused(text, key):
    with pytest.raises(BadStart) as refused:
        read_start(text, NOW, MADRID)
    assert refused.value.phrase.key == key
