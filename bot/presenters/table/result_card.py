"""The card of a finished game: its words, its boards, and the way to us. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace

from babel.dates import format_date

from bot.port import PublicAddress
from bot.presenters.table.composer import Composer
from bot.presenters.table.film import Reel
from bot.presenters.table.status import rating_notes, rating_text
from bot.session.medals_of_a_game import ended_by_rule
from bot.session.names import cleaned
from bot.session.table import Table
from games.core import CHANCE, Outcome, phrase
from games.core.parts import Deed, Feat
from render.kit.fonts import isolated
from render.result_card import Result, Standing

PLAIN = 36
"""So many characters of a link can be read and typed; a longer one is for cameras."""

LONGEST = 24
"""How many characters of a name a sentence on a card has room for."""


def result_card(composer: Composer, of: Reel, found: PublicAddress) -> Result:
    """The card of the game of *composer*; *of* is its story, and we are *found* there."""
    table, outcome = composer.table, composer.table.outcome
    feat, moves = _feat(table, of, outcome), len(of.moves)
    turning = ""
    if of.turning is not None:
        turning = composer.say("keepsake.turning", n=of.moves.index(of.turning) + 1, of=moves)
    day = format_date(table.touched.date(), "medium", composer.tongue.code.replace("-", "_"))
    podium = tuple(_podium(composer, outcome))
    told = f"{moves} {composer.say('keepsake.moves', n=moves)}"
    return Result(
        game=table.game.key,
        called=composer.say(f"{table.game.key}.name"),
        title=composer.say(feat.title),
        podium=podium,
        said=_beat(composer, podium),
        why=f"{told}, {composer.say(feat.what)}: {feat.count}",
        foot=day,
        turning=turning,
        find=_where(composer, found),
        link=found.link,
        theme=composer.viewer.look.theme,
        won=outcome is not None and outcome.winner is not None,
    )


def cover_of(composer: Composer, said: Result) -> Result:
    """The cover of a film: who plays; *said* is the card at its end."""
    names = _short_names(sorted(said.podium, key=lambda one: one.name))
    who = composer.say("keepsake.who", who=names)
    if len(names) == 2:
        who = composer.say("standing.versus", me=names[0], other=names[1])
    return replace(said, title="", podium=(), said=(who, ""), turning="", link="")


def _short_names(standings: Sequence[Standing]) -> tuple[str, ...]:
    """The names as a sentence has them: short, so that its verb has room.

    In a line of both directions each name keeps its own.
    """
    return tuple(isolated(cleaned(one.name, LONGEST)) for one in standings)


def _beat(composer: Composer, podium: Sequence[Standing]) -> tuple[str, str]:
    """Who beat whom, in words: of more than two in two parts."""
    names = _short_names(podium)
    if not podium[0].star:
        return composer.say("keepsake.drew"), composer.say("keepsake.who", who=names)
    if len(names) == 2:
        return composer.say("keepsake.beat", who=names[0], whom=names[1:]), ""
    won = composer.say("keepsake.winner", who=names[0])
    return won, composer.say("keepsake.beaten", whom=names[1:])


def _podium(composer: Composer, outcome: Outcome | None) -> Iterator[Standing]:
    """Every player, best first; those who tied share a place."""
    names = composer.names
    places = [frozenset(names)] if outcome is None else outcome.places
    place = 1
    for seats in places:
        alone = len(places) > 1 and len(seats) == 1
        for seat in sorted(seats):
            side, shift = composer.table.players[seat].side or "", composer.table.shifts.get(seat)
            told = ("", 0) if shift is None else (rating_text(shift.after), shift.points)
            yield Standing(place, names[seat], alone and place == 1, side, *told)
        place += len(seats)


def _where(composer: Composer, found: PublicAddress) -> str:
    """How strangers find us, in words."""
    plain = found.link.partition("://")[2].rstrip("/")
    if plain and len(plain) <= PLAIN:
        return composer.say("keepsake.find.at", where=plain)
    key = "keepsake.find.scan" if found.link else "keepsake.find.name"
    return composer.say(key, name=found.name)


def card_text(composer: Composer, said: Result) -> str:
    """The card *said* in words."""
    told = (" ".join(filter(None, said.said)), f"«{said.title}»", said.why, said.turning)
    first = f"{said.called}: {'; '.join(filter(None, told))}."
    return " ".join((first, *rating_notes(_isolating(composer)), composer.alt()))


def _isolating(composer: Composer) -> Composer:
    """*composer* for words alone: in a line of both directions each name keeps its own."""
    found = copy(composer)
    found.names = {seat: isolated(name) for seat, name in composer.names.items()}
    return found


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
