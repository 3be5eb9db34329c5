"""Sprites kept in a file: the same as drawn, without names, and never in the way."""

from __future__ import annotations

import os
import random
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from games.core.shelf import shelf
from render.kit import (
    Canvas,
    Palette,
    Sprite,
    canvas_sprite,
    drawn_sprite,
    player_bars,
    sprite_cache,
)
from render.kit.output import png
from render.kit.painters import paint
from render.kit.sprite_cache import SpriteStore
from render.scene import Scene
from tests.games.random_walks import random_setting
from tests.render.eyes import forget
from tests.render.moments import moments, seen_from
from tests.render.pictures import dressed
from tests.slow_parameters import one_and_slowly_all

PALETTE = Palette({"paper": "#FFFFFF", "ink": "#000000", "red": "#FF0000"}, {"ink": "paper red"})


@pytest.fixture
def store(tmp_path, monkeypatch):
    """A store of its own instead of that of the process."""
    own = SpriteStore()
    monkeypatch.setattr(sprite_cache, "STORE", own)
    own.open(tmp_path / "sprites.db")
    forget()
    yield own
    own.close()
    forget()


def draw(canvas: Canvas, colour: str = "ink") -> None:
    canvas.disc(0, 0, 15, colour)
    with canvas.within([(-9, -9), (9, -9), (0, 9)]):
        canvas.box((-12, -12, 12, 12), "red")
    canvas.text(0, 0, "R", 20, "paper")


def ring(colour: str = "ink", ground: str | None = None) -> Sprite:
    """The sprite as a process draws it that has drawn none before."""
    return canvas_sprite(lambda _: PALETTE, (-20, -20, 20, 20), ground)(draw)("light", colour)


def looks(sprite: Sprite) -> tuple[object, ...]:
    solid = sprite.solid and sprite.solid.tobytes()
    return sprite.indices.tobytes(), sprite.left, sprite.top, solid, sprite.soft


def rows(own: SpriteStore) -> list[bytes]:
    assert own._file is not None
    return [data for (data,) in own._file.execute("SELECT data FROM kept")]


@pytest.mark.parametrize("ground", [None, "paper"])
def test_what_was_drawn_once_is_not_drawn_again(store, monkeypatch, ground):
    first = ring(ground=ground)
    monkeypatch.setattr(Canvas, "image", lambda _: pytest.fail("drawn again"))
    assert looks(ring(ground=ground)) == looks(first)
    with pytest.raises(pytest.fail.Exception):
        ring("red", ground)


def test_sprites_of_functions_with_one_name_are_told_apart(store):
    def sprite(module: str) -> Sprite:
        def made(colour: str) -> Sprite:
            canvas = Canvas(PALETTE, (0, 0, 9, 9), colour)
            return canvas.sprite()

        made.__module__ = module
        return drawn_sprite(made)("red" if module == "one" else "ink")

    assert looks(sprite("one")) != looks(sprite("other"))


def test_names_of_people_are_not_stored(store):
    player_bars.label.__wrapped__(PALETTE, "Nerea", 28, "ink", "paper")
    assert not rows(store)


@pytest.mark.slow
@pytest.mark.parametrize("game", one_and_slowly_all(shelf()))
def test_pictures_are_the_same_with_the_file_and_without(game, store, monkeypatch):
    keys: list[str] = []
    key = store.key
    monkeypatch.setattr(store, "key", lambda *what: keys.append(repr(what)) or key(*what))
    rng = random.Random(3)
    setting = random_setting(shelf()[game], rng)
    names = tuple(f"Nerea{n}" for n in range(len(setting.sides)))
    begun = dressed(Scene(game, shelf()[game].start(setting).seen_by(None), names))
    late = replace(seen_from(moments(game)["late"], None), theme="light")
    scenes = [begun, replace(begun, theme="dark"), late]
    drawn = [png(paint(scene)) for scene in scenes]
    forget()
    stored = len(rows(store))
    assert [png(paint(scene)) for scene in scenes] == drawn
    assert len(rows(store)) == stored
    store.close()
    forget()
    assert [png(paint(scene)) for scene in scenes] == drawn
    # The next process knows a sprite by what is written here: no place in memory, and no person.
    assert keys
    assert not [one for one in keys if " at 0x" in one or "Nerea" in one]


def test_another_version_draws_anew(store, monkeypatch):
    ring()
    assert rows(store)
    path = store.path
    monkeypatch.setattr(sprite_cache, "_version", lambda: b"another")
    store.open(path)
    assert not rows(store)


def test_the_version_depends_on_every_source_that_draws(tmp_path, monkeypatch):
    fake = tmp_path / "render" / "kit" / "sprite_cache.py"
    fake.parent.mkdir(parents=True)
    (tmp_path / "games").mkdir()
    monkeypatch.setattr(sprite_cache, "__file__", str(fake))
    versions = {sprite_cache._version()}
    for file in (fake, tmp_path / "games" / "board.py"):
        file.write_text("x = 1")
        versions.add(sprite_cache._version())
    assert len(versions) == 3


def test_a_damaged_row_is_drawn_anew(store):
    one = ring()
    (whole,) = rows(store)
    for bad in (b"", b"\x00\x00", b"\xff\xff{}", whole[:40]):
        store._file.execute("UPDATE kept SET data = ?", (bad,))
        assert looks(ring()) == looks(one)
        assert rows(store) == [whole]


def test_a_file_that_is_none_is_not_used(tmp_path):
    own = SpriteStore()
    (tmp_path / "sprites.db").write_bytes(b"this is no database at all, but some text" * 40)
    own.open(tmp_path / "sprites.db")
    assert not own.keeps
    assert own.get(b"k") is None
    own.put(b"k", b"v")


@pytest.mark.parametrize("mode", [None, 0o644], ids=["new", "of an older release"])
def test_the_file_is_readable_by_its_owner_only(tmp_path, mode):
    file = tmp_path / "sprites.db"
    if mode is not None:
        file.touch()
        file.chmod(mode)
    own = SpriteStore()
    own.open(file)
    own.put(b"key", b"data")
    modes = {one.name: stat.S_IMODE(one.stat().st_mode) for one in tmp_path.iterdir()}
    own.close()
    assert modes == dict.fromkeys(["sprites.db", "sprites.db-wal", "sprites.db-shm"], 0o600)


def test_a_folder_that_is_not_there_or_read_only_does_no_harm(tmp_path):
    own = SpriteStore()
    own.open(tmp_path / "nowhere" / "sprites.db")
    assert not own.keeps
    shut = tmp_path / "shut"
    shut.mkdir()
    shut.chmod(stat.S_IRUSR | stat.S_IXUSR)
    own.open(shut / "sprites.db")
    if os.geteuid():  # root may write everywhere
        assert not own.keeps
    own.put(b"k", b"v")
    own.close()
    shut.chmod(stat.S_IRWXU)


def test_a_file_that_has_grown_too_large_is_begun_anew(tmp_path, monkeypatch):
    own = SpriteStore()
    own.open(tmp_path / "sprites.db")
    own.put(b"k", b"v" * 5000)
    own.close()
    monkeypatch.setattr(sprite_cache, "MOST_IN_FILE", 4096)
    own.open(tmp_path / "sprites.db")
    assert own.get(b"k") is None
    assert Path(tmp_path / "sprites.db").stat().st_size < 20_000
    own.close()
