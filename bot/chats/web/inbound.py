"""What a guest asks from the page, and what the page is answered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, replace

from bot.chats.web.guests import Guest, Guests
from bot.chats.web.lines import called, completions
from bot.chats.web.pictures import Pictures
from bot.chats.web.reading import Frame
from bot.chats.web.writing import Boards, Json, pictured
from bot.house import House, Verdict
from bot.port import Answer, BoardAnswer, Call, Card, FileAnswer, MenuAnswer, Press, Promised
from bot.screen.buttons import NO_TABLE, Act
from bot.screen.commands import BY_ACT
from bot.screen.setup import facts
from bot.texts import language, spoken
from games.core import Phrase, phrase
from games.core.shelf import shelf

THEMES = ("light", "dark")

OFFERED = (Act.PLAY, Act.GAMES, Act.RULES, Act.HELP)
"""What stands beside an empty line as commands, for whoever knows none."""

WORDS = "web.page."
"""How the keys of the words begin that the page says by itself."""


@dataclass(frozen=True)
class Awaited:
    """What a page hears *soon* of a wish, and its *answer*, which takes longer."""

    soon: Json
    answer: Awaitable[Json]


@dataclass
class Inbound:
    """Answers the frames of every guest; *address* is where links to us begin."""

    house: House
    guests: Guests
    pictures: Pictures
    boards: Boards
    address: Callable[[], str]

    async def tongue(self, guest: Guest) -> str:
        """The language the page speaks with *guest*."""
        if not guest.name:
            return await self.house.language_in(guest.where, guest.asker)
        return await self.house.language_of(guest.asker, guest.where)

    async def say(self, guest: Guest, said: Phrase) -> str:
        """*said* in the language of *guest*."""
        return language(await self.tongue(guest)).say(said)

    # ---------------------------------------------------------------- the page as a whole

    async def hello(self, guest: Guest, frame: Frame) -> Guest:
        """Note what the browser says of itself: its language and its theme."""
        wanted = frame.theme if frame.theme in THEMES else guest.theme
        offered = frame.language if spoken(frame.language) else guest.language
        changed = await self.guests.keep(replace(guest, language=offered, theme=wanted))
        if changed.theme != guest.theme:
            await self.dress(changed)
        return changed

    async def dress(self, guest: Guest) -> None:
        """Let every view on the guest's page be painted in his theme."""
        await self.house.boards.dress(guest.where, guest.theme)

    async def state(self, guest: Guest, frame: Frame | None = None) -> Json:
        """Everything a page needs to be drawn, also after it lost us for a while."""
        code = await self.tongue(guest)
        tongue = language(code)
        boards = await self.boards.all(guest) if guest.name else []
        return {
            "kind": "state",
            "id": frame.id if frame is not None else "",
            "language": code,
            "name": guest.name,
            "words": {
                key.removeprefix(WORDS): tongue.say(phrase(key))
                for key in tongue.templates
                if key.startswith(WORDS)
            },
            "games": [
                {
                    "key": game.key,
                    "line": f"/play game={game.key}",
                    "name": tongue.say(phrase(f"{game.key}.name")),
                    "facts": tongue.say(facts(game)).partition(" · ")[2],
                    "blurb": tongue.say(phrase(f"{game.key}.blurb")),
                }
                for game in shelf().values()
            ],
            "commands": [f"/{BY_ACT[act].name_in(code)} " for act in OFFERED],
            "invited": await self._invited(guest, code),
            "boards": boards,
        }

    async def _invited(self, guest: Guest, code: str) -> str:
        """Who invites a guest that has no name yet, in a sentence."""
        invited = await self.house.boards.invited(guest.table, code) if guest.table else None
        if invited is None:
            return ""
        game = phrase(f"{invited.game}.name")
        return language(code).say(phrase("web.invited", host=invited.host, game=game))

    async def name(self, guest: Guest, frame: Frame) -> Guest | None:
        """The guest by the name he gave, cleaned, and at the table he was invited to."""
        name = self.house.name_of(frame.name)
        if not name:
            return None
        changed = await self.guests.keep(replace(guest, name=name, table=""))
        await self.house.meet(changed.asker)
        if guest.table:
            await self.come(changed, guest.table)
        return changed

    async def come(self, guest: Guest, table: str) -> None:
        """Let *guest* sit down at *table*, to which he was invited, or look on where it is full."""
        update, join = f"{guest.id}:invited:{table}", BY_ACT[Act.JOIN].name
        await self.house.call(Call(update, guest.where, guest.asker, join, {"table": table}))

    # ---------------------------------------------------------------- what is asked

    async def answer(self, guest: Guest, frame: Frame) -> Json | Awaited:
        """The answer to a press, a line or a wish for a link, or what promises it."""
        if not guest.name:
            return await self.no(guest, frame, phrase("web.name-first"))
        update = f"{guest.id}:{frame.id}"
        if frame.kind == "press":
            press = Press(update, guest.where, guest.asker, frame.code, frame.message or None)
            return await self._told(guest, frame, await self.house.press(press))
        if frame.kind == "invite":
            return await self._link(guest, frame)
        if frame.kind == "point":
            return await self._pointed(guest, frame)
        if frame.kind == "back":
            token = await self.guests.way_back(guest)
            back = said_to(frame, await self.say(guest, phrase("web.back")), good=True)
            return {**back, "link": f"{self.address()}/b/{guest.id}-{token}"}
        if frame.kind == "moves":
            past = await self.house.pages.past(guest.where, frame.table)
            return {**said_to(frame, "", good=True), **asdict(past)}
        wish = Call(update, guest.where, guest.asker, "", reply_to=frame.table or None)
        call = called(wish, frame.line)
        answer = await self.house.call(call)
        told = await self._told(guest, frame, answer)
        if isinstance(told, Awaited):
            return told
        return {**told, "spoken": answer.good and call.name == BY_ACT[Act.LANGUAGE].name}

    async def _told(self, guest: Guest, frame: Frame, answer: Answer) -> Json | Awaited:
        """The house's *answer* as the page takes it, or what promises it."""
        if not isinstance(answer, Promised):
            return await self._form(guest, frame, answer)
        soon = {"kind": "soon", "id": frame.id, "said": answer.said}
        return Awaited(soon, self._kept(guest, frame, answer))

    async def _kept(self, guest: Guest, frame: Frame, promised: Promised) -> Json:
        return await self._form(guest, frame, await promised.answer)

    async def taken(self, guest: Guest, frame: Frame) -> bool:
        """Whether what *frame* asks is within the limits of *guest*."""
        if frame.kind not in ("press", "call", "point"):
            return True
        return await self.house.limits.judge(guest.asker, guest.where) is Verdict.TAKEN

    async def suggest(self, guest: Guest, frame: Frame) -> Json:
        """What may come next on the line that is being typed."""
        call = Call("", guest.where, guest.asker, "", reply_to=frame.table or None)
        found = await completions(self.house, call, frame.line, await self.tongue(guest))
        return {
            "kind": "completions",
            "id": frame.id,
            "command": found.command,
            "parameter": found.parameter,
            "found": [vars(one) for one in found.found],
        }

    async def no(self, guest: Guest, frame: Frame, why: Phrase) -> Json:
        """A polite no to what *frame* asks."""
        return said_to(frame, await self.say(guest, why), good=False)

    async def _pointed(self, guest: Guest, frame: Frame) -> Json:
        """Why nothing can be played where the picture was pointed at."""
        x, y = _spot(frame.at)
        path = tuple(filter(None, frame.path.split(",")))
        meant = await self.house.pages.pointed(guest.where, frame.table, path, x, y)
        if not meant.typed:
            return said_to(frame, meant.asked, good=False)
        why = Call(
            f"{guest.id}:{frame.id}",
            guest.where,
            guest.asker,
            BY_ACT[Act.WHY].name,
            {"move": meant.typed},
            reply_to=frame.table,
        )
        answer = await self.house.call(why)
        return {**await self._form(guest, frame, answer), "good": False}

    async def _link(self, guest: Guest, frame: Frame) -> Json:
        """A link by which one more person comes to a table that still waits for somebody."""
        if frame.table not in await self.house.boards.open_in(guest.where):
            return await self.no(guest, frame, phrase("web.no-link"))
        token = await self.guests.invite(frame.table)
        told = said_to(frame, await self.say(guest, phrase("web.link")), good=True)
        return {**told, "link": f"{self.address()}/i/{frame.table}-{token}"}

    async def _form(self, guest: Guest, frame: Frame, answer: Answer) -> Json:
        """The house's *answer* as the page takes it."""
        told = said_to(frame, answer.said, good=answer.good)
        told["menu"] = isinstance(answer, MenuAnswer)
        match answer:
            case BoardAnswer(view=int(view)):
                told["open"] = await self.house.boards.table_of(view)
            case FileAnswer(file=file):
                name = self.pictures.keep(guest.id, file.data)
                told["file"] = {"href": f"file/{name}/{file.name}", "name": file.name}
            case MenuAnswer(screen, picture) | Card(screen, picture):
                form = await self.boards.form(guest, screen)
                if screen.scene is None and picture is not None:
                    form = {**form, **pictured(self.pictures.keep_picture(guest.id, picture))}
                told["card" if screen.table == NO_TABLE else "board"] = form
        return told


def said_to(frame: Frame, said: str, *, good: bool) -> dict[str, object]:
    """The words that answer *frame*."""
    return {"kind": "answer", "id": frame.id, "good": good, "said": said}


def _spot(at: str) -> tuple[float, float]:
    """The two numbers that *at* spells; outside of the picture where it does not."""
    x, _, y = at.partition(",")
    try:
        return float(x), float(y)
    except ValueError:
        return -1.0, -1.0
