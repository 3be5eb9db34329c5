"""What people do besides moving: ways of typed lines and of buttons, pressed one after the other.

A button is named as its code has it, by the letter of its act and the path behind it (see
``bot.presenters.button_codes``), so that a way is one in all languages.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.evening.screens import Seen

if TYPE_CHECKING:
    from tests.evening.people import Actor

WAITS = 12.0
"""Seconds in which somebody waits for the next step of a way."""

MOST = 12
"""The largest number of ways that somebody has as habits."""


@dataclass(frozen=True)
class Way:
    """What is typed on Telegram, and elsewhere, and what is pressed then; a ``?`` may fail."""

    telegram: str = ""
    elsewhere: str = ""
    steps: tuple[str, ...] = ()
    alone: bool = False
    """Whether it is typed in the private chat."""
    deed: str = ""
    """What is done first (``screens.DEEDS``)."""
    manages: bool = False
    """Whether only those do it who manage the place."""


MOVES = ("?m .*", "?m .*", "?m .*", "?m .*")

WAYS = (
    # At a table.
    Way("/rendirse", "/resign", ("?r $", "?r yes.*")),
    Way("/rendirse", "/resign", ("?r $", "?r (no|yes).*")),
    Way("/tablas", "/draw", ("?o draw",)),
    Way("/deshacer", "/undo", ("?o undo",)),
    Way("/pausa", "/pause", ("?o pause",)),
    Way(steps=("t .*(yes|no)",)),
    Way(steps=("t .*(yes|yes|no|back)",)),
    Way(steps=("z $", "?[oHOwfieuvsVr] .*", "?(t|r) .*")),
    Way(steps=("z $", "?[oHOwfieuvsVr] .*", "?b .*")),
    Way("/revancha", "/rematch", ("?n $",)),
    Way(steps=("n $", "?t rematch.*")),
    Way(steps=("x (back|no)",)),
    Way(steps=("x (no|never)",)),
    Way("/salir", "/leave", ("?x $", "?x yes.*")),
    Way("/cerrar", "/close", ("?k $", "?k yes.*")),
    Way("/tablero", "/board"),
    Way("/partidas", "/games", ("?d .*",)),
    Way("/pista", "/hint", ("?H .*",)),
    Way("/posibilidades", "/odds", ("?O .*",)),
    Way("/repaso", "/review", ("?R .*", "?R .*", "?R .*")),
    Way(steps=("(R|Y|X|n|u|e) .*",)),
    Way("/repeticion", "/replay"),
    Way("/tarjeta", "/card", ("?X .*",)),
    Way("/por_escrito", "/record"),
    Way("/verificar", "/verify"),
    Way("/por_que {move}", "/why move={move}"),
    Way("/pregunta puedo", "/ask question=puedo"),
    Way("/palabras suerte", "/words text=suerte"),
    Way("/mover {move}", "/move move={move}"),
    Way(steps=("T (claim|grant|missed)",)),
    Way(steps=("c for.*|k $", "?k yes.*")),
    # Opening one.
    Way("/jugar {game}", "/play game={game}", ("?P (rated|clock|seats|rule|begins|side).*",
        "?P .*", "P start")),
    Way("/jugar", "/play game={game}", ("?P game,\\w+", "?P clock.*", "P start")),
    Way("/jugar {game} ya 5m+5s", "/play game={game} opponent=now clock=5m+5s", ("?P start",)),
    Way("/jugar {game} @{other} 30s/jugada", "/play game={game} opponent=@{other} clock=30s/move"),
    Way("/jugar {game} @{other} 1m/partida", "/play game={game} opponent=@{other} clock=1m/game"),
    Way("/jugar parchis 4", "/play game=parchis seats=4", ("?P start", "?c $", "?c $", "?g $")),
    Way("/jugar parchis 4", "/play game=parchis seats=4", ("?P start",)),
    Way(steps=("j .*",)),
    Way(steps=("j .*", "?x $")),
    Way(steps=("(g|c) $",)),
    # Alone with the bot.
    Way("/start", "/help", ("?(P|h|K|E|C) .*",), alone=True),
    Way("/jugar {game} ordenador", "/play game={game} level=1", MOVES, alone=True),
    Way("/jugar", "/games", ("?P .*", "?P .*", "?P start", *MOVES), alone=True),
    Way("/partidas", "/games", ("?d .*", *MOVES), alone=True),
    # Puzzles, first steps, what is read.
    Way("/problema", "/puzzle", ("?K game,.*", "?K \\w{6},.*", "?K \\w{6},.*", "?K .*")),
    Way("/problema {game}", "/puzzle game={game}", ("?K (give|words|\\w{6}).*", "?K next.*")),
    Way("/aprender {game}", "/learn game={game}", ("?E .*", "?E .*", "?E .*")),
    Way(steps=("K (\\w{6},.*|type.*|give.*)",)),
    Way("/clasificacion {game}", "/top game={game}", ("?S .*", "?S .*")),
    Way("/perfil", "/profile", ("?N .*", "?S .*")),
    Way("/contra @{other}", "/versus person=@{other}", ("?W .*",)),
    Way("/reglas {game}", "/rules game={game}", ("?i .*", "?i .*")),
    Way("/ayuda", "/help", ("?h .*",)),
    # How one likes it.
    Way("/ajustes", "/settings", ("?A [^,]+,me.*", "?A .*,calls,.*", "?A .*,calls,.*")),
    Way("/ajustes", "/settings", ("?A .*", "?A .*,(theme|language|material|pieces),.*")),
    Way("/ajustes", "/settings", ("?A .*", "?A .*"), manages=True),
    Way("/ajustes", "/settings", ("?A .*", "?A .*(daily|threads|language).*", "?A .*"),
        manages=True),
    Way("/idioma en", "/language language=en"),
    Way("/idioma es", "/language language=es"),
    Way("/vacaciones 2", "/holidays days=2"),
    Way("/exportar", "/export"),
    Way("/misdatos", "/mydata"),
    # Tournaments.
    Way("/torneo", "/tournament", ("?U new", "?U game,{game}", "?U page,format", "?U format,.*",
        "?U page,clock", "?U clock,.*", "?U open"), manages=True),
    Way("/torneo", "/tournament", ("?U new", "?U game,{game}", "?U page,most", "?U most,.*",
        "?U page,starts", "?U starts,(now|full)", "?U open"), manages=True),
    Way(steps=("?U more", "U begin"), manages=True),
    Way(steps=("U tools", "?U (out|halt|resume|fix|end|file).*", "?U .*yes.*"), manages=True),
    Way("/torneo", "/tournament", ("?U $", "?U enter")),
    Way(steps=("U enter",)),
    Way(steps=("U (game|table|cross|enter|more|file.*)",)),
    Way(steps=("U leave", "?U .*yes.*")),
    # The chat itself.
    Way(deed="leave"),
    Way(deed="block"),
    Way(deed="remove", manages=True),
)  # fmt: skip

ALONE = (
    Way("/jugar {game} @{other}", "/play game={game} opponent=@{other}", alone=True),
    Way("/idioma en", "/language language=en", alone=True),
    Way("/idioma es", "/language language=es", alone=True),
    Way("/tablas", "/draw", alone=True),
    Way("/deshacer", "/undo", alone=True),
    Way("/mover {move}", "/move move={move}", alone=True),
)
"""What people do in their private chat about tables that stand elsewhere."""

DONE: Counter[str] = Counter()
"""What has been done with success in this process: commands, and acts by their letters."""


def arrives(facade: Any, asked: Any) -> None:
    """Nothing is to be known before."""


async def handled(facade: Any, asked: Any, before: Any, answer: Any) -> None:
    """Count what was taken."""
    if not getattr(answer, "good", True):
        return
    click = facade.boards.buttons.click(asked.code) if hasattr(asked, "code") else None
    if click is None:
        DONE[f"/{getattr(asked, 'name', '?')}"] += 1
        return
    some = click.path[:1] if click.act in "oUtTxkrAP" else ()
    DONE[" ".join((click.act.name.lower(), *some))] += 1


def drawn(lot: random.Random, *, manages: bool) -> tuple[Way, ...]:
    """The ways that somebody has as habits."""
    found = [one for one in WAYS if not one.manages]
    of_managers = [one for one in WAYS if one.manages]
    mine = lot.sample(found, lot.randint(2, MOST))
    return (*mine, *(lot.sample(of_managers, 4) if manages else ()))


def alone(lot: random.Random) -> tuple[Way, ...]:
    """What somebody does besides in their private chat: most people nothing."""
    return tuple(lot.sample(ALONE, lot.choice((0, 0, 0, 2, 4))))


async def follow(actor: Actor, way: Way) -> None:
    """Do what *way* says, as far as the screen has it."""
    place, lot = actor.place, actor.lot
    if way.deed:
        await _deed(actor, way.deed)
        return
    words = way.telegram if place.name == "telegram" else way.elsewhere
    others = [one for one in place.people.values() if one.name != actor.name]
    known = {"game": lot.choice(actor.habits.games), "other": lot.choice(others).name.lower()}
    if words:
        known["move"] = _label(actor)
        await place.write(actor.name, words.format(**known), alone=way.alone)
    for step in way.steps:
        pattern = re.compile(step.removeprefix("?").replace("{game}", known["game"]))
        found = await place.net.until(lambda pattern=pattern: offered(actor, pattern), WAITS)
        if not found and step.startswith("?"):
            continue
        if not found:
            return
        await asyncio.sleep(lot.uniform(*actor.habits.pace))
        if now := offered(actor, pattern):
            seen, codes = now
            actor.at_once(lambda lot, now=now: actor.press(now[0], lot.choice(now[1])))
            await actor.press(seen, lot.choice(codes))


async def _deed(actor: Actor, deed: str) -> None:
    """Leave or block, and come back some time later; or remove a message."""
    place, lot = actor.place, actor.lot
    if deed == "remove":
        boards = [one for one in place.public() if one.buttons]
        if boards:
            DONE[deed] += 1
        if boards:
            await place.do(actor.name, deed, lot.choice(boards).id)
        return
    DONE[deed] += 1
    await place.do(actor.name, deed)
    await asyncio.sleep(lot.uniform(5.0, 60.0))
    await place.do(actor.name, {"leave": "join", "block": "unblock"}[deed])


def offered(actor: Actor, pattern: re.Pattern[str]) -> tuple[Seen, list[str]] | None:
    """The newest message with such buttons, one's own before others."""
    found = []
    for one in actor.recent():
        codes = [code for _, code in one.buttons if pattern.match(_act(code))]
        if codes:
            found.append((actor.name in one.text or not one.shared, one, codes))
    best = [one for one in found if one[0]] or found
    return (best[-1][1], best[-1][2]) if best else None


def _act(code: str) -> str:
    parts = code.split(".")
    return f"{parts[0]} {parts[3]}" if len(parts) == 5 else ""


def _label(actor: Actor) -> str:
    """A move that a board of one's own offers, as its button or as its code has it."""
    found = [
        (label, code)
        for one in actor.recent()
        if one.shared and actor.name in one.text
        for label, code in one.buttons
        if code.startswith("m.")
    ]
    if not found:
        return "a1"
    label, code = actor.lot.choice(found)
    return actor.lot.choice((label.split()[-1].lower(), code.split(".")[3].replace(",", "")))
