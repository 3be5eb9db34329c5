"""``ludoteca invite``: an address that lets so many people into the page, so long."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.app.main import main
from bot.app.output import CommandError
from bot.chats.web.doors import house_invitations
from bot.chats.web.doors.house_invitations import (
    MOST_KEPT,
    is_invited,
    make_invitation,
    spend_invitation,
)
from tests.bot.test_control_socket import perform, running, settings
from tests.databases import of_files
from tests.fakes import desk

PUBLIC = "https://play.example.org"


@of_files
async def test_the_bot_that_runs_makes_the_address(tmp_path):
    async with running(tmp_path) as (at, url):
        words = {"days": "30", "count": "2", "at": PUBLIC}
        address = await perform(settings(url), "invite", **words)
        token = address.removeprefix(f"{PUBLIC}/in/")
        assert await is_invited(at.facade.notes, token)
        assert [await spend_invitation(at.facade.notes, token) for _ in range(3)] == [
            True,
            True,
            False,
        ]
        with pytest.raises(CommandError, match="WEB_PUBLIC_URL"):
            await perform(settings(url), "invite", **{**words, "at": ""})


async def test_an_invitation_ends_with_its_days_and_others_stay(tmp_path, monkeypatch):
    async with desk(tmp_path) as at:
        notes = at.facade.notes
        short, long = [(await make_invitation(notes, days, 5))[4:] for days in (1, 30)]

        class Later(datetime):
            @classmethod
            def now(cls, tz=None):
                return datetime.now(UTC) + timedelta(days=2)

        monkeypatch.setattr(house_invitations, "datetime", Later)
        assert not await is_invited(notes, short)
        assert not await spend_invitation(notes, short)
        assert await spend_invitation(notes, long)


async def test_so_many_invitations_stand_at_once_and_their_tokens_are_not_kept(tmp_path):
    async with desk(tmp_path) as at:
        notes = at.facade.notes
        made = [(await make_invitation(notes, 1, 1))[4:] for _ in range(MOST_KEPT + 1)]
        assert [await is_invited(notes, one) for one in (made[0], made[1], made[-1])] == [
            False,
            True,
            True,
        ]
        kept = await notes.read(house_invitations.INVITATIONS, str)
        assert not any(token in kept for token in made)


async def test_a_damaged_note_lets_nobody_in_and_hinders_no_new_one(tmp_path):
    async with desk(tmp_path) as at:
        notes = at.facade.notes
        await notes.put(house_invitations.INVITATIONS, '[{"hash": 5}]')
        assert not await is_invited(notes, "x")
        assert await is_invited(notes, (await make_invitation(notes, 1, 1))[4:])


@pytest.mark.parametrize("asked", [["--days", "0"], ["--for", "x"], ["--for", "99999"]])
def test_what_is_no_number_is_refused(asked, capsys):
    with pytest.raises(SystemExit) as refused:
        main(["invite", *asked])
    assert refused.value.code == 2
    assert "a whole number from 1 to" in capsys.readouterr().err
