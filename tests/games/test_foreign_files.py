"""H23, R5: files of other programs, whole and damaged; a reader never invents how a game ended."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bot.texts import language
from games.cirya import GAME as CIRYA
from games.core import Record, Unreadable
from games.core.annotations import branches_of
from games.core.recognition import MOST_PLIES, RECORD, GameFile, decode_file, read_file, recognise
from games.core.record import LONGEST_RECORD
from games.core.shelf import shelf
from games.shogi import GAME as SHOGI
from games.shogi.formats.record_builder import ending
from tests.games.random_walks import walk

DATA = Path(__file__).resolve().parents[1] / "data" / "outside"
EVEN = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3"
SEALED = "lnsgkgsnl/1r5b1/p1ppppppp/1p7/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3"
HANDICAP = "ln1gkgsnl/3s5/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 3"
EXCHANGED = "lnsgkg1nl/1r5s1/pppppp1pp/6p2/5B3/2P6/PP1PPPPPP/7R1/LNSGKGSNL w b 6"
FILES = {
    "01-star-head.kif": ("resign gote", EVEN),
    "04-uwate-no-turn-line.kif": ("*", HANDICAP),
    "05-uwate-turn-line.kif": ("*", HANDICAP),
    "06-sealed.kif": ("*", SEALED),
    "08-variation-in-variation.kif": (
        "*",
        "lnsgk1snl/1r4gb1/p1ppppp1p/7R1/1p7/9/PPPPPPP1P/1BG6/LNS1KGSNL w Pp 10",
    ),
    "09-flipped-bookmark.kif": ("resign gote", EVEN),
    "30-sjis-crlf.kif": ("resign gote", EVEN),
    "32-bom.kif": ("resign gote", EVEN),
    "33-foul-loses.kif": ("illegal gote", EVEN),
    "36-fusensho.kif": (
        "resign gote",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    ),
    "37-no-handicap-line.kif": ("*", EVEN),
    "38-takes-by-run.kif": ("resign sente", HANDICAP),
    "06b-sealed.ki2": ("*", SEALED),
    "11-ki2-digits.ki2": ("*", EXCHANGED),
    "11b-ki2-fullwidth.ki2": ("resign sente", EXCHANGED),
    "34-declared.ki2": ("declared sente", EVEN),
    "22-v2.csa": ("resign gote", EVEN),
    "23-end-time-last.csa": ("resign gote", EVEN),
    "24-illegal-action.csa": ("illegal gote", EVEN),
    "26-two-games.csa": ("resign gote", EVEN),
    "27-al.csa": ("mate sente", "8k/8G/8P/9/9/9/9/9/9 w 2r2b3g4s4n4l17p 2"),
    "40-no-result.ptn": ("londe eagle", "x,1,1,1/x2,1,1/2,2,2,12/2,x3 1 7"),
    "41-dashes.ptn": ("1-0", "x4,1/x2,2,x2/x2,1,x2/x5/2,x4 1 3"),
    "42-odd-draw.ptn": ("1/2-1/2", "x4,1/x2,2,x2/x2,1,x2/x5/2,x4 1 3"),
    "43-clock.ptn": ("*", "x5,1/x6/x2,2,1C,x2/x2,1,2S,x2/x6/2,x5 1 4"),
    "44-branch.ptn": ("*", "x4,1/x,1,2,2,x/x,2,1,1,x/x5/2,x4 1 5"),
    "45-tps-start.ptn": ("*", "x5/x2,12C,x2/x5/x,2,x3/1,x3,2 1 7"),
}
"""The end and the last position of each, as ``truth/outside`` of the desk tells them."""


def opened(text: str, number: int = 0) -> GameFile:
    return read_file(text, shelf(), number)


def from_file(name: str) -> str:
    text = decode_file((DATA / name).read_bytes(), SHOGI.records.encodings)
    assert text is not None
    return text


def end_of(file: GameFile) -> str:
    """How the game of *file* ended: reason and winner, or what PTN tells."""
    last = file.positions[-1]
    outcome = last.outcome()
    if file.game is CIRYA:
        told = file.record.tags.get("Result", "*")
        return f"{outcome.reason} {file.record.sides[outcome.winner]}" if outcome else told
    reason, winner = ending(file.record, last)
    return " ".join([reason or "*", *([] if winner is None else [file.record.sides[winner]])])


@pytest.mark.parametrize("name", FILES)
def test_h23_files_as_other_programs_write_them_are_read_whole(name):
    file = opened(from_file(name))
    if name == "08-variation-in-variation.kif":
        # Its last branch drops a pawn that nobody holds: the game before it is whole.
        assert dict(file.refusal.args)["text"] == "８七歩打"
    else:
        assert file.refusal is None
    assert (end_of(file), file.game.notation.text(file.positions[-1])) == FILES[name]
    assert file.form.suffix == Path(name).suffix


def test_h23_a_file_of_another_board_is_refused():
    with pytest.raises(Unreadable) as refused:
        opened(from_file("54-other-board.kif"))
    assert dict(refused.value.phrase.args)["line"] > 0


def test_the_second_game_of_a_csa_file_is_there_with_its_own_lines():
    text = from_file("26-two-games.csa")
    second = opened(text, 1)
    assert (second.number, second.count, opened(text).count) == (1, 2, 2)
    assert [entry.text for entry in second.record.log] == ["2g2f"]
    broken = opened(text.replace("%TORYO", "%TORYX"), 1)
    assert dict(broken.refusal.args)["line"] == len(text.strip().splitlines())


@pytest.mark.parametrize(
    "text", ["1 hola", "1. hola adiós", "hello\nthere", "<html>", "1. e4 e5 2. Nf3 Nc6"]
)
def test_what_is_no_file_of_a_game_is_refused_with_its_first_line(text):
    with pytest.raises(Unreadable) as refused:
        recognise(text, shelf())
    assert dict(refused.value.phrase.args)["line"] == 1


def test_a_bare_position_is_a_game_that_has_not_gone_on_yet():
    for text, key in (
        ("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", "shogi"),
        ("x5/x5/x5/x5/x5 1 1", "cirya"),
    ):
        file = opened(text)
        assert (file.game.key, file.record.log) == (key, ())
        assert file.game.notation.text(file.positions[-1]) == text


@pytest.mark.parametrize("key", list(shelf()))
def test_the_text_of_a_position_of_each_game_is_known_by_itself(key):
    game = shelf()[key]
    for plies in (0, 1, 9):
        trail = [position for position, _ in walk(game, game.setting(), random.Random(62), plies)]
        text = game.notation.text(trail[-1])
        for one in (text, f"\ufeff{text}\n\n"):
            file = opened(one)
            assert (file.game, file.refusal, file.record.log) == (game, None, ())
            assert game.notation.text(file.positions[-1]) == text
        with pytest.raises(Unreadable):
            opened(f"hola {text}")


@pytest.mark.parametrize(
    ("moves", "told"),
    [
        ("7g7f 3c3d resign", "resign gote"),
        ("7g7f resign", "resign sente"),
        ("7g7f 3c3d win", "declared sente"),
        ("7g7f 3c3d", "*"),
    ],
)
def test_h23_a_list_of_moves_of_an_engine_may_tell_the_end(moves, told):
    file = opened(f"position startpos moves {moves}\n")
    assert (end_of(file), file.refusal) == (told, None)


def test_h23_nothing_follows_the_end_that_an_engine_tells():
    file = opened("position startpos moves 7g7f resign 3c3d\n")
    assert dict(file.refusal.args)["text"] == "3c3d"
    assert len(file.record.log) == 1


def test_a_record_of_ours_is_read_up_to_its_first_wrong_entry():
    log = "0 e5\n1 a1\n0 a1\n1 b1\n"
    file = opened(
        f'[Ludoteca "1"]\n[Game "cirya"]\n[Sides "swan eagle"]\n[Result "0/1 x"]\n\n{log}'
    )
    assert (file.form, len(file.record.log)) == (RECORD, 2)
    assert "Result" not in file.record.tags
    assert "a1" in language("en").say(file.refusal)


KIF = """手合割：平手
先手：い
後手：ろ
手数----指手---------消費時間--
   1 ７六歩(77)   ( 0:02/00:00:02)
   2 ３四歩(33)   ( 0:05/00:00:05)
   3 ２二角成(88) ( 0:06/00:00:08)
   4 同　金(31)   ( 0:06/00:00:08)
