"""Records and the database that keeps them."""
