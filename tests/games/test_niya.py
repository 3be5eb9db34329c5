"""The rules of Niya, in the order of the rule book."""

import random
from itertools import combinations
from math import comb

import pytest

from bot.texts import LANGUAGES, language, rules
from games.core import CHANCE, IllegalMove, Outcome, read_move, settle, won_by
from games.core.search import perft
from games.niya import GAME
from games.niya.board import BY_CODE, DECK, NAMES, PATTERNS, deck
from games.niya.rules import FOUR_COLOURS
from tests.games.niya_tables import codes, dealt, played, shuffled

PATTERN = {"row": 4, "column": 4, "diagonal": 2, "square": 9}

BLOCK_BY_SECOND = "M4 L4 L3 V3 O3 O4 O1 V1 V2 V4"
"""Six cards lie on the table, but the greens and the fours are gone."""

BLOCK_BY_FIRST = "M2 O2 V2 L2 L1 V1 V4 L4 O4 O3 M3 V3 L3"
LINE = "L1 V1 M1 M3 L3 V3 V4 O4 O2"
SQUARE = "M2 L2 L1 L3 L4 M4 M3 M1 V1 V2 V4 V3"
FULL = "L1 L3 V3 M3 O3 O2 O1 V1 M1 M4 M2 L2 L4 O4 V4 V2"
LINE_AND_BLOCK = "O4 L4 L3 V3 V2 M2 M3 O3 O2 O1 L1 V1 M1 M4 V4"
LINE_AND_SQUARE = "M3 M4 M2 V2 V4 O4 O2 O3 L3 L4 L2 L1 O1 V1 M1"


def one_short(squares, seat):
    """A text in which *seat* lacks the last of *squares*, where the card M4 lies."""
    *three, last = squares
    rest = [s for s in range(16) if s not in squares]
    own, other = ("R", "A") if seat == 0 else ("A", "R")
    cells = dict.fromkeys(three, own) | dict.fromkeys(rest[:3], other) | {last: "M4"}
    cards = iter(card.code for card in DECK if card.code not in ("M1", "M4"))
    words = [cells.get(s) or next(cards) for s in range(16)]
    rows = "/".join(",".join(words[n : n + 4]) for n in (0, 4, 8, 12))
    return f"{rows} {own} M1"


def refused(position, text):
    with pytest.raises(IllegalMove) as caught:
        read_move(GAME, position, position.turn, text)
    return caught.value.refusal


def test_n1_sixteen_cards_in_four_cool_colours():
    assert len(set(DECK)) == 16
    assert [card.code for card in DECK[:5]] == ["M1", "M2", "M3", "M4", "O1"]
    says = [
        language("es").say(GAME.menus.label(dealt(), 0, (), code))
        for code in ("M2", "O2", "L2", "V2")
    ]
    assert says == [
        "M2 · Morado 2 · b4",
        "O2 · Azul oscuro 2 · b3",
        "L2 · Azul claro 2 · b2",
        "V2 · Verde 2 · b1",
    ]


@pytest.mark.parametrize("colours", FOUR_COLOURS.values)
def test_n1_any_four_of_the_six_colours_may_be_chosen(colours):
    start = GAME.start(GAME.setting({"colours": colours}))
    position = settle(GAME, start, lambda cases: (0, cases - 1))[0]
    shown = [(card.colour.lower(), card.index) for card in position.legal_moves(0)]
    assert {colour for colour, _ in shown} == set(colours)
    assert sorted(position.cells, key=lambda card: card.code) == sorted(
        deck(colours).values(), key=lambda card: card.code
    )
    assert {card.code for card in position.cells} == set(BY_CODE), "records stay as they are"
    assert [len([c for c in deck(colours).values() if c.colour == one]) for one in "MOLVRY"] == [
        4 * (one in colours.upper()) for one in "MOLVRY"
    ]
    # What is written is read as the same table, and chances and rules are those of the cool cards.
    again = GAME.notation.read(GAME.notation.text(position), {"colours": colours})
    assert again == position
    cool = GAME.notation.read(GAME.notation.text(position), {})
    assert cool.colours == FOUR_COLOURS.default
    assert GAME.rules.options[1].compares(colours)
    for card in position.legal_moves(0):
        then = position.after(card).legal_moves(1)
        other = cool.after(BY_CODE[card.code]).legal_moves(1)
        assert [one.code for one in then] == [one.code for one in other]


