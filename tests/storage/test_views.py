"""Views, and what they owe."""

from __future__ import annotations

from dataclasses import replace

from storage import Store
from storage.club.place_id_change import move_rows
from storage.place import places
from storage.records import PlaceRow, TokenRenewal
from storage.table import views
from tests.storage.rows import NOON, add_game, add_view, later, view


async def test_a_view_comes_back_as_it_was_added(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
        row = replace(
            view("k7", "discord", "c1", "m1", 1),
            thread="t1",
            language="en",
            theme="night",
            side=1,
            token="a token",
            token_at=NOON,
            posted=later(1),
        )
        added = await views.add_view(tx, row)
        assert await views.load_view(tx, added.id) == added
    assert added == replace(row, id=added.id)


async def test_the_views_of_a_game_come_in_the_order_of_their_adding(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx, "k7")
        await add_game(tx, "k8")
        first = await add_view(tx, "k7", place="2")
        await add_view(tx, "k8", place="3")
        second = await add_view(tx, "k7", place="1")
        assert await views.views_of_game(tx, "k7") == (first, second)
        assert await views.views_of_game(tx, "k9") == ()


async def test_a_message_shows_one_thing_the_latest(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
        await add_view(tx, message="41")
        latest = await add_view(tx, message="41")
        assert await views.views_of_game(tx, latest.subject) == (latest,)


async def test_a_view_is_found_by_its_message(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
        view = await add_view(tx, place="-100", message="41")
        assert await views.view_by_message(tx, "telegram", "-100", "41") == view
        assert await views.view_by_message(tx, "telegram", "-100", "42") is None
        assert await views.view_by_message(tx, "telegram", "-101", "41") is None
        assert await views.view_by_message(tx, "discord", "-100", "41") is None


async def test_a_message_that_came_to_show_a_rematch_shows_the_rematch(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx, "k7")
        await add_game(tx, "k8")
        await add_view(tx, "k7", message="41")
        newer = await add_view(tx, "k8", message="41")
        assert await views.view_by_message(tx, "telegram", "-100", "41") == newer


async def test_owing_concerns_every_view_of_the_game_and_no_other(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx, "k7")
        await add_game(tx, "k8")
        mine = [await add_view(tx, "k7", place=place) for place in ("1", "2")]
        other = await add_view(tx, "k8", place="3")
        owing = await views.owe_views(tx, "k7", 5)
        assert owing == await views.views_of_game(tx, "k7")
        assert owing == tuple(replace(view, owed=5) for view in mine)
        assert await views.owe_views(tx, "k7", 5) == ()
        assert await views.load_view(tx, other.id) == other


async def test_the_press_that_makes_views_owe_brings_a_token_for_its_message(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
        pressed = await add_view(tx, message="41")
        other = await add_view(tx, message="42")
        renewal = TokenRenewal(pressed.platform, pressed.place, "41", "fresh", NOON)
        owing = await views.owe_views(tx, "k7", 5, renewal)
        assert owing == await views.views_of_game(tx, "k7")
        assert owing == (
            replace(pressed, owed=5, token="fresh", token_at=NOON),
            replace(other, owed=5),
        )


async def test_a_view_that_owes_a_newer_version_goes_on_owing_it(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
        view = await add_view(tx, owed=5)
        await views.owe_views(tx, "k7", 4)
        assert await views.load_view(tx, view.id) == view


async def test_owed_views_are_those_behind(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
        behind = await add_view(tx, place="1", owed=2)
        level = await add_view(tx, place="2", owed=2)
        await views.mark_view_shown(tx, level.id, 2, "d")
        assert await views.owing_views(tx) == (behind,)
        await views.mark_view_shown(tx, behind.id, 1, "d")
        assert [view.id for view in await views.owing_views(tx)] == [behind.id]
        await views.mark_view_shown(tx, behind.id, 2, "d")
        assert await views.owing_views(tx) == ()


async def test_views_of_all_platforms_are_owed_the_oldest_first(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
        here = await add_view(tx, platform="telegram")
        there = await add_view(tx, platform="discord")
        assert await views.owing_views(tx) == (here, there)


async def test_views_in_suspended_places_wait(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
        view = await add_view(tx, place="-100")
        await places.put_place(tx, "telegram", "-100", suspended=True)
        assert await views.owing_views(tx) == ()
        await places.put_place(tx, "telegram", "-100", suspended=False)
        assert await views.owing_views(tx) == (view,)


async def test_a_place_of_the_same_id_on_another_platform_suspends_nothing(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
        view = await add_view(tx, place="-100")
        await places.put_place(tx, "discord", "-100", suspended=True)
        assert await views.owing_views(tx) == (view,)


async def test_showing_keeps_what_it_is_told_and_leaves_the_rest(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
        view = await add_view(tx, message=None, owed=3)
        await views.mark_view_shown(tx, view.id, 2, "d2", message="41", posted=NOON)
        first = replace(view, shown=2, digest="d2", message="41", posted=NOON)
        assert await views.load_view(tx, view.id) == first
        await views.mark_view_shown(tx, view.id, 3, "d3")
        assert await views.load_view(tx, view.id) == replace(first, shown=3, digest="d3")


async def test_a_late_report_never_lowers_what_is_shown(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
        view = await add_view(tx, owed=3)
        await views.mark_view_shown(tx, view.id, 3, "d3")
        await views.mark_view_shown(tx, view.id, 2, "d2", message="99", posted=NOON)
        assert await views.load_view(tx, view.id) == replace(view, shown=3, digest="d3")


async def test_a_report_of_the_message_that_a_view_has_left_changes_nothing(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
        view = await add_view(tx, owed=3)
        assert await views.mark_view_shown(tx, view.id, 2, "d2", "41", NOON)
        assert not await views.mark_view_shown(tx, view.id, 3, "d3", was="40")
        (behind,) = await views.owing_views(tx)
        assert (behind.shown, behind.message) == (2, "41")
        assert await views.mark_view_shown(tx, view.id, 3, "d3", was="41")
        assert await views.owing_views(tx) == ()


async def test_one_version_may_be_shown_again_in_another_dress(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
        view = await add_view(tx)
        await views.mark_view_shown(tx, view.id, 1, "paper")
        await views.mark_view_shown(tx, view.id, 1, "night")
        assert await views.load_view(tx, view.id) == replace(view, shown=1, digest="night")


async def test_the_newest_token_is_kept(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
        view = await add_view(tx, message="41")
        for number, message in enumerate(("41", "41", "42")):
            renewal = TokenRenewal(
                view.platform, view.place, message, f"token {number}", later(number)
            )
            await views.set_view_token(tx, renewal)
        assert await views.load_view(tx, view.id) == replace(
            view, token="token 1", token_at=later(1)
        )


async def test_a_dropped_view_is_gone_and_its_id_is_not_given_again(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
        view = await add_view(tx)
        await views.delete_view(tx, view.id)
        assert await views.load_view(tx, view.id) is None
        await views.mark_view_shown(tx, view.id, 1, "late")
        assert await views.load_view(tx, view.id) is None
        again = await add_view(tx)
    assert again.id > view.id


async def test_a_group_that_became_a_supergroup_owes_its_living_boards_anew(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx, "k7", status="playing")
        await add_game(tx, "k8", status="ended")
        living = await add_view(tx, "k7", place="-5", message="1")
        over = await add_view(tx, "k8", place="-5", message="2")
        elsewhere = await add_view(tx, "k7", place="-6", message="1")
        for view in (living, over, elsewhere):
            await views.mark_view_shown(tx, view.id, 1, "d", posted=NOON)
            await views.set_view_token(
                tx, TokenRenewal("telegram", view.place, str(view.message), "t", NOON)
            )
        await move_rows(tx, "telegram", "-5", "-1005")
        assert [view.id for view in await views.owing_views(tx)] == [living.id]
        for view, shown in ((living, 0), (over, 1)):
            assert await views.load_view(tx, view.id) == replace(
                view, place="-1005", message=None, shown=shown, digest="d"
            )
        unmoved = await views.load_view(tx, elsewhere.id)
    assert unmoved is not None
    assert (unmoved.place, unmoved.message, unmoved.shown) == ("-6", "1", 1)


async def test_a_place_that_moves_again_shows_nothing_twice(store: Store) -> None:
    """A request of before may make a view in the group that was, after it has moved."""
    async with store.transaction() as tx:
        await add_game(tx, "k7", status="playing")
        first = await add_view(tx, "k7", place="-5", message="1")
        await move_rows(tx, "telegram", "-5", "-1005")
        await add_view(tx, "k7", place="-5", message=None)
        await move_rows(tx, "telegram", "-5", "-1005")
        (left,) = await views.views_of_game(tx, "k7")
    assert (left.id, left.place) == (first.id, "-1005")


async def test_a_migrated_place_takes_its_settings_along(store: Store) -> None:
    async with store.transaction() as tx:
        await places.put_place(tx, "telegram", "-5", language="en")
        await places.put_place(tx, "telegram", "-5", settings={"theme": "night", "pings": False})
        await places.put_place(tx, "telegram", "-1005", settings={"pings": True})
        await places.put_place(tx, "telegram", "-5", suspended=True)
        await move_rows(tx, "telegram", "-5", "-1005")
        assert await places.load_place(tx, "telegram", "-1005") == PlaceRow(
            "telegram", "-1005", None, False, "en", {"theme": "night", "pings": True}
        )
        assert await places.load_place(tx, "telegram", "-5") == PlaceRow(
            "telegram", "-5", None, False, None, {}
        )


async def test_a_view_owes_again_what_it_has_shown(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
        added = await add_view(tx)
        await views.mark_view_shown(tx, added.id, 1, "drawn")
        assert await views.owing_views(tx) == ()
        await views.owe_view_again(tx, added.id)
        (behind,) = await views.owing_views(tx)
    assert (behind.id, behind.digest, behind.message) == (added.id, "", "41")


async def test_a_view_whose_message_is_gone_owes_a_new_one(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
        added = await add_view(tx)
        await views.mark_view_shown(tx, added.id, 1, "drawn", posted=NOON)
        await views.miss_message(tx, added.id, "41")
        (behind,) = await views.owing_views(tx)
    assert (behind.message, behind.posted, behind.shown) == (None, NOON, 0)


async def test_a_view_keeps_the_message_that_came_since_its_old_one_was_gone(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
        added = await add_view(tx)
        await views.mark_view_shown(tx, added.id, 1, "drawn", "42", NOON)
        await views.miss_message(tx, added.id, "41")
        (kept,) = await views.views_of_game(tx, "k7")
        assert await views.owing_views(tx) == ()
    assert (kept.message, kept.digest) == ("42", "drawn")


async def test_side_and_theme_of_views_are_changed_where_they_stand(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
        here, there = await add_view(tx), await add_view(tx, place="-200")
        await views.owe_view_again(tx, here.id, side=1)
        await views.set_theme_in_place(tx, "telegram", "-100", "dark")
        changed, kept = await views.views_of_game(tx, "k7")
    assert (changed.side, changed.theme) == (1, "dark")
    assert kept == there


async def test_a_place_that_speaks_another_language_owes_its_living_boards(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx, "k7")
        await add_game(tx, "k8", status="ended")
        for code in ("k7", "k8"):
            added = await add_view(tx, code, message=code)
            await views.mark_view_shown(tx, added.id, 1, "drawn")
        owing = await views.owe_anew(tx, "en", platform="telegram", place="-100")
        assert [row.subject for row in owing] == ["k7"]
        (behind,) = await views.owing_views(tx)
        (ended,) = await views.views_of_game(tx, "k8")
    assert (behind.subject, behind.language, ended.language) == ("k7", "en", "en")
