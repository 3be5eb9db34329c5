"""Screens of a place."""
