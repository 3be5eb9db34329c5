"""The commands of ``bot.presenters.command_specs`` as Discord registers them."""

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

from bot.chats.discord.answers import Interaction, Reply
from bot.chats.discord.inbound import Inbound
from bot.chats.discord.markdown import escaped
from bot.facade import COMMANDS, ChatNotes, CommandSpec, Parameter, ParameterKind
from bot.texts import AMERICAN, LANGUAGES, language
from games.core import casefolded, phrase

log = logging.getLogger(__name__)

REGISTERED = "discord-commands"
"""The note that says which commands Discord knows: they are sent only when they changed."""

SPANISH = {discord.Locale.spain_spanish: "es", discord.Locale.latin_american_spanish: AMERICAN}
"""What we call the ways of speaking in which Discord shows commands."""

IDS = "discord-command-ids"
"""The note that says under which ids, which a mention of a command needs."""

NAMED = inspect.Parameter.POSITIONAL_OR_KEYWORD

Completion = Callable[[Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]


class Names(app_commands.Translator):
    """Puts the Spanish beside the English: each text carries it."""

    async def translate(
        self,
        string: locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """The Spanish of *string* where *locale* is Spanish."""
        del context
        said = string.extras.get(SPANISH.get(locale, ""))
        return None if said is None else str(said)


class Tree(app_commands.CommandTree[discord.Client]):
    """All commands, for servers, private chats and people who installed the bot themselves."""

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
        """Send the commands to Discord if they are not those it knows; whether it was done."""
        names = Names()
        await self.set_translator(names)
        payload = [await one.get_translated_payload(self, names) for one in self.get_commands()]
        known = json.dumps([self.client.application_id, payload], sort_keys=True)
        digest = hashlib.sha256(known.encode()).hexdigest()
        ids = await notes.get(IDS)
        if await notes.get(REGISTERED) == digest and ids is not None:
            self.inbound.telling.mentions = _mentions(json.loads(ids))
            return False
        numbers = {one.name: one.id for one in await self.sync()}
        await notes.put(IDS, json.dumps(numbers))
        await notes.put(REGISTERED, digest)
        self.inbound.telling.mentions = _mentions(numbers)
        return True

    async def on_error(
        self, interaction: Interaction, error: app_commands.AppCommandError, /
    ) -> None:
        """A command of an older release, or a fault of ours: a sentence to the asker."""
        known = isinstance(
            error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch
        )
        house, wrong = self.inbound.house, getattr(error, "original", error)
        why = phrase("house.no-command") if known else house.fault_phrase(wrong, "a command")
        if interaction.type is not discord.InteractionType.application_command:
            return
        said = house.tongue(interaction.locale.value).say(why)
        await Reply(interaction, self.inbound.pulse).say(escaped(said), private=True)


def _mentions(ids: Mapping[str, int]) -> dict[str, str]:
    """By each name of a command, casefolded, what calls it where it stands in a text."""
    return {
        casefolded(name): f"</{command.name}:{ids[command.name]}>"
        for command in COMMANDS
        if command.name in ids
        for name in (command.name, *map(command.name_in, (*LANGUAGES, AMERICAN)))
    }


def _text(key: str) -> locale_str:
    said = {code: language(code).say(phrase(key)) for code in ("en", *SPANISH.values())}
    return locale_str(said.pop("en"), **said)


def _slash(command: CommandSpec, inbound: Inbound) -> app_commands.Command[Any, ..., None]:
    """*command* for Discord: its parameters become options, completed while they are typed."""

    async def given(interaction: Interaction, **values: Any) -> None:
        typed = {name: value for name, value in values.items() if isinstance(value, str)}
        people = {
            name: value for name, value in values.items() if isinstance(value, discord.abc.User)
        }
        await inbound.called(interaction, command, typed, people)

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
    """One sentence on *parameter*; a person is chosen here from a list, and not typed."""
    if parameter.kind is ParameterKind.PERSON:
        return _text("discord.person")
    return _text(f"command.{command.name}.{parameter.name}")


def _option(parameter: Parameter) -> inspect.Parameter:
    kind: Any = discord.User if parameter.kind is ParameterKind.PERSON else str
    return inspect.Parameter(
        parameter.name,
        NAMED,
        annotation=kind | None,
        default=None,
    )


def _completion(command: CommandSpec, parameter: Parameter, inbound: Inbound) -> Completion:
    async def complete(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await inbound.suggested(interaction, command, parameter.name, current)

    return complete


def _challenge(inbound: Inbound) -> app_commands.ContextMenu:
    async def challenge(interaction: Interaction, person: discord.User) -> None:
        await inbound.challenged(interaction, person)

    # With postponed annotations the library needs the class itself.
    challenge.__annotations__["person"] = discord.User
    return app_commands.ContextMenu(name=_text("discord.challenge"), callback=challenge)
