"""The talk over a table between people on pages; other chats have talk of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from bot.boards.views import Views
from bot.port import Asker, Where
from bot.service.clock import Clock
from bot.service.person.people import People
from bot.service.request_rate_limits import Limits
from bot.service.table.changes import Changes, SeenBefore, Update
from bot.session.names import cleaned
from bot.session.preferences import Personal
from bot.session.rated import KNOWN_BY
from bot.session.table import PLAYING, Table
from bot.texts import Language, language
from games.core import Phrase, phrase
from storage.errors import ForgottenPerson
from storage.person.people import barred_groups, load_names
from storage.records import TalkRow
from storage.store import Store
from storage.table import talk
from storage.table import views as stored

PRESETS = ("luck", "good", "ouch", "moment", "back", "thanks")
"""The lines that can be said by a press; everybody reads them in their own language."""

LONGEST_LINE = 300
"""The most characters of what is typed."""

MUTED = 200
"""The most people a person can mute; the first is heard again for one more."""


@dataclass(frozen=True)
class TalkLine:
    """A line that *who* said at *at*, in ms since 1970; a *muted* speaker's text is empty."""

    number: int
    who: str
    text: str
    mine: bool
    watches: bool
    muted: bool
    at: int


@dataclass(frozen=True)
class Heard:
    """The lines said at a table, the number of other *readers*, and who does not read, in words.

    *deaf* are those who play from another chat.
    """

    lines: tuple[TalkLine, ...]
    readers: int
    deaf: str


@dataclass(frozen=True, kw_only=True)
class Talk:
    """The talk over all tables. Raises ``StorageError``."""

    store: Store
    clock: Clock
    changes: Changes
    people: People
    views: Views
    limits: Limits

    async def say(
        self, asker: Asker, where: Where, update: str, code: str, preset: str, text: str
    ) -> Phrase | int:
        """Say *text* or *preset*; answers the line's number, 0 for a repeated one, or a refusal."""
        table = await self.table(where, code)
        preset = preset if preset in PRESETS else ""
        said = "" if preset else cleaned(text, LONGEST_LINE)
        if table is None:
            return phrase("house.no-table", code=code[:8])
        if not (said or preset):
            return phrase("web.say-nothing")
        if not self.limits.talks(asker):
            return phrase("house.too-fast")
        person, now = await self.people.number(asker), self.clock.now()
        if person is None:
            return phrase("house.no-table", code=code[:8])
        row = TalkRow(0, code, person, table.seat_of(person), preset, said, now)
        origin = Update(where.platform, update, where.place)
        try:
            return (await self.changes.once(origin, lambda tx: talk.add_talk(tx, row))).id
        except SeenBefore:
            return 0
        except ForgottenPerson:
            return phrase("forget.done")

    async def tell_house(self, asker: Asker, at: Where, update: str, text: str) -> Phrase | None:
        """Say *text* to all members of the house; answers why not, if it is refused."""
        said, me = cleaned(text, LONGEST_LINE), await self._member(asker)
        if me is None:
            return phrase("web.members-alone")
        if not said:
            return phrase("web.say-nothing")
        if not self.limits.talks(asker):
            return phrase("house.too-fast")
        origin, now = Update(at.platform, update, at.place), self.clock.now()
        with suppress(SeenBefore):
            await self.changes.once(origin, lambda tx: talk.add_house_line(tx, me, now, said))
        return None

    async def read_house(self, asker: Asker) -> Sequence[tuple[str, str, int]] | None:
        """Who said what to the whole house, and when, in microseconds, the oldest first.

        The words of a person whom *asker* has muted are empty; ``None`` for whoever is no member.
        """
        me = await self._member(asker)
        if me is None:
            return None
        muted = (await self.people.personal(me)).muted
        lines = await self.store.read(talk.house_lines)
        names = await self.store.read(load_names, sorted({person for _, person, _ in lines}))
        return [
            (cleaned(names[person].name), said * (person not in muted), _instant(key))
            for key, person, said in lines
        ]

    async def _member(self, asker: Asker) -> int | None:
        """The number of *asker*, unless they are a guest who came by nobody's leave."""
        me = await self.people.number(asker)
        groups = await self.store.read(barred_groups, () if me is None else (me,), KNOWN_BY)
        return None if groups else me

    async def mute(self, asker: Asker, where: Where, code: str, number: int) -> bool:
        """Mute the speaker of the line *number* for *asker*, or unmute them.

        Without a *code* it is what was said to the house at that instant.
        """
        said = {_instant(key): one for key, one, _ in await self.store.read(talk.house_lines)}
        whom = await self.store.read(talk.find_author, code, number) if code else said.get(number)
        if whom is None or (code and await self.table(where, code) is None):
            return False
        me, people = await self.people.number(asker), self.people
        if me is None:
            return False

        def change(known: Personal) -> Personal:
            kept = tuple(one for one in known.muted if one != whom)
            return replace(known, muted=kept if whom in known.muted else (*kept, whom)[-MUTED:])

        await people.choose(me, change)
        return True

    async def read(
        self, asker: Asker, where: Where, code: str, spoken: str, after: int = 0
    ) -> Heard | None:
        """The lines said at the table *code* after the line *after* that *asker* may read.

        While a game is played, only spectators read spectators.
        """
        table = await self.table(where, code)
        if table is None:
            return None
        people, tongue = self.people, language(spoken)
        me = await people.number(asker)
        rows = await self.store.read(talk.talk_of_game, code, after)
        if table.status == PLAYING and table.seat_of(me) is not None:
            rows = tuple(row for row in rows if row.seat is not None or row.person == me)
        names = await self.store.read(talk.load_speakers, code) if rows else {}
        muted = (await people.personal(me)).muted
        lines = tuple(_line(row, names, me, muted, tongue) for row in rows)
        views = await self.store.read(stored.views_of_game, code)
        readers = {view.person for view in views if view.platform == where.platform} - {me, None}
        return Heard(lines, len(readers), _deaf(table, {me, *readers}, tongue))

    async def pages(self, code: str, platform: str) -> tuple[str, ...]:
        """The places of *platform* in which the table *code* stands."""
        rows = await self.store.read(stored.views_of_game, code)
        return tuple(sorted({row.place for row in rows if row.platform == platform}))

    async def watches(self, asker: Asker, where: Where, code: str) -> bool:
        """Whether *asker* looks on at the table *code*, which stands in *where*."""
        table = await self.table(where, code)
        if table is None:
            return False
        return table.seat_of(await self.people.number(asker)) is None

    async def table(self, where: Where, code: str) -> Table | None:
        """The table *code*, if it stands in *where*."""
        found = await self.views.shown_in(where, code)
        return None if found is None else found[0]


def _deaf(table: Table, readers: set[int | None], tongue: Language) -> str:
    deaf = [
        player.name
        for player in table.players
        if player.person not in (None, *readers) and player.name and not player.invited
    ]
    return tongue.say(phrase("web.deaf", who=", ".join(deaf))) if deaf else ""


def _instant(key: str) -> int:
    return int(key.rpartition(":")[2].replace(".", ""))


def _line(
    row: TalkRow, names: Mapping[int, str], me: int | None, muted: tuple[int, ...], tongue: Language
) -> TalkLine:
    hushed = row.person in muted
    said = tongue.say(phrase(f"web.page.say-{row.preset}")) if row.preset else row.text
    return TalkLine(
        row.id,
        cleaned(names.get(row.person, "")),
        "" if hushed else said,
        row.person == me,
        row.seat is None,
        hushed,
        int(row.at.timestamp() * 1000),
    )
