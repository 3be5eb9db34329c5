"""Commands of school: exercises, puzzles, mistakes, analysis."""
