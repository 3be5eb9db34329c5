"""What must survive: kills, repeated updates, simultaneous and stale clicks.

``python -m tests.faults`` runs everything at full numbers (about ten minutes) and prints a
line per fault; ``tests/faults/test_faults.py`` is the short form of the test run. Kill points
are injected here, by a store and a chat that kill their own process.
"""
