"""The real process, driven from outside through emulators of the platforms.

The emulators are instruments, not part of the project: where ``../shared/emulators`` is
absent the drives say so and do nothing. ``python -m tests.drives.discord`` runs all that
concerns Discord at a short count, ``--full`` at the numbers of the quality plan;
``python -m tests.drives.telegram`` all that concerns Telegram, ``--share 1`` at those numbers.
"""
