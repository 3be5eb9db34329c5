"""Ladder, profile and meetings: who stands where, who sees it, by command and by button."""

from __future__ import annotations

from datetime import timedelta

import pytest
from babel.dates import format_date

from bot.port import Asker, Card, Press, Where
from bot.presenters.club.ladder_and_profile_screens import drawn_name
from bot.service.club.rating_check import rebuild
from bot.session.preferences import Personal
from bot.standing.rating import SCALE, SURE, Rating
from storage.club import ratings
from tests.fakes import desk, person
from tests.standing.simulated import Hall
from tests.standing.test_counting import sql

PNG = b"\x89PNG"


async def tallies_here(tx):
    return [row for row in await ratings.all_tallies(tx) if row.platform]


def asker(number: int, language: str = "es") -> Asker:
    """The person of this number in the hall, as their chat names them."""
    return Asker("fake", f"id-{number}", f"Person {number}", language, handle=f"p{number}")


@pytest.fixture
async def hall(tmp_path, clock):
    async with desk(tmp_path, clock=clock) as at:
        yield Hall(at)


async def season(hall: Hall, count: int = 3, rounds: int = 1) -> list[int]:
    """Everybody beats everybody who came after them, so many times."""
    people = [one.id for one in await hall.invite(count)]
    for _ in range(rounds):
        for n, better in enumerate(people):
            for worse in people[n + 1 :]:
                await hall.end(await hall.seat("niya", (better, worse)), [[better], [worse]])
    return people


async def surely_known(hall: Hall) -> None:
    """Let nobody's rating be provisional any more."""
    for table in ("rating", "tally"):
        await sql(hall, f"update {table} set sigma = {SURE / SCALE - 0.1}")


async def top(hall: Hall, who: int = 0, where: Where | None = None, language: str = "es", **of):
    answer = await hall.at.call(asker(who, language), "top", where, **{"game": "niya", **of})
    assert isinstance(answer, Card), answer
    return answer


def button(card: Card, label: str):
    found = [b for row in card.screen.rows for b in row if b.label == label]
    assert found, [b.label for row in card.screen.rows for b in row]
    return found[0]


async def pressed(hall: Hall, card: Card, label: str, who: int = 0):
    message = hall.at.card(card)
    return await hall.at.press(asker(who), message, code=button(card, label).code)


async def season_again(hall: Hall) -> None:
    better, worse = [one.id for one in hall.people][:2]
    await hall.end(await hall.seat("niya", (better, worse)), [[better], [worse]])


async def test_the_ladder_of_a_place_has_those_who_have_played_there_the_best_first(hall, clock):
    await season(hall)
    await surely_known(hall)
    card = await top(hall)
    assert card.screen.headline == "Clasificación de Niya · este sitio"
    assert card.picture.startswith(PNG)
    lines = card.screen.alt.splitlines()
    assert [line.split(":")[0] for line in lines] == ["1. Person 0", "2. Person 1", "3. Person 2"]
    assert lines[0].endswith("2–0–0")
    assert "(debuta)" in lines[0]
    clock.wait(timedelta(days=31))
    await season_again(hall)
    lines = (await top(hall)).screen.alt.splitlines()
    assert "(+" in lines[0]


async def test_all_places_say_who_stands_there_where_this_place_has_people(hall):
    await season(hall)
    card = await top(hall)
    assert card.screen.alt
    assert "todos los sitios" not in " ".join(card.screen.lines)
    everywhere = await pressed(hall, card, "Todos los sitios", who=9)
    assert not everywhere.screen.alt
    assert everywhere.screen.lines == (
        "Aquí solo está quien deja ver sus puntos en todos los sitios: se elige en los ajustes.",
    )
    labels = [one.label for row in everywhere.screen.rows for one in row]
    assert "Ajustes" in labels
    assert "Todavía nadie ha acabado" in (await top(hall, game="shogi")).screen.lines[0]


