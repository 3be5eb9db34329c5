"""What one person alone sees on Discord goes on with its game or tournament."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from bot.chats.discord import screen_renewals
from bot.chats.discord.interaction_responses import Replies
from bot.commands import request
from bot.service.school.advice import Advice
from tests.chats.discord_table import (
    ANA,
    BEA,
    EVA,
    Table,
    discord_house,
    fake_fixture,
    table_fixture,
    unhurried_discord_fixture,
)
from tests.chats.fake_discord import EVERYTHING

__all__ = ["fake_fixture", "table_fixture", "unhurried_discord_fixture"]


@pytest.fixture(autouse=True)
def _prompt(monkeypatch, unhurried_discord):
    monkeypatch.setattr(screen_renewals, "TOGETHER", 0.0)


async def own_board(at, who, message):
    """The board of *message* that *who* alone sees, by «Más»."""
    more = await at.fake.press(who, message, message.button("Más")["custom_id"])
    mine = more.message.button("Mi tablero")["custom_id"]
    return (await at.fake.press(who, more.message, mine)).message


async def play(at, who, message, board):
    """A move of *who* on *board*, step by step."""
    while at.mover(message) == who:
        writes = board.writes
        await at.fake.press(who, board, board.moves[-1]["custom_id"])
        await at.fake.until(lambda writes=writes: board.writes > writes)
        await at.settle()


async def test_a_board_of_ones_own_goes_on_with_the_move_of_the_other(at):
    message = await at.begun("shogi")
    first = at.mover(message)
    mine = await own_board(at, first, message)
    await play(at, first, message, mine)
    await at.fake.until(lambda: not mine.moves)
    assert "Te toca" not in mine.text
    second = await own_board(at, at.mover(message), message)
    pictures, writes = mine.pictures, mine.writes
    await play(at, at.mover(message), message, second)
    await at.fake.until(lambda: mine.moves)
    assert f"Te toca, {first['global_name']}" in mine.text
    assert mine.pictures != pictures
    assert mine.writes > writes


async def test_whoever_only_keeps_a_board_of_ones_own_open_is_not_taken_for_present(at):
    message = await at.begun("shogi")
    waiting = ANA if at.mover(message) == BEA else BEA
    mine = await own_board(at, waiting, message)
    presence, seen = at.facade.services.presence, []
    presence.when_seen(lambda _, person: seen.append(person))
    while at.mover(message) != waiting:
        await at.move(message)
    await at.fake.until(lambda: mine.moves)
    assert len({*seen}) == 1  # only whoever has moved


async def test_before_its_token_ends_a_copy_says_that_it_rests_and_leads_on(at, monkeypatch):
    message = await at.begun("shogi")
    mine = await own_board(at, at.mover(message), message)
    monkeypatch.setattr(screen_renewals, "TOKEN_LIFE", timedelta(seconds=21))
    mine = await own_board(at, at.mover(message), message)
    await at.fake.until(lambda: "ya no cambia por sí sola" in mine.text)
    asked = await at.fake.press(at.mover(message), mine, mine.button("Ver el tablero")["custom_id"])
    assert asked.type == 7
    assert "ya no cambia" not in mine.text


async def test_a_tournament_that_one_looks_at_alone_shows_who_enters(at):
    card = (await at.fake.slash(ANA, "tournament", {}, permissions=EVERYTHING)).message
    for label in ("Torneo de Niya", "Abrir el torneo"):
        await at.fake.until(lambda label=label: label in [b["label"] for b in card.buttons])
        await at.fake.press(ANA, card, card.button(label)["custom_id"], permissions=EVERYTHING)
    poster = lambda: [m for m in at.boards() if any(b["label"] == "Más" for b in m.buttons)]  # noqa: E731
    await at.fake.until(poster)
    (poster,) = poster()
    own = (await at.fake.press(ANA, poster, poster.button("Más")["custom_id"])).message
    assert own.ephemeral
    for who in (BEA, EVA):
        await at.fake.press(who, poster, poster.button("Apuntarme")["custom_id"])
        await at.fake.until(lambda who=who: who["global_name"] in own.text)


async def test_the_organizer_s_own_panel_goes_on_to_the_round_that_is_paired_meanwhile(
    at, monkeypatch
):
    card = (await at.fake.slash(ANA, "tournament", {}, permissions=EVERYTHING)).message
    for label in ("Torneo de Niya", "Abrir el torneo"):
        await at.fake.until(lambda label=label: label in [b["label"] for b in card.buttons])
        await at.fake.press(ANA, card, card.button(label)["custom_id"], permissions=EVERYTHING)
    await at.settle()
    (poster,) = at.boards()
    for who in (ANA, BEA, EVA):
        await at.fake.press(who, poster, poster.button("Apuntarme")["custom_id"])
    own = (await at.fake.press(ANA, poster, poster.button("Más")["custom_id"])).message
    ask, paired = Replies.ask, at.facade.process_duties.deadlines.tournaments.expire

    async def ask_late(self, reply, screen, picture):
        await paired()  # the round is there before the panel is shown
        await ask(self, reply, screen, picture)

    monkeypatch.setattr(Replies, "ask", ask_late)
    await at.fake.press(ANA, own, own.button("Empezar ya")["custom_id"], permissions=EVERYTHING)
    await at.fake.until(lambda: "Ronda 1" in own.text)


async def test_a_wrong_answer_to_a_puzzle_that_takes_thought_is_told_in_the_one_message(
    at, monkeypatch
):
    monkeypatch.setattr(request, "PROMPT", 0.0)
    board = (await at.fake.slash(ANA, "puzzle", {"game": "shogi"})).message
    asks = next(b for b in board.buttons if at.facade.boards.buttons.click(b["custom_id"]).asks)
    asked = await at.fake.press(ANA, board, asks["custom_id"])
    (label,) = asked.data["components"]
    example = label["description"].removeprefix("Por ejemplo: ")
    messages, writes = len(at.fake.messages), board.writes
    sent = await at.fake.send_form(ANA, asked, example)
    await at.fake.until(lambda writes=writes: board.writes > writes)
    await at.settle()
    assert "❌" in board.text
    assert not sent.said
    assert len(at.fake.messages) == messages


async def test_a_late_answer_to_an_older_press_does_not_cover_that_to_a_newer_one(at, monkeypatch):
    monkeypatch.setattr(request, "PROMPT", 0.0)
    found = asyncio.Event()

    async def refute(*_):
        await found.wait()

    monkeypatch.setattr(Advice, "refute", refute)
    board = (await at.fake.slash(ANA, "puzzle", {"game": "shogi"})).message
    asks = next(b for b in board.buttons if at.facade.boards.buttons.click(b["custom_id"]).asks)
    asked = await at.fake.press(ANA, board, asks["custom_id"])
    (label,) = asked.data["components"]
    await at.fake.send_form(ANA, asked, label["description"].removeprefix("Por ejemplo: "))
    await at.fake.press(ANA, board, board.moves[0]["custom_id"])
    newer = board.text
    found.set()
    await at.settle()
    await asyncio.sleep(0.1)
    assert board.text == newer
    assert "❌" not in newer


async def test_presses_on_a_message_of_ones_own_are_answered_in_their_order(at, monkeypatch):
    board = (await at.fake.slash(ANA, "puzzle", {"game": "shogi"})).message
    asked, order = at.facade.requests.press, []

    async def press(one):
        await asyncio.sleep(0.3 if one.code == codes[0] else 0.0)
        answer = await asked(one)
        order.append(one.code)
        return answer

    monkeypatch.setattr(at.facade.requests, "press", press)
    codes = [one["custom_id"] for one in board.moves[:2]]
    first = asyncio.create_task(at.fake.press(ANA, board, codes[0]))
    await asyncio.sleep(0.1)
    await at.fake.press(ANA, board, codes[1])
    await first
    assert order == codes


async def undo_asked(at):
    """A game in which its first mover asks to take a move back; the board, who, their message."""
    message = await at.begun("shogi")
    first = at.mover(message)
    await at.move(message)
    while at.mover(message) == first:
        await at.move(message)
    more = await at.fake.press(first, message, message.button("Más")["custom_id"])
    undo = next(b for b in more.message.buttons if b["label"] == "Deshacer")
    await at.fake.press(first, more.message, undo["custom_id"])
    mine = more.message
    await at.fake.until(lambda: "Falta que te contesten" in mine.text)
    return message, first, mine


async def test_who_asked_to_take_a_move_back_is_told_that_the_game_has_gone_on(at):
    message, first, mine = await undo_asked(at)
    while at.mover(message) != first:
        await at.move(message)
    await at.fake.until(lambda: "La partida ha seguido" in mine.text)
    await at.move(message)
    await at.fake.until(lambda: "La partida ha seguido" not in mine.text)


async def test_a_move_taken_back_is_no_game_that_has_gone_on(at):
    message, first, mine = await undo_asked(at)
    code = (await at.table(message)).code
    await at.fake.slash(BEA if first == ANA else ANA, "undo", {"table": code})
    await at.fake.until(lambda: mine.moves)
    for _ in range(4):
        await at.move(message)
        await at.settle()
        await asyncio.sleep(0.1)
        assert "La partida ha seguido" not in mine.text


async def test_a_board_opens_as_ones_own_from_the_menu_of_its_message(at):
    message = await at.begun("shogi")
    data = {
        "id": "1", "name": "Abrir en Ludoteca", "type": 3, "target_id": message.id,
        "resolved": {"messages": {message.id: at.fake.out(message)}},
    }  # fmt: skip
    data["name"] = next(
        c["name"] for c in at.fake.commands if c.get("type") == 3 and "Ludoteca" in str(c)
    )
    asked = await at.fake.ask(EVA, 2, data)
    await at.fake.until(lambda: asked.message)
    assert asked.message.ephemeral
    assert asked.message.pictures


SCREENS = {
    "play": {}, "rules": {"game": "niya"}, "learn": {"game": "niya"}, "top": {},
    "puzzle": {"game": "niya"}, "today": {}, "profile": {}, "tournament": {}, "holidays": {},
    "settings": {}, "place": {}, "privacy": {}, "help": {}, "resign": {}, "words": {"text": "¡va!"},
    "forgetme": {},
}  # fmt: skip
"""What one alone is shown: a command that brings each kind, with its options."""


async def test_one_press_after_a_restart_is_enough_on_whatever_one_alone_was_shown(at, tmp_path):
    shown = [await own_board(at, ANA, await at.begun(game)) for game in ("shogi", "niya")]
    for name, options in SCREENS.items():
        asked = await at.fake.slash(ANA, name, options, permissions=EVERYTHING)
        shown.append(asked.message)
    await at.facade.stop()
    at.fake.socket = None
    async with discord_house(tmp_path) as facade:
        await at.fake.until(lambda: at.fake.socket is not None)
        for screen in shown:
            assert screen.ephemeral
            before, (key, *_) = screen.writes, screen.buttons
            asked = await at.fake.press(ANA, screen, key["custom_id"], permissions=EVERYTHING)
            await facade.settled()
            goes_on = asked.type in (6, 7) and screen.writes > before
            opens = asked.type == 9 or (asked.message is not None and asked.message.text)
            assert goes_on or opens, (screen.text, key["label"])
            told = asked.message.text if asked.type == 4 else screen.text
            assert "Ese botón" not in told, (screen.text, key["label"])


async def test_a_copy_of_before_a_restart_is_shown_anew_where_the_other_is_to_move(at, tmp_path):
    message = await at.begun("shogi")
    mover = at.mover(message)
    mine = await own_board(at, mover, message)
    await at.facade.stop()
    at.fake.socket = None
    async with discord_house(tmp_path) as facade:
        await at.fake.until(lambda: at.fake.socket is not None)
        again = Table(at.fake, facade)
        await again.typed(message)
        await again.settle()
        asked = await at.fake.press(mover, mine, mine.moves[0]["custom_id"])
        assert asked.type == 7
        assert "Le toca a" in mine.text
        assert not mine.moves


async def test_who_gives_the_same_wrong_move_again_hears_that_nothing_has_changed(at):
    """The screen stayed as it was, and nothing was said."""
    shown = (await at.fake.slash(ANA, "puzzle", {"game": "niya"})).message
    code = ""
    while code not in {one["custom_id"] for one in shown.moves}:
        code = shown.moves[0]["custom_id"]
        for _ in range(2):  # the second time it says less
            asked = await at.fake.press(ANA, shown, code)
            await at.settle()
            assert asked.said == []
    again = await at.fake.press(ANA, shown, code)
    await at.fake.until(lambda: again.said)
    assert [one.text for one in again.said] == ["Ya estaba así."]


async def test_who_chooses_what_is_chosen_hears_so(at):
    sheet = (await at.fake.slash(ANA, "tournament", permissions=EVERYTHING)).message
    game = sheet.button("Torneo de Niya")["custom_id"]
    sheet = (await at.fake.press(ANA, sheet, game, permissions=EVERYTHING)).message
    format_ = next(one["options"][0]["value"] for one in sheet.parts(3))
    first, again = [await at.fake.choose(ANA, sheet, format_) for _ in range(2)]
    await at.fake.until(lambda: again.said)
    assert [one.text for one in again.said] == ["Ya estaba así."]
    assert first.said == []
