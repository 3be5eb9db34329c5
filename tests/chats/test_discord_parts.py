"""The parts of the Discord chat that need no Discord: texts, layouts, tickets, commands."""

from __future__ import annotations

import asyncio
import re
from contextlib import nullcontext
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from unittest.mock import AsyncMock, Mock

import discord
import pytest
from discord.utils import snowflake_time
from hypothesis import given
from hypothesis import strategies as st

from bot.chats.discord import DiscordChat
from bot.chats.discord.bot_permissions import Access
from bot.chats.discord.commands import CommandTranslator, CommandTree, path_of
from bot.chats.discord.emojis import COVER, Emojis
from bot.chats.discord.errors import limit_call, outliving_token, translate
from bot.chats.discord.inbound import Inbound
from bot.chats.discord.markdown import ellipsized, escape, link_commands, pieces, printable
from bot.chats.discord.message_formatting import (
    MOST_COMPONENTS,
    MOST_TEXT,
    button_rows,
    layout,
    overflow,
)
from bot.chats.discord.permission_notices import PermissionNotices
from bot.chats.discord.reading import COMMAND, PRESS, Ticket
from bot.chats.discord.refusals import CODES, REFUSALS, Family, family_of
from bot.facade import closed_choices
from bot.port import (
    BlockedByFilter,
    Button,
    ChatError,
    Choice,
    Later,
    MessageGone,
    MessageStuck,
    PlaceShut,
    PublicAddress,
    RequestRefused,
    Screen,
    Where,
)
from bot.presenters.command_specs import BY_ACT, COMMANDS, ParameterKind
from bot.presenters.table.setup import SetupScreens
from bot.texts import LANGUAGES
from bot.texts import language as texts
from bot.texts.orthography import JOINER, shortened
from games.core.shelf import shelf
from tests.chats.any_characters import CHARACTERS

# ---------------------------------------------------------------- texts


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("@everyone", r"\@everyone"),
        ("<@1> <#2>", r"\<\@1\> \<#2\>"),
        ("*a* _b_ ~c~ `d` |e|", r"\*a\* \_b\_ \~c\~ \`d\` \|e\|"),
        ("[a](https://b.c)", r"\[a\](https\://b.c)"),
        (":smile: 10:30", r"\:smile: 10:30"),
        ("# head\n- item\n12. x", "\\# head\n\\- item\n12\\. x"),
        ("a\x00b\x1bc\u202ed", "abcd"),
        ("back\\slash", r"back\\slash"),
        ("1. e4 e5 2. d4", r"1\. e4 e5 2. d4"),
    ],
)
def test_texts_are_shown_as_they_are(text, shown):
    assert escape(text) == shown


@given(st.text(CHARACTERS, max_size=200))
def test_what_is_escaped_reads_as_the_text_without_control_characters(text):
    # What breaks addresses is not seen.
    shown, wanted = (one.replace(JOINER, "") for one in (escape(text), printable(text)))
    assert re.sub(r"\\([^0-9A-Za-z\s])", r"\1", shown) == wanted


@given(st.text(alphabet="ab \n*\\", max_size=300), st.integers(10, 60))
def test_pieces_keep_every_word_and_part_no_mark_from_its_backslash(text, limit):
    found = pieces(escape(text), limit)
    assert all(len(piece) <= limit for piece in found)
    kept = "".join(found).replace("\n", "").replace(" ", "")
    assert kept == escape(text).replace("\n", "").replace(" ", "")
    for piece in found[:-1]:
        assert (len(piece) - len(piece.rstrip("\\"))) % 2 == 0


def test_alt_texts_are_cut_and_say_so():
    assert ellipsized("word " * 400, 1024).endswith("…")
    assert len(ellipsized("word " * 400, 1024)) <= 1024


# ---------------------------------------------------------------- layouts


def screen(rows, lines=("line",), headline="head") -> Screen:
    return Screen("ABCDEF", 1, headline, tuple(lines), rows=rows, title="Niya")


def button(number: int, style: str = "move", label: str = "x") -> Button:
    return Button(f"{label}{number}", f"m.ABCDEF.0.{number}.aaaaaa", style)


def walked(view) -> list:
    return list(view.walk_children())


