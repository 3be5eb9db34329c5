"""The grammar of a button, for every chat: ``act.table.turn.path.mac``, at most 64 bytes.

The path holds the steps chosen so far, so nothing is stored. The mac keeps forged bytes from being
parsed; what a press may do depends on the presser's seat alone.
"""

from __future__ import annotations

import base64
import hmac
import re
from dataclasses import dataclass
from enum import StrEnum, unique


@unique
class Action(StrEnum):
    """An action; its letter or digit stands first in a code, and is never given to another."""

    PLAY = "p"
    SHEET = "P"
    JOIN = "j"
    INVITED = "J"
    CHAIRS = "C"
    COMPUTER = "c"
    START = "g"
    LEAVE = "x"
    CLOSE = "k"
    MOVE = "m"
    ASIDE = "y"
    WHY = "q"
    HINT = "H"
    ODDS = "O"
    REVIEW = "R"
    SAY_WORDS = "s"
    COUNT = "1"
    RESIGN = "r"
    OFFER = "o"
    ANSWER = "t"
    REMATCH = "n"
    CLOCK = "T"
    HOLIDAYS = "V"
    BOARD = "d"
    PAGE = "Z"
    MINE = "v"
    BACK = "b"
    MORE = "z"
    FLIP = "f"
    DESCRIBE = "w"
    RULES = "i"
    RECORD = "e"
    VERIFY = "u"
    REPLAY = "Y"
    KEEPSAKE = "X"
    ASK = "Q"
    GAMES = "a"
    LANGUAGE = "l"
    HELP = "h"
    SETTINGS = "A"
    STARTER = "B"
    LINK = "L"
    PRIVACY = "I"
    MY_DATA = "D"
    FORGET = "F"
    TOP = "S"
    PROFILE = "N"
    VERSUS = "W"
    EXPORT = "G"
    IMPORTED = "M"
    OPEN = "2"
    LEARN = "E"
    TOURNAMENT = "U"
    PUZZLE = "K"


LONGEST_CODE = 64
"""The most bytes of a code, which is Telegram's limit."""

NO_TABLE = "0000"
"""Stands for the table in the code of a button that belongs to none."""

_RELEASE = b"2."
"""Signed with every code: the release that last changed what buttons mean."""

_UNSIGNED = ("/", "challenge.")
"""How the buttons of release 0.1 began that were not signed."""

WORDS = ("words",)
"""The path of the button of a draft that asks for a player's own words."""

CLOCK = ("own-clock",)
"""The path of the button that asks for a typed clock."""

START_TIME = ("when",)
"""The path of the button that asks for a typed time at which a tournament starts."""

TYPED = "type"
"""Begins the path of the button that asks for a typed answer to an exercise."""

MISSED = "missed"
"""The path of the button that takes the win over a player who is missed."""

FOR = "for"
"""Begins the path of the button that lets a computer play on for a seat."""

AFAR, ALERT = "afar", "alert"
"""Begin the paths of buttons that seat somebody elsewhere, and that change what they are told."""

TO_CHOOSE = ("turn",)
"""The path of the button that leads to a choice in private."""

DECLINED = ("no",)
"""The path of the button that declines the newcomer's set of pieces."""

WHO = ("who",)
"""The path of the button by which a person is picked for a draft."""

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_CODE = re.compile(
    r"([0-9a-zA-Z])\.([0-9A-Z]{4,8})\.([0-9a-z]{1,6})\.([^.\s]{0,160})\.([A-Za-z0-9_-]{6})"
)


@dataclass(frozen=True)
class Click:
    """What a button means: *act* at *table*, made while *turn* was the present one.

    *turn* is the number of the last event that changed what the presser may do; *path* the
    steps chosen so far, or the arguments of the act.
    """

    act: Action
    table: str
    turn: int = 0
    path: tuple[str, ...] = ()

    @property
    def opens(self) -> bool:
        """Whether it opens a table."""
        return self.act is Action.PLAY or (self.act is Action.SHEET and self.path == ("start",))

    @property
    def asks(self) -> str:
        """Which text the button asks for: own words, a clock, a start or a move; "" for none."""
        if self.act in (Action.LEARN, Action.PUZZLE) and self.path[:1] == (TYPED,):
            return "move"
        if self.act is Action.TOURNAMENT and self.path == START_TIME:
            return "start"
        if self.act is Action.SAY_WORDS or (self.act is Action.SHEET and self.path == WORDS):
            return "words"
        return "clock" if self.act is Action.SHEET and self.path == CLOCK else ""

    @property
    def picks(self) -> bool:
        """Whether the button asks for a person: one to be challenged, or to be compared with."""
        return self.act in (Action.SHEET, Action.VERSUS) and self.path == WHO


