"""Rows of a table."""
