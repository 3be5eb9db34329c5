"""What somebody wants to play, and how the table is opened that a command or a draft describes."""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, groupby

from bot.commands.request import Request, find_called, language_of_board, was_done
from bot.commands.school.first_steps import offer_course
from bot.commands.services_of_handlers import OpeningRoom
from bot.commands.settings import check_may_open, check_welcome
from bot.commands.table.whether_it_counts import counting
from bot.port import (
    Answer,
    Asker,
    BlockedByFilter,
    BoardAnswer,
    ChatError,
    Command,
    PlaceShut,
    Where,
)
from bot.presenters.command_specs import BY_NAME, ParameterKind, says
from bot.presenters.school.exercises import EXAM, LOWEST
from bot.presenters.typed_command_parser import parse_options
from bot.presenters.typed_names import RATED, begin_key, side_keys, value_named
from bot.service.clock import Clock
from bot.service.school.daily_moves import latest_level
from bot.service.table.changes import Update
from bot.service.table.tables import codes_of
from bot.session import play
from bot.session.draft import COMPUTER_CLOCK, DEFAULT_LEVEL, HINTS, MATCH, rules_of
from bot.session.match import Match
from bot.session.names import check_level, cleaned, level_name
from bot.session.table import OPEN, Player, Table
from bot.session.time_controls import Control, read_control
from bot.session.unit_of_work import Refused, UnitOfWork, refuse_if
from games.core import Game, Phrase, phrase
from games.core.school import exam
from games.core.shelf import find_game
from storage.person import people
from storage.records import PersonRow, ViewRow

log = logging.getLogger(__name__)

LONGEST_NAMES = 140
"""Three @names, each of at most 32 characters on every platform, and what joins them."""

_HANDLE = re.compile(r"@\w[\w.]*")

_PARAMETERS = BY_NAME["play"].parameters


@dataclass(frozen=True)
class GameRequest:
    """What somebody wants to play."""

    game: Game
    options: Mapping[str, str]
    begins: str
    seats: int
    side: str | None
    level: int
    against_computer: bool
    control: Control | None
    match: Match | None
    hints: bool
    """Whether players may ask for hints."""
    computer_clock: bool
    """Whether the time of computers counts too."""
    rated: bool | None
    """Whether the game is to count for the ratings; ``None`` leaves it to the place."""
    named: str | None
    """The names of opponents whose ids the platform did not tell."""
    casual: str = ""
    """Why it will not count although it is to, as far as that is known (``Casual``)."""
    now: bool = False
    """Whether a computer sits down where nobody comes soon."""


def read_game_request(values: Mapping[str, str], *, mentioned: bool) -> GameRequest:
    """The wish that the *values* of ``/play`` say, an option's under the name of the option.

    *mentioned*: the platform told who the opponent is. Raises ``RuleError`` for unknown values.
    """
    game = find_game(values.get("game", ""))
    said = _with_side(game, values, ("level",) if mentioned else ("opponent", "level"))
    level, opponent = _level_and_opponent(game, said)
    computer = says(opponent, "house.word.computer")
    now = says(opponent, "house.word.now")
    anyone = now or not opponent or says(opponent, "house.word.anyone")
    options = _options(game, values)
    games = int(options.pop(MATCH, "1"))
    ways = {begins: begin_key(game, begins) for begins in game.rules.begins}
    return GameRequest(
        game=game,
        hints=options.pop(HINTS, "") == "on",
        computer_clock=options.pop(COMPUTER_CLOCK, "") == "on",
        options=game.chosen(options),
        begins=_one_of(ways, said["begins"], "house.bad-begins") or "",
        seats=_seats(
            game, said["seats"], invites=anyone and not (now or mentioned) and level is None
        ),
        side=_one_of(side_keys(game), said["side"], "house.bad-side"),
        level=min(DEFAULT_LEVEL, game.computer.levels) if level is None else level,
        against_computer=computer or (level is not None and anyone and not now),
        control=None if says(said["clock"], "clock.word.none") else read_control(said["clock"]),
        match=Match(games) if games > 1 else None,
        rated=_rate(said["rated"]),
        named=None if mentioned or computer or anyone else cleaned(opponent, LONGEST_NAMES),
        now=now,
    )


def _rate(text: str) -> bool | None:
    """Whether *text* wishes that the game counts, ``None`` where it says nothing."""
    if says(text, "standing.word.yes") or says(text, "standing.word.no"):
        return says(text, "standing.word.yes")
    value = _one_of(RATED, text, "standing.bad-rated")
    return None if value is None else value == "yes"


def _with_side(game: Game, values: Mapping[str, str], places: Iterable[str]) -> Mapping[str, str]:
    """What is said for each parameter, the side in *places* too: «/jugar shogi nivel 3 gote»."""
    said = {one.name: values.get(one.name, "").strip() for one in _PARAMETERS}
    for name in places:
        if said["side"] or said[name].startswith("@"):
            continue
        if value_named(side_keys(game), said[name]) is not None:
            return {**said, name: "", "side": said[name]}
    return said


