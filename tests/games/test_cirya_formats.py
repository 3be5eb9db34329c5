"""R5: whole games as PTN, our own and foreign ones."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.texts import LANGUAGES, language
from games.cirya import GAME
from games.cirya.formats.ptn import MOST_PLIES, PTN, result
from games.core import Entry, Record, RuleError, Unreadable, read_move
from tests.games.cirya_positions import HIDDEN, play
from tests.games.cirya_records import EAGLE, SWAN, end_of, record
from tests.games.random_walks import random_setting, walk

DATA = Path(__file__).resolve().parents[1] / "data" / "cirya"


@pytest.mark.parametrize(
    ("moves", "told"),
    [
        (HIDDEN, "R-0"),
        ("e5 a1 b1 e4 c1 e3 d1 e2 Sb5 e1", "0-R"),
        ("a1 a2 b1 b2 c2 c1 d1 d2 d3 c3 b3 a3 a4 b4 c4 d4", "1/2-1/2"),
        (f"{HIDDEN} cede", "0-1"),
        ("e5 a1 b1 e4", ""),
    ],
)
def test_r5_results(moves, told):
    size = "4" if "d4" in moves else "5"
    one = record(moves, size=size)
    assert result(end_of(one).end) == told
    last = PTN.write(GAME, one).strip().splitlines()[-1]
    assert (last == told) == bool(told)


def test_r5_a_game_as_ptn():
    one = record("e5 a1 b1 e4 c1 e3 d1' Se1 Cb2", mode="nutacirya")
    one = Record(one.game, one.sides, one.options, 0, one.log, {"Player0": "Ana", "Player1": "Ben"})
    assert PTN.write(GAME, one).splitlines() == [
        '[Player1 "Ana"]',
        '[Player2 "Ben"]',
        '[Size "5"]',
        '[Caps "1"]',
        '[Opening "swap"]',
        '[CarryLimit "none"]',
        '[Mode "nutacirya"]',
        '[FalseClaim "offence"]',
        '[Repetition "3"]',
        "",
        "1. e5 a1",
        "2. b1 e4",
        "3. c1 e3",
        "4. d1' Se1",
        "5. Cb2",
    ]


def test_r5_a_written_game_reads_again_and_replays():
    rng = random.Random(5)
    for _ in range(30):
        wishes = {option.key: rng.choice(option.values) for option in GAME.rules.options}
        setting = GAME.setting(wishes)
        walked = list(walk(GAME, setting, rng, 80))
        position = walked[-1][0]
        entries = [entry for _, entry in walked if entry]
        one = Record("cirya", setting.sides, setting.options, 0, tuple(entries))
        again = PTN.read(GAME, PTN.write(GAME, one))
        assert again.log == one.log
        assert end_of(again) == position
        assert (again.options["capstone_4x4"] == "yes") == (position.customs.hallaciryar > 0) or (
            position.customs.size != 4
        )
        assert PTN.write(GAME, again) == PTN.write(GAME, one)


def test_r5_announcements_go_both_ways():
    one = record("e5 a1 b1 e4 c1 e3 d1' e2\" Sa2")
    again = PTN.read(GAME, PTN.write(GAME, one))
    assert again.log == one.log
    assert end_of(again).plies == end_of(one).plies


def test_r5_a_word_said_before_or_after_the_ply_is_written_with_it():
    one = record("e5 a1 b1 e4 c1 e3 d1")
    late = Record(one.game, one.sides, one.options, 0, (*one.log, Entry(SWAN, "'", aside=True)))
    assert PTN.write(GAME, late) == PTN.write(GAME, record("e5 a1 b1 e4 c1 e3 d1'"))


def test_r1_what_a_return_took_back_stands_in_a_remark():
    told = PTN.write(GAME, record(f"{HIDDEN} back e1"))
    assert "4. d1' {londë was due: e2 e1 taken back} e1" in told
    again = PTN.read(GAME, told)
    assert end_of(again).plies == play("e5 a1 b1 e4 c1 e3 d1' e1").plies


def test_c22_a_victory_given_away_goes_both_ways():
    one = record(f"{HIDDEN} cede")
    again = PTN.read(GAME, PTN.write(GAME, one))
    assert again.log == one.log
    assert end_of(again).outcome().winner == EAGLE


FOREIGN = """\ufeff[Site "PlayTak.com"]
[Player1 "somebody"]
[Player2 "somebody else"]
[Size "5"]
[Result "R-0"]

