"""A clock that runs, as each chat counts it down in the reader's own time."""

from dataclasses import replace
from datetime import UTC, datetime

from bot.chats.discord.message_formatting import layout
from bot.chats.telegram.message_formatting import body
from bot.chats.web.message_formatting import screen_json
from bot.port import Countdown, Screen

UNTIL = datetime(2026, 11, 24, 18, 30, tzinfo=UTC)
STAMP = int(UNTIL.timestamp())
COUNTED = Countdown("⏳ A Nerea se le acaba el tiempo", UNTIL, "24 nov 18:30 UTC")
SCREEN = Screen("ABCDEF", 1, "▶ Te toca, Nerea", ("Bruno: 7g7f.",), countdown=COUNTED)


def test_discord_counts_down_by_itself():
    text = str(layout(SCREEN, None).to_components())
    assert f"A Nerea se le acaba el tiempo: <t:{STAMP}:R>" in text
    silent = layout(replace(SCREEN, countdown=None), None)
    assert "<t:" not in str(silent.to_components())


def test_telegram_counts_down_and_older_programs_show_the_time():
    text = body(SCREEN, 1024)
    shown = f'<tg-time unix="{STAMP}" format="r">24 nov 18:30 UTC</tg-time>'
    assert f"⏳ A Nerea se le acaba el tiempo: {shown}" in text
    assert "<tg-time" not in body(replace(SCREEN, countdown=None), 1024)


def test_the_page_is_told_the_instant_and_counts_live():
    told = screen_json(SCREEN)["countdown"]
    assert told == {"said": COUNTED.said, "until": STAMP * 1000, "plain": COUNTED.plain}
    assert screen_json(replace(SCREEN, countdown=None))["countdown"] is None
