"""Check the draws of a record of Ludoteca without Ludoteca: check_draws.py RECORD [SEAL].

RECORD is what /record gives once the game is over, SEAL what the table showed before it began
(32 digits or more, with their gaps or without). Needs nothing but Python 3.8; knows no game. What
it cannot know is whether the moves were legal, whether the lists of cases are those of the rules,
and who won.

The seal is SHA-256 of "ludoteca-dice-1|" and the 32 bytes of the secret. Draw n of m equal cases
reads HMAC-SHA-256(secret, "ludoteca-dice-1|table|n|words|block") byte by byte, block 0, 1, 2 …,
passes over bytes from 256 - 256 % m on, and takes the rest modulo m: that case, from 0, was drawn.

Ends with 0 if every draw is as it was sealed; 1 if the record is NOT HONEST; 2 if it is not written
as Ludoteca writes one, or the game is not over; 3 if it shows too little, as the records of
releases 0.1 and 0.2.0 do.
"""

import hashlib
import hmac
import re
import sys

SCHEME = b"ludoteca-dice-1|"
LONGEST = 256 * 1024
HONEST, NOT_HONEST, UNREADABLE, NOT_SHOWN = 0, 1, 2, 3
SAID = "every draw is as it was sealed", "NOT HONEST", "no record that can be checked", "not shown"

TAG = re.compile(r'\[([A-Za-z0-9_]{1,32}) "([^"]*)"\]')
ENTRY = re.compile(r"(?:\*(0|[1-9][0-9]{0,8})?|(?:0|[1-9][0-9]?)&?) (\S.*)")
CASES = re.compile(r"Cases([0-9]{1,9})")
BESIDE = re.compile(r"(?:Note|Mark|Branch)[0-9_]{1,11}")  # comments and branches of a review
FIRST_TAGS = ["Ludoteca", "Game", "Sides", "First", "Options"]
PROVING = ["Table", "Words", "Begins", "Chairs", "Left", "Check", "Date", "Result"]
OTHERS = ["Commitment", "Secret", "Draw0", "Match", "Clock", "Spent"]


class Unreadable(Exception):
    """The text is no record as Ludoteca writes one."""


def drawn(secret: bytes, table: str, words: str, number: int, cases: int) -> int:
    """The case of draw *number*, from 0 to *cases* - 1, of which there are 256 at most."""
    for block in range(1000):
        text = f"{table}|{number}|{words}|{block}".encode()
        for byte in hmac.new(secret, SCHEME + text, "sha256").digest():
            if byte < 256 - 256 % cases:
                return byte % cases
    raise ValueError("no case in 32,000 bytes")


def parse(text: str) -> tuple:
    """The tags of the record *text*, its other lines, and the sum of all lines but [Check]."""
    if len(text.encode("utf-8", "replace")) > LONGEST:
        raise Unreadable(f"a record has at most {LONGEST // 1024} KB")
    lines = text.lstrip("\ufeff").replace("\r\n", "\n").rstrip("\n").split("\n")
    end = lines.index("") if "" in lines else len(lines)
    tags, kept = {}, []
    for number, line in enumerate(lines, 1):
        tag, entry = TAG.fullmatch(line), ENTRY.fullmatch(line)
        one = len(line.splitlines()) == 1 and line == line.strip()
        if number - 1 == end or (number - 1 > end and entry and one):
            continue
        if number - 1 > end or not (tag and one) or tag[1] in tags:
            raise Unreadable(f"line {number} is not as Ludoteca writes it: {line[:64]}")
        tags[tag[1]] = tag[2].replace("”", '"')
        kept += [line] if tag[1] != "Check" else []
    words = [tags.get(key, "") for key in ("Sides", "Options")]
    options = [one.partition("=") for one in words[1].split()]
    if (
        list(tags)[:5] != FIRST_TAGS
        or tags["Ludoteca"] != "1"
        or any(one != " ".join(one.split()) for one in words)
        or not all(mark for _, mark, _ in options)
        or len({key for key, _, _ in options}) < len(options)
        or not re.fullmatch("0|[1-9][0-9]{0,8}", tags["First"])
    ):
        raise Unreadable("the first five lines are not as Ludoteca writes them")
    others = "\n".join([*kept, "", *lines[end + 1 :], ""])
    return tags, lines[end + 1 :], hashlib.sha256(others.encode()).hexdigest()


def judge(text: str, seal: str = "") -> tuple:
    """The status of the record *text* and all that is to be said of it, a sentence each."""
    try:
        tags, entries, digest = parse(text)
        if not re.fullmatch("[0-9a-f]{64}", tags.get("Secret", "")):
            raise Unreadable("[Secret] is missing: the game is not over")
    except Unreadable as wrong:
        return UNREADABLE, [str(wrong)]
    found = [one for one in entries if one.startswith("*")]
    told = [*PROVING, *(f"Player{seat}" for seat in range(len(tags["Sides"].split())))]
    lacking = [key for key in told if key not in tags]
    if found and not any(CASES.fullmatch(key) for key in tags):
        lacking.append("Cases…")
    wrong = [*head(tags, told, digest, seal), *lot(tags)]
    if "Cases…" not in lacking:
        wrong += draws(tags, found)
    if lacking:
        said = ", ".join(lacking)
        wrong += [f"not shown: these lines are missing, as in releases 0.1 and 0.2.0: {said}"]
    status = NOT_HONEST if len(wrong) > bool(lacking) else NOT_SHOWN if lacking else HONEST
    return status, [*wrong, f"not proved: {', '.join(unproved(tags, found, seal))}, the moves"]


