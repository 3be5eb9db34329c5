"""Moves and announcements, chosen by buttons or typed."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from bot.commands import help_pages
from bot.commands.completion import unaccented
from bot.commands.request import (
    Overtaken,
    Request,
    Stale,
    answer_done,
    answer_told,
    check_playing,
    check_private,
    ear_of,
    own_composer,
    pressed_composer,
    shared_board_returns,
    turn_of,
    was_done,
    with_key,
)
from bot.commands.school.hints_and_review import answer_to
from bot.commands.school.puzzles import answer_open_exercise
from bot.commands.services_of_handlers import PlayRoom, SchoolRoom
from bot.commands.table.lookup import NoTable, TableLookup, WhichTable
from bot.commands.table.resignation_and_offers import confirmation, is_confirmed, leave_as_it_is
from bot.port import (
    Answer,
    Asker,
    BoardAnswer,
    Command,
    MenuAnswer,
    Said,
    ShareableMove,
    Space,
    Where,
)
from bot.presenters.button_codes import Action
from bot.presenters.rulebook import chapter_title
from bot.presenters.school.questions_to_the_board import QUESTION, advice_asked
from bot.presenters.table.composer import Composer
from bot.presenters.table.keyboard import BLANK, choice_rows, key_named, steps_of
from bot.presenters.table.viewers import Viewer
from bot.presenters.typed_names import move_named
from bot.presenters.ways import HELP, leading
from bot.service.person.people import People
from bot.service.table.tables import Tables
from bot.session import play
from bot.session.exercise_catalogue import step_that_teaches
from bot.session.offers import asked_of
from bot.session.table import ENDED, OPEN, PLAYING, Table
from bot.session.unit_of_work import Refused, UnitOfWork, need, refuse_if
from bot.session.visibility import VisibleTable, hides
from bot.texts import Language
from games.core import (
    IllegalMove,
    Menu,
    NotYourTurn,
    Phrase,
    RuleError,
    Seat,
    Who,
    phrase,
    read_aside,
    read_moves,
    verbatim,
)
from games.core.move_parsing import spelled

_WRITTEN = re.compile(r"(?=.*\d)\S+(?:\s+\S+){0,2}")
"""A number among at most three words: how moves are written, right or wrong."""


async def play_move(request: Request, room: PlayRoom, school: SchoolRoom) -> Answer:
    """Play the typed or chosen move, or ask for the next step of it.

    A move that is typed and that no game of the asker takes is an answer to the exercise in front
    of them: in a shared place only where they play nothing, and in no reply to a game. Where
    nothing else answers it, a
    question gets help, and what reads as no move of their games is told what there is.
    """
    try:
        return await _play(request, room)
    except (NoTable, NotYourTurn, IllegalMove, WhichTable) as refused:
        if not isinstance(request.by, Command):
            raise
        text, which = request.value("move"), isinstance(refused, WhichTable)
        asks_board = which and (re.search(r"\d", text) or advice_asked(text))
        if QUESTION.match(text) and not asks_board:
            return await _say_lost(request, room)
        return await _take_otherwise(request, request.by, room, school, refused)


async def _take_otherwise(
    request: Request, by: Command, room: PlayRoom, school: SchoolRoom, refused: RuleError
) -> Answer:
    """The answer to what was typed and is no move that may be made now, or why not."""
    text, private = request.value("move"), by.where.private
    several = refused.lines if isinstance(refused, WhichTable) else ()
    waits = any(line.moves(request.person.id) for line in several)
    alone = (private and not waits) or isinstance(refused, NoTable)
    if alone and not await room.lookup.find_replied(request):
        try:
            if (answered := await answer_open_exercise(request, school)) is not None:
                return answered
        except RuleError as wrong:
            refused = wrong if isinstance(refused, NoTable) else refused
    meant = QUESTION.match(text) or _WRITTEN.fullmatch(text) or request.value("table")
    tables = [await room.tables.find(line.code) for line in several] or [request.table]
    replied = by.reply_to and not isinstance(refused, NoTable)
    if meant or replied or any(one is not None and _reads(request, one) for one in tables):
        raise refused
    return await _say_lost(request, room)


async def _say_lost(request: Request, room: PlayRoom) -> Answer:
    """Say that what was typed means nothing to us; what the asker is asked comes first."""
    asks = partial(asked_of, request.person.id)
    with suppress(NoTable, WhichTable):
        table = await room.lookup.find_table(request, OPEN, PLAYING, ENDED, fits=asks)
        if asks(table):
            seat = table.seat_of(request.person.id)
            words, rows = own_composer(request, table, seat).open_question()
            words = request.pages.say("house.lost.asked", what=verbatim(words))
            screen = leading(request.pages, words, (HELP,))
            return Said(words, good=False, leads=replace(screen, rows=(*rows, *screen.rows)))
    return await help_pages.say_lost(request, room.tables)


def _reads(request: Request, table: Table) -> bool:
    """Whether the game of *table* knows what was typed, as a move of whoever acts there.

    What is no word of the game is refused as any other noise.
    """
    text, game, position = request.value("move"), table.game, table.present
    for seat in table.actors():
        with suppress(RuleError):
            return bool(read_moves(game, position, seat, text))
        why, noise = (game.speech.refusal(position, seat, one) for one in (text, "?"))
        if why.phrase.key != noise.phrase.key:
            return True
    return False


async def _play(request: Request, room: PlayRoom) -> Answer:
    """Play the move at the table that is meant, or ask for the next step of it."""
    fits = partial(_takes, request)
    table = await room.lookup.find_table(request, PLAYING, to_move=True, fits=fits)
    if not request.is_press and QUESTION.match(request.value("move")):
        told = await answer_to(request, room, table, "move")
        return told if told.good else await _say_lost(request, room)
    steps = steps_of(request.path)
    if request.is_press and (early := await _without_move(request, table, steps)) is not None:
        return early

    def decide(work: UnitOfWork) -> Phrase:
        if request.is_press:
            if (again := _news_of_same_press(request, work.table, steps)) is not None:
                return again
            seat = _check_asked(request, work.table)
            play.play_pressed(work, seat, _chosen_move(request, work.table, seat, steps), steps)
        else:
            seat = request.seat(work.table)
            check_private(request, work.table, seat)
            _take_typed(work, seat, request.value("move"), request.tongue)
        return _own_news(request, work.table, seat, len(work.table.log) - len(work.before.log))

    before = table
    table, happened = await request.change(before, decide)
    me = table.seat_of(request.person.id)
    hid = me is not None and hides(before, me)
    if hid and request.is_press and (me not in table.actors() or not hides(table, me)):
        # The hidden set-up is complete: the game goes on at the shared board.
        told = await answer_told(request, table, happened)
        return with_key(told, own_composer(request, table).button("ways.board", Action.MINE))
    return await _told_with_choices(request, table, happened)


def _takes(request: Request, table: Table) -> bool:
    """Whether the asker, to move at *table*, may play there what they typed."""
    seat, text = table.seat_of(request.person.id), request.value("move")
    if seat is None or seat not in table.actors():
        return False
    return bool(_read_typed(table, seat, text, request.tongue))


def _read_typed(table: Table, seat: Seat, text: str, tongue: Language) -> Sequence[Any]:
    """The move, the line of moves or the move by the words of its key that *seat* has typed."""
    with suppress(RuleError):
        return read_moves(table.game, table.present, seat, text)
    named = move_named(table.game, VisibleTable(table, seat).position, seat, text, tongue)
    return () if named is None else (named,)


async def find_key(request: Request, lookup: TableLookup) -> str | None:
    """The code of the key of the asker's boards, as they stand now, that says what they typed.

    What one of their games takes as a move is none. Raises ``WhichTable``.
    """
    tables = await lookup.tables_to_move(request)
    if any(_takes(request, table) for table in tables):
        return None
    keys = {table.code: await _key_of_board(request, table) for table in tables}
    lines = [one for one in await lookup.likely_tables(request, PLAYING) if keys.get(one.code)]
    if len(lines) > 1:
        raise WhichTable(lines)
    return keys[lines[0].code] if lines else None


async def _key_of_board(request: Request, table: Table) -> str | None:
    """The code of the key of *table* that says what was typed, on a board that the asker sees."""
    own = own_composer(request, table, ear_of(request, table, table.seat_of(request.person.id)))
    shown, view = [own.board()], await request.views.of(table, request.by.where)
    if view is not None:
        here = Composer(table, await request.views.viewer(view, table), request.key)
        shown.append(here.board(request.views.partial_moves.path(view.id, table)))
    keys = [key for screen in shown for row in screen.rows for key in row]
    return key_named(keys, request.value("move"))


async def _without_move(request: Request, table: Table, steps: tuple[str, ...]) -> Answer | None:
    """What a press is answered that makes no move: a step of one, a blank, the same press again."""
    if (again := _news_of_same_press(request, table, steps)) is not None:
        done = await was_done(request)
        return Said() if done else await _told_with_choices(request, table, again)
    seat = _check_asked(request, table)
    if steps and steps[-1].startswith(BLANK) and request.turn == table.turns[seat]:
        return request.said(phrase("house.blank"))
    try:
        chosen = _chosen_move(request, table, seat, steps)
    except Stale:
        return await _news_on_late_board(request, table, seat, steps)
    return await _begin(request, table) if isinstance(chosen, Menu) else None


async def _news_on_late_board(
    request: Request, table: Table, seat: Seat, steps: tuple[str, ...]
) -> Answer:
    """What *seat* has done by the key that its board still shows; raises ``Stale`` otherwise.

    Where the key of whoever comes next is pressed too early, *seat* is asked its question.
    """
    view = await request.view()
    count = play.entries_of_press(table, seat, request.turn, steps, None)
    early = {*steps[:1]} & {*play.keys_that_hold(table)}
    if view is None or not (count or early):
        raise Stale(phrase("house.stale"))
    if not request.views.is_late(view):
        await request.views.heal(view)
    asked = table.game.menus.question(table.present, seat, ())
    said = _own_news(request, table, seat, count) if count else asked
    return await _told_with_choices(request, table, said)


async def unselect(request: Request, lookup: TableLookup) -> Answer:
    """Cancel what the presser has chosen of a move so far."""
    table = await lookup.find_table(request, PLAYING)
    if shared_board_returns(request, table):
        await _unselect_shared(request, table)
        return BoardAnswer()
    if not request.own:
        _check_asked(request, table)
    request.path = ()
    return await _begin(request, table)


async def _unselect_shared(request: Request, table: Table) -> None:
    """Take back the step that stands on the shared board too, as it does for clients not known."""
    view, seat = await request.views.of(table, request.by.where), table.seat_of(request.person.id)
    if view is None or seat is None or seat not in table.actors():
        return
    if request.views.partial_moves.path(view.id, table):
        request.views.partial_moves.note(view.id, table.turns[seat], ())
        await request.views.show_again(view)


async def _begin(request: Request, table: Table) -> Answer:
    """Ask for the next step of a move and remember the steps chosen on that board.

    A key that was typed is one of the board that stands there.
    """
    view = await (request.view() if request.message else request.views.of(table, request.by.where))
    if view is not None and not request.covers:
        request.views.partial_moves.note(view.id, table.turns[request.seat(table)], request.path)
    screen, said = (await pressed_composer(request, table)).board(request.path), ""
    if screen.language != request.language:
        # The shared board asks in its own language, the answer to the press in the presser's.
        seat = ear_of(request, table, table.seat_of(request.person.id))
        said = "".join(own_composer(request, table, seat).board(request.path).lines[-1:])
    return MenuAnswer(screen, said=said)


async def play_aside(request: Request, lookup: TableLookup) -> Answer:
    """Make an announcement out of turn; one that loses a won game needs a confirmation."""
    table = await lookup.find_table(request, PLAYING, ENDED)
    steps, me = request.path, table.seat_of(request.person.id)
    won = me is not None and table.outcome is not None and table.outcome.winner == me
    if steps and steps[-1].startswith("@"):
        steps = steps[:-2]
        if not is_confirmed(request):
            return await leave_as_it_is(request, table)
    elif won and request.turn >= max(table.acted):
        _aside_of(table, request.seat(table), steps)
        question = "house.sure.aside"
        return await confirmation(request, table, Action.ASIDE, question, request.turn, *steps)

    def decide(work: UnitOfWork) -> Phrase:
        seat = request.seat(work.table)
        # Since then others may have spoken, but nobody has moved.
        if request.turn < max(work.table.acted):
            raise Overtaken(phrase("house.stale"))
        play.say_aside(work, seat, _aside_of(work.table, seat, steps))
        return _own_news(request, work.table, seat, len(work.table.log) - len(work.before.log))

    table, happened = await request.change(table, decide)
    return await answer_done(request, table, happened)


async def explain_refusal(request: Request, lookup: TableLookup) -> Answer:
    """Explain why a move is illegal, or what it would do."""
    table = await lookup.find_table(request, PLAYING, to_move=True)
    seat = request.seat(table)
    need(table.position, "house.not-playing")
    position = VisibleTable(table, seat).position
    if seat not in position.actors():
        raise NotYourTurn(seat)
    check_private(request, table, seat)
    try:
        moves = read_moves(table.game, position, seat, request.value("move"))
    except RuleError as refused:
        why = (await answer_done(request, table, refused.phrase)).said
        rule = refused.refusal.rule if isinstance(refused, IllegalMove) else ""
        if chapter := chapter_title(table.game, request.language, rule):
            why = request.pages.say("house.rule-told", why=why, chapter=chapter)
        if (step := step_that_teaches(table.game.key, rule)) is None:
            return Said(why)
        teaches = request.pages.button_to(Action.LEARN, "school.taught", step.code, n=step.step)
        return Said(why, leads=request.pages.page(why, rows=[[teaches]]))
    said = table.game.speech.spoken(position, moves[0])
    return await answer_done(request, table, phrase("house.legal", what=said))


def _aside_of(table: Table, seat: Seat, steps: tuple[str, ...]) -> Any:
    """The announcement of *steps* by *seat*; raises ``Refused`` for another seat's."""
    position = table.present
    for one in (seat, *range(len(table.players))):
        found = spelled(table.game, position, position.asides(one))
        if steps in found and one == seat:
            return found[steps]
        refuse_if(steps in found, "house.aside-of", who=Who(one))
    raise Refused(phrase("house.aside-said"))


