"""The bot's own entry point, with what a drive wants to be different.

Where ``tests.drives.kill_points`` is given a folder, the process dies at its points and paints
slowly on demand.
"""

from __future__ import annotations

import os
from pathlib import Path

from bot.app.main import main
from bot.chats.web.api import server
from bot.commands import quotas
from bot.presenters import tournament_setup
from bot.service import request_rate_limits
from bot.session import tournament_draft
from storage import upgrade
from tests.drives import kill_points
from tests.storage import later

AS_PEOPLE = "AS_PEOPLE"
"""The variable that leaves the limits of people as they are."""

ARENA = "ARENA_MINUTES"
"""The variable that says for how many minutes arenas are offered: half an hour is long."""

if __name__ == "__main__":
    if os.environ.get(kill_points.FOLDER):
        kill_points.plant(Path(os.environ[kill_points.FOLDER]))
    if later.NEXT in os.environ:
        upgrade.MIGRATIONS = later.migrations(Path(os.environ[later.NEXT]))
    if AS_PEOPLE not in os.environ:
        # A drive is faster than any person; what limits do stands in tests/chats/test_flooding.py.
        quotas.PERSON = quotas.PLACE = 10_000
        request_rate_limits.SEATED = request_rate_limits.OTHERS = request_rate_limits.COMPLETION = (
            request_rate_limits.PLACE
        ) = request_rate_limits.SHARE = ()
        server.PROGRAMS_PACE = server.ProgramPace((), (), ())
    if ARENA in os.environ:
        for module in (tournament_draft, tournament_setup):
            module.MINUTES = (int(os.environ[ARENA]),)
    main()
