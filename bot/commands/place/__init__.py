"""Commands of a place."""
