"""Whether the draws of a record are those that its commitment allows. Standard library only."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass, field

from games.core.chance import commitment, draw
from games.core.errors import Unreadable
from games.core.game import Game
from games.core.log import read_entry
from games.core.phrases import phrase
from games.core.position import CHANCE
from games.core.record import Record


@dataclass(frozen=True)
class Checked:
    """One draw recomputed: its *number*, how many *cases*, what the record says and ought to."""

    number: int
    cases: int
    written: str
    expected: str

    @property
    def honest(self) -> bool:
        """Whether the record says what the secret gives."""
        return self.written == self.expected


@dataclass(frozen=True)
class Verdict:
    """What a record's draws are worth: all *draws*, and how often each result came."""

    committed: bool
    draws: tuple[Checked, ...]
    frequencies: Counter[str] = field(default_factory=Counter)

    @property
    def honest(self) -> bool:
        """Whether the secret is the one committed to and every draw is the one it gives."""
        numbers = [checked.number for checked in self.draws]
        rising = all(a < b for a, b in itertools.pairwise(numbers))
        return self.committed and rising and all(checked.honest for checked in self.draws)


def verify(record: Record, game: Game) -> Verdict:
    """Recompute every draw of *record* from its secret.

    Raises ``Unreadable`` while the secret is not published (the game goes on), and a
    ``RuleError`` where the log is not a game.
    """
    secret_text = record.tags.get("Secret", "")
    try:
        secret = bytes.fromhex(secret_text)
    except ValueError:
        secret = b""
    if len(secret) != 32:
        raise Unreadable(phrase("core.no-secret"))
    table, words = record.tags.get("Table", ""), record.tags.get("Words", "")
    draws: list[Checked] = []
    if lot := record.tags.get("Draw0"):
        cases, _, case = lot.partition(" ")
        if not (cases.isdigit() and 1 <= int(cases) <= 256):
            raise Unreadable(phrase("core.record-head"))
        expected = str(draw(secret, table, words, 0, int(cases)))
        draws.append(Checked(0, int(cases), case, expected))
    position = game.start(game.setting_of(record))
    results: Counter[str] = Counter()
    for entry in record.log:
        if entry.seat == CHANCE:
            cases_now = position.legal_moves(CHANCE)
            number = -1 if entry.draw is None else entry.draw
            if not cases_now:
                raise Unreadable(phrase("core.draw-not-due", text=entry.text))
            case_now = draw(secret, table, words, max(number, 0), len(cases_now))
            expected = game.notation.written(position, cases_now[case_now])
            draws.append(Checked(number, len(cases_now), entry.text, expected))
            results[entry.text] += 1
        position = position.after(read_entry(game, position, entry))
    committed = commitment(secret) == record.tags.get("Commitment", "")
    return Verdict(committed, tuple(draws), results)
