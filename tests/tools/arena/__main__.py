"""``python -m tests.tools.arena GAME A B``: how much better one computer player is than another.

A match of pairs of games is played, kept in a file if one is named, and told.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean, median
from typing import TypeAlias

from bot.texts import language
from games.core import Game, RuleError
from games.core.shelf import find_game
from tests.tools.arena.match import Match, Played, pair
from tests.tools.arena.players import UnknownPlayer, player
from tests.tools.arena.tally import DECIDED, Tally, elo

Results: TypeAlias = dict[int, tuple[Played, Played]]
"""The pairs played so far, by number."""


class OtherMatch(Exception):
    """The file keeps another match."""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    arena = argparse.ArgumentParser(prog="python -m tests.tools.arena", description=__doc__)
    arena.add_argument("game")
    whom = (
        "a level (3), one with so many nodes (3@500), that of a checkout (FOLDER:3), "
        "a program that speaks USI (usi:PROGRAM, usi:PROGRAM@500) or, for Cirya, TEI "
        "(tei:COMMAND), greedy, random"
    )
    arena.add_argument("a", help=whom)
    arena.add_argument("b", help="the same")
    arena.add_argument("--games", type=int, default=200, help="at most so many")
    arena.add_argument("--openings", type=int, default=4, help="plies played at random first")
    limit = arena.add_mutually_exclusive_group()
    limit.add_argument("--nodes", type=int, default=0, help="positions a move, for both")
    limit.add_argument("--seconds", type=float, default=0.0, help="of the processor a move")
    arena.add_argument("--sprt", type=float, nargs=2, metavar=("ELO", "ELO"), help="stop early")
    arena.add_argument("--option", action="append", default=[], metavar="K=V")
    broken = "where a game is broken off, drawn; as long as a game of its kind takes by default"
    arena.add_argument("--plies", type=int, default=0, help=broken)
    arena.add_argument("--seed", default="arena")
    polite = "levels of this release give up and agree to draws as at a table"
    arena.add_argument("--manners", action="store_true", help=polite)
    arena.add_argument("--file", type=Path, help="keeps what was played: the match can go on")
    arena.add_argument("--jobs", type=int, default=1, help="games at once")
    return arena


LONG, SHORT = 4_000, 400
"""Where games with dice and games without are broken off by default."""

UNFINISHED = 0.1
"""Where more of the games are broken off, no share of them says who is better."""


def usual_plies(game: Game) -> int:
    """Where a game of *game* is broken off unless one says otherwise: dice take their time."""
    return SHORT if game.computer.weigh is None else LONG


@dataclass(frozen=True)
class _Limits:
    """When a match is over: after so many *pairs*, or as soon as *sprt* is decided."""

    pairs: int
    sprt: tuple[float, float] | None

    def reached(self, tally: Tally) -> bool:
        if len(tally.pairs) >= self.pairs:
            return True
        return self.sprt is not None and abs(tally.likelihood(*self.sprt)) >= DECIDED


def main(arguments: Sequence[str] | None = None) -> None:
    """Play what the command line asks for; ends with status 1 and one sentence where it cannot."""
    asked = parser().parse_args(arguments)
    try:
        _play(asked)
    except RuleError as refused:
        sys.exit(language("en").say(refused.phrase))
    except (UnknownPlayer, OtherMatch) as refused:
        sys.exit(str(refused))


def _play(asked: argparse.Namespace) -> None:
    game = find_game(asked.game)
    options = dict(pair.partition("=")[::2] for pair in asked.option)
    game.chosen(options)
    match = Match(
        game.key,
        asked.a,
        asked.b,
        options,
        asked.openings,
        asked.plies or usual_plies(game),
        asked.nodes,
        asked.seconds,
        asked.seed,
        asked.manners,
    )
    for one in (match.a, match.b):
        player(one, game, 1, 1)  # whoever does not exist is refused before the first game
    if 2 not in game.rules.seats:
        sys.exit(f"{game.title} is not played by two.")
    limits = _Limits(max(1, asked.games // 2), tuple(asked.sprt) if asked.sprt else None)
    results = _kept(asked.file, match) if asked.file else {}
    for number, played in _played(match, limits, results, asked.jobs):
        results[number] = played
        if asked.file:
            _keep(asked.file, number, played)
    for line in _told(match, limits, results):
        print(line)


def _played(
    match: Match, limits: _Limits, known: Results, jobs: int
) -> Iterator[tuple[int, tuple[Played, Played]]]:
    """The pairs that lack in *known*, which its caller fills, until the limits are reached."""
    missing = (number for number in range(limits.pairs) if number not in known)
    if jobs <= 1:
        while not limits.reached(_tally(known)):
            number = next(missing)
            yield number, pair(match, number)
        return
    with ProcessPoolExecutor(jobs) as pool:
        while not limits.reached(_tally(known)):
            batch = [number for number, _ in zip(missing, range(jobs), strict=False)]
            yield from zip(batch, pool.map(pair, [match] * len(batch), batch), strict=True)


def _tally(results: Results) -> Tally:
    return Tally(tuple((one.score, other.score) for one, other in results.values()))


def _kept(file: Path, match: Match) -> Results:
    """What *file* holds of *match*; a new file is begun. Raises ``OtherMatch``."""
    head = asdict(match)
    if not file.exists():
        file.write_text(json.dumps(head) + "\n", encoding="utf-8")
        return {}
    first, *lines = file.read_text(encoding="utf-8").splitlines()
    if {"manners": False, **json.loads(first)} != head:
        raise OtherMatch(f"{file} keeps another match. Name another file, or play that one.")
    found: Results = {}
    for line in lines:
        number, *games = json.loads(line)
        one, other = (
            Played(score, reason, plies, tuple(used)) for score, reason, plies, used in games
        )
        found[number] = one, other
    return found


def _keep(file: Path, number: int, played: Iterable[Played]) -> None:
    games = [[one.score, one.reason, one.plies, one.used] for one in played]
    with file.open("a", encoding="utf-8") as out:
        out.write(json.dumps([number, *games]) + "\n")


def _told(match: Match, limits: _Limits, results: Results) -> Iterator[str]:
    """What was found, in a few lines."""
    tally = _tally(results)
    low, high = tally.interval()
    yield f"{match.game}: {match.a} against {match.b}, {len(tally.games)} games in pairs"
    games = [one for both in results.values() for one in both]
    broken_off = sum(one.reason == "unfinished" for one in games)
    if broken_off > UNFINISHED * len(games):
        yield f"{broken_off} of {len(games)} games were broken off: they tell nothing (--plies)"
        return
    yield (
        f"+{tally.count(1)} ={tally.count(0.5)} -{tally.count(0)}: {tally.share:.1%}"
        f" [{low:.1%}, {high:.1%}], Elo {elo(tally.share):+.0f} [{elo(low):+.0f}, {elo(high):+.0f}]"
    )
    if limits.sprt:
        least, most = limits.sprt
        ratio = tally.likelihood(least, most)
        said = "undecided" if abs(ratio) < DECIDED else "accepted" if ratio > 0 else "refused"
        yield f"better by {most:g} Elo rather than {least:g}: {said} ({ratio:+.2f}, ±{DECIDED:.2f})"
    ends = ", ".join(f"{why} {n}" for why, n in Counter(one.reason for one in games).most_common())
    plies = [one.plies for one in games]
    yield f"ends: {ends}; plies: median {median(plies):.0f}, longest {max(plies)}"
    used = [fmean(one.used[who] for one in games) for who in (0, 1)]
    yield f"seconds of the processor a move: {used[0]:.3f} and {used[1]:.3f}"


if __name__ == "__main__":
    main()
