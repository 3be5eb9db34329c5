"""The pictures of the README show messages as they are sent, and are small."""

import re

import pytest

from tests.chats.discord_messages import Shown
from tests.tools.readme_pictures import FOLDER, LOCALES, of_discord, on_discord, on_telegram

BUTTON = {"type": 2, "style": 1, "label": "P<4>", "custom_id": "x"}


def test_each_language_has_its_three_pictures_and_they_are_small():
    names = [f"{name}-{code}.png" for name in ("discord", "phone", "telegram") for code in LOCALES]
    assert sorted(one.name for one in FOLDER.iterdir()) == sorted(names)
    assert max(one.stat().st_size for one in FOLDER.iterdir()) <= 60_000


def test_words_picture_and_buttons_of_a_message_stand_in_the_frame():
    row = {"type": 1, "components": [BUTTON, {**BUTTON, "disabled": True, "label": "·"}]}
    inside = [{"type": 10, "content": "**Ana** to move"}, {"type": 12, "items": []}, row]
    shown = Shown("1", "2", {"components": [{"type": 17, "components": inside}]}, pictures=[b"png"])
    framed = of_discord(shown, {})
    assert "<b>Ana</b> to move" in framed
    assert framed.count("<img") == 1
    assert "P&lt;4&gt;" in framed
    assert framed.count(" off'") == 1


@pytest.mark.slow
@pytest.mark.parametrize("code", LOCALES)
@pytest.mark.parametrize("message", [on_discord, on_telegram])
async def test_the_message_speaks_the_language_of_the_page(message, code, tmp_path):
    framed = await message(code, tmp_path)
    assert framed.count("<img") == 1
    assert {"en": "to move", "es": "Le toca a"}[code] in framed
    assert {"en": "In words", "es": "En palabras"}[code] in framed
    assert len(re.findall(r"class='b move'", framed)) >= 2
