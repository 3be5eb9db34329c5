"""Programs for the arena."""

from tests.engines import program, tak_program

__all__ = ["program", "tak_program"]
