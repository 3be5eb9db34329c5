"""The law of languages: whose word counts on a board that many share, and whose in private."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.port import Home, MenuAnswer, Press, Where
from bot.presenters.button_codes import Action, Click, encode_click
from bot.session.preferences import answer_language, board_language
from tests.fakes import Desk, person

OPENERS = ("es-ES", "es-MX", "en-GB", "fr", None)

BOARDS = """
es  es-ES  es     es     es     es     es
es  es-419 es-419 es-419 es-419 es-419 es-419
es  en-US  es     es-419 es     es     es
es  fr     es     es-419 es     es     es
es  -      es     es-419 es     es     es
en  es-ES  en     en     en     en     en
en  es-419 en     en     en     en     en
en  en-US  en     en     en     en     en
en  fr     en     en     en     en     en
en  -      en     en     en     en     en
-   es-ES  es     es     es     es     es
-   es-419 es-419 es-419 es-419 es-419 es-419
-   en-US  en     en     en     en     en
-   fr     es     es-419 en     en     en
-   -      es     es-419 en     en     en
"""
"""The choice of the place, the server's locale, then the board's language by its opener's client.

The last two openers speak what is not ours: with ``en`` as the default that is what they get.
"""

CLIENTS = ("es-ES", "es-MX", "en-GB", "fr", None)

ANSWERS = """
es  es     es     es-419 es     es     es
es  en     es     es-419 es     es     es
es  es-419 es     es-419 es     es     es
en  es     en     en     en     en     en
en  en     en     en     en     en     en
en  es-419 en     en     en     en     en
-   es     es     es-419 en     es     es
-   en     es     es-419 en     en     en
-   es-419 es     es-419 en     es-419 es-419
"""
"""The person's choice, the language of the place, then the answer's by the person's client."""


def cells(table: str, columns: tuple[str | None, ...]) -> list[tuple[str | None, ...]]:
    """Every cell of *table* with the head of its row and of its column."""
    rows = [[None if c == "-" else c for c in row.split()] for row in table.strip().splitlines()]
    return [
        (*row[:2], column, told)
        for row in rows
        for column, told in zip(columns, row[2:], strict=True)
    ]


@pytest.mark.parametrize(("place", "server", "opener", "told"), cells(BOARDS, OPENERS))
def test_the_language_of_a_shared_board(place, server, opener, told):
    assert board_language(place, server, opener, "en") == told


@pytest.mark.parametrize(("chosen", "place", "client", "told"), cells(ANSWERS, CLIENTS))
def test_the_language_of_a_private_word(chosen, place, client, told):
    assert answer_language(chosen, client, place) == told


@pytest.mark.parametrize("default", ["es", "en"])
def test_who_speaks_none_of_ours_gets_what_the_operator_has_set(default):
    assert board_language(None, "ja", "fr", default) == default


# ---------------------------------------------------------------- the same in a house

ANA = person("Ana", language="en-US")
BRUNO, EVA = person("Bruno"), person("Eva", language="en-GB")
ENGLISH = Where("fake", "channel", home=Home("server-1", "en-US", "channel"))


def headline(at: Desk, where: Where | None = None) -> str:
    codes = [one.screen.table for one in at.chat.messages.values()]
    return at.chat.board(codes[-1], where).screen.headline


async def test_a_board_speaks_as_its_server_does_whoever_opens_it(at):
    await at.call(BRUNO, "play", ENGLISH, game="niya")
    assert headline(at).startswith("Bruno would like to play")


async def test_where_no_server_speaks_the_opener_does(at):
    await at.call(ANA, "play", game="niya")
    assert headline(at).startswith("Ana would like to play")
    await at.call(BRUNO, "play", game="cirya")
    assert headline(at).startswith("Bruno abre")


async def test_a_board_brought_down_keeps_its_language_whoever_asks(at):
    await at.call(ANA, "play", game="niya", opponent=BRUNO)
    (message,) = at.chat.messages.values()
    code = message.screen.table
    await at.press(BRUNO, message, "Accept")
    await at.call(BRUNO, "board", table=code)
    newest = at.chat.board(code)
    assert newest.id != message.id
    assert newest.screen.language == "en"


async def test_who_passes_by_changes_the_language_of_nobody_but_himself(at):
    await at.call(BRUNO, "play", game="niya")
    (message,) = at.chat.messages.values()
    edits = message.edits
    assert (await at.call(EVA, "language", language="español")).said.startswith("Desde ahora")
    assert (await at.call(EVA, "games")).said.startswith("No tienes")
    assert (await at.call(ANA, "games")).said.startswith("You have")
    await at.call(EVA, "language", language="english")
    assert at.chat.messages[message.id].edits == edits
    assert headline(at).startswith("Bruno abre")


async def test_a_choice_is_kept_on_every_board_that_one_person_sees(at):
    alone = Where("fake", "ana", private=True)
    await at.call(ANA, "play", alone, game="niya", opponent="computer", level="1")
    assert at.chat.board(next(iter(at.chat.messages.values())).screen.table).screen.language == "en"
    await at.call(ANA, "language", language="es")
    (message,) = at.chat.messages.values()
    assert message.screen.language == "es"


async def test_spanish_of_america_is_chosen_by_the_client_and_not_by_the_command(at):
    mexican = replace(person("Lupe"), language="es-419")
    await at.call(mexican, "language", language="es")
    answer = await at.call(mexican, "help", command="play")
    assert "computadora" in answer.said


async def test_an_accent_too_many_or_too_few_is_no_other_command(at):
    for typed in ("/porqué", "porque", "PORQUÉ", "/por-qué", "/por_que"):
        assert (await at.call(BRUNO, "help", command=typed)).good


async def test_a_press_on_a_board_in_another_language_is_answered_in_the_presser_s(at):
    await at.call(BRUNO, "play", game="cirya", opponent=ANA, rated="no")
    (message,) = at.chat.messages.values()
    await at.press(ANA, message, "Aceptar")
    code = message.screen.table
    for _ in range(4):
        board = at.chat.board(code)
        table = await at.facade.services.tables.get(code)
        mover = ANA if table.players[min(table.actors())].name == "Ana" else BRUNO
        answer = await at.press(mover, board, code=board.moves[0].code)
        if isinstance(answer, MenuAnswer) and mover == ANA:
            assert answer.screen.language == "es"
            assert answer.said
            assert "¿" in answer.screen.lines[-1]
            assert "¿" not in answer.said
            return
        if isinstance(answer, MenuAnswer):
            board = at.chat.board(code)
            await at.press(mover, board, code=board.moves[0].code)
    raise AssertionError("Ana was never asked a second time")


async def test_what_else_there_is_over_a_board_in_another_language_leads_on_in_the_reader_s(at):
    await at.call(BRUNO, "play", game="niya", opponent=ANA)
    (message,) = at.chat.messages.values()
    await at.press(ANA, message, "Aceptar")
    code = encode_click(Click(Action.MORE, message.screen.table), at.facade.services.key)
    here = {"message": message.id, "whispered": True, "covers": True}
    more = await at.facade.requests.press(Press("over", at.where, ANA, code, **here))
    labels = [button.label for row in more.screen.rows for button in row]
    assert {"My board", "Back"} <= set(labels)
