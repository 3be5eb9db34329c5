"""Order in a place: who is kept out of its tables, which games are taken out, who is banned."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.app.ban_commands import EmptyHouse, StillPlays, ban_person
from bot.app.operator_acts import ACTS
from bot.app.output import UnknownPerson
from bot.facade import RatingCheck
from bot.notify.recipients import Reason
from bot.port import Asker, Card, Command, MenuAnswer, PlaceStanding, Where
from bot.session.table import CLOSED, PLAYING
from storage import tournaments
from storage.club import ratings
from storage.person import bars, personal_data
from storage.records import EPOCH, EntrantRow, TournamentRow
from storage.table import notifications
from tests.fakes import desk, person
from tests.standing.simulated import Hall
from tests.standing.test_ladder import asker

MARTA = person("Marta")
ALONE = Where("fake", "id-0", private=True)


@pytest.fixture
async def hall(tmp_path, clock):
    async with desk(tmp_path, clock=clock) as at:
        at.chat.standings[MARTA.external, at.where.place] = PlaceStanding(manages=True)
        yield Hall(at)


async def page(hall: Hall, *labels: str, who: Asker = MARTA):
    """What a manager sees after the settings of the place were opened and *labels* pressed."""
    answer = await hall.at.call(who, "settings", place="here", whispered="yes")
    for label in ("Ajustes de este sitio »", *labels):
        assert isinstance(answer, Card | MenuAnswer), answer
        answer = await hall.at.press(who, hall.at.card(answer), label)
    return answer


async def barred(hall: Hall, name: str = "Person 0"):
    return await page(hall, "Personas »", name, f"Apartar a {name}")


def labels(answer) -> list[str]:
    return [one.label for row in answer.screen.rows for one in row]


# ------------------------------------------------------------------------------ kept out


async def test_who_is_kept_out_is_told_in_one_sentence_and_let_in_again(hall):
    ana, bo = [one.id for one in await hall.invite(2)]
    await hall.seat("niya", (ana, bo))
    done = await barred(hall)
    assert done.screen.headline == "Person 0 ya no puede jugar en las mesas de este sitio."
    for act, values in (("play", {"game": "niya"}), ("top", {}), ("games", {})):
        refused = await hall.at.call(asker(0), act, **values)
        assert (refused.good, refused.said) == (
            False,
            "Quien administra no te deja jugar en estas mesas.",
        )
    assert (await hall.at.call(asker(0), "privacy")).good
    assert isinstance(await hall.at.call(asker(0), "play", ALONE), Card)
    assert (await hall.at.call(asker(1), "play", game="cirya")).good
    again = await page(hall, "Personas »", "Sin permiso para jugar: 1", "Dejar volver a Person 0")
    assert again.screen.headline == "Person 0 puede volver a jugar aquí."
    assert (await hall.at.call(asker(0), "play", game="niya")).good
    assert "Sin permiso para jugar: 1" not in labels(await page(hall, "Personas »"))


@pytest.mark.slow
async def test_at_tables_of_the_place_they_are_missed_and_the_others_may_win(hall):
    ana, bo = [one.id for one in await hall.invite(2)]
    table = await hall.seat("niya", (ana, bo))
    await hall.open(table)
    await barred(hall)
    table = await hall.at.facade.services.tables.get(table.code)
    assert table.players[table.seat_of(ana)].absence is not None
    called = await hall.at.facade.store.read(notifications.notifications_of_game, table.code)
    assert (bo, Reason.MISSED) in {(row.person, row.kind) for row in called}
    # Nor can they play on from elsewhere.
    refused = await hall.at.surely(asker(0), "resign", ALONE, table=table.code)
    assert refused.said == "Quien administra no te deja jugar en estas mesas."
    table = await hall.at.facade.services.tables.get(table.code)
    assert table.missed, "who looks from elsewhere is not back"
    await page(hall, "Personas »", "Sin permiso para jugar: 1", "Dejar volver a Person 0")
    table = await hall.at.facade.services.tables.get(table.code)
    assert not table.missed


async def test_of_a_table_that_waits_they_stand_up_and_nobody_challenges_them_there(hall):
    await hall.invite(2)
    await hall.at.call(asker(0), "play", game="niya")
    (message,) = hall.at.chat.messages.values()
    await barred(hall)
    assert (await hall.at.facade.services.tables.get(message.screen.table)).status == CLOSED
    refused = await hall.at.call(asker(1), "play", game="niya", opponent=asker(0))
    assert refused.said == "Person 0 no puede jugar en las mesas de este sitio."


@pytest.mark.slow
async def test_who_is_forgotten_or_linked_stays_out(hall):
    ana, bo = [one.id for one in await hall.invite(2)]
    await hall.seat("niya", (ana, bo))
    await barred(hall)
    exported = await hall.at.facade.store.read(personal_data.export_person, ana)
    assert [row["at_place"] for row in exported["bar"]] == ["group"]
    await hall.at.facade.operator.forget(ana)
    assert not (await hall.at.call(asker(0), "play", game="niya")).good
    (one,) = await hall.at.facade.services.bars.list_barred(("fake", "group"))
    assert one.external == "id-0"
    other = Asker("other", "id-far", "Far", "es")
    await hall.at.facade.requests.join(asker(0), other)
    await hall.at.facade.store.write(hall.at.facade.services.bars.tell)
    assert await hall.at.facade.services.bars.of(other) == {("fake", "group")}


@pytest.mark.slow
async def test_only_a_manager_sees_these_pages_and_nobody_bars_themselves(hall):
    ana, bo = [one.id for one in await hall.invite(2)]
    await hall.seat("niya", (ana, bo))
    people = hall.at.card(await page(hall, "Personas »"))
    for row in people.screen.rows:
        for button in row:
            refused = await hall.at.press(asker(1), people, code=button.code)
            assert refused.said == "Eso lo decide quien administra.", button.label
    hall.at.chat.standings["id-0", hall.at.where.place] = PlaceStanding(manages=True)
    assert "Person 0" not in labels(await page(hall, "Personas »", who=asker(0)))
    sure = hall.at.card(await page(hall, "Personas »", "Person 0"))
    refused = await hall.at.press(asker(0), sure, "Apartar a Person 0")
    assert refused.said == "A ti no te puedes apartar."


# ------------------------------------------------------------------------------ taken out


async def ended(hall: Hall) -> tuple[int, int, str]:
    ana, bo = [one.id for one in await hall.invite(2)]
    table = await hall.end(await hall.seat("niya", (ana, bo)), [[ana], [bo]])
    await hall.at.settle()
    return ana, bo, table.code


async def take_out(hall: Hall, code: str):
    way = ("Partidas por puntos »", "Person 0", "Person 1", f"Quitar {code}", f"Quitar {code}")
    return await page(hall, *way)


@pytest.mark.slow
async def test_a_game_is_taken_out_with_the_managers_name_and_both_are_told(hall, clock):
    ana, bo, code = await ended(hall)
    listed = await page(hall, "Partidas por puntos »", "Person 0", "Person 1")
    assert code in listed.screen.lines[0]
    assert "quedó por delante Person 0" in listed.screen.lines[0]
    clock.wait(timedelta(minutes=2))
    done = await take_out(hall, code)
    assert done.screen.headline.startswith(f"La partida {code} ya no cuenta")
    await hall.at.settle()
    store = hall.at.facade.store
    called = {
        row.person: row.kind for row in await store.read(notifications.notifications_of_game, code)
    }
    assert called == {ana: Reason.UNCOUNTED, bo: Reason.UNCOUNTED}
    assert any("Marta, que administra aquí" in one.text for one in hall.at.chat.pings)
    board = hall.at.chat.board(code).screen
    assert "No cuenta para la clasificación: la ha quitado Marta." in board.lines
    async with store.reading() as tx:
        rows = await ratings.journal(tx)
        assert [row.kind for row in rows] == ["game", "correction"]
        me = await hall.at.facade.services.people.of(MARTA)
        assert rows[1].data["by"] == me.id
        assert {row.mu for row in await ratings.all_ratings(tx)} == {25.0}
        assert await ratings.all_tallies(tx) == ()
        assert await RatingCheck().run(tx) == []


async def test_a_game_is_taken_out_once_and_by_nobody_of_another_place(hall):
    _, _, code = await ended(hall)
    way = ("Partidas por puntos »", "Person 0", "Person 1", f"Quitar {code}")
    sure = hall.at.card(await page(hall, *way))
    elsewhere = replace(hall.at.where, place="elsewhere")
    hall.at.chat.standings[MARTA.external, "elsewhere"] = PlaceStanding(manages=True)
    refused = await hall.at.press(MARTA, replace(sure, where=elsewhere), f"Quitar {code}")
    assert refused.said == "Esa partida no cuenta, o no es de este sitio."
    assert isinstance(await hall.at.press(MARTA, sure, f"Quitar {code}"), MenuAnswer)
    refused = await hall.at.press(MARTA, sure, f"Quitar {code}")
    assert refused.said == "Esa partida no cuenta, o no es de este sitio."


# ------------------------------------------------------------------------------ banned


async def test_who_is_banned_is_out_everywhere_but_for_what_the_law_gives(hall):
    ana, bo = [one.id for one in await hall.invite(2)]
    table = await hall.seat("niya", (ana, bo))
    facade = hall.at.facade
    said = await ACTS["ban"](facade.operator, platform="fake", external="id-0")
    assert said.startswith("Banned")
    assert "already" in await ACTS["ban"](facade.operator, platform="fake", external="id-0")
    sentence = "Quien lleva este bot no te deja jugar; solo esa persona puede dejarte volver."
    for where in (None, ALONE):
        for act in ("play", "top", "settings", "help", "link"):
            refused = await hall.at.call(asker(0), act, where)
            assert (refused.good, refused.said) == (False, sentence), act
    for message in list(hall.at.chat.messages.values()):
        for row in message.screen.rows:
            for button in row:
                assert (await hall.at.press(asker(0), message, code=button.code)).said == sentence
    for act in ("privacy", "mydata", "forgetme"):
        assert (await hall.at.call(asker(0), act, ALONE)).good, act
    assert await facade.requests.suggest(_typed(hall), "game", "n") == ()
    assert await facade.requests.offers(asker(0), ALONE, "") == ()
    table = await facade.services.tables.get(table.code)
    assert table.status == PLAYING
    assert table.missed == {table.seat_of(ana)}
    await ACTS["unban"](facade.operator, platform="fake", external="id-0")
    assert (await hall.at.call(asker(0), "board", table=table.code)).good
    assert not (await facade.services.tables.get(table.code)).missed
    with pytest.raises(UnknownPerson):
        await ACTS["unban"](facade.operator, platform="fake", external="id-0")


def _typed(hall: Hall) -> Command:
    return Command("u-typed", hall.at.where, asker(0), "play", {})


async def test_somebody_may_be_banned_whom_nobody_knows_yet(hall):
    await ACTS["ban"](hall.at.facade.operator, platform="fake", external="id-9")
    assert not (await hall.at.call(asker(9), "play", game="niya")).good


async def test_without_a_bot_the_database_alone_bans_whoever_plays_nowhere(hall):
    ana, bo, carla, dani = [one.id for one in await hall.invite(4)]
    await hall.seat("niya", (ana, bo))
    store, now = hall.at.facade.store, EPOCH
    alone, place = EmptyHouse(store), ("fake", "p", None, False)
    cup = TournamentRow("CUPCUP", *place, "running", 1, now, now, None)
    await store.write(tournaments.create_tournament, cup, [])
    await store.write(tournaments.put_entrants, [EntrantRow("CUPCUP", carla, *place)])
    for external in ("id-0", "id-2"):
        with pytest.raises(StillPlays):
            await alone.ban("fake", external)
        with pytest.raises(StillPlays):
            await alone.unban("fake", external)
    assert [await alone.ban("fake", one) for one in ("id-3", "id-3", "id-9")] == [True, False, True]
    assert await store.read(bars.banned_people) == {dani}
    assert (await ban_person(alone, "fake", "id-3")).startswith("They were banned already")
    assert [await alone.unban("fake", one) for one in ("id-3", "id-3", "id-9")] == [1, 0, 1]
    assert await store.read(bars.banned_people) == frozenset()
