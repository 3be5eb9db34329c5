"""The page on phones, on its side and on the desk: the board stays in view, and all can read it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from tests.drives.browsing import (
    ROOT,
    TO_CHOOSE,
    browser_of,
    chromium,
    come_in,
    fits,
    listed,
    notes,
    open_table,
    press,
    said,
    table_opens,
    to_move,
    until,
)
from tests.slow_parameters import one_and_slowly_all

__all__ = ["chromium"]

SIZES = ((360, 640), (390, 844), (844, 390), (1280, 800))
SMALLEST = (320, 256)
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
"""What looks for barriers; ``npm install`` brings it (MPL-2.0), nothing of it is shipped."""

GRAVE = """async () => (await axe.run(document, { resultTypes: ['violations'] })).violations
    .filter((one) => ['critical', 'serious', 'moderate'].includes(one.impact))
    .map((one) => `${one.impact} ${one.id}: ${one.nodes.map((node) => node.target)}`)"""


def everywhere(page) -> None:
    """Whatever the size of the window, the board of *page* and its line are wholly in view."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        until(page, "innerWidth === " + str(width))
        fits(page)
        inside = page.evaluate(
            """() => {
                const box = document.querySelector('#board > .pic').getBoundingClientRect();
                return box.left >= 0 && box.top >= 0
                    && box.right <= innerWidth && box.bottom <= innerHeight;
            }"""
        )
        assert inside, (width, height)
        room = page.evaluate(
            """() => {
                const [line, talk] = ['#input', '#talk']
                    .map((one) => document.querySelector(one).getBoundingClientRect());
                const below = line.height && line.bottom > innerHeight;
                return { below, talk: talk.height || innerHeight };
            }"""
        )
        assert not room["below"], (width, height)
        assert room["talk"] >= 44, (width, height)


def stays_in_view(page, line: str) -> None:
    """Open a table by *line*: its board stays in view beside errors, rules, and what is told."""
    open_table(page, line)
    until(page, "document.querySelector('#board > .pic').dataset.picture")
    everywhere(page)
    for number in range(3):
        said(page, "zz")
        until(page, "n => document.querySelectorAll('.say.bad').length > n", number)
    everywhere(page)
    said(page, "/ayuda")
    until(page, "document.querySelector('#talk .card:last-child')")
    everywhere(page)
    said(page, "/reglas")
    until(page, "document.querySelector('#book .book')")
    everywhere(page)
    page.click("#book nav li:last-child a")
    until(page, "document.activeElement.matches('#book section:last-child h3')")
    everywhere(page)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["shogi", "cirya"])
def test_the_board_is_wholly_in_view_whatever_is_said_beside_it(program, chromium, game):
    with browser_of(chromium) as context:
        page = come_in(context, program.address, "Nerea")
        stays_in_view(page, f"/jugar {game} ordenador nivel=1")
        page.click("#new")
        page.go_back()
        until(page, "!document.body.classList.contains('home')")
        everywhere(page)


@pytest.mark.slow
def test_a_table_has_an_address_and_a_talk_of_its_own(program, chromium):
    with browser_of(chromium) as context:
        page = come_in(context, program.address, "Nerea")
        first = open_table(page, "/jugar niya")
        said(page, "nada")
        page.wait_for_selector(".say.bad")
        page.click("#new")
        second = open_table(page, "/jugar cirya")
        assert page.url.endswith(f"/t/{second}")
        assert page.query_selector(".say.bad") is None
        page.go_back()
        page.go_back()
        until(page, "code => location.pathname.endsWith(`/t/${code}`)", first)
        until(page, "code => document.querySelector('#code').textContent === 'mesa ' + code", first)
        assert page.query_selector(".say.bad")
        page.reload()
        until(page, "code => document.querySelector('#code').textContent.includes(code)", first)
        assert page.get_attribute("#pane", "data-tab") == "acts"


@pytest.mark.slow
def test_the_game_is_stepped_through_and_gone_on_with(program, chromium):
    with browser_of(chromium) as context:
        page = come_in(context, program.address, "Nerea")
        open_table(page, "/jugar shogi ordenador nivel=1 color=sente")
        for number, move in enumerate(("7g7f", "2g2f"), 1):
            to_move(page)
            said(page, move)
            # The computer may have answered before anybody has looked.
            listed(page, 2 * number)
        to_move(page)
        assert notes(page)[::2] == ["7g7f", "2g2f"]
        present = page.get_attribute("#board > .pic", "data-picture")
        page.evaluate("document.activeElement.blur()")
        pictures = {present}
        for _ in range(4):
            before = page.get_attribute("#board > .pic", "data-picture")
            page.keyboard.press("ArrowLeft")
            until(
                page,
                "old => document.querySelector('#board > .pic').dataset.picture !== old",
                before,
            )
            pictures.add(page.get_attribute("#board > .pic", "data-picture"))
            assert page.query_selector("#board .spot[data-spot]") is None
        assert len(pictures) == 5
        page.keyboard.press("Home")
        page.keyboard.press("End")
        until(page, "what => document.querySelector(what)", TO_CHOOSE)
        assert page.get_attribute("#board > .pic", "data-picture") == present
        page.click("#to-moves")
        page.click("#log button >> nth=0")
        assert page.get_attribute("#log button >> nth=0", "aria-current") == "true"
        with page.expect_download() as waiting:
            page.click(".kept summary")
            page.click(".files >> text=KIF")
        assert waiting.value.suggested_filename.endswith(".kif")
        page.click("#last")
        until(page, "what => document.querySelector(what)", TO_CHOOSE)


