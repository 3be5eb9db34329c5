"""Names that look empty, that call somebody, or that lead elsewhere."""

import re
from dataclasses import replace
from importlib import resources

import pytest
from sqlalchemy import text

from bot.chats.discord.markdown import escape
from bot.chats.telegram.message_formatting import body, harmless, mention_links, toast
from bot.commands.table.creation import read_game_request
from bot.port import Asker, Screen
from bot.presenters.table.viewers import is_name_of_computer, player_names
from bot.presenters.typed_command_parser import parse
from bot.session.names import cleaned, without_marks
from bot.session.table import Player
from bot.texts import language
from tests.fakes import desk, person
from tests.telegram_messages import Visible

EMPTY = (
    "",
    " \t\n",
    "\u3164",
    "\u2800\u2800",
    "\u115f\u1160",
    "\uffa0",
    "\u3164 \u2800 \u200b",
    "\u200b\u2060\ufeff",
    "\u00ad",
    "\u034f",
    "\ufe0f\ufe0f",
    "\u0301\u0301",
    "\u180b",
    "\U000e0041\U000e0100",
    "\U0001d159",
    "\U00013441",
    "\u2028\u2029\x00",
    "\ue000\U000f0000",
    "\ud800",
    "\u00a0\u3000\u2003",
)
"""Names in which nothing can be seen, whatever Unicode calls their characters."""

SEEN = ("あ", "김", "7", "!", "★", "🐈", "Z\u0301", "Ñandú", "é", "👩\u200d👩", "\u3164Eva\u2800")
"""Names in which something can be seen."""

LINKS = (
    "evil.com",
    "t.me/evil",
    "http://evil",
    "https://evil.example/x?y=z",
    "tg://resolve?domain=evil",
    "ftp://1.2.3.4",
    "192.168.0.1",
    "xn--e1afmkfd.xn--p1ai",
    "пример.рф",
    "www.evil.com:8080",
    "evil\uff0ecom",
    "evil\u3002com",
    "Eva.evil.com",
    "@nerea.evil.com",
    "discord.gg/evil",
)
"""Names that a chat would make tappable."""

TAPPABLE = re.compile(
    r"\w[.\u3002\uff0e\uff61][^\W\d_]{2}|\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}|[a-z]://",
    re.IGNORECASE,
)
"""What chats make an address of."""


@pytest.mark.parametrize("name", EMPTY, ids=ascii)
def test_a_name_in_which_nothing_is_seen_is_none(name):
    assert cleaned(name) == ""


@pytest.mark.parametrize("name", SEEN, ids=ascii)
def test_a_name_in_which_something_is_seen_is_one(name):
    assert cleaned(name)


def test_a_cleaned_name_is_clean_already():
    for name in (*EMPTY, *SEEN, *LINKS):
        assert cleaned(cleaned(name)) == cleaned(name)


async def test_who_has_no_name_to_be_seen_is_called_by_the_chair_and_then_by_the_side(tmp_path):
    nobody, eva = person("\u3164"), person("Eva")
    async with desk(tmp_path) as at:
        await at.call(nobody, "play", game="niya", begins="rojo", side="rojo")
        (code,) = [m.screen.table for m in at.chat.messages.values()]
        assert at.chat.board(code).screen.headline.startswith("Rojo ")
        await at.press(eva, at.chat.board(code), "Sentarme")
        board = at.chat.board(code).screen
        assert "\u3164" not in "".join((board.headline, *board.lines, board.alt))
        assert "Rojo" in board.headline


async def test_a_name_that_was_let_pass_before_is_not_shown_either(tmp_path):
    async with desk(tmp_path) as at:
        await at.call(person("Eva"), "play", game="niya")
        (code,) = [m.screen.table for m in at.chat.messages.values()]
        async with at.facade.store.transaction() as tx:
            await tx.execute(text("update person set name = :name"), {"name": "\u2800"})
    async with desk(tmp_path) as at:
        table = await at.facade.services.tables.get(code)
        assert table.players[0].name == ""


