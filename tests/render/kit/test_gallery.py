"""The gallery: pictures are painted once, few are kept, and threads may share it."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from bot.presenters.game_poster import poster
from games.core.shelf import find_game
from render.kit import painters
from render.kit.painters import Gallery, NoPainter, painter
from render.kit.sprite_cache import STORE
from render.scene import Scene
from tests.games.niya_tables import dealt, played
from tests.render.pictures import dressed


class Counting:
    """A painter that counts how often it is asked, and may be held up or broken."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        self.broken = False
        self.go = threading.Event()
        self.go.set()
        self._real = painter("niya").paint
        monkeypatch.setattr("render.niya.painter.paint", self.paint)

    def paint(self, scene: Scene) -> Any:
        self.count += 1
        self.go.wait(5)
        if self.broken:
            raise OSError("no ink")
        return self._real(scene)


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> Counting:
    return Counting(monkeypatch)


def scene(*moves: str, **other: Any) -> Scene:
    return dressed(Scene("niya", played(" ".join(moves), dealt()), ("Nerea", "Bruno"), **other))


def test_the_same_scene_is_painted_once(counting: Counting) -> None:
    gallery = Gallery()
    first = gallery.picture(scene("M1"))
    assert gallery.picture(scene("M1")) is first
    assert counting.count == 1


def test_another_theme_size_or_move_is_another_picture(counting: Counting) -> None:
    gallery = Gallery()
    shown = {
        gallery.picture(scene("M1")),
        gallery.picture(scene("M1", theme="dark")),
        gallery.picture(scene("M1", size=360)),
        gallery.picture(scene("M1", "M2")),
    }
    assert len(shown) == counting.count == 4


def test_only_the_newest_pictures_are_kept(counting: Counting) -> None:
    gallery = Gallery(most=2)
    one, two, three = scene("M1"), scene("M1", "M2"), scene("M1", "M3")
    gallery.picture(one)
    gallery.picture(two)
    gallery.picture(one)
    gallery.picture(three)
    gallery.picture(one)
    assert counting.count == 3
    gallery.picture(two)
    assert counting.count == 4


def test_threads_that_want_the_same_picture_paint_it_once(counting: Counting) -> None:
    gallery = Gallery()
    counting.go.clear()
    with ThreadPoolExecutor(8) as pool:
        wanted = [pool.submit(gallery.picture, scene("M1")) for _ in range(8)]
        counting.go.set()
        assert len({picture.result() for picture in wanted}) == 1
    assert counting.count == 1


def test_a_failure_is_told_and_not_kept(counting: Counting) -> None:
    gallery = Gallery()
    counting.broken = True
    with pytest.raises(OSError, match="no ink"):
        gallery.picture(scene("M1"))
    counting.broken = False
    assert gallery.picture(scene("M1"))


def test_a_game_without_painter_is_told(counting: Counting) -> None:
    with pytest.raises(NoPainter):
        Gallery().picture(Scene("nosuch", dealt(), ("", "")))


def test_a_bad_size_is_refused(counting: Counting) -> None:
    with pytest.raises(ValueError, match="pixels wide"):
        Gallery().picture(scene("M1", size=100_000))


def test_a_picture_that_is_painted_is_at_hand_and_no_other(counting: Counting) -> None:
    gallery = Gallery()
    assert gallery.ready(scene("M1")) is None
    assert counting.count == 0
    assert gallery.picture(scene("M1")) is gallery.ready(scene("M1"))


def test_whoever_waits_for_a_picture_that_is_being_painted_may_give_up(counting: Counting) -> None:
    gallery = Gallery()
    counting.go.clear()
    with ThreadPoolExecutor(1) as pool:
        wanted = pool.submit(gallery.picture, scene("M1"))
        while (begun := gallery.begin(scene("M1"))) is None:
            time.sleep(0.001)
        assert not begun.done()
        assert not begun.cancel()
        counting.go.set()
        assert begun.result() is wanted.result() is gallery.picture(scene("M1"))
    assert counting.count == 1


def test_a_poster_is_painted_once_and_kept_from_one_start_to_the_next(tmp_path, monkeypatch):
    shown = poster(find_game("niya"), "dark", "en")
    STORE.open(tmp_path / "sprites.db")
    try:
        first = Gallery().picture(shown)
        monkeypatch.setattr(painters, "paint", lambda _: pytest.fail("it is kept"))
        assert Gallery().picture(shown) == first
        # In another language it is another poster.
        with pytest.raises(pytest.fail.Exception):
            Gallery().picture(replace(shown, words="otras"))
    finally:
        STORE.close()
