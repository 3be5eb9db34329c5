"""The arena: how much better one computer player is than another, with its interval."""
