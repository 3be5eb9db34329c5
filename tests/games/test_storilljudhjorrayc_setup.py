"""Storilljuðjorrayc, rule by rule: the set-up and what it hides (Z3, G12-G15, G17)."""

from __future__ import annotations

import random

import pytest

from bot.texts import LANGUAGES, language
from games.core import BadOption, IllegalMove, Setting, casefolded, pick, read_move, read_moves
from games.storilljudhjorrayc import GAME
from games.storilljudhjorrayc.geometry import FOREST
from games.storilljudhjorrayc.move_types import Preset, Put, Ready, SetupSwap
from games.storilljudhjorrayc.options import Variant
from games.storilljudhjorrayc.setup import PIECES, PRESETS, STANDARD, ZONES, arrangings_to, faults

DEFAULT = "T1 T2 KM T3 T4 T5 JD SD A JM SÞ JÞ PD KD . . KÞ PÞ"


def start(first: int = 0, **options: str):
    return GAME.start(GAME.setting(options, first=first))


def typed(position, seat: int, *texts: str):
    for text in texts:
        for move in read_moves(GAME, position, seat, text):
            assert move in position.legal_moves(seat)
            position = position.after(move)
    return position


def line_of(position, seat: int) -> str:
    return GAME.notation.text(position).split()[seat].replace(",", " ")


def scrambled(rng: random.Random, moves: int = 30, seat: int = 1):
    """A hidden set-up in which *seat* has arranged its units at random."""
    position = start()
    for _ in range(moves):
        choices = [m for m in position.legal_moves(seat) if not isinstance(m, Ready)]
        position = position.after(rng.choice(choices))
    return position


# Zones and arrangements


def test_g12_each_zone_has_eighteen_spaces_in_listing_order():
    assert " ".join(ZONES[0]) == "n3 o3 p3 a3 b3 c3 n2 o2 p2 a2 b2 c2 n1 o1 p1 a1 b1 c1"
    assert " ".join(ZONES[1]) == "f3 g3 h3 i3 j3 k3 f2 g2 h2 i2 j2 k2 f1 g1 h1 i1 j1 k1"


def test_g13_both_sides_start_from_the_default_arrangement():
    for seat in (0, 1):
        assert line_of(start(), seat) == DEFAULT


def test_g13_the_default_battle():
    assert GAME.notation.text(start(setup="fixed")) == (
        "A:p2,KM:p3,JM:a2,SÞ:b2,SD:o2,JÞ:c2,JD:n2,KÞ:b1,KD:o1,PÞ:c1,PD:n1,"
        "T1:n3,T2:o3,T3:a3,T4:b3,T5:c3,W:~ "
        "A:h2,KM:h3,JM:i2,SÞ:j2,SD:g2,JÞ:k2,JD:f2,KÞ:j1,KD:g1,PÞ:k1,PD:f1,"
        "T1:f3,T2:g3,T3:i3,T4:j3,T5:k3,W:~ g 0,0 0"
    )


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_a_sound_arrangement_of_its_own(name):
    assert faults(0, PRESETS[name], Variant()) is None
    assert list(PRESETS.values()).count(PRESETS[name]) == 1


def test_z3_sixteen_units_are_arranged_and_the_ambush_waits_in_the_forest():
    assert len(PIECES) == 16
    position = typed(start(), 0, "ready")
    position = typed(position, 1, "ready")
    for army in position.stage.board.armies:
        assert army[-1] == FOREST
        assert FOREST not in army[:-1]


@pytest.mark.parametrize("seat", [0, 1])
def test_g12_no_arranging_ever_takes_a_rear_unit_off_circuit_1(seat):
    for seed in range(10):
        position = scrambled(random.Random(seed), seat=seat)
        line = position.stage.lines[seat]
        assert faults(seat, line, Variant()) is None
        for move in position.legal_moves(seat):
            assert (
                faults(seat, position.after(move).seen_by(seat).stage.lines[seat], Variant())
                is None
            )


