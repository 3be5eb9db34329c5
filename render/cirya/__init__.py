"""Pictures of Cirya."""
