"""A bot that knows no game: each press puts the same board into its message, on Discord.

It is what the speed of ours is measured against. It makes the call that ours makes: its answer to
the press changes the message. ``python -m tests.drives.baseline_discord FOLDER``
finds in FOLDER the ``board.png`` and the ``board.json`` that ``tests.drives.speed`` took of a
board of ours: its components, as they were sent.
"""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path
from typing import Any

import discord
from discord import app_commands, ui


class Bare(discord.Client):
    def __init__(self, picture: bytes, board: dict[str, Any]) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
        )
        self.picture, self.board = picture, board
        self.tree = app_commands.CommandTree(self)
        self.tree.add_command(
            app_commands.Command(name="play", description="Play", callback=self.play)
        )

    async def setup_hook(self) -> None:
        await self.tree.sync()

    def view(self) -> ui.LayoutView:
        view = ui.LayoutView(timeout=None)
        container = ui.Container(ui.TextDisplay(self.board["text"]))
        item = discord.MediaGalleryItem("attachment://board.png", description=self.board["alt"])
        container.add_item(ui.MediaGallery(item))
        for row in self.board["rows"]:
            buttons = [
                ui.Button(label=label, custom_id=code, style=discord.ButtonStyle(style))
                for label, code, style in row
            ]
            container.add_item(ui.ActionRow(*buttons))
        view.add_item(container)
        view.stop()
        return view

    def file(self) -> discord.File:
        return discord.File(io.BytesIO(self.picture), "board.png", description=self.board["alt"])

    async def play(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(view=self.view(), file=self.file())

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        if interaction.type is discord.InteractionType.component:
            await interaction.response.edit_message(view=self.view(), attachments=[self.file()])


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    board = json.loads((folder / "board.json").read_text())
    Bare((folder / "board.png").read_bytes(), board).run(os.environ["DISCORD_TOKEN"])
