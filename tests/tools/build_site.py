"""Build the site of the pages: ``python -m tests.tools.build_site [FOLDER]``, into ``build/site``.

Needs Zensical, the extra ``docs``. The site has the pages of the root and of ``docs`` at the same
places, so that their links hold; those to other files lead to the repository that ``LUDOTECA_URL``
names, and are left out where it names none. A warning of Zensical fails the build.

How fast a page is there: ``python -m http.server -d build/site 8000``, and beside it
``npx lighthouse http://127.0.0.1:8000/ --chrome-flags=--headless=new --output-path=report.html``.
"""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from PIL import Image, ImageSequence

ROOT = Path(__file__).resolve().parents[2]

CODE_OR_LINK = re.compile(
    r"(```.*?```|`[^`\n]*`)|(!?)\[((?:`[^`]*`|[^\[\]])*)\]\(([^)\s]+)\)", re.DOTALL
)
"""A piece of code, which is left alone, or a link or picture with its label and its target."""


SPANISH = {
    "Play": "In English",
    "Run": "Administrar",
    "Evidence": "Medidas",
    "Build": "Desarrollo",
    "Dark": "Oscuro",
    "Light": "Claro",
    "Permanent link": "Enlace permanente",
    "Five board games inside the chats people already use: Discord, Telegram and the browser.": (
        "Cinco juegos de mesa en los chats que la gente ya usa: Discord, Telegram y el navegador."
    ),
}
"""What ``zensical.toml`` and the theme say around every page, and how a Spanish page says it."""

WAY_ON = re.compile(
    r'<a href="([^"]+)" class="md-footer__link.*?</a>|<link rel="(?:prev|next)" href="([^"]+)">',
    re.DOTALL,
)
"""A link to the page before or after."""

PROGRAM = re.compile(r'<script src="([^"]+/bundle\.[^"]+)"></script>')
"""What loads the program of the theme, which asks for the whole index of the search at once."""

AFTER = (
    '<script>addEventListener("load",()=>requestAnimationFrame(()=>setTimeout(()=>{'
    'document.body.append(Object.assign(document.createElement("script"),{src:"%s"}));'
    'if(!matchMedia("(prefers-reduced-motion:reduce)").matches)'
    """for(const one of document.querySelectorAll('img[src$=".still.webp"]')){"""
    'const film=new Image();film.src=one.src.replace(".still","");'
    "Promise.all([one.decode(),film.decode()]).then(()=>requestAnimationFrame("
    "()=>requestAnimationFrame(()=>one.src=film.src)))}"
    "})))</script>"
)
"""Loads the program, and the films of which stills are shown, once the page is painted."""


def pages() -> list[Path]:
    """The pages of the site, from the root of the repository."""
    found = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    return sorted(one.relative_to(ROOT) for one in found)


def files() -> Iterator[Path]:
    """What is copied beside the pages: all else in ``docs``."""
    for one in sorted((ROOT / "docs").rglob("*")):
        if one.is_file() and one.suffix != ".md" and "__pycache__" not in one.parts:
            yield one.relative_to(ROOT)


def measured(picture: Path) -> tuple[int, int]:
    """Width and height by the header of a GIF, a PNG or a WebP that is lossy."""
    head = picture.read_bytes()[:30]
    if head[:3] == b"GIF":
        return struct.unpack("<HH", head[6:10])
    if head[:4] == b"RIFF":
        return struct.unpack("<HH", head[26:])
    return struct.unpack(">II", head[16:24])


def lighten(film: Path, copy: Path) -> None:
    """Write the *film*, a GIF, as a WebP of the same pictures: two thirds of its bytes.

    Its last picture stands beside it: a page shows that one until all else is there.
    """
    with Image.open(film) as opened:
        frames = [one.convert("RGB") for one in ImageSequence.Iterator(opened)]
        lasting = [one.info["duration"] for one in ImageSequence.Iterator(opened)]
    frames[0].save(
        copy,
        append_images=frames[1:],
        duration=lasting,
        save_all=True,
        lossless=True,
        method=6,
        minimize_size=True,
        loop=0,
    )
    frames[-1].save(copy.with_suffix(".still.webp"), lossless=True, method=6)


