"""What only the organizer of a tournament may do, as screens. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.port import Button, KeyRows, Screen
from bot.presenters.table.keyboard import in_rows
from bot.presenters.tournament.tournament import TournamentScreens
from bot.tournament.values import Phase, TournamentGame

LISTED = 20
"""How many people or games are offered at most."""

SHARED = "="
"""Behind the chairs in the order of their places: all others share the next one."""


@dataclass(frozen=True)
class TournamentTools:
    """Composes the tools for the tournament of *screens*."""

    screens: TournamentScreens

    def tools(self) -> Screen:
        """All of them."""
        now, button = self.screens.tournament, self.screens.button
        rows: list[Sequence[Button]] = []
        if now.running:
            key = "resume" if now.paused else "halt"
            rows.append([button(f"tournament.button.{key}", key)])
            rows.append([button("tournament.button.fix", "fix")])
        if now.phase is Phase.OPEN:
            rows.append([button("tournament.button.begin", "begin", style="good")])
        rows.append([button("tournament.button.remove", "out")])
        rows.append([button("tournament.button.end", "end", style="danger")])
        return self._page(self.screens.say("tournament.tools"), rows, "more")

    def _page(self, said: str, rows: KeyRows, *back: str, lines: Sequence[str] = ()) -> Screen:
        """A page of tools with the key to the one before, which the path *back* shows."""
        leaves = self.screens.button("house.button.back", *back)
        return self.screens.page(said, lines, [*rows, [leaves]])

    def whom_to_remove(self) -> Screen:
        """The entrants, to put one of them out."""
        buttons = [
            Button(self.screens.name(one.number), self.screens.path("out", str(one.person)))
            for one in self.screens.tournament.present[:LISTED]
        ]
        return self._page(self.screens.say("tournament.whom-to-remove"), in_rows(buttons), "tools")

    def sure(self, key: str, *path: str, **args: str) -> Screen:
        """The question *key* before *path* is done."""
        yes = self.screens.button("tournament.button.yes", *path, "yes", style="danger")
        no = self.screens.button("house.button.not-sure", "more" if "leave" in path else "tools")
        return replace(self.screens.page(self.screens.say(key, **args), (), [[yes, no]]), asks=True)

    def games_to_fix(self) -> Screen:
        """The games of the newest round, to judge or correct one of them."""
        buttons = [
            Button(self.screens.meeting(meeting), self.screens.path("fix", meeting.last.code))
            for one in self.screens.tournament.rounds[-1:]
            for meeting in one.meetings
            if meeting.last.code
        ]
        said = self.screens.say("tournament.which-game")
        return self._page(said, [[one] for one in buttons[:LISTED]], "tools")

    def results(self, game: TournamentGame, ranked: str = "") -> Screen:
        """What may have come of *game*; at a table who was next behind the chairs *ranked*."""
        if len(game.seats) > 2:
            return self._places(game, ranked)
        first, second = self.screens.people(game.seats)
        rows = [
            [Button(f"1–0 · {first}", self.screens.path("fix", game.code, "20"))],
            [Button("½–½", self.screens.path("fix", game.code, "11"))],
            [Button(f"0–1 · {second}", self.screens.path("fix", game.code, "02"))],
        ]
        return self._page(f"{first} – {second}", rows, "fix")

    def _places(self, game: TournamentGame, ranked: str) -> Screen:
        """Who is next in the order of places, by the number of the chair, from 0 on."""
        say, path = self.screens.say, self.screens.path
        rows: list[Sequence[Button]] = [
            [Button(self.screens.name(one), path("fix", game.code, f"{ranked}{chair}"))]
            for chair, one in enumerate(game.seats)
            if str(chair) not in ranked
        ]
        all_share = say("tournament.button.share" if ranked else "tournament.button.all-share")
        rows.append([Button(all_share, path("fix", game.code, f"{ranked}{SHARED}"))])
        known = [
            f"{n}. {self.screens.name(game.seats[int(chair)])}" for n, chair in enumerate(ranked, 1)
        ]
        said, back = say("tournament.who-is", n=len(ranked) + 1), (game.code, ranked[:-1])
        return self._page(said, rows, "fix", *(back if ranked else ()), lines=known)


def ranked_places(text: str, seats: int) -> list[list[int]] | None:
    """The chairs by place that *text* says, as ``TournamentTools`` writes it for so many *seats*.

    ``None`` where it says too little, or nothing that can be.
    """
    ranked, shared = text.removesuffix(SHARED), text.endswith(SHARED)
    chairs = [int(one) for one in ranked if one.isascii() and one.isdigit()]
    if len(chairs) < len(ranked) or len(set(chairs)) < len(chairs):
        return None
    rest = [chair for chair in range(seats) if chair not in chairs]
    if any(chair >= seats for chair in chairs) or not (shared or len(rest) == 1):
        return None
    return [*([one] for one in chairs), *([rest] if rest else [])]
