"""The palette of each game and its prepared sprites; ``render.<game>`` puts them together."""
