"""Chance that can be checked: a commitment and numbered draws.

The table publishes the commitment to a secret before play. Draw *number* of *cases* equal cases
reads HMAC-SHA-256 blocks byte by byte, rejects bytes at or above ``256 - 256 % cases`` and takes
the rest modulo *cases*. Once the secret is published, every draw can be recomputed from it, the
table's code and the players' words.

Test vector: with a secret of 32 bytes 0x01, table ``TEST`` and words ``hola``, draws 0 to 11
of six cases are 3 4 3 5 0 4 1 5 1 5 5 1.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from dataclasses import dataclass

SCHEME = "ludoteca-dice-1"
"""Names the construction in commitments and draws."""

PUBLIC_SECRET = bytes(32)
"""The secret of draws on the command line, where nothing is at stake."""


def commitment(secret: bytes) -> str:
    """The published seal of *secret*: SHA-256, 64 hexadecimal digits."""
    return hashlib.sha256(SCHEME.encode() + b"|" + secret).hexdigest()


def fingerprint(text: str) -> str:
    """SHA-256 of *text* in UTF-8, 64 hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def draw(secret: bytes, table: str, words: str, number: int, cases: int) -> int:
    """Draw *number* of *table* with the players' *words*: 0 … *cases*-1, *cases* being 1 to 256."""
    if not 1 <= cases <= 256:
        raise ValueError(f"a draw has 1 to 256 cases, not {cases}")
    limit = 256 - 256 % cases
    block = 0
    while True:
        message = f"{SCHEME}|{table}|{number}|{words}|{block}".encode()
        for byte in hmac.new(secret, message, hashlib.sha256).digest():
            if byte < limit:
                return byte % cases
        block += 1


@dataclass
class Draws:
    """The draws of one table in order: each call takes the next number."""

    secret: bytes
    table: str
    words: str = ""
    number: int = 0

    def __call__(self, cases: int) -> tuple[int, int]:
        """The number of the draw and its case."""
        number = self.number
        self.number += 1
        return number, draw(self.secret, self.table, self.words, number, cases)


def public_draws(number: int = 0) -> Callable[[int], tuple[int, int]]:
    """Draws from the fixed public secret, for the command line and for pictures."""
    return Draws(PUBLIC_SECRET, "public", "", number)
