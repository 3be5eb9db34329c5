"""The page for a table."""
