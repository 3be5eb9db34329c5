"""Asking the board in words, and playing by nothing but words."""

from __future__ import annotations

import itertools
import random
import re
from dataclasses import replace

import pytest

from bot.port import PrivateRefusal, Said
from bot.presenters.school.questions_to_the_board import MOST_CHOICES, answer_question
from bot.presenters.table.composer import Composer
from bot.presenters.table.viewers import Viewer
from bot.session.table import ENDED, PLAYING, Table
from games.core import CHANCE, read_move
from games.core.parts import Asking
from games.core.shelf import shelf
from games.parchis.moves import Go
from tests.fakes import Desk, person
from tests.games.random_walks import random_setting, walk
from tests.played import cirya, tables
from tests.slow_parameters import one_and_slowly_all

NEREA, BRUNO, VERA = person("Nerea"), person("Bruno"), person("Vera")
KEY = b"k" * 32


def told(table: Table, question: str, seat: int | None = 0, code: str = "es") -> str:
    composer = Composer(table, Viewer(seat, code, personal=True), KEY)
    return "\n".join(map(composer.say, answer_question(composer, question)))


def midway(key: str, moves: int = 24, seed: int = 2, **options: str) -> Table:
    *_, table = itertools.islice(tables(shelf()[key], options, seed=seed, looks=10), moves)
    return table


# -- what stands where --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "question", "said"),
    [
        ("shogi", "¿qué hay en 5a?", "En 5a: 王 rey, de Bruno."),
        ("shogi", "What is on 5e?", "5e está vacía."),
        ("niya", "¿Dónde está Morado2?", "Morado 2"),
        ("niya", "¿dónde está la azul claro 3?", "Azul claro 3"),
        ("parchis", "¿qué hay en 12?", "En la 12"),
        ("cirya", "¿qué hay en c3?", "c3"),
        ("storilljudhjorrayc", "¿qué hay en e5?", "En e5 no hay nadie."),
        ("storilljudhjorrayc", "¿dónde está KM?", "De Bruno: el maestre de guerra KM"),
        ("storilljudhjorrayc", "¿qué hay en el 3?", "En 3: "),
        ("storilljudhjorrayc", "¿qué hay en a?", "En a"),
    ],
)
def test_the_board_says_what_is_where(key, question, said):
    assert said in told(midway(key), question)


@pytest.mark.parametrize("key", sorted(shelf()))
def test_a_game_that_answers_nothing_is_looked_through_by_its_words(key):
    """A further game need not tell anything of its own."""
    table = midway(key)
    game = table.game
    object.__setattr__(table, "game", type(game)(**{**vars(game), "asking": Asking()}))
    assert "no sé decir" in told(table, "¿qué me amenaza?")
    assert told(table, "¿qué hay en zz9?") == "No encuentro «zz9» en el tablero."
    word = re.findall(r"\b[a-p]\d\b|\b\d[a-i]\b|\b\d\d\b", " ".join(_described(table)))[0]
    assert word in told(table, f"¿qué hay en {word}?")


def _described(table: Table) -> list[str]:
    composer = Composer(table, Viewer(0), KEY)
    return [composer.say(one) for one in table.game.speech.describe(composer.seen.position)]


def test_a_question_without_anything_to_look_for_is_answered_with_examples():
    assert told(midway("shogi"), "¿y qué?").startswith(("Pregúntame", "No encuentro"))


# -- what threatens -----------------------------------------------------------------------


async def test_c14_a_londe_within_reach_is_a_threat(at):
    code = await cirya(at, "e5 a1 b1 e4 c1 e3 d1 e2")
    table = await at.facade.services.tables.get(code)
    by_name = {player.name: seat for seat, player in enumerate(table.players)}
    (mover,) = table.actors()
    waiting = 1 - mover
    assert "podría completar un londë: e1" in told(table, "¿qué me amenaza?", waiting)
    assert by_name


def test_h9_what_may_be_taken_is_told_with_what_takes_it_and_whether_it_is_guarded():
    for table in tables(shelf()["shogi"], seed=4, looks=5, most=80):
        seat = table.present.turn
        said = told(table, "what threatens me?", seat, "en")
        capturable = _captures(table, seat)
        for square in capturable:
            assert f" on {square}, from " in said or square == _king(table, seat)
        if not capturable:
            assert said == "Nothing in sight threatens you."


def _captures(table: Table, seat: int) -> set[str]:
    """The squares of *seat* on which a move of the other would take something."""
    from games.shogi.board import SQUARES, is_attacked
    from games.shogi.pieces import KING, kind_of, owner_of
    from games.shogi.sfen import SQUARE_NAMES

    board = table.present.board
    return {
        SQUARE_NAMES[square]
        for square, piece in enumerate(board[:SQUARES])
        if piece
        and owner_of(piece) == seat
        and kind_of(piece) != KING
        and is_attacked(board, square, 1 - seat)
    }


def _king(table: Table, seat: int) -> str:
    from games.shogi.board import king_square
    from games.shogi.sfen import SQUARE_NAMES

    return SQUARE_NAMES[king_square(table.present.board, seat)]


