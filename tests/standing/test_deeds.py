"""What is done besides rated games is told on the profile, leads on, and is worth its medals."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.port import Card, Where
from bot.presenters.club.ladder_and_profile_screens import StandingScreens
from bot.presenters.club.standing_pictures import medal_collection
from bot.session.exercise_catalogue import steps_of_course
from bot.standing.medals import (
    CHAMPION,
    COUNTED,
    COURSE,
    ENTRANT,
    TEN,
    Deeds,
    Goal,
    Medal,
    metal_of,
    next_goal,
)
from storage.club import medals
from storage.records import AttemptRow, DailyTryRow, MedalRow, MistakeRow, SolverRow
from storage.school import attempts, mistakes, puzzles
from tests.fakes import desk
from tests.standing.simulated import Hall
from tests.standing.test_ladder import PNG, asker, pressed
from tests.tournament.evening import entered, opened

NIYA = "niya"


@pytest.fixture
async def hall(tmp_path, clock):
    async with desk(tmp_path, clock=clock) as at:
        found = Hall(at)
        await found.invite(3)
        yield found


async def solve(hall: Hall, who: int, exercise: str, step: str = "") -> None:
    store, now = hall.at.facade.store, hall.at.facade.services.clock.now()
    row = AttemptRow(who, exercise, NIYA, step, 0, 0, now)
    await store.write(attempts.begin_attempt, row)
    await store.write(attempts.solve_attempt, who, exercise, now)


async def do(hall: Hall, who: int, deed: str, many: int) -> None:
    """Let *who* have done so many of what ``Deeds`` calls *deed*."""
    store, now = hall.at.facade.store, hall.at.facade.services.clock.now()
    if deed == "days":
        row = SolverRow(who, "", 25.0, 8.0, now, many, many, now.toordinal())
        await store.write(puzzles.put_solver, row)
        for day in range(now.toordinal() - many + 1, now.toordinal() + 1):
            await store.write(
                puzzles.note_daily_try, DailyTryRow(who, day, "P", signs="s", on_day=True)
            )
    for n in range(many):
        if deed == "solved":
            await solve(hall, who, f"P{n}")
        elif deed == "mended":
            kept = MistakeRow(who, f"M{n}", NIYA, {}, now, now.toordinal() + 7)
            await store.write(mistakes.put_mistake, kept)
            day = now.toordinal()
            kept = MistakeRow(who, f"M{n}", NIYA, {}, now, day + 7, day, 8.0)
            await store.write(mistakes.schedule_mistake, kept)


async def given(hall: Hall, who: int) -> set[Medal]:
    rows = await hall.at.facade.store.read(medals.medals_of, person=who)
    return {Medal(row.key, row.pool) for row in rows}


async def profile(hall: Hall, who: int = 0) -> Card:
    card = await hall.at.call(asker(who), "profile")
    assert isinstance(card, Card)
    return card


@pytest.mark.parametrize("key", sorted(COUNTED))
async def test_each_counted_medal_asks_for_its_deed_and_for_all_of_it(hall, key):
    who, (deed, many) = hall.people[0].id, COUNTED[key]
    await do(hall, who, deed, many - 1)
    await profile(hall)
    assert Medal(key) not in await given(hall, who)
    await do(hall, who, deed, many)
    card = await profile(hall)
    assert Medal(key) in await given(hall, who)
    assert card.picture is not None
    assert await given(hall, hall.people[1].id) == set()


async def test_a_course_is_worth_a_medal_with_its_last_step(hall):
    who, steps = hall.people[0].id, steps_of_course(NIYA)
    for one in steps[:-1]:
        await solve(hall, who, one.code, one.lesson.key)
    assert "Primeros pasos" not in (await profile(hall)).screen.alt
    await solve(hall, who, steps[-1].code, steps[-1].lesson.key)
    card = await profile(hall)
    assert await given(hall, who) == {Medal(COURSE, NIYA)}
    assert "Primeros pasos: Niya." in card.screen.lines
    assert "Terminó los primeros pasos de Niya." in card.screen.alt


@pytest.mark.slow
async def test_a_tournament_is_worth_one_to_all_who_played_it_and_one_to_its_winner(hall, clock):
    choices = (("format", "robin"), ("clock", "5m+5s"))
    evening = await entered(await opened(hall.at, clock, *choices), 4)
    await evening.press(evening.manager, "begin")
    await evening.look()
    tournament = await evening.play_out()
    assert tournament.why == "done"
    found = {one.number: await given(hall, one.person) for one in tournament.entrants}
    assert all(Medal(ENTRANT) in one for one in found.values())
    champions = [n for n, one in found.items() if Medal(CHAMPION) in one]
    assert len(champions) <= 1


async def test_nine_days_of_a_lone_user_are_told_and_lead_on(hall, clock):
    who = hall.people[0].id
    empty = await profile(hall)
    assert empty.screen.headline.startswith("Todavía no has acabado aquí")
    await do(hall, who, "solved", 8)
    await do(hall, who, "days", 5)
    await do(hall, who, "mended", 2)
    card = await profile(hall)
    assert card.screen.headline == "Person 0"
    assert card.screen.lines == (
        "8 problemas resueltos.",
        "5 días seguidos con la jugada de hoy.",
        "2 errores corregidos.",
        "Próxima medalla: Diez problemas, 8 de 10.",
    )
    today = await pressed(hall, card, "La jugada de hoy")
    assert today.picture.startswith(PNG)
    clock.wait(timedelta(days=2))
    assert "5 días seguidos con la jugada de hoy." in (await profile(hall)).screen.lines, "a freeze"
    clock.wait(timedelta(days=2))
    later = (await profile(hall)).screen.lines
    assert "Récord: 5 días seguidos." in later
    assert not any("con la jugada" in one for one in later), "the streak is over"
    others = await hall.at.call(asker(1), "profile", person=asker(0))
    assert "resueltos" not in others.screen.alt, "what is done alone is one's own"


async def test_medals_are_a_picture_of_their_own_by_one_key(hall, clock):
    who = hall.people[0].id
    await do(hall, who, "solved", 10)
    await do(hall, who, "days", 8)
    shown = await pressed(hall, await profile(hall), "2 medallas")
    assert shown.picture.startswith(PNG)
    assert shown.screen.headline == "Person 0"
    assert "Diez problemas" in shown.screen.alt
    assert "% del club" in shown.screen.alt
    found = await hall.at.facade.services.ladders.person(who, None)
    drawn = medal_collection(StandingScreens("es", b""), "Person 0", found)
    metals = [one.face.metal for one in drawn.lines if not one.done]
    assert metals == [metal_of(one.share) for one in sorted(found.medals, key=lambda m: m.share)]
    for one, said in zip(drawn.lines, shown.screen.alt.splitlines(), strict=False):
        assert one.facts.split(" · ")[0] in said
    for label in ("Diez problemas", "Una semana entera"):
        card = await pressed(hall, shown, label)
        assert card.picture.startswith(PNG)
        assert len(card.picture) <= 80 * 1024
        assert label in card.screen.alt
        assert len(card.screen.alt.splitlines()) == 1
    assert card.picture != shown.picture
    again = await pressed(hall, card, "Mi perfil")
    assert "2 medallas" in [key.label for row in again.screen.rows for key in row]


def test_the_nearest_goal_is_the_one_of_which_most_is_done():
    deeds = Deeds(solved=8, days=5)
    assert next_goal(deeds, {NIYA: 9}, ()) == Goal(Medal(TEN, NIYA), 9, 10)
    assert next_goal(deeds, {NIYA: 9}, [Medal(TEN, NIYA)]) == Goal(Medal("puzzles"), 8, 10)
    assert next_goal(Deeds(), {}, ()) is None


def test_a_metal_is_by_how_rare_a_medal_is():
    shares = (0.01, 0.05, 0.06, 0.15, 0.16, 1)
    metals = ["gold", "gold", "silver", "silver", "bronze", "bronze"]
    assert [metal_of(one) for one in shares] == metals


async def test_a_medal_says_metal_day_and_how_rare_it_is_and_who_has_it_here(hall):
    await hall.invite(37)
    at = hall.at.facade.services.clock.now()
    here = {"where": [[hall.at.where.platform, hall.at.where.place]]}
    rows = [MedalRow(one.id, "first-win", "", at, None, here) for one in hall.people]
    rows += [MedalRow(hall.people[0].id, "shogi.feat.drop", "shogi", at, None, here)]
    rows += [MedalRow(hall.people[n].id, "streak", NIYA, at, None, here) for n in (0, 1)]
    rows += [MedalRow(hall.people[2].id, "streak", NIYA, at, None, {"where": [["fake", "x"]]})]
    await hall.at.facade.store.write(medals.give_medals, rows)
    lines = (await profile(hall)).screen.alt.splitlines()
    (drop,) = [one for one in lines if "Mate caído del cielo" in one]
    assert "· oro, Shogi, 22 nov 2026, 2 % del club." in drop
    (streak,) = [one for one in lines if "Cinco seguidas" in one]
    assert "plata, Niya" in streak
    assert "8 % del club" in streak
    assert streak.endswith("También la tienen: Person 1."), "who was given it elsewhere is not told"
    (first,) = [one for one in lines if "Primera victoria" in one]
    assert "bronce" in first
    assert first.count("Person") == 3
    alone = await hall.at.call(asker(0), "profile", Where("fake", "id-0", private=True))
    assert "Person 1" not in alone.screen.alt
    english = await hall.at.call(asker(0, "en"), "profile")
    assert "· gold, Shogi, Nov 22, 2026, 2% of the club." in english.screen.alt
