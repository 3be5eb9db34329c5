"""Hands on the board of the page: what is tapped, dragged, pressed twice or pressed in a hurry."""

from __future__ import annotations

import pytest

from tests.drives.browsing import (
    TO_CHOOSE,
    browser_of,
    chromium,
    come_in,
    invited,
    listed,
    notes,
    open_table,
    passing,
    prefer,
    press,
    said,
    to_move,
    until,
)
from tests.slow_parameters import one_and_slowly_all

__all__ = ["chromium"]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


def steps(page) -> list[str]:
    """The places of the picture where there is something to choose."""
    return page.eval_on_selector_all(
        "#board .spot[data-spot]", "all => all.map(one => one.dataset.spot)"
    )


def middle(page, step: str) -> tuple[float, float]:
    """Where the place *step* of the picture is in the window."""
    box = page.locator(f"#board .spot[data-spot='{step}']").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def has(page, step: str, *, chosen: str = "") -> None:
    """Wait until *step* can be tapped, or with *chosen* until only that one's places can."""
    until(
        page,
        """([step, chosen]) => {
            const all = [...document.querySelectorAll('#board .spot[data-spot]')];
            const steps = all.map((one) => one.dataset.spot);
            return steps.includes(step) && (!chosen || !steps.includes(chosen));
        }""",
        [step, chosen],
    )


def shogi(page) -> str:
    """A game of shogi that *page* begins, against the lowest level; its table."""
    table = open_table(page, "/jugar shogi ordenador nivel=1 color=sente")
    has(page, "7g")
    return table


def test_a_tap_selects_and_the_second_plays_and_everything_in_between_can_be_undone(
    program, chromium
):
    with browser_of(chromium, **PHONE) as context:
        page = come_in(context, program.address, "Nerea")
        shogi(page)
        spots = {step: middle(page, step) for step in steps(page)}
        # From, from again: nothing is chosen any more.
        page.mouse.click(*spots["7g"])
        has(page, "7f", chosen="7g")
        seventh = middle(page, "7f")
        page.mouse.click(*spots["7g"])
        has(page, "2g")
        # Another piece instead of the first, then Escape.
        page.mouse.click(*spots["7g"])
        has(page, "7f", chosen="7g")
        page.mouse.click(*spots["2g"])
        has(page, "2f", chosen="2g")
        page.keyboard.press("Escape")
        has(page, "7g")
        # Where it cannot go is answered with the reason, and it stays chosen.
        page.mouse.click(*spots["7g"])
        has(page, "7f", chosen="7g")
        page.mouse.click(seventh[0], seventh[1] - (spots["7g"][1] - seventh[1]) * 2)
        passing(page, "Reglas: «")
        assert steps(page) == ["7f"]
        assert notes(page) == []
        page.mouse.click(*seventh)
        until(page, "document.querySelectorAll('#log li').length")
        assert notes(page)[0] == "7g7f"


BEGUN = {
    "shogi": " color=sente",
    "cirya": "",
    "niya": "",
    "parchis": " seats=2",
    "storilljudhjorrayc": " setup=fixed",
}


@pytest.mark.parametrize("game", one_and_slowly_all(BEGUN))
def test_where_the_keyboard_is_on_a_board_is_seen(program, chromium, game):
    with browser_of(chromium, reduced_motion="reduce") as desk:
        page = come_in(desk, program.address, "Nerea")
        open_table(page, f"/jugar {game} ordenador nivel=1{BEGUN[game]}")
        until(page, f"document.querySelector('{TO_CHOOSE}')")
        spot = page.locator("#board .spot[data-spot]").first
        clip = spot.bounding_box()
        without = page.screenshot(clip=clip)
        page.keyboard.press("Shift")  # by it the browser knows of a keyboard
        spot.focus()
        assert page.screenshot(clip=clip) != without


@pytest.mark.slow
def test_a_piece_is_dragged_and_dropped(program, chromium):
    with browser_of(chromium, **PHONE) as context:
        page = come_in(context, program.address, "Nerea")
        shogi(page)
        x, y = middle(page, "7g")
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x, y - 20)
        page.mouse.move(x, y - 44, steps=3)
        page.wait_for_selector(".ghost", state="attached")
        page.mouse.up()
        until(page, "document.querySelectorAll('#log li').length")
        assert notes(page)[0] == "7g7f"
        assert not page.query_selector(".ghost")


