"""The corners of the board: each casa with its suit, die or medal, and the plate beside it."""

from __future__ import annotations

from games.core import Seat
from games.parchis.board import LETTERS, META
from games.parchis.moves import Go, Lapse, Stage
from games.parchis.rules import Parchis
from render.kit import Bar, Item, Mood, Sheet, Sprite, composed_sprite
from render.parchis import pieces
from render.parchis.layout import CASAS, PLATE_HEIGHT, PLATE_WIDTH, PLATES
from render.scene import Scene


def turned(scene: Scene) -> int:
    """By how many quarters the board is turned."""
    seen: Parchis = scene.seen
    return seen.colours[scene.bottom] if scene.bottom else 0


def lies(scene: Scene, colour: int) -> int:
    """Of which colour the arm is, when nothing is turned, in which *colour* is shown."""
    return (colour - turned(scene)) % 4


def put_casas(sheet: Sheet, scene: Scene, ground: Sheet) -> None:
    """In each casa its suit, the die, a bonus or the place won; *ground* is the empty board."""
    seen, theme = scene.seen, scene.theme
    for colour in range(4):
        x, y = (round(part) for part in CASAS[lies(scene, colour)])
        seat = seen.colours.index(colour) if colour in seen.colours else None
        sheet.put(_still(ground, _inside(scene, colour, seat), x, y))
        if seat == seen.turn and seen.stage is not Stage.OVER and not scene.calm:
            for n in range(seen.sixes):
                sheet.put(pieces.die(theme, 6, 34), x + 20 * (2 * n + 1 - seen.sixes), y + 82)


def _inside(scene: Scene, colour: int, seat: Seat | None) -> Sprite:
    """What lies in the casa of *colour*, which *seat* plays."""
    seen, theme = scene.seen, scene.theme
    used = _used(scene) if scene.calm else None
    if used is not None and used.turn == seat:
        return spent(theme, used)
    places = seen.standings()
    if seat in places:
        return pieces.medal(theme, places[seat])
    if scene.calm:
        return pieces.emblem(theme, colour)
    if seat == seen.turn and seen.stage is Stage.BONUS:
        return pieces.bonus(theme, seen.count)
    eyes = _die(seen, seat)
    if eyes is None:
        return pieces.emblem(theme, colour)
    return pieces.die(theme, eyes, asked=seen.stage is Stage.THROW and bool(scene.targets))


@composed_sprite
def _still(ground: Sheet, sprite: Sprite, x: int, y: int) -> Sprite:
    """*sprite* on its *ground*: without soft edges it is put much faster."""
    sheet = ground.copy()
    sheet.put(sprite, x, y)
    left, top = x + sprite.left, y + sprite.top
    return sheet.part((left, top, left + sprite.width, top + sprite.height))


def put_used(sheet: Sheet, scene: Scene) -> None:
    """In a film, above all ways, what the newest move used."""
    used = _used(scene) if scene.calm else None
    if used is not None:
        x, y = (round(part) for part in CASAS[lies(scene, used.colours[used.turn])])
        sheet.put(spent(scene.theme, used), x, y)


def _used(scene: Scene) -> Parchis | None:
    """The position in which the newest move of a film used a die or a bonus."""
    for last in reversed(scene.last):
        if isinstance(last.move, Go | Lapse):
            before: Parchis = last.before
            return before if before.stage in (Stage.DIE, Stage.BONUS) else None
    return None


def spent(theme: str, used: Parchis) -> Sprite:
    """What was moved with in the position *used*."""
    if used.stage is Stage.BONUS:
        return pieces.bonus(theme, used.count)
    return pieces.die(theme, used.count)


def _die(seen: Parchis, seat: Seat | None) -> int | None:
    """What the die of *seat* shows, 0 while it is to be rolled, ``None`` without a die."""
    if seat is None or seen.stage is Stage.OVER:
        return None
    if seen.stage is Stage.OPENING:
        roll = seen.rolls[seat]
        return 0 if roll is None else roll or None
    if seat != seen.turn:
        return None
    return seen.count if seen.stage is Stage.DIE else 0


def bars(scene: Scene) -> tuple[Bar, ...]:
    """The plate of each seat."""
    return tuple(_plate(*PLATES[lies(scene, colour)]) for colour in scene.seen.colours)


def _plate(left: int, top: int) -> Bar:
    return Bar(top, left, left + PLATE_WIDTH, PLATE_HEIGHT, emblem_at=68, name_at=100, size=29)


def put_plates(sheet: Sheet, scene: Scene) -> None:
    """Beside each casa the name of its player, and how many pieces have arrived."""
    seen, theme = scene.seen, scene.theme
    letters = dict(scene.captions).get("letters") or LETTERS
    for seat, (colour, bar) in enumerate(zip(seen.colours, bars(scene), strict=True)):
        arrived = sum(index == META for index in seen.pieces[seat])
        pips = [Item(pieces.pip(theme, colour, full=n < arrived), 25) for n in range(4)]
        badge = pieces.badge(theme, colour, letters[colour])
        bar.put(sheet, scene.names[seat], badge, pips, _mood(scene, seat))


def _mood(scene: Scene, seat: Seat) -> Mood:
    """What the plate of *seat* says: once somebody has won, the others may play on."""
    seen: Parchis = scene.seen
    if seen.standings().get(seat) == 1 and not scene.ended and not scene.apart:
        return Mood.WON
    return Mood.of(scene, seat)
