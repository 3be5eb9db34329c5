"""A bot that knows no game: each press puts the same picture into its message, on Telegram.

It is what the speed of ours is measured against.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, InputMediaPhoto, Update
from telegram.ext import Application, CallbackQueryHandler, CommandHandler

PICTURE = Path(sys.argv[1]).read_bytes() if len(sys.argv) > 1 else b""
KEYS = InlineKeyboardMarkup([[InlineKeyboardButton(str(n), callback_data=f"b{n}")] for n in "12"])


async def play(update: Update, _context: Any) -> None:
    assert update.message is not None
    await update.message.reply_photo(PICTURE, caption="Board", reply_markup=KEYS)


async def press(update: Update, _context: Any) -> None:
    query = update.callback_query
    assert query is not None
    await query.answer("Done")
    media = InputMediaPhoto(PICTURE, f"Board {query.id}", filename="board.png")
    await query.edit_message_media(media, reply_markup=KEYS)


def main() -> None:
    builder = Application.builder().token(os.environ["TELEGRAM_TOKEN"])
    application = builder.base_url(os.environ["TELEGRAM_API_URL"]).build()
    application.add_handler(CommandHandler("play", play))
    application.add_handler(CallbackQueryHandler(press))
    application.run_polling()


if __name__ == "__main__":
    main()
