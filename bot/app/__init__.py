"""The program: its start, its settings and its command line."""
