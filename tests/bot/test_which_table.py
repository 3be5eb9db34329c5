"""Which table a command means, where several could be meant."""

from __future__ import annotations

import pytest

from bot.port import Card, Said
from bot.presenters.table.notifications import NotificationWords
from bot.texts.orthography import shortened
from tests.fakes import Desk, desk, person

NEREA, BRUNO, EVA = person("Nerea"), person("Bruno"), person("Eva")


@pytest.fixture
async def at(tmp_path):
    async with desk(tmp_path) as house:
        yield house


async def begun(at: Desk, game: str, rated: str = "no", **more: str) -> str:
    """A game between Nerea and Bruno; its table's code."""
    await at.call(NEREA, "play", game=game, rated=rated, seats="2", **more)
    code = list(at.chat.messages.values())[-1].screen.table
    await at.call(BRUNO, "join", table=code)
    return code


async def table_of(at: Desk, code: str):
    return await at.facade.services.tables.get(code)


async def test_a_move_is_made_where_alone_it_is_legal(at):
    codes = [await begun(at, game, side=side) for game, side in (("shogi", "sente"), ("cirya", ""))]
    tables = [await table_of(at, code) for code in codes]
    turns = [table.players[min(table.actors())].name for table in tables]
    who = NEREA if turns[0] == "Nerea" else BRUNO
    table = tables[0]
    (seat,) = table.actors()
    move = table.game.notation.written(table.present, table.present.legal_moves(seat)[0])
    answer = await at.call(who, "move", move=move)
    assert answer.good
    assert not isinstance(answer, Card)
    assert len((await table_of(at, codes[0])).log) == len(table.log) + 1
    assert len((await table_of(at, codes[1])).log) == len(tables[1].log)


async def test_who_plays_sees_the_board_of_what_lives_and_not_the_last_final(at):
    over = await begun(at, "shogi")
    living = await begun(at, "shogi")
    answer = await at.call(NEREA, "resign", table=over)
    await at.press(NEREA, at.card(answer), code=answer.screen.rows[0][0].code)
    assert (await table_of(at, over)).status == "ended"
    await at.call(NEREA, "board")
    assert list(at.chat.messages.values())[-1].screen.table == living


async def test_a_stranger_is_asked_for_one_of_the_tables_here(at):
    for _ in range(2):
        await begun(at, "shogi")
    assert (await at.call(EVA, "board")).screen.headline == "¿Cuál de las mesas de aquí?"


async def test_who_joins_is_asked_for_one_of_the_tables_here_which_are_not_theirs(at):
    for _ in range(2):
        await at.call(NEREA, "play", game="niya")
    asked = await at.call(EVA, "join", table="niya")
    assert asked.screen.headline == "¿Cuál de las mesas de aquí?"


DRAWS = ("storilljudhjorrayc", "parchis", "parchis")
"""One game in which draws are agreed, and others."""

DEEDS = {"draw": "tablas", "undo": "deshac", "pause": "reloj", "close": "7 días", "hint": "pista"}
"""What can be done at none of the tables below, and of what the sentence speaks."""


@pytest.mark.parametrize(("name", "about"), DEEDS.items())
async def test_where_it_can_be_done_at_none_of_several_tables_that_is_said_with_a_way_on(
    at, name, about
):
    for _ in range(2):
        await begun(at, "parchis")
    answer = await at.call(NEREA, name)
    assert isinstance(answer, Said), answer
    assert about in answer.said.casefold()
    assert [row[0].label for row in answer.leads.rows] == ["Mis mesas"]


async def test_of_several_reasons_none_is_told(at):
    await begun(at, "parchis")
    await begun(at, "shogi", rated="yes")
    answer = await at.call(NEREA, "undo")
    assert answer.said == "En ninguna de tus partidas se puede hacer eso ahora."


async def test_a_table_where_it_can_be_done_is_meant_though_there_are_others(at):
    drawable, *_ = [await begun(at, game) for game in DRAWS]
    assert (await at.call(NEREA, "draw")).good
    assert (await table_of(at, drawable)).offered("draw")
    answer = await at.call(BRUNO, "draw")
    assert answer.good
    assert (await table_of(at, drawable)).status == "ended"


@pytest.mark.parametrize("name", ["rematch", "review", "card", "replay"])
async def test_what_follows_the_end_is_asked_of_no_game_that_is_on(at, name):
    for game in ("niya", "shogi"):
        await begun(at, game)
    answer = await at.call(NEREA, name)
    assert isinstance(answer, Said), answer
    assert not answer.good
    assert "¿" not in answer.said


async def test_a_rematch_is_asked_of_no_game_that_has_been_followed(at):
    ended = [await begun(at, "niya"), await begun(at, "shogi")]
    for code in ended:
        asked = at.card(await at.call(NEREA, "resign", table=code))
        await at.press(NEREA, asked, code=asked.screen.rows[0][0].code)
    for who in (NEREA, BRUNO):
        await at.call(who, "rematch", table=ended[0])
    assert (await at.call(NEREA, "rematch")).good
    assert (await table_of(at, ended[1])).offered("rematch")


async def test_whoever_joins_is_asked_for_no_full_table(at):
    await begun(at, "niya")
    await at.call(NEREA, "play", game="niya")
    waiting = list(at.chat.messages.values())[-1].screen.table
    assert (await at.call(EVA, "join", table="niya")).good
    assert [one.name for one in (await table_of(at, waiting)).players] == ["Nerea", "Eva"]


