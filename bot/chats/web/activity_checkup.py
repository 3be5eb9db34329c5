"""Whether the page within Discord answers from outside, for ``ludoteca doctor``."""

from __future__ import annotations

import aiohttp

from bot.port import Diagnosis

PATIENCE = aiohttp.ClientTimeout(total=10.0)

FRAMED_BY = "https://*.discordsays.com"
"""What the policy of the page within Discord names."""


async def page_within_discord(address: str) -> Diagnosis:
    """Whether *address* answers with the page that Discord may frame."""
    try:
        async with (
            aiohttp.ClientSession(timeout=PATIENCE) as http,
            http.get(address, allow_redirects=False) as answer,
        ):
            framed = FRAMED_BY in answer.headers.get("Content-Security-Policy", "")
            status = answer.status
    except (OSError, TimeoutError, aiohttp.ClientError) as wrong:
        said = f"{address} does not answer ({type(wrong).__name__})"
        return Diagnosis("warning", f"{said}: the page within Discord stays empty.")
    if status != 200 or not framed:
        said = f"{address} answers {status} and is not the page within Discord"
        return Diagnosis("warning", f"{said}: does the bot run, and the proxy lead to it?")
    said = f"{address} answers; whether the URL mapping of the developer portal leads there, only"
    return Diagnosis("fine", f"{said} the portal knows.")
