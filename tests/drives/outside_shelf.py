"""A game and a language from outside on all three chats: ``python -m tests.drives.outside_shelf``.

The wheel of this checkout and those of ``examples/ludoteca-cubo`` and ``examples/ludoteca-pt`` are
installed into a fresh environment. Its program is run elsewhere, with nothing of this checkout on
its path, between an emulated Discord, an emulated Telegram and a page. Then the game is played by
buttons alone, in Portuguese: by somebody on Discord and somebody on Telegram at one table, which
the page looks on, and on the page against the computer. ``--games cubo niya`` names others.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import venv
from contextlib import AsyncExitStack
from pathlib import Path

from bot.session.table import PLAYING
from bot.texts import language
from games.core import phrase
from games.core.shelf import game_packages
from tests.drives.minds import button_for, wanted
from tests.drives.stage import EMULATORS, ROOT, emulators
from tests.drives.together import Together, joined, judged, opened

PACKAGES = ("ludoteca-cubo", "ludoteca-pt")
TONGUE = "pt"
MOST = 400
"""More presses than a game takes."""


def installed(folder: Path) -> Path:
    """A fresh environment in *folder* with the wheels, whose program runs."""
    home = folder / "home"
    venv.create(home, with_pip=True)
    for source in (ROOT, *(ROOT / "examples" / name for name in PACKAGES)):
        build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", str(folder)]
        subprocess.run(build, cwd=source, check=True, capture_output=True)
    wheels = sorted(map(str, folder.glob("*.whl")))
    assert len(wheels) == 1 + len(PACKAGES), wheels
    install = [str(home / "bin" / "python"), "-m", "pip", "install", "-q", "--no-deps", *wheels]
    subprocess.run(install, check=True, capture_output=True)
    return home


def libraries() -> str:
    """What the wheels depend on, without this checkout."""
    found = (one for one in sys.path if one.endswith("site-packages"))
    return os.pathsep.join(one for one in found if Path(sys.prefix) in Path(one).parents)


def told(home: Path, *command: str) -> str:
    """What the installed program says, run in the folder of its environment."""
    environment = {**os.environ, "PYTHONPATH": libraries()}
    done = subprocess.run(
        [str(home / "bin" / "ludoteca"), *command],
        cwd=home,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


async def played(folder: Path, home: Path, game: str) -> str:
    """*game* on all three chats by buttons; what was done."""
    async with AsyncExitStack() as stack:
        at = await opened(
            stack,
            folder,
            command=[str(home / "bin" / "ludoteca")],
            environment={
                "PYTHONPATH": f"{EMULATORS}/inject{os.pathsep}{libraries()}",
                "LUDOTECA_LANGUAGE": TONGUE,
            },
            tongue=TONGUE,
        )
        code, on_discord = await joined(at, {"game": game})
        more = language(TONGUE).say(phrase("house.button.more"))

        async def begun() -> bool:
            return any(more in button.get("label", "") for button in on_discord.buttons)

        await at.until(begun, "the board in Portuguese on Discord")
        assert any(more in one["text"] for one in at.on_telegram(code).buttons)
        presses = await at.play(code, on_discord, MOST)
        # Nobody has answered the pings of the server meanwhile: the page is opened anew.
        at.page = await stack.enter_async_context(at.visitor.open(language=TONGUE))
        await at.page.board(code, lambda board: board["over"])
        again = language(TONGUE).say(phrase("house.button.rematch"))

        async def over() -> bool:
            there = [one["text"] for one in at.on_telegram(code).buttons]
            here = [one.get("label", "") for one in on_discord.buttons]
            return any(again in one for one in here) and any(again in one for one in there)

        await at.until(over, "the end on both boards")
        alone = await on_page(at, game)
        return judged(at, f"{presses} presses on Discord and Telegram, {alone} on the page")


async def on_page(at: Together, game: str) -> int:
    """A game against the weakest computer on the page, to its end; how many keys were pressed."""
    answer = await at.page.type(f"/play {game} computer level=1")
    table, presses = answer["open"], 0
    while presses < MOST:
        board = await at.page.board(table, lambda one: one["over"] or bool(_keys(one)))
        if board["over"]:
            return presses
        state = await at.table(table)
        if state.status != PLAYING:
            await at.page.board(table, lambda one: one["over"])
            return presses
        seat = next(n for n, one in enumerate(state.players) if one.person is not None)
        codes = [key["code"] for key in _keys(board)]
        turn = state.turns[seat]
        if seat not in state.actors() or not all(
            int(one.split(".")[2], 36) == turn for one in codes
        ):
            await asyncio.sleep(0.05)
            continue
        steps = await asyncio.to_thread(wanted, state, seat, at.rng)
        while True:
            chosen = button_for([key["code"] for key in _keys(at.page.boards[table])], steps)
            assert chosen, (steps, codes)
            await at.page.ask("press", code=chosen, message=table)
            presses += 1
            if (await at.table(table)).version != state.version:
                break
    raise AssertionError("the game on the page does not end")


def _keys(board: dict) -> list[dict]:
    return [key for row in board["rows"] for key in row if key["code"].startswith("m.")]


def drive(home: Path, games: list[str]) -> int:
    """Play *games* by the program in *home*; 1 where something was wrong."""
    shelf, texts = told(home, "games"), told(home, "texts")
    assert "[ludoteca-cubo" in shelf, shelf
    assert "pt  Português" in texts, texts
    assert "Left out" not in shelf, shelf
    failed = 0
    for game in games:
        with tempfile.TemporaryDirectory() as folder:
            try:
                said, mark = asyncio.run(played(Path(folder), home, game)), "ok  "
            except AssertionError as wrong:
                failed, mark, said = 1, "FAIL", str(wrong)
        print(f"{mark} {game}: {said}", flush=True)
    return failed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="*", default=["cubo"])
    parser.add_argument("--home", type=Path, help="an environment that was made before")
    given = parser.parse_args()
    if not emulators():
        print(f"There are no emulators in {EMULATORS}: nothing is driven.")
        return
    with tempfile.TemporaryDirectory() as folder:
        home = given.home or installed(Path(folder))
        if "cubo" in game_packages():
            sys.exit(drive(home, given.games))
        # Who looks at the tables must know the packages as well.
        (site,) = (home / "lib").glob("python*/site-packages")
        again = [sys.executable, "-m", "tests.drives.outside_shelf", "--home", str(home)]
        path = os.pathsep.join((str(ROOT), str(site)))
        done = subprocess.run(
            [*again, "--games", *given.games], cwd=ROOT, env={**os.environ, "PYTHONPATH": path}
        )
        sys.exit(done.returncode)


if __name__ == "__main__":
    main()
