"""Promises about what reaches people: calls, where and in which words, and answers, once each.

Who waits is called; a call names whom it reaches, in their language, not in their night, and goes
when it is answered. A command opens one table, and what answers it arrives.
"""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from bot.port import Card, Command, FileAnswer, Poster, PrivateRefusal, Said
from bot.service.table.changes import ORIGINS, Change
from bot.session.preferences import NotificationChoice
from bot.session.table import PLAYING, Table
from storage.person import people
from tests.evening.house import watchers
from tests.evening.loop import BEGINS
from tests.evening.refusals import REFUSALS
from tests.evening.screens import Seen

if TYPE_CHECKING:
    from tests.evening.promises import Promises
    from tests.evening.wire import Call

CALLED = 100.0
"""Seconds after which somebody for whom a table waits has been called."""

LEFT = 60.0
"""Seconds without an act in which somebody has left the table, and has been called."""

SHUT = 300.0
"""Seconds in which a place may stay shut that has refused something."""

WAITED = 30.0
"""Seconds in which a place goes on that has asked for patience."""

ARRIVES = 45.0
"""Seconds in which the answer to a command comes, where the place is not busy."""

BUSY = 8
"""How many messages a minute make a group one in which who does not play may wait for long."""

LATER = "👀"
"""A reaction that says no more than that an answer comes, here or in private."""

HASTY = 5
"""How many acts in ten seconds are more than people do: they may hear nothing."""

THINKS = 5
"""The type of an answer to an interaction that says no more than that one follows."""

SETTLES = 2.0
"""Seconds after which a house has noted what it has answered."""

BOARD_MOVES = 10.0
"""Seconds in which the first boards of a table are posted."""

PATIENCE = {one.name for one in REFUSALS if one.status == 429} | {"429"}
"""The refusals that ask for patience and no more."""

_SPANISH = "el la los las de que te en tu una un está ya con por para es no"
_ENGLISH = "the your is of you it to has and not a in on with for this are"

WORDS = {"es": frozenset(_SPANISH.split(" ")), "en": frozenset(_ENGLISH.split(" "))}
"""Words by which a sentence shows its language."""

DAILY = re.compile(r"(?:La jugada de hoy, n\.º|Move of the day #)[\s\u2060]*([\d.,]+)")
"""How the message of a daily puzzle begins, with the number of its day."""


@dataclass(frozen=True)
class Ringing:
    """A message that has called *person* at an instant to a table where they were to move."""

    at: float
    person: str
    table: str
    seat: int
    words: str