@given(
    st.lists(st.tuples(st.integers(1, 6), st.sampled_from(["move", "house", "good"])), max_size=14)
)
async def test_any_keyboard_fits_with_its_picture(shape):
    number, rows = 0, []
    for width, style in shape:
        rows.append(tuple(button(number + n, style) for n in range(width)))
        number += width
    view = layout(screen(tuple(rows)), "x.png")
    parts = walked(view)
    assert len(parts) <= MOST_COMPONENTS
    for row in (part for part in parts if isinstance(part, discord.ui.ActionRow)):
        assert len(row.children) <= 5
    shown = [part.custom_id for part in parts if isinstance(part, discord.ui.Button)]
    for part in parts:
        if isinstance(part, discord.ui.Select):
            shown += [option.value for option in part.options]
    assert len(set(shown)) == len(shown)
    if number <= 30:
        assert len(shown) == number


async def test_the_largest_menu_with_offers_keeps_every_button():
    moves = tuple((button(n),) for n in range(25))
    house = (tuple(button(n, "house") for n in range(25, 28)),)
    offers = tuple((button(n, "good"), button(n + 1, "house")) for n in (28, 30))
    view = layout(screen(moves + offers + house), "x.png")
    found = [p for p in walked(view) if isinstance(p, discord.ui.Button | discord.ui.Select)]
    options = [o for p in found if isinstance(p, discord.ui.Select) for o in p.options]
    assert len([p for p in found if isinstance(p, discord.ui.Button)]) + len(options) == 32


async def test_rows_stay_as_they_are_where_they_fit():
    rows = ((button(1), button(2)), (button(3, "house"),))
    assert [len(row.children) for row in button_rows(rows, 36)] == [2, 1]


async def test_a_code_that_stands_twice_is_shown_once():
    assert [
        len(row.children) for row in button_rows(((button(1), button(1)), (button(1),)), 36)
    ] == [1]


async def test_a_choice_is_a_list_that_says_what_is_chosen_and_what_of():
    options = (button(1, label="one"), button(2, label="two"))
    shown = replace(screen(((button(3),),)), choices=(Choice("Rule", options, chosen=1),))
    (chosen,) = [p for p in walked(layout(shown)) if isinstance(p, discord.ui.Select)]
    assert [(o.label, o.value, o.default) for o in chosen.options] == [
        ("Rule: one1", options[0].code, False),
        ("Rule: two2", options[1].code, True),
    ]


async def test_people_are_chosen_from_a_list_of_people():
    shown = replace(screen(()), choices=(Choice("Challenge somebody", person="P.0000.1.who.x"),))
    (people,) = [p for p in walked(layout(shown)) if isinstance(p, discord.ui.UserSelect)]
    assert (people.custom_id, people.placeholder) == ("P.0000.1.who.x", "Challenge somebody")


@given(st.lists(st.integers(1, 30), max_size=12), st.integers(0, 30))
async def test_lists_and_buttons_together_fit_a_message(choices, buttons):
    made, number = [], 100
    for size in choices:
        made.append(Choice("Rule", tuple(button(number + n) for n in range(size)), chosen=0))
        number += size
    rows = tuple((button(n, "house"),) for n in range(buttons))
    view = layout(replace(screen(rows), choices=tuple(made)))
    assert len(walked(view)) <= MOST_COMPONENTS
    lists = [p for p in walked(view) if isinstance(p, discord.ui.Select)]
    assert len({p.custom_id for p in lists}) == len(lists) == len(choices)


async def test_the_library_keeps_nothing_of_a_view():
    assert layout(screen(((button(1),),))).is_finished()


@given(st.lists(st.text(CHARACTERS, max_size=900), max_size=9), st.text(CHARACTERS, max_size=300))
async def test_texts_fit_and_what_does_not_overflows(lines, headline):
    view = layout(screen((), lines, headline))
    assert 0 < view.content_length() <= MOST_TEXT
    assert all(len(piece) <= 2000 for piece in overflow(screen((), lines, headline)))


async def test_labels_are_cut_and_carry_their_letter():
    long = Button("word " * 40, "m.ABCDEF.0.1.aaaaaa", "move", "b")
    (row,) = button_rows(((long,),), 36)
    assert row.children[0].label.startswith("b · word")
    assert len(row.children[0].label) <= 38


