"""``ludoteca forget``: somebody is forgotten by whoever runs the bot, as by ``/forgetme``."""

from __future__ import annotations

from bot.app.output import CommandError
from bot.app.settings import Settings
from bot.facade import Thinkers, open_facade
from storage import Store, people


class UnknownPerson(CommandError):
    """Nobody is known by this id on this platform."""


async def forget(settings: Settings, platform: str, external: str) -> None:
    """Forget whoever has the id *external* on *platform*: ``@name`` where no more is known of him.

    Raises ``UnknownPerson``, or a ``StorageError`` where the database is not there, is of another
    release, or a bot runs on it; nothing is changed then.
    """
    key = platform, external.casefold() if external.startswith("@") else external
    looking = await Store.open(settings.database_url, readonly=True)
    try:
        person = await looking.read(people.find_person, *key)
    finally:
        await looking.close()
    if person is None:
        raise UnknownPerson(f"Nobody is known as {external!r} on {platform!r}.")
    store = await Store.open(settings.database_url)
    try:
        house = await open_facade(store, Thinkers(), settings.ludoteca_language)
        try:
            await house.forget(person.id)
        finally:
            await house.stop()
    finally:
        await store.close()
