"""Screens of school: exercises, puzzles, mistakes, analysis."""
