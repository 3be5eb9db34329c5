"""Readers of words and of notation, which know neither the games' code nor its objects.

A board is what both tell alike, as plain values: who stands where, what is held, whose turn it is.
``from_words`` reads what a player who sees no picture is told, ``from_text`` the position as the
game writes it. Players are called N0 to N3.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Board = dict[str, Any]
LAST = {"es": r" [ye] ", "en": r",? and "}
"""What stands before the last thing of a list."""


class Unread(ValueError):
    """A sentence that the reader cannot make anything of, or a board that words leave open."""


def listed(text: str, code: str) -> list[str]:
    """The things of a list in the language *code*."""
    return [one for one in re.split(rf", (?:and )?|{LAST[code]}", text.rstrip(".")) if one]


def first(patterns: Sequence[str], sentence: str) -> re.Match[str] | None:
    return next((found for p in patterns if (found := re.fullmatch(p, sentence))), None)


# ---------------------------------------------------------------- Niya

CARDS = {
    "Morado": "M",
    "Azul oscuro": "O",
    "Azul claro": "L",
    "Verde": "V",
    "Purple": "M",
    "Navy": "O",
    "Light blue": "L",
    "Green": "V",
    "Rojo": "R",
    "Amarillo": "Y",
    "Red": "R",
    "Yellow": "Y",
}
MARKERS = {"ficha roja": "R", "ficha amarilla": "A", "red marker": "R", "yellow marker": "A"}


NIYA_TURN = {
    "es": r"(?:Le toca a|Empezará) N\d, con (?:las fichas )?(rojas|amarillas)\..*",
    "en": r"(?:It’s N\d’s turn|N\d will begin), with (?:the )?(red|yellow)[ ,].*",
}


def _niya_cell(said: str) -> str:
    if said in MARKERS:
        return MARKERS[said]
    if said in ("sin repartir", "not dealt yet"):
        return "."
    name, _, index = said.rpartition(" ")
    return CARDS[name] + index


def niya_words(said: Sequence[str], code: str) -> Board:
    board: Board = {"rows": {}, "last": "-", "turn": None}
    for one in said:
        if found := first((r"(?:Fila|Rank) (\d), .*?: (.*)\.",), one):
            board["rows"][found[1]] = [_niya_cell(cell) for cell in listed(found[2], code)]
        elif found := first((r"(?:Última carta retirada|Last card taken): (.*)\.",), one):
            board["last"] = _niya_cell(found[1])
        elif found := first((NIYA_TURN["es"], NIYA_TURN["en"]), one):
            board["turn"] = "R" if found[1].startswith(("roj", "red")) else "A"
    return board


def in_colours(text: str, colours: str) -> str:
    """The *text* of a board of Niya by the letters of the *colours* that lie on the table (N1)."""
    chosen = colours.upper()
    gone = [ord(place) for place in "MOLV" if place not in chosen]
    return text.translate(dict(zip(gone, (c for c in chosen if c not in "MOLV"), strict=True)))


def niya_text(text: str, *, over: bool) -> Board:
    rows, turn, last = text.split(" ")
    numbered = zip("4321", rows.split("/"), strict=True)
    cells = {number: row.split(",") for number, row in numbered}
    return {"rows": cells, "last": last, "turn": None if over else turn}


# ---------------------------------------------------------------- shogi

_NAMES = {
    "K": "rey reyes king kings",
    "R": "torre torres rook rooks",
    "B": "alfil alfiles bishop bishops",
    "G": "oro oros gold golds",
    "S": "plata platas silver silvers",
    "N": "caballero caballeros knight knights",
    "L": "lancero lanceros lance lances",
    "P": "peón peones pawn pawns",
    "+R": "dragón dragones dragon dragons",
    "+B": "caballo_dragón caballos_dragón horse horses",
    "+S": "plata_coronada platas_coronadas promoted_silver promoted_silvers",
    "+N": "caballero_coronado caballeros_coronados promoted_knight promoted_knights",
    "+L": "lancero_coronado lanceros_coronados promoted_lance promoted_lances",
    "+P": "tokin",
}
KINDS = {name.replace("_", " "): kind for kind, all_ in _NAMES.items() for name in all_.split()}
COUNTS = {"un": 1, "una": 1, "a": 1}


def shogi_words(said: Sequence[str], code: str) -> Board:
    board: Board = {"pieces": {}, "hands": {}, "turn": None}
    for one in said:
        if found := first((r".*: mueve (\w+)\.", r".*: (\w+) to play\."), one):
            board["turn"] = found[1]
        elif found := re.search(r"Le tocaba a (\w+)\.|It was (\w+)’s turn\.", one):
            board["turn"] = found[1] or found[2]
        elif found := first((r"N\d, (\w+), (?:en el tablero|on the board): (.*)\.",), one):
            for kinds in found[2].split("; "):
                kind, squares = re.fullmatch(r"(.*?) (\d[a-i].*)", kinds).groups()
                for square in listed(squares, code):
                    board["pieces"][square] = found[1], KINDS[kind]
        elif found := first((r"(\w+) (?:tiene en mano|holds in hand): (.*)\.",), one):
            for held in listed(found[2], code):
                count, kind = held.split(" ", 1)
                number = COUNTS.get(count) or int(count)
                board["hands"][found[1].lower(), KINDS[kind]] = number
    return board


def shogi_text(text: str, *, over: bool) -> Board:
    del over  # Its words say whose turn it was.
    rows, turn, hands, *_ = text.split(" ")
    board: Board = {"pieces": {}, "hands": {}, "turn": {"b": "sente", "w": "gote"}[turn]}
    for rank, row in zip("abcdefghi", rows.split("/"), strict=True):
        file = 9
        for piece in re.findall(r"\d|\+?[A-Za-z]", row):
            if piece.isdigit():
                file -= int(piece)
                continue
            owner = "sente" if piece[-1].isupper() else "gote"
            board["pieces"][f"{file}{rank}"] = owner, piece.upper()
            file -= 1
    for count, kind in re.findall(r"(\d*)([A-Za-z])", hands if hands != "-" else ""):
        owner = "sente" if kind.isupper() else "gote"
        board["hands"][owner, kind.upper()] = int(count or 1)
    return board


# ---------------------------------------------------------------- Cirya

FLEETS = {"C": "1", "S": "1", "A": "2", "E": "2", "Cisne": "1", "Águila": "2"} | {
    "Swan": "1",
    "Eagle": "2",
}
STANDING = {"cirya": "", "ciryar": "", "tampa": "S", "tampar": "S"} | {
    "hallacirya": "C",
    "hallaciryar": "C",
}


def _stack(said: str, code: str) -> str:
    """The pieces of a stack, from the bottom up, as TPS writes them."""
    joint = " con " if code == "es" else " under a "
    runs, _, top = said.partition(joint)
    pieces = ""
    for run in runs.split("-"):
        count, fleet = re.fullmatch(r"(\d*)(\w)", run).groups()
        pieces += FLEETS[fleet] * int(count or 1)
    if top:
        kind, fleet = re.fullmatch(r"(\w+) (?:del|of the) (\w+)", top).groups()
        pieces += FLEETS[fleet] + STANDING[kind]
    return pieces


def cirya_words(said: Sequence[str], code: str) -> Board:
    board: Board = {"stacks": {}, "turn": None, "number": None, "size": None}
    for one in said:
        if found := re.search(r"(\d)×\d.*?, (?:jugada|move) (\d+)\.", one):
            board["size"], board["number"] = int(found[1]), int(found[2])
        elif found := re.match(r"Le toca a N(\d)|N(\d) is to play", one):
            board["turn"] = str(int(found[1] or found[2]) + 1)
        elif found := re.match(r"(\w+) del (\w+): (.*)\.|(Swan|Eagle) (\w+): (.*)\.", one):
            kind, fleet, sati = found.group(1, 2, 3) if found[1] else found.group(5, 4, 6)
            for sat in listed(sati, code):
                board["stacks"][sat] = FLEETS[fleet] + STANDING[kind.lower()]
        elif one.startswith(("Nossë", "Nossi")):
            for stack in listed(one.split("): ", 1)[1], code):
                sat, pieces = stack.split(" ", 1)
                board["stacks"][sat] = _stack(pieces, code)
    return board


def cirya_text(text: str, *, over: bool) -> Board:
    rows, turn, number = text.split(" ")
    lines = rows.split("/")
    board: Board = {"stacks": {}, "turn": None if over else turn, "number": int(number)}
    board["size"] = len(lines)
    for rank, line in zip(range(len(lines), 0, -1), lines, strict=True):
        column = 0
        for cell in line.split(","):
            if found := re.fullmatch(r"x(\d?)", cell):
                column += int(found[1] or 1)
                continue
            board["stacks"][f"{'abcdef'[column]}{rank}"] = cell
            column += 1
    return board


# ---------------------------------------------------------------- Parchís

STARTS = {"A": 5, "Z": 22, "R": 39, "V": 56}
LETTERS = {"es": "AZRV", "en": "YBRG"}
COLOURS = {"amarillo": "A", "azul": "Z", "rojo": "R", "verde": "V"} | {
    "yellow": "A",
    "blue": "Z",
    "red": "R",
    "green": "V",
}
DUE = {
    r"tiene que tirar el dado|is to roll the die": "!",
    r"el dado está en el aire|the die is in the air": "?",
    r"ha salido un (\d)|the die shows (\d)": "d",
    r"cuenta (\d+)|(\d+) squares to count": "+",
}


PLACED = re.compile(
    r"((?:[A-Z]\d(?:, | y |,? and )?)+) ((?:en|at|in|on) .*?)"
    r"(?=(?:, (?:and )?| y | and )[A-Z]\d|$)"
)
"""Some pieces and where they are."""


def _route(colour: str, where: str) -> int:
    """The number of squares from home to *where*, as its words name it."""
    if where in ("en casa", "at home"):
        return 0
    if where in ("en la meta", "in the goal"):
        return 72
    if found := re.search(r"p(\d)", where):
        return 64 + int(found[1])
    square = int(re.search(r"(\d+)", where)[1])
    return (square - STARTS[colour]) % 68 + 1


def _due(sentence: str) -> str | None:
    for pattern, sign in DUE.items():
        if found := re.search(pattern, sentence):
            count = next((group for group in found.groups() if group), "")
            return sign + count
    return None


def parchis_words(said: Sequence[str], code: str) -> Board:
    known = str.maketrans(LETTERS[code], LETTERS["es"])
    board: Board = {"pieces": {}, "turn": None, "due": None, "sixes": 0, "last": "-"}
    for one in said:
        if found := re.match(r"(\w+), N\d: ((?:[^.]|\.(?!$| ))*)\.", one):
            colour = COLOURS[found[1].lower()]
            for part in PLACED.finditer(found[2]):
                for piece in re.findall(r"[A-Z]\d", part[1]):
                    board["pieces"][piece.translate(known)] = _route(colour, part[2])
        elif found := re.match(r"Le toca a N\d, con (\w+):|N\d, (\w+),", one):
            board["turn"] = COLOURS[(found[1] or found[2]).lower()]
            board["due"] = _due(one)
        elif one.startswith(("Se tira para empezar", "Rolling to see")):
            found = re.search(r"Tira N\d, con (\w+)\.|is N\d, (\w+)\.", one)
            board["turn"], board["due"] = COLOURS[(found[1] or found[2]).lower()], "o"
        elif found := re.match(r"Ya ha salido un seis|A six has", one):
            board["sixes"] = 1
        elif found := re.match(r"Ya han salido (\d) seises|(\d) sixes in a row", one):
            board["sixes"] = int(found[1] or found[2])
        elif found := re.match(r".*(?:este turno es|this turn is) (\w\d)\.", one):
            board["last"] = found[1].translate(known)
    return board


def parchis_text(text: str, *, over: bool) -> Board:
    *colours, turn, due, sixes, last, _ = text.split(" ")
    board: Board = {"pieces": {}, "turn": None if over else turn, "due": None if over else due}
    board["sixes"], board["last"] = int(sixes), last
    for colour in colours:
        letter, places = colour.split("=")
        for number, place in enumerate(re.sub(r"#\d|\*", "", places).split(","), 1):
            board["pieces"][f"{letter}{number}"] = int(place)
    return board


# ---------------------------------------------------------------- Storilljuðjorrayc

ARMIES = {"verde": "g", "morado": "p", "green": "g", "purple": "p"}
UNIT = r"(A|KM|JM|W|[SJKP](?:Þ|D)|T\d) (~|[a-p]\d)"
ZONES = {"g": "nopabc", "p": "fghijk"}


def storill_words(said: Sequence[str], code: str) -> Board:
    del code
    board: Board = {"units": {}, "turn": None, "uses": {"g": 0, "p": 0}, "hidden": [], "ready": []}
    for one in said:
        side = next((ARMIES[w] for w in re.findall(r"\w+", one.lower()) if w in ARMIES), None)
        if re.match(r"Le toca a |(?:Green|Purple) to move|Despliegue\.|Set-up\.", one):
            board["turn"] = side
        elif re.match(r"En el tablero|On the board", one):
            for label, place in re.findall(UNIT, one):
                board["units"][side, label] = place
        elif re.match(r"En el bosque|In the forest", one):
            for label in re.findall(r"\b(KM|JM|W|[SJKP](?:Þ|D)|T\d)\b", one):
                board["units"][side, label] = "~"
        elif found := re.search(r"(?:ha hecho|has made) (\d)", one):
            board["uses"][side] = int(found[1])
        elif re.search(r"está oculto|is hidden", one):
            board["hidden"].append(side)
        elif re.search(r"está terminado|is finished", one):
            board["ready"].append(side)
    return board


def storill_text(text: str, *, over: bool) -> Board:
    green, purple, turn, counts, last = text.split(" ")
    board: Board = {"units": {}, "turn": None if over else turn, "uses": {"g": 0, "p": 0}}
    board["hidden"], board["ready"] = [], []
    for side, army in (("g", green), ("p", purple)):
        if counts == "setup" and ":" not in army:
            if "," not in army:
                board["hidden"].append(side)
                continue
            spaces = [f"{radial}{circuit}" for circuit in "321" for radial in ZONES[side]]
            for space, label in zip(spaces, army.split(","), strict=True):
                if label != ".":
                    board["units"][side, label] = space
            continue
        for unit in army.split(",") if army != "-" else []:
            label, place = unit.split(":")
            board["units"][side, label] = place
    if counts == "setup":
        ready = zip("gp", last.split(","), strict=True)
        board["ready"] = [side for side, said in ready if said == "ready"]
    else:
        board["uses"] = dict(zip("gp", map(int, counts.split(",")), strict=True))
    return board


FromWords = Callable[[Sequence[str], str], Board]
READERS: Mapping[str, tuple[FromWords, Callable[..., Board]]] = {
    "niya": (niya_words, niya_text),
    "shogi": (shogi_words, shogi_text),
    "cirya": (cirya_words, cirya_text),
    "parchis": (parchis_words, parchis_text),
    "storilljudhjorrayc": (storill_words, storill_text),
}
