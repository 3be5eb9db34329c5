"""A file is opened in chats: a whole one, a damaged one, one of 256 KB, a bomb."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from types import SimpleNamespace

import discord
import pytest

from bot.chats.discord.commands import _menu
from bot.chats.discord.inbound import Inbound
from bot.chats.telegram.reading import Known, call_of
from bot.facade import BY_ACT, Action
from games.core import CHANCE, Entry, Record
from games.core.record import LONGEST_RECORD
from tests.chats.telegram_room import NEREA, room
from tests.chats.test_sent_files import FILE_SENT, GROUP, KNOWN, SENT, update
from tests.drives.discord_house import SKIP, house
from tests.telegram_messages import private

DATA = Path(__file__).resolve().parents[1] / "data" / "outside"
FORMATS = ("01-star-head.kif", "11-ki2-digits.ki2", "22-v2.csa", "44-branch.ptn")
KIF = (DATA / FORMATS[0]).read_bytes()
BROKEN = b"position startpos moves 7g7f 9i9a"
FULL = KIF + b"\n" * (LONGEST_RECORD - len(KIF))
BOMB = b"(" * (LONGEST_RECORD + 1)
SAID = {
    "en": {"read": "from a file: moves read", "stops": "It can be read up to there", "bomb": "256"},
    "es": {
        "read": "de un archivo: jugadas leídas",
        "stops": "Hasta ahí se entiende",
        "bomb": "256",
    },
}
TEXTS = {
    "game.usi": "position startpos moves 7g7f 3c3d",
    "board.sfen": "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1",
    "board.tps": "x4,1/x5/x2,2,x2/x5/2,x4 1 3",
    "own.txt": Record("niya", ("red", "yellow"), log=(Entry(CHANCE, "M1"),)).text(),
    "pychess.pgn": '[Event "PyChess rated game"]\n[White "a"]\n[Black "b"]\n[Result "*"]\n'
    '[Variant "Shogi"]\n\n1. Pc4 Pg6 2. Bxh8=H Sxh8 *\n',
}
CASES = [
    *((name, (DATA / name).read_bytes(), "read") for name in FORMATS),
    *((name, text.encode(), "read") for name, text in TEXTS.items()),
    ("broken.usi", BROKEN, "stops"),
    ("full.kif", FULL, "read"),
    ("bomb.ptn", BOMB, "bomb"),
]
NAMES = [name for name, _, _ in CASES]


# ---------------------------------------------------------------- Discord


@pytest.mark.sampled(3)
@SKIP
@pytest.mark.parametrize(("name", "data", "told"), CASES, ids=NAMES)
async def test_on_discord_a_file_is_opened_for_its_sender_alone(
    tmp_path, monkeypatch, name, data, told
):
    async with house(tmp_path) as at:
        monkeypatch.setattr(discord.Asset, "BASE", f"{at.fake.url}/cdn")
        handle = await at.slash(at.fake.A, "open", {"file": (data, name)})
        message = await handle.reply()
        wanted = [words[told] for words in SAID.values()]
        await at.until(lambda: any(one in at.told(handle) for one in wanted), 30)
        assert message.ephemeral
        assert not at.fake.violations


async def test_on_discord_the_menu_of_a_message_opens_the_file_in_it():
    heard: list[tuple[object, ...]] = []

    class Heard:
        buttons = None  # nothing stands on these messages

        async def on_command(self, *told: object) -> None:
            heard.append(told)

    opens = partial(Inbound.on_file, Heard())
    menu = _menu("discord.open-file", discord.Message, opens)
    assert menu.type is discord.AppCommandType.message
    file, interaction = object(), object()
    await menu.callback(interaction, SimpleNamespace(attachments=[file, object()], components=[]))
    await menu.callback(interaction, SimpleNamespace(attachments=[], components=[]))
    command = BY_ACT[Action.OPEN]
    assert heard == [(interaction, command, {}, {}, file), (interaction, command, {}, {}, None)]


# ---------------------------------------------------------------- Telegram

OURS = {"id": 1, "is_bot": True, "first_name": "Ludoteca", "username": "ludoteca_bot"}


@pytest.mark.parametrize("caption", ["", "look at this", "7g7f"])
def test_on_telegram_a_file_in_the_private_chat_or_in_answer_to_us_is_opened(caption):
    alone = {"id": 7, "type": "private", "first_name": "Nerea"}
    ours = {"message_id": 4, "date": 1, "chat": GROUP, "from": OURS, "text": "board"}
    for told in ({"chat": alone}, {"reply_to_message": ours}):
        call = call_of(update(document=FILE_SENT, caption=caption, **told), KNOWN)
        assert call is not None
        assert (call.name, call.upload) == ("open", SENT)
    theirs = {**ours, "from": {**OURS, "id": 9, "username": "other_bot"}}
    answered = update(document=FILE_SENT, caption=caption, reply_to_message=theirs)
    assert call_of(answered, Known("ludoteca_bot", {})) is None


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("name", "data", "told"), CASES, ids=NAMES)
async def test_on_telegram_a_file_is_opened_in_the_private_chat(tmp_path, name, data, told):
    async with room(tmp_path) as at:
        await at.api.send_file(NEREA, name, data, "", chat=private(NEREA))
        words = SAID["es"][told]
        await at.api.until(lambda: [one for one in at.api.messages.values() if words in one.text])
        await at.settle()
