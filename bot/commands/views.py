"""Looking: boards, menus beside them, descriptions, rules, records, lists."""

from __future__ import annotations

from dataclasses import replace

from bot.commands.request import Request
from bot.commands.table_search import meant
from bot.port import Answer, BoardAnswer, Card, MenuAnswer, Said
from bot.presenters.buttons import NO_TABLE, TO_CHOOSE
from bot.presenters.documents import record_answer, verify_answer
from bot.presenters.rulebook import CHAPTERS, chapters_card, rules_card, rules_of_which
from bot.presenters.sides import bottom_of, turns
from bot.session.game_clock import instant
from bot.session.table import ENDED, OPEN, PLAYING, BrokenTable
from bot.session.unit_of_work import Refused
from bot.session.visibility import Seen
from games.core import Game, NotYourTurn, RuleError, phrase
from games.core.shelf import find_game, shelf


async def board(asked: Request) -> Answer:
    """Show a table anew where the asker is, or in words."""
    table = await meant(asked, PLAYING, OPEN, ENDED)
    where = asked.by.where
    if asked.value("form"):
        seat = table.seat_of(asked.person.id) if where.private else None
        composer = asked.composer_for(table, seat)
        now = instant(asked.services.clock.steady())
        text = list(dict.fromkeys((composer.board().headline, *composer.told(now))))
        if table.position is not None:
            text.append(table.game.notation.text(Seen(table, seat).position))
        return Said("\n".join(text))
    stranger = table.seat_of(asked.person.id) is None
    if stranger and not where.private and await asked.views.stand(table, where):
        # The message in which others play stays where it is.
        screen = asked.composer_for(table).board()
        return Card(screen, await asked.painted(screen))
    code = await asked.place_language()
    view = await asked.views.post(table, where, asked.person, code, asked.by.token)
    return BoardAnswer(view=view, private=False)


async def mine(asked: Request) -> Answer:
    """Show the asker his own side of the board, or what spectators see, for his eyes alone.

    Who came to choose and has nothing to choose any more is told for whom he waits: the board that
    he would get here does not change when the game goes on.
    """
    table = await meant(asked, PLAYING)
    seat, asks = table.seat_of(asked.person.id), table.actors()
    if asked.path == TO_CHOOSE and seat is not None and asks and seat not in asks:
        raise NotYourTurn(seat)
    screen = asked.composer_for(table, seat).board()
    return Card(screen, await asked.painted(screen))


async def outdated(asked: Request) -> Answer:
    """Show the present board in place of one that an older release has made."""
    if asked.code == NO_TABLE:
        raise Refused(phrase("house.outdated"))
    table = await meant(asked)
    view = await asked.view()
    if view is not None:
        await asked.views.show_again(view)
    answer = await asked.done(table, phrase("house.stale"))
    if isinstance(answer, MenuAnswer):
        return replace(answer, good=False)
    return Said(answer.said, good=False)


async def more(asked: Request) -> Answer:
    """Show the rest of what the asker may do: on the board that is his own, else beside it."""
    table = await meant(asked, PLAYING)
    seat = table.seat_of(asked.person.id)
    if asked.by.where.private:
        return MenuAnswer((await asked.composer(table)).more(seat, board=True))
    screen = asked.composer_for(table, asked.ear(table, seat)).more(seat, board=False)
    return Card(replace(screen, scene=None, alt=""))


async def flip(asked: Request) -> Answer:
    """Show the board from the next seat's side: the asker's own, or a card for his eyes alone."""
    table = await meant(asked, PLAYING)
    view = await asked.view()
    if table.position is None or not turns(table.game.key):
        raise Refused(phrase("house.cannot-flip"))
    if asked.by.where.private and view is not None:
        await asked.views.flip(view, table)
        return await asked.done(table, phrase("house.flipped"))
    seat = asked.ear(table, table.seat_of(asked.person.id))
    nearest = bottom_of(await asked.viewer(table), table)
    bottom = int(asked.path[0]) if asked.path else (nearest + 1) % len(table.players)
    screen = asked.composer_for(table, seat, bottom).turned()
    picture = await asked.painted(screen)
    return MenuAnswer(screen, picture) if asked.path and asked.own else Card(screen, picture)


async def describe(asked: Request) -> Answer:
    """Say in words what the board shows."""
    table = await meant(asked, PLAYING)
    seat = asked.ear(table, table.seat_of(asked.person.id))
    composer = asked.composer_for(table, seat)
    return Said("\n".join(composer.told(instant(asked.services.clock.steady()))))


async def record(asked: Request) -> Answer:
    """Hand over the record of a game."""
    return record_answer(await meant(asked, PLAYING, ENDED), asked.language)


async def verify(asked: Request) -> Answer:
    """Check the draws of a game."""
    return verify_answer(await meant(asked, ENDED, PLAYING), asked.language)


async def rules(asked: Request) -> Answer:
    """Show the rules of the game that was named, or of the one that is meant."""
    key = asked.services.key

    def page(game: Game, number: int = 0) -> Card:
        return rules_card(game, asked.language, number, key, asked.look)

    if asked.path:
        game, number = asked.path
        if number == CHAPTERS:
            shown = chapters_card(find_game(game), asked.language, key)
        else:
            shown = page(find_game(game), int(number))
        return MenuAnswer(shown.screen, shown.picture)
    if asked.value("game"):
        return page(find_game(asked.value("game")))
    if not asked.pressed and len(shelf()) == 1:
        (only,) = shelf().values()
        return page(only)
    try:
        table = await meant(asked, PLAYING, OPEN, ENDED)
    except (RuleError, BrokenTable):
        if asked.pressed:
            raise
        return rules_of_which(asked.language, key)
    return page(table.game)
