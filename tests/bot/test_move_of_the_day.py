"""The move of the day: the same for all, told by a row of signs, with a streak that forgives."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from bot.chats.discord.message_formatting import _texts
from bot.chats.web.message_formatting import screen_json
from bot.notify.daily import DAILY
from bot.port import Card, Home, MenuAnswer, PlaceStanding, Where
from bot.session.daily_calendar import FREEZES, calendar_day, day_with, number_of, streaks
from bot.session.exercise_catalogue import exercises
from bot.session.preferences import PlaceRules
from games.core.school import right
from render.kit import Gallery
from storage.person.personal_data import erase_person_data
from storage.place.places import places_with
from storage.school import puzzles
from storage.table import views as stored_views
from storage.table.games import latest_against_computer
from storage.table.views import places_with_games
from tests.bot.test_puzzles import solve
from tests.fakes import FakeClock, Message, desk, person

ANA = person("Ana")
ALONE = Where("fake", "id-Ana", private=True)
MONDAY = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
async def at(tmp_path, monkeypatch):
    monkeypatch.setattr(Gallery, "picture", lambda self, scene: b"painted")
    clock = FakeClock()
    clock.shown = MONDAY
    async with desk(tmp_path, clock=clock) as house:
        house.clock = clock
        yield house


def of_day(clock):
    entry = calendar_day(clock.shown.toordinal())
    return exercises()[entry.move]


def texts(exercise, *, good):
    known, written = exercise.resumed(0), exercise.game.notation.written
    for move in known.position.legal_moves(known.seat):
        if (right(exercise.game, known, move) is not None) is good:
            yield written(known.position, move)


def row_of(answer):
    lines = answer.screen.lines
    start = next(n for n, line in enumerate(lines) if line.startswith("Ludoteca · jugada"))
    return lines[start:]


@pytest.mark.sampled
async def test_today_s_move_is_the_calendar_s_and_solved_by_words(at):
    for days in range(7):
        at.clock.shown = MONDAY + timedelta(days=days)
        shown = await at.call(ANA, "today", ALONE)
        assert isinstance(shown, Card)
        titles = [shown.screen.headline]
        exercise = of_day(at.clock)
        answer = await solve(at, exercise)
        number = number_of(at.clock.shown.toordinal())
        row = row_of(answer)
        assert row[0].startswith(f"Ludoteca · jugada n.º {number} ")
        assert row[1] == "✅  a la primera"
        assert all(len(line) <= 36 for line in row)
        if days:
            assert row[2] == f"🔥 {days + 1} días seguidos"
        again = await at.call(ANA, "today", ALONE)
        titles += [answer.screen.headline, again.screen.headline]
        (title,) = set(titles)
        assert title.startswith(f"La jugada de hoy, n.º {number} · ")
        assert row_of(again) == row


async def test_wrong_tries_stand_in_the_row_and_nothing_counts_after_the_end(at):
    exercise = of_day(at.clock)
    await at.call(ANA, "today", ALONE)
    wrong = next(texts(exercise, good=False))
    for _ in range(7):
        await at.call(ANA, "puzzle", ALONE, answer=wrong)
    row = row_of(await solve(at, exercise))
    assert row[1] == "⬜⬜⬜⬜⬜✅  en 8 intentos"
    await at.call(ANA, "puzzle", ALONE, answer=wrong)
    (tried,) = await at.facade.store.read(puzzles.daily_tries_of, 1)
    assert tried.signs == "wwwwwwws"


async def test_the_right_piece_moved_wrongly_is_told_apart(at):
    at.clock.shown = MONDAY + timedelta(days=3)  # shogi
    exercise = of_day(at.clock)
    assert exercise.game.key == "shogi"
    await at.call(ANA, "today", ALONE)
    known, steps = exercise.resumed(0), exercise.game.menus.steps
    legal = known.position.legal_moves(known.seat)
    good = {steps(known.position, m)[0] for m in legal if right(exercise.game, known, m)}
    for move in legal:
        if right(exercise.game, known, move) is None and steps(known.position, move)[0] in good:
            text = exercise.game.notation.written(known.position, move)
            await at.call(ANA, "puzzle", ALONE, answer=text)
            break
    (tried,) = await at.facade.store.read(puzzles.daily_tries_of, 1)
    assert tried.signs == "n"


async def test_who_gives_up_is_told_so_and_has_no_streak(at):
    card = at.card(await at.call(ANA, "today", ALONE), ALONE)
    await at.press(ANA, card, "Ver la solución")
    again = await at.call(ANA, "today", ALONE)
    assert row_of(again)[1] == "🏳️  esta no"
    assert not (await at.facade.store.read(puzzles.daily_tries_of, 1))[0].on_day


async def test_the_day_is_that_of_the_person_s_zone(at):
    at.clock.shown = MONDAY.replace(hour=23)
    await at.call(ANA, "today", ALONE)
    await at.facade.services.people.choose(1, zone="Asia/Tokyo")
    shown = await at.call(ANA, "today", ALONE)
    tomorrow = calendar_day(MONDAY.toordinal() + 1)
    exercise = exercises()[tomorrow.move]
    await solve(at, exercise)
    opened, tried = await at.facade.store.read(puzzles.daily_tries_of, 1)
    assert (opened.day, opened.on_day) == (MONDAY.toordinal(), False)
    assert (tried.day, tried.on_day) == (MONDAY.toordinal() + 1, True)
    assert shown.screen.headline


async def test_a_move_that_was_solved_before_as_a_puzzle_counts_for_its_day(at):
    exercise = of_day(at.clock)
    at.clock.shown = MONDAY - timedelta(days=9)
    await at.facade.services.people.of(ANA)
    await at.facade.services.puzzles.count_missed(1, exercise, "w")
    row = await at.facade.store.read(puzzles.daily_tries_of, 1)
    assert row == ()
    at.clock.shown = MONDAY
    await at.call(ANA, "today", ALONE)
    assert row_of(await solve(at, exercise))[1] == "✅  a la primera"


@pytest.mark.sampled
async def test_one_streak_is_told_and_kept_that_of_the_move_of_the_day(at):
    kept, told = [], []
    for day in (0, 1, 3, 5, 9):
        at.clock.shown = MONDAY + timedelta(days=day)
        await at.call(ANA, "today", ALONE)
        answer = await solve(at, of_day(at.clock))
        row = await at.facade.store.read(puzzles.load_solver, 1, "")
        kept.append((row.streak, row.longest))
        told.append([line for line in answer.screen.lines if "día" in line])
    assert kept == [(1, 1), (2, 2), (3, 3), (4, 4), (1, 4)]
    assert told[3] == ["🔥 4 días seguidos"]
    assert told[4] == ["récord: 4 días"]
    # A puzzle that is nobody's day makes none.
    at.clock.shown += timedelta(days=1)
    every = await at.facade.services.collection.by_code()
    other = next(
        one for one in every.values() if not day_with(one.code, at.clock.shown.toordinal())
    )
    await at.facade.services.puzzles.count_solved(1, other)
    assert (await at.facade.store.read(puzzles.load_solver, 1, "")).streak == 1


async def test_the_row_may_be_copied_by_one_key_and_shows_what_it_copies(at):
    await at.call(ANA, "today", ALONE)
    answer = await solve(at, of_day(at.clock))
    assert answer.screen.pasted == row_of(answer)
    discord = "".join(_texts(answer.screen)[1])
    assert discord.endswith("\n```\n" + "\n".join(answer.screen.pasted) + "\n```")
    assert discord.count("Ludoteca · jugada") == 1
    assert screen_json(answer.screen)["pasted"] == "\n".join(answer.screen.pasted)


def days(*numbers):
    first = date(2026, 12, 1).toordinal()
    return [first + one - 1 for one in numbers]


def ending(solved):
    return streaks(solved, solved[-1])


def test_a_streak_outlives_two_days_of_a_month_and_no_more():
    assert streaks([], days(1)[0]) == (0, 0)
    assert ending(days(1, 2, 3)) == (3, 3)
    assert ending(days(1, 2, 4, 6)) == (4, 4)
    assert ending(days(1, 2, 4, 6, 8)) == (1, 4)
    assert ending(days(1, 4, 5)) == (3, 3)
    assert ending(days(1, 5)) == (1, 1)
    # December has two, and January two more.
    assert ending(days(29, 32, 35)) == (3, 3)
    assert FREEZES == 2


def test_a_streak_still_runs_while_a_freeze_is_left():
    (first,) = days(1)
    assert streaks(days(1, 2, 3), first + 3) == (3, 3)
    assert streaks(days(1, 2, 3), first + 5) == (3, 3)
    assert streaks(days(1, 2, 3), first + 6) == (0, 3)


def test_the_streak_of_any_days_is_the_one_counted_day_by_day():
    lot = random.Random(7)
    for _ in range(300):
        solved = [day for day in days(*range(1, 80)) if lot.random() < 0.85]
        assert ending(solved) == counted(solved)


def counted(solved):
    """The same by walking over every day, as a second opinion: what saves nothing is not used."""
    streak = longest = 0
    used, missed = [], []
    for day in range(solved[0], solved[-1] + 1) if solved else ():
        at = date.fromordinal(day)
        month = (at.year, at.month)
        if day not in solved:
            missed.append(month)
            continue
        if any((used + missed).count(one) > FREEZES for one in missed):
            streak = 0
        else:
            used += missed
        streak, missed = streak + 1, []
        longest = max(longest, streak)
    return streak, longest


# ------------------------------------------------------------------------------ in a place

BEA = person("Bea")
EVENING = MONDAY.replace(hour=18)


def posts(house, *, where="group"):
    every = house.chat.messages.values()
    return [m for m in every if m.where.place == where and "jugada de hoy" in m.screen.headline]


async def look(house):
    await house.facade.process_duties.daily.look()
    await house.settle()


@pytest.fixture
async def posted(at):
    await at.facade.services.places.choose(at.where, daily="all", day_place="group")
    at.clock.shown = EVENING
    await look(at)
    (message,) = posts(at)
    at.message = message
    return at


async def open_in_place(house, who, message):
    answer = await house.press(who, message, "Resolver")
    assert isinstance(answer, Card)


async def test_a_place_reads_how_many_have_tried_and_at_night_the_solution_and_who_wants_a_name(
    posted,
):
    house, exercise = posted, of_day(posted.clock)
    wrong = next(texts(exercise, good=False))
    await open_in_place(house, ANA, house.message)
    solved = await solve(house, exercise, ANA, house.where)
    await open_in_place(house, BEA, house.message)
    await house.call(BEA, "puzzle", house.where, answer=wrong)
    await look(house)
    (message,) = posts(house)
    assert "2 personas lo han intentado, 1 a la primera." in message.screen.lines
    assert not any("Solución" in line for line in message.screen.lines)
    card = Message("c", house.where, solved.screen, None, card=True)
    await house.press(ANA, card, "Di mi nombre")
    await solve(house, exercise, BEA, house.where)
    house.clock.shown = EVENING.replace(hour=23, minute=1)
    await look(house)
    (message,) = posts(house)
    assert any(line.startswith("Solución: ") for line in message.screen.lines)
    assert "La han resuelto: Ana." in message.screen.lines
    assert "La película" in message.labels
    edits = message.edits
    await look(house)
    assert posts(house)[0].edits == edits


async def test_the_film_of_a_day_that_is_over_costs_no_points(posted):
    posted.clock.shown = EVENING.replace(hour=23, minute=1)
    await look(posted)
    (message,) = posts(posted)
    await posted.facade.services.people.of(BEA)
    await posted.press(BEA, message, "La película")
    assert (await posted.facade.services.puzzles.record(1, "niya")).rating.last is None


async def test_a_place_is_asked_once_and_whoever_manages_it_says_yes_by_one_key(at, monkeypatch):
    store = at.facade.store

    async def some(_, many):
        return (("fake", "group"),)

    monkeypatch.setattr("storage.table.views.places_with_games", some)
    for _ in range(3):
        await look(at)
        at.clock.wait(timedelta(hours=2))
    (offer,) = [m for m in at.chat.messages.values() if "jugada de hoy" in m.screen.headline]
    assert offer.screen.silent
    refused = await at.press(ANA, offer, "Publicarla aquí cada día")
    assert not refused.good
    at.chat.standings[ANA.external, "group"] = PlaceStanding(manages=True)
    assert (await at.press(ANA, offer, "Publicarla aquí cada día")).good
    weekly = await at.press(ANA, offer, "La semana del club")
    assert weekly.good
    assert "cada lunes, a las 18:00 UTC," in weekly.said
    rules = await at.facade.services.places.rules(at.where)
    assert rules.weekly
    assert (rules.daily, rules.day_place) == ("all", "group")
    assert (await store.read(puzzles.load_daily, "fake", "group")).day == 0


async def test_a_place_is_asked_in_the_language_of_its_boards(at, monkeypatch):
    """In an English server, whose locale only presses tell, it was asked in Spanish."""

    async def some(tx, many):
        del tx, many
        return ((at.where.platform, at.where.place),)

    english = replace(at.where, home=Home("server-1", locale="en-US"))
    await at.call(ANA, "play", english, game="niya")
    monkeypatch.setattr("storage.table.views.places_with_games", some)
    at.clock.wait(timedelta(hours=2))
    await look(at)
    (offer,) = [m for m in at.chat.messages.values() if "move of the day" in m.screen.headline]
    assert offer.screen.language == "en"
    # What is chosen for the place goes first.
    assert await at.facade.services.people.language_in(at.where) == "en"
    await at.facade.services.places.speak(at.where, "es")
    assert await at.facade.services.people.language_in(at.where) == "es"
    elsewhere = Where(at.where.platform, "elsewhere")
    assert await at.facade.services.people.language_in(elsewhere) == "es"


async def test_the_question_to_a_place_owes_nothing_once_puzzles_of_its_days_are_tried(
    at, monkeypatch
):
    async def some(tx, many):
        del tx, many
        return ((at.where.platform, at.where.place),)

    await at.call(ANA, "play", game="niya")
    monkeypatch.setattr("storage.table.views.places_with_games", some)
    at.clock.wait(timedelta(hours=2))
    await look(at)
    store, here = at.facade.services.store, (at.where.platform, at.where.place)
    owing = await store.write(stored_views.owe_views_at, DAILY, *here, 4)
    assert len(owing) == 1
    at.facade.services.delivery.show_owed(owing)
    await at.facade.settled()
    assert await store.read(stored_views.owing_views) == ()


async def test_the_places_that_are_asked_have_had_some_games(at):
    assert await at.facade.store.read(places_with_games, 1) == ()


# ------------------------------------------------------------------------------ the daily five


def five_of(clock):
    return [exercises()[code] for code in calendar_day(clock.shown.toordinal()).five.values()]


def five_row(answer):
    lines = answer.screen.lines
    start = next(n for n, line in enumerate(lines) if line.startswith("Ludoteca · los cinco"))
    return lines[start:]


async def pressed(house, answer, label):
    house.clock.shown += timedelta(seconds=1)
    card = Message("c", ALONE, answer.screen, None, card=True)
    return await house.press(ANA, card, label)


@pytest.mark.sampled
async def test_five_of_all_games_are_solved_one_after_the_other_and_make_one_row(at):
    answer = await at.call(ANA, "today", ALONE)
    answer = await solve(at, of_day(at.clock))
    five = five_of(at.clock)
    assert len({one.game.key for one in five}) == 5
    for n, exercise in enumerate(five, 1):
        answer = await pressed(at, answer, "Los cinco" if n == 1 else "Siguiente »")
        assert answer.screen.headline.startswith(f"Los cinco de hoy, {n} de 5 · ")
        if n == 2:
            for _ in range(4):
                wrong = next(texts(exercise, good=False))
                await at.call(ANA, "puzzle", ALONE, answer=wrong)
        answer = await solve(at, exercise)
        assert answer.screen.headline.startswith(f"Los cinco de hoy, {n} de 5 · ")
    number = number_of(at.clock.shown.toordinal())
    assert answer.screen.pasted == five_row(answer)
    assert five_row(answer) == (
        f"Ludoteca · los cinco, n.º {number}",
        "⛵✅ 🃏⬜⬜✅ 🎲✅ 🏯✅ 🌲✅",
        "5 de 5",
    )
    assert "Siguiente »" not in {one.label for row in answer.screen.rows for one in row}
    again = await at.call(ANA, "puzzle", ALONE, game="los-cinco")
    assert five_row(again) == five_row(answer)
    assert not set(five_row(answer)) & set(row_of(await at.call(ANA, "today", ALONE)))


async def test_one_of_five_may_be_left_for_later_or_given_up(at):
    answer = await at.call(ANA, "today", ALONE)
    answer = await pressed(at, answer, "Los cinco")
    first, second, *_ = five_of(at.clock)
    skipped = await pressed(at, answer, "Siguiente »")
    assert skipped.screen.headline.startswith("Los cinco de hoy, 2 de 5 · ")
    await pressed(at, skipped, "Ver la solución")
    answer = await pressed(at, skipped, "Siguiente »")
    assert answer.screen.headline.startswith("Los cinco de hoy, 3 de 5 · ")
    at.clock.shown += timedelta(seconds=1)
    back = await at.call(ANA, "puzzle", ALONE, game="cinco")
    assert back.screen.headline.startswith("Los cinco de hoy, 1 de 5 · ")
    answer = await solve(at, first)
    assert five_row(answer)[1:] == ("⛵✅ 🃏🏳️ 🎲➖ 🏯➖ 🌲➖", "1 de 5")
    assert second.game.key == "niya"


async def test_one_of_five_keeps_the_streak_and_counts_as_a_day(at):
    for days in range(3):
        at.clock.shown = MONDAY + timedelta(days=days)
        await at.call(ANA, "puzzle", ALONE, game="cinco")
        answer = await solve(at, five_of(at.clock)[0])
    assert five_row(answer)[2] == "1 de 5 · 🔥 3 días seguidos"
    row = await at.facade.store.read(puzzles.load_solver, 1, "")
    assert (row.streak, row.longest) == (3, 3)


async def test_whoever_has_done_the_five_alone_is_still_reminded_of_the_move(at):
    await remembering(at)
    at.clock.shown = MONDAY + timedelta(days=2)
    await at.call(ANA, "puzzle", ALONE, game="cinco")
    await solve(at, five_of(at.clock)[0])
    at.clock.shown = MONDAY + timedelta(days=2, minutes=8)
    await look(at)
    assert len(posts(at, where="id-Ana")) == 1


async def test_a_kill_at_one_of_five_takes_neither_try_nor_day(at, monkeypatch):
    await at.call(ANA, "puzzle", ALONE, game="cinco")
    exercise, service = five_of(at.clock)[0], at.facade.services.puzzles

    async def killed(*_, **__):
        raise RuntimeError("killed")

    for step in ("_rate", "_keep_streak"):
        with monkeypatch.context() as patched:
            patched.setattr(service, step, killed, raising=True)
            with pytest.raises(RuntimeError):
                await service.count_solved(1, exercise)
        (tried,) = await at.facade.store.read(puzzles.daily_tries_of, 1)
        assert (tried.signs, tried.on_day) == ("", False)
        assert await at.facade.store.read(puzzles.load_solver, 1, "") is None
    assert five_row(await solve(at, exercise))[1].startswith("⛵✅ ")


# ------------------------------------------------------------------------------ a reminder


async def remembering(at):
    """Ana has solved two days and asks to be reminded; the last answer."""
    answer = None
    for days in range(2):
        at.clock.shown = MONDAY + timedelta(days=days, minutes=7)
        await at.call(ANA, "today", ALONE)
        answer = await solve(at, of_day(at.clock))
        labels = {button.label for row in answer.screen.rows for button in row}
        assert ("Recuérdamelo a esta hora" in labels) == (days == 1)
    card = Message("c", ALONE, answer.screen, None, card=True)
    return await at.press(ANA, card, "Recuérdamelo a esta hora")


async def test_a_reminder_comes_at_its_minute_and_ends_after_three_unanswered(at):
    said = await remembering(at)
    assert "12:07" in said.said
    seen = []
    for halves in range(8 * 24 * 2):
        at.clock.shown = MONDAY + timedelta(days=1, minutes=7 + 30 * halves)
        before = len(posts(at, where="id-Ana"))
        await look(at)
        fresh = posts(at, where="id-Ana")[before:]
        seen += [(at.clock.shown, one) for one in fresh]
    assert [when for when, _ in seen] == [
        MONDAY + timedelta(days=d, minutes=7) for d in (2, 3, 4, 5)
    ]
    assert all(one.screen.silent for _, one in seen)
    assert "Llevas tres días" in seen[-1][1].screen.headline
    assert "No me lo recuerdes más" in seen[0][1].labels
    assert not (await at.facade.services.places.rules(ALONE)).daily


async def test_nobody_is_reminded_of_what_is_solved_and_an_opened_one_counts_as_answered(at):
    await remembering(at)
    for days in range(2, 12):
        at.clock.shown = MONDAY + timedelta(days=days)
        shown = await at.call(ANA, "today", ALONE)
        if days % 2:
            await solve(at, of_day(at.clock))
        assert shown
        at.clock.shown = MONDAY + timedelta(days=days, minutes=8)
        await look(at)
    assert len(posts(at, where="id-Ana")) == 5
    assert (await at.facade.services.places.rules(ALONE)).daily == "all"


async def test_a_reminder_goes_away_by_a_key_of_its_own(at):
    await remembering(at)
    at.clock.shown = MONDAY + timedelta(days=2, minutes=8)
    await look(at)
    (message,) = posts(at, where="id-Ana")
    there = Message(message.id, ALONE, message.screen, None, card=True)
    await at.press(ANA, there, "No me lo recuerdes más")
    at.clock.shown = MONDAY + timedelta(days=3, minutes=8)
    await look(at)
    assert len(posts(at, where="id-Ana")) == 1


async def test_a_reminder_goes_on_for_whom_two_people_were_and_ends_with_who_is_forgotten(at):
    await remembering(at)
    same = replace(ANA, platform="other", external="id-there")
    await at.facade.services.people.of(same)
    await at.facade.requests.join(same, ANA)
    assert (await at.facade.services.people.of(ANA)).id == 2
    at.clock.shown = MONDAY + timedelta(days=2, minutes=7)
    await at.call(ANA, "today", ALONE)
    await solve(at, of_day(at.clock))
    await look(at)
    assert len(posts(at, where="id-Ana")) == 0  # it is solved
    at.clock.shown = MONDAY + timedelta(days=3, minutes=7)
    await look(at)
    assert len(posts(at, where="id-Ana")) == 1
    dm = Where("fake", "channel-of-two", private=True)
    await at.facade.services.daily_moves.remind(dm, 2, "es")
    await at.facade.store.write(erase_person_data, 2)
    rows = await at.facade.store.read(places_with, "daily")
    assert not any(row.settings["daily"] for row in rows)


# ------------------------------------------------------------------------------ a day alone


async def test_a_day_of_somebody_alone_is_one_key_each(at):
    shelf = await at.call(ANA, "play", ALONE)
    first = [button.label for button in shelf.screen.rows[0]]
    assert first == ["La jugada de hoy"]
    card = at.card(shelf, ALONE)
    assert isinstance(await at.press(ANA, card, "La jugada de hoy"), MenuAnswer | Card)
    public = await at.call(ANA, "play", at.where)
    assert "La jugada de hoy" not in [b.label for row in public.screen.rows for b in row]


@pytest.mark.parametrize(("mine", "theirs", "level"), [(1, 2, 3), (2, 1, 1), (1, 1, 2)])
async def test_a_game_at_ones_strength_is_one_level_above_a_win_and_one_below_a_loss(
    at, monkeypatch, mine, theirs, level
):
    async def last(*_):
        return ("niya", 2, mine, theirs)

    monkeypatch.setattr("storage.table.games.latest_against_computer", last)
    shelf = await at.call(ANA, "play", ALONE)
    card = at.card(shelf, ALONE)
    await at.press(ANA, card, "Niya a tu nivel")
    (line,) = await at.facade.services.tables.list_lines(("playing",), person=1)
    table = await at.facade.services.tables.get(line.code)
    assert [one.level for one in table.players if one.person is None] == [level]


async def test_the_last_game_against_a_computer_is_found_in_what_is_stored(at):
    await at.call(ANA, "play", ALONE, game="niya", opponent="computer", level="2")
    assert await at.facade.store.read(latest_against_computer, 1) is None
    (line,) = await at.facade.services.tables.list_lines(("playing",), person=1)
    await at.surely(ANA, "resign", ALONE)
    assert line.game == "niya"
    assert await at.facade.store.read(latest_against_computer, 1) == ("niya", 2, 2, 1)


@pytest.mark.parametrize("many", [8, pytest.param(200, marks=pytest.mark.slow)])
async def test_many_places_have_the_same_one_at_the_same_time_each_once(at, many):
    names = {f"place{number}" for number in range(many)}
    for name in sorted(names):
        rules = PlaceRules(daily="all", day_place=name)
        await at.facade.services.places.choose(Where("fake", name), lambda _, one=rules: one)
    at.clock.shown = EVENING
    await look(at)
    await look(at)
    shown = [m for m in at.chat.messages.values() if "jugada de hoy" in m.screen.headline]
    assert {one.where.place for one in shown} == names
    assert len(shown) == at.chat.calls == many
    assert len({one.screen.headline for one in shown}) == 1


async def test_a_kill_between_the_claim_and_the_view_takes_neither(at, monkeypatch):
    await at.facade.services.places.choose(at.where, daily="all", day_place="group")
    at.clock.shown = EVENING

    async def killed(*_):
        raise RuntimeError("killed")

    with monkeypatch.context() as patched:
        patched.setattr("storage.table.views.put_view", killed)
        with pytest.raises(RuntimeError):
            await look(at)
    assert await at.facade.store.read(puzzles.load_daily, "fake", "group") is None
    await look(at)
    assert len(posts(at)) == 1


async def test_a_kill_between_a_try_and_its_rating_takes_neither(at, monkeypatch):
    exercise = of_day(at.clock)
    await at.call(ANA, "today", ALONE)
    service, wrong = at.facade.services.puzzles, next(texts(exercise, good=False))

    async def killed(*_, **__):
        raise RuntimeError("killed")

    with monkeypatch.context() as patched:
        patched.setattr(service, "_rate", killed, raising=True)
        with pytest.raises(RuntimeError):
            await service.count_missed(1, exercise, "w")
    (tried,) = await at.facade.store.read(puzzles.daily_tries_of, 1)
    assert tried.signs == ""
    await at.call(ANA, "puzzle", ALONE, answer=wrong)
    (tried,) = await at.facade.store.read(puzzles.daily_tries_of, 1)
    assert tried.signs == "w"


async def test_what_is_typed_behind_the_command_answers_it(at):
    exercise = of_day(at.clock)
    wrong = next(texts(exercise, good=False))
    missed = await at.call(ANA, "today", answer=wrong)
    assert any("No es" in line or "no era" in line for line in missed.screen.lines), missed
    text = next(texts(exercise, good=True))
    told = await at.call(ANA, "today", answer=text)
    assert missed.screen.lines != told.screen.lines
