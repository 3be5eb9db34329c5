"""What a viewer sees, as pictures: one painter a game, all on the same kit."""
