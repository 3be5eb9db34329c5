"""Views of a table: boards, descriptions, rules and records."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from bot.commands.request import (
    AGAIN,
    Request,
    answer_done,
    ear_of,
    own_composer,
    painted_screen,
    post_board,
    pressed_composer,
    pressed_viewer,
    show_copy,
    with_starter_offer,
)
from bot.commands.services_of_handlers import PlayRoom
from bot.commands.table.lookup import TableLookup
from bot.port import Answer, BoardAnswer, Card, MenuAnswer, Said
from bot.presenters.button_codes import NO_TABLE, TO_CHOOSE
from bot.presenters.rulebook import CHAPTERS, chapters_card, rules_card, rules_of_which
from bot.presenters.table.composer import Composer
from bot.presenters.table.record_and_draw_proof import (
    WHOLE,
    is_verifiable,
    record_answer,
    verify_answer,
)
from bot.presenters.table.viewers import bottom_seat, can_turn
from bot.session.game_clock import instant
from bot.session.table import ENDED, OPEN, PLAYING, BrokenTable
from bot.session.unit_of_work import refuse_if
from bot.session.visibility import acts_unseen
from games.core import NotYourTurn, RuleError, phrase
from games.core.shelf import find_game, shelf


async def show_board(request: Request, room: PlayRoom) -> Answer:
    """Show the board of a table here, or in words: what lives goes before what is over."""
    table = await room.lookup.find_table(request, PLAYING, OPEN, or_else=(ENDED,))
    where, seat = request.by.where, table.seat_of(request.person.id)
    if request.value("form"):
        composer = own_composer(request, table, seat if where.private else None)
        text = dict.fromkeys((composer.headline(), *composer.told(instant(room.clock.steady()))))
        return _with_turn(composer, "\n".join(text))
    stands = where.private or await request.views.stand(table.code, where)
    if not where.private and (stands if seat is None else not (stands or request.value("table"))):
        # The message in which others play stays in its place, and a game from elsewhere there.
        seen = seat if request.discreet else None
        return await show_copy(request, own_composer(request, table, seen), Card)
    return BoardAnswer(view=await post_board(request, table), private=False)


async def lead_to_page(request: Request) -> Answer:
    """Say where the page is, in a browser: a chat that opens it within itself asks nothing here."""
    links = (one.public_address().link for one in request.chats.values() if one.everywhere)
    link = next(filter(None, links), "")
    said = request.pages.say("house.page.at" if link else "house.page.none")
    return Said(said, good=bool(link), link=link)


async def show_own_board(request: Request, lookup: TableLookup) -> Answer:
    """Show the board in private, from the asker's side or as spectators see it.

    An asker who came to move out of turn is told who is to move: a board shown here would not
    change when the game goes on, but in a private chat.
    """
    table = await lookup.find_table(request, PLAYING)
    if request.by.where.private:
        return BoardAnswer(view=await post_board(request, table), private=False)
    seat, asks = table.seat_of(request.person.id), table.actors()
    said = ""
    match request.path:
        case (_, kind, entries) if table.offered(kind) is None and len(table.log) > int(entries):
            said = request.pages.say("house.offer-lapsed")
    if request.path == TO_CHOOSE and seat is not None and asks and seat not in asks:
        raise NotYourTurn(seat)
    composer = own_composer(request, table, seat)
    if not request.covers:
        # What others see as well is not shown anew from one seat.
        form = MenuAnswer if request.own and request.path[:1] == AGAIN else Card
        copy = await show_copy(request, composer, form, said)
        lines = filter(None, (said, *copy.screen.lines))
        return replace(copy, screen=replace(copy.screen, lines=tuple(lines)))
    screen = (await pressed_composer(request, table)).board()
    if not acts_unseen(table, request.person.id):
        screen = composer.with_way_back(screen)
    return MenuAnswer(screen, await painted_screen(request, screen))


async def answer_outdated(request: Request, lookup: TableLookup) -> Answer:
    """Show the present board in place of one made by an older release."""
    refuse_if(request.code == NO_TABLE, "house.outdated")
    table = await lookup.find_table(request)
    view = await request.view()
    if view is not None:
        await request.views.show_again(view)
    answer = await answer_done(request, table, phrase("house.stale"))
    if isinstance(answer, MenuAnswer):
        return replace(answer, good=False)
    return Said(answer.said, good=False)


async def turn_page(request: Request, lookup: TableLookup) -> Answer:
    """Show the other actions of the asker, on their own board or in a private message."""
    table = await lookup.find_table(request, PLAYING)
    seat, view = table.seat_of(request.person.id), await request.view()
    if request.by.where.private or request.covers:
        composer = await pressed_composer(request, table)
        if request.covers and view is not None and view.language[:2] != request.language[:2]:
            # Below it the board is in another language: it is played on from here.
            return MenuAnswer(composer.with_way_back(composer.more(seat, board=False)))
        return MenuAnswer(composer.more(seat, board=True))
    composer = own_composer(request, table, ear_of(request, table, seat))
    viewer = await with_starter_offer(request, composer.viewer, table)
    screen = replace(composer, viewer=viewer).more(seat, board=False)
    return Card(replace(screen, scene=None, alt=""))


async def flip_board(request: Request, lookup: TableLookup) -> Answer:
    """Turn the asker's own board to the next seat, or show it so in a private message."""
    table = await lookup.find_table(request, PLAYING)
    view = await request.view()
    refuse_if(table.position is None or not can_turn(table.game.key), "house.cannot-flip")
    if request.by.where.private and view is not None:
        await request.views.flip(view, table)
        return await answer_done(request, table, phrase("house.flipped"))
    seat = ear_of(request, table, table.seat_of(request.person.id))
    nearest = bottom_seat(await pressed_viewer(request, table), table)
    bottom = int(request.path[0]) if request.path else (nearest + 1) % len(table.players)
    screen = own_composer(request, table, seat, bottom).turned()
    if request.covers:
        screen = own_composer(request, table, seat).with_way_back(screen)
    form = MenuAnswer if (request.path and request.own) or request.covers else Card
    return form(screen, await painted_screen(request, screen))


