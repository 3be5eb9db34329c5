"""The notations of whole games."""