def test_n1_no_two_values_are_the_same_four_colours():
    assert FOUR_COLOURS.default == "molv"
    assert len({frozenset(four) for four in FOUR_COLOURS.values}) == comb(6, 4)
    assert all(len(set(four)) == 4 for four in FOUR_COLOURS.values)


def test_n1_chosen_colours_are_said_typed_and_asked_for():
    position = dealt(colours="mvry")
    spanish, english = language("es"), language("en")
    assert spanish.say(GAME.menus.label(position, 0, (), "O2")) == "R2 · Rojo 2 · b3"
    assert english.say(GAME.menus.label(position, 0, (), "L2")) == "Y2 · Yellow 2 · b2"
    for typed in ("R2", "O2", "roja 2", "red 2", "b3"):
        taken = read_move(
            GAME,
            dealt("V1 V2 O2 V3 V4 O1 O3 O4 L1 L2 L3 L4 M1 M2 M3 M4", colours="mvry"),
            0,
            typed if typed != "b3" else "c4",
        )
        assert (taken.colour, taken.index, taken.code) == ("R", 2, "O2")
    then = position.after(position.deck["O1"])
    assert spanish.say(GAME.menus.question(then, 1, ())) == "Toma una carta roja o un 1."
    assert read_move(GAME, then, 1, "Y1").code == "L1"
    assert refused(then, "Y2").rule == "N6"
    assert read_move(GAME, then, 1, "a1").code == "V1", "a square is no yellow card"
    assert refused(position, "dark blue 2").rule == "S6", "no such card lies on this table"
    assert "roja 2" in spanish.say(GAME.speech.spoken(then, then.deck["O2"]))


@pytest.mark.parametrize("code", LANGUAGES)
def test_n1_the_rule_text_names_okiya_and_its_author(code):
    assert "Okiya" in rules("niya", code)
    assert "Bruno Cathala" in rules("niya", code)


def test_n2_each_player_has_eight_markers_red_and_yellow():
    position = dealt()
    assert (position.in_hand(0), position.in_hand(1)) == (8, 8)
    position = played("M1 O1 O2")
    assert [position.cells[n] for n in (0, 4, 5)] == [0, 1, 0]
    assert (position.in_hand(0), position.in_hand(1)) == (6, 7)
    assert GAME.rules.sides == ("red", "yellow")


@pytest.mark.parametrize("first", [0, 1])
def test_n2_either_colour_may_begin(first):
    position = dealt(first=first)
    assert position.actors() == {first}
    assert position.after(BY_CODE["M1"]).cells[0] == first


def test_n2_the_lot_decides_who_begins_unless_a_colour_is_chosen():
    assert GAME.rules.begins == ("lot", "red", "yellow")


def test_n3_chance_deals_sixteen_cards_the_top_row_first():
    position = GAME.start(GAME.setting())
    for draw in range(16):
        assert position.actors() == {CHANCE}
        cards = position.legal_moves(CHANCE)
        assert len(cards) == 16 - draw
        assert list(cards) == [card for card in DECK if card in cards]
        position = position.after(cards[-1])
        assert position.cells[draw] == cards[-1]
    assert position.actors() == {0}
    assert not position.legal_moves(CHANCE)


def test_n4_a_marker_comes_in_the_place_of_the_card_which_is_discarded():
    position = played("M3")
    assert position.cells[2] == 0
    assert position.discard == BY_CODE["M3"]
    assert position.square_of(BY_CODE["M3"]) is None
    assert position.actors() == {1}


def test_n4_there_is_no_passing():
    for text in ("pass", "paso", "-", "--"):
        assert refused(dealt(), text).rule == "S6"