async def describe_board(request: Request, room: PlayRoom) -> Answer:
    """Describe the board in words."""
    table = await room.lookup.find_table(request, PLAYING)
    seat = ear_of(request, table, table.seat_of(request.person.id))
    composer = own_composer(request, table, seat)
    said = "\n".join(composer.told(instant(room.clock.steady())))
    if request.by.where.private and await request.view() is not None:
        return Said(said)  # the keys are on the board that was pressed
    return _with_turn(composer, said)


def _with_turn(composer: Composer, said: str) -> Said:
    """*said* of a board, above the keys of whose turn it is if the reader is that."""
    rows = composer.turn_rows()
    return Said(said, leads=composer.words(said, rows) if rows else None)


async def show_record(request: Request, lookup: TableLookup) -> Answer:
    """Send the record of a game."""
    return record_answer(await lookup.find_table(request, PLAYING, ENDED), request.language)


async def verify_draws(request: Request, lookup: TableLookup) -> Answer:
    """Check the draws of a game."""
    table = await lookup.find_table(request, ENDED, PLAYING, OPEN, fits=is_verifiable)
    whole = WHOLE in (*request.path, request.value("moves"))
    return await asyncio.to_thread(verify_answer, table, request.pages, whole=whole)


async def show_rules(request: Request, lookup: TableLookup) -> Answer:
    """Show the rules of the named game, or of the game of the table."""
    key, code, games = request.key, request.language, list(shelf().values())
    if request.path:
        name, *pages = request.path
        if pages == [CHAPTERS]:
            shown = chapters_card(find_game(name), code, key)
        else:
            shown = rules_card(find_game(name), code, int("".join(pages) or 0), key, request.look)
        # A puzzle, whose key names no page, stays.
        return MenuAnswer(shown.screen, shown.picture) if pages else shown
    if request.value("game"):
        game = find_game(request.value("game"))
    elif not request.is_press and len(games) == 1:
        game = games[0]
    else:
        try:
            game = (await lookup.find_table(request, PLAYING, OPEN, ENDED)).game
        except (RuleError, BrokenTable):
            if request.is_press:
                raise
            return rules_of_which(code, key)
    return rules_card(game, code, 0, key, request.look)
