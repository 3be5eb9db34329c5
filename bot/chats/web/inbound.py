"""Requests of a page: each frame is handled, and answered."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import partial

import segno

from bot.chats.web.completion import complete_line, with_line
from bot.chats.web.doors.mini_app import TelegramUser, guest_id_of
from bot.chats.web.doors.origins import Origins, Reach
from bot.chats.web.message_formatting import (
    Json,
    PageWriter,
    PendingAnswer,
    answer_json,
    name_hash,
)
from bot.chats.web.outbound import packed
from bot.chats.web.person.guests import Guest, Guests
from bot.chats.web.person.push import PushNotifier
from bot.chats.web.reading import THEMES, ClientFrame, number_in, steps_in, tried_in
from bot.chats.web.sent_files import SentFiles
from bot.chats.web.table.activity_rooms import ActivityRooms
from bot.facade import (
    BY_ACT,
    COMPUTER,
    NOTIFY,
    NOW,
    TEMPOS,
    Action,
    Facade,
    cleaned,
    find_topic,
    game_facts,
    is_name_of_computer,
    without_marks,
)
from bot.port import Answer, Asker, Command, FaultAnswer, Press, Promised, Said
from bot.texts import Language, language, spoken
from games.core import Game, Phrase, phrase, verbatim
from games.core.shelf import shelf
from render.kit.posters import poster_parts

WORDS = "web.page."
"""The start of the keys of the page's own words."""

Handler = Callable[[Guest, ClientFrame], Awaitable[Json | PendingAnswer]]
"""Answers one kind of frame."""


