"""S4: a match of several games, a chain of tables of which each knows the score."""

from __future__ import annotations

import random
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from bot.commands.table.creation import read_game_request
from bot.presenters.table.record_and_draw_proof import record_of, written_as
from bot.presenters.typed_command_parser import parse
from bot.service.table.changes import Update
from bot.session import play
from bot.session.events import EVENTS, Ended
from bot.session.fold import TABLES
from bot.session.match import LENGTHS, Match, read_match
from bot.session.offers import again
from bot.session.table import Player
from bot.session.unit_of_work import UnitOfWork
from games.core import ranking
from games.core.record import Record
from games.core.shelf import find_game, shelf
from tests.bot.test_out_of_turn import returning, silent_game
from tests.fakes import Desk, FakeClock, desk, person

NEREA, BRUNO = person("Nerea"), person("Bruno")
NOW = datetime(2026, 11, 22, tzinfo=UTC)
WIN, LOSS, DRAW = (2, 0), (0, 2), (1, 1)


async def begun(at: Desk, game: str = "niya", **values: str) -> str:
    """A match between the two; the code of its first table."""
    await at.call(NEREA, "play", game=game, opponent=BRUNO, **values)
    code = list(at.chat.messages.values())[-1].screen.table
    await at.press(BRUNO, at.chat.board(code), "Aceptar")
    return code


async def over(at: Desk, code: str, winner: str = "") -> None:
    """The game at *code* ends, won by *winner*, or drawn."""
    table = await at.facade.services.tables.get(code)
    seats = {player.name: seat for seat, player in enumerate(table.players)}
    places = [[seats[winner]], [1 - seats[winner]]] if winner else [[0, 1]]
    outcome = ranking("resign" if winner else "agreement", places)

    def ends(work: UnitOfWork) -> None:
        play.end_game(work, outcome, rule=False)

    await at.facade.services.changes.change(Update("test", f"over-{code}"), code, ends)
    await at.settle()


async def following(at: Desk, code: str, button: str = "Siguiente partida") -> str:
    """Both press *button* under the game at *code*; the table of the next one."""
    for who in (NEREA, BRUNO):
        answer = await at.press(who, at.chat.board(code), button)
        assert answer.good, answer.said
    child = (await at.facade.services.tables.get(code)).child
    assert child is not None
    return child


def lines(at: Desk, code: str) -> list[str]:
    return [line for line in at.chat.board(code).screen.lines if "🏆" in line]


@pytest.mark.parametrize(
    "line",
    [
        "/play niya match=5",
        "/jugar niya serie=5",
        "/jugar niya Serie = al mejor de 5",
        "/play niya match = best of 5",
    ],
)
def test_s4_a_match_is_typed_as_an_option_of_every_game(line: str) -> None:
    read = parse(line)
    assert read is not None
    assert read_game_request(read[1], mentioned=False).match == Match(5)


@pytest.mark.parametrize("key", shelf())
def test_s4_a_single_game_is_the_rule_in_every_game(key: str) -> None:
    wish = read_game_request({"game": key}, mentioned=False)
    assert wish.match is None
    single = read_game_request({"game": key, "options": "match=1"}, mentioned=False)
    assert single.match is None


@pytest.mark.parametrize(
    ("length", "games", "decided", "winner"),
    [
        (3, [], False, None),
        (3, [WIN], False, None),
        (3, [WIN, WIN], True, 0),
        (3, [WIN, LOSS], False, None),
        (3, [WIN, LOSS, LOSS], True, 1),
        (3, [WIN, DRAW], False, None),
        (3, [WIN, DRAW, DRAW], True, 0),
        (3, [WIN, DRAW, LOSS], True, None),
        (3, [DRAW, DRAW, DRAW], True, None),
        (5, [WIN, WIN, DRAW], False, None),
        (5, [LOSS, LOSS, LOSS], True, 1),
        (5, [WIN, WIN, LOSS, LOSS, DRAW], True, None),
        (3, [(2, 0, 0), (0, 2, 0)], False, None),
        (3, [(2, 0, 0), (0, 2, 0), (0, 0, 2)], True, None),
        (5, [(0, 0, 0, 2), (0, 0, 0, 2), (0, 0, 0, 2)], True, 3),
        (5, [(2, 0, 0, 0), (0, 2, 0, 0), (0, 0, 2, 0)], False, None),
    ],
)
def test_s4_a_match_is_over_when_nobody_can_catch_up(length, games, decided, winner) -> None:
    match = Match(length, tuple(games))
    assert (match.is_decided, match.winner) == (decided, winner)
    assert read_match(match.text) == match


