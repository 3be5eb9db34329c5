"""Places: what is kept of each, and of the patience it asked for; and the bot's settings."""

from __future__ import annotations

from storage import Store, bot_settings
from storage.place import places
from storage.records import PlaceRow
from tests.storage.rows import later


async def test_an_unknown_place_may_be_written_to_and_has_no_settings(store: Store) -> None:
    async with store.reading() as tx:
        assert await places.load_place(tx, "discord", "c1") == PlaceRow(
            "discord", "c1", None, False, None, {}
        )


async def test_each_fact_of_a_place_leaves_the_others(store: Store) -> None:
    async with store.transaction() as tx:
        await places.put_place(tx, "discord", "c1", language="en")
        await places.put_place(tx, "discord", "c1", retry_at=later(30))
        await places.put_place(tx, "discord", "c1", suspended=True)
        await places.put_place(tx, "discord", "c1", settings={"theme": "night"})
        assert await places.load_place(tx, "discord", "c1") == PlaceRow(
            "discord", "c1", later(30), True, "en", {"theme": "night"}
        )
        await places.put_place(tx, "discord", "c1", retry_at=None)
        await places.put_place(tx, "discord", "c1", suspended=False)
        assert await places.load_place(tx, "discord", "c1") == PlaceRow(
            "discord", "c1", None, False, "en", {"theme": "night"}
        )
        assert (await places.load_place(tx, "telegram", "c1")).language is None


async def test_a_setting_is_put_and_put_again(store: Store) -> None:
    async with store.transaction() as tx:
        assert await bot_settings.load_setting(tx, "button key") is None
        await bot_settings.put_setting(tx, "button key", "first")
        await bot_settings.put_setting(tx, "other", "x")
        await bot_settings.put_setting(tx, "button key", "second")
        assert await bot_settings.load_setting(tx, "button key") == "second"
        assert await bot_settings.load_setting(tx, "other") == "x"
