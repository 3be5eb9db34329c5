"""Forged records: nobody is deceived, and the page says of draws what our own program says."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from dataclasses import replace
from functools import cache
from itertools import count

import pytest

from bot.presenters.table.record_and_draw_proof import record_of
from bot.session import play
from bot.session.table import Player
from bot.session.time_controls import read_control
from bot.texts import language
from games.core import Record
from games.core.shelf import find_game, shelf
from tests.bot.forgeries import (
    CHAIRS,
    EARLIER,
    FORGERIES,
    HARMLESS,
    OPEN,
    PAGE,
    SPELLINGS,
    Forgery,
    as_of_0_1,
    fault_of,
    forged,
    judge,
    judged,
    many_sides,
    many_tags,
)
from tests.bot.records import NOON, game_played, summed

MOVES = {"cirya": 12, "niya": 40, "parchis": 40, "shogi": 12, "storilljudhjorrayc": 12}
"""How many moves a game has here before somebody resigns."""


@cache
def bases() -> tuple[Record, ...]:
    """Two short games of each kind, with draws."""
    rng = random.Random("bases")
    games = (find_game(key) for key in (*shelf(), *shelf()))
    found = (game_played(game, rng, most=MOVES[game.key]) for game in games)
    return tuple(one for one in found if one is not None)


def texts(kind: Forgery, often: int = 3) -> list[tuple[Record, str]]:
    """As many records forged by *kind*, beside what they were made of."""
    rng = random.Random(kind.__name__)
    tries = ((base, forged(kind, base, rng)) for _ in range(40) for base in bases())
    return [
        (base, text)
        for (base, text), _ in zip(
            ((base, text) for base, text in tries if text is not None), range(often), strict=False
        )
    ]


@pytest.mark.sampled(25)
@pytest.mark.parametrize("kind", FORGERIES, ids=lambda kind: kind.__name__)
def test_no_forgery_deceives_anybody(kind):
    found = texts(kind)
    assert found
    assert [why for base, text in found if (why := fault_of(base, text, judged(text)))] == []


@pytest.mark.parametrize("kind", CHAIRS, ids=lambda kind: kind.__name__)
def test_chairs_that_are_not_those_of_the_sides_are_refused_by_both(kind):
    assert {(one.ours, one.page) for one in (judged(text) for _, text in texts(kind, 12))} == {
        (1, 1)
    }


@pytest.mark.parametrize("kind", SPELLINGS, ids=lambda kind: kind.__name__)
def test_what_the_bot_never_writes_is_read_by_neither(kind):
    assert {(one.ours, one.page) for one in (judged(text) for _, text in texts(kind))} == {(2, 2)}


@pytest.mark.parametrize("kind", HARMLESS, ids=lambda kind: kind.__name__)
def test_what_mail_does_to_a_file_is_the_same_record_to_both(kind):
    assert {(one.ours, one.page) for one in (judged(text) for _, text in texts(kind))} == {(0, 0)}


@pytest.mark.parametrize("kind", EARLIER, ids=lambda kind: kind.__name__)
def test_a_record_that_lacks_its_proofs_is_honest_to_nobody(kind):
    found = [judged(text) for _, text in texts(kind)]
    assert {one.ours for one in found} | {one.page for one in found} <= {1, 3}


def test_an_early_record_whose_loser_of_the_lot_begins_is_not_honest():
    rng = random.Random("lot")
    for _ in range(20):
        record = game_played(find_game("niya"), rng)
        if record is None or record.tags["Begins"] != "lot":
            continue
        lie = as_of_0_1(replace(record, first=1 - record.first))
        assert judged(lie.text()).ours in (1, 3)
        assert judged(as_of_0_1(record).text()).ours == judged(as_of_0_1(record).text()).page == 3


@pytest.mark.parametrize("kind", OPEN, ids=lambda kind: kind.__name__)
def test_lines_that_prove_nothing_are_named(kind):
    key = kind.__name__.partition(":")[0]
    for _, text in texts(kind, 3):
        report = judged(text).report
        assert report is not None
        assert report.honest
        assert key in {line for one in report.unproved for line in one.lines}
        assert key in judge(text)[1][-1]


@pytest.mark.parametrize(("key", "option"), [("niya", "full_board"), ("parchis", "mixed_barriers")])
def test_house_rules_that_played_no_part_are_named_in_both_languages(key, option):
    named, quiet = 0, 0
    rng = random.Random(option)
    for _ in range(8):
        record = game_played(find_game(key), rng, most=60)
        assert record is not None
        report = judged(record.text()).report
        assert report is not None
        said = [language(code).say(one.said) for one in report.unproved for code in ("es", "en")]
        here = sum(option in one for one in said)
        assert here in (0, 2)
        named, quiet = named + (here == 2), quiet + (here == 0)
    assert named


def test_a_game_lost_on_time_is_honest_where_there_was_a_clock():
    game, secret = find_game("shogi"), bytes(32)
    control = read_control("10m")
    work = play.open_table(
        *("CLCK", game),
        options={},
        begins="",
        seats=2,
        host=1,
        secret=secret,
        now=NOON,
        control=control,
    )
    for person in (1, 2):
        play.take_chair(work, Player(person, f"P{person}"))
    play.start(work)
    play.drop_out(work, 0, "time")
    record = record_of(work.table)
    assert record.tags["Result"] == "1/0 time"
    assert judged(record.text()).ours == judged(record.text()).page == 0
    tags = {key: value for key, value in record.tags.items() if key not in ("Clock", "Spent")}
    assert judged(summed(replace(record, tags=tags)).text()).ours == 1


def test_chairs_are_counted_from_nought_where_some_stayed_empty():
    game = find_game("parchis")
    work = play.open_table(
        "HOLE", game, options={}, begins="", seats=4, host=1, secret=bytes(32), now=NOON
    )
    for person, chair in ((1, 0), (2, 3)):
        play.take_chair(work, Player(person, f"P{person}"), chair)
    play.start(work)
    play.resign(work, 0)
    record = record_of(work.table)
    assert record.tags["Chairs"] == "0 1"
    assert judged(record.text()).ours == judged(record.text()).page == 0


def test_huge_records_are_refused_soon():
    rng = random.Random("huge")
    for kind in (many_tags, many_sides):  # 20,000 tags, 100,000 sides
        for base, text in texts(kind, 2):
            began = time.process_time()
            found = judged(text)
            assert found.ours == found.page != 0, base.game
            assert time.process_time() - began < 2
    base = bases()[0]
    number = count(rng.randrange(10))
    wide = replace(base, tags={**base.tags, **{f"T{next(number)}": "" for _ in range(20_000)}})
    began = time.process_time()
    assert judge(wide.text())[0] in (1, 2)
    assert time.process_time() - began < 1


def test_both_programs_end_with_the_same_status(ludoteca, tmp_path):
    record = next(one for one in bases() if one.game == "niya")
    lie = summed(replace(record, tags={**record.tags, "Chairs": "0"}))
    seal = record.tags["Commitment"]
    told = [
        (record.text(), [], 0, "honest"),
        (record.text(), [seal[:16], seal[16:32]], 0, "honest"),
        (record.text(), ["0" * 32], 1, "NOT HONEST"),
        (lie.text(), [], 1, "NOT HONEST"),
        (record.text().replace("\n\n", "\n \n"), [], 2, ""),
        (as_of_0_1(record).text(), [], 3, "not shown"),
    ]
    for number, (text, shown, status, last) in enumerate(told):
        (tmp_path / f"{number}.txt").write_text(text, encoding="utf-8")
        done = ludoteca(tmp_path, "verify", f"{number}.txt", *shown)
        assert done.returncode == status, done
        assert done.stdout.splitlines()[-1:] == ([last] if last else [])
        command = [sys.executable, "-I", str(PAGE), str(tmp_path / f"{number}.txt"), *shown]
        page = subprocess.run(command, capture_output=True, text=True, check=False)
        assert page.returncode == status, page
        assert "Traceback" not in page.stderr
    (tmp_path / "latin.txt").write_bytes(record.text().encode() + b"\xff")
    for name in ("absent.txt", "latin.txt"):
        assert ludoteca(tmp_path, "verify", name).returncode == 2
        command = [sys.executable, "-I", str(PAGE), str(tmp_path / name)]
        page = subprocess.run(command, capture_output=True, text=True, check=False)
        assert page.returncode == 2
        assert page.stderr == ""


def test_the_statuses_stand_in_the_help_and_in_the_guide(ludoteca, tmp_path):
    help_text = " ".join(ludoteca(tmp_path, "verify", "--help").stdout.split())
    guide = (PAGE.parent / "public.md").read_text(encoding="utf-8")
    assert "3 not shown" in help_text
    assert "| 3 | not shown" in guide


def test_records_as_they_are_are_honest_to_both():
    assert {(one.ours, one.page) for one in (judged(base.text()) for base in bases())} == {(0, 0)}
    assert {base.game for base in bases()} == set(shelf())


@pytest.mark.slow
def test_a_thousand_forgeries_of_long_games_deceive_nobody():
    """Every fourth record went on to its end, or nearly, and forgeries are made of all by turns."""
    rng = random.Random("slow")
    most = {"shogi": 60, "storilljudhjorrayc": 120, "cirya": 60, "parchis": 700, "niya": 4000}
    games = [(key, most[key] if n % 4 == 0 else MOVES[key]) for key in shelf() for n in range(12)]
    records = [game_played(find_game(key), rng, most=moves) for key, moves in games]
    whole = [one for one in records if one is not None]
    deceived, done = [], 0
    while done < 1000:
        for kind in FORGERIES:
            base = rng.choice(whole)
            if (text := forged(kind, base, rng)) is not None:
                done += 1
                deceived += [(kind, why)] if (why := fault_of(base, text, judged(text))) else []
    assert deceived == []
