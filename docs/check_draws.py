"""Check the draws of a record of Ludoteca without Ludoteca: check_draws.py RECORD [SEAL].

RECORD is what /record gives once the game is over, SEAL what the table showed before it began
(32 digits or more, with their gaps or without). Needs nothing but Python 3.8; knows no game. What
it cannot know is whether the moves were legal, whether the lists of cases are those of the rules,
and who won.

The seal is SHA-256 of "ludoteca-dice-1|" and the 32 bytes of the secret. Draw n of m equal cases
reads HMAC-SHA-256(secret, "ludoteca-dice-1|table|n|words|block") byte by byte, block 0, 1, 2 …,
passes over bytes from 256 - 256 % m on, and takes the rest modulo m: that case, from 0, was drawn.
"""

import hashlib
import hmac
import re
import sys

SCHEME = b"ludoteca-dice-1|"


def drawn(secret: bytes, table: str, words: str, number: int, cases: int) -> int:
    """The case of draw *number*, from 0 to *cases* - 1."""
    for block in range(1000):
        text = f"{table}|{number}|{words}|{block}".encode()
        for byte in hmac.new(secret, SCHEME + text, "sha256").digest():
            if byte < 256 - 256 % cases:
                return byte % cases
    raise ValueError("no case in 32,000 bytes")


def check(text: str, seal: str = "") -> list:
    """All that is wrong with the record *text*, a sentence each."""
    lines = [one.strip() for one in text.lstrip("\ufeff").replace("\r\n", "\n").split("\n")]
    pairs = re.findall(r'^\[(\w+) "(.*)"\]$', "\n".join(lines), re.MULTILINE)
    keys = [key for key, _ in pairs]
    tags = {key: value.replace("”", '"') for key, value in pairs}
    wrong = [f"[{key}] stands there twice" for key in tags if keys.count(key) > 1]
    others = "\n".join(one for one in lines if not one.startswith('[Check "'))
    if hashlib.sha256(others.encode()).hexdigest() != tags.get("Check"):
        wrong.append("[Check] is not the sum of the other lines: the record was changed")
    if not re.fullmatch("[0-9a-f]{64}", tags.get("Secret", "")):
        return [*wrong, "[Secret] is missing: the game is not over"]
    sealed = hashlib.sha256(SCHEME + bytes.fromhex(tags["Secret"])).hexdigest()
    if tags.get("Commitment") != sealed:
        wrong.append(f"[Commitment] is not the seal of the secret, which is {sealed}")
    shown = "".join(seal.lower().split())
    if shown and (len(shown) < 32 or not sealed.startswith(shown)):
        wrong.append("the seal that you were shown is not that of the secret")
    return [*wrong, *lot(tags), *draws(tags, [one for one in lines if one.startswith("*")])]


def case_of(tags: dict, number: int, cases: int) -> int:
    """The case of draw *number* of the record with these *tags*."""
    secret = bytes.fromhex(tags["Secret"])
    return drawn(secret, tags.get("Table", ""), tags.get("Words", ""), number, cases)


def lot(tags: dict) -> list:
    """What is wrong with draw 0, which decides who begins or who has which side."""
    begins = tags.get("Begins")
    if "Draw0" not in tags:
        return ["[Draw0], the lot, is missing"] if begins == "lot" else []
    cases = len(tags.get("Sides", "").split()) or 1
    case = case_of(tags, 0, cases)
    due = {"Draw0": f"{cases} {case}"}
    if begins == "lot":
        due["First"] = str(case)
    elif begins is not None:
        due["Chairs"] = " ".join(sorted(tags.get("Chairs", "").split(), reverse=case == 1))
    return [f"[{key}] ought to be {one}" for key, one in due.items() if tags.get(key) != one]


def draws(tags: dict, lines: list) -> list:
    """What is wrong with the draws of the game: no number may be left out, or come twice."""
    wrong, listed, due = [], [], 1 if "Draw0" in tags else 0
    for line in lines:
        found = re.fullmatch(r"\*(\d+) (.+)", line)
        if not found:
            wrong.append(f"{line}: this draw has no number")
            continue
        number, text = int(found[1]), found[2]
        if number != due:
            wrong.append(f"{line}: draw {due} was due")
        due = number + 1
        listed = tags.get(f"Cases{number}", "").split() or listed
        if not 1 <= len(listed) <= 256:
            wrong.append(f"{line}: the record does not list the cases of this draw")
            continue
        case = case_of(tags, number, len(listed))
        if text != listed[case]:
            wrong.append(f"{line}: case {case} of {len(listed)} was drawn, which is {listed[case]}")
    known = [int(key[5:]) for key in tags if re.fullmatch(r"Cases\d+", key)]
    return [
        *wrong,
        *(f"[Cases{one}] stands there, and not draw {due}" for one in known if one >= due),
    ]


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8-sig", newline="") as file:
        problems = check(file.read(), "".join(sys.argv[2:]))
    print(*problems, "NOT HONEST" if problems else "every draw is as it was sealed", sep="\n")
    sys.exit(1 if problems else 0)
