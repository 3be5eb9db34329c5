"""Topics of a forum: made for tables where the bot manages topics, and nowhere else."""

from __future__ import annotations

import pytest

from bot.port import ChatError, Where
from tests.telegram_api import Refusal
from tests.telegram_messages import GROUP

FORUM = Where("telegram", "-1000000000002", "7")
RIGHTS = dict.fromkeys(
    (
        *("can_be_edited", "is_anonymous", "can_manage_chat", "can_delete_messages"),
        *("can_manage_video_chats", "can_restrict_members", "can_promote_members"),
        *("can_change_info", "can_invite_users", "can_post_stories", "can_edit_stories"),
        "can_delete_stories",
    ),
    False,
)


def forum(at, monkeypatch, *, is_forum: bool = True, manages: bool | None = True) -> None:
    """The group has topics, and the bot manages them; ``None``: it is no administrator."""
    about = {"id": int(FORUM.place), "type": "supergroup", "title": "Foro", "is_forum": is_forum}
    about |= {"accent_color_id": 1, "max_reaction_count": 1, "accepted_gift_types": {}}
    gifts = ("unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription")
    about["accepted_gift_types"] = dict.fromkeys((*gifts, "gifts_from_channels"), False)
    me = at.api.getme(None)
    member = {"status": "member", "user": me}
    if manages is not None:
        member = {**RIGHTS, "status": "administrator", "user": me, "can_manage_topics": manages}
    monkeypatch.setattr(at.api, "getchat", lambda asked: about)
    monkeypatch.setattr(at.api, "getchatmember", lambda asked: member)


@pytest.mark.parametrize(
    ("is_forum", "manages", "may"),
    [(True, True, True), (True, False, False), (True, None, False), (False, True, False)],
)
async def test_topics_are_offered_where_the_bot_may_make_them(
    at, monkeypatch, is_forum, manages, may
):
    forum(at, monkeypatch, is_forum=is_forum, manages=manages)
    assert await at.chat.may_part(FORUM) == may


@pytest.mark.slow
async def test_nothing_is_offered_where_telegram_does_not_tell(at, monkeypatch):
    def refuse(asked):
        raise Refusal(400, "Bad Request: chat not found")

    monkeypatch.setattr(at.api, "getchat", refuse)
    assert not await at.chat.may_part(FORUM)


async def test_a_private_chat_and_a_small_group_have_no_topics(at):
    before = len(at.api.asked)
    assert not await at.chat.may_part(Where("telegram", "17", private=True))
    assert not await at.chat.may_part(Where("telegram", "-17"))
    assert len(at.api.asked) == before


async def test_a_topic_is_made_and_removed_again(at):
    made = await at.chat.part(FORUM, "ABCDEF · Ana – Bruno · " + "x" * 200)
    assert (made.platform, made.place) == (FORUM.platform, FORUM.place)
    assert made.thread not in (None, FORUM.thread)
    (asked,) = at.api.calls("createForumTopic")
    assert asked.values["name"].startswith("ABCDEF · Ana – Bruno")
    await at.chat.keep(made, played=True)
    assert not at.api.calls("deleteForumTopic")
    await at.chat.keep(made, played=False)
    (asked,) = at.api.calls("deleteForumTopic")
    assert asked.values["message_thread_id"] == made.thread


async def test_a_group_that_makes_none_says_so(at):
    def refuse(asked):
        if asked.method == "createForumTopic":
            raise Refusal(400, "Bad Request: not enough rights to create a topic")

    at.api.refuse = refuse
    with pytest.raises(ChatError):
        await at.chat.part(Where("telegram", str(GROUP["id"])), "a table")
