"""Pictures of shogi."""
