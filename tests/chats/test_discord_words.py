"""What people write to the bot on Discord without a command."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace

import pytest

from bot.chats.discord import words_to_bot
from bot.chats.discord.words_to_bot import command_of_words
from bot.facade import FleetingMessages, fleeting_messages
from bot.port import Where
from bot.service.person.people import Presence
from bot.session.offers import asked_of
from bot.session.table import ENDED, OPEN, PLAYING
from bot.texts import language
from games.core import phrase
from games.core.shelf import shelf
from storage import bot_settings
from tests.chats.discord_messages import Refused
from tests.chats.discord_table import (
    ANA,
    BEA,
    EVA,
    Table,
    discord_house,
    fake_fixture,
    table_fixture,
)
from tests.chats.fake_discord import BOT, CHANNEL, HOME
from tests.chats.test_discord_interaction_responses import storill
from tests.chats.test_discord_tournament import MANAGER, press

__all__ = ["fake_fixture", "table_fixture"]


NAMES = [language("es").say(phrase(f"{key}.name")) for key in shelf()]
AGAINST = [f"{name} contra el ordenador" for name in NAMES]


async def write(
    at: Table, who: dict, text: str, channel: str = CHANNEL, answers=None, told_keys: bool = True
) -> None:
    """*who* writes *text*, of which the bot is sent the words only where it is spoken to."""
    number = str(int(next(at.fake._ids)))
    told = {
        "id": number, "channel_id": channel, "author": who, "type": 0, "content": text,
        "timestamp": "2026-01-01T00:00:00+00:00", "edited_timestamp": None, "tts": False,
        "mention_everyone": False, "mention_roles": [], "attachments": [], "embeds": [],
        "pinned": False, "flags": 0, "components": [],
        "mentions": [at.fake.user(BOT)] * (f"<@{BOT}>" in text) + [BEA] * ("<@12>" in text),
    }  # fmt: skip
    if answers is not None:
        told["message_reference"] = {"message_id": answers.id, "channel_id": channel}
        told["mentions"] = [at.fake.user(BOT)]
        told |= {"referenced_message": at.fake.out(answers), "type": 19} if told_keys else {}
    if channel == CHANNEL:
        told |= {"guild_id": HOME, "member": {"roles": [], "joined_at": None, "deaf": False,
                                              "mute": False, "flags": 0}}  # fmt: skip
    else:
        about = {"id": channel, "type": 1, "recipients": [who], "last_message_id": None}
        await at.fake.emit("CHANNEL_CREATE", about)
    await at.fake.emit("MESSAGE_CREATE", told)


async def heard(at: Table, who: dict, text: str, channel: str = CHANNEL, answers=None, **more):
    """What the bot answers."""
    known = {*at.fake.messages}
    await write(at, who, text, channel, answers, **more)
    await at.fake.until(lambda: {*at.fake.messages} - known)
    return next(one for key, one in at.fake.messages.items() if key not in known)


async def test_a_move_is_made_by_whoever_names_the_bot(at):
    message = await at.begun("shogi")
    table = await at.table(message)
    (seat,) = table.actors()
    move = table.game.notation.written(table.present, table.present.legal_moves(seat)[0])
    writes = message.writes
    await write(at, at.mover(message), f"<@{BOT}> {move}")
    await at.fake.until(lambda: message.writes > writes)
    assert await at.moves(message) == 1


async def test_the_name_of_a_game_opens_a_table_and_challenges_whom_it_names(at):
    board = await heard(at, ANA, f"<@{BOT}> niya <@12>")
    await at.fake.until(lambda: any(b["label"] == "Accept" for b in board.buttons), 8)
    assert "Bea" in board.text


async def test_help_helps_in_a_channel_and_in_private(at):
    for place in (CHANNEL, "91"):
        text = "help" if place == "91" else f"<@{BOT}> help"
        assert (await heard(at, ANA, text, place)).buttons


async def test_settings_asked_for_below_what_others_read_are_for_whoever_presses_alone(at):
    menu = await heard(at, ANA, f"<@{BOT}> help")
    labels, writes = [one["label"] for one in menu.buttons], menu.writes
    pressed = next(one for one in menu.buttons if one["label"] in ("Settings", "Ajustes"))
    asked = await at.fake.press(EVA, menu, pressed["custom_id"])
    await at.settle()
    assert (menu.writes, [one["label"] for one in menu.buttons]) == (writes, labels)
    assert asked.message.ephemeral
    assert asked.message.id != menu.id


async def test_talk_is_answered_by_one_sentence_with_keys(at):
    said = await heard(at, ANA, "hola, bot, llueve mucho", "91")
    assert "No te he entendido" in said.text
    assert [b["label"] for b in said.buttons][1:] == [*AGAINST, "Aprender", "Problemas", "Ayuda"]
    named = await heard(at, ANA, f"so, <@{BOT}>, well then")
    assert "I didn’t understand" in named.text
    assert [b["label"] for b in named.buttons] == [*NAMES, "Help"]


async def test_words_where_others_read_are_no_answer_to_a_lesson_of_one_s_own(at):
    await at.fake.slash(ANA, "learn", {"game": "niya"})
    said = await heard(at, ANA, f"<@{BOT}> cheers!")
    assert [b["label"] for b in said.buttons] == [*NAMES, "Ayuda"]


async def test_one_s_games_asked_for_in_words_lead_to_their_boards(at):
    await at.begun("niya")
    said = await heard(at, ANA, "mis partidas", "91")
    (key,) = said.buttons
    assert key["label"] == "Niya con Bea"
    await at.fake.press(ANA, said, key["custom_id"])
    await at.fake.until(lambda: any(one.channel == "91" and one.pictures for one in at.boards()))


async def test_what_is_said_where_others_read_goes_after_a_while(at, monkeypatch):
    monkeypatch.setattr(words_to_bot, "STANDS", 0.0)
    said = await heard(at, ANA, f"<@{BOT}> what now, then?")
    await at.fake.until(lambda: said.id not in at.fake.messages)
    kept = await heard(at, ANA, "what now, then?", "91")
    await at.settle()
    assert kept.id in at.fake.messages


async def test_what_is_said_where_others_read_goes_after_a_kill_too(at, monkeypatch, tmp_path):
    said = await heard(at, ANA, f"<@{BOT}> what now, then?")
    await at.settle()
    # As a kill would leave it.
    monkeypatch.setattr(fleeting_messages.FleetingMessages, "close", lambda self: at.settle())
    await at.facade.stop()
    assert said.id in at.fake.messages
    at.fake.socket = None
    monkeypatch.setattr(fleeting_messages, "LONGEST", 0.1)
    async with discord_house(tmp_path) as facade:
        await at.fake.until(lambda: said.id not in at.fake.messages)
        while await facade.store.read(bot_settings.load_setting, "discord-fleeting") != "[]":
            await asyncio.sleep(0.01)


async def test_what_several_processes_note_to_go_stands_beside_each_other(at):
    ours, theirs = (FleetingMessages(at.facade.notes, "discord", at.settle) for _ in range(2))
    where = Where("discord", CHANNEL)
    await ours.note(where, "1", 240.0)
    await theirs.take_up()
    await theirs.note(where, "2", 240.0)
    await ours.note(where, "3", 240.0)
    kept = await at.facade.store.read(bot_settings.load_setting, "discord-fleeting")
    assert [message for _, message, *_ in json.loads(kept)] == ["1", "2", "3"]
    ours.closing.set()
    theirs.closing.set()


async def test_what_is_written_to_others_is_left_alone(at):
    asked = len(at.fake.requests)
    await write(at, ANA, "niya")
    await write(at, {**ANA, "bot": True}, f"<@{BOT}> niya")
    await heard(at, BEA, f"<@{BOT}> help")
    assert len([line for line, _ in at.fake.requests[asked:] if "messages" in line]) == 1


async def test_words_in_private_are_answered_in_the_language_that_their_writer_has_shown(at):
    await at.fake.slash(ANA, "help", locale="en-US")
    said = await heard(at, ANA, "well then", "91")
    assert "I didn’t understand" in said.text


@pytest.mark.parametrize(
    ("text", "answer", "next_words", "next_answer"),
    [
        ("hello bot, nice to meet you", "I didn’t understand", "brr", "I didn’t understand"),
        ("hola, bot", "No te he entendido", "hello bot, nice to meet you", "I didn’t"),
        ("hola, computadora", "contra la computadora", "brr", "contra la computadora"),
    ],
)
async def test_who_has_told_no_language_is_answered_in_that_of_their_words(
    at, text, answer, next_words, next_answer
):
    """What they have written first counts until their program tells another."""
    assert answer in all_words(await heard(at, EVA, text, "91"))
    assert next_answer in all_words(await heard(at, EVA, next_words, "91"))
    await at.fake.slash(EVA, "help", locale="es-ES")
    last = await heard(at, EVA, "brr", "91")
    assert "contra el ordenador" in all_words(last)


async def test_a_board_opened_by_words_speaks_as_the_program_of_who_opens_it_has_told(at):
    await at.fake.slash(EVA, "help", locale="en-GB")
    board = await heard(at, EVA, "niya contra la máquina", "91")
    await at.fake.until(lambda: "In words" in [one["label"] for one in board.buttons])


def all_words(message) -> str:
    return f"{message.text} {[one['label'] for one in message.buttons]}"


WRITTEN = {
    (f"<@{BOT}> I resign", False): ("resign", {}),
    (f"<@{BOT}> me rindo en el niya", True): ("resign", {"table": "niya"}),
    ("take back", True): ("undo", {}),
    (f"<@{BOT}> revancha", False): ("rematch", {}),
    (f"<@{BOT}> hint", False): ("help", {"command": "hint"}),
    ("sí, acepto", True): ("yes", {"move": "sí, acepto"}),
    ("no, gracias", True): ("no", {"move": "no, gracias"}),
    ("Vale, ¡la revancha!", True): ("rematch", {}),
    ("no quiero tablas", True): ("no", {"move": "no quiero tablas"}),
    ("ok, thanks", True): ("yes", {"move": "ok, thanks"}),
    (f"<@{BOT}> whose turn is it?", False): ("board", {}),
    (f"<@{BOT}> how do I undo my move?", False): ("undo", {}),
    ("¿Cómo me rindo?", True): ("resign", {}),
    ("quiero jugar al ajedrez", True): ("play", {}),
    ("ok let us play", True): ("play", {}),
    ("let’s play niya", True): ("play", {"game": "niya"}),
    ("¿cómo se juega al parchís?", True): ("help", {"command": "parchís"}),
    (f"<@{BOT}> how do you play?", False): ("help", {"command": "learn"}),
    (f"<@{BOT}> how do I play niya?", False): ("help", {"command": "niya"}),
    (f"<@{BOT}> give me a puzzle of niya", False): ("help", {"command": "puzzle niya"}),
    (f"<@{BOT}> thanks!", False): ("help", {}),
    (f"<@{BOT}> play niya with <@{BOT}>", False): (
        "play",
        {"game": "niya", "opponent": "computer"},
    ),
}


@pytest.mark.parametrize(("text", "answers"), WRITTEN)
def test_a_deed_is_asked_for_in_words_by_name_and_in_reply(text, answers):
    who = SimpleNamespace(id=11, display_name="Ana", name="ana", bot=False)
    reference = SimpleNamespace(message_id=77, resolved=None) if answers else None
    written = SimpleNamespace(
        content=text, author=who, mentions=[SimpleNamespace(id=int(BOT))], id=5,
        reference=reference, created_at=None,
        channel=SimpleNamespace(id=300),
        guild=SimpleNamespace(id=7, preferred_locale=SimpleNamespace(value="es-ES")),
    )  # fmt: skip
    call = command_of_words(written, int(BOT))
    assert (call.name, call.values) == WRITTEN[text, answers]
    assert call.reply_to == ("77" if answers else None)


async def test_the_bot_named_as_an_opponent_is_the_computer(at):
    board = await heard(at, ANA, f"<@{BOT}> play niya with <@{BOT}>")
    await at.fake.until(lambda: board.buttons)
    assert (await at.table(board)).status == PLAYING


async def test_a_sentence_challenges_whom_it_names(at):
    board = await heard(at, ANA, f"<@{BOT}> challenge <@12> to niya")
    await at.fake.until(lambda: any(b["label"] == "Accept" for b in board.buttons), 8)


@pytest.mark.parametrize("words", ["yes", f"<@{BOT}> yes", f"<@{BOT}> sí, acepto"])
async def test_a_challenge_is_accepted_in_words(at, words):
    board = await heard(at, ANA, f"<@{BOT}> niya <@12>")
    await at.fake.until(lambda: any(b["label"] == "Accept" for b in board.buttons), 8)
    await write(at, BEA, words, answers=board)
    await at.fake.until(lambda: not any(b["label"] == "Accept" for b in board.buttons), 8)
    assert (await at.table(board)).status == PLAYING


async def offered(at: Table):
    """A game in which Ana has offered Bea a draw: its board."""
    board = await storill(at)
    await at.fake.slash(ANA, "draw", {"table": (await at.table(board)).code})
    await at.fake.until(lambda: any(b["label"] == "Aceptar tablas" for b in board.buttons), 8)
    return board


@pytest.mark.parametrize(
    ("words", "accepted"),
    [(f"<@{BOT}> sí", True), ("vale", True), ("sure", True),
     ("no gracias", False), (f"<@{BOT}> no", False)],
)  # fmt: skip
async def test_an_offer_is_answered_in_words(at, words, accepted):
    board = await offered(at)
    await write(at, BEA, words, answers=None if "<" in words else board)
    await at.fake.until(lambda: not any(b["label"] == "Aceptar tablas" for b in board.buttons), 8)
    assert (await at.table(board)).status == (ENDED if accepted else PLAYING)


async def challenged(at: Table):
    """A challenge by Eva that names Bea: its board."""
    board = await heard(at, EVA, f"<@{BOT}> shogi <@12>")
    await at.fake.until(lambda: any(b["label"] == "Accept" for b in board.buttons), 8)
    return board


@pytest.mark.parametrize(
    ("words", "resigns"),
    [("yes", True), ("Sí, seguro", True), ("no", False), ("no, gracias", False)],
)
async def test_yes_and_no_press_the_keys_of_the_question_that_they_reply_to(at, words, resigns):
    table = await at.table(await storill(at))
    challenge = await at.table(await challenged(at))
    asked = await heard(at, BEA, f"<@{BOT}> me rindo en {NAMES[-1]}")
    assert len(asked.buttons) == 2
    said = await heard(at, BEA, f"<@{BOT}> {words}", answers=asked)
    assert said.text
    tables = at.facade.services.tables
    assert ((await tables.get(table.code)).status != PLAYING) == resigns
    assert (await tables.get(challenge.code)).status == OPEN


@pytest.mark.parametrize("words", ["me apunto", "Apuntarme", f"<@{BOT}> ¡me apunto al torneo!"])
async def test_who_replies_to_a_poster_that_they_enter_is_entered(at, words):
    card = (await at.fake.slash(ANA, "tournament", **MANAGER)).message
    card = await press(at, ANA, card, "Torneo de Niya") or card
    await press(at, ANA, card, "Abrir el torneo")
    (poster,) = at.boards()
    said = await heard(at, BEA, words, answers=poster)
    assert "Te has apuntado" in said.text


@pytest.mark.parametrize(
    ("words", "resigns"),
    [("sí", False), ("Sí, seguro", True), ("Yes, I’m sure", False), ("no", False)],
)
async def test_the_question_asked_last_is_answered_by_the_words_on_its_keys(at, words, resigns):
    table = await at.table(await storill(at))
    await heard(at, BEA, f"<@{BOT}> me rindo")
    await heard(at, ANA, f"<@{BOT}> {words}")
    tables = at.facade.services.tables
    assert (await tables.get(table.code)).status == PLAYING
    await heard(at, BEA, f"<@{BOT}> {words}")
    assert ((await tables.get(table.code)).status != PLAYING) == resigns


async def test_nobody_else_answers_a_question_in_words(at):
    table = await at.table(await storill(at))
    asked = await heard(at, BEA, f"<@{BOT}> me rindo")
    said = await heard(at, ANA, "yes", answers=asked)
    assert "pregunta no es para ti" in said.text or "isn’t for you" in said.text
    assert (await at.facade.services.tables.get(table.code)).status == PLAYING


async def test_yes_to_what_has_no_keys_begins_no_game(at):
    challenge = await at.table(await challenged(at))
    asked = await heard(at, BEA, f"<@{BOT}> well then")
    said = await heard(at, BEA, "yes", answers=asked, told_keys=False)
    assert "press its key" in said.text or "pulsa la tecla" in said.text
    assert (await at.facade.services.tables.get(challenge.code)).status == OPEN


async def test_a_table_for_anybody_is_taken_by_words_only_in_reply_to_it(at):
    board = await heard(at, EVA, f"<@{BOT}> niya")
    table = await at.table(board)
    assert not asked_of(0, table)
    helped = await heard(at, BEA, f"<@{BOT}> help")
    for answers in (None, helped):
        await heard(at, BEA, f"<@{BOT}> yes", answers=answers)
        assert (await at.facade.services.tables.get(table.code)).status == OPEN
    await write(at, BEA, "yes", answers=board)
    await at.fake.until(lambda: board.moves, 8)


async def test_words_about_a_game_are_no_answer_to_a_lesson_elsewhere(at):
    await challenged(at)
    await at.fake.slash(BEA, "puzzle", {"game": "cirya"})
    listed = await heard(at, BEA, "mis partidas", "92")
    said = await heard(at, BEA, "sure, why not", "92", answers=listed)
    assert "cirya" not in said.text


async def test_of_several_offers_words_ask_which_is_meant(at):
    boards = [await offered(at), await offered(at)]
    codes = [(await at.table(one)).code for one in boards]
    said = await heard(at, BEA, f"<@{BOT}> vale")
    assert len(said.buttons) == len(boards)
    await at.fake.press(BEA, said, said.buttons[0]["custom_id"])
    found = [await at.facade.services.tables.get(code) for code in codes]
    assert sorted(one.status for one in found) == [ENDED, PLAYING]


@pytest.mark.parametrize(
    ("words", "shown"),
    [("problema de parchís", "Parchís"), ("dame las reglas del shogi", "Shogi")],
)
async def test_what_is_wished_where_others_read_is_given_by_a_key(at, words, shown):
    said = await heard(at, ANA, f"<@{BOT}> {words}")
    (key,) = said.buttons
    asked = await at.fake.press(EVA, said, key["custom_id"])
    await at.fake.until(lambda: asked.message is not None and shown in asked.message.text, 8)
    assert asked.message.ephemeral


async def test_a_hint_wished_where_others_read_is_given_by_a_key(at):
    board = await at.begun("shogi")
    said = await heard(at, ANA, f"<@{BOT}> dame una pista")
    (key,) = said.buttons
    asked = await at.fake.press(at.mover(board), said, key["custom_id"])
    await at.fake.until(lambda: asked.message is not None and asked.message.text, 8)
    assert asked.message.ephemeral


@pytest.mark.parametrize("words", ["ver el tablero", "show the board", "Tablero"])
async def test_the_board_is_shown_to_whoever_asks_for_it_in_words(at, words):
    await at.begun("niya")
    said = await heard(at, BEA, words, "92")
    await at.fake.until(lambda: "Niya · " in said.text and said.pictures, 8)


def refuse_files(at: Table, monkeypatch, code: int) -> None:
    """Let Discord refuse with *code* what is posted with a file."""
    answered = at.fake._answer

    def refusing(line, body, pictures):
        if pictures and line.startswith("POST /channels"):
            raise Refused(403, code)
        return answered(line, body, pictures)

    monkeypatch.setattr(at.fake, "_answer", refusing)


@pytest.mark.parametrize("code", [400001, 50013])
@pytest.mark.parametrize("words", ["cómo se juega al parchís?", "tablero"])
async def test_a_refused_picture_costs_the_picture_and_not_the_answer(at, monkeypatch, words, code):
    await at.begun("parchis")
    refuse_files(at, monkeypatch, code)
    said = await heard(at, EVA, f"<@{BOT}> {words}")
    assert said.text
    assert not said.pictures


@pytest.mark.parametrize("code", [400001, 50013])
@pytest.mark.parametrize("words", ["repetición", "tarjeta"])
async def test_a_refused_file_is_told_with_a_way_to_it(at, monkeypatch, words, code):
    await at.move(await at.begun("niya"))
    asked = await at.fake.slash(ANA, "resign")
    await at.fake.press(ANA, asked.message, asked.message.button("Sí, seguro")["custom_id"])
    await at.settle()
    refuse_files(at, monkeypatch, code)
    said = await heard(at, BEA, f"<@{BOT}> {words}")
    assert "no me dejan adjuntar archivos" in said.text
    assert "en un mensaje privado" in said.text


async def test_a_file_refused_to_a_command_is_told_with_a_way_to_it(at, monkeypatch):
    await at.begun("parchis")
    answered = at.fake._answer

    def refusing(line, body, pictures):
        if pictures:
            raise Refused(403, 400001)
        return answered(line, body, pictures)

    monkeypatch.setattr(at.fake, "_answer", refusing)
    asked = await at.fake.slash(ANA, "record", {})
    await at.fake.until(lambda: asked.said or asked.message)
    await at.settle()
    told = " ".join(one.text for one in (*asked.said, asked.message) if one)
    assert "en un mensaje privado" in told


async def test_a_rematch_asked_for_in_private_leads_to_its_board(at):
    await at.move(await at.begun("niya"))
    asked = await at.fake.slash(ANA, "resign")
    await at.fake.press(ANA, asked.message, asked.message.button("Sí, seguro")["custom_id"])
    await at.settle()
    said = await heard(at, ANA, "revancha", "91")
    assert said.buttons, said.text
    begun = await heard(at, BEA, "revancha", "92")
    assert "Empieza la revancha" in begun.text
    (key,) = begun.buttons
    await at.fake.press(BEA, begun, key["custom_id"])
    await at.fake.until(lambda: any(one.channel == "92" and one.pictures for one in at.boards()))


async def test_yes_to_nothing_changes_nothing(at):
    board = await at.begun("niya")
    before = await at.moves(board)
    said = await heard(at, BEA, "vale", answers=board)
    assert said.text
    assert await at.moves(board) == before


async def test_a_call_has_a_key_that_shows_the_board_after_that_was_brought_down(at, monkeypatch):
    monkeypatch.setattr(Presence, "looking", lambda *_: 0.0)
    board = await at.begun("niya")
    await at.move(board)
    mover = at.mover(board)

    def calls():
        return [one for one in at.boards() if f"<@{mover['id']}>" in one.text and not one.moves]

    await at.fake.until(calls, 8)
    await at.fake.slash(BEA if mover is ANA else ANA, "board", {})
    await at.fake.until(lambda: board.id not in at.fake.messages, 8)
    (key,) = calls()[-1].buttons
    known = {*at.fake.messages}
    await at.fake.press(mover, calls()[-1], key["custom_id"])
    await at.fake.until(lambda: any(one.moves for one in at.boards() if one.id not in known), 8)
