"""A call in a real browser: heard while no page is open, shown, and the way to the table.

The push service is the test's own: the browser is told that it hears there, and the call is handed
to its service worker as Chromium's own tools do it.
"""

from __future__ import annotations

import json
import sqlite3

import pytest

from tests.drives.browsing import (
    Program,
    browser_of,
    chromium,
    come_in,
    eventually,
    open_table,
    until,
)

__all__ = ["chromium"]

GUESTS = "SELECT value FROM setting WHERE key LIKE 'web:guest:%'"
PUBLIC = "https://play.example.org"

TOLD = """  const told = {
    endpoint: "https://push.example.net/send/1", expirationTime: null,
    keys: {
      p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-"
        + "AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      auth: "BTBZMqHH6r4Tts7J_aSIgg",
    },
  };
"""

# What a browser answers that its maker's push service takes calls for.
HEARS = (
    """
PushManager.prototype.subscribe = async (wishes) => {
  window.signedBy = wishes.applicationServerKey;
"""
    + TOLD
    + """  return { ...told, toJSON: () => told };
};
"""
)

SHOWN = """async () => {
  const all = await self.registration.getNotifications();
  return all.map(one => [one.title, one.body, one.data.table]);
}"""

PAGES = """async () => {
  const all = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  return all.filter(one => one.url.startsWith(self.registration.scope)).length;
}"""

# Clicks on the call; resolves to the address of the page that was opened, if one was.
CLICKED = """async () => {
  const [notification] = await self.registration.getNotifications();
  const event = new NotificationEvent("notificationclick", { notification });
  let opened = null, over = null;
  self.clients.openWindow = async (address) => { opened = address; };
  event.waitUntil = (work) => { over = work; };
  self.dispatchEvent(event);
  await over.catch(() => null);  // A page comes to the front for a real click alone.
  return opened;
}"""


def called(page) -> None:
    """Let *page* be called while it is closed."""
    page.click("a[data-place=settings]:visible")
    page.click("#devices >> text=Avisarme aquí con la página cerrada")
    page.wait_for_selector("#devices >> text=No avisarme aquí")


def working(context, page):
    """The one service worker of *context*, as soon as it is told of."""
    (worker,) = eventually(page, lambda: context.service_workers, "there is a service worker")
    return worker


def handed(context, page, origin: str, data: object) -> None:
    """Hand a call to the service worker of *page*."""
    line = context.new_cdp_session(page)
    known: list[str] = []
    line.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: known.extend(one["registrationId"] for one in told["registrations"]),
    )
    line.send("ServiceWorker.enable")
    while not known:
        page.wait_for_timeout(50)
    call = {"origin": origin, "registrationId": known[0], "data": json.dumps(data)}
    line.send("ServiceWorker.deliverPushMessage", call)
    line.detach()


def shown(page, worker) -> list[list[str]]:
    """What calls are shown, as soon as there is one."""
    while not (found := worker.evaluate(SHOWN)):
        page.wait_for_timeout(50)
    return found


@pytest.mark.slow
def test_a_call_is_shown_and_leads_to_its_table(tmp_path, chromium):
    program = Program(tmp_path, settings={"WEB_PUBLIC_URL": PUBLIC})
    program.start()
    # Browsers take this machine for safe, as they do what is encrypted.
    origin = f"http://127.0.0.1:{program.port}"
    try:
        with browser_of(chromium, permissions=["notifications"]) as context:
            context.add_init_script(HEARS)
            page = come_in(context, program.address.replace(PUBLIC, origin), "Nerea")
            table = open_table(page)
            page.wait_for_selector(".waiting .link")
            page.click("#new")
            called(page)
            assert page.evaluate("window.signedBy.length") == 87
            worker = working(context, page)
            assert worker.url == f"{origin}/sw.js"
            handed(context, page, origin, {"table": table, "said": "Te toca en Niya"})
            assert shown(page, worker) == [["Ludoteca", "Te toca en Niya", table]]
            # A page is open: it goes to the table.
            worker.evaluate(CLICKED)
            until(page, f"location.pathname.endsWith('/t/{table}')")
            until(page, "!document.body.classList.contains('home')")
            # Closing takes its time, and would take the next call of that table along.
            while worker.evaluate(SHOWN):
                page.wait_for_timeout(50)
            # None is: one opens that shows the table.
            handed(context, page, origin, {"table": table, "said": "Te toca en Niya"})
            shown(page, worker)
            home = page.url
            page.goto("about:blank")
            # A page that is left is known to its worker for a moment longer.
            while worker.evaluate(PAGES):
                page.wait_for_timeout(50)
            assert worker.evaluate(CLICKED) == home
            page.goto(home)
            until(page, "code => document.querySelector('#code').textContent.includes(code)", table)
    finally:
        assert program.stop() == 0, program.log()
    assert "Traceback" not in program.log()


# Lets the worker hear that the browser hears at another address now; resolves once that is told on.
MOVED = (
    """async () => {
"""
    + TOLD.replace("send/1", "send/2")
    + """  const event = new Event("pushsubscriptionchange");
  let over = null;
  event.newSubscription = { ...told, toJSON: () => told };
  event.waitUntil = (work) => { over = work; };
  self.dispatchEvent(event);
  await over;
}"""
)


@pytest.mark.slow
def test_where_the_browser_hears_from_now_on_is_told_with_no_page_open(tmp_path, chromium):
    program = Program(tmp_path, settings={"WEB_PUBLIC_URL": PUBLIC})
    program.start()
    origin = f"http://127.0.0.1:{program.port}"
    try:
        with browser_of(chromium, permissions=["notifications"]) as context:
            context.add_init_script(HEARS)
            page = come_in(context, program.address.replace(PUBLIC, origin), "Nerea")
            called(page)
            worker = working(context, page)
            page.goto("about:blank")
            worker.evaluate(MOVED)
    finally:
        assert program.stop() == 0, program.log()
    (kept,) = noted(tmp_path)
    assert "https://push.example.net/send/2" in kept
    assert "https://push.example.net/send/1" not in kept


def noted(folder) -> list[str]:
    """What is noted of the guests of the program in *folder*, which has ended."""
    base = sqlite3.connect(folder / "games.db")
    try:
        return [text for (text,) in base.execute(GUESTS)]
    finally:
        base.close()


@pytest.mark.slow
def test_the_page_can_be_installed(tmp_path, chromium):
    program = Program(tmp_path)
    program.start()
    try:
        with browser_of(chromium) as context:
            page = come_in(context, program.address, "Nerea")
            line = context.new_cdp_session(page)
            told = line.send("Page.getAppManifest")
            assert told["errors"] == []
            manifest = json.loads(told["data"])
            for icon in manifest["icons"]:
                size = page.evaluate(
                    """async address => {
                        const image = new Image();
                        image.src = address;
                        await image.decode();
                        return `${image.naturalWidth}x${image.naturalHeight}`;
                    }""",
                    icon["src"],
                )
                assert icon["sizes"] in (size, "any")
            found = line.send("Page.getInstallabilityErrors")["installabilityErrors"]
            assert [one["errorId"] for one in found] in ([], ["in-incognito"])
    finally:
        assert program.stop() == 0, program.log()