def _level_and_opponent(game: Game, said: Mapping[str, str]) -> tuple[int | None, str]:
    """The level, ``None`` where none is said, and the opponent; raises ``BadOption``."""
    opponent = said["opponent"]
    if said["level"]:
        words = (word for word in said["level"].split() if not says(word, _LEVEL))
        number = _level(game, " ".join(words)) or 0
    elif (found := _level(game, opponent)) is not None:
        # A person called so has an @: «/jugar cirya 3», «/jugar cirya experto».
        number, opponent = found, ""
    else:
        return None, opponent
    check_level(game, number)
    return number, opponent


_LEVEL = "command.play.level.name"


def _level(game: Game, text: str) -> int | None:
    """The level that *text* says by its number, which *game* need not have, or by its name."""
    if any(c.isdigit() for c in text):
        return int(text[:4]) if text.isascii() and text.isdigit() else None
    labels = {str(n): level_name(game, n).key for n in range(1, game.computer.levels + 1)}
    found = value_named(labels, text)
    return None if found is None else int(found)


def _seats(game: Game, text: str, *, invites: bool) -> int:
    """How many sit: as *text* says, else as many as may where the table *invites* anyone."""
    few, many = min(game.rules.seats), max(game.rules.seats)
    if text and not (text.isascii() and text.isdigit()):
        raise Refused(phrase("core.bad-seats", few=few, many=many))
    number = int(text[:4]) if text else (many if invites else few)
    game.sides_for(number)
    return number


def _options(game: Game, values: Mapping[str, str]) -> dict[str, str]:
    """The options of *game* by key; in *values* by name, or in one text: «tablero 6x6»."""
    typed, loose = parse_options(values.get("options", ""))
    names = {one.name for one in _PARAMETERS}
    typed |= {name: value for name, value in values.items() if name not in names}
    refuse_if(loose, "house.bad-option-form", text=" ".join(loose)[:40])
    rules = {rule.key: rule for rule in rules_of(game)}
    labels = {key: rule.label for key, rule in rules.items()}
    chosen: dict[str, str] = {}
    for name, value in typed.items():
        key = value_named(labels, name)
        if key is None:
            known = _quote(labels.values())
            raise Refused(phrase("house.bad-option", option=name[:32], known=known, others=_OTHERS))
        refuse_if(not value, "house.bad-option-form", text=name[:40])
        ways = {one: f"{labels[key]}.{one}" for one in rules[key].values}
        found = value_named(ways, value)
        if found is None:
            option, known = phrase(labels[key]), _quote(ways.values())
            raise Refused(phrase("house.bad-value", option=option, value=value[:32], known=known))
        chosen[key] = found
    return chosen


_OTHERS = tuple(
    phrase(f"command.play.{one.name}.name")
    for one in _PARAMETERS
    if one.kind not in (ParameterKind.GAME, ParameterKind.OPTIONS)
)
"""What is chosen for every game, and typed with a sign of equality as well."""


def _quote(keys: Iterable[str]) -> tuple[Phrase, ...]:
    return tuple(phrase("house.quoted", what=phrase(key)) for key in keys)


def _one_of(labels: Mapping[str, str], text: str, refusal: str) -> str | None:
    """The value that *text* names, if any; raises ``Refused`` with *refusal* for an unknown one."""
    value = value_named(labels, text) if text else None
    if text and value is None:
        known = tuple(phrase(key) for key in labels.values())
        raise Refused(phrase(refusal, value=text[:32], known=known))
    return value


@dataclass(frozen=True)
class Sealed:
    """The code of a future table and the secret of its draws; *words* are the host's own.

    *start* writes the position that it begins from, where that is not the usual one.
    """

    code: str
    secret: bytes
    words: str = ""
    draft: int | None = None
    start: str = ""


async def open_typed(request: Request, room: OpeningRoom) -> Answer:
    """Open the table that a command or a button of an older release describes."""
    guest = await guest_of(request, room)
    if isinstance(request.by, Command):
        values = request.by.values
    else:
        game, *against = request.path
        values = {"game": game, "opponent": "" if guest is not None else "".join(against)}
        if against == [EXAM]:
            values = {**exam(find_game(game)), "game": game, "level": LOWEST}
    by = request.by
    # Of the update, so that whoever repeats it finds the table that it opened.
    codes = codes_of(request.key, by.where.platform, by.update) if by.update else None
    sealed = Sealed(await room.tables.free_code(codes), secrets.token_bytes(32))
    return await open_wished(request, room, values, guest, sealed)


