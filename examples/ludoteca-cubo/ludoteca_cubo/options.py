"""What may be agreed before a game of Cubo."""

from games.core import Option

FALL = Option("fall", ("no", "yes"))
"""Rule 3: whether stones fall; the first value is the usual one."""

OPTIONS = (FALL,)
