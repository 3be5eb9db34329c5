"""The bot's own entry point, with what a drive wants to be different.

``SLOW_PICTURES`` is the number of seconds that every picture takes; with ``NOBODY_LOOKS``
everybody is called at his turn, also who has just pressed.
"""

from __future__ import annotations

import os
import time

from bot import delivery
from bot.main import main
from render.kit import Gallery


def slow_down(seconds: float) -> None:
    real = Gallery.picture

    def picture(self, scene):
        time.sleep(seconds)
        return real(self, scene)

    Gallery.picture = picture


if __name__ == "__main__":
    if "SLOW_PICTURES" in os.environ:
        slow_down(float(os.environ["SLOW_PICTURES"]))
    if "NOBODY_LOOKS" in os.environ:
        delivery.PRESENT = -1.0
    main()
