"""Tournaments as screens and as what their pictures show. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from datetime import UTC, datetime, timedelta

from babel.dates import format_datetime

from bot.port import Button, Countdown, Screen
from bot.presenters.base import PagePresenter, with_zone
from bot.presenters.button_codes import Action
from bot.presenters.game_poster import poster, poster_words
from bot.presenters.ways import MINE, PROFILE, TOURNAMENTS
from bot.session.time_controls import grace, length, read_control
from bot.texts import language
from bot.tournament.knockout import bracket_ties, standoff
from bot.tournament.standings import SCALES, TIE_BREAKS, Line, standings
from bot.tournament.values import (
    WIN,
    How,
    ManagerAct,
    Meeting,
    Phase,
    Round,
    Tournament,
    TournamentFormat,
)
from games.core import Phrase, phrase
from games.core.shelf import find_stored_game
from render.kit import themed
from render.scene import Poster

SHOWN = 20
"""The most rows of a crosstable in a picture."""

ROWS = 8
"""The most rows of the standings in a picture."""

BOARDS = 10
"""The most games of a round that a message names."""

NAMED = 30
"""The most entrants that a message names before the beginning."""

MARKS = {How.FORFEIT: "forfeit", How.ADJUDICATED: "judged"}
"""What is said beside results that came about otherwise than by play."""

MEDALS = ("🥇", "🥈", "🥉")
"""Who is shown on the podium, by their places."""

STAGES = ("final", "semifinal", "quarterfinal")
"""What the last rounds of a knockout are called, the last first."""

WORDS = "words"
"""The last step of a button that asks for the standings in words."""


class TournamentScreens(PagePresenter):
    """Composes what people are told of *tournament*; *names* are those of its entrants."""

    tournament: Tournament
    names: Mapping[int, str]
    managers: Mapping[int, str] = field(default_factory=dict)
    """The names of those who did something as managers, by their ids."""
    now: datetime | None = None
    """The time by the machine's clock: of what comes today the hour is enough."""

    # ---------------------------------------------------------------- the message

    def message(
        self, until: datetime | None = None, *, manages: bool | None = None, me: int = 0
    ) -> Screen:
        """What everybody sees; *until* is when it begins or goes on, by the machine's clock.

        On a screen of their own *me* is shown what they may do, and what else if they *manage* it;
        without one there is a key that leads everybody to theirs.
        """
        now = self.tournament
        over = now.phase is Phase.ENDED
        lines = list(map(self.say, self._rules()))
        match now.phase:
            case Phase.OPEN:
                lines += self._enter(me, manages=manages)
            case Phase.RUNNING:
                lines += self._round()
            case Phase.ENDED:
                lines += [*self._podium(), *self._others(me)]
        lines += map(self._act, now.acts)
        screen = replace(
            self.page(self.title(), lines, self._rows(me, manages=manages)),
            alt=self._alt(),
            over=over,
            version=now.version,
        )
        return screen if until is None else replace(screen, countdown=self._countdown(until))

    def _alt(self) -> str:
        """What the picture of ``message`` shows, in words."""
        poster = self.poster("light")
        if poster is not None:
            return poster_words(poster, self.language)
        if self.tournament.phase is Phase.OPEN:
            return self._present_names()
        ended = self.tournament.phase is Phase.ENDED
        if not ended and self.tournament.rules.format is TournamentFormat.KNOCKOUT:
            met = (one for past in self.tournament.rounds for one in past.meetings)
            return "\n".join(map(self.meeting, met))
        lines = standings(self.tournament)[:SHOWN]
        return "\n".join(self._podium() if self.best() and ended else map(self._place, lines))

    def poster(self, theme: str) -> Poster | None:
        """The poster of the game, as long as there is nobody to be shown."""
        if self.tournament.entrants:
            return None
        game = find_stored_game(self.tournament.rules.game)
        return poster(game, themed(game.key, theme, ""), self.language)

    def _act(self, act: ManagerAct) -> str:
        by = self.managers.get(act.by) or self.say("tournament.organizer")
        # Who was put out before the beginning has no number any more.
        whom = tuple(n for n in act.whom if n <= len(self.tournament.entrants))
        key = f"tournament.act.{act.kind}"
        if not act.whom:
            return self.say(key, by=by)
        return self.say(key, by=by, who=self.people(whom or act.whom))

    def title(self) -> str:
        """What the tournament is called."""
        return self.say(
            "tournament.title",
            game=phrase(f"{self.tournament.rules.game}.name"),
            format=phrase(f"tournament.format.{self.tournament.rules.format}"),
            code=self.tournament.code,
        )

    def short_title(self) -> str:
        """The title of a picture, which has no room for more."""
        form = self.say(f"tournament.format.{self.tournament.rules.format}")
        return f"{self.say(f'{self.tournament.rules.game}.name')} · {form}"

    def _countdown(self, until: datetime) -> Countdown:
        opens = self.tournament.phase is Phase.OPEN
        said = self.say("tournament.starts-at" if opens else "tournament.goes-on-at")
        locale = self.language.replace("-", "_")
        today = self.now is not None and self.now.date() == until.date()
        plain = format_datetime(until, "HH:mm" if today else "d MMM HH:mm", UTC, locale)
        shown = self.say("tournament.at", time=plain) if today else plain
        return Countdown(said, until, with_zone(shown, self.language))

    def _rules(self) -> list[Phrase]:
        """How it is played, in a few short sentences."""
        rules, now = self.tournament.rules, self.tournament
        control = read_control(rules.clock)
        found = [phrase("standing.rated" if rules.rated else "standing.casual")]
        if control is not None:
            found.append(phrase("tournament.clock", clock=control.said()))
        if rules.format is TournamentFormat.ARENA:
            found.append(phrase("tournament.lasts", n=rules.minutes))
        elif now.phase is not Phase.OPEN or rules.rounds:
            found.append(phrase("tournament.rounds", n=now.length))
        if rules.double:
            found.append(phrase("tournament.double"))
        if rules.best_of > 1:
            found.append(phrase("tournament.best-of", n=rules.best_of))
        options = find_stored_game(rules.game).chosen({})
        for key, value in rules.options.items():
            if options.get(key) != value:
                found.append(phrase(f"{rules.game}.option.{key}.{value}"))
        return found if now.phase is Phase.OPEN else found[:1]

    def _enter(self, me: int = 0, *, manages: bool | None) -> list[str]:
        there = self.tournament.present
        lines = [self.say("tournament.entered", n=len(there), most=self.tournament.rules.capacity)]
        if there:
            lines.append(self._present_names())
        if len(there) > NAMED:
            lines.append(self.say("tournament.and-others", n=len(there) - NAMED))
        if self.tournament.rules.afar:
            lines.append(self.say("tournament.from-afar", code=self.tournament.code))
        if not me or self.tournament.takes_entry_of(me):
            lines.append(self.say("tournament.calls"))
        if self.tournament.rules.start_at is None and manages is None:
            lines.append(self.say("tournament.starts-by-hand"))
        return lines

    def _present_names(self) -> str:
        return ", ".join(self.people([one.number for one in self.tournament.present][:NAMED]))

    def _round(self) -> list[str]:
        now = self.tournament
        lines = [self.say("tournament.paused")] if now.paused else []
        if now.rules.format is TournamentFormat.ARENA:
            games = sum(game.result is None for _, _, game in now.games())
            return [*lines, self.say("tournament.playing", n=games)]
        if not now.rounds:
            return [*lines, self.say("tournament.pairing")]
        newest = now.rounds[-1]
        lines.append(self.say("tournament.round", n=newest.number, of=now.length))
        lines += map(self.meeting, newest.meetings[:BOARDS])
        if len(newest.meetings) > BOARDS:
            lines.append(self.say("tournament.and-others", n=len(newest.meetings) - BOARDS))
        if any(game.result is None for meeting in newest.meetings for game in meeting.games):
            time = length(grace(read_control(now.rules.clock)))
            lines.append(self.say("tournament.come", time=time))
        if newest.byes and now.rules.format is not TournamentFormat.KNOCKOUT:
            lines.append(self.say("tournament.bye", who=self.people(newest.byes)))
        if newest.halves:
            lines.append(self.say("tournament.half-bye", who=self.people(newest.halves)))
        return lines

    def meeting(self, meeting: Meeting) -> str:
        """One meeting in a line: who plays, and what came of it."""
        game, who = meeting.last, self.people(meeting.entrants)
        if len(meeting.entrants) == 2:
            first, second = who
            text = f"{first} – {second}"
            if len(meeting.games) > 1 or game.result is not None:
                text = f"{text}  {self._score(meeting)}"
        else:
            text = " · ".join(who)
            if game.result is not None:
                best = max(game.result.points)
                won = [n for n in game.seats if game.points_of(n) == best]
                text = f"{text}  {self.say('tournament.won-by', who=self.people(won))}"
        mark = "closed" if game.closed else ""
        if game.result is not None:
            mark = MARKS.get(game.result.how, "")
        if mark:
            text = f"{text} {self.say(f'tournament.mark.{mark}')}"
        if (seeded := self._by_seed(meeting)) is not None:
            text = f"{text} {self.say('tournament.mark.seeded', who=self.name(seeded))}"
        return self.say("tournament.third", text=text) if meeting.third else text

    def _by_seed(self, meeting: Meeting) -> int | None:
        """Who goes on because they were seeded better, where the decider was drawn as well."""
        if self.tournament.rules.format is not TournamentFormat.KNOCKOUT:
            return None
        stands = standoff(self.tournament, meeting, self.tournament.number)
        return stands.winner if stands is not None and stands.seeded else None

    def _score(self, meeting: Meeting) -> str:
        points = [sum(game.points_of(n) for game in meeting.games) for n in meeting.entrants]
        return ":".join(halves(one) for one in points)

    def _podium(self) -> list[str]:
        lines = [self.say(f"tournament.ended.{self.tournament.why or 'done'}")]
        return lines + [f"{MEDALS[one.place - 1]} {self._winner_text(one)}" for one in self.best()]

    def _others(self, me: int) -> list[str]:
        """The places below the podium, as many as a message names, and that of *me*."""
        own = self.tournament.number_of(me)
        lines = standings(self.tournament) if self.tournament.rounds else ()
        below = [one for one in lines if one.place > len(MEDALS) and one.games]
        return [self._place(one) for one in below if one in below[:BOARDS] or one.entrant == own]

    def best(self) -> list[Line]:
        """Who stands on the podium, if anything was played."""
        if not self.tournament.rounds:
            return []
        return [line for line in standings(self.tournament) if line.place <= len(MEDALS)]

    def state(self) -> str:
        """How it stands, in a line: how many have entered, what is played, or who has won."""
        match self.tournament.phase:
            case Phase.OPEN:
                return self._enter(manages=True)[0]
            case Phase.RUNNING:
                return self._round()[0].removesuffix(":")
            case Phase.ENDED:
                return next(map(self._winner_text, self.best()), self._podium()[0])

    def _winner_text(self, line: Line) -> str:
        return f"{self.name(line.entrant)}: {', '.join(self._merits(line))}"

    def _merits(self, line: Line) -> list[str]:
        """What *line* is worth: how far they came in a knockout, else their points and games."""
        if self.tournament.rules.format is TournamentFormat.KNOCKOUT:
            return [self.merit(line)]
        return [self.merit(line), self.say("tournament.games", n=line.games)]

    def merit(self, line: Line) -> str:
        """The points of *line* in words, or how far they came in a knockout."""
        if self.tournament.rules.format is not TournamentFormat.KNOCKOUT:
            one = 1 if line.points == WIN else 2
            return self.say("tournament.points", points=halves(line.points), n=one)
        if line.place == 1 and self.tournament.why == "done":
            return self.say("tournament.stage.champion")
        # A round that was reached counts four there, and a win in it two.
        if line.place == 3 and line.points % 4:
            return self.say("tournament.stage.won-third")
        return self.say(self._stage(line.points // 4))

    def _stage(self, number: int) -> Phrase:
        """What the round *number* of a knockout is called."""
        left = self.tournament.length - number
        if left < len(STAGES):
            return phrase(f"tournament.stage.{STAGES[left]}")
        return phrase("tournament.page.round", n=number)

    def follows(self, code: str) -> str:
        """What comes after the game at the table *code*, once it is over; "" where nothing does."""
        now = self.tournament
        of = [(one.number, meeting) for one, meeting, game in now.games() if game.code == code]
        if not of or not of[0][1].is_played:
            return ""
        (number, meeting), last = of[0], now.number == now.length
        if now.rules.format is TournamentFormat.KNOCKOUT:
            said = [self._goes_on(meeting, number), *self._third_place(meeting, number)]
            return " ".join(map(self.say, said))
        if now.phase is Phase.ENDED or (last and now.rounds[-1].is_played):
            best = [one.entrant for one in self.best() if one.place == 1]
            return self.say("tournament.follows.won", who=self.people(best))
        gone = any(now.entrant(one).gone is not None for one in meeting.entrants)
        return self.say(f"tournament.follows.{'last' if last else 'left' if gone else 'round'}")

    def _goes_on(self, meeting: Meeting, number: int) -> Phrase:
        """Whom the winner of *meeting* of the knockout's round *number* meets next."""
        now, stands = self.tournament, standoff(self.tournament, meeting, number)
        if stands is None or stands.winner is None:
            return phrase("tournament.follows.game")
        who = self.name(stands.winner)
        if meeting.third or number == now.length:
            return phrase(f"tournament.follows.{'third' if meeting.third else 'final'}", who=who)
        ties = (
            one for one in bracket_ties(now)[number] if stands.winner in (one.first, one.second)
        )
        rivals = [one for tie in ties for one in (tie.first, tie.second) if one != stands.winner]
        return self._meets(stands.winner, rivals[0], self._stage(number + 1))

    def _meets(self, one: int, rival: int | None, stage: Phrase) -> Phrase:
        """That *one* meets *rival* in *stage*, or whoever that will be."""
        who = self.name(one)
        if rival is None:
            return phrase("tournament.follows.unknown", who=who, stage=stage)
        return phrase("tournament.follows.rival", who=who, stage=stage, rival=self.name(rival))

    def _third_place(self, meeting: Meeting, number: int) -> list[Phrase]:
        """Whom the loser of *meeting*, if it is a semifinal, meets for third place."""
        now = self.tournament
        if number != now.length - 1:
            return []
        found = [standoff(now, one, number) for one in now.rounds[number - 1].meetings]
        lost = [None if one is None else one.loser for one in found]
        mine = lost.pop(now.rounds[number - 1].meetings.index(meeting))
        stage = phrase("tournament.stage.third")
        return [] if mine is None else [self._meets(mine, next(iter(lost), None), stage)]

    def entry_buttons(self, me: int) -> list[Button]:
        """The button by which *me* enters, where they may."""
        enter = self.button("tournament.button.enter", "enter", style="good")
        return [enter] if self.tournament.takes_entry_of(me) else []

    def _rows(self, me: int, *, manages: bool | None) -> list[Sequence[Button]]:
        now, table = self.tournament, self.button("tournament.button.table", "table")
        more = self.manager_rows() if manages else []
        if manages is None:
            more = [[self.button("house.button.more", "more")]]
        if now.phase is Phase.ENDED:
            ways = (TOURNAMENTS, MINE, PROFILE) if me else (TOURNAMENTS, MINE)
            keys = [self.button_to(way.act, way.label, *way.path) for way in ways]
            return [[table, self.button("tournament.button.cross", "cross")], keys]
        first, mine = self.entry_buttons(me), now.entrant_of(me)
        if not me or (mine is not None and mine.gone is None):
            first.append(self.button("tournament.button.leave", "leave"))
        if now.rules.format is TournamentFormat.SWISS and now.number + 1 < now.length:
            first.append(self.button("tournament.button.bye", "bye"))
        if now.phase is Phase.OPEN:
            return [first, *more]
        play = self.button("tournament.button.my-game", "game", style="good")
        plays = mine is not None and (mine.gone is None or now.game_of(mine.number) is not None)
        return [[play, table] if plays or not me else [table], first, *more]

    def manager_rows(self) -> list[Sequence[Button]]:
        """What only its organizer may press, until it is over."""
        phase, tools = self.tournament.phase, self.button("tournament.button.tools", "tools")
        begin = self.button("tournament.button.begin", "begin", style="good")
        if phase is Phase.ENDED:
            return []
        return [[begin, tools] if phase is Phase.OPEN else [tools]]

    # ---------------------------------------------------------------- standings

    def words(self) -> tuple[str, ...]:
        """The standings in words, a line for each; who has entered before the beginning."""
        if self.tournament.phase is Phase.OPEN:
            return tuple(self.name(one.number) for one in self.tournament.present)
        lines = standings(self.tournament)
        return tuple(self._place(line, deciding_breaks(lines, line)) for line in lines)

    def _place(self, line: Line, breaks: int = 0) -> str:
        """A line in words, with the first *breaks* of its tie-breaks; what is 0 is left out."""
        named = TIE_BREAKS[self.tournament.rules.format][:breaks]
        told = [
            self.say(f"tournament.break.{one}", value=scale_number(value, SCALES[one]))
            for one, value in zip(named, line.tie_breaks, strict=False)
            if value
        ]
        if line.games:
            worth, *games = self._merits(line)
            told = [worth, *told, *games]
        name = f"{line.place}. {self.name(line.entrant)}"
        return f"{name}: {', '.join(told)}" if told else name

    def standings_page(self, page: int) -> Screen:
        """The standings for one reader, from the row ``page * ROWS`` on."""
        words = self.button("house.button.words", "table", WORDS)
        rows = [[words, self.button("tournament.button.cross", "cross")]]
        if self.tournament.rules.format is not TournamentFormat.KNOCKOUT:
            rows.append(self.pages("table", page, ROWS))
        rows.append([self.button("tournament.button.csv", "file", "csv")])
        if self.tournament.rules.format in (TournamentFormat.SWISS, TournamentFormat.ROBIN):
            rows[-1].append(self.button("tournament.button.trf", "file", "trf"))
        return replace(self.page(self.title(), (), rows), alt="\n".join(self.words()))

    def pages(self, step: str, page: int, count: int = SHOWN) -> list[Button]:
        """The buttons to the *count* rows before and after *page*, for the table *step*."""
        many = -(-len(self.tournament.entrants) // count)
        return self.page_keys(page, many, lambda to: self.path(step, str(to)))

    # ---------------------------------------------------------------- words

    def name(self, number: int) -> str:
        """What the entrant *number* is called."""
        return self.names.get(number) or self.say("tournament.nameless", n=number)

    def people(self, numbers: Sequence[int]) -> tuple[str, ...]:
        """What the entrants *numbers* are called."""
        return tuple(map(self.name, numbers))

    def button(self, key: str, *path: str, style: str = "house") -> Button:
        """A button of this tournament, which says *key*."""
        return Button(self.say(key), self.path(*path), style)

    def path(self, *path: str) -> str:
        """The code of a button of this tournament."""
        return self.code(Action.TOURNAMENT, *path, table=self.tournament.code)


def round_title(code: str, number: int) -> str:
    """What the round *number* is called in the language *code*."""
    return language(code).say(phrase("tournament.page.round", n=number))


def why_no_game(tournament: Tournament, number: int, left: timedelta | None) -> Phrase:
    """Why the entrant *number* has no game to play, and when the next round begins.

    *left* is how long that is off, ``None`` while games are played.
    """
    newest = tournament.rounds[-1] if tournament.rounds else Round(0, ())
    rests = number in (*newest.byes, *newest.halves)
    gone = tournament.entrant(number).gone is not None
    # Whoever has lost in a knockout plays no more.
    plays = rests or (not gone and tournament.rules.format is not TournamentFormat.KNOCKOUT)
    goes_on = not tournament.rounds or (plays and tournament.number < tournament.length)
    if goes_on and left is not None and newest.is_played:
        return phrase("tournament.next-in", time=length(int(left.total_seconds() * 1000)))
    if goes_on and tournament.rounds:
        return phrase("tournament.rests" if rests else "tournament.next-after")
    return phrase("tournament.gone" if gone else "tournament.no-game")


def deciding_breaks(lines: Sequence[Line], line: Line) -> int:
    """How many tie-breaks tell *line* from those of *lines* with as many points."""
    rivals, count = [o for o in lines if o is not line and o.points == line.points], 0
    while rivals and count < len(line.tie_breaks):
        rivals = [o for o in rivals if o.tie_breaks[count] == line.tie_breaks[count]]
        count += 1
    return count


def halves(points: int) -> str:
    """Half *points* as people write them: «2½»."""
    whole, half = divmod(points, 2)
    return f"{whole or ('' if half else 0)}{'½' if half else ''}"


def scale_number(value: int, scale: int) -> str:
    """*value* in parts of *scale* as a number with at most two decimals."""
    return f"{value / scale:g}"
