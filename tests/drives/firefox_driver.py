"""Debian's Firefox at the page, driven by WebDriver BiDi: as much of Playwright's page as is used.

https://w3c.github.io/webdriver-bidi/. Playwright's own Firefox is a build of its own, which Debian
does not have; whoever tests with the browser that people have speaks to it as it stands.
"""

from __future__ import annotations

import asyncio
import base64
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp

FIREFOX = shutil.which("firefox-esr")

SETTINGS = {
    "intl.accept_languages": "es-ES, es",
    "dom.w3c_touch_events.enabled": 1,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.enabled": False,
    "app.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "extensions.update.enabled": False,
    "browser.safebrowsing.update.enabled": False,
    "services.settings.server": "http://127.0.0.1:9",
}
"""So that it asks nobody anything: what it may do, by the names of its preferences."""

FUNCTION = re.compile(r"\s*(async\s*)?(\([^)]*\)|\w+)\s*=>")
KEYS = {"Enter": "\ue007", "Tab": "\ue004", "Escape": "\ue00c", "Home": "\ue011", "End": "\ue010"}
KEYS |= {"ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015"}

MIDDLE = """(what) => {
    const found = document.querySelector(what);
    found.scrollIntoView({ block: "nearest" });
    const box = found.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
}"""


class Refused(Exception):
    """The browser could not do what it was asked to."""


@dataclass
class Line:
    """The connection to the browser: every command waits for its answer."""

    loop: asyncio.AbstractEventLoop
    socket: aiohttp.ClientWebSocketResponse
    wrong: list[str] = field(default_factory=list)
    """What pages have complained of."""

    number: int = 0

    def ask(self, method: str, **told: Any) -> dict[str, Any]:
        return self.loop.run_until_complete(self._ask(method, told))

    async def _ask(self, method: str, told: dict[str, Any]) -> dict[str, Any]:
        self.number += 1
        await self.socket.send_json({"id": self.number, "method": method, "params": told})
        while True:
            answer = await self.socket.receive_json(timeout=120)
            if answer.get("method") == "log.entryAdded" and answer["params"]["level"] == "error":
                self.wrong.append(answer["params"]["text"])
            if answer.get("id") == self.number:
                break
        if answer["type"] == "error":
            raise Refused(f"{method}: {answer['message']}")
        result: dict[str, Any] = answer["result"]
        return result


class Pointer:
    """A mouse, or with *kind* ``touch`` a finger."""

    def __init__(self, page: Page, kind: str) -> None:
        self.page, self.kind = page, kind

    def _act(self, *actions: dict[str, Any]) -> None:
        source = {"type": "pointer", "id": self.kind, "actions": list(actions)}
        source["parameters"] = {"pointerType": self.kind}
        self.page.line.ask("input.performActions", context=self.page.context, actions=[source])

    def move(self, x: float, y: float, steps: int = 1) -> None:
        for _ in range(steps):
            self._act({"type": "pointerMove", "x": round(x), "y": round(y)})

    def down(self) -> None:
        self._act({"type": "pointerDown", "button": 0})

    def up(self) -> None:
        self._act({"type": "pointerUp", "button": 0})

    def click(self, x: float, y: float) -> None:
        moved = {"type": "pointerMove", "x": round(x), "y": round(y)}
        self._act(moved, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0})

    tap = click


