"""H23: whole games of shogi in KIF, KI2, CSA and USI."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.app.offline_game_commands import text_in
from bot.texts import LANGUAGES, language
from games.core import Entry, Record, RuleError, Unreadable
from games.shogi import GAME
from games.shogi.formats.record_builder import finished
from games.shogi.rules import SIDES
from tests.games.random_walks import random_setting, walk
from tests.games.shogi_boards import begun

FORMATS = {form.key: form for form in GAME.records.formats}
EACH = pytest.mark.parametrize("form", GAME.records.formats, ids=lambda form: form.key)

KIF = """\
# ---- un programa ----
開始日時：2026/10/03 17:00:00
手合割：平手
先手：Nerea
後手：Bruno
手数----指手---------消費時間--
*Un comentario antes de la partida
   1 ７六歩(77)   ( 0:02/00:00:02)+
*Un comentario
&marcador
   2 ３四歩(33)   ( 0:05/00:00:05)
   3 ２二角成(88) ( 0:06/00:00:08)
   4 同　銀(31)   ( 0:06/00:00:08)
   5 ５五角打     ( 0:06/00:00:08)
   6 投了         ( 0:51/00:00:56)
まで5手で先手の勝ち

変化：2手
   2 ８四歩(83)   ( 0:01/00:00:01)
"""
MOVES = "7g7f 3c3d 8h2b+ 3a2b B*5e"
KI2 = """\
手合割：平手
先手：Nerea
後手：Bruno

▲７六歩    △３四歩    ▲２二角成    △同　銀    ▲５五角
まで5手で先手の勝ち
"""
CSA = """\
V2.2
N+Nerea
N-Bruno
$EVENT:prueba, con coma
PI
+
+7776FU,T2
-3334FU
T5
'comentario
+8822UM,T6,-3122GI
+0055KA
%TORYO
/
PI
+
+2726FU
"""
USI = f"position startpos moves {MOVES}\n"
PGN = """[Event "PyChess casual game"]
[Site "https://www.pychess.org/x"]
[White "Nerea"]
[Black "Bruno"]
[Result "1-0"]
[WhiteElo "1500?"]
[Variant "Shogi"]
[FEN "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[-] w 0 1"]
[SetUp "1"]

