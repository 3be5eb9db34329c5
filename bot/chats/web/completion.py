"""The line that is typed on the page: its command, and its completion."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.facade import (
    BY_ACT,
    COMMANDS,
    Action,
    CommandSpec,
    Parameter,
    ParameterKind,
    Requests,
    find_command,
    names_in,
    options_of,
    parse,
    parse_deed,
    spelling,
)
from bot.port import Command, Suggestion
from games.core import casefolded

MOVE = BY_ACT[Action.MOVE]
"""The command of a line without a slash."""

MOST_COMPLETIONS = 25
"""The most completions that are shown."""


@dataclass(frozen=True)
class Completion:
    """One completion: its *label*, a *note* beside it, and the *line* it makes."""

    label: str
    line: str
    note: str = ""


@dataclass(frozen=True)
class Completions:
    """The completions of a line, and the *parameter* of the *command* that they are for."""

    command: str = ""
    parameter: str = ""
    found: tuple[Completion, ...] = ()


def with_line(call: Command, line: str) -> Command:
    """*call* with the command and values of *line*; words that mean none are a move."""
    said = None if line.startswith("/") else parse_deed(line) or (MOVE, {"move": line.strip()})
    found = said or parse(line)
    if found is None:
        return replace(call, name=line[1:].split(" ")[0][:32])
    command, values = found
    return replace(call, name=command.name, values=values)


async def complete_line(requests: Requests, call: Command, line: str, language: str) -> Completions:
    """The completions of *line*; *call* says who types, where, and at which table."""
    if not line.strip():
        return Completions()
    if not line.startswith("/"):
        return await _moves(requests, call, line, language)
    head, blank, _ = line.partition(" ")
    if not blank:
        return Completions(found=_commands(head, language))
    command = find_command(head)
    if command is None:
        return Completions()
    values = dict(with_line(call, line[: line.rfind(" ") + 1]).values)
    parameter, text, start = _current(command, values, line)
    if parameter is None:
        return Completions(f"/{command.name_in(language)}")
    if parameter.kind is ParameterKind.MOVE and call.reply_to:
        values.setdefault("table", call.reply_to)
    asked = replace(call, name=command.name, values=values)
    found = await requests.suggest(asked, parameter.name, text)
    left = {p.name for p in command.parameters} - {*values, parameter.name}
    end = " " if left and not parameter.rest else ""
    return Completions(
        f"/{command.name_in(language)}",
        command.parameter_in(parameter, language),
        tuple(_completion(one, start, end) for one in found[:MOST_COMPLETIONS]),
    )


async def _moves(requests: Requests, call: Command, line: str, language: str) -> Completions:
    values = {"table": call.reply_to} if call.reply_to else {}
    asked, parameter = replace(call, name=MOVE.name, values=values), MOVE.parameters[0]
    found = await requests.suggest(asked, parameter.name, line.strip())
    return Completions(
        parameter=MOVE.parameter_in(parameter, language),
        found=tuple(_completion(one) for one in found[:MOST_COMPLETIONS]),
    )


def _commands(head: str, language: str) -> tuple[Completion, ...]:
    wanted = casefolded(head.removeprefix("/"))
    return tuple(
        Completion(
            f"/{command.name_in(language)}",
            f"/{command.name_in(language)}" + (" " if command.parameters else ""),
            command.help_in(language),
        )
        for command in COMMANDS
        if any(casefolded(n).startswith(wanted) for n in (command.name_in(language), command.name))
    )


def _current(
    command: CommandSpec, values: dict[str, str], line: str
) -> tuple[Parameter | None, str, str]:
    """The parameter that is being typed, its typed part, and the line before that."""
    typed = line[line.rfind(" ") + 1 :]
    before = line[: len(line) - len(typed)]
    name, mark, value = typed.partition("=")
    called_so, options = names_in(command), options_of(command)
    if mark:
        if (parameter := called_so.get(spelling(name))) is not None:
            return parameter, value, f"{before}{name}="
        return options, typed, before
    if options is not None and (after := called_so.get(spelling(before.split()[-1]))) is not None:
        values.pop(after.name, None)
        return after, typed, before
    rest = next((p for p in command.parameters if p.rest), None)
    if rest is not None:
        values.pop(rest.name, None)
        head, *words = line.split(" ")
        named = [word for word in words if "=" in word]
        loose = [word for word in words if "=" not in word]
        return rest, " ".join(loose).strip(), f"{' '.join([head, *named])} "
    return next((p for p in command.parameters if p.name not in values), None), typed, before


def _completion(one: Suggestion, start: str = "", end: str = "") -> Completion:
    """A suggestion as a completion; a note follows a middle dot in its label."""
    label, _, note = one.label.partition(" · ")
    return Completion(label, f"{start}{one.value}{end}", note)
