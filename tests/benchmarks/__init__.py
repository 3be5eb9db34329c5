"""Benchmarks, run by hand: each prints a table of ratios measured in one run."""
