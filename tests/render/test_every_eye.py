"""Pictures are for every eye: computed for every game in every theme."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import combinations

import pytest
from PIL import Image

from games.core.shelf import shelf
from render.kit import Sprite, fonts, themes
from render.kit.painters import paint, painter
from render.kit.palettes import rgb
from render.scene import Scene
from tests.render.eyes import apart, contrast, distance, shown, standing_out, unlike, writing
from tests.render.moments import THEMES, every_scene, in_theme, moments, seen_from
from tests.render.pictures import seen

GAMES = pytest.mark.parametrize("key", shelf())
EVERY_THEME = pytest.mark.parametrize("theme", THEMES)
BY_TURNS = pytest.mark.parametrize(
    ("key", "theme", "among"),
    [
        *((key, theme, 6) for n, key in enumerate(shelf()) for theme in THEMES[n % 4 :: 4]),
        *(
            pytest.param(key, theme, 1, marks=pytest.mark.slow)
            for key in shelf()
            for theme in THEMES
        ),
    ],
)
"""Every game in a fourth of the themes, and every theme with a game, one scene in six; every scene
in every theme in the slow lane."""

PHONE = 360 / 800

SAFE = ("safe", "contrast")
"""The themes for eyes that see no red, green or blue: one by day, one by night."""


def scenes(
    key: str, theme: str, among: int, which: Callable[[Scene], bool] = lambda _: True
) -> Mapping[str, Scene]:
    """One in *among* of the scenes of the game *key*, in *theme*; of those *which* are asked."""
    every = [(name, scene) for name, scene in every_scene(key).items() if which(scene)]
    sample = every[THEMES.index(theme) % min(among, len(every)) :: among]
    return {name: in_theme(scene, theme) for name, scene in sample}


def moved(scene: Scene) -> bool:
    """Whether there was a last move in *scene*, and the game goes on."""
    played = scene.last or (scene.game == "cirya" and scene.seen.last is not None)
    return bool(played) and scene.seen.outcome() is None


def height(said: str, px: float) -> float:
    """How high a capital of *said* is, set at *px*, or an ideograph where it has no letters."""
    if any(character.isascii() for character in said):
        return fonts.cap_height(px)
    _, top, _, bottom = fonts.fine(px).getbbox("国", anchor="ls")
    return (bottom - top) / fonts.SUPERSAMPLING


@pytest.mark.sampled(2)
@BY_TURNS
def test_what_is_written_is_high_enough_and_stands_out(key, theme, among, monkeypatch):
    """A capital is 9 pixels high on a phone 360 wide, and has 4.5 : 1 against its ground."""
    with writing(monkeypatch) as written:
        for scene in scenes(key, theme, among).values():
            seen(scene)
        for piece_set in getattr(painter(key), "SETS", ()):
            seen(in_theme(scene, f"{theme}-{piece_set}"))
    assert len(written) > 20
    low = {(said, px) for said, px, _, _ in written if height(said, px) * PHONE < 8.85}
    pale = {(said, ink, round(least, 2)) for said, _, least, ink in written if 0 < least < 4.5}
    assert not low, "too low"
    assert not pale, "too pale"


def forgetful(scene: Scene) -> Scene:
    """*scene* as if nobody knew the last move."""
    seen = scene.seen
    if scene.game == "cirya":  # Its position knows it itself, for the words that may be said.
        seen = replace(seen, last=None)
    return replace(scene, seen=seen, last=())


@pytest.mark.sampled(2)
@BY_TURNS
def test_the_last_move_stands_out(key, theme, among):
    """A quarter of the pixels it changes has 3 : 1 against what was there before."""
    told = 0
    for name, scene in scenes(key, theme, among, moved).items():
        without, with_mark = paint(forgetful(scene)), paint(scene)
        changed, share = standing_out(without, with_mark)
        told += changed > 0
        assert changed == 0 or share >= 0.25, f"{name}: {share:.2f} of {changed}"
    assert told


@pytest.mark.sampled(2)
@BY_TURNS
def test_what_may_be_chosen_stands_out(key, theme, among):
    for name, scene in scenes(key, theme, among, lambda scene: bool(scene.targets)).items():
        bare = replace(scene, targets=(), path=())
        changed, share = standing_out(paint(bare), paint(scene))
        assert changed > 400, f"{name}: nothing is marked"
        assert share >= 0.25, f"{name}: {share:.2f} of {changed}"


@GAMES
def test_the_first_step_of_a_choice_is_marked_in_every_game(key):
    table = moments(key)["middle"]
    seat = min(table.actors())
    scene = seen_from(table, seat)
    assert scene.targets
    assert seen(scene).tobytes() != seen(replace(scene, targets=())).tobytes()


@EVERY_THEME
def test_the_tokens_are_far_from_each_other_to_every_eye(theme):
    """Blue, red, amber and gold mean different things; where tones are alike, shapes are not."""
    tokens = {name: rgb(code) for name, code in themes.TOKENS[theme].items()}
    assert contrast(tokens["ink"], tokens["bar"]) >= 7
    assert contrast(tokens["soft"], tokens["bar"]) >= 4.5
    for one, other in (("blue", "red"), ("blue", "amber"), ("red", "amber"), ("blue", "gold")):
        assert distance(tokens[one], tokens[other]) >= (0.2 if theme in SAFE else 0.1)
    if themes.plain(theme) == "dark":
        assert distance(tokens["amber"], tokens["gold"]) >= 0.07
        for mark in ("blue", "red"):
            assert contrast(tokens[mark], tokens["paper"]) >= 3, "its rings lie on paper"
    for mark in ("blue", "red"):
        assert contrast(tokens["white"], tokens[mark]) >= 4.5, "white is written on it"


def held_apart(key: str, theme: str) -> list[tuple[str, Image.Image, Image.Image]]:
    """What must not be taken for one another, as it is drawn, each on the same ground."""
    from games.cirya.move_types import Kind
    from games.niya.board import COLOURS, Card
    from games.shogi.pieces import KINDS, piece_of
    from render.cirya import pieces as cirya
    from render.niya import pieces as niya
    from render.parchis import pieces as parchis
    from render.shogi import pieces as shogi
    from render.shogi.colours import palette as shogi_palette
    from render.storilljudhjorrayc import board as storill_board
    from render.storilljudhjorrayc import pieces as storill

    things: dict[str, dict[str, Sprite]]
    match key:
        case "niya":
            ground, colours = "table", niya.palette(theme)
            ones = {c: Card(c, 1) for c in COLOURS}
            cards = {c: niya.takeable(theme, one, c, lettered=False) for c, one in ones.items()}
            dimmed = {c: niya.draw_dimmed(theme, one, c) for c, one in ones.items()}
            markers = {c: niya.marker(theme, seat, c) for seat, c in enumerate("RA")}
            things = {"card": cards, "dimmed": dimmed, "marker": markers}
            things["taken"] = {"may": cards["M"], "may not": dimmed["M"]}
        case "parchis":
            ground, colours = "cell", parchis.palette(theme)
            things = {
                "piece": {str(c): parchis.piece(theme, c, 0, 34) for c in range(4)},
                "emblem": {str(c): parchis.emblem(theme, c) for c in range(4)},
                "pip": {
                    "full": parchis.pip(theme, 0, full=True),
                    "empty": parchis.pip(theme, 0, full=False),
                },
            }
        case "shogi":
            ground, colours = "cell", shogi_palette(theme)
            things = {
                f"kind {kind}": {
                    str(seat): shogi.standing(theme, piece_of(kind, seat), "", down=seat == 1)
                    for seat in (0, 1)
                }
                for kind in KINDS
            }
            things["field"] = {
                "last": shogi.last(theme),
                "chosen": shogi.draw_chosen(theme),
                "check": shogi.check(theme),
                "won": shogi.winning(theme),
            }
        case "cirya":
            ground, colours = "sea", cirya.palette(theme)
            things = {
                kind.name: {str(seat): cirya.piece(theme, seat, kind, 54) for seat in (0, 1)}
                for kind in Kind
            }
            things["kinds"] = {kind.name: cirya.piece(theme, 0, kind, 54) for kind in Kind}
        case _:
            ground, colours = "c1", storill_board.palette(theme)
            things = {
                name: {str(seat): storill.unit(theme, seat, name) for seat in (0, 1)}
                for name in ("A", "T1", "KM")
            }
            things["guard"] = {
                "led": storill.unit(theme, 1, "JD"),
                "abandoned": storill.unit(theme, 1, "JD", faded=True),
            }
            things["ring"] = {"chosen": storill.ring(theme), "danger": storill.danger(theme)}
    return [
        (f"{what}: {a}, {b}", shown(colours, ground, of[a]), shown(colours, ground, of[b]))
        for what, of in things.items()
        for a, b in combinations(of, 2)
    ]


@pytest.mark.sampled(6)
@EVERY_THEME
@GAMES
def test_what_must_be_told_apart_differs_in_colour_to_every_eye_or_in_shape(key, theme):
    """A tenth of the way from black to white, or one pixel in twenty-five in two tones alone."""
    for what, one, other in held_apart(key, theme):
        colour, shape = apart(one, other), unlike(one, other)
        assert colour >= 0.1 or shape >= 0.04, f"{what}: {colour:.3f}, {shape:.3f}"


SIDES = {
    "niya": ["M.face", "O.face", "L.face", "V.face"],
    "parchis": ["face.A", "face.Z", "face.R", "face.V"],
    "cirya": ["swan.face", "eagle.face"],
    "shogi": ["sente", "gote"],
    "storilljudhjorrayc": ["g.face", "p.face"],
}


@pytest.mark.parametrize("theme", SAFE)
@GAMES
def test_where_that_is_promised_sides_and_suits_differ_by_colour_alone_to_every_eye(key, theme):
    flats = _palette(key, theme).flats
    for one, other in combinations(SIDES[key], 2):
        assert distance(flats[one], flats[other]) >= 0.14, (one, other)


def _palette(key, theme):
    from importlib import import_module

    module = "board" if key == "storilljudhjorrayc" else "pieces"
    return import_module(f"render.{key}.{module}").palette(theme)