@pytest.mark.slow
def test_a_stack_of_cirya_goes_where_it_is_to_end(program, chromium):
    with browser_of(chromium, **PHONE) as here, browser_of(chromium, **PHONE) as there:
        page = come_in(here, program.address, "Nerea")
        open_table(page, "/jugar cirya")
        other = invited(page, there, "Bruno")
        for move in ("a1", "e5", "c3", "c4", "c3+", "d4", "b4", "d4<", "b4>", "a5"):
            mover = to_move(page, other)
            # As an order: on a phone a bare line may be meant for the others.
            said(mover, f"/mover {move}")
            until(mover, "what => !document.querySelector(what)", TO_CHOOSE)
        mover, before = to_move(page, other), 10
        listed(mover, before)
        mover.click("#to-acts")
        mover.mouse.click(*middle(mover, "c4"))
        until(mover, "document.querySelectorAll('#board .end').length > 3")
        ends = mover.query_selector_all("#board .end")
        boxes = [end.bounding_box() for end in ends]
        near = min(boxes, key=lambda box: (round(box["y"]), box["x"]))
        mover.mouse.click(near["x"] + near["width"] / 2, near["y"] + near["height"] / 2)
        # Where only one way ends there it is played; else what falls where is asked.
        until(
            mover,
            "([what, before]) => document.querySelectorAll('#log li').length > before || "
            "document.querySelector(what)",
            ["#board .acts > .keys .key", before],
        )
        if choice := mover.query_selector("#board .acts > .keys .key"):
            choice.click()
        listed(mover, before + 1)
        assert "c4" in notes(mover)[before]


GOING = """() => {
    window.gone = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...how) {
        if (this.closest('.scenery') && how[1].duration > 1) window.gone.push(this.localName);
        return animate.apply(this, how);
    };
}"""
"""Notes what is seen to go on the board: what takes a millisecond is placed, not moved."""


@pytest.mark.slow
def test_what_was_played_is_seen_to_go_and_nothing_waits_for_it(program, chromium):
    with browser_of(chromium, **PHONE) as context:
        page = come_in(context, program.address, "Nerea")
        page.evaluate(GOING)
        shogi(page)
        page.click("#board .spot[data-spot='7g']")
        has(page, "7f", chosen="7g")
        page.click("#board .spot[data-spot='7f']")
        until(page, "window.gone.length >= 1")
        has(page, "2g")
        # The computer's move goes too; a press does not wait until it is there.
        page.click("#board .spot[data-spot='2g']")
        has(page, "2f", chosen="2g")
        until(page, "window.gone.length >= 2")
        until(
            page, "!document.getAnimations().some((one) => one.effect.target.closest('.scenery'))"
        )


@pytest.mark.slow
def test_nothing_goes_where_motion_is_not_wanted(program, chromium):
    with browser_of(chromium, **PHONE, reduced_motion="reduce") as context:
        page = come_in(context, program.address, "Nerea")
        page.evaluate(GOING)
        shogi(page)
        page.click("#board .spot[data-spot='7g']")
        has(page, "7f", chosen="7g")
        page.click("#board .spot[data-spot='7f']")
        has(page, "2g")
        assert page.evaluate("window.gone") == []


def tap(page, x: float, y: float) -> None:
    """Tap the picture at *x*, *y*, parts of its width and height."""
    box = page.locator("#board > .pic").bounding_box()
    page.mouse.click(box["x"] + box["width"] * x, box["y"] + box["height"] * y)


def two_at_shogi(here, there, address: str):
    """Whoever is to move at a table of shogi, and whoever waits."""
    page = come_in(here, address, "Nerea")
    open_table(page, "/jugar shogi")
    other = invited(page, there, "Bruno")
    mover = to_move(page, other)
    return (mover, other) if mover is page else (mover, page)


@pytest.mark.slow
def test_a_move_for_later_is_played_once_when_the_turn_comes_unless_it_is_dropped(
    program, chromium
):
    with browser_of(chromium, **PHONE) as here, browser_of(chromium, **PHONE) as there:
        mover, other = two_at_shogi(here, there, program.address)
        until(mover, "document.querySelectorAll('#board .spot[data-spot]').length > 8")
        start = "7g" if "7g" in steps(mover) else "3c"
        has(mover, start)
        (x, y), box = middle(mover, start), mover.locator("#board > .pic").bounding_box()
        x, y = (x - box["x"]) / box["width"], (y - box["y"]) / box["height"]
        high = mover.locator(f"#board .spot[data-spot='{start}']").bounding_box()["height"]
        ahead = y - high / box["height"]
        marks = "count => document.querySelectorAll('.planned').length === count"
        other.evaluate(
            "addEventListener('pointerup', () => { window.marked = "
            "document.querySelectorAll('.planned').length; })"
        )
        tap(other, x, y)
        # Marked with the finger, before any answer.
        assert other.evaluate("window.marked") == 1
        until(other, marks, 1)
        tap(other, x, ahead)
        until(other, marks, 2)
        tap(other, x, ahead)
        until(other, marks, 0)  # Dropped, and chosen again.
        tap(other, x, y)
        until(other, marks, 1)
        tap(other, x, ahead)
        until(other, marks, 2)
        mover.click(f"#board .spot[data-spot='{start}']")
        to = "7f" if start == "7g" else "3d"
        has(mover, to, chosen=start)
        mover.click(f"#board .spot[data-spot='{to}']")
        until(mover, "document.querySelectorAll('#log .n').length === 2")
        until(other, marks, 0)
        assert notes(mover)[1] in ("7g7f", "3c3d")
        assert to_move(mover, other) is mover


