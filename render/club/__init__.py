"""The pictures of the club: who stands where, who has won what, what there is today."""
