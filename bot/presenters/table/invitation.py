"""The screen of a waiting table: its chairs, its options and its draws."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from bot.port import Button
from bot.presenters.base import TablePresenter
from bot.presenters.button_codes import Action
from bot.presenters.table.status import absence_lines, best_of
from bot.presenters.typed_names import rated_key
from bot.session.names import computer_name
from bot.session.rated import FOR_NOW, Casual, conditions, may_count
from bot.session.time_controls import read_control
from games.core import CHANCE, Game, Phrase, Who, phrase, verbatim

SEAL, GROUP = 32, 4
"""How many hexadecimal digits of the seal are shown, and how many of them without a gap.

Nobody finds two secrets for 128 bits.
"""

FOR_GOOD = frozenset(Casual) - FOR_NOW
"""Why a game will not count, whoever plays it: its place and its rules."""

Rows: TypeAlias = tuple[tuple[Button, ...], ...]


def invitation(presenter: TablePresenter) -> tuple[str, tuple[str, ...], Rows]:
    """The headline, the lines and the buttons of an invitation."""
    return _headline(presenter), _lines(presenter), (*_rows(presenter), *words_button(presenter))


def words_button(presenter: TablePresenter) -> Rows:
    """The button for a player's own words, where cards or dice decide."""
    viewer, table = presenter.viewer, presenter.table
    # No rematch follows a game of a tournament.
    if not is_dealt(table.game) or table.tournament or (viewer.personal and viewer.seat is None):
        return ()
    return ((presenter.button("house.button.own-words", Action.SAY_WORDS),),)


def to_send(presenter: TablePresenter) -> str:
    """The text with which the reader invites a person elsewhere; "" in shared places."""
    table, viewer = presenter.table, presenter.viewer
    if not viewer.personal or viewer.seat is None or _asks(presenter):
        return ""
    host, name = presenter.names[viewer.seat], phrase(f"{table.game.key}.name")
    return presenter.say("house.invitation-sent", host=host, game=name)


def _asks(presenter: TablePresenter) -> bool:
    """Whether the only reader is the challenged person."""
    seat = presenter.viewer.seat
    return presenter.viewer.personal and seat is not None and presenter.table.players[seat].invited


def changed_rules(game: Game, options: Mapping[str, str]) -> tuple[Phrase, ...]:
    """The house rules of *options* that are not the usual ones of *game*."""
    return tuple(
        phrase(
            "house.option",
            option=phrase(f"{game.key}.option.{option.key}"),
            value=phrase(f"{game.key}.option.{option.key}.{options[option.key]}"),
        )
        for option in game.rules.options
        if options[option.key] != option.default
    )


def legible_seal(seal: str) -> str:
    """The beginning of *seal* in groups, so that people can compare it."""
    return " ".join(seal[at : at + GROUP] for at in range(0, SEAL, GROUP))


def is_dealt(game: Game) -> bool:
    """Whether cards or dice decide in *game*, and not only the lot before it."""
    return CHANCE in game.start(game.setting()).actors()


def _headline(presenter: TablePresenter) -> str:
    """What the reader is invited to, and whether it counts."""
    table, name = presenter.table, phrase(f"{presenter.table.game.key}.name")
    counts = phrase(rated_key(rated=may_count(table)))
    invited = [n for n, player in enumerate(table.players) if player.invited]
    seat = table.seat_of(table.host)
    host = presenter.names[seat] if seat is not None else ""
    told = {"game": name, "counts": counts}
    if _asks(presenter):
        return presenter.say("house.call.challenge", who=Who(seat or 0), **told)
    if invited:
        guest = tuple(presenter.names[n] for n in invited)
        return presenter.say("house.challenge", host=host, guest=guest, **told)
    return presenter.say("house.invitation", host=host, code=table.code, **told)


