"""Words and buttons for Telegram: nothing breaks its HTML, nothing calls anybody, all fits."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from telegram import Update
from telegram.constants import InlineKeyboardMarkupLimit

from bot.chats.telegram.message_formatting import (
    CAPTION,
    TOAST,
    body,
    cut,
    harmless,
    html_escaped,
    keyboard,
    mention_links,
    sentence,
    toast,
    units,
)
from bot.chats.telegram.reading import Known, asker_of, call_of, press_of
from bot.facade import NO_TABLE
from bot.port import Asker, Button, Choice, Countdown, Screen
from bot.presenters.game_poster import poster
from games.core.shelf import find_game
from tests.chats.any_characters import CHARACTERS
from tests.chats.telegram_room import BRUNO, EVA, NEREA, room
from tests.telegram_messages import BOT, GROUP, Visible, private

CALLING = re.compile(r"(?<![\w@])@[A-Za-z]\w{2,31}|(?<![\w/@])/(?:resign|rendirse)")
"""What Telegram would make a mention, or a command that changes something."""

HOSTILE = (
    "<b>bold",
    "</a></b>&lt;script>",
    '<a href="tg://user?id=1">x</a>',
    "*bold* _it_ `code` [x](tg://user?id=1) ~~~",
    "@everyone @here @all @nerea",
    "x@nerea.example",
    "/rendirse",
    "/resign@LudotecaBot",
    "a\x00b\x07c\x1b[31m\r\n\t",
    "\u202egnirts\u202c \u200f\u2066",
    "ﷺ" * 40,
    "👩‍👩‍👧‍👦" * 40,
    "Z̷̧̨" * 60,
    "\ud800",
    "&amp;&#64;nerea",
    "",
    " ",
)


def screen(**parts) -> Screen:
    return Screen("ABC234", 3, **{"headline": "▶", **parts})


def labels(shown: Screen) -> list[list[str]]:
    made = keyboard(shown.buttons)
    return [[b.text for b in row] for row in made.inline_keyboard] if made is not None else []


def test_what_speaks_for_itself_is_chosen_from_a_row_with_a_tick():
    options = (Button("Level 1", "a"), Button("Level 2", "b"), Button("Level 3", "c"))
    shown = screen(choices=(Choice("", options, chosen=1),), rows=((Button("Start", "d"),),))
    assert labels(shown) == [["Level 1", "✓ Level 2", "Level 3"], ["Start"]]


def test_a_rule_is_one_button_that_goes_on_to_its_next_value():
    options = (Button("no", "a"), Button("yes", "b"))
    (row,) = screen(choices=(Choice("Rule", options, chosen=1),)).buttons
    assert [(b.label, b.code) for b in row] == [("Rule: yes", "a")]
    (row,) = screen(choices=(Choice("Rule", options, chosen=0, opens="all"),)).buttons
    assert [(b.label, b.code) for b in row] == [("Rule: no", "all")]


def test_people_who_cannot_be_listed_are_no_button():
    assert labels(screen(choices=(Choice("Challenge somebody", person="who"),))) == []


def hostile(rng: random.Random) -> str:
    return " ".join(rng.choice(HOSTILE) for _ in range(rng.randint(1, 6)))


@pytest.mark.slow
def test_five_hundred_hostile_texts_are_shown_and_call_nobody():
    rng = random.Random(5)
    for _ in range(500):
        one = screen(
            headline=hostile(rng), lines=(hostile(rng), hostile(rng)), alt=hostile(rng) * 9
        )
        seen = Visible(body(one, CAPTION, "https://t.me/LudotecaBot?start=ABC234"))
        assert units(seen.text) <= CAPTION
        assert set(seen.links) <= {"https://t.me/LudotecaBot?start=ABC234"}
        assert not CALLING.search(seen.text), seen.text
        for shown in (
            sentence(hostile(rng)),
            html_escaped(hostile(rng)),
            mention_links([Asker("telegram", "7", hostile(rng))]),
        ):
            assert not CALLING.search(Visible(shown).text)
        assert not CALLING.search(toast(hostile(rng)))
        assert units(toast(hostile(rng) * 20)) <= TOAST


@given(st.text(CHARACTERS), st.text(CHARACTERS), st.text(CHARACTERS, max_size=3000))
def test_whatever_is_written_fits_and_is_html(headline, line, alt):
    seen = Visible(body(screen(headline=headline, lines=(line,), alt=alt), CAPTION))
    assert 1 <= units(seen.text) <= CAPTION


@given(st.text(CHARACTERS), st.integers(0, 60))
def test_a_cut_text_fits_and_a_short_one_is_left_alone(text, most):
    assert units(cut(text, most)) <= most
    if units(text) <= most:
        assert cut(text, most) == text


def test_the_description_gives_way_before_the_lines_do():
    lines = tuple("jugada " * 10 for _ in range(8))
    seen = Visible(body(screen(lines=lines, alt="Palabra y más. " * 400), CAPTION)).text
    assert "\n".join(lines).strip() in seen
    assert seen.endswith("Palabra y más. Sigue en «En palabras» o con /tablero texto.")
    assert units(seen) > CAPTION - 20


def test_a_countdown_is_counted_with_what_keeps_its_day_from_being_a_link():
    # The day looks like an address, and what keeps it from being one is a character more.
    count = Countdown("Sigue", datetime(2026, 11, 26, tzinfo=UTC), "26.11. 23:04 UTC")
    for length in range(900, 1100):
        one = screen(lines=("x" * length,), alt="y. " * 400, countdown=count)
        assert units(re.sub("<[^>]*>", "", body(one, CAPTION))) <= CAPTION


def test_a_list_that_is_cut_ends_with_a_whole_line_and_sends_nobody_to_a_table():
    lines = [f"{n}. Jugadora {n}: 3 puntos, 4 partidas" for n in range(1, 60)]
    seen = Visible(body(replace(screen(alt="\n".join(lines)), table=NO_TABLE), CAPTION)).text
    *shown, end = seen.split("\n")
    assert (shown[-1] in lines, end) == (True, "…")
    assert CAPTION - 50 < units(seen) <= CAPTION


def test_commands_that_change_nothing_can_be_tapped():
    assert harmless("con /verificar o /verify") == "con /verificar o /verify"
    assert harmless("/resign") != "/resign"
    assert harmless("1/2 a/b") == "1/2 a/b"


def test_keyboards_keep_to_eight_a_row_and_a_hundred_in_all():
    rows = [[Button(f"n{n}", f"c{n}") for n in range(20)] for _ in range(8)]
    shown = keyboard(rows)
    assert shown is not None
    lengths = [len(row) for row in shown.inline_keyboard]
    assert max(lengths) == InlineKeyboardMarkupLimit.BUTTONS_PER_ROW
    assert sum(lengths) == InlineKeyboardMarkupLimit.TOTAL_BUTTON_NUMBER
    assert keyboard(()) is None


def test_a_button_says_its_letter_and_never_nothing():
    shown = keyboard([[Button("Caballo", "c", "move", "b"), Button("\x00", "d")]])
    assert shown is not None
    first, second = shown.inline_keyboard[0]
    assert (first.text, first.style) == ("b · Caballo", "primary")
    assert second.text == "·"


# -------------------------------------------------------------------- updates read


def said(text: str, chat: dict = GROUP, who: dict = NEREA, **more) -> Update:
    message = {"message_id": 5, "date": 1, "chat": chat, "from": who, "text": text, **more}
    return Update.de_json({"update_id": 9, "message": message}, None)


KNOWN = Known(
    BOT["username"],
    {
        "bruno": asker_of(
            Update.de_json(
                {
                    "update_id": 1,
                    "message": {"message_id": 1, "date": 1, "chat": GROUP, "from": BRUNO},
                },
                None,
            ).message.from_user
        )
    },
)


@pytest.mark.parametrize(
    ("text", "name", "values"),
    [
        ("/mover M2", "move", {"move": "M2"}),
        ("/mover@LudotecaBot M2", "move", {"move": "M2"}),
        ("/move@ludotecabot\n M2  x", "move", {"move": "M2 x"}),
        ("/PLAY niya", "play", {"game": "niya"}),
        (
            "/jugar niya @LudotecaBot 2",
            "play",
            {"game": "niya", "opponent": "computer", "level": "2"},
        ),
        ("/parchís", "play", {"game": "parchís"}),
        (
            "/Niya@LudotecaBot @LudotecaBot 2",
            "play",
            {"game": "Niya", "opponent": "computer", "level": "2"},
        ),
        ("/start", "start", {}),
        ("/start ABC234", "join", {"table": "ABC234"}),
        ("/start do-games", "games", {}),
        ("@LudotecaBot b4", "move", {"move": "b4"}),
        ("@ludotecabot, jugar niya", "play", {"game": "niya"}),
        ("@LudotecaBot /tablero", "board", {}),
        ("@LudotecaBot", "start", {}),
        ("/nothing@LudotecaBot", "unknown", {"command": "nothing"}),
        ("/juegar", "unknown", {"command": "juegar"}),
        ("/hola", "unknown", {"command": "hola"}),
    ],
)
def test_commands_are_read_in_either_language_and_with_our_name(text, name, values):
    call = call_of(said(text), KNOWN)
    assert call is not None
    assert (call.name, dict(call.values)) == (name, values)
    assert (call.update, call.where.place, call.where.private) == ("9", "-1001", False)


@pytest.mark.parametrize("text", ["hola", "/mover@Other M2", "/unknown", "M2", "mover M2"])
def test_what_is_not_for_us_in_a_group_is_left_alone(text):
    assert call_of(said(text), KNOWN) is None


def test_people_are_named_by_mention_by_at_name_and_by_reply():
    entity = {"type": "text_mention", "offset": 12, "length": 6, "user": EVA}
    call = call_of(said("/jugar niya 🙂 Ev a", entities=[{**entity, "length": 7}]), KNOWN)
    assert call is not None
    assert call.people["opponent"].external == "13"
    call = call_of(
        said(
            "/jugar niya rival=Eva nivel=2",
            entities=[{"type": "text_mention", "offset": 18, "length": 3, "user": EVA}],
        ),
        KNOWN,
    )
    assert call is not None
    assert call.people["opponent"].external == "13"
    assert call.values["level"] == "2"
    call = call_of(said("/jugar niya @BRUNO"), KNOWN)
    assert call is not None
    assert call.people["opponent"].external == "12"
    call = call_of(said("/jugar niya @desconocida"), KNOWN)
    assert call is not None
    assert (call.people, call.values["opponent"]) == ({}, "@desconocida")
    reply = {"message_id": 3, "date": 1, "chat": GROUP, "from": EVA, "text": "x"}
    call = call_of(said("/jugar niya", reply_to_message=reply), KNOWN)
    assert call is not None
    assert call.people["opponent"].external == "13"
    call = call_of(said("/jugar niya ordenador", reply_to_message=reply), KNOWN)
    assert call is not None
    assert not call.people


def test_the_first_message_of_a_topic_is_nobody_s_invitation():
    topic = {
        "message_id": 3,
        "date": 1,
        "chat": GROUP,
        "from": EVA,
        "forum_topic_created": {"name": "Juegos", "icon_color": 1},
    }
    call = call_of(said("/jugar niya", reply_to_message=topic), KNOWN)
    assert call is not None
    assert not call.people


def test_a_plain_word_is_a_move_in_private_alone():
    call = call_of(said("M2", private(NEREA)), KNOWN)
    assert call is not None
    assert (call.name, call.where.private) == ("move", True)


def test_a_press_without_its_message_is_no_press():
    query = {"id": "1", "from": NEREA, "chat_instance": "c", "data": "x"}
    assert press_of(Update.de_json({"update_id": 1, "callback_query": query}, None)) is None


@pytest.mark.slow
async def test_hostile_names_at_a_table_break_nothing_and_call_nobody(tmp_path):
    """Whole boards, words and refusals with such names, checked by the Bot API's own rules."""
    async with room(tmp_path) as at:
        for number, name in enumerate(HOSTILE, 100):
            if "\ud800" in name:
                continue
            first = {**NEREA, "id": number, "first_name": name or "x", "username": "n" * 8}
            chat = {**GROUP, "id": -2000 - number}
            await at.api.say(first, "/jugar niya", chat)
            board = await at.api.until(lambda chat=chat: at.api.board(chat["id"]))
            await at.settle()
            await at.press(BRUNO, board, board.code("Sentarme"))
            await at.api.say(first, f"/mover {name} {name}", chat)
            await at.press(first, board, board.moves[0])
            await at.settle()
            assert board.picture is not None
        for message in at.api.messages.values():
            assert not CALLING.search(message.text), message.text
        assert not [one for one in at.api.asked if "parse" in one.refused]


def test_a_message_counts_from_the_end_of_the_second_that_telegram_tells():
    end = [datetime.fromtimestamp(1_800_000_000 + after, UTC) for after in (1, 51)]
    written = said("/mover c3", date=1_800_000_000)
    assert call_of(written, KNOWN).sent == end[0]
    corrected = said("/mover c3", date=1_800_000_000, edit_date=1_800_000_050)
    assert call_of(corrected, KNOWN).sent == end[1]


def test_a_poster_is_not_described_below_the_words_of_its_invitation():
    plain = Screen("AB12", 1, "Nerea invita", lines=("Sillas: 1",), alt="Cartel de Niya.")
    invited = replace(plain, poster=poster(find_game("niya"), "light", "es"))
    assert "Cartel de Niya." in body(plain, 1024)
    assert body(invited, 1024) == "<b>Nerea invita</b>\nSillas: 1"
