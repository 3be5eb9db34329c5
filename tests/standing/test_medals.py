"""Medals: earned by what was played, given once, told on the ended board and on the profile."""

from __future__ import annotations

import asyncio
import random

import pytest

from bot.port import PublicAddress, Where
from bot.presenters.table.composer import Composer
from bot.presenters.table.film import reel_of
from bot.presenters.table.result_card import result_card
from bot.presenters.table.viewers import Viewer
from bot.service.table.changes import Update
from bot.session import medals_of_a_game, play
from bot.session.medals_of_a_game import earned, winner_of
from bot.session.table import Player
from bot.standing.medals import (
    ALL,
    COMMON,
    COMPUTER,
    EXAM,
    FIRST,
    STREAK,
    TEN,
    Medal,
    by_number,
    in_a_row,
)
from bot.standing.tallies import LOST, WON, Tally
from bot.texts import LANGUAGES, language
from games.core import phrase, ranking
from games.core.shelf import shelf
from render.medals import _STROKES
from storage.club import medals
from storage.person import personal_data
from storage.records import PersonName, ViewRow
from tests.drives.medal_deeds import play_games, play_on, seat_players
from tests.fakes import FakeClock, desk
from tests.standing.simulated import SECRET, Hall, open_game, update_id
from tests.standing.test_ladder import PNG, asker

NIYA = "niya"


@pytest.fixture
async def hall(tmp_path):
    async with desk(tmp_path, clock=FakeClock()) as at:
        yield Hall(at)


async def given(hall: Hall, person: int) -> set[Medal]:
    rows = await hall.at.facade.store.read(medals.medals_of, person=person)
    return {Medal(row.key, row.pool) for row in rows}


async def won(hall: Hall, winner: int, loser: int, game: str = NIYA, *, rated: bool = True):
    table = await hall.seat(game, (winner, loser), rated=rated)
    ended = await hall.end(table, [[winner], [loser]])
    await hall.at.settle()
    return ended


# ------------------------------------------------------------------------------ what is worth one


def test_numbers_and_rows_of_wins():
    assert by_number(NIYA, Tally(won=5, drawn=1, lost=3)) == ()
    assert by_number(NIYA, Tally(won=5, drawn=1, lost=4)) == (Medal(TEN, NIYA),)
    assert in_a_row(NIYA, [WON] * 4) == ()
    assert in_a_row(NIYA, [LOST, *[WON] * 5]) == (Medal(STREAK, NIYA),)
    assert in_a_row(NIYA, [WON] * 5 + [LOST]) == ()


def test_each_medal_has_a_name_a_sentence_and_a_picture_of_its_own():
    every = [Medal(key) for key in COMMON]
    for game in shelf().values():
        assert len(game.titles.collected) == 2, game.key
        every += [Medal(key, game.key) for key in game.titles.collected]
    assert {one.key for one in every} == _STROKES.keys()
    assert len(set(_STROKES.values())) == len(every)
    for code in LANGUAGES:
        say = language(code).say
        names = [say(phrase(one.words)) for one in every]
        told = [say(phrase(f"{one.words}.told", game=phrase("niya.name"))) for one in every]
        assert len(set(names)) == len(set(told)) == len(every)
        assert all(one.endswith(".") for one in told)


# ------------------------------------------------------------------------------ given


async def test_the_first_win_is_told_on_the_board_and_given_once(hall):
    ana, bo = [one.id for one in await hall.invite(2)]
    table = await won(hall, ana, bo)
    assert await given(hall, ana) == {Medal(FIRST)}
    assert await given(hall, bo) == set()
    line = "Person 0 gana una medalla: Primera victoria."
    assert line in hall.at.chat.board(table.code).screen.lines
    hall.at.facade.services.tables.forget(table.code)
    again = await hall.at.facade.services.tables.get(table.code)
    assert again.medals == {table.seat_of(ana): (Medal(FIRST),)}, "read anew from storage"
    second = await won(hall, ana, bo)
    assert second.medals == {}
    assert await given(hall, ana) == {Medal(FIRST)}


def test_two_medals_are_told_as_two():
    said = phrase("standing.given", who="Nuria", medals=("A", "B"), n=2)
    assert language("es").say(said) == "Nuria gana 2 medallas: A y B."
    assert language("en").say(said) == "Nuria has earned 2 medals: A and B."


async def test_nobody_is_called_by_a_medal(hall):
    ana, bo = [one.id for one in await hall.invite(2)]
    await won(hall, ana, bo)
    assert not any("medalla" in one.text for one in hall.at.chat.pings)


@pytest.mark.slow
async def test_five_in_a_row_and_ten_of_a_game(hall):
    ana, bo = [one.id for one in await hall.invite(2)]
    await won(hall, bo, ana)
    for _ in range(4):
        await won(hall, ana, bo)
    assert Medal(STREAK, NIYA) not in await given(hall, ana)
    await won(hall, ana, bo)
    assert Medal(STREAK, NIYA) in await given(hall, ana)
    for _ in range(3):
        await won(hall, bo, ana)
    assert Medal(TEN, NIYA) not in await given(hall, bo)
    last = await won(hall, bo, ana)
    assert {Medal(TEN, NIYA)} <= await given(hall, ana) & await given(hall, bo)
    assert set(last.medals) == {0, 1}, "who has lost has ended ten games too"


