"""What a person or a place may choose, and what can be asked of the bot itself."""

from __future__ import annotations

from bot.commands.request import Request
from bot.commands.settings import change_language
from bot.port import Answer, Said
from bot.presenters.command_specs import CommandSpec, Parameter, ParameterKind, by_topic, find_topic
from bot.presenters.rulebook import rules_card
from bot.session.unit_of_work import Refused
from bot.texts import LANGUAGES, language
from games.core import Game, phrase

LISTS_PEOPLE = frozenset({"discord"})
"""Where the person of a command is picked from a list."""


async def choose_language(request: Request) -> Answer:
    """Speak another language with the asker, also on the boards that he alone sees."""
    wanted = (request.value("language") or "".join(request.path)).lower()
    spoken = {
        word.lower(): code
        for code in LANGUAGES
        for word in (code, language(code).say(phrase("house.language")))
    }
    if wanted not in spoken:
        known = tuple(language(code).say(phrase("house.language")) for code in LANGUAGES)
        raise Refused(phrase("house.no-language", text=wanted[:32], known=known))
    code = spoken[wanted]
    await change_language(request, code)
    return request.said(phrase("house.language-set"))


async def show_help(request: Request) -> Answer:
    """Explain one command, or name them all; of a game its rules are shown."""
    code = request.language
    if wanted := request.value("command"):
        match find_topic(wanted):
            case None:
                raise Refused(phrase("house.no-topic"))
            case Game() as game:
                return rules_card(game, code, 0, request.services.key, request.look)
            case CommandSpec() as command:
                return _explained(request, command)
    lines = [request.tongue.say(phrase("house.help"))]
    for topic, commands in by_topic():
        lines += ["", request.tongue.say(phrase(f"house.help.{topic}"))]
        lines += [f"/{command.name_in(code)}: {command.help_in(code)}" for command in commands]
    return Said("\n".join(lines))


def _explained(request: Request, command: CommandSpec) -> Said:
    code = request.language
    lines = [f"/{command.name_in(code)}: {command.help_in(code)}"]
    lines += [
        f"{command.parameter_in(p, code)}: {_parameter_help(request, command, p)}"
        for p in command.parameters
    ]
    return Said("\n".join(lines))


def _parameter_help(request: Request, command: CommandSpec, parameter: Parameter) -> str:
    """One sentence on *parameter*; where people are picked from a list they are not typed."""
    if parameter.kind is ParameterKind.PERSON and request.by.where.platform in LISTS_PEOPLE:
        return request.tongue.say(phrase("discord.person"))
    return command.parameter_help(parameter, request.language)
