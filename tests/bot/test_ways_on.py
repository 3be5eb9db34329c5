"""No sentence without a way on: whatever a command answers, something can be pressed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

import pytest

from bot.port import Answer, Asker, Card, Command, MenuAnswer, Press, Promised, Said, Screen, Where
from bot.presenters.button_codes import Action
from bot.presenters.command_specs import COMMANDS, nearest_command
from tests.fakes import UPDATES, Desk, desk, person

NEREA, BRUNO, EVA = person("Nerea"), person("Bruno"), person("Eva")
HOME = Where("fake", "id-Nerea", private=True)

TYPED: Mapping[str, tuple[Mapping[str, str], ...]] = {
    "play": (
        *({"game": "xyz"}, {"game": "niya", "opponent": "@nerea"}),
        *({"game": "niya", "opponent": "who is this"}, {"game": "niya", "clock": "zz"}),
        *({"game": "niya", "options": "x=y"}, {"game": "niya", "level": "99"}),
    ),
    "move": ({"move": "zz"},),
    "board": ({"table": "ZZZZZZ"}, {"form": "words"}),
    "join": ({"table": "ZZZZZZ"},),
    "rules": ({"game": "xyz"}, {"game": "niya"}),
    "learn": ({"game": "xyz"}, {"game": "parchis"}, {"game": "niya", "answer": "zz"}),
    "puzzle": ({"game": "xyz"}, {"game": "errores"}, {"game": "niya", "answer": "zz"}),
    "why": ({"move": "zz"},),
    "ask": ({"question": "zz"},),
    "words": ({"text": "sesame"},),
    "replay": ({"moves": "zz"},),
    "top": ({"game": "xyz"}, {"game": "shogi"}),
    "profile": ({"person": "Luis"}, {"person": "@bruno"}),
    "versus": ({"person": "Luis"}, {"person": "@bruno"}),
    "tournament": ({"code": "ZZZZZZ"}, {"start": "zz"}),
    "language": ({"language": "klingon"},),
    "holidays": ({"days": "zz"},),
    "link": ({"code": "AAAAAAAA"},),
    "help": ({"command": "move"}, {"command": "zzz"}, {"command": "shogi"}),
    "unknown": ({"command": "pelicula"}, {"command": "zzzzz"}),
}
"""What is said to commands besides their names."""

LAST = (
    *("move", "draw", "undo", "pause", "words", "join", "leave", "close", "rematch", "play"),
    *("resign", "forgetme"),
)
"""The commands that come last, since what they change ends the state."""

SLOW = ("card", "replay", "mydata", "export")
"""The commands that make files, which are tried where they are refused."""


def newest(at: Desk) -> str:
    return list(at.chat.messages.values())[-1].screen.table


async def empty_house(at: Desk, me: Asker, where: Where) -> None:
    del at, me, where


async def others_play(at: Desk, me: Asker, where: Where) -> None:
    del me, where
    await at.call(BRUNO, "play", game="niya")
    await at.call(EVA, "join", table=newest(at))


async def waiting(at: Desk, me: Asker, where: Where) -> None:
    await at.call(me, "play", where, game="niya")


async def challenging(at: Desk, me: Asker, where: Where) -> None:
    await at.call(me, "play", where, game="niya", opponent=BRUNO)


async def to_move(at: Desk, me: Asker, where: Where) -> None:
    await at.call(
        me, "play", where, game="niya", opponent="computer", level="1", begins="red", side="red"
    )


async def not_to_move(at: Desk, me: Asker, where: Where) -> None:
    await at.call(me, "play", where, game="niya", side="red", begins="yellow")
    await at.call(BRUNO, "join", table=newest(at))


async def over(at: Desk, me: Asker, where: Where) -> None:
    await to_move(at, me, where)
    await at.surely(me, "resign", where, table=newest(at))


State = Callable[[Desk, Asker, Where], Awaitable[None]]

STATES: tuple[State, ...] = (
    *(empty_house, others_play, waiting, challenging, to_move, not_to_move, over),
)


def leads_on(answer: Answer) -> bool:
    """Whether something can be pressed, or is shown by what stands there.

    What was done is shown by the board itself, files are what was asked for, and a link leads on.
    """
    match answer:
        case Said(said, good):
            shown = not said or (good and answer.table)
            return bool(shown or answer.leads is not None or any(answer.links))
        case Card(screen) | MenuAnswer(screen):
            return bool(screen.buttons or screen.choices)
    return True


async def answer_to(at: Desk, who: Asker, where: Where, name: str, typed: Mapping[str, str]):
    call = Command(f"w{next(UPDATES)}", where, who, name, dict(typed))
    answer = await at.facade.requests.call(call)
    if isinstance(answer, Promised):
        answer = await answer.answer
    await at.settle()
    return answer


@pytest.mark.sampled(6)
@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("private", [True, False], ids=["private", "group"])
@pytest.mark.parametrize("state", STATES, ids=[state.__name__ for state in STATES])
async def test_whatever_a_command_answers_something_can_be_pressed(
    tmp_path, monkeypatch, state, private, language
):
    monkeypatch.setattr("render.kit.Gallery.picture", lambda *_: b"")
    me = person("Nerea", language=language)
    where = HOME if private else Where("fake", "group")
    names = sorted((one.name for one in COMMANDS), key=lambda name: (name in LAST, name))
    bare = []
    async with desk(tmp_path) as at:
        await at.call(BRUNO, "help")
        await state(at, me, where)
        for name in ("unknown", *(one for one in names if one not in SLOW or state is not over)):
            for typed in (*TYPED.get(name, ()), {}):
                answer = await answer_to(at, me, where, name, typed)
                if not leads_on(answer):
                    bare.append((name, typed, answer.said or answer.screen.headline))
    assert bare == []


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        *(("pelicula", "replay"), ("errores", "puzzle"), ("movimiento", "move")),
        *(("repetision", "replay"), ("leaderboard", "top"), ("tournamnet", "tournament")),
        *(("xyzzy", None), ("a", None), ("", None)),
    ],
)
def test_a_command_that_is_nearly_right_is_asked_after(typed, meant):
    found = nearest_command(typed)
    assert (found and found.name) == meant


@pytest.mark.parametrize(("language", "name"), [("es", "/repeticion"), ("en", "/replay")])
async def test_the_button_below_the_question_does_what_was_meant(at, language, name):
    me = person("Nerea", language=language)
    asked = await answer_to(at, me, HOME, "unknown", {"command": "pelicula"})
    assert name in asked.said
    (meant, *_) = asked.leads.buttons[0]
    assert (meant.label, meant.code[0]) == (name, Action.REPLAY)
    press = Press(f"w{next(UPDATES)}", HOME, me, meant.code, "m")
    refused = await at.facade.requests.press(press)
    assert refused.said == (await answer_to(at, me, HOME, "replay", {})).said
    assert refused.leads is not None


async def test_every_way_leads_somewhere(at):
    """The buttons below the refusals of an empty house are followed one step."""
    await at.call(BRUNO, "help")
    for name in [one.name for one in COMMANDS if one.name not in SLOW]:
        for typed in (*TYPED.get(name, ()), {}):
            answer = await answer_to(at, NEREA, HOME, name, typed)
            for row in answer.leads.buttons if isinstance(answer, Said) and answer.leads else ():
                for button in row:
                    press = Press(f"w{next(UPDATES)}", HOME, NEREA, button.code, "m")
                    found = await at.facade.requests.press(press)
                    assert found.good or leads_on(found), (name, typed, button.label, found)


def labels(screen: Screen) -> list[str]:
    return [one.label for row in screen.rows for one in row]


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("es", "Eso es para quien está en la mesa; para jugar, pulsa «Sentarme»."),
        ("en", "That is for whoever sits at the table; to play, press “Sentarme”."),
    ],
)
async def test_whoever_has_no_seat_yet_is_told_which_key_to_press(tmp_path, code, told):
    async with desk(tmp_path) as at:
        await at.call(NEREA, "play", game="niya")
        board = at.chat.board(newest(at))
        refused = await at.press(replace(EVA, language=code), board, "Cancelar")
        assert refused.said == told


async def test_who_plays_nothing_is_shown_what_is_played_here(tmp_path):
    async with desk(tmp_path) as at:
        await others_play(at, NEREA, at.where)
        watched = await at.call(NEREA, "board")
        assert isinstance(watched, Card)
        assert watched.picture
        assert "Le toca a" in watched.screen.headline
        assert (await at.call(NEREA, "resign")).said.startswith("Aquí no estás jugando")
        assert (await at.call(NEREA, "board", HOME)).said.startswith("Aquí no estás jugando")


async def test_a_table_that_closes_without_a_result_leads_to_another_game(tmp_path):
    async with desk(tmp_path) as at:
        await at.call(NEREA, "play", game="niya", opponent=BRUNO)
        declined = newest(at)
        await at.press(BRUNO, at.chat.board(declined), "No, gracias")
        await at.settle()
        sheet = await at.press(NEREA, at.chat.board(declined), "Preparar una partida")
        assert leads_on(sheet)


async def test_somebody_of_the_place_is_found_by_their_name_alone(tmp_path):
    async with desk(tmp_path) as at:
        await others_play(at, NEREA, at.where)
        found = await at.call(NEREA, "profile", person="bruno")
        assert found.screen.headline.startswith("Bruno todavía no")
        own = await at.call(NEREA, "profile")
        assert own.screen.headline.startswith("Todavía no has acabado")
        assert "Preparar una partida" in labels(own.screen)
        elsewhere = await at.call(NEREA, "profile", HOME, person="bruno")
        assert elsewhere.said.startswith("No conozco a nadie")


async def test_closing_a_running_game_says_what_becomes_of_it(tmp_path):
    async with desk(tmp_path) as at:
        await others_play(at, NEREA, at.where)
        refused = await at.call(BRUNO, "close", table=newest(at))
        assert "/rendirse" in refused.said