class Keys:
    """The keyboard."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, name: str) -> None:
        *held, last = (KEYS.get(one, {"Shift": "\ue008"}.get(one, one)) for one in name.split("+"))
        pressed = [*held, last]
        actions = [{"type": "keyDown", "value": one} for one in pressed]
        actions += [{"type": "keyUp", "value": one} for one in reversed(pressed)]
        source = {"type": "key", "id": "keys", "actions": actions}
        self.page.line.ask("input.performActions", context=self.page.context, actions=[source])

    def type(self, text: str) -> None:
        for one in text:
            self.press(one)


@dataclass(frozen=True)
class Found:
    """One element, by the selector and number by which it was found."""

    page: Page
    what: str
    at: int

    def click(self) -> None:
        source = """([what, at]) => {
            const found = document.querySelectorAll(what)[at];
            found.scrollIntoView({ block: "nearest" });
            const box = found.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        }"""
        self.page.mouse.click(*self.page.evaluate(source, [self.what, self.at]))


class Page:
    """A tab: what Playwright's page is asked in these tests, with plain CSS for selectors."""

    def __init__(self, line: Line, context: str) -> None:
        self.line, self.context = line, context
        self.mouse, self.touchscreen, self.keyboard = (
            Pointer(self, "mouse"),
            Pointer(self, "touch"),
            Keys(self),
        )

    @property
    def url(self) -> str:
        return str(self.evaluate("location.href"))

    def goto(self, address: str) -> None:
        self.line.ask(
            "browsingContext.navigate", context=self.context, url=address, wait="complete"
        )

    def run(self, source: str) -> Any:
        """What *source* comes to, as JSON has it."""
        answer = self.line.ask(
            "script.evaluate",
            expression=source,
            target={"context": self.context},
            awaitPromise=True,
        )
        if answer["type"] == "exception":
            raise Refused(answer["exceptionDetails"]["text"])
        return answer["result"].get("value")

    def evaluate(self, source: str, argument: object = None) -> Any:
        told = json.dumps(argument)
        called = f"({source})({told})" if FUNCTION.match(source) else f"({source})"
        plain = "(_, one) => one instanceof Node ? '' + one : one"
        return json.loads(
            self.run(f"(async () => JSON.stringify((await {called}) ?? null, {plain}))()") or "null"
        )

    def eval_on_selector_all(self, what: str, source: str) -> Any:
        return self.evaluate(f"(what) => ({source})([...document.querySelectorAll(what)])", what)

    def query_selector_all(self, what: str) -> list[Found]:
        count = self.evaluate("(what) => document.querySelectorAll(what).length", what)
        return [Found(self, what, at) for at in range(count)]

    def query_selector(self, what: str) -> Found | None:
        return next(iter(self.query_selector_all(what)), None)

    def is_visible(self, what: str) -> bool:
        return bool(
            self.evaluate(
                "(what) => Boolean(document.querySelector(what)?.getClientRects().length)", what
            )
        )

    def text_content(self, what: str) -> str:
        return str(self.evaluate("(what) => document.querySelector(what).textContent", what))

    def wait_for_timeout(self, milliseconds: float) -> None:
        self.line.loop.run_until_complete(asyncio.sleep(milliseconds / 1000))

    def click(self, what: str) -> None:
        self.mouse.click(*self.evaluate(MIDDLE, what))

    def fill(self, what: str, text: str) -> None:
        self.evaluate(
            """(what) => {
                const field = document.querySelector(what);
                field.focus();
                field.select();
            }""",
            what,
        )
        self.keyboard.type(text)

    def press(self, what: str, key: str) -> None:
        self.evaluate("(what) => document.querySelector(what).focus()", what)
        self.keyboard.press(key)

    def set_viewport_size(self, size: dict[str, int]) -> None:
        self.line.ask("browsingContext.setViewport", context=self.context, viewport=size)

    def screenshot(self, path: str) -> None:
        drawn = self.line.ask("browsingContext.captureScreenshot", context=self.context)
        Path(path).write_bytes(base64.b64decode(drawn["data"]))


@dataclass
class Firefox:
    """The browser as it runs; every page has cookies of its own."""

    line: Line

    def new_page(self) -> Page:
        room = self.line.ask("browser.createUserContext")["userContext"]
        tab = self.line.ask("browsingContext.create", type="tab", userContext=room)
        return Page(self.line, tab["context"])


@contextmanager
def running(folder: Path, *, trusting: bool = False, **settings: object) -> Iterator[Firefox]:
    """Firefox with a profile of its own in *folder*; no page of it may complain.

    *trusting* takes every certificate.
    """
    chosen = {**SETTINGS, **settings}
    (folder / "user.js").write_text(
        "".join(
            f"user_pref({json.dumps(key)}, {json.dumps(one)});\n" for key, one in chosen.items()
        )
    )
    command = [FIREFOX or "", "--headless", "--no-remote", "--remote-debugging-port=0"]
    with subprocess.Popen(
        [*command, "--profile", str(folder)], stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stderr is not None
        said = next((line for line in child.stderr if "BiDi listening on" in line), "")
        address = said.strip().rpartition(" ")[2]
        loop = asyncio.new_event_loop()
        session = aiohttp.ClientSession(loop=loop)
        try:
            socket = loop.run_until_complete(
                session.ws_connect(f"{address}/session", max_msg_size=0)
            )
            line = Line(loop, socket)
            wanted = {"alwaysMatch": {"acceptInsecureCerts": True}} if trusting else {}
            line.ask("session.new", capabilities=wanted)
            line.ask("session.subscribe", events=["log.entryAdded"])
            yield Firefox(line)
            # What was complained of before is told before this is answered.
            line.ask("browsingContext.getTree", maxDepth=0)
            loop.run_until_complete(socket.close())
            assert not line.wrong, line.wrong
        finally:
            loop.run_until_complete(session.close())
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.close()
            child.terminate()
