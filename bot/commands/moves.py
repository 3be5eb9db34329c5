"""Moves and what is said beside them: chosen by buttons or typed."""

from __future__ import annotations

from typing import Any

from bot.commands.agreements import asked_back, confirmed_by, kept
from bot.commands.board_questions import answered
from bot.commands.request import InPrivate, Overtaken, Request, Stale, turn_of
from bot.commands.table_search import meant
from bot.port import Answer, MenuAnswer, Said
from bot.presenters.board_questions import QUESTION
from bot.presenters.buttons import Action
from bot.presenters.choices import BLANK, steps_of
from bot.session import play
from bot.session.play import what_happened
from bot.session.table import ENDED, PLAYING, Table
from bot.session.unit_of_work import Refused, UnitOfWork
from bot.session.visibility import Seen, hides
from games.core import (
    Menu,
    NotYourTurn,
    Phrase,
    RuleError,
    Seat,
    Who,
    phrase,
    pick,
    read_aside,
    read_moves,
)
from games.core.picker import spelled


async def move(asked: Request) -> Answer:
    """Play the move that a button's path spells or that was typed, or ask for the next step."""
    table = await meant(asked, PLAYING, to_move=True)
    if not asked.pressed and QUESTION.match(asked.value("move")):
        return await answered(asked, table, "move")
    steps = steps_of(asked.path)
    if asked.pressed and steps and steps[-1].startswith(BLANK):
        _on_turn(asked, table)
        return asked.said(phrase("house.blank"))
    if asked.pressed and isinstance(
        pick(table.game, table.present, _on_turn(asked, table), steps), Menu
    ):
        return await _begun(asked, table)

    def decide(work: UnitOfWork) -> Phrase:
        if asked.pressed:
            seat = _on_turn(asked, work.table)
            play.move(work, seat, (pick(work.table.game, work.table.present, seat, steps),))
        else:
            seat = asked.seat(work.table)
            _check_private(asked, work.table, seat)
            _typed(work, seat, asked.value("move"))
        # Where nothing is hidden everybody hears the same.
        return what_happened(work, seat if asked.discreet else None)

    before = table
    table, happened = await asked.change(before, decide)
    seat = table.seat_of(asked.person.id)
    hid = seat is not None and hides(before, seat)
    if hid and asked.pressed and (seat not in table.actors() or not hides(table, seat)):
        # What was hidden is arranged: the game goes on at the board of all, no copy follows it.
        return await asked.told(table, happened)
    return await asked.done(table, happened)


async def back(asked: Request) -> Answer:
    """Put the board's own buttons back, for whoever has chosen something there."""
    table = await meant(asked, PLAYING)
    if not asked.own:
        _check_asked(asked, table)
    asked.path = ()
    return await _begun(asked, table)


async def _begun(asked: Request, table: Table) -> Answer:
    """The next question to whoever is asked on the board, which is kept in mind there."""
    view = await asked.view()
    if view is not None:
        asked.views.begun.note(view.id, asked.turn, asked.path)
    return MenuAnswer((await asked.composer(table)).board(asked.path))


async def aside(asked: Request) -> Answer:
    """Say what may be said out of turn; a won game is given away by no slip: that is asked back."""
    table = await meant(asked, PLAYING, ENDED)
    steps = asked.path
    if steps and steps[-1].startswith("@"):
        steps = steps[:-2]
        if not confirmed_by(asked):
            return await kept(asked, table)
    elif _has_won(table, table.seat_of(asked.person.id)) and asked.turn == max(table.turns):
        _aside_of(table, asked.seat(table), steps)
        question = "house.sure.aside"
        return await asked_back(asked, table, Action.ASIDE, question, asked.turn, *steps)

    def decide(work: UnitOfWork) -> Phrase:
        seat = asked.seat(work.table)
        if asked.turn != max(work.table.turns):
            raise Overtaken(phrase("house.stale"))
        play.say_aside(work, seat, _aside_of(work.table, seat, steps))
        return what_happened(work, seat if asked.discreet else None)

    table, happened = await asked.change(table, decide)
    return await asked.done(table, happened)


