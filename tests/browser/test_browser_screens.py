"""Each screen has an address: whatever happens to the page, it shows that screen again."""

from __future__ import annotations

from itertools import product

import pytest

from tests.browser.test_browser_layout import AXE
from tests.drives.browsing import browser_of, chromium, come_in, until

__all__ = ["chromium"]

SCREENS = (
    "",
    "play/niya",
    "t/TABLE",
    "t/TABLE/0",
    "learn",
    "learn/niya",
    "puzzle",
    "puzzle/cirya",
    "rules/shogi",
    "settings",
    "games",
    "companions",
    "position",
    "help",
    "people",
    "people/niya/month",
    "tournaments",
)

SOCKETS = """{
    const Plain = WebSocket;
    window.sockets = [];
    window.WebSocket = class extends Plain {
        constructor(...told) {
            super(...told);
            window.sockets.push(this);
        }
    };
}"""
"""Keeps the connections of a page, so that one can be cut."""

OLD = """{
    const parse = JSON.parse;
    JSON.parse = (text, ...told) => {
        const message = parse(text, ...told);
        if (message?.kind === 'state' && message.scripts && !sessionStorage.getItem('renewed'))
            message.scripts = '0123456789ab';
        return message;
    };
}"""
"""Lets a page believe, once, that the server has newer scripts."""

SHOWN = """() => {
    if (!document.body || !document.querySelector('#talk')) return '';
    const home = document.body.classList.contains('home');
    const seen = (one) => one.getClientRects().length && one.textContent;
    const read = '#talk h2, #talk .told, #talk [aria-current]';
    const told = home ? [...document.querySelectorAll(read)].map(seen)
        : [document.querySelector('#code').textContent, document.querySelector('.pic img').alt];
    return told.filter(Boolean).join(' | ').slice(0, 200);
}"""
"""What somebody reads on a page first."""

QUIET = 5
"""After how many equal looks, a quarter of a second apart, nothing more is expected."""

BROKEN = """() => [...document.images].filter((one) => one.getClientRects().length &&
    one.src && one.complete && !one.naturalWidth).map((one) => one.src)"""
"""The pictures in view that are none."""


@pytest.fixture(scope="module")
def house(chromium, program):
    """A player, the base of their page, and a table of theirs."""
    with browser_of(chromium) as context:
        context.add_init_script(SOCKETS)
        page = come_in(context, program.address, "Nerea")
        base = page.url
        page.click(".try >> nth=1")
        until(page, "location.pathname.includes('/t/')")
        yield context, page, base, page.url.rpartition("/")[2]


def stands(page, address: str, what: str = "") -> str:
    """Wait until *page* shows *what* at *address*, or anything; what it shows."""
    until(
        page,
        f"([at, what]) => location.href === at && (what ? ({SHOWN})() === what : ({SHOWN})())",
        [address, what],
    )
    assert page.evaluate(BROKEN) == []
    return page.evaluate(SHOWN)


def settled(page, address: str) -> str:
    """What *page* shows at *address* once nothing more is added there."""
    seen: list[str] = []
    while len(seen) < QUIET or len(set(seen[-QUIET:])) > 1:
        page.wait_for_timeout(250)
        seen.append(stands(page, address))
    return seen[-1]


def cut(page) -> None:
    """Lose the connection of *page*, and wait for the next one's first message.

    The newest socket may be one that was tried beside a slow one and given up.
    """
    count = page.evaluate("sockets.length")
    page.evaluate("sockets.forEach((one) => one.close())")
    until(page, "count => sockets.slice(count).some((one) => one.readyState === 1)", count)
    page.wait_for_timeout(150)


def elsewhere(page, base: str, path: str) -> None:
    """Go to another screen of the page without loading it anew."""
    page.evaluate("path => document.querySelector(`#doors [data-place=${path}]`).click()", path)
    stands(page, f"{base}{path}")


def happens(way: str, house, address: str):
    """Let *way* happen to the page at *address*; the page where it is to be seen again."""
    context, page, base, _ = house
    if way == "reload":
        page.reload()
    elif way == "back":
        elsewhere(page, base, "games" if address != f"{base}games" else "position")
        page.go_back()
    elif way == "after help":
        elsewhere(page, base, "help")
        page.evaluate("address => history.replaceState(null, '', address)", address)
        page.evaluate("dispatchEvent(new PopStateEvent('popstate'))")
    elif way == "lost line":
        cut(page)
    elif way == "old script":
        other = context.new_page()
        other.add_init_script(OLD)
        other.goto(address)
        until(other, "sessionStorage.getItem('renewed')")
        return other
    else:
        beside = context if way == "second tab" else context.browser.new_context(
            locale="es-ES", storage_state=context.storage_state()
        )  # fmt: skip
        other = beside.new_page()
        other.goto(address)
        return other
    return page


WAYS = ("reload", "back", "lost line", "second tab", "other device", "after help", "old script")

ALIKE = ("learn/niya", "puzzle/cirya", "people/niya/month")
"""Screens that are much like others."""

ONCE = [screen for screen in SCREENS if screen not in ALIKE]

LOT = {(screen, WAYS[2 * at % len(WAYS)]) for at, screen in enumerate(ONCE[::2])} | {
    ("t/TABLE", "old script")
}
"""What each check tries: half of the screens, which it opens all elsewhere, and each way."""

CASES = [
    pytest.param(*one, marks=() if one in LOT else pytest.mark.slow)
    for one in product(SCREENS, WAYS)
]


