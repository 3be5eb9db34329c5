"""Pictures of Niya."""
