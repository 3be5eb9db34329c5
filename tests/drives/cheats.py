"""What a player tries who cheats: ``python -m tests.drives.cheats [NAME …] [--count 10000]``.

- ``twins``: two chats of one person enter one tournament, become one before it, in its middle, or
  never come: nobody plays twice, and nobody meets himself.
- ``alone``: in rated games with a clock somebody does by himself whatever commands and old buttons
  allow: take-backs, claims before the time, pauses, answers to offers of his own. Nothing moves
  but his own time, and it runs out when it should.
- ``puzzles``: screens do not depend on what is right; many tries, old buttons and a solution that
  was read win no point.
- ``dice``: nothing that was ever published is the secret of a game that begins, and words
  come too late once it is drawn.
- ``records``: so many forgeries of real records are put before both judges.

The status is 1 where one of them succeeded.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import itertools
import random
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from bot.port import Asker, Where
from bot.presenters.button_codes import Action, Click, encode_click
from bot.presenters.school.daily import OVER
from bot.presenters.school.exercises import ExerciseBoard
from bot.presenters.school.puzzles import GIVEN
from bot.presenters.table.viewers import Viewer
from bot.service import request_rate_limits
from bot.session.exercise_catalogue import Exercise, puzzles_of
from bot.session.table import PLAYING, Table
from games.core.chance import commitment
from games.core.school import answered, right
from games.core.shelf import find_game, shelf
from tests.bot.forgeries import FORGERIES, HARMLESS, fault_of, forged, judged
from tests.bot.records import game_played
from tests.drives.report import Report
from tests.fakes import Desk, FakeClock, desk, person
from tests.tournament.evening import Evening, entered, opened
from tests.tournament.laws import check

ANA, BRUNO = person("Ana"), person("Bruno")
MINUTE = timedelta(minutes=1)


@asynccontextmanager
async def house(clock: FakeClock) -> AsyncIterator[Desk]:
    """A house whose clock is set by hand, and which lets people act as often as they like."""
    names = ("SEATED", "OTHERS", "PLACE", "SHARE")
    kept = {name: getattr(request_rate_limits, name) for name in names}
    with tempfile.TemporaryDirectory() as folder:
        try:
            for name in names:
                setattr(request_rate_limits, name, ())
            async with desk(Path(folder), clock=clock) as at:
                yield at
        finally:
            for name, windows in kept.items():
                setattr(request_rate_limits, name, windows)


def _alone(who: Asker) -> Where:
    return Where("fake", who.external, private=True)


# ---------------------------------------------------------------- one person twice


async def enter_twice(report: Report, _: int) -> None:
    """Two chats of one person enter a tournament and are linked before, within or after rounds."""
    for when, form in itertools.product((0, 1, 2), ("robin", "swiss")):
        clock = FakeClock()
        async with house(clock) as at:
            # With five entrants one of two who are one is left out, and four play on.
            evening = await entered(
                await opened(at, clock, ("format", form), ("rounds", "3")), 4 if when else 5
            )
            twins = evening.people[:2]
            if not when:
                await _link(at, *twins)
                again = await evening.press(twins[1], "enter")
                report.forbid(again.good, "people who entered twice")
            await evening.press(evening.manager, "begin")
            await evening.look()
            linked = 0
            for _ in range(max(0, when - 1)):
                await _finish_round(evening)
            if when:
                refused = not await _link(at, *twins)
                if refused:  # they sit at one table: only afterwards may they be one
                    report.counts["links refused while they met"] += 1
                    await _finish_round(evening)
                    report.forbid(not await _link(at, *twins), "links that stay refused")
                linked = (await evening.now()).number
            tournament = await evening.play_out()
            check(tournament)
            one = await at.facade.services.people.number(twins[0])
            numbers = {entrant.number for entrant in tournament.entrants if entrant.person == one}
            for later in tournament.rounds[linked:]:
                played = [
                    seat for each in later.meetings if each.last.code for seat in each.entrants
                ]
                report.forbid(sum(seat in numbers for seat in played) > 1, "people who met twice")
                report.counts["rounds after a link"] += 1
            report.counts["tournaments"] += 1


async def _link(at: Desk, one: Asker, other: Asker) -> bool:
    alone = [_alone(who) for who in (one, other)]
    said = (await at.call(one, "link", alone[0])).said
    code = next(word for word in said.split() if len(word.strip(".")) == 8 and word[:8].isupper())
    asked = await at.call(other, "link", alone[1], code=code.strip("."))
    if not hasattr(asked, "screen"):
        return False
    card = at.card(asked, alone[1])
    done = await at.press(other, card, code=card.screen.rows[0][0].code)
    return done.good


async def _finish_round(evening: Evening) -> None:
    for code in await evening.waiting():
        await evening.end(code)
    await evening.wait(1)


# ---------------------------------------------------------------- alone against somebody


async def act_alone(report: Report, count: int) -> None:
    """One of two does what he can while the other sits still, until his time is over."""
    clock, chance = FakeClock(), random.Random(1)
    async with house(clock) as at:
        for game, _ in itertools.product(shelf(), range(max(1, count // 2500))):
            clock.wait(timedelta(days=30))  # two people may not play for points too often
            code = await _rated(at, game)
            for who in (ANA, BRUNO):
                await at.call(
                    who, "move", _alone(who), move="ready", table=code
                )  # where there is a set-up
            for _ in range(chance.randrange(2, 8)):
                await _move(at, code, chance)
            if (await _table(at, code)).status == PLAYING:
                await _cheat(at, clock, code, chance, report)
            report.counts["games of one who acts alone"] += 1


async def _rated(at: Desk, game: str) -> str:
    seats = {"seats": "2"} if game == "parchis" else {}
    await at.call(ANA, "play", game=game, opponent=BRUNO, clock="15m", rated="yes", **seats)
    code = list(at.chat.messages.values())[-1].screen.table
    await at.press(BRUNO, at.chat.board(code), "Aceptar")
    table = await _table(at, code)
    assert table.rated, (game, table.casual)
    return code


async def _table(at: Desk, code: str) -> Table:
    return await at.facade.services.tables.get(code)


def _who(table: Table, seat: int) -> Asker:
    return ANA if table.players[seat].name == "Ana" else BRUNO


async def _move(at: Desk, code: str, chance: random.Random) -> None:
    table = await _table(at, code)
    if table.status != PLAYING:
        return
    seat = min(table.actors())
    move = chance.choice(sorted(table.present.legal_moves(seat), key=str))
    written = table.game.notation.written(table.present, move)
    await at.call(_who(table, seat), "move", move=written, table=code)


async def _cheat(
    at: Desk, clock: FakeClock, code: str, chance: random.Random, report: Report
) -> None:
    before = await _table(at, code)
    seat = min(before.actors())
    rival = next(n for n in range(2) if n != seat)
    assert before.clock is not None
    end = before.clock.ends(seat)
    assert end is not None
    bank = before.clock.bank(rival, end)
    both = before.actors() >= {0, 1}
    acts = sorted(chance.random() for _ in range(12))
    spent = timedelta()
    for part in acts:
        gap = part * 14 * MINUTE - spent
        clock.wait(gap)
        spent += gap
        for cheat in (seat, rival):
            who = _who(before, cheat)
            await _try(at, before, who, chance)
            report.counts["acts"] += 1
    now = await _table(at, code)
    report.forbid(now.status != PLAYING, "games ended by claims before the time")
    report.forbid(now.log[: len(before.log)] != before.log, "moves taken back alone")
    assert now.clock is not None
    report.forbid(now.clock.paused, "clocks stopped alone")
    report.forbid(now.clock.ends(seat) != end and seat in now.actors(), "time won alone")
    if not both:
        report.forbid(now.clock.bank(rival, end) != bank, "clocks of others that ran")
    clock.wait(16 * MINUTE - spent)
    await at.facade.process_duties.deadlines.expire()
    await at.settle()
    over = await _table(at, code)
    report.forbid(over.status == PLAYING, "flags that never fell")


async def _try(at: Desk, table: Table, who: Asker, chance: random.Random) -> None:
    """One act of *who*, who agrees to nothing that the other has asked."""
    kind = chance.choice(["undo", "pause", "claim", "grant", "missed", "close"])
    if kind == "close":
        await at.call(who, kind, table=table.code)
        await _press(at, table, who, Action.CLOSE, "yes", f"@{await _number(at, who)}")
        return
    if kind not in ("undo", "pause"):
        await _press(at, table, who, Action.CLOCK, kind)
        return
    if (await _table(at, table.code)).offered(kind) is None:
        await at.call(who, kind, table=table.code)
    standing = (await _table(at, table.code)).offered(kind)
    if standing is not None and _who(table, standing.seat) == who:
        # What he has asked himself he answers himself, and takes back.
        await _press(at, table, who, Action.ANSWER, kind, "yes")
        await _press(at, table, who, Action.ANSWER, kind, chance.choice(["no", "back"]))


async def _press(at: Desk, table: Table, who: Asker, act: Action, *path: str) -> None:
    turn = (await _table(at, table.code)).version
    code = encode_click(Click(act, table.code, turn, path), at.facade.services.key)
    board = at.chat.board(table.code)
    await at.press(who, replace(board, where=at.where), code=code)


# ---------------------------------------------------------------- puzzles


async def read_puzzles(report: Report, count: int) -> None:
    """Look for the answer on the screen; try all moves; read the solution and answer then."""
    for game in shelf():
        for exercise in puzzles_of(game)[: max(4, count // 250)]:
            report.forbid(_told(exercise), "screens that depend on what is right")
            report.counts["screens compared"] += 1
    clock = FakeClock()
    async with house(clock) as at:
        records = at.facade.services.puzzles
        for game in shelf():
            for exercise in puzzles_of(game)[:3]:
                me = await _number(at, ANA)
                before = (await records.record(me, game)).rating.shown
                film = Click(Action.PUZZLE, "0000", 0, (GIVEN, exercise.code, OVER))
                await _click(at, clock, film)
                await _solve(at, clock, exercise)
                after = (await records.record(me, game)).rating.shown
                report.forbid(after > before, "points for a solution that was read")
                report.counts["solutions read"] += 1
            for exercise in puzzles_of(game)[3:5]:
                before = (await records.record(me, game)).rating.shown
                await _click(at, clock, Click(Action.PUZZLE, "0000", 0, (exercise.code,)))
                known = exercise.resumed(0)
                wrong = (
                    exercise.game.notation.written(known.position, move)
                    for move in known.position.legal_moves(known.seat)
                    if right(exercise.game, known, move) is None
                )
                for text in itertools.islice(wrong, 3):
                    await at.call(ANA, "puzzle", _alone(ANA), answer=text)
                await _solve(at, clock, exercise)
                await _solve(at, clock, exercise)
                after = (await records.record(me, game)).rating.shown
                report.forbid(after > before, "points after several tries")
                report.counts["puzzles tried often"] += 1


def _told(exercise: Exercise) -> bool:
    """Whether the screen that asks differs where another move would be right."""
    known = exercise.resumed(0)
    screens = set()
    for move in itertools.islice(known.position.legal_moves(known.seat), 4):
        text = exercise.game.notation.written(known.position, move)
        lesson = replace(exercise.lesson, answers={text: None}, code=exercise.code)
        other = replace(exercise, lesson=lesson)
        board = ExerciseBoard(other, 0, other.resumed(0), Viewer(), b"key", "Ana")
        screens.add(repr(board.asking("", (), ())))
    return len(screens) != 1


async def _number(at: Desk, who: Asker) -> int:
    return (await at.facade.services.people.of(who)).id


async def _click(at: Desk, clock: FakeClock, click: Click) -> None:
    message = at.card(await at.call(ANA, "puzzle", _alone(ANA), game="niya"), _alone(ANA))
    clock.wait(MINUTE)  # what was opened last is what is answered
    await at.press(ANA, message, code=encode_click(click, at.facade.services.key))


async def _solve(at: Desk, clock: FakeClock, exercise: Exercise) -> None:
    await _click(at, clock, Click(Action.PUZZLE, "0000", 0, (exercise.code,)))
    known = exercise.resumed(0)
    while not known.is_solved:
        moves = known.position.legal_moves(known.seat)
        move = next(one for one in moves if right(exercise.game, known, one) is not None)
        text = exercise.game.notation.written(known.position, move)
        await at.call(ANA, "puzzle", _alone(ANA), answer=text)
        known = answered(exercise.game, known, move)


# ---------------------------------------------------------------- dice


async def guess_dice(report: Report, count: int) -> None:
    """Take all that was ever published for the secret of the next game, and choose words by it."""
    chance = random.Random(1)
    async with house(FakeClock()) as at:
        public: set[bytes] = {bytes(32)}
        for _ in range(max(8, count // 400)):
            await at.call(ANA, "play", game="parchis", opponent=BRUNO, seats="2")
            code = list(at.chat.messages.values())[-1].screen.table
            for _ in range(2):
                table = await _table(at, code)
                sealed = bytes.fromhex(table.commitment)
                public |= {sealed, hashlib.sha256(table.code.encode()).digest()}
                public |= {hashlib.sha256(one).digest() for one in list(public)[-500:]}
                hit = any(commitment(one) == table.commitment for one in public)
                report.forbid(hit, "secrets guessed from what was published")
                report.forbid(table.secret is not None, "secrets published too early")
                if table.status != PLAYING:
                    await at.call(ANA, "words", table=code, text=str(chance.random()))
                    await at.press(BRUNO, at.chat.board(code), "Aceptar")
                    table = await _table(at, code)
                said = table.chance_words
                late = await at.call(ANA, "words", table=code, text="late")
                report.forbid(late.good, "words that came after the draw")
                report.forbid((await _table(at, code)).chance_words != said, "words changed")
                await _move(at, code, chance)
                await at.surely(BRUNO, "resign", table=code)
                ended = await _table(at, code)
                assert ended.secret is not None
                public.add(ended.secret)
                report.counts["games"] += 1
                for who in (ANA, BRUNO):
                    await at.call(who, "rematch", table=code)
                child = (await _table(at, code)).child
                assert child is not None
                code = child
            await at.surely(ANA, "resign", table=code)


# ---------------------------------------------------------------- records


async def forge_records(report: Report, count: int) -> None:
    """Put forged records before both judges."""
    rng = random.Random(1)
    games = [find_game(key) for key in shelf()]
    most = {"cirya": 12, "niya": 40, "parchis": 40, "shogi": 12, "storilljudhjorrayc": 12}
    bases = [one for _ in range(8) for g in games if (one := game_played(g, rng, most=most[g.key]))]
    made = 0
    while made < count:
        base, kind = rng.choice(bases), rng.choice(FORGERIES)
        text = forged(kind, base, rng)
        if text is None or kind in HARMLESS:
            continue
        made += 1
        found = judged(text)
        if why := fault_of(base, text, found):
            report.breaches.append(f"{kind.__name__}: {why}")
        report.counts["honest in all that it does not name" if not found.ours else "refused"] += 1
    report.counts["forged records"] = made


CHEATS: Mapping[str, Callable[[Report, int], object]] = {
    "twins": enter_twice,
    "alone": act_alone,
    "puzzles": read_puzzles,
    "dice": guess_dice,
    "records": forge_records,
}


def main() -> int:
    """Cheat as the command line names, or in all ways."""
    asked = argparse.ArgumentParser(prog="python -m tests.drives.cheats")
    asked.add_argument("names", nargs="*", choices=[[], *CHEATS])
    asked.add_argument("--count", type=int, default=10_000)
    given, whole = asked.parse_args(), Report()
    for name in given.names or CHEATS:
        report = Report()
        asyncio.run(CHEATS[name](report, given.count))
        print(name, report, flush=True)
        whole += report
    return whole.conclude()


if __name__ == "__main__":
    sys.exit(main())
