"""What must hold, by name: checked while an evening runs and at its end.

They follow from the law of the table among people, not from the code: an answer is heard, a board
stands once, a call is made once. Each counts the moments in which it could have failed. A promise
is excused by the very call that something befell, or by the absence of all houses, never because
faults are about. Where nothing is to befall anything, nothing is excused.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from bot.app.doctor import examine
from bot.boards.delivery import LEADS, RETRIES
from bot.port import BoardAnswer, FileAnswer, Poster
from bot.presenters.button_codes import Action, base36
from bot.service.club.rating_check import RatingCheck
from bot.service.tournament.tournaments import TOURNAMENT_VIEW
from bot.session.table import ENDED, OPEN, PLAYING, Table
from storage import bot_settings, tournaments
from storage.table import views as stored_views
from tests.evening import hobbies
from tests.evening.house import House, painted, watchers
from tests.evening.loop import World
from tests.evening.model import Called, Model, Pressed
from tests.evening.promised_boards import BoardPromises
from tests.evening.promised_calls import DAILY, CallPromises, language_of
from tests.evening.promised_clocks import Clocks
from tests.evening.promised_club import Club
from tests.evening.screens import Heard, Person, Place, Seen
from tests.evening.story import Story
from tests.evening.wire import Call, Net

NOTED = 0.25
"""Seconds in which a house notes what it has sent: killed sooner, it knows nothing of it."""

VISIBLE = 5.0
"""Seconds after which something visible has followed a press."""

LEAVES = 1.0
"""Seconds for which a call is on its way."""

TAPS = 1.0
"""Seconds in which two presses of one button are one tap."""

RESTS, LOOKS = 40.0, 8
"""Seconds after which everybody sees the newest of a table at which nothing more happens: thirty,
and what the pace of a group takes besides; and how often we look meanwhile whether it is full."""

KNOCKS = 15.0
"""Seconds after a press in which what waited in a place that was shut is shown."""

GREETINGS = ("¡Hola! Aquí se puede jugar", "Hello! You can play")
"""How a group is greeted, which stands until somebody plays by it."""

SHUTS = ("write", "send", "group")
"""What a refusal meets that shuts a place."""

NEWS = 120.0
"""Seconds for which a table that changed its state is news."""

SAW = 30.0
"""Seconds for which somebody who has pressed something at a table looks at it."""

MOST_REFUSED = 0.02
"""The share of presses in turn that may be refused."""

LIVING = "mgjJ"
"""The letters of buttons that make a board a living one: moves, start, joining."""

LITTER_AFTER = 300.0
"""Seconds after which only what may stay stands in a group."""

LATE_NEWS = 40.0
"""Seconds after which a message must say what has happened, whatever name a filter refuses."""


class Promises:
    """The promises of one evening."""

    def __init__(self, world: World, story: Story, net: Net, plan: Any) -> None:
        self.world, self.story, self.net, self.plan = world, story, net, plan
        self.model = Model(world)
        self.moments: Counter[str] = Counter()
        self.breaches: list[tuple[str, str]] = []
        self.places: dict[str, Place] = {}
        self.presses: dict[str, Pressed] = {}
        self.calls: list[Called] = []
        self.boards: dict[tuple[str, str], str] = {}
        """Which table a message was about, by platform and message."""
        self.troubles: dict[str, list[float]] = defaultdict(list)
        """When something befell a call, by platform."""
        self.call_messages: set[tuple[str, str]] = set()
        """Messages that call somebody, by platform."""
        self.unheard: set[tuple[str, str]] = set()
        """Messages of which the house does not know, as the answer was lost, by platform."""
        self.worded: dict[str, float] = {}
        """When a word that no name is was last refused in a place."""
        self.led: dict[tuple[str, str], float] = {}
        """When a message was made to lead to the board that replaced it, by platform."""
        self.stuck: set[tuple[str, str]] = set()
        """Messages that may not be removed any more, by platform."""
        self.sent: dict[tuple[str, str], float] = {}
        """When messages were sent, by platform: a house that dies at once noted nothing of them."""
        self.posted: dict[str, float] = {}
        """When a new message with buttons of a table was posted last."""
        self.dailies: Counter[str] = Counter()
        """The messages with a daily puzzle, by platform."""
        painted.clear()
        self.parts_refused: set[tuple[str, str]] = set()
        """The platforms and tables about which something was refused; "" stands for any table."""
        self.model.hear = self._changed
        self.club, self.clocks = Club(self), Clocks(self)
        net.heard.append(self._heard_call)
        net.troubled.append(self._troubled)
        net.held_up.append(self._held_up)
        self.boards_kept = BoardPromises(self)
        watchers[:] = [(self._arrives, self._handled), (hobbies.arrives, hobbies.handled)]
        self.calling = CallPromises(self)

    def broken(self, name: str, why: object) -> None:
        """A promise was not kept."""
        self.breaches.append((name, f"{self.world.loop.now:.3f} {why}"))
        self.story.tell("BROKEN:", name, "-", why)

    def _end(self, platform: str, table: str, name: str, kept: bool, why: object) -> None:
        """The same of what stands of a table on a platform.

        Where something about it was refused there, it is another promise: that this cost no more.
        """
        if (platform, table) in self.parts_refused:
            name = "a part is not the whole"
        self.holds(name, kept, why)

    def holds(self, name: str, kept: bool, why: object = "") -> bool:
        """A moment in which the promise *name* could have failed."""
        self.moments[name] += 1
        if not kept:
            self.broken(name, why)
        return kept

    # ---------------------------------------------------------------- what is told while it runs

    def opened(self) -> None:
        """A house is there."""
        self.model.opened()

    def shut(self) -> None:
        """No house is there any more."""
        self.model.shut()
        lately = self.world.loop.now - NOTED
        self.unheard.update(one for one, at in self.sent.items() if at >= lately)
        for one in self.presses.values():
            if one.answered is None:
                one.excused = True

    def pressed(self, place: str, key: str, person: Person, seen: Seen, code: str) -> None:
        """Somebody presses."""
        screen = {one.id: one for one in self.places[place].screen(person.name)}
        one = Pressed(key, place, person, seen, code, self.world.loop.now, screen)
        self.presses[key] = one
        self.model.pressed_at[place, key.lstrip("qtw")] = one.at
        self.world.spawn(self._follow(one))

    def wrote(self, place: str, key: str, person: Person, text: str) -> None:
        """Somebody gives a command."""
        if place != "telegram":
            self.pressed(place, key, person, Seen("", text, (), place, shared=False), "")

    def _held_up(self, key: str) -> None:
        if (one := self.presses.get(key)) is not None:
            one.excused = True

    def heard_at_once(self, key: str, heard: Heard) -> None:
        """What a press was answered by, as its person saw it, or that it was not."""
        one = self.presses.get(key)
        if one is None:
            return
        one.said = heard.said or "…" * heard.opens
        excused = one.excused or self.model.was_away(one.at, self.world.loop.now)
        if not excused:
            self.holds("answered", heard.answered, f"{one.person.name} {key} {one.code}")

    def _heard_call(self, call: Call, answer: object) -> None:
        """A call had its effect."""
        one = self.presses.get(call.press) if call.answers else None
        if one is not None and one.answered is None:
            one.answered = self.world.loop.now
        if call.sends or (call.answers and not call.of_telegram):
            self._note_sent(call, call.sent(answer))
            self.sent[call.platform, call.sent(answer)] = self.world.loop.now
            lost = self.story.script.befallen.get(call.key, "") in ("lost", "502 after")
            if lost or self.model.is_shut:
                self.unheard.add((call.platform, call.sent(answer)))
        if call.edits and call.linked() and not call.tables():
            self.led[call.platform, call.message] = self.world.loop.now
        if call.files:
            self._hides(call, answer)

    def _note_sent(self, call: Call, number: str) -> None:
        """Note who is called by a new message, and about what."""
        platform = call.platform
        if (
            not number
            or (platform, number) in self.boards
            or (platform, number) in self.call_messages
        ):
            return  # it stood there already
        if DAILY.search(call.text()) and not call.answers and not call.tables():
            self.dailies[platform] += 1
        if tables := call.tables():
            self.boards[platform, number] = min(tables)
            self.posted[min(tables)] = self.world.loop.now
            return
        ids, text = call.called(), call.text()
        people = self.places[platform].people.values() if platform in self.places else ()
        # Who was never seen here is called by their name.
        named = (one for one in people if f"@{one.name.lower()}: " in text)
        called = [*(one for one in people if str(one.number) in ids), *named]
        if called:
            self.call_messages.add((platform, number))
        tables = {self.boards.get((platform, one), "") for one in call.linked()} - {""}
        for person in called:
            for table in sorted(tables)[:1]:
                self._called(platform, person, table, call.text())

    def _hides(self, call: Call, answer: object) -> None:
        """What all see shows nothing that nobody but a player may see."""
        if call.alone or (call.platform == "discord" and self._is_alone(answer)):
            return
        for _, picture in call.files.values():
            seen = painted.get(picture)
            if seen is not None and hasattr(seen, "seen_by"):
                hidden = seen.seen_by(None) == seen
                self.holds("hidden things are hidden", hidden, f"{call.key}: {call.text()[:80]}")

    def _is_alone(self, answer: object) -> bool:
        """Whether a message of Discord that was written is seen by one person alone."""
        told = answer if isinstance(answer, dict) else {}
        told = told.get("interaction", told)
        shown = self.net.discord.messages.get(told.get("response_message_id", told.get("id", "")))
        return shown is None or shown.ephemeral or shown.channel.startswith("9")

    def _called(self, platform: str, person: Person, code: str, text: str) -> None:
        """A call: once, to whom it concerns, and not about what they saw."""
        table = self.model.tables.get(code)
        if table is None:
            return
        now, changed = self.world.loop.now, self.model.changed_at.get(code, -1e9)
        number = self.model.persons.get((platform, str(person.number)))
        call = Called(now, platform, person.name, code, table.version, text[:80])
        before = [
            one for one in self.calls
            # What was on its way as the table changed is about the table before.
            if one.at > changed + LEAVES and (one.place, one.person, one.table, one.version)
            == (call.place, call.person, call.table, call.version)
        ]  # fmt: skip
        self.calls.append(call)
        if self._calm(platform, 60.0):
            self.holds("called once", not before, f"{person.name} about {code}: {text[:80]}")
        if number is None:
            return
        seat = table.seat_of(number)
        acts = seat is not None and seat in table.actors()
        asked = any(offer.seat != seat for offer in table.offers)
        ended = self.model.ended_at.get(code)
        touched = self.model.touched.get((code, number), -1e9)
        if (
            table.status == ENDED and ended is not None and not asked
            and self._calm(platform, now - ended + SAW)  # else they may not have seen it
        ):  # fmt: skip
            # What a manager decides about it later is other news.
            saw = ended == self.model.changed_at[code] and 0 <= ended - touched <= SAW
            self.holds("not called for what they saw", not saw, f"{person.name}: {text[:120]}")
        happened = max(self.model.changed_at.get(code, -1e9), self.posted.get(code, -1e9))
        # A table that was moved to another place is news, too; and while a place is shut it waits.
        news = now - happened <= NEWS or self.calling.was_shut(platform, happened, now)
        wanted = acts or asked or news or table.status == OPEN
        self._end(platform, "", "called for something", wanted, f"{person.name}: {text[-250:]}")

    def _troubled(self, call: Call, what: str) -> None:
        """Something befell a call: what it was to do is excused, and nothing else."""
        platform = call.platform
        self.troubles[platform].append(self.world.loop.now)
        if what == "refused: a word":
            self.worded[call.place] = self.world.loop.now
        if what == "refused: cannot be deleted":
            self.stuck.add((platform, call.message))
        if what.startswith("refused"):
            self.parts_refused |= {(platform, one) for one in {"", *self._tables_of(call)}}
        if not call.answers:
            return
        one = self.presses.get(call.press)
        if one is None:
            return
        if not what.startswith("said: "):
            one.excused = True
        elif (
            not one.excused
            and one.answered is not None
            and self.story.script.befallen.get(one.key, "twice") == "twice"
            # An heir does not know what was answered by the house before it.
            and not self.model.was_away(one.answered, self.world.loop.now)
        ):
            self.broken("answered once", f"{one.person.name} {one.code}")
        self.moments["answered once"] += 1

    def _tables_of(self, call: Call) -> set[str]:
        """The tables that a call is about."""
        messages = {call.message, *call.linked()}
        boards = {self.boards.get((call.platform, one), "") for one in messages}
        return (call.tables() | boards) - {""}

    def _calm(self, platform: str, seconds: float) -> bool:
        """Whether nothing befell a platform for so long, nor a house."""
        now = self.world.loop.now
        troubled = any(now - at <= seconds for at in self.troubles[platform][-3:])
        return not troubled and not self.model.was_away(now - seconds, now)

    async def _follow(self, one: Pressed) -> None:
        """Look after some seconds whether something visible has followed a press."""
        await asyncio.sleep(VISIBLE)
        if one.excused or not self._calm(one.place, VISIBLE + 1.0):
            return
        if one.place != "telegram" and self._floods(one):
            return  # a toast takes nothing from others
        if self._is_repeated(one) or self.places[one.place].was_cut(one.person.name, one.at):
            return
        screens = [{seen.id: seen for seen in self.places[one.place].screen(one.person.name)}]
        # What their next press has put back stood there meanwhile.
        screens += [
            other.before for other in self.presses.values()
            if other.person is one.person and other.at > one.at
        ]  # fmt: skip
        there = one.before.get(one.seen.id)
        changed = any(now.get(one.seen.id) != there for now in screens)
        told = [
            seen for now in screens for number, seen in now.items()
            if one.before.get(number) != seen
            and (
                not seen.shared or one.seen.tables & seen.tables or one.person.name in seen.text
                # A new sheet or list says nowhere who has asked for it.
                or (number not in one.before and seen.buttons and not seen.tables)
            )
        ]  # fmt: skip
        kept = bool(one.said or changed or told or not one.code)
        self.holds("something visible", kept, f"{one.person.name} pressed {one.code}")

    def _changed(self, table: Table) -> None:
        self.world.spawn(self._look_at_boards(table))

    async def _look_at_boards(self, table: Table) -> None:
        """Look at the boards of a table at which nothing has happened for a while."""
        full = {name for name, place in self.places.items() if place.is_full()}
        for _ in range(LOOKS):
            await asyncio.sleep(RESTS / LOOKS)
            full |= {name for name, place in self.places.items() if place.is_full()}
        if self.model.tables[table.code].version != table.version:
            return
        for place in self.places.values():
            # Where a group takes no more calls, boards wait for those of others.
            waits = place.name in full or self._is_shut(place.name)
            if self._calm(place.name, RESTS) and not waits:
                shown = [one for one in place.public() if table.code in one.tables]
                self._shown_is_newest(place, shown)
                self._one_board(place, "one living board", shown)

    def _is_shut(self, platform: str) -> bool:
        """Whether a place may think itself shut out: nobody has pressed there since that ended."""
        now = self.world.loop.now
        return any(
            spell.begins <= now
            and not any(
                one.place == platform and spell.ends <= one.at <= now - KNOCKS
                for one in self.presses.values()
            )
            for spell in self.net.weather.spells
            if spell.refusal.platform == platform and spell.refusal.meets in SHUTS
        )

    def _floods(self, one: Pressed) -> bool:
        """Whether somebody has pressed more than people may: told so once, then nothing."""
        lately = [p.at for p in list(self.presses.values())[-60:] if p.person is one.person]
        # What they have typed counts as well.
        asked = [at for at, who in self.calling.acts if who == one.person.name]
        return any(sum(one.at - 10.0 <= at <= one.at for at in found) > 8
                   for found in (lately, asked))  # fmt: skip

    def _is_repeated(self, one: Pressed) -> bool:
        """Whether somebody taps once more what they have just tapped: it is done already."""
        return any(
            (p.person, p.seen.id, p.code) == (one.person, one.seen.id, one.code)
            and 0.0 < one.at - p.at <= TAPS
            for p in list(self.presses.values())[-60:]
        )

    def _arrives(self, facade: Any, asked: Any) -> Any:
        click = facade.boards.buttons.click(asked.code) if hasattr(asked, "code") else None
        return self.model.arrives(click)

    async def _handled(self, facade: Any, asked: Any, before: Any, answer: Any) -> None:
        """The house has judged a press."""
        number = await facade.services.people.number(asked.asker)
        if number is None:
            return
        self.model.persons[asked.asker.platform, asked.asker.external] = number
        # The words of what all see are those of its place.
        if not isinstance(answer, BoardAnswer | FileAnswer | Poster):
            await self._spoken(facade, asked, getattr(answer, "said", ""))
        click = facade.boards.buttons.click(asked.code) if hasattr(asked, "code") else None
        if click is None or before is None:
            return
        bars = facade.services.bars
        if await bars.hold_at(click.table, await bars.of(asked.asker)):
            return  # who is kept out is refused in turn, too
        one = self.model.judge(click, before, number, answer)
        if one is None or not one.in_turn or not one.own:
            return
        words = f"{asked.asker.name} {asked.code}: {getattr(answer, 'said', '')[:100]}"
        if one.choices == 1:
            self.holds("an act without a choice is taken", one.good, words)
        else:
            self.moments["in turn"] += 1
            if one.fresh:
                self.holds("a fresh choice is taken", one.good, words)

    async def _spoken(self, facade: Any, asked: Any, said: str) -> None:
        """A private answer is in the language of its person."""
        spoken = language_of(said)
        if spoken:
            wanted = await facade.requests.language_of(asked.asker, asked.where)
            kept = wanted == spoken
            self.holds("the language of the person", kept, f"{asked.asker.name}: {said[:80]}")

    def logged(self, level: int, name: str, words: str) -> None:
        """Nothing above INFO is logged that the seed did not ask for."""
        ours = level >= logging.ERROR and "failed" in words and not name.startswith("storage")
        asked = self.plan.around.ignorant and "knows no ephemeral messages" in words
        if ours or (self.plan.faultless and level > logging.INFO and not asked):
            self.broken("log", f"{name}: {words}")

    # ---------------------------------------------------------------- the end

    async def name_refused(self, facade: Any, platform: str) -> None:
        """A filter has refused a name for long: everything else is told all the same."""
        now, ends = facade.services.clock.steady(), self.world.loop.now
        away = [one for one in self.net.weather.away if one[0] == platform]
        # Away altogether costs more than a name; what waits is tried again after a minute at most.
        if any(one[1] <= ends and ends - one[2] <= RETRIES[-1] + LATE_NEWS for one in away):
            return
        for view in await facade.store.read(stored_views.owing_views):
            if view.kind == TOURNAMENT_VIEW:
                known = await facade.services.tournaments.get(view.subject)
                told = (now - known.touched).total_seconds() <= LATE_NEWS
                why = f"tournament {view.subject} shows {view.shown} of {view.owed}"
                self.holds("a refused name costs the name", told, why)
                continue
            since = self.world.loop.now - self.model.changed_at.get(view.subject, 0.0)
            why = f"{view.subject} shows {view.shown} of {view.owed}"
            told = view.platform != platform or since <= LATE_NEWS
            self.holds("a refused name costs the name", told, why)

    async def later(self, house: House) -> None:
        """Some minutes later only what may stay stands in a group, and no search goes on."""
        await self.club.later(house.facade)
        notes = await house.facade.store.read(bot_settings.list_settings, "posting-")
        self.holds("no note is left", not notes, sorted(notes))
        self.calling.later()
        for place in self.places.values():
            self._one_board(place, "one living board", place.public())
            for one in place.public():
                key, lately = (place.name, one.id), self.world.loop.now - LEADS - 1.0
                if key in self.call_messages | self.unheard | self.stuck:
                    continue
                if self.led.get(key, lately) > lately:
                    continue  # the board below came down only just now
                if self.world.loop.now - self.sent.get(key, -LITTER_AFTER) < LITTER_AFTER:
                    continue
                letters = {code[0] for _, code in one.buttons}
                # Where pictures are refused, a board is words, and names its table at the end.
                board = one.tables or one.raw_picture or letters & set("UKS")
                board = board or one.text.split(" · ")[-1] in self.model.tables
                board = board or any(isinstance(told, str) for told in one.look)
                board = board or one.text.startswith(GREETINGS)
                self.holds(
                    "nothing is left lying about", bool(board), one.text[:60].replace("\n", " ")
                )

    async def quiet(self, house: House) -> None:
        """Nothing is under way any more: look at everything that stands."""
        self.moments["log"] += 1
        for update, table in self.model.twice:
            self.broken("done once", f"{update} at {table}")
        self.moments["done once"] += len(self.model.updates)
        self._in_turn()
        facade = house.facade
        for code in list(self.model.tables):
            # A house that was killed as it stored a change told nobody of it.
            self.model.catch_up(await facade.services.tables.get(code))
        notes = await facade.store.read(bot_settings.list_settings, "posting-")
        for place in self.places.values():
            # What may stand twice is looked for, at the pace that the place has for it.
            name = "a board that stands twice is found soon" if notes else "one living board"
            shown = place.public()
            self._one_board(place, name, shown)
            if notes:  # of two, the older one is only still to be removed
                last = {(table, one.place): one for one in shown for table in one.tables}
                shown = [one for one in shown if not one.tables or one in last.values()]
            self._shown_is_newest(place, shown)
        await self._nothing_owed(facade)
        await self._games_have_boards(facade)
        await self._tournaments(facade)
        await self._ratings(facade)
        await self.club.quiet(facade)
        self.clocks.quiet()
        late = {key[1:] for key, what in self.story.script.befallen.items() if what == "late"}
        for update, kept, why in self.model.charged:
            kept = kept or update in late
            self.holds("clocks charge what people took", kept, f"{update}: {why}")
        for platform in set(self.plan.dailies) & set(self.places) - {"page"}:
            # Each day has its own where the clock has jumped, and a late one may replace itself.
            days = (DAILY.search(one.text) for one in self.places[platform].public())
            found = Counter(one[1] for one in days if one is not None)
            once = max(found.values(), default=0) <= 1
            self.holds("a daily puzzle comes once", once, f"{dict(found)} on {platform}")
            came = self.dailies[platform] >= 1
            self._end(platform, "", "a daily puzzle comes", came, platform)

    def _in_turn(self) -> None:
        mine = [one for one in self.model.judged if one.in_turn and one.own]
        refused = sum(not one.good for one in mine)
        kept = refused <= max(1, MOST_REFUSED * len(mine))
        self.holds("in turn", kept, f"{refused} of {len(mine)} presses in turn were refused")

    def _living(self, seen: Sequence[Seen]) -> list[tuple[Seen, str]]:
        return [
            (one, code.split(".")[1])
            for one in seen
            # A list leads to each of its tables, and shows none of them.
            if not any(code.split(".")[1:2] == ["0000"] for _, code in one.buttons)
            for code in {c for letter in LIVING for c in one.codes(letter)}
        ]

    def _one_board(self, place: Place, name: str, seen: Sequence[Seen]) -> None:
        boards = defaultdict(set)
        for one, table in self._living(seen):
            boards[table, one.place].add(one.id)  # a game may be shown in several places
        for (table, _), found in boards.items():
            one = len(found) == 1
            self._end(place.name, table, name, one, f"{table} has {sorted(found)}")

    def _waits_for_a_word(self, platform: str, place: str) -> bool:
        """Whether nobody has acted in *place* since a word was refused there.

        That the filter is gone is then found out after minutes, or an hour.
        """
        since = self.worded.get(f"{platform}/{place}")
        return since is not None and not any(
            one.at > since and one.place == platform and one.seen.place in (place, platform)
            for one in self.presses.values()
        )

    def _shown_is_newest(self, place: Place, seen: Sequence[Seen]) -> None:
        """The buttons of each board were made for the present turn of those who may move."""
        for one in seen:
            if self._waits_for_a_word(place.name, one.place):
                continue
            codes = [code.split(".") for code in one.codes("m")]
            for code in {parts[1] for parts in codes}:
                table = self.model.tables.get(code)
                if table is None:
                    continue
                turns = {parts[2] for parts in codes}
                present = {base36(table.turns[seat]) for seat in table.actors()}
                kept = table.status == PLAYING and bool(turns & present)
                why = f"{code} on {one.id}: {one.text[:60]!r}"
                self._end(place.name, code, "the newest is shown", kept, why)

    async def _nothing_owed(self, facade: Any) -> None:
        owing = await facade.store.read(stored_views.owing_views)
        full = {place.name for place in self.places.values() if place.is_full()}
        owing = [one for one in owing if one.platform not in full]
        owing = [one for one in owing if not self._waits_for_a_word(one.platform, one.place)]
        for view in owing:
            why = f"{view.subject} on {view.platform} {view.place}"
            table = "" if view.kind == TOURNAMENT_VIEW else view.subject
            self._end(view.platform, table, "nothing is owed", False, why)
        self.moments["nothing is owed"] += 1
        for view in owing:
            if view.kind == TOURNAMENT_VIEW:
                name = "a tournament's message is the newest"
                self._end(view.platform, "", name, False, view.subject)
        self.moments["a tournament's message is the newest"] += 1

    async def _games_have_boards(self, facade: Any) -> None:
        """A game that goes on has a board where somebody of it plays."""
        shown = {
            table for place in self.places.values() for _, table in self._living(place.public())
        }
        for place in self.places.values():
            for who in place.people:
                shown |= {table for one in place.screen(who) for table in one.tables}
        removed = {
            self.boards.get((act.place, number), ""): act.at
            for act in self.story.script.acts if act.verb == "remove"
            for number in map(str, act.what.values())
        }  # fmt: skip
        # A private chat that has refused is tried after minutes, unless somebody writes there.
        shut = await facade.store.read(stored_views.suspended_places_owing)
        for code, table in self.model.tables.items():
            views = await facade.store.read(stored_views.views_of_game, code)
            if any(one.person and (one.platform, one.place) in shut for one in views):
                continue
            people = [player for player in table.players if player.person is not None]
            # Nobody hears of what was removed before something is sent there.
            unheard = removed.get(code, -1e9) > self.model.changed_at.get(code, -1e9)
            if table.status == PLAYING and people and table.actors() and not unheard:
                refused = min((one for one, _ in self.parts_refused), default="")
                name = "a removed board is missed" if removed else "a game has a board"
                self._end(refused, "", name, code in shown, code)

    async def _tournaments(self, facade: Any) -> None:
        shown: dict[str, list[str]] = defaultdict(list)
        for place in self.places.values():
            for one in place.public():
                codes = [c.split(".") for c in one.codes(Action.TOURNAMENT)]
                # A list leads to each of its tournaments, and shows none of them.
                for code in {c[1] for c in codes if c[3] in ("leave", "table")} - {"0000"}:
                    shown[code].append(one.id)
        for code, messages in shown.items():
            self.holds("a tournament has one message", len(messages) == 1, f"{code}: {messages}")
        for code in shown:
            known = await facade.services.tournaments.get(code)
            games = [one for one in self.model.tables.values() if one.tournament == code]
            going = any(one.status in (OPEN, PLAYING) for one in games)
            late = await facade.store.read(
                tournaments.due_tournaments, facade.services.clock.steady()
            )
            stuck = known.phase.value == "running" and not going and code in late
            self.holds("a tournament goes on", not stuck, code)

    async def _ratings(self, facade: Any) -> None:
        async with facade.store.reading() as tx:
            rating_check = RatingCheck()
            found = await rating_check.run(tx)
        self.holds("ratings are a fold", not found, [str(one) for one in found[:3]])
        self.moments["rated games"] += rating_check.entries

    async def after_stop(self, house: House) -> None:
        """The house has stopped: nothing of it is left, and the doctor finds nothing."""
        left = [
            task for task in asyncio.all_tasks(self.world.loop)
            if task.house is house and not task.done()
        ]  # fmt: skip
        self.holds("no task is left", not left, [str(task.get_coro())[:80] for task in left[:3]])
        url = f"sqlite+aiosqlite:///{house.folder}/games.db"
        found = [one for one in await examine(url) if one.level != "fine"]
        # The chat that is nothing but the port is no platform of the product.
        found = [one for one in found if "column platform" not in one.text]
        self.holds("the doctor finds nothing", not found, [one.text[:120] for one in found[:3]])
