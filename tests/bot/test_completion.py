"""What completes a move while it is typed: every spelling, and which of several tables."""

from __future__ import annotations

import itertools

import pytest

from bot.commands.completion import (
    MOST_SUGGESTIONS,
    LegalMove,
    PartialInput,
    TableMoves,
    suggestions,
    unaccented,
)
from bot.port import Command
from bot.presenters.command_specs import ParameterKind
from games.core.shelf import shelf
from tests.fakes import UPDATES, Desk, person

NEREA, BRUNO, ANNE = person("Nerea"), person("Bruno"), person("Anne", language="en")


async def begun(at: Desk, game: str) -> str:
    await at.call(NEREA, "play", game=game, opponent=BRUNO)
    message = list(at.chat.messages.values())[-1]
    await at.press(BRUNO, message, "Aceptar")
    return message.screen.table


async def mover(at: Desk, code: str):
    table = await at.facade.services.tables.get(code)
    seat = min(table.actors())
    return next(one for one in (NEREA, BRUNO) if one.name == table.players[seat].name)


async def completed(at: Desk, who, text: str, command: str = "move", **values: str):
    call = Command(f"u{next(UPDATES)}", at.where, who, command, values)
    return await at.facade.requests.suggest(call, "move", text)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("text", ["P-7f", "７六歩", "76fu", "7g7f", "P7F", "peon", "peón", "pawn"])
@pytest.mark.parametrize("command", ["move", "why"])
async def test_any_spelling_of_a_move_completes_it(at, text, command):
    code = await begun(at, "shogi")
    found = await completed(at, await mover(at, code), text, command)
    assert "7g7f" in [one.value for one in found]
    assert len(found) <= MOST_SUGGESTIONS


@pytest.mark.sampled
@pytest.mark.parametrize("text", ["peón 7f", "7f peon", "pawn 7f"])
async def test_the_words_for_a_piece_and_where_it_goes_complete_its_move(at, text):
    code = await begun(at, "shogi")
    found = await completed(at, await mover(at, code), text)
    assert [one.value for one in found] == ["7g7f"]


async def test_what_is_completed_can_be_played(at):
    code = await begun(at, "shogi")
    who = await mover(at, code)
    (first,) = await completed(at, who, "76fu")
    assert (await at.call(who, "move", move=first.value)).good
    assert len((await at.facade.services.tables.get(code)).log) == 1


def moves_at(code: str, *written: str) -> TableMoves:
    return TableMoves(code, "shogi", tuple(LegalMove(one, one, (one,)) for one in written))


def test_the_shortest_stands_first_and_beginnings_before_the_rest():
    moves = moves_at("AAAAAA", "7g7f+", "5e7g", "7g7f", "7g", "2h2g")
    found = suggestions(PartialInput(ParameterKind.MOVE, "7G", {}, (), (moves,), "es"))
    assert [one.value for one in found] == ["7g", "7g7f", "7g7f+", "5e7g"]


def test_every_table_has_its_share_of_what_is_shown():
    tables = [moves_at(code, *(f"m{n}" for n in range(90))) for code in ("AAAAAA", "BBBBBB")]
    found = suggestions(PartialInput(ParameterKind.MOVE, "", {}, (), tables, "es"))
    codes = [one.value.rpartition("#")[2] for one in found]
    assert [len(list(group)) for _, group in itertools.groupby(codes)] == [
        MOST_SUGGESTIONS // 2
    ] * 2


@pytest.mark.slow
async def test_with_two_tables_each_completion_names_its_own_and_is_found_there(at):
    niya, shogi = await begun(at, "niya"), await begun(at, "shogi")
    if await mover(at, niya) is not await mover(at, shogi):
        board = at.chat.board(niya)
        await at.press(await mover(at, niya), board, code=board.moves[0].code)
    who = await mover(at, niya)
    found = await completed(at, who, "")
    assert {one.value.rpartition(" #")[2] for one in found} == {niya, shogi}
    assert all((f"Niya {niya}" in one.label) == one.value.endswith(niya) for one in found)
    first = {code: next(one for one in found if one.value.endswith(code)) for code in (niya, shogi)}
    before = {code: len((await at.facade.services.tables.get(code)).log) for code in first}
    for code, chosen in first.items():
        assert (await at.call(who, "why", move=chosen.value)).good
        assert (await at.call(who, "move", move=chosen.value)).good
        assert len((await at.facade.services.tables.get(code)).log) > before[code]


async def test_a_move_may_name_its_table_as_it_is_typed(at):
    code = await begun(at, "shogi")
    who = await mover(at, code)
    assert [one.value for one in await completed(at, who, f"76fu #{code.lower()}")] == ["7g7f"]
    assert (await at.call(who, "move", move=f"76fu #{code.lower()}")).good


async def test_who_is_not_to_move_is_offered_nothing(at):
    code = await begun(at, "shogi")
    other = BRUNO if await mover(at, code) is NEREA else NEREA
    assert not await completed(at, other, "")
    assert not await completed(at, ANNE, "", table=code)


@pytest.mark.sampled
@pytest.mark.parametrize("game", shelf())
async def test_every_completion_of_every_game_is_a_move(at, game):
    code = await begun(at, game)
    who, table = await mover(at, code), await at.facade.services.tables.get(code)
    found = await completed(at, who, "", table=code)
    assert 0 < len(found) <= MOST_SUGGESTIONS
    moves = table.present.legal_moves(min(table.actors()))
    assert {one.value for one in found} <= {
        table.game.notation.written(table.present, move) for move in moves
    }


def test_accents_and_widths_are_no_matter():
    assert unaccented("Peón") == unaccented("ＰＥＯＮ") == "peon"
    assert unaccented("Storilljuðjorrayc") == "storilljuðjorrayc"


@pytest.mark.parametrize(("typed", "code"), [("par", "parchis"), ("shogi", "shogi")])
def test_help_is_completed_with_games_as_well(typed, code):
    found = suggestions(PartialInput(ParameterKind.COMMAND, typed, {}, (), (), "es"))
    assert code in [one.value for one in found]


@pytest.mark.parametrize(
    ("who", "text", "words"),
    [(NEREA, "err", "errores temas tormenta"), (ANNE, "MIS", "mistakes themes storm")],
)
async def test_beside_the_games_of_puzzles_stand_the_words_for_others_of_them(at, who, text, words):
    call = Command(f"u{next(UPDATES)}", at.where, who, "puzzle", {})
    word, *_ = words.split()
    assert word in [one.value for one in await at.facade.requests.suggest(call, "game", text)]
    every = [one.value for one in await at.facade.requests.suggest(call, "game", "")]
    assert every == [*shelf(), *words.split()]
    learned = Command(f"u{next(UPDATES)}", at.where, who, "learn", {})
    assert word not in [one.value for one in await at.facade.requests.suggest(learned, "game", "")]
