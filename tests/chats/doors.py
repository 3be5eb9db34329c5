"""A browser at the doors of the public page: it keeps cookies as browsers do, by their site."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlsplit

import aiohttp

from bot.chats.web.person.guests import Guest
from tests.chats.fake_discord_sign_in import DiscordApi
from tests.chats.telegram_oidc import TelegramOidc

PUBLIC = "https://play.example.org"
PROXIED = {
    "Host": "play.example.org",
    "X-Forwarded-For": "203.0.113.7",
    "X-Forwarded-Proto": "https",
}


@dataclass
class Came:
    """A page that was answered."""

    status: int
    text: str
    headers: Any

    @property
    def onward(self) -> str:
        """Where the page leads by itself, "" for nowhere."""
        found = re.search(r'http-equiv="refresh" content="0;url=([^"]+)"', self.text)
        return found[1] if found else ""

    @property
    def links(self) -> list[str]:
        return [
            one.replace("&amp;", "&")
            for one in re.findall(r'class="key" href="([^"]+)"', self.text)
        ]

    @property
    def said(self) -> str:
        found = re.search(r'role="status">([^<]*)<', self.text)
        return found[1] if found else ""


@dataclass
class Browser:
    """One browser of somebody, at the house *at*."""

    at: Any
    cookies: dict[str, tuple[str, str]] = field(default_factory=dict)

    async def get(self, path: str, *, from_elsewhere: bool = False, **headers: str) -> Came:
        """Open *path*; coming from another site a browser sends no strict cookies."""
        sent = [
            f"{name}={value}"
            for name, (value, site) in self.cookies.items()
            if not (from_elsewhere and site == "Strict")
        ]
        told = {**PROXIED, **({"Cookie": "; ".join(sent)} if sent else {}), **headers}
        url = f"{self.at.here}{path}"
        async with self.at.http.get(url, headers=told, allow_redirects=False) as response:
            for header in response.headers.getall("Set-Cookie", []):
                self._keep(header)
            return Came(response.status, await response.text(), response.headers)

    def _keep(self, header: str) -> None:
        for name, one in SimpleCookie(header).items():
            assert name.startswith("__Host-")
            assert one["secure"]
            assert one["httponly"]
            assert one["path"] == "/"
            if one["max-age"] == "0":
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = one.value, one["samesite"]

    async def follow(self, came: Came) -> Came:
        """Go on wherever pages of ours lead by themselves."""
        while came.onward and not came.onward.startswith("/p/"):
            came = await self.get(came.onward)
        return came

    async def begin(self, platform: str) -> dict[str, str]:
        """Press the door; what the platform's own page is asked."""
        came = await self.get(f"/door/{platform}")
        assert came.status == 303, came.text
        asked = parse_qs(urlsplit(came.headers["Location"]).query)
        return {key: values[0] for key, values in asked.items()}

    async def back(self, platform: str, **query: str) -> Came:
        """Come back from the platform's own page."""
        told = "&".join(f"{key}={value}" for key, value in query.items())
        return await self.get(f"/door/{platform}/back?{told}", from_elsewhere=True)

    async def by_discord(self, discord: DiscordApi, person: dict[str, Any]) -> Came:
        """Sign in with Discord as *person*, up to the last page."""
        asked = await self.begin("discord")
        code = discord.code_for(person, asked["code_challenge"], asked["redirect_uri"])
        return await self.follow(await self.back("discord", code=code, state=asked["state"]))

    async def by_telegram(self, telegram: TelegramOidc, **claims: Any) -> Came:
        """Sign in with Telegram as Nerea, up to the last page."""
        asked = await self.begin("telegram")
        told = telegram.claims(asked["nonce"], **claims)
        code = telegram.code(told, asked["code_challenge"], asked["redirect_uri"])
        return await self.follow(await self.back("telegram", code=code, state=asked["state"]))

    async def guest(self) -> Guest | None:
        """Whose page this browser opens at ``/``."""
        came = await self.get("/")
        found = re.match(r"/p/([0-9a-f]{32})/", came.onward)
        if found is None:
            return None
        assert (await self.get(came.onward)).status == 200
        return await self.at.chat._guests.get(found[1])

    async def page(self, guest: Guest) -> aiohttp.ClientWebSocketResponse:
        """The open page of *guest*."""
        cookie = f"__Host-ludoteca-{guest.id}"
        headers = {**PROXIED, "Origin": PUBLIC, "Cookie": f"{cookie}={self.cookies[cookie][0]}"}
        return await self.at.http.ws_connect(f"{self.at.here}/p/{guest.id}/socket", headers=headers)