@pytest.mark.slow
def test_whoever_wants_to_be_asked_is_asked_before_a_move_is_played(program, chromium):
    with browser_of(chromium, **PHONE) as context:
        page = come_in(context, program.address, "Nerea")
        prefer(page, "confirm", "1")
        shogi(page)
        for answer in ("Volver", "7g"):
            page.click("#board .spot[data-spot='7g']")
            has(page, "7f", chosen="7g")
            page.click("#board .spot[data-spot='7f']")
            page.wait_for_selector("#board .key.final")
            assert page.text_content("#board > .head h2") == "¿La juegas?"
            assert notes(page) == []
            page.click(f"#acts >> text={answer}")
        until(page, "document.querySelectorAll('#log .n').length >= 1")
        page.reload()
        page.wait_for_selector("#board > .pic img")
        page.click("#new")
        page.click("a[data-place=settings]:visible")
        page.wait_for_selector("#preferences")
        assert page.is_checked("#preferences input[name='confirm'][value='1']")


@pytest.mark.slow
def test_a_question_is_seen_where_it_was_typed_and_from_a_review_one_goes_back(program, chromium):
    with browser_of(chromium, **PHONE) as context:
        page = come_in(context, program.address, "Nerea")
        open_table(page, "/jugar niya ordenador nivel=1")
        to_move(page)
        press(page)
        until(page, "document.querySelectorAll('#log .n').length >= 2")
        to_move(page)
        said(page, "/rendirse")
        page.click("#acts >> text=Sí, seguro")
        page.wait_for_selector("#acts >> text=Revancha")
        over = page.text_content("#board > .head h2")
        seats = page.locator("#board .seat b").all_text_contents()
        page.click("#acts >> text=¿Dónde la perdí?")
        for other in ("La partida del ordenador", "La partida de Nerea"):
            page.click(f"#acts >> text={other}")
            page.wait_for_selector(f"#board > .head h2 >> text={other}")
            assert page.locator("#board .seat b").all_text_contents() == seats
        page.click("#acts >> text=Volver")
        page.wait_for_selector("#acts >> text=Revancha")
        assert page.text_content("#board > .head h2") == over


def asked_to_resign(page) -> None:
    """Give up by a typed line, which is asked back."""
    said(page, "/rendirse")
    page.wait_for_selector(YES)


YES = "#acts >> text=Sí, seguro"


@pytest.mark.slow
def test_a_question_stays_when_others_move_until_it_is_answered_or_passed_over(program, chromium):
    with browser_of(chromium) as here, browser_of(chromium) as there:
        nerea = come_in(here, program.address, "Nerea")
        open_table(nerea)
        bruno = invited(nerea, there, "Bruno")
        mover = to_move(nerea, bruno)
        other = bruno if mover is nerea else nerea
        asked_to_resign(other)
        press(mover)
        listed(other, 1)
        assert other.is_visible(YES)
        assert "seguro que te rindes" in other.text_content("#said, #acts")
        # Whoever plays on has passed it over.
        other.fill("#input", "/mover ")
        other.click("#options li >> nth=0")
        other.press("#input", "Enter")
        listed(mover, 2)
        other.wait_for_selector(YES, state="detached")
        # Answered once, it is not put again although the other has moved since.
        asked_to_resign(other)
        press(mover)
        listed(other, 3)
        other.click(YES)
        for page in (other, mover):
            page.wait_for_selector("#board.over")
            page.wait_for_selector("#acts >> text=Revancha")
        assert not other.query_selector(YES)


@pytest.mark.slow
def test_a_question_that_nobody_can_answer_any_more_goes(program, chromium):
    with browser_of(chromium) as here, browser_of(chromium) as there:
        nerea = come_in(here, program.address, "Nerea")
        open_table(nerea)
        bruno = invited(nerea, there, "Bruno")
        for page in (nerea, bruno):
            asked_to_resign(page)
        nerea.click(YES)
        for page in (nerea, bruno):
            page.wait_for_selector("#acts >> text=Revancha")
            assert not page.query_selector(YES)


