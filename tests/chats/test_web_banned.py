"""Whom the operator keeps out: their pages close within a second, and the door says why."""

import time

from bot.chats.web.chat import ENDED
from tests.chats.pages import guest_of, seated
from tests.chats.test_web_devices import closed


async def test_the_pages_of_a_banned_guest_close_and_the_door_says_why(at):
    host = await at.first()
    async with host.open() as page:
        _, other = await seated(at, page)
        guest = await guest_of(at, host)
        began = time.monotonic()
        assert await at.facade.operator.ban("web", guest.id)
        assert await closed(page) == ENDED
        assert time.monotonic() < began + 1
    status, body = await host.get(f"{guest.path}/")
    assert (status, b"no te deja jugar" in body) == (403, True)
    assert (await host.get(f"{guest.path}/socket"))[0] == 403
    theirs = await guest_of(at, other)
    assert (await other.get(f"{theirs.path}/"))[0] == 200, "the other player goes on"
    assert await at.facade.operator.unban("web", guest.id)
    assert (await host.get(f"{guest.path}/"))[0] == 200


async def test_a_frame_that_is_on_its_way_is_not_answered(at):
    host = await at.first()
    async with host.open() as page:
        guest = await guest_of(at, host)
        await at.facade.services.bars.put([("web", guest.id)], ("", ""), None)
        await page.send("press", code="p.0000.0..AAAAAA")
        assert await closed(page) == ENDED
