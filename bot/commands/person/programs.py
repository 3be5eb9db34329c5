"""The programs of the asker: shown, made, given another key and removed, in private alone."""

from __future__ import annotations

from collections.abc import Mapping

from bot.commands.person.account import end_sessions, erase_person
from bot.commands.request import Request
from bot.commands.services_of_handlers import AccountRoom
from bot.port import Answer, Button, Chat
from bot.presenters.button_codes import Action
from bot.presenters.settings import PROGRAMS
from bot.service.person.programs import Program
from bot.session.unit_of_work import refuse_if
from storage.person.people import PROGRAM_PLATFORM
from storage.records import IdentityRow

NEW, KEY, ASK = "new", "key", "ask"
"""What a button of the page does, before the id of its program."""


def takes_programs(chats: Mapping[str, Chat]) -> bool:
    """Whether some chat lets programs play."""
    return any(chat.capabilities.programs for chat in chats.values())


async def change_programs(request: Request, room: AccountRoom) -> Answer:
    """Do what the button says to a program of the asker, in private, and show them all."""
    place, _, _, act, external, *_ = (*request.path, "", "")
    refuse_if(not takes_programs(request.chats), "settings.unknown")
    programs, me, told = room.programs, request.person.id, ""
    match act:
        case "new":
            number = len(await programs.of_owner(me)) + 1
            name = request.pages.say("settings.programs.name", n=number)
            told = _tell_key(request, *await programs.make(request.origin, me, name))
        case "key":
            kept, key = await programs.renew(request.origin, me, external)
            await end_sessions(room, (IdentityRow(PROGRAM_PLATFORM, kept.id, 0),))
            told = _tell_key(request, kept, key)
        case "remove":
            await _remove(request, room, external)
    return await _show(request, room, place, told, external if act == ASK else "")


def _tell_key(request: Request, program: Program, key: str) -> str:
    return request.pages.say("settings.programs.key", name=program.name, secret=key)


async def _remove(request: Request, room: AccountRoom, external: str) -> None:
    """Let the program leave its tables and forget it; nothing where it is gone already."""
    for program in await room.programs.of_owner(request.person.id):
        number = await room.people.number(program.asker)
        if program.id == external and number is not None:
            await erase_person(room, request.origin, number)


async def _show(request: Request, room: AccountRoom, place: str, told: str, asked: str) -> Answer:
    pages = request.pages
    found = await room.programs.of_owner(request.person.id)

    def button(label: str, *path: str, style: str = "house") -> Button:
        return Button(label, pages.code(Action.SETTINGS, place, "me", *path), style)

    rows = []
    for one in found:
        name = one.name or one.id
        remove, style = ("remove", "danger") if one.id == asked else (ASK, "house")
        said = "settings.programs.surely" if one.id == asked else "settings.programs.remove"
        another = button(pages.say("settings.programs.renew", name=name), PROGRAMS, KEY, one.id)
        away = button(pages.say(said, name=name), PROGRAMS, remove, one.id, style=style)
        rows.append([another, away])
    make = button(pages.say("settings.programs.make"), PROGRAMS, NEW)
    rows.append([make, button(pages.say("settings.button.back"))])
    lines = [pages.say("settings.programs.about"), _address(request)]
    lines = [told] if told else lines if found else [*lines, pages.say("settings.programs.none")]
    screen = pages.page(pages.say("settings.me.programs"), [one for one in lines if one], rows)
    return request.answer_in_place(screen)


def _address(request: Request) -> str:
    """Where programs speak to us, if strangers can reach that."""
    for chat in request.chats.values():
        if chat.capabilities.programs and (link := chat.public_address().link):
            return request.pages.say("settings.programs.address", address=link)
    return ""