1. e5 a1 {the corners} 2. b1! e4? 3. c1 e3
{a remark
over two lines} 4. d1' e2
5.1d1>1   e2-1*'' 6. Td1 b5 0-1
"""


def test_r5_a_foreign_file_is_read():
    one = PTN.read(GAME, FOREIGN)
    assert " ".join(entry.text for entry in one.log) == (
        "e5 a1 b1 e4 c1 e3 d1' e2 d1> e2-\" Sd1 b5"
    )
    assert one.tags == {
        "Site": "PlayTak.com",
        "Player0": "somebody",
        "Player1": "somebody else",
        "Result": "0-1",
        "Note2": "the corners",
        "Note6": "a remark over two lines",
    }


SHUFFLED = "1. e5 a1 2. c3 c4 " + " ".join(f"{n}. a1> e5< {n + 1}. b1< d5>" for n in range(3, 9, 2))


def from_file(name: str) -> Record:
    return PTN.read(GAME, (DATA / name).read_text(encoding="utf-8"))


def test_a_game_of_tak_knows_neither_the_third_repetition_nor_the_announcement():
    one = from_file("repeats.ptn")
    assert (one.options["repetition"], one.options["mode"]) == ("none", "nutacirya")
    assert end_of(one).end is None
    assert len(one.log) == 17
    again = PTN.read(GAME, PTN.write(GAME, one))
    assert (again.log, again.options) == (one.log, one.options)


def test_a_file_with_our_tags_keeps_our_rules_for_those_that_are_missing():
    tagged = '[Size "5"]\n[Mode "aracirya"]\n'
    assert PTN.read(GAME, tagged + "1. a1 e5").options["repetition"] == "3"
    with pytest.raises(Unreadable) as error:
        PTN.read(GAME, tagged + SHUFFLED)
    assert "over already" in language("en").say(error.value.phrase)


def test_the_branches_of_ptn_ninja_are_none_of_the_game():
    one = from_file("branches.ptn")
    assert " ".join(entry.text for entry in one.log) == "e5 a1 b1 e4 c1 e3 d1 e2 e1"
    assert result(end_of(one).end) == "R-0"


@pytest.mark.parametrize(
    ("tag", "said"),
    [
        ('[Komi "2"]', "The tag Komi says “2”"),
        ('[Komi "0.5"]', "The tag Komi says “0.5”"),
        ('[Flats "20"]', "The tag Flats says “20”. Possible values: 21"),
        ('[Caps "2"]', "The tag Caps says “2”"),
    ],
)
def test_a_game_with_other_counts_is_refused_in_words(tag, said):
    with pytest.raises(Unreadable) as error:
        PTN.read(GAME, f'[Size "5"]\n{tag}\n1. a1 e5\n')
    assert language("en").say(error.value.phrase).startswith("Line ")
    assert said in language("en").say(error.value.phrase)


def test_the_tags_of_playtak_that_change_nothing_are_read():
    text = '[Size "5"]\n[Komi "0"]\n[Flats "21"]\n[Caps "1"]\n1. a1 e5\n'
    assert len(PTN.read(GAME, text).log) == 2


@pytest.mark.parametrize("text", ["", "\n \n", "\ufeff", "{only a remark}"])
def test_an_empty_file_is_no_game(text):
    with pytest.raises(Unreadable) as error:
        PTN.read(GAME, text)
    assert error.value.phrase.key == "core.record-empty"


def games(count: int, seed: int) -> Iterator[Record]:
    """*count* random games of at most 150 plies under random options, some of them resigned."""
    rng = random.Random(seed)
    for number in range(count):
        setting = random_setting(GAME, rng)
        if setting.options["size"] != "4":  # Elsewhere the option says nothing.
            setting = replace(setting, options={**setting.options, "capstone_4x4": "no"})
        walked = walk(GAME, setting, rng, rng.randrange(150))
        log = tuple(entry for _, entry in walked if entry)
        one = Record("cirya", setting.sides, setting.options, 0, log, {"Player0": "Nerea"})
        told = ("", "1-0", "0-1", "1/2-1/2")[number % 4]
        told = result(end_of(one).end) or told
        yield replace(one, tags={**one.tags, "Result": told} if told else one.tags)


def comes_back(before: Record) -> None:
    after = PTN.read(GAME, PTN.write(GAME, before))
    assert after.options == before.options
    assert after.tags == before.tags
    assert end_of(after).plies == end_of(before).plies
    assert end_of(after) == end_of(before)


@pytest.mark.slow
def test_games_come_back_as_they_were_written():
    for one in games(15, 3):
        comes_back(one)


@pytest.mark.slow
def test_500_games_come_back_as_they_were_written():
    for one in games(500, 11):
        comes_back(one)


def test_r5_a_foreign_file_that_breaks_a_rule_says_where():
    broken = FOREIGN.replace("6. Td1", "6. e5")
    with pytest.raises(Unreadable) as error:
        PTN.read(GAME, broken)
    assert language("en").say(error.value.phrase) == (
        "Line 10, “e5”: e5 isn’t empty: pieces are placed on empty squares only."
    )


def test_r5_a_file_that_begins_in_the_middle():
    tps = "x5/x5/x5/x5/1,1,1,12,x 2 9"
    one = PTN.read(GAME, f'[Size "5"]\n[TPS "{tps}"]\n\n9. -- d1+\n10. e1 R-0\n')
    assert one.tags["Position"] == tps
    assert result(end_of(one).end) == "R-0"
    assert PTN.read(GAME, PTN.write(GAME, one)) == one
    assert "9. -- d1+" in PTN.write(GAME, one)


def test_r5_a_game_resigned_keeps_its_result():
    one = PTN.read(GAME, '[Size "5"]\n[Result "0-1"]\n\n1. a1 e5 0-1\n')
    assert one.tags["Result"] == "0-1"
    assert PTN.write(GAME, one).endswith("1. a1 e5\n0-1\n")


@pytest.mark.parametrize(
    ("tag", "told"),
    [("0/1 resign", "1-0"), ("1/0 time", "0-1"), ("0,1 agreed", "1/2-1/2"), ("nonsense", "")],
)
def test_r6_a_resignation_at_a_table_is_written_as_ptn_writes_it(tag, told):
    one = record("e5 a1 c3")
    ended = Record(one.game, one.sides, one.options, 0, one.log, {"Result": tag})
    assert PTN.write(GAME, ended).strip().splitlines()[-1] == (told or "2. c3")


@pytest.mark.parametrize(
    "text",
    [
        '[Size "7"]\n1. a1',
        '[Size "5"]\n[Mode "rude"]\n1. a1',
        "[Size 5]\n1. a1",
        '[Size "5"]\n1. a1 a1',
        '[TPS "nonsense"]\n1. a1',
        "1. " + "a1 b1 " * 400,
        "1. e5 a1 b1 e4 c1 e3 d1 e2 e1 a5",
        "x" * 300_000,
        "1. " + "é" * 5000,
    ],
)
def test_r5_what_is_no_ptn_gets_a_sentence(text):
    with pytest.raises(RuleError) as error:
        PTN.read(GAME, text)
    for code in LANGUAGES:
        assert len(language(code).say(error.value.phrase)) < 400


def test_r5_endless_files_are_not_followed():
    shuffle = "a1> e5< b1< d5> " * (MOST_PLIES // 4 + 1)
    with pytest.raises(Unreadable) as error:
        PTN.read(GAME, f'[Size "5"]\n[Repetition "none"]\n1. e5 a1 c3 c4 {shuffle}')
    assert str(MOST_PLIES) in language("en").say(error.value.phrase)


def test_r5_no_spelling_fits_two_plies():
    rng = random.Random(3)
    for setting in (GAME.setting(), GAME.setting({"size": "4"})):
        *_, (position, _) = walk(GAME, setting, rng, 40)
        seat = position.board.mover
        for move in position.legal_moves(seat):
            for way in GAME.notation.spellings(position, move):
                assert read_move(GAME, position, seat, way) == move