def test_n4_a_card_is_not_taken_twice():
    position = played("M1 O1")
    assert refused(position, "M1").rule == "N4"
    assert "ya no está" in language("es").say(refused(position, "M1").phrase)


def test_n4_a_square_with_a_marker_holds_no_card():
    refusal = refused(played("M1 O1"), "a3")
    assert (refusal.rule, refusal.squares) == ("N4", ("a3",))
    assert "Leo" in language("es").say(refusal.phrase, {0: "Ana", 1: "Leo"})


def test_n5_the_very_first_card_comes_from_the_border():
    assert codes(dealt()) == "M1 M2 M3 M4 O1 O4 L1 L4 V1 V2 V3 V4"
    for code, square in (("O2", "b3"), ("O3", "c3"), ("L2", "b2"), ("L3", "c2")):
        for wish in (code, square):
            refusal = refused(dealt(), wish)
            assert (refusal.rule, refusal.squares) == ("N5", (square,))


def test_n5_the_second_player_may_take_from_the_centre_at_once():
    assert codes(played("M2")) == "M1 M3 M4 O2 L2 V2"
    assert played("M2 O2").cells[5] == 1


def test_n6_the_card_shares_colour_or_index_with_the_one_taken_last():
    assert codes(played("M1")) == "M2 M3 M4 O1 L1 V1"
    assert codes(played("M1 O1")) == "O2 O3 O4 L1 V1"
    refusal = refused(played("M1 O1"), "V4")
    assert (refusal.rule, refusal.squares) == ("N6", ("d1",))
    said = language("es").say(refusal.phrase)
    assert said.startswith("La verde 4 (d1)")
    assert "el 1 azul oscuro" in said
    assert "Azul claro 1 (a2)" in said


def test_n6_any_deal_leaves_six_cards_after_the_first():
    position = shuffled(random.Random(6))
    for card in position.legal_moves(position.turn):
        replies = position.after(card).legal_moves(1 - position.turn)
        assert len(replies) == 6
        assert card not in replies


def test_n6_the_board_of_the_okiya_solver():
    # qbit86/okiya-solver: hearts, spades, diamonds, clubs and J Q K A as M, O, L, V and 1 to 4.
    position = dealt("M3 O1 M1 V2 L2 V1 O3 O4 L1 O2 L3 M2 V3 L4 M4 V4")
    position = position.after(position.cells[14])
    assert set(position.takeable_squares()) == {0, 2, 7, 11, 13, 15}
    position = position.after(position.cells[11])
    assert set(position.takeable_squares()) == {0, 2, 3, 4, 9}


def test_n7_there_are_ten_lines_and_nine_squares():
    kinds = [pattern.kind for pattern in PATTERNS]
    assert {kind: kinds.count(kind) for kind in kinds} == PATTERN


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda p: f"{p.kind}-{NAMES[p.squares[0]]}")
def test_n7_every_pattern_wins_at_once(pattern, seat):
    position = GAME.notation.read(one_short(pattern.squares, seat), {})
    assert position.outcome() is None
    won = position.after(read_move(GAME, position, seat, "M4"))
    assert won.outcome() == won_by(seat, "square" if pattern.kind == "square" else "line")
    assert won.patterns_made == (pattern,)
    assert not won.actors()


def test_n7_no_other_four_squares_win():
    lines = {tuple(sorted(pattern.squares)) for pattern in PATTERNS}
    won = set()
    for squares in combinations(range(16), 4):
        position = GAME.notation.read(one_short(squares, 0), {})
        end = position.after(BY_CODE["M4"]).outcome()
        won |= {squares} if end and end.reason in ("line", "square") else set()
    assert won == lines


@pytest.mark.parametrize("squares", [(3, 4, 7, 8), (1, 6, 11, 12), (7, 8, 11, 12), (2, 5, 8, 15)])
def test_n7_patterns_do_not_wrap_round_the_edge(squares):
    position = GAME.notation.read(one_short(squares, 0), {})
    assert not position.after(BY_CODE["M4"]).patterns_made


