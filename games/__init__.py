"""The shelf: every folder here but ``core`` is a game and exports ``GAME``."""
