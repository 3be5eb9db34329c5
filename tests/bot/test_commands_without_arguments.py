"""Commands given without what they need answer with buttons, and change nothing."""

from __future__ import annotations

import pytest

from bot.commands.dispatcher import INCOMPLETE
from bot.port import Button, Card, Command, Press, Said, Where
from bot.presenters.button_codes import Action
from bot.presenters.command_specs import COMMANDS
from bot.presenters.typed_command_parser import parse
from games.core.shelf import shelf
from tests.fakes import UPDATES, Desk, person

NEREA, BRUNO, EVA = person("Nerea"), person("Bruno"), person("Eva")
ALONE = Where("fake", "private", private=True)


async def whispered(at: Desk, who, name: str) -> Card:
    """The answer to the bare command *name* that nobody else reads."""
    call = Command(f"b{next(UPDATES)}", at.where, who, name, whispered=True)
    answer = await at.facade.requests.call(call)
    await at.settle()
    assert isinstance(answer, Card), answer
    return answer


async def person_of(at: Desk, who) -> int:
    return (await at.facade.services.people.of(who)).id


def buttons(card: Card) -> dict[str, Button]:
    return {button.label: button for row in card.screen.buttons for button in row}


async def against_the_computer(at: Desk) -> str:
    await at.call(NEREA, "play", game="niya", opponent="computer", begins="red", side="red")
    return list(at.chat.messages.values())[-1].screen.table


def test_every_command_that_needs_something_has_an_answer_without_it():
    needing = {command.act for command in COMMANDS if any(p.required for p in command.parameters)}
    assert needing == set(INCOMPLETE)


@pytest.mark.sampled(9)
@pytest.mark.parametrize("name", [c.name for c in COMMANDS if c.name not in ("board", "help")])
async def test_a_bare_command_at_no_table_is_no_dead_end(at, name):
    call = Command(f"b{next(UPDATES)}", ALONE, NEREA, name)
    answer = await at.facade.requests.call(call)
    assert isinstance(answer, Card) or answer.good or answer.leads, answer
    if isinstance(answer, Card):
        assert answer.screen.buttons or answer.screen.choices
    assert not at.chat.messages


async def test_move_alone_shows_the_movers_choices_to_him(at):
    await against_the_computer(at)
    card = await whispered(at, NEREA, "move")
    assert [b for b in buttons(card).values() if b.style == "move"]
    before = len(at.chat.messages)
    first = next(b for b in buttons(card).values() if b.style == "move")
    press = Press(f"b{next(UPDATES)}", at.where, NEREA, first.code, "card", own=True)
    assert (await at.facade.requests.press(press)).good
    assert len(at.chat.messages) == before


async def test_move_alone_in_private_brings_the_board(at):
    await at.call(NEREA, "play", ALONE, game="niya", opponent="computer")
    before = list(at.chat.messages)
    await at.call(NEREA, "move", ALONE)
    assert at.chat.removed == before
    assert len(at.chat.messages) == 2


@pytest.mark.parametrize("command", ["move", "board"])
@pytest.mark.parametrize("whispers", [True, False])
async def test_a_game_of_one_s_private_chat_is_shown_to_nobody_else(at, command, whispers):
    await at.call(NEREA, "play", ALONE, game="niya", opponent="computer")
    before = list(at.chat.messages)
    card = await (whispered(at, NEREA, command) if whispers else at.call(NEREA, command))
    await at.settle()
    assert isinstance(card, Card)
    assert list(at.chat.messages) == before
    code = next(iter(at.chat.messages.values())).screen.table
    await at.call(NEREA, "board", table=code)
    await at.settle()
    assert at.chat.board(code, at.where).screen.table == code


async def test_why_alone_gives_an_example_that_works(at):
    await against_the_computer(at)
    card = await whispered(at, NEREA, "why")
    move = card.screen.headline.split("/por_que ")[1].split(",")[0]
    assert (await at.call(NEREA, "why", move=move)).good


async def test_join_alone_offers_the_tables_that_wait_here(at):
    await at.call(BRUNO, "play", game="niya")
    card = await whispered(at, NEREA, "join")
    (label,) = [one for one in buttons(card) if one.startswith("Sentarme: Niya con Bruno")]
    press = Press(f"b{next(UPDATES)}", at.where, NEREA, buttons(card)[label].code, "card", own=True)
    assert (await at.facade.requests.press(press)).good
    await at.settle()
    (board,) = at.chat.messages.values()
    assert board.moves
    assert "Niya con Bruno" not in "".join(buttons(await whispered(at, BRUNO, "join")))


