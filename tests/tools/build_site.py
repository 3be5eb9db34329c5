"""Build the site of the pages: ``python -m tests.tools.build_site [FOLDER]``, into ``build/site``.

Needs Zensical, the extra ``docs``. The site has the pages of the root and of ``docs`` at the same
places, so that their links hold; those to other files lead to the repository that ``LUDOTECA_URL``
names, and are left out where it names none. A warning of Zensical fails the build.
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

ROOT = Path(__file__).resolve().parents[2]

CODE_OR_LINK = re.compile(
    r"(```.*?```|`[^`\n]*`)|(!?)\[((?:`[^`]*`|[^\[\]])*)\]\(([^)\s]+)\)", re.DOTALL
)
"""A piece of code, which is left alone, or a link or picture with its label and its target."""


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


def led_on(page: Path, text: str, address: str) -> str:
    """*text* of *page* with the links that leave the site put to *address*, or without them.

    Pictures get their sizes; those after the first are fetched once they are scrolled to.
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
            late = " loading=lazy" * bool(next(before))
            return f"{found[0]}{{ width={width} height={height}{late} }}"
        if inside:
            return found[0]
        kind = "tree" if path.is_dir() else "blob"
        way = path.resolve().relative_to(ROOT)
        return f"[{label}]({address}/{kind}/main/{way})" if address else label

    # A fence tells what runs its lines by a second word, which is none of Markdown.
    plain = re.sub(r"^```sh \w+$", "```sh", text, flags=re.MULTILINE)
    return CODE_OR_LINK.sub(link, plain)


def build(folder: Path, address: str = "") -> None:
    """Build the site into *folder*; raises ``CalledProcessError`` after a warning."""
    with tempfile.TemporaryDirectory() as made:
        stage = Path(made)
        for one in (*pages(), *files()):
            copy = stage / "pages" / one
            copy.parent.mkdir(parents=True, exist_ok=True)
            if one.suffix == ".md":
                copy.write_text(led_on(one, (ROOT / one).read_text("utf-8"), address), "utf-8")
            else:
                shutil.copyfile(ROOT / one, copy)
        shutil.copyfile(ROOT / "zensical.toml", stage / "zensical.toml")
        shutil.copytree(ROOT / ".site", stage / "theme")
        subprocess.run(
            [sys.executable, "-m", "zensical", "build", "--strict"], cwd=stage, check=True
        )
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(stage / "site", folder)


if __name__ == "__main__":
    build(Path(*sys.argv[1:2] or [ROOT / "build" / "site"]), os.environ.get("LUDOTECA_URL", ""))
