"""Rated and casual tables: who agrees to what, what does not count, and that nobody gets help."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.port import Asker, Card, PlaceStanding, Where
from bot.presenters.table.setup import SetupScreens
from bot.session.draft import COMPUTER, TableDraft
from bot.session.rated import KNOWN_BY
from bot.session.table import CLOSED, ENDED, OPEN, PLAYING, Table
from games.core.shelf import find_game, shelf
from storage.club import medals, ratings
from storage.person import people, personal_data
from tests.bot.read_play_line import refused, wished
from tests.fakes import Desk, Message, person
from tests.standing.simulated import Hall

NEREA, BRUNO, EVA = person("Nerea"), person("Bruno"), person("Eva")
ALONE = Where("fake", "id-Nerea", private=True)

RATED = "Por puntos: el resultado cuenta para la clasificación."
CASUAL = "Amistosa: no cuenta para la clasificación."
NO_LADDER = "Amistosa: en este sitio no hay clasificación."
CIRCLE = Where("fake", "talk of three", circle=True)
COUNTING = {"Que sea amistosa", "Que puntúe"}


def labels(message: Message) -> set[str]:
    return {one.label for row in message.screen.rows for one in row}


async def opened(at: Desk, game: str = "niya", **wish: object) -> tuple[str, Message]:
    """A challenge of Bruno by Nerea: the table's code, and its message."""
    answer = await at.call(NEREA, "play", game=game, opponent=BRUNO, **wish)
    assert answer.good, answer
    message = list(at.chat.messages.values())[-1]
    return message.screen.table, message


async def begun(at: Desk, game: str = "niya", **wish: object) -> str:
    code, message = await opened(at, game, **wish)
    await at.press(BRUNO, message, "Aceptar")
    return code


async def table_of(at: Desk, code: str) -> Table:
    return await at.facade.services.tables.get(code)


async def on_turn(at: Desk, code: str):
    table = await table_of(at, code)
    (seat,) = table.actors()
    return NEREA if table.players[seat].name == "Nerea" else BRUNO


async def play(at: Desk, code: str, plies: int) -> None:
    for _ in range(plies):
        board = at.chat.board(code)
        await at.press(await on_turn(at, code), board, code=board.moves[0].code)


# ------------------------------------------------------------------- what was agreed


async def test_a_table_between_people_is_rated_where_the_place_has_a_ladder_and_says_so(at):
    code, message = await opened(at, rated="")
    assert RATED in message.screen.lines
    await at.press(BRUNO, message, "Aceptar")
    assert (await table_of(at, code)).rated
    assert RATED in at.chat.board(code).screen.lines


async def test_a_place_without_a_ladder_has_casual_tables_only(at):
    await at.facade.services.places.choose(at.where, ladder=False)
    code, message = await opened(at, rated="")
    assert NO_LADDER in message.screen.lines
    assert not (await table_of(at, code)).rated
    await at.call(NEREA, "leave")
    await at.call(NEREA, "play", game="niya", opponent=EVA, rated="por puntos")
    message = list(at.chat.messages.values())[-1]
    assert NO_LADDER in message.screen.lines
    assert COUNTING.isdisjoint(labels(message)), "nothing can be chosen"


@pytest.mark.parametrize("where", [ALONE, CIRCLE], ids=["private", "circle"])
@pytest.mark.parametrize("rated", ["", "yes"])
async def test_a_private_chat_and_a_talk_of_a_few_have_casual_tables_only(at, where, rated):
    await at.call(NEREA, "play", where, game="niya", opponent="cualquiera", rated=rated)
    message = [m for m in at.chat.messages.values() if m.where == where][-1]
    table = await table_of(at, message.screen.table)
    assert (table.rated, RATED in message.screen.lines) == (False, False)
    assert COUNTING.isdisjoint(labels(message))


async def test_a_page_has_casual_tables_unless_somebody_says_otherwise(at):
    at.chat.capabilities = replace(at.chat.capabilities, takes_unasked=True)
    for rated in ("", "yes"):
        await at.call(NEREA, "play", ALONE, game="niya", opponent="cualquiera", rated=rated)
        message = [m for m in at.chat.messages.values() if m.where == ALONE][-1]
        assert (RATED in message.screen.lines) == bool(rated)
        await at.call(NEREA, "leave", ALONE)


