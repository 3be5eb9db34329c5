"""The commands of ``bot.presenters.command_specs``, registered with Discord."""

from __future__ import annotations

import hashlib
import inspect
import json
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from functools import partial
from typing import Any, cast

import discord
from discord import app_commands
from discord.app_commands import locale_str
from pydantic import TypeAdapter

from bot.chats.discord.entry_point_command import (
    ENTRY_POINT_MISSING,
    HANDLED_BY_US,
    entry_point,
    is_entry,
    sent_back,
    with_names,
)
from bot.chats.discord.inbound import Inbound
from bot.chats.discord.reply import Interaction, Reply
from bot.facade import (
    BY_ACT,
    CLOSED,
    COMMANDS,
    GROUPS,
    Action,
    ChatNotes,
    CommandSpec,
    Parameter,
    ParameterKind,
    closed_choices,
    find_command,
    group_of,
)
from bot.texts import AMERICAN, FALLBACK, LANGUAGES, language, spoken
from games.core import casefolded, phrase

log = logging.getLogger(__name__)

REGISTERED, IDS, GROUPED = "discord-commands", "discord-command-ids", "discord-commands-grouped"
"""The notes with a digest of the registered commands, with their ids, for mentions of them, and
with the instant at which those that stood alone went into groups, in seconds of Unix time."""

LOCALES = {
    locale: code
    for locale in discord.Locale
    if (code := spoken(locale.value)) is not None and code != FALLBACK
}
"""Our names of those of Discord's locales that we speak."""

FILE = "file"
"""The option for a file, of commands that take one."""

PLACE = "place"
"""The group of what those do who manage a place."""

NAMED = inspect.Parameter.POSITIONAL_OR_KEYWORD

MESSAGE = discord.AppCommandType.message