@pytest.mark.parametrize(("screen", "way"), CASES)
def test_the_same_screen_is_shown_again(house, screen, way):
    _, page, base, table = house
    address = f"{base}{screen.replace('TABLE', table)}"
    page.goto(address)
    before = settled(page, address)
    if screen in ("learn", "puzzle", "settings", "help"):
        assert page.get_attribute(f"#doors [data-place={screen}]", "aria-current") == "page"
        assert page.title() != "Ludoteca", "a tab says what can be read in it"
    after = happens(way, house, address)
    try:
        stands(after, address, before)
    finally:
        if after is not page:
            after.close()


PRESSED = """() => [...document.querySelectorAll('button, a[href], summary, [type=radio], .spot')]
    .filter((one) => one.getClientRects().length && !one.matches('#notify, :checked, [download]'
        + ', [aria-current], [aria-disabled=true], [aria-selected=true], .spot ~ .spot, .link'
        + ', .devices .key'))"""
"""What can be pressed in view and is not what is shown already; the browser itself asks for leave
to notify, and saves what is downloaded. A device that is ended is let in no more."""

NAME = "(one) => one.id || one.value || one.textContent"
"""What a key is known by from one look to the next."""

LOOK = """() => {
    const body = document.body.cloneNode(true), one = document.activeElement;
    body.querySelector('#live')?.remove();
    const fields = [...document.querySelectorAll('input, select')]
        .map((it) => it.value + it.checked);
    const rolled = [...document.querySelectorAll('#talk, .panel, .log')].map((it) => it.scrollTop);
    return [location.href, document.title, body.outerHTML, fields, rolled,
        one.tagName, one.id, one.className,
        document.documentElement.outerHTML.slice(0, 200)].join();
}"""
"""All that is seen of a page; what only a reader of the screen hears is no part of it."""


SECONDS = 10
"""After how many a key that has changed nothing is dead, however busy the machine is."""


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("screen", SCREENS)
def test_every_key_in_view_changes_something(house, screen, width):
    _, page, base, table = house
    address = f"{base}{screen.replace('TABLE', table)}"
    page.set_viewport_size({"width": width, "height": 844})
    dead = []
    try:
        page.goto(address)
        settled(page, address)
        names = dict.fromkeys(page.evaluate(f"({PRESSED})().map({NAME})"))
        for name in names:
            page.goto("about:blank")
            page.goto(address)
            settled(page, address)
            # What was pressed before may have taken a key away, such as a table that is full now.
            if name not in page.evaluate(f"({PRESSED})().map({NAME})"):
                continue
            before = page.evaluate(LOOK)
            page.evaluate(
                f"name => ({PRESSED})().find((one) => ({NAME})(one) === name).click()", name
            )
            for _ in range(SECONDS * 10):
                if page.evaluate(LOOK) != before:
                    break
                page.wait_for_timeout(100)
            else:
                dead.append(name)
    finally:
        page.set_viewport_size({"width": 1280, "height": 720})
    assert dead == []


SHIFTS = """window.shifts = [];
new PerformanceObserver((seen) => seen.getEntries().forEach((one) => {
    if (!one.hadRecentInput) shifts.push([one.value, ...one.sources.map((it) => it.node?.id)]);
})).observe({ type: 'layout-shift', buffered: true });"""
"""Keeps how far what is on a page has moved by itself."""

MOST_SHIFT = 0.02
"""How much of a screen may move by itself, as browsers measure it."""


def shifted(page) -> float:
    return page.evaluate("shifts.reduce((sum, [value]) => sum + value, 0)")


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
def test_no_screen_moves_by_itself(house, chromium, width):
    context, _, base, table = house
    moved = {}
    with browser_of(
        chromium,
        storage_state=context.storage_state(),
        viewport={"width": width, "height": 844},
    ) as other:
        other.add_init_script(SHIFTS)
        page = other.new_page()
        for screen in SCREENS:
            address = f"{base}{screen.replace('TABLE', table)}"
            page.goto(address)
            settled(page, address)
            if shifted(page) > MOST_SHIFT:
                moved[screen] = page.evaluate("shifts")
        # A table that is opened late, when browsers no longer take it for the answer to a press.
        page.goto(base)
        settled(page, base)
        page.wait_for_timeout(700)
        page.evaluate("table => history.pushState(null, '', `t/${table}`)", table)
        page.evaluate("dispatchEvent(new PopStateEvent('popstate'))")
        settled(page, f"{base}t/{table}")
        if shifted(page) > MOST_SHIFT:
            moved["home to table"] = page.evaluate("shifts")
    assert moved == {}


BARRIERS = """async () => (await axe.run(document, { resultTypes: ['violations'] })).violations
    .map((one) => `${one.impact} ${one.id}: ${one.nodes.map((node) => node.target)}`)"""
"""Whatever axe finds, however slight."""


@pytest.mark.slow
@pytest.mark.skipif(not AXE.exists(), reason="npm install has not brought axe-core")
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_no_screen_has_a_barrier(house, chromium, width, theme):
    context, _, base, table = house
    met = {}
    with browser_of(
        chromium,
        storage_state=context.storage_state(),
        viewport={"width": width, "height": 844},
        color_scheme=theme,
        reduced_motion="reduce",
    ) as other:
        page = other.new_page()
        for screen in SCREENS:
            address = f"{base}{screen.replace('TABLE', table)}"
            page.goto(address)
            settled(page, address)
            page.evaluate(AXE.read_text())
            found = page.evaluate(BARRIERS)
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                found.append("wider than the window")
            if found:
                met[screen] = found
    assert met == {}
