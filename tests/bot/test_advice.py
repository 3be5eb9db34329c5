"""Hints, chances and the review of a game: who may have them, and what they say."""

from __future__ import annotations

import io
import random
import time
from dataclasses import dataclass, replace
from math import inf
from types import SimpleNamespace

import pytest
from PIL import Image

from bot.chats.web.message_formatting import _cells
from bot.port import Card, MenuAnswer, Where
from bot.presenters.button_codes import Action
from bot.presenters.school.analysis import (
    GRAVE,
    MOST_DECISIONS,
    Reviewed,
    _way,
    curve,
    moment_marks,
    moments,
)
from bot.presenters.table.composer import Composer
from bot.presenters.table.viewers import Viewer
from bot.service.computers.pool import Thinkers
from bot.service.computers.worker import Allowance, Task, think
from games.core import CHANCE
from games.core.advice import Weighed
from games.core.position import won_by
from games.core.shelf import find_game, shelf
from render.scene import Scene
from tests.fakes import Desk, desk, person
from tests.games.random_walks import random_setting, walk

NEREA, BRUNO = person("Nerea"), person("Bruno")


@dataclass
class Inline(Thinkers):
    """Answers at once and in this process what a worker would answer."""

    async def _ask(self, question):
        # A claim is judged by its count of boards alone: how fast this machine is changes nothing.
        seconds = inf if question["task"] == Task.RULING else 0.25
        budget = Allowance(time.process_time() + seconds)
        return think({**question, "seconds": 0.5}, budget)


@pytest.fixture
async def at(tmp_path):
    async with desk(tmp_path, Inline()) as opened:
        yield opened


async def opened(at: Desk, **values: str) -> str:
    await at.call(NEREA, "play", **values)
    return list(at.chat.messages.values())[-1].screen.table


async def played(at: Desk, code: str, moves: str) -> None:
    for move in moves.split():
        table = await at.facade.services.tables.get(code)
        (seat,) = table.actors()
        who = NEREA if table.players[seat].name == "Nerea" else BRUNO
        answer = await at.call(who, "move", table=code, move=move)
        assert answer.good, (move, answer.said)


async def against_computer(at: Desk, game: str, **values: str) -> str:
    return await opened(at, game=game, opponent="ordenador", level="1", **values)


async def between_people(at: Desk, game: str, **values: str) -> str:
    code = await opened(at, game=game, seats="2", **values)
    await at.call(BRUNO, "join", table=code)
    return code


def labels(screen) -> list[str]:
    return [button.label for row in screen.rows for button in row]


# -- a hint -------------------------------------------------------------------------------


@pytest.mark.sampled
@pytest.mark.parametrize("game", ["niya", "cirya", "shogi", "parchis"])
async def test_who_plays_against_the_computer_may_have_a_hint_with_its_reason(at, game):
    code = await against_computer(at, game)
    table = await at.facade.services.tables.get(code)
    answer = await at.call(NEREA, "hint", table=code)
    assert answer.good, answer.said
    assert answer.said.startswith(("Yo jugaría: ", "Solo hay una jugada: "))
    assert len(answer.said) > 25
    assert await at.facade.services.tables.get(code) == table, "nothing has happened at the table"


@pytest.mark.slow
async def test_a_hint_in_niya_knows_who_wins(at):
    code = await against_computer(at, "niya", options="")
    said = (await at.call(NEREA, "hint", table=code)).said
    assert "ganas" in said or "perdida" in said or "tablas" in said


async def test_the_button_for_a_hint_stands_where_one_may_be_had(at):
    mine = await against_computer(at, "niya")
    more = await at.press(NEREA, at.chat.board(mine), "Más")
    assert "Pista" in labels(more.screen)
    code = await between_people(at, "niya")
    more = await at.press(NEREA, at.chat.board(code), "Más")
    assert "Pista" not in labels(more.screen)


@pytest.mark.sampled
@pytest.mark.parametrize("command", ["hint", "odds"])
async def test_between_people_the_house_keeps_its_opinion_to_itself(at, command):
    code = await between_people(at, "niya")
    for who in (NEREA, BRUNO, person("Paso")):
        answer = await at.call(who, command, table=code)
        assert not answer.good
    assert "contra el ordenador" in (await at.call(NEREA, command, table=code)).said


