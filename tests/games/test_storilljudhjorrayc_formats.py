"""Storilljuðjorrayc: whole games as western text (Z14, G17)."""

from __future__ import annotations

import random

import pytest

from bot.texts import language
from games.core import Entry, Record, Unreadable, replay
from games.storilljudhjorrayc import GAME
from games.storilljudhjorrayc.move_types import Ready
from games.storilljudhjorrayc.setup import PRESETS, STANDARD, SetUp

(WESTERN,) = GAME.records.formats
LINE = "T1 T2 KM T3 T4 T5 JD SD A JM SÞ JÞ PD KD . . KÞ PÞ"
WINGS = "JD T1 T2 T3 T4 JÞ T5 KM A JM SÞ SD KD PD . . PÞ KÞ"

SHORT = f"""[Game "storilljudhjorrayc"]
[Green "{LINE}"]
[Purple "{WINGS}"]
[First "green"]
[Result "*"]

1. T3 a3-a4 W ~xb1
2. A p2-p1 --
3. W ~xg1 {{the archer}} T5 f2-e2
*
"""


def replayed(record: Record):
    return replay(GAME, GAME.beginning(record), record.log)


def random_record(seed: int, plies: int, first: int = 0, **options: str) -> Record:
    rng = random.Random(seed)
    setting = GAME.setting(options, first=first)
    position, log = GAME.start(setting), []

    def played(move, seat):
        log.append(Entry(seat, GAME.notation.written(position, move)))
        return position.after(move)

    while isinstance(position.stage, SetUp):
        seat = min(position.actors())
        for _ in range(rng.randrange(6)):
            moves = [m for m in position.legal_moves(seat) if not isinstance(m, Ready)]
            position = played(rng.choice(moves), seat)
        position = played(Ready(seat), seat)
    for _ in range(plies):
        if not position.actors():
            break
        (seat,) = position.actors()
        position = played(rng.choice(position.legal_moves(seat)), seat)
    return Record(GAME.key, setting.sides, setting.options, setting.first, tuple(log))


def test_a_game_text_is_read():
    record = WESTERN.read(GAME, SHORT)
    position = replayed(record)
    assert record.sides == ("green", "purple")
    assert record.first == 0
    assert position.actors() == {0}
    assert position.stage.ambushes == (1, 1)
    texts = [entry.text for entry in record.log]
    assert texts[-6:] == ["T3 a3-a4", "W ~xb1", "A p2-p1", "--", "W ~xg1", "T5 f2-e2"]
    assert texts.count("ready") == 2


def test_a_game_text_is_written():
    written = WESTERN.write(GAME, WESTERN.read(GAME, SHORT))
    assert written == SHORT.replace(" {the archer}", "")


def test_z14_the_remark_of_a_salvo_names_the_spaces_taken():
    text = "A:m2,KD:o1,T1:o3 A:i2,KM:h2,T1:o2,T2:o4,T3:o5 g 0,0 0"
    record = Record(
        GAME.key, GAME.rules.sides, {}, 0, (Entry(0, "KD o1x"), Entry(1, "--")), {"Position": text}
    )
    written = WESTERN.write(GAME, record)
    assert "1. KD o1x {o2,o3,o4} --\n" in written
    assert replayed(WESTERN.read(GAME, written)) == replayed(record)


def test_z14_the_first_mover_is_written_first_in_each_pair():
    record = random_record(5, 9, first=1, setup="fixed")
    written = WESTERN.write(GAME, record)
    assert '[First "purple"]' in written
    assert f"\n1. {record.log[0].text}" in written
    assert WESTERN.read(GAME, written).log[0].seat == 1


@pytest.mark.sampled(2)
@pytest.mark.parametrize("setup", ["hidden", "open", "fixed"])
@pytest.mark.parametrize("first", [0, 1])
def test_random_games_survive_being_written_and_read(setup, first):
    for seed, units in enumerate(("all", "eight")):
        rules = {"setup": setup, "crossing": "straight", "forest": "rear", "units": units}
        record = random_record(seed, 60, first, **rules)
        written = WESTERN.write(GAME, record)
        again = WESTERN.read(GAME, written)
        assert GAME.chosen(again.options) == GAME.chosen(record.options)
        assert again.first == record.first
        assert replayed(again) == replayed(record)
        assert WESTERN.write(GAME, again) == written
        moves = [e.text for e in record.log if e.text != "ready" and " " in e.text]
        assert moves[-1] in [entry.text for entry in again.log]


def test_set_up_lines_stand_in_the_text_however_they_came_about():
    log = (Entry(0, "preset wings"), Entry(1, "ready"), Entry(0, "ready"), Entry(0, "--"))
    written = WESTERN.write(GAME, Record(GAME.key, GAME.rules.sides, {}, 0, log))
    assert f'[Green "{WINGS}"]' in written
    assert f'[Purple "{LINE}"]' in written
    board = replayed(WESTERN.read(GAME, written)).stage.board
    assert board.place(0, "KM") == "o2"