async def test_the_first_line_says_whether_it_counts_and_one_button_changes_that(at):
    code, message = await opened(at, rated="")
    assert "una partida por puntos de Niya" in message.screen.headline
    assert not (await at.press(BRUNO, message, "Que sea amistosa")).good, "it is the host's choice"
    assert (await at.press(NEREA, message, "Que sea amistosa")).said == CASUAL
    board = at.chat.board(code)
    assert "una partida amistosa de Niya" in board.screen.headline
    assert RATED not in board.screen.lines
    assert (await at.press(NEREA, board, "Que puntúe")).said == RATED
    board = at.chat.board(code)
    await at.press(BRUNO, board, "Aceptar")
    assert (await table_of(at, code)).rated


async def test_once_a_second_seat_is_taken_it_stays_as_it_is(at):
    await at.call(NEREA, "play", game="parchis", opponent="cualquiera", rated="", seats="3")
    board = list(at.chat.messages.values())[-1]
    button = board.button("Que sea amistosa")
    await at.call(BRUNO, "join", table=board.screen.table)
    assert COUNTING.isdisjoint(labels(at.chat.board(board.screen.table)))
    refused = await at.press(NEREA, board, code=button.code)
    assert not refused.good
    assert "hasta que se siente alguien más" in refused.said


async def test_what_the_rules_make_casual_has_no_such_button(at):
    _, message = await opened(at, rated="yes", options="hints=on")
    assert COUNTING.isdisjoint(labels(message))


@pytest.mark.parametrize(
    ("line", "rated"),
    [
        ("/jugar niya", None),
        ("/jugar niya @ana por puntos", True),
        ("/jugar niya por puntos contra @ana", True),
        ("/play niya rated @ana", True),
        ("/play niya @ana rated=yes", True),
        ("/jugar niya @ana puntos=sí", True),
        ("/jugar niya puntos=no @ana", False),
        ("/play niya @ana rated=no", False),
        ("/jugar niya amistosa con @ana", False),
        ("/jugar una partida amistosa de niya con @ana", False),
        ("/play casual niya vs @ana", False),
        ("/jugar niya @ana rated casual", False),
    ],
)
def test_it_is_typed_as_people_say_it(line, rated):
    wish = wished(line)
    assert (wish.game.key, wish.rated) == ("niya", rated)
    assert wish.named == ("@ana" if "@ana" in line else None)


def test_shogis_repetition_by_points_is_still_its_own_rule():
    wish = wished("/jugar shogi repetición=points")
    assert (wish.options["repetition"], wish.rated) == ("points", None)


def test_what_is_neither_gets_one_sentence():
    said = refused("/jugar niya puntos=quizás", "es")
    assert said == "No entiendo «quizás»: di «por puntos» o «amistosa»."


# ----------------------------------------------------------------- what does not count


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("game", "options", "why"),
    [
        ("niya", "hints=on", "Amistosa: con pistas no se puede jugar por puntos."),
        ("shogi", "handicap=lance", "Amistosa: con ventaja no se puede jugar por puntos."),
        (
            "cirya",
            "size=4",
            "Amistosa: con estas reglas el resultado no se puede comparar con los demás.",
        ),
    ],
)
async def test_what_cannot_be_compared_is_casual_and_says_why(at, game, options, why):
    code, message = await opened(at, game, rated="yes", options=options)
    assert why in message.screen.lines
    await at.press(BRUNO, message, "Aceptar")
    assert not (await table_of(at, code)).rated


def test_every_default_counts_and_every_named_value_exists():
    for game in shelf().values():
        for option in game.rules.options:
            assert option.compares(option.default)
            assert set(option.rated) < set(option.values)
    size = next(one for one in find_game("cirya").rules.options if one.key == "size")
    assert [size.compares(value) for value in size.values] == [True, False, True]


async def test_a_game_against_a_computer_cannot_be_asked_to_count(at):
    answer = await at.call(NEREA, "play", game="niya", opponent="ordenador", rated="yes")
    assert answer.said == "Amistosa: contra el ordenador no se juega por puntos."
    assert not at.chat.messages