def test_n7_a_line_ends_the_game():
    won = played(LINE)
    assert won.outcome() == won_by(0, "line")
    assert [pattern.kind for pattern in won.patterns_made] == ["diagonal"]
    assert won.takeable_squares() == ()


def test_n7_a_square_ends_the_game():
    won = played(SQUARE)
    assert won.outcome() == won_by(1, "square")
    assert [pattern.kind for pattern in won.patterns_made] == ["square"]


def test_n8_no_card_that_goes_loses_while_cards_are_left():
    before = played(BLOCK_BY_SECOND.rsplit(" ", 1)[0])
    assert before.outcome() is None
    assert codes(before) == "M2 O2 L2 V4"
    end = played(BLOCK_BY_SECOND)
    assert end.outcome() == won_by(1, "block")
    assert sum(cell in DECK for cell in end.cells) == 6
    assert not end.legal_moves(0)


def test_n8_the_first_player_may_block_too():
    assert played(BLOCK_BY_FIRST).outcome() == won_by(0, "block")


@pytest.mark.parametrize("code", LANGUAGES)
def test_n9_the_rule_text_says_how_long_a_game_takes(code):
    assert ("diez minutos" if code == "es" else "ten minutes") in rules("niya", code)


def test_n9_no_game_is_longer_than_sixteen_turns():
    rng = random.Random(9)
    for _ in range(30):
        position, turns = shuffled(rng), 0
        while not position.outcome():
            position = position.after(rng.choice(position.legal_moves(position.turn)))
            turns += 1
        assert 7 <= turns <= 16


def test_s1_the_last_to_place_wins_on_a_full_board():
    end = played(FULL)
    assert end.outcome() == won_by(1, "full")
    assert (end.in_hand(0), end.in_hand(1)) == (0, 0)


def test_s1_a_full_board_is_a_draw_by_option():
    end = played(FULL, dealt(full_board="draw"))
    assert end.outcome() == Outcome("draw", (frozenset({0, 1}),))
    assert end.outcome().winner is None


def test_s1_the_option_does_not_touch_a_block_with_cards_left():
    end = played(BLOCK_BY_SECOND, dealt(full_board="draw"))
    assert end.outcome() == won_by(1, "block")


@pytest.mark.parametrize("code", LANGUAGES)
def test_s1_the_rule_text_tells_of_the_full_board(code):
    assert ("tablero lleno" if code == "es" else "full board") in rules("niya", code)


def test_s2_a_pattern_that_blocks_as_well_is_one_win_named_by_the_pattern():
    end = played(LINE_AND_BLOCK)
    last = end.discard
    assert not any(cell in DECK and last.goes_with(cell) for cell in end.cells)
    assert end.outcome() == won_by(0, "line")


def test_s3_a_line_and_a_square_at_once_are_one_win():
    end = played(LINE_AND_SQUARE)
    assert {pattern.kind for pattern in end.patterns_made} == {"diagonal", "square"}
    assert end.outcome() == won_by(0, "line")


def test_s4_who_begins_is_set_from_outside():
    assert GAME.start(GAME.setting(first=1)).turn == 1


@pytest.mark.parametrize("code", LANGUAGES)
def test_s5_hilbert_is_the_one_card_with_a_name(code):
    assert "Hilbert" in rules("niya", code)
    position = dealt()
    assert read_move(GAME, position, 0, "Hilbert") == BY_CODE["M2"]
    assert "Hilbert" not in language(code).say(GAME.speech.spoken(position, BY_CODE["M1"]))


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(3))
def test_perft_is_the_same_on_every_deal(seed):
    # From the tables of an independent solver: chain lengths do not depend on the deal.
    position = shuffled(random.Random(seed))
    counts = [perft(position, depth) for depth in range(1, 7)]
    assert counts == [12, 72, 360, 1656, 7344, 30672]


@pytest.mark.slow
def test_perft_deeper_on_the_ordered_deal():
    assert perft(dealt(), 7) == 117504
    assert perft(dealt(), 8) == 411504
