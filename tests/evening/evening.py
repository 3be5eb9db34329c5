"""An evening: who is there, what befalls them, and what is looked at in the end."""

from __future__ import annotations

import asyncio
import itertools
import logging
import random
import traceback
from dataclasses import dataclass, field, replace
from pathlib import Path

from bot.chats.discord.reading import SERVER
from bot.port import Asker, Chat, Home, Where
from bot.presenters.settings import EVERY_GAME
from bot.session.preferences import PlaceRules
from tests.chats.fake_discord import CHANNEL, HOME
from tests.evening.club import Program, program_of
from tests.evening.hobbies import ALONE, alone, drawn
from tests.evening.house import House
from tests.evening.loop import World, cpu_seconds
from tests.evening.page_place import PagePlace, SmallPage
from tests.evening.people import WAYS, Actor, Habits
from tests.evening.platforms import SmallDiscord, SmallTelegram
from tests.evening.port_place import GROUP as PORT_GROUP
from tests.evening.port_place import PortChat, PortPlace, SmallPort
from tests.evening.promises import LITTER_AFTER, Promises
from tests.evening.refusals import REFUSALS
from tests.evening.screens import DEEDS, DiscordPlace, Person, Place, TelegramPlace
from tests.evening.small_server import Server
from tests.evening.story import Script, Story
from tests.evening.surroundings import Around, Surroundings, draw_around
from tests.evening.two_houses import SHARE, Neighbours
from tests.evening.wire import Call, Net, Spell, patience_of
from tests.telegram_messages import GROUP

NAMES = ("Ana", "Bea", "Carlos", "Dani", "Eva", "Fede", "Gina", "Hugo")

PLACES = {"telegram": TelegramPlace, "discord": DiscordPlace, "port": PortPlace,
          "page": PagePlace}  # fmt: skip

RATES = {"lost": 0.01, "unsent": 0.01, "429": 0.01, "502": 0.01, "502 after": 0.01,
         "page": 0.01, "refused": 0.03, "late": 0.02, "slow": 0.02}  # fmt: skip
"""The largest shares of calls that something befalls."""

MIXES = (("telegram",), ("discord",), ("telegram", "discord"), ("page",), ("page", "telegram"),
         ("page", "discord"), ("port",), ("port",), ("port",))  # fmt: skip
"""The chats of an evening, one of these: at a third of them the port alone."""

GROUPS = {"telegram": str(GROUP["id"]), "discord": CHANNEL, "port": PORT_GROUP}
"""The place on each platform where people meet."""

DAY_HOUR = 17
"""The hour of the daily puzzle: it is due as soon as an evening has begun."""

FILTERED = ("Niya", "Cirya", "Parch", "turno", "partida", "ordenador")
"""Words that a filter of a server may refuse."""

LONG = 10.0
"""Seconds of patience in which a house may be killed and opened again."""

UNCONFIRMED = 0.5
"""The share of kills after which Telegram tells again of what the dead had taken last."""

OFF = 0.25
"""The share of kills after which the machine is off for long."""

SLEEPERS = 0.25
"""The share of evenings in which some people have hours of quiet."""

QUIET = 90.0
"""Seconds after the last act in which everything must come right."""

LONGEST_LINE = 40
"""How often it is looked whether a group takes more calls, every ten seconds."""

graveyard: list[object] = []
"""Dead houses: nothing of them may be collected before the process ends."""


@dataclass(frozen=True)
class Plan:
    """What a seed has drawn for an evening."""

    seed: str
    platforms: tuple[str, ...]
    people: int
    minutes: float
    games: tuple[str, ...]
    pace: tuple[float, float]
    hasty: float
    club: bool
    rates: dict[str, float]
    spells: int
    deaths: tuple[str, ...]
    jumps: int
    slow_threads: float
    computer: float
    curious: float
    around: Around
    dailies: tuple[str, ...]
    """The platforms on which the place has a daily puzzle."""

    only: tuple[str, ...] = ()
    """The refusals that may last in it, by their names; none named: all."""
    houses: int = 1
    shards: int | None = None
    program: str = ""
    """What the people of a club do together besides (``club.PROGRAMS``)."""

    @property
    def faultless(self) -> bool:
        """Whether strict times hold."""
        faults = self.rates or self.spells or self.deaths or self.jumps or self.slow_threads
        return not faults and self.around.faultless and self.houses == 1


