"""Viewers: who looks at a screen, from which side, and what the players are called there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.port import Space
from bot.presenters.command_specs import words_of
from bot.session.names import computer_name, skeleton
from bot.session.preferences import Look
from bot.session.table import Player, Table
from bot.texts import Language
from bot.texts.orthography import capital
from games.core import Phrase, Seat, Who, phrase
from render.kit import painter, themed
from render.kit.fonts import drawable
from storage.records import SeatLine

LOOK, SPACE = Look(), Space()


@dataclass(frozen=True)
class Viewer:
    """A viewer: a *seat* on a private page, or everybody in a shared place (``None``).

    *bottom* is the seat shown at the bottom where the viewer has turned the board.
    """

    seat: Seat | None = None
    language: str = "es"
    look: Look = LOOK
    """The look of boards for the viewer."""
    bottom: Seat | None = None
    personal: bool = False
    """Whether only one person reads here, so that buttons need not be for others."""
    space: Space = SPACE
    offers_starter: bool = False
    """Whether the viewer is offered the newcomer's set of pieces."""
    opens_page: bool = False
    """Whether a button opens the page within the chat (``Capabilities.opens_page``)."""
    follows: str = ""
    """What comes after the game in its tournament."""


def theme_for(game: str, look: Look) -> str:
    """The theme of the painter of *game* that shows *look*."""
    return themed(game, look.theme, look.pieces, material=look.material)


def player_plates(
    game: str, chairs: Sequence[Player], names: Mapping[Seat, str], tongue: Language
) -> tuple[str, ...]:
    """The plates beside the seats of a picture: *names*, and the bare word for computers.

    A plate would cut the article and the level of a computer. A name that no typeface can draw is
    replaced by the side.
    """
    return tuple(
        tongue.say(phrase("house.computer.plate"))
        if one.person is None and one.level is not None
        else drawable(one.name if one.owner else names[seat]) or _by_side(game, seat, one, tongue)
        for seat, one in enumerate(chairs)
    )


def _by_side(game: str, seat: Seat, chair: Player | SeatLine, tongue: Language) -> str:
    if not chair.side:
        return tongue.say(phrase("core.seat", number=seat + 1))
    return capital(tongue.say(phrase(f"{game}.side.{chair.side}")))


def seated_by_side(game: str, sides: Sequence[str], tongue: Language) -> tuple[Player, ...]:
    """Nobody in particular on each of *sides*, called by the game's own word for it."""
    named = {side: capital(tongue.say(phrase(f"{game}.side.{side}"))) for side in sides}
    return tuple(Player(0, named[side], side=side) for side in sides)


def _person_name(chair: Player | SeatLine, tongue: Language) -> str:
    """The name in *chair*, which says whose program sits there."""
    if isinstance(chair, SeatLine) or not chair.owner:
        return chair.name
    return tongue.say(phrase("house.program-of", name=chair.name, owner=chair.owner))


def player_names(
    game: str, chairs: Sequence[Player | SeatLine], tongue: Language
) -> Mapping[Seat, str]:
    """The names of the seats; the side stands for a missing one.

    Names that look alike are told apart by the side, or by a number before sides are dealt.
    """
    names = {}
    for seat, chair in enumerate(chairs):
        if chair.person is not None and chair.name:
            names[seat] = _person_name(chair, tongue)
        elif chair.level is not None:
            names[seat] = tongue.say(computer_name(game, chair.level))
        elif chair.person is not None:
            names[seat] = _by_side(game, seat, chair, tongue)
        else:
            names[seat] = tongue.say(phrase("core.seat", number=seat + 1))
    alike = Counter(map(skeleton, names.values()))
    before = Counter[str]()
    for seat, name in names.items():
        played, looks = chairs[seat].side, skeleton(name)
        before[looks] += 1
        if not looks or alike[looks] < 2:
            continue
        if played:
            side = tongue.say(phrase(f"{game}.side.{played}"))
            # «el ordenador (nivel 2, azul)»
            names[seat] = f"{name[:-1]}, {side})" if name.endswith(")") else f"{name} ({side})"
        elif before[looks] > 1 and chairs[seat].person is not None:
            names[seat] = f"{name} ({before[looks]})"
    return names


def named_table(game: str, others: tuple[Who, ...]) -> Phrase:
    """The table of *game* by the *others* at it, or by its free chairs where there are none."""
    key = "house.game-line" if others else "house.game-line.alone"
    return phrase(key, game=phrase(f"{game}.name"), who=others)


def is_name_of_computer(name: str) -> bool:
    """Whether *name* looks like what we call a computer, in any language."""
    ours = {skeleton(word) for word in words_of("house.word.computer")}
    return any(skeleton(word) in ours for word in name.split())


def can_turn(game: str) -> bool:
    """Whether the board of *game* can be turned."""
    return painter(game).TURNS


def bottom_seat(viewer: Viewer, table: Table) -> Seat:
    """The seat at the bottom for *viewer*: as turned, else their own if they prefer that.

    A shared board stands as the game is usually shown, or from the only person's side.
    """
    if viewer.bottom is not None:
        return viewer.bottom
    usual = painter(table.game.key).BOTTOM
    if viewer.seat is not None:
        return viewer.seat if viewer.look.own_side else usual
    people = [seat for seat, player in enumerate(table.players) if player.person is not None]
    return people[0] if len(people) == 1 else usual