async def test_a_computer_that_fills_a_chair_makes_the_game_casual(at):
    await at.call(NEREA, "play", game="niya", opponent="cualquiera", rated="yes")
    (message,) = at.chat.messages.values()
    assert RATED in message.screen.lines
    await at.press(NEREA, message, "+ ordenador")
    table = await table_of(at, message.screen.table)
    assert (table.status, table.rated) == (PLAYING, False)
    lines = at.chat.board(table.code).screen.lines
    assert "Amistosa: contra el ordenador no se juega por puntos." in lines


async def test_the_same_two_count_six_times_a_day_and_the_seventh_is_casual(at, clock):
    for _ in range(6):
        code = await begun(at, rated="yes")
        assert (await table_of(at, code)).rated
        await play(at, code, 4)
        await at.surely(await on_turn(at, code), "resign")
        assert (await table_of(at, code)).status == ENDED
    code, message = await opened(at, rated="yes")
    said = "Amistosa: ya habéis jugado seis partidas por puntos en 24 horas."
    assert said in message.screen.lines
    await at.press(BRUNO, message, "Aceptar")
    assert not (await table_of(at, code)).rated
    await at.surely(NEREA, "resign")
    # With somebody else it counts, and with the same one a day later.
    await at.call(NEREA, "play", game="niya", opponent=EVA, rated="yes")
    assert RATED in list(at.chat.messages.values())[-1].screen.lines
    await at.call(NEREA, "leave")
    clock.wait(timedelta(hours=25))
    _, message = await opened(at, rated="yes")
    assert RATED in message.screen.lines


@pytest.mark.slow
async def test_an_open_table_knows_only_with_the_second_player_that_it_is_the_seventh(at):
    for _ in range(6):
        code = await begun(at, rated="yes")
        await play(at, code, 4)
        await at.surely(await on_turn(at, code), "resign")
    await at.call(NEREA, "play", game="niya", opponent="cualquiera", rated="yes")
    message = list(at.chat.messages.values())[-1]
    assert RATED in message.screen.lines
    await at.press(BRUNO, message, "Sentarme")
    table = await table_of(at, message.screen.table)
    assert (table.status, table.rated, table.casual) == (PLAYING, False, "often")


GUESTS_GAME = "Amistosa: quien entró como invitado no juega por puntos."


async def let_in_by_an_open_house(at: Desk, name: str) -> None:
    await at.facade.notes.put(f"fake:passing:id-{name}", "open house")


async def test_a_guest_of_an_open_house_does_not_sit_down_at_a_rated_table(at):
    await let_in_by_an_open_house(at, "Bruno")
    await at.call(NEREA, "play", game="niya", opponent="cualquiera", rated="yes")
    message = list(at.chat.messages.values())[-1]
    before = await table_of(at, message.screen.table)
    answer = await at.press(BRUNO, message, "Sentarme")
    assert "los invitados no pueden" in answer.said
    assert await table_of(at, message.screen.table) == before
    await at.press(EVA, message, "Sentarme")
    assert (await table_of(at, message.screen.table)).rated


@pytest.mark.sampled
@pytest.mark.parametrize("guest", ["Nerea", "Bruno"])
async def test_whoever_plays_with_such_a_guest_reads_before_that_it_does_not_count(at, guest):
    await let_in_by_an_open_house(at, guest)
    code, message = await opened(at, rated="yes")
    assert GUESTS_GAME in message.screen.lines
    await at.press(BRUNO, message, "Aceptar")
    table = await table_of(at, code)
    assert (table.status, table.rated, table.casual) == (PLAYING, False, "guest")


async def test_a_guest_who_came_in_after_the_challenge_makes_it_casual_at_its_start(at):
    code, message = await opened(at, rated="yes")
    assert (await table_of(at, code)).rated
    await let_in_by_an_open_house(at, "Nerea")
    await at.press(BRUNO, message, "Aceptar")
    table = await table_of(at, code)
    assert (table.status, table.rated, table.casual) == (PLAYING, False, "guest")


@pytest.mark.slow
async def test_whom_another_chat_knows_is_no_such_guest_any_more_and_the_rematch_counts(at):
    await let_in_by_an_open_house(at, "Bruno")
    code = await begun(at, rated="yes")
    await play(at, code, 4)
    await at.surely(await on_turn(at, code), "resign")
    await at.facade.requests.join(Asker("discord", "1", "Bruno"), BRUNO)
    await at.call(NEREA, "rematch", table=code)
    await at.call(BRUNO, "rematch", table=code)
    again = await table_of(at, str((await table_of(at, code)).child))
    assert (again.status, again.rated, again.casual) == (PLAYING, True, "")