まで4手で後手の勝ち
"""


@pytest.mark.parametrize(("tag", "value"), [("Komi", "2"), ("Caps", "7"), ("Flats", "9")])
def test_r5_a_tag_that_cannot_be_is_refused_at_its_own_line(tag, value):
    text = f'[Size "5"]\n[{tag} "{value}"]\n\n1. a1 e5\n2. c3 c4\n'
    with pytest.raises(Unreadable) as refused:
        opened(text)
    assert dict(refused.value.phrase.args)["line"] == 2


@pytest.mark.parametrize(
    "wrong", ["同　金(31)", "３三金(31)", "XX", "投し", "２二金(99)", "Time-over"]
)
def test_h23_a_game_with_one_wrong_move_is_kept_up_to_it_without_a_winner(wrong):
    file = opened(KIF.replace("同　金(31)", wrong))
    assert (len(file.record.log), end_of(file)) == (3, "*")
    assert dict(file.refusal.args)["line"] == 8


def test_h23_a_wrong_move_of_csa_is_refused_at_its_own_line():
    file = opened("V2.2\nPI\n+\n+7776FU\n-3335FU\n+2726FU\n%TORYO\n")
    said = language("en").say(file.refusal)
    assert (len(file.record.log), end_of(file)) == (1, "*")
    assert said.startswith("Line 5, “-3335FU”")


@pytest.mark.parametrize(
    "last", ["まで4手で先手の勝ち", "まで5手で後手の勝ち", "まで4手で後手の勝", "まで4手で"]
)
def test_h23_a_last_line_that_does_not_fit_the_moves_gives_nobody_the_game(last):
    text = KIF.replace("同　金(31)", "同　銀(31)")
    assert end_of(opened(text)) == "resign gote"
    file = opened(text.replace("まで4手で後手の勝ち", last))
    assert (len(file.record.log), end_of(file)) == (4, "*")
    assert dict(file.refusal.args)["line"] == 9


def test_h23_two_files_glued_are_the_first_with_the_line_of_the_second():
    whole = KIF.replace("同　金(31)", "同　銀(31)")
    file = opened(whole + whole.replace("後手の勝ち", "先手の勝ち"))
    assert (len(file.record.log), end_of(file)) == (4, "resign gote")
    assert dict(file.refusal.args)["line"] == 10


def test_r5_a_result_that_the_board_does_not_show_is_no_result():
    text = from_file("40-no-result.ptn")
    file = opened(text.rpartition("\n6.")[0])
    assert (len(file.record.log), end_of(file)) == (10, "*")
    assert dict(file.refusal.args)["text"] == '[Result "0-R"]'


def test_h23_drops_from_nowhere_and_problems_with_a_board_are_read():
    text = KIF.replace("   4 同　金(31)", "   4 同　銀(31)").replace(
        "まで4手", "   5 ５四角打(00)\nまで5手"
    )
    assert opened(text.replace("後手の勝ち", "先手の勝ち")).record.log[-1].text == "B*5d"
    board = from_file("04-uwate-no-turn-line.kif").replace("手合割：その他", "手合割：詰将棋")
    assert opened(board).refusal is None
    with pytest.raises(Unreadable):
        opened(KIF.replace("平手", "詰将棋"))


@pytest.mark.parametrize("handicap", ["3", "5", "left_5", "left_7", "right_7", "10", "2", "lance"])
def test_h20_handicaps_that_others_do_not_know_are_written_with_their_board(handicap):
    record = Record("shogi", SHOGI.rules.sides, {"handicap": handicap})
    for key in ("kif", "ki2"):
        form = next(one for one in SHOGI.records.formats if one.key == key)
        text = form.write(SHOGI, record)
        assert ("|v香" in text or "| ・v桂" in text or "|一" in text) == (
            handicap in ("3", "5", "left_5", "left_7", "right_7")
        )
        assert form.read(SHOGI, text).options["handicap"] == handicap


# -- comments and branches ---------------------------------------------------------------


def test_h23_comments_bookmarks_and_branches_come_out_again():
    text = from_file("08-variation-in-variation.kif").replace(
        "   2 ８四歩(83)\n", "   2 ８四歩(83)\n*uno\n*dos\n&aquí\n", 1
    )
    text = text.replace("８七歩打", "５四歩(53)").replace("同　金(78)", "５六歩(57)")
    record = opened(text).record
    assert record.tags["Note2"] == "uno\\ndos"
    assert record.tags["Mark2"] == "aquí"
    assert record.tags["Branch1"] == "0 7 8e8f 8g8f 8b8f"
    assert record.tags["Branch2"] == "1 9 5c5d 5g5f"
    kif, ki2, *_ = SHOGI.records.formats
    assert kif.read(SHOGI, kif.write(SHOGI, record)).tags == record.tags
    again = ki2.read(SHOGI, ki2.write(SHOGI, record))
    assert branches_of(again) == branches_of(record)
    assert Record.read(record.text()) == record


def test_r5_comments_and_branches_of_ptn_come_out_again():
    file = CIRYA.records.formats[0]
    text = (DATA.parent / "cirya" / "branches.ptn").read_text(encoding="utf-8")
    record = file.read(CIRYA, text)
    assert record.tags["Note5"] == "this threatens nothing yet"
    assert record.tags["Branch1"] == "0 4 c3 c4 d3 d4"
    again = file.read(CIRYA, file.write(CIRYA, record))
    assert set(branches_of(again)) == set(branches_of(record)) != set()
    assert (again.log, again.tags["Note5"]) == (record.log, record.tags["Note5"])


# -- thousands of damaged files ----------------------------------------------------------


def sources(rng: random.Random, count: int) -> list[tuple[str, str, str, int]]:
    """*count* whole games of each format: key, text, true end, plies."""
    found = []
    for game in (SHOGI, CIRYA):
        for number in range(count):
            setting = game.setting({} if game is SHOGI else {"mode": "nutacirya"})
            log = tuple(
                entry for _, entry in walk(game, setting, rng, rng.randrange(8, 60)) if entry
            )
            log = tuple(entry for entry in log if not entry.aside)
            record = Record(game.key, setting.sides, setting.options, 0, log, {"Player0": "Ana"})
            for form in game.records.formats:
                try:
                    text = form.write(game, _resigned(game, record, bool(number % 3)))
                    file = opened(text)
                except Unreadable:
                    continue
                if file.refusal is None:
                    found.append((form.key, text, end_of(file), len(file.record.log)))
    return found


def _resigned(game, record: Record, gives_up: bool) -> Record:
    last = game.beginning(record)
    file = read_file(record.text(), shelf())
    last = file.positions[-1]
    if last.outcome() is not None or not gives_up:
        return record
    (turn,) = last.actors()
    return Record(
        record.game,
        record.sides,
        record.options,
        0,
        record.log,
        {**record.tags, "Result": f"{1 - turn}/{turn} resign"},
    )


def damaged(rng: random.Random, text: str, other: str) -> str:
    at = rng.randrange(len(text))
    kind = rng.randrange(5)
    if kind == 0:
        return text[:at] + rng.choice("x7六歩(+-#ñ1▲\n") + text[at + 1 :]
    if kind == 1:
        return text[:at] + text[at + 1 :]
    if kind == 2:
        return text[:at]
    if kind == 3:
        return text + other
    lines = text.splitlines(keepends=True)
    del lines[rng.randrange(len(lines))]
    return "".join(lines)


def faults(seed: int, games: int, each: int) -> tuple[int, list[str]]:
    """How many damaged files were read, and what was wrong with the reading of some."""
    rng = random.Random(seed)
    whole = sources(rng, games)
    count, wrong = 0, []
    for key, text, end, plies in whole:
        others = [one for form, one, _, _ in whole if form == key]
        for _ in range(each):
            count += 1
            bad = damaged(rng, text, rng.choice(others))
            try:
                file = opened(bad)
            except Unreadable as refused:
                said = refused.phrase
                if "line" not in dict(said.args) and said.key != "core.record-empty":
                    wrong.append(f"{key}: a refusal without a line: {language('en').say(said)}")
                continue
            told = end_of(file)
            if told not in (end, "*"):
                board = file.positions[-1].outcome()
                if board is None or len(file.record.log) == plies:
                    wrong.append(f"{key}: {told} instead of {end}\n{bad}")
            if not file.record.log and told != "*":
                wrong.append(f"{key}: an empty game with the end {told}\n{bad}")
            if file.refusal and "line" not in dict(file.refusal.args):
                wrong.append(f"{key}: {file.refusal}")
    return count, wrong


def test_damaged_files_have_no_false_end_and_each_refusal_names_its_line():
    count, wrong = faults(62, 3, 12)
    assert not wrong, wrong[0]
    assert count > 100


@pytest.mark.slow
def test_5000_damaged_files_have_no_false_end_and_each_refusal_names_its_line():
    count, wrong = faults(7, 40, 30)
    assert not wrong, (len(wrong), wrong[0])
    assert count >= 5000


# -- bombs -------------------------------------------------------------------------------


@pytest.mark.parametrize("sign", ["x", "1. ", "{", "[", "変化：1手\n", "|v香", "▲", "(1:1"])
def test_a_file_of_256_kb_of_one_sign_is_refused_or_read(sign):
    text = (KIF + sign * LONGEST_RECORD)[: LONGEST_RECORD // 4]
    try:
        file = opened(text)
    except Unreadable:
        return
    assert len(file.record.log) <= MOST_PLIES
