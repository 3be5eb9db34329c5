"""People who play on the page with less than eyes and a finger: by keys, or by what they are told.

Each finds what to do by names alone, as they do: whoever has only keys goes from one thing to the
next and hears or sees what it is called; whoever has only a reader goes by its tree.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.drives.browsing import eventually

LINE, SEND, NAME, ENTER = "Jugada u orden", "Enviar", "Tu nombre", "Entrar"
BOARD, CHOICES = "Tablero", "Lo que puedes jugar"
NEW, READY, AGAIN = "Nueva mesa", "¡Listo!", "Revancha"
PACE = 450
"""Milliseconds between two presses: no quicker than a lively person is."""


@dataclass(frozen=True)
class Heard:
    """One thing of the reader's tree: what it is, what it is called, and what it is part of."""

    key: str
    role: str
    name: str
    within: tuple[str, ...]
    """The keys of all it is part of, from the page on."""

    element: int
    """By which the browser knows it."""

    live: bool
    """Whether a reader says it as soon as it changes."""


def told(nodes: list[dict[str, Any]]) -> list[Heard]:
    """What a reader is told, in its order, of *nodes* of the browser's tree."""
    known = {node["nodeId"]: node for node in nodes}
    found = []
    for node in nodes:
        if node.get("ignored") or "backendDOMNodeId" not in node:
            continue
        above, at = [], node.get("parentId")
        while at in known:
            above.append(at)
            at = known[at].get("parentId")
        traits = {one["name"]: one["value"].get("value") for one in node.get("properties", [])}
        found.append(
            Heard(
                node["nodeId"],
                node.get("role", {}).get("value", ""),
                node.get("name", {}).get("value", ""),
                tuple(reversed(above)),
                node["backendDOMNodeId"],
                traits.get("live") == "polite" and traits.get("root") is None,
            )
        )
    return found


@dataclass
class Reader:
    """Somebody who knows nothing but the tree that the page gives to screen readers."""

    page: Any
    rng: random.Random
    line: Any = field(init=False)

    def __post_init__(self) -> None:
        self.line = self.page.context.new_cdp_session(self.page)
        self.line.send("Accessibility.enable")

    def hears(self) -> list[Heard]:
        return told(self.line.send("Accessibility.getFullAXTree")["nodes"])

    def find(self, role: str, name: str, within: str = "") -> Heard:
        """The first *role* whose name begins with *name*, as soon as there is one."""

        def found() -> Heard | None:
            all_ = self.hears()
            groups = {one.key for one in all_ if one.name == within}
            return next(
                (
                    one
                    for one in all_
                    if one.role == role
                    and one.name.startswith(name)
                    and (not within or groups & set(one.within))
                ),
                None,
            )

        return eventually(self.page, found, f"the reader tells of a {role} {name!r}")

    def choices(self) -> list[Heard]:
        """What can be played, as its names say: on the board or beside it, each once."""
        all_ = self.hears()
        groups = {one.key for one in all_ if one.role == "group" and one.name in (BOARD, CHOICES)}
        return [one for one in all_ if one.role == "button" and groups & set(one.within)]

    def stands_for(self, one: Heard) -> str:
        """The step of a game that *one* stands for: what a tester knows, not who hears its name."""
        node = self.line.send("DOM.describeNode", {"backendNodeId": one.element})["node"]
        traits = dict(zip(node["attributes"][::2], node["attributes"][1::2], strict=True))
        return str(traits.get("data-key", traits.get("data-spot", "")))

    def said(self) -> str:
        """What the reader has said of itself."""
        all_ = self.hears()
        roots = {one.key for one in all_ if one.live}
        return " ".join(
            one.name for one in all_ if one.role == "StaticText" and roots & set(one.within)
        )

    def headline(self) -> str:
        return next((one.name for one in self.hears() if one.role == "heading"), "")

    def press(self, one: Heard) -> None:
        """Do what a reader does when *one* is activated: it is focused and clicked, nowhere."""
        held = self.line.send("DOM.resolveNode", {"backendNodeId": one.element})
        self.line.send(
            "Runtime.callFunctionOn",
            {
                "objectId": held["object"]["objectId"],
                "functionDeclaration": "function () { this.focus(); this.click(); }",
            },
        )
        self.page.wait_for_timeout(PACE)

    def write(self, role: str, name: str, text: str) -> None:
        field_ = self.find(role, name)
        self.line.send("DOM.focus", {"backendNodeId": field_.element})
        self.line.send("Input.insertText", {"text": text})


