"""What is asked in a group is answered for it, and makes things there, wherever the answer is."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from bot.chats.telegram.reading import payload_of
from bot.facade import LimitVerdict
from bot.port import Where
from bot.presenters.button_codes import Action, Click, encode_click
from bot.presenters.command_specs import COMMANDS
from bot.service.request_rate_limits import Limits
from bot.service.table.changes import Update
from bot.session import play
from storage.schema import alert, draft, tournament, view
from tests.chats.telegram_room import EVA, NEREA, Room, room
from tests.chats.test_telegram_pace import spent
from tests.telegram_api import Api, Asked
from tests.telegram_messages import GROUP, Shown, private

HOME = private(NEREA)

MANAGER = {"status": "creator", "is_anonymous": False}


class ManagedGroup(Api):
    """A group of which everybody is the owner."""

    def getchatmember(self, asked: Asked) -> dict:
        who = {"id": int(asked.values["user_id"]), "is_bot": False, "first_name": "x"}
        return {**MANAGER, "user": who}


@pytest.fixture
async def at(tmp_path, monkeypatch):
    async def judge(*_: object, **__: object) -> LimitVerdict:
        return LimitVerdict.TAKEN

    monkeypatch.setattr(Limits, "judge", judge)
    async with room(tmp_path, api=ManagedGroup()) as opened_room:
        yield opened_room


async def says(at: Room, line: str, who: dict = NEREA, chat: dict = GROUP) -> list[Shown]:
    """What comes of *line*."""
    before, asked = set(at.api.messages), len(at.api.asked)
    await at.api.say(who, line, chat)
    await at.api.until(lambda: any(one.method != "getUpdates" for one in at.api.asked[asked:]))
    await at.settle()
    return [one for key, one in at.api.messages.items() if key not in before]


async def opened(at: Room, who: dict = NEREA) -> None:
    """Let *who* open the private chat."""
    await says(at, "/start", who, private(who))


def full(at: Room) -> None:
    """Let the group take nothing that can stand elsewhere."""
    at.chat._answers.posting.pacing.is_busy = lambda where: True


async def made_in(at: Room, place: int) -> set[str]:
    """What was made in *place*, by the names of tables."""
    found = set()
    async with at.facade.store.reading() as tx:
        for table in (alert, draft, tournament, view):
            rows = await tx.execute(select(table.c.place))
            found |= {table.name for row in rows if row[0] == str(place)}
    return found


@pytest.mark.slow
async def test_every_command_of_a_regular_makes_what_it_makes_in_the_group(at):
    await opened(at)
    answered = 0
    for command in COMMANDS:
        shown = await says(at, f"/{command.name_in('es')}")
        lists = [len(shown)] if command.name == "join" else []
        for number, one in enumerate(shown, 1):
            if one.chat == HOME["id"]:
                answered += 1
                assert one.text.startswith(("En Club: ", "In Club: ")) or one.document, command.name
            for code in [
                b["callback_data"] for row in one.rows for b in row if "callback_data" in b
            ]:
                heard = await at.press(NEREA, one, code)
                assert "ya no existe" not in heard.get("text", ""), (command.name, code)
            if number in lists:  # the list of games is a card of its own
                shown += [m for m in list(at.api.messages.values())[-2:] if m not in shown]
            assert not await made_in(at, HOME["id"]), command.name
    assert answered > 5
    assert await made_in(at, GROUP["id"]) >= {"alert", "draft"}


async def test_lists_whose_buttons_make_something_stand_in_the_group(at):
    await opened(at)
    for line in ("/unirse", "/torneo", "/jugar", "/ayuda", "/reglas niya"):
        (shown,) = await says(at, line)
        assert shown.chat == GROUP["id"], line


async def test_a_card_in_private_is_about_its_group_also_after_a_restart(tmp_path):
    async with room(tmp_path, api=ManagedGroup()) as at:
        await opened(at)
        full(at)
        (ladder,) = (m for m in await says(at, "/clasificacion") if m.chat == HOME["id"])
        assert ladder.text.startswith("En Club: Clasificación de Cirya · este sitio")
        await at.press(NEREA, ladder, ladder.code("Niya"))
        assert ladder.text.startswith("En Club: Clasificación de Niya · este sitio")
    async with room(tmp_path, api=at.api) as at:
        await at.press(NEREA, ladder, ladder.code("Shogi"))
        assert ladder.text.startswith("En Club: Clasificación de Shogi · este sitio")


async def test_a_board_that_is_asked_for_in_private_comes_in_private(at):
    await opened(at)
    board = await at.begun()
    spent(at, 4)
    (card,) = (m for m in await says(at, "/deshacer") if m.chat == HOME["id"])
    edits = board.edits
    await at.press(NEREA, card, card.code("Ver el tablero"))
    shown = await at.api.until(lambda: at.api.board(HOME["id"]))
    assert shown.text.startswith("En Club: ")
    assert board.edits == edits


async def test_what_is_asked_in_private_is_about_no_group(at):
    await opened(at)
    (ladder,) = await says(at, "/clasificacion", chat=HOME)
    assert "En Club" not in ladder.text


@pytest.mark.parametrize("line", ["/clasificacion", "/perfil"])
async def test_who_stands_where_is_answered_in_the_group_that_asks_it(at, line):
    await opened(at)
    shown = await says(at, line)
    assert [one.chat for one in shown] == [GROUP["id"]]


async def test_whoever_follows_the_link_from_a_group_is_answered_for_it(at):
    full(at)
    (link,) = await says(at, "/clasificacion", EVA)
    payload = link.rows[0][0]["url"].split("start=")[1]
    ladder = (await says(at, f"/start {payload}", EVA, private(EVA)))[-1]
    assert ladder.text.startswith("En Club: Clasificación de Cirya · este sitio")
    await at.press(EVA, ladder, ladder.code("Niya"))
    assert ladder.text.startswith("En Club: Clasificación de Niya · este sitio")


async def test_who_follows_the_link_of_another_does_nothing_in_the_group(at):
    (shown,) = await says(at, "/torneo")
    payload = payload_of(shown.code("Torneo de Niya"))
    await says(at, f"/start {payload}", EVA, private(EVA))
    assert not await made_in(at, GROUP["id"])
    assert not await made_in(at, EVA["id"])


@pytest.mark.parametrize("way", ["Más", "En palabras"])
async def test_a_board_in_private_says_where_its_game_is_as_long_as_it_follows_it(at, way):
    board = await at.begun()
    mover = at.mover(board)
    await opened(at, mover)
    heard = await at.press(mover, board, board.code(way))
    payload = heard["url"].split("start=")[1]
    card = (await says(at, f"/start {payload}", mover, private(mover)))[-1]
    assert card.text.startswith("En Club: ")
    assert "porque en el grupo lo verían todos" in card.text
    if way == "Más":
        await at.press(mover, card, card.code("Mi tablero"))
        card = await at.api.until(lambda: at.api.board(private(mover)["id"]))
    assert card.text.startswith("En Club: ")
    assert card.text.count("En Club") == 1
    table = await at.table(card)
    moves = (b["callback_data"] for row in card.rows for b in row if "callback_data" in b)
    clicks = at.facade.boards.buttons.click
    await at.press(mover, card, next(one for one in moves if clicks(one).act is Action.MOVE))
    after = await at.api.until(lambda: at.api.board(private(mover)["id"]))
    assert "Le toca a" in after.text
    assert after.text.startswith("En Club: ")
    assert (await at.table(after)).code == table.code


async def test_the_ladder_below_a_finished_board_in_private_stands_beside_it(at):
    board = await at.begun()
    mover = at.mover(board)
    await opened(at, mover)
    table, key = await at.table(board), at.facade.services.key
    own = encode_click(Click(Action.MINE, table.code), key)
    heard = await at.press(mover, board, own)
    payload = heard["url"].split("start=")[1]
    mine = (await says(at, f"/start {payload}", mover, private(mover)))[-1]
    origin = Update("test", "resigned")
    await at.facade.services.changes.change(origin, table.code, lambda work: play.resign(work, 0))
    await at.settle()
    mine = at.api.board(private(mover)["id"])
    about = Where("telegram", str(GROUP["id"]))
    here = Where("telegram", str(mover["id"]), private=True, about=about)
    await at.chat._answers.cards.note(here, str(mine.id))
    words, before = mine.text, set(at.api.messages)
    await at.press(mover, mine, encode_click(Click(Action.TOP, table.code, 0, ("niya",)), key))
    (ladder,) = [one for key, one in at.api.messages.items() if key not in before]
    assert ladder.text.startswith("En Club: Clasificación de Niya")
    assert mine.text == words


@pytest.mark.parametrize(
    ("act", "method"), [(Action.REPLAY, "sendAnimation"), (Action.KEEPSAKE, "sendPhoto")]
)
async def test_a_film_or_a_card_asked_for_in_private_comes_in_private(at, act, method):
    board = await at.begun()
    mover = at.mover(board)
    await opened(at, mover)
    table, key = await at.table(board), at.facade.services.key
    await at.press(mover, board, board.moves[0])
    own = encode_click(Click(Action.MINE, table.code), key)
    heard = await at.press(mover, board, own)
    payload = heard["url"].split("start=")[1]
    mine = (await says(at, f"/start {payload}", mover, private(mover)))[-1]
    origin = Update("test", "resigned")
    await at.facade.services.changes.change(origin, table.code, lambda work: play.resign(work, 0))
    await at.settle()
    mine = at.api.board(private(mover)["id"])
    about = Where("telegram", str(GROUP["id"]))
    here = Where("telegram", str(mover["id"]), private=True, about=about)
    await at.chat._answers.cards.note(here, str(mine.id))
    before = len(at.api.calls(method))
    await at.press(mover, mine, encode_click(Click(act, table.code), key))
    found = await at.api.until(lambda: at.api.calls(method)[before:])
    assert [int(one.values["chat_id"]) for one in found] == [private(mover)["id"]]
    await at.press(mover, board, encode_click(Click(act, table.code), key))
    there = await at.api.until(lambda: at.api.calls(method)[before + 1 :])
    assert [int(one.values["chat_id"]) for one in there] == [GROUP["id"]], "it is new there"


async def test_what_is_said_of_a_typed_move_is_said_where_it_was_typed(at):
    await opened(at)
    for _ in range(2):
        await says(at, "/jugar cirya ordenador amistosa")
    spent(at, 4)
    (asked,) = await says(at, "/mover zz99")
    assert asked.chat == GROUP["id"]
    assert "¿En cuál de tus mesas?" in asked.text
