"""Referees from outside, by hand and at night: none of them is shipped or needed."""
