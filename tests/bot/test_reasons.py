"""Hints and reviews say why in words, in both languages, and mark what the words are about."""

import pytest

from bot.presenters.school.analysis import hinted, hinted_cells
from bot.presenters.table.composer import Composer
from bot.presenters.table.viewers import Viewer
from bot.session.computer_resignation_and_draws import Opinion
from bot.texts import language
from games.core.shelf import find_game
from tests.chats.test_keyboards import table_at

NIYA = find_game("niya")
DENIED = "R,R,R,L3/A,A,M1,M2/M3,A,V1,V2/O1,O2,V3,L2 A L1"
"""Red lacks the card on d4, and yellow is to move."""

SAID = {
    "es": "Yo jugaría: lirio 3 (d4), que quita al rival la carta que le faltaba.",
    "en": "I would play: lily 3 (d4), which takes the card the opponent needed.",
}


@pytest.mark.parametrize("code", ["es", "en"])
def test_a_hint_says_what_its_move_is_good_for(code):
    position = NIYA.notation.read(DENIED, NIYA.chosen({}))
    table = table_at(NIYA, position, NIYA.setting({}, 2, 0), offers=())
    opinion = Opinion("L3", 0.0, ("L3",))
    said = language(code).say(hinted(table, 1, opinion))
    assert said.startswith(SAID[code].split(":")[0])
    assert SAID[code].split("), ")[1] in said
    assert "d4" in hinted_cells(table, 1, opinion)
    assert Composer(table, Viewer(), b"key").say(hinted(table, 1, opinion))
