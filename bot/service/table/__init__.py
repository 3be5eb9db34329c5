"""What is done for a table."""