def test_g12_every_sound_arrangement_can_be_reached_by_small_legal_moves():
    for seed in range(15):
        rng = random.Random(seed)
        here, there = scrambled(rng), scrambled(rng)
        moves = arrangings_to(1, here.stage.lines[1], there.stage.lines[1], Variant())
        for move in moves:
            assert move in here.legal_moves(1)
            here = here.after(move)
        assert here == there
        assert len(moves) <= len(PIECES)


def test_swap_and_place():
    position = typed(start(), 0, "swap A JM", "place T3 a1")
    assert line_of(position, 0) == "T1 T2 KM . T4 T5 JD SD JM A SÞ JÞ PD KD . T3 KÞ PÞ"


def test_a_swap_may_be_begun_from_either_unit():
    for first, second in (("A", "JM"), ("JM", "A")):
        position = typed(start(), 1, f"swap {first} {second}")
        assert line_of(position, 1).split()[8:10] == ["JM", "A"]


@pytest.mark.parametrize(
    "text", ["swap SL KR", "swap KM T1", "T1<>T2", "place A p1", "A-p1", "wings", "preset mirror"]
)
def test_other_ways_to_type_an_arranging(text):
    if text == "swap SL KR":
        with pytest.raises(IllegalMove) as refused:
            read_move(GAME, start(), 0, text)
        assert refused.value.refusal.rule == "G12"
    else:
        assert read_move(GAME, start(), 0, text) in start().legal_moves(0)


def test_no_two_arrangings_can_be_typed_alike():
    position = start()
    ways = [
        casefolded(way)
        for move in position.legal_moves(0)
        for way in GAME.notation.spellings(position, move)
    ]
    assert len(set(ways)) == len(ways)


# Two seats at once


def test_g14_both_arrange_at_the_same_time():
    assert start().actors() == {0, 1}
    position = typed(start(), 1, "preset wings")
    assert position.actors() == {0, 1}


def test_g14_who_is_ready_waits_and_the_second_ready_opens_the_battle():
    position = typed(start(), 1, "ready")
    assert position.actors() == {0}
    assert position.legal_moves(1) == ()
    position = typed(position, 0, "ready")
    assert GAME.notation.text(position) == GAME.notation.text(start(setup="fixed"))


@pytest.mark.parametrize("first", [0, 1])
def test_g15_who_begins_is_settled_before_and_kept(first):
    assert GAME.rules.begins == ("lot", "green", "purple")
    position = typed(start(first), 0, "ready")
    assert typed(position, 1, "ready").actors() == {first}
    assert start(first, setup="fixed").actors() == {first}


def test_g14_open_green_arranges_first_and_purple_sees_it():
    position = start(first=1, setup="open")
    assert position.actors() == {0}
    position = typed(position, 0, "preset wings")
    assert position.seen_by(1) == position
    position = typed(position, 0, "ready")
    assert position.actors() == {1}
    assert position.move_seen(Preset(1, "mirror"), 0, by=1) == Preset(1, "mirror")
    assert typed(position, 1, "ready").actors() == {1}


def test_g14_fixed_goes_straight_to_battle():
    assert start(setup="fixed").actors() == {0}


def test_sides_other_than_green_and_purple_are_refused():
    with pytest.raises(BadOption):
        GAME.start(Setting(("purple", "green"), GAME.chosen({})))


# What is hidden


def shown(position, viewer) -> tuple[str, ...]:
    """All that *viewer* is told: text, words in every language, notices, menu."""
    seen = position.seen_by(viewer)
    said = [*GAME.speech.describe(seen), *GAME.speech.notices(seen)]
    words = [language(code).say(one) for code in LANGUAGES for one in said]
    return (GAME.notation.text(seen), repr(seen), *words)


@pytest.mark.sampled
@pytest.mark.parametrize("viewer", [0, None])
def test_a_thousand_hidden_set_ups_look_the_same_to_the_others(viewer):
    rng = random.Random(11)
    first = shown(start(), viewer)
    position, different = start(), set()
    for _ in range(1_000):
        for _ in range(3):
            moves = [m for m in position.legal_moves(1) if not isinstance(m, Ready)]
            move = rng.choice(moves)
            assert position.move_seen(move, viewer, by=1) is None
            position = position.after(move)
        different.add(position.stage.lines[1])
        assert shown(position, viewer) == first
        assert GAME.notation.text(position.seen_by(1)) != first[0]
    assert len(different) > 900