def draw(seed: str, minutes: float = 6.0) -> Plan:
    """The evening of *seed*: its own subset of features, chats, faults and rates."""
    lot = random.Random(f"{seed}/plan")
    faults = lot.random() < 2 / 3
    around = draw_around(seed, faults)
    platforms = random.Random(f"{seed}/platforms").choice(MIXES)
    rates = {}
    if faults and lot.random() < 0.8:
        chosen = lot.sample(sorted(RATES), lot.randint(1, len(RATES)))
        rates = {what: lot.uniform(0.2, 1.0) * RATES[what] for what in chosen}
    games = ("niya", "niya", "parchis", "cirya", "shogi", "storilljudhjorrayc")
    paces = ((0.5, 4.0), (2.0, 15.0), (0.5, 20.0), (4.0, 60.0), (0.3, 1.0))
    deaths: tuple[str, ...] = ()
    of_houses = random.Random(f"{seed}/houses")
    # A browser reaches one house: no proxy stands before several.
    two = of_houses.random() < SHARE and "page" not in platforms
    if faults and lot.random() < 0.5:
        deaths = tuple(
            lot.choice(("killed", "killed", "stopped")) for _ in range(lot.randint(1, 3))
        )
    plan = Plan(
        seed=seed,
        platforms=platforms,
        people=lot.randint(3, len(NAMES)),
        minutes=minutes,
        games=tuple(lot.sample(games, lot.randint(1, 2))),
        pace=lot.choice(paces),
        hasty=lot.choice((0.0, 0.0, 0.2, 0.8)),
        club=lot.random() < 0.35,
        rates=rates,
        spells=lot.choice((0, 0, 1, 2)) if faults else 0,
        deaths=deaths,
        jumps=lot.choice((0, 0, 0, 1)) if faults else 0,
        slow_threads=lot.choice((0.0, 0.0, 0.3)) if faults else 0.0,
        computer=lot.choice((0.0, 0.2)),
        curious=lot.choice((0.01, 0.05, 0.15)),
        dailies=platforms if lot.random() < 0.4 and not around.migrates else (),
        around=around,
        houses=2 if two else 1,
        shards=of_houses.choice((None, None, 2, 4)) if two else None,
    )
    if program := program_of(seed, plan.club):
        around = replace(around, waits="", slow_calls=0.0, way="")
    return replace(plan, program=program, around=around)


class LogLines(logging.Handler):
    """Lines of the log are part of the story."""

    def __init__(self, story: Story, promises: Promises) -> None:
        super().__init__(logging.INFO)
        self.story, self.promises = story, promises

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno <= logging.INFO:
            return
        words = record.getMessage()[:200]
        self.story.tell("  log", record.levelname, record.name, words)
        if record.exc_info and record.exc_info[1] is not None:
            self.story.tell("  log", repr(record.exc_info[1])[:300])
        self.promises.logged(record.levelno, record.name, words)


