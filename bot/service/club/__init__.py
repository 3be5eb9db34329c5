"""What is done for the club: ratings, ladders, medals, seasons."""
