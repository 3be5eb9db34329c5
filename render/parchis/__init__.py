"""Pictures of Parchís."""
