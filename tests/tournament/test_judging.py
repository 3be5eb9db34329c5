"""What organizers decide: tables of four, tables that were closed, results of earlier rounds."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta

import pytest

from bot.port import Asker, Pace, PrivateRefusal, Where
from bot.presenters.tournament.setup import TournamentSheet
from bot.presenters.tournament.tools import ranked_places
from bot.service.place.places import OPENED
from bot.service.table.changes import Update
from bot.service.tournament.progress import forfeit_due
from bot.session import play
from bot.session.draft import TournamentDraft
from bot.session.preferences import NotificationChoice
from bot.tournament import organizer
from bot.tournament.unit_of_work import NotNow
from bot.tournament.values import How, Phase, Rules, TournamentFormat
from storage import tournaments
from storage.club import ratings
from tests.fakes import person
from tests.tournament.evening import Evening, entered, opened
from tests.tournament.simulated import opened as hall


async def begun(at, clock, *choices, count=4, game="niya") -> Evening:
    chosen = choices or (("format", "robin"),)
    evening = await entered(await opened(at, clock, *chosen, game=game), count)
    await evening.press(evening.manager, "begin")
    await evening.look()
    return evening


@pytest.mark.parametrize(
    ("said", "seats", "places"),
    [
        ("213", 4, [[2], [1], [3], [0]]),
        ("01", 3, [[0], [1], [2]]),
        ("2=", 4, [[2], [0, 1, 3]]),
        ("=", 3, [[0, 1, 2]]),
        ("", 3, None),
        ("2", 4, None),
        ("21", 4, None),
        ("22", 3, None),
        ("3", 3, None),
        ("x1", 3, None),
        ("0=1", 3, None),
    ],
)
def test_the_order_at_a_table_is_read_from_the_buttons(said, seats, places):
    assert ranked_places(said, seats) == places


@pytest.mark.slow
async def test_a_table_of_four_is_judged_by_naming_one_after_the_other(at, clock):
    evening = await begun(at, clock, ("format", "tables"), ("rounds", "3"), count=7, game="parchis")
    listed = await evening.press(evening.manager, "fix")
    *meetings, (back,) = listed.screen.rows
    assert len(meetings) == 2
    assert back.label == "Volver"
    now = await evening.now()
    game = next(g for _, _, g in now.games() if len(g.seats) == 4)
    names = await evening.services.tournaments.names(now)
    asked = await evening.press(evening.manager, "fix", game.code)
    labels = [row[0].label for row in asked.screen.rows]
    assert labels == [*(names[n] for n in game.seats), "Todos empatados", "Volver"]
    assert asked.screen.headline == "¿Quién ocupó el puesto 1?"
    asked = await evening.press(evening.manager, "fix", game.code, "2")
    assert asked.screen.headline == "¿Quién ocupó el puesto 2?"
    assert asked.screen.lines == (f"1. {names[game.seats[2]]}",)
    await evening.press(evening.manager, "fix", game.code, "213")
    result = (await evening.now()).find_game(game.code).result
    assert (result.how, result.points) == (How.ADJUDICATED, (0, 4, 6, 2))
    assert (await evening.table(game.code)).closed == "judged"
    await evening.press(evening.manager, "fix", game.code, "0=")
    result = (await evening.now()).find_game(game.code).result
    assert result.points == (6, 2, 2, 2)


@pytest.mark.slow
async def test_a_table_of_four_is_over_once_nobody_but_one_is_left(at, clock):
    evening = await begun(at, clock, ("format", "tables"), ("rounds", "3"), count=8, game="parchis")
    code, other = await evening.waiting()
    seats = (await evening.now()).find_game(code).seats
    by_number = dict(enumerate(evening.people, 1))
    for number in seats[1:]:
        assert (await evening.table(code)).status == "playing"
        who = by_number[number]
        asked = at.card(await at.call(who, "resign", table=code))
        await at.press(who, asked, asked.screen.rows[0][0].label)
    table = await evening.table(code)
    assert (table.status, table.outcome.reason) == ("ended", "alone")
    winner = table.players[min(table.outcome.places[0])].name
    assert winner == f"P{seats[0]}"
    result = (await evening.now()).find_game(code).result
    assert (result.how, result.points[0]) == (How.PLAYED, 6)
    assert (
        f"{winner} gana: en la mesa ya no queda nadie más." in at.chat.board(code).screen.headline
    )
    assert not any(one.absences for one in (await evening.now()).entrants)  # all of them had come
    # Who does not come leaves as well: the one who is there wins.
    for _ in range(3):
        assert (await evening.table(other)).status == "playing"
        await evening.wait(2.1)
    assert (await evening.table(other)).outcome.reason == "alone"
    away = [one.number for one in (await evening.now()).entrants if one.absences == 1]
    assert len(away) == 3
    assert not set(away) & set(seats)


@pytest.mark.slow
async def test_a_table_that_is_closed_by_hand_is_reported_and_judged(at, clock):
    evening = await begun(at, clock)
    code, other = await evening.waiting()

    def close(work) -> None:
        play.close(work, "managed")

    await evening.services.changes.change(Update("fake", "by-hand"), code, close)
    await evening.look()
    lines = "\n".join(evening.message.screen.lines)
    assert lines.count("mesa cerrada: falta decidir el resultado") == 1
    await evening.end(other)
    await evening.wait(5)
    assert (await evening.now()).number == 1
    await evening.press(evening.manager, "fix", code, "11")
    assert "mesa cerrada" not in "\n".join(evening.message.screen.lines)
    await evening.wait(2)
    assert (await evening.now()).number == 2


@pytest.mark.slow
async def test_a_corrected_result_is_told_to_both_and_the_next_round_stands(at, clock):
    evening = await begun(at, clock)
    first, second = await evening.waiting()
    await evening.end(first)
    await evening.end(second)
    await evening.wait(1)
    now = await evening.now()
    assert now.number == 2
    seats, paired = now.find_game(first).seats, now.rounds[1]
    before = len(at.chat.pings)
    await evening.press(evening.manager, "fix", first, "02")
    await evening.look()
    told = at.chat.pings[before:]
    assert sorted(one.external for ping in told for one in ping.people) == sorted(
        f"id-P{n}" for n in seats
    )
    score = f"P{seats[0]} 0 y P{seats[1]} 1"
    assert all(
        f"Marta ha fijado el resultado de la partida de Niya ({first})" in p.text for p in told
    )
    assert all(score in ping.text for ping in told)
    table, now = await evening.table(first), await evening.now()
    assert f"Marta ha fijado el resultado: {score}." in at.chat.board(first).screen.lines
    assert (table.ruling.by.name, table.ruling.points) == ("Marta", (0, 2))
    result = now.find_game(first).result
    assert (result.how, result.points) == (How.ADJUDICATED, (0, 2))
    assert now.rounds[1] == paired
    # The same result once more is no news.
    await evening.press(evening.manager, "fix", first, "02")
    await evening.look()
    assert at.chat.pings[before:] == told


@pytest.mark.slow
async def test_whoever_was_to_play_is_told_how_the_manager_decided_a_closed_table(at, clock):
    evening = await begun(at, clock)
    code, _ = await evening.waiting()
    close = Update("fake", "by-hand")
    await evening.services.changes.change(close, code, lambda work: play.close(work, "managed"))
    await evening.wait(1)
    before = len(at.chat.pings)
    await evening.press(evening.manager, "fix", code, "11")
    await evening.look()
    told = at.chat.pings[before:]
    seats = (await evening.now()).find_game(code).seats
    assert {one.external for ping in told for one in ping.people} == {f"id-P{n}" for n in seats}
    assert all(f"P{seats[0]} ½ y P{seats[1]} ½" in ping.text for ping in told)


@pytest.mark.slow
async def test_killed_while_a_result_is_corrected_it_is_corrected_and_told_or_neither(
    at, clock, monkeypatch
):
    evening = await begun(at, clock)
    first, _ = await evening.waiting()
    await evening.end(first)
    append = tournaments.append_tournament_events

    async def killed(*_):
        raise RuntimeError("killed")

    monkeypatch.setattr(tournaments, "append_tournament_events", killed)
    with suppress(RuntimeError):
        await evening.press(evening.manager, "fix", first, "02")
    monkeypatch.setattr(tournaments, "append_tournament_events", append)
    assert (await evening.table(first)).ruling is None
    assert (await evening.now()).find_game(first).result.points == (2, 0)
    assert (await evening.press(evening.manager, "fix", first, "02")).good
    assert (await evening.table(first)).ruling.points == (0, 2)
    assert (await evening.now()).find_game(first).result.points == (0, 2)


@pytest.mark.slow
async def test_a_final_that_is_drawn_twice_goes_to_the_better_seed_and_says_so(at, clock):
    evening = await begun(at, clock, ("format", "knockout"))
    for code in await evening.waiting():
        await evening.end(code)
    await evening.wait(1)
    final = next(m for m in (await evening.now()).rounds[1].meetings if not m.third)
    for _ in range(2):
        now = await evening.now()
        code = next(m.last.code for m in now.rounds[1].meetings if not m.third)
        await evening.end(code, [list(final.entrants)])
        await evening.look()
    lines = "\n".join(evening.message.screen.lines)
    best = min(final.entrants)
    assert f"· pasa P{best}, por su mejor puesto inicial" in lines
    assert lines.count("mejor puesto inicial") == 1
    tournament = await evening.play_out()
    assert tournament.phase is Phase.ENDED


@pytest.mark.slow
async def test_a_result_that_is_corrected_later_leaves_the_next_round_as_it_was_paired(at, clock):
    evening = await begun(at, clock, ("format", "swiss"), ("rounds", "3"), count=5)
    codes = await evening.waiting()
    for code in codes:
        await evening.end(code)
    await evening.wait(1)
    before = (await evening.now()).rounds[1]
    await evening.press(evening.manager, "fix", codes[0], "02")
    now = await evening.now()
    assert now.find_game(codes[0]).result.points == (0, 2)
    assert now.rounds[1] == before
    assert "Marta ha corregido" in "\n".join(evening.message.screen.lines)


@pytest.mark.slow
async def test_games_of_tournaments_do_not_use_up_what_two_may_play_in_a_day(at, clock):
    evening = await begun(at, clock, ("format", "robin"), ("rated", "yes"))
    people = [await evening.services.people.number(one) for one in evening.people]
    for code in await evening.waiting():
        assert (await evening.table(code)).rated
    since = clock.shown - timedelta(days=1)
    found = await at.facade.store.read(ratings.frequent_pairs, tuple(people), since, 1)
    assert found == frozenset()


@pytest.mark.slow
async def test_house_rules_are_chosen_on_the_sheet_and_hold_at_the_tables(at, clock):
    evening = await begun(
        at, clock, ("page", "rules"), ("rule", "illegal", "lose"), ("format", "robin"), game="shogi"
    )
    for code in await evening.waiting():
        assert (await evening.table(code)).options["illegal"] == "lose"


async def test_a_rule_that_the_game_does_not_have_changes_nothing(at, clock):
    evening = await opened(at, clock, ("rule", "nonsense", "x"), ("format", "robin"))
    assert (await evening.now()).rules.format is TournamentFormat.ROBIN


# ------------------------------------------------------------------------------ bad days


@pytest.mark.slow
async def test_where_only_few_tables_fit_who_has_no_private_chat_is_asked_to_open_one(
    at, clock, monkeypatch
):
    evening = await opened(at, clock, ("format", "robin"))
    monkeypatch.setattr(at.chat, "pace", lambda where: Pace(18, 60.0))
    await entered(evening, 4)  # two tables stand where the others are
    refused = await evening.press(person("Luz"), "enter")
    assert isinstance(refused, PrivateRefusal)
    assert "chat privado" in refused.said
    assert len((await evening.now()).entrants) == 4
    alone = Where("fake", "id-Luz", private=True)
    await at.facade.boards.places.first_time(alone, OPENED)
    assert (await evening.press(person("Luz"), "enter")).good


async def test_who_has_no_private_chat_enters_where_the_others_play_in_theirs(
    at, clock, monkeypatch
):
    evening = await entered(await opened(at, clock, ("format", "robin")), 4)
    monkeypatch.setattr(at.chat, "pace", lambda where: Pace(18, 60.0))
    assert isinstance(await evening.press(person("Luz"), "enter"), PrivateRefusal)
    for n in (1, 2, 3):
        alone = Where("fake", f"id-P{n}", private=True)
        await at.facade.boards.places.first_time(alone, OPENED)
    assert (await evening.press(person("Luz"), "enter")).good
    # P4 and Luz may be paired with others: a third would need a third table.
    assert isinstance(await evening.press(person("Eva"), "enter"), PrivateRefusal)


async def test_where_only_few_tables_fit_those_play_there_who_have_no_private_chat(
    at, clock, monkeypatch
):
    evening = await entered(await opened(at, clock, ("format", "robin")), 6)
    monkeypatch.setattr(at.chat, "pace", lambda where: Pace(18, 60.0))
    for n in (1, 6):
        alone = Where("fake", f"id-P{n}", private=True)
        await at.facade.boards.places.first_time(alone, OPENED)
    await evening.press(evening.manager, "begin")
    await evening.look()
    stand: dict[frozenset[str], bool] = {}
    for code in await evening.waiting():
        people = frozenset(one.name for one in (await evening.table(code)).players)
        shown = [one for one in at.chat.messages.values() if one.screen.table == code]
        stand[people] = any(one.where.private for one in shown)
    assert stand[frozenset(("P1", "P6"))]
    assert sum(stand.values()) == 1


async def test_the_end_of_a_game_of_a_tournament_says_nothing_of_a_rematch(at, clock):
    evening = await entered(await opened(at, clock, ("format", "robin")), 4)
    await evening.press(evening.manager, "begin")
    await evening.look()
    (code, *_) = await evening.waiting()
    await evening.end(code)
    await evening.look()
    board = next(one for one in at.chat.messages.values() if one.screen.table == code)
    assert "Verificar" in [one.label for row in board.screen.rows for one in row]
    said = " ".join((*board.screen.lines, *(one.label for row in board.screen.rows for one in row)))
    assert "evancha" not in said
    assert "Mis palabras" not in said


@pytest.mark.slow
async def test_who_is_never_called_enters_with_a_word_about_it(at, clock):
    evening = await opened(at, clock, ("format", "robin"))
    luz = person("Luz")
    people = at.facade.services.people
    me = (await people.of(luz)).id
    await people.choose(me, calls=NotificationChoice.NEVER)
    said = await evening.press(luz, "enter")
    assert "no te avise nunca" in said.said
    await entered(evening, 3)
    await evening.press(evening.manager, "begin")
    await evening.look()
    assert "id-Luz" not in [who for _, who in evening.calls]
    assert len(evening.calls) == 3


def test_two_hundred_may_enter_and_nobody_more():
    made = hall(Rules("niya", TournamentFormat.SWISS, "5m+5s", rounds=9), 200, 1)
    with pytest.raises(NotNow) as refused:
        organizer.enter(made.work, 999, 1500)
    assert refused.value.args[0].key == "tournament.full"


async def test_time_in_which_a_platform_was_down_is_no_absence(at, clock):
    evening = await begun(at, clock, ("format", "robin"), ("clock", "5m+5s"))
    code = (await evening.waiting())[0]
    table = await evening.table(code)
    outages = evening.at.facade.process_duties.deadlines.outages
    await outages.look({"fake": False})
    clock.wait(timedelta(minutes=10))
    assert forfeit_due(table) < evening.services.clock.steady()
    await evening.look()
    assert len(await evening.waiting()) == 2
    await outages.look({"fake": True})
    await evening.wait(1)
    assert len(await evening.waiting()) == 2
    await evening.wait(1.5)
    assert len(await evening.waiting()) == 0


@pytest.mark.parametrize("there", [True, False])
def test_a_place_without_threads_is_offered_none(there):
    sheet = TournamentSheet("es", b"k" * 32, 1, threads=there)
    draft = TournamentDraft("ABCDEF").chosen(("game", "niya"))
    labels = [choice.label for choice in sheet.sheet(draft).choices]
    assert ("Hilos" in labels) == there


@pytest.mark.slow
async def test_the_first_act_of_a_hidden_set_up_is_a_first_move(at, clock):
    evening = await begun(
        at, clock, ("format", "robin"), ("clock", "5m+5s"), game="storilljudhjorrayc"
    )
    code = (await evening.waiting())[0]
    table = await evening.table(code)
    for seat in sorted(table.actors()):
        who = Asker("fake", f"id-{table.players[seat].name}", table.players[seat].name, "es")
        table = await evening.table(code)
        move = table.present.legal_moves(seat)[0]
        written = table.game.notation.written(table.present, move)
        home = Where("fake", who.external, private=True)
        await at.call(who, "move", table=code, move=written, where=home)
    await evening.wait(3)
    assert code in await evening.waiting()
