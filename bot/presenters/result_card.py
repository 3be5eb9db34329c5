"""A finished game on one card: who won, the title earned, and three numbers. Pure."""

from __future__ import annotations

from bot.presenters.composer import Composer
from bot.presenters.film import Reel
from bot.session.table import Table
from games.core import CHANCE, Outcome, Phrase, phrase
from games.core.feats import Deed, Feat
from render.result_card import Result


def result(composer: Composer, of: Reel) -> Result:
    """What the card of the game of *composer* says; *of* is the whole game."""
    table, outcome = composer.table, composer.table.outcome
    feat = _feat(table, of, outcome)
    first = sorted(outcome.places[0]) if outcome is not None else []
    won = outcome is not None and outcome.winner is not None
    names = composer.names
    return Result(
        composer.say(feat.title),
        " · ".join(names[seat] for seat in (first if won else sorted(names))),
        tuple((number, composer.say(what)) for number, what in _numbers(table, of, feat)),
        " · ".join(
            (
                composer.say(phrase(f"{table.game.key}.name")),
                table.touched.date().isoformat(),
                table.code,
            )
        ),
        composer.viewer.look.theme,
        won,
    )


def in_words(composer: Composer, said: Result) -> str:
    """All that the card *said* shows."""
    numbers = tuple(f"{what}: {number}" for number, what in said.numbers)
    words = phrase("keepsake.card", title=said.title, who=said.winner, numbers=numbers)
    return f"{composer.say(words)} {composer.alt()}"


def _numbers(table: Table, of: Reel, feat: Feat) -> tuple[tuple[str, Phrase], ...]:
    moves = len(of.numbers)
    found = [(str(moves), phrase("keepsake.moves", n=moves))]
    turned = of.numbers.index(of.turning) + 1 if of.turning is not None else moves
    found.append((str(turned), phrase("keepsake.turning")) if turned < moves else _lasted(table))
    return (*found, (str(feat.count), feat.what))


def _lasted(table: Table) -> tuple[str, Phrase]:
    """How long it took, in the unit that leaves the fewest digits."""
    minutes = max(1, round((table.touched - table.created).total_seconds() / 60))
    if minutes < 100:
        return str(minutes), phrase("keepsake.minutes", n=minutes)
    if minutes < 48 * 60:
        return str(round(minutes / 60)), phrase("keepsake.hours", n=round(minutes / 60))
    days = round(minutes / (24 * 60))
    return str(days), phrase("keepsake.days", n=days)


def _feat(table: Table, of: Reel, outcome: Outcome | None) -> Feat:
    """What the game itself finds remarkable, or what every game has."""
    blows = sum(
        table.game.speech.weight(of.told[n].before, of.told[n].move) > 1 for n in of.numbers
    )
    told = phrase("keepsake.blows", n=blows)
    if outcome is None or outcome.winner is None:
        return Feat(phrase("keepsake.drawn"), blows, told)
    if table.game.chronicle is None:
        return Feat(phrase("keepsake.won"), blows, told)
    deeds = [Deed(one.before, one.seat, one.move) for one in of.told if one.seat != CHANCE]
    return table.game.chronicle(deeds, table.present, outcome)
