"""The real process, driven from outside through emulators of the platforms.

The emulators are instruments, not part of the project: where ``../shared/emulators`` is
absent the drives say so and do nothing. ``python -m tests.drives.faults`` breaks things at the
numbers of the quality plan; ``python -m tests.drives.discord`` and ``python -m
tests.drives.telegram`` play whole games, ``--full`` or ``--share 1`` for more of them;
``python -m tests.drives.speed`` measures a press beside a bare bot.
"""