async def test_two_such_guests_who_become_one_person_are_one_still(at):
    for name in ("Bruno", "Eva"):
        await let_in_by_an_open_house(at, name)
    await at.facade.requests.join(EVA, BRUNO)
    _, message = await opened(at, rated="yes")
    assert GUESTS_GAME in message.screen.lines


async def test_the_mark_of_such_a_guest_is_exported_and_erased_with_them(at):
    await let_in_by_an_open_house(at, "Bruno")
    number = (await at.facade.services.people.of(BRUNO)).id
    told = await at.facade.services.store.read(personal_data.export_person, number)
    assert {"key": "fake:passing:id-Bruno", "value": "open house"} in told["setting"]
    async with at.facade.store.transaction() as tx:
        await at.facade.services.people.erase(tx, number)
    assert await at.facade.notes.read("fake:passing:id-Bruno", str) is None


# ------------------------------------------------------------------------------ links of players


async def came_by(at: Desk, name: str, host: str) -> None:
    """*name* has come in by a link of *host*."""
    await at.facade.notes.put(f"fake:passing:id-{name}", f"id-{host}")


async def barred(at: Desk, *askers: Asker, many: int = KNOWN_BY) -> set[frozenset[str]]:
    rows = [await at.facade.services.people.of(one) for one in askers]
    named = {row.id: row.name for row in rows}
    groups = await at.facade.store.read(people.barred_groups, named, many)
    return {frozenset(named[one] for one in group) for group in groups}


async def test_who_came_by_a_players_link_is_casual_with_that_player_alone(at):
    await came_by(at, "Bruno", "Nerea")
    assert await barred(at, NEREA, BRUNO, EVA) == {frozenset({"Nerea", "Bruno"})}
    code, message = await opened(at, rated="yes")
    await at.press(BRUNO, message, "Aceptar")
    table = await table_of(at, code)
    assert (table.status, table.rated, table.casual) == (PLAYING, False, "guest")


async def test_all_who_came_by_one_players_links_are_one_circle_however_long_the_chain(at):
    await came_by(at, "Bruno", "Nerea")
    await came_by(at, "Eva", "Bruno")
    assert len(await barred(at, NEREA, BRUNO, EVA)) == 3, "each two of them"
    assert await barred(at, NEREA, EVA) == {frozenset({"Nerea", "Eva"})}
    assert await barred(at, EVA, person("Olga")) == set()
    await let_in_by_an_open_house(at, "Nerea")
    assert frozenset({"Eva"}) in await barred(at, EVA, person("Olga")), "a door for everybody"


async def test_another_chat_or_ten_games_make_a_guest_known(at):
    await came_by(at, "Bruno", "Nerea")
    row = await at.facade.services.people.of(BRUNO)
    assert await barred(at, NEREA, BRUNO, many=0) != set(), "no game yet"
    hall = Hall(at)
    (other,) = await hall.invite(1)
    for _ in range(2):
        await hall.end(await hall.seat("niya", (other.id, row.id)), [[other.id], [row.id]])
    assert await barred(at, NEREA, BRUNO, many=3) != set()
    assert await barred(at, NEREA, BRUNO, many=2) == set()
    await at.facade.requests.join(Asker("discord", "1", "Bruno"), BRUNO)
    assert await barred(at, NEREA, BRUNO) == set()


async def test_a_farm_of_guests_of_ones_own_yields_nothing(at):
    """Twenty-five guests come by their host's links, lose, and give up, by points and casually."""
    hall = Hall(at)
    host = await at.facade.services.people.of(NEREA)
    guests = await hall.invite(25)
    for number, guest in enumerate(guests):
        await at.facade.notes.put(f"fake:passing:id-{number}", "id-Nerea")
        table = await hall.seat("niya", (host.id, guest.id), rated=number % 5 > 0, asked=True)
        assert not table.rated
        await hall.end(table, [[host.id], [guest.id]])
    read = at.facade.store.read
    assert await read(ratings.all_ratings) == ()
    assert await read(medals.medals_of, person=host.id) == ()
    assert await read(ratings.journal) == (), "what leagues and ladders are reckoned from"


