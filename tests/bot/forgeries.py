"""What a liar does to the text of a record, and what two judges say of it.

Every forgery here has its sum made anew where it has one. ``HARMLESS`` leave the same record.
"""

from __future__ import annotations

import random
import re
import runpy
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from bot.presenters.table.invitation import legible_seal
from games.core import CHANCE, Record, RuleError
from games.core.chance import commitment, draw, fingerprint
from games.core.record import CASES
from games.core.record_verification import MOVES, FairnessReport, verify
from games.core.shelf import find_game
from tests.bot import records
from tests.bot.records import one_bit, other_options, summed

PAGE = Path(__file__).resolve().parents[2] / "docs" / "check_draws.py"
judge = runpy.run_path(str(PAGE))["judge"]

EARLY = {"Begins", "Chairs", "Left", "Check"}
"""The tags, beside the cases, that releases 0.1 and 0.2.0 did not write."""

Forgery = Callable[[Record, random.Random], "Record | str | None"]


def as_of_0_1(record: Record) -> Record:
    """*record* as releases 0.1 and 0.2.0 wrote it."""
    tags = {k: v for k, v in record.tags.items() if k not in EARLY and not CASES.fullmatch(k)}
    return replace(record, tags=tags)


def resummed(text: str) -> str:
    """*text* with the sum of its other lines, where it has one."""
    lines = text.split("\n")
    others = "\n".join(one for one in lines if not one.startswith('[Check "'))
    said = f'[Check "{fingerprint(others)}"]'
    return "\n".join(said if one.startswith('[Check "') else one for one in lines)


def text_of(forged: Record | str) -> str:
    """The text that a liar hands on, the sum made anew."""
    if isinstance(forged, str):
        return resummed(forged)
    return (summed(forged) if "Check" in forged.tags else forged).text()


# -- two judges -------------------------------------------------------------------------


@dataclass(frozen=True)
class Judged:
    """The statuses that both programs end with, and our report where there is one."""

    ours: int
    page: int
    report: FairnessReport | None
    record: Record | None


def judged(text: str, seal: str = "") -> Judged:
    """What both programs say of *text*."""
    page = judge(text, seal)[0]
    try:
        record = Record.read_strictly(text)
        report = verify(record, find_game(record.game), seal)
    except RuleError:
        return Judged(2, page, None, None)
    status = 1 if report.faults else 3 if report.lacking else 0
    return Judged(status, page, report, record)


def changed_lines(base: Record, forged: Record) -> set[str]:
    """The tags whose lines differ, without the sum; ``MOVES``, and ``draws`` of the log."""
    before, after = base.head(), forged.head()
    found = {key for key in before | after if before.get(key) != after.get(key)} - {"Check"}
    for name, chance in (("draws", True), (MOVES, False)):
        logs = [[e for e in one.log if (e.seat == CHANCE) is chance] for one in (base, forged)]
        found |= {name} if logs[0] != logs[1] else set()
    return found


def unnamed(base: Record, found: Judged) -> set[str]:
    """The lines that were changed in an honest verdict and not named as unproved."""
    if found.ours != 0 or found.report is None or found.record is None:
        return set()
    changed = changed_lines(base, found.record)
    named = {line for one in found.report.unproved for line in one.lines}
    if MOVES in changed:  # with other moves a game ends otherwise, and draws more or less
        named |= {"draws", "Result", *(key for key in changed if CASES.fullmatch(key))}
    return changed - named


def disagreement(found: Judged) -> str:
    """In what the two judges differ that concerns draws, nothing where they do not."""
    if found.ours == found.page or (found.report is None and found.page != 2):
        # Only we know which games there are; a text that is no record both refuse.
        return ""
    if found.ours != 1 or found.page == 2 or found.report is None or found.record is None:
        return f"{found.ours} and {found.page}"
    keys = {one.why.key for one in found.report.faults}
    if "core.bad-move" in keys:
        return ""
    lines = [one.line for one in found.report.faults]
    # Which cases a draw has, who may begin, and what sides there are, is known to rules alone.
    ruled = ["[Result", "[Left", "[Options", "[Sides", "[Cases", "[Begins", "[Game"]
    ruled += ["[First", "[Draw0"] if found.page == 3 else []
    if any(one.startswith(("[Cases", "[Begins")) for one in lines):
        ruled += ["*", "[First", "[Draw0", "[Chairs"]
    if found.page == 3 and "Check" not in found.record.tags:
        ruled += ["*"]
    wrong = [
        one.line
        for one in found.report.faults
        if not one.line.startswith(tuple(ruled))
        and one.why.key != "core.fault.due"
        and not re.match(r"\d", one.line)
    ]
    return "; ".join(wrong)


