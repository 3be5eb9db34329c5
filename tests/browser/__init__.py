"""The page in a real browser: what is seen, touched and kept there."""
