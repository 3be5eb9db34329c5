"""Laws of the house: what was won is held by a number, raised only by hand and with a reason."""
