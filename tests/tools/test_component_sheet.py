"""The page of all parts: it needs no server, nothing in it fails, and every key can be read."""

from __future__ import annotations

from tests.drives.browsing import chromium
from tests.tools.component_sheet import THEMES, main

__all__ = ["chromium"]

UNREAD = """() => [...document.querySelectorAll('.key, label, .say, h2')].filter((one) => {
    const { color, backgroundColor } = getComputedStyle(one);
    return one.textContent && color === backgroundColor;
}).map((one) => one.textContent)"""
"""What is written in the colour of its own ground."""


def test_all_parts_are_shown_in_both_themes_without_a_server(chromium, tmp_path):
    main(tmp_path)
    grounds = set()
    for theme in THEMES:
        page, faults = chromium.new_page(), []
        page.on("pageerror", lambda fault, faults=faults: faults.append(str(fault)))
        page.on("request", lambda asked, faults=faults: _foreign(asked.url, faults))
        page.goto((tmp_path / f"{theme}.html").as_uri())
        page.wait_for_selector("[data-result=drawn] h2")
        assert page.locator(".card .key").count() > 15
        assert page.evaluate(UNREAD) == []
        assert page.evaluate("document.fonts.check('600 16px Page')")
        grounds.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        assert faults == []
        page.close()
    assert len(grounds) == len(THEMES)


def _foreign(url: str, faults: list[str]) -> None:
    if not url.startswith(("file:", "data:")):
        faults.append(url)