async def open_wished(
    request: Request,
    room: OpeningRoom,
    values: Mapping[str, str],
    guest: PersonRow | None,
    sealed: Sealed,
) -> Answer:
    """Open a table where the asker is, with the asker as host and *guest* as opponent."""
    by, host = request.by, request.person
    await check_may_open(request, room.places)
    wish = read_game_request(values, mentioned=guest is not None)
    guests: tuple[PersonRow, ...] = () if guest is None else (guest,)
    if wish.named is not None:
        guests = await _find_named(request, wish.named)
        name, most = phrase(f"{wish.game.key}.name"), max(wish.game.rules.seats) - 1
        refuse_if(len(guests) > most, "house.too-many", game=name, n=most)
        wish = replace(wish, seats=max(wish.seats, len(guests) + 1))
    others = await _others(request, room, wish, guests)
    told = await counting(request, room, wish.rated, others, computer=wish.against_computer)
    wish = replace(wish, rated=told[0], casual=told[1])
    if wish.now and not values.get("level"):
        game, level = await latest_level(room.store, host.id)
        wish = replace(wish, level=level if game == wish.game.key else wish.level)
    work = hosted_table(room.clock, wish, host.id, sealed, others)
    await _check_quota(request, room, wish.game, others)
    where, why = await place_for(request, room, work.table)
    if where != by.where:
        # Built anew, so that the time spent on making the thread is nobody's.
        work = hosted_table(room.clock, wish, host.id, sealed, others)
    code, token = await language_of_board(request), by.token if where == by.where else None
    view = request.views.fresh(work.table, where, host, code, token)
    theirs = await _theirs(request, room, work.table, guests, code) if where.private else ()
    try:
        async with room.quota.opening:
            await _check_quota(request, room, wish.game, others)
            origin = await _announce(request, room, work.table)
            table = await room.changes.create(origin, work, view, *theirs, draft=sealed.draft)
    except Exception:
        await give_up_place(request, room, where)
        raise
    shown = await request.views.of(table, where)
    key = "house.opened" if table.status == OPEN else "house.begun"
    key = key if where == by.where else "house.opened-apart"
    asked = [player.name for player in table.players if player.invited and player.name]
    notes = [await offer_course(request, room, table) if why is None else request.tongue.say(why)]
    unmet = [one.name for one in guests if await room.people.is_unmet(one.id)]
    notes += [request.pages.say("house.unmet", name=name) for name in unmet]
    if asked and not unmet and key == "house.opened":
        key = "house.asked"
    name = phrase(f"{table.game.key}.name")
    words = phrase(key, game=name, code=table.code, guest=tuple(asked), n=len(asked))
    return BoardAnswer(
        request.tongue.say(words),
        shown.id if shown is not None else None,
        # A thread of its own is seen in the channel: where it is concerns the asker alone.
        private=where != by.where,
        aloud=shown is None,
        link="" if where == by.where else request.chats[where.platform].link(where),
        note="\n".join(filter(None, notes)),
    )


async def _announce(request: Request, room: OpeningRoom, table: Table) -> Update:
    """The update that opens *table*, and who besides its players hears of that."""
    where = request.by.where
    if where.private or not table.seeks:
        return request.origin
    role = (await room.places.rules(where)).seeking
    home = (await room.places.home(where)).place if role else ""
    return replace(request.origin, channel=alert_place(where), role_of=home)


def alert_place(where: Where) -> str:
    """The place by which alerts are kept: the channel of a thread, else the place itself."""
    return where.home.channel if where.home is not None and where.home.channel else where.place


async def _check_quota(
    request: Request, room: OpeningRoom, game: Game, others: Sequence[Player]
) -> None:
    """Raise ``Refused`` where the asker may open no further table of *game* against *others*."""
    host = request.person.id
    await room.quota.check_room(host, request.by.where)
    for one in others:
        if one.invited and one.person is not None:
            await room.quota.check_unanswered(host, one.person, game.key, room.clock.now())


async def _theirs(
    request: Request, room: OpeningRoom, table: Table, guests: Sequence[PersonRow], code: str
) -> list[ViewRow]:
    """The views by which *guests* are challenged in their private chats, if they have one."""
    platform, unasked = request.by.where.platform, request.chat.takes_unasked
    ways = [(await room.people.private_chat(g.id, platform, unasked=unasked), g) for g in guests]
    fresh = request.views.fresh
    return [fresh(table, home, one, one.language or code) for home, one in ways if home is not None]


async def _others(
    request: Request, room: OpeningRoom, wish: GameRequest, guests: Sequence[PersonRow]
) -> tuple[Player, ...]:
    """The players who sit from the beginning besides the asker; *guests* are challenged."""
    for guest in guests:
        refuse_if(guest.id == request.person.id, "house.not-yourself")
        await check_welcome(request, room.people, room.bars, guest)
    if guests:
        return tuple(Player(guest.id, invited=True) for guest in guests)
    return (Player(level=wish.level),) * (wish.seats - 1 if wish.against_computer else 0)