def head(tags: dict, told: list, digest: str, seal: str) -> list:
    """What is wrong with the sum, the seal, and which lines there are."""
    known = {*FIRST_TAGS, *told, *OTHERS}
    wrong = [
        f"[{key}] does not belong in a record"
        for key in tags
        if not (key in known or CASES.fullmatch(key) or BESIDE.fullmatch(key))
    ]
    wrong += [f"[{key}] has a bar" for key in ("Table", "Words") if "|" in tags.get(key, "")]
    if tags.get("Check", digest) != digest:
        wrong.append("[Check] is not the sum of the other lines: the record was changed")
    sealed = hashlib.sha256(SCHEME + bytes.fromhex(tags["Secret"])).hexdigest()
    if tags.get("Commitment") != sealed:
        wrong.append(f"[Commitment] is not the seal of the secret, which is {sealed}")
    shown = "".join(seal.lower().split())
    if shown and (len(shown) < 32 or not sealed.startswith(shown)):
        wrong.append("the seal that you were shown is not that of the secret")
    return wrong


def case_of(tags: dict, number: int, cases: int) -> int:
    """The case of draw *number* of the record with these *tags*."""
    secret = bytes.fromhex(tags["Secret"])
    return drawn(secret, tags.get("Table", ""), tags.get("Words", ""), number, cases)


def lot(tags: dict) -> list:
    """What is wrong with draw 0, which decides who begins or who has which side."""
    sides, begins, wrong, due = tags["Sides"].split(), tags.get("Begins"), [], {}
    if not 1 <= len(sides) <= 256:
        return [f"[Sides] names {len(sides)} sides"]
    seats = [str(seat) for seat in range(len(sides))]
    if "Chairs" in tags and sorted(tags["Chairs"].split(" ")) != seats:
        wrong.append(f"[Chairs] must name each of these seats once: {' '.join(seats)}")
    case = case_of(tags, 0, len(sides))
    if "Draw0" in tags:
        due["Draw0"] = f"{len(sides)} {case}"
    if begins == "lot":
        due.update(Draw0=f"{len(sides)} {case}", First=str(case))
    elif begins in sides:
        due["First"] = str(sides.index(begins))
        if "Draw0" in tags and "Chairs" in tags:
            due["Chairs"] = "1 0" if case else "0 1"
    elif begins == "rolls" and "Draw0" not in tags:
        due["First"] = "0"
    elif begins is not None:
        wrong.append("[Begins] or [Draw0] is not as it can be")
    if not int(tags["First"]) < len(sides):
        wrong.append(f"[First] is no seat: {tags['First']}")
    return wrong + [
        f"[{key}] ought to be {one}" for key, one in due.items() if tags.get(key) != one
    ]


def draws(tags: dict, lines: list) -> list:
    """What is wrong with the draws of the game: no number may be left out, or come twice."""
    wrong, listed, due = [], [], 1 if "Draw0" in tags else 0
    for line in lines:
        number, text = ENTRY.fullmatch(line).groups()
        if number is None:
            wrong.append(f"{line}: this draw has no number")
            continue
        if int(number) != due:
            wrong.append(f"{line}: draw {due} was due")
        due = int(number) + 1
        listed = tags.get(f"Cases{number}", "").split() or listed
        if not 1 <= len(listed) <= 256:
            wrong.append(f"{line}: the record does not list the cases of this draw")
            continue
        case = case_of(tags, int(number), len(listed))
        if text != listed[case]:
            wrong.append(f"{line}: case {case} of {len(listed)} was drawn, which is {listed[case]}")
    known = [int(found[1]) for found in map(CASES.fullmatch, tags) if found]
    return [
        *wrong,
        *(f"[Cases{one}] stands there, and not draw {due}" for one in known if one >= due),
    ]


def all_cases(tags: dict, found: list) -> int:
    """How many ways the draws together might have gone."""
    ways = max(1, len(tags["Sides"].split())) if "Draw0" in tags else 1
    listed = []
    for line in found:
        listed = tags.get(f"Cases{ENTRY.fullmatch(line)[1]}", "").split() or listed
        ways = min(ways * max(1, len(listed)), 2**32)
    return ways


def unproved(tags: dict, found: list, seal: str) -> list:
    """The lines of which the draws prove nothing."""
    names = [key for key in tags if key.startswith("Player") or BESIDE.fullmatch(key)]
    open_lines = ["Options", "Left", "Result", "Date", *names, "Match", "Clock", "Spent"]
    open_lines += ["Begins", "First"]
    if tags.get("Begins") in ("lot", "rolls") or "Draw0" not in tags:
        open_lines.append("Chairs")
    if not found:
        open_lines.append("Draw0")
    if all_cases(tags, found) < 2**32:  # so few that other words may well give the same draws
        open_lines += ["Table", "Words"]
    return open_lines if seal else [*open_lines, "Commitment", "Secret"]


def main(arguments: list) -> int:
    """Judge the record that *arguments* name, and say what is wrong; the status to end with."""
    if not arguments:
        sys.exit(__doc__)
    try:
        with open(arguments[0], encoding="utf-8-sig", newline="") as file:
            text = file.read(LONGEST + 1)
    except (OSError, UnicodeDecodeError) as wrong:
        status, said = UNREADABLE, [str(wrong)]
    else:
        status, said = judge(text, "".join(arguments[1:]))
    print(*said, SAID[status], sep="\n")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