def _chosen_move(request: Request, table: Table, seat: Seat, steps: tuple[str, ...]) -> Any:
    """The move or the menu that *seat* has pressed; an outdated one shows the board anew."""
    moment = request.by.arrived or table.touched
    try:
        return play.pressed_move(table, seat, request.turn, steps, moment)
    except play.Outdated as old:
        raise Stale(old.phrase) from old


def _news_of_same_press(request: Request, table: Table, steps: tuple[str, ...]) -> Phrase | None:
    """What the presser has just done by the same press, which is no new act."""
    seat, moment = table.seat_of(request.person.id), request.by.arrived or table.touched
    if seat is None:
        return None
    count = play.entries_of_press(table, seat, request.turn, steps, moment)
    return _own_news(request, table, seat, count) if count else None


def _own_news(request: Request, table: Table, seat: Seat, count: int) -> Phrase:
    """What *seat*, who hears it, did last; where others read it, nothing that is hidden."""
    what = play.what_happened(table, seat, seat if request.discreet else None, count)
    if what is None:
        return phrase("house.done-quietly")
    yours = request.tongue.of_reader(what)
    return phrase("house.done" if yours == what else "house.told", what=yours)


async def _told_with_choices(request: Request, table: Table, said: Phrase) -> Answer:
    """*said*, and between what to choose now, as the keys of the pressed board name it.

    The board may come later than the toast.
    """
    seat, private = table.seat_of(request.person.id), request.by.where.private
    if seat is not None and not private and (choices := play.choices_held(table, seat)):
        tongue = await request.tongue_of_keys()
        label = partial(table.game.menus.label, table.present, seat)
        named = tuple(verbatim(tongue.say(label((one,), one))) for one in choices)
        said = phrase("house.choose", said=said, choices=named)
    return await answer_done(request, table, said)


