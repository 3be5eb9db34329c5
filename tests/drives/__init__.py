"""Drives of the real process through a whole platform, outside the test run."""
