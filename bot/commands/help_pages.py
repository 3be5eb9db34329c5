"""What a person or a place may choose, and what can be asked of the bot itself."""

from __future__ import annotations

from bot.commands.request import Request
from bot.commands.settings import speak
from bot.port import Answer, Said
from bot.presenters.command_specs import CommandSpec, Parameter, ParameterKind, by_topic, find_topic
from bot.presenters.rulebook import rules_card
from bot.session.unit_of_work import Refused
from bot.texts import LANGUAGES, language
from games.core import Game, phrase

LISTS_PEOPLE = frozenset({"discord"})
"""Where the person of a command is picked from a list."""


async def set_language(asked: Request) -> Answer:
    """Speak another language with the asker, also on the boards that he alone sees."""
    wanted = (asked.value("language") or "".join(asked.path)).lower()
    spoken = {
        word.lower(): code
        for code in LANGUAGES
        for word in (code, language(code).say(phrase("house.language")))
    }
    if wanted not in spoken:
        known = tuple(language(code).say(phrase("house.language")) for code in LANGUAGES)
        raise Refused(phrase("house.no-language", text=wanted[:32], known=known))
    code = spoken[wanted]
    await speak(asked, code)
    return asked.said(phrase("house.language-set"))


async def explain(asked: Request) -> Answer:
    """Explain one command, or name them all; of a game its rules are shown."""
    code = asked.language
    if wanted := asked.value("command"):
        match find_topic(wanted):
            case None:
                raise Refused(phrase("house.no-topic"))
            case Game() as game:
                return rules_card(game, code, 0, asked.services.key, asked.look)
            case CommandSpec() as command:
                return _explained(asked, command)
    lines = [asked.tongue.say(phrase("house.help"))]
    for topic, commands in by_topic():
        lines += ["", asked.tongue.say(phrase(f"house.help.{topic}"))]
        lines += [f"/{command.name_in(code)}: {command.help_in(code)}" for command in commands]
    return Said("\n".join(lines))


def _explained(asked: Request, command: CommandSpec) -> Said:
    code = asked.language
    lines = [f"/{command.name_in(code)}: {command.help_in(code)}"]
    lines += [
        f"{command.parameter_in(p, code)}: {_parameter_help(asked, command, p)}"
        for p in command.parameters
    ]
    return Said("\n".join(lines))


def _parameter_help(asked: Request, command: CommandSpec, parameter: Parameter) -> str:
    """One sentence on *parameter*; where people are picked from a list they are not typed."""
    if parameter.kind is ParameterKind.PERSON and asked.by.where.platform in LISTS_PEOPLE:
        return asked.tongue.say(phrase("discord.person"))
    return command.parameter_help(parameter, asked.language)
