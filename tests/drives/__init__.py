"""The real process, driven from outside, and what takes too long for a test.

The emulators of the platforms are instruments, not part of the project: where
``../shared/emulators`` is absent the drives say so and do nothing. ``world`` holds a platform and
the bot on it, ``report`` what a drive found. The first lines of each drive say how it is called;
what a whole house must hold on both platforms is asked by ``tests.evening``.
"""