async def test_language_alone_offers_the_languages(at):
    card = await whispered(at, NEREA, "language")
    assert list(buttons(card)) == ["español", "English"]
    english = buttons(card)["English"].code
    press = Press(f"b{next(UPDATES)}", at.where, NEREA, english, "card", own=True)
    assert (await at.facade.requests.press(press)).good
    again = await whispered(at, NEREA, "language")
    assert again.screen.headline == "Which language shall we speak?"


async def test_rules_alone_offers_the_games(at):
    card = await whispered(at, NEREA, "rules")
    assert "Shogi" in buttons(card)
    press = Press(f"b{next(UPDATES)}", at.where, NEREA, buttons(card)["Shogi"].code, "card")
    answer = await at.facade.requests.press(press)
    assert answer.screen.headline.startswith("Shogi: ")


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["close", "leave", "resign"])
async def test_where_several_tables_may_be_meant_each_is_a_button(at, name):
    playing = [await against_the_computer(at), await against_the_computer(at)]
    codes = playing
    if name in ("close", "leave"):
        codes = []
        for _ in range(2):
            await at.call(NEREA, "play", game="shogi")
            codes.append(list(at.chat.messages.values())[-1].screen.table)
    card = await whispered(at, NEREA, name)
    shown = {label[-len(codes[0]) :]: button.code[0] for label, button in buttons(card).items()}
    act = next(command.act for command in COMMANDS if command.name == name)
    # Who leaves a game that is played resigns it.
    resigned = dict.fromkeys(playing if name == "leave" else (), Action.RESIGN.value)
    assert shown == resigned | dict.fromkeys(codes, act.value)


async def test_a_typed_move_is_played_at_the_table_that_is_chosen_for_it(at):
    tables = at.facade.services.tables
    first = shelf()["cirya"].rules.sides[0]
    for _ in range(2):
        await at.call(NEREA, "play", game="cirya", opponent="ordenador", level="1", side=first)
    lines = await tables.list_lines(("playing",), person=(await person_of(at, NEREA)))
    one = await tables.get(lines[0].code)
    (seat,) = one.actors()
    move = one.game.notation.written(one.present, one.present.legal_moves(seat)[0])
    shown = at.card(await at.call(NEREA, "move", move=move))
    assert shown.screen.headline == "¿En cuál de tus mesas?"
    key = next(one for one in shown.screen.rows if lines[1].code in one[0].label)[0]
    answer = await at.press(NEREA, shown, code=key.code)
    assert answer.good
    assert (await tables.get(lines[0].code)).log == one.log
    assert (await tables.get(lines[1].code)).log[len(one.log)].text == move


async def test_what_is_typed_and_not_taken_at_one_table_may_be_given_at_another(at):
    for _ in range(2):
        await against_the_computer(at)
    shown = at.card(await at.call(NEREA, "move", move="zz99"))
    for _ in range(2):
        for row in shown.screen.rows[:2]:
            answer = await at.press(NEREA, shown, code=row[0].code)
            assert isinstance(answer, Said), answer


async def two_games_one_in_turn(at: Desk) -> tuple[str, str]:
    """Nerea's tables of Niya, where she is to move, and of Shogi, where Bruno is."""
    await against_the_computer(at)
    await at.call(BRUNO, "play", game="shogi", opponent="@nerea", side="sente", begins="sente")
    board = list(at.chat.messages.values())[-1]
    await at.press(NEREA, board, board.screen.buttons[0][0].label)
    lines = await at.facade.services.tables.list_lines(
        ("playing",), person=await person_of(at, NEREA)
    )
    codes = {line.game: line.code for line in lines}
    return codes["niya"], codes["shogi"]


@pytest.mark.parametrize("name", ["resign", "leave"])
async def test_what_ends_or_changes_a_game_asks_which_though_one_is_in_turn(at, name):
    niya, shogi = await two_games_one_in_turn(at)
    card = await whispered(at, NEREA, name)
    assert card.screen.headline == "¿En cuál de tus mesas?"
    assert len([one for one in buttons(card) if niya in one or shogi in one]) == 2


@pytest.mark.parametrize("typed", ["Shogi", "ajedrez japonés"])
async def test_the_name_of_a_game_chooses_among_ones_tables_of_it(at, typed):
    await two_games_one_in_turn(at)
    command, values = parse(f"/rendirse {typed}")
    asked = at.card(await at.call(NEREA, command.name, **values))
    assert asked.screen.headline == "Shogi con Bruno"
    refused = await at.call(NEREA, "resign", table="parchis")
    assert refused.said.startswith("No tienes ninguna mesa de Parchís.")