1. Pc4 Pg6 2. Bxh8=H Sxh8 3. B@e5 1-0
"""
SAMPLES = {"kif": KIF, "ki2": KI2, "csa": CSA, "usi": USI, "pgn": PGN}


def moves(record: Record) -> str:
    return " ".join(entry.text for entry in record.log)


def record(text: str = "", first: int = 0, tags: dict[str, str] | None = None, **options: str):
    """A record of *text*: moves, and asides after an ampersand as in a log."""
    position = GAME.start(GAME.setting(options, first=first))
    if tags and "Position" in tags:
        position = GAME.notation.read(tags["Position"], GAME.chosen(options))
    log = []
    for word in text.split():
        aside = word.startswith("&")
        seat = int(word[1]) if aside else position.turn
        entry = Entry(seat, word[2:] if aside else word, aside)
        log.append(entry)
        position = finished(GAME, Record("shogi", SIDES, options, first, tuple(log), tags or {}))
    return Record("shogi", SIDES, options, first, tuple(log), tags or {})


@pytest.mark.parametrize("key", SAMPLES)
def test_the_same_game_is_read_from_each_format(key):
    found = FORMATS[key].read(GAME, SAMPLES[key])
    assert moves(found) == MOVES
    assert found.options == {}
    if key != "usi":
        names = {"Player0": "Nerea", "Player1": "Bruno", "Result": "0/1 resign"}
        assert {tag: found.tags[tag] for tag in names} == names
    spent = {"kif": "2000 5000 6000 6000 6000", "csa": "2000 5000 6000 - -"}
    assert found.tags.get("Spent") == spent.get(key)


class UnsayableInKi2(Exception):
    """No words of KI2 tell two pieces apart."""


def written(form, before: Record) -> str:
    try:
        return form.write(GAME, before)
    except Unreadable as refused:
        if refused.phrase.key == "shogi.unreadable.ki2-doubt":
            raise UnsayableInKi2 from None
        raise


def sentences(form, text: str) -> list[str]:
    """What is said about *text* in every language; nothing where it is a game."""
    try:
        finished(GAME, form.read(GAME, text))
    except RuleError as refused:
        return [language(code).say(refused.phrase) for code in LANGUAGES]
    return []


@EACH
def test_what_is_written_is_read_again(form):
    rng = random.Random(5)
    for _ in range(12):
        setting = random_setting(GAME, rng)
        walked = walk(GAME, setting, rng, rng.randrange(80))
        log = tuple(entry for _, entry in walked if entry)
        chosen = {key: value for key, value in setting.options.items() if value != "none"}
        before = Record("shogi", SIDES, chosen, 0, log, {})
        with suppress(UnsayableInKi2):
            after = form.read(GAME, written(form, before))
            assert after.log == before.log
            assert after.options.get("handicap") == chosen.get("handicap")
            if form.key != "usi":
                assert after.options == chosen


@EACH
@pytest.mark.parametrize("handicap", GAME.rules.options[0].values)
def test_h20_every_handicap_is_written_and_read(form, handicap):
    before = record(**({} if handicap == "none" else {"handicap": handicap}))
    if form.key == "ki2":
        before = record("5a4b" if handicap != "none" else "7g7f", **before.options)
    again = form.read(GAME, form.write(GAME, before))
    assert again.options == before.options
    assert finished(GAME, again) == finished(GAME, before)


@EACH
def test_h2_a_game_that_gote_begins_is_written_and_read(form):
    before = record("3c3d 7g7f", first=1)
    after = form.read(GAME, form.write(GAME, before))
    assert after.first == 1
    assert moves(after) == "3c3d 7g7f"


@EACH
def test_a_game_from_any_position_is_written_and_read(form):
    tags = {"Position": "3sks3/9/4+P4/9/9/+B8/9/7n1/9 w S2rb4gs3n4l17p 1"}
    before = record("R*5b 5c5b", tags=tags)
    after = form.read(GAME, form.write(GAME, before))
    assert after.tags["Position"] == tags["Position"]
    assert moves(after) == "R*5b 5c5b"


ENDS = [
    ("", {"Result": "0/1 resign"}, {}, "投了", "%TORYO"),
    ("", {"Result": "1/0 time"}, {}, "切れ負け", "%TIME_UP"),
    ("", {}, {}, "中断", "%CHUDAN"),
    ("2h3h 8b7b 3h2h 7b8b " * 3, {}, {"repetition": "draw"}, "千日手", "%SENNICHITE"),
    ("2h3h 8b7b 3h2h 7b8b " * 3, {}, {}, "千日手", "%SENNICHITE"),
    ("7g7f P-7e", {}, {"illegal": "lose"}, "反則負け", "%-ILLEGAL_ACTION"),
    ("7g7f 8c8e", {}, {"illegal": "lose"}, "反則勝ち", "%-ILLEGAL_ACTION"),
    (
        "&0jishogi &1jishogi-yes",
        {"Position": "3K5/9/9/9/9/9/9/9/3k5 b R2B9Pr4g4s4n4l9p 1"},
        {"impasse": "seed"},
        "持将棋",
        "%JISHOGI",
    ),
    (
        "&0declare27",
        {"Position": "3KL4/2GGS4/+P+P+P+P1+R+B2/9/9/9/9/9/4k4 b RB 1"},
        {"impasse": "declare27"},
        "入玉勝ち",
        "%KACHI",
    ),
]


@pytest.mark.parametrize(("text", "tags", "options", "kif", "csa"), ENDS)
def test_the_end_of_a_game_is_said_and_read(text, tags, options, kif, csa):
    before = record(text, tags=tags, **options)
    assert kif in FORMATS["kif"].write(GAME, before)
    assert csa in FORMATS["csa"].write(GAME, before).split()
    for key in ("kif", "csa"):
        after = FORMATS[key].read(GAME, FORMATS[key].write(GAME, before))
        if "Result" in tags:
            assert after.tags["Result"] == tags["Result"]
        expected = finished(GAME, before).outcome()
        if expected and expected.reason != "illegal":
            assert finished(GAME, after).outcome() == expected


def test_h17_an_illegal_last_move_is_borne_where_it_lost():
    text = KIF.replace("   5 ５五角打 ", "   5 ５五飛打 ").replace("投了", "反則勝ち")
    text = text.replace("先手の勝ち", "後手の勝ち")
    found = FORMATS["kif"].read(GAME, text)
    assert found.options == {"illegal": "lose"}
    assert finished(GAME, found).outcome().reason == "illegal"
    assert finished(GAME, found).outcome().winner == 1
    again = FORMATS["kif"].read(GAME, FORMATS["kif"].write(GAME, found))
    assert finished(GAME, again).outcome() == finished(GAME, found).outcome()


def test_h17_an_illegal_move_that_did_not_lose_is_told_with_its_line():
    with pytest.raises(Unreadable) as unreadable:
        FORMATS["kif"].read(GAME, KIF.replace("３四歩(33)", "３五歩(33)"))
    said = language("en").say(unreadable.value.phrase)
    assert said.startswith("Line 11, “３五歩(33)”: The pawn doesn’t reach 3e")


def test_h14_a_professional_jishogi_stays_a_draw():
    entered = """\
