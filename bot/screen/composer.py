"""Table + viewer + language -> the screen that a chat shows. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bot.port import Button, Screen
from bot.screen.buttons import Act
from bot.screen.choices import Page, page_of
from bot.screen.happened import happened
from bot.screen.invitation import SEAL, invitation, is_dealt, own_words, to_send
from bot.screen.keyboard import LETTERS, choice_rows
from bot.screen.scribe import Scribe
from bot.screen.sides import bottom_of, turns
from bot.table.rematch import foreseen
from bot.table.sight import Seen, hides
from bot.table.table import CLOSED, ENDED, OPEN, PLAYING, Offer
from bot.texts.sentences import ALT, fitted
from games.core import CHANCE, IllegalMove, Phrase, Position, Seat, Who, phrase
from games.core.chance import commitment
from render.kit import painter, themed
from render.scene import Last, Scene, Target


class Composer(Scribe):
    """Composes the screens of one table for one viewer."""

    # ---------------------------------------------------------------- what is shown

    def board(self, path: Sequence[str] = ()) -> Screen:
        """The table as it is now; *path* is what the viewer has chosen so far."""
        if self.table.status == OPEN:
            headline, lines, rows = invitation(self)
            return replace(self._screen(headline, lines, rows), invitation=to_send(self))
        if self.table.position is None:
            return self._screen(self.say(phrase("house.closed")), (), ())
        if self.table.status in (ENDED, CLOSED):
            lines = (*self._story(), *self._rematch_sealed())
            return self._screen(self._ending(), lines, self._after_rows(), pictured=True)
        page = self._page(path)
        rows = self._rows(page)
        return self._screen(self._turn(), self._story(page), rows, page, pictured=True)

    def more(self, seat: Seat) -> Screen:
        """The rest of what *seat* may do at the table, in place of the keyboard.

        What is shown stays what the viewer may see, who need not be *seat*.
        """
        table = self.table
        first: list[Button] = []
        if table.undo_to(seat) is not None:
            first.append(self.button("house.button.undo", Act.OFFER, "undo"))
        if table.game.draw_by_agreement:
            first.append(self.button("house.button.draw", Act.OFFER, "draw"))
        about = (
            self.button("house.button.rules", Act.RULES),
            self.button("house.button.record", Act.RECORD),
            *([self.button("house.button.flip", Act.FLIP)] if turns(table.game.key) else ()),
        )
        resign = self.button("house.button.resign", Act.RESIGN, style="danger")
        last = (resign, self.button("house.button.back", Act.BACK))
        return replace(self.board(), rows=tuple(filter(None, (tuple(first), about, last))))

    def confirm(self, act: Act, question: Phrase, yes: Phrase) -> Screen:
        """The question whether something is really meant, in place of the keyboard."""
        sure = Button(self.say(yes), self.code(act, "yes"), "danger")
        row = (sure, self.button("house.button.back", Act.BACK))
        return replace(self.board(), lines=(self.say(question),), rows=(row,))

    def description(self) -> tuple[str, ...]:
        """What happened of late, and all that the picture shows, in words."""
        if self.table.position is None:
            return ()
        shown = self.table.game.speech.describe(self.seen.position)
        return (*happened(self), *map(self.say, shown))

    def alt(self) -> str:
        """The description as far as it fits, with a hint how to read the rest where it does not."""
        return fitted(" ".join(self.description()), ALT, self.say(phrase("house.alt-cut")))

    # ---------------------------------------------------------------- the parts

    def _screen(
        self,
        headline: str,
        lines: tuple[str, ...],
        rows: tuple[tuple[Button, ...], ...],
        page: Page | None = None,
        *,
        pictured: bool = False,
    ) -> Screen:
        table = self.table
        people = (table.players[seat].person for seat in table.actors())
        return Screen(
            table=table.code,
            version=table.version,
            headline=headline,
            lines=lines,
            alt=self.alt() if pictured else "",
            scene=self._scene(page) if pictured else None,
            rows=rows,
            calls=frozenset(person for person in people if person is not None),
            over=table.status in (ENDED, CLOSED),
            language=self.tongue.code,
            title=self.say(phrase(f"{table.game.key}.name")),
        )

    def _turn(self) -> str:
        actors = sorted(self.table.actors())
        if self.viewer.seat in actors:
            me = self.names[self.viewer.seat or 0]
            return self.say(phrase("house.turn.yours", name=me, side=self._side(self.viewer.seat)))
        if len(actors) == 1:
            (seat,) = actors
            key = "house.turn.thinks" if self.table.players[seat].level else "house.turn.theirs"
            return self.say(phrase(key, who=Who(seat), side=self._side(seat)))
        return self.say(phrase("house.turn.several", who=tuple(map(Who, actors))))

    def _side(self, seat: Seat | None) -> Phrase:
        side = self.table.players[seat or 0].side
        return phrase(f"{self.table.game.key}.side.{side}")

    def _ending(self) -> str:
        table = self.table
        outcome = table.outcome
        if outcome is None:
            return self.say(phrase("house.closed"))
        key = f"{table.game.key}.end.{outcome.reason}"
        if not table.by_rule:
            key = f"house.end.{outcome.reason}"
        winner = outcome.winner
        who = Who(winner) if winner is not None else tuple(map(Who, sorted(outcome.places[0])))
        ended = phrase(key, winner=who)
        return self.say(ended if winner is None else phrase("house.won", how=ended))

    def _story(self, page: Page | None = None) -> tuple[str, ...]:
        lines, table = happened(self), self.table
        if table.outcome is not None and len(table.players) > 2:
            lines.append(self._ranking())
        lines += [self._offered(offer) for offer in table.offers]
        if table.status == PLAYING or (self._still_disputed() and self._aside_rows()):
            speech, position = table.game.speech, self.seen.position
            lines += map(self.say, speech.notices(position))
            if self.viewer.look.hints:
                lines += map(self.say, speech.hints(position))
        if page is not None:
            seen = Seen(table, page.seat).position
            lines.append(self.say(table.game.menus.question(seen, page.seat, page.path)))
        return tuple(lines)

    def _rematch_sealed(self) -> tuple[str, ...]:
        """The seal of a possible rematch, for which words may be chosen now."""
        table = self.table
        if table.status != ENDED or table.child is not None or not is_dealt(table.game):
            return ()
        code, secret = foreseen(table, self.key)
        seal = commitment(secret)[:SEAL]
        lines = [self.say(phrase("house.rematch.sealed", code=code, seal=seal))]
        if table.next_words:
            words = tuple(said for _, said in table.next_words)
            lines.append(self.say(phrase("house.words-said", words=words)))
        return tuple(lines)

    def _offered(self, offer: Offer) -> str:
        if len(offer.agreed) > 1:
            agreed = tuple(map(Who, sorted(offer.agreed)))
            return self.say(phrase("house.offered.several", who=agreed))
        return self.say(phrase(f"house.offered.{offer.kind}", who=Who(offer.seat)))

    def _ranking(self) -> str:
        outcome = self.table.outcome
        places = outcome.places if outcome is not None else ()
        ranks = [tuple(map(Who, sorted(place))) for place in places]
        lines = [phrase("house.place", number=n, who=who) for n, who in enumerate(ranks, 1)]
        return " · ".join(map(self.say, lines))

    def _scene(self, page: Page | None) -> Scene:
        table, viewer = self.table, self.viewer
        seen = self.seen.position
        return Scene(
            game=table.game.key,
            seen=seen,
            names=tuple(self.names[seat] for seat in range(len(table.players))),
            bottom=bottom_of(viewer, table),
            theme=themed(table.game.key, viewer.look.theme, viewer.look.pieces),
            last=self._last(),
            ended=table.outcome,
            path=page.path if page is not None else (),
            targets=self._targets(page),
            captions=tuple(
                sorted((k, self.say(p)) for k, p in painter(table.game.key).captions(seen).items())
            ),
        )

    def _last(self) -> tuple[Last, ...]:
        told = (one for one in self.seen.recent if one.seat != CHANCE and self.weight(one))
        return tuple(Last(one.before, one.seat, one.move) for one in told)

    def _targets(self, page: Page | None) -> tuple[Target, ...]:
        choices = page.choices if page is not None else ()
        return tuple(Target(LETTERS[n : n + 1], choice.step) for n, choice in enumerate(choices))

    def _still_disputed(self) -> bool:
        """Whether something may still be said of a game that its own rules have ended (R1)."""
        table = self.table
        return table.status == ENDED and table.by_rule and table.child is None

    # ---------------------------------------------------------------- buttons

    def _page(self, path: Sequence[str]) -> Page | None:
        seat = self.asked()
        if seat is None:
            return None
        position: Position[Any] = self.table.present
        try:
            return page_of(self.table.game, position, seat, path, self.viewer.space)
        except IllegalMove:
            return page_of(self.table.game, position, seat, (), self.viewer.space)

    def _rows(self, page: Page | None) -> tuple[tuple[Button, ...], ...]:
        rows = choice_rows(self, page) if page is not None else []
        rows += self._aside_rows()
        rows += [self._offer_row(offer) for offer in self.table.offers]
        rows.append(self._house_row(page))
        return tuple(rows)

    def _aside_rows(self) -> list[tuple[Button, ...]]:
        position = self.table.present
        seats = [self.viewer.seat] if self.viewer.seat is not None else []
        if not seats and not self.viewer.personal:
            seats = [n for n, p in enumerate(self.table.players) if p.person is not None]
        found: dict[str, Button] = {}
        for seat in seats:
            for aside in position.asides(seat):
                steps = self.table.game.menus.steps(position, aside)
                label = self.say(self.table.game.menus.label(position, seat, (), steps[0]))
                code = self.code(Act.ASIDE, *steps)
                found.setdefault(code, Button(label, code, "house"))
        return [(button,) for button in found.values()]

    def _offer_row(self, offer: Offer) -> tuple[Button, ...]:
        if self.viewer.personal and self.viewer.seat == offer.seat:
            return (self.button("house.button.withdraw", Act.ANSWER, offer.kind, "no"),)
        accept = f"house.button.accept.{offer.kind}"
        return (
            self.button(accept, Act.ANSWER, offer.kind, "yes", style="good"),
            self.button("house.button.decline", Act.ANSWER, offer.kind, "no"),
        )

    def _house_row(self, page: Page | None) -> tuple[Button, ...]:
        buttons = []
        if page is not None and page.begun:
            return (self.button("house.button.back", Act.BACK),)
        actors = self.table.actors()
        if not self.viewer.personal and (len(actors) > 1 or hides(self.table, *actors)):
            buttons.append(self.button("house.button.mine", Act.MINE, style="good"))
        buttons.append(self.button("house.button.words", Act.DESCRIBE))
        buttons.append(self.button("house.button.more", Act.MORE))
        return tuple(buttons)

    def _after_rows(self) -> tuple[tuple[Button, ...], ...]:
        rows = self._aside_rows() if self._still_disputed() else []
        if self.table.status == ENDED and self.table.child is None:
            offer = self.table.offered("rematch")
            if offer is not None and self.viewer.personal and self.viewer.seat in offer.agreed:
                rows.append((self.button("house.button.withdraw", Act.ANSWER, "rematch", "no"),))
            else:
                rows.append((self.button("house.button.rematch", Act.REMATCH, style="good"),))
        about = [self.button("house.button.words", Act.DESCRIBE)]
        about.append(self.button("house.button.record", Act.RECORD))
        if self.table.status == ENDED:
            about.append(self.button("house.button.verify", Act.VERIFY))
            if self.table.child is None:
                rows += own_words(self)
        rows.append(tuple(about))
        return tuple(rows)
