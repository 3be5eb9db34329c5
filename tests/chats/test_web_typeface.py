"""The page is written in a typeface of its own, which has every letter that players read."""

import re

from PIL import ImageFont

from bot.chats.web.assets import STATIC, load_assets, page_html
from tests.typeface import FOLDER, WEIGHTS, wanted


def test_the_pages_typeface_has_every_letter_that_players_read():
    regular = ImageFont.truetype(str(FOLDER / "sans.woff"), 32)
    lacking = bytes(regular.getmask("\uffff"))
    blank = {" ", "\u00a0", "\u2009", "\u202f"}
    drawn = [c for c in wanted() if c.isalnum() or c in "«»¡¿…—–“”·,.;:!?()"]
    assert len(drawn) > 200
    assert [c for c in drawn if c not in blank and bytes(regular.getmask(c)) == lacking] == []


def test_its_files_are_named_apart_from_the_typeface_that_they_are_cut_from():
    for name in WEIGHTS:
        family, _ = ImageFont.truetype(str(FOLDER / name), 16).getname()
        assert family == "LudotecaSans"
        assert STATIC[name] == "font/woff"


def test_the_page_fetches_the_typeface_beside_its_script():
    page = page_html(load_assets()).text
    for name in WEIGHTS:
        (early,) = re.findall(rf'<link rel="preload" href="(/static/[0-9a-f]{{12}}/{name})"', page)
        assert page.count(early) == 2, "it is fetched from the address that the style tells"
        # A browser paints nothing before the typefaces that the head preloads are here.
        assert page.rindex(early) > page.index("<body")
