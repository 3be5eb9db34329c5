"""The way from a board in Telegram to the same table on our page, where that is public."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from bot.chats.telegram.outbound import Outbound
from bot.port import Button, Screen, Where
from bot.presenters.button_codes import NO_TABLE
from render.scene import Scene
from tests.chats.telegram_room import room

PUBLIC = "https://play.example.org"


PRIVATE = Where("telegram", "11", private=True)
IN_GROUP = Where("telegram", "-100200")
BOARD = Screen("NIYA01", 3, "Te toca", language="es", scene=Scene("niya", None, ()))


@dataclass
class Bot:
    """What is known of a bot: its name, and whether it has a main app."""

    has_main_web_app: bool
    username: str = "ludoteca_bot"

    @property
    def bot(self):
        return self


def ways(where: Where, screen: Screen = BOARD, page: str = f"{PUBLIC}/m/", *, main: bool = True):
    """The buttons below *screen* in *where*."""
    markup = Outbound(Bot(main), page).markup(screen, where)
    return [] if markup is None else [b.to_dict() for row in markup.inline_keyboard for b in row]


def test_in_a_private_chat_the_button_opens_that_very_table():
    opens = {"url": f"{PUBLIC}/m/?table=NIYA01"}
    assert ways(PRIVATE) == [{"text": "Abrir el tablero", "web_app": opens}]


def test_in_a_group_it_is_a_link_where_the_bot_has_a_main_app():
    link = "https://t.me/ludoteca_bot?startapp=NIYA01"
    assert ways(IN_GROUP) == [{"text": "Abrir el tablero", "url": link}]
    assert ways(IN_GROUP, main=False) == []


def test_a_crowded_group_is_told_once_a_table_where_nobody_waits():
    def tells(screen: Screen, out: Outbound) -> bool:
        return "sin esperar" in out.words(screen, 1024)

    out, crowded = Outbound(Bot(True), f"{PUBLIC}/m/"), replace(BOARD, crowded=True)
    later, another = replace(crowded, version=4), replace(crowded, table="NIYA02")
    told = [tells(one, out) for one in (BOARD, crowded, crowded, later, another)]
    assert told == [False, True, True, False, True]
    assert not tells(crowded, Outbound(Bot(False), f"{PUBLIC}/m/"))


@pytest.mark.parametrize("where", [PRIVATE, IN_GROUP])
def test_what_is_no_board_leads_nowhere_nor_does_one_without_a_public_address(where):
    assert ways(where, page="") == []
    assert ways(where, replace(BOARD, scene=None)) == []
    assert ways(where, replace(BOARD, table=NO_TABLE)) == []


async def test_choosing_under_a_picture_leaves_the_way_to_the_table_there():
    edited = []

    class Editing(Bot):
        async def edit_message_caption(self, **told):
            edited.append(told["reply_markup"])

    screen = replace(BOARD, rows=((Button("C4", "code"),),))
    assert await Outbound(Editing(True), f"{PUBLIC}/m/").rekey(PRIVATE, "7", screen)
    (markup,) = edited
    labels = [button.text for row in markup.inline_keyboard for button in row]
    assert labels == ["C4", "Abrir el tablero"]


async def test_the_menu_button_opens_the_page_and_the_commands_where_it_is_gone(tmp_path):
    seen = []
    for settings in ({"web_public_url": PUBLIC}, {"web_public_url": PUBLIC}, {}):
        async with room(tmp_path, **settings) as at:
            seen.append([one["menu_button"] for one in told(at.api)])
    assert [len(one) for one in seen] == [1, 0, 1], "told again only where it is another"
    assert seen[0][0] == {
        "type": "web_app",
        "text": "Mis mesas",
        "web_app": {"url": f"{PUBLIC}/m/"},
    }
    assert seen[2][0] == {"type": "commands"}


def told(api) -> list[dict]:
    """What was said of the menu button."""
    return [one.values for one in api.asked if one.method.casefold() == "setchatmenubutton"]


def test_what_is_to_be_pasted_elsewhere_is_copied_by_one_key():
    row = ("Ludoteca · jugada n.º 29 🃏 Niya", "✅  a la primera", f"{PUBLIC}/today/29")
    (key,) = ways(PRIVATE, replace(BOARD, table=NO_TABLE, pasted=row, lines=row))
    assert key == {"text": "Copiar", "copy_text": {"text": "\n".join(row)}}
