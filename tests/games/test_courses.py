"""Every step of every course against the rules: exactly the moves that do what it asks are right.

Each step has a claim here, in terms of the game, that knows nothing of the answers in its data.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from games.core.school import LessonState, answered, check_lesson, course, exam, opening, right
from games.core.shelf import find_game


@dataclass(frozen=True)
class Move:
    """A legal *move* of *seat* in a lesson: as it is *written*, and the positions around it."""

    seat: int
    move: Any
    written: str
    before: Any
    after: Any
    text: str
    """The position after it."""
    told: str
    """The position before it."""


Claim = Callable[[Move], bool]


def every(one: Move) -> bool:
    return True


def wins(one: Move) -> bool:
    outcome = one.after.outcome()
    return outcome is not None and outcome.winner == one.seat


def written(pattern: str) -> Claim:
    return lambda one: re.fullmatch(pattern, one.written) is not None


def captures(one: Move) -> bool:
    return "x" in one.written


# Parchís: yellow's pieces as route indices; square 5 is index 1.
SAFE = {5, 12, 17, 22, 29, 34, 39, 46, 51, 56, 63, 68}


def route(text: str, colour: str) -> list[int]:
    return [int(n) for n in re.search(rf"{colour}=([\d,]+)", text)[1].split(",")]


def moved(one: Move) -> tuple[int, int]:
    """From where to where the piece of *one* went, as route indices; twins are one piece."""
    before, after = route(one.told, "A"), route(one.text, "A")
    ((source, target),) = {(b, a) for b, a in zip(before, after, strict=True) if a != b}
    return source, target


def square(index: int, exit_: int = 5) -> int:
    return (exit_ + index - 2) % 68 + 1


def lands_safe(one: Move) -> bool:
    return square(moved(one)[1]) in SAFE


def in_lane(one: Move) -> bool:
    return moved(one)[1] >= 65


def arrives(one: Move) -> bool:
    return moved(one)[1] == 72


def exposes_nobody(one: Move) -> bool:
    """Whether no yellow piece stands on a white square within a roll of a red one."""
    yellow = [square(n) for n in route(one.text, "A") if 0 < n < 65]
    red = [square(n, 39) for n in route(one.text, "R") if 0 < n < 65]
    return not any(0 < (y - r) % 68 <= 6 and y not in SAFE for y in yellow for r in red)


def pairs(one: Move) -> bool:
    after = [n for n in route(one.text, "A") if 0 < n < 72]
    return len(set(after)) < len(after)


def passes_the_mixed_pair(one: Move) -> bool:
    source, target = moved(one)
    mixed = {square(n) for n in route(one.told, "A")} & {
        square(n, 39) for n in route(one.told, "R")
    }
    return any(square(n) in mixed for n in range(source + 1, target))


PARCHIS: dict[str, tuple[Claim, ...]] = {
    "five": (every,),
    "walk": (lambda one: moved(one)[0] == max(route(one.told, "A")),),
    "full": (lambda one: route(one.text, "A").count(1) < 2,),
    "six": (lands_safe, every),
    "third": (in_lane, every),
    "eat": (captures, lands_safe),
    "hide": (exposes_nobody,),
    "share": (captures,),
    "exit": (every, captures),
    "seven": (captures,),
    "barrier": (pairs,),
    "stopped": (passes_the_mixed_pair,),
    "open": (lands_safe,),
    "exact": (arrives,),
    "bounce": (exposes_nobody,),
    "ten": (captures,),
    "last": (arrives, wins),
}


# Cirya.
def replies(one: Move) -> list[Any]:
    """The positions after every move of whoever acts after *one*."""
    if one.after.outcome() is not None:
        return []
    (other,) = one.after.actors()
    return [one.after.after(move) for move in one.after.legal_moves(other)]


def won(position: Any, seat: int) -> bool:
    outcome = position.outcome()
    return outcome is not None and outcome.winner == seat


def stops(one: Move) -> bool:
    return not any(won(then, 1 - one.seat) for then in replies(one))


def can_win(position: Any, seat: int) -> bool:
    return any(won(position.after(move), seat) for move in position.legal_moves(seat))


def threatens(one: Move) -> bool:
    """Whether some move of the same seat would win, if it were its turn again."""
    board, mover, number = one.text.split()
    again = f"{board} {3 - int(mover)} {number}"
    return can_win(find_game("cirya").notation.read(again, find_game("cirya").chosen({})), one.seat)


def forks(one: Move) -> bool:
    """Whether the same seat wins after every reply."""
    return one.after.outcome() is None and all(can_win(then, one.seat) for then in replies(one))


def beside_own(one: Move) -> bool:
    """Whether a flat ship is placed next to the only own one, on e1."""
    place = re.fullmatch(r"([a-e])([1-5])", one.written)
    return place is not None and abs(ord(place[1]) - ord("e")) + int(place[2]) - 1 == 1


CIRYA: dict[str, tuple[Claim, ...]] = {
    "first": (every,),
    "beside": (beside_own,),
    "stop": (stops,),
    "close": (wins,),
    "bend": (wins,),
    "corner": (wins,),
    "both": (wins,),
    "climb": (lambda one: "21" in one.text.split()[0],),
    "sow": (wins,),
    "order": (wins,),
    "walk": (lambda one: "21S" in one.text,),
    "crush": (lambda one: "S" not in one.text and "C" in one.text,),
    "calm": (wins,),
    "reserve": (wins,),
    "notyet": (lambda one: one.after.outcome() is None,),
    "say": (threatens,),
    "heard": (stops,),
    "double": (forks,),
}


# Shogi.
def promotes(one: Move) -> bool:
    return one.written.endswith("+")


def bishop_sees_far(one: Move) -> bool:
    """Whether the bishop on 8h could go at least three squares along a diagonal after *one*."""
    rows = [re.sub(r"\d", lambda n: "." * int(n[0]), row) for row in one.text.split("/")]
    way = [rows[7 - n][1 + n] for n in (1, 2, 3)]
    return rows[7][1] == "B" and way == ["."] * 3


def knight_forks(one: Move) -> bool:
    """Whether a dropped knight attacks both 5a and 3a."""
    drop = re.fullmatch(r"N\*(\d)([a-i])", one.written)
    return drop is not None and {int(drop[1]) - 1, int(drop[1]) + 1} == {3, 5} and drop[2] == "c"


def takes_five_points(one: Move) -> bool:
    return one.text.split()[2].count("R") > one.told.split()[2].count("R")


def takes_any(one: Move) -> bool:
    """Whether the own hand has more pieces than before."""
    hands = [re.sub(r"[^A-Z]", "", text.split()[2]) for text in (one.text, one.told)]
    return len(hands[0]) > len(hands[1])


SHOGI: dict[str, tuple[Claim, ...]] = {
    **dict.fromkeys(("king", "pawn", "silver", "knight"), (takes_any,)),
    **dict.fromkeys(("rook", "bishop", "lance", "tokin", "repeat"), (takes_any,)),
    "gold": (written(r"5g.."),),
    "start": (bishop_sees_far,),
    "drop": (written(r"P\*.."),),
    "fork": (knight_forks,),
    "nifu": (written(r"P\*.."),),
    "uchifuzume": (wins,),
    "promote": (promotes,),
    "forced": (promotes,),
    "mate": (wins,),
    "stalemate": (wins,),
    "points": (takes_five_points,),
}


# Storilljuðjorrayc: green's units first in every text.
def places(text: str, side: int = 0) -> dict[str, str]:
    return dict(unit.split(":") for unit in text.split()[side].split(","))


def king_is_safe(one: Move) -> bool:
    game = find_game("storilljudhjorrayc")
    return all("A" in places(game.notation.text(then)) for then in replies(one))


def nobody_can_be_captured(one: Move) -> bool:
    game = find_game("storilljudhjorrayc")
    return all(len(places(game.notation.text(then))) == 4 for then in replies(one))


def king_off_the_edge(one: Move) -> bool:
    """Whether the king of green's arrangement stands on circuit 2 or 3."""
    line = one.text.split()[0].split(",")
    return "A" in line[:12]