@pytest.mark.slow
async def test_who_has_won_every_game_is_at_home_everywhere(hall):
    people = [one.id for one in await hall.invite(2)]
    for game in shelf():
        assert Medal(ALL) not in await given(hall, people[0])
        await won(hall, *people, game)
    assert Medal(ALL) in await given(hall, people[0])


@pytest.mark.slow
async def test_casual_games_count_for_a_first_win_and_not_by_number(hall):
    ana, bo = [one.id for one in await hall.invite(2)]
    for _ in range(10):
        await won(hall, ana, bo, rated=False)
    assert await given(hall, ana) == {Medal(FIRST)}


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("level", "worth"), [(3, {Medal(COMPUTER, NIYA)}), (2, set()), (1, {Medal(EXAM, NIYA)})]
)
async def test_only_the_strongest_computer_is_worth_one_and_the_lowest_an_exam(hall, level, worth):
    (ana,) = [one.id for one in await hall.invite(1)]
    services = hall.at.facade.services
    work = play.open_table(
        "S99999",
        shelf()[NIYA],
        options={},
        begins="",
        seats=2,
        host=ana,
        secret=SECRET,
        now=services.clock.now(),
        steady=services.clock.steady(),
    )
    play.take_chair(work, Player(ana))
    play.take_chair(work, Player(level=level))
    play.start(work)
    shown = ViewRow(0, "S99999", "fake", "group", "es", work.table.version)
    table = await services.changes.create(Update("fake", update_id("seat"), "group"), work, shown)
    seat = table.seat_of(ana)

    def end(work):
        open_game(work)
        play.end_game(work, ranking("resign", [[seat], [1 - seat]]), rule=False)

    await services.changes.change(Update("fake", update_id("end")), table.code, end)
    assert await given(hall, ana) == worth


async def test_a_game_that_hardly_began_is_worth_nothing(hall):
    ana, bo = [one.id for one in await hall.invite(2)]
    table = await hall.seat(NIYA, (ana, bo), rated=False)
    seat = table.seat_of(ana)
    ended, _, _ = await hall.at.facade.services.changes.change(
        Update("fake", update_id("end")),
        table.code,
        lambda work: play.end_game(work, ranking("resign", [[seat], [1 - seat]]), rule=False),
    )
    assert winner_of(ended) is None
    assert earned(ended) == ()
    assert await given(hall, ana) == set()


@pytest.mark.slow
async def test_two_ends_at_one_instant_give_one_medal(hall):
    ana, bo = [one.id for one in await hall.invite(2)]
    tables = [await hall.seat(NIYA, (ana, bo)) for _ in range(3)]
    ended = await asyncio.gather(*(hall.end(one, [[ana], [bo]]) for one in tables))
    assert sum(bool(one.medals) for one in ended) == 1


# ------------------------------------------------------------------------------ shown


async def test_the_profile_shows_them_and_others_see_those_of_their_place_only(hall):
    ana, bo = [one.id for one in await hall.invite(2)]
    await won(hall, ana, bo)
    mine = await hall.at.call(asker(0), "profile")
    assert "Medalla: Primera victoria · bronce, " in mine.screen.alt
    assert " % del club. Su primera victoria contra otra persona." in mine.screen.alt
    assert mine.picture.startswith(PNG)
    here = await hall.at.call(asker(1), "profile", person=asker(0))
    assert "Primera victoria" in here.screen.alt
    elsewhere = Where("fake", "elsewhere")
    there = await hall.at.call(asker(1), "profile", elsewhere, person=asker(0))
    assert "Primera victoria" not in there.screen.alt


@pytest.mark.slow
async def test_medals_go_with_the_person_and_with_them_alone(hall):
    ana, bo, cy = [one.id for one in await hall.invite(3)]
    await won(hall, ana, bo)
    await won(hall, cy, bo)
    store = hall.at.facade.store
    exported = await store.read(personal_data.export_person, ana)
    assert [row["key"] for row in exported["medal"]] == [FIRST]
    async with store.transaction() as tx:
        await hall.at.facade.services.people.join(tx, bo, cy)
    assert await given(hall, bo) == {Medal(FIRST)}
    await hall.at.facade.operator.forget(ana)
    assert await given(hall, ana) == set()


# ------------------------------------------------------------------------------ the deed


@pytest.mark.parametrize("ends", [30, pytest.param(300, marks=pytest.mark.slow)])
def test_no_medal_comes_without_its_deed_however_games_end(ends, monkeypatch):
    given, wrong = play_games(ends, 1)
    assert wrong == []
    assert given.keys() - {FIRST}
    # The same ends, if nobody asked how the game was won.
    monkeypatch.setattr(medals_of_a_game, "ended_by_rule", lambda _: True)
    _, wrong = play_games(ends, 1)
    assert {one.split()[0] for one in wrong} >= {"parchis", "storilljudhjorrayc"}


@pytest.mark.parametrize("game", sorted(shelf()))
def test_a_resignation_gives_no_title_to_the_card_either(game):
    work = seat_players(game, 2, 1)
    play_on(work, random.Random(1), 4)
    play.end_game(work, ranking("resign", [[0], [1]]), rule=False)
    table = work.table.called({one: PersonName(one, f"P{one}") for one in (1, 2)})
    said = result_card(Composer(table, Viewer(None), b"key"), reel_of(table), PublicAddress("L"))
    assert said.title == "Bien jugada"