@pytest.mark.parametrize(
    ("label", "limit", "shown"),
    [
        (
            "Los dos señores a la vez → SÞ b2→a2, SD o2→n2",
            38,
            "Los dos… a la vez→SÞ b2→a2, SD o2→n2",
        ),
        ("SÞ señor ⇄ JM maestre de guardia · j2", 34, "SÞ… ⇄ JM maestre de guardia · j2"),
        ("caballero 2a → 1c: toma 圭 caballero", 34, "caballero 2a→1c: toma 圭 caballero"),
        ("SÞ b2 lord takes the JM guard there j2", 34, "SÞ b2… takes the JM guard there j2"),
        ("short", 34, "short"),
        ("x" * 60, 34, f"{'x' * 16}…{'x' * 17}"),
    ],
)
def test_a_long_label_keeps_its_end_which_says_most(label, limit, shown):
    assert shortened(label, limit) == shown
    assert len(shown) <= limit


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", sorted({code for codes in CODES.values() for code in codes}))
def test_every_documented_error_has_a_sentence(code, language):
    family = family_of(code, 400)
    said = texts(language).say(REFUSALS[family].said)
    assert said.endswith(".")
    assert "None" not in said


def test_no_error_code_is_of_two_families():
    codes = [code for codes in CODES.values() for code in codes]
    assert len(codes) == len(set(codes))


def test_help_is_cut_between_lines():
    text = "\n".join(f"line {number} of many words" for number in range(100))
    found = pieces(text, 500)
    assert "\n".join(found) == text
    assert all(piece.endswith("words") for piece in found)


# ---------------------------------------------------------------- tickets and faults


@pytest.mark.parametrize("kind", [COMMAND, PRESS])
@pytest.mark.parametrize("visitor", [True, False])
def test_a_ticket_is_read_as_it_was_written(kind, visitor):
    ticket = Ticket(kind, visitor, 123456789, "a.b:c_d")
    assert Ticket.read(ticket.text()) == ticket


@pytest.mark.parametrize("text", [None, "", "x", "cm.x.y", "cm.1.", "telegram"])
def test_what_is_no_ticket_is_none(text):
    assert Ticket.read(text) is None


def test_a_ticket_is_good_for_less_than_a_quarter_of_an_hour():
    ticket = Ticket(PRESS, False, 1 << 60, "t")
    made = snowflake_time(ticket.interaction)
    assert ticket.fresh(made + timedelta(minutes=14))
    assert not ticket.fresh(made + timedelta(minutes=15))


async def test_a_call_that_takes_too_long_holds_its_place_up_for_a_moment_alone():
    """After an outage a place was left alone for half a minute, and so was who pressed there."""
    with pytest.raises(Later) as told:
        async with limit_call(0.01):
            await asyncio.sleep(1)
    assert told.value.seconds < 5


@pytest.mark.parametrize(("status", "over"), [(404, True), (401, True), (502, False), (500, False)])
def test_of_a_token_nothing_is_known_while_discord_is_away(status, over):
    """An answer whose receipt was lost was given once more, since it could not be asked for."""
    response = SimpleNamespace(status=status, reason="", headers={})
    with nullcontext() if over else pytest.raises(discord.HTTPException), outliving_token():
        raise discord.HTTPException(response, {"code": 0, "message": ""})


@pytest.mark.parametrize(
    ("status", "code", "error"),
    [
        (404, 10008, MessageGone),
        (429, 30046, MessageStuck),
        (400, 50083, MessageStuck),
        (404, 10003, PlaceShut),
        (403, 50001, PlaceShut),
        (403, 50013, PlaceShut),
        (403, 50007, PlaceShut),
        (429, 0, Later),
        (500, 0, ChatError),
        (403, 40333, Later),
        (403, 0, RequestRefused),
        (403, 400001, RequestRefused),
        (413, 0, RequestRefused),
        (403, 160005, PlaceShut),
        (400, 200000, BlockedByFilter),
        (400, 240000, BlockedByFilter),
        (400, 40094, RequestRefused),
        (400, 50035, RequestRefused),
    ],
)
def test_what_discord_refuses_is_told_apart_by_who_can_mend_it(status, code, error):
    response = SimpleNamespace(status=status, reason="", headers={"Retry-After": "7"})
    found = translate(discord.HTTPException(response, {"code": code, "message": ""}))
    assert type(found) is error
    if isinstance(found, Later):
        assert found.seconds == 7


