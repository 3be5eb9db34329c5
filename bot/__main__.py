"""``python -m bot`` is ``ludoteca``."""

from bot.app.main import main

main()
