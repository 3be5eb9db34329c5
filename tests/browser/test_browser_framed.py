"""The page within Telegram's own, as a real browser frames it: a host that behaves as documented.

The host stands at Telegram's address, but nothing is fetched from there: the browser is handed a
page that does what core.telegram.org/api/web-events says of Telegram's.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from urllib.parse import quote, urlencode

import pytest

from tests.drives.browsing import (
    Program,
    browser_of,
    come_in,
    eventually,
    open_table,
    started,
    until,
)

TOKEN = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"
PUBLIC = "https://play.example.org"

HOST = """<!doctype html><title>host</title><iframe id="app" width="390" height="700"></iframe>
<script>
window.heard = [];
addEventListener("message", (event) => {
  if (event.source !== document.getElementById("app").contentWindow) return;
  window.heard.push([event.origin, JSON.parse(event.data)]);
});
window.tell = (eventType, eventData) =>
  document.getElementById("app").contentWindow.postMessage(
    JSON.stringify({ eventType, eventData }), "*");
</script>"""


@pytest.fixture(scope="module")
def chromium():
    # A page of the network may frame this machine: what is public is only so for the test.
    checks = "LocalNetworkAccessChecks,PrivateNetworkAccessChecks"
    with started(f"--disable-features={checks}") as browser:
        yield browser


@pytest.fixture
def program(tmp_path):
    # A token that nobody has: the chat of Telegram goes on trying at an address that refuses.
    settings = {"WEB_PUBLIC_URL": PUBLIC, "TELEGRAM_TOKEN": TOKEN}
    running = Program(tmp_path, settings={**settings, "TELEGRAM_API_URL": "http://127.0.0.1:9/bot"})
    running.start()
    yield running
    assert running.stop() == 0, running.log()
    assert "Traceback" not in running.log()


def launched(
    address: str, token: str = TOKEN, query: str = "", *, who: int = 99281932, start: str = ""
) -> str:
    """The address that Telegram opens for *who*, with what it signs behind its fragment."""
    user = {"id": who, "first_name": "Nerea", "language_code": "es"}
    told = {"auth_date": str(int(time.time())), "query_id": "AAH", "user": json.dumps(user)}
    told |= {"start_param": start} if start else {}
    lines = "\n".join(f"{key}={told[key]}" for key in sorted(told))
    key = hmac.new(b"WebAppData", token.encode(), hashlib.sha256).digest()
    told["hash"] = hmac.new(key, lines.encode(), hashlib.sha256).hexdigest()
    signed = quote(urlencode(told), safe="")
    launch = f"tgWebAppData={signed}&tgWebAppVersion=9.2&tgWebAppPlatform=weba"
    return f"{address}/m/{query}#{launch}"


def hosted(context, at: str, address: str):
    """A host page at *at* that frames *address*."""
    context.route(
        f"{at}/**", lambda route: route.fulfill(body=HOST, content_type="text/html; charset=utf-8")
    )
    page = context.new_page()
    page.goto(f"{at}/a/")
    page.eval_on_selector("#app", "(frame, address) => { frame.src = address; }", address)
    return page


def test_within_telegram_one_is_known_and_sees_the_very_table(program, chromium):
    here = f"http://127.0.0.1:{program.port}"
    with browser_of(chromium) as context, browser_of(chromium) as another:
        bruno = come_in(another, program.address.replace(PUBLIC, here), "Bruno")
        open_table(bruno, "/jugar niya")
        code = bruno.text_content("#code").removeprefix("mesa ")
        page = hosted(context, "https://web.telegram.org", launched(here, query=f"?table={code}"))
        inside = page.frame_locator("#app")
        # The headline comes with the page itself, the code with its scripts.
        inside.locator(f"#code >> text={code}").wait_for()
        assert "Bruno" in inside.locator("#board .head").first.text_content()
        until(page, "window.heard.length >= 3")
        told = page.evaluate("window.heard")
        assert {origin for origin, _ in told} == {here}
        events = [event["eventType"] for _, event in told]
        assert events[:3] == ["iframe_ready", "web_app_ready", "web_app_expand"]
        assert told[0][1]["eventData"] == {"reload_supported": True}
        assert context.cookies() == []
        inside.locator("text=Sentarme").first.click()
        until(bruno, "document.body.innerText.includes('Nerea')")
        page.evaluate("window.tell('reload_iframe')")
        until(page, "window.heard.some(([, one]) => one.eventType === 'iframe_will_reload')")
        inside.locator("#board").wait_for()


@pytest.mark.slow
def test_the_page_is_dressed_as_the_app_around_it_whose_back_button_leads_to_the_shelf(
    program, chromium
):
    here = f"http://127.0.0.1:{program.port}"
    with browser_of(chromium) as context:
        page = hosted(context, "https://web.telegram.org", launched(here))
        inside = page.frame_locator("#app")
        inside.locator("#games .cover[data-key=niya]").wait_for()
        until(page, asked("web_app_request_theme"))
        ground = inside.locator("body")
        for colour, shown in (("#17212b", "rgb(30, 28, 26)"), ("#ffffff", "rgb(244, 239, 230)")):
            told = {"theme_params": {"bg_color": colour}}
            page.evaluate("told => window.tell('theme_changed', told)", told)
            eventually(page, lambda shown=shown: background(ground) == shown, f"{colour} is worn")
        inside.locator("#doors [data-place=settings]").click()
        inside.locator("#named >> text=Pantalla completa").click()
        until(page, asked("web_app_request_fullscreen"))
        inside.locator("#named >> text=pantalla de inicio").click()
        until(page, asked("web_app_add_to_home_screen"))
        inside.locator("#talk .back").click()
        inside.locator("#games .cover[data-key=niya]").press("/")
        inside.locator("#input").fill("/jugar niya")
        inside.locator("#input").press("Enter")
        until(page, asked("web_app_setup_back_button", "{ is_visible: true }"))
        until(page, asked("web_app_setup_closing_behavior", "{ need_confirmation: true }"))
        inside.locator(".waiting .link").wait_for()
        page.evaluate("window.tell('back_button_pressed', {})")
        until(page, asked("web_app_setup_back_button", "{ is_visible: false }"))
        until(page, asked("web_app_setup_closing_behavior", "{ need_confirmation: false }"))
        inside.locator("#games .cover[data-key=niya]").wait_for()


def asked(event: str, data: str = "{}") -> str:
    """That the page last told the app around it *event* with *data*."""
    return f"""JSON.stringify(window.heard.filter(([, one]) => one.eventType === '{event}')
        .at(-1)?.[1].eventData) === JSON.stringify({data})"""


def background(body) -> str:
    """The colour of the ground of a page."""
    return body.evaluate("one => getComputedStyle(one).backgroundColor")


@pytest.mark.slow
def test_what_another_bot_signed_lets_nobody_in(program, chromium):
    here = f"http://127.0.0.1:{program.port}"
    with browser_of(chromium) as context:
        page = hosted(context, "https://web.telegram.org", launched(here, "1:another"))
        inside = page.frame_locator("#app")
        inside.locator("#said:text('Abre esta página desde el bot')").wait_for()
        assert inside.locator("#board").count() == 0


@pytest.mark.slow
def test_no_other_page_frames_it(program, chromium):
    here = f"http://127.0.0.1:{program.port}"
    context = chromium.new_context()
    refused: list[str] = []
    context.on("console", lambda said: refused.append(said.text))
    page = hosted(context, "https://evil.example", launched(here))
    eventually(page, lambda: any("frame-ancestors" in one for one in refused), "it is refused")
    assert page.frame_locator("#app").locator("#said, #board").count() == 0
    context.close()
