"""The buttons that chats make themselves, and what a button of ours asks for."""

from __future__ import annotations

from dataclasses import dataclass

from bot.presenters.button_codes import (
    NO_TABLE,
    WHO,
    Action,
    Click,
    ForgedClick,
    decode_click,
    encode_click,
)


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

    def play(self, game: str, against: str = "") -> str:
        """The code of a button that opens a table of *game* for the first player who comes.

        *against* is ``computer``, or a person as ``Facade.meet`` names them.
        """
        path = (game, against) if against else (game,)
        return encode_click(Click(Action.PLAY, NO_TABLE, 0, path), self.key)

    def page(self, table: str) -> str:
        """The code of a button that opens the page at *table*, "" for none."""
        return encode_click(Click(Action.PAGE, table or NO_TABLE), self.key)

    def sheet(self, game: str) -> str:
        """The code of a button that lets its presser set up a table of *game*."""
        return encode_click(Click(Action.SHEET, NO_TABLE, 0, ("game", game)), self.key)

    def who(self, sheet: int) -> str:
        """The code of the button that picks a person to be challenged on *sheet*."""
        return encode_click(Click(Action.SHEET, NO_TABLE, sheet, WHO), self.key)
