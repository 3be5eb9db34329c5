"""Rows of one person."""
