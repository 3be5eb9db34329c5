"""Tournaments as pure values: their events, their pairings, their standings and their files."""
