"""What must be shown: owed views and the lanes that carry them."""
