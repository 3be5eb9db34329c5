"""What a page may ask of people: the ladder of all places, and a person with their games.

Of others a page shows those alone who may be seen in all places, and games in which everybody may.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter
from typing import Final, TypeAlias

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from bot.port import Asker, Where
from bot.presenters.club.ladder_and_profile_screens import StandingScreens
from bot.presenters.club.web_people_pages import (
    LadderSheet,
    PersonSheet,
    PlayedGame,
    earned_medal,
    happening,
    ladder_sheet,
    person_sheet,
    played_game,
)
from bot.service.club.ladders_and_profiles import Ladders
from bot.service.club.rating_rows import WHERE, places_read
from bot.service.person.people import People
from bot.service.place.public_tables_elsewhere import PublicTables
from bot.service.table.tables import Tables
from bot.session.table import ENDED
from games.core.shelf import shelf
from storage.club.medals import newest_deeds
from storage.person.bars import banned_people
from storage.person.people import load_names, load_person, load_renamings
from storage.records import MedalRow
from storage.store import Store
from storage.table.games import latest_games

GAMES: Final = 40
"""How many games of a person are listed."""

HAPPENINGS: Final = 8
"""How many finished games are told to the house."""

MOST_PEOPLE: Final = 2**31
"""Above all numbers of people: what no word of ours is, has a larger one."""

LOOKED_AT: Final = 200
"""How many of the newest are looked through for those that the reader may see."""

Dated: TypeAlias = tuple[datetime, PlayedGame]
"""What happened, behind its instant."""


@dataclass(frozen=True, kw_only=True)
class PeoplePages:
    """Answers pages that ask of people. Raises ``StorageError``."""

    store: Store
    people: People
    ladders: Ladders
    tables: Tables
    public_tables: PublicTables
    key: bytes

    async def ladder(
        self, asker: Asker, spoken: str, game: str, page: int, *, month: bool
    ) -> LadderSheet:
        """A page of the ladder of all places, in the language *spoken*."""
        known = game if game in shelf() else ""
        me = await self.people.number(asker) or 0
        found = await self.ladders.ladder(known, None, me, page, month=month)
        shown = [one.person for one in (*found.lines, found.mine) if one is not None]
        return ladder_sheet(found, me, spoken, await self.words_of(shown), month=month)

    async def feed(self, asker: Asker, spoken: str) -> Sequence[PlayedGame]:
        """The last games and medals of people that *asker* may see, the last one first."""
        me = await self.people.number(asker) or 0
        found = await self._list_ended(me, spoken) | await self._list_medals(me, spoken)
        return [one for _, one in sorted(found, key=itemgetter(0), reverse=True)][:HAPPENINGS]

    async def _list_ended(self, me: int, spoken: str) -> set[Dated]:
        found = set[Dated]()
        for line in await self.store.read(latest_games, ENDED, LOOKED_AT):
            sitting = [one.person for one in line.seats if one.person is not None]
            seen = me in sitting or await self.public_tables.may_watch(line.code, sitting, me)
            table = await self.tables.find(line.code) if seen and len(sitting) > 1 else None
            if table is not None:
                found.add((table.touched, happening(table, spoken)))
            if len(found) == HAPPENINGS:
                break
        return found

    async def _list_medals(self, me: int, spoken: str) -> set[Dated]:
        rows, found = await self.store.read(newest_deeds, LOOKED_AT), set[Dated]()
        ids = sorted({row.person for row in rows} - await self.store.read(banned_people))
        names, words = await self.store.read(load_names, ids), await self.words_of(ids)
        for row in rows:
            known, word = names.get(row.person), words.get(row.person, "")
            if known is not None and known.name and await self._is_told(row, me):
                found.add((row.at, earned_medal(row, known.name, word, spoken)))
            if len(found) == HAPPENINGS:
                break
        return found

    async def _is_told(self, row: MedalRow, me: int) -> bool:
        """Whether the reader *me* hears of the medal of *row*, as they may watch a game."""
        # A tournament of everybody on the page has a place without a name.
        places = [Where(*at) for at in places_read(row.data.get(WHERE)) if at[1]]
        heard = all([await self.public_tables.is_allowed(one) for one in places])
        return row.person == me or (heard and await self.public_tables.are_seen([row.person], me))

    async def words_of(self, persons: Iterable[int]) -> Mapping[int, str]:
        """The words for *persons* in addresses; another name of a person ends theirs for good."""
        renamed = await self.store.read(load_renamings, persons)
        told = {
            one: one.to_bytes(8, "big") + bytes.fromhex(drawn) for one, drawn in renamed.items()
        }
        return {one: self._cipher.encryptor().update(block).hex() for one, block in told.items()}

    @property
    def _cipher(self) -> Cipher[modes.ECB]:
        key = hashlib.sha256(b"people" + self.key).digest()
        return Cipher(algorithms.AES(key), modes.ECB())  # noqa: S305 (of one block alone)

    async def person(self, asker: Asker, spoken: str, word: str) -> PersonSheet | None:
        """The page of the person of *word*, ``None`` where *asker* may not see it."""
        me, told = await self.people.number(asker), bytes.fromhex(word)
        person = int.from_bytes(self._cipher.decryptor().update(told)[:8], "big")
        row = await self.store.read(load_person, person if person < MOST_PEOPLE else 0)
        if row is None or not row.name or (await self.words_of((row.id,)))[row.id] != word:
            return None
        chosen = await self.people.personal(row.id)
        if row.id != me and (chosen.off_ladders or not chosen.seen_everywhere):
            return None
        if row.id in await self.store.read(banned_people):
            return None
        screens = StandingScreens(spoken, self.key)
        found = await self.ladders.person(row.id, None)
        return person_sheet(row.name, found, await self._list_played(row.id, me, spoken), screens)

    async def _list_played(self, person: int, me: int | None, spoken: str) -> Sequence[PlayedGame]:
        """The rated games of *person* that the reader *me* may open, the last one first."""
        entries = await self.ladders.list_played(person, LOOKED_AT)
        ids = sorted({one for entry in entries for one in entry.people})
        names = await self.store.read(load_names, ids)
        now = {one: names[one].person for one in ids if one in names}
        found: list[PlayedGame] = []
        for entry in entries:
            people = [now.get(one, one) for one in entry.people]
            seen = (me or 0) in people or await self.public_tables.are_seen(people, me or 0)
            if not entry.table or not seen:
                continue
            others = [names[one].name for one in entry.people if now.get(one) != person]
            found.append(played_game(entry, people.index(person), others, spoken))
            if len(found) == GAMES:
                break
        return found