HOLDING = """
delete window.DecompressionStream; // every message is to be read
const given = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
Object.defineProperty(WebSocket.prototype, "onmessage", { ...given, set(then) {
  const late = (event) => window.held && JSON.parse(event.data).kind === "answer";
  const held = (event) => late(event) ? window.held.push(() => then(event)) : then(event);
  given.set.call(this, then && held);
} });
"""
"""Lets the answers of the server wait in ``held`` for as long as that is a list."""


def given_up(context, program):
    """A page that holds answers where it is told to, at the end of a game with the computer."""
    context.add_init_script(HOLDING)
    page = come_in(context, program.address, "Nerea")
    open_table(page, "/jugar niya ordenador nivel=1")
    to_move(page)
    press(page)
    until(page, "document.querySelectorAll('#log .n').length >= 2")
    to_move(page)
    asked_to_resign(page)
    page.click(YES)
    page.wait_for_selector("#acts >> text=Revancha")
    return page


def late(page, label: str) -> None:
    """Press *label* and keep its answer, which is not to come before ``come``."""
    page.evaluate("window.held = []")
    page.click(f"#acts >> text={label}")
    until(page, "window.held.length === 1")
    page.evaluate("[window.late, window.held] = [window.held, null]")


def come(page) -> None:
    """Let the answer come that was kept."""
    page.evaluate("() => window.late.forEach((come) => come())")
    page.wait_for_timeout(300)


@pytest.mark.slow
def test_the_page_of_a_review_that_comes_late_does_not_come_back(program, chromium):
    with browser_of(chromium, **PHONE) as context:
        page = given_up(context, program)
        over = page.text_content("#board > .head h2")
        page.click("#acts >> text=¿Dónde la perdí?")
        other = "La partida del ordenador"
        page.wait_for_selector(f"#acts >> text={other}")
        late(page, other)
        page.click("#acts >> text=Volver")
        page.wait_for_selector("#acts >> text=Revancha")
        come(page)
        assert page.text_content("#board > .head h2") == over
        page.click("#acts >> text=¿Dónde la perdí?")
        page.click(f"#acts >> text={other}")
        page.wait_for_selector(f"#board > .head h2 >> text={other}")


@pytest.mark.slow
def test_a_review_that_comes_late_takes_no_other_screen_away(program, chromium):
    with browser_of(chromium, **PHONE) as context:
        page = given_up(context, program)
        mine, other = "La partida de Nerea", "La partida del ordenador"
        head = "#board > .head h2"
        # Asked for on the board, and another page of it opened before it is there.
        late(page, "¿Dónde la perdí?")
        said(page, "/repaso")
        page.click(f"#acts >> text={other}")
        page.wait_for_selector(f"{head} >> text={other}")
        come(page)
        assert other in page.text_content(head)
        # Asked for on a page that was left, and another one opened from the board.
        late(page, mine)
        page.click("#acts >> text=Volver")
        said(page, "/repaso")
        page.click(f"#acts >> text={other}")
        page.wait_for_selector(f"{head} >> text={other}")
        come(page)
        assert other in page.text_content(head)
        page.click(f"#acts >> text={mine}")
        page.wait_for_selector(f"{head} >> text={mine}")


@pytest.mark.slow
def test_of_two_moves_tapped_at_once_the_second_is_answered_too(program, chromium):
    with browser_of(chromium, **PHONE) as here, browser_of(chromium, **PHONE) as there:
        page = come_in(here, program.address, "Nerea")
        open_table(page)
        other = invited(page, there, "Bruno")
        mover = to_move(page, other)
        one, two = (middle(mover, step) for step in (steps(mover)[0], steps(mover)[-1]))
        mover.touchscreen.tap(*one)
        mover.touchscreen.tap(*one)
        mover.touchscreen.tap(*two)
        listed(other, 1)
        until(mover, "document.getElementById('status').textContent")
        assert "bad" in mover.get_attribute("#status", "class")
        mover.wait_for_timeout(300)
        assert len(notes(other)) == 1


@pytest.mark.slow
def test_of_two_people_in_one_browser_each_is_chosen_in_settings(program, chromium):
    with browser_of(chromium) as context:
        page = come_in(context, program.address, "Nerea")
        open_table(page)
        invited(page, context, "Bruno").close()
        for other, name in (("Bruno", "Nerea"), ("Nerea", "Bruno")):
            page.click("a[data-place=settings]:visible")
            page.click(f"#preferences >> text=Jugar como {other}")
            until(page, "name => document.getElementById('rename').textContent === name", other)
            page.wait_for_selector("#preferences")
            assert page.url.endswith("/settings")
            assert page.query_selector(f"#preferences >> text=Jugar como {name}")
