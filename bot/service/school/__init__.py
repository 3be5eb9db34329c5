"""What is done for school: exercises, puzzles, mistakes, analysis."""