def test_a_hidden_arrangement_is_opaque_also_to_those_who_ask_for_its_moves():
    seen = typed(start(), 1, "preset wings").seen_by(0)
    assert GAME.notation.text(seen) == f"{DEFAULT.replace(' ', ',')} ? g setup -,-"
    assert seen.legal_moves(1) == ()
    assert seen.legal_moves(0) == start().legal_moves(0)


def test_that_the_other_is_ready_is_no_secret():
    position = typed(start(), 1, "ready")
    assert start().move_seen(Ready(1), 0, by=1) == Ready(1)
    assert GAME.notation.text(position.seen_by(0)).endswith("setup -,ready")
    told = [one.key for one in GAME.speech.describe(position.seen_by(0))]
    assert told.count("storilljudhjorrayc.words.ready") == 1


def test_that_somebody_is_ready_is_said_once():
    position = typed(start(), 1, "ready")
    assert GAME.speech.notices(position.seen_by(0)) == ()


def test_a_player_sees_his_own_moves_and_arrangement():
    move = SetupSwap(0, "A", "JM")
    assert start().move_seen(move, 0, by=0) == move
    assert line_of(start().after(move).seen_by(0), 0) == DEFAULT.replace("A JM", "JM A")


def test_a_spectator_sees_neither():
    assert GAME.notation.text(start().seen_by(None)) == "? ? g setup -,-"


def test_the_battle_hides_nothing():
    position = start(setup="fixed")
    for viewer in (0, 1, None):
        assert position.seen_by(viewer) == position


# Typed lines


@pytest.mark.parametrize(
    "text",
    [
        "JD T1 T2 T3 T4 JÞ T5 KM A JM SÞ SD KD PD . . PÞ KÞ",
        "jr,t1,t2,t3,t4,jl / t5,gm,r,jm,sl,sr / kr,pr,.,.,pl,kl",
        '[Green "JD T1 T2 T3 T4 JÞ T5 KM A JM SÞ SD KD PD · · PÞ KÞ"]',
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_g17_a_typed_line_of_eighteen_spaces_arranges_everything(text, seat):
    position = typed(start(), seat, text)
    assert position.stage.lines[seat] == PRESETS["wings"]
    assert position.stage.lines[1 - seat] == STANDARD
    assert seat in position.actors()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (DEFAULT + " .", "length"),
        (DEFAULT[3:], "length"),
        (DEFAULT.replace("T3", "W"), "unknown"),
        (DEFAULT.replace("T3", "T4"), "twice"),
        (DEFAULT.replace("T3", "."), "missing"),
        (DEFAULT.replace("T3", "x").replace("KÞ", "T3").replace("x", "KÞ"), "rear"),
        (DEFAULT, "same"),
        (DEFAULT.replace("T1", "<b>&"), "unknown"),
    ],
)
def test_g12_a_line_that_is_not_sound_is_refused_with_the_reason(line, reason):
    with pytest.raises(IllegalMove) as refused:
        read_moves(GAME, start(), 0, line)
    assert refused.value.phrase.key == f"storilljudhjorrayc.refusal.line.{reason}"
    assert refused.value.refusal.rule == "G12"


def test_g17_in_the_battle_no_line_is_understood():
    with pytest.raises(IllegalMove):
        read_moves(GAME, start(setup="fixed"), 0, DEFAULT)


# Buttons


def test_a_unit_and_its_space_are_two_clicks():
    move = pick(GAME, start(), 0, ("A", "a2"))
    assert move == SetupSwap(0, "A", "JM")
    assert pick(GAME, start(), 0, ("A", "p1")) == Put(0, "A", "p1")
    assert pick(GAME, start(), 0, ("#", "wings")) == Preset(0, "wings")
    assert pick(GAME, start(), 0, ("ok",)) == Ready(0)