Completion = Callable[[Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]


class CommandTranslator(app_commands.Translator):
    """Translates texts, each of which carries its translations."""

    async def translate(
        self, string: locale_str, locale: discord.Locale, _context: object
    ) -> str | None:
        """*string* in the language of *locale*, if we speak it."""
        said = string.extras.get(LOCALES.get(locale, ""))
        return None if said is None else str(said)


class CommandTree(app_commands.CommandTree[discord.Client]):
    """All commands, in servers, in private chats and for people who installed the bot."""

    def __init__(self, client: discord.Client, inbound: Inbound) -> None:
        self._open_board = _menu("discord.open-board", discord.Message, inbound.on_page)
        super().__init__(
            client,
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=True, private_channel=True
            ),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
        )
        self.inbound = inbound
        inbound.link_commands(_mentions({}))
        groups = {name: _group(name) for name in GROUPS}
        for command in COMMANDS:
            groups.get(group_of(command.name), self).add_command(_slash(command, inbound))
        for group in groups.values():
            self.add_command(group)
        self.add_command(_menu("discord.challenge", discord.User, inbound.on_challenge))
        self.add_command(_menu("discord.open-file", discord.Message, inbound.on_file))
        for name, act in (("in-words", Action.DESCRIBE), ("what-to-play", Action.MOVE)):
            tell = partial(inbound.on_board, act=act)
            self.add_command(_menu(f"discord.{name}", discord.Message, tell))

    async def register(self, notes: ChatNotes, *, activities: bool = False) -> bool:
        """Send the commands to Discord if they changed; whether they were sent.

        *activities*: the application has them, and so an Entry Point that must be sent along.
        """
        names = CommandTranslator()
        await self.set_translator(names)
        if activities and self.get_command(self._open_board.name, type=MESSAGE) is None:
            self.add_command(self._open_board)
        payload = [await one.get_translated_payload(self, names) for one in self.get_commands()]
        entry = await self._entry_point() if activities else None
        if entry is not None:
            said = _text("discord.launch").extras
            launch = {locale.value: said[code] for locale, code in LOCALES.items() if code in said}
            payload.append(with_names(sent_back(entry), launch))
        known = json.dumps([self.client.application_id, payload], sort_keys=True)
        since = await notes.read(GROUPED, float)
        digest = hashlib.sha256(known.encode()).hexdigest()
        ids = await notes.read(IDS, TypeAdapter(dict[str, int]).validate_json)
        ours = entry is None or entry.get("handler") == HANDLED_BY_US
        if since is None and ids is not None and not GROUPS.keys() <= ids.keys():
            since = time.time()
            await notes.put(GROUPED, str(since))
        self.inbound.grouped_at = since
        if await notes.read(REGISTERED, str) == digest and ids is not None and ours:
            self.inbound.link_commands(_mentions(ids))
            return False
        numbers = {str(one["name"]): int(one["id"]) for one in await self._send(payload)}
        await notes.put(IDS, json.dumps(numbers))
        await notes.put(REGISTERED, digest)
        self.inbound.link_commands(_mentions(numbers))
        return True

    async def _entry_point(self) -> dict[str, Any] | None:
        """The Entry Point as Discord has it."""
        number = self.client.application_id or 0
        return entry_point(await self.client.http.get_global_commands(number))

    async def _send(self, payload: list[dict[str, Any]]) -> Sequence[Mapping[str, Any]]:
        """Overwrite all commands; an Entry Point of which we do not know is kept as it is."""
        number, http = self.client.application_id or 0, self.client.http
        try:
            return await http.bulk_upsert_global_commands(number, payload)
        except discord.HTTPException as wrong:
            entry = await self._entry_point() if wrong.code == ENTRY_POINT_MISSING else None
            if entry is None:
                raise
        kept = {**sent_back(entry), "handler": entry.get("handler", HANDLED_BY_US)}
        return await http.bulk_upsert_global_commands(number, [*payload, kept])

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Take what the library cannot read before it does; whether the rest is its own."""
        if is_entry(interaction):
            await self.inbound.on_launch(interaction, "")
            return False
        return True

    async def on_error(
        self, interaction: Interaction, error: app_commands.AppCommandError, /
    ) -> None:
        """Answer a command of an older release, or one that failed, with a sentence."""
        known = isinstance(
            error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch
        )
        requests, wrong = self.inbound.requests, getattr(error, "original", error)
        why = phrase("house.no-command") if known else requests.fault_phrase(wrong, "a command")
        again = known and not self.inbound.is_new(interaction, keeps_ticket=False)
        if again or interaction.type is not discord.InteractionType.application_command:
            return
        typed = cast("dict[str, Any]", interaction.data or {}).get("name", "")
        old = find_command(str(typed)) if known else None
        if old is not None and group_of(old.name):
            why = phrase("discord.grouped", command=f"/{old.name}")
        said = requests.tongue(interaction.locale.value).say(why)
        await Reply(interaction, self.inbound.pulse).say(self.inbound.link(said), private=True)


def _mentions(ids: Mapping[str, int]) -> dict[str, str]:
    """Links to the commands by every name of theirs; plain words while a group has no id yet."""
    found: dict[str, str] = {}
    for command in COMMANDS:
        path = path_of(command)
        if path[0] in ids or len(path) > 1:
            link, number = f"/{' '.join(path)}", ids.get(path[0])
            link = link if number is None else f"<{link}:{number}>"
            names = (command.name, *map(command.name_in, (*LANGUAGES, AMERICAN)))
            found |= {casefolded(name): link for name in names}
    return found


def path_of(command: CommandSpec) -> tuple[str, ...]:
    """The names, in English, under which Discord has *command*: that of its group goes first."""
    group = group_of(command.name)
    return (group, _inner(command)) if group else (command.name,)


def _inner(command: CommandSpec) -> str:
    """The name of *command* within its group: what is named like its group sets it up."""
    return BY_ACT[command.act].name if command.name == group_of(command.name) else command.name


def _group(name: str) -> app_commands.Group:
    """The group *name*; that of the place stands before those who manage it alone."""
    return app_commands.Group(
        name=_text(f"discord.group.{name}.name"),
        description=_text(f"discord.group.{name}"),
        default_permissions=discord.Permissions(manage_guild=True) if name == PLACE else None,
    )


def _text(key: str) -> locale_str:
    return _say_in(lambda code: language(code).say(phrase(key)))


def _say_in(say: Callable[[str], str]) -> locale_str:
    """What *say* says in each language that we speak on Discord."""
    said = {code: say(code) for code in (FALLBACK, *LOCALES.values())}
    return locale_str(said.pop(FALLBACK), **said)


def _slash(command: CommandSpec, inbound: Inbound) -> app_commands.Command[Any, ..., None]:
    """*command* for Discord: its parameters become options with completion."""

    async def given(interaction: Interaction, **values: Any) -> None:
        typed = {name: value for name, value in values.items() if isinstance(value, str)}
        people = {
            name: value for name, value in values.items() if isinstance(value, discord.abc.User)
        }
        files = [value for value in values.values() if isinstance(value, discord.Attachment)]
        await inbound.on_command(interaction, command, typed, people, next(iter(files), None))

    options = [_option(parameter) for parameter in command.parameters]
    if command.file:
        kind: Any = discord.Attachment | None
        options.append(inspect.Parameter(FILE, NAMED, annotation=kind, default=None))
    first = inspect.Parameter("interaction", NAMED, annotation=Interaction)
    # The library reads the options from the signature.
    given.__signature__ = inspect.Signature([first, *options])  # type: ignore[attr-defined]
    helps = {p.name: _help(command, p) for p in command.parameters}
    names = {p.name: _text(f"command.{command.name}.{p.name}.name") for p in command.parameters}
    if command.file:
        helps[FILE], names[FILE] = _text("discord.file"), _text("discord.file.name")
    callback = app_commands.rename(**names)(app_commands.describe(**helps)(given))
    listed = {p.name: _choices(p) for p in command.parameters if p.kind in CLOSED}
    callback = app_commands.choices(**listed)(callback)
    made: app_commands.Command[Any, ..., None] = app_commands.Command(
        name=_text(f"command.{_inner(command)}.name"),
        description=_text(f"command.{command.name}"),
        callback=callback,
    )
    for parameter in command.parameters:
        if parameter.kind not in (ParameterKind.PERSON, ParameterKind.TEXT, *CLOSED):
            made.autocomplete(parameter.name)(_completion(command, parameter, inbound))
    return made


def _help(command: CommandSpec, parameter: Parameter) -> locale_str:
    """One sentence on *parameter*; here people are picked from a list, not typed."""
    if parameter.kind is ParameterKind.PERSON and command.act is Action.PLAY:
        return _text("discord.person")
    return _text(f"command.{command.name}.{parameter.name}")


def _choices(parameter: Parameter) -> list[app_commands.Choice[str]]:
    """The values of *parameter*, each in every language."""
    return [
        app_commands.Choice(name=_say_in(labels.__getitem__), value=value)
        for value, labels in closed_choices(parameter).items()
    ]


def _option(parameter: Parameter) -> inspect.Parameter:
    kind: Any = discord.User if parameter.kind is ParameterKind.PERSON else str
    return inspect.Parameter(parameter.name, NAMED, annotation=kind | None, default=None)


def _completion(command: CommandSpec, parameter: Parameter, inbound: Inbound) -> Completion:
    async def complete(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await inbound.complete(interaction, command, parameter.name, current)

    return complete


def _menu(
    key: str, kind: type, does: Callable[[Interaction, Any], Awaitable[None]]
) -> app_commands.ContextMenu:
    """A command in the menu of a person or a message, as *kind* says."""

    async def choose(interaction: Interaction, target: Any) -> None:
        await does(interaction, target)

    # With postponed annotations the library needs the class itself.
    choose.__annotations__["target"] = kind
    return app_commands.ContextMenu(name=_text(key), callback=choose)