STORILL: dict[str, tuple[Claim, ...]] = {
    **dict.fromkeys(("strike", "guard", "guardmaster", "salvo"), (captures,)),
    **dict.fromkeys(("flank", "ambush", "kings"), (captures,)),
    "step": (lambda one: places(one.text)["T1"] != "a3",),
    "focus": (lambda one: places(one.text)["KM"][1] in "56",),
    "centre": (lambda one: places(one.text)["T1"] in {"e6", "g6", "i6", "k6", "m6"},),
    "back": (
        lambda one: places(one.text)["JM"] != "~",
        lambda one: "T1" not in places(one.text, 1),
    ),
    "switch": (king_is_safe,),
    "lords": (nobody_can_be_captured,),
    "own": (lambda one: captures(one) and "T1" in places(one.text),),
    "forest": (lambda one: places(one.text)["PÞ"] == "~",),
    "setup": (king_off_the_edge, written("ready")),
    "draw": (lambda one: one.after.outcome() is not None and one.after.outcome().winner is None,),
    "both": (wins,),
}


# Niya.
def takes_from_the_centre(one: Move) -> bool:
    cells = one.told.split()[0].replace("/", ",").split(",")
    return cells.index(one.written) in {5, 6, 9, 10}


NIYA: dict[str, tuple[Claim, ...]] = {
    **dict.fromkeys(("row", "column", "diagonal", "square", "block"), (wins,)),
    **dict.fromkeys(("guard", "spoil", "unblock"), (stops,)),
    **dict.fromkeys(("trap", "full", "two"), (forks, wins)),
    "border": (every,),
    "number": (written(".1"),),
    "colour": (written("M."),),
    "centre": (takes_from_the_centre,),
}

