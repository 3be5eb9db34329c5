"""The Spanish board: 68 squares, four corridors, four casas and four metas.

A colour is counted 0 yellow, 1 blue, 2 red, 3 green, in turn order. A piece stands at a
*route index*, the same for every colour: 0 casa, 1 salida, 2-64 the circuit, 65-71 the
corridor, 72 meta. A *place* is the spot on the board itself: 1-68 the numbered squares, the
corridor of colour ``c`` ``69+8c`` … ``75+8c``, its meta ``76+8c``, its casa ``101+c``.
The numbers are those of the usual board, as the program glparchis lists them.
"""

from __future__ import annotations

LETTERS = "AZRV"
"""Amarillo, azul, rojo, verde: how a colour is written (B14)."""

SIDES = ("yellow", "blue", "red", "green")
"""The colours in turn order, to the right round the board (P3)."""

CIRCUIT = 68
HOME = 0
SALIDA = 1
LAST = 64
"""The last route index of the circuit; the corridor follows it."""
META = 72

SALIDAS = (5, 22, 39, 56)
"""The salida of each colour."""
SEGUROS = frozenset({12, 17, 29, 34, 46, 51, 63, 68})
SAFE = SEGUROS | frozenset(SALIDAS)
"""Where nobody is captured by a piece that lands (P12)."""


def _route(colour: int) -> tuple[int, ...]:
    circuit = [(SALIDAS[colour] - 1 + step) % CIRCUIT + 1 for step in range(LAST)]
    return (101 + colour, *circuit, *range(69 + 8 * colour, 77 + 8 * colour))


ROUTES = tuple(_route(colour) for colour in range(4))
"""The places of each colour by route index."""


def is_white(place: int) -> bool:
    """Whether *place* is a numbered square that protects nobody."""
    return place <= CIRCUIT and place not in SAFE