def test_g6_whom_the_enemy_could_capture_next_is_in_danger():
    """Of all captures that were played, the victim was told of in the words before."""
    captures = 0
    before: Table | None = None
    for table in tables(shelf()["storilljudhjorrayc"], {"setup": "fixed"}, seed=3, looks=5):
        if before is not None and before.status == PLAYING:
            entry = table.log[len(before.log)]
            stage = before.present.stage
            move = next(
                one
                for one in before.present.legal_moves(entry.seat)
                if before.game.notation.written(before.present, one) == entry.text
            )
            for space in stage.fallen(move):
                owner, label = stage.board.standing[space]
                if owner != entry.seat:
                    captures += 1
                    assert f"{label} en {space}" in told(before, "¿qué me amenaza?", owner)
        before = table
    assert captures >= 3


# -- what may be played -------------------------------------------------------------------


def test_what_one_s_rook_may_do_is_told_in_moves_that_can_be_typed():
    table = midway("shogi", 20)
    seat = table.present.turn
    said = told(table, "¿qué puede mi torre?", seat).splitlines()
    assert said
    for line in said[:MOST_CHOICES]:
        text, _, words = line.partition(": ")
        assert text.startswith(("R*", "+")) or "torre" in words
    assert told(table, "¿qué puede mi elefante?", seat) == "No encuentro «elefante» en el tablero."
    assert told(table, "what can my rook do?", seat) == told(table, "¿qué puede mi torre?", seat)


def test_only_whoever_is_to_move_hears_what_may_be_played():
    table = midway("shogi", 20)
    assert told(table, "¿qué puedo jugar?", 1 - table.present.turn).startswith("Eso solo")
    assert told(table, "¿qué puedo jugar?", None).startswith("Eso solo")


def test_moves_are_told_in_the_letters_that_one_sees_and_can_be_typed_so():
    game, told_of = shelf()["parchis"], 0
    for table in itertools.islice(tables(game, seed=2, looks=5), 60):
        (seat,) = table.actors() or (0,)
        if table.status != PLAYING or not any(isinstance(m, Go) for m in legal(table, seat)):
            continue
        for code, letter, question in (
            ("es", "A", "¿qué puedo jugar?"),
            ("en", "Y", "What can I do?"),
        ):
            own = letter if table.present.colours[seat] == 0 else "R"
            for line in told(table, question, seat, code).splitlines():
                text, _, words = line.partition(": ")
                assert text.startswith(own)
                assert words.startswith(own)
                assert read_move(game, table.present, seat, text) in legal(table, seat)
                told_of += 1
    assert told_of > 20


def legal(table: Table, seat: int) -> list[object]:
    return list(table.present.legal_moves(seat))


def test_what_may_not_move_now_is_not_said_to_be_nowhere():
    table = next(tables(shelf()["parchis"], seed=2, looks=5))
    (seat,) = table.actors()
    assert told(table, "¿qué puede A1?", seat).splitlines() == [
        "Ahora «A1» no se puede mover.",
        "Puedes elegir: 🎲 Tirar.",
    ]


def test_whatever_verb_asks_what_may_be_done_the_verb_is_no_thing_on_the_board():
    table = midway("niya", 3)
    seat = min(table.actors())
    for question in ("¿qué puedo tomar?", "¿qué tomo?", "¿dónde pongo?", "what can I choose?"):
        said = told(table, question, seat)
        assert said.startswith(("Puedes elegir: ", "V", "M", "O", "L")), said
        assert "no puede mover" not in said


# -- who is told --------------------------------------------------------------------------


async def test_the_answer_is_the_asker_s_alone_and_nothing_happens(at):
    code = await cirya(at, "e5 a1 b1")
    before = await at.facade.services.tables.get(code)
    for who in (NEREA, BRUNO, VERA):
        heard = await at.call(who, "ask", table=code, question="¿qué hay en e5?")
        assert isinstance(heard, Said)
        assert (heard.good, heard.private) == (True, True)
        assert heard.said.startswith("En e5")
    assert await at.facade.services.tables.get(code) == before


async def test_a_typed_line_that_asks_is_a_question_and_a_move_with_a_mark_is_none(at):
    code = await cirya(at, "e5 a1")
    heard = await at.call(VERA, "move", table=code, move="¿qué hay en e5?")
    assert heard.said.startswith("En e5")
    table = await at.facade.services.tables.get(code)
    (seat,) = table.actors()
    who = NEREA if table.players[seat].name == "Nerea" else BRUNO
    assert (await at.call(who, "move", table=code, move="b1?")).good
    assert len((await at.facade.services.tables.get(code)).log) == 3


@pytest.mark.slow
@pytest.mark.parametrize("playing", [True, False])
async def test_a_typed_question_that_the_board_cannot_answer_gets_help(at, playing):
    if playing:
        await cirya(at, "e5")
    answer = await at.call(NEREA, "move", move="how do I order a pizza?")
    assert answer.screen.headline == "¿Qué quieres hacer?"


