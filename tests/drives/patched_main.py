"""The bot's own entry point, with what a drive wants to be different."""

import os
from pathlib import Path

from bot.app.main import main
from bot.chats.web import budget
from bot.commands import quotas
from bot.service import request_rate_limits
from storage import upgrade
from tests.storage import later

if __name__ == "__main__":
    if later.NEXT in os.environ:
        upgrade.MIGRATIONS = later.migrations(Path(os.environ[later.NEXT]))
    # A drive is faster than any person; what limits do stands in tests/chats/test_flooding.py.
    quotas.PERSON = quotas.PLACE = 10_000
    request_rate_limits.SEATED = request_rate_limits.OTHERS = request_rate_limits.COMPLETION = (
        request_rate_limits.PLACE
    ) = request_rate_limits.SHARE = ()
    budget.PURSES = dict.fromkeys(budget.PURSES, budget.Purse(1e9, 1e9))
    main()
