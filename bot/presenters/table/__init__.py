"""Screens of a table."""