@pytest.mark.slow
async def test_a_match_counts_as_one(at):
    for _ in range(2):
        code = await begun(at, rated="yes", options="match=3")
        while (table := await table_of(at, code)).match_goes_on or table.status == PLAYING:
            await play(at, code, 4)
            await at.surely(await on_turn(at, code), "resign")
            table = await table_of(at, code)
            if table.match_goes_on:
                await at.call(NEREA, "rematch", table=code)
                await at.call(BRUNO, "rematch", table=code)
                code = (await table_of(at, code)).child
                assert (await table_of(at, code)).rated
    services = at.facade.services
    people = [await services.people.number(one) for one in (NEREA, BRUNO)]
    since = services.clock.now() - timedelta(hours=24)
    for most, frequent in ((2, 1), (3, 0)):
        pairs = await services.store.read(ratings.frequent_pairs, people, since, most)
        assert len(pairs) == frequent


# ---------------------------------------------------------------------------- aborting


async def test_who_resigns_before_the_second_move_aborts_the_game(at):
    code = await begun(at, rated="yes")
    await play(at, code, 3)
    question = at.card(await at.call(NEREA, "resign"))
    assert "se anula y no cuenta" in question.screen.lines[0]
    answer = await at.press(NEREA, question, code=question.screen.rows[0][0].code)
    table = await table_of(at, code)
    assert (table.status, table.closed, table.outcome) == (CLOSED, "aborted", None)
    assert table.secret is not None
    assert "anulada" in at.chat.board(code).screen.headline
    assert answer.good


async def test_the_call_to_an_aborted_game_says_who_stopped_it(at, clock):
    code = await begun(at, rated="yes")
    await play(at, code, 3)
    clock.wait(timedelta(minutes=5))
    at.chat.pings.clear()
    await at.surely(NEREA, "resign")
    await at.settle()
    why = "Nerea lo ha dejado al empezar: la partida queda anulada y no cuenta."
    told = [(one.called, one.text) for one in at.chat.pings]
    assert told == [(("Bruno",), f"la mesa de Niya se ha cerrado. {why}")]


async def test_a_casual_game_is_resigned_from_the_first_move_on(at):
    code = await begun(at)
    await at.surely(NEREA, "resign")
    assert (await table_of(at, code)).status == ENDED


async def test_who_leaves_a_table_of_three_at_once_aborts_it_for_all(at):
    await at.call(NEREA, "play", game="parchis", opponent="cualquiera", seats="3", rated="yes")
    (message,) = at.chat.messages.values()
    await at.press(BRUNO, message, "Sentarme")
    await at.press(EVA, message, "Sentarme")
    table = await table_of(at, message.screen.table)
    assert (table.status, table.rated) == (PLAYING, True)
    await at.surely(EVA, "leave")
    assert (await table_of(at, table.code)).closed == "aborted"


# --------------------------------------------------------------------------------- help


async def test_nobody_gets_help_in_a_game_that_counts(at):
    code = await begun(at, rated="yes")
    await play(at, code, 2)
    me = await on_turn(at, code)
    for who, name in ((me, "undo"), (me, "hint")):
        answer = await at.call(who, name)
        assert not answer.good
        assert answer.said == (
            "Es una partida por puntos: sin pistas, sin opiniones y sin deshacer jugadas."
        )
    answer = await at.call(me, "ask", question="¿qué me amenaza?")
    assert "tienes que verlas tú" in answer.said
    answer = await at.call(me, "ask", question="¿qué puedo jugar?")
    assert answer.good
    assert (await table_of(at, code)).status == PLAYING


@pytest.mark.slow
async def test_its_buttons_are_absent(at):
    labels = {}
    for wish in ("no", "yes"):
        code = await begun(at, rated=wish)
        await play(at, code, 2)
        more = await at.press(NEREA, at.chat.board(code), "Más")
        assert isinstance(more, Card)
        labels[wish] = {button.label for row in more.screen.rows for button in row}
        await at.surely(NEREA, "resign", table=code)
    assert labels["no"] - labels["yes"] == {"Deshacer"}