async def test_everybody_has_a_place_from_their_first_game_and_luck_does_not_float(hall):
    people = await season(hall)
    await surely_known(hall)
    new = (await hall.invite(1))[0].id
    await hall.end(await hall.seat("niya", (new, people[0])), [[new], [people[0]]])
    card = await top(hall, who=3)
    own = next(line for line in card.screen.alt.splitlines() if "Person 3" in line)
    known = {r.person: r for r in await hall.at.facade.store.read(tallies_here)}
    assert known[new].mu > known[people[1]].mu, "one lucky win"
    assert not own.startswith("1. ")
    assert own.endswith("1–0–0, aún sin fijar")
    numbers = [line.split(".")[0] for line in card.screen.alt.splitlines()]
    assert numbers == ["1", "2", "3", "4"]
    assert card.screen.lines[0].startswith(f"Tú, {own[0]}.º de 4: fuerza ")
    assert "menos un margen" in card.screen.lines[1]
    english = await top(hall, who=3, language="en")
    assert english.screen.lines[0].startswith(f"You, {own[0]} of 4: strength ")
    assert "less a margin" in english.screen.lines[1]


async def test_no_rating_stands_on_a_ladder(hall):
    await season(hall)
    card = await top(hall)
    for row in await hall.at.facade.store.read(tallies_here):
        known = Rating(row.mu, row.sigma)
        assert str(known.shown) not in card.screen.alt
        assert str(known.strength) in card.screen.alt


async def test_who_is_equally_strong_shares_a_place(hall):
    ana, bo, cy = [one.id for one in await hall.invite(3)]
    await hall.end(await hall.seat("niya", (ana, bo, cy)[:2]), [[ana, bo]])
    await hall.end(await hall.seat("niya", (cy, ana)), [[cy], [ana]])
    await sql(hall, "update tally set mu = 25, sigma = 3")
    lines = (await top(hall, who=2)).screen
    assert [one.split(":")[0] for one in lines.alt.splitlines()] == [
        "1. Person 0",
        "1. Person 1",
        "1. Person 2",
    ]
    assert lines.lines[0].startswith("Tú, 1.º de 3")


async def test_the_game_played_most_here_comes_first(hall):
    ana, bo, cy, di = [one.id for one in await hall.invite(4)]
    await hall.end(await hall.seat("parchis", (ana, bo, cy, di)), [[ana], [bo], [cy], [di]])
    for _ in range(2):
        await hall.end(await hall.seat("shogi", (ana, bo)), [[ana], [bo]])
    card = await hall.at.call(asker(0), "top")
    assert card.screen.headline.startswith("Clasificación de Shogi")
    assert card.screen.rows[0][0].label == "Parchís", "one game of four is one game"


@pytest.mark.slow
async def test_who_has_not_played_for_ninety_days_stands_below_a_line_and_a_page_has_ten(
    hall, clock
):
    people = await season(hall, 12)
    await surely_known(hall)
    card = await top(hall, who=11)
    assert len(card.screen.alt.splitlines()) == 10
    assert card.screen.lines[0].startswith("Tú, 12.º de 12: ")
    second = await pressed(hall, card, "Siguientes ▶", who=11)
    assert len(second.screen.alt.splitlines()) == 2
    day = format_date(clock.shown.date(), "medium", "es")
    clock.wait(timedelta(days=91))
    await hall.end(await hall.seat("niya", people[10:]), [[people[11]], [people[10]]])
    lines = (await top(hall)).screen.alt.splitlines()
    assert lines[0].startswith("1. Person 11") or lines[0].startswith("1. Person 10")
    assert lines[2].startswith("– Person 0: ")
    assert f"({day})" in lines[2]
    assert (await top(hall)).screen.lines[0].startswith("Tú: fuerza ")


@pytest.mark.slow
async def test_this_month_is_another_ladder(hall, clock):
    await season(hall)
    clock.wait(timedelta(days=20))
    card = await pressed(hall, await top(hall), "Este mes")
    assert card.screen.headline.endswith("este mes")
    assert card.screen.alt == ""
    assert (await pressed(hall, card, "Tres meses")).screen.alt


