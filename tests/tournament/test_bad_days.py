"""What may go wrong on the evening of a tournament, and what becomes of it then."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.app.doctor import swiss_findings
from bot.port import PlaceShut, PlaceStanding, Where
from bot.presenters.tournament.setup import TournamentSheet
from bot.service.clock import DeadlineAlarm
from bot.session.draft import TournamentDraft
from bot.tournament.crosstable import round_cell
from bot.tournament.fold import BrokenTournament
from bot.tournament.trf import trf
from bot.tournament.values import DRAW, How, Phase
from storage import tournaments
from storage.person import personal_data
from tests.fakes import desk, person
from tests.tournament.evening import Evening, entered, opened
from tests.tournament.laws import check


async def begun(at, clock, *choices, count=4) -> Evening:
    evening = await entered(await opened(at, clock, *(choices or (("format", "robin"),))), count)
    await evening.press(evening.manager, "begin")
    await evening.look()
    return evening


async def test_two_who_entered_and_become_one_person_play_on_once(at, clock):
    evening = await begun(at, clock)
    people = at.facade.services.people
    kept, other = [await people.number(one) for one in evening.people[:2]]
    async with at.facade.store.transaction() as tx:
        await people.join(tx, kept, other)
    for code in await evening.waiting():
        await evening.end(code)
    await evening.wait(1)
    tournament = await evening.now()
    assert [one.number for one in tournament.entrants if one.gone is not None] == [2]
    assert tournament.number == 2
    for meeting in tournament.rounds[1].meetings:
        if 2 in meeting.entrants:
            assert meeting.last.result.how is How.FORFEIT


@pytest.mark.slow
async def test_who_is_forgotten_has_no_name_and_no_address_and_the_others_play_on(at, clock):
    evening = await begun(at, clock)
    code, gone = evening.code, evening.people[3]
    number = await at.facade.services.people.number(gone)
    await at.surely(gone, "forgetme", where=Where("fake", gone.external, private=True))
    async with at.facade.store.reading() as tx:
        assert number not in [one.person for one in await tournaments.load_entrants(tx, code)]
        events = await tournaments.load_tournament_events(tx, code)
    assert gone.external not in str(events)
    tournament = await evening.play_out()
    check(tournament)
    assert (await at.facade.services.tournaments.names(tournament))[4] == ""


@pytest.mark.slow
async def test_my_data_tells_of_tournaments(at, clock):
    evening = await begun(at, clock)
    number = await at.facade.services.people.number(evening.people[0])
    exported = await at.facade.store.read(personal_data.export_person, number)
    assert [one["tournament"] for one in exported["entrant"]] == [evening.code]


@pytest.mark.slow
async def test_a_house_that_was_down_over_the_next_round_begins_it_when_it_is_back(tmp_path, clock):
    async with desk(tmp_path, clock=clock) as at:
        evening = await begun(at, clock)
        for code in await evening.waiting():
            await evening.end(code)
        code = evening.code
        assert (await evening.now()).number == 1
    clock.wait(timedelta(hours=9))
    async with desk(tmp_path, clock=clock) as at:
        keeper, services = at.facade.process_duties.deadlines.tournaments, at.facade.services
        await keeper.expire()
        # The time in which the house was down counts for nothing.
        assert (await services.tournaments.get(code)).number == 1
        clock.wait(timedelta(minutes=1))
        await keeper.expire()
        await at.settle()
        assert (await services.tournaments.get(code)).number == 2


@pytest.mark.slow
async def test_a_round_that_was_paired_has_its_tables_without_anything_else_happening(
    at, clock, monkeypatch
):
    """They stayed closed until some other deadline woke the keeper."""
    monkeypatch.setattr(DeadlineAlarm, "look", lambda self, instant: None)
    evening = await entered(await opened(at, clock, ("format", "robin")), 4)
    await evening.press(evening.manager, "begin")
    keeper = at.facade.process_duties.deadlines.tournaments
    await keeper.expire()
    for code in await evening.waiting():
        assert (await evening.table(code)).tournament == evening.code
    assert await keeper.next_due() is not None


@pytest.mark.slow
async def test_a_channel_that_shuts_us_out_keeps_the_results(at, clock):
    evening = await begun(at, clock)
    at.chat.failures += [PlaceShut()] * 40
    for code in await evening.waiting():
        await evening.end(code)
    assert all(game.result is not None for _, _, game in (await evening.now()).games())


@pytest.mark.slow
async def test_a_place_that_moves_takes_its_tournament_along(at, clock):
    evening = await entered(await opened(at, clock, ("format", "robin")), 4)
    new = Where("fake", "supergroup")
    await at.facade.store.write(at.facade.services.places.move, at.where, new)
    tournament = await evening.now()
    assert tournament.at.place == "supergroup"
    assert {one.at.place for one in tournament.entrants} == {"supergroup"}


@pytest.mark.slow
async def test_another_manager_goes_on_when_the_first_has_left(at, clock):
    evening = await begun(at, clock)
    deputy = person("Diego")
    assert not (await evening.press(deputy, "halt")).good
    at.chat.standings[deputy.external, at.where.place] = PlaceStanding(manages=True)
    assert (await evening.press(deputy, "halt")).good
    assert (await evening.now()).paused


@pytest.mark.slow
async def test_who_leaves_in_the_middle_ends_their_game_and_is_paired_no_more(at, clock):
    evening = await begun(at, clock, ("format", "swiss"), ("rounds", "3"), count=5)
    now = await evening.now()
    first = now.rounds[0].meetings[0]
    gone = evening.people[first.entrants[0] - 1]
    assert (await evening.press(gone, "leave", "yes")).good
    # The game that they play goes on, and counts.
    assert first.last.code in await evening.waiting()
    for code in await evening.waiting():
        await evening.end(code)
    assert (await evening.now()).find_game(first.last.code).result.how is How.PLAYED
    await evening.wait(1)
    later = (await evening.now()).rounds[1]
    seated = {n for meeting in later.meetings for n in meeting.entrants} | set(later.byes)
    assert first.entrants[0] not in seated
    assert len(seated) == 4


@pytest.mark.slow
async def test_who_is_kept_out_of_the_place_is_out_of_its_tournament(at, clock):
    evening = await begun(at, clock, ("format", "robin"))
    shown = await at.call(evening.manager, "settings", place="here", whispered="yes")
    for label in ("Ajustes de este sitio »", "Personas »", "P3", "Apartar a P3"):
        shown = await at.press(evening.manager, at.card(shown), label)
    await evening.look()
    now = await evening.now()
    assert [one.number for one in now.entrants if one.gone is not None] == [3]
    assert not (await evening.press(evening.people[2], "enter")).good
    tournament = await evening.play_out()
    check(tournament)


@pytest.mark.slow
async def test_a_round_calls_in_quiet_hours_as_entering_says(at, clock):
    evening = await opened(at, clock, ("format", "robin"))
    assert "también en tus horas de silencio" in " ".join(evening.message.screen.lines)
    await entered(evening, 4)
    people = at.facade.services.people
    for one in evening.people:
        me = await people.number(one)
        await people.choose(me, quiet=(0, 23), zone="UTC")
    await evening.press(evening.manager, "begin")
    await evening.look()
    assert sorted(who for _, who in evening.calls) == [f"id-P{n}" for n in range(1, 5)]


@pytest.mark.slow
async def test_everybody_absent_ends_with_the_podium_of_nobody(at, clock):
    choices = (("format", "knockout"), ("clock", "5m+5s"))
    evening = await begun(at, clock, *choices)
    for _ in range(30):
        await evening.wait(1)
    tournament = await evening.now()
    assert tournament.phase is Phase.ENDED
    assert await evening.waiting() == []
    played = [game.result.how for _, _, game in tournament.games()]
    assert set(played) == {How.FORFEIT}


async def test_too_few_for_a_swiss_tournament_are_told_what_would_do(at, clock):
    evening = await entered(await opened(at, clock, ("format", "swiss"), ("rounds", "5")), 4)
    refused = await evening.press(evening.manager, "begin")
    assert not refused.good
    for what in ("4 personas", "al menos 6", "todos contra todos", "eliminatorias", "arena"):
        assert what in refused.said
    assert (await evening.now()).phase is Phase.OPEN


@pytest.mark.slow
async def test_rounds_end_where_nobody_can_be_paired_any_more(at, clock):
    evening = await begun(at, clock, ("format", "swiss"), ("rounds", "3"), count=5)
    for code in await evening.waiting():
        await evening.end(code)
    # Those who are left have met: one pair of the first round.
    first = (await evening.now()).rounds[0].meetings[0].entrants
    for number, who in enumerate(evening.people, 1):
        if number not in first:
            await evening.press(who, "leave", "yes")
    await evening.wait(1)
    tournament = await evening.now()
    assert (tournament.phase, tournament.why, tournament.number) == (Phase.ENDED, "unpairable", 1)
    assert "sin repetir" in "\n".join(evening.message.screen.lines)


@pytest.mark.parametrize("there", [True, False])
def test_where_the_engine_is_missing_swiss_is_not_offered_and_the_sheet_says_so(there):
    sheet = TournamentSheet("es", b"k" * 32, 1, swiss=there)
    draft = TournamentDraft("ABCDEF").chosen(("game", "niya"))
    screen = sheet.sheet(draft)
    offered = [option.label for option in screen.choices[0].options]
    assert ("suizo" in offered) == there
    assert any("sistema suizo" in line for line in screen.lines) != there


def test_the_doctor_says_why_there_is_no_swiss(monkeypatch):
    assert swiss_findings() == []
    monkeypatch.setattr("bot.app.doctor.why_missing", lambda: "No module named 'py4swiss'")
    (finding,) = swiss_findings()
    assert "No module named 'py4swiss'" in finding.text


async def test_a_tournament_that_cannot_be_read_is_named_and_stops_nobody_else(at, clock):
    evening = await begun(at, clock)
    async with at.facade.store.transaction() as tx:
        await tx.exec_driver_sql("UPDATE tournament_event SET kind = 'nonsense' WHERE number = 2")
    at.facade.services.tournaments._kept.clear()
    with pytest.raises(BrokenTournament, match="nonsense"):
        await evening.now()
    for code in [one["code"] for one in await _tables(at)]:
        await evening.services.tables.get(code)
    listed = await at.call(evening.people[0], "tournament")
    assert listed.good


async def _tables(at):
    async with at.facade.store.reading() as tx:
        found = await tx.exec_driver_sql("SELECT code FROM game")
        return [{"code": row[0]} for row in found]


@pytest.mark.slow
async def test_who_asks_before_a_round_has_half_a_point_in_its_place_once(at, clock):
    evening = await begun(at, clock, ("format", "swiss"), ("rounds", "3"), count=6)
    asks = evening.people[2]
    told = await evening.press(asks, "bye")
    assert told.good
    assert "medio punto" in str(told)
    assert "juegas" in str(await evening.press(asks, "bye")), "a second press takes it back"
    assert (await evening.press(asks, "bye")).good
    for code in await evening.waiting():
        await evening.end(code)
    await evening.wait(1)
    now = await evening.now()
    number = now.entrant_of(await at.facade.services.people.number(asks)).number
    assert now.rounds[1].halves == (number,)
    met = {n for meeting in now.rounds[1].meetings for n in meeting.entrants}
    assert number not in met | set(now.rounds[1].byes)
    assert round_cell(now.rounds[1], number).points == DRAW
    assert f"{now.entrants.index(now.entrant(number)) + 1:4}" in trf(now, {})
    assert "0000 - H" in trf(now, {})
    # Round 3 is the last one, and one is all that there is.
    assert not (await evening.press(asks, "bye")).good
    assert not (await evening.press(evening.people[3], "bye")).good
    assert (await evening.press(evening.people[3], "leave")).good
    assert (await evening.play_out()).phase is Phase.ENDED


@pytest.mark.slow
async def test_byes_are_refused_where_too_few_would_play_and_where_nobody_is_paired_so(at, clock):
    evening = await begun(at, clock, ("format", "swiss"), ("rounds", "3"), count=5)
    assert (await evening.press(evening.people[0], "bye")).good
    refused = await evening.press(evening.people[1], "bye")
    assert not refused.good
    assert "al menos cuatro" in refused.said
    assert not (await evening.press(person("Nadie"), "bye")).good
