"""``python -m tests.tools.draw_texts LANGUAGE COUNT [SEED]``: draw texts by lot, to read them.

Prints so many texts that a reader of the language meets, each behind its key or its game: a text
of a catalogue, its singular and plural as one, or a line of the rules, of three words or more.
One seed, one lot.
"""

import random
import sys

from bot.texts import language, rules
from games.core.shelf import shelf

WORDS = 3
"""A text of fewer words is a name or a button, and is not drawn."""


def drawn(code: str, count: int, seed: int) -> list[str]:
    """So many *count* texts of *code* in the order of the lot of this *seed*."""
    texts = [f"{key}: {text}" for key, text in sorted(language(code).templates.items())]
    for game in sorted(shelf()):
        texts += [f"{game}.md: {line}" for line in rules(game, code).splitlines() if line.strip()]
    sentences = [text for text in texts if len(text.split()) > WORDS]
    return random.Random(f"{code} {seed}").sample(sentences, count)


if __name__ == "__main__":
    print(*drawn(sys.argv[1], int(sys.argv[2]), int((*sys.argv, "1")[3])), sep="\n")