def test_an_ended_board_keeps_its_first_keys_and_lists_the_others():
    keys = [Button("Revancha", "again", "good"), *(Button(f"b{n}", f"c{n}") for n in range(9))]
    rows = tuple((one,) for one in keys)
    shown = layout(Screen("AAAAAA", 9, "Ana gana", rows=rows, over=True, title="Niya"))
    parts = list(shown.walk_children())
    labels = [one.label for one in parts if isinstance(one, discord.ui.Button)]
    assert labels == ["Revancha", "b0"]
    (more,) = (one for one in parts if isinstance(one, discord.ui.Select))
    assert [one.value for one in more.options] == [f"c{n}" for n in range(1, 9)]
    few = layout(Screen("AAAAAA", 9, "Nadie gana", rows=rows[1:4], over=True))
    assert not any(isinstance(one, discord.ui.Select) for one in few.walk_children())


def test_a_key_with_a_line_of_its_own_stands_beside_it():
    rows = ((Button("Niya", "a", line=1),), (Button("Otro", "b"),))
    shown = layout(Screen("", 0, "Juegos", ("Arriba.", "Niya: cartas."), rows=rows))
    (section,) = (one for one in shown.walk_children() if isinstance(one, discord.ui.Section))
    assert [one.content for one in section.children] == ["Niya: cartas."]
    assert section.accessory.label == "Niya"
    parts = shown.walk_children()
    texts = [one.content for one in parts if isinstance(one, discord.ui.TextDisplay)]
    assert sum("Niya: cartas." in text for text in texts) == 1
    assert "Arriba." in texts[0]


def covered(*games: str) -> Emojis:
    """Emojis with the boards of *games*."""
    return Emojis(
        {f"{one}/{COVER}": discord.PartialEmoji(name=one, id=n + 1) for n, one in enumerate(games)}
    )


def parts_of(view: discord.ui.LayoutView) -> list[str]:
    """The kinds of all components of *view*, those beside sections too."""
    return re.findall(r"'type': (\d+)", str(view.to_components()))


@pytest.mark.parametrize("keys_of_day", range(4))
def test_every_game_has_its_board_beside_it_where_one_is_chosen(keys_of_day):
    day = [Button(f"Hoy {n}", f"d{n}") for n in range(keys_of_day)]
    screens = SetupScreens("es", b"key", 1, day=day, opens_page=True)
    shown = layout(screens.games(), emojis=covered(*shelf()))
    sections = [one for one in shown.walk_children() if isinstance(one, discord.ui.Section)]
    assert [one.accessory.media.url[-6:] for one in sections] == [f"/{n}.png" for n in range(1, 6)]
    assert len(parts_of(shown)) <= MOST_COMPONENTS
    labels = [one.label for one in shown.walk_children() if isinstance(one, discord.ui.Button)]
    assert len(labels) == len(shelf()) + keys_of_day + 3
    assert len(parts_of(layout(screens.games()))) <= MOST_COMPONENTS


@pytest.mark.parametrize("count", range(1, 18))
def test_open_tables_stand_beside_boards_as_far_as_a_message_holds_them(count):
    rows = [
        [Button(f"Sentarse {n}", f"s{n}", "good", line=n, game="niya"), Button("x", f"x{n}")]
        for n in range(count)
    ]
    lines = tuple(f"Niya con Ana {n}" for n in range(count))
    screen = Screen("", 0, "Mesas", lines, rows=(*map(tuple, rows), (Button("Otra", "o"),)))
    shown = layout(screen, emojis=covered("niya"))
    kinds, text = parts_of(shown), str(shown.to_components())
    assert len(kinds) <= MOST_COMPONENTS
    assert kinds.count("11") == (count if 6 * count <= MOST_COMPONENTS - 4 else 0)
    assert all(line in text for line in lines)
    assert all(f"'s{n}'" in text for n in range(min(count, 16)))


# ---------------------------------------------------------------- commands


ATTACHMENT = 11
"""The type of an option that takes a file (Discord, application commands)."""


@pytest.fixture
async def payload() -> list[dict]:
    client = discord.Client(intents=discord.Intents.none())
    tree = CommandTree(client, Inbound(Mock(), Mock()))
    return [
        await one.get_translated_payload(tree, CommandTranslator()) for one in tree.get_commands()
    ]


