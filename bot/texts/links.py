"""Text that a platform would take for an address, written so that it does not.

Somebody may be called ``evil.com``: chats that make addresses tappable by themselves would send
whoever taps the name there. A word joiner, which nobody sees, keeps them from doing so.
"""

from __future__ import annotations

import re

JOINER = "\u2060"

# A dot, also one of another script, before what may be a domain or the next number of an address;
# the colon of a scheme.
_LINKS = re.compile(r"(?<=\w)[.\u3002\uff0e\uff61](?=[^\W\d_]{2}|\d{1,3}\.)|(?<=[^\W\d_]):(?=//)")


def unlinked(text: str) -> str:
    """*text* looking the same, with nothing in it that is taken for an address."""
    return _LINKS.sub(lambda found: found[0] + JOINER, text)
