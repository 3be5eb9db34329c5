"""Of those who are forgotten in any chat, game and phase, nothing is found a while later."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

import pytest

from games.core.shelf import shelf
from tests.databases import of_files
from tests.drives.erased_people import CHATS, Victim
from tests.drives.erasures import (
    PHASES,
    Left,
    Situation,
    alike,
    emptied,
    erased,
    exported,
    situations,
)

pytestmark = of_files


@pytest.mark.slow
async def test_a_guest_who_arranges_their_pieces_stays_forgotten(tmp_path: Path) -> None:
    left = await erased(tmp_path, [("web", "storilljudhjorrayc", "set-up")], 0.2)
    assert left.wrong == []
    assert {line.partition(": ")[2] for line in left.stays} == {
        "words in event.text",
        "said by others in talk.text",
    }


@pytest.mark.slow
@pytest.mark.parametrize("game", shelf())
async def test_who_is_forgotten_in_any_chat_and_phase_stays_so(tmp_path: Path, game: str) -> None:
    wanted: Sequence[Situation] = [
        (chat, game, phase) for chat, phase in itertools.product(CHATS, PHASES)
    ]
    assert (await erased(tmp_path, wanted, 2.0)).wrong == []


async def test_what_people_are_handed_of_themselves_holds_nothing_of_those_with_ids_alike(
    tmp_path: Path,
) -> None:
    assert await exported(tmp_path, 12) == []


@pytest.mark.slow
async def test_two_hundred_exports_hold_nothing_of_others(tmp_path: Path) -> None:
    assert await exported(tmp_path, 200) == []


async def test_no_table_of_the_schema_knows_somebody_who_is_erased(tmp_path: Path) -> None:
    assert await emptied(tmp_path) == []


def test_the_drive_goes_through_every_situation_and_finds_a_name_in_any_file(
    tmp_path: Path,
) -> None:
    assert len(set(situations(200))) == len(CHATS) * len(shelf()) * len(PHASES)
    assert len(set(alike(200))) == 200
    one, left = Victim(7, "telegram", "niya", "middle", "7100755550"), Left()
    (tmp_path / "bot.log").write_bytes(f"x {one.name.upper()} {one.words}".encode())
    left._search(tmp_path / "bot.log", [one], "now")
    assert left.wrong == [
        "now: bot.log: telegram, niya, middle: name",
        "now: bot.log: telegram, niya, middle: words",
    ]
