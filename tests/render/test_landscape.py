"""Boards beside their bars: as large as may be in Discord's box, and large enough for a phone.

A chat's box shows a picture whole within 550 × 350, a phone as wide as its screen of 360.
"""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import pytest
from PIL import ImageChops

from bot.chats.discord.chat import DiscordChat
from bot.presenters.school.exercises import ExerciseBoard
from bot.presenters.table.viewers import Viewer
from bot.session.exercise_catalogue import puzzles_of
from games.core import Outcome
from games.core.shelf import shelf
from render.kit import painter, png
from render.kit.output import WIDTH
from render.kit.painters import Gallery, landscape, paint
from render.scene import Scene
from tests.benchmarks.pictures import scenes
from tests.render.eyes import forget, writing

BOX, PHONE = (550, 350), 360

LARGEST = 80_000

NAMES = ("María del Mar Fernández-Villanueva", "علي محمد", "佐藤さくら", "W" * 40)

EVERY = pytest.mark.parametrize("key", sorted(shelf()))


def shown(key: str, seed: int = 5) -> list[Scene]:
    """Some moments of a game by chance, its last one among them."""
    every = list(scenes(shelf()[key], 1, random.Random(seed)))
    some = [*every[:: max(1, len(every) // 4)], every[-1]]
    return [replace(one, names=NAMES[: len(one.names)], wide=True) for one in some]


@EVERY
def test_the_board_is_large_in_the_box_and_on_a_phone(key):
    left, top, right, low = painter(key).BESIDE[0]
    for scene in shown(key):
        picture = landscape(scene)
        assert picture.width <= 1.2 * picture.height
        boxed = min(BOX[0] / picture.width, BOX[1] / picture.height)
        assert (right - left) * boxed >= 340
        assert (right - left) * PHONE / picture.width >= 285
        assert len(png(picture)) <= LARGEST
        before = paint(scene)
        assert min(BOX[0] / before.width, BOX[1] / before.height) * (right - left) < 300
        board = ImageChops.difference(
            picture.crop((0, 0, right - left, low - top)).convert("RGB"),
            before.crop((left, top, right, low)).convert("RGB"),
        )
        assert board.getbbox() is None


@EVERY
@pytest.mark.parametrize("many", [8, pytest.param(200, marks=pytest.mark.slow)])
def test_what_is_held_stands_on_its_plate_however_much_it_is(key, many):
    every = puzzles_of(key)
    for exercise in every[:: len(every) // many or 1]:
        board = ExerciseBoard(exercise, 0, exercise.resumed(0), Viewer(), bytes(32), "")
        scene = replace(board.asking("", (), ()).scene, wide=True, names=NAMES[:4])
        picture, bars = landscape(scene), paint(scene).info["plates"]
        room = picture.width - painter(key).BESIDE[0][2] + painter(key).BESIDE[0][0] - 24
        assert max(item.room for bar in bars for item in bar.items) <= room


@EVERY
def test_no_sign_is_too_small_for_a_phone(key, monkeypatch):
    forget()
    with writing(monkeypatch) as noted:
        wide = {landscape(scene).width for scene in shown(key)}
    assert noted
    assert min(px for _, px, _, _ in noted) * PHONE / max(wide) >= 9


@EVERY
def test_all_bars_stand_beside_the_board_and_none_over_another(key, monkeypatch):
    placed = []

    def noted(self, sheet, left, top, wide, *, up=False):
        following = put(self, sheet, left, top, wide, up=up)
        placed.append((min(top, following), max(top, following), sheet.height))
        return following

    plate = type(paint(shown(key)[0]).info["plates"][0])
    put = plate.put
    monkeypatch.setattr(plate, "put", noted)
    for scene in shown(key, 7):
        ended = Outcome("resign", (frozenset({0}), frozenset(range(1, len(scene.names)))))
        for one in (scene, replace(scene, ended=ended)):
            placed.clear()
            landscape(one)
            assert len(placed) == len(scene.names)
            pieces = sorted(placed)
            assert pieces[0][0] >= -9
            assert pieces[-1][1] <= pieces[-1][2] + 9
            for (_, end, _), (begin, _, _) in pairwise(pieces):
                assert end <= begin + 1


def test_boards_of_discord_are_painted_so_and_no_others(monkeypatch):
    assert DiscordChat.capabilities.space.landscape
    scene = shown("niya")[0]
    wide, tall = Gallery(), Gallery()
    for gallery, one in ((wide, scene), (tall, replace(scene, wide=False))):
        future, _ = gallery.ask(one)
        Gallery.fulfil(gallery, one, future)
    assert wide.ready(scene) != tall.ready(replace(scene, wide=False))
    assert paint(scene).width == WIDTH, "films and cards are made of boards as ever"
