"""Storilljuðjorrayc: how moves and positions are written and read (Z14, G17, G19)."""

from __future__ import annotations

import random
from itertools import product

import pytest

from bot.texts import language
from games.core import Ambiguous, IllegalMove, NotYourTurn, Unreadable, casefolded, read_move
from games.storilljudhjorrayc import GAME
from games.storilljudhjorrayc.geometry import FOREST, SPACES
from games.storilljudhjorrayc.notation import tidied
from games.storilljudhjorrayc.units import UNITS
from tests.games.storill_helpers import acts, battle, play

BUSY = (
    "A:p2 KM:p3 JM:a2 SÞ:b2 SD:l2 JÞ:c2 JD:n2 KÞ:b1 KD:o1 PÞ:c1 PD:~ T1:c5 T2:o3 W:~",
    "A:i2 KM:h3 T1:a6 T2:o4 T3:p4 T4:k1 T5:i6",
)


@pytest.fixture
def busy():
    return battle(*BUSY)


@pytest.mark.parametrize(
    "text",
    [
        "T2 o3-n3",
        "KM p3-b3",
        "JÞ c2-b3",
        "JM a2xa6",
        "KM p3xp4",
        "KD o1x",
        "A p2<>a2",
        "SÞ b2-b3 & SD l2-l3",
        "PÞ c1-~",
        "PD ~-e1",
        "W ~xk1",
        "W ~-e1",
        "--",
    ],
)
def test_g17_every_kind_of_act_is_written_as_the_rules_show(busy, text):
    assert text in acts(busy)
    assert GAME.notation.written(busy, read_move(GAME, busy, 0, text)) == text


def test_an_act_is_parsed_exactly_where_it_is_legal(busy):
    steps = [
        f"{label} {origin}{sign}{target}"
        for label, origin in zip(UNITS, busy.stage.board.armies[0], strict=True)
        for sign in ("-", "x", "<>")
        for target in (*SPACES, FOREST, "")
    ]
    lords = [f"SÞ b2-{one} & SD l2-{other}" for one in SPACES for other in ("b2", "l3", "m2")]
    texts = {*steps, *lords, "--", "T6 o3-n3", "T2 o3-n7", "T2  o3-n3", "t2 o3-n3"}
    parsed = {text for text in texts if GAME.notation.parsed(busy, 0, text) is not None}
    assert parsed == texts & acts(busy)
    assert all(GAME.notation.parsed(busy, 0, text) for text in acts(busy))
    assert not any(GAME.notation.parsed(busy, 1, text) for text in acts(busy))


@pytest.mark.parametrize("setup", ["hidden", "open"])
def test_an_arranging_is_parsed_exactly_where_it_is_legal(setup):
    position = GAME.start(GAME.setting({"setup": setup}))
    position = play(position, "swap PÞ KÞ", "place T3 p1")
    (*pairs,) = product((*UNITS, "X"), (*UNITS, *SPACES, "X"))
    texts = {f"{verb} {one} {other}" for verb in ("swap", "place") for one, other in pairs}
    texts |= {"ready", "preset mirror", "preset none", "swap", "T3 p3-p4"}
    for seat in (0, 1):
        legal = {GAME.notation.written(position, m) for m in position.legal_moves(seat)}
        parsed = {text for text in texts if GAME.notation.parsed(position, seat, text)}
        assert parsed == texts & legal
        assert all(GAME.notation.parsed(position, seat, text) for text in legal)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("JL c2-b3", "JÞ c2-b3"),
        ("kr o1x", "KD o1x"),
        ("pl c1-~", "PÞ c1-~"),
        ("PR ~-e1", "PD ~-e1"),
        ("sl b2-b3 & sr l2-l3", "SÞ b2-b3 & SD l2-l3"),
        ("SR l2-l3 & SL b2-b3", "SÞ b2-b3 & SD l2-l3"),
        ("b2-b3&l2-l3", "SÞ b2-b3 & SD l2-l3"),
        ("R p2<>a2", "A p2<>a2"),
        ("JM a2<>p2", "A p2<>a2"),
        ("gm p3xp4", "KM p3xp4"),
        ("p3xp4", "KM p3xp4"),
        ("T1 d5-d6", "T1 c5-c6"),
        ("T1 c5-e5", "T1 c5-e5"),
        ("jmA2 x B6", "JM a2xa6"),
        ("KD o1x {o3,o4}", "KD o1x"),
        ("o1x", "KD o1x"),
        ("~xk1", "W ~xk1"),
        ("T2 o3–n3", "T2 o3-n3"),
        ("T2 o3→n3", "T2 o3-n3"),
        ("JM a2×a6", "JM a2xa6"),
        ("—", "--"),
        ("-", "--"),
        ("pass", "--"),
        ("Pasar", "--"),
    ],
)
def test_g17_other_ways_to_type_it(busy, typed, meant):
    assert GAME.notation.written(busy, read_move(GAME, busy, 0, typed)) == meant


