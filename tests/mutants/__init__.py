"""Whether the tests of the games notice a change of what they test.

``python -m tests.mutants`` draws a sample of all the small changes that mutmut can think of in
``games``, makes one after the other in a copy of this checkout, and runs the fast tests of that
game until the first fails. Each mutant is a line of a file of results, so that hours may be cut
off and taken up again.
"""
