"""Ratings as a pure reckoning: what a game, a link and a correction make of them."""
