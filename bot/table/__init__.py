"""The table as a fold over its events, and the manager that stores them."""
