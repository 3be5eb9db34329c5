"""The end of a tournament is told to whoever has played in it, where they are, and once."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.port import Where
from bot.service.place.places import OPENED
from bot.session.preferences import NotificationChoice, Personal
from bot.tournament.values import Phase
from tests.bot.test_ways_on import labels
from tests.tournament.evening import Evening, entered, opened
from tests.tournament.test_bad_days import begun
from tests.tournament.test_own_screens import home_of, shown


async def opens_private_chat(evening: Evening, who) -> Where:
    home = home_of(who)
    await evening.at.facade.boards.places.first_time(home, OPENED)
    return home


async def test_who_has_a_private_chat_is_told_there_and_the_others_in_the_place(at, clock):
    evening = await begun(at, clock, ("format", "robin"), count=5)
    poster = evening.message
    homes = [await opens_private_chat(evening, who) for who in evening.people[:2]]
    while (await evening.now()).running:
        for code in await evening.waiting():
            game = (await evening.now()).find_game(code)
            await evening.end(code, [[one] for one in sorted(game.seats)])
        await evening.wait(1)
    standing = [line.split(":")[0] for line in evening.message.screen.lines]
    assert any(line.startswith("🥇 P") for line in standing)
    assert sum(line[:2] in ("4.", "5.") for line in standing) == 2
    # One message in the place, a new one, which calls who has no chat of their own.
    assert poster.id in at.chat.removed
    assert evening.message.id != poster.id
    called = [(one.external, one.name) for one in evening.message.screen.mentions]
    assert called == [("id-P3", "P3"), ("id-P4", "P4"), ("id-P5", "P5")]
    for home in homes:
        mine = shown(at, home, evening.code).screen
        assert "El torneo ha terminado." in mine.lines
        assert labels(mine)[-3:] == ["Torneos", "Mis mesas", "Mi perfil"]
        assert not mine.mentions


async def test_who_sees_the_end_is_not_called_to_it(at, clock):
    evening = await begun(at, clock, ("format", "robin"), count=3)
    home = await opens_private_chat(evening, evening.people[0])
    while len((await evening.now()).rounds) < 3 or len(await evening.waiting()) > 1:
        for code in await evening.waiting():
            await evening.end(code)
        await evening.wait(1)
    poster = evening.message
    for who in evening.people:
        await evening.press(who, "table")
    (last,) = await evening.waiting()
    await evening.end(last)
    await evening.wait(0)
    assert "🥇" in "\n".join(evening.message.screen.lines)
    # The podium stands below what was said since, and nobody is called to it.
    assert evening.message.id != poster.id
    assert evening.message.screen.silent
    assert not evening.message.screen.mentions
    assert not [one for one in at.chat.messages.values() if one.where == home and one.screen.over]


async def test_whoever_entered_hears_that_too_few_have_come(at, clock):
    evening = await entered(await opened(at, clock, ("format", "robin"), ("starts", "60")), 1)
    clock.wait(timedelta(minutes=61))
    await evening.look()
    assert [one.external for one in evening.message.screen.mentions] == ["id-P1"]


@pytest.mark.parametrize("quiet", [True, False])
async def test_who_wants_no_calls_is_told_silently(at, clock, quiet):
    evening = await begun(at, clock, ("format", "robin"), count=3)
    people = evening.services.people
    hour = evening.services.clock.now().hour
    calm = (
        Personal(quiet=(hour, (hour + 9) % 24))
        if quiet
        else Personal(calls=NotificationChoice.NEVER)
    )
    for who in evening.people[:2]:
        await people.choose((await people.of(who)).id, lambda _: calm)
    home = await opens_private_chat(evening, evening.people[0])
    await evening.play_out()
    assert shown(at, home, evening.code).screen.silent
    assert [one.external for one in evening.message.screen.mentions] == ["id-P3"]


async def test_the_board_of_a_knockout_says_what_comes_next_and_the_podium_how_far_each_came(
    at, clock
):
    """A final ended with «★ Felix wins with four in a row.», and the podium counted games."""
    evening = await begun(at, clock, ("format", "knockout"), count=4)
    said = []

    async def end_next() -> None:
        code = (await evening.waiting())[0]
        await evening.end(code)
        await at.settle()
        (board,) = [one for one in at.chat.messages.values() if one.screen.table == code]
        said.append("\n".join(board.screen.lines))
        assert "El torneo" in labels(board.screen)

    await end_next()
    await end_next()
    await evening.wait(2)
    assert len(await evening.waiting()) == 2
    await end_next()
    await end_next()
    await evening.wait(0)
    first, second, *finals = said
    tournament = await evening.now()
    seats = [game.seats for _, _, game in tournament.games()]
    assert f"Lo que sigue para P{seats[0][0]}: semifinal" not in first
    assert f"Lo que sigue para P{seats[0][0]}: final, en cuanto se sepa contra quién." in first
    assert f"Lo que sigue para P{seats[1][0]}: final contra P{seats[0][0]}." in second
    losers = [seats[0][1], seats[1][1]]
    third = f"Lo que sigue para P{losers[0]}: duelo por el tercer puesto, en cuanto se sepa"
    assert third in first
    assert f"para P{losers[1]}: duelo por el tercer puesto contra P{losers[0]}." in second
    assert sum("Era el duelo por el tercer puesto" in one for one in finals) == 1
    (final,) = [one for one in finals if "Era la final: P" in one]
    assert "gana el torneo." in final
    podium = [line.split(": ")[-1] for line in evening.message.screen.lines[2:6]]
    assert podium == ["gana el torneo", "final", "gana el tercer puesto", "semifinal"], podium


async def play_round(evening: Evening) -> str:
    """The code of the last game; the entrant with the lower number has won each."""
    code = ""
    for code in await evening.waiting():
        game = (await evening.now()).find_game(code)
        await evening.end(code, [[one] for one in sorted(game.seats)])
    return code


@pytest.mark.parametrize("gone", [(3,), (2, 3, 4)], ids=["opponent", "all"])
@pytest.mark.parametrize("looks", ["tournament", "board"])
async def test_who_was_promised_another_game_that_never_comes_is_told_the_end(
    at, clock, gone, looks
):
    evening = await begun(at, clock, ("format", "robin"), count=4)
    await play_round(evening)
    await evening.wait(1)
    last = await play_round(evening)
    assert (await evening.now()).find_game(last).seats == (1, 2)
    for number in gone:
        await evening.press(evening.people[number - 1], "leave", "yes")
    await at.settle()
    clock.wait(timedelta(seconds=50))
    if gone == (3,):
        await evening.wait(1)
        waits = [one.last.code for one in (await evening.now()).rounds[-1].meetings]
        assert "" in waits
    if looks == "tournament":
        await evening.press(evening.people[0], "table")
    else:
        assert (await at.call(evening.people[0], "record", table=last)).file
    await play_round(evening)
    await evening.wait(0.3)
    assert (await evening.now()).phase is Phase.ENDED
    assert "id-P1" in [one.external for one in evening.message.screen.mentions]
    assert any(line.startswith("🥇 P1") for line in evening.message.screen.lines)


async def test_no_board_promises_a_game_to_whoever_has_left(at, clock):
    evening = await begun(at, clock, ("format", "robin"), count=4)
    code = await play_round(evening)
    await at.settle()

    def told() -> str:
        (board,) = [one for one in at.chat.messages.values() if one.screen.table == code]
        return "\n".join(board.screen.lines)

    assert "El torneo sigue: se te avisará de tu próxima partida." in told()
    number = (await evening.now()).find_game(code).seats[0]
    await evening.press(evening.people[number - 1], "leave", "yes")
    await at.settle()
    assert "se te avisará" not in told()
    assert "El torneo sigue: a quien continúa en él se le avisará" in told()
