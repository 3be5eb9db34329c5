"""Whether the page within Discord answers, and when somebody last came by it."""

from __future__ import annotations

from bot.app.settings import Settings
from bot.chats.web.activity import CAME
from bot.chats.web.activity_checkup import page_within_discord
from storage import Finding, Store
from storage.bot_settings import load_setting
from storage.errors import StorageError


async def activity_findings(settings: Settings) -> list[Finding]:
    """What the doctor says of the page within Discord; nothing without the secret for it."""
    if settings.discord_client_secret is None:
        return []
    if not settings.public_origin:
        said = "DISCORD_CLIENT_SECRET is set without WEB_PUBLIC_URL: nobody reaches the page"
        return [Finding("activity", "warning", f"{said} within Discord.")]
    page = await page_within_discord(f"{settings.public_origin}/d/")
    return [Finding("activity", page.level, page.text), await _last(settings.database_url)]


async def _last(url: str) -> Finding:
    """When somebody last came in by Discord."""
    hour = None
    try:
        store = await Store.open(url, readonly=True)
        try:
            hour = await store.read(load_setting, CAME)
        finally:
            await store.close()
    except StorageError:
        pass
    said = f"last in the hour from {hour}" if hour else "never yet"
    return Finding("activity", "fine", f"Somebody came in within Discord {said}.")