def _check_asked(request: Request, table: Table) -> Seat:
    """The presser's seat; raises ``Refused`` where they may not act now."""
    seat = table.seat_of(request.person.id)
    if table.status != PLAYING and seat is not None:
        raise Stale(phrase("house.over" if table.status == ENDED else "house.not-playing"))
    if seat is None and table.actors():
        raise Refused(turn_of(table, "house.watching-turn"))
    seat = request.seat(table)
    if seat not in table.actors():
        raise NotYourTurn(seat)
    return seat


async def moves_for(
    people: People, tables: Tables, key: bytes, asker: Asker, where: Where, text: str
) -> tuple[ShareableMove, ...]:
    """What *asker* may move at the table whose code begins *text*, or where they are to move.

    All are whole moves, since each is said before others. The words in the rest of *text* narrow
    them. *where* is their chat. What others may not see is left out. At a table where nothing can
    be listed whose turn it is stands alone, without a code.
    """
    person, (code, *wanted) = await people.find(asker), text.split() or ("",)
    if person is None:
        return ()
    table = await tables.find(code.upper())
    if table is None:
        wanted = text.split()
        lines = await tables.list_lines((PLAYING,), person=person.id)
        waiting = [one.code for one in lines if one.fault is None and one.moves(person.id)]
        table = await tables.find(waiting[0]) if waiting else None
    seat = None if table is None else table.seat_of(person.id)
    if table is None or seat is None:
        return ()
    spoken = await people.language_of(where, person, asker)
    viewer = Viewer(language=spoken, space=Space(None, 0, whole_moves=sys.maxsize))
    composer = Composer(table, viewer, key)
    if seat not in table.actors() or hides(table, seat):
        return (ShareableMove(composer.headline(), "", "", table.code),)
    page, name = composer.choices(seat, ()), composer.say(f"{table.game.key}.name")
    return tuple(
        ShareableMove(one.label, f"{name}: {one.label}", one.code)
        for row in choice_rows(composer, page)
        for one in row
        if all(unaccented(word) in unaccented(one.label) for word in wanted)
    )


def _take_typed(work: UnitOfWork, seat: Seat, text: str, tongue: Language) -> None:
    """Play the typed move, line of moves or announcement, or the penalty of an illegal move."""
    if work.table.status != ENDED:
        check_playing(work.table)
        game, position = work.table.game, work.table.present
        if seat in position.actors():
            moves = _read_typed(work.table, seat, text, tongue)
            cost = None if moves else game.notation.penalty(position, seat, text)
            if moves := (moves if cost is None else (cost,)):
                play.play_moves(work, seat, moves)
                return
    _typed_aside(work, seat, text)


def _typed_aside(work: UnitOfWork, seat: Seat, text: str) -> None:
    """Make the typed announcement, else raise why the move is illegal."""
    position = work.table.present
    try:
        said = read_aside(work.table.game, position, seat, text)
    except RuleError:
        check_playing(work.table)
        read_moves(work.table.game, position, seat, text)
        raise
    play.say_aside(work, seat, said)