def _lines(presenter: TablePresenter) -> tuple[str, ...]:
    table = presenter.table
    lines: list[Phrase] = []
    for number, player in enumerate(table.players, 1):
        who: Phrase = phrase("house.chair.free")
        if player.invited:
            who = phrase("house.chair.invited", name=presenter.names[number - 1])
        elif player.person is not None:
            who = verbatim(presenter.names[number - 1])
        elif player.level is not None:
            who = computer_name(table.game.key, player.level)
        chair = phrase("house.chair", number=number, who=who)
        if player.side is not None:
            side = presenter.tongue.explained(f"{table.game.key}.side.{player.side}")
            chair = phrase("house.chair.side", number=number, who=who, side=side)
        lines.append(chair)
    lines += changed_rules(table.game, table.options)
    control = read_control(table.control)
    if control is not None:
        lines.append(phrase("clock.set", what=control.said()))
    if table.match is not None:
        lines.append(best_of(table.match))
    if table.rated or table.casual:
        lines.append(conditions(table))
    told = {"house.hints-allowed": table.hints, "house.stand-in": table.stand_in}
    told["house.computer-clock"] = bool(table.control) and table.computer_clock
    lines += [phrase(key) for key, is_so in told.items() if is_so]
    # A page has a link to send, and sheets that ask for a side.
    on_page = presenter.viewer.space.choices is None
    if presenter.viewer.personal and not (_asks(presenter) or on_page):
        lines.append(phrase("house.to-send", code=table.code))
    if is_dealt(table.game):
        lines.append(phrase("house.locked"))
    if table.words:
        lines.append(phrase("house.words-said", words=table.words))
    return (*map(presenter.say, lines), *absence_lines(presenter))


def _challenge_rows(presenter: TablePresenter) -> Rows:
    """Yes and no for the challenged, and withdraw for the host; in private only one's own."""
    table, viewer = presenter.table, presenter.viewer
    yes = presenter.button("house.button.accept.challenge", Action.JOIN, style="good")
    no = presenter.button("house.button.decline", Action.LEAVE, "no")
    withdraw = presenter.button("house.button.withdraw-challenge", Action.LEAVE, "back")
    never = Button(_never(presenter), presenter.code(Action.LEAVE, "never"))
    if not viewer.personal:
        return ((yes, no, withdraw, *_start_key(presenter)), *_count_row(presenter), (never,))
    if viewer.seat is None:
        # The viewer may be the person of the @name, unknown until now.
        return ((yes,),)
    if table.players[viewer.seat].invited:
        return ((yes, no), (never,))
    if table.players[viewer.seat].person != table.host:
        withdraw = presenter.button("house.button.leave", Action.LEAVE)
    return ((withdraw, *_start_key(presenter)),)


def _start_key(presenter: TablePresenter) -> tuple[Button, ...]:
    """The button that begins with those who sit, where they are enough and a chair is free."""
    table = presenter.table
    seated = sum(player.is_seated for player in table.players)
    if seated not in table.game.rules.seats or seated == len(table.players):
        return ()
    return (presenter.button("house.button.start", Action.START, style="good"),)


def _never(presenter: TablePresenter) -> str:
    """The label of the button that refuses all further challenges of the host, by name."""
    seat = presenter.table.seat_of(presenter.table.host)
    host = presenter.names[seat] if seat is not None else ""
    return presenter.say("house.button.never", host=host)


def _rows(presenter: TablePresenter) -> Rows:
    if any(player.invited for player in presenter.table.players):
        return _challenge_rows(presenter)
    viewer = presenter.viewer
    first: list[Button] = []
    last: list[Button] = []
    if not viewer.personal or viewer.seat is None:
        first.append(presenter.button("house.button.join", Action.JOIN, style="good"))
    if not viewer.personal or viewer.seat is not None:
        first.append(presenter.button("house.button.computer", Action.COMPUTER))
        last += *_start_key(presenter), presenter.button("house.button.cancel", Action.LEAVE)
    rows = (tuple(first), *_side_row(presenter))
    return (*rows, tuple(last), *_count_row(presenter)) if last else rows


def _count_row(presenter: TablePresenter) -> Rows:
    """The button by which the host lets the game count, or not, in places with a ladder."""
    table = presenter.table
    settled = table.casual in FOR_GOOD or table.rated != may_count(table)
    if presenter.viewer.personal or not table.has_open_stakes or settled:
        return ()
    wanted = "no" if table.rated else "yes"
    return ((presenter.button(f"standing.button.rated.{wanted}", Action.COUNT, wanted),),)


def _side_row(presenter: TablePresenter) -> Rows:
    """A button for each free side, in one row; none where no side is left to choose from."""
    game, taken = presenter.table.game, {player.side for player in presenter.table.players}
    free = [side for side in game.rules.sides if side not in taken]
    chosen = presenter.viewer.seat is not None and presenter.viewer.space.choices is None
    if chosen or (len(free) < 2 and len(game.rules.sides) == 2):
        return ()
    row = []
    for side in free[:4]:
        named = presenter.tongue.explained(f"{game.key}.side.{side}")
        said = phrase("house.button.join-as", side=named)
        row.append(Button(presenter.say(said), presenter.code(Action.JOIN, side)))
    return (tuple(row),)