def shows_of_a_table(page, sizes: Sequence[tuple[int, int]]) -> Iterator[str]:
    """What the page shows at a table of shogi and beside it, in all *sizes* and every pane."""
    open_table(page, "/jugar shogi ordenador nivel=1 color=sente")
    to_move(page)
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        until(page, "width => innerWidth === width", width)
        assert page.evaluate("document.querySelector('.pic').clientWidth") > 180, width
        yield f"{width} x {height}"
    for tab in ("moves", "talk"):
        page.click(f"#to-{tab}")
        yield tab
    said(page, "/reglas shogi")
    until(page, "document.querySelector('#book .book')")
    yield "rules"
    if not page.is_visible("#input"):
        page.click("#to-talk")
    page.fill("#input", "/j")
    until(page, "document.querySelector('#options li')")
    yield "completions"


@pytest.mark.skipif(not AXE.exists(), reason="npm install has not brought axe-core")
@pytest.mark.parametrize(
    ("theme", "sizes"),
    [
        ("dark", (SMALLEST, (1280, 800))),
        pytest.param("dark", SIZES, marks=pytest.mark.slow),
        pytest.param("light", (SMALLEST, *SIZES), marks=pytest.mark.slow),
    ],
)
def test_no_state_of_the_page_has_a_barrier(program, chromium, theme, sizes):
    with browser_of(chromium, color_scheme=theme) as context:
        page = context.new_page()
        page.goto(program.address)
        page.wait_for_selector("#name")
        page.evaluate(AXE.read_text())
        assert page.evaluate(GRAVE) == []
        page.fill("#name", "Nerea")
        page.click("#asked button")
        page.wait_for_selector("#asked", state="detached")
        assert page.evaluate(GRAVE) == []
        for shown in shows_of_a_table(page, sizes):
            assert page.evaluate(GRAVE) == [], shown


UNSEEN = """() => [...document.querySelectorAll('.card .form :is(label, select, .key)')]
    .filter((one) => one.scrollWidth > one.clientWidth + 1
        || one.getBoundingClientRect().right > one.closest('.card').getBoundingClientRect().right)
    .map((one) => one.textContent)"""
"""The options of a form that are cut, or that stand out of their card."""


@pytest.mark.slow
@pytest.mark.parametrize("locale", ["es-ES", "en-GB"])
def test_every_option_of_every_sheet_is_seen_whole_and_the_way_to_begin_with_it(
    program, chromium, locale
):
    with browser_of(chromium, locale=locale) as context:
        page = come_in(context, program.address, "Nerea")
        for number in range(5):
            page.click(f"#games .cover >> nth={number}")
            page.wait_for_selector(".card .form fieldset")
            for width, height in SIZES:
                page.set_viewport_size({"width": width, "height": height})
                until(page, "innerWidth === " + str(width))
                assert page.evaluate(UNSEEN) == [], (number, width)
                begins = page.locator(".card:not(#games) .key.good").bounding_box()
                assert begins["y"] + begins["height"] <= height, (number, width)
            page.click("#talk .back")


@pytest.mark.slow
def test_a_table_is_prepared_by_a_form_that_keeps_what_is_chosen(program, chromium):
    with browser_of(chromium, viewport={"width": 390, "height": 844}) as context:
        page = come_in(context, program.address, "Nerea")
        page.click("#games .cover[data-key=cirya]")
        levels = "fieldset:has(legend:text-is('Nivel')) input"
        page.wait_for_selector(levels, state="attached")
        assert not page.is_visible("#games")
        page.focus(f"{levels} >> nth=1")
        page.keyboard.press("ArrowRight")
        page.wait_for_selector("label:nth-child(3) input:checked", state="attached")
        assert page.evaluate("document.activeElement.type") == "radio"
        page.check("fieldset:has-text('Rival') label:has-text('invite') input", force=True)
        page.wait_for_selector(levels, state="detached")
        page.check("fieldset:has-text('Rival') label:has-text('ordenador') input", force=True)
        page.wait_for_selector("label:nth-child(3) input:checked", state="attached")
        with table_opens(page):
            page.click(".card .key.good")
        page.wait_for_selector("#board > .pic img")
        assert "nivel 3" in page.text_content("#with")
        page.click("#new")
        assert page.query_selector_all("#talk .back, #talk .card:not(#games)") == []
        assert "Cirya" in page.text_content(".ongoing .goes")
        page.click(".ongoing .goes")
        until(page, "!document.body.classList.contains('home')")


WHERE = """() => {
    const image = document.querySelector('#board > .pic img'), box = image?.getBoundingClientRect();
    return image?.naturalWidth ? [box.left, box.top, box.width, box.height] : null;
}"""
"""Where the picture of the board is, once it is there."""