@pytest.mark.parametrize(("code", "said"), [("es", "con ventaja"), ("en", "handicap")])
async def test_odds_of_no_game_are_the_sheet_on_which_a_handicap_is_chosen(at, code, said):
    sheet = await at.call(replace(NEREA, language=code), "odds")
    assert isinstance(sheet, Card)
    assert said in sheet.screen.lines[0]
    codes = [key.code for row in sheet.screen.buttons for key in row]
    assert any(one.startswith(f"{Action.SHEET}.") for one in codes)


async def test_whoever_links_another_identity_is_the_same_person_there(at):
    code = await between_people(at, "niya")
    other = person("Nerea2", platform="other")
    await at.facade.services.people.of(other)
    answer = await at.call(other, "hint", table=code)
    assert not answer.good


@pytest.mark.slow
async def test_at_a_table_opened_with_hints_people_may_ask_too(at):
    code = await between_people(at, "niya", options="hints=on")
    table = await at.facade.services.tables.get(code)
    assert table.hints
    (seat,) = table.actors()
    mover, other = (NEREA, BRUNO) if table.players[seat].name == "Nerea" else (BRUNO, NEREA)
    assert (await at.call(mover, "hint", table=code)).good
    assert not (await at.call(other, "hint", table=code)).good, "it is not his turn"


async def test_the_rematch_allows_hints_where_the_game_did(at):
    code = await between_people(at, "niya", options="pistas=on")
    await at.surely(NEREA, "resign", table=code)
    await at.call(NEREA, "rematch", table=code)
    await at.call(BRUNO, "rematch", table=code)
    child = (await at.facade.services.tables.get(code)).child
    assert (await at.facade.services.tables.get(child)).hints


# -- chances ------------------------------------------------------------------------------


@pytest.mark.slow
async def test_the_chances_of_parchis_are_counted_from_games_played_out(at):
    code = await against_computer(at, "parchis")
    said = (await at.call(NEREA, "odds", table=code)).said
    assert "Nerea" in said
    assert "partidas al nivel del más débil, ±" in said


@pytest.mark.slow
async def test_the_chances_of_all_seats_make_a_hundred(at):
    table = await at.facade.services.tables.get(await against_computer(at, "parchis"))
    (mover,) = table.actors()
    shares, games = await at.facade.services.advice.odds(table, mover)
    assert games > 0
    assert sum(shares) == pytest.approx(1.0)


# -- the review ---------------------------------------------------------------------------

GAMES = {
    "niya": "",
    "cirya": "e5 a1 b1 e4 c1 e3 d1 e2 e1",
    "shogi": "7g7f 3c3d 8h2b+ 5a5b 2b3a",
    "parchis": "",
}

FEW = {"niya": 12, "cirya": 0, "shogi": 0, "parchis": 60}
"""How many of the first legal moves are made before."""


def one(number: int, seat: int, before: float, after: float, exact: bool = False) -> Weighed:
    return Weighed(number, seat, before, after, "c3", exact)


def test_the_moments_of_a_game_are_the_worst_of_one_seat_in_their_order():
    found = [one(n, n % 2, 0.9 - n / 20, 0.5 - n / 10) for n in range(12)]
    shown = moments(found, 1)
    assert [moment.number for moment in shown] == [2, 3, 4, 5, 6]
    assert all(moment.weighed.seat == 1 for moment in shown)
    assert len(shown) == MOST_DECISIONS


async def test_a_moment_says_what_the_move_allowed_and_what_would_have_followed_the_better(at):
    code = await lost(at, "cirya")
    table = await at.facade.services.tables.get(code)
    composer = Composer(table, Viewer(language="es"), b"key")
    number = 4  # the swan's third ship, which lets the eagle go on
    found = (replace(one(number, 0, 0.6, -0.6), best="e1", line=("e2", "d2"), allowed=("e3",)),)
    lines = Reviewed(composer, 0, found).moment(0).lines
    assert any(line.startswith("Eso permite: cirya en e3") for line in lines)
    (then,) = (line for line in lines if line.startswith("Después: cirya en e2"))
    assert then.endswith(" y cirya en d2.")
    bare = (replace(one(number, 0, 0.6, -0.6), best="e1", allowed=("z9",)),)
    assert len(Reviewed(composer, 0, bare).moment(0).lines) == 1