# -- forgeries --------------------------------------------------------------------------


def _tag(key: str, value: Callable[[str, random.Random], str]) -> Forgery:
    def forged(record: Record, rng: random.Random) -> Record:
        said = value(record.tags.get(key, ""), rng)
        return replace(record, tags={**record.tags, key: said})

    forged.__name__ = f"{key}: {value.__name__}"
    return forged


def shortened(value: str, rng: random.Random) -> str:
    return value.split(" ")[rng.randrange(2)]


def doubled(value: str, rng: random.Random) -> str:
    return rng.choice([f"{value} {value}", " ".join([value.split(" ")[0]] * len(value.split(" ")))])


def emptied(value: str, rng: random.Random) -> str:
    return ""


def foreign(value: str, rng: random.Random) -> str:
    words = value.split(" ")
    words[rng.randrange(len(words))] = rng.choice(["7", "x", "-1", "٠", "00", "1.0"])
    return " ".join(words)


def turned(value: str, rng: random.Random) -> str:
    return " ".join(reversed(value.split(" ")))


def invented(value: str, rng: random.Random) -> str:
    return rng.choice(["9h+1m", "3 2-0", "1 2 3", "2020-02-02", "Ana", "0 0 - 77"])


def garbled(value: str, rng: random.Random) -> str:
    index = rng.randrange(len(value) + 1)
    return value[:index] + rng.choice("0123456789 aZ|/ñ-") + value[index + rng.randrange(2) :]


def without_chairs(record: Record, rng: random.Random) -> Record:
    return replace(record, tags={k: v for k, v in record.tags.items() if k != "Chairs"})


def early_format(record: Record, rng: random.Random) -> Record:
    return as_of_0_1(record)


def early_format_and_a_lie(record: Record, rng: random.Random) -> Record:
    lie = rng.choice([records.swapped_seats, records.another_first, records.another_lot])
    return as_of_0_1(lie(record, rng))


def one_promise_less(record: Record, rng: random.Random) -> Record:
    gone = rng.choice(sorted(key for key in record.tags if key not in ("Secret", "Draw0")))
    return replace(record, tags={k: v for k, v in record.tags.items() if k != gone})


def no_cases(record: Record, rng: random.Random) -> Record:
    return replace(record, tags={k: v for k, v in record.tags.items() if not CASES.fullmatch(k)})


def other_cases(record: Record, rng: random.Random) -> Record | None:
    keys = [key for key in record.tags if CASES.fullmatch(key)]
    if not keys:
        return None
    key = rng.choice(keys)
    words = record.tags[key].split(" ")
    rng.shuffle(words)
    return replace(record, tags={**record.tags, key: " ".join(words[rng.randrange(2) :])})


def another_option(record: Record, rng: random.Random) -> Record | None:
    return other_options(record, rng, find_game(record.game))


def another_beginning(record: Record, rng: random.Random) -> Record:
    tags = {**record.tags, "Begins": rng.choice([*record.sides, "lot", "rolls", "nobody", ""])}
    if rng.random() < 0.5:
        tags.pop("Draw0", None)
    return replace(record, tags=tags, first=rng.choice([record.first, 0, 1]))


def cut_and_resigned(record: Record, rng: random.Random) -> Record:
    short = records.cut_short(record, rng)
    return replace(short, tags={**short.tags, "Result": rng.choice(["0/1 resign", "1/0 resign"])})


def another_move(record: Record, rng: random.Random) -> Record | None:
    moves = [n for n, one in enumerate(record.log) if one.seat != CHANCE]
    if not moves:
        return None
    here, there = rng.choice(moves), rng.choice(moves)
    log = list(record.log)
    log[here] = replace(log[here], text=log[there].text)
    return replace(record, log=tuple(log))


