"""Parchís once more, slowly: pieces lie in boxes with names and walk square by square.

Written from the rule book in another way than ``games.parchis``, of which it uses nothing:
texts in, texts out. ``moves(text, options)`` lists what may be played, ``played(text,
options, move)`` answers the next text.
"""

from __future__ import annotations

ORDER = "AZRV"
EXITS = {"A": "5", "Z": "22", "R": "39", "V": "56"}
TURNINGS = {"A": "68", "Z": "17", "R": "34", "V": "51"}
GREY = {"12", "17", "29", "34", "46", "51", "63", "68"}


def following(colour: str, box: str) -> str:
    """The box after *box* on the road of *colour*."""
    if box == TURNINGS[colour]:
        return colour + "p1"
    if box == colour + "p7":
        return colour + "meta"
    if box.startswith(colour):
        return f"{colour}p{int(box[2:]) + 1}"
    return "1" if box == "68" else str(int(box) + 1)


def road(colour: str) -> list[str]:
    boxes = [colour + "casa", EXITS[colour]]
    while boxes[-1] != colour + "meta":
        boxes.append(following(colour, boxes[-1]))
    return boxes


def printed(box: str) -> str:
    return box if box.isdigit() else box[1:]


class Slow:
    def __init__(self, text: str, options: dict[str, str]) -> None:
        self.options = options
        *colours, self.turn, self.due, sixes, self.last, arrivals = text.split()
        self.sixes = int(sixes)
        self.colours = "".join(word[0] for word in colours)
        self.where: dict[str, str] = {}
        self.place: dict[str, int] = {}
        self.spent: set[str] = set()
        for word in colours:
            letter, _, rest = word.partition("=")
            if rest.endswith("*"):
                self.spent.add(letter)
                rest = rest[:-1]
            rest, _, place = rest.partition("#")
            if place:
                self.place[letter] = int(place)
            for number, index in enumerate(rest.split(","), 1):
                self.where[f"{letter}{number}"] = road(letter)[int(index)]
        self.newest = dict(a.split(":") for a in arrivals.split(",") if a != "-")

    # -- looking ---------------------------------------------------------------------

    def lying(self, box: str) -> list[str]:
        return [piece for piece, at in self.where.items() if at == box]

    def mine(self, box: str | None = None) -> list[str]:
        own = [piece for piece in self.where if piece[0] == self.turn]
        return [piece for piece in own if box is None or self.where[piece] == box]

    def closed(self, box: str, leaving: str) -> bool:
        """Whether nobody passes *box* once *leaving* has set out."""
        there = [piece for piece in self.lying(box) if piece != leaving]
        if len(there) != 2 or box.endswith(("casa", "meta")):
            return False
        if there[0][0] != there[1][0]:
            return self.options["mixed_barriers"] == "yes" and box in GREY
        if self.options["barriers_only_safe"] == "yes":
            return box in GREY
        return True

    def count(self) -> int:
        if self.due.startswith("+"):
            return int(self.due)
        if self.due == "d6" and not self.mine(self.turn + "casa"):
            return 7
        return int(self.due[1])

    # -- walking ---------------------------------------------------------------------

    def walk(self, piece: str, count: int) -> str | None:
        """Where *piece* gets with *count*, or ``None`` where it cannot go."""
        colour, box = piece[0], self.where[piece]
        if box in (colour + "casa", colour + "meta"):
            return None
        forward = road(colour)
        backward = False
        for left in range(count, 0, -1):
            if box == colour + "meta":
                backward = True
                if self.options["overshoot"] == "exact":
                    return None
            if backward:
                box = forward[forward.index(box) - 1]
                if box == TURNINGS[colour]:
                    return None
            else:
                box = following(colour, box)
            if left > 1 and self.closed(box, piece):
                return None
        there = [other for other in self.lying(box) if other != piece]
        if box == colour + "meta":
            return box
        if len(there) >= 2:
            return None
        white = box.isdigit() and box not in GREY and box not in EXITS.values()
        pairs_up = bool(there) and there[0][0] == colour
        if white and pairs_up and self.options["barriers_only_safe"] == "yes":
            return None
        return box

    def write(self, pieces: list[str], box: str, eaten: list[str]) -> str:
        return ",".join(pieces) + ">" + printed(box) + ("x" + ",".join(eaten) if eaten else "")

    def eaten(self, piece: str, box: str) -> list[str]:
        if not box.isdigit() or box in GREY or box in EXITS.values():
            return []
        return [other for other in self.lying(box) if other[0] != piece[0]]

    def leaving_home(self) -> str | None:
        home, out = self.mine(self.turn + "casa"), EXITS[self.turn]
        there = self.lying(out)
        strangers = [piece for piece in there if piece[0] != self.turn]
        if not home or len(there) - len(strangers) == 2:
            return None
        first = self.options["first_five"] == "two" and self.turn not in self.spent
        if first and len(home) >= 2 and there == strangers:
            return self.write(sorted(home)[:2], out, sorted(strangers, key=self.rank))
        if len(strangers) == 2:
            return self.write([min(home)], out, [self.newest[out]])
        if strangers and (len(there) == 2 or self.options["exit_captures"] == "always"):
            return self.write([min(home)], out, strangers)
        return self.write([min(home)], out, [])

    @staticmethod
    def rank(piece: str) -> tuple[int, str]:
        return ORDER.index(piece[0]), piece

    def walks(self) -> dict[str, str]:
        """Every piece that can walk the count, twins once: piece -> box."""
        answer: dict[str, str] = {}
        seen: set[str] = set()
        for piece in sorted(self.mine()):
            if self.where[piece] in seen:
                continue
            seen.add(self.where[piece])
            box = self.walk(piece, self.count())
            if box is not None:
                answer[piece] = box
        return answer

    def moves(self) -> list[str]:
        if self.due in ("?", "o"):
            return [f"d{eyes}" for eyes in range(1, 7)]
        if self.due == "-":
            return []
        if self.due == "!":
            return ["tirar"]
        if self.due == "d6" and self.sixes == 2:
            walked = self.last != "-" and self.where[self.last].isdigit()
            return [f"{self.last}>casa"] if walked else ["--"]
        if self.due == "d5" and (out := self.leaving_home()):
            return [out]
        walks = self.walks()
        if self.due == "d6":
            opening = {}
            for piece, box in walks.items():
                pair_box = self.where[piece]
                pair = self.mine(pair_box)
                if len(pair) == 2 and self.closed(pair_box, "") and box != pair_box:
                    opening[piece] = box
            walks = opening or walks
        written = [self.write([p], box, self.eaten(p, box)) for p, box in walks.items()]
        return written or ["--"]

    # -- playing ---------------------------------------------------------------------

    def play(self, move: str) -> str:
        if move == "tirar":
            self.due = "?"
            return self.text()
        if self.due == "?":
            self.due = move
            return self.text()
        if self.due.startswith("d"):
            row = self.sixes + 1 if self.due == "d6" else 0
            if self.due == "d5" and self.options["first_five"] == "two":
                self.spent.add(self.turn)
        else:
            row = self.sixes
        bonus = "" if move == "--" else self.carry_out(move)
        if {self.where[piece] for piece in self.mine()} == {self.turn + "meta"}:
            self.place[self.turn] = len(self.place) + 1
            return self.next_player()
        if bonus:
            self.due, self.sixes = bonus, row
            return self.text()
        if row in (1, 2):
            self.due, self.sixes = self.roll(), row
            return self.text()
        return self.next_player()

    def carry_out(self, move: str) -> str:
        """Move the pieces; the answer is the bonus earned, if any."""
        walk, _, victims = move.partition("x")
        pieces, _, target = walk.partition(">")
        box = target if target.isdigit() else self.turn + target
        for victim in victims.split(",") if victims else ():
            self.where[victim] = victim[0] + "casa"
        for piece in pieces.split(","):
            self.where[piece] = box
            self.last = piece
            if box in EXITS.values():
                self.newest[box] = piece
        for exit_box in list(self.newest):
            if len(self.lying(exit_box)) < 2:
                del self.newest[exit_box]
        if victims:
            return "+20"
        return "+10" if target == "meta" else ""

    def roll(self) -> str:
        return "!" if self.options["rolling"] == "hand" else "?"

    def next_player(self) -> str:
        over = len(self.place) == len(self.colours) - 1
        if over or (self.place and self.options["ending"] == "first"):
            self.turn, self.due, self.sixes, self.last, self.newest = "-", "-", 0, "-", {}
            return self.text()
        at = self.colours.index(self.turn)
        to_the_right = (self.colours[at + 1 :] + self.colours[: at + 1]).replace("", " ").split()
        self.turn = next(colour for colour in to_the_right if colour not in self.place)
        self.due, self.sixes, self.last = self.roll(), 0, "-"
        return self.text()

    def text(self) -> str:
        words = []
        for colour in self.colours:
            boxes = [self.where[f"{colour}{number}"] for number in range(1, 5)]
            word = f"{colour}=" + ",".join(str(road(colour).index(box)) for box in boxes)
            word += f"#{self.place[colour]}" if colour in self.place else ""
            words.append(word + ("*" if colour in self.spent else ""))
        full = sorted((b for b in self.newest if len(self.lying(b)) == 2), key=int)
        arrivals = ",".join(f"{box}:{self.newest[box]}" for box in full) or "-"
        return " ".join([*words, self.turn, self.due, str(self.sixes), self.last, arrivals])


def moves(text: str, options: dict[str, str]) -> list[str]:
    return Slow(text, options).moves()


def played(text: str, options: dict[str, str], move: str) -> str:
    return Slow(text, options).play(move)
