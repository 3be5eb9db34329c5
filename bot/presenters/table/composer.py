"""The composer: a table, a viewer and a language make the screen that a chat shows. Pure."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from bot.port import Button, Screen
from bot.presenters.base import TablePresenter
from bot.presenters.button_codes import (
    DECLINED,
    FOR,
    MISSED,
    NO_TABLE,
    TO_CHOOSE,
    Action,
    Click,
    encode_click,
)
from bot.presenters.game_poster import with_poster
from bot.presenters.table import status as table_status
from bot.presenters.table.invitation import (
    invitation,
    is_dealt,
    to_send,
    words_button,
)
from bot.presenters.table.keyboard import LETTERS, ChoicePage, choice_rows, in_rows, page_of
from bot.presenters.table.since_last_turn import recap, recap_lines
from bot.presenters.table.viewers import (
    bottom_seat,
    can_turn,
    named_table,
    player_plates,
    theme_for,
)
from bot.session.events import OfferKind
from bot.session.offers import foreseen
from bot.session.play import keys_that_hold, yielding_seat
from bot.session.table import CLOSED, ENDED, OPEN, PLAYING, Offer, Table
from bot.session.unreachable_players import wins
from bot.session.visibility import VisibleTable, hides
from bot.texts import language
from bot.texts.orthography import ALT, fitted
from games.core import CHANCE, IllegalMove, Phrase, Position, Seat, Who, phrase
from render.kit.button_faces import accent
from render.kit.painters import captions
from render.scene import Last, Scene, Target

ROWS_BELOW, ROWS_ABOVE = 5, 2
"""Up to how many rows of keys of a turn stand below words, and above further actions."""

TALL_CARD = "tall"
"""The path of the button that makes a card for the stories of phones."""


class Composer(TablePresenter):
    """Composes the screens of one table for one viewer."""

    def board(self, path: Sequence[str] = ()) -> Screen:
        """The board now; *path* is what the viewer has chosen so far."""
        if self.table.status == OPEN:
            headline, lines, rows = invitation(self)
            rows = (*rows, *self._page_row())
            screen = replace(self._screen(headline, lines, rows), invitation=to_send(self))
            if self.viewer.space.choices is None:
                # Who sits in which chair is seen beside the board.
                said = lines[len(self.table.players) :]
                return replace(screen, lines=said, scene=self.laid_out()._scene(None))
            return with_poster(screen, self.table.game, self.viewer.look.theme)
        if self.table.position is None:
            # The poster stays, since a message with a picture cannot become one of words alone.
            screen = self._screen(self.headline(), (), self._new_rows())
            return with_poster(screen, self.table.game, self.viewer.look.theme)
        if self.table.status in (ENDED, CLOSED):
            lines = (*self._story(), *self._rematch_sealed())
            return self._screen(self.headline(), lines, self._after_rows(), pictured=True)
        page = None if self.asked is None else self.choices(self.asked, path)
        rows = self._rows(page)
        return self._screen(self.headline(), self._story(page), rows, page, pictured=True)

    def laid_out(self) -> Composer:
        """The same before the game with the board laid out; what is dealt is not there yet."""
        table, game, seat = self.table, self.table.game, self.viewer.seat
        chosen = {one.side for one in table.players}
        sides = game.sides_for(len(table.players))
        free = [one for one in dict.fromkeys((*sides, *game.rules.sides)) if one not in chosen]
        players = [replace(one, side=one.side or free.pop(0)) for one in table.players]
        seated = sorted(players, key=lambda one: game.rules.sides.index(one.side or ""))
        viewer = replace(self.viewer, seat=None if seat is None else seated.index(players[seat]))
        waiting = replace(table, players=tuple(seated))
        return Composer(replace(waiting, position=game.start(waiting.setting)), viewer, self.key)

    def open_question(self) -> tuple[str, Sequence[tuple[Button, ...]]]:
        """What the viewer is asked by the others, and the keys that answer it."""
        seat = self.viewer.seat
        offer = next((one for one in self.table.offers if seat not in one.agreed), None)
        if offer is not None:
            return self._offer(offer), self._offer_rows(offer, seat)
        return invitation(self)[::2]

    def headline(self) -> str:
        """The first line of the board now, which takes a small part of what the board takes."""
        if self.table.status == OPEN:
            return invitation(self)[0]
        if self.table.position is None:
            return self.say(table_status.closed(self.table))
        return table_status.ending(self) if self.table.status in (ENDED, CLOSED) else self._turn()

    def more(self, seat: Seat | None, *, board: bool) -> Screen:
        """The further actions of *seat*, or of a spectator; the viewer need not be *seat*.

        *board* says that the screen replaces the viewer's own board and has a way back.
        """
        about = [self.button("house.button.rules", Action.RULES)]
        about.append(self.button("house.button.record", Action.RECORD))
        if can_turn(self.table.game.key):
            about.append(self.button("house.button.flip", Action.FLIP))
        side, turn = self._own_board_key(), () if board else self.turn_rows(ROWS_ABOVE)
        if seat is not None and not board and (side,) not in turn:
            about.append(side)
        back = [self.button("house.button.back", Action.BACK)] if board else []
        rows: list[Sequence[Button]] = [*turn, about, back, self._starter_row()]
        if seat is not None and self.table.status == PLAYING:
            resign = "leave" if len(self.table.players) > 2 else "resign"
            back.insert(0, self.button(f"house.button.{resign}", Action.RESIGN, style="danger"))
            asked = itertools.chain(*(self._offer_rows(one, seat) for one in self.table.offers))
            rows[len(turn) : len(turn)] = [*asked, self._wishes(seat), self._advice(seat)]
        shown, keys = self.board(), f"{self.table.game.key}.keys"
        told = [self.say(keys)] if keys in self.tongue.templates else []
        told += [self.say("standing.no-help")] if self.table.competes else []
        lines = tuple(dict.fromkeys((*shown.lines, *told)))
        return replace(shown, lines=lines, rows=tuple(tuple(row) for row in rows if row))

    def turn_rows(self, most: int = ROWS_BELOW) -> tuple[tuple[Button, ...], ...]:
        """The keys of the viewer's turn, to stand below words; of many the one that leads there."""
        if self.asked is None:
            return ()
        rows = choice_rows(self, self.choices(self.asked, ()))
        return tuple(rows) if len(rows) <= most else ((self._own_board_key(),),)

    def _own_board_key(self) -> Button:
        return self.button("house.button.my-side", Action.MINE)

    def _advice(self, seat: Seat) -> list[Button]:
        if not self.table.may_ask(seat):
            return []
        found = []
        if seat in self.table.actors():
            found.append(self.button("house.button.hint", Action.HINT))
        if self.table.game.computer.odds is not None:
            found.append(self.button("house.button.odds", Action.ODDS))
        return found

    def _wishes(self, seat: Seat) -> list[Button]:
        table, wishes = self.table, []
        if table.undo_to(seat) is not None and table.offered("undo") is None:
            wishes.append(self.button("house.button.undo", Action.OFFER, "undo"))
        if table.game.rules.draw_by_agreement and table.offered("draw") is None:
            wishes.append(self.button("house.button.draw", Action.OFFER, "draw"))
        if table.clock is not None and table.offered("pause") is None:
            key = "clock.go-on" if table.clock.paused else "house.button.pause"
            wishes.append(self.button(key, Action.OFFER, "pause"))
        return wishes

    def confirm(self, act: Action, question: Phrase, person: int, turn: int, *steps: str) -> Screen:
        """The *question* to *person* alone, put at *turn*, that confirms the *act* of *steps*.

        It names the game and those who play it with them.
        """
        about = named_table(self.table.game.key, self.table.others([self.table.seat_of(person)]))
        yes, no = (self.code(act, *steps, word, f"@{person}", turn=turn) for word in ("yes", "no"))
        sure = Button(self.say("house.button.sure"), yes, "danger")
        row = (sure, Button(self.say("house.button.not-sure"), no))
        headline, lines = self.say(about), (self.say(question),)
        return replace(self.board(), headline=headline, lines=lines, rows=(row,), asks=True)

    def turned(self) -> Screen:
        """A private board from the viewer's chosen side, with a button that turns it on."""
        note = self.say("house.turned-for-you")
        further = ((self.viewer.bottom or 0) + 1) % len(self.table.players)
        rows = ((self.button("house.button.flip", Action.FLIP, str(further)),),)
        return self._screen(self.headline(), (note,), rows, pictured=True)

    def with_way_back(self, screen: Screen) -> Screen:
        """*screen*, which stands in place of a shared board, with the way back to that."""
        back = self.button("house.button.back", Action.BACK)
        there = any(button.code == back.code for row in screen.rows for button in row)
        return screen if there else replace(screen, rows=(*screen.rows, (back,)))

    def words(self, said: str, rows: tuple[tuple[Button, ...], ...] = ()) -> Screen:
        """A screen with only the words *said*, above the keys of *rows*."""
        headline, *lines = said.split("\n")
        return self._screen(headline, tuple(lines), rows)

    def description(self) -> tuple[str, ...]:
        """The news and the whole picture in words."""
        ended = table_status.cut_short(self.table)
        return self._description(self.table.game.speech.turns if ended else frozenset())

    def _description(self, over: frozenset[str]) -> tuple[str, ...]:
        """The news and the picture in words, without what the keys of *over* say."""
        if self.table.position is None:
            return ()
        speech, last = self.table.game.speech, self.seen.recent[-1:]
        if last and not self.weight(last[0]):
            over |= speech.pending  # the news tell it
        shown = (one for one in speech.describe(self.seen.position) if one.key not in over)
        told = (*table_status.news_lines(self), *recap_lines(self), *map(self.say, shown))
        return (*told, *table_status.absence_lines(self))

    def told(self, now: int) -> tuple[str, ...]:
        """The board in words, and what stands beside it at the instant *now*: match and clock."""
        said = self.description() or (self.headline(),)
        if table_status.cut_short(self.table):
            said = (table_status.ending(self), *said)
        beside = (*table_status.result_lines(self), *table_status.match_lines(self))
        return (*said, *beside, *table_status.clock_words(self, now))

    def alt(self) -> str:
        """The description as far as it fits, with a hint how to read the rest where it does not.

        Whose turn it is stands in the headline above.
        """
        said = self._description(self.table.game.speech.turns)
        return fitted(" ".join(said), ALT, self.say("house.alt-cut"))

    def _screen(
        self,
        headline: str,
        lines: tuple[str, ...],
        rows: tuple[tuple[Button, ...], ...],
        page: ChoicePage | None = None,
        *,
        pictured: bool = False,
    ) -> Screen:
        table = self.table
        return Screen(
            table=table.code,
            version=table.version,
            headline=headline,
            lines=lines,
            alt=self.alt() if pictured else "",
            scene=replace(self._scene(page), recap=recap(self, self.past)) if pictured else None,
            rows=rows,
            over=table.status in (ENDED, CLOSED),
            won=self.viewer.personal and _has_just_won(table, self.viewer.seat),
            language=self.tongue.code,
            title=self.say(f"{table.game.key}.name"),
            countdown=table_status.countdown(self) if pictured else None,
            accent=self._accent(),
            source=table,
            crowded=bool(self.viewer.space.whole_moves) and table.status == PLAYING,
        )

    def _accent(self) -> int | None:
        """The colour of the side that is to move or has won; none for several."""
        table = self.table
        seats = table.actors() if table.outcome is None else table.outcome.places[0]
        if len(seats) != 1 or CHANCE in seats:
            return None
        (seat,) = seats
        return accent(table.game.key, table.players[seat].side or "")

    def _turn(self) -> str:
        actors = sorted(self.table.actors())
        if self.viewer.seat in actors:
            me = self.names[self.viewer.seat or 0]
            return self.say("house.turn.yours", name=me, side=self._side(self.viewer.seat))
        if len(actors) == 1:
            (seat,) = actors
            key = "house.turn.thinks" if self.table.players[seat].level else "house.turn.theirs"
            return self.say(key, who=Who(seat), side=self._side(seat))
        return self.say("house.turn.several", who=tuple(map(Who, actors)))

    def _side(self, seat: Seat | None) -> Phrase:
        side = self.table.players[seat or 0].side
        return self.tongue.explained(f"{self.table.game.key}.side.{side}")

    def _story(self, page: ChoicePage | None = None) -> tuple[str, ...]:
        lines, table = [*recap_lines(self), *table_status.news_lines(self)], self.table
        if table.outcome is not None and len(table.players) > 2:
            lines.append(table_status.ranking_line(self))
        if table.status != PLAYING:
            lines += table_status.result_lines(self)
        lines += table_status.match_lines(self)
        lines += filter(None, [self.viewer.follows])
        lines += table_status.standing_lines(self)
        lines += map(self._offer, table.offers)
        if (no := table.declined) is not None:
            said = phrase(f"house.declined.{self._offer_key(no)}", who=Who(no.seat))
            lines.append(self.say(said))
        if yielding_seat(table) is not None:
            lines.append(self.say("house.stand-in.yields"))
        lines += table_status.clock_lines(self) if table.clock else ()
        lines += table_status.absence_lines(self)
        if table.status == PLAYING or (
            table_status.still_disputed(self.table) and self._aside_rows()
        ):
            speech, position = table.game.speech, self.seen.position
            lines += map(self.say, speech.notices(position))
            if self.viewer.look.hints:
                lines += map(self.say, speech.hints(position))
        if self.viewer.offers_starter:
            lines.append(self.say("settings.starter.offer"))
        if page is not None:
            lines.append(self.say(self._question(page)))
            lines += self._late_keys(page)
        return tuple(lines)

    def _late_keys(self, page: ChoicePage) -> tuple[str, ...]:
        """What the keys do that hold for long, where boards come late."""
        if not (self.viewer.space.whole_moves and keys_that_hold(self.table)):
            return ()
        key = self.table.game.key
        return (self.say(f"{key}.held" if len(page.choices) == 1 else f"{key}.held-next"),)

    def _question(self, page: ChoicePage) -> Phrase:
        """What is asked above the buttons of *page*."""
        if page.whole:
            return phrase("house.which-move")
        seen, menus = VisibleTable(self.table, page.seat).position, self.table.game.menus
        return menus.question(seen, page.seat, page.path)

    def _rematch_sealed(self) -> tuple[str, ...]:
        """The seal of a possible rematch, to which players may add words now."""
        table = self.table
        followed = table.child is not None or table.tournament
        if table.status != ENDED or followed or not is_dealt(table.game):
            return ()
        key = f"house.{table_status.followed_by(table)}.sealed"
        sealed = self.say(key, code=foreseen(table, self.key)[0])
        words = tuple(said for _, said in table.next_words)
        return (sealed, self.say("house.words-said", words=words)) if words else (sealed,)

    def _offer(self, offer: Offer) -> str:
        key = f"house.offered.{self._offer_key(offer)}"
        if len(offer.agreed) > 1:
            return self.say(f"{key}-all", who=tuple(map(Who, sorted(offer.agreed))))
        return self.say(key, who=Who(offer.seat))

    def _offer_key(self, offer: Offer) -> str:
        """The name of *offer* in the keys of catalogues."""
        rematch = offer.kind == OfferKind.REMATCH
        return table_status.followed_by(self.table) if rematch else offer.kind

    def _scene(self, page: ChoicePage | None) -> Scene:
        table, look, seen = self.table, self.viewer.look, self.seen.position
        told = (one for one in self.seen.recent if one.seat != CHANCE and self.weight(one))
        choices = page.choices if page is not None else ()
        return Scene(
            game=table.game.key,
            seen=seen,
            names=self._plates(),
            bottom=bottom_seat(self.viewer, table),
            theme=theme_for(table.game.key, look),
            last=tuple(Last(one.before, one.seat, one.move) for one in told),
            ended=table.outcome,
            path=page.path if page is not None else (),
            targets=tuple(
                Target(LETTERS[n : n + 1], step)
                for n, step in enumerate(dict.fromkeys(one.step for one in choices))
            ),
            captions=self.captions(seen),
            wide=self.viewer.space.landscape,
        )

    def _plates(self) -> tuple[str, ...]:
        """What stands beside the seats on the picture; who is missed is marked."""
        table = self.table
        plates = player_plates(table.game.key, table.players, self.names, self.tongue)
        return tuple(
            self.say("house.absence.plate", name=plate) if seat in table.missed else plate
            for seat, plate in enumerate(plates)
        )

    def past(self, seen: Position[Any], last: tuple[Last, ...]) -> Scene:
        """The picture of an earlier moment of the game, *seen* as everybody may see it."""
        scene = self._scene(None)
        return replace(scene, seen=seen, last=last, ended=None, captions=self.captions(seen))

    def captions(self, seen: Position[Any]) -> tuple[tuple[str, str], ...]:
        """The painter's words for the picture of *seen*."""
        return captions(self.table.game.key, seen, self.say)

    def choices(self, seat: Seat, path: Sequence[str]) -> ChoicePage:
        """What *seat* may choose after *path*, or from the first step where *path* is illegal."""
        game, position, space = self.table.game, self.table.present, self.viewer.space
        try:
            return page_of(game, position, seat, path, space)
        except IllegalMove:
            return page_of(game, position, seat, (), space)

    def _rows(self, page: ChoicePage | None) -> tuple[tuple[Button, ...], ...]:
        rows = choice_rows(self, page) if page is not None else []
        rows += self._aside_rows()
        for offer in self.table.offers:
            rows += self._offer_rows(offer, self.viewer.seat)
        if self.table.clock is not None and self.table.clock.late:
            rows.append(self._late_row(self.table.clock.late))
        if self.table.missed:
            rows += self._absence_rows()
        if self.viewer.seat is None and yielding_seat(self.table) is not None:
            rows.append((self.button("house.button.join", Action.JOIN, style="good"),))
        rows.append(self._starter_row())
        rows.append(self._house_row(page))
        return tuple(filter(None, rows))

    def _aside_rows(self) -> list[tuple[Button, ...]]:
        position, menus = self.table.present, self.table.game.menus
        seats = [self.viewer.seat] if self.viewer.seat is not None else []
        if not seats and not self.viewer.personal:
            seats = [n for n, p in enumerate(self.table.players) if p.person is not None]
        found: dict[str, Button] = {}
        # The seat to move comes first and is not named.
        for seat in sorted(seats, key=lambda seat: seat not in self.table.actors()):
            for aside in position.asides(seat):
                if not menus.timely(position, seat, aside):
                    continue
                steps = menus.steps(position, aside)
                label = self.say(menus.label(position, seat, (), steps[0]))
                if len(seats) > 1 and seat not in self.table.actors():
                    label = f"{self.names[seat]}: {label}"
                code = self.code(Action.ASIDE, *steps)
                found.setdefault(code, Button(label, code, "house"))
        return in_rows(list(found.values()), even=self.viewer.space.even)

    def _offer_rows(self, offer: Offer, seat: Seat | None) -> list[tuple[Button, ...]]:
        """Yes and no for those who may answer, withdraw for the offerer; in private *seat*'s."""
        kind, viewer, said = offer.kind, self.viewer, self._offer_key(offer)
        yes = self.button(f"house.button.accept.{said}", Action.ANSWER, kind, "yes", style="good")
        no = self.button(f"house.button.decline.{said}", Action.ANSWER, kind, "no")
        withdraw = self.button(f"house.button.withdraw.{said}", Action.ANSWER, kind, "back")
        if not viewer.personal:
            # Where all in a row are as wide as the widest, three of them are cut on a phone.
            return [(yes, no), (withdraw,)] if viewer.space.even else [(yes, no, withdraw)]
        if seat is None:
            return []
        return [(withdraw,)] if seat in offer.agreed else [(yes, no)]

    def _starter_row(self) -> tuple[Button, ...]:
        """Yes and no to the newcomer's set of pieces, where it is offered."""
        take = self.button("settings.button.starter", Action.STARTER, style="good")
        leave = self.button("settings.button.no-starter", Action.STARTER, *DECLINED)
        return (take, leave) if self.viewer.offers_starter else ()

    def _late_row(self, late: Collection[Seat]) -> tuple[Button, ...]:
        """What the others may do about players whose time has run out."""
        viewer = self.viewer
        if viewer.personal and (viewer.seat is None or viewer.seat in late):
            return ()
        claim = self.button("clock.button.claim", Action.CLOCK, "claim", style="danger")
        return (claim, self.button("clock.button.grant", Action.CLOCK, "grant"))

    def _absence_rows(self) -> list[tuple[Button, ...]]:
        """What the others may do about players who cannot be called any more."""
        table, viewer = self.table, self.viewer
        if viewer.personal and (viewer.seat is None or viewer.seat in table.missed):
            return []
        missed = sorted(table.missed)
        key = "house.button.play-on" if len(missed) == 1 else "house.button.play-on-for"
        buttons = [
            Button(self.say(key, who=Who(seat)), self.code(Action.COMPUTER, FOR, str(seat)))
            for seat in missed
        ]
        if table.forsaken is not None and wins(table):
            buttons.insert(0, self.button("house.button.take-win", Action.CLOCK, MISSED))
        elif table.forsaken is not None:
            buttons.append(self.button("house.button.close", Action.CLOSE))
        return in_rows(buttons, even=viewer.space.even)

    def _house_row(self, page: ChoicePage | None) -> tuple[Button, ...]:
        buttons = []
        if page is not None and page.begun:
            buttons.append(self.button("house.button.back", Action.BACK))
        actors = self.table.actors()
        if not self.viewer.personal and (len(actors) > 1 or hides(self.table, *actors)):
            buttons.append(self.button("house.button.mine", Action.MINE, *TO_CHOOSE, style="good"))
        buttons.append(self.button("house.button.words", Action.DESCRIBE))
        buttons.append(self.button("house.button.more", Action.MORE))
        return (*buttons, *itertools.chain(*self._page_row()))

    def _page_row(self) -> tuple[tuple[Button, ...], ...]:
        """The button that opens the page within the chat, where that can be."""
        page = self.button("house.button.open-board", Action.PAGE)
        return ((page,),) if self.viewer.opens_page else ()

    def _new_rows(self) -> tuple[tuple[Button, ...], ...]:
        """The way on where no rematch follows: to the tournament, or to another game."""
        said, click = "house.sheet.new", Click(Action.SHEET, NO_TABLE, 0, ("game", ""))
        if code := self.table.tournament:
            said, click = "tournament.button.all", Click(Action.TOURNAMENT, code, 0, ("more",))
        return ((Button(self.say(said), encode_click(click, self.key)),),)

    def _again_rows(self) -> list[tuple[Button, ...]]:
        """Another game, or what is asked of one; after that of a tournament only what is asked."""
        offer = self.table.offered("rematch")
        if offer is None and (self.table.child is not None or self.table.tournament):
            return []
        said = f"house.button.{table_status.followed_by(self.table)}"
        again = self.button(said, Action.REMATCH, style="good")
        if offer is None:
            return [(again,)] if not self.viewer.personal or self.viewer.seat is not None else []
        asked = self._offer_rows(offer, self.viewer.seat)
        if not self.viewer.personal:
            asked[0] = (again, *asked[0][1:])
        return asked

    def _after_rows(self) -> tuple[tuple[Button, ...], ...]:
        rows = self._again_rows() if self.table.status == ENDED else []
        # Below the usual buttons, so that no slip gives a victory away.
        rows += self._aside_rows() if table_status.still_disputed(self.table) else []
        about = [self.button("house.button.words", Action.DESCRIBE)]
        about.append(self.button("house.button.record", Action.RECORD))
        if self.table.status == ENDED:
            about.append(self.button("house.button.verify", Action.VERIFY))
            if any(entry.seat != CHANCE for entry in self.table.log):
                rows.append((self.button(self._review(), Action.REVIEW),))
                # The key to send it stands beside that for another game.
                rows[0] = (*rows[0], self.button("keepsake.button.card", Action.KEEPSAKE))
                tall = self.button("keepsake.button.tall", Action.KEEPSAKE, TALL_CARD)
                rows.append((self.button("keepsake.button.replay", Action.REPLAY), tall))
            if self.table.tournament:
                rows += self._new_rows()
            elif self.table.shifts:
                game = self.table.game.key
                rows.append((self.button("standing.button.ladder", Action.TOP, game),))
            if self.table.child is None:
                rows += words_button(self)
        else:
            rows += self._new_rows()
        about += itertools.chain(*self._page_row())
        rows.append(tuple(about))
        return tuple(filter(None, rows))

    def _review(self) -> str:
        """The label of the review, which tells a defeat from a victory."""
        table, seat = self.table, self.viewer.seat
        if not self.viewer.personal or seat is None or table.loser is None:
            return "house.button.review-all"
        if seat == table.loser:
            return "house.button.review"
        won = table.outcome is not None and seat in table.outcome.places[0]
        return "house.button.review-won" if won else "house.button.review-all"


def _has_just_won(table: Table, seat: Seat | None) -> bool:
    """Whether the last thing that happened at *table* is that *seat* has won."""
    first = set() if table.outcome is None else table.outcome.places[0]
    return first == {seat} and table.ended == table.stirred


def with_announcement(screen: Screen, text: str) -> Screen:
    """*screen* with what the operator announces, if that is anything and the game goes on."""
    if not text or screen.over:
        return screen
    said = language(screen.language).say(phrase("house.announced", text=text))
    return replace(screen, lines=(said, *screen.lines))
