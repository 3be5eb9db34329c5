"""Screens of the club: ratings, ladders, medals, seasons."""
