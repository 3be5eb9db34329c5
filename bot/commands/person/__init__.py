"""Commands of one person."""