@pytest.mark.slow
async def test_in_all_places_stand_only_those_who_want_to_be_seen(hall):
    people = await season(hall)
    await surely_known(hall)
    card = await pressed(hall, await top(hall), "Todos los sitios")
    assert card.screen.alt == ""
    services = hall.at.facade.services
    chosen = Personal(seen_everywhere=True)
    await services.people.choose(people[1], lambda _: chosen)
    await services.ratings.show(people[1], chosen)
    card = await pressed(hall, await top(hall), "Todos los sitios")
    assert [line.split(":")[0] for line in card.screen.alt.splitlines()] == ["1. Person 1"]


async def test_who_wants_no_ladder_stands_on_none_and_sees_their_own_line(hall):
    people = await season(hall)
    await surely_known(hall)
    chosen = Personal(off_ladders=True)
    await hall.at.facade.services.people.choose(people[0], lambda _: chosen)
    await hall.at.facade.services.ratings.show(people[0], chosen)
    assert "Person 0" not in (await top(hall, who=1)).screen.alt
    assert (await top(hall)).screen.lines[0].startswith("Tú: fuerza ")
    answer = await hall.at.call(asker(1), "profile", person=asker(0))
    assert answer.said == "Aquí no se puede ver cómo va Person 0."


async def test_another_place_sees_nothing_of_this_one(hall):
    await season(hall)
    elsewhere = Where("fake", "another-group")
    assert (await top(hall, where=elsewhere)).screen.alt == ""
    answer = await hall.at.call(asker(1), "profile", elsewhere, person=asker(0))
    assert answer.screen.headline.startswith("Person 0 todavía no ha acabado aquí")


async def test_a_place_without_a_ladder_says_so(hall):
    await hall.at.facade.services.places.choose(hall.at.where, ladder=False)
    await hall.invite(1)
    answer = await hall.at.call(asker(0), "top", game="niya")
    assert answer.said == "En este sitio no hay clasificación."


@pytest.mark.slow
async def test_a_profile_tells_ratings_streak_and_opponents(hall):
    people = await season(hall, 3, rounds=2)
    card = await hall.at.call(asker(0), "profile")
    assert "más" not in card.screen.alt, "nobody is the one whom they met most"
    await hall.end(await hall.seat("niya", people[:2]), [[people[0]], [people[1]]])
    card = await hall.at.call(asker(0), "profile")
    assert card.picture.startswith(PNG)
    assert "5–0–0" in card.screen.alt
    assert "5 victorias seguidas." in card.screen.alt
    said = await pressed(hall, card, "En palabras")
    assert said.said.splitlines()[0] == "Person 0"
    assert "A quien más gana: Person 1 (3)." in said.said
    card = await hall.at.call(asker(2), "profile", person=asker(0))
    assert "5–0–0" in card.screen.alt


async def test_a_profile_tells_of_opponents_who_were_joined_to_somebody_else_since(hall):
    people = await season(hall, 2, rounds=2)
    other = Asker("other", "id-9", "Otra", "es")
    await hall.at.call(other, "games", Where("other", "id-9", private=True))
    kept = await hall.at.facade.services.people.of(other)
    async with hall.at.facade.store.transaction() as tx:
        await hall.at.facade.services.people.join(tx, kept.id, people[1])
    card = await hall.at.call(asker(0), "profile")
    assert "Rival más habitual: Otra (2)." in card.screen.alt


@pytest.mark.slow
async def test_versus_tells_what_two_have_played_against_each_other(hall):
    await season(hall, 3, rounds=2)
    card = await hall.at.call(asker(2), "versus", person=asker(0))
    assert card.screen.headline == "Person 2 contra Person 0"
    assert card.screen.lines[0].startswith("Niya: ganadas, tablas y perdidas, 0–0–2.")
    alone = await hall.at.call(asker(2), "versus")
    assert alone.screen.headline.startswith("¿Contra quién?")
    again = await pressed(hall, alone, "Person 0", who=2)
    assert again.screen.headline == "Person 2 contra Person 0"
    stranger = await hall.at.call(asker(2), "versus", person="@nobody")
    assert stranger.said.startswith("No conozco a nadie que se llame «@nobody».")


