"""The commands of ``bot.presenters.command_specs``, registered with Discord."""

from __future__ import annotations

import hashlib
import inspect
import json
import logging
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import locale_str

from bot.chats.discord.inbound import Inbound
from bot.chats.discord.markdown import escaped
from bot.chats.discord.reply import Interaction, Reply
from bot.facade import COMMANDS, ChatNotes, CommandSpec, Parameter, ParameterKind
from bot.texts import AMERICAN, FALLBACK, LANGUAGES, language, spoken
from games.core import casefolded, phrase

log = logging.getLogger(__name__)

REGISTERED, IDS = "discord-commands", "discord-command-ids"
"""The notes with a digest of the registered commands, and with their ids, for mentions of them."""

LOCALES = {
    locale: code
    for locale in discord.Locale
    if (code := spoken(locale.value)) is not None and code != FALLBACK
}
"""Our names of Discord's Spanish locales."""

NAMED = inspect.Parameter.POSITIONAL_OR_KEYWORD

Completion = Callable[[Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]


class CommandTranslator(app_commands.Translator):
    """Translates texts, each of which carries its Spanish."""

    async def translate(
        self,
        string: locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """The Spanish of *string* if *locale* is Spanish."""
        del context
        said = string.extras.get(LOCALES.get(locale, ""))
        return None if said is None else str(said)


class CommandTree(app_commands.CommandTree[discord.Client]):
    """All commands, in servers, in private chats and for people who installed the bot."""

    def __init__(self, client: discord.Client, inbound: Inbound) -> None:
        super().__init__(
            client,
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=True, private_channel=True
            ),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
        )
        self.inbound = inbound
        for command in COMMANDS:
            self.add_command(_slash(command, inbound))
        self.add_command(_challenge(inbound))

    async def register(self, notes: ChatNotes) -> bool:
        """Send the commands to Discord if they changed; whether they were sent."""
        names = CommandTranslator()
        await self.set_translator(names)
        payload = [await one.get_translated_payload(self, names) for one in self.get_commands()]
        known = json.dumps([self.client.application_id, payload], sort_keys=True)
        digest = hashlib.sha256(known.encode()).hexdigest()
        ids = await notes.read(IDS, _read_ids)
        if await notes.get(REGISTERED) == digest and ids is not None:
            self.inbound.link_commands(_mentions(ids))
            return False
        numbers = {one.name: one.id for one in await self.sync()}
        await notes.put(IDS, json.dumps(numbers))
        await notes.put(REGISTERED, digest)
        self.inbound.link_commands(_mentions(numbers))
        return True

    async def on_error(
        self, interaction: Interaction, error: app_commands.AppCommandError, /
    ) -> None:
        """Answer a command of an older release, or one that failed, with a sentence."""
        known = isinstance(
            error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch
        )
        facade, wrong = self.inbound.facade, getattr(error, "original", error)
        why = phrase("house.no-command") if known else facade.fault_phrase(wrong, "a command")
        if interaction.type is not discord.InteractionType.application_command:
            return
        said = facade.tongue(interaction.locale.value).say(why)
        await Reply(interaction, self.inbound.pulse).say(escaped(said), private=True)


def _read_ids(kept: str) -> dict[str, int]:
    """The ids of commands by their names; raises ``ValueError`` for anything else."""
    return {str(name): int(number) for name, number in json.loads(kept).items()}


def _mentions(ids: Mapping[str, int]) -> dict[str, str]:
    return {
        casefolded(name): f"</{command.name}:{ids[command.name]}>"
        for command in COMMANDS
        if command.name in ids
        for name in (command.name, *map(command.name_in, (*LANGUAGES, AMERICAN)))
    }


def _text(key: str) -> locale_str:
    said = {code: language(code).say(phrase(key)) for code in (FALLBACK, *LOCALES.values())}
    return locale_str(said.pop(FALLBACK), **said)


def _slash(command: CommandSpec, inbound: Inbound) -> app_commands.Command[Any, ..., None]:
    """*command* for Discord: its parameters become options with completion."""

    async def given(interaction: Interaction, **values: Any) -> None:
        typed = {name: value for name, value in values.items() if isinstance(value, str)}
        people = {
            name: value for name, value in values.items() if isinstance(value, discord.abc.User)
        }
        await inbound.on_command(interaction, command, typed, people)

    options = [_option(parameter) for parameter in command.parameters]
    first = inspect.Parameter("interaction", NAMED, annotation=Interaction)
    # The library reads the options from the signature.
    given.__signature__ = inspect.Signature([first, *options])  # type: ignore[attr-defined]
    helps = {p.name: _help(command, p) for p in command.parameters}
    names = {p.name: _text(f"command.{command.name}.{p.name}.name") for p in command.parameters}
    callback = app_commands.rename(**names)(app_commands.describe(**helps)(given))
    made: app_commands.Command[Any, ..., None] = app_commands.Command(
        name=_text(f"command.{command.name}.name"),
        description=_text(f"command.{command.name}"),
        callback=callback,
    )
    for parameter in command.parameters:
        if parameter.kind not in (ParameterKind.PERSON, ParameterKind.TEXT):
            made.autocomplete(parameter.name)(_completion(command, parameter, inbound))
    return made


def _help(command: CommandSpec, parameter: Parameter) -> locale_str:
    """One sentence on *parameter*; here people are picked from a list, not typed."""
    if parameter.kind is ParameterKind.PERSON:
        return _text("discord.person")
    return _text(f"command.{command.name}.{parameter.name}")


def _option(parameter: Parameter) -> inspect.Parameter:
    kind: Any = discord.User if parameter.kind is ParameterKind.PERSON else str
    return inspect.Parameter(parameter.name, NAMED, annotation=kind | None, default=None)


def _completion(command: CommandSpec, parameter: Parameter, inbound: Inbound) -> Completion:
    async def complete(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await inbound.complete(interaction, command, parameter.name, current)

    return complete


def _challenge(inbound: Inbound) -> app_commands.ContextMenu:
    async def challenge(interaction: Interaction, person: discord.User) -> None:
        await inbound.on_challenge(interaction, person)

    # With postponed annotations the library needs the class itself.
    challenge.__annotations__["person"] = discord.User
    return app_commands.ContextMenu(name=_text("discord.challenge"), callback=challenge)