async def test_chances_of_a_rated_game_of_dice_are_told_to_nobody_even_when_all_others_left(at):
    await at.call(NEREA, "play", game="parchis", opponent="cualquiera", seats="2", rated="yes")
    (message,) = at.chat.messages.values()
    await at.press(BRUNO, message, "Sentarme")
    answer = await at.call(NEREA, "odds")
    assert "por puntos" in answer.said
    answer = await at.call(EVA, "odds", table=message.screen.table)
    assert not answer.good


@pytest.mark.slow
async def test_a_casual_table_that_stands_alike_gives_no_hint_either(at):
    code = await begun(at, rated="yes")
    await at.call(NEREA, "play", ALONE, game="niya", opponent="ordenador")
    mine = [m for m in at.chat.messages.values() if m.where == ALONE][-1].screen.table
    rated, casual = await table_of(at, code), await table_of(at, mine)
    assert casual.may_ask(casual.seat_of(rated.players[0].person) or 0)
    services = at.facade.services
    # Niya deals another board each time, so the very position is put in the place of its own.
    alike = replace(casual, position=rated.position)
    services.tables.keep(alike, b"")
    answer = await at.call(NEREA, "hint", ALONE)
    assert f"tu partida por puntos {code}" in answer.said


async def test_the_sheet_has_a_line_for_it_and_says_what_speaks_against_it(at):
    card = at.card(await at.call(NEREA, "play"))
    niya = next(b for row in card.screen.buttons for b in row if b.label.startswith("Niya"))
    screen = (await at.press(NEREA, card, code=niya.code)).screen
    choice = next(one for one in screen.choices if one.label == "Partida")
    assert [one.label for one in choice.options] == ["por puntos", "amistosa"]
    assert choice.chosen == 0
    screen = (await at.press(NEREA, card, code=choice.options[1].code)).screen
    start = next(b for row in screen.buttons for b in row if b.style == "good")
    answer = await at.press(NEREA, card, code=start.code)
    assert answer.good
    (message,) = at.chat.messages.values()
    assert ", amistosa · " in message.screen.headline
    assert (await table_of(at, message.screen.table)).status == OPEN


async def test_against_a_computer_the_sheet_has_no_such_line(at):
    card = at.card(await at.call(NEREA, "play", ALONE), ALONE)
    niya = next(b for row in card.screen.buttons for b in row if b.label.startswith("Niya"))
    screen = (await at.press(NEREA, card, code=niya.code)).screen
    assert "Partida" not in [one.label for one in screen.choices]


async def test_nobody_closes_a_rated_game_that_they_may_be_losing(at, clock):
    code = await begun(at, rated="yes")
    await play(at, code, 6)
    mover = await on_turn(at, code)
    other = BRUNO if mover is NEREA else NEREA
    for who in (mover, other):
        at.chat.standings[who.external, at.where.place] = PlaceStanding(manages=True)
        answer = await at.call(who, "close", table=code)
        assert "juega o ríndete" in answer.said
    clock.wait(timedelta(days=8))
    assert "juega o ríndete" in (await at.call(mover, "close", table=code)).said
    # Who waits for a week need not wait for ever, and others keep their place in order.
    assert isinstance(await at.call(other, "close", table=code), Card)
    assert isinstance(await at.call(EVA, "close", table=code), Card)


async def test_an_invitation_with_a_computer_says_that_it_is_casual_and_why(at):
    await at.call(NEREA, "play", game="parchis", opponent="cualquiera", rated="yes")
    (message,) = at.chat.messages.values()
    assert RATED in message.screen.lines
    await at.press(NEREA, message, "+ ordenador")
    (message,) = at.chat.messages.values()
    screen = message.screen
    assert (await table_of(at, screen.table)).status == OPEN
    assert "Amistosa: contra el ordenador no se juega por puntos." in screen.lines
    assert RATED not in screen.lines
    assert ", amistosa" in screen.headline
    assert not [one for row in screen.rows for one in row if "puntos" in one.label]


async def test_a_sheet_against_a_computer_says_that_it_is_casual_and_why():
    draft = TableDraft("ABCD", "s" * 64, game="niya", rated="yes", against=COMPUTER)
    screen = SetupScreens("es", b"k" * 32, 1).sheet(draft)
    assert "Amistosa: contra el ordenador no se juega por puntos." in screen.lines
