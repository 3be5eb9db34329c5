"""A position that is set up by hand: its board, what can be put, and whether it is one. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from bot.port import Button, Screen
from bot.presenters.button_codes import NO_TABLE
from bot.presenters.school.exercises import posed_table
from bot.presenters.school.what_if import SUPPOSED
from bot.presenters.table.composer import Composer
from bot.presenters.table.viewers import Viewer, seated_by_side
from bot.session.table import ENDED
from bot.texts import language
from games.core import Editor, Game, Steps, Unreadable, phrase
from render.kit import Spot, painter
from render.kit.button_faces import face_names
from render.scene import Scene

CLEAR, TURN, PUT = "clear", "turn", "put"
"""What is done to a draft; ``PUT`` is followed by a place."""


@dataclass(frozen=True)
class PaletteItem:
    """A piece to put: its *key*, *label*, *side* in words, and picture, "" where it has none."""

    key: str
    label: str
    side: str
    face: str


@dataclass(frozen=True)
class EditorScreen:
    """The board of a draft, its *text*, and why that is no position (*wrong*, "" if it is one).

    *spots* are the places on the picture for the piece that is being put, *beside* those off it,
    each with its name.
    """

    screen: Screen
    spots: tuple[Spot, ...]
    text: str
    wrong: str
    pieces: tuple[PaletteItem, ...]
    beside: tuple[tuple[str, str], ...]


def editor_screen(
    game: Game, text: str, act: Steps, piece: str, viewer: Viewer, key: bytes
) -> EditorScreen:
    """The draft that *text* writes ("" for the first one) once *act* was done with *piece*.

    Raises ``RuleError`` for what cannot be drawn, and for a game without an editor.
    """
    editor = game.editor
    if editor is None:
        raise Unreadable(phrase("web.setup.none"))
    options = game.chosen(game.rules.solo)
    before = editor.draft(text, options) if text else editor.begin(options)
    draft = _after(editor, before, act, piece)
    sides = game.notation.sides(draft) or game.setting().sides
    table = posed_table(game, {}, seated_by_side(game.key, sides, language(viewer.language)), draft)
    composer = Composer(replace(table, status=ENDED), viewer, key)
    scene = composer.past(composer.seen.then(draft), ())
    spots = _spots(scene, piece)
    mover = phrase(f"{game.key}.side.{editor.mover(draft)}")
    screen = Screen(
        NO_TABLE,
        0,
        composer.say("web.setup.title", game=phrase(f"{game.key}.name")),
        lines=(composer.say("web.setup.mover", side=mover),),
        rows=(tuple(_button(composer, scene, spot) for spot in spots),),
        scene=scene,
        alt=" ".join(map(composer.say, game.speech.describe(scene.seen))),
        language=composer.tongue.code,
    )
    written = game.notation.text(draft)
    beside = tuple((place, composer.say(name)) for place, name in editor.beside(draft, piece))
    palette = _palette(composer, editor, draft)
    return EditorScreen(screen, spots, written, _wrong(composer, written), palette, beside)


def _after(editor: Editor[Any], draft: Any, act: Steps, piece: str) -> Any:
    match act:
        case (step,) if step == CLEAR:
            return editor.bare(draft)
        case (step,) if step == TURN:
            return editor.turned(draft)
        case (step, place) if step == PUT:
            return editor.put(draft, piece, place)
    return draft


def _spots(scene: Scene, piece: str) -> tuple[Spot, ...]:
    """Where *piece* may be put on the picture, or taken away."""
    drawn = painter(scene.game)
    stands = getattr(drawn, "stands", None)
    found: tuple[Spot, ...] = () if stands is None else stands(scene, piece)
    return found or drawn.cells(scene)


def _button(composer: Composer, scene: Scene, spot: Spot) -> Button:
    """The button of a place, which says what lies there."""
    there = composer.table.game.asking.at(scene.seen, spot.step)
    label = " ".join([spot.step.upper(), *map(composer.say, there)]) if there else spot.step
    code = f"{SUPPOSED}{PUT},{spot.step}"
    return Button(label, code, "move", "", spot.step, code, plays=True)


def _palette(composer: Composer, editor: Editor[Any], draft: Any) -> tuple[PaletteItem, ...]:
    game, faces = composer.table.game.key, set(face_names(composer.table.game.key))
    found = []
    for one in editor.pieces(draft):
        side = composer.say(f"{game}.side.{one.side}") if one.side else ""
        name = one.key.rpartition("-")[2]
        face = f"{game}-{name}" if name in faces else ""
        found.append(PaletteItem(one.key, composer.say(one.label), side, face))
    return tuple(found)


def _wrong(composer: Composer, text: str) -> str:
    """Why *text* is no position of the game, in a sentence; "" where it is one."""
    game = composer.table.game
    try:
        game.notation.read(text, game.chosen(game.rules.solo))
    except Unreadable as wrong:
        return composer.say(wrong.phrase)
    return ""
