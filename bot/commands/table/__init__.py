"""Commands of a table."""
