"""What people may write, character by character.

Hypothesis tells characters from surrogates by encoding all 1,114,112 of them: seconds in every
process of a fresh checkout. Their category says the same.
"""

from hypothesis import strategies as st

CHARACTERS = st.characters(exclude_categories=("Cs",))
