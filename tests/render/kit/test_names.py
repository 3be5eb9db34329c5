"""Names in the scripts of the world, as they stand on the plates."""

from __future__ import annotations

import unicodedata
from itertools import product

import pytest
from fontTools.ttLib import TTFont

from bot.presenters.table.viewers import player_plates
from bot.session.table import Player
from bot.texts import language
from render.kit import Canvas, fonts, label
from render.kit.fonts import file_of, script_of
from render.shogi.colours import palette
from tests.render.eyes import writing

NAMES = {
    "Latin": ("Łukasz Şükrü Nguyễn Ștefan Zoë Íñigo", "Żółć Çağlar Hồng Brâncuși Ødegård"),
    "Han": ("伟 秀英 敏 静 磊 洋", "王 李 張 劉 陳"),
    "Arabic": ("محمد فاطمة یوسف زینب علي خدیجہ", "حسن الأمين رضایی بھٹی منصور"),
    "Devanagari": ("अमित प्रिया श्रेया कृष्ण ज्ञानेश सिद्धार्थ", "शर्मा त्रिपाठी क्षत्रिय वर्मा सिंह"),
    "Bengali": ("রহিম শ্রাবণী কৃষ্ণা অনির্বাণ তৃষা জ্যোতি", "চক্রবর্তী হক মিত্র ইসলাম ভট্টাচার্য"),
    "Cyrillic": ("Ольга Їжак Дмитрий Ђорђе Ўладзімір Қайрат", "Іваненко Щукін Љубић Ёлкин Ґонта"),
    "Kana": ("さくら ユウキ はると ミナミ あおい ケンジ", "すずき タナカ さとう ヤマダ こばやし"),
    "Hangul": ("민수 서연 지훈 하은 도윤 예린", "김 이 박 최 정"),
    "Telugu": ("రవి లక్ష్మి శ్రీనివాస్ కృష్ణ పద్మ సత్య", "రెడ్డి శర్మ నాయుడు రావు చౌదరి"),
    "Tamil": ("செல்வி கார்த்திக் ப்ரியா முருகன் ஜோதி ஸ்ரீராம்", "குமார் அய்யர் பிள்ளை நாடார் தேவர்"),
}
"""Given names and family names of the ten scripts that most people write."""

WRITTEN = [
    f"{given} {family}"
    for names, families in NAMES.values()
    for given, family in product(names.split(), families.split())
]

NOWHERE = ("🎲🔥", "ᛗᚨᚱᛁ", "𒀀𒁀", "꧁꧂", "\u200b\u200b", "…!?")
"""Names that no typeface here has letters for."""


def has_shapes(text: str) -> bool:
    """Whether the typefaces that *text* would be drawn in have all its characters."""
    for character in text:
        script = script_of(character)
        path = file_of(script) if script else fonts.font(16).path
        if character != " " and ord(character) not in _characters(str(path)):
            return False
    return True


_KNOWN: dict[str, frozenset[int]] = {}


def _characters(path: str) -> frozenset[int]:
    if path not in _KNOWN:
        with TTFont(path, lazy=True) as face:
            _KNOWN[path] = frozenset(face.getBestCmap())
    return _KNOWN[path]


def test_three_hundred_names_in_ten_scripts_are_drawn_as_they_are_written():
    assert len(WRITTEN) == 300
    drawn = [
        name
        for name in WRITTEN
        if fonts.drawable(name) == unicodedata.normalize("NFKC", name) and has_shapes(name)
    ]
    assert len(drawn) >= 0.95 * len(WRITTEN), sorted(set(WRITTEN) - set(drawn))
    assert all(fonts.drawable(name) for name in WRITTEN)


@pytest.mark.parametrize(
    ("written", "read"), [("𝓐𝓵𝓮𝔁", "Alex"), ("Ⓐⓛⓔⓧ", "Alex"), ("Ana🎲", "Ana"), ("  x  y ", "x y")]
)
def test_letters_in_fancy_dress_are_read_as_what_they_are(written, read):
    assert fonts.drawable(written) == read


def ink(text: str, px: float = 40) -> list[bool]:
    """Where *text* has ink, column by column, from its first to its last."""
    canvas = Canvas(palette("light"), (0, -60, 400, 60), "bar")
    canvas.text(20, 0, text, px, "ink", "lc")
    shown = canvas.image().convert("L").point([255] * 128 + [0] * 128)
    columns = [bool(shown.crop((x, 0, x + 1, 120)).getbbox()) for x in range(400)]
    first, last = columns.index(True), 400 - columns[::-1].index(True)
    return columns[first:last]


def test_arabic_letters_join():
    assert False in ink("م م"), "a blank parts words"
    assert all(ink("محمد"[:3])), "but no letter of a word from the next"


def test_right_to_left_begins_at_the_right():
    """Alef, which has three parts that touch, stands to the right of bet in one word."""
    first, second = ink("א"), ink("ב")
    both = ink("אב")
    assert both[: len(second) // 2] == second[: len(second) // 2]
    assert len(both) >= len(first) + len(second) - 4
    assert "".join(part for part, _ in fonts.runs("אב Ana", 40)) == "Ana אב"
    assert "".join(part for part, _ in fonts.runs("Ana אב", 40)) == "Ana אב"


def test_no_plate_is_empty():
    chairs = tuple(
        Player(person=n, name=name, side=side)
        for n, (name, side) in enumerate(zip(NOWHERE[:2], ("sente", "gote"), strict=True), 1)
    )
    for name in (*NOWHERE, *WRITTEN[::7]):
        names = {0: name, 1: "Ana"}
        first, second = player_plates("shogi", chairs, names, language("es"))
        assert second == "Ana"
        assert label(palette("light"), first, 28, "ink", "bar", 300).width > 5, name
        if name in NOWHERE:
            assert first == "Sente"


def test_a_name_that_is_cut_keeps_the_signs_over_its_letters():
    cut = fonts.fitting_text("श्रीनिवास कृष्णमूर्ति", 28, 120)
    assert cut.endswith(fonts.ELLIPSIS)
    assert fonts.width(cut, 28) <= 120


def test_a_long_name_is_made_narrow_before_it_is_cut(monkeypatch):
    whole = fonts.width("María Fernanda", 29)
    with writing(monkeypatch) as written:
        plates = [
            label(palette("light"), "María Fernanda", 29, "ink", "bar", round(whole * share))
            for share in (0.8, 0.6)
        ]
    assert plates[0].width <= whole * 0.8 + 1
    first, second = (said for said, *_ in written)
    assert first == "María Fernanda"
    assert second.endswith(fonts.ELLIPSIS)
