"""Crosstables and podiums: the picture and the words tell the same of every format."""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from PIL import Image

from bot.presenters.tournament.crosstable import GAMES, CrosstableScreens
from bot.presenters.tournament.tournament import MEDALS, SHOWN, TournamentScreens, halves
from bot.presenters.tournament.tournament_pictures import (
    ranking_of_tournament,
    tournament_bracket,
    tournament_podium,
)
from bot.tournament import organizer
from bot.tournament.crosstable import crosstable
from bot.tournament.pairing import RoundPairing
from bot.tournament.standings import standings
from bot.tournament.values import WIN, How, Phase, Rules, TournamentFormat
from render.club.bracket import bracket_picture
from render.club.club_canvas import WIDE
from render.club.crosstable import crosstable_picture
from render.club.podium import podium_picture
from render.kit.themes import TOKENS
from tests.fakes import FakeClock, desk
from tests.tournament.evening import entered, opened
from tests.tournament.simulated import opened as hall
from tests.tournament.simulated import played

CLOCK = "5m+5s"


def rules(form: TournamentFormat, **more) -> Rules:
    game = "parchis" if form is TournamentFormat.TABLES else "niya"
    rounds = 5 if form in (TournamentFormat.SWISS, TournamentFormat.TABLES) else 0
    minutes = 60 if form is TournamentFormat.ARENA else 0
    return Rules(game, form, CLOCK, rounds=rounds, minutes=minutes, **more)


def screens(tournament, code="es") -> TournamentScreens:
    names = {one.number: f"P{one.number}" for one in tournament.entrants}
    return TournamentScreens(code, b"k" * 32, tournament, names)


def quartet(*results: tuple[int, ...]):
    """A round robin of four whose first games have *results*; the others are still played."""
    made = hall(rules(TournamentFormat.ROBIN), 4, 1)
    organizer.begin(made.work)
    for pairs in (((1, 4), (2, 3)), ((4, 3), (1, 2)), ((2, 4), (3, 1))):
        organizer.pair(made.work, RoundPairing(pairs), made.codes)
    games = [game for _, _, game in made.now.games()]
    for game, points in zip(games, results, strict=False):
        organizer.tell(made.work, game.code, How.PLAYED, points)
    return made


@pytest.mark.parametrize("form", TournamentFormat)
@pytest.mark.parametrize("seed", range(4))
def test_the_cells_add_up_to_the_points(form, seed):
    tournament = played(hall(rules(form), 9, seed))
    cells = crosstable(tournament)
    byes = {TournamentFormat.SWISS: WIN, TournamentFormat.TABLES: 2 * WIN}.get(form, 0)
    for line in standings(tournament):
        total = sum(one.points + byes * (one.bye and not one.points) for one in cells[line.entrant])
        if form not in (TournamentFormat.ARENA, TournamentFormat.KNOCKOUT):
            assert total == line.points


def test_a_round_robin_shows_who_won_against_whom_and_bars_its_diagonal():
    made = quartet((2, 0), (1, 1), (0, 2))
    shown = CrosstableScreens(screens(made.now))
    table = shown.table()
    assert table.heads == ("1", "2", "3", "4")
    by_name = {row.name: row for row in table.rows}
    order = [row.name for row in table.rows]
    # Those who have won stand first; P3 has drawn and won.
    assert order == ["P3", "P1", "P2", "P4"]
    told = {
        (name, order[n]): cell.lower
        for name, row in by_name.items()
        for n, cell in enumerate(row.cells)
    }
    assert (told["P1", "P4"], told["P4", "P1"]) == ("1", "0")
    assert told["P2", "P3"] == told["P3", "P2"] == "½"
    assert (told["P4", "P3"], told["P3", "P4"]) == ("0", "1")
    assert told["P1", "P2"] == "·"
    assert [row.cells[n].barred for n, row in enumerate(table.rows)] == [True] * 4
    assert shown.words()[0] == "1. P3, 1½ puntos: ½ contra 3, 1 contra 4, juega contra 2"


