"""The database itself, whichever it is."""