async def test_an_empty_chair_is_named_as_no_person(at):
    for _ in range(2):
        await at.call(NEREA, "play", game="niya")
    code = list(at.chat.messages.values())[-1].screen.table
    which = (await at.call(NEREA, "close")).screen.rows
    assert {row[0].label[:19] for row in which} == {"Niya, falta alguien"}
    question = (await at.call(NEREA, "close", table=code)).screen
    assert question.headline == "Niya, falta alguien"
    for reason in ("moved", "idle"):
        table = await table_of(at, code)
        told = NotificationWords(table, "es").said(reason, list(table.people()))
        assert "contra" not in told


async def test_a_long_key_to_a_table_carries_its_code(at):
    longer = person("Bartolomé Domínguez de la Cuadra")
    await at.call(NEREA, "play", game="storilljudhjorrayc", opponent=longer)
    code = list(at.chat.messages.values())[-1].screen.table
    answer = await at.call(NEREA, "games")
    (label,) = [one.label for row in answer.leads.rows for one in row]
    assert shortened(label, 38).endswith(code)


async def test_a_table_that_cannot_be_closed_is_not_among_those_that_can(at):
    await begun(at, "niya")
    for _ in range(2):
        await at.call(NEREA, "play", game="shogi")
    card = at.card(await at.call(NEREA, "close"))
    assert [row[0].label.partition(",")[0] for row in card.screen.rows] == ["Shogi", "Shogi"]


async def test_to_leave_a_game_that_is_on_asks_whether_to_resign_it(at):
    codes = [await begun(at, "niya") for _ in range(2)]
    card = at.card(await at.call(NEREA, "leave"))
    assert len(card.screen.rows) == len(codes)
    asked = await at.press(NEREA, card, code=card.screen.rows[0][0].code)
    assert "rindes" in str(at.card(asked).screen.lines)


async def test_each_key_to_one_of_one_s_tables_tells_which(at):
    codes = [await begun(at, "niya"), await begun(at, "niya")]
    await begun(at, "shogi")
    for _ in range(2):
        await at.call(NEREA, "play", game="cirya")
    answer = await at.call(NEREA, "games")
    labels = [one.label for row in answer.leads.rows for one in row]
    assert "Shogi con Bruno" in labels
    assert {f"Niya con Bruno · {code}" for code in codes} <= {*labels}
    assert len({*labels}) == len(labels) == 5
    rows = (await at.call(NEREA, "join")).screen.rows
    told = [one.label for row in rows for one in row]
    assert len({*told}) == len(told)


async def mover_at(at: Desk, code: str):
    table = await table_of(at, code)
    return NEREA if table.players[min(table.actors())].name == "Nerea" else BRUNO


@pytest.mark.parametrize("words", ["tira el dado", "roll the dice", "dado"])
async def test_the_die_is_thrown_in_words_as_by_its_key(at, words):
    codes = [await begun(at, "parchis") for _ in range(3)]
    movers = [await mover_at(at, code) for code in codes]
    mover = max(movers, key=movers.count)
    shown = at.card(await at.call(mover, "move", move=words))
    assert shown.screen.headline == "¿En cuál de tus mesas?"
    code = codes[movers.index(mover)]
    key = next(row[0] for row in shown.screen.rows if code in row[0].label)
    before = len((await table_of(at, code)).log)
    assert (await at.press(mover, shown, code=key.code)).good
    assert (await table_of(at, code)).log[before].text == "tirar"


async def test_whoever_is_not_to_throw_hears_who_is_and_talk_is_no_move_of_theirs(at):
    mover = await mover_at(at, await begun(at, "parchis"))
    other = BRUNO if mover is NEREA else NEREA
    refused = await at.call(other, "move", move="tira el dado")
    assert refused.said == f"Ahora juega {mover.name}."
    for who in (mover, other):
        said = await at.call(who, "move", move="ajedrez")
        assert said.said.startswith("No te he entendido. Sé jugar a Cirya")
        assert [row[0].label for row in said.leads.rows][:2] == ["Cirya", "Niya"]


async def test_odds_are_asked_of_a_game_that_does_not_count(at):
    assert (await table_of(at, await begun(at, "niya", rated="yes"))).competes
    await at.call(NEREA, "play", game="niya", opponent="ordenador", side="rojo", begins="rojo")
    answer = await at.call(NEREA, "odds")
    assert answer.good, answer.said
    assert not isinstance(answer, Card)


async def test_a_question_that_names_a_game_is_of_the_tables_of_that_game(at):
    await begun(at, "shogi", side="sente")
    await begun(at, "niya", side="rojo", begins="rojo")
    assert isinstance(await at.call(NEREA, "move", move="¿quién va ganando?"), Card)
    answer = await at.call(NEREA, "move", move="¿quién va ganando el niya?")
    assert not isinstance(answer, Card)


async def test_whoever_comes_to_a_full_table_has_a_key_to_its_board(at):
    code = await begun(at, "shogi")
    answer = await at.call(EVA, "join", table=code)
    assert isinstance(answer, Said)
    assert "Ahora miras" in answer.said
    (key,) = [one for row in answer.leads.rows for one in row]
    assert key.label == "Ver el tablero"
    shown = await at.press(EVA, at.card(Card(answer.leads)), code=key.code)
    assert shown.screen.table == code
