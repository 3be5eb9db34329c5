"""What every drive through Telegram checks and tells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.drives.findings import Findings
from tests.drives.stage import Stage


def clean(stage: Stage) -> None:
    """Nothing broke the Bot API, nobody waits for an answer, nobody was called outside."""
    fake = stage.fake
    assert not fake.violations, fake.violations[:5]
    assert not fake.unanswered, fake.unanswered[:5]
    assert not stage.bot.blocked_connections
    assert fake.token not in stage.bot.output
    assert "Traceback" not in stage.bot.output, stage.bot.output[-3000:]


async def concluded(
    stage: Stage, found: Findings, *, but: Sequence[Any] = (), traced: bool = False
) -> None:
    """Count what may not be, and end the process in order.

    Presses in *but* need no answer; *traced* says that a traceback in the log is in order.
    """
    fake, wrong = stage.fake, found.wrong
    found.violations = len(fake.violations)
    wrong += [f"violation {one}" for one in fake.violations[:3]]
    found.unanswered += len([one for one in fake.unanswered if one not in but])
    wrong += [f"outside: {line}" for line in stage.bot.blocked_connections]
    if fake.token in stage.bot.output:
        wrong.append("the token is in the log")
    if not traced and "Traceback" in stage.bot.output:
        wrong.append("a traceback in the log")
    status, _ = await stage.close()
    if status != 0:
        wrong.append(f"the process ended with {status}")


def groups(stage: Stage, count: int) -> list[dict]:
    """Groups enough, so that the pace of one is not what is measured."""
    fake = stage.fake
    return [fake.add_group(f"Club {n}", [fake.A, fake.B, fake.C]) for n in range(count)]


async def ended(stage: Stage) -> str:
    """End the process in order; how long that took."""
    status, seconds = await stage.close()
    assert status == 0, status
    return f"ended in {seconds:.1f} s"


async def newest(stage: Stage, chat: int, *, pictured: bool = False) -> object:
    """The newest board in a chat, if there is one."""
    messages = [m for (place, _), m in stage.fake.messages.items() if place == chat]
    found = [m for m in messages if m.buttons and (m.photo or not pictured)]
    return found[-1] if found else None


async def nothing_pending(stage: Stage) -> bool:
    return not stage.fake.pending and not await stage.pending()