def test_g17_who_leaves_the_forest_must_be_said_where_two_could(busy):
    with pytest.raises(Ambiguous) as fits:
        read_move(GAME, busy, 0, "~-e1")
    assert set(fits.value.fits) == {"PD ~-e1", "W ~-e1"}


def test_g19_one_salvo_per_archer_its_targets_only_in_the_remark(busy):
    assert acts(busy, "KD o1x") == {"KD o1x"}
    assert tidied(None, "KD o1x {o3,o4} {again}") == "KD o1x"


def test_no_spelling_means_two_acts_but_those_that_leave_out_who_leaves_the_forest():
    for seed in range(12):
        position = walked(seed, 60)
        for seat in position.actors():
            owners: dict[str, str] = {}
            for move in position.legal_moves(seat):
                for way in GAME.notation.spellings(position, move):
                    if way[0] != "~":
                        assert owners.setdefault(
                            casefolded(way), GAME.notation.written(position, move)
                        ) == (GAME.notation.written(position, move))


def walked(seed: int, plies: int, **options: str):
    rng = random.Random(seed)
    position = GAME.start(GAME.setting({"setup": "fixed", **options}))
    for _ in range(plies):
        if not position.actors():
            break
        position = position.after(rng.choice(position.legal_moves(position.stage.turn)))
    return position


# Positions


def test_g17_the_position_text_of_a_busy_battle(busy):
    assert GAME.notation.text(busy) == (
        "A:p2,KM:p3,JM:a2,SÞ:b2,SD:l2,JÞ:c2,JD:n2,KÞ:b1,KD:o1,PÞ:c1,PD:~,T1:c5,T2:o3,W:~ "
        "A:i2,KM:h3,T1:a6,T2:o4,T3:p4,T4:k1,T5:i6 g 0,0 0"
    )


def test_g17_a_position_may_be_typed_in_ascii_and_in_any_order():
    text = "SR:o2,sl:b2,gm:b5,R:p2 kl:j1,A:i2 p 0,1 2"
    assert (
        GAME.notation.text(GAME.notation.read(text, {}))
        == "A:p2,KM:a5,SÞ:b2,SD:o2 A:i2,KÞ:j1 p 0,1 2"
    )


def test_g19_a_side_without_units_is_a_dash():
    position = play(battle("A:m2 T1:a2", "KM:a3"), "T1 a2xa3")
    assert GAME.notation.text(position) == "A:m2,T1:a2 - p 0,0 0"
    assert GAME.notation.read(GAME.notation.text(position), {}).outcome() == position.outcome()


