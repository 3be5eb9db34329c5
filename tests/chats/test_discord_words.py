"""What people write to the bot on Discord without a command."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from bot.chats.discord import words_to_bot
from bot.chats.discord.words_to_bot import command_of_words
from bot.session.table import PLAYING
from bot.texts import language
from games.core import phrase
from games.core.shelf import shelf
from tests.chats.discord_table import ANA, BEA, Table, fake_fixture, table_fixture
from tests.chats.fake_discord import BOT, CHANNEL, HOME

__all__ = ["fake_fixture", "table_fixture"]


NAMES = [language("es").say(phrase(f"{key}.name")) for key in shelf()]
AGAINST = [f"{name} contra el ordenador" for name in NAMES]


async def write(at: Table, who: dict, text: str, channel: str = CHANNEL, answers=None) -> None:
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
    if channel == CHANNEL:
        told |= {"guild_id": HOME, "member": {"roles": [], "joined_at": None, "deaf": False,
                                              "mute": False, "flags": 0}}  # fmt: skip
    else:
        about = {"id": channel, "type": 1, "recipients": [who], "last_message_id": None}
        await at.fake.emit("CHANNEL_CREATE", about)
    await at.fake.emit("MESSAGE_CREATE", told)


async def heard(at: Table, who: dict, text: str, channel: str = CHANNEL, answers=None):
    """What the bot answers."""
    known = {*at.fake.messages}
    await write(at, who, text, channel, answers)
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
    await at.fake.until(lambda: any(b["label"] == "Accept" for b in board.buttons))
    assert "Bea" in board.text


async def test_help_helps_in_a_channel_and_in_private(at):
    for place in (CHANNEL, "91"):
        text = "help" if place == "91" else f"<@{BOT}> help"
        assert (await heard(at, ANA, text, place)).buttons


async def test_talk_is_answered_by_one_sentence_with_keys(at):
    said = await heard(at, ANA, "hello bot, I want to play", "91")
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
    assert [button["label"] for button in said.buttons] == ["Niya con Bea"]


async def test_what_is_said_where_others_read_goes_after_a_while(at, monkeypatch):
    monkeypatch.setattr(words_to_bot, "STANDS", 0.0)
    said = await heard(at, ANA, f"<@{BOT}> what now, then?")
    await at.fake.until(lambda: said.id not in at.fake.messages)
    kept = await heard(at, ANA, "what now, then?", "91")
    await at.settle()
    assert kept.id in at.fake.messages


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


WRITTEN = {
    (f"<@{BOT}> I resign", False): ("resign", {}),
    (f"<@{BOT}> me rindo en el niya", True): ("resign", {"table": "niya"}),
    ("take back", True): ("undo", {}),
    (f"<@{BOT}> revancha", False): ("rematch", {}),
    (f"<@{BOT}> hint", False): ("help", {"command": "hint"}),
    ("sí, acepto", True): ("join", {}),
    (f"<@{BOT}> whose turn is it?", False): ("board", {}),
    (f"<@{BOT}> how do I undo my move?", False): ("undo", {}),
    ("¿Cómo me rindo?", True): ("resign", {}),
    ("quiero jugar al ajedrez", True): ("play", {}),
    ("let’s play niya", True): ("play", {"game": "niya"}),
    ("¿cómo se juega al parchís?", True): ("help", {"command": "parchís"}),
    (f"<@{BOT}> how do you play?", False): ("help", {"command": "learn"}),
    (f"<@{BOT}> how do I play niya?", False): ("help", {"command": "niya"}),
    (f"<@{BOT}> thanks!", False): ("help", {}),
    (f"<@{BOT}> play niya with <@{BOT}>", False): (
        "play",
        {"game": "niya", "opponent": "computer"},
    ),
}


@pytest.mark.parametrize(("text", "answers"), WRITTEN)
def test_a_deed_is_asked_for_in_words_by_name_and_in_reply(text, answers):
    who = SimpleNamespace(id=11, display_name="Ana", name="ana", bot=False)
    written = SimpleNamespace(
        content=text, author=who, mentions=[SimpleNamespace(id=int(BOT))], id=5,
        reference=SimpleNamespace(message_id=77) if answers else None, created_at=None,
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
    await at.fake.until(lambda: any(b["label"] == "Accept" for b in board.buttons))


@pytest.mark.parametrize("words", ["yes", f"<@{BOT}> yes", f"<@{BOT}> sí, acepto"])
async def test_a_challenge_is_accepted_in_words(at, words):
    board = await heard(at, ANA, f"<@{BOT}> niya <@12>")
    await at.fake.until(lambda: any(b["label"] == "Accept" for b in board.buttons))
    await write(at, BEA, words, answers=board)
    await at.fake.until(lambda: not any(b["label"] == "Accept" for b in board.buttons), 8)
    assert (await at.table(board)).status == PLAYING
