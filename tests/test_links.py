"""Every link of a page leads to a file that is there, and to a heading of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def anchor(heading: str) -> str:
    """The name under which a *heading* is linked to."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def dead(page: Path, text: str) -> list[str]:
    """The links in the *text* of *page* that lead nowhere; addresses of others are not asked."""
    found = []
    for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", text)):
        if re.match(r"https?:", link):
            continue
        path, _, part = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        heads = target.suffix == ".md" and target.exists() and target.read_text(encoding="utf-8")
        names = re.findall(r"^#+ (.*)$", heads, re.MULTILINE) if heads else []
        if not target.exists() or (part and part not in map(anchor, names)):
            found.append(link)
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page):
    assert dead(page, page.read_text(encoding="utf-8")) == []


def test_a_link_that_leads_nowhere_is_noticed():
    text = "[a](nowhere.md) [b](README.md#licence) [c](README.md#vanished) ![d](docs/gone.png)"
    assert dead(ROOT / "README.md", text) == ["nowhere.md", "README.md#vanished", "docs/gone.png"]


def test_each_page_of_the_evidence_stands_in_its_list():
    folder = ROOT / "docs" / "evidence"
    listed = set(re.findall(r"\]\((\w+\.md)\)", (folder / "README.md").read_text()))
    assert listed == {one.name for one in folder.glob("*.md")} - {"README.md"}