@pytest.mark.parametrize("text", ["x", "0", "5 1-0 1", "5 3-0", "5  1-0", "-3"])
def test_what_keeps_no_match_is_not_read_as_one(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - whatever the reader says of it
        read_match(text)


@pytest.mark.sampled
@pytest.mark.parametrize("key", shelf())
def test_s4_every_chain_of_games_stands_at_what_its_players_have_won(key: str) -> None:
    """Whoever sits where: a second reckoning goes by persons, and knows only the last results."""
    game, chance = find_game(key), random.Random(4)
    for number in range(40):
        seats, length = chance.choice(game.rules.seats), chance.choice(LENGTHS[1:])
        work = play.open_table(
            *("AAAAAA", game),
            options={},
            begins="",
            seats=seats,
            host=1,
            secret=bytes([number] * 32),
            now=NOW,
            match=Match(length),
        )
        for one in range(seats):
            play.take_chair(work, Player(one + 1))
        play.start(work)
        reckoned: Counter[int] = Counter()
        for played in range(1, length + 1):
            order = chance.sample(range(seats), seats)
            drawn = chance.random() < 0.3
            outcome = ranking("test", [order] if drawn else [[seat] for seat in order])
            people = [player.person or 0 for player in work.table.players]
            reckoned.update({people[seat]: 1 for seat in order} if drawn else {people[order[0]]: 2})
            work.write(Ended(outcome.reason, outcome.places, by_rule=True))
            match = work.table.match_now
            assert match is not None
            assert dict(zip(people, match.score, strict=True)) == {
                one: reckoned[one] for one in people
            }
            best = sorted((reckoned[one] for one in people), reverse=True)
            assert match.is_decided == (
                best[0] - best[1] > 2 * (length - played) or played == length
            )
            began = [again(work, seat, "BBBBBB", bytes(32)) for seat in range(seats)]
            assert began[-1]
            assert work.child is not None
            if match.is_decided:
                assert work.child.table.match == Match(length)
                break
            work = work.child
            assert work.table.match is not None
            assert len(work.table.match.games) == played
            rows = [EVENTS.encode(one) for one in work.written]
            assert [EVENTS.decode(row) for row in rows] == work.written
            assert TABLES.of("BBBBBB", rows).match == work.table.match


async def test_s4_the_best_of_three_is_won_by_whoever_wins_two(at: Desk) -> None:
    code = await begun(at, options="match=3")
    assert lines(at, code) == ["🏆 Primera partida de la serie, al mejor de 3."]
    await over(at, code, "Bruno")
    assert lines(at, code) == ["🏆 Serie al mejor de 3. Marcador: Nerea 0 y Bruno 1."]
    assert "Revancha" not in at.chat.board(code).labels
    await at.press(NEREA, at.chat.board(code), "Siguiente partida")
    board = at.chat.board(code)
    assert "Nerea quiere jugar la siguiente partida." in board.screen.lines
    assert "Jugar la siguiente" not in board.labels, "one button that says it is enough"
    await at.press(BRUNO, board, "Siguiente partida")
    code = (await at.facade.services.tables.get(code)).child or ""
    assert lines(at, code) == [
        "🏆 Partida 2 de la serie, al mejor de 3. Marcador: Nerea 0 y Bruno 1."
    ]
    await over(at, code, "Bruno")
    assert lines(at, code) == ["🏆 Bruno gana la serie. Marcador final: Nerea 0 y Bruno 2."]
    assert "Siguiente partida" not in at.chat.board(code).labels
    code = await following(at, code, "Revancha")
    assert lines(at, code) == ["🏆 Primera partida de la serie, al mejor de 3."]


async def test_s4_a_match_that_nobody_leads_at_the_end_is_drawn(at: Desk) -> None:
    code = await begun(at, game="shogi", options="match=3")
    await over(at, code, "Nerea")
    code = await following(at, code)
    await over(at, code)
    code = await following(at, code)
    await over(at, code, "Bruno")
    (line,) = lines(at, code)
    assert line.startswith("🏆 La serie acaba en empate: ")
    assert "Nerea 1½" in line
    assert "Bruno 1½" in line


async def test_s4_the_next_game_has_the_clock_and_the_rules_of_the_last_and_other_colours(
    at: Desk,
) -> None:
    code = await begun(at, game="shogi", clock="9h+1m", options="match=5 stalemate=loss")
    begins = []
    for _ in range(4):
        table = await at.facade.services.tables.get(code)
        assert table.control == "9h+1m"
        assert table.options["stalemate"] == "loss"
        assert table.clock is not None
        assert all(table.clock.bank(seat, 0)[0] == 9 * 3_600_000 for seat in (0, 1))
        begins.append(table.players[table.first].name)
        await over(at, code)
        code = await following(at, code)
    assert begins in (["Nerea", "Bruno"] * 2, ["Bruno", "Nerea"] * 2)


async def test_s4_niya_is_begun_by_the_loser_and_after_a_draw_by_the_other(at: Desk) -> None:
    """N2 for a series."""
    code = await begun(at, options="match=5")
    for winner in ("Nerea", "Bruno", ""):
        table = await at.facade.services.tables.get(code)
        first = table.players[table.first].name
        await over(at, code, winner)
        code = await following(at, code)
        table = await at.facade.services.tables.get(code)
        expected = {"Nerea": "Bruno", "Bruno": "Nerea"}[winner or first]
        assert table.players[table.first].name == expected


async def test_s4_the_score_outlives_a_restart(tmp_path) -> None:
    async with desk(tmp_path) as at:
        code = await begun(at, options="match=3")
        await over(at, code, "Nerea")
        code = await following(at, code)
    async with desk(tmp_path) as at:
        await at.call(NEREA, "board", table=code)
        (line,) = lines(at, code)
        assert line.endswith(("Nerea 1 y Bruno 0.", "Bruno 0 y Nerea 1."))
        await over(at, code, "Nerea")
        assert lines(at, code)[0].startswith("🏆 Nerea gana la serie.")


async def test_s4_a_game_that_is_taken_up_again_counts_for_nobody_yet(at: Desk) -> None:
    """R1: the right to go back to an announcement that was due reopens what had ended."""
    code = await silent_game(at, options="match=3")
    assert "Marcador" in lines(at, code)[0]
    back = returning(at, code)
    assert back is not None
    await at.press(BRUNO, at.chat.board(code), code=back.code)
    assert lines(at, code) == ["🏆 Primera partida de la serie, al mejor de 3."]


async def test_s4_who_gives_up_or_lets_his_flag_fall_loses_the_game_not_the_match(tmp_path) -> None:
    clock = FakeClock()
    async with desk(tmp_path, clock=clock) as at:
        code = await begun(at, clock="1m", options="match=3")
        table = await at.facade.services.tables.get(code)
        (late,) = table.actors()
        clock.wait(timedelta(seconds=70))
        await at.facade.process_duties.deadlines.expire()
        await at.settle()
        loser = table.players[late].name
        (line,) = lines(at, code)
        assert f"{loser} 0" in line
        code = await following(at, code)
        other = NEREA if loser == "Bruno" else BRUNO
        await at.surely(other, "resign", table=code)
        (line,) = lines(at, code)
        assert "Nerea 1" in line
        assert "Bruno 1" in line
        assert "Siguiente partida" in at.chat.board(code).labels


async def test_s4_the_match_stands_in_the_words_the_list_and_the_record(at: Desk) -> None:
    code = await begun(at, game="cirya", options="match=5")
    await over(at, code, "Bruno")
    code = await following(at, code)
    assert "partida 2 de 5, 0–1" in (await at.call(NEREA, "games")).said
    assert "partida 2 de 5, 1–0" in (await at.call(BRUNO, "games")).said
    said = (await at.press(NEREA, at.chat.board(code), "En palabras")).said
    assert "Partida 2 de la serie, al mejor de 5." in said
    table = await at.facade.services.tables.get(code)
    assert table.match is not None
    record = record_of(table)
    assert Record.read(record.text()).tags["Match"] == table.match.text
    file = written_as(table, "ptn")
    assert file is not None
    read = next(one for one in table.game.records.formats if one.key == "ptn").read(
        table.game, file.data.decode()
    )
    assert read.tags["Match"] == table.match.text


async def test_s4_an_invitation_says_that_it_is_one_to_a_match(at: Desk) -> None:
    await at.call(NEREA, "play", game="niya", options="match=7")
    (message,) = at.chat.messages.values()
    assert "Se juega una serie, al mejor de 7 partidas." in message.screen.lines


async def test_s4_the_next_game_is_asked_for_as_such(tmp_path) -> None:
    clock = FakeClock()
    async with desk(tmp_path, clock=clock) as at:
        code = await begun(at, options="match=3")
        await over(at, code, "Bruno")
        clock.wait(timedelta(minutes=2))
        at.chat.pings.clear()
        await at.press(NEREA, at.chat.board(code), "Siguiente partida")
        assert [ping.text for ping in at.chat.pings if "Bruno" in ping.called] == [
            "Nerea quiere jugar la siguiente partida de Niya."
        ]


async def test_s4_h15_a_game_that_is_to_be_played_again_counts_for_nobody(at: Desk) -> None:
    code = await begun(at, game="shogi", options="match=3 repetition=replay")
    first = await at.facade.services.tables.get(code)
    again = ranking("sennichite-replay", [[0, 1]])
    origin = Update("test", "again")
    await at.facade.services.changes.change(
        origin, code, lambda work: play.end_game(work, again, rule=True)
    )
    await at.settle()
    board = at.chat.board(code)
    assert "Se juega una serie, al mejor de 3 partidas." in board.screen.lines
    code = await following(at, code)
    table = await at.facade.services.tables.get(code)
    assert table.match == Match(3)
    assert table.players[table.first].name != first.players[first.first].name
