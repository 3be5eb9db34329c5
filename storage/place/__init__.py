"""Rows of a place."""
