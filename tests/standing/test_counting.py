"""What the end of a rated game writes, and what it does not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from bot.port import PublicAddress
from bot.presenters.table.composer import Composer
from bot.presenters.table.film import reel_of, shots
from bot.presenters.table.result_card import card_text, result_card
from bot.presenters.table.viewers import Viewer
from bot.service.club.rating_check import RatingCheck, rebuild
from bot.standing.rating import Rating
from render.kit.fonts import FSI, PDI
from storage.club import leaderboards, ratings
from storage.table import games
from tests.fakes import desk
from tests.standing.season import link, play_season, take_out
from tests.standing.second_reckoning import Known, Linked, Played, Step, TakenOut, read_game, reckon
from tests.standing.simulated import Hall

ISOLATES = {ord(FSI): None, ord(PDI): None}
"""They keep each name in its own direction."""


@pytest.fixture
async def hall(tmp_path, clock):
    async with desk(tmp_path, clock=clock) as at:
        yield Hall(at)


async def differences(hall: Hall, pool: str = "") -> list[str]:
    async with hall.at.facade.services.store.reading() as tx:
        return list(map(str, await RatingCheck(pool).run(tx)))


async def test_a_game_that_counts_writes_what_it_changed_and_the_fold_says_the_same(hall):
    ana, bo = [one.id for one in await hall.invite(2)]
    table = await hall.seat("niya", (ana, bo))
    assert table.rated
    ended = await hall.end(table, [[bo], [ana]])
    shifts = {player.person: ended.shifts[n] for n, player in enumerate(ended.players)}
    assert shifts[bo].points > 0 > shifts[ana].points
    assert shifts[bo].before.shown == 1500
    assert await differences(hall) == []
    rows = await hall.at.facade.services.store.read(ratings.load_tallies, "niya", (ana, bo))
    here, everywhere = ("fake", "group"), ("", "")
    assert set(rows) == {(*w, p) for w in (here, everywhere) for p in (ana, bo)}
    assert (rows[*here, bo].won, rows[*here, ana].lost) == (1, 1)
    assert rows[*here, bo].opponents == (ana,)
    assert rows[*here, bo].listed
    assert not rows[*everywhere, bo].listed


@pytest.mark.parametrize("sigma", [1e300, 0.0, -3.0])
async def test_a_damaged_rating_counts_as_that_of_a_newcomer_and_lets_games_end(hall, sigma):
    ana, bo = [one.id for one in await hall.invite(2)]
    store = hall.at.facade.services.store
    await hall.end(await hall.seat("niya", (ana, bo)), [[bo], [ana]])
    async with store.transaction() as tx:
        await tx.execute(text("UPDATE rating SET sigma = :sigma"), {"sigma": sigma})
    ended = await hall.end(await hall.seat("niya", (ana, bo)), [[ana], [bo]])
    assert [shift.before.sigma for shift in ended.shifts.values()] == [Rating().sigma] * 2
    async with store.transaction() as tx:
        await tx.execute(text("UPDATE rating SET sigma = :sigma"), {"sigma": sigma})
    await take_out(hall, ended.code)


# ------------------------------------------------------------- beside a second reckoning


@pytest.mark.slow
async def test_a_season_is_reckoned_alike_by_who_knows_the_records_and_openskill_alone(hall, clock):
    await hall.invite(14)
    steps = await play_season(hall, 44, clock, seed=38)
    assert {type(one) for one in steps} == {Played, TakenOut, Linked}
    assert await compare(hall, steps) == (0, [])
    assert await differences(hall) == []


async def test_the_second_reckoning_would_see_a_wrong_row(hall, clock):
    ana, bo = [one.id for one in await hall.invite(2)]
    await hall.end(await hall.seat("niya", (ana, bo)), [[bo], [ana]])
    steps = await records(hall)
    await sql(hall, "update rating set mu = mu + 0.00001 where person = 1")
    wrong, _ = await compare(hall, steps)
    assert wrong == 1


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("statement", "table"),
    [
        ("update rating_change set mu = mu + 0.00001 where person = 2", "rating_change"),
        ("update rating_change set sigma_before = 8 where person = 1", "rating_change"),
        ("delete from rating_change where person = 1", "rating_change"),
        ("update rating set sigma = sigma - 0.00001 where person = 2", "rating"),
        ("delete from rating where person = 2", "rating"),
        ("update tally set won = won + 1 where person = 2 and place = ''", "tally"),
        ("update tally set mu = 30 where person = 1", "tally"),
        ("update tally set opponents = '7' where person = 1", "tally"),
        ("update rating_entry set places = '1,2'", "rating"),
    ],
)
async def test_a_row_changed_by_hand_is_found(hall, statement, table):
    ana, bo = [one.id for one in await hall.invite(2)]
    await hall.end(await hall.seat("niya", (ana, bo)), [[bo], [ana]])
    assert await differences(hall) == []
    await sql(hall, statement)
    found = await differences(hall)
    assert any(one.startswith(table) for one in found)
    assert await differences(hall, "cirya") == []


@pytest.mark.slow
async def test_rebuilding_brings_back_what_the_journal_says(hall, clock):
    await hall.invite(8)
    await play_season(hall, 10, clock, seed=5)
    store = hall.at.facade.services.store
    async with store.reading() as tx:
        before = [await ratings.all_ratings(tx), sorted(map(str, await ratings.all_tallies(tx)))]
    await sql(hall, "update rating set mu = 1")
    await sql(hall, "delete from tally")
    async with store.transaction() as tx:
        await rebuild(tx)
    async with store.reading() as tx:
        after = [await ratings.all_ratings(tx), sorted(map(str, await ratings.all_tallies(tx)))]
    assert after == before
    assert await differences(hall) == []


# -------------------------------------------------------------------------- single rules


async def test_who_leaves_stands_last_the_first_to_go_below_and_their_computers_nowhere(hall):
    a, b, c, d = [one.id for one in await hall.invite(4)]
    table = await hall.seat("parchis", (a, b, c, d))
    ended = await hall.end(table, [[c], [d]], leaving=(b, a))
    async with hall.at.facade.services.store.reading() as tx:
        played = await read_game(tx, ended.code)
        entry = await ratings.counted_entry(tx, ended.code)
    assert dict(played.places) == {c: 1, d: 2, a: 3, b: 4}
    assert dict(zip(entry.people, entry.places, strict=True)) == dict(played.places)


async def test_a_casual_game_changes_nothing(hall):
    ana, bo = [one.id for one in await hall.invite(2)]
    ended = await hall.end(await hall.seat("niya", (ana, bo), rated=False), [[bo], [ana]])
    assert not ended.shifts
    async with hall.at.facade.services.store.reading() as tx:
        assert await ratings.journal(tx) == ()


async def test_after_a_restart_the_ended_table_still_says_what_changed(hall):
    ana, bo = [one.id for one in await hall.invite(2)]
    ended = await hall.end(await hall.seat("niya", (ana, bo)), [[bo], [ana]])
    tables = hall.at.facade.services.tables
    tables.forget(ended.code)
    assert (await tables.get(ended.code)).shifts == ended.shifts


async def test_absence_makes_a_rating_less_sure_and_never_more_unsure_than_a_new_one():
    at = datetime(2026, 1, 1, tzinfo=UTC)
    sure = Rating(25, 60 / 24, at)
    year = sure.after_absence(at + timedelta(days=365))
    assert year.deviation == pytest.approx(120, abs=1)
    assert sure.after_absence(at + timedelta(days=36500)).deviation == pytest.approx(200)
    assert sure.after_absence(at - timedelta(days=1)) == sure


async def test_a_person_who_is_forgotten_leaves_the_rows_and_stands_on_no_ladder(hall):
    ana, bo = [one.id for one in await hall.invite(2)]
    await hall.end(await hall.seat("niya", (ana, bo)), [[bo], [ana]])
    await hall.at.facade.operator.forget(bo)
    rows = await hall.at.facade.services.store.read(ratings.load_tallies, "niya", (bo,))
    assert rows
    assert not any(row.listed for row in rows.values())
    assert await differences(hall) == []


async def test_a_game_between_two_who_are_one_now_counts_no_more_in_what_they_have_won(hall):
    ana, bo, eva = [one.id for one in await hall.invite(3)]
    await hall.end(await hall.seat("niya", (ana, bo)), [[bo], [ana]])
    await hall.end(await hall.seat("niya", (ana, eva)), [[ana], [eva]])
    await link(hall, ana, bo)
    rows = await hall.at.facade.services.store.read(ratings.load_tallies, "niya", (ana, bo, eva))
    here = ("fake", "group")
    assert (rows[*here, ana].won, rows[*here, ana].lost) == (1, 0)
    assert (*here, bo) not in rows
    assert await differences(hall) == []


# ------------------------------------------------------------------------------ helpers


async def sql(hall: Hall, statement: str) -> None:
    async with hall.at.facade.services.store.transaction() as tx:
        await tx.execute(text(statement))


async def records(hall: Hall) -> list[Step]:
    """The games of all ended tables, by their ends."""
    async with hall.at.facade.services.store.reading() as tx:
        codes = await games.codes_by_status(tx, ("ended",))
        found = [await read_game(tx, code) for code in codes]
    return sorted((one for one in found if one is not None), key=lambda one: one.at)


async def compare(hall: Hall, steps: list[Step]) -> tuple[int, list[str]]:
    """How many ratings differ from the second reckoning, and the first of them."""
    reckoned = dict(reckon(steps))
    wrong = []
    async with hall.at.facade.services.store.reading() as tx:
        for row in await ratings.all_ratings(tx):
            want = reckoned.pop((row.pool, row.person), Known())
            if max(abs(row.mu - want.mu), abs(row.sigma - want.sigma)) > 1e-6:
                wrong.append(f"{row} is {want}")
    wrong += [f"{key} is missing" for key in reckoned]
    return len(wrong), wrong[:3]


async def test_the_ended_board_says_what_changed_in_words_and_with_its_sign(hall):
    ana, bo = [one.id for one in await hall.invite(2)]
    ended = await hall.end(await hall.seat("niya", (ana, bo)), [[bo], [ana]])
    await hall.at.settle()
    seats = {player.person: player.name for player in ended.players}
    board = hall.at.chat.board(ended.code)
    (line,) = [one for one in board.screen.lines if "(+" in one]
    assert f"{seats[bo]} 1563? (+63)" in line
    assert f"{seats[ana]} 1437? (−63)" in line
    # Ladders show another figure of the same person, which stands below.
    assert line.startswith("Puntos: ")
    below = board.screen.lines[board.screen.lines.index(line) + 1]
    ladder = await hall.at.facade.services.ladders.ladder("niya", hall.at.where, bo, 0)
    (mine,) = [one for one in ladder.lines if one.person == bo]
    assert f"{seats[bo]} ≈{mine.rating.strength}" in below
    assert below.startswith("Fuerza en la clasificación")


async def test_card_and_film_say_what_changed(hall):
    ana, bo = [one.id for one in await hall.invite(2)]
    ended = await hall.end(await hall.seat("niya", (ana, bo)), [[bo], [ana]])
    composer = Composer(ended, Viewer(language="en"), b"key")
    story = reel_of(ended, 60)
    card = result_card(composer, story, PublicAddress("Ludoteca", ""))
    told = sorted((one.name, one.figure, one.change) for one in card.podium)
    assert told == [("Person 0", "1437?", -63), ("Person 1", "1563?", 63)]
    words = card_text(composer, card).translate(ISOLATES)
    assert all(f"{name} {rating} (" in words for name, rating, _ in told)
    last = list(shots(composer, story))[-1]
    assert "1563? (+63)" in last.foot.said


async def test_a_game_of_two_who_are_one_person_now_is_taken_out_without_their_part(hall):
    a, b, c, d = [one.id for one in await hall.invite(4)]
    ended = await hall.end(await hall.seat("parchis", (a, b, c, d)), [[a], [b], [c], [d]])
    await link(hall, a, b)
    await take_out(hall, ended.code)
    assert await differences(hall) == []
    async with hall.at.facade.services.store.reading() as tx:
        changed = await leaderboards.changes_by(tx, (3,))
    assert [row.person for row in changed] == [c, d]