SAYS = "document.querySelector('#board > .head h2').textContent"
"""What is read above it before the script has come."""


@pytest.mark.slow
def test_the_first_board_is_seen_where_it_stays_before_its_script_has_come(program, chromium):
    with browser_of(chromium) as context:
        # So long a name takes a second line on a phone.
        page = come_in(context, program.address, "María Ángeles Etxeberria")
        open_table(page, "/play game=niya opponent=computer level=1 side=red begins=red")
        until(page, "document.querySelector('#board > .pic .spot[data-spot]')")
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.route("**/page.js", lambda route: route.abort())
            page.reload()
            until(page, f"({WHERE})()")
            assert page.query_selector("#board .spot") is None, "nothing can be done yet"
            assert "María" in page.evaluate(SAYS)
            before = page.evaluate(WHERE)
            page.unroute("**/page.js")
            page.reload()
            until(page, "document.querySelector('#board > .pic .spot[data-spot]')")
            assert page.evaluate(WHERE) == before, (width, height)


CUT = """() => {
    const head = document.querySelector('#board .head h2');
    return head.scrollHeight > head.clientHeight + 1;
}"""
"""Whether what stands above the board goes on where it is seen no more."""


@pytest.mark.slow
def test_an_ending_is_read_in_full_also_before_the_script_has_come(program, chromium):
    with browser_of(chromium, viewport={"width": 390, "height": 844}) as context:
        page = come_in(context, program.address, "María Ángeles Etxeberria Goikoet")
        open_table(page, "/jugar niya ordenador nivel=1")
        to_move(page)
        press(page)
        until(page, "document.querySelectorAll('#log .n').length >= 2")
        to_move(page)
        said(page, "/rendirse")
        page.click("#board .acts .danger")
        page.wait_for_selector("#board.over")
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            until(page, "innerWidth === " + str(width))
            assert not page.evaluate(CUT), (width, height)
        everywhere(page)
        # Three lines, where a game that goes on has two.
        page.set_viewport_size({"width": 390, "height": 844})
        page.reload()
        until(page, "document.querySelector('#board.over .key')")
        before = page.evaluate(WHERE)
        page.route("**/page.js", lambda route: route.abort())
        page.reload()
        until(page, f"({WHERE})()")
        assert page.evaluate(WHERE) == before


NO_FRAME = """const soon = window.setTimeout, frames = window.requestAnimationFrame;
const held = [];
window.painted = () => {
    Object.assign(window, { setTimeout: soon, requestAnimationFrame: frames });
    for (const one of held) one();
};
window.setTimeout = window.requestAnimationFrame = (then) => held.push(then);
window.PerformanceObserver = class { observe() {} };
const Line = window.WebSocket;
window.WebSocket = class extends Line {
    constructor(...told) {
        super(...told);
        window.begun = true;
    }
};"""
"""Lets no frame be drawn before ``painted``, and takes down whether the page has connected."""


def test_the_script_waits_until_the_first_board_is_painted(program, chromium):
    with browser_of(chromium) as context:
        page = come_in(context, program.address, "Ana")
        open_table(page, "/play game=niya opponent=computer level=1 side=red begins=red")
        until(page, "document.querySelector('#board > .pic .spot[data-spot]')")
        page.add_init_script(NO_FRAME)
        page.reload()
        until(page, "document.readyState === 'complete'")
        page.wait_for_timeout(500)
        assert page.evaluate(f"({WHERE})()"), "the board came with the page"
        assert not page.evaluate("window.begun")
        page.evaluate("window.painted()")
        until(page, "document.querySelector('#board > .pic .spot[data-spot]')")


SHIFTS = """window.shift = 0;
window.shifted = [];
new PerformanceObserver((told) => {
    for (const one of told.getEntries()) if (!one.hadRecentInput) {
        window.shift += one.value;
        window.shifted.push([one.value, ...one.sources.map(({ node, previousRect, currentRect }) =>
            [node?.id || node?.className, previousRect.top, currentRect.top])]);
    }
}).observe({ type: 'layout-shift', buffered: true });"""
"""Takes down how far what is seen moves by itself, and what moves."""


@pytest.mark.parametrize("size", one_and_slowly_all([(1280, 900), (390, 844)]))
def test_nothing_moves_as_a_page_with_a_clocked_game_comes(program, chromium, size):
    with browser_of(chromium, viewport={"width": size[0], "height": size[1]}) as context:
        page = come_in(context, program.address, "Nerea")
        open_table(page, "/jugar niya ordenador nivel=1 reloj=10m+10s")
        # The computer's move brings keys, whenever it comes.
        until(page, "document.querySelector('#board > .pic .spot[data-spot]')")
        page.add_init_script(SHIFTS)
        for address in (page.url, page.url.partition("/t/")[0] + "/"):
            page.goto(address)
            until(page, "!document.body.matches('.early, .nameless')")
            until(page, "document.querySelector('.seat .clock.runs, #games')")
            page.wait_for_timeout(300)
            assert page.evaluate("window.shift") <= 0.02, (address, page.evaluate("shifted"))
