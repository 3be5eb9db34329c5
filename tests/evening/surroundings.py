"""What an evening has around its people: topics, channels, clients, lost connections, a move.

The seed draws all of it by streams of its own. What befalls a connection is drawn with the seed
and not written into the script, as deaths are.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from tests.evening.platforms import CHANNELS
from tests.evening.screens import DiscordPlace, Place, TelegramPlace
from tests.evening.wire import Net, Spell
from tests.telegram_messages import BOT, GROUP

POLLS = ("502", "page", "409", "unsent", "429")
"""What is answered for a while to whoever asks Telegram for updates."""

BREAKS = ("reconnect", "invalid", "closed")
"""The ways in which Discord ends a session."""

TOPICS = (701, 702)
"""The topics of a forum besides the general one."""

BASIC = {"id": -77, "type": "group", "title": "Club"}
"""A basic group of Telegram, which becomes a supergroup."""


@dataclass(frozen=True)
class Around:
    """What a seed has drawn for the surroundings of an evening."""

    updates: dict[str, float] = field(default_factory=dict)
    """Shares of presses and commands that come twice or late."""
    outages: int = 0
    topics: bool = False
    """Whether the group of Telegram is a forum."""
    migrates: bool = False
    """Whether it begins as a basic group."""
    old: float = 0.0
    """The share of clients of Telegram that show no ephemeral messages."""
    ignorant: bool = False
    """Whether the server of Telegram knows none."""
    channels: int = 1
    """In how many channels of Discord people meet."""
    away: int = 0
    """How often a platform takes no calls for a while."""
    threads: bool = False
    """Whether each table has a thread or a topic of its own."""
    shuts: int = 0
    """How often a topic is closed for a while, and threads are archived."""
    struck: bool = False
    """Whether a house is killed while a platform waits for its patience."""
    archives: float = 0.0
    """The share of presses just behind which all threads of Discord are archived."""
    unheard: float = 0.0
    """The share of new boards of whose posting nothing is heard."""
    impatient: float = 0.0
    """The share of presses and commands behind which another one comes at once."""
    waits: str = ""
    """Whether platforms ask for patience with a ``call``, or with an ``answer``, two times."""
    slow_calls: float = 0.0
    """The share of calls of people of which the house hears late that they were made."""
    way: str = ""
    """What people like above all: ``talk`` by commands, being ``alone``, or games by ``seconds``
    and their rematches."""

    @property
    def faultless(self) -> bool:
        befallen = self.updates or self.outages or self.migrates or self.unheard
        befallen = befallen or self.waits or self.slow_calls
        return not (befallen or self.away or self.shuts or self.struck or self.archives)


def draw_around(seed: str, faults: bool) -> Around:
    """The surroundings of *seed*."""
    lot = random.Random(f"{seed}/around")
    forum = lot.random()
    shares = {"twice": lot.choice((0.0, 0.01, 0.03)), "late": lot.choice((0.0, 0.01, 0.03))}
    outages = lot.choice((0, 0, 1, 2))
    migrates = lot.random() < 0.15
    more = random.Random(f"{seed}/more around")
    away, shuts, struck = (more.random() < share and faults for share in (0.1, 0.2, 0.1))
    acts = random.Random(f"{seed}/acts")
    return Around(
        updates={what: share for what, share in shares.items() if share} if faults else {},
        outages=outages if faults else 0,
        topics=forum < 0.25,
        migrates=migrates and faults and forum >= 0.25,
        old=lot.choice((0.0, 0.0, 0.3, 1.0)),
        ignorant=lot.random() < 0.15,
        channels=lot.choice((1, 1, 2)),
        away=away * more.randint(1, 3),
        threads=more.random() < 0.15,
        shuts=shuts * more.randint(1, 4),
        struck=struck,
        unheard=0.4 * (random.Random(f"{seed}/unheard").random() < 0.1 and faults),
        archives=random.Random(f"{seed}/archives").choice((0.0, 0.1, 0.3)) if faults else 0.0,
        impatient=more.choice((0.0, 0.0, 0.0, 0.1, 0.4)),
        waits=acts.choice(("", "", "", "", "", "", "call", "answer")),
        slow_calls=acts.choice((0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5)),
        way=acts.choice(("", "", "", "", "", "talk", "alone", "seconds")),
    )


class Surroundings:
    """The surroundings of one evening, at work."""

    def __init__(self, net: Net, around: Around) -> None:
        self.net, self.around, self.world = net, around, net.world
        net.weather.updates, net.weather.unheard = dict(around.updates), around.unheard
        net.weather.slow_calls = around.slow_calls

    def furnish(self, place: Place) -> None:
        """Give *place* what was drawn for it."""
        around, lot = self.around, self.world.lot(f"around/{place.name}")
        if isinstance(place, TelegramPlace):
            api = place.api
            api.ignorant, api.forum = around.ignorant, around.topics
            for who, person in place.people.items():
                if lot.random() < around.old:
                    api.old.add(person.number)
                if person.writes_privately:
                    api.started.add(person.number)
                if around.topics:
                    place.topics[who] = lot.choice((0, *TOPICS))
            if around.migrates:
                place.chat = BASIC
        elif isinstance(place, DiscordPlace):
            for who in place.people:
                place.channels[who] = lot.choice(CHANNELS[: around.channels])

    def befall(self, places: list[Place], ends: float) -> None:
        """Let connections break off, and a group move, until *ends*."""
        lot = self.world.lot("outages")
        if self.around.waits:
            some = self.world.lot("waits")
            self.net.weather.waits = [some.uniform(20.0, ends) for _ in range(2)]
            self.net.weather.waits_of = self.around.waits
        for place in places:
            for _ in range(self.around.outages):
                begins, seconds = lot.uniform(10.0, ends), lot.choice((0.0, 2.0, 20.0, 90.0))
                if isinstance(place, TelegramPlace):
                    what = lot.choice(POLLS)
                    self.net.weather.polls.append((begins, begins + seconds + 1.0, what))
                    self.net.story.tell("** from", round(begins), "polls meet", what, seconds)
                elif isinstance(place, DiscordPlace):
                    self.world.loop.call_later(begins, self._break, lot.choice(BREAKS), seconds)
            if isinstance(place, TelegramPlace) and self.around.migrates:
                self.world.loop.call_later(lot.uniform(20.0, ends), self._migrate, place)
            self._shut_out(place, ends)
            if isinstance(place, DiscordPlace) and self.around.archives:
                place.pressed.append(self._archive_behind)

    def _shut_out(self, place: Place, ends: float) -> None:
        """Let *place* take no calls for a while, and close its topics or archive its threads."""
        lot = self.world.lot(f"shut out/{place.name}")
        for _ in range(self.around.away):
            begins, what = lot.uniform(10.0, ends), lot.choice(("502", "unsent", "page"))
            away = (place.name, begins, begins + lot.uniform(10.0, 90.0), what)
            self.net.weather.away.append(away)
            self.net.story.tell("** from", round(begins), "to", round(away[2]), "calls meet", what)
        for _ in range(self.around.shuts):
            begins, seconds = lot.uniform(20.0, ends), lot.uniform(30.0, 300.0)
            if isinstance(place, TelegramPlace):
                self.world.loop.call_later(begins, self._close, place, lot.choice(TOPICS), seconds)
            elif isinstance(place, DiscordPlace):
                self.world.loop.call_later(begins, self._archive)

    def _close(self, place: TelegramPlace, topic: int, seconds: float) -> None:
        self.net.story.tell("** topic", topic, "is closed for", round(seconds))
        place.api.closed.add(topic)
        self.world.loop.call_later(seconds, place.api.closed.discard, topic)

    def _archive(self) -> None:
        discord = self.net.discord
        self.net.story.tell("** threads are archived:", len(discord.threads))
        discord.archived.update(discord.threads)

    def _archive_behind(self, *press: object) -> None:
        lot = self.world.lot("archives")
        if self.net.discord.threads and lot.random() < self.around.archives:
            self.world.loop.call_later(lot.uniform(0.0, 0.3), self._archive)

    def _break(self, how: str, seconds: float) -> None:
        self.net.story.tell("** the gateway breaks:", how, "for", seconds)
        self.net.befallen[f"gateway {how}"] = self.net.befallen.get(f"gateway {how}", 0) + 1
        self.net.discord.break_off(how, seconds)

    def _migrate(self, place: TelegramPlace) -> None:
        """The basic group becomes a supergroup: its messages stay behind."""
        self.net.story.tell("** the group becomes a supergroup")
        self.net.befallen["migrated"] = 1
        old, new, who = place.chat, GROUP, next(iter(place.users.values()))
        place.chat, place.api.moved[old["id"]] = new, new["id"]
        told = {"date": 1, "from": who}
        for chat, what in ((old, {"migrate_to_chat_id": new["id"]}),
                           (new, {"migrate_from_chat_id": old["id"]})):  # fmt: skip
            number = {"message_id": next(place.api._messages)}
            self.world.spawn(place.api.give("message", {**told, **number, "chat": chat, **what}))

    def announce(self, spell: Spell, place: Place) -> None:
        """Tell the bot when a *spell* begins and ends, which Telegram does of some."""
        if spell.refusal.announced and isinstance(place, TelegramPlace):
            loop = self.world.loop
            loop.call_later(spell.begins, self._stands, place, "member", "kicked")
            loop.call_later(spell.ends, self._stands, place, "left", "member")

    def _stands(self, place: TelegramPlace, before: str, now: str) -> None:
        who = next(iter(place.users.values()))
        place.spawn_standing(place.chat, who, BOT, before, now)
