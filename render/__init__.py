"""Pictures of what a viewer sees: one painter per game, all built on the same kit."""
