"""What every drive through Telegram checks and tells."""

from __future__ import annotations

import statistics

from tests.drives.stage import Stage


def clean(stage: Stage) -> None:
    """Nothing broke the Bot API, nobody waits for an answer, nobody was called outside."""
    fake = stage.fake
    assert not fake.violations, fake.violations[:5]
    assert not fake.unanswered, fake.unanswered[:5]
    assert not stage.bot.blocked_connections
    assert fake.token not in stage.bot.output
    assert "Traceback" not in stage.bot.output, stage.bot.output[-3000:]


def told(latencies: list[float]) -> str:
    """Median, 99th percentile and worst of answers, in milliseconds."""
    ordered = sorted(latencies)
    p99 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    median = statistics.median(ordered)
    return (
        f"{len(ordered)} answers: median {median * 1000:.0f} ms, "
        f"p99 {p99 * 1000:.0f} ms, worst {ordered[-1] * 1000:.0f} ms"
    )


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
