"""Computer players, which think in worker processes."""