async def test_every_command_is_registered_in_both_languages(payload):
    slash = {}
    for one in (one for one in payload if one["type"] == 1):
        inner = [(one["name"], option) for option in one["options"] if option["type"] == 1]
        slash |= {(top, option["name"]): option for top, option in inner} or {(one["name"],): one}
    assert slash.keys() == {path_of(command) for command in COMMANDS}
    for command in COMMANDS:
        told = slash[path_of(command)]
        assert told["description"] == command.help_in("en")
        for locale in ("es-ES", "es-419"):
            named = BY_ACT[command.act] if command.name == "place" else command
            assert told["name_localizations"][locale] == named.name_in("es")
            assert told["description_localizations"][locale] == command.help_in(locale)
        typed = [one for one in told["options"] if one["type"] != ATTACHMENT]
        files = [one for one in told["options"] if one["type"] == ATTACHMENT]
        assert [one["name"] for one in files] == ["file"] * command.file
        assert not any(one.get("required") for one in files)
        for option, parameter in zip(
            typed, sorted(command.parameters, key=lambda p: not p.required), strict=True
        ):
            assert option["name"] == parameter.name
            spanish = command.parameter_in(parameter, "es")
            assert option["name_localizations"] == {"es-ES": spanish, "es-419": spanish}
            assert option["type"] == (6 if parameter.kind is ParameterKind.PERSON else 3)
            listed = closed_choices(parameter)
            assert [one["value"] for one in option.get("choices", ())] == [*listed]
            for one in option.get("choices", ()):
                assert one["name_localizations"]["es-ES"] == listed[one["value"]]["es"]
            asked = parameter.kind not in (ParameterKind.PERSON, ParameterKind.TEXT)
            assert option.get("autocomplete", False) is (asked and not listed)


async def test_commands_are_few_and_within_what_discord_takes(payload):
    def characters(one: dict) -> int:
        said = [[one["name"], *one["name_localizations"].values()]]
        if "description" in one:
            said.append([one["description"], *one["description_localizations"].values()])
        parts = [*one.get("options", ()), *one.get("choices", ())]
        own = sum(max(map(len, way)) for way in said) + len(str(one.get("value", "")))
        return own + sum(map(characters, parts))

    slash = [one for one in payload if one["type"] == 1]
    assert len(slash) <= 16
    for one in slash:
        assert len(one["options"]) <= 25
        assert all(len(option.get("choices") or ()) <= 25 for option in one["options"])
        assert characters(one) <= 8000
    managing = [one["name"] for one in slash if one["default_member_permissions"] is not None]
    assert managing == ["place"]


async def test_every_command_is_offered_everywhere(payload):
    for told in payload:
        assert told["contexts"] == [0, 1, 2]
        assert told["integration_types"] == [0, 1]


async def test_a_person_is_challenged_from_his_menu(payload):
    (menu,) = [one for one in payload if one["type"] == 2]
    assert menu["name"] == "Challenge"
    assert menu["name_localizations"] == {"es-ES": "Retar", "es-419": "Retar"}


def test_a_command_with_an_underscore_in_its_name_can_be_tapped_too():
    mentions = {"porque": "</why:1>", "por_que": "</why:1>", "tablero": "</board:2>"}
    said = "Con /por_que y una jugada, o /tablero."
    assert link_commands(escape(said), mentions) == "Con </why:1> y una jugada, o </board:2>."


# ---------------------------------------------------------------- where strangers find us


@pytest.mark.parametrize("public", [True, False])
def test_only_a_public_bot_tells_the_link_that_installs_it(public):
    chat = DiscordChat(Mock(), "token")
    told = SimpleNamespace(bot_public=public)
    link = "https://discord.com/oauth2/authorize?client_id=1"
    client = SimpleNamespace(
        user=SimpleNamespace(name="Ludo"), application=told, invitation=lambda: link
    )
    chat._list_clients = lambda: [client]
    assert chat.public_address() == PublicAddress("Ludo", link if public else "")


def test_before_discord_has_told_its_name_the_bot_has_no_link():
    chat = DiscordChat(Mock(), "token")
    assert chat.public_address() == PublicAddress()


async def test_a_long_wait_is_told_once_to_who_pressed_that_board_and_to_nobody_else():
    answers = Mock(tell=AsyncMock())
    notices = PermissionNotices(Access(), answers)
    mover, stranger = (
        Mock(interaction=Mock(message=SimpleNamespace(id=number), user=SimpleNamespace(id=number)))
        for number in (7, 8)
    )
    where = Where("discord", "300")
    await notices.look(mover, where)
    await notices.look(stranger, where)
    for message in ("7", "7", "9"):
        await notices.delay(where, message)
    answers.tell.assert_awaited_once_with(mover, REFUSALS[Family.BUSY].said)