async def test_a_refusal_where_the_board_does_not_stand_names_its_game(at):
    await at.call(NEREA, "play", game="shogi", opponent="computer", side="sente")
    home = replace(at.where, place="hers", private=True)
    there, here = [
        (await at.call(NEREA, "move", where, move="9z9")).said for where in (home, at.where)
    ]
    assert there == f"Shogi: {here}"


async def test_who_asks_who_is_winning_or_what_to_play_is_answered_by_the_house(at):
    await at.call(NEREA, "play", game="niya", opponent="ordenador", level="1")
    code = list(at.chat.messages.values())[-1].screen.table
    await at.facade.settled()
    heard = await at.call(NEREA, "ask", table=code, question="¿quién va ganando?")
    assert heard.said.startswith("Posibilidades de ganar: ")
    heard = await at.call(NEREA, "move", table=code, move="¿cuál es la mejor jugada?")
    assert heard.said.startswith(("Yo jugaría: ", "Solo hay una jugada: ", "Ahora juega"))
    people = await cirya(at, "e5 a1 b1")
    heard = await at.call(BRUNO, "ask", table=people, question="¿quién va ganando?")
    assert heard.said.startswith("Pistas y opiniones solo hay contra el ordenador")


async def test_g14_a_hidden_set_up_stays_hidden(at):
    await at.call(NEREA, "play", game="storilljudhjorrayc", seats="2")
    code = list(at.chat.messages.values())[-1].screen.table
    await at.call(BRUNO, "join", table=code)
    aloud = await at.call(NEREA, "ask", table=code, question="¿dónde está KM?")
    assert isinstance(aloud, PrivateRefusal)
    alone = await at.call(NEREA, "ask", table=code, question="¿dónde está KM?", whispered="yes")
    assert "De Nerea" in alone.said
    assert "De Bruno" not in alone.said
    looking = await at.call(VERA, "ask", table=code, question="¿dónde está KM?", whispered="yes")
    assert "KM," not in looking.said


# -- by words alone -----------------------------------------------------------------------


@pytest.mark.parametrize("key", sorted(shelf()))
def test_different_positions_have_different_words(key):
    rng, said = random.Random(7), {}
    for _ in range(3):
        for position, _ in walk(shelf()[key], random_setting(shelf()[key], rng), rng, 60):
            if CHANCE in position.actors():
                continue
            seen = position.seen_by(None)
            words = tuple(map(repr, shelf()[key].speech.describe(seen)))
            text = shelf()[key].notation.text(seen)
            assert said.setdefault(words, text) == text


PLAYABLE = "¿qué puedo jugar?"

MOVE = re.compile(r"^(\S.*?): ", re.MULTILINE)
"""The head of a line that tells of a move: what is typed to play it."""

BEST = re.compile("al rey|maestre|mate|meta|londë|captura|come|toma|figura")
"""Words of moves that end games sooner."""

SHORT = {"shogi": "king_capture=yes", "storilljudhjorrayc": "setup=fixed"}
"""Options with which those who play at random come to an end."""


async def by_words(at: Desk, key: str, most: int) -> Table:
    """Play *key* to its end, of *most* moves, knowing nothing but what is said."""
    await at.call(NEREA, "play", game=key, seats="2", options=SHORT.get(key, ""))
    code = list(at.chat.messages.values())[-1].screen.table
    await at.call(BRUNO, "join", table=code)
    rng, players = random.Random(3), {"Nerea": NEREA, "Bruno": BRUNO}
    for _ in range(most):
        for who in players.values():
            heard = await at.call(
                who, "ask", table=code, question="¿qué puedo jugar?", whispered="1"
            )
            if "a quien le toca" not in heard.said:
                break
        else:
            return await at.facade.services.tables.get(code)  # Nobody is asked any more.
        told_of = "" if heard.said.startswith("Puedes elegir") else heard.said
        found = MOVE.findall(told_of)
        lines = heard.said.splitlines()
        if not found:
            names = re.findall(r"[^\s,:.«»·]*\d[^\s,:.«»·]*|\b[A-Z]{1,2}[ÞD]?\b", heard.said)
            name = rng.choice(names)
            heard = await at.call(
                who, "ask", table=code, question=f"¿qué puede {name}?", whispered="1"
            )
            lines = heard.said.splitlines()
            found = MOVE.findall(heard.said)
        assert found, heard.said
        good = [line for line in lines if BEST.search(line)]
        text = MOVE.findall(rng.choice(good))[0] if good else rng.choice(found)
        answered = await at.call(who, "move", table=code, move=text, whispered="1")
        assert answered.good, (text, answered.said)
    raise AssertionError(f"no end after {most} moves")


async def finished_by_words(at: Desk, key: str, most: int) -> None:
    table = await by_words(at, key, most)
    assert table.status == ENDED
    assert table.by_rule, "nobody resigned"


@pytest.mark.parametrize("key", one_and_slowly_all(shelf()))
async def test_a_whole_game_is_played_by_words_alone(at, key):
    await finished_by_words(at, key, 1500)