@dataclass
class Evening:
    """One evening of a seed, or of a script."""

    plan: Plan
    folder: Path
    tells: bool = False
    script: Script | None = None
    houses: list[House] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)

    def play(self) -> Promises:
        """Play it to its end; answers its promises."""
        House.numbers = itertools.count(1)
        self.world = World(self.plan.seed)
        self.world.slowest_thread = self.plan.slow_threads
        self.story = Story(self.world, self.tells)
        began = cpu_seconds()
        handler = None
        try:
            telegram = SmallTelegram(world=self.world)
            self.net = Net(self.world, self.story, telegram, SmallDiscord(self.world))
            self.net.port, self.net.page = SmallPort(self.net), SmallPage(self.net)
            self.promises = Promises(self.world, self.story, self.net, self.plan)
            handler = LogLines(self.story, self.promises)
            logging.getLogger().addHandler(handler)
            self.world.loop.run_until_complete(self._play())
            return self.promises
        except Exception as wrong:
            # Whatever it was that could not go on, it is told like a promise that was broken.
            at = traceback.extract_tb(wrong.__traceback__)[-1]
            self.promises.broken("an evening ends", f"{wrong!r} at {at.name}")
            return self.promises
        finally:
            if handler is not None:
                logging.getLogger().removeHandler(handler)
            graveyard.extend(self.houses)
            self.figures["cpu seconds"] = cpu_seconds() - began
            self.figures["steps"] = self.world.loop.steps
            self.world.close()

    async def _play(self) -> None:
        self.folder.mkdir()
        several = self.plan.houses > 1
        self.server = Server(self.world, self.story) if several else None
        self.neighbours = Neighbours(self) if several else None
        await (self.neighbours.begin() if self.neighbours else self.open_house(self.folder))
        await self.world.spawn(self._want_dailies(), self.houses[0])
        ends = self.world.loop.time() + self.plan.minutes * 60
        self.surroundings = Surroundings(self.net, self.plan.around)
        places = [self._place(name) for name in self.plan.platforms]
        self.surroundings.befall(places, ends)
        await self.world.spawn(self._want_quiet(places), self.houses[0])
        self.promises.places = {one.name: one for one in places}
        self._weather(ends, places)
        if self.neighbours is not None:
            self.neighbours.befall(ends)
        else:
            self._deaths(ends)
        for place in places:
            self.world.spawn(place.arrive())
        if self.script is not None:
            await self._replay(places)
        else:
            actors = [actor for place in places for actor in self._actors(place)]
            lives = [actor.live(ends) for actor in actors]
            if self.plan.program:
                parts = [[one for one in actors if one.place is place] for place in places]
                lives += [Program(self, one[0].place, one).follow() for one in parts]
            elif self.plan.club:
                lives += [self._club(place, actors) for place in places]
            await asyncio.gather(*lives)
            self.figures["presses"] = sum(actor.presses for actor in actors)
        if self.neighbours is not None:
            await self.neighbours.end()
        self.net.weather.rates, self.net.weather.spells = {}, []
        self.net.weather.polls, self.net.weather.updates, self.net.weather.away = [], {}, []
        self.net.weather.scripted, self.net.weather.unheard = {}, 0.0
        self.net.weather.slow_calls = 0.0
        for house in self.houses:
            house.dies_at = 0
        await self._living()
        for place in places:
            await self._speak(place)
        await asyncio.sleep(QUIET)
        for _ in range(LONGEST_LINE):
            if not any(place.is_full() for place in places):
                break
            await asyncio.sleep(10.0)  # what waits for the pace of a group
        await self.promises.quiet(self.houses[-1])
        for place in places:
            await place.at_rest(self.houses[-1])
        await asyncio.sleep(max(0.0, LITTER_AFTER - QUIET))
        await self.promises.later(self.houses[-1])
        if self.neighbours is not None:
            await self.neighbours.stop_all_but(self.houses[-1])
        await self.houses[-1].stop()
        await self.promises.after_stop(self.houses[-1])
        acts = self.story.script.acts
        self.figures["presses"] = sum(act.verb in ("press", "write") for act in acts)
        self.figures["virtual minutes"] = self.world.loop.now / 60
        self.figures["calls"] = self.net.calls

    async def _living(self) -> None:
        """Wait until a house stands."""
        while self.houses[-1].dead or self.houses[-1].facade is None:
            await asyncio.sleep(10.0)

    async def _want_dailies(self) -> None:
        """Managers have asked for a daily puzzle at this hour, or for a thread for each table."""
        places, parts = self.houses[0].facade.services.places, self.plan.around.threads
        for platform in self.plan.platforms if parts else self.plan.dailies:
            if platform not in GROUPS:
                continue  # nothing stands on a page that nobody has asked for
            rules = PlaceRules(threads=parts)
            if platform in self.plan.dailies:
                rules = replace(rules, daily=EVERY_GAME, day_hour=DAY_HOUR, day_zone="UTC")
                rules = replace(rules, day_place=GROUPS[platform])
            home = Home(f"{SERVER}{HOME}") if parts and platform == "discord" else None
            await places.choose(
                Where(platform, GROUPS[platform], home=home), lambda _, one=rules: one
            )

    async def _want_quiet(self, places: list[Place]) -> None:
        """Some people have chosen hours in which nobody calls them."""
        lot = self.world.lot("quiet hours")
        if lot.random() >= SLEEPERS:
            return
        people = self.houses[0].facade.services.people
        for place in places:
            for one in place.people.values():
                hours = lot.choice((None, (17, 18), (19, 20), (19, 21), (20, 7)))
                if hours is not None and place.name != "page":
                    asker = Asker(place.name, str(one.number), one.name, one.language)
                    person = (await people.of(asker)).id
                    await people.choose(person, quiet=hours, zone="UTC")

    # ---------------------------------------------------------------- what there is

    def _place(self, name: str) -> Place:
        lot = self.world.lot(f"people/{name}")
        people = {
            one: Person(
                one,
                number=11 + index,
                language="en" if lot.random() < 0.3 else "es",
                manages=index == 0,
                writes_privately=lot.random() < 0.4,
            )
            for index, one in enumerate(NAMES[: self.plan.people])
        }
        place = PLACES[name](self.net, self.story, people)
        self.surroundings.furnish(place)
        place.pressed.append(self.promises.pressed)
        place.wrote.append(self.promises.wrote)
        place.heard.append(self.promises.heard_at_once)
        place.moments, place.broken = self.promises.moments, self.promises.broken
        return place

    def _actors(self, place: Place) -> list[Actor]:
        lot, plan = self.world.lot(f"habits/{place.name}"), self.plan
        besides, more = (self.world.lot(f"{of}/{place.name}") for of in ("hobbies", "alone"))
        actors = []
        for person in place.people.values():
            habits = Habits(
                pace=plan.pace,
                opens=lot.choice((0.0, 0.05, 0.12)) if actors else 0.12,
                computer=plan.computer,
                hasty=plan.hasty,
                curious=plan.curious,
                games=plan.games,
                besides=besides.choice((0.02, 0.05, 0.12, 0.3)),
                hobbies=(*drawn(besides, manages=person.manages), *alone(more)),
                impatient=plan.around.impatient,
                by_seconds=plan.around.way == "seconds",
                away=0.2 if plan.around.waits == "call" else 0.01,
            )
            if plan.around.way == "talk":
                habits.types = 0.4
            elif plan.around.way == "alone":
                habits.besides, habits.hobbies = 0.3, ALONE
            actors.append(Actor(person, place, habits))
        return actors

    async def _club(self, place: Place, actors: list[Actor]) -> None:
        """The manager opens a tournament, and others enter it."""
        here = [one for one in actors if one.place is place]
        manager, others = here[0], here[1:]
        await asyncio.sleep(self.world.lot(f"club/{place.name}").uniform(1.0, 60.0))
        command = "/torneo" if place.name == "telegram" else "/tournament"
        await place.write(manager.name, command)
        lot = self.world.lot(f"club/{place.name}")
        for one in (manager, *others):
            one.lot = lot
        if await manager.follow(WAYS["tournament"]):
            await asyncio.gather(*(one.follow(WAYS["enter"]) for one in others))
            await manager.follow(WAYS["begin"], tries=2)

    # ---------------------------------------------------------------- what befalls

    def _weather(self, ends: float, places: list[Place]) -> None:
        weather, lot = self.net.weather, self.world.lot("spells")
        weather.rates = dict(self.plan.rates)
        lasting = [one for one in REFUSALS if not one.once and one.platform in self.plan.platforms]
        for _ in range(self.plan.spells if lasting else 0):
            begins = lot.uniform(20.0, ends)
            refusal = lot.choice(lasting)
            names = {"name": NAMES[: self.plan.people], "word": FILTERED}.get(refusal.meets, ("",))
            whom = lot.choice(names)
            weather.spells.append(Spell(refusal, begins, begins + lot.uniform(10.0, 200.0), whom))
            # Without a word of ours nothing may be left to say.
            if refusal.meets == "name" and weather.spells[-1].ends - begins >= 60.0:
                self.world.spawn(self._name_refused(weather.spells[-1]))
            for place in places:
                self.surroundings.announce(weather.spells[-1], place)
            self.story.tell("** from", round(begins), refusal.platform, refusal.name, whom)
        if self.script is not None:
            weather.scripted = dict(self.script.befallen)
            weather.spells, weather.away = [], []

    async def _name_refused(self, spell: Spell) -> None:
        await asyncio.sleep(max(0.0, spell.ends - 0.5 - self.world.loop.now))
        house = self.houses[-1]
        if not house.dead and house.facade is not None:
            look = self.promises.name_refused(house.facade, spell.refusal.platform)
            await self.world.spawn(look, house)

    def _deaths(self, ends: float) -> None:
        lot = self.world.lot("deaths")
        if self.plan.around.struck:
            self.net.troubled.append(self._strike)
        for number, how in enumerate(self.plan.deaths):
            at = lot.uniform(
                ends * number / len(self.plan.deaths), ends * (number + 1) / len(self.plan.deaths)
            )
            self.world.spawn(self._die(at, how, lot.randrange(1, 4000)))
        for _ in range(self.plan.jumps):
            self.world.loop.call_later(
                lot.uniform(10.0, ends), self._jump, lot.choice((-3600.0, 86400.0, 7.0))
            )

    def _strike(self, call: Call, what: str) -> None:
        """Kill the house soon after a platform has asked it for patience, once."""
        house = self.houses[-1]
        if patience_of(call, what) >= LONG and not house.dead and house.facade is not None:
            self.net.troubled.remove(self._strike)
            house.dies_at = house.steps + self.world.lot("strike").randrange(200, 2000)

    def _jump(self, seconds: float) -> None:
        self.story.tell("** the clock jumps by", seconds)
        self.world.jumped += seconds

    async def _die(self, at: float, how: str, steps: int) -> None:
        await asyncio.sleep(max(0.0, at - self.world.loop.time()))
        house = self.houses[-1]
        if house.dead or house.facade is None:
            return
        if how == "stopped":
            self.promises.shut()
            await house.stop()
            house.dead = True
            self.net.discord.drop(house)
            self.net.page.drop(house)
            await self._heir(house)
            return
        house.dies_at = house.steps + steps

    def in_the_last_second(self, place: Place, presses: bool) -> None:
        """Somebody *presses* by the clock: it may be under way for long, or the house may die."""
        lot = self.world.lot("last seconds")
        told = self.net.port.knows_nonces  # otherwise nobody could say how long it was
        late = told and presses and lot.random() < 0.7
        place.detour = lot.uniform(0.3, 2.6) if late else 0.0
        house = self.houses[-1]
        if self.plan.deaths and self.neighbours is None and lot.random() < 0.15:
            house.dies_at = house.steps + lot.randrange(1, 200)

    def _after(self, house: House) -> None:
        """A house was killed at this step."""
        self.promises.shut()
        self.net.discord.drop(house)
        self.net.page.drop(house)
        if self.neighbours is not None:
            self.neighbours.fallen.set()
            return
        self.world.spawn(self._heir(house, copied=self._copy(house)))

    def _copy(self, house: House) -> Path:
        if (lot := self.world.lot("offsets")).random() < UNCONFIRMED:
            for one in self.net.telegram.forget_offset(lot.randint(1, 16)):
                self.net.hold_up(f"q{one['update_id']}")  # its heir may answer it once more
        if self.world.lot("off").random() < OFF:
            self.world.jumped += self.world.lot("off").choice((1800.0, 3600.0, 7200.0))
            self.net.telegram.recent.clear()  # so long nothing was sent, and all patience is over
            self.promises.boards_kept.waits.clear()
        heir = self.folder.with_name(f"{self.folder.name}-{len(self.houses) + 1}")
        house.leave_to(heir)
        return heir

    async def _heir(self, house: House, copied: Path | None = None) -> None:
        await asyncio.sleep(self.world.lot("heirs").uniform(1.0, 10.0))
        await self.open_house(copied or house.folder)

    async def open_house(self, folder: Path) -> House:
        house = House(self.world, self.story, folder, self.plan.platforms, "es")
        house.died, house.besides = self._after, self._chats_besides
        house.composed = self.promises.model.listen
        house.server, house.shards = self.server, self.plan.shards
        self.houses.append(house)
        await house.open()
        if self.neighbours is not None:
            await self.neighbours.welcome(house)
        self.promises.opened()
        return house

    def _chats_besides(self, house: House) -> list[Chat]:
        """The chats of *house* that need no library."""
        found: list[Chat] = []
        if "port" in self.plan.platforms:
            found.append(PortChat(house.facade, self.net.port))
        if "page" in self.plan.platforms:
            found += self.net.page.open(house.facade)
        return found

    # ---------------------------------------------------------------- what is told again

    async def _speak(self, place: Place) -> None:
        """Write in each room of *place*: one that was shut is tried again when somebody does."""
        rooms = getattr(place, "channels", {})
        speakers = {rooms.get(who): who for who in reversed(list(place.people))}
        for who in reversed(speakers.values()):
            await place.write(who, "/privacy")

    async def _replay(self, places: list[Place]) -> None:
        """Do what the script says, at its instants; what has no target any more is left out."""
        by_name = {place.name: place for place in places}
        done = []
        for act in self.script.acts:
            await asyncio.sleep(max(0.0, act.at - self.world.loop.time()))
            place = by_name.get(act.place)
            if place is None:
                continue
            if act.verb in DEEDS:
                done.append(self.world.spawn(place.do(act.who, act.verb, **act.what)))
                continue
            if act.verb == "write":
                doing = place.write(act.who, act.what["text"], act.update, alone=act.what["alone"])
                done.append(self.world.spawn(doing))
                continue
            seen = [
                one
                for one in place.screen(act.who)
                if act.what["code"] in dict(map(reversed, one.buttons))
            ]
            same = [one for one in seen if one.id == act.what["message"]] or seen
            if same:
                doing = place.press(act.who, same[-1], act.what["code"], act.update)
                done.append(self.world.spawn(doing))
        if done:
            await asyncio.gather(*done)
        self.figures["presses"] = len(done)


__all__ = ["Evening", "Plan", "draw", "replace"]
