"""Whole games in a real browser against the real program, killed in the middle."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.drives.browsing import (
    PACE,
    ROOT,
    TO_CHOOSE,
    browser_of,
    chromium,
    come_in,
    fits,
    invited,
    listed,
    notes,
    open_table,
    played,
    press,
    program,
    to_move,
    until,
)

__all__ = ["chromium", "program"]


@pytest.mark.slow
def test_two_people_play_a_whole_game_by_buttons_in_one_browser(program, chromium):
    with browser_of(chromium) as context:
        nerea = come_in(context, program.address, "Nerea")
        open_table(nerea)
        bruno = invited(nerea, context, "Bruno")
        assert nerea.url != bruno.url
        assert {name for page in (nerea, bruno) for name in [page.text_content("#rename")]} == {
            "Nerea",
            "Bruno",
        }
        plies = 0
        while page := to_move(nerea, bruno):
            until(page, "document.title === '▶ Te toca · Niya · Ludoteca'")
            # By turns on the button and on the board itself.
            if plies % 2:
                press(page, -1)
            else:
                page.click("#board .spot >> nth=0")
            played(page)
            plies += 1
        # N11: the shortest game takes seven markers, the longest sixteen.
        assert 2 <= plies <= 16
        for page in (nerea, bruno):
            page.wait_for_selector("#board.over")
            until(page, "document.title === 'Niya · Ludoteca'")
            assert "Revancha" in page.text_content("#board")


@pytest.mark.slow
@pytest.mark.parametrize("to_the_end", [False, True], ids=["short", "whole"])
def test_the_program_is_killed_in_the_middle_and_nothing_is_lost(program, chromium, to_the_end):
    with browser_of(chromium) as here, browser_of(chromium, color_scheme="dark") as there:
        nerea = come_in(here, program.address, "Nerea")
        table = open_table(nerea)
        bruno = invited(nerea, there, "Bruno")
        before = 2 if to_the_end else 1
        for _ in range(before):
            page = to_move(nerea, bruno)
            press(page)
            played(page)
        mover = to_move(nerea, bruno)
        listed(mover, before)
        program.kill()
        mover.wait_for_selector("#status.bad")
        assert "Sin conexión" in mover.text_content("#status")
        # Pressed while nobody listens, twice: it is sent when somebody does, and done once.
        press(mover)
        press(mover)
        program.start()
        played(mover)
        other = nerea if mover is bruno else bruno
        other.wait_for_selector(TO_CHOOSE)
        listed(mover, before + 1)
        assert other.text_content("#code") == f"mesa {table}"
        # A fresh page knows it all again, and the game goes on to its end.
        other.reload()
        other.wait_for_selector(TO_CHOOSE)
        while to_the_end and (page := to_move(nerea, bruno)):
            press(page)
            played(page)
        # The new first address leads whoever is known home, and lets one more person in.
        page = there.new_page()
        page.goto(program.address)
        page.wait_for_selector("#rename")  # which waits for the page that is led to
        until(page, "document.querySelector('#rename')?.textContent === 'Bruno'")
        with browser_of(chromium) as elsewhere:
            eva = come_in(elsewhere, program.address, "Eva")
            assert eva.text_content("#rename") == "Eva"


@pytest.mark.slow
def test_a_game_typed_with_completions(program, chromium):
    with browser_of(chromium) as here, browser_of(chromium) as there:
        nerea = come_in(here, program.address, "Nerea")
        nerea.fill("#input", "/ju")
        nerea.wait_for_selector("#options li")
        nerea.press("#input", "Tab")
        assert nerea.input_value("#input") == "/jugar "
        nerea.wait_for_selector("#options li >> text=Niya")
        nerea.press("#input", "n")
        nerea.click("#options li >> text=Niya")
        assert nerea.input_value("#input") == "/jugar niya "
        nerea.press("#input", "Enter")
        until(nerea, "!document.body.classList.contains('home')")
        bruno = invited(nerea, there, "Bruno")
        first = True
        while page := to_move(nerea, bruno):
            step = page.get_attribute("#board .spot >> nth=0", "data-spot")
            if first:
                page.fill("#input", "zz")
                page.press("#input", "Enter")
                assert "zz" in page.text_content(".say.bad")
                page.fill("#input", step[0].lower())
                page.wait_for_selector(f"#options li >> text={step[0]}")
                page.press("#input", "ArrowDown")
                page.press("#input", "Enter")
                assert re.fullmatch(f"{step[0]}.", page.input_value("#input"))
            else:
                page.fill("#input", step)
            page.press("#input", "Enter")
            played(page)
            first = False
        page = nerea
        page.fill("#input", "/acta")
        page.press("#input", "Enter")
        with page.expect_download() as waiting:
            page.click("text=Descargar")
        assert (
            "Game" in Path(waiting.value.path()).read_text()
            or "niya" in Path(waiting.value.path()).read_text()
        )


@pytest.mark.slow
def test_a_game_against_the_computer_with_the_keyboard_alone(program, chromium):
    with browser_of(chromium, viewport={"width": 360, "height": 740}) as context:
        page = come_in(context, program.address, "Nerea")
        page.focus('#games .cover:has-text("Niya")')
        page.keyboard.press("Enter")
        page.wait_for_selector(".card .key.good")
        page.focus(".card .key.good")
        page.keyboard.press("Enter")
        moves = 0
        while to_move(page):
            if not page.evaluate("document.activeElement.closest('#board .keys, #board .pic')"):
                assert moves == 0, "the focus was lost when the board was drawn anew"
                page.focus("#board .spot >> nth=0")
            step = page.evaluate("(({ spot, key }) => spot ?? key)(document.activeElement.dataset)")
            page.keyboard.press("Enter")
            # The picture of a board is there before its choices: until then the old ones are.
            gone = "step => !document.querySelector(`[data-spot='${step}'], [data-key='${step}']`)"
            until(page, gone, step)
            # A second press so soon after one that has played is taken for a slip.
            page.wait_for_timeout(2 * PACE)
            moves += 1
            fits(page)
        assert 2 <= moves <= 8
        until(page, "document.querySelector('#live').textContent.length > 10")


SAY = """([path, frame]) => new Promise((done) => {
    const socket = new WebSocket(`ws://${location.host}${path}`);
    const id = crypto.randomUUID();
    socket.onerror = () => done({ refused: true });
    socket.onopen = () => socket.send(JSON.stringify({ ...frame, id }));
    socket.onmessage = (event) => {
        const told = JSON.parse(event.data);
        if (told.id === id) { socket.close(); done(told); }
    };
})"""


@pytest.mark.slow
def test_stale_foreign_and_forged_presses(program, chromium):
    with browser_of(chromium) as here, browser_of(chromium) as there:
        nerea = come_in(here, program.address, "Nerea")
        codes: list[str] = []
        nerea.on(
            "websocket",
            lambda made: made.on(
                "framesent",
                lambda frame: codes.extend(re.findall(r'"code":"([^"]+)"', str(frame))),
            ),
        )
        nerea.reload()
        nerea.wait_for_selector("#games")
        table = open_table(nerea)
        bruno = invited(nerea, there, "Bruno")
        moves = 0
        while len([code for code in codes if code.startswith("m.")]) < 1:
            page = to_move(nerea, bruno)
            press(page)
            played(page)
            moves += 1
        stale = next(code for code in codes if code.startswith("m."))
        to_move(nerea, bruno)
        listed(nerea, moves)
        before = notes(nerea)
        path = {page: page.evaluate("location.pathname") + "socket" for page in (nerea, bruno)}
        for page, code, why in (
            (nerea, stale, "juega|de antes"),
            (bruno, stale, "juega|de antes"),
            (nerea, f"{stale[:-1]}{'A' if stale[-1] != 'A' else 'B'}", "no es de aquí"),
            (nerea, "m.x", "no es de aquí"),
        ):
            frame = {"kind": "press", "code": code, "message": table}
            told = page.evaluate(SAY, [path[page], frame])
            assert not told["good"]
            assert re.search(why, told["said"])
        # Another person's socket does not open at all: his cookie is not sent there.
        hello = {"kind": "hello", "theme": "light", "language": "es"}
        assert bruno.evaluate(SAY, [path[nerea], hello]) == {"refused": True}
        assert notes(nerea) == before


@pytest.mark.slow
def test_the_page_follows_the_theme_and_the_language(program, chromium):
    with browser_of(chromium, locale="en-GB") as context:
        page = come_in(context, program.address, "Ann")
        assert page.get_attribute("html", "lang") == "en"
        page.fill("#input", "/play niya computer")
        page.press("#input", "Enter")
        page.wait_for_selector(TO_CHOOSE)
        until(page, "document.title.startsWith('▶ Your turn · Niya')")
        light = page.get_attribute("#board > .pic", "data-picture")
        page.emulate_media(color_scheme="dark")
        until(
            page,
            "old => document.querySelector('#board > .pic').dataset.picture !== old",
            light,
        )
        page.fill("#input", "/language es")
        page.press("#input", "Enter")
        until(page, "document.documentElement.lang === 'es'")
        until(page, "document.title.startsWith('▶ Te toca')")
        assert page.get_attribute("#board .pic img", "alt")


@pytest.mark.slow
def test_a_second_start_on_the_port_ends_with_one_sentence(program, tmp_path):
    env = {**os.environ, "WEB_PORT": str(program.port), "PYTHONPATH": str(ROOT)}
    env["DATABASE_URL"] = f"sqlite+aiosqlite:///{tmp_path}/other.db"
    for host, word in (("127.0.0.1", "WEB_PORT"), ("0.0.0.0", "WEB_HOST=0.0.0.0")):
        ended = subprocess.run(
            [sys.executable, "-m", "bot.app.main"],
            env={**env, "WEB_HOST": host},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert ended.returncode == 2
        assert ended.stdout == ""
        assert word in ended.stderr.splitlines()[-1]
        assert "Traceback" not in ended.stderr