CLAIMS: dict[str, dict[str, tuple[Claim, ...]]] = {
    "parchis": PARCHIS,
    "cirya": CIRYA,
    "shogi": SHOGI,
    "storilljudhjorrayc": STORILL,
    "niya": NIYA,
}


GAMES = pytest.mark.parametrize("game", list(CLAIMS))
STEPS = [(key, one) for key in CLAIMS for one in course(find_game(key))]
EVERY = pytest.mark.parametrize(
    ("game", "lesson"), STEPS, ids=[f"{key}-{one.key}" for key, one in STEPS]
)


def acts_of(game: str, lesson: Any) -> list[tuple[LessonState, list[Move]]]:
    """Each moment of *lesson* at which the learner acts, by every right way, with all its moves."""
    found, waiting = [], [opening(find_game(game), lesson)]
    while waiting:
        known = waiting.pop(0)
        moves = [look(game, known, move) for move in known.position.legal_moves(known.seat)]
        found.append((known, moves))
        for one in moves:
            if right(find_game(game), known, one.move) is None:
                continue
            then = answered(find_game(game), known, one.move)
            waiting += [] if then.is_solved else [then]
    return found


def look(game: str, known: LessonState, move: Any) -> Move:
    notation, after = find_game(game).notation, known.position.after(move)
    written_so = notation.written(known.position, move)
    texts = notation.text(after), notation.text(known.position)
    return Move(known.seat, move, written_so, known.position, after, *texts)


@EVERY
def test_exactly_the_moves_that_do_what_a_step_asks_are_right(game, lesson):
    check_lesson(find_game(game), lesson)
    claims = CLAIMS[game][lesson.key]
    for known, moves in acts_of(game, lesson):
        claim = claims[len([one for one in known.played if one[1] == known.seat])]
        good = {one.written for one in moves if right(find_game(game), known, one.move)}
        assert good == {one.written for one in moves if claim(one)}


@GAMES
def test_only_the_greeting_cannot_be_got_wrong(game):
    for lesson in course(find_game(game))[1:]:
        acts = acts_of(game, lesson)
        assert any(
            right(find_game(game), at, one.move) is None for at, all_ in acts for one in all_
        )


@GAMES
def test_a_course_has_stages_of_three_to_five_steps_and_fifteen_to_twenty_in_all(game):
    steps = course(find_game(game))
    stages = list(dict.fromkeys(one.stage for one in steps))
    lengths = [sum(one.stage == stage for one in steps) for stage in stages]
    assert [one.stage for one in steps] == [
        stage for stage, n in zip(stages, lengths, strict=True) for _ in range(n)
    ]
    assert all(3 <= n <= 5 for n in lengths)
    assert 15 <= len(steps) <= 20


def met(game: str) -> list[str]:
    """The numbers of the rules that a player of *game* meets."""
    return json.loads((Path("games") / game / "school" / "rules.json").read_text("utf-8"))


@GAMES
def test_every_rule_that_a_player_meets_is_taught_by_a_step(game):
    taught = {rule for one in course(find_game(game)) for rule in one.rules}
    assert taught == set(met(game))


OPTIONAL = {"C13", "P16", "G20"}
"""Rules that hold only where an option is chosen."""

NOTATIONS = {"R5", "S6", "H23", "G1", "G17"}


@GAMES
def test_the_chapters_of_the_rules_name_no_rule_that_no_step_teaches(game):
    page = (Path("bot/texts/es") / f"{game}.md").read_text("utf-8")
    chapters = re.findall(r"^##.*\{(.*)\}$", page, re.MULTILINE)
    named = {rule for one in chapters for rule in one.split() if "-" not in rule}
    assert named - OPTIONAL - NOTATIONS <= set(met(game))


@GAMES
def test_the_exam_that_ends_a_course_can_be_opened(game):
    options = {key: value for key, value in exam(find_game(game)).items() if key != "side"}
    chosen = find_game(game).chosen(options)
    assert find_game(game).start(find_game(game).setting(chosen)).outcome() is None