async def test_the_profile_of_another_and_what_two_have_played_lead_to_a_challenge(hall):
    await hall.invite(2)
    for name in ("profile", "versus"):
        card = await hall.at.call(asker(0), name, person=asker(1))
        asked = await pressed(hall, card, "Retar a Person 1")
        assert asked.screen.headline == "¿A qué retas a Person 1?"
    own = await hall.at.call(asker(0), "profile")
    assert "Retar a Person 0" not in [one.label for row in own.screen.rows for one in row]


async def test_whom_one_is_compared_with_is_picked_from_a_list(hall):
    await hall.invite(2)
    asked = await hall.at.call(asker(0), "versus")
    (people,) = asked.screen.choices
    press = Press("compared", hall.at.where, asker(0), people.person, person=asker(1))
    found = await hall.at.facade.requests.press(press)
    assert found.screen.headline.startswith("Entre Person 0 y Person 1 todavía no ha terminado")


async def test_the_ended_board_leads_to_the_ladder_and_everybody_gets_an_own_card(hall):
    people = await season(hall, 2)
    ended = await hall.end(await hall.seat("niya", people), [[people[0]], [people[1]]])
    await hall.at.settle()
    board = hall.at.chat.board(ended.code)
    before = board.screen
    card = await hall.at.press(person("Eva"), board, "Clasificación")
    assert isinstance(card, Card)
    assert "Person 0" in card.screen.alt
    assert hall.at.chat.board(ended.code).screen == before


@pytest.mark.slow
async def test_nobody_is_called_by_any_of_it(hall):
    await season(hall)
    await hall.at.settle()
    before = len(hall.at.chat.pings)
    await top(hall)
    await hall.at.call(asker(0), "profile", person=asker(1))
    assert len(hall.at.chat.pings) == before


@pytest.mark.slow
async def test_it_is_told_in_english_as_well(hall):
    await season(hall)
    card = await top(hall, language="en")
    assert card.screen.headline == "Niya ladder · this place"
    assert button(card, "All places")


async def test_who_is_banned_is_on_no_ladder_and_back_in_their_place_when_let_in(hall):
    people = await season(hall, 5)
    await surely_known(hall)
    await hall.at.facade.services.people.choose(people[0], seen_everywhere=True)
    await hall.at.facade.services.ratings.show(people[0], Personal(seen_everywhere=True))
    alone = Where("fake", "id-4", private=True)
    before = (await top(hall, who=4)).screen.alt
    assert before.startswith("1. Person 0")
    assert "Person 0" in (await top(hall, 4, alone)).screen.alt
    await hall.at.facade.operator.ban("fake", "id-0")
    refused = await hall.at.call(asker(4), "profile", person=asker(0))
    assert refused.said == "Aquí no se puede ver cómo va Person 0."
    card = await top(hall, who=4)
    names = [line.split(":")[0] for line in card.screen.alt.splitlines()]
    assert names == ["1. Person 1", "2. Person 2", "3. Person 3", "4. Person 4"]
    assert "Person 0" not in (await top(hall, 4, alone)).screen.alt
    # What is reckoned anew meanwhile brings nobody back.
    await hall.end(await hall.seat("niya", people[1:3]), [[people[1]], [people[2]]])
    async with hall.at.facade.store.transaction() as tx:
        await rebuild(tx)
    assert "Person 0" not in (await top(hall, who=4)).screen.alt
    await hall.at.facade.operator.unban("fake", "id-0")
    assert "Person 0" in (await top(hall, who=4)).screen.alt


async def test_a_name_without_glyphs_stands_on_pictures_as_dots_and_whole_in_the_words(hall):
    await season(hall, 2)
    name = "გიორგი"  # no typeface of ours is Georgian
    await hall.at.facade.services.people.of(Asker("fake", "id-0", name, "es", handle="p0"))
    card = await top(hall, who=1)
    assert name in card.screen.alt
    assert [drawn_name(one) for one in (name, "Ana", "山田")] == ["...", "Ana", "山田"]
