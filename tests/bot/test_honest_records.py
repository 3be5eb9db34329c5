"""Records: an honest house's are found honest, and nothing that changes the game is."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from bot.presenters.table.invitation import legible_seal
from bot.texts import language
from games.core import Record, RuleError, phrase
from games.core.record_verification import FairnessReport, verify
from games.core.shelf import find_game, shelf
from tests.bot import records
from tests.bot.forgeries import PAGE, as_of_0_1, judge
from tests.bot.records import game_played, one_bit, other_options, summed

SHORT = {"cirya": 6, "shogi": 6, "storilljudhjorrayc": 6}
"""After how many moves games end of which only the beginning is drawn."""


def judged(record: Record) -> FairnessReport:
    """What a reader of the file of *record* is told."""
    return verify(Record.read(record.text()), find_game(record.game))


def check(text: str, seal: str = "") -> int:
    """The status with which the page judges *text*."""
    status: int = judge(text, seal)[0]
    return status


def honest(key: str, count: int, seed: int = 0) -> Iterator[Record]:
    """*count* records of the game *key* by honest houses."""
    rng = random.Random(f"{key} {seed}")
    while count:
        record = game_played(find_game(key), rng, most=SHORT.get(key, 4000))
        if record is not None:
            count -= 1
            yield record


@cache
def to_the_end(key: str, count: int) -> tuple[Record, ...]:
    """*count* records of games that their rules have ended."""
    found = (one for one in honest(key, count * 3) if "resign" not in one.tags["Result"])
    return tuple(one for one, _ in zip(found, range(count), strict=False))


def assert_honest(key: str, count: int) -> None:
    for record in honest(key, count):
        verdict = judged(record)
        assert verdict.honest, (verdict.faults, record.text())
        assert check(record.text(), record.tags["Commitment"][:32]) == 0, record.text()
        assert check(record.text(), legible_seal(record.tags["Commitment"])) == 0, record.text()
        early = judged(as_of_0_1(record))
        assert early.lacking
        assert not early.faults


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("key", "count"), [(key, 3 if key == "parchis" else 12) for key in shelf()]
)
def test_honest_records_are_found_honest_by_us_and_by_the_page(key, count):
    assert_honest(key, count)


@pytest.mark.slow
@pytest.mark.parametrize("key", list(shelf()))
def test_a_thousand_honest_records_are_found_honest_by_us_and_by_the_page(key):
    assert_honest(key, 200)


def lies(count: int) -> None:
    """Tells *count* lies of every kind, the sum made anew, and lets none pass."""
    rng = random.Random("lies")
    told: Counter[str] = Counter()
    bases = [*to_the_end("niya", 40), *to_the_end("parchis", 4)]
    while sum(told.values()) < count:
        lie = records.OF_DRAWS[sum(told.values()) % len(records.OF_DRAWS)]
        base = rng.choice(bases)
        changed = summed(lie(base, rng))
        if changed == base:
            continue
        told[lie.__name__] += 1
        assert not _is_called_honest(changed), (lie.__name__, base.text(), changed.text())


def _is_called_honest(record: Record) -> bool:
    """Whether *record* is called honest; what cannot be read at all is refused."""
    try:
        return judged(record).honest
    except RuleError:
        return False


def without_sum(record: Record, base: Record) -> Record:
    """What *record* says of the game, in the tags that *base* has."""
    tags = {key: record.tags.get(key, "") for key in base.tags if key != "Check"}
    return replace(record, tags=tags)


def bits(count: int) -> int:
    """Turns *count* single bits, and tells how many spoiled the game; none of them may pass."""
    rng = random.Random("bits")
    bases = [*to_the_end("niya", 40), *to_the_end("parchis", 2), *honest("cirya", 5)]
    noticed = 0
    for _ in range(count):
        base = rng.choice(bases)
        text = one_bit(base.text(), rng)
        try:
            changed = None if text is None else Record.read(text)
            verdict = changed and verify(changed, find_game(changed.game))
        except RuleError:
            verdict = None
        if verdict is not None and verdict.honest:
            # The sum itself may be gone, and is then said to be.
            assert changed is not None
            assert without_sum(changed, base) == without_sum(base, base), text
        else:
            noticed += 1
    return noticed


def test_no_lie_about_a_game_is_called_honest():
    lies(60)


def test_no_single_bit_that_changes_a_record_is_called_honest():
    assert bits(60) > 40


@pytest.mark.parametrize("key", shelf())
def test_a_review_is_no_forgery_and_what_it_adds_is_named_as_unproved(key):
    (record,) = honest(key, 1, seed=5)
    beside = {"Note2": "good", "Note3_1": "better", "Branch1": "0 2 a1", "Mark2": "here"}
    told = summed(replace(record, tags={**record.tags, **beside}))
    verdict = judged(told)
    assert verdict.honest, verdict.faults
    assert set(beside) <= {line for one in verdict.unproved for line in one.lines}
    status, said = judge(told.text(), record.tags["Commitment"][:32])
    assert status == 0
    assert all(key in str(said) for key in beside)
    other = judged(summed(replace(record, tags={**record.tags, "Noted": "x"})))
    assert not other.honest


@pytest.mark.slow
def test_ten_thousand_manipulated_records_none_of_them_called_honest():
    lies(7000)
    assert bits(3000) > 2500


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("key", "step"), [("niya", -1), ("niya", 1), ("niya", 2), ("parchis", 1), ("parchis", 2)]
)
def test_a_house_that_picks_its_draws_is_found_out_by_us_and_by_the_page(key, step):
    record = game_played(find_game(key), random.Random(step), step=step)
    assert record is not None
    verdict = judged(record)
    assert all(one.honest for one in verdict.draws), "each number gives what stands there"
    assert not verdict.honest
    assert not judged(as_of_0_1(record)).honest
    assert check(record.text())


def test_an_option_changed_by_hand_is_found():
    rng = random.Random("options")
    for base in (*to_the_end("niya", 40), *to_the_end("parchis", 4)):
        changed = other_options(base, rng, find_game(base.game))
        assert changed is not None
        assert not judged(changed).honest


def test_the_page_finds_changed_draws_lots_and_secrets():
    rng = random.Random("page")
    for lie in (
        records.another_lot,
        records.another_die,
        records.draw_left_out,
        records.another_number,
        records.numbers_moved_on,
        records.other_words,
        records.another_table,
        records.another_secret,
        records.another_seal,
    ):
        for base in to_the_end("niya", 40)[:10]:
            changed = summed(lie(base, rng))
            if changed != base:
                assert check(changed.text()), (lie.__name__, changed.text())


def test_the_page_finds_another_seal_than_was_shown():
    (record,) = honest("niya", 1)
    assert check(record.text(), "0" * 32)
    assert not check(record.text(), record.tags["Commitment"].upper()[:40])
    assert check(record.text(), record.tags["Commitment"][:8]), "so few digits show nothing"


def test_the_page_runs_by_itself(tmp_path):
    (record,) = honest("niya", 1)
    file = tmp_path / "record.txt"

    def run() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-I", str(PAGE), str(file)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    file.write_text(record.text(), encoding="utf-8")
    assert run().returncode == 0
    file.write_text(record.text().replace("*7 ", "*8 "), encoding="utf-8")
    found = run()
    assert found.returncode == 1
    assert "draw 7 was due" in found.stdout


def test_the_page_imports_nothing_of_ours():
    imports = [line for line in PAGE.read_text().splitlines() if "import" in line.split()]
    assert imports == ["import hashlib", "import hmac", "import re", "import sys"]


def test_every_fault_names_its_line_in_both_languages():
    (base,) = to_the_end("niya", 40)[:1]
    index = next(n for n, one in enumerate(base.log) if one.draw == 5)
    log = (*base.log[:index], replace(base.log[index], draw=6), *base.log[index + 1 :])
    (first, *_) = judged(summed(replace(base, log=log))).faults
    assert first.line == f"*6 {base.log[index].text}"
    for code in ("es", "en"):
        said = language(code).say(phrase("core.fault", line=first.line, why=first.why))
        assert first.line in said
        assert "5" in said


def test_what_no_record_can_show_is_said():
    resigned = next(one for one in honest("cirya", 50) if "resign" in one.tags["Result"])
    assert "core.unproved.end" in [one.what.key for one in judged(resigned).unproved]
    old = judged(as_of_0_1(to_the_end("niya", 40)[0]))
    assert old.lacking == ("Begins", "Chairs", "Left", "Check", "Cases1", *old.lacking[5:])


def test_a_tag_that_stands_twice_is_refused():
    (record,) = honest("niya", 1)
    with pytest.raises(RuleError):
        Record.read(f'[Result "1/0 square"]\n{record.text()}')


def test_no_case_of_a_draw_has_a_blank_in_its_name():
    """A blank parts the cases in a record."""
    for key in shelf():
        for record in honest(key, 2):
            for entry in record.log:
                assert entry.draw is None or " " not in entry.text
