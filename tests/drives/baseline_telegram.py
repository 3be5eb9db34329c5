"""A bot that knows no game: each press puts the same board into its message, on Telegram.

It is what the speed of ours is measured against. It makes the calls that ours makes: it answers
the press, and changes the message. ``python -m tests.drives.baseline_telegram FOLDER`` finds in
FOLDER the ``board.png`` and the ``board.json`` that ``tests.drives.speed`` took of a board of
ours: its caption and its keyboard, as they were sent.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, InputMediaPhoto, Update
from telegram.constants import ParseMode
from telegram.ext import Application, CallbackQueryHandler, CommandHandler

FOLDER = Path(sys.argv[1])
PICTURE = (FOLDER / "board.png").read_bytes()
BOARD = json.loads((FOLDER / "board.json").read_text())


def keys() -> InlineKeyboardMarkup:
    rows = BOARD["rows"]
    return InlineKeyboardMarkup([[InlineKeyboardButton(**one) for one in row] for row in rows])


async def play(update: Update, _context: Any) -> None:
    assert update.message is not None
    await update.message.reply_photo(
        PICTURE, caption=BOARD["caption"], parse_mode=ParseMode.HTML, reply_markup=keys()
    )


async def press(update: Update, _context: Any) -> None:
    query = update.callback_query
    assert query is not None
    await query.answer(BOARD["toast"])
    media = InputMediaPhoto(
        PICTURE, BOARD["caption"], parse_mode=ParseMode.HTML, filename="board.png"
    )
    await query.edit_message_media(media, reply_markup=keys())


def main() -> None:
    builder = Application.builder().token(os.environ["TELEGRAM_TOKEN"])
    application = builder.base_url(f"{os.environ['TELEGRAM_API_URL'].rstrip('/')}/bot").build()
    application.add_handler(CommandHandler("play", play))
    application.add_handler(CallbackQueryHandler(press))
    application.run_polling()


if __name__ == "__main__":
    main()