class ForgedClick(Exception):
    """The code of a button was not made by us."""


class OldClick(ForgedClick):
    """The button is of an older release and may mean something else today."""

    def __init__(self, table: str = NO_TABLE) -> None:
        super().__init__(table)
        self.table = table


def encode_click(click: Click, key: bytes) -> str:
    """The code of *click* under the secret *key*; raises ``ValueError`` past 64 bytes."""
    body = f"{click.act}.{click.table}.{base36(click.turn)}.{','.join(click.path)}"
    code = f"{body}.{_mac(_RELEASE, body, key)}"
    if len(code.encode()) > LONGEST_CODE:
        raise ValueError(f"a button's code of {len(code.encode())} bytes: {code}")
    return code


def decode_click(code: str, key: bytes) -> Click:
    """The click of *code*; raises ``OldClick`` for release 0.1, ``ForgedClick`` for other bytes."""
    if code.startswith(_UNSIGNED):
        raise OldClick
    found = _CODE.fullmatch(code) if len(code) <= LONGEST_CODE else None
    if found is None:
        raise ForgedClick
    letter, table, turn, path, mac = found.groups()
    body = code[: -len(mac) - 1]
    if not hmac.compare_digest(_mac(_RELEASE, body, key), mac):
        if hmac.compare_digest(_mac(b"", body, key), mac):
            raise OldClick(table)
        raise ForgedClick
    return Click(Action(letter), table, int(turn, 36), tuple(path.split(",")) if path else ())


def _mac(release: bytes, body: str, key: bytes) -> str:
    digest = hmac.digest(key, release + body.encode(), "sha256")
    return base64.urlsafe_b64encode(digest[:6])[:6].decode()


def base36(number: int) -> str:
    """*number* in base 36; raises ``ValueError`` if it is negative."""
    if number < 0:
        raise ValueError(f"no code tells {number}")
    digits = ""
    while number:
        number, rest = divmod(number, 36)
        digits = _DIGITS[rest] + digits
    return digits or "0"


def strip_mac(code: str) -> str:
    """*code* without its mac where it is that of a move, which does no more than a typed one."""
    return code[: code.rfind(".") + 1] if code.startswith(f"{Action.MOVE}.") else code


@dataclass(frozen=True)
class ChatButtons:
    """Codes of buttons, signed with the house's *key*."""

    key: bytes

    def click(self, code: str) -> Click | None:
        """What the button with this *code* asks for, ``None`` where it is none of ours."""
        try:
            return decode_click(code, self.key)
        except ForgedClick:
            return None

    def sign_move(self, code: str) -> str:
        """*code* with its mac where it is that of a move, and ends before it."""
        body, _, mac = code.rpartition(".")
        bare = code.startswith(f"{Action.MOVE}.") and not mac
        return f"{body}.{_mac(_RELEASE, body, self.key)}" if bare else code

    def of(self, act: Action, *path: str) -> str:
        """The code of a button for the action *act* at no table."""
        return encode_click(Click(act, NO_TABLE, 0, path), self.key)

    def play(self, game: str, against: str = "") -> str:
        """The code of a button that opens a table of *game* for the first player who comes.

        *against* is ``computer``, or a person as ``Requests.meet`` names them.
        """
        return self.of(Action.PLAY, game, *filter(None, [against]))

    def at(self, act: Action, table: str) -> str:
        """The code of a button for the action *act* at *table*, "" for none."""
        return encode_click(Click(act, table or NO_TABLE), self.key)

    def sheet(self, game: str, against: str = "") -> str:
        """The code of a button that lets its presser set up a table of *game*, *against* a person.

        They are named as by ``Requests.meet``.
        """
        return self.of(Action.SHEET, "game", game, *filter(None, [against]))

    def who(self, sheet: int) -> str:
        """The code of the button that picks a person to be challenged on *sheet*.

        Without a sheet, 0, they are compared with the asker.
        """
        act = Action.SHEET if sheet else Action.VERSUS
        return encode_click(Click(act, NO_TABLE, sheet, WHO), self.key)
