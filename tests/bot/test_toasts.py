"""What somebody hears of their own act speaks to them, in every game and both languages."""

from __future__ import annotations

import random
import re

import pytest

from bot.session import play
from bot.session.table import PLAYING
from bot.texts import Language, language
from games.core import CHANCE, phrase
from games.core.shelf import shelf
from tests.bot.test_in_turn import Evening, parchis_with

THIRD = {
    "es": r"(?i)^toma\b|\b(tira|pasa|puede|mete|propone|acepta|rechaza|declara|cede|dice|saca|"
    r"vuelve a (tirar|la jugada)|tiene que|de los suyos)\b",
    "en": r"(?i)(^|; |: )(rolls|passes|takes|drops|offers|accepts|refuses|declares|gives|says|"
    r"can’t|goes back)\b|\bits own side\b|\bthe die shows\b",
}
"""What somebody else does: nobody is told so of themselves."""

NAMES = {0: "Ana", 1: "Luis"}


def heard(at: Evening, seat: int, before: int, code: str) -> str:
    """What *seat* hears of what it has done since the log had *before* entries."""
    what = play.what_happened(at.table, seat, seat, len(at.table.log) - before)
    assert what is not None
    tongue = language(code)
    return tongue.say(phrase("house.told", what=tongue.of_reader(what)), NAMES)


def lived(key: str, seed: int) -> list[tuple[str, str]]:
    """All that is heard of a game of *key*, its words out of turn too, in both languages."""
    at, rng, found = Evening(key, seed.to_bytes(32, "big")), random.Random(seed), []
    while at.table.status == PLAYING and len(at.table.log) < 160:
        seat, before = at.mover, len(at.table.log)
        asides = at.table.present.asides(seat)
        if asides and rng.random() < 0.2:
            work = at.work()
            play.say_aside(work, seat, rng.choice(asides))
            at.table = work.table
        else:
            at.move(rng)
        found += [(code, heard(at, seat, before, code)) for code in THIRD]
    return found


@pytest.mark.parametrize("key", sorted(shelf()))
def test_nobody_hears_of_themselves_in_the_third_person(key):
    for seed in range(4):
        for code, said in lived(key, seed):
            assert not re.search(THIRD[code], said), said
            assert not {"{", "}"} & set(said)


@pytest.mark.parametrize("code", sorted(THIRD))
def test_every_text_of_a_reader_s_own_act_differs_from_that_of_others(code):
    texts = language(code).templates
    own = {key.removesuffix(".yours") for key in texts if key.endswith(".yours")}
    for key in own & texts.keys() - {"parchis.then.finishes"}:
        assert texts[key] != texts[f"{key}.yours"], key


def test_a_roll_that_moves_nothing_is_told_in_one_breath():
    at = parchis_with("a one", 1)
    seat, before = at.mover, len(at.table.log)
    at.press(seat, at.table.turns[seat], ("tirar",))
    assert heard(at, seat, before, "es") == "Te sale un 1: no puedes mover."
    assert heard(at, seat, before, "en") == "You roll a 1: you can’t move."


def test_what_is_drawn_for_the_next_player_is_no_part_of_it():
    at, rng = Evening("parchis", rolling="auto"), random.Random(7)
    for _ in range(30):
        seat, before = at.mover, len(at.table.log)
        at.move(rng)
        mine = [one for one in at.table.log[before:] if one.seat not in (seat, CHANCE)]
        if at.mover != seat and mine:
            said = heard(at, seat, before, "es")
            assert "no puedes mover" not in said, said
            return
    raise AssertionError("nobody's die was drawn behind somebody's move")


def test_what_may_not_be_known_is_not_told():
    at = Evening("storilljudhjorrayc")
    seat = at.mover
    at.press(seat, at.table.turns[seat], next(one for one in at.steps(seat) if len(one) > 1))
    assert play.what_happened(at.table, seat, 1 - seat, 1) is None
    assert play.what_happened(at.table, seat, seat, 1) is not None


def test_a_language_that_has_no_words_of_its_own_says_what_others_hear():
    at = parchis_with("a one", 1)
    seat = at.mover
    at.press(seat, at.table.turns[seat], ("tirar",))
    what = play.what_happened(at.table, seat, seat, 3)
    assert what is not None
    bare = Language("xx", {}, plural=int)
    assert bare.of_reader(what) == what
