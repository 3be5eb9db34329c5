"""Sprites kept in a file: the same as drawn, without names, and never in the way."""

from __future__ import annotations

import os
import stat
from dataclasses import replace

import pytest

from games.core.shelf import shelf
from render import Scene, paint, png
from render.kit import Canvas, Palette, bars, canvas, store
from render.kit.store import SpriteStore, packed, unpacked
from tests.games.laws import random_setting
from tests.render.pictures import dressed

PALETTE = Palette({"paper": "#FFFFFF", "ink": "#000000", "red": "#FF0000"}, {"ink": "paper red"})


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """A store of its own instead of that of the process."""
    own = SpriteStore()
    monkeypatch.setattr(canvas, "STORE", own)
    own.open(tmp_path / "sprites.db")
    yield own
    own.close()


def drawn(ground: str | None = None, colour: str = "ink", **how) -> Canvas:
    made = Canvas(PALETTE, (-20, -20, 20, 20), ground, **how)
    made.disc(0, 0, 15, colour)
    with made.within([(-9, -9), (9, -9), (0, 9)]):
        made.box((-12, -12, 12, 12), "red")
    made.text(0, 0, "R", 20, "paper")
    return made


def rows(own: SpriteStore) -> int:
    assert own._file is not None
    return own._file.execute("SELECT count(*) FROM kept").fetchone()[0]


@pytest.mark.parametrize("ground", [None, "paper"])
def test_what_is_kept_is_what_was_drawn(ground):
    one = drawn(ground).sprite()
    other = unpacked(packed(one))
    assert other is not None
    assert other.indices.tobytes() == one.indices.tobytes()
    assert (other.left, other.top, other.soft) == (one.left, one.top, one.soft)
    assert (other.solid is None) == (one.solid is None)
    if one.solid is not None and other.solid is not None:
        assert other.solid.tobytes() == one.solid.tobytes()


def test_what_was_drawn_once_is_not_drawn_again(kept, monkeypatch):
    first = drawn().sprite()
    monkeypatch.setattr(Canvas, "image", lambda _: pytest.fail("drawn again"))
    assert drawn().sprite().indices.tobytes() == first.indices.tobytes()
    with pytest.raises(pytest.fail.Exception):
        drawn(colour="red").sprite()


def test_names_of_people_are_not_kept(kept):
    before = rows(kept)
    bars.label.__wrapped__(PALETTE, "Nerea", 28, "ink", "paper")
    drawn(passing=True).sprite()
    assert rows(kept) == before


@pytest.mark.parametrize("game", sorted(shelf()))
def test_pictures_are_the_same_with_the_file_and_without(game, kept, monkeypatch, tmp_path):
    import random

    rng = random.Random(3)
    setting = random_setting(shelf()[game], rng)
    position = shelf()[game].start(setting)
    names = tuple(f"Nerea{n}" for n in range(len(setting.sides)))
    scene = dressed(Scene(game, position.seen_by(None), names, theme="light"))
    shown = [png(paint(replace(scene, theme=theme))) for theme in ("light", "dark")]
    assert all(len(one) > 1000 for one in shown)
    assert b"Nerea" not in b"".join(
        data for (data,) in kept._file.execute("SELECT data FROM kept").fetchall()
    )


def test_a_spoilt_row_is_drawn_anew(kept):
    one = drawn().sprite()
    for bad in (b"", b"\x00\x00", b"\xff\xff{}", packed(one)[:40]):
        kept._file.execute("UPDATE kept SET data = ?", (bad,))
        assert drawn().sprite().indices.tobytes() == one.indices.tobytes()


def test_a_file_that_is_none_is_not_used(tmp_path):
    own = SpriteStore()
    (tmp_path / "sprites.db").write_bytes(b"this is no database at all, but some text" * 40)
    own.open(tmp_path / "sprites.db")
    assert not own.keeps
    assert own.get(b"k") is None
    own.put(b"k", b"v")


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
    monkeypatch.setattr(store, "MOST", 4096)
    own.open(tmp_path / "sprites.db")
    assert own.get(b"k") is None
    own.close()
