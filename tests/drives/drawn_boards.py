"""What the page draws, beside the painted picture: ``python -m tests.drives.drawn_boards``.

Of each game random positions of random games under random options are painted, and put together
from the scenery that a page is sent: the share of pixels that are alike is told of the whole
picture and of the tile least alike, so that one missing pawn is seen. Of ``--seen`` positions the
page's own ``scenery.js`` draws in Chromium, and its screen is compared. Of hidden set-ups, which
differ by lot, a page of the other side is sent the same to the last byte. The status is 1 where
anything was less alike than ``LEAST``, or anything hidden was told.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
from importlib import resources
from io import BytesIO
from typing import Any

from PIL import Image

from bot.chats.web.assets import bundle, dependencies
from bot.chats.web.message_formatting import scenery_json
from games.core.shelf import shelf
from render.kit.sprite_placements import scenery_of
from render.scene import Scene
from tests.drives.browsing import browser_of, started
from tests.drives.report import Report
from tests.render.drawn import likeness, to_choose, walked
from tests.render.pictures import dressed

LEAST = 0.98
"""The least share of alike pixels, also of the tile least alike."""

PLIES = 160
"""How far at most the random games are played."""

HIDDEN = "storilljudhjorrayc"


def scenery_script() -> str:
    """The page's ``scenery.js`` with all that it imports, as ``window.drawn``."""
    folder = resources.files("bot.chats.web").joinpath("static")
    scripts = {
        one.name: one.read_text("utf-8") for one in folder.iterdir() if one.name.endswith(".js")
    }
    whole = bundle(scripts, dependencies(scripts, "scenery.js"))
    return f"""{whole}
    const board = scenery();
    document.body.style.margin = 0;
    document.body.append(board.root);
    window.drawn = (scene) => new Promise((done) => {{
        board.root.style.display = "block";
        board.root.style.width = `${{scene.width}}px`;
        board.root.style.height = `${{scene.height}}px`;
        unpack({{ scene }});
        board.show(scene, [], () => requestAnimationFrame(() => requestAnimationFrame(done)));
    }});
    """


def on_screen(page: Any, scene: Scene, known: set[str]) -> Image.Image:
    """What the page shows of *scene*; it has the sprites that are *known*."""
    scenery = scenery_of(scene)
    told = scenery_json(scenery, known)
    known |= scenery.cutouts.keys()
    page.evaluate("scene => window.drawn(scene)", told)
    clip = {"x": 0, "y": 0, "width": scenery.width, "height": scenery.height}
    return Image.open(BytesIO(page.screenshot(clip=clip))).convert("RGB")


def drawn_on_page(games: list[str], positions: int, report: Report) -> None:
    """Compare what Chromium shows."""
    with (
        started() as chromium,
        browser_of(chromium, viewport={"width": 800, "height": 1400}) as context,
    ):
        page = context.new_page()
        page.set_content("<!doctype html><html lang=en><body></body></html>")
        page.add_script_tag(content=scenery_script(), type="module")
        page.wait_for_function("() => Boolean(window.drawn)")
        known: set[str] = set()
        for game in games:
            found = []
            for seed in range(positions):
                scene = to_choose(walked(game, 10_000 + seed, PLIES))
                found.append(likeness(scene, on_screen(page, scene, known)))
            compare(f"{game} on the screen of a page", found, report)


def compare(name: str, found: list[Any], report: Report) -> None:
    """Tell how alike pictures were."""
    tiles = [one.tile for one in found]
    report.lines.append(
        f"{name}: {len(found)} positions, whole picture at least {min(found).whole:.4f}, "
        f"tile least alike {min(tiles):.4f} (median {statistics.median(tiles):.4f})"
    )
    if low := sum(tile < LEAST for tile in tiles):
        report.breaches.append(f"{name}: {low} below {LEAST}")


def hidden(setups: int, report: Report) -> None:
    """Look whether a page is sent the same of every hidden set-up of the other side."""
    rules, rng = shelf()[HIDDEN], random.Random(36)
    start = rules.start(rules.setting({"setup": "hidden"}))
    sent, arranged = set(), set()
    for _ in range(setups):
        position = start
        for _ in range(rng.randrange(1, 9)):
            legal = [one for one in position.legal_moves(1) if 1 in position.after(one).actors()]
            position = position.after(rng.choice(legal))
        arranged.add(rules.notation.text(position))
        scene = dressed(Scene(HIDDEN, position.seen_by(0), ("Ana", "Bo")))
        sent.add(json.dumps(scenery_json(scenery_of(scene), ())))
    report.lines.append(f"{len(arranged)} hidden set-ups: {len(sent)} scenery is sent of them")
    if not len(sent) == 1 < len(arranged):
        report.breaches.append("hidden set-ups are told")


def main(games: list[str], positions: int, seen: int) -> int:
    """Compare *positions* of each of *games*, *seen* of them in Chromium; the status."""
    report = Report()
    hidden(positions, report)
    for game in games:
        scenes = (to_choose(walked(game, seed, PLIES)) for seed in range(positions))
        compare(game, [likeness(scene) for scene in scenes], report)
    if seen:
        drawn_on_page(games, seen, report)
    return report.conclude()


if __name__ == "__main__":
    asked = argparse.ArgumentParser(prog="python -m tests.drives.drawn_boards")
    asked.add_argument("--games", nargs="+", default=sorted(shelf()))
    asked.add_argument("--positions", type=int, default=500)
    asked.add_argument("--seen", type=int, default=25, help="of each game, in Chromium")
    given = asked.parse_args()
    raise SystemExit(main(given.games, given.positions, given.seen))