@pytest.mark.parametrize(
    ("text", "rule", "key"),
    [
        ("swap W T1", "Z3", "ambush-setup"),
        ("swap KL T1", "G12", "rear-setup"),
        ("place PD n3", "G12", "rear-setup"),
        ("place A i2", "G12", "zone"),
        ("A-n3", "G14", "taken"),
        ("A-p2", "Z6", "stays"),
        ("hola", "G17", "setup-form"),
        ("T3 a3-a4", "G17", "setup-form"),
    ],
)
def test_why_not(text, rule, key):
    refusal = GAME.speech.refusal(start(), 0, text)
    assert refusal.rule == rule
    assert refusal.phrase.key == f"storilljudhjorrayc.refusal.{key}"


@pytest.mark.parametrize("seat", [0, 1])
def test_what_shows_how_a_set_up_is_written_is_legal_for_whoever_reads_it(seat):
    said = language("en").say(GAME.speech.refusal(start(), seat, "hola").phrase)
    assert "place A " in said
    for part in said.partition("Write ")[2].split(", ")[:4]:
        assert read_move(GAME, start(), seat, part), part


def test_who_asks_what_stands_where_a_hidden_arrangement_lies_hears_that_it_is_hidden():
    def asked(seen, name):
        return [one.key.rpartition(".")[2] for one in GAME.asking.at(seen, name)]

    own, other = start().seen_by(0), start().seen_by(1)
    assert asked(own, "p2") == ["space"]
    assert asked(other, "p2") == asked(other, "p") == ["hidden"]
    assert asked(other, "e4") == ["empty"]
    assert asked(start().seen_by(None), "2") == ["hidden", "hidden"]


# The small army (G20)

EIGHT = "T1 T2 KM . . . . . A JM . JÞ . . . . KÞ ."


def test_g20_eight_units_a_side_start_where_they_usually_stand():
    for seat in (0, 1):
        assert line_of(start(units="eight"), seat) == EIGHT
    assert GAME.notation.text(start(units="eight", setup="fixed")) == (
        "A:p2,KM:p3,JM:a2,JÞ:c2,KÞ:b1,T1:n3,T2:o3,W:~ "
        "A:h2,KM:h3,JM:i2,JÞ:k2,KÞ:j1,T1:f3,T2:g3,W:~ g 0,0 0"
    )


@pytest.mark.parametrize("name", PRESETS)
def test_g20_every_arrangement_leaves_out_who_takes_no_part(name):
    position = typed(start(units="eight"), 0, f"preset {name}")
    assert sorted(line_of(position, 0).replace(".", "").split()) == sorted(
        ["A", "KM", "JM", "JÞ", "KÞ", "T1", "T2"]
    )


def test_g20_all_they_may_do_is_legal_and_leads_to_a_battle():
    rng, position = random.Random(20), start(units="eight")
    for _ in range(30):
        choices = [m for m in position.legal_moves(0) if not isinstance(m, Ready)]
        position = position.after(rng.choice(choices))
        assert faults(0, position.stage.lines[0], position.stage.variant) is None
    position = typed(position, 0, "ready")
    (last,) = position.overdue(1)
    assert position.after(last).legal_moves(0)


def test_g20_a_line_with_a_unit_that_takes_no_part_is_refused():
    position = start(units="eight")
    with pytest.raises(IllegalMove) as refused:
        read_moves(GAME, position, 0, EIGHT.replace(". A", "SD A"))
    assert refused.value.refusal.rule == "G12"
    moved = typed(position, 0, EIGHT.replace("A JM", "JM A"))
    assert line_of(moved, 0) == EIGHT.replace("A JM", "JM A")


def test_g20_nobody_is_missed_who_took_no_part_and_the_game_is_casual():
    said = GAME.speech.describe(start(units="eight", setup="fixed"))
    assert not [one for one in said if one.key.endswith("words.lost")]
    (units,) = (one for one in GAME.rules.options if one.key == "units")
    assert not units.compares("eight")
