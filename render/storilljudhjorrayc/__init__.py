"""Pictures of Storilljuðjorrayc."""