def test_every_position_of_a_random_game_is_read_back():
    for seed in range(10):
        position = walked(seed, 120)
        assert GAME.notation.read(GAME.notation.text(position), {"setup": "fixed"}) == position


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "form"),
        ("A:p2 A:i2 g 0,0", "form"),
        ("A:p2 A:i2 x 0,0 0", "form"),
        ("A:p2 A:i2 g 0,0 0 0", "form"),
        ("A:p2 " * 200, "form"),
        ("A:p9 A:i2 g 0,0 0", "entry"),
        ("Q:p2 A:i2 g 0,0 0", "entry"),
        ("A A:i2 g 0,0 0", "entry"),
        ("A:p2,A:a2 A:i2 g 0,0 0", "twice"),
        ("A:~ A:i2 g 0,0 0", "place"),
        ("A:p2,KM:~ A:i2 g 0,0 0", "place"),
        ("A:p2,KD:a2 A:i2 g 0,0 0", "place"),
        ("A:p2,SD:a5 A:i2 g 0,0 0", "place"),
        ("A:p2,JM:a5 A:i2 g 0,0 0", "place"),
        ("A:p2,T1:a2,T2:a2 A:i2 g 0,0 0", "shared"),
        ("A:p2,T1:a5,T2:b5 A:i2 g 0,0 0", "shared"),
        ("A:p2,T1:i2 A:i2 g 0,0 0", "shared"),
        ("A:p2,W:~ A:i2 g 3,0 0", "ambush"),
        ("A:p2 A:i2 g 4,0 0", "counts"),
        ("A:p2 A:i2 g ٣,0 0", "counts"),
        ("A:p2 A:i2 g 0 0", "counts"),
        ("A:p2 A:i2 g 0,0 5", "passes"),
        ("A:p2 A:i2 g 0,0 ²", "passes"),
        ("? ? g setup -", "ready"),
        ("? ? g setup ready,ready", "ready"),
        ("T1 ? g setup -,-", "line"),
    ],
)
def test_what_is_no_position_is_refused_with_a_sentence(text, reason):
    with pytest.raises(Unreadable) as wrong:
        GAME.notation.read(text, {})
    assert wrong.value.phrase.key == f"storilljudhjorrayc.unreadable.{reason}"
    assert language("es").say(wrong.value.phrase)


def test_a_set_up_text_is_no_position_where_the_set_up_is_fixed():
    text = GAME.notation.text(GAME.start(GAME.setting()))
    assert GAME.notation.text(GAME.notation.read(text, {})) == text
    with pytest.raises(Unreadable):
        GAME.notation.read(text, {"setup": "fixed"})


def test_a_hidden_view_can_be_read_back():
    view = GAME.start(GAME.setting(first=1)).seen_by(0)
    assert GAME.notation.read(GAME.notation.text(view), {}) == view


# Why a move is not legal

