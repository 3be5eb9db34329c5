"""The tables of a tournament: opened by themselves, where their players are."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from bot.port import Chat, ChatError, Pace, Where
from bot.service.clock import Clock
from bot.service.person.people import People
from bot.service.place.places import Places, new_view, view_place
from bot.service.process_cluster import Ownership
from bot.service.table.changes import TOURNAMENT, Changes, SeenBefore, Update
from bot.service.table.tables import UnknownTable
from bot.service.tournament.tournaments import TOURNAMENT_VIEW, address_where
from bot.session import play
from bot.session.draft import SECRET_LENGTH
from bot.session.names import cleaned
from bot.session.table import PLAYING, BrokenTable, Player
from bot.session.time_controls import Control, read_control
from bot.session.unit_of_work import UnitOfWork
from bot.tournament.organizer import is_decider
from bot.tournament.values import Entrant, Meeting, Round, Tournament, TournamentGame
from games.core import Game, RuleError
from games.core.shelf import find_stored_game
from storage.person import people as stored_people
from storage.records import ViewRow
from storage.store import Store
from storage.table import views as stored_views

log = logging.getLogger(__name__)

TABLES_SHOWN = 2
"""How many tables of a round stand in a place that may be written to but seldom."""

SELDOM = 60.0
"""Over how many seconds such a place counts what is written."""


def halved(control: Control) -> Control:
    """*control* with half the time, as a decider is played; what is read again is the same."""
    half = replace(
        control,
        move=control.move // 2,
        bank=control.bank // 2,
        period=control.period // 2,
        increment=control.increment // 2,
    )
    with suppress(RuleError):
        return read_control(half.text) or control
    return control


@dataclass(frozen=True, kw_only=True)
class TournamentTables:
    """Opens the tables of rounds."""

    store: Store
    clock: Clock
    people: People
    places: Places
    ownership: Ownership
    changes: Changes
    round_title: Callable[[str, int], str]
    """What a round is called, in a language and by its number."""

    async def open(self, tournament: Tournament, game: TournamentGame) -> None:
        """Open the table of *game*; raises ``SeenBefore`` or ``Conflict`` where it is open."""
        entrants = [tournament.entrant(number) for number in game.seats]
        sitting = await self._sitting(tournament, game, entrants)
        part, made = await self._part(tournament, game, sitting)
        if part is not None:
            home = address_where(tournament.at)
            sitting = {one: part if _beside(at, home) else at for one, at in sitting.items()}
        work = self.begin(tournament, game, entrants)
        views = await self._views(tournament, work, sitting)
        update = Update(TOURNAMENT, f"{tournament.code}:{game.code}")
        try:
            await self.changes.create(update, work, *views, sitting=sitting)
        except Exception:
            if part is not None and made:
                with suppress(ChatError):
                    await self.ownership.chats[part.platform].keep(part, played=False)
            raise

    async def _part(
        self, tournament: Tournament, game: TournamentGame, sitting: Mapping[int, Where]
    ) -> tuple[Where | None, bool]:
        """The thread for *game* where the tournament wants one, and whether it was made now."""
        where = address_where(tournament.at)
        chat = self.ownership.chats.get(where.platform)
        here = [person for person, at in sitting.items() if _beside(at, where)]
        if not tournament.rules.threads or chat is None or not here:
            return None, False
        known = await self._part_of_round(tournament, game, where)
        part = known or await self._make(tournament, game, chat, here)
        if part is None:
            return None, False
        with suppress(ChatError):
            await chat.lead(part, await self.people.askers(part.platform, *here))
        return part, known is None

    async def _make(
        self, tournament: Tournament, game: TournamentGame, chat: Chat, here: Sequence[int]
    ) -> Where | None:
        """A new thread for *game* or its round, if the chat makes one; *here* are its people."""
        where = address_where(tournament.at)
        if tournament.rules.by_round:
            speaks = await self.people.language_in(where)
            named = self.round_title(speaks, _round_of(tournament, game).number)
        else:
            names = await self.store.read(stored_people.load_names, here)
            people = " – ".join(cleaned(one.name) for one in names.values())
            named = f"{people} · {game.code}"
        try:
            part = await chat.part(where, f"{tournament.code} · {named}")
        except ChatError as wrong:
            log.info("no thread for table %s: %s", game.code, wrong)
            return None
        if part.place != where.place:
            # A topic has no settings apart from those of its group.
            await self.places.note_part(where, part)
        return part

    async def _part_of_round(
        self, tournament: Tournament, game: TournamentGame, home: Where
    ) -> Where | None:
        """The thread in which another table of the round of *game* stands, where they share one."""
        if not tournament.rules.by_round:
            return None
        for other in [g for meeting in _round_of(tournament, game).meetings for g in meeting.games]:
            if not other.code or other.code == game.code:
                continue
            for view in await self.store.read(stored_views.views_of_game, other.code):
                at = view_place(view)
                apart = (at.place, at.thread) != (home.place, home.thread)
                within = at.place == home.place or await self.places.within(at) == home.place
                if at.platform == home.platform and not at.private and apart and within:
                    return at
        return None

    def begin(
        self, tournament: Tournament, game: TournamentGame, entrants: Sequence[Entrant]
    ) -> UnitOfWork:
        """The table of *game*, not yet stored: everybody sits, and it has begun."""
        rules, kind = tournament.rules, find_stored_game(tournament.rules.game)
        sides = kind.sides_for(len(entrants))
        work = play.open_table(
            game.code,
            kind,
            options=rules.options,
            begins=begins(kind, sides),
            seats=len(entrants),
            host=tournament.host,
            secret=secrets.token_bytes(SECRET_LENGTH),
            now=self.clock.now(),
            steady=self.clock.steady(),
            control=self._control(tournament, game),
            rated=rules.rated,
            tournament=tournament.code,
        )
        for entrant, side in zip(entrants, sides, strict=True):
            play.take_chair(work, Player(entrant.person, side=side))
        play.start_if_full(work)
        return work

    @staticmethod
    def _control(tournament: Tournament, game: TournamentGame) -> Control | None:
        control = read_control(tournament.rules.clock)
        meeting = next((one for _, one, g in tournament.games() if g is game), None)
        decides = meeting is not None and is_decider(tournament, Meeting(meeting.games))
        return halved(control) if control is not None and decides else control

    async def _sitting(
        self, tournament: Tournament, game: TournamentGame, entrants: Sequence[Entrant]
    ) -> dict[int, Where]:
        """From where each person plays: where they entered, or alone where there is no room."""
        crowded = await self._is_crowded(tournament, game)
        found = {}
        for one in entrants:
            where = address_where(one.at)
            if crowded and not where.private:
                where = await self.people.private_chat(one.person, where.platform) or where
            found[one.person] = where
        return found

    async def _is_crowded(self, tournament: Tournament, game: TournamentGame) -> bool:
        """Whether *game* is not among the first of its round in a place that takes few tables."""
        where = address_where(tournament.at)
        chat = self.ownership.chats.get(where.platform)
        if chat is None or where.private or not is_seldom(chat.pace(where)):
            return False
        boards = [one.last for one in tournament.rounds[-1].meetings if one.last.code]
        apart = [await self._have_chats(tournament, one, where.platform) for one in boards]
        # First come those whose people have nowhere else to play.
        ranked = sorted(zip(apart, range(len(boards)), strict=True))
        return game.code not in [boards[n].code for _, n in ranked[:TABLES_SHOWN]]

    async def _have_chats(self, tournament: Tournament, game: TournamentGame, platform: str) -> int:
        """How many of the people of *game* have a private chat."""
        people = [tournament.entrant(number).person for number in game.seats]
        return sum([await self.people.private_chat(one, platform) is not None for one in people])

    async def close_judged(self, code: str) -> None:
        """Close the table *code*, whose game was decided by somebody, if it is still played."""

        def decide(work: UnitOfWork) -> None:
            if work.table.status == PLAYING:
                play.close(work, play.JUDGED)

        with suppress(SeenBefore, UnknownTable, BrokenTable):
            await self.changes.change(Update(TOURNAMENT, f"{code}:{play.JUDGED}"), code, decide)

    async def _views(
        self, tournament: Tournament, work: UnitOfWork, sitting: Mapping[int, Where]
    ) -> list[ViewRow]:
        """The boards of the table: one in each place, one for each person who plays alone.

        Where others see it, it speaks as the message of the tournament does.
        """
        messages = await self.store.read(
            stored_views.views_showing, TOURNAMENT_VIEW, tournament.code
        )
        speaks = {one.place: one.language for one in messages}
        home = address_where(tournament.at)
        found: dict[tuple[Where, int | None], ViewRow] = {}
        for person, where in sitting.items():
            alone = person if where.private else None
            shared = speaks.get(where.place) or await self.people.language_in(where)
            if await self.places.within(where) == home.place:
                shared = speaks.get(home.place, shared)
            code = ("" if alone is None else await self.people.language_alone(person)) or shared
            found[where, alone] = new_view(work.table.code, work.table.version, where, person, code)
        return list(found.values())


def is_seldom(pace: Pace) -> bool:
    """Whether a place of this *pace* takes few tables of a round."""
    return pace.count is not None and pace.seconds >= SELDOM


def _beside(where: Where, home: Where) -> bool:
    """Whether whoever plays from *where* does so in the place *home*, in whatever topic of it."""
    return where.key == home.key and not where.private and not home.private


def _round_of(tournament: Tournament, game: TournamentGame) -> Round:
    """The round in which *game* is played."""
    return next(one for one, _, known in tournament.games() if known.code == game.code)


def begins(game: Game, sides: Sequence[str]) -> str:
    """Who begins a game of a tournament: the first side, where a side begins at all."""
    return sides[0] if sides[0] in game.rules.begins else game.rules.begins[0]
