"""The picture of Niya: everything that matters is to be seen, where it belongs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PIL import Image

from games.niya.board import BY_CODE, DECK
from games.niya.notation import read
from games.niya.rules import Niya
from render.kit import TOKENS as THEMES
from render.kit.painters import painter
from render.niya.painter import FOOTER, GRID, HEADER, STRIP, pieces
from render.scene import Last, Scene
from tests.games.niya_tables import played
from tests.render.pictures import asked, changed, check_approved, colours, dressed, losses_of, seen

TABLE = "M2,V3,V2,O4/L1,L3,O3,V4/M4,L2,M3,O1/L4,V1,M1,O2 R -"
MIDDLE = "L4 L1 V1 V3 V2 L2 M2"
DIAGONAL = "M2 V2 V3 O3 L3 L4 V4 O4 L2"
FIRST_ROWS = [(c, r) for r in range(4) for c in range(4)]


def table(moves: str = "", *, full_board: str = "block") -> Scene:
    """The table of the studies after *moves*, seen by whoever moves next."""
    before = read(TABLE, {"full_board": full_board})
    *earlier, last = moves.split() or [""]
    before = played(" ".join(earlier), before)
    now = played(last, before)
    lasts = (Last(before, before.turn, BY_CODE[last]),) if last else ()
    return dressed(Scene("niya", now, ("Nerea", "Bruno"), bottom=now.turn, last=lasts))


def ended(text: str, last: str, **options: str) -> Scene:
    before = read(text, options)
    now = before.after(BY_CODE[last])
    lasts = (Last(before, before.turn, BY_CODE[last]),)
    return dressed(Scene("niya", now, ("Nerea", "Bruno"), bottom=0, last=lasts))


def won_by_line() -> Scene:
    return ended("O2,R,M4,R/M1,O1,R,A/A,R,R,A/L3,A,O3,A R V4", "L3")


def won_by_square() -> Scene:
    return ended("A,V3,V2,O4/O1,L3,O3,A/R,R,M3,A/R,V1,M1,O2 R V4", "V1")


def blocked() -> Scene:
    return ended("M2,A,V2,R/R,R,O3,V4/M4,L2,R,L1/A,V1,M1,A A M3", "O3")


def drawn() -> Scene:
    text = "R,R,A,A/R,A,R,A/R,A,A,R/A,A,R,V2 R V1"
    return ended(text, "V2", full_board="draw")


def cell(square: int) -> tuple[int, int, int, int]:
    left, top, right, bottom = GRID.box(square % 4, square // 4)
    return (left, top - 2, right, bottom - 2)


def inside(box: tuple[int, int, int, int] | None, outer: tuple[int, int, int, int]) -> bool:
    return box is not None and (
        outer[0] <= box[0] and outer[1] <= box[1] and box[2] <= outer[2] and box[3] <= outer[3]
    )


STRIP_BOX = (STRIP[0], STRIP[1], STRIP[2], STRIP[3])
AMBER = pieces.palette("light").flats["amber"]
BLUE = pieces.palette("light").flats["blue"]
GOLD = pieces.palette("light").flats["gold"]


def asked_in(scene: Scene) -> Scene:
    return asked(scene, scene.seen.turn)


SCENES: dict[str, Callable[[], Scene]] = {
    "first": table,
    "middle": lambda: table(MIDDLE),
    "asked": lambda: asked_in(table(MIDDLE)),
    "chosen": lambda: replace(asked_in(table(MIDDLE)), path=("O2",)),
    "line": won_by_line,
    "square": won_by_square,
    "block": blocked,
    "draw": drawn,
    "deal": lambda: dressed(Scene("niya", Niya().after(BY_CODE["M1"]), ("Nerea", "Bruno"))),
}


@pytest.mark.sampled(5)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", SCENES)
def test_the_picture_looks_as_approved(name: str, theme: str) -> None:
    check_approved(SCENES[name](), name, theme)


@pytest.mark.parametrize("theme", THEMES)
def test_the_palette_has_room_for_every_tone(theme: str) -> None:
    palette = pieces.palette(theme)
    assert len(palette.colours) <= 256
    assert len(palette.flats) >= 50


@pytest.mark.slow
@pytest.mark.parametrize("theme", THEMES)
def test_no_edge_is_forgotten_in_the_palette(theme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    losses = losses_of(monkeypatch)
    for card in DECK:
        for draw in (pieces.draw_dimmed, pieces.takeable, pieces.discard, pieces.draw_chosen):
            extra = {"takeable": {"lettered": True}, "discard": {"last": True}}
            given = extra.get(draw.__name__, {})
            own = [0, "R"] if draw is pieces.draw_chosen else []
            draw.__wrapped__(theme, card, card.colour, *own, **given)
    for seat in (0, 1):
        for draw in (pieces.marker, pieces.last_marker, pieces.winning_marker, pieces.reserve):
            draw.__wrapped__(theme, seat, *([] if draw is pieces.reserve else ["A"]))
    assert len(losses) == 4 * 16 + 4 * 2
    assert max(losses) < 0.075


def test_the_last_move_marks_its_marker_and_the_discard_and_nothing_else() -> None:
    scene = table(MIDDLE)
    square = scene.last[0].before.square_of(scene.last[0].move)
    marked, plain = seen(scene), seen(replace(scene, last=()))
    marker = cell(square)
    assert AMBER in colours(marked, marker)
    assert AMBER not in colours(plain, (0, 0, *plain.size))
    for picture in (marked, plain):
        picture.paste((0, 0, 0), marker)
        picture.paste((0, 0, 0), (0, 750, STRIP[0], 954))
    assert changed(marked, plain) is None


def test_targets_hang_a_lozenge_off_each_card_that_may_be_taken() -> None:
    scene = table(MIDDLE)
    plain, lettered = seen(scene), seen(asked(scene, scene.seen.turn))
    for square in range(16):
        differ = changed(plain.crop(cell(square)), lettered.crop(cell(square)))
        assert (differ is not None) == (square in scene.seen.takeable_squares())


def test_each_lozenge_shows_the_code_of_its_card() -> None:
    box = (94 + 34, 81 + 38, 94 + 86, 81 + 68)  # Inside its rim, from the middle of the cell.
    for draw in (
        lambda card: pieces.takeable("light", card, card.colour, lettered=True),
        lambda card: pieces.draw_chosen("light", card, card.colour, 0, "R"),
    ):
        assert len({draw(card).indices.crop(box).tobytes() for card in DECK}) == 16


def test_a_chosen_card_changes_its_own_cell_only() -> None:
    scene = asked(table(MIDDLE), table(MIDDLE).seen.turn)
    for code in ("O2", "M4"):
        chosen = seen(replace(scene, path=(code,)))
        square = scene.seen.square_of(BY_CODE[code])
        assert inside(changed(seen(scene), chosen), cell(square))


def test_only_cards_that_may_be_taken_are_ringed_in_blue() -> None:
    scene = table(MIDDLE)
    picture = seen(scene)
    ringed = {s for s in range(16) if BLUE in colours(picture, cell(s))}
    assert ringed == set(scene.seen.takeable_squares())


def test_n5_the_first_turn_says_border_and_rings_it() -> None:
    scene = table()
    picture = seen(scene)
    ringed = {s for s in range(16) if BLUE in colours(picture, cell(s))}
    assert ringed == {0, 1, 2, 3, 4, 7, 8, 11, 12, 13, 14, 15}
    assert scene.caption("strip") == "solo el borde"


def test_the_strip_says_colour_and_index_of_the_discard() -> None:
    same_index = played("L4 L1 V1 V3 V2 L2 M2", read(TABLE, {}))
    one = table("L4 L1 V1 V3 V2 L2 M2")
    assert one.seen == same_index
    strips = {
        seen(replace(one, seen=replace(one.seen, discard=card))).crop(STRIP_BOX).tobytes()
        for card in DECK
    }
    assert len(strips) == 16


@pytest.mark.parametrize(
    ("scene", "words"),
    [
        (won_by_line(), "4 en raya"),
        (won_by_square(), "Cuadrado 2×2"),
        (blocked(), "Bloqueo"),
        (drawn(), "Tablas"),
    ],
)
def test_the_end_is_said_and_gold_when_somebody_won(scene: Scene, words: str) -> None:
    assert scene.seen.outcome() is not None
    assert scene.caption("strip") == words
    won = scene.seen.outcome().winner is not None
    assert (GOLD in colours(seen(scene), STRIP_BOX)) == won


def test_n7_gold_frames_the_four_markers_of_the_pattern() -> None:
    for scene in (won_by_line(), won_by_square()):
        (pattern,) = scene.seen.patterns_made
        picture = seen(scene)
        corners = {
            s: picture.crop((x - 80, y - 60, x - 70, y - 50))
            for s in range(16)
            for x, y in [GRID.centre(s % 4, s // 4)]
        }
        framed = {s for s, c in corners.items() if GOLD in colours(c, (0, 0, *c.size))}
        assert framed == set(pattern.squares)


def test_a_star_stands_before_every_name_at_the_end_full_half_full_or_empty() -> None:
    def marks(scene: Scene) -> dict[int, tuple[bool, bool]]:
        """By seat: whether there is a mark, and whether there is gold in it."""
        found = {}
        for seat, bar in ((scene.bottom, FOOTER), (1 - scene.bottom, HEADER)):
            box = (bar.left + 12, bar.top + 12, bar.left + 46, bar.top + 52)
            inks = colours(seen(scene), box)
            found[seat] = (inks != {pieces.palette("light").flats["bar"]}, GOLD in inks)
        return found

    scene = table(MIDDLE)
    assert marks(scene) == {scene.seen.turn: (True, False), 1 - scene.seen.turn: (False, False)}
    assert marks(won_by_line()) == {0: (True, True), 1: (True, False)}
    assert marks(drawn()) == {0: (True, True), 1: (True, True)}


def test_the_reserve_shows_the_markers_in_hand() -> None:
    full, fewer = table(), table("M2 V2")
    sun = pieces.palette("light").flats["sun"]
    middle = HEADER.top + 32 - 11  # Above the dark disc of the small yellow markers.

    def count(scene: Scene) -> int:
        row = seen(replace(scene, bottom=0)).crop((420, middle, 776, middle + 1))
        lit = [pixel == sun for pixel in (row.getpixel((x, 0)) for x in range(row.width))]
        return sum(1 for here, after in zip(lit, [*lit[1:], False], strict=True) if here > after)

    assert count(full) == 8
    assert count(fewer) == 7


def test_turning_the_table_swaps_the_bars_and_leaves_the_cards() -> None:
    scene = table(MIDDLE)
    one, other = seen(scene), seen(replace(scene, bottom=1 - scene.bottom))
    differ = changed(one.crop((0, 92, 800, 860)), other.crop((0, 92, 800, 860)))
    assert differ is None
    assert changed(one, other) is not None


def test_names_of_32_wide_characters_stay_off_the_markers() -> None:
    scene = table()
    wide = seen(replace(scene, names=("W" * 32, "龍" * 32)))
    none = seen(replace(scene, names=("", "")))
    differ = changed(wide, none)
    assert differ is not None
    right = 776 - 14 - 8 * 39
    assert differ[2] <= right


def test_a_spot_is_the_cell_of_its_card() -> None:
    scene = asked(table(MIDDLE), table(MIDDLE).seen.turn)
    spots = {spot.step: spot for spot in painter("niya").spots(scene)}
    assert set(spots) == {target.step for target in scene.targets}
    spot = spots["O2"]  # Square 15: the last column and row.
    assert spot.x * 800 == pytest.approx(GRID.box(3, 3)[0])
    assert spot.y * 954 == pytest.approx(GRID.box(3, 3)[1])


def test_different_tables_have_different_pictures() -> None:
    start = read(TABLE, {})
    pictures = {
        seen(dressed(Scene("niya", start.after(card), ("", "")))).tobytes()
        for card in start.legal_moves(0)
    }
    assert len(pictures) == 12


def test_the_phone_size_is_the_same_picture_smaller() -> None:
    scene = table(MIDDLE)
    small = seen(replace(scene, size=360))
    assert small.size == (360, 429)
    shrunk = seen(scene).resize(small.size, Image.Resampling.BOX)
    far = [abs(a - b) for a, b in zip(small.tobytes(), shrunk.tobytes(), strict=True)]
    assert sum(far) / len(far) < 4