@dataclass
class Inbound:
    """Answers the frames of all guests; our links begin at the first of *origins*."""

    facade: Facade
    guests: Guests
    writer: PageWriter
    pushes: PushNotifier
    origins: Origins
    tell: Callable[[Guest, str, str], Awaitable[None]]
    """Tells a guest news of a table, on open pages and by push."""
    unlist: Callable[[str], Awaitable[None]]
    rooms: ActivityRooms | None = None
    """Who is together within Discord, where the page opens there."""
    files: SentFiles = field(default_factory=SentFiles)
    _handlers: Mapping[str, Handler] = field(init=False)

    def __post_init__(self) -> None:
        self.requests, self.boards = self.facade.requests, self.facade.boards
        self.buttons, self.pages = self.boards.buttons, self.facade.pages
        self.pictures = self.writer.pictures
        self._handlers = {
            "press": self._press,
            "now": self._now,
            "invite": self._link,
            "point": self._point,
            **dict.fromkeys(("lobby", "list", "away"), self._list_public),
            "finished": self._list_finished,
            **dict.fromkeys(("if", "position"), self._suppose),
            "setup": self._set_up,
            **dict.fromkeys(("comments", "comment"), self._comments),
            "plan": self._plan,
            "coach": self._coach,
            "back": self._way_back,
            **dict.fromkeys(("devices", "end", "subscribe"), self._devices),
            "moves": self._moves,
            "file": self._open_file,
        }

    async def tongue(self, guest: Guest) -> str:
        """The language of *guest*'s page."""
        if not guest.name:
            return await self.requests.language_in(guest.where, guest.asker)
        return await self.requests.language_of(guest.asker, guest.where)

    async def say(self, guest: Guest, said: Phrase) -> str:
        """*said* in the language of *guest*."""
        return language(await self.tongue(guest)).say(said)

    # ---------------------------------------------------------------- the page as a whole

    async def hello(self, guest: Guest, frame: ClientFrame) -> Guest:
        """Note the browser's language and theme; who could not be seated before is seated now."""
        wanted = frame.theme if frame.theme in THEMES else guest.theme
        offered = frame.language if spoken(frame.language) else guest.language
        before = await self.guests.get(guest.id)
        if before is not None and before.theme != wanted:
            # Pictures are painted ahead in the theme of the last device.
            await self.boards.dress(guest.where, wanted)

        await self.guests.change(
            guest.id, lambda kept: replace(kept, language=offered, theme=wanted)
        )
        dressed = await self.guests.with_device(guest, lambda one: replace(one, theme=wanted))
        seated = await self._seat(dressed) if dressed.name else dressed
        return dressed if isinstance(seated, Phrase) else seated

    async def state(self, guest: Guest, frame: ClientFrame | None = None) -> Json:
        """All that a page shows, at its start and after a lost connection."""
        code = await self.tongue(guest)
        tongue = language(code)
        boards = await self.writer.all(guest) if guest.name else []
        texts = {
            "words": {
                key.removeprefix(WORDS): tongue.say(phrase(key))
                for key in tongue.templates
                if key.startswith(WORDS)
            },
            "games": [self._offer(game, tongue, guest.theme) for game in shelf().values()],
        }
        name = name_hash(packed(texts).encode())
        return {
            "kind": "state",
            "id": frame.id if frame is not None else "",
            "language": code,
            "theme": guest.theme,
            "name": guest.name,
            "texts": name,
            **(texts if frame is None or frame.at != name else {}),
            "invited": await self._invite(guest, code),
            "boards": boards,
            "lineage": self.boards.lineage,
        }

    def _offer(self, game: Game, tongue: Language, theme: str) -> Json:
        """*game* on the shelf: how to start it, its facts, and its poster or else its cover."""
        ease = tongue.say(phrase(f"{game.key}.ease"))
        line, side = f"/play game={game.key}", game.rules.sides[0]
        begins = f" begins={side}" if side in game.rules.begins else ""
        named = poster_parts(game.key) is not None
        # A line each: words, a colon, and what they mean.
        terms = f"{game.key}.terms"
        kind, more = ("poster", f"?language={tongue.code}") if named else ("cover", "")
        return {
            "key": game.key,
            "try": f"{line} opponent=computer level=1 side={side}{begins} hints=on",
            "sheet": self.buttons.sheet(game.key),
            "name": tongue.say(phrase(f"{game.key}.name")),
            "facts": f"{tongue.say(game_facts(game)).partition(' · ')[2]}, {ease}",
            "blurb": tongue.say(phrase(f"{game.key}.blurb")),
            "terms": tongue.say(phrase(terms)) if terms in tongue.templates else "",
            "cover": f"{kind}/{game.key}-{theme}.png{more}",
            "named": named,
        }

    async def _invite(self, guest: Guest, code: str) -> str:
        """The sentence that says who invites a guest without a name, or what begins with it."""
        if "/" in guest.table:
            return language(code).say(phrase("web.begins"))
        invited = await self.boards.find_invitation(guest.table, code) if guest.table else None
        if invited is None:
            return ""
        game = phrase(f"{invited.game}.name")
        return language(code).say(phrase("web.invited", host=invited.host, game=game))

    async def name(self, guest: Guest, frame: ClientFrame) -> Guest | Phrase:
        """Rename the guest and seat them where they are invited, or answer why that cannot be."""
        # Here anybody may take any name, so none may look like what we ourselves say.
        name = without_marks(frame.name)
        if not name:
            return phrase("web.no-name")
        if is_name_of_computer(name):
            return phrase("web.computers-name")
        kept = await self.guests.change(guest.id, lambda one: replace(one, name=name))
        changed = kept.at(guest.here)
        await self.requests.meet(changed.asker)
        if guest.name and guest.name != name:
            await self.boards.show_name(changed.asker)
        return await self._seat(changed)

    async def _seat(self, guest: Guest) -> Guest | Phrase:
        """Seat an invited *guest*; after a fault of ours they are still invited."""
        if not guest.table:
            return guest
        answer = await self.come(guest, guest.table)
        if isinstance(answer, FaultAnswer):
            return verbatim(answer.said)
        kept = await self.guests.change(guest.id, lambda one: replace(one, table="", host=""))
        if answer.good:
            await self.announce(guest, guest.table, guest.host)
        return kept.at(guest.here)

    async def come(self, guest: Guest, table: str) -> Answer:
        """Seat *guest* at *table*, or let them look on where it is full; or begin a game.

        What begins one is ``play/``, a game and a level, or ``now/``, a tempo and a game.
        """
        way, game, level, *_ = (*table.split("/"), "", "")
        if way == "now":
            return await self._play_now(guest, f"begun:{table}", game, level, rated=False)
        if level:
            told = {"game": game, "opponent": COMPUTER, "level": level, "hints": "on"}
            return await self.requests.call(guest.command(f"begun:{table}", Action.PLAY, **told))
        return await self.requests.call(guest.command(f"invited:{table}", Action.JOIN, table=table))

    async def _play_now(
        self, guest: Guest, named: str, tempo: str, game: str, *, rated: bool
    ) -> Answer:
        """Seat *guest* where somebody waits longest at *tempo*, or let them wait for *game*.

        All tries are the update *named* so, of which one is done at most.
        """
        update, lobby = guest.update(named), self.pages.lobby
        if tempo == NOTIFY:
            await lobby.want(guest.asker)
            return Said(await self.say(guest, phrase("web.notify")))
        for one in await lobby.find_waiting(guest.asker, tempo, rated=rated):
            code = self.buttons.at(Action.BOARD if one.mine else Action.JOIN, one.table)
            answer = await self.requests.press(Press(update, guest.where, guest.asker, code))
            if answer.good:
                return answer
        told = {"game": game or await lobby.likely_game(guest.asker), "opponent": NOW}
        told |= {"clock": TEMPOS[tempo], "rated": "yes" if rated else "no"}
        return await self.requests.call(guest.command(named, Action.PLAY, **told))

    async def tell_wanting(self, table: str) -> None:
        """Tell those who want to know that somebody waits at *table*."""
        for external in await self.pages.lobby.take_wanting(table):
            guest = await self.guests.get(external)
            if guest is not None:
                there = replace(guest, table=table)
                await self.tell(guest, table, await self._invite(there, await self.tongue(guest)))

    async def _now(self, guest: Guest, frame: ClientFrame) -> Json | PendingAnswer:
        tempo, _, rated = frame.code.partition("/")
        if tempo not in (*TEMPOS, NOTIFY):
            return await self.no(guest, frame, phrase("house.forged"))
        answer = await self._play_now(guest, frame.id, tempo, "", rated=bool(rated))
        return await self.writer.write_answer(guest, frame, answer)

    async def follow(self, guest: Guest, table: str, token: str) -> str:
        """Seat *guest* by a link to *table*, which this spends; answers why that failed, if so."""
        answer = await self.come(guest, table)
        if not answer.good:
            return answer.said
        # Spent after the guest is seated, so that a lost connection does not cost the link, and
        # announced by whoever spends it, once.
        host = await self.guests.spend(table, token)
        if host is not None:
            await self.announce(guest, table, host)
        return ""

    async def announce(self, guest: Guest, table: str, host: str) -> None:
        """Tell *host* that *guest* has come to *table* by their link."""
        inviting = await self.guests.get(host) if host else None
        if inviting is not None and inviting.id != guest.id:
            said = await self.say(inviting, phrase("web.came", name=guest.name))
            await self.tell(inviting, table, said)

    async def enter_mini_app(self, user: TelegramUser) -> str:
        """Admit a Telegram user as the same person; answers the address of their page."""
        name = cleaned(user.name) or "Telegram"
        entrance = await self.guests.enter_within(guest_id_of(user.id), name, user.language)
        guest = entrance.guest
        there = Asker("telegram", user.id, name, user.language or None)
        await self.requests.join(there, guest.asker)
        table = user.table.upper()
        if not table:
            # The page shows the tables of the user's chats, too.
            for code in await self.boards.missing(guest.asker, guest.where):
                await self._bring(guest, code, entrance.secret)
        elif not await self.boards.stands(guest.where, table):
            table = table if await self._bring(guest, table, entrance.secret) else ""
        return f"/t/{guest.id}-{entrance.secret}/" + (f"t/{table}" if table else "")

    async def _bring(self, guest: Guest, table: str, nonce: str) -> bool:
        """Whether *table* stands on *guest*'s page now; *nonce* differs at each entrance."""
        call = guest.command(f"framed:{nonce}:{table}", Action.BOARD, table=table)
        return (await self.requests.call(call)).good

    # ---------------------------------------------------------------- requests

    async def answer(self, guest: Guest, frame: ClientFrame) -> Json | PendingAnswer:
        """The answer to *frame*."""
        if not guest.name:
            return await self.no(guest, frame, phrase("web.name-first"))
        book = await self._rules(guest, frame)
        if book is not None:
            return book
        return await self._handlers.get(frame.kind, self._call)(guest, frame)

    async def _press(self, guest: Guest, frame: ClientFrame) -> Json | PendingAnswer:
        update, on, seen = guest.update(frame.id), frame.message or None, number_in(frame.at)
        code = self.buttons.sign_move(frame.code)
        press = Press(update, guest.where, guest.asker, code, on, seen=seen, takes_board=True)
        return await self.writer.write_answer(guest, frame, await self.requests.press(press))

    async def _call(self, guest: Guest, frame: ClientFrame) -> Json | PendingAnswer:
        """Run a typed command."""
        update, on = guest.update(frame.id), frame.table or None
        asked = Command(update, guest.where, guest.asker, "", reply_to=on, takes_board=True)
        command = with_line(asked, frame.line)
        return await self.writer.write_answer(guest, frame, await self.requests.call(command))

    async def _open_file(self, guest: Guest, frame: ClientFrame) -> Json | PendingAnswer:
        """Take a part of a file; the last one opens it."""
        upload = self.files.take(guest.id, frame)
        if upload is None:
            return answer_json(frame, "", good=True)
        command = replace(guest.command(frame.id, Action.OPEN), upload=upload)
        return await self.writer.write_answer(guest, frame, await self.requests.call(command))

    async def _moves(self, guest: Guest, frame: ClientFrame) -> Json:
        past = await self.pages.past(guest.where, frame.table)
        return {**answer_json(frame, "", good=True), **asdict(past)}

    async def _way_back(self, guest: Guest, frame: ClientFrame) -> Json:
        token = await self.guests.way_back(guest.id)
        back = answer_json(frame, await self.say(guest, phrase("web.back")), good=True)
        return {**back, **await self._leading(guest, f"/b/{guest.id}-{token}")}

    async def suggest(self, guest: Guest, frame: ClientFrame) -> Json:
        """The completions of the line that is being typed."""
        call = Command("", guest.where, guest.asker, "", reply_to=frame.table or None)
        found = await complete_line(self.requests, call, frame.line, await self.tongue(guest))
        return {"kind": "completions", "id": frame.id, **asdict(found)}

    async def no(self, guest: Guest, frame: ClientFrame, why: Phrase) -> Json:
        """The refusal of *frame*."""
        return answer_json(frame, await self.say(guest, why), good=False)

    async def _point(self, guest: Guest, frame: ClientFrame) -> Json:
        """Why nothing can be played where the picture was pointed at."""
        x, y = _spot(frame.at)
        meant = await self.pages.point(guest.where, frame.table, steps_in(frame.path), x, y)
        if not meant.typed:
            return answer_json(frame, meant.asked, good=False)
        why = guest.command(frame.id, Action.WHY, move=meant.typed)
        answer = await self.requests.call(replace(why, reply_to=frame.table))
        return {**await self.writer.answer(guest, frame, answer), "good": False}

    async def _rules(self, guest: Guest, frame: ClientFrame) -> Json | None:
        """The rule book that *frame* asks for; None for any other request."""
        meant: tuple[str, str] | None = None
        if frame.kind == "rules":
            meant = frame.code, frame.table
        elif frame.kind == "press":
            meant = self.pages.rules_meant(frame.code)
        elif frame.kind == "call" and frame.line.startswith("/"):
            call = with_line(Command("", guest.where, guest.asker, ""), frame.line)
            if call.name == BY_ACT[Action.RULES].name:
                meant = call.values.get("game", ""), frame.table
            elif call.name == BY_ACT[Action.HELP].name:
                topic = find_topic(call.values.get("command", ""))
                meant = (topic.key, "") if isinstance(topic, Game) else None
        if meant is None:
            return None
        book = await self.pages.book(guest.where, *meant, await self.tongue(guest))
        return None if book is None else {**answer_json(frame, "", good=True), "book": asdict(book)}

    async def _comments(self, guest: Guest, frame: ClientFrame) -> Json:
        """What *guest* has written on a finished game, after writing on a moment of it."""
        comments, at = self.pages.comments, (guest.asker, guest.where, frame.table)
        if frame.kind == "comment":
            wrong = await comments.keep(*at, number_in(frame.at), frame.line, tried_in(frame))
            if wrong is not None:
                return await self.no(guest, frame, wrong)
        found = [asdict(one) for one in await comments.of(*at)]
        return {**answer_json(frame, "", good=True), "comments": found}

    async def _plan(self, guest: Guest, frame: ClientFrame) -> Json:
        path = steps_in(frame.path)
        found = await self.pages.plan(guest.where, frame.table, path, *_spot(frame.at))
        return {**answer_json(frame, "", good=True), "plan": found and asdict(found)}

    async def _coach(self, guest: Guest, frame: ClientFrame) -> PendingAnswer:
        """What the coach says at a table, told without a notice until then."""
        asked = (guest.asker, guest.where, frame.table, await self.tongue(guest))
        told: asyncio.Task[Answer] = asyncio.create_task(self.boards.coach.tell(*asked))
        return PendingAnswer(Promised("", told, str), partial(self.writer.answer, guest, frame))

    async def _link(self, guest: Guest, frame: ClientFrame) -> Json:
        """The link that invites to a table with free seats, or a call to one person."""
        if frame.code and self.rooms is not None:
            why = await self.rooms.invite(guest, frame)
            if why is not None:
                return await self.no(guest, frame, why)
            said = await self.say(guest, phrase("web.activity.told"))
            return answer_json(frame, said, good=True)
        if frame.table not in await self.boards.open_in(guest.where):
            return await self.no(guest, frame, phrase("web.no-link"))
        seats = [one.is_seated for one in (await self.boards.tables.get(frame.table)).players]
        token = await self.guests.invite(frame.table, guest.id, seats.count(False))
        told = answer_json(frame, await self.say(guest, phrase("web.link")), good=True)
        return {**told, **await self._leading(guest, f"/i/{frame.table}-{token}")}

    async def _leading(self, guest: Guest, path: str) -> Json:
        """The link to *path*, its QR code, and a note where other machines cannot open it."""
        link = f"{self.origins.address}{path}"
        picture = segno.make(link, error="m", micro=False).png_data_uri(border=4)
        seen = {"picture": picture, "alt": await self.say(guest, phrase("web.qr"))}
        here = self.origins.all()[0].reach is Reach.HERE
        note = {"note": await self.say(guest, phrase("web.local"))} if here else {}
        return {"link": link, "seen": seen, **note}

    async def _devices(self, guest: Guest, frame: ClientFrame) -> Json:
        """The devices of *guest*, after ending some or changing their web push."""
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
        listed = [
            {"id": one.id, "name": one.name, "seen": one.seen, "here": one.id == guest.here}
            for one in sorted(guest.devices, key=lambda one: one.seen, reverse=True)
        ]
        on = guest.device is not None and guest.device.calls is not None
        # Within Telegram the bot's own messages do this.
        push = {"key": "" if guest.is_framed else self.pushes.key, "on": on}
        return {**answer_json(frame, said, good=True), "devices": listed, "push": push}

    # ---------------------------------------------------------------- the shelf

    async def _list_public(self, guest: Guest, frame: ClientFrame) -> Json:
        """The tables open to all, after listing or unlisting one, or taking one off the page."""
        lobby, wrong, code = self.pages.lobby, None, await self.tongue(guest)
        if frame.kind == "list":
            shown = frame.code == "on"
            wrong = await lobby.list(guest.asker, guest.where, frame.table, shown=shown)
            if wrong is None and not shown:
                await self.unlist(frame.table)
        if frame.kind == "away" and not await lobby.put_away(guest.asker, guest.where, frame.table):
            wrong = phrase("web.no-away")
        if wrong is not None:
            return await self.no(guest, frame, wrong)
        here = () if self.rooms is None else await self.rooms.tables(guest, code)
        open_to_all = await lobby.list_tables(guest.asker, code)
        afar = await lobby.elsewhere(guest.asker, guest.where, code)
        found = [*{one.table: one for one in (*afar, *open_to_all, *here)}.values()]
        told = {"lobby": [*map(asdict, found)], "tempos": [*map(asdict, lobby.tempos(found, code))]}
        return {**answer_json(frame, "", good=True), **told}

    async def _list_finished(self, guest: Guest, frame: ClientFrame) -> Json:
        """The finished games of *guest* that have the words looked for."""
        asked = self.pages.archive.search(guest.asker, await self.tongue(guest), frame.line)
        found = [asdict(one) for one in await asked]
        return {**answer_json(frame, "", good=True), "finished": found}

    # ---------------------------------------------------------------- boards that nobody stores

    async def _suppose(self, guest: Guest, frame: ClientFrame) -> Json:
        """The board after other moves than those that were played, or from a text."""
        number, line, path = number_in(frame.at), tried_in(frame), steps_in(frame.path)
        if frame.kind == "position":
            told = (frame.code, frame.line, line, path, await self.tongue(guest))
            screen = await self.pages.pose(guest.asker, *told)
        else:
            screen = await self.pages.suppose(guest.where, frame.table, number, line, path)
        if isinstance(screen, Phrase):
            return await self.no(guest, frame, screen)
        form = await self.writer.form(guest, screen)
        chosen = [] if screen.scene is None else list(screen.scene.path)
        return {**answer_json(frame, "", good=True), "if": {**form, "path": chosen}}

    async def _set_up(self, guest: Guest, frame: ClientFrame) -> Json:
        """What is being set up, after one more thing was done to it.

        The places are those on which the chosen piece may be put.
        """
        act, spoken = steps_in(frame.path), await self.tongue(guest)
        asked = (frame.code, frame.line, act, frame.at, spoken)
        shown = await self.pages.set_up(guest.asker, *asked)
        if isinstance(shown, Phrase):
            return await self.no(guest, frame, shown)
        form = await self.writer.form(guest, shown.screen)
        board = {**form, "path": [], "ends": [], "spots": list(map(vars, shown.spots))}
        told = {"text": shown.text, "wrong": shown.wrong, "beside": list(map(list, shown.beside))}
        editor = {**told, "pieces": [asdict(one) for one in shown.pieces]}
        return {**answer_json(frame, "", good=True), "if": board, "editor": editor}


def _spot(at: str) -> tuple[float, float]:
    """The point in *at*; one outside of the picture for none."""
    x, _, y = at.partition(",")
    try:
        return float(x), float(y)
    except ValueError:
        return -1.0, -1.0