def test_both_games_of_a_double_round_robin_stand_in_one_cell():
    tournament = played(hall(rules(TournamentFormat.ROBIN, double=True), 5, 3), restless=False)
    table = CrosstableScreens(screens(tournament)).table()
    for n, row in enumerate(table.rows):
        for m, cell in enumerate(row.cells):
            assert cell.barred == (n == m)
            assert cell.barred or (cell.upper.strip() and cell.lower)


def test_games_that_were_not_played_or_were_judged_are_marked():
    made = quartet((2, 0))
    second, third = [game.code for _, _, game in made.now.games()][1:3]
    organizer.tell(made.work, second, How.FORFEIT, (2, 0), (3,))
    organizer.tell(made.work, third, How.ADJUDICATED, (1, 1), by=1)
    shown = CrosstableScreens(screens(made.now, "en"))
    marks = {cell.lower for row in shown.table().rows for cell in row.cells}
    assert {"+", "–", "½*", "1", "0"} <= marks
    said = "\n".join(shown.words())
    assert "(didn’t play)" in said
    assert "(judged)" in said


@pytest.mark.parametrize("code", ["es", "en"])
@pytest.mark.parametrize("form", TournamentFormat)
def test_picture_and_words_tell_of_the_same_games(form, code):
    tournament = played(hall(rules(form), 11, 5))
    shown = CrosstableScreens(screens(tournament, code))
    for row, said in zip(shown.table().rows, shown.words(), strict=True):
        assert said.startswith(f"{row.number}. {row.name}")
        assert row.total in said
        told = [one for one in said.partition(": ")[2].split(", ") if one]
        drawn = [cell for cell in row.cells if cell.lower]
        assert len(drawn) == len(told)
        if form is TournamentFormat.ARENA:
            assert len(drawn) <= GAMES
        if form is TournamentFormat.SWISS:
            for cell, one in zip(drawn, told, strict=True):
                assert cell.upper in one


def test_two_hundred_people_fill_pages_of_twenty_with_ones_own_row_below():
    made = hall(rules(TournamentFormat.SWISS), 200, 1)
    organizer.begin(made.work)
    pairs = tuple((n, 201 - n) for n in range(1, 101))
    organizer.pair(made.work, RoundPairing(pairs), made.codes)
    shown = CrosstableScreens(screens(made.now))
    table = shown.table(own=200, first=20)
    assert [row.number for row in table.rows] == [*map(str, range(21, 41)), "200"]
    assert [row.own for row in table.rows] == [False] * SHOWN + [True]
    assert len(shown.page(1).alt.splitlines()) == SHOWN


def test_it_is_painted_in_every_theme():
    tournament = played(hall(rules(TournamentFormat.ROBIN, double=True), 16, 2))
    table = CrosstableScreens(screens(tournament)).table(own=3)
    sizes = set()
    for theme in TOKENS:
        data = crosstable_picture(table, theme)
        assert len(data) <= 80_000
        with Image.open(io.BytesIO(data)) as image:
            sizes.add(image.size)
    assert len(sizes) == 1
    assert sizes.pop()[0] == WIDE[0]
    flat = {crosstable_picture(table, theme) for theme in ("light", "dark", "contrast")}
    assert len(flat) == 3


def test_the_podium_tells_what_its_lines_do():
    tournament = played(hall(rules(TournamentFormat.SWISS), 7, 4))
    shown = screens(tournament)
    podium, message = tournament_podium(shown), shown.message()
    assert podium is not None
    steps = podium.steps
    assert [step.place for step in steps] == sorted(step.place for step in steps)
    lines = [line for line in message.lines if line.startswith(MEDALS)]
    for step, line in zip(steps, lines, strict=True):
        assert line.startswith(f"{MEDALS[step.place - 1]} {step.name}: {step.points}")
        assert line in message.alt
    assert podium_picture(podium, "dark") != podium_picture(podium, "light")


