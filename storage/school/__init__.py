"""Rows of school: exercises, puzzles, mistakes, analysis."""
