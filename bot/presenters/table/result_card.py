"""The card of a finished game: its words, its boards, and the way to us. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import replace

from babel.dates import format_date

from bot.port import PublicAddress
from bot.presenters.table.composer import Composer
from bot.presenters.table.film import Reel
from bot.presenters.table.status import rating_notes
from bot.session.medals_of_a_game import ended_by_rule
from bot.session.table import Table
from bot.session.visibility import VisibleTable
from games.core import CHANCE, Outcome, Phrase, phrase
from games.core.parts import Deed, Feat
from render.kit.bidi import isolated
from render.result_card import Result, Standing
from render.scene import Last, Scene

PLAIN = 36
"""So many characters of a link can be read and typed; a longer one is for cameras."""


def result_card(composer: Composer, of: Reel, found: PublicAddress) -> Result:
    """The card of the game of *composer*; *of* is its story, and we are *found* there."""
    table, outcome = composer.table, composer.table.outcome
    feat = _feat(table, of, outcome)
    game = composer.say(phrase(f"{table.game.key}.name"))
    day = format_date(table.touched.date(), "long", composer.tongue.code.replace("-", "_"))
    # In a line of both directions each name keeps its own.
    lines = copy(composer)
    lines.names = {seat: isolated(name) for seat, name in composer.names.items()}
    turning = ""
    if turning_scene(composer, of) is not None and of.turning is not None:
        turning = composer.say(phrase("keepsake.turning", n=of.moves.index(of.turning) + 1))
    return Result(
        game=table.game.key,
        title=composer.say(feat.title),
        podium=tuple(_podium(composer, outcome)),
        numbers=tuple((number, composer.say(what)) for number, what in _numbers(table, of, feat)),
        foot=f"{game} · {day}",
        turning=turning,
        notes=rating_notes(lines),
        find=_where(composer, found),
        link=found.link,
        theme=composer.viewer.look.theme,
        won=outcome is not None and outcome.winner is not None,
    )


def turning_scene(composer: Composer, of: Reel) -> Scene | None:
    """The board on which the game turned, unless that is the end or was never known."""
    number = of.turning
    if number is None or number == of.moves[-1]:
        return None
    seen = VisibleTable(composer.table)
    (one,) = seen.glimpses([(number, of.told[number])])
    last = (Last(one.before, one.seat, one.move),)
    return replace(composer.past(seen.then(of.told[number + 1].before), last), calm=True)


def _podium(composer: Composer, outcome: Outcome | None) -> Iterator[Standing]:
    """Every player, best first; those who tied share a place."""
    names = composer.names
    places = [frozenset(names)] if outcome is None else outcome.places
    place = 1
    for seats in places:
        alone = len(places) > 1 and len(seats) == 1
        for seat in sorted(seats):
            side = composer.table.players[seat].side or ""
            yield Standing(place, names[seat], star=alone and place == 1, side=side)
        place += len(seats)


def _where(composer: Composer, found: PublicAddress) -> str:
    """How strangers find us, in words."""
    plain = found.link.partition("://")[2].rstrip("/")
    if plain and len(plain) <= PLAIN:
        return composer.say(phrase("keepsake.find.at", where=plain))
    key = "keepsake.find.scan" if found.link else "keepsake.find.name"
    return composer.say(phrase(key, name=found.name))


def card_text(composer: Composer, said: Result) -> str:
    """The card *said* in words."""
    numbers = tuple(f"{what}: {number}" for number, what in said.numbers)
    first = tuple(one.name for one in said.podium if one.place == 1)
    words = phrase("keepsake.card", title=said.title, who=first, numbers=numbers)
    return " ".join((composer.say(words), *said.notes, composer.alt()))


def _numbers(table: Table, of: Reel, feat: Feat) -> tuple[tuple[str, Phrase], ...]:
    moves = len(of.moves)
    found = [(str(moves), phrase("keepsake.moves", n=moves)), _duration(table)]
    return (*found, (str(feat.count), feat.what))


def _duration(table: Table) -> tuple[str, Phrase]:
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
    blows = sum(table.game.speech.weight(of.told[n].before, of.told[n].move) > 1 for n in of.moves)
    told = phrase("keepsake.blows", n=blows)
    if outcome is None or outcome.winner is None:
        return Feat(phrase("keepsake.drawn"), blows, told)
    if table.game.titles.chronicle is None or not ended_by_rule(table):
        return Feat(phrase("keepsake.won"), blows, told)
    deeds = [Deed(one.before, one.seat, one.move) for one in of.told if one.seat != CHANCE]
    return table.game.titles.chronicle(deeds, table.present, outcome)
