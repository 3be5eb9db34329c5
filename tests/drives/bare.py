"""A bot that knows no game: each press puts the same picture into its message.

It is what the speed of ours is measured against.
"""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import discord
from discord import app_commands, ui


class Bare(discord.Client):
    def __init__(self, picture: bytes) -> None:
        super().__init__(intents=discord.Intents(guilds=True))
        self.picture = picture
        self.tree = app_commands.CommandTree(self)
        self.tree.add_command(
            app_commands.Command(name="play", description="Play", callback=self.play)
        )

    async def setup_hook(self) -> None:
        await self.tree.sync()

    def shown(self) -> dict:
        view = ui.LayoutView(timeout=None)
        row = ui.ActionRow(*(ui.Button(label=str(n), custom_id=f"b{n}") for n in range(5)))
        gallery = ui.MediaGallery(discord.MediaGalleryItem("attachment://board.png"))
        view.add_item(ui.Container(ui.TextDisplay("Board"), gallery, row))
        view.stop()
        return {"view": view, "file": discord.File(io.BytesIO(self.picture), "board.png")}

    async def play(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(**self.shown())

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        if interaction.type is discord.InteractionType.component:
            shown = self.shown()
            await interaction.response.edit_message(view=shown["view"], attachments=[shown["file"]])


if __name__ == "__main__":
    Bare(Path(sys.argv[1]).read_bytes()).run(os.environ["DISCORD_TOKEN"])