async def why(asked: Request) -> Answer:
    """Say why a move is not legal, or what it would do."""
    table = await meant(asked, PLAYING, to_move=True)
    seat = asked.seat(table)
    position = Seen(table, seat).position
    if seat not in position.actors():
        raise NotYourTurn(seat)
    _check_private(asked, table, seat)
    try:
        moves = read_moves(table.game, position, seat, asked.value("move"))
    except RuleError as refused:
        answer = await asked.done(table, refused.phrase)
        rule = getattr(getattr(refused, "refusal", None), "rule", "")
        return Said(f"{answer.said} ({rule})" if rule else answer.said)
    said = table.game.speech.spoken(position, moves[0])
    return await asked.done(table, phrase("house.legal", what=said))


def _has_won(table: Table, seat: Seat | None) -> bool:
    """Whether *seat* has won the game at *table*, which is over."""
    return table.outcome is not None and seat is not None and table.outcome.winner == seat


def _aside_of(table: Table, seat: Seat, steps: tuple[str, ...]) -> Any:
    """The aside that *steps* spell for *seat*; else it is said who may say it, if anybody may."""
    position = table.present
    for one in (seat, *range(len(table.players))):
        found = spelled(table.game, position, position.asides(one))
        if steps in found and one == seat:
            return found[steps]
        if steps in found:
            raise Refused(phrase("house.aside-of", who=Who(one)))
    raise Refused(phrase("house.aside-said"))


def _on_turn(asked: Request, table: Table) -> Seat:
    """The presser's seat, if he may act now and the button is of this turn."""
    seat = _check_asked(asked, table)
    if asked.turn != table.turns[seat]:
        raise Stale(phrase("house.stale"))
    return seat


def _check_asked(asked: Request, table: Table) -> Seat:
    """The presser's seat, if he may act now."""
    seat = table.seat_of(asked.person.id)
    if table.status != PLAYING and seat is not None:
        raise Stale(phrase("house.over" if table.status == ENDED else "house.not-playing"))
    if seat is None and table.actors():
        raise Refused(turn_of(table, "house.watching-turn"))
    seat = asked.seat(table)
    if seat not in table.actors():
        raise NotYourTurn(seat)
    return seat


def _check_private(asked: Request, table: Table, seat: Seat) -> None:
    """Refuse what is typed where those may read it from whom it is hidden."""
    if not asked.discreet and hides(table, seat):
        raise InPrivate(phrase("house.in-private"))


def _check_playing(table: Table) -> None:
    if table.status != PLAYING:
        raise Refused(phrase("house.over" if table.status == ENDED else "house.not-playing"))


def _typed(work: UnitOfWork, seat: Seat, text: str) -> None:
    """Play what was typed: a move, a line of moves, an aside, or what an error costs."""
    if work.table.status != ENDED:
        _check_playing(work.table)
    position = work.table.present
    if work.table.status == PLAYING and seat in position.actors():
        try:
            moves = read_moves(work.table.game, position, seat, text)
        except RuleError:
            cost = work.table.game.notation.penalty(position, seat, text)
            if cost is None:
                _typed_aside(work, seat, text)
                return
            moves = (cost,)
        play.move(work, seat, moves)
        return
    _typed_aside(work, seat, text)


def _typed_aside(work: UnitOfWork, seat: Seat, text: str) -> None:
    """Say the aside that was typed, else raise why the move is not legal."""
    position = work.table.present
    try:
        said = read_aside(work.table.game, position, seat, text)
    except RuleError:
        _check_playing(work.table)
        if seat not in position.actors():
            raise NotYourTurn(seat) from None
        read_moves(work.table.game, position, seat, text)
        raise
    play.say_aside(work, seat, said)
