"""What a painter is given: the view of one player, as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from games.core import Outcome, Seat


@dataclass(frozen=True)
class Last:
    """A move just made: *seat* played *move* in *before*, both as the viewer saw them."""

    before: Any
    seat: Seat
    move: Any


@dataclass(frozen=True)
class Target:
    """An option of the menu: its *step*, and the *letter* on its button."""

    letter: str
    step: str


@dataclass(frozen=True)
class RecapPicture:
    """A small picture of a *scene* in a recap, with the *words* under it."""

    scene: Scene
    words: str


@dataclass(frozen=True)
class Recap:
    """What happened since somebody last moved: the *moments*, oldest first, under a *title*."""

    title: str
    moments: tuple[RecapPicture, ...]


@dataclass(frozen=True)
class Scene:
    """One picture to paint.

    *seen* is the position as the viewer may see it, of the game's own type; *bottom* the seat
    shown at the bottom; *names* are the players' names by seat; *path* is what the viewer has
    chosen so far and *targets* what may come next; *captions* are the painter's words in the
    viewer's language, by the keys of its ``captions(seen)``. *last* are the moves since the
    viewer's previous turn, oldest first. *size* is the width in pixels. A *calm* picture, one of
    many in a film, shows neither whose turn it is nor the choices, and marks a last move by its
    way alone, if it has one. A *recap* stands above the board. *pointed* are the cells to which the
    words beside the picture point.
    """

    game: str
    seen: Any
    names: tuple[str, ...]
    bottom: Seat = 0
    theme: str = "light"
    last: tuple[Last, ...] = ()
    path: tuple[str, ...] = ()
    targets: tuple[Target, ...] = ()
    captions: tuple[tuple[str, str], ...] = ()
    ended: Outcome | None = None
    size: int = 800
    calm: bool = False
    recap: Recap | None = None
    pointed: tuple[str, ...] = ()
    wide: bool = False
    """Whether a message shows the bars beside the board."""
    ways: tuple[tuple[tuple[Any, str], ...], ...] = ()
    """The move that was played, and a better one: positions before and after, each with a cell."""
    posed: bool = False
    """Whether the position was made to teach something: what is not there was never there."""
    apart: bool = field(default=False, repr=False)
    """Whether each piece is a sprite of its own, so that it can be moved without its square."""

    def caption(self, key: str) -> str:
        """The painter's word *key* in the viewer's language."""
        return dict(self.captions)[key]


@dataclass(frozen=True)
class Poster:
    """The poster of a game: its name as *title* and a few *words*, beside a calm *board*."""

    board: Scene
    title: str
    words: str