def move_spelled_otherwise(record: Record, rng: random.Random) -> Record | None:
    moves = [n for n, one in enumerate(record.log) if one.seat != CHANCE]
    if not moves:
        return None
    here = rng.choice(moves)
    log = list(record.log)
    text = log[here].text
    log[here] = replace(log[here], text=rng.choice([text.lower(), text.upper(), f"{text}!"]))
    return replace(record, log=tuple(log))


def another_secret_with_the_same_lot(record: Record, rng: random.Random) -> Record | None:
    """A new secret and its seal; the lot is the same, and so is everything where that is all."""
    table, words, cases = record.tags["Table"], record.tags["Words"], len(record.sides)
    secret = rng.randbytes(32)
    while "Draw0" in record.tags and draw(secret, table, words, 0, cases) != int(
        record.tags["Draw0"].split()[1]
    ):
        secret = rng.randbytes(32)
    seal = {"Secret": secret.hex(), "Commitment": commitment(secret)}
    return replace(record, tags={**record.tags, **seal})


def one_who_left(record: Record, rng: random.Random) -> Record:
    left = rng.choice(["0", "1", "0 1", "1 0", "9", " ", "2"])
    return replace(record, tags={**record.tags, "Left": left})


def game_by_another_name(record: Record, rng: random.Random) -> Record:
    return replace(record, game=rng.choice([record.game.upper(), "niya", "okiya", "chess"]))


def with_a_bar(record: Record, rng: random.Random) -> Record:
    key = rng.choice(["Table", "Words"])
    return replace(record, tags={**record.tags, key: record.tags[key] + "|0"})


def unknown_tag(record: Record, rng: random.Random) -> Record:
    key = rng.choice(["Foo", "Player9", "Draw1", "Position", "Note"])
    return replace(record, tags={**record.tags, key: "x"})


def secret_in_capitals(record: Record, rng: random.Random) -> Record:
    return replace(record, tags={**record.tags, "Secret": record.tags["Secret"].upper()})


def many_sides(record: Record, rng: random.Random) -> Record:
    return replace(record, sides=("x",) * rng.choice([257, 5000, 100_000]))


def many_tags(record: Record, rng: random.Random) -> Record:
    more = {f"X{n}": "" for n in range(rng.choice([300, 20_000]))}
    return replace(record, tags={**record.tags, **more})


def long_numbers(record: Record, rng: random.Random) -> str:
    nines = "9" * 5000
    old, new = rng.choice(
        [("[First ", f'[First "{nines}"]\n[X '), ("[Date ", f'[Cases{nines} "a"]\n[Date ')]
    )
    return record.text().replace(old, new, 1)


def arabic_digits(record: Record, rng: random.Random) -> str:
    """The digits of one line of the log, or of the first seat, as Arabic writes them."""
    lines = record.text().split("\n")
    n = rng.choice([n for n, one in enumerate(lines) if re.match(r"\*?\d|\[First", one)])
    lines[n] = re.sub(r"\d", lambda found: chr(0x660 + int(found[0])), lines[n])
    return "\n".join(lines)


def leading_noughts(record: Record, rng: random.Random) -> str:
    text = record.text()
    return rng.choice(
        [
            re.sub(r"^\*(\d)", r"*00\1", text, count=1, flags=re.M),
            re.sub(r"^(\d)", r"0\1", text, count=1, flags=re.M),
            text.replace('[First "', '[First "0', 1),
        ]
    )


def _break(sign: str) -> Forgery:
    def broken(record: Record, rng: random.Random) -> str:
        lines = record.text().rstrip("\n").split("\n")
        index = rng.randrange(1, len(lines))
        return f"{chr(10).join(lines[:index])}{sign}{chr(10).join(lines[index:])}\n"

    broken.__name__ = f"line end U+{ord(sign):04X}"
    return broken


def tag_below_the_log(record: Record, rng: random.Random) -> str:
    lines = record.text().split("\n")
    tags = lines.index("")
    line = lines.pop(rng.randrange(1, tags))
    lines.insert(rng.randrange(tags, len(lines)), line)
    return "\n".join(lines)


def blanks(record: Record, rng: random.Random) -> str:
    lines = record.text().rstrip("\n").split("\n")
    index = rng.randrange(len(lines))
    blank = rng.choice([" ", "\t", "\u00a0", "\u3000"])
    place = rng.choice([0, len(lines[index]), lines[index].find(" ") + 1])
    lines[index] = lines[index][:place] + blank + lines[index][place:]
    return "\n".join([*lines, ""])


