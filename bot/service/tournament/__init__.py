"""What is done for tournaments."""
