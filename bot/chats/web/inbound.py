"""What a guest asks from the page, and what the page is answered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, replace
from io import BytesIO

import segno

from bot.chats.web.framed import Framed, guest_id
from bot.chats.web.guests import Guest, Guests
from bot.chats.web.lines import called, completions
from bot.chats.web.pictures import Pictures
from bot.chats.web.push import PushNotifier
from bot.chats.web.reading import THEMES, Frame
from bot.chats.web.waiting import Awaited
from bot.chats.web.writing import Boards, Json, pictured
from bot.facade import BY_ACT, NO_TABLE, Action, Facade, LimitVerdict, find_topic, game_facts
from bot.port import (
    Answer,
    Asker,
    BoardAnswer,
    Card,
    Command,
    FileAnswer,
    MenuAnswer,
    Poster,
    Press,
    Promised,
)
from bot.texts import Language, language, spoken
from games.core import Game, Phrase, phrase
from games.core.shelf import shelf

OFFERED = (Action.PLAY, Action.GAMES, Action.RULES, Action.HELP)
"""What stands beside an empty line as commands, for whoever knows none."""

WORDS = "web.page."
"""How the keys of the words begin that the page says by itself."""


@dataclass
class Inbound:
    """Answers the frames of every guest; *address* is where links to us begin."""

    house: Facade
    guests: Guests
    pictures: Pictures
    boards: Boards
    pushes: PushNotifier
    address: Callable[[], str]
    tell: Callable[[Guest, str, str], Awaitable[None]]
    """Tells a guest something of a table, wherever he is."""

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
        before = await self.guests.get(guest.id)
        if before is not None and before.theme != wanted:
            # What is painted ahead is painted for the device that spoke last.
            await self.house.boards.dress(guest.where, wanted)

        def told(kept: Guest) -> Guest:
            return replace(kept, language=offered, theme=wanted)

        await self.guests.change(guest.id, told)
        return await self.guests.with_device(guest, lambda one: replace(one, theme=wanted))

    async def state(self, guest: Guest, frame: Frame | None = None) -> Json:
        """Everything a page needs to be drawn, also after it lost us for a while."""
        code = await self.tongue(guest)
        tongue = language(code)
        boards = await self.boards.all(guest) if guest.name else []
        return {
            "kind": "state",
            "id": frame.id if frame is not None else "",
            "language": code,
            "theme": guest.theme,
            "name": guest.name,
            "words": {
                key.removeprefix(WORDS): tongue.say(phrase(key))
                for key in tongue.templates
                if key.startswith(WORDS)
            },
            "games": [self._offered(game, tongue) for game in shelf().values()],
            "commands": [f"/{BY_ACT[act].name_in(code)} " for act in OFFERED],
            "invited": await self._invited(guest, code),
            "boards": boards,
        }

    def _offered(self, game: Game, tongue: Language) -> Json:
        """*game* as it stands on the shelf: how it is opened, and what one should know of it."""
        ease = tongue.say(phrase(f"{game.key}.ease"))
        line, side = f"/play game={game.key}", game.sides[0]
        begins = f" begins={side}" if side in game.begins else ""
        return {
            "key": game.key,
            "line": line,
            "try": f"{line} opponent=computer level=1 side={side}{begins} hints=on",
            "sheet": self.house.sheet_code(game.key),
            "name": tongue.say(phrase(f"{game.key}.name")),
            "facts": f"{tongue.say(game_facts(game)).partition(' · ')[2]}, {ease}",
            "blurb": tongue.say(phrase(f"{game.key}.blurb")),
            "first": tongue.say(phrase(f"{game.key}.first-step")),
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
        kept = await self.guests.change(
            guest.id, lambda one: replace(one, name=name, table="", host="")
        )
        changed = kept.at(guest.here)
        await self.house.meet(changed.asker)
        if guest.table:
            await self.come(changed, guest.table, guest.host)
        return changed

    async def come(self, guest: Guest, table: str, host: str) -> None:
        """Let *guest* sit down at *table*, or look on where it is full; *host* hears of it."""
        update, join = f"{guest.id}:invited:{table}", BY_ACT[Action.JOIN].name
        await self.house.call(Command(update, guest.where, guest.asker, join, {"table": table}))
        inviting = await self.guests.get(host) if host else None
        if inviting is not None and inviting.id != guest.id:
            said = await self.say(inviting, phrase("web.came", name=guest.name))
            await self.tell(inviting, table, said)

    async def come_framed(self, known: Framed) -> str:
        """Let in whom Telegram knows, as himself; answers where his page is, at his table."""
        name = self.house.name_of(known.name) or "Telegram"
        entrance = await self.guests.framed(guest_id(known.id), name, known.language)
        guest = entrance.guest
        there = Asker("telegram", known.id, name, known.language or None)
        await self.house.join(there, guest.asker)
        table = known.table.upper()
        if not table:
            # What he plays in chats is on his page as well.
            for code in await self.house.boards.missing(guest.asker, guest.where):
                await self._brought(guest, code, entrance.secret)
        elif not await self.house.boards.stands(guest.where, table):
            table = table if await self._brought(guest, table, entrance.secret) else ""
        return f"/t/{guest.id}-{entrance.secret}/" + (f"#{table}" if table else "")

    async def _brought(self, guest: Guest, table: str, nonce: str) -> bool:
        """Whether *table* stands on *guest*'s page now; *nonce* is another each time he comes."""
        update, board = f"{guest.id}:framed:{nonce}:{table}", BY_ACT[Action.BOARD].name
        call = Command(update, guest.where, guest.asker, board, {"table": table})
        return (await self.house.call(call)).good

    # ---------------------------------------------------------------- what is asked

    async def answer(self, guest: Guest, frame: Frame) -> Json | Awaited:
        """The answer to a press, a line or a wish for a link, or what promises it."""
        if not guest.name:
            return await self.no(guest, frame, phrase("web.name-first"))
        update = f"{guest.id}:{frame.id}"
        if (rules := await self._rules(guest, frame)) is not None:
            return rules
        if frame.kind == "press":
            on, seen = frame.message or None, _number(frame.at)
            press = Press(update, guest.where, guest.asker, frame.code, on, seen=seen)
            return await self._told(guest, frame, await self.house.press(press))
        if frame.kind == "invite":
            return await self._link(guest, frame)
        if frame.kind == "point":
            return await self._pointed(guest, frame)
        if frame.kind in ("lobby", "list", "away"):
            return await self._listed(guest, frame)
        if frame.kind == "if":
            return await self._supposed(guest, frame)
        if frame.kind == "plan":
            return await self._planned(guest, frame)
        if frame.kind == "back":
            token = await self.guests.way_back(guest.id)
            back = said_to(frame, await self.say(guest, phrase("web.back")), good=True)
            return {**back, **await self._leading(guest, f"/b/{guest.id}-{token}")}
        if frame.kind in ("devices", "end", "subscribe"):
            return await self._devices(guest, frame)
        if frame.kind == "moves":
            past = await self.house.pages.past(guest.where, frame.table)
            return {**said_to(frame, "", good=True), **asdict(past)}
        wish = Command(update, guest.where, guest.asker, "", reply_to=frame.table or None)
        call = called(wish, frame.line)
        answer = await self.house.call(call)
        told = await self._told(guest, frame, answer)
        if isinstance(told, Awaited):
            return told
        return {**told, "spoken": answer.good and call.name == BY_ACT[Action.LANGUAGE].name}

    async def _told(self, guest: Guest, frame: Frame, answer: Answer) -> Json | Awaited:
        """The house's *answer* as the page takes it, or what promises it."""
        if not isinstance(answer, Promised):
            return await self._form(guest, frame, answer)
        return Awaited(answer.said, answer.waiting, self._kept(guest, frame, answer))

    async def _kept(self, guest: Guest, frame: Frame, promised: Promised) -> Json:
        return await self._form(guest, frame, await promised.answer)

    async def taken(self, guest: Guest) -> bool:
        """Whether one more of the ``ACTIONS`` is within the limits of *guest*."""
        return await self.house.limits.judge(guest.asker, guest.where) is LimitVerdict.TAKEN

    async def suggest(self, guest: Guest, frame: Frame) -> Json:
        """What may come next on the line that is being typed."""
        call = Command("", guest.where, guest.asker, "", reply_to=frame.table or None)
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
        path = _steps(frame.path)
        meant = await self.house.pages.pointed(guest.where, frame.table, path, x, y)
        if not meant.typed:
            return said_to(frame, meant.asked, good=False)
        why = Command(
            f"{guest.id}:{frame.id}",
            guest.where,
            guest.asker,
            BY_ACT[Action.WHY].name,
            {"move": meant.typed},
            reply_to=frame.table,
        )
        answer = await self.house.call(why)
        return {**await self._form(guest, frame, answer), "good": False}

    async def _listed(self, guest: Guest, frame: Frame) -> Json:
        """The tables open to all; one more of them, or one less, or one less on the page."""
        lobby, wrong = self.house.lobby, None
        if frame.kind == "list":
            shown = frame.code == "on"
            wrong = await lobby.list(guest.asker, guest.where, frame.table, shown=shown)
        if frame.kind == "away" and not await lobby.put_away(guest.asker, guest.where, frame.table):
            wrong = phrase("web.no-away")
        if wrong is not None:
            return await self.no(guest, frame, wrong)
        found = await lobby.listed(guest.asker, await self.tongue(guest))
        return {**said_to(frame, "", good=True), "lobby": [asdict(one) for one in found]}

    async def _rules(self, guest: Guest, frame: Frame) -> Json | None:
        """The rules as a whole, where *frame* asks for those of a game that is known."""
        meant: tuple[str, str] | None = None
        if frame.kind == "rules":
            meant = frame.code, frame.table
        elif frame.kind == "press":
            meant = self.house.pages.rules_meant(frame.code)
        elif frame.kind == "call" and frame.line.startswith("/"):
            call = called(Command("", guest.where, guest.asker, ""), frame.line)
            if call.name == BY_ACT[Action.RULES].name:
                meant = call.values.get("game", ""), frame.table
            elif call.name == BY_ACT[Action.HELP].name:
                topic = find_topic(call.values.get("command", ""))
                meant = (topic.key, "") if isinstance(topic, Game) else None
        if meant is None:
            return None
        book = await self.boards.book(guest, *meant, await self.tongue(guest))
        return None if book is None else {**said_to(frame, "", good=True), "book": book}

    async def _supposed(self, guest: Guest, frame: Frame) -> Json:
        """The board as it might have become, had other moves been played."""
        if not self.boards.looks(guest):
            return await self.no(guest, frame, phrase("house.too-fast"))
        number = _number(frame.at)
        line = [_steps(move) for move in filter(None, frame.moves.split(";"))]
        path = _steps(frame.path)
        screen = await self.house.pages.supposed(guest.where, frame.table, number, line, path)
        if screen is None:
            return await self.no(guest, frame, phrase("web.no-if"))
        form = await self.boards.form(guest, screen)
        chosen = [] if screen.scene is None else list(screen.scene.path)
        return {**said_to(frame, "", good=True), "if": {**form, "path": chosen}}

    async def _planned(self, guest: Guest, frame: Frame) -> Json:
        """What is chosen for later where the picture was pointed at."""
        path = _steps(frame.path)
        found = await self.house.pages.planned(guest.where, frame.table, path, *_spot(frame.at))
        return {**said_to(frame, "", good=True), "plan": None if found is None else asdict(found)}

    async def _link(self, guest: Guest, frame: Frame) -> Json:
        """A link by which one more person comes to a table that still waits for somebody."""
        if frame.table not in await self.house.boards.open_in(guest.where):
            return await self.no(guest, frame, phrase("web.no-link"))
        token = await self.guests.invite(frame.table, guest.id)
        told = said_to(frame, await self.say(guest, phrase("web.link")), good=True)
        return {**told, **await self._leading(guest, f"/i/{frame.table}-{token}")}

    async def _leading(self, guest: Guest, path: str) -> Json:
        """The link to *path*, and the picture by which the camera of a phone reads it."""
        link, made = f"{self.address()}{path}", BytesIO()
        segno.make(link, error="m", micro=False).save(made, kind="png", scale=6, border=4)
        picture = self.pictures.keep_picture(guest.id, made.getvalue())
        alt = await self.say(guest, phrase("web.qr"))
        seen = {**pictured(picture), "alt": alt, "kind": "qr"}
        return {"link": link, "seen": seen}

    async def _devices(self, guest: Guest, frame: Frame) -> Json:
        """The devices of *guest*, after one that he names or all others were ended."""
        said = ""
        if frame.kind == "end":
            guest = await self.guests.end(guest, frame.device)
            said = await self.say(guest, phrase("web.devices.ended"))
        elif frame.kind == "subscribe":
            calls = self.pushes.read(frame.subscription) if frame.subscription else None
            if frame.subscription and (calls is None or not self.pushes.key):
                return await self.no(guest, frame, phrase("web.devices.no-calls"))
            guest = await self.guests.with_device(guest, lambda one: replace(one, calls=calls))
            word = "silent" if calls is None else "called"
            said = await self.say(guest, phrase(f"web.devices.{word}"))
        latest_first = sorted(guest.devices, key=lambda one: one.seen, reverse=True)
        listed = [
            {"id": one.id, "name": one.name, "seen": one.seen, "here": one.id == guest.here}
            for one in latest_first
        ]
        called = guest.device is not None and guest.device.calls is not None
        # Within Telegram it is Telegram that calls.
        push = {"key": "" if guest.framed else self.pushes.key, "on": called}
        return {**said_to(frame, said, good=True), "devices": listed, "push": push}

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
            case Poster(file=file, alt=alt):
                shown = self.pictures.keep_picture(guest.id, file.data)
                href = f"file/{shown.name}/{file.name}"
                told["file"] = {"href": href, "name": file.name}
                told["seen"] = {**pictured(shown), "picture": href, "alt": alt, "kind": "film"}
            case MenuAnswer(screen, picture) | Card(screen, picture):
                form = await self.boards.form(guest, screen)
                if screen.scene is None and picture is not None:
                    form = {**form, **pictured(self.pictures.keep_picture(guest.id, picture))}
                told["card" if screen.table == NO_TABLE else "board"] = form
        return told


def said_to(frame: Frame, said: str, *, good: bool) -> dict[str, object]:
    """The words that answer *frame*."""
    return {"kind": "answer", "id": frame.id, "good": good, "said": said}


def _steps(path: str) -> tuple[str, ...]:
    """The steps that *path* spells with commas."""
    return tuple(filter(None, path.split(",")))


def _number(at: str) -> int:
    """The number that *at* spells; -1 where it spells none."""
    return int(at) if at.isdecimal() and len(at) < 6 else -1


def _spot(at: str) -> tuple[float, float]:
    """The two numbers that *at* spells; outside of the picture where it does not."""
    x, _, y = at.partition(",")
    try:
        return float(x), float(y)
    except ValueError:
        return -1.0, -1.0
