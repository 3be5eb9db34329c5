"""The layers of a picture, and the boxes in which a picture differs from the one before."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from PIL import Image

MOST_BOXES = 12
"""The most boxes in which a change is told."""

SPARED = 2_500
"""How many pixels less are worth one more box."""

LAYERS = "layers"
"""The key in a picture's ``info`` of its pixels and its layers, the lowest first."""

Cut: TypeAlias = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels, right and bottom not included."""

_NOWHERE: Cut = (0, 0, 0, 0)


class Layer(NamedTuple):
    """Something put on a picture; it changed nothing outside *box*."""

    what: Hashable
    box: Cut


def layers_of(picture: Image.Image) -> tuple[Layer, ...]:
    """The layers of *picture*, the lowest first; none where they are not known."""
    core, layers = picture.info.get(LAYERS, (None, ()))
    # A copy of a picture shares its ``info``, but has other pixels.
    return layers if core is picture.im else ()


class PictureChanges:
    """Where each of several pictures of one *size* differs from the one before."""

    def __init__(self, size: tuple[int, int]) -> None:
        self._size = size
        self._numbers = _Numbers(size)
        self._order: list[int] = []
        self._laid: set[int] = set()

    def boxes(self, layers: tuple[Layer, ...]) -> list[Cut]:
        """At most ``MOST_BOXES`` boxes that hold all changes from the last picture to *layers*.

        They may overlap. If the layers of either picture are unknown, it is the whole picture.
        """
        before, laid = self._order, self._laid
        self._order, self._laid = order, now = self._number(layers)
        if not before or not order:
            return [(0, 0, *self._size)]
        changed = laid ^ now
        stayed = [[it for it in one if it not in changed] for one in (before, order)]
        if stayed[0] != stayed[1]:
            changed |= {
                it for pair in zip(*stayed, strict=True) if pair[0] != pair[1] for it in pair
            }
        touched = {self._numbers.boxes[it] for it in changed}
        touched.discard(_NOWHERE)
        found = _join(touched)
        return found if len(found) <= MOST_BOXES else _fewest(found)

    def _number(self, layers: tuple[Layer, ...]) -> tuple[list[int], set[int]]:
        number = self._numbers.__getitem__
        order = [*map(number, layers)]
        laid = set(order)
        if len(laid) < len(order):
            # A layer that is laid twice changes soft edges twice.
            for at, layer in enumerate(layers):
                if again := layers[:at].count(layer):
                    order[at] = number(Layer((layer, again), layer.box))
            laid = set(order)
        return order, laid


class _Numbers(dict[Layer, int]):
    """A number for each layer; *boxes* are their boxes, cut to the picture, by number."""

    def __init__(self, size: tuple[int, int]) -> None:
        self._size = size
        self.boxes: list[Cut] = []

    def __missing__(self, layer: Layer) -> int:
        left, top, right, bottom = layer.box
        wide, high = self._size
        box = (max(0, left), max(0, top), min(wide, right), min(high, bottom))
        number = self[layer] = len(self.boxes)
        self.boxes.append(box if box[0] < box[2] and box[1] < box[3] else _NOWHERE)
        return number


def _join(boxes: Iterable[Cut]) -> list[Cut]:
    """*boxes*, with those joined that overlap and leave little empty room between them."""
    found: list[Cut] = []
    for left, top, right, bottom in boxes:
        others = []
        for other in found:
            x, y, end, foot = other
            if x < right and left < end and y < bottom and top < foot:
                west, north = min(x, left), min(y, top)
                east, south = max(end, right), max(foot, bottom)
                apart = (right - left) * (bottom - top) + (end - x) * (foot - y)
                if (east - west) * (south - north) < apart + SPARED:
                    left, top, right, bottom = west, north, east, south
                    continue
            others.append(other)
        others.append((left, top, right, bottom))
        found = others
    return found


def _fewest(boxes: list[Cut]) -> list[Cut]:
    """*boxes*, with neighbours joined until there are at most ``MOST_BOXES``."""
    boxes.sort(key=itemgetter(1, 0))
    while len(boxes) > MOST_BOXES:
        joined = [_around(pair) for pair in pairwise(boxes)]
        more = [_area(it) - _area(boxes[at]) - _area(boxes[at + 1]) for at, it in enumerate(joined)]
        at = more.index(min(more))
        boxes[at : at + 2] = [joined[at]]
    return boxes


def _area(box: Cut) -> int:
    left, top, right, bottom = box
    return (right - left) * (bottom - top)


def _around(boxes: Sequence[Cut]) -> Cut:
    left, top, right, bottom = zip(*boxes, strict=True)
    return (min(left), min(top), max(right), max(bottom))
