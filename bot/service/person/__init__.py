"""What is done for one person."""