REFUSALS = [
    ("hola", "G17", "form"),
    ("T2 o3", "G17", "form"),
    ("T2 o3-", "G17", "form"),
    ("T2 o3x", "G17", "form"),
    ("~-e2", "G17", "which"),
    ("T2 ~-e1", "G17", "not-in-forest"),
    ("T2 g3-g4", "G17", "nobody"),
    ("T4 k1-k2", "Z6", "not-yours"),
    ("T3 o3-n3", "G17", "other-unit"),
    ("T2 o3-o3", "Z6", "stays"),
    ("PD ~-~", "Z6", "stays"),
    ("T2 o3-p3", "G6", "occupied-own"),
    ("T2 o3-o4", "G6", "occupied-enemy"),
    ("KD o1-n2", "G6", "occupied-own"),
    ("KD o1-p2", "G6", "occupied-own"),
    ("KD o1-o5", "Z5", "rear"),
    ("JM a2-a5", "G4", "focus"),
    ("A p2-o5", "G4", "focus"),
    ("PD ~-e2", "Z5", "rear"),
    ("JÞ c2-~", "G6", "blocked-forest"),
    ("PÞ c1-a1", "G6", "blocked"),
    ("A p2-p4", "G6", "occupied-enemy"),
    ("A p2-d4", "Z-A", "move.A"),
    ("KM p3-d4", "Z-KM", "move.KM"),
    ("JM a2-d4", "Z-JM", "move.JM"),
    ("JÞ c2-e4", "Z-J", "move.J"),
    ("SD l2-e4", "Z-S", "move.S"),
    ("T2 o3-m3", "Z-T", "move.T"),
    ("KD o1-h1", "Z-K", "move.K"),
    ("A p2-~", "G5", "royal-forest"),
    ("KM p3-~", "G5", "royal-forest"),
    ("T2 o3-~", "G5", "edge"),
    ("KD o1xo4", "G9", "archer-target"),
    ("KÞ b1x", "G9", "archer-nobody"),
    ("PD ~xk1", "G5", "from-forest"),
    ("T2 o3x~", "G5", "into-forest"),
    ("T2 o3xn3", "Z6", "empty"),
    ("T2 o3xp3", "Z6", "own"),
    ("W ~xp4", "G10", "ambush-outer"),
    ("JM a2xi6", "G6", "shielded"),
    ("A p2xp4", "Z-A", "attack.A"),
    ("KM p3xk1", "Z-KM", "attack.KM"),
    ("JM a2xp4", "Z-JM", "attack.JM"),
    ("JÞ c2xk1", "Z-J", "attack.J"),
    ("PÞ c1xk1", "Z-P", "attack.P"),
    ("SÞ b2xk1", "Z-S", "attack.S"),
    ("T2 o3xp4", "Z-T", "attack.T"),
    ("A p2<>l2", "G7", "switch"),
    ("SÞ b2-a2 & SD l2-l3", "G6", "occupied-own"),
    ("SÞ b2-d3 & SD l2-l3", "Z-S", "move.S"),
    ("SÞ b2-b3 & SD l2xl3", "G8", "lords-only"),
    ("SÞ b2-b3 & T2 o3-n3", "G8", "lords-only"),
    ("SÞ b2-l2 & SD l2-b2", "G19", "lords-exchange"),
    ("SÞ b2-b3 & SD l2-b3", "G8", "lords-target"),
    ("SÞ b2-b3 & hola", "G17", "form"),
    ("SÞ b2-b3 &", "G17", "form"),
]


@pytest.mark.parametrize(("text", "rule", "key"), REFUSALS)
def test_why_not(busy, text, rule, key):
    with pytest.raises(IllegalMove) as refused:
        read_move(GAME, busy, 0, text)
    assert refused.value.phrase.key == f"storilljudhjorrayc.refusal.{key}"
    assert refused.value.refusal.rule == rule
    for code in ("es", "en"):
        assert language(code).say(refused.value.phrase)


@pytest.mark.parametrize(
    ("green", "text", "options", "rule", "key"),
    [
        ("A:a3", "A a3xa4", {}, "Z11", "kings"),
        ("A:m2 W:a1", "W a1xb1", {}, "G10", "ambush-inside"),
        ("A:m2 W:a1", "W a1-b1", {}, "Z-W", "move.W"),
        ("A:m2 JÞ:a2", "JÞ a2-b3", {}, "Z9", "abandoned-move"),
        ("A:m2 JÞ:c1", "JÞ c1xc4", {}, "Z9", "abandoned-attack"),
        ("A:m2 SÞ:a1", "SÞ a1-~", {"forest": "rear"}, "G5", "forest-option"),
        ("A:m2 T1:~", "T1 ~-a3", {}, "G5", "leave"),
        ("A:m2 PÞ:e1", "PÞ e1xf1", {}, "Z-P", "attack.P"),
    ],
)
def test_why_not_in_other_positions(green, text, options, rule, key):
    position = battle(green, "A:a4 T1:c4 T2:f1", **options)
    with pytest.raises(IllegalMove) as refused:
        read_move(GAME, position, 0, text)
    assert refused.value.phrase.key == f"storilljudhjorrayc.refusal.{key}"
    assert refused.value.refusal.rule == rule


def test_out_of_turn_is_another_matter(busy):
    with pytest.raises(NotYourTurn):
        read_move(GAME, busy, 1, "A i2-i1")