def line_gone(record: Record, rng: random.Random) -> str:
    lines = record.text().split("\n")
    del lines[rng.randrange(len(lines) - 1)]
    return "\n".join(lines)


def line_twice(record: Record, rng: random.Random) -> str:
    lines = record.text().split("\n")
    index = rng.randrange(len(lines) - 1)
    lines.insert(rng.randrange(len(lines) - 1), lines[index])
    return "\n".join(lines)


def lines_exchanged(record: Record, rng: random.Random) -> str:
    lines = record.text().split("\n")
    here, there = (rng.randrange(len(lines) - 1) for _ in range(2))
    lines[here], lines[there] = lines[there], lines[here]
    return "\n".join(lines)


def bit_turned(record: Record, rng: random.Random) -> str | None:
    return one_bit(record.text(), rng)


def windows_line_ends(record: Record, rng: random.Random) -> str:
    # The sum is that of the lines, however they end.
    return record.text().replace("\n", "\r\n")


def byte_order_mark(record: Record, rng: random.Random) -> str:
    return "\ufeff" + record.text()


def more_blank_lines_at_the_end(record: Record, rng: random.Random) -> str:
    return record.text() + "\n" * rng.randrange(3)


HARMLESS: tuple[Forgery, ...] = (windows_line_ends, byte_order_mark, more_blank_lines_at_the_end)
"""What mail and editors do to a file: the same record."""

CHAIRS: tuple[Forgery, ...] = (
    *(_tag("Chairs", how) for how in (shortened, doubled, emptied, foreign)),
)
"""Chairs that are not those of the sides."""

SPELLINGS: tuple[Forgery, ...] = (
    arabic_digits,
    leading_noughts,
    *(_break(sign) for sign in "\u2028\x0b\r\x0c\x85"),
    tag_below_the_log,
    blanks,
)
"""Texts that the bot never writes."""

EARLIER: tuple[Forgery, ...] = (early_format, early_format_and_a_lie, without_chairs)
"""Records that lack what proves them."""

OPEN: tuple[Forgery, ...] = tuple(
    _tag(key, invented) for key in ("Match", "Clock", "Spent", "Date", "Player0")
)
"""Lines that prove nothing, and are said to."""

OTHERS: tuple[Forgery, ...] = (
    _tag("Chairs", turned),
    *(_tag(key, garbled) for key in ("Words", "Table", "Draw0", "Result", "Begins", "Left")),
    *(_tag(key, garbled) for key in ("Commitment", "Secret", "Chairs", "Player1")),
    one_promise_less,
    no_cases,
    other_cases,
    another_option,
    another_beginning,
    cut_and_resigned,
    another_move,
    move_spelled_otherwise,
    another_secret_with_the_same_lot,
    one_who_left,
    game_by_another_name,
    with_a_bar,
    unknown_tag,
    secret_in_capitals,
    many_sides,
    many_tags,
    long_numbers,
    line_gone,
    line_twice,
    lines_exchanged,
    bit_turned,
)

FORGERIES: tuple[Forgery, ...] = (
    *records.OF_DRAWS,
    *CHAIRS,
    *SPELLINGS,
    *EARLIER,
    *OPEN,
    *OTHERS,
    *HARMLESS,
)


def forged(kind: Forgery, record: Record, rng: random.Random) -> str | None:
    """The text of *record* forged by *kind*, ``None`` where that kind does nothing to it."""
    try:
        told = kind(record, rng)
    except (IndexError, KeyError, ValueError):  # no draw to change, no result to turn
        return None
    if told is None:
        return None
    if kind in HARMLESS:
        return str(told)
    text = text_of(told)
    return None if text == record.text() else text


def fault_of(base: Record, text: str, found: Judged) -> str:
    """What is wrong with the verdicts *found* on *text*, forged of *base*; nothing if all is well.

    Whoever has another secret is judged once more, beside the seal that was shown.
    """
    if lines := unnamed(base, found):
        return f"honest, and nobody named {sorted(lines)}"
    if said := disagreement(found):
        return f"the judges differ: {said}"
    if found.record is None or found.record.tags.get("Secret") == base.tags["Secret"]:
        return ""
    sealed = judged(text, legible_seal(base.tags["Commitment"]))
    return disagreement(sealed) or ("" if sealed.ours else "another seal than was shown")
