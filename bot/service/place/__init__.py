"""What is done for a place."""
