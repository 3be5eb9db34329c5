"""The site of the pages: all of them stand in it, reached from the README, and no link is dead."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest
from PIL import Image

from tests.tools.build_site import (
    ROOT,
    SPANISH,
    build,
    files,
    in_its_language,
    is_spanish,
    led_on,
    loaded_last,
    measured,
    pages,
)

NAV = tomllib.loads((ROOT / "zensical.toml").read_text())["project"]["nav"]


def listed(nav: list) -> Iterator[str]:
    """The pages of *nav*, in its order."""
    for one in nav:
        for page in one.values() if isinstance(one, dict) else [one]:
            yield from listed(page) if isinstance(page, list) else [page]


def test_every_page_stands_in_the_site_once():
    assert sorted(listed(NAV)) == sorted(map(str, pages()))
    assert [*NAV[-1]] == ["En español"]
    assert {*(name for one in NAV[1:-1] for name in one)} < SPANISH.keys()


def test_every_page_is_reached_from_the_readme():
    reached, asked = set(), [ROOT / "README.md"]
    while asked:
        page = asked.pop()
        if page.suffix != ".md" or page in reached:
            continue
        reached.add(page)
        text = re.sub(r"`[^`]*`", "", page.read_text(encoding="utf-8"))
        links = [urldefrag(one).url for one in re.findall(r"\]\(([^)\s]+)\)", text)]
        asked += [(page.parent / one).resolve() for one in links if not one.startswith("http")]
    assert {ROOT / one for one in pages()} - reached == set()


def test_links_to_sources_lead_to_the_repository_or_are_left_out():
    page, kept = Path("docs/games.md"), "[c](api.md#x) `[d](../e)`"
    text = f"[a](../games/core) [`b`](../bot/__init__.py) {kept}"
    assert led_on(page, text, "") == f"a `b` {kept}"
    at = "https://forge.example/us"
    led = f"[a]({at}/tree/main/games/core) [`b`]({at}/blob/main/bot/__init__.py) {kept}"
    assert led_on(page, text, at) == led
    assert led_on(page, "```sh docker\nx\n```\n", at) == "```sh\nx\n```\n"


def test_pictures_have_their_sizes_and_all_but_the_first_wait():
    film, door = "![p](docs/replay.gif)", "![q](docs/pictures/door-en.png)"
    shown = film.replace(".gif", ".still.webp")
    wanted = f"{shown}{{ width=800 height=1032 fetchpriority=high }} "
    wanted += f"{door}{{ width=585 height=1266 loading=lazy }}"
    assert led_on(Path("README.md"), f"{film} {door}", "") == wanted


def test_the_program_of_the_theme_is_loaded_once_the_page_is_there():
    given = '<p>x</p><script src="../assets/javascripts/bundle.7f.min.js"></script>'
    made = loaded_last(given)
    assert made.startswith('<p>x</p><script>addEventListener("load",')
    assert '{src:"../assets/javascripts/bundle.7f.min.js"}' in made
    with pytest.raises(ValueError, match="look at PROGRAM"):
        loaded_last(made)


def test_the_size_of_every_picture_of_the_site_is_read():
    pictures = [ROOT / one for one in files() if one.suffix in (".gif", ".png", ".webp")]
    assert len({one.suffix for one in pictures}) == 3
    for one in pictures:
        with Image.open(one) as opened:
            assert measured(one) == opened.size, one


@pytest.mark.parametrize("place", ["README.es", "docs/play/es/niya", "docs/public"])
def test_a_page_leads_on_in_its_own_language_alone(place):
    page = Path(place) / "index.html"
    up = "../" * len(Path(place).parts)
    ways = {
        way: f'<a href="{up}{way}/" class="md-footer__link">x</a><link rel="prev" href="{up}{way}">'
        for way in ("README.es", "docs/play/es", "docs/activity")
    }
    kept = in_its_language(page, "".join(ways.values()))
    assert kept == "".join(
        html for way, html in ways.items() if is_spanish(Path(way)) == is_spanish(page)
    )


def test_a_spanish_page_says_in_spanish_what_stands_around_every_page():
    form = '<i title="{0}"></i><a class="md-tabs__link">\n{0}\n</a>{1}'
    (said, spoken), *_ = SPANISH.items()
    english, spanish = form.format(said, said), form.format(spoken, said)
    assert in_its_language(Path("README.es/index.html"), english) == spanish
    assert in_its_language(Path("index.html"), english) == english
    project = tomllib.loads((ROOT / "zensical.toml").read_text())["project"]
    words = {one["toggle"]["name"] for one in project["theme"]["palette"]}
    assert {project["site_description"], *words} < SPANISH.keys()


class _Read(HTMLParser):
    """The language of a page, the names in it, and where it leads."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.language, self.names, self.ways = "", {""}, list[str]()
        self.fetched: list[str] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.names |= {given.get("id", "")} | {given.get("name", "")}
        self.language = given.get("lang", self.language) if tag == "html" else self.language
        assert given.get("dir", "ltr") in ("ltr", "auto"), "words of the theme are there"
        way = given.get("href", given.get("src", ""))
        if tag != "a" and given.get("rel") != "canonical" and re.match(r"(https?:)?//", way):
            self.fetched.append(way)
        if way and not re.match(r"https?:|mailto:|data:|javascript:", way):
            self.ways.append(way)


@pytest.mark.slow
@pytest.mark.skipif(find_spec("zensical") is None, reason="there is no Zensical: install '.[docs]'")
def test_the_site_is_built_without_a_warning_and_has_no_dead_link(tmp_path, capfd):
    build(tmp_path / "site")
    assert "No issues found" in "".join(capfd.readouterr())
    found = {one: _Read(one) for one in (tmp_path / "site").rglob("*.html")}
    assert len(found) >= len(pages())
    dead = []
    for page, read in found.items():
        if page.name == "404.html":
            continue  # it leads on by an address of the whole site
        for way in read.ways:
            path, name = map(unquote, urldefrag(way))
            target = (page.parent / path).resolve() if path else page
            target = target / "index.html" if target.is_dir() else target
            if not target.exists() or (target in found and name not in found[target].names):
                dead.append(f"{page.relative_to(tmp_path)}: {way}")
    assert dead == []
    fetched = [one for read in found.values() for one in read.fetched]
    assert fetched == [], "a site of ours tells nobody else who reads it"
    spanish = {page for page, read in found.items() if read.language == "es"}
    assert spanish == {page for page in found if {"es", "README.es"} & {*page.parts}}
    assert len(spanish) == 7
    film = tmp_path / "site" / "docs" / "replay.webp"
    with Image.open(film) as moving, Image.open(film.with_suffix(".still.webp")) as still:
        assert still.size == moving.size
    for page, read in found.items():
        text = page.read_text("utf-8")
        assert "mermaid" not in re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL), page
        for way in re.findall(r'rel="(?:prev|next)" href="([^"]+)"', text):
            target = (page.parent / way).resolve() / "index.html"
            assert found[target].language == read.language, page
        around = [one for one in SPANISH if re.search(rf'(title|label|content)="{one}"', text)]
        assert read.language == "en" or around == [], page
    lost = (tmp_path / "site" / "404.html").read_text("utf-8")
    assert "There is no such page" in lost
    assert "Esta página no existe" in lost
