"""The picture of shogi: everything that matters is to be seen, where it belongs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.texts import language
from games.shogi import GAME
from games.shogi.pieces import KINDS, piece_of
from games.shogi.sfen import SQUARE_OF
from render.kit.painters import figure, paint, painter
from render.scene import Last, Scene
from render.shogi.colours import palette
from render.shogi.painter import FIGURES, FOOTER, HEADER, LEFT, TOP, captions, pieces
from tests.games.shogi_boards import at, begun, played
from tests.render.pictures import asked, changed, check_approved, colours, dressed, losses_of, seen

MIDDLE = "ln1g1+B2+R/1s1k4+L/p1rpp4/1P4p2/G1p2p3/6P2/P+p1PPP3/9/L1+p1KGSN1 w BGSL2Ps2n2p 58"
FULL = "4k4/9/4P4/9/4r4/9/9/9/4K4 b RB3G2SNL12Pbgs2nl3p 1"
MATING = "4k4/9/4P4/9/9/9/9/9/4K4 b RBGSNLPrbgsnl2p 1"
THEMES = ("light", "dark")
FLATS = palette("light").flats
AMBER, BLUE, RED, GOLD = (FLATS[name] for name in ("amber", "blue", "red", "gold"))


def scene(text: str, move: str = "", bottom: int = 0, theme: str = "light") -> Scene:
    """The picture after *move* from *text*, with the mark of it."""
    before = at(text)
    after = played(before, move)
    lasts = ()
    if move:
        (play,) = [
            p for p in before.legal_moves(before.turn) if GAME.notation.written(before, p) == move
        ]
        lasts = (Last(before, before.turn, play),)
    names = ("Nerea", "Bruno")
    return dressed(Scene("shogi", after, names, bottom=bottom, last=lasts, theme=theme))


def middle(**changes) -> Scene:
    return replace(scene(MIDDLE, "7e7f"), **changes)


def cell(name: str, bottom: int = 0) -> tuple[int, int, int, int]:
    """The square *name* in the picture: left, top, right, bottom."""
    column, row = SQUARE_OF[name] % 9, SQUARE_OF[name] // 9
    if bottom:
        column, row = 8 - column, 8 - row
    left, top = LEFT + column * pieces.CELL[0], TOP + row * pieces.CELL[1]
    return (left, top, left + pieces.CELL[0], top + pieces.CELL[1])


def amount(picture, box: tuple[int, int, int, int], colour: tuple[int, int, int]) -> int:
    """How many pixels of *box* have exactly this *colour*."""
    part = picture.crop(box)
    return {c: n for n, c in part.getcolors(part.width * part.height)}.get(colour, 0)


SCENES = {
    "start": scene("startpos"),
    "middle": middle(),
    "chosen": asked(middle(), 0, ("4a",)),
    "drop": asked(middle(), 0, ("P*",)),
    "check": scene(FULL),
    "mate": scene(MATING, "G*5b"),
    "turned": scene(MIDDLE, "7e7f", bottom=1),
}


SETS = ("light-western", "dark-western", "light-two")
LOOKS = [(name, theme) for name in SCENES for theme in THEMES]
LOOKS += [(name, theme) for name in ("start", "middle") for theme in SETS]


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("name", "theme"), LOOKS)
def test_the_picture_looks_as_approved(name, theme):
    check_approved(SCENES[name], name, theme)


@pytest.mark.parametrize("theme", THEMES)
def test_the_palette_has_room_for_every_tone(theme):
    found = palette(theme)
    assert len(found.colours) <= 256
    assert len(found.flats) >= 28


STYLES = (*pieces.SETS[:3], pieces.starter("pLCPOATR"))
"""Every set as it is drawn."""


@pytest.mark.slow
@pytest.mark.parametrize("theme", THEMES)
def test_no_edge_is_forgotten_in_the_palette(theme, monkeypatch):
    losses = losses_of(monkeypatch)
    for kind in KINDS:
        for seat in (0, 1):
            for style in STYLES:
                pieces.standing.__wrapped__(theme, piece_of(kind, seat), style, down=bool(seat))
    for mark in (pieces.last, pieces.draw_chosen, pieces.draw_aimed, pieces.check, pieces.dot):
        mark.__wrapped__(theme)
    pieces.target.__wrapped__(theme, "5e")
    pieces.prey.__wrapped__(theme, "5e")
    assert len(losses) == 14 * 2 * len(STYLES) + 7
    assert max(losses) < 0.075


def test_h24_both_sides_differ_in_direction_tone_and_emblem():
    picture = seen(scene("startpos"))
    sente, gote = picture.crop(cell("5i")), picture.crop(cell("5a"))
    assert FLATS["sente"] in colours(sente, (0, 0, *sente.size))
    assert FLATS["gote"] in colours(gote, (0, 0, *gote.size))
    foot = FLATS["sente.foot"], FLATS["gote.foot"]
    assert foot[0] in colours(sente, (20, 66, 58, 80))
    assert foot[1] in colours(gote, (20, 0, 58, 14))
    bars = [picture.crop((90, bar.top + 12, 130, bar.top + 52)) for bar in (HEADER, FOOTER)]
    counts = [amount(bar, (0, 0, *bar.size), FLATS["ink"]) for bar in bars]
    assert counts[1] > 2 * counts[0], "sente's emblem is filled, gote's is hollow"


@pytest.mark.parametrize("style", pieces.SETS)
def test_h24_promoted_pieces_are_red_with_another_sign(style):
    theme = "light" + (f"-{style}" if style else "")
    for letter, side in (("R", "sente"), ("r", "gote")):
        plain = seen(scene(f"9/9/9/9/4{letter}4/9/9/9/9 b - 1", theme=theme)).crop(cell("5e"))
        turned = seen(scene(f"9/9/9/9/4+{letter}4/9/9/9/9 b - 1", theme=theme)).crop(cell("5e"))
        red = FLATS[f"{side}.red"]
        assert red not in colours(plain, (0, 0, *plain.size))
        assert red in colours(turned, (0, 0, *turned.size))


def test_h25_the_viewer_sits_at_the_bottom_and_sees_his_pieces_upright():
    high, low = (20, 0, 58, 14), (20, 66, 58, 80)
    for bottom in (0, 1):
        picture = seen(scene(MIDDLE, bottom=bottom))
        for name, side, seat in (("9a", "gote", 1), ("5i", "sente", 0)):
            here = picture.crop(cell(name, bottom))
            foot = FLATS[f"{side}.foot"]
            upright = amount(here, low, foot) > 5 * amount(here, high, foot)
            assert upright == (seat == bottom)
            assert amount(here, low, foot) + amount(here, high, foot) > 100


def test_the_last_move_marks_where_it_went_and_where_it_came_from():
    marked, plain = seen(middle()), seen(middle(last=()))
    for name in ("7e", "7f"):
        assert AMBER in colours(marked, cell(name))
        assert AMBER not in colours(plain, cell(name))
    for picture in (marked, plain):
        picture.paste((0, 0, 0), cell("7e"))
        picture.paste((0, 0, 0), cell("7f"))
    assert changed(marked, plain) is None


def test_a_drop_is_marked_on_its_square_alone():
    dropped = seen(scene("4k4/9/9/9/9/9/9/9/4K4 b G 1", "G*7c"))
    assert AMBER in colours(dropped, cell("7c"))
    dropped.paste((0, 0, 0), cell("7c"))
    assert AMBER not in colours(dropped, (0, 0, *dropped.size))


def test_check_rings_the_king_and_stands_behind_the_name():
    check = scene(FULL)
    picture = seen(check)
    assert RED in colours(picture, cell("5i"))
    assert RED in colours(picture, (132, FOOTER.top, 500, FOOTER.top + 64))
    assert RED not in colours(picture, (0, 0, 800, TOP))
    assert dict(check.captions)["tag"] == "王手", "a full hand leaves room for a short word"
    small = scene("4k4/9/9/9/4r4/9/9/9/4K4 b P 1")
    assert dict(small.captions)["tag"] == "Jaque 王手"
    assert "tag" not in dict(scene("startpos").captions)


def test_the_end_is_said_and_the_winner_bears_a_star():
    mate = scene(MATING, "G*5b")
    # Seven kinds in hand leave room for a short word only, beside a name.
    assert dict(mate.captions)["tag"] == "詰み"
    free = scene(MATING.replace("RBGSNLPrbgsnl2p", "G2r2b3g4s4n4l9p"), "G*5b")
    assert dict(free.captions)["tag"] == "Mate 詰み"
    picture = seen(mate)
    assert GOLD in colours(picture, (24, FOOTER.top, 90, FOOTER.top + 64))
    assert GOLD not in colours(picture, (24, HEADER.top, 90, HEADER.top + 64))
    drawn = scene("+R+N+SGKG+S+N+R/+B+N+SG+LG+S+N+B/P+LPP+LPP+LP/1P2P2P1/9/9/9/9/4k4 b 9P 200")
    assert dict(drawn.captions)["tag"] == "Ahogado"


def test_each_square_that_may_be_gone_to_bears_its_name():
    chosen = SCENES["chosen"]
    plain, marked = seen(middle()), seen(chosen)
    aims = {target.step for target in chosen.targets}
    assert {"5a", "6c", "1d"} <= aims
    for name in SQUARE_OF:
        differ = changed(plain.crop(cell(name)), marked.crop(cell(name)))
        assert (differ is not None) == (name in aims | {"4a"}), name
        if name in aims:
            assert BLUE in colours(marked, cell(name))
    labels = {pieces.target("light", name).indices.tobytes() for name in aims}
    assert len(labels) == len(aims)


def test_a_piece_chosen_in_hand_is_framed_there():
    drop = SCENES["drop"]
    assert drop.path == ("P*",)
    assert BLUE in colours(seen(drop), (600, FOOTER.top, 776, FOOTER.top + 64))
    assert BLUE not in colours(seen(middle()), (600, FOOTER.top, 776, FOOTER.top + 64))


def test_magnet_k_both_hands_are_shown_with_their_numbers():
    empty = seen(scene("4k4/9/9/9/9/9/9/9/4K4 b - 1"))
    shown = set()
    for hands in ("P", "2P", "3P", "12P", "p", "2p", "RP", "RBGSNL9P", "RBGSNL8P"):
        picture = seen(scene(f"4k4/9/9/9/9/9/9/9/4K4 b {hands} 1"))
        bar = HEADER if hands.islower() else FOOTER
        assert changed(empty, picture) is not None
        part = picture.crop((300, bar.top, 776, bar.top + 64))
        shown.add(part.tobytes())
    assert len(shown) == 9


def test_a_full_hand_leaves_room_for_the_beginning_of_a_name():
    full = replace(scene(FULL), names=("W" * 32, "龍" * 32))
    nameless = replace(full, names=("", ""))
    left, top, right, bottom = changed(seen(full), seen(nameless))
    assert right < 776 - 14 - 6 * 59
    assert (left, top, bottom) > (130, 0, 0)


def test_spots_are_the_squares_and_the_pieces_in_hand():
    first = asked(middle(), 0)
    found = {spot.step: spot for spot in painter("shogi").spots(first)}
    assert set(found) == {target.step for target in first.targets}
    left, top, right, bottom = cell("4a")
    spot = found["4a"]
    assert (spot.x * 800, spot.y * 956) == pytest.approx((left, top))
    assert (spot.w * 800, spot.h * 956) == pytest.approx((right - left, bottom - top))
    hands = [found[f"{letter}*"] for letter in "BGSLP"]
    assert all(spot.y * 956 == pytest.approx(FOOTER.top) for spot in hands)
    assert [spot.x for spot in hands] == sorted(spot.x for spot in hands)
    turned = {spot.step: spot for spot in painter("shogi").spots(replace(first, bottom=1))}
    assert turned["P*"].y * 956 == pytest.approx(HEADER.top)
    assert turned["4a"].y > 0.5


def test_different_positions_have_different_pictures():
    pictures = {
        seen(dressed(Scene("shogi", begun().after(play), ("", "")))).tobytes()
        for play in begun().legal_moves(0)
    }
    assert len(pictures) == 30


@pytest.mark.parametrize("styles", [STYLES[:3], STYLES[3:]])
def test_every_kind_looks_different_on_each_side_and_in_each_set(styles):
    looks = set()
    for style in styles:
        for kind in KINDS:
            for seat in (0, 1):
                sprite = pieces.standing("light", piece_of(kind, seat), style, down=bool(seat))
                looks.add((sprite.width, sprite.indices.tobytes()))
    assert len(looks) == len(styles) * 14 * 2


def test_a_small_picture_has_one_character_a_piece_where_two_could_not_be_read():
    def shown(theme: str, size: int) -> bytes:
        return paint(replace(scene(MIDDLE, theme=theme), size=size)).tobytes()

    assert shown("light-two", 360) == shown("light", 360)
    assert shown("light-two", 480) != shown("light", 480)


def test_the_figures_of_drops_leave_out_what_the_rules_forbid():
    def aims(name: str) -> set[str]:
        (drawn,) = FIGURES[name].scenes()
        return {target.step for target in drawn.targets}

    assert {square[0] for square in aims("nifu")} == set("134678"), "files with a pawn are closed"
    assert "9b" not in aims("uchifuzume")
    assert "9c" in aims("uchifuzume")
    assert {square[1] for square in aims("drop")} == set("bcdefghi")


def test_the_ways_of_the_pieces_stand_over_their_names():
    named = figure("shogi", "moves", "light", language("es").say)
    bare = figure("shogi", "moves", "light")
    assert named.width == bare.width
    assert named.crop((0, 0, *bare.size)).convert("RGB").tobytes() == bare.convert("RGB").tobytes()
    line = named.crop((0, bare.height, *named.size)).convert("L").point([255] * 128 + [0] * 128)
    for column in range(4):
        part = line.crop((200 * column, 0, 200 * column + 200, line.height))
        assert part.getbbox() is not None, "a name"


def test_the_starter_set_bears_the_initials_of_its_reader_and_the_ways_of_the_pieces() -> None:
    start = replace(scene("startpos"), theme="light-starter")
    western = paint(replace(start, theme="light-western"))
    words = {code: language(code).say(captions(start.seen)["initials"]) for code in ("es", "en")}
    assert words == {"es": "pLCPOATR", "en": "PLNSGBRK"}
    shown = {
        code: paint(replace(start, captions=(("initials", said),))) for code, said in words.items()
    }
    # The English initials are the letters of notations.
    assert shown["en"].tobytes() == western.tobytes()
    assert shown["es"].tobytes() != western.tobytes()
    assert paint(replace(start, captions=())).tobytes() == western.tobytes()