def test_the_standings_have_a_tie_break_only_where_it_decides():
    tournament = played(hall(rules(TournamentFormat.SWISS), 8, 4), restless=False)
    lines, shown = standings(tournament), ranking_of_tournament(screens(tournament))
    for line, row in zip(lines, shown.rows, strict=True):
        alone = [one.points for one in lines].count(line.points) == 1
        assert bool(row.note) != alone
        assert row.figure == halves(line.points)
        assert set(row.form) <= set("wdl-")
    by_form = [3 * row.form.count("w") + row.form.count("d") for row in shown.rows]
    assert by_form[0] == max(by_form)


@pytest.mark.parametrize("people", [8, 16])
def test_a_knockout_shows_its_bracket_and_tells_the_same_in_words(people):
    made = hall(rules(TournamentFormat.KNOCKOUT), people, 1)
    assert tournament_bracket(screens(made.now)) is None
    tournament = played(made)
    shown = tournament_bracket(screens(tournament))
    assert shown is not None
    assert [len(one) for one in shown.rounds] == [
        people >> n for n in range(1, len(shown.rounds) + 1)
    ]
    for one, after in pairwise(shown.rounds):
        through = {side.name for match in one for side in match.sides if side.won}
        assert through == {side.name for match in after for side in match.sides}
    assert len({bracket_picture(shown, theme) for theme in ("light", "dark")}) == 2
    running = replace(tournament, rounds=tournament.rounds[:1], phase=Phase.RUNNING)
    told = screens(running).message().alt
    assert all(side.name in told for match in shown.rounds[0] for side in match.sides)


def test_there_is_no_podium_before_the_end_nor_where_nothing_was_played():
    made = quartet()
    assert tournament_podium(screens(made.now)) is None
    empty = hall(rules(TournamentFormat.ROBIN), 4, 1)
    organizer.end(empty.work, "few")
    assert empty.now.phase is Phase.ENDED
    assert tournament_podium(screens(empty.now)) is None


@pytest.mark.slow
async def test_it_is_had_by_a_button_as_a_picture_and_in_words(tmp_path):
    clock = FakeClock()
    async with desk(tmp_path, clock=clock) as at:
        evening = await entered(await opened(at, clock, ("format", "robin")), 4)
        await evening.press(evening.manager, "begin")
        await evening.look()
        await evening.play_out()
        shown = await evening.press(evening.people[0], "cross")
        assert shown.picture.startswith(b"\x89PNG")
        assert "Cada casilla" in shown.screen.lines[0]
        told = await evening.press(evening.people[0], "cross", "words")
        assert "contra" in told.said
        # A page that does not exist is the last one.
        assert (await evening.press(evening.people[0], "cross", "999")).picture == shown.picture


def test_a_tournament_that_begins_says_that_it_is_paired_and_then_by_when_to_move():
    made = hall(rules(TournamentFormat.ROBIN), 4, 1)
    organizer.begin(made.work)
    begun = screens(made.now).message()
    assert "Un momento: se están emparejando las primeras partidas." in begun.lines
    organizer.pair(made.work, RoundPairing(((1, 4), (2, 3))), made.codes)
    told = "Quien tarde más de 2 min en su primera jugada pierde la partida."
    assert told in screens(made.now).message().lines


@pytest.mark.parametrize(
    ("code", "today", "later"),
    [("es", "a las 23:57 UTC", "30 nov 00:03 UTC"), ("en", "at 23:57 UTC", "30 Nov 00:03 UTC")],
)
def test_what_goes_on_today_is_told_by_the_hour_alone(code, today, later):
    now = datetime(2026, 11, 29, 23, 50, tzinfo=UTC)
    shown = replace(screens(quartet().now, code), now=now)
    counted = [shown.message(now + timedelta(minutes=n)).countdown for n in (7, 13)]
    assert [one.plain for one in counted] == [today, later]
