"""Kanji are written on the page with the typeface of the pictures, whatever the system has."""

import re

from PIL import ImageFont

from bot.chats.web.assets import STATIC, load_assets, page_html
from tests.kanji import FILE, wanted


def test_the_pages_own_font_has_every_kanji_that_players_read():
    font = ImageFont.truetype(str(FILE), 32)
    lacking = bytes(font.getmask("\uffff"))
    assert len(wanted()) > 30
    inked = [c for c in wanted() if c != "\u3000"]  # The wide blank leaves no ink.
    assert [c for c in inked if bytes(font.getmask(c)) == lacking] == []


def test_the_page_fetches_the_font_where_kanji_stand_and_nowhere_else():
    style = load_assets()["page.css"].body.decode()
    assert STATIC[FILE.name] == "font/woff"
    assert f"url({FILE.name})" in style
    assert re.findall(
        rf"url\((/static/[0-9a-f]{{12}}/{FILE.name})\)", page_html(load_assets()).text
    )
    assert "unicode-range:U+3000-FFEF" in style
    assert FILE.stat().st_size < 12_000