async def test_a_review_names_the_opening_where_it_has_a_name(at):
    code = await between_people(at, "shogi")
    await played(at, code, "7g7f 3c3d 2g2f 5c5d 2f2e")
    table = await at.facade.services.tables.get(code)
    overview = Reviewed(Composer(table, Viewer(language="en"), b"k"), 0, ()).overview
    assert overview().lines == ("I see no big mistake.",)
    await played(at, code, "8b5b")
    table = await at.facade.services.tables.get(code)
    name, _ = Reviewed(Composer(table, Viewer(language="en"), b"k"), 0, ()).overview().lines
    assert name == "Opening: Cheerful central rook (gokigen nakabisha)."


async def test_a_review_has_no_button_for_what_it_shows(at):
    code = await lost(at, "cirya")
    composer = Composer(await at.facade.services.tables.get(code), Viewer(language="es"), b"key")
    reviewed = Reviewed(composer, 0, tuple(one(n, 0, 0.9, 0.1) for n in (0, 4)))
    assert [one.label for one in reviewed.overview().rows[0]] == ["Jugada 1", "Jugada 2"]
    labels = [one.label for one in reviewed.moment(1).rows[0]]
    assert labels == ["Jugada 1", "Toda la partida"]


@pytest.mark.slow
async def test_a_moment_says_why_the_better_move_is_better_and_what_its_mistake_lets_happen(at):
    code = await lost(at, "cirya")
    table = await at.facade.services.tables.get(code)
    # The eagle's fourth ship, which leaves e1 to the swan.
    found = (replace(one(7, 1, 0.0, -1.0), best="e1", allowed=("e1",)),)
    for language, better, allowed in (
        ("es", "cirya en e1, que impide el londë rival con e1.", "cirya en e1, que completa"),
        ("en", "cirya on e1, which stops the rival’s londë by e1.", "which completes the"),
    ):
        composer = Composer(table, Viewer(language=language), b"key")
        first, second = Reviewed(composer, 1, found).moment(0).lines
        assert first.endswith(better)
        assert allowed in second


@pytest.mark.parametrize("game", [find_game(key) for key in shelf()])
def test_what_a_move_moves_is_marked_where_it_stands_before_and_after(game):
    rng = random.Random(1)
    ways = [
        [_cells(Scene(game.key, seen, ())).get(cell) for seen, cell in _way(game, position, move)]
        for position, _ in walk(game, random_setting(game, rng), rng, 60)
        for seat in position.actors() - {CHANCE}
        for move in position.legal_moves(seat)[:4]
        if game.menus.motion(position, move)
    ]
    assert {len(way) for way in ways} == {2}
    assert all(None not in way for way in ways)
    # A card of Niya is marked by what comes where it lay.
    assert sum(start != end for start, end in ways) > 10 or game.key == "niya"


def test_what_costs_little_is_no_moment():
    assert moments([one(0, 0, 0.5, 0.5 - GRAVE / 2)], 0) == []


def test_the_curve_of_two_shows_every_decision_from_one_side_and_the_end():
    found = [one(0, 0, 0.2, 0.2), one(1, 1, -0.4, -0.9), one(2, 0, 0.9, -0.5)]
    two = SimpleNamespace(players=(0, 1), outcome=None)
    assert curve(found, 0, two) == (0.2, 0.4, 0.9)
    two.outcome = won_by(1, "mate")
    assert curve(found, 0, two) == (0.2, 0.4, 0.9, -1.0)
    assert moment_marks(found, 0, 2) == ((2, 2),)
    assert curve(found, 1, SimpleNamespace(players=range(4), outcome=None)) == (-0.4,)
    assert moment_marks(found, 1, 4) == ((0, 1),)


async def lost(at: Desk, game: str) -> str:
    code = await between_people(at, game)
    for _ in range(FEW[game]):
        table = await at.facade.services.tables.get(code)
        if table.status != "playing":
            break
        (seat,) = table.actors()
        move = table.game.notation.written(table.present, table.present.legal_moves(seat)[0])
        await played(at, code, move)
    await played(at, code, GAMES[game])
    if (await at.facade.services.tables.get(code)).status == "playing":
        await at.surely(NEREA, "resign", table=code)
    return code


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
async def test_after_the_end_everybody_may_see_where_it_was_lost(at, game):
    code = await lost(at, game)
    answer = await at.press(NEREA, at.chat.board(code), "Repasar la partida")
    assert isinstance(answer, Card)
    assert Image.open(io.BytesIO(answer.picture)).width == 800
    assert answer.screen.lines
    assert answer.screen.alt.count("%") >= 1
    card = at.card(answer)
    for label in [one for one in labels(answer.screen) if one.startswith("Jugada")]:
        page = await at.press(NEREA, card, label)
        assert isinstance(page, MenuAnswer)
        assert Image.open(io.BytesIO(page.picture)).width == 800
        assert label in page.screen.lines[0]
        assert "Mejor era: " in page.screen.lines[0]