class CallPromises:
    """The promises of one evening about calls and answers."""

    def __init__(self, of: Promises) -> None:
        self.of, self.world, self.model, self.holds = of, of.world, of.model, of.holds
        self.named: dict[tuple[str, str, str], float] = {}
        """When somebody was called last, by platform, person and table ("" where none is told)."""
        self.ringing: dict[tuple[str, str], list[Ringing]] = defaultdict(list)
        """Calls by platform and message."""
        self.refused: list[tuple[float, str, bool]] = []
        """When a message was not sent, on which platform, and whether it was to be patient."""
        self.kept: set[tuple[str, str]] = set()
        """Messages that something kept from being removed."""
        self.opened: dict[tuple[str, str], list[str]] = defaultdict(list)
        self.parents: dict[str, tuple[str, float]] = {}
        """The table that each rematch follows, and when it did."""
        self.stood: dict[tuple[str, str], set[str]] = defaultdict(set)
        """The places in which a table was shown, by platform and table."""
        self.acts: list[tuple[float, tuple[str, str]]] = []
        """What people pressed and typed: when, and who, by platform and id."""
        self.answers: list[tuple[float, Call]] = []
        self.nods: list[tuple[float, str]] = []
        """When it was said of a command, by its message, that it is answered elsewhere or later."""
        self.alone: set[str] = set()
        """The tokens of commands of Discord whose answer is for their person alone."""
        of.net.heard.append(self._heard)
        of.net.troubled.append(self._troubled)
        self.model.changes.append(self._changed)
        self.facade: Any = None
        """That of the house that was asked last."""
        watchers.append((self._asked, self._answered))

    # ---------------------------------------------------------------- what is told while it runs

    def _changed(self, change: Change) -> None:
        table, update, now = change.table, change.update, self.world.loop.now
        if change.before is None and not change.is_child and update.platform not in ORIGINS:
            codes = self.opened[update.platform, update.update]
            codes.append(table.code)
            self.holds("a command opens one table", len(codes) == 1, codes)
        if change.child is not None:
            self.parents[change.child.table.code] = table.code, now
        for seat in table.actors():
            if table.status == PLAYING and self.model.came.get((table.code, seat)) == now:
                self.world.spawn(self._is_called(table, seat, now))

    def _asked(self, facade: Any, asked: Any) -> float:
        self.facade = facade
        self.acts.append((self.world.loop.now, (asked.asker.platform, asked.asker.external)))
        return self.world.loop.now

    def _troubled(self, call: Call, what: str) -> None:
        patient = what.removeprefix("refused: ") in PATIENCE or "Too Many Requests" in what
        if call.sends or call.edits or patient:
            self.refused.append((self.world.loop.now, call.platform, patient))
        if not (call.sends or call.edits or call.answers):
            self.kept.add((call.platform, _about(call)))

    def _heard(self, call: Call, answer: object) -> None:
        """Something was sent."""
        self._is_for_one(call, answer)
        platform, number, now = call.platform, call.sent(answer), self.world.loop.now
        if call.line == "setMessageReaction" and LATER not in call.text():
            self.answers.append((now, call))
        elif call.line == "setMessageReaction":
            self.nods.append((now, _about(call)))
        if platform not in self.of.places or not (call.sends or call.answers) or not number:
            return
        self.answers.append((now, call))
        owner = _owner(call)
        tables = call.tables() or {self.of.boards.get((platform, one), "") for one in call.linked()}
        called = _mentioned(call) | ({owner} if owner else set())
        for person in called:
            for table in tables or {""}:
                self.named[platform, person, table] = now
        for seen in self._seen(platform):
            if seen.id == number and call.tables():
                self._is_shown(platform, seen, min(call.tables()))
        lost = self.of.story.script.befallen.get(call.key, "") in ("lost", "502 after")
        if call.tables() or call.answers or lost or call.line.startswith("POST /webhooks"):
            return  # of what was lost the house does not know
        mentioned = _mentioned(call)
        if owner and mentioned:
            kept = owner in mentioned
            self.holds("a call reaches whom it names", kept, f"{owner}: {call.text()[:120]}")
            self.world.spawn(self._is_understood(call, owner))
        for person in mentioned:
            for table in tables - {""}:
                self._rings(call, number, person, table)

    def _rings(self, call: Call, number: str, person: str, code: str) -> None:
        table = self.model.tables.get(code)
        known = self.model.persons.get((call.platform, person))
        seat = None if table is None or known is None else table.seat_of(known)
        if table is None or seat is None:
            return
        if seat in table.actors():
            words = _words(call)[:80]
            one = Ringing(self.world.loop.now, person, code, seat, words)
            self.ringing[call.platform, number].append(one)
        facade = getattr(call.by, "facade", None)
        if facade is not None and not table.tournament and table.clock is None:
            chosen = facade.services.people.chosen(known)
            now = datetime.fromtimestamp(BEGINS + self.world.loop.now + self.world.jumped, UTC)
            night = all(_is_night(chosen, now - timedelta(seconds=s)) for s in (0.0, 60.0))
            self.holds("nobody is called in their night", not night, f"{person}: {now}")

    def _is_shown(self, platform: str, seen: Seen, code: str) -> None:
        """A board was posted: that of a rematch where its game was."""
        parent, begun = self.parents.get(code, ("", 0.0))
        before = self.stood[platform, parent]
        if seen.shared and before and self.world.loop.now - begun <= BOARD_MOVES:
            kept = seen.place in before
            self.holds("a rematch is where its game was", kept, f"{code}: {seen.place}, {before}")
        if seen.shared:
            self.stood[platform, code].add(seen.place)

    async def _is_understood(self, call: Call, owner: str) -> None:
        """A call in a private chat is in the language that its person has chosen."""
        facade = getattr(call.by, "facade", None)
        number = self.model.persons.get((call.platform, owner))
        spoken = language_of(_words(call), least=2)
        if facade is None or number is None or not spoken:
            return
        row = await facade.store.read(people.load_person, number)
        chosen = spoken if row is None or row.language is None else row.language
        self.holds("a call is in its reader's language", chosen == spoken, call.text()[:160])

    def _seen(self, platform: str) -> list[Seen]:
        return self.of.places[platform].public()

    # ---------------------------------------------------------------- who is called

    def was_shut(self, platform: str, since: float, until: float) -> bool:
        """Whether a place may have thought itself shut between the two, as it was refused."""
        refused = (at for at, on, patient in self.refused if on == platform and not patient)
        return any(since - SHUT <= at <= until for at in refused)

    async def _is_called(self, table: Table, seat: int, came: float) -> None:
        """Look whether *seat*, for which a table waits since *came*, has been called."""
        await asyncio.sleep(CALLED)
        now, number = self.world.loop.now, table.players[seat].person
        standing = self.model.tables[table.code]
        if standing.version != table.version or self.model.was_away(came - 5.0, now):
            return
        found = [key for key, one in self.model.persons.items() if one == number]
        if len(found) != 1 or sum(one.person is not None for one in table.players) < 2:
            return
        platform, person = found[0]
        place = self.of.places.get(platform)
        facade = self.facade
        if place is None or platform == "page" or place.is_full() or facade is None:
            return
        if self.was_shut(platform, came, now):
            return
        chosen = await facade.services.people.personal(number)
        if chosen.quiet or chosen.calls in (NotificationChoice.NEVER, NotificationChoice.TIME):
            return
        there = [came, *(at for at, who in self.acts if who == found[0] and at > came), now]
        if all(later - at < LEFT for at, later in pairwise(there)):
            return  # who looks at the table needs no call
        told = max(self.named.get((platform, person, code), -1e9) for code in (table.code, ""))
        why = f"{person} on {platform} at {table.code} since {came:.0f}"
        self.holds("whoever is waited for is called", told >= came - 1.0, why)

    # ---------------------------------------------------------------- answers

    async def _answered(self, facade: Any, asked: Any, began: float, answer: Any) -> None:
        """The house has an answer to a command of Telegram: it arrives."""
        del facade
        if not isinstance(asked, Command):
            return
        refused = isinstance(answer, Said) and not answer.good
        if asked.where.platform == "discord" and (
            refused or isinstance(answer, Card | PrivateRefusal)
        ):
            self.alone.add(f"t{asked.update}")
        if asked.where.platform != "telegram":
            return
        worded = isinstance(answer, Card | FileAnswer | Poster | PrivateRefusal)
        if worded or (isinstance(answer, Said) and answer.said):
            self.world.spawn(self._arrives(asked, began, type(answer).__name__))

    def _is_for_one(self, call: Call, answer: object) -> None:
        """What answers a command for one person is seen by nobody else."""
        parts = call.line.split("/")
        if call.platform != "discord" or parts[1] not in ("webhooks", "interactions"):
            return
        # The puzzle of the day may go by the token of a command, where the channel takes nothing.
        posted = call.tables() or DAILY.search(call.text())
        says = not posted and call.values.get("type") != THINKS and (call.sends or call.edits)
        if says and self.alone & set(parts):
            alone = self.of._is_alone(answer)
            self.holds("what is for one is seen by one", alone, call.text()[:120])

    async def _arrives(self, asked: Command, began: float, kind: str) -> None:
        place, busy = self.of.places["telegram"], bool(self.of.plan.around.impatient)
        for _ in range(3):
            taken = place.api.recent.get(place.chat["id"], ())
            busy |= sum(self.world.loop.now - at < 60.0 for at in taken) >= BUSY
            await asyncio.sleep(ARRIVES / 3)
        did = [at for at, who in self.acts if who == (asked.asker.platform, asked.asker.external)]
        busy |= any(
            began - (WAITED if patient else SHUT) <= at < began and on == "telegram"
            for at, on, patient in self.refused
        )
        busy |= sum(began - 10.0 <= at <= began for at in did) > HASTY
        refused = [p for at, on, p in self.refused if at >= began and on == "telegram"]
        if busy or refused.count(True) > 1 or not all(refused):
            return
        if self.model.was_away(began - 5.0, self.world.loop.now):
            return
        message, me = place.typed.get(asked.update, ""), asked.asker.external
        heard = any(
            at >= began and (_owner(call) == me or message in call.linked() | {_about(call)})
            for at, call in self.answers
        )
        if any(at >= began and about == message for at, about in self.nods):
            # What leads them to the answer stands there already.
            heard = heard or any(_leads(one, asked.asker.name) for one in place.public())
        self.holds("a command is heard", heard, f"{asked.asker.name} /{asked.name}: {kind}")

    # ---------------------------------------------------------------- the end

    def later(self) -> None:
        """Some minutes later no call stands that was answered, and none was answered twice."""
        shown = {
            (place.name, one.id)
            for place in self.of.places.values()
            for who in place.people
            for one in (*place.screen(who), *place.public())
            if not getattr(one.raw, "viewer", "")
        }
        came = self.model.came
        for key, ringing in self.ringing.items():
            waits = any(came.get((one.table, one.seat), 1e9) <= one.at for one in ringing)
            if not waits and key not in self.kept:
                gone, why = key not in shown, f"{key} {ringing}"
                self.of._end(key[0], ringing[0].table, "an answered call is gone", gone, why)
        self._once()

    def _once(self) -> None:
        """No command was answered by a house and, after that had time to note it, by its heir."""
        typed = set(getattr(self.of.places.get("telegram"), "typed", {}).values())
        first: dict[tuple[str, str], tuple[float, Call]] = {}
        for at, call in self.answers:
            for message in call.linked() & typed if call.of_telegram and call.sends else ():
                before, other = first.setdefault((message, call.text()), (at, call))
                died = getattr(other.by, "died_at", 1e9)
                late = other.by is not call.by and died - before >= SETTLES
                self.holds("a command is answered once", not late, call.text()[:120])


