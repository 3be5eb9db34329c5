"""Whole tournaments in a house: set up by buttons, entered, paired, played, ended."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from io import BytesIO
from itertools import count

import pytest
from PIL import Image

from bot.port import Where
from bot.presenters.game_poster import poster, poster_words
from bot.presenters.tournament.setup import TournamentSheet
from bot.session.draft import TournamentDraft
from bot.tournament.standings import standings
from bot.tournament.values import How, Phase
from games.core.shelf import find_game
from render.club.club_canvas import WIDE
from render.kit import paint
from tests.fakes import desk, person
from tests.tournament.evening import entered, opened
from tests.tournament.laws import check


async def test_a_round_robin_is_played_from_the_sheet_to_the_podium(at, clock):
    evening = await entered(await opened(at, clock, ("format", "robin")), 4)
    assert "4 personas" in " ".join(evening.message.screen.lines)
    await evening.press(evening.manager, "begin")
    await evening.look()
    assert len(await evening.waiting()) == 2
    assert sorted(who for _, who in evening.calls) == [f"id-P{n}" for n in range(1, 5)]
    tournament = await evening.play_out()
    assert (tournament.phase, tournament.why, tournament.number) == (Phase.ENDED, "done", 3)
    check(tournament)
    assert "🥇" in "\n".join(evening.message.screen.lines)
    begun, ended = evening.begun_and_ended()
    assert len(begun) == len(set(begun)) == 3 * 4  # everybody once a round
    assert ended == [f"id-P{n}" for n in range(1, 5)]
    after = at.card(await at.call(person("P1"), "tournament"))
    assert after.screen.headline.endswith("El último:")
    last = await at.press(person("P1"), after, code=after.screen.rows[0][0].code)
    assert "🥇" in "\n".join(last.screen.lines)


async def test_before_anybody_has_entered_the_poster_of_the_game_is_shown(at, clock):
    """A table of nobody was a head without rows."""
    evening = await opened(at, clock, ("format", "robin"))
    shown = evening.message
    words = poster(find_game("niya"), "light", "es")
    assert words is not None
    assert shown.screen.alt == poster_words(words, "es")
    picture = Image.open(BytesIO(shown.picture))
    assert (picture.width, picture.height) == paint(words).size
    await entered(evening, 2)
    assert "P1" in evening.message.screen.alt
    assert Image.open(BytesIO(evening.message.picture)).size == WIDE


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "count"),
    [
        ("swiss", 5),
        *(
            pytest.param(*one, marks=pytest.mark.slow)
            for one in (("knockout", 5), ("tables", 7), ("arena", 4))
        ),
    ],
)
async def test_every_other_format_is_played_to_its_end_as_well(at, clock, form, count):
    game = "parchis" if form == "tables" else "niya"
    more = {"swiss": ("rounds", "3"), "tables": ("rounds", "3"), "arena": ("minutes", "30")}
    choices = [("format", form), *([more[form]] if form in more else [])]
    evening = await entered(await opened(at, clock, *choices, game=game), count)
    await evening.press(evening.manager, "begin")
    await evening.look()
    tournament = await evening.play_out(12 if form == "arena" else 1)
    assert (tournament.phase, tournament.why) == (Phase.ENDED, "done")
    check(tournament)
    codes = [game.code for _, _, game in tournament.games() if game.code]
    for code in codes:
        table = await evening.table(code)
        assert table.tournament == evening.code
    begun, ended = evening.begun_and_ended()
    assert ended == [f"id-P{n}" for n in range(1, count + 1)]
    assert len(begun) == len(set(begun)) == sum(len(g.seats) for _, _, g in tournament.games())


@pytest.mark.slow
async def test_a_drawn_match_has_a_decider_with_half_the_time_and_then_the_better_seed(at, clock):
    choices = (("format", "knockout"), ("clock", "15m+30s"))
    evening = await entered(await opened(at, clock, *choices), 4)
    await evening.press(evening.manager, "begin")
    await evening.look()
    first = (await evening.waiting())[0]
    seats = (await evening.now()).find_game(first).seats
    await evening.end(first, [list(seats)])
    await evening.look()
    meeting = (await evening.now()).rounds[0].meetings[0]
    assert meeting.last.seats == seats[::-1]
    decider = await evening.table(meeting.last.code)
    assert decider.control == "7m30s+1x15s"
    assert [one.name for one in decider.players] == [f"P{n}" for n in seats[::-1]]
    await evening.end(decider.code, [list(seats)])
    tournament = await evening.play_out()
    later = {n for one in tournament.rounds[1].meetings if not one.third for n in one.entrants}
    assert min(seats) in later  # all are rated alike: who entered first is the better seed


@pytest.mark.slow
async def test_who_does_not_come_in_time_loses_and_is_out_after_the_second_time(at, clock):
    choices = (("format", "robin"), ("clock", "5m+5s"))
    evening = await entered(await opened(at, clock, *choices), 4)
    await evening.press(evening.manager, "begin")
    await evening.look()
    await evening.wait(1.9)
    assert len(await evening.waiting()) == 2
    await evening.wait(0.2)
    tournament = await evening.now()
    assert {game.result.how for _, _, game in tournament.games()} == {How.FORFEIT}
    assert sorted(one.absences for one in tournament.entrants) == [0, 0, 1, 1]
    table = await evening.table(tournament.rounds[0].meetings[0].last.code)
    assert (table.status, table.closed) == ("closed", "forfeit")
    for _ in range(40):
        await evening.wait(1)
    tournament = await evening.now()
    assert tournament.phase is Phase.ENDED
    assert [one.number for one in tournament.entrants if one.absences == 2] == [
        one.number for one in tournament.entrants if one.gone is not None
    ]


async def test_the_manager_judges_corrects_puts_out_pauses_and_ends_and_nobody_else(at, clock):
    evening = await entered(await opened(at, clock, ("format", "robin")), 4)
    await evening.press(evening.manager, "begin")
    await evening.look()
    first, second = await evening.waiting()
    for path in (("fix", first, "20"), ("halt",), ("out", "4", "yes"), ("end", "yes")):
        refused = await evening.press(evening.people[0], *path)
        assert not refused.good
    assert len(await evening.waiting()) == 2
    await evening.press(evening.manager, "fix", first, "20")
    assert (await evening.table(first)).closed == "judged"
    assert (await evening.now()).find_game(first).result.points == (2, 0)
    await evening.press(evening.manager, "fix", first, "02")
    assert (await evening.now()).find_game(first).result.points == (0, 2)
    await evening.press(evening.manager, "out", "4", "yes")
    await evening.press(evening.manager, "halt")
    await evening.end(second)
    await evening.wait(5)
    assert (await evening.now()).number == 1
    await evening.press(evening.manager, "resume")
    await evening.look()
    tournament = await evening.now()
    assert tournament.number == 2
    left = [m.last for m in tournament.rounds[1].meetings if 4 in m.entrants]
    assert [(game.code, game.result.how) for game in left] == [("", How.FORFEIT)]
    await evening.press(evening.manager, "end", "yes")
    assert (await evening.now()).why == "early"
    told = "\n".join(evening.message.screen.lines)
    assert "Marta ha reanudado el torneo." in told
    assert "Marta ha terminado el torneo." in told


@pytest.mark.slow
async def test_what_a_manager_does_is_told_by_name(at, clock):
    evening = await entered(await opened(at, clock, ("format", "robin")), 4)
    await evening.press(evening.manager, "begin")
    await evening.look()
    first, _ = await evening.waiting()
    seats = (await evening.now()).find_game(first).seats
    await evening.press(evening.manager, "fix", first, "20")
    lines = evening.message.screen.lines
    assert f"Marta ha decidido la partida de P{seats[0]} y P{seats[1]}." in lines
    await evening.press(evening.manager, "fix", first, "11")
    lines = evening.message.screen.lines
    assert f"Marta ha corregido el resultado de P{seats[0]} y P{seats[1]}." in lines


@pytest.mark.slow
async def test_a_round_by_the_day_ends_with_draws(at, clock):
    choices = (("format", "robin"), ("clock", "3d"), ("days", "7"))
    evening = await entered(await opened(at, clock, *choices), 4)
    await evening.press(evening.manager, "begin")
    await evening.look()
    for code in await evening.waiting():
        table = await evening.table(code)
        for _ in range(2):
            table = await evening.table(code)
            (seat,) = table.actors()
            move = table.game.notation.written(table.present, table.present.legal_moves(seat)[0])
            who = next(one for one in evening.people if one.name == table.players[seat].name)
            assert (await at.call(who, "move", table=code, move=move)).good
    clock.wait(timedelta(days=2))
    await evening.look()
    assert len(await evening.waiting()) == 2
    clock.wait(timedelta(days=5, minutes=1))
    await evening.look()
    tournament = await evening.now()
    results = [m.last.result for m in tournament.rounds[0].meetings]
    assert [(one.how, one.points) for one in results] == [(How.ADJUDICATED, (1, 1))] * 2
    for meeting in tournament.rounds[0].meetings:
        assert (await evening.table(meeting.last.code)).closed == "judged"


@pytest.mark.slow
async def test_each_table_has_a_thread_where_that_is_wanted(at, clock, monkeypatch):
    made = []

    async def part(where, name):
        made.append(name)
        return Where(where.platform, f"thread{len(made)}")

    monkeypatch.setattr(at.chat, "part", part)
    evening = await entered(await opened(at, clock, ("format", "robin"), ("threads", "yes")), 4)
    await evening.press(evening.manager, "begin")
    await evening.look()
    assert len(made) == 2
    for code in await evening.waiting():
        assert at.chat.board(code).where.place.startswith("thread")
    assert len(evening.calls) == 4


@pytest.mark.slow
@pytest.mark.parametrize("topics", [False, True])
async def test_each_round_has_a_thread_of_its_own_where_that_is_wanted(
    at, clock, monkeypatch, topics
):
    made, led = [], []

    async def part(where, name):
        made.append(name)
        number = f"part{len(made)}"
        return Where(where.platform, where.place, number) if topics else Where("fake", number)

    async def lead(where, people):
        led.extend((where.thread or where.place, one.external) for one in people)

    monkeypatch.setattr(at.chat, "part", part)
    monkeypatch.setattr(at.chat, "lead", lead)
    evening = await entered(await opened(at, clock, ("format", "robin"), ("threads", "round")), 4)
    await evening.press(evening.manager, "begin")
    await evening.look()
    assert made == [f"{evening.code} · Ronda 1"]
    boards = [at.chat.board(code).where for code in await evening.waiting()]
    assert {one.thread or one.place for one in boards} == {"part1"}
    assert sorted(led) == [("part1", f"id-P{n}") for n in range(1, 5)]
    for code in await evening.waiting():
        await evening.end(code)
    await evening.wait(1)
    assert made == [f"{evening.code} · Ronda {n}" for n in (1, 2)]
    assert len(await evening.waiting()) == 2


def test_an_arena_is_offered_no_threads_by_round():
    sheet = TournamentSheet("en", b"k" * 32, 1, threads=True)
    draft = TournamentDraft("ABCDEF").chosen(("game", "niya")).chosen(("threads", "round"))
    for form, ways in (("robin", 3), ("arena", 2)):
        choices = sheet.sheet(draft.chosen(("format", form))).choices
        threads = next(one for one in choices if one.label == "Threads")
        assert len(threads.options) == ways
    now = datetime(2026, 1, 1, tzinfo=UTC)
    assert not draft.chosen(("format", "arena")).rules(now, now).by_round
    assert draft.rules(now, now).by_round


@pytest.mark.slow
async def test_each_table_has_a_topic_of_the_group_from_whatever_topic_people_entered(
    at, clock, monkeypatch
):
    async def part(where, name):
        del name
        return Where(where.platform, where.place, f"topic{next(numbers)}")

    numbers = count(1)
    monkeypatch.setattr(at.chat, "part", part)
    evening = await entered(await opened(at, clock, ("format", "robin"), ("threads", "yes")), 3)
    elsewhere = Where(at.where.platform, at.where.place, "general")
    assert (await evening.press(person("P4"), "enter", where=elsewhere)).good
    await evening.press(evening.manager, "begin")
    await evening.look()
    codes = await evening.waiting()
    stand = {message.where.thread for code in codes for message in _boards(at, code)}
    assert stand == {"topic1", "topic2"}
    # A topic is no place of its own: the settings stay those of the group.
    assert not await at.facade.services.places.within(at.where)


def _boards(at, code):
    return [one for one in at.chat.messages.values() if one.screen.table == code]


async def test_entering_is_for_the_people_of_the_place_and_for_each_once(at, clock):
    evening = await entered(await opened(at, clock, ("format", "swiss"), ("rounds", "5")), 1)
    assert not (await evening.press(evening.people[0], "enter")).good
    stranger = await evening.press(person("Zoe"), "enter", where=Where("fake", "elsewhere"))
    assert not stranger.good
    refused = await evening.press(evening.manager, "begin")
    assert not refused.good
    assert "6" in refused.said
    await evening.press(evening.people[0], "leave")
    assert (await evening.now()).entrants == ()


async def test_killed_between_pairing_and_opening_a_round_has_each_table_once(tmp_path, clock):
    async with desk(tmp_path, clock=clock) as at:
        evening = await entered(await opened(at, clock, ("format", "robin")), 4)
        keeper = at.facade.process_duties.deadlines.tournaments
        opens, count = keeper.opener.open, 0

        async def dying(tournament, game):
            nonlocal count
            count += 1
            if count == 2:
                raise RuntimeError("killed")
            await opens(tournament, game)

        object.__setattr__(keeper.opener, "open", dying)
        await evening.press(evening.manager, "begin")
        await evening.look()
        code = evening.code
        tournament = await evening.now()
        assert tournament.number == 1
    async with desk(tmp_path, clock=clock) as at:
        again = await at.facade.services.tournaments.get(code)
        assert again == tournament
        clock.wait(timedelta(seconds=20))
        await at.facade.process_duties.deadlines.tournaments.expire()
        await at.settle()
        again = await at.facade.services.tournaments.get(code)
        assert again.number == 1
        for _, _, game in again.games():
            assert (await at.facade.services.tables.get(game.code)).tournament == code


@pytest.mark.slow
async def test_the_standings_are_told_in_words_and_as_files(at, clock):
    evening = await entered(await opened(at, clock, ("format", "swiss"), ("rounds", "3")), 5)
    await evening.press(evening.manager, "begin")
    await evening.look()
    tournament = await evening.play_out()
    told = await evening.press(evening.people[0], "table", "words")
    best = standings(tournament)[0]
    assert f"1. P{best.entrant}: {best.points // 2} puntos, Buchholz" in told.said
    csv = (await evening.press(evening.people[0], "file", "csv")).file.data.decode()
    assert csv.splitlines()[1].startswith(
        f"1,{best.entrant},P{best.entrant},1500,{best.points // 2},"
    )
    trf = (await evening.press(evening.people[0], "file", "trf")).file.data.decode()
    assert trf.count("\n001 ") == 5


async def test_it_begins_at_its_instant_or_ends_where_too_few_have_come(at, clock):
    evening = await entered(await opened(at, clock, ("format", "robin"), ("starts", "15")), 3)
    until = evening.message.screen.countdown.until
    assert until - clock.shown == timedelta(minutes=15)
    await evening.wait(14)
    assert (await evening.now()).phase is Phase.OPEN
    await evening.wait(1.1)
    assert (await evening.now()).number == 1
    other = await opened(at, clock, ("format", "robin"), ("starts", "15"))
    other.code = [m for m in at.chat.messages.values() if "Torneo" in m.screen.headline][
        -1
    ].screen.headline.rsplit(" ", 1)[-1]
    await entered(other, 2)
    await other.wait(15.1)
    assert ((await other.now()).phase, (await other.now()).why) == (Phase.ENDED, "few")


@pytest.mark.slow
async def test_it_begins_when_it_is_full_and_takes_nobody_more(at, clock):
    choices = (("format", "robin"), ("starts", "full"), ("most", "4"))
    evening = await entered(await opened(at, clock, *choices), 4)
    await evening.look()
    assert (await evening.now()).number == 1
    late = await evening.press(person("Luz"), "enter")
    assert not late.good


@pytest.mark.slow
async def test_who_comes_late_to_a_swiss_tournament_has_missed_a_round(at, clock):
    choices = (("format", "swiss"), ("rounds", "4"))
    evening = await entered(await opened(at, clock, *choices), 5)
    await evening.press(evening.manager, "begin")
    await evening.look()
    late = person("Luz")
    assert (await evening.press(late, "enter")).good
    for code in await evening.waiting():
        await evening.end(code)
    await evening.wait(1)
    tournament = await evening.now()
    assert tournament.entrants[-1].since == 2
    assert any(6 in meeting.entrants for meeting in tournament.rounds[1].meetings)
    tournament = await evening.play_out()
    check(tournament)


@pytest.mark.slow
async def test_people_from_elsewhere_enter_by_the_code_and_play_where_they_are(at, clock):
    choices = (("format", "robin"), ("afar", "yes"))
    evening = await entered(await opened(at, clock, *choices), 2)
    away = person("Zoe")
    home = Where("fake", away.external, private=True)
    assert f"/torneo {evening.code}" in " ".join(evening.message.screen.lines)
    assert (await evening.press(away, "enter", where=home)).good
    await evening.press(evening.manager, "begin")
    await evening.look()
    code = next(game.code for _, _, game in (await evening.now()).games() if 3 in game.seats)
    assert at.chat.board(code, home).where == home
    assert at.chat.board(code, at.where).where == at.where
    assert (await evening.press(away, "game", where=home)).view is not None, "their board leads on"