def hosted_table(
    clock: Clock, wish: GameRequest, host: int, sealed: Sealed, others: Sequence[Player]
) -> UnitOfWork:
    """The table of *wish*, not yet stored, with *host* and *others*; if it is full it starts."""
    work = play.open_table(
        sealed.code,
        wish.game,
        options=wish.options,
        hints=wish.hints,
        computer_clock=wish.computer_clock,
        begins=wish.begins,
        seats=wish.seats,
        host=host,
        secret=sealed.secret,
        now=clock.now(),
        steady=clock.steady(),
        control=wish.control,
        match=wish.match,
        rated=bool(wish.rated),
        casual=wish.casual,
        start=sealed.start,
        stand_in=wish.level if wish.now else 0,
    )
    play.take_chair(work, Player(host, side=wish.side))
    if sealed.words:
        play.say_words(work, host, sealed.words)
    for other in others:
        play.take_chair(work, other)
    play.start_if_full(work)
    return work


async def _find_named(request: Request, names: str) -> tuple[PersonRow, ...]:
    """Those called *names* here; several are joined by «and», or each is called by one word.

    Of whom nobody knows more than an @name, no more is told.
    """
    own, where, people = request.by.asker.handle, request.by.where, request.room.people
    refuse_if(f"@{own}".casefold() == names.casefold(), "house.not-yourself")
    if isinstance(request.by, Command) and (told := request.by.people.get(names)) is not None:
        return (await people.of(told),)
    if (found := await find_called(request, names)) is not None:
        return (found,)
    words = names.split()
    groups = groupby(words, lambda one: says(one, "house.word.and"))
    parts = [" ".join(group) for joins, group in groups if not joins]
    if len(words) > 1 and parts:
        called = [await _find_named(request, one) for one in (words if parts == [names] else parts)]
        return tuple({one.id: one for one in chain.from_iterable(called)}.values())
    # Without @names nobody could ever accept.
    refuse_if(own is None or not _HANDLE.fullmatch(names), "house.bad-opponent", text=names)
    return (await people.of(Asker(where.platform, names.casefold(), names)),)


async def guest_of(request: Request, room: OpeningRoom) -> PersonRow | None:
    """The challenged person: mentioned in the command, or named by id in the button."""
    if isinstance(request.by, Command):
        mentioned, named = request.by.people.get("opponent"), request.value("opponent")
        nobody = any(says(named, f"house.word.{one}") for one in ("computer", "now", "anyone"))
        if named and not (mentioned or nobody or request.value("game")):
            return next(iter(await _find_named(request, named)))
        return None if mentioned is None else await room.people.of(mentioned)
    if not request.path or not request.path[-1].startswith("@"):
        return None
    return await room.store.read(people.load_person, int(request.path[-1].removeprefix("@")))


async def place_for(
    request: Request, room: OpeningRoom, table: Table
) -> tuple[Where, Phrase | None]:
    """The place of the new *table*: the asker's or a thread made for it, and why it got no thread.

    A thread whose table was never stored, as after a kill, is archived by its chat.
    """
    where, home = request.by.where, request.by.where.home
    if home is None or home.channel != where.place:
        return where, None
    if not (await room.places.rules(where)).threads or await was_done(request):
        return where, None
    if not home.parts:
        return where, phrase("house.no-thread.allowed")
    chat = request.chats[where.platform]
    try:
        try:
            part = await chat.part(where, await _title(request, room, table))
        except BlockedByFilter:  # a name in it
            part = await chat.part(where, table.code)
    except PlaceShut:
        return where, phrase("house.no-thread.allowed")
    except ChatError as wrong:
        log.warning("no thread for table %s: %s", table.code, wrong)
        return where, phrase("house.no-thread")
    await room.places.note_part(where, part)
    await bring(request, room, part, (p.person for p in table.players if p.person is not None))
    return part, None


async def bring(request: Request, room: OpeningRoom, part: Where, people: Iterable[int]) -> None:
    """Bring *people* to *part*; anybody missed is brought by the first notification."""
    with suppress(ChatError):
        askers = await room.people.askers(part.platform, *people)
        await request.chats[part.platform].lead(part, askers)


async def give_up_place(request: Request, room: OpeningRoom, part: Where) -> None:
    """Let *part* go, in which no table came to stand."""
    if part == request.by.where:
        return
    with suppress(ChatError):
        await request.chats[part.platform].keep(part, played=False)
        await room.places.played_in(part, played=False)


async def _title(request: Request, room: OpeningRoom, table: Table) -> str:
    named = await room.people.introduce(table)
    people = " – ".join(one.name for one in named.players if one.name)
    game = request.pages.say(f"{table.game.key}.name")
    return " · ".join(filter(None, (game, people, table.code)))