FOCUS = """() => {
    const here = document.activeElement, words = here.getAttribute('aria-label');
    const group = here.closest('[role=group]')?.getAttribute('aria-label') ?? '';
    const read = here.cloneNode(true);
    for (const one of read.querySelectorAll('[aria-hidden]')) one.remove();
    return [words ?? read.textContent.trim(), group, here.tagName];
}"""


ARROWS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")

AT = """() => document.activeElement.dataset.spot ?? document.activeElement.dataset.key ?? ''"""

TOWARDS = """(step) => {
    const [here, there] = [document.activeElement, document.querySelector(`[data-spot="${step}"]`)]
        .map((one) => one.getBoundingClientRect());
    return [there.x + there.width / 2 - here.x - here.width / 2,
        there.y + there.height / 2 - here.y - here.height / 2];
}"""


@dataclass
class Keyboard:
    """Somebody who has only keys, and goes from one thing to the next until it is the right one."""

    page: Any
    rng: random.Random

    def here(self) -> tuple[str, str, str]:
        """What the focus is on: its name, that of the group it is part of, and what it is."""
        name, group, tag = self.page.evaluate(FOCUS)
        return name, group, tag

    def stops(self, key: str = "Tab", most: int = 200) -> Iterator[tuple[str, str, str]]:
        """What is come by from here on."""
        yield self.here()
        for _ in range(most):
            self.page.keyboard.press(key)
            yield self.here()

    def reach(self, name: str) -> None:
        """Go on until the focus is on what is called *name* at its beginning."""
        assert any(one.startswith(name) for one, _, _ in self.stops()), f"no way to {name!r}"

    def reach_choice(self) -> None:
        """Go on until the focus is on something that can be played."""
        way = (group in (BOARD, CHOICES) and tag == "BUTTON" for _, group, tag in self.stops())
        assert any(way), "no way to what can be played"

    def press(self) -> None:
        self.page.keyboard.press("Enter")
        self.page.wait_for_timeout(PACE)

    def wander(self) -> None:
        """Go some way over the board, or among what can be played beside it."""
        _, group, _ = self.here()
        for _ in range(self.rng.randrange(4)):
            if group == BOARD:
                self.page.keyboard.press(self.rng.choice(ARROWS))
            else:
                self.page.keyboard.press("Tab")
                if self.here()[1] != group:
                    self.page.keyboard.press("Shift+Tab")
                    return

    def go_to(self, step: str) -> None:
        """Go from one choice to that of *step*: by the arrows on the board, else by tabs."""
        group = self.here()[1]
        if group == BOARD:
            self._go_over_board(step)
            return
        for key, back in (("Tab", "Shift+Tab"), ("Shift+Tab", "Tab")):
            while self.here()[1] == group:
                if self.page.evaluate(AT) == step:
                    return
                self.page.keyboard.press(key)
            self.page.keyboard.press(back)
        raise AssertionError(f"no way to {step!r}")

    def _go_over_board(self, step: str) -> None:
        been: set[str] = set()
        for _ in range(400):
            if (here := self.page.evaluate(AT)) == step:
                return
            # Where the straight way does not lead on, any other is gone.
            key = self.way_to(step) if here not in been else self.rng.choice(ARROWS)
            been.add(here)
            self.page.keyboard.press(key)
        raise AssertionError(f"no way to {step!r}")

    def way_to(self, step: str) -> str:
        """The key that goes nearest to the place of *step*."""
        across, down = self.page.evaluate(TOWARDS, step)
        if abs(across) > abs(down):
            return "ArrowRight" if across > 0 else "ArrowLeft"
        return "ArrowDown" if down > 0 else "ArrowUp"
