"""How people come in."""