def led_on(page: Path, text: str, address: str) -> str:
    """*text* of *page* with the links that leave the site put to *address*, or without them.

    Pictures get their sizes; the first is fetched at once, the others when they are scrolled to.
    """
    there, before = {ROOT / one for one in (*pages(), *files())}, count()

    def link(found: re.Match[str]) -> str:
        code, picture, label, target = found.groups()
        if code:
            return found[0]
        path = (ROOT / page).parent / target.partition("#")[0]
        inside = re.match(r"https?:|#", target) or path.resolve() in there
        if picture:
            width, height = measured(path)
            when = "loading=lazy" if next(before) else "fetchpriority=high"
            shown = found[0].replace(".gif)", ".still.webp)")
            return f"{shown}{{ width={width} height={height} {when} }}"
        if inside:
            return found[0]
        kind = "tree" if path.is_dir() else "blob"
        way = path.resolve().relative_to(ROOT)
        return f"[{label}]({address}/{kind}/main/{way})" if address else label

    # A fence tells what runs its lines by a second word, which is none of Markdown.
    plain = re.sub(r"^```sh \w+$", "```sh", text, flags=re.MULTILINE)
    return CODE_OR_LINK.sub(link, plain)


def is_spanish(page: Path) -> bool:
    """Whether the *page* of the site, by its folders, is in Spanish."""
    return not {"es", "README.es"}.isdisjoint(page.parts)


def in_its_language(page: Path, text: str) -> str:
    """The *text* of a built *page* without ways on into the other language.

    A Spanish one says in Spanish what stands around every page.
    """

    def way(found: re.Match[str]) -> str:
        target = Path(os.path.normpath(page.parent / (found[1] or found[2])))
        return found[0] if is_spanish(target) == is_spanish(page) else ""

    text = WAY_ON.sub(way, text)
    for said, spanish in SPANISH.items() if is_spanish(page) else ():
        before = r'((?:title|aria-label|content)="|(?:md-tabs__link|md-ellipsis)">\s*)'
        text = re.sub(rf'{before}{re.escape(said)}(?=["\s])', rf"\g<1>{spanish}", text)
    return text


def loaded_last(text: str) -> str:
    """The *text* of a built page whose words and pictures come before films and the program.

    Raises ``ValueError`` where it does not load the program as we know it.
    """
    later, count = PROGRAM.subn(lambda found: AFTER % found[1], text)
    if count != 1:
        raise ValueError("The theme loads its program otherwise: look at PROGRAM.")
    return later


def build(folder: Path, address: str = "") -> None:
    """Build the site into *folder*; raises ``CalledProcessError`` after a warning."""
    with tempfile.TemporaryDirectory() as made:
        stage = Path(made)
        for one in (*pages(), *files()):
            copy = stage / "pages" / one
            copy.parent.mkdir(parents=True, exist_ok=True)
            if one.suffix == ".md":
                copy.write_text(led_on(one, (ROOT / one).read_text("utf-8"), address), "utf-8")
            elif one.suffix == ".gif":
                lighten(ROOT / one, copy.with_suffix(".webp"))
            else:
                shutil.copyfile(ROOT / one, copy)
        shutil.copyfile(ROOT / "zensical.toml", stage / "zensical.toml")
        shutil.copytree(ROOT / ".site", stage / "theme")
        subprocess.run(
            [sys.executable, "-m", "zensical", "build", "--strict"], cwd=stage, check=True
        )
        for one in (stage / "site").rglob("*.html"):
            page = one.relative_to(stage / "site")
            text = loaded_last(one.read_text("utf-8"))
            one.write_text(in_its_language(page, text), "utf-8")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(stage / "site", folder)


if __name__ == "__main__":
    build(
        Path(*sys.argv[1:2]) if sys.argv[1:] else ROOT / "build" / "site",
        os.environ.get("LUDOTECA_URL", ""),
    )
