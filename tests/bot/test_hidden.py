"""What one player hides, no shared place ever shows: words, pictures, lines or answers."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import bot
from bot.facade.table_facts_for_programs import table_facts
from bot.port import Card, FileAnswer, MenuAnswer, Press, Said, Screen, Where
from bot.presenters.button_codes import Action, Click, encode_click
from bot.presenters.table.composer import Composer
from bot.presenters.table.move_history import moment_screen, move_lines
from bot.presenters.table.side_panel import side_panel_of
from bot.presenters.table.viewers import Viewer
from games.storilljudhjorrayc.move_types import Ready
from tests.fakes import Desk, person
from tests.source_trees import tree_of

BOT = Path(bot.__file__).parent
NEREA, BRUNO, EVA = person("Nerea"), person("Bruno"), person("Eva")


async def set_up(at: Desk) -> str:
    """A table in its hidden set-up; its code."""
    await at.call(NEREA, "play", game="storill")
    code = list(at.chat.messages.values())[-1].screen.table
    await at.call(BRUNO, "join", table=code)
    return code


def public(at: Desk, code: str) -> str:
    """Everything that the group sees of the table."""
    screen = at.chat.board(code, at.where).screen
    return repr((screen.headline, screen.lines, screen.alt, screen.scene))


async def test_no_button_of_a_shared_board_shows_what_is_hidden(at):
    code = await set_up(at)
    before = public(at, code)
    board = at.chat.board(code, at.where)
    for label in ("Más", "En palabras", "Preparar lo mío"):
        answer = await at.press(NEREA, board, label)
        assert public(at, code) == before, label
        if label == "En palabras":
            assert "T1 en" not in answer.said
    more = await at.press(NEREA, board, "Más")
    for label in ("Girar", "Rendirse"):
        # Where the words of an answer are read by others, its card hides nothing either.
        code_of = at.card(more).button(label).code
        shown = await at.press(NEREA, board, code=code_of)
        assert isinstance(shown, Card)
        assert "T1" not in read(shown.screen)
    assert public(at, code) == before


def read(screen: Screen | None) -> str:
    """All that can be read of a screen, the signatures of its buttons apart: they say anything.

    Which units take part at all is no secret either.
    """
    return re.sub(r"(code='[^']*\.)[^.']*'|units=\([^)]*\)", r"\1'", repr(screen))


async def test_no_button_of_a_shared_board_that_was_given_up_shows_what_is_hidden(at):
    code = await set_up(at)
    board = at.chat.board(code, at.where)
    async with at.facade.store.transaction() as tx:
        # Another board has replaced it, and it could not be removed.
        await tx.exec_driver_sql("update view set message = 'another'")
    back = encode_click(Click(Action.BACK, code), at.facade.services.key)
    press = Press("lost", at.where, NEREA, back, board.id, whispered=True)
    answer = await at.facade.requests.press(press)
    assert isinstance(answer, MenuAnswer)
    assert "T1" not in read(answer.screen)
    own = replace(press, update="own", own=True)
    assert "T1" in read((await at.facade.requests.press(own)).screen)


async def test_the_hidden_part_is_shown_to_its_owner_alone(at):
    code = await set_up(at)
    mine = await at.press(NEREA, at.chat.board(code, at.where), "Preparar lo mío")
    assert isinstance(mine, Card)
    assert "espadas T1 " in mine.screen.alt
    assert mine.picture is not None
    stranger = await at.press(EVA, at.chat.board(code, at.where), "Preparar lo mío")
    assert isinstance(stranger, Card)
    assert "T1 en" not in read(stranger.screen)


async def test_of_the_card_on_which_all_is_arranged_only_words_and_a_key_stay(at):
    code = await set_up(at)
    mine = await at.press(NEREA, at.chat.board(code, at.where), "Preparar lo mío")
    ready = await at.press(NEREA, at.card(mine), "¡Listo! Me quedo así")
    assert isinstance(ready, MenuAnswer)
    assert ready.screen.headline == "Tu despliegue está terminado."
    assert ready.screen.scene is None
    (key,) = [one for row in ready.screen.rows for one in row]
    board = await at.press(NEREA, at.card(ready), code=key.code)
    assert board.good
    assert board.screen.scene is not None


async def test_of_the_card_of_who_arranges_last_and_begins_only_words_stay_as_well(at):
    await at.call(NEREA, "play", game="storill", side="verde", begins="verde")
    code = list(at.chat.messages.values())[-1].screen.table
    await at.call(BRUNO, "join", table=code)
    for who in (BRUNO, NEREA):
        mine = await at.press(who, at.chat.board(code, at.where), "Preparar lo mío")
        ready = await at.press(who, at.card(mine), "¡Listo! Me quedo así")
        assert ready.screen.headline == "Tu despliegue está terminado."
        assert ready.screen.scene is None
        assert [one.label for row in ready.screen.rows for one in row] == ["Ver el tablero"]
    await at.settle()
    assert "Nerea" in at.chat.board(code, at.where).screen.headline


async def test_a_card_that_is_behind_what_was_typed_shows_what_is_now_when_it_is_pressed(at):
    code = await set_up(at)
    mine = at.card(await at.press(NEREA, at.chat.board(code, at.where), "Preparar lo mío"))
    version = (await at.facade.services.tables.get(code)).version
    typed = await at.call(NEREA, "move", move="swap A T1", whispered="yes")
    assert typed.said == "Hecho: el rey A y la espada T1 se cambian el sitio."
    late = await at.press(NEREA, mine, "¡Listo! Me quedo así")
    assert isinstance(late, MenuAnswer)
    assert (late.good, late.said) == (False, "Ese botón es de antes: mira el tablero de ahora.")
    assert "rey A n3" in late.screen.alt
    assert late.picture is not None
    assert (await at.facade.services.tables.get(code)).version == version + 1
    ready = await at.press(NEREA, at.card(late), "¡Listo! Me quedo así")
    assert ready.screen.headline == "Tu despliegue está terminado."


async def test_who_has_arranged_all_is_told_for_whom_he_waits(at):
    code = await set_up(at)
    mine = await at.press(NEREA, at.chat.board(code, at.where), "Preparar lo mío")
    await at.press(NEREA, at.card(mine), "¡Listo! Me quedo así")
    again = await at.press(NEREA, at.chat.board(code, at.where), "Preparar lo mío")
    assert again == Said("Ahora juega Bruno.", good=False)


async def test_what_is_typed_in_a_group_during_a_hidden_set_up_is_sent_to_private(at):
    code = await set_up(at)
    version = (await at.facade.services.tables.get(code)).version
    refused = await at.call(NEREA, "move", move="ready")
    assert not refused.good
    assert "en privado" in refused.said
    asked = await at.call(NEREA, "why", move="ready")
    assert "en privado" in asked.said
    assert (await at.facade.services.tables.get(code)).version == version


async def test_moving_in_private_changes_nothing_for_the_group(at):
    code = await set_up(at)
    before = public(at, code)
    room = Where("fake", "nerea", private=True)
    await at.call(NEREA, "join", room, table=code)
    board = at.chat.board(code, room)
    assert "espadas T1 " in board.screen.alt
    table = await at.facade.services.tables.get(code)
    seat = table.seat_of((await at.facade.services.people.of(NEREA)).id)
    moves = table.present.legal_moves(seat)
    swap = table.game.notation.written(table.present, moves[len(moves) // 2])
    moved = await at.call(NEREA, "move", room, move=swap)
    assert moved.good, moved.said
    assert public(at, code) == before
    assert at.chat.board(code, room).screen.alt != board.screen.alt


async def test_the_record_of_a_hidden_set_up_is_kept_back(at):
    await set_up(at)
    answer = await at.call(NEREA, "record")
    assert not answer.good
    assert not isinstance(answer, FileAnswer)


async def test_g14_a_set_up_that_takes_more_than_a_day_is_the_default(at):
    code = await set_up(at)
    now = at.facade.services.clock.steady
    at.facade.services.clock.steady = lambda: now() + timedelta(hours=23)
    await at.facade.process_duties.deadlines.expire()
    assert len((await at.facade.services.tables.get(code)).actors()) == 2
    at.facade.services.clock.steady = lambda: now() + timedelta(hours=25)
    await at.facade.process_duties.deadlines.expire()
    await at.settle()
    table = await at.facade.services.tables.get(code)
    assert len(table.actors()) == 1
    fixed = table.game.start(table.game.setting({"setup": "fixed"}, first=table.first))
    assert table.game.notation.text(table.present) == table.game.notation.text(fixed)
    await at.facade.process_duties.deadlines.expire()
    assert (await at.facade.services.tables.get(code)).version == table.version


async def test_g14_whoever_is_ready_keeps_his_own_set_up(at):
    code = await set_up(at)
    room = Where("fake", "nerea", private=True)
    await at.call(NEREA, "join", room, table=code)
    table = await at.facade.services.tables.get(code)
    seat = table.seat_of((await at.facade.services.people.of(NEREA)).id)
    moves = [
        table.game.notation.written(table.present, move) for move in table.present.legal_moves(seat)
    ]
    assert (await at.call(NEREA, "move", room, move=moves[len(moves) // 2])).good
    assert (await at.call(NEREA, "move", room, move="ready")).good
    now = at.facade.services.clock.steady
    at.facade.services.clock.steady = lambda: now() + timedelta(hours=25)
    await at.facade.process_duties.deadlines.expire()
    table = await at.facade.services.tables.get(code)
    assert len(table.actors()) == 1
    fixed = table.game.start(table.game.setting({"setup": "fixed"}, first=table.first))
    mine, default = (
        table.game.notation.text(position).split() for position in (table.present, fixed)
    )
    assert mine[seat] != default[seat]
    assert mine[1 - seat] == default[1 - seat]


def test_secrecy_is_decided_in_one_place():
    """Only ``bot.session.visibility`` asks positions what may be seen."""
    asking = {
        str(path.relative_to(BOT))
        for path in BOT.rglob("*.py")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Attribute) and node.attr in ("seen_by", "move_seen")
    }
    # Computers see as their seat does, in their own games and in those that puzzles are made of.
    assert asking == {
        "session/visibility.py",
        "service/computers/worker.py",
        "session/puzzle_mining.py",
    }


async def test_nobody_is_told_how_often_another_has_changed_a_hidden_set_up(at):
    code = await set_up(at)
    tables, key = at.facade.services.tables, at.facade.services.key

    async def told(person_of: int | None) -> tuple[object, ...]:
        table = await tables.get(code)
        composer = Composer(table, Viewer(table.seat_of(person_of), "es", personal=True), key)
        panel = side_panel_of(table, person_of, "es", key)
        facts = table_facts(table, table.seat_of(person_of), 0, 0, "es")
        moments = [moment_screen(composer, number) is None for number in range(8)]
        lines = [line.number for line in move_lines(composer)]
        version = table.version - panel.unknown
        kept = panel.count, panel.told, moments, lines, facts.moves_total, facts.moves
        return (*kept, version, facts.version)

    table = await tables.get(code)
    nerea, bruno = (player.person for player in table.players)
    before = [await told(one) for one in (nerea, bruno, None)]
    for _ in range(3):
        table = await tables.get(code)
        seat = table.seat_of(bruno)
        moves = (one for one in table.position.legal_moves(seat) if not isinstance(one, Ready))
        move = table.game.notation.written(table.position, next(moves))
        answer = await at.call(
            BRUNO, "move", Where("fake", "bruno", private=True), move=move, table=code
        )
        assert answer.good, answer
    after = [await told(one) for one in (nerea, bruno, None)]
    assert len((await tables.get(code)).log) >= 3
    assert after[0] == before[0], "his opponent"
    assert after[2] == before[2], "who looks on"
    assert after[1] != before[1], "he himself steps through what he did"
    assert after[1][3] == [0, 1, 2]
    move = next(iter(table.position.legal_moves(table.seat_of(nerea))))
    written = table.game.notation.written(table.position, move)
    room = Where("fake", "nerea", private=True)
    await at.call(NEREA, "move", room, move=written, table=code)
    assert (await told(nerea))[3] == [0], "her own numbers tell nothing either"
