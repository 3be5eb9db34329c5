"""Somebody who thinks until a test lets him speak."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any

import pytest

from bot.commands import request
from bot.facade import Facade
from bot.service.computers.worker import Allowance, think


@dataclass
class Thoughtful:
    """Takes the place of the worker processes of a house; *speaks* is set when he may answer."""

    speaks: asyncio.Event = field(default_factory=asyncio.Event)
    asked: list[dict[str, Any]] = field(default_factory=list)

    async def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        self.asked.append(question)
        await self.speaks.wait()
        return think({**question, "seconds": 0.5}, Allowance(time.process_time() + 0.5))


def thoughtful(facade: Facade, monkeypatch: pytest.MonkeyPatch) -> Thoughtful:
    """Let *house* ask somebody who is in no hurry; whoever asks it hears so at once."""
    thinks = Thoughtful()
    monkeypatch.setattr(facade.services.thinkers, "_ask", thinks.ask)
    monkeypatch.setattr(request, "PROMPT", 0.0)
    return thinks