@pytest.mark.slow
async def test_who_played_is_shown_their_own_part_and_the_others_on_demand(at):
    code = await lost(at, "niya")
    table = await at.facade.services.tables.get(code)
    loser = table.loser
    assert loser is not None
    people = {
        table.seat_of((await at.facade.services.people.of(who)).id): who for who in (NEREA, BRUNO)
    }
    promised = {loser: "¿Dónde la perdí?", 1 - loser: "¿Dónde la gané?"}
    for seat, who in people.items():
        alone = Where("fake", f"{who.external}-alone", private=True)
        await at.call(who, "board", alone, table=code)
        board = at.chat.board(code, alone)
        assert promised[seat] in labels(board.screen)
        assert promised[1 - seat] not in labels(board.screen)
        answer = await at.press(who, board, promised[seat])
        assert answer.screen.headline == f"La partida de {who.name}"
        other = f"La partida de {people[1 - seat].name}"
        assert other in labels(answer.screen)


async def test_where_the_house_would_have_played_the_same_it_says_where_the_game_turned(at):
    code = await between_people(at, "cirya")
    await played(at, code, "e5 a1 b1 e4 c1 e3")
    await at.surely(NEREA, "resign", table=code)
    composer = Composer(await at.facade.services.tables.get(code), Viewer(), b"k" * 32)
    even = [one(n, n % 2, 0.1, 0.1) for n in range(4)]
    (line,) = Reviewed(composer, 0, even).overview().lines
    assert line == "No veo ningún error grande."
    (line,) = Reviewed(composer, 0, [*even, one(4, 0, -0.9, -0.9)]).overview().lines
    assert line.startswith("No veo ningún error grande: tras tu jugada 2 se torció")
    (line,) = Reviewed(composer, 1, [*even, one(4, 0, -0.9, -0.9)]).overview().lines
    assert line == "No veo ningún error grande."


async def test_r2_the_review_shows_what_decided_a_londeture(at):
    code = await between_people(at, "cirya")
    await played(at, code, 'e5 a1 b1 e4 c1 e3 d1"')
    await at.surely(NEREA, "resign", table=code)
    (((_, line),), answer) = (
        (await at.facade.services.tables.get(code)).proofs,
        await at.call(NEREA, "review", table=code),
    )
    assert f"La prueba: {line[0]}." in answer.screen.lines[0]


async def test_while_they_play_there_is_no_review(at):
    code = await between_people(at, "cirya")
    assert not (await at.call(NEREA, "review", table=code)).good


@pytest.mark.sampled
@pytest.mark.parametrize("game", ["niya", "cirya", "shogi", "storilljudhjorrayc", "parchis"])
async def test_a_game_that_never_began_is_not_given_to_a_worker_for_its_review(at, game):
    code = await opened(at, game=game, seats="2")
    waits = await at.call(NEREA, "review", table=code)
    assert waits.said == "El repaso llega cuando acabe la partida."
    await at.call(NEREA, "leave", table=code)
    assert (await at.facade.services.tables.get(code)).status == "closed"
    closed = await at.call(NEREA, "review", table=code)
    assert closed.said == "En esta partida no hubo nada que decidir."


@pytest.mark.slow
async def test_a_game_is_reviewed_once_however_many_ask(at, monkeypatch):
    code = await lost(at, "niya")
    asked = []
    thinkers = at.facade.services.thinkers
    answer = thinkers.answer

    async def counted(*args):
        asked.append(args)
        return await answer(*args)

    monkeypatch.setattr(thinkers, "answer", counted)
    for who in (NEREA, BRUNO, NEREA):
        assert (await at.call(who, "review", table=code)).good
    assert len(asked) == 1


async def test_where_no_worker_answers_it_is_said(at, monkeypatch):
    code = await against_computer(at, "niya")

    async def nothing(*_):
        return None

    monkeypatch.setattr(at.facade.services.thinkers, "answer", nothing)
    answer = await at.call(NEREA, "hint", table=code)
    assert not answer.good
    assert "Prueba" in answer.said