@pytest.mark.parametrize("name", LINKS)
def test_no_chat_makes_an_address_of_a_name(name):
    assert TAPPABLE.search(name)
    screen = Screen("ABC234", 3, f"{name} abre", lines=(name, f"({name})"), alt=name)
    shown = (
        harmless(name),
        toast(name),
        Visible(mention_links([Asker("telegram", "7", name)])).text,
        Visible(body(screen, 1024)).text,
        escape(name),
    )
    for words in shown:
        assert not TAPPABLE.search(words), words
        assert name in re.sub(r"[\u2060\\]", "", words)


def test_the_page_makes_no_address_of_any_text():
    page = resources.files("bot.chats.web").joinpath("static")
    source = "".join(one.read_text("utf-8") for one in page.iterdir() if one.suffix == ".js")
    assert "innerHTML" not in source
    assert "insertAdjacentHTML" not in source


def test_an_at_name_of_full_length_stays_whole():
    whom = "@" + "a" * 32
    assert read_game_request({"game": "niya", "opponent": whom}, mentioned=False).named == whom


def test_whoever_is_called_alike_is_told_apart_by_his_side_the_last_one_as_well():
    sides = ("yellow", "blue", "red", "green")
    chairs = (
        Player(person=1, name="Nerea", side=sides[0]),
        *(Player(level=2, side=s) for s in sides[1:]),
    )
    told = [*player_names("parchis", chairs, language("es")).values()]
    computers = [f"el ordenador (nivel 2, {side})" for side in ("azul", "rojo", "verde")]
    assert told == ["Nerea", *computers]


ALIKE = (
    ("Alice", "Аlice"),  # Cyrillic А
    ("Alice", "𝐀lice"),
    ("Alice", "Ａlice"),
    ("Alice", "Al\u034fice"),
    ("Alice", "AIice"),
    ("Alice", "alice "),
    ("Alice", "Alicé"),
    ("Eva", "Ενa"),
    ("Bob", "B0b"),
)


@pytest.mark.parametrize(("first", "other"), ALIKE)
def test_names_that_look_alike_at_one_table_differ(first, other):
    chairs = [Player(1, name=first), Player(2, name=cleaned(other)), Player(3, name="Carla")]
    names = player_names("parchis", chairs, language("es"))
    assert names == {0: first, 1: f"{cleaned(other)} (2)", 2: "Carla"}
    sides = ("red", "blue", "green")
    sided = [replace(one, side=side) for one, side in zip(chairs, sides, strict=True)]
    shown = player_names("parchis", sided, language("es"))
    assert shown[0] != first
    assert len(set(shown.values())) == 3
    assert shown[2] == "Carla"


@pytest.mark.parametrize("pair", [("Ana", "Eva"), ("あ", "김"), ("🐈", "★"), ("Иван", "Петр")])
def test_names_that_do_not_look_alike_stay_as_they_are(pair):
    chairs = [Player(n, name=name) for n, name in enumerate(pair, 1)]
    assert tuple(player_names("parchis", chairs, language("es")).values()) == pair


@pytest.mark.parametrize(
    "name",
    ["Computer", "computer 2", "Сomputer", "El ordenador", "ORDENADOR (nivel 2)", "Computadora"],
)
def test_names_of_computers_are_known_as_such(name):
    assert is_name_of_computer(name)


@pytest.mark.parametrize("name", ["Ana", "Compton", "Computina", "Ordoñez", "Botón"])
def test_other_names_are_not_those_of_computers(name):
    assert not is_name_of_computer(name)


def test_our_own_marks_are_left_out_of_a_free_name():
    assert without_marks("▶ Alice to move") == "Alice to move"
    assert without_marks("★ Alice wins ✓") == "Alice wins"
    assert without_marks("▶▶ ★") == ""
    assert without_marks("Zoë 🐈") == "Zoë 🐈"


async def test_who_is_called_by_two_words_is_found_by_them(at):
    maria = person("María José de la O")
    await at.call(maria, "play", game="niya", opponent="ordenador")
    command, values = parse("/jugar parchís con María José de la O")
    assert (await at.call(person("Nerea"), command.name, **values)).good
    assert "María José de la O" in str(list(at.chat.messages.values())[-1].screen.lines)
