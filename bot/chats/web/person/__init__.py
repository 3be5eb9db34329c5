"""The page for one person."""
