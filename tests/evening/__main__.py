"""``python -m tests.evening SEED``: an evening as a readable script; ``--help`` says what else.

``--planted FILE:ID`` plants a fault first (``tests.evening.planted``). ``family 1 --to 12`` plays
evenings of a family in a Telegram group instead (``tests.evening.family``).
"""

from __future__ import annotations

import os
import sys

if os.environ.get("PYTHONHASHSEED") != "0":  # sets of words are asked in the order of their hashes
    arguments = [sys.executable, "-m", "tests.evening", *sys.argv[1:]]
    os.execve(sys.executable, arguments, {**os.environ, "PYTHONHASHSEED": "0"})

from tests.evening import loop, planted

if "--planted" in sys.argv:
    at = sys.argv.index("--planted")
    planted.plant(sys.argv[at + 1])
    del sys.argv[at : at + 2]

loop.install()  # before anything of the project is imported

from tests.evening.command import main  # noqa: E402

main()
