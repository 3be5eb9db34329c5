"""H23: files of other programs are read to their end or refused with a line, and ours come back."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.app.offline_game_commands import text_in
from bot.texts import language
from games.core import Entry, Record, Unreadable
from games.shogi import GAME
from games.shogi.board import BoardMove, Drop
from games.shogi.formats.kif import ki2
from games.shogi.formats.record_builder import finished
from games.shogi.rules import SIDES
from tests.games.random_walks import random_setting, walk
from tests.games.shogi_boards import at, begun, played, refused

DATA = Path(__file__).resolve().parents[1] / "data" / "shogi"
FORMATS = {form.key: form for form in GAME.records.formats}
SPEAKING = ("kif", "ki2", "csa")
"""The formats that say how a game ended."""

OPENED = "7g7f 3c3d"


def read(key: str, text: str) -> Record:
    return FORMATS[key].read(GAME, text)


def from_file(name: str) -> Record:
    file = DATA / name
    return read(file.suffix[1:], text_in(file, GAME))


def moves(record: Record) -> str:
    return " ".join(entry.text for entry in record.log)


def why(key: str, text: str) -> str:
    with pytest.raises(Unreadable) as unreadable:
        read(key, text)
    return language("en").say(unreadable.value.phrase)


def kif(*lines: str) -> str:
    return "\n".join(("手合割：平手", "手数----指手--", *lines, ""))


def csa(*lines: str) -> str:
    return "\n".join(("V2.2", "PI", "+", *lines, ""))


# -- what other programs write ----------------------------------------------------------


def test_kif_with_wide_blanks_and_numbers_and_an_end_of_its_own_is_read():
    found = from_file("wide.kif")
    assert moves(found) == f"{OPENED} 2g2f 8c8d"
    assert "Result" not in found.tags, "Time-up is no verdict"


def test_a_sealed_move_breaks_the_game_off_without_a_verdict():
    found = from_file("sealed.kif")
    assert moves(found) == OPENED
    assert found.tags == {"Player0": "Nerea", "Player1": "Bruno", "Spent": "5000 5000"}


def test_ki2_fields_with_signs_of_moves_in_them_are_fields():
    found = from_file("clocks.ki2")
    assert moves(found) == f"{OPENED} 8h2b+ 3a2b"
    assert found.tags == {
        "Player0": "Nerea▲una",
        "Player1": "Bruno",
        "Date": "2026/11/21",
        "Note2": "Un comentario",
        "Branch1": "0 2 2g2f",
        "Result": "1/0 time",
    }


def test_csa_without_signs_is_read():
    found = from_file("unsigned.csa")
    assert moves(found) == f"{OPENED} 8h2b+ 3a2b"
    assert found.tags["Result"] == "1/0 resign"


@pytest.mark.parametrize(
    ("line", "result"),
    [("+7776FU,T0,'a comment, with a comma", ""), ("+7776FU ,T0 ,'T0 ,'* 12 +7776FU", "")],
)
def test_csa_statements_may_be_followed_by_a_comment_on_their_line(line, result):
    # GPS, 2005, and AobaZero write such lines.
    assert moves(read("csa", csa(line))) == "7g7f"
    assert read("csa", csa(line)).tags.get("Result", "") == result


def test_csa_an_end_may_be_followed_by_a_comment():
    told = read("csa", csa("+7776FU", "%TORYO,'* -5000 win"))
    assert told.tags["Result"] == "0/1 resign"


@pytest.mark.parametrize("count", [19, 300])
def test_csa_more_pieces_in_a_hand_than_there_are_are_refused(count):
    assert "18" in why("csa", f"V2.2\nP+{'00FU' * count}\n+\n")


BARE = """
後手の持駒：なし
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
| ・ ・ ・ ・v玉 ・ ・ ・ ・|一
| ・ ・ ・ ・ ・ ・ ・ ・ ・|二
| ・ ・ ・ ・ 歩 ・ ・ ・ ・|三
| ・ ・ ・ ・ ・ ・ ・ ・ ・|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| ・ ・ ・ ・ ・ ・ ・ ・ ・|七
| ・ ・ ・ ・ ・ ・ ・ ・ ・|八
| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九
+---------------------------+
先手の持駒：金
"""


@pytest.mark.parametrize("head", ["", "手合割：\n"])
def test_a_bare_board_is_a_game_that_has_not_gone_on_yet(head):
    told = read("kif", head + BARE)
    assert moves(told) == ""
    assert told.tags["Position"].startswith("4k4/9/4P4/9/9/9/9/9/4K4 b G")


def test_a_kif_with_an_empty_handicap_is_an_even_game():
    assert moves(read("kif", "手合割：\n手数----指手--\n1 ７六歩(77)\n")) == "7g7f"


@pytest.mark.parametrize("code", ["utf-16-le", "utf-16-be"])
def test_a_file_in_utf_16_says_so_by_its_first_two_bytes(tmp_path, code):
    file = tmp_path / "game.kif"
    file.write_bytes(("\ufeff" + kif("1 ７六歩(77)")).encode(code))
    assert moves(read("kif", text_in(file, GAME))) == "7g7f"


def test_csa_in_euc_jp_is_read_with_a_broken_comment():
    found = from_file("euc.csa")
    assert moves(found) == f"{OPENED} 8h2b+"
    assert found.tags["Player0"] == "棋士"


def test_a_broken_letter_in_a_move_is_told_with_its_line(tmp_path):
    file = tmp_path / "broken.csa"
    file.write_bytes(csa("+7776FU", "'" + "x" * 200, "-3334F?").encode().replace(b"?", b"\xff"))
    with pytest.raises(Unreadable) as unreadable:
        read("csa", text_in(file, GAME))
    assert language("en").say(unreadable.value.phrase).startswith("Line 6")


def test_what_is_no_text_at_all_is_refused(tmp_path):
    file = tmp_path / "noise.kif"
    file.write_bytes(bytes(range(128, 256)) * 20)
    with pytest.raises(Unreadable):
        text_in(file, GAME)


@pytest.mark.parametrize(
    ("said", "result"),
    [
        ("時間切れにより後手の勝ち", "1/0 time"),
        ("後手の勝ち", "1/0 resign"),
        ("後手の反則負け", "0/1 illegal"),
        ("持将棋", "0,1 jishogi"),
        ("中断", None),
    ],
)
def test_the_verdict_of_the_last_line_is_read_in_kif_and_ki2(said, result):
    until = f"まで2手で{said}"
    for record in (
        read("kif", kif("1 ７六歩(77)", "2 ３四歩(33)", until)),
        read("ki2", f"手合割：平手\n▲７六歩 △３四歩\n{until}\n"),
    ):
        assert moves(record) == OPENED
        assert record.tags.get("Result") == result


# -- nothing is dropped without a word --------------------------------------------------


@pytest.mark.parametrize(
    ("word", "result"),
    [
        ("投了", "1/0 resign"),
        ("切れ負け", "1/0 time"),
        ("時間切れ", "1/0 time"),
        ("詰み", "1/0 mate"),
        ("詰", "1/0 mate"),
        ("不戦敗", "1/0 resign"),
        ("反則負け", "1/0 illegal"),
        ("反則勝ち", "0/1 illegal"),
        ("入玉勝ち", "0/1 declared"),
        ("勝ち宣言", "0/1 declared"),
        ("千日手", "0,1 sennichite"),
        ("持将棋", "0,1 jishogi"),
        ("中断", None),
        ("不詰", None),
    ],
)
def test_every_word_by_which_kif_ends_is_read_without_a_remark_of_ours(word, result):
    record = read("kif", kif("1 ７六歩(77)", "2 ３四歩(33)", f"3 {word}"))
    assert record.tags.get("Result") == result


def test_a_diagram_with_too_few_rows_is_told_with_the_last_of_them():
    rows = ("|v香v桂v銀|一", "| ・v飛 ・|二", "| 歩 歩 歩|三")
    said = why("kif", "\n".join((*rows, "手数----指手---------消費時間--", "1 ７六歩(77)", "")))
    assert rows[-1] in said


@pytest.mark.parametrize(
    "line", ["XX ３四歩(33)", "hello", "-3334FU", "２３四歩(33)", "場所：Madrid", "2 ３四捕(33)"]
)
def test_kif_lines_after_the_first_move_that_say_nothing_known_are_told(line):
    assert why("kif", kif("   1 ７六歩(77)", line, "   3 ２六歩(27)")).startswith("Line 4, ")


def test_a_first_line_that_looks_like_a_move_without_a_number_is_told():
    assert why("kif", kif("XX ７六歩(77)", "   2 ３四歩(33)")).startswith("Line 3, ")


@pytest.mark.parametrize("line", ["hello", "△３四歩 hello ▲２六歩", "hello △３四歩", "備考：x"])
def test_ki2_lines_after_the_first_move_that_say_nothing_known_are_told(line):
    assert why("ki2", f"手合割：平手\n▲７六歩\n{line}\n").startswith("Line 3, ")


@pytest.mark.parametrize("line", ["-3334F", "hello", "2３34FU", "P+00FU", "-3334FUX"])
def test_csa_lines_after_the_first_move_that_say_nothing_known_are_told(line):
    assert why("csa", csa("+7776FU", line, "%TORYO")).startswith("Line 5, ")


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("kif", kif("1 ７六歩(77)", "2 投了", "3 ２六歩(27)")),
        ("kif", kif("1 ７六歩(77)", "2 Time-up", "3 ３四歩(33)")),
        ("kif", kif("1 ７六歩(77)", "まで1手で先手の勝ち", "2 ３四歩(33)")),
        ("ki2", "手合割：平手\n▲７六歩\n\nまで1手で先手の勝ち\n△３四歩\n"),
        ("csa", csa("+7776FU", "%TORYO", "-3334FU")),
    ],
)
def test_a_move_after_the_end_is_told(key, text):
    assert "The game was over already" in why(key, text)


def test_what_stands_numbered_after_the_end_and_is_no_move_is_told_with_its_words():
    said = why("kif", kif("1 ７六歩(77)", "2 投了", "3 hello"))
    assert said.startswith("Line 5, ")
    assert "hello" in said


def test_a_game_broken_off_may_go_on():
    assert moves(read("kif", kif("1 ７六歩(77)", "2 封じ手", "2 ３四歩(33)"))) == OPENED


# -- what ours say ----------------------------------------------------------------------


def record(text: str = "", first: int = 0, tags: dict[str, str] | None = None, **options: str):
    """A record of *text*: moves, and asides after an ampersand and their seat."""
    log = []
    for word in text.split():
        seat = finished(GAME, Record("shogi", SIDES, options, first, tuple(log), tags or {})).turn
        aside = word.startswith("&")
        log.append(Entry(int(word[1]) if aside else seat, word[2:] if aside else word, aside))
    return Record("shogi", SIDES, options, first, tuple(log), tags or {})


ENTERED = {"Position": "3KL4/2GGS4/+P+P+P+P1+R+B2/9/9/9/9/9/4k4 b RB 1"}
FEWER = {"Position": "3K5/2GGS4/+P+P+P+P1+R+B2/9/9/9/9/9/4k4 b RB 31"}
BOTH_IN = {"Position": "3K5/9/9/9/9/9/9/9/3k5 b R2B9Pr4g4s4n4l9p 1"}
ENDED = [
    record(OPENED, tags={"Result": "0/1 resign"}),
    record(OPENED, tags={"Result": "1/0 resign"}),
    record(OPENED, tags={"Result": "0/1 time"}),
    record(OPENED, tags={"Result": "0,1 agreement"}),
    record("2h3h 8b7b 3h2h 7b8b " * 3),
    record("7g7f P-7e", illegal="lose"),
    record("7g7f 8c8e", illegal="lose"),
    record("5g5f 3c3e", illegal="lose"),
    record("2g2f P*5e", illegal="lose"),
    record("7g7e 7g7f 3c3d", illegal="same_piece"),
    record("&0declare27", tags=ENTERED, impasse="declare27"),
    record("&0declare27", tags=FEWER, impasse="declare27"),
    record("&1jishogi &0jishogi-yes", tags=BOTH_IN),
    record("&0jishogi 6a7a &1jishogi-yes", tags=BOTH_IN, impasse="jsa"),
    record("&0jishogi &1jishogi-no 6a7a", tags=BOTH_IN),
    record("5a4b", tags={"Result": "1/0 time"}, handicap="2"),
    record("3c3d", first=1, tags={"Result": "0/1 time"}),
]


@pytest.mark.parametrize("key", SPEAKING)
@pytest.mark.parametrize("before", ENDED, ids=lambda one: one.text().splitlines()[-2][:30])
def test_how_a_game_ended_comes_back_as_it_was_written(key, before):
    after = read(key, FORMATS[key].write(GAME, before))
    assert after.log == before.log
    assert after.first == before.first
    assert after.options == before.options
    assert after.tags == before.tags
    assert finished(GAME, after).outcome() == finished(GAME, before).outcome()


def test_ki2_begins_with_a_field_so_that_other_programs_pass_over_our_remarks():
    text = FORMATS["ki2"].write(GAME, record(OPENED, tags={"Result": "0/1 time"}))
    first, second, *_ = text.splitlines()
    assert first == "手合割：平手"
    assert second.startswith("# ludoteca")
    assert text.splitlines()[-1] == "まで2手で時間切れにより先手の勝ち"


PINNED = "4r3k/9/9/9/9/9/4G4/3G5/4K4 b G 1"
"""The gold on 5g is pinned, that on 6h is not."""


def test_ki2_tells_apart_pieces_that_reach_the_square_pinned_or_not():
    position = at(PINNED)
    assert refused(position, "5g6g") == "H9 check"
    plays = {GAME.notation.written(position, play): play for play in position.plays}
    assert ki2(position, plays["6h6g"]) == "６七金上"
    assert ki2(position, plays["G*6g"]) == "６七金打"


@pytest.mark.parametrize("text", ["６七金", "６七金上", "６七金直", "６七金左"])
def test_ki2_of_those_who_count_pinned_pieces_and_of_those_who_do_not_is_read(text):
    position = at(PINNED)
    assert GAME.notation.tidied(position, text) == "6h6g"


def test_h23_a_word_that_fits_no_piece_is_told_so():
    position = played(begun(), "4i5h 3c3d")
    assert refused(position, "６八金引") == "H23 manner"
    pinned = at("4r3k/9/9/9/9/9/4G4/9/4K4 b - 1")
    assert refused(pinned, "６七金寄") == "H9 check"


# -- games there and back ---------------------------------------------------------------


def games(key: str, count: int, seed: int) -> Iterator[Record]:
    """*count* random games of at most 150 plies, some of them given up.

    Their options are random too, but for USI, which knows handicaps alone.
    """
    rng = random.Random(seed)
    for number in range(count):
        setting = random_setting(GAME, rng)
        if key == "usi":
            setting = GAME.setting({"handicap": setting.options["handicap"]})
        walked = walk(GAME, setting, rng, rng.randrange(150))
        log = tuple(entry for _, entry in walked if entry)
        chosen = {key: value for key, value in setting.options.items() if value != "none"}
        told = ("", "0/1 resign", "1/0 time", "0,1 agreement")[number % 4]
        one = Record("shogi", SIDES, chosen, setting.first, log, {"Player0": "Nerea"})
        if told and finished(GAME, one).outcome() is None:
            one = Record("shogi", SIDES, chosen, setting.first, log, {**one.tags, "Result": told})
        yield one


def there_and_back(key: str, before: Record) -> bool:
    """Whether *before* comes back as it was; false where KI2 has no words for a move."""
    try:
        text = FORMATS[key].write(GAME, before)
    except Unreadable as refused_:
        if refused_.phrase.key not in ("shogi.unreadable.ki2-doubt", "shogi.unreadable.no-foul"):
            raise
        return False
    after = read(key, text)
    if key == "usi":
        plays = [one for one in before.log if not one.aside]
        assert list(after.log) == plays
        return True
    assert (after.log, after.tags) == (before.log, before.tags)
    assert after.options == dict(before.options)
    assert finished(GAME, after).outcome() == finished(GAME, before).outcome()
    return True


@pytest.mark.sampled(2)
@pytest.mark.parametrize("key", FORMATS)
def test_games_come_back_as_they_were_written(key):
    assert sum(there_and_back(key, one) for one in games(key, 15, 3)) >= 10


@pytest.mark.slow
@pytest.mark.parametrize("key", FORMATS)
def test_500_games_come_back_as_they_were_written(key):
    assert sum(there_and_back(key, one) for one in games(key, 500, 11)) >= 450


@pytest.mark.slow
def test_what_ki2_says_of_every_legal_move_is_read_as_that_move():
    for one in games("ki2", 60, 5):
        position = finished(GAME, Record("shogi", SIDES, one.options, one.first, one.log, {}))
        for play in position.legal_moves(position.turn):
            if isinstance(play, BoardMove | Drop):
                try:
                    said = ki2(position, play)
                except Unreadable:
                    continue
                assert GAME.notation.tidied(position, said) == GAME.notation.written(position, play)


@pytest.mark.parametrize("key", FORMATS)
@pytest.mark.parametrize("text", ["", "\n \n", "\ufeff"])
def test_an_empty_file_is_no_game(key, text):
    with pytest.raises(Unreadable):
        read(key, text)
