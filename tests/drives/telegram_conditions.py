"""What a server, an administrator or a person does to a group, and undoes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.drives.telegram_cells import Cell

Act = Callable[["Cell"], Awaitable[object]]

WAIT = 240
"""Seconds for which Telegram asks at times (chatgpt-telegram#63: 237)."""


async def _nothing(cell: Cell) -> None:
    del cell


@dataclass(frozen=True)
class Switch:
    """A state of a group: *needs* is the kind of group, *on* and *off* put it there and back.

    *deaf* says that nothing that is typed in the group reaches us meanwhile.
    """

    name: str
    on: Act = _nothing
    off: Act = _nothing
    needs: frozenset[str] = frozenset()
    deaf: bool = False
    private: bool = False
    """Whether a private chat can be in that state too."""


def _permitted(**rights: bool) -> Act:
    async def act(cell: Cell) -> None:
        cell.fake.set_permissions(cell.chat, **rights)

    return act


async def _restricted(cell: Cell) -> None:
    await cell.fake.restrict_bot(cell.chat, cell.first, can_send_photos=False)


async def _unrestricted(cell: Cell) -> None:
    await cell.fake.demote_bot(cell.chat, cell.first)


async def _edits_too(cell: Cell) -> None:
    cell.fake.rights_on_edits = True
    await _permitted(can_send_photos=False)(cell)


async def _edits_again(cell: Cell) -> None:
    cell.fake.rights_on_edits = False
    await _permitted(can_send_photos=True)(cell)


async def _all_edits_too(cell: Cell) -> None:
    cell.fake.rights_on_edits = True
    await _permitted(can_send_photos=False, can_send_messages=False)(cell)


async def _all_edits_again(cell: Cell) -> None:
    cell.fake.rights_on_edits = False
    await _permitted(can_send_photos=True, can_send_messages=True)(cell)


async def _closed(cell: Cell) -> None:
    await cell.fake.close_topic(cell.chat, cell.topic, cell.first)


async def _reopened(cell: Cell) -> None:
    await cell.fake.reopen_topic(cell.chat, cell.topic, cell.first)


async def _migrated(cell: Cell) -> None:
    if "_migrated" not in cell.chat:
        cell.chat = await cell.fake.migrate(cell.chat, cell.first)
        await cell.world.rest()


async def _left(cell: Cell) -> None:
    await cell.fake.leave(cell.other, cell.chat)


async def _back(cell: Cell) -> None:
    await cell.fake.join(cell.other, cell.chat)


async def _blocked(cell: Cell) -> None:
    await cell.fake.block(cell.first)


async def _unblocked(cell: Cell) -> None:
    await cell.fake.start_bot(cell.first)


async def _kicked(cell: Cell) -> None:
    await cell.fake.kick_bot(cell.chat, cell.first)


async def _added(cell: Cell) -> None:
    await cell.fake.add_bot(cell.chat, cell.first)


async def _asked_to_wait(cell: Cell) -> None:
    fake = cell.fake
    fake.flood = True
    fake._penalty[cell.chat["id"]] = (fake.mono() + WAIT, 2, fake.mono())


async def _waited(cell: Cell) -> None:
    await cell.world.skip(WAIT + 1)
    cell.fake.flood = False
    cell.fake._penalty.clear()


async def _refused_once(cell: Cell) -> None:
    cell.fake.fail(
        "editMessageMedia",
        status=400,
        description="Bad Request: not enough rights to send text messages to the chat",
    )


async def _refused_no_more(cell: Cell) -> None:
    cell.fake.faults.clear()


PRIVATE = "private"
"""The step in a private chat: a game against the computer."""

FORUM, BASIC, COMMENTS, HIDDEN, TOPIC = "forum", "basic", "comments", "hidden", "topic"

SWITCHES = {
    one.name: one
    for one in (
        Switch("none", private=True),
        Switch("photos", _permitted(can_send_photos=False), _permitted(can_send_photos=True)),
        Switch("photos, edits too", _edits_too, _edits_again),
        Switch("photos, told", _restricted, _unrestricted),
        Switch(
            "words",
            _permitted(can_send_photos=False, can_send_messages=False),
            _permitted(can_send_photos=True, can_send_messages=True),
        ),
        Switch("words, edits too", _all_edits_too, _all_edits_again),
        Switch("General closed", _closed, _reopened, frozenset((FORUM,))),
        Switch("topic closed", _closed, _reopened, frozenset((FORUM, TOPIC))),
        Switch("comments", needs=frozenset((COMMENTS,))),
        Switch("hidden members", needs=frozenset((HIDDEN,))),
        Switch("migrated", _migrated, needs=frozenset((BASIC,))),
        Switch("left", _left, _back),
        Switch("blocked", _blocked, _unblocked),
        Switch("kicked", _kicked, _added, deaf=True),
        Switch("four minutes", _asked_to_wait, _waited, private=True),
        Switch("refused once", _refused_once, _refused_no_more, private=True),
    )
}

_APART = ({FORUM, BASIC}, {FORUM, COMMENTS}, {BASIC, COMMENTS}, {BASIC, HIDDEN})
"""Kinds of groups that no group is at once."""


def fits(names: Sequence[str], step: str) -> bool:
    """Whether there is such a cell: few states are those of a private chat."""
    return step != PRIVATE or all(SWITCHES[name].private for name in names)


def together(one: Switch, two: Switch) -> bool:
    """Whether a group can be in both states."""
    kinds = one.needs | two.needs
    topics = {one.name, two.name} == {"General closed", "topic closed"}
    silent = "migrated" in (one.name, two.name) and any(s.deaf for s in (one, two))
    return not topics and not silent and not any(pair <= kinds for pair in _APART)
