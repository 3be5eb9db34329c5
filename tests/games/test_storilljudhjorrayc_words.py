"""Storilljuðjorrayc in words: what is described, said, asked and warned of."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bot.texts import LANGUAGES, language
from games.core import Menu, Phrase, pick, read_move
from games.storilljudhjorrayc import GAME
from games.storilljudhjorrayc.units import UNITS
from tests.games.storill_helpers import battle, play

SPANISH, ENGLISH = language("es"), language("en")
NAMES = {0: "Ana", 1: "Bo"}


def told(position, code: str = "en") -> str:
    return "\n".join(language(code).say(one, NAMES) for one in GAME.speech.describe(position))


def buttons(position, *path: str) -> dict[str, str]:
    """What the buttons say after *path*, by their steps."""
    seat = min(position.actors())
    menu = pick(GAME, position, seat, path)
    assert isinstance(menu, Menu)
    return {
        step: ENGLISH.say(GAME.menus.label(position, seat, menu.path, step), NAMES)
        for step in menu.options
    }


def said(position, move: str, code: str = "en") -> str:
    seat = min(position.actors())
    return language(code).say(
        GAME.speech.spoken(position, read_move(GAME, position, seat, move)), NAMES
    )


def warned(position) -> list[str]:
    return [ENGLISH.say(one, NAMES) for one in GAME.speech.notices(position)]


def walked(seed: int, plies: int):
    rng = random.Random(seed)
    position = GAME.start(GAME.setting({"setup": "fixed"}))
    for _ in range(plies):
        if position.actors():
            position = position.after(rng.choice(position.legal_moves(position.stage.turn)))
    return position


# The description


def test_every_unit_is_named_with_its_place_or_its_absence():
    for seed in range(8):
        position = walked(seed, 150)
        words = told(position)
        for seat in (0, 1):
            for label in UNITS:
                where = position.stage.board.place(seat, label)
                if where is not None and where != "~":
                    assert f"{label} {where}" in words


def test_forest_losses_ambush_and_passes_are_told():
    words = told(battle("A:p2 JÞ:a2 PD:~ W:~", "KM:h3 T1:a3", counts="2,1", passes=2))
    assert "Green to move." in words
    assert "guard JÞ a2 (abandoned)" in words
    assert "In the forest, green: the right flank PD and the ambush W." in words
    assert "Lost by purple: A, JM, SÞ" in words
    assert "The green ambush has made 2 of its 3 captures." in words
    assert "The purple ambush has made 1 of its 3 captures." in words
    assert "2 passes in a row" in words


def test_the_end_is_told_with_who_moved_last():
    words = told(play(battle("A:m2 T1:a2", "KM:a3"), "T1 a2xa3"))
    assert "The game is over. The last move was green’s." in words
    assert "No purple unit is on the board." in words


def test_the_words_of_a_hidden_set_up_tell_its_own_side_only():
    seen = GAME.start(GAME.setting(first=1)).seen_by(0)
    words = told(seen)
    assert "purple will move first" in words
    assert "T1 n3" in words
    assert "Free green spaces: p1 and a1." in words
    assert "The purple set-up is hidden." in words
    assert "T1 f3" not in words


@pytest.mark.parametrize("code", LANGUAGES)
def test_words_and_sentences_fit_where_they_are_shown(code):
    for seed in range(6):
        position = walked(seed, 40 * seed)
        for one in GAME.speech.describe(position):
            assert len(language(code).say(one)) <= 600


# Buttons


@pytest.mark.sampled
@pytest.mark.parametrize("code", LANGUAGES)
def test_every_label_is_short_and_no_two_of_a_menu_are_alike(code):
    positions = [walked(seed, 25 * seed) for seed in range(8)]
    positions += [GAME.start(GAME.setting()), battle("A:a2 SÞ:~ SD:~ JM:~ KÞ:a1", "A:a3 T1:a4")]
    for position in positions:
        if not position.actors():
            continue
        seat = min(position.actors())
        spelled = [GAME.menus.steps(position, move) for move in position.legal_moves(seat)]
        for path in {steps[:n] for steps in spelled for n in range(len(steps))}:
            known = {s[len(path)] for s in spelled if s[: len(path)] == path}
            labels = [
                language(code).say(GAME.menus.label(position, seat, path, step)) for step in known
            ]
            assert all(0 < len(label) <= 40 for label in labels), labels
            assert len(set(labels)) == len(labels)
            assert language(code).say(GAME.menus.question(position, seat, path))


def before_a_quiet_draw(position):
    """*position* as if ninety-nine plies had passed without a capture."""
    battle = replace(position.stage, past=((((), ()), 0, (0, 0)),) * 99)
    return type(position)(battle)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(
    ("position", "path", "step"),
    [
        (battle("A:m2 W:~", "KM:k1", counts="2,0"), ("W",), "xk1"),
        (battle("A:a2 KD:a1 KM:a3 T1:m3", "A:i2 T1:a4"), ("KD",), "x"),
        (before_a_quiet_draw(battle("A:m2 JM:a1", "A:i2")), ("JM",), "~"),
        (before_a_quiet_draw(battle("A:m2 JM:a1 SÞ:a2", "A:i2")), ("SÞ",), "<>a1"),
        (before_a_quiet_draw(battle("A:m2 SÞ:~ SD:~", "A:i2")), ("&", "a1"), "b1"),
        (battle("A:m2 JÞ:~ JD:a2", "A:i2"), (), "JÞ"),
        (battle("A:m2 JÞ:~ JD:a2", "A:i2"), (), "JD"),
    ],
)
def test_the_longest_labels_still_fit_a_button(code, position, path, step):
    label = language(code).say(GAME.menus.label(position, 0, path, step))
    assert len(label) <= 40, label


def test_at_most_three_choices_lead_to_any_act():
    for seed in range(8):
        position = walked(seed, 25 * seed)
        for seat in position.actors():
            for move in position.legal_moves(seat):
                steps = GAME.menus.steps(position, move)
                assert 1 <= len(steps) <= 3
                assert pick(GAME, position, seat, steps) == move


def test_the_first_menu_names_units_and_places():
    start = GAME.start(GAME.setting({"setup": "fixed"}))
    labels = buttons(play(start, "T2 o3-o4", "--", "T4 b3-b4", "--"))
    assert labels["KD"] == "KD right archer · o1"
    assert labels["W"] == "W ambush · forest"
    assert labels["&"] == "Both lords at once"
    assert labels["--"] == "Pass (2 passes in a row)"


def test_an_abandoned_guard_says_so_on_its_button():
    assert buttons(battle("A:m2 JÞ:a2", "A:i2"))["JÞ"] == "JÞ abandoned left guard · a2"


def test_what_a_salvo_takes_is_spelled_out_own_losses_first():
    position = battle("A:m2 KD:o1 T1:o3", "A:i2 KM:o4 T1:o2 T3:o5")
    assert buttons(position, "KD")["x"] == "Hits your own T1! And T1 and KM"
    assert said(position, "KD o1x") == (
        "the right archer KD on o1 shoots down the swordsman T1 on o3 on its own side, "
        "and the swordsman T1 on o2 and the warmaster KM on o4 on the enemy’s"
    )


def test_one_unit_falls_and_several_fall():
    position = battle("A:m2 KD:o1", "A:i2 T2:o2")
    assert buttons(position, "KD")["x"] == "Salvo: T2 falls"
    fired = next(
        one for one in position.legal_moves(0) if GAME.notation.written(position, one) == "KD o1x"
    )
    spanish = language("es")
    assert spanish.say(GAME.speech.spoken(position, fired)).endswith(
        "dispara y cae la espada T2 en o2"
    )
    label = GAME.menus.label(position, 0, ("KD",), "x")
    assert spanish.say(label) == "Salva: cae T2"
    own = battle("A:m2 KD:o1 T1:o3", "A:i2 KM:o4")
    assert spanish.say(GAME.menus.label(own, 0, ("KD",), "x")) == "¡Ojo, tuyos: T1!; y KM"


def test_a_salvo_that_spares_own_units_does_not_name_them():
    position = battle("A:m2 KD:o1 T1:o3", "A:i2 KM:o4 T2:o2", friendly_fire="no")
    assert buttons(position, "KD")["x"] == "Salvo: T2 and KM fall"


def test_a_button_warns_of_victory_and_defeat_and_draw():
    assert buttons(battle("A:m2 T1:a2", "KM:a3"), "T1")["xa3"].endswith(": wins!")
    own = battle("A:a2 KD:a1", "A:i2 T1:a4")
    assert buttons(own, "KD")["x"] == "Hits your own A! And T1: LOSES!"
    assert buttons(battle("A:m2 T1:a2", "KM:a3", passes=3))["--"].endswith(": draw")


def test_what_both_lords_do_is_spelled_out_before_the_last_press():
    position = battle("A:m2 SÞ:b2 SD:o2", "A:i2")
    assert buttons(position, "&")["b3"] == "SÞ b2→b3"
    assert buttons(position, "&", "b3")["o3"] == "SÞ b2→b3, SD o2→o3"


def test_the_other_acts_name_their_consequence():
    position = battle("A:a2 JM:b2 SÞ:a1 W:~", "A:i2 T1:c1 T2:b3", counts="1,0")
    assert buttons(position, "A")["<>b2"] == "⇄ JM guardmaster · b2"
    assert buttons(position, "JM")["xb3"] == "× T2 swordsman · b3"
    assert buttons(position, "JM")["~"] == "Into the forest: guards abandoned"
    assert buttons(position, "SÞ")["~"] == "Into the forest"
    assert buttons(position, "W")["xc1"] == "× T1 swordsman · c1 (2/3)"
    assert buttons(position, "W")["e1"] == "Out of the forest to e1"


def test_the_buttons_of_the_set_up():
    position = GAME.start(GAME.setting())
    labels = buttons(position)
    assert labels["ok"].startswith("Ready!")
    assert list(labels)[:2] == ["ok", "#"]
    assert len(labels) == 18
    assert buttons(position, "A")["a2"] == "⇄ JM guardmaster · a2"
    assert buttons(position, "A")["p1"] == "p1: free"
    assert buttons(position, "#")["wings"].startswith("Wings")


# The log


@pytest.mark.parametrize(
    ("move", "english", "spanish"),
    [
        ("T1 a5-a6", "the swordsman T1 goes from a5 to a6", "la espada T1 va de a5 a a6"),
        (
            "PÞ c1-~",
            "the left flank PÞ on c1 enters the forest",
            "el flanco izquierdo PÞ en c1 entra en el bosque",
        ),
        (
            "W ~-e1",
            "the ambush W comes out of the forest to e1",
            "la emboscada W sale del bosque a e1",
        ),
        (
            "JM a2xa3",
            "the guardmaster JM on a2 captures the king A on a3",
            "el maestre de guardia JM en a2 captura al rey A en a3",
        ),
        (
            "W ~xk1",
            "the ambush W comes out of the forest and captures the swordsman T1 on k1 (1 of 3)",
            "la emboscada W sale del bosque y captura a la espada T1 en k1 (1 de 3)",
        ),
        (
            "A p2<>a2",
            "the king A on p2 and the guardmaster JM on a2 change places",
            "el rey A en p2 y el maestre de guardia JM en a2 se cambian el sitio",
        ),
        (
            "SÞ b2-b3 & SD l2-l3",
            "both lords: the left lord SÞ goes from b2 to b3; the right lord SD goes from l2 to l3",
            "los dos señores: el señor izquierdo SÞ va de b2 a b3; "
            "el señor derecho SD va de l2 a l3",
        ),
        ("--", "passes", "pasa"),
    ],
)
def test_acts_in_words(move, english, spanish):
    position = battle("A:p2 JM:a2 SÞ:b2 SD:l2 PÞ:c1 T1:a5 W:~", "A:a3 KM:i2 T1:k1")
    assert said(position, move) == english
    assert said(position, move, "es") == spanish


def test_the_third_ambush_says_that_it_is_the_last():
    position = battle("A:m2 W:~", "A:i2 T1:k1", counts="2,0")
    assert "third capture" in said(position, "W ~xk1")


def test_every_act_has_words_of_its_own():
    for seed in range(5):
        position = walked(seed, 30 * seed)
        for seat in position.actors():
            moves = position.legal_moves(seat)
            spoken: set[Phrase] = {GAME.speech.spoken(position, move) for move in moves}
            assert len(spoken) == len(moves)


# Notices


def test_a_captured_royal_is_noticed_until_the_end():
    position = battle("A:m2 KM:n2", "KM:i2")
    assert warned(position) == [
        "Bo has lost the king A; if the warmaster KM falls too, the game is lost."
    ]
    assert "warmaster KM; if the king A" in warned(battle("A:m2 KM:n2", "A:i2"))[0]


def test_abandoned_guards_and_passes_are_noticed_and_an_old_capture_of_the_ambush_is_not():
    position = battle("A:m2 KM:n2 JÞ:a2 JD:b2", "A:i2 KM:h2 JÞ:h3", counts="1,0", passes=3)
    assert warned(position) == [
        "Ana’s guards are abandoned, without their master: JÞ and JD.",
        "Bo’s guard is abandoned, without its master: JÞ.",
        "3 passes in a row; 4 make a draw.",
    ]


def test_a_draw_that_comes_near_is_noticed():
    position = battle("A:a2 KM:c2", "A:i2 KM:k2")
    shuffle = ("A a2-a3", "A i2-i3", "A a3-a2", "A i3-i2")
    position = play(position, *shuffle, *shuffle)
    assert warned(position) == ["This position has occurred 3 times; the fourth time is a draw."]
    quiet = type(position.stage)(
        position.stage.variant,
        position.stage.board,
        position.stage.turn,
        past=((((), ()), 0, (0, 0)),) * 80,
    )
    assert warned(type(position)(quiet)) == ["80 moves without a capture; 100 make a draw."]


def test_nothing_is_noticed_at_the_start():
    assert warned(GAME.start(GAME.setting({"setup": "fixed"}))) == []
    assert warned(GAME.start(GAME.setting())) == []
