"""How true the chances are that the house tells: games of its levels, and what came of them."""