後手の持駒：なし
+---------------------------+
| ・ ・ ・ 玉 ・ ・ ・ ・ ・|一
| ・ ・ ・ ・ ・ ・ ・ ・ ・|二
| ・ ・ ・ ・ ・ ・ ・ ・ ・|三
| ・ ・ ・ ・ ・ ・ ・ ・ ・|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| ・ ・ ・ ・ ・ ・ ・ ・ ・|七
| ・ ・ ・ ・ ・ ・ ・ ・ ・|八
| ・ ・ ・v玉 ・ ・ ・ ・ ・|九
+---------------------------+
先手の持駒：飛　角二　金四　銀四　桂四　香四　歩十八
手数----指手--
   1 持将棋
"""
    found = FORMATS["kif"].read(GAME, entered.replace("後手の持駒：なし", "後手の持駒：飛"))
    assert found.options == {"impasse": "jsa"}
    assert finished(GAME, found).outcome().reason == "jishogi-points"
    assert found.tags["Position"].endswith(" b R2B4G4S4N4L18Pr 1")


def test_our_remark_keeps_the_options_of_the_table():
    options = {"stalemate": "loss", "king_capture": "yes", "handicap": "2"}
    before = record("5a4b", **options)
    for key in ("kif", "ki2", "csa"):
        assert FORMATS[key].read(GAME, FORMATS[key].write(GAME, before)).options == options


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "euc_jp", "cp932"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_files_come_in_utf_8_euc_jp_and_cp932(tmp_path, encoding, newline):
    data = KIF.replace("\n", newline).encode(encoding)
    file = tmp_path / "game.kif"
    for written_ in (data, data.rstrip()):
        file.write_bytes(written_)
        assert moves(FORMATS["kif"].read(GAME, text_in(file, GAME))) == MOVES


@EACH
@given(text=st.text(max_size=300))
def test_nonsense_is_refused_with_a_sentence(form, text):
    assert all(sentences(form, text))


@EACH
@given(data=st.data())
def test_a_mutilated_file_is_read_or_refused_with_a_sentence(form, data):
    text = SAMPLES[form.key]
    start = data.draw(st.integers(0, len(text)))
    length = data.draw(st.integers(0, 30))
    junk = data.draw(st.text("+-=*()0123456789PKGS玉歩打成同▲△|v％%,'\n ", max_size=12))
    assert all(sentences(form, text[:start] + junk + text[start + length :]))


@EACH
def test_a_file_too_long_is_refused(form):
    with pytest.raises(RuleError):
        form.read(GAME, "x" * 300_000)
    with pytest.raises(RuleError):
        form.read(GAME, "7g7f " * 60_000)


def test_usi_cannot_say_an_illegal_move():
    foul = record("7g7e", illegal="lose")
    with pytest.raises(Unreadable):
        FORMATS["usi"].write(GAME, foul)


def test_a_csa_move_of_the_wrong_side_is_told_with_its_line():
    with pytest.raises(Unreadable) as unreadable:
        FORMATS["csa"].read(GAME, CSA.replace("-3334FU", "+2726FU"))
    assert unreadable.value.phrase.key == "shogi.unreadable.line"
    assert language("en").say(unreadable.value.phrase).startswith("Line 8, “+2726FU”")


def test_a_bare_list_of_moves_is_a_game_too():
    assert moves(FORMATS["usi"].read(GAME, MOVES)) == MOVES
    assert finished(GAME, FORMATS["usi"].read(GAME, "startpos")) == begun()


FILES = {
    "csa_2005_GPS_K-SHOGI.csa": (173, "", "0/1 resign"),
    "csa_8mai_hirate.csa": (25, "8", ""),
    "csa_chudan.csa": (3, "", ""),
    "csa_formal.csa": (2, "", ""),
    "csa_noeol.csa": (2, "", ""),
    "ki2_7mai.ki2u": (2, "left_7", ""),
    "ki2_9fu.ki2": (61, "", "mate"),
    "ki2_fork.ki2": (3, "", "0/1 resign"),
    "ki2_kobayashi_kinsho196702.ki2": (49, "", "0/1 mate"),
    "kif_32ryu-cumbersome.kif": (9, "", "mate"),
    "kif_chudan.kif": (3, "", ""),
    "kif_fork-test.kif": (3, "", ""),
    "kif_henka.kif": (12, "", ""),
    "kif_kifu_for_iphone.kif": (3, "", "mate"),
    "kif_last_comment.kif": (3, "", ""),
    "kif_no_henka.kifu": (11, "", ""),
    "kif_ouza201410070101.kif": (103, "", ""),
    "kif_shogidb2.kifu": (110, "", "1/0 resign"),
    "tsume_1te_1.kif": (1, "", "mate"),
    "tsume_1te_3.kif": (1, "", "mate"),
    "tsume_1te_6.kif": (1, "", "mate"),
    "tsume_1te_9.kif": (1, "", "mate"),
    "tsume_3te_2.kif": (3, "", "mate"),
    "tsume_3te_5.kif": (3, "", "mate"),
    "tsume_3te_8.kif": (3, "", "mate"),
}


@pytest.mark.truth
def test_every_file_of_the_tables_is_read(truth):
    files = sorted(file for file in (truth / "shogi" / "kifu").iterdir())
    assert {file.name for file in files} == FILES.keys()
    for file in files:
        plies, handicap, end = FILES[file.name]
        form = FORMATS[file.suffix[1:4]]
        found = form.read(GAME, text_in(file, GAME))
        assert len(found.log) == plies, file.name
        assert found.options.get("handicap", "") == handicap, file.name
        outcome = finished(GAME, found).outcome()
        told = outcome.reason if outcome else found.tags.get("Result", "")
        assert told == end, file.name


def test_csa_gives_the_rest_of_a_set_to_one_hand():
    """``00AL`` counts what stands on the board, promoted too, and what is in hand already."""
    rows = ["V2.2", "P+59OU99KY13TO00KI", "P-51OU22UM", "P+00AL", "+", "+0055FU", ""]
    read = FORMATS["csa"].read(GAME, "\n".join(rows))
    assert read.tags["Position"].startswith("4k4/7+b1/8+P/9/9/9/9/9/L3K4 b 2RB4G4S4N3L17P")
