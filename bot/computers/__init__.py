"""The computer players: worker processes that think."""