@pytest.mark.parametrize(
    ("position", "moves", "result"),
    [
        ("A:m2,T1:a2 KM:a3 g 0,0 0", ["T1 a2xa3"], "1-0"),
        ("KM:a3 A:m2,T1:a2 p 0,0 0", ["T1 a2xa3"], "0-1"),
        ("A:m2,T1:a2 A:i2 g 0,0 3", ["--"], "="),
        ("A:m2,T1:a2 A:i2 g 0,0 0", ["--"], "*"),
    ],
)
def test_g17_the_result_closes_the_text(position, moves, result):
    first = "gp".index(position.split()[2])
    log = tuple(Entry(first, move) for move in moves)
    record = Record(GAME.key, GAME.rules.sides, {}, first, log, {"Position": position})
    written = WESTERN.write(GAME, record)
    assert written.endswith(f"\n{result}\n")
    assert WESTERN.read(GAME, written).tags["Result"] == result


@pytest.mark.parametrize(
    ("tag", "result"),
    [("0-1", "0-1"), ("0/1 resign", "1-0"), ("1/0 time", "0-1"), ("0,1 agreed", "="), ("?", "*")],
)
def test_a_result_that_the_moves_do_not_tell_is_taken_from_the_record(tag, result):
    record = Record(
        GAME.key, GAME.rules.sides, {"setup": "fixed"}, 0, (Entry(0, "--"),), {"Result": tag}
    )
    assert WESTERN.read(GAME, WESTERN.write(GAME, record)).tags["Result"] == result


def test_while_the_set_up_lasts_nothing_is_written():
    with pytest.raises(Unreadable):
        WESTERN.write(GAME, Record(GAME.key, GAME.rules.sides, {}, 0, (Entry(0, "preset wings"),)))


def test_a_text_without_set_up_lines_begins_from_the_default():
    position = replayed(WESTERN.read(GAME, "1. T3 a3-a4 T3 i3-i4\n"))
    assert position.stage.board.place(1, "A") == "h2"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (SHORT.replace("A p2-p1", "A p2-p5"), 8),
        (SHORT.replace("3. W", "3. nonsense W"), 9),
        (SHORT.replace("T3 a3-a4", "T3 a3-a9"), 7),
        (SHORT.replace("*\n", "4. -- -- -- -- --\n"), 10),
    ],
)
def test_the_first_bad_move_is_named_with_its_line(text, line):
    with pytest.raises(Unreadable) as wrong:
        WESTERN.read(GAME, text)
    args = dict(wrong.value.phrase.args)
    assert args["line"] == line
    for code in ("es", "en"):
        assert str(line) in language(code).say(wrong.value.phrase)


@pytest.mark.parametrize(
    "text",
    [
        SHORT.replace('[First "green"]', '[First "north"]'),
        SHORT.replace(WINGS, WINGS[3:]),
        SHORT.replace(WINGS, "T1 T2"),
        SHORT.replace(WINGS, WINGS.replace("PD", "T9")),
        '[setup "hasty"]\n1. --',
        f'[setup "fixed"]\n[Green "{WINGS}"]\n1. --',
        '[Position "nowhere"]\n1. --',
        "x" * 300_000,
        "1. " + "{" * 5_000,
        "1. T3 a3-a4 & & & &",
        "\x00\ud800",
    ],
)
def test_what_is_no_game_text_is_refused_with_a_sentence(text):
    with pytest.raises(Unreadable) as wrong:
        WESTERN.read(GAME, text)
    assert language("es").say(wrong.value.phrase)


def test_a_hostile_text_takes_no_time():
    for text in ("T" * 250_000, "T3 " * 80_000, "a1" * 120_000, "1." * 120_000, "{" * 250_000):
        with pytest.raises(Unreadable):
            WESTERN.read(GAME, text + " !")


def test_the_presets_can_all_be_set_up_from_a_text():
    for line in PRESETS.values():
        words = " ".join(label or "." for label in line)
        record = WESTERN.read(GAME, f'[Green "{words}"]\n[Purple "{words}"]\n*\n')
        assert replayed(record).stage.board.place(0, "A") is not None
        assert len(record.log) >= 2 + (line != STANDARD) * 2


@pytest.mark.parametrize("text", ["", "\n \n", "\ufeff"])
def test_an_empty_file_is_no_game(text):
    with pytest.raises(Unreadable) as error:
        WESTERN.read(GAME, text)
    assert error.value.phrase.key == "core.record-empty"


@pytest.mark.slow
def test_500_games_come_back_as_they_were_written():
    for seed in range(500):
        before = random_record(seed, seed % 60, seed % 2)
        text = WESTERN.write(GAME, before)
        after = WESTERN.read(GAME, text)
        # A set-up comes back as the line it made, whichever way that came about.
        assert replayed(after) == replayed(before)
        assert WESTERN.write(GAME, after) == text
