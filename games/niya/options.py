"""What the players of Niya agree on before a game."""

from games.core import Option

FULL_BOARD = Option("full_board", ("block", "draw"), rated=("draw",))
"""What a full board without a pattern means: the last to place has blocked, or a draw (S1)."""
