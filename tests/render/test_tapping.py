"""Whatever may be played can be played by tapping the picture, and every tap has an answer."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from bot.presenters.table.keyboard import MoveChoice, page_of
from games.core import CHANCE, Game, Position, RuleError, Seat, read_moves
from games.core.move_parsing import spelled
from games.core.shelf import shelf
from render.kit import Spot
from render.kit.painters import painter
from render.scene import Scene, Target
from tests.chat_capabilities import CAPABILITIES
from tests.games.random_walks import random_setting, walk

EVERY = pytest.mark.parametrize("game", list(shelf().values()), ids=lambda game: game.key)
POSITIONS = 200
SOME_AND_ALL = pytest.mark.parametrize(
    "share", [0.25, pytest.param(1.0, marks=pytest.mark.slow)], ids=["some", "all"]
)
"""How much of what is walked over is looked at: the rest in the slow lane."""

WITHOUT_A_PLACE = {"shogi": {"+", "="}, "parchis": {"--"}}
"""Answers to a question, which are asked beside the board: they are no places on it."""


def positions(game: Game, count: int) -> Iterator[tuple[Position[Any], Seat]]:
    """*count* positions of random games in which a player is to move, and who."""
    rng = random.Random(f"tapping {game.key}")
    found = 0
    while found < count:
        setting = random_setting(game, rng)
        for position, _ in walk(game, setting, rng, rng.randrange(80)):
            seats = sorted(position.actors() - {CHANCE})
            if seats and found < count and rng.random() < 0.2:
                found += 1
                yield position, rng.choice(seats)


def looked_at(game: Game, position: Position[Any], seat: Seat, path: tuple[str, ...]) -> Scene:
    """The scene that is asked of *seat* after *path*."""
    page = page_of(game, position, seat, path, CAPABILITIES["web"].space)
    seen = position.seen_by(seat)
    captions = tuple((key, key) for key in sorted(painter(game.key).captions(seen)))
    targets = tuple(Target("", choice.step) for choice in page.choices)
    names = ("Nerea",) * 4
    return Scene(game.key, seen, names, seat, "light", (), page.path, targets, captions)


def hit(spots: tuple[Spot, ...], wanted: Spot) -> bool:
    """Whether a tap in the middle of *wanted* is nearest to the middle of *wanted* itself."""
    x, y = wanted.x + wanted.w / 2, wanted.y + wanted.h / 2
    return all(
        spot is wanted or abs(spot.x + spot.w / 2 - x) + abs(spot.y + spot.h / 2 - y) > 0.02
        for spot in spots
    )


@pytest.mark.sampled(2)
@SOME_AND_ALL
@EVERY
def test_every_legal_move_can_be_tapped_on_the_picture(game: Game, share: float) -> None:
    menus, nowhere = game.menus, WITHOUT_A_PLACE.get(game.key, set())
    for position, seat in positions(game, round(share * POSITIONS)):
        moves = spelled(game, position, position.legal_moves(seat))
        tappable: dict[tuple[str, ...], set[str]] = {}
        cells = {cell.step for cell in painter(game.key).cells(looked_at(game, position, seat, ()))}
        for steps, move in moves.items():
            for depth, step in enumerate(steps):
                path = steps[:depth]
                if steps[0] in menus.apart or step in nowhere:
                    break
                if path not in tappable:
                    scene = looked_at(game, position, seat, path)
                    if scene.path != path:
                        continue  # It is not asked: nothing else can be chosen.
                    spots = painter(game.key).spots(scene)
                    assert all(hit(spots, spot) for spot in spots), (steps, path)
                    tappable[path] = {spot.step for spot in spots}
                if step in tappable[path]:
                    continue
                end = menus.landing(position, move)
                assert end is not None, f"{steps}: nothing stands for {step}"
                assert end[0] in cells
                break


@pytest.mark.sampled
@EVERY
def test_two_moves_that_end_on_one_cell_are_told_apart(game: Game) -> None:
    for position, seat in positions(game, 60):
        told: dict[tuple[str, str], set[Any]] = {}
        for steps, move in spelled(game, position, position.legal_moves(seat)).items():
            if (end := game.menus.landing(position, move)) is not None:
                told.setdefault((steps[0], end[0]), set()).add((end[1].key, repr(end[1].args)))
        for (start, cell), labels in told.items():
            moves = sum(
                steps[0] == start
                and (end := game.menus.landing(position, move)) is not None
                and end[0] == cell
                for steps, move in spelled(game, position, position.legal_moves(seat)).items()
            )
            assert len(labels) == moves


@pytest.mark.sampled(2)
@SOME_AND_ALL
@EVERY
def test_a_tap_that_selects_never_plays(game: Game, share: float) -> None:
    """Only where one tap is a whole move, such as taking a card, may the first one play."""
    for position, seat in positions(game, round(share * 100)):
        page = page_of(game, position, seat, (), CAPABILITIES["web"].space)
        for choice in page.choices:
            if leads_on(position, game, seat, choice):
                assert not (page.alone and choice.plays), choice


def leads_on(position: Position[Any], game: Game, seat: Seat, choice: MoveChoice) -> bool:
    """Whether a move begins with *choice* that goes on to a cell of the board."""
    scene = looked_at(game, position, seat, ())
    cells = {cell.step for cell in painter(game.key).cells(scene)}
    moves = spelled(game, position, position.legal_moves(seat))
    return any(
        len(steps) > 1 and steps[0] == choice.step and bool(set(steps[1:]) & cells)
        for steps in moves
    )


@pytest.mark.slow
@EVERY
def test_whatever_is_pointed_at_is_legal_or_refused_in_a_sentence(game: Game) -> None:
    rng = random.Random(7)
    for position, seat in positions(game, 60):
        paths: list[tuple[str, ...]] = [()]
        steps = rng.choice(list(spelled(game, position, position.legal_moves(seat))))
        if len(steps) > 1:
            paths.append(steps[:1])
        for path in paths:
            for cell in painter(game.key).cells(looked_at(game, position, seat, path)):
                typed = game.menus.pointed(position.seen_by(seat), seat, path, cell.step)
                if not typed:
                    continue
                with suppress(RuleError):
                    read_moves(game, position, seat, typed)
                    continue
                refusal = game.speech.refusal(position.seen_by(seat), seat, typed)
                assert "unknown" not in refusal.phrase.key, (path, cell.step, typed)


@pytest.mark.sampled
@EVERY
def test_what_a_move_sets_going_goes_between_cells_of_the_picture(game: Game) -> None:
    rng, drawn = random.Random(f"motion {game.key}"), painter(game.key)
    going = 0
    for _ in range(6):
        setting = random_setting(game, rng)
        for position, entry in walk(game, setting, rng, 60):
            if entry is None:
                continue
            for seat in sorted(position.actors() - {CHANCE}):
                for move in position.legal_moves(seat)[:5]:
                    cells = game.menus.motion(position, move)
                    if cells is None:
                        continue
                    going += 1
                    names = [
                        {cell.step for cell in drawn.cells(Scene(game.key, one.seen_by(seat), ()))}
                        for one in (position, position.after(move))
                    ]
                    assert all(cell in there for cell, there in zip(cells, names, strict=True))
    assert going > 50