def language_of(said: str, least: int = 3) -> str:
    """The language of *said*, where *least* of its words tell it and none speaks against it."""
    words = [word.strip(".,:;!¡?¿()").lower() for word in said.split()]
    counts = {code: sum(word in known for word in words) for code, known in WORDS.items()}
    (first, most), (_, next_most) = sorted(counts.items(), key=lambda one: -one[1])
    return first if most >= least and next_most == 0 else ""


def _words(call: Call) -> str:
    """What *call* says to people."""
    if call.platform == "port":
        return call.text()
    return str(call.values.get("text") or call.values.get("content") or "")


def _about(call: Call) -> str:
    """The message that *call* removes or reacts to."""
    found = call.about or (call.line.rpartition("/")[2] if call.platform == "discord" else "")
    return str(found)


def _leads(seen: Seen, name: str) -> bool:
    """Whether a message of Telegram leads the person called *name* to their private chat."""
    keys = str(getattr(seen.raw, "rows", ()))
    return name in seen.text.partition(":")[0].split(", ") and "start=" in keys


def _owner(call: Call) -> str:
    """Whose private chat *call* goes to, by their id."""
    if call.platform == "telegram":
        chat = str(call.values.get("chat_id", ""))
        alone = call.values.get("ephemeral_message_parameters", "")
        return chat if chat.isdigit() else str(alone and alone["receiver_user_id"])
    if call.platform == "discord":
        parts = call.line.split("/")
        return parts[2][1:] if parts[1] == "channels" and parts[2].startswith("9") else ""
    where = getattr(call, "where", None)
    return where.place if where is not None and where.private else ""


def _mentioned(call: Call) -> set[str]:
    screens = [one for one in getattr(call, "told", ()) if hasattr(one, "mentions")]
    return call.called() | {one.external for screen in screens for one in screen.mentions}


def _is_night(chosen: Any, now: datetime) -> bool:
    """Whether somebody who has *chosen* so sleeps."""
    begins, ends = chosen.quiet or (0, 0)
    hour = now.astimezone(ZoneInfo(chosen.zone or "UTC")).hour
    return begins <= hour < ends if begins <= ends else not ends <= hour < begins
