"""Whose board is it: what others press neither changes a shared board nor costs it an edit."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from datetime import timedelta

import pytest

from bot.port import Card, MenuAnswer, Press, Said, Where
from bot.presenters.button_codes import Action, Click, encode_click
from bot.service.table.changes import Update
from bot.session import play
from bot.session.play import close
from bot.session.unit_of_work import UnitOfWork
from games.core.shelf import shelf
from tests.fakes import Desk, Message, person

NEREA, BRUNO, EVA = person("Nerea"), person("Bruno"), person("Eva")
FIXED = {"key": "storilljudhjorrayc", "options": "setup=fixed"}
"""A game in which draws are agreed, and nothing is hidden."""

PEOPLE = {who.name: who for who in (NEREA, BRUNO, EVA)}
AGAIN = "Desde esa pregunta ha pasado algo en la mesa, así que te la repito."


@dataclass(frozen=True)
class Game:
    """A game between Nerea and Bruno in a group, which everybody there reads."""

    at: Desk
    code: str

    @classmethod
    async def begun(cls, at: Desk, key: str = "cirya", **wish: str) -> Game:
        await at.call(NEREA, "play", game=key, opponent=BRUNO, **wish)
        code = list(at.chat.messages.values())[-1].screen.table
        await at.press(BRUNO, at.chat.board(code), "Aceptar")
        return cls(at, code)

    @property
    def board(self) -> Message:
        return self.at.chat.board(self.code)

    async def table(self):
        return await self.at.facade.services.tables.get(self.code)

    async def people(self):
        """Whose turn it is, and who waits."""
        table = await self.table()
        (seat,) = table.actors()
        return PEOPLE[table.players[seat].name], PEOPLE[table.players[1 - seat].name]

    async def half_made(self) -> Message:
        """Whoever is asked has chosen a place and is asked what to put there."""
        mover, _ = await self.people()
        for _ in range(3):
            board = self.board
            answer = await self.at.press(mover, board, board.moves[0].label)
            if isinstance(answer, MenuAnswer):
                return self.board
            mover, _ = await self.people()
        raise AssertionError("every choice is a whole move")

    def said(self, act: Action, *path: str, turn: int = 0) -> str:
        """The code of a button that does *act*."""
        return encode_click(Click(act, self.code, turn, path), self.at.facade.services.key)


async def test_no_button_of_others_changes_a_shared_board_or_takes_a_choice_away(at):
    game = await Game.begun(at)
    board = await game.half_made()
    _, other = await game.people()
    shown, calls = board.screen, at.chat.calls
    buttons = [button for row in shown.rows for button in row]
    # A word that the other may say as well is his own act.
    for who, button in itertools.product(
        (other, EVA), (b for b in buttons if "Lond" not in b.label)
    ):
        answer = await at.press(who, board, code=button.code)
        assert not isinstance(answer, MenuAnswer), button.label
        assert game.board.screen == shown, button.label
    assert at.chat.calls == calls


@pytest.mark.sampled
@pytest.mark.parametrize("key", sorted(shelf()))
async def test_whoever_is_not_asked_hears_by_name_whose_turn_it_is(at, key):
    game = await Game.begun(at, **(FIXED if key == FIXED["key"] else {"key": key}))
    mover, other = await game.people()
    calls = at.chat.calls
    for who, sentence in (
        (other, f"Ahora juega {mover.name}."),
        (EVA, f"Estás mirando: ahora juega {mover.name}."),
    ):
        answer = await at.press(who, game.board, code=game.board.moves[0].code)
        assert answer == Said(sentence, good=False)
        back = await at.press(who, game.board, code=game.said(Action.BACK))
        assert back == Said(sentence, good=False)
    assert at.chat.calls == calls


async def test_only_who_has_chosen_goes_back(at):
    game = await Game.begun(at)
    board = await game.half_made()
    mover, _ = await game.people()
    assert "Volver" in board.labels
    await at.press(mover, board, "Volver")
    assert len(game.board.moves) > len(board.moves)


async def test_an_offer_of_the_other_leaves_the_choice_that_is_half_made(at):
    game = await Game.begun(at, **FIXED)
    await game.half_made()
    mover, other = await game.people()
    chosen = [b.code for b in game.board.moves]
    assert (await at.call(other, "draw", table=game.code)).good
    assert [b.code for b in game.board.moves] == chosen
    assert "ofrece tablas" in game.board.screen.lines[-2]
    await at.press(mover, game.board, "Rechazar tablas")
    assert [b.code for b in game.board.moves] == chosen


async def test_a_stale_board_comes_right_for_whoever_is_asked_and_for_nobody_else(at, monkeypatch):
    monkeypatch.setattr(play, "SETTLED", timedelta())
    game = await Game.begun(at, "niya")
    stale = game.board.moves[0].code
    for _ in range(2):
        mover, other = await game.people()
        await at.press(mover, game.board, game.board.moves[0].label)
    mover, other = await game.people()
    edits = game.board.edits
    assert not (await at.press(other, game.board, code=stale)).good
    assert not (await at.press(EVA, game.board, code=stale)).good
    assert game.board.edits == edits
    at.facade.services.delivery.renderer.lately.clear()
    answer = await at.press(mover, game.board, code=stale)
    assert answer.said.startswith("Tomas")
    assert game.board.edits == edits + 1


@pytest.mark.sampled
@pytest.mark.parametrize("who", [NEREA, BRUNO, EVA])
async def test_what_is_for_one_person_comes_to_him_beside_the_board(at, who):
    game = await Game.begun(at, "shogi")
    shown, calls = game.board.screen, at.chat.calls
    more = at.card(await at.press(who, game.board, "Más"))
    assert {"Reglas", "Por escrito", "Girar"} <= set(more.labels)
    assert ("Rendirse" in more.labels) == (who is not EVA)
    for label in ("Reglas", "Por escrito", "Girar"):
        assert (await at.press(who, more, label)).good
    assert (await at.press(who, game.board, "En palabras")).good
    assert game.board.screen == shown
    assert at.chat.calls == calls


@pytest.mark.slow
async def test_the_board_turns_for_one_person_alone_and_says_so(at):
    game = await Game.begun(at, "shogi")
    bottom = game.board.screen.scene.bottom
    more = at.card(await at.press(EVA, game.board, "Más"))
    turned = await at.press(EVA, more, "Girar")
    assert isinstance(turned, Card)
    assert turned.screen.scene.bottom != bottom
    assert turned.picture
    assert turned.screen.lines == ("Tablero girado, solo para ti.",)
    again = await at.press(EVA, at.card(turned), "Girar")
    assert isinstance(again, MenuAnswer)
    assert again.screen.scene.bottom == bottom


async def test_in_private_the_board_itself_turns(at):
    alone = Where("fake", "nerea", private=True)
    await at.call(NEREA, "play", alone, game="shogi", opponent="ordenador", side="sente")
    (board,) = at.chat.messages.values()
    bottom = board.screen.scene.bottom
    await at.press(NEREA, board, "Más")
    await at.press(NEREA, at.chat.board(board.screen.table), "Girar")
    assert at.chat.board(board.screen.table).screen.scene.bottom != bottom


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["resign", "leave"])
async def test_a_typed_end_of_the_game_is_asked_back_by_name(at, name):
    game = await Game.begun(at)
    asked = await at.call(NEREA, name)
    assert isinstance(asked, Card)
    assert asked.screen.lines == ("Nerea, ¿seguro que te rindes?",)
    assert (await game.table()).status == "playing"
    kept = await at.press(NEREA, at.card(asked), "No")
    assert kept.said == "De acuerdo: todo sigue igual."
    assert (await game.table()).status == "playing"


@pytest.mark.sampled
@pytest.mark.parametrize("other", [BRUNO, EVA])
async def test_nobody_resigns_by_the_answer_to_another_s_question(at, other):
    game = await Game.begun(at)
    question = at.card(await at.call(NEREA, "resign"))
    answer = await at.press(other, question, "Sí, seguro")
    assert answer == Said("Esa pregunta no es para ti.", good=False)
    assert (await game.table()).status == "playing"
    await at.press(NEREA, question, "Sí, seguro")
    table = await game.table()
    assert table.players[table.outcome.winner].name == "Bruno"


async def test_who_says_a_bare_yes_to_a_question_is_shown_its_keys_again(at):
    game = await Game.begun(at)
    await at.call(NEREA, "resign")
    answer = await at.call(NEREA, "yes")
    assert answer.said == "Así no sé a qué contestas: pulsa aquí tu respuesta."
    labels = [one.label for row in answer.leads.buttons for one in row]
    assert labels[0] == "Sí, seguro"
    assert len(labels) == 2
    assert (await game.table()).status == "playing"


async def test_a_stranger_is_not_asked_whether_to_resign(at):
    game = await Game.begun(at)
    answer = await at.call(EVA, "resign", table=(await game.table()).code)
    assert answer.said.startswith("No juegas en esta mesa.")
    assert not answer.good


async def test_who_leaves_a_game_that_is_over_hears_that_it_is(at):
    game = await Game.begun(at)
    await at.press(NEREA, at.card(await at.call(NEREA, "resign")), "Sí, seguro")
    left = await at.call(NEREA, "leave", table=(await game.table()).code)
    assert (left.said, left.good) == ("Esta partida ya ha terminado.", False)
    assert [one.label for row in left.leads.buttons for one in row] == ["Ver el tablero"]


async def test_who_closes_a_table_that_was_withdrawn_hears_by_whom(at):
    await at.call(NEREA, "play", game="niya")
    (shown,) = at.chat.messages.values()
    code = shown.screen.table
    await at.call(NEREA, "leave", table=code)
    for who in (NEREA, EVA):
        again = await at.call(who, "close", table=code)
        assert (again.said, again.good) == ("Nerea ha retirado la invitación.", False)


@pytest.mark.slow
async def test_a_question_is_put_anew_where_its_asker_has_played_on(at):
    game = await Game.begun(at, "niya")
    mover, other = await game.people()
    question = at.card(await at.call(mover, "resign"))
    await at.press(mover, game.board, game.board.moves[0].label)
    answer = await at.press(mover, question, "Sí, seguro")
    assert at.card(answer).screen.lines == (f"{AGAIN} {mover.name}, ¿seguro que te rindes?",)
    assert (await game.table()).status == "playing"
    await at.press(mover, at.card(answer), "Sí, seguro")
    table = await game.table()
    assert table.players[table.outcome.winner].name == other.name
    assert not (await at.press(mover, question, "Sí, seguro")).good


async def test_who_says_yes_resigns_though_the_other_has_moved_meanwhile(at):
    game = await Game.begun(at, "niya")
    mover, other = await game.people()
    question = at.card(await at.call(other, "resign"))
    await at.press(mover, game.board, game.board.moves[0].label)
    assert (await at.press(other, question, "Sí, seguro")).good
    table = await game.table()
    assert table.players[table.outcome.winner].name == mover.name


async def test_who_was_asked_about_a_game_that_would_not_count_is_asked_anew_once_it_does(at):
    game = await Game.begun(at, "niya", rated="yes")
    mover, other = await game.people()
    await at.press(mover, game.board, game.board.moves[0].label)
    question = at.card(await at.call(mover, "resign"))
    for who in (other, mover, other):
        last = who is other and len((await game.table()).log) > 17
        if last:
            question = at.card(await at.call(mover, "resign"))
        await at.press(who, game.board, game.board.moves[0].label)
    answer = await at.press(mover, question, "Sí, seguro")
    assert at.card(answer).screen.lines == (f"{AGAIN} {mover.name}, ¿seguro que te rindes?",)
    assert (await game.table()).status == "playing"


@pytest.mark.slow
async def test_who_answers_a_question_below_the_present_board_is_not_asked_again(at):
    game = await Game.begun(at, "niya")
    mover, _ = await game.people()
    question = at.card(await at.call(mover, "resign"))
    asked = (await game.table()).version
    await at.press(mover, game.board, game.board.moves[0].label)
    yes = question.button("Sí, seguro").code
    for seen, status in ((asked, "playing"), (asked + 1, "ended")):
        press = Press(f"seen {seen}", at.where, mover, yes, question.id, seen=seen)
        await at.facade.requests.press(press)
        assert (await game.table()).status == status


async def test_the_yes_of_an_earlier_release_asks_again(at):
    game = await Game.begun(at)
    asked = await at.press(BRUNO, game.board, code=game.said(Action.RESIGN, "yes"))
    assert isinstance(asked, Card)
    assert (await game.table()).status == "playing"


async def test_who_closes_a_table_that_has_changed_since_is_asked_anew_by_a_key(
    at,
):
    await at.call(NEREA, "play", game="parchis", seats="3")
    (board,) = at.chat.messages.values()
    question = at.card(await at.call(NEREA, "close"))
    await at.call(BRUNO, "join", table=board.screen.table)
    anew = await at.press(NEREA, question, "Sí, seguro")
    assert at.card(anew).screen.lines == (f"{AGAIN} Nerea, ¿seguro que cierras la mesa?",)
    await at.press(NEREA, at.card(anew), "Sí, seguro")
    assert (await at.facade.services.tables.get(board.screen.table)).status == "closed"


async def test_who_closes_a_table_is_asked_back(at):
    await at.call(NEREA, "play", game="niya")
    (board,) = at.chat.messages.values()
    code = board.screen.table
    question = at.card(await at.call(NEREA, "close"))
    assert question.screen.lines[0] == "Nerea, ¿seguro que cierras la mesa?"
    assert (await at.facade.services.tables.get(code)).status == "open"
    await at.press(NEREA, question, "Sí, seguro")
    assert (await at.facade.services.tables.get(code)).status == "closed"
    assert at.chat.board(code).screen.headline == "Nerea ha retirado la invitación."


async def test_the_keys_of_several_offers_tell_which_each_answers(at):
    game = await Game.begun(at, "storilljudhjorrayc", options="setup=fixed", clock="5m")
    mover, other = await game.people()
    table = await game.table()
    (seat,) = table.actors()
    move = table.game.notation.written(table.present, table.present.legal_moves(seat)[0])
    await at.call(mover, "move", move=move, table=game.code)
    for who, name in ((mover, "undo"), (mover, "draw"), (other, "pause")):
        await at.call(who, name, table=game.code)
    assert len((await game.table()).offers) == 3
    assert len({*game.board.labels}) == len(game.board.labels)


@pytest.mark.parametrize("private", [False, True])
@pytest.mark.parametrize(
    ("wish", "yes"), [("undo", "Permitir deshacer"), ("draw", "Aceptar tablas")]
)
async def test_more_has_the_keys_of_the_offers_that_wait_for_whoever_reads_it(
    at, wish, yes, private
):
    game = await Game.begun(at, **FIXED)
    mover, other = await game.people()
    table = await game.table()
    (seat,) = table.actors()
    move = table.game.notation.written(table.present, table.present.legal_moves(seat)[0])
    await at.call(mover, "move", move=move, table=game.code)
    await at.call(mover, wish, table=game.code)
    board = shared = game.board
    where = None
    if private:
        where = Where("fake", other.name, private=True)
        await at.call(other, "board", where, table=game.code)
        board = at.chat.board(game.code, where)
    more = at.card(await at.press(other, board, "Más"), where)
    no = {"undo": "No deshacer", "draw": "Rechazar tablas"}[wish]
    assert [label for label in more.labels if label in (yes, no)] == [yes, no]
    waits = at.card(await at.press(mover, shared, "Más"))
    assert not {yes, no} & {*waits.labels}
    assert (await at.press(other, more, no)).good
    assert not (await game.table()).offers


@pytest.mark.slow
async def test_an_offer_has_one_s_own_buttons_in_private_and_all_where_all_read(at):
    game = await Game.begun(at, **FIXED)
    mover, other = await game.people()
    places = {}
    for who in (mover, other, EVA):
        places[who.name] = Where("fake", who.name, private=True)
        await at.call(who, "board", places[who.name], table=game.code)
    await at.call(mover, "draw", table=game.code)

    def offered(where: Where) -> set[str]:
        names = {"Aceptar tablas", "Rechazar tablas", "Retirar las tablas"}
        return names & set(at.chat.board(game.code, where).labels)

    assert offered(places[mover.name]) == {"Retirar las tablas"}
    assert offered(places[other.name]) == {"Aceptar tablas", "Rechazar tablas"}
    assert offered(places["Eva"]) == set()
    shared = at.chat.board(game.code, at.where)
    assert len(offered(at.where)) == 3
    for who, label in (
        (mover, "Aceptar tablas"),
        (mover, "Rechazar tablas"),
        (EVA, "Rechazar tablas"),
    ):
        assert not (await at.press(who, shared, label)).good
    refused = await at.press(other, shared, "Retirar las tablas")
    assert refused.said == f"La oferta es de {mover.name}: tú puedes aceptarla o rechazarla."
    assert (await game.table()).offers
    withdrawn = await at.press(mover, shared, "Retirar las tablas")
    assert withdrawn.said == "Retirado."
    assert not (await game.table()).offers


@pytest.mark.sampled
@pytest.mark.parametrize("typed", [True, False])
async def test_asking_for_the_draw_that_is_offered_is_agreeing_to_it(at, typed):
    game = await Game.begun(at, **FIXED)
    await at.call(NEREA, "draw")
    code = game.said(Action.OFFER, "draw")
    answer = await (at.call(BRUNO, "draw") if typed else at.press(BRUNO, game.board, code=code))
    assert answer.good
    assert (await game.table()).outcome.reason == "agreement"


async def test_a_challenge_is_accepted_or_declined_by_one_and_withdrawn_by_the_other(at):
    await at.call(NEREA, "play", game="niya", opponent=BRUNO)
    (board,) = at.chat.messages.values()
    code = board.screen.table
    assert {"Aceptar", "No, gracias", "Retirar el reto"} < set(board.labels)
    for who, label in itertools.product((NEREA, EVA), ("Aceptar", "No, gracias")):
        assert not (await at.press(who, board, label)).good
    for who in (BRUNO, EVA):
        assert not (await at.press(who, board, "Retirar el reto")).good
    assert (await at.facade.services.tables.get(code)).status == "open"
    assert (await at.press(NEREA, board, "Retirar el reto")).said == "Reto retirado."


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("who", "label", "sentence"),
    [
        (BRUNO, "No, gracias", "Bruno no ha aceptado el reto."),
        (NEREA, "Retirar el reto", "Nerea ha retirado la invitación."),
    ],
)
async def test_a_closed_table_says_who_closed_it_and_how(at, who, label, sentence):
    await at.call(NEREA, "play", game="niya", opponent=BRUNO)
    (board,) = at.chat.messages.values()
    await at.press(who, board, label)
    assert at.chat.board(board.screen.table).screen.headline == sentence


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("why", "word"), [("expired", "caducado"), ("idle", "parada"), ("managed", "administra")]
)
async def test_a_table_closed_by_no_player_says_why(at, why, word):
    await at.call(NEREA, "play", game="niya")
    (board,) = at.chat.messages.values()

    def over(work: UnitOfWork) -> None:
        close(work, why)

    await at.facade.services.changes.change(Update("test", why), board.screen.table, over)
    await at.settle()
    assert word in at.chat.board(board.screen.table).screen.headline


@pytest.mark.slow
async def test_what_was_said_in_a_game_of_cirya_is_not_offered_again(at):
    game = await Game.begun(at)
    for move in ["e5", "a1", "b1", "e4", "c1", "e3", "d1", "e2"]:
        mover, _ = await game.people()
        assert (await at.call(mover, "move", move=move)).good
    mover, other = await game.people()
    assert (await at.press(mover, game.board, "¡Londë!")).good
    labels = game.board.labels
    assert "¡Londë!" not in labels
    assert f"{other.name}: ¡Londë!" in labels
    refused = await at.press(mover, game.board, f"{other.name}: ¡Londë!")
    assert refused == Said(f"Eso ahora solo lo puede decir {other.name}.", good=False)


async def test_a_handicap_is_given_by_the_same_person_in_the_rematch(at):
    game = await Game.begun(at, "shogi", options="handicap=rook")
    before = await game.table()
    giver = next(p.person for p in before.players if p.side == "gote")
    await at.surely(NEREA, "resign")
    await at.call(NEREA, "rematch")
    await at.call(BRUNO, "rematch")
    child = await at.facade.services.tables.get((await game.table()).child)
    assert next(p.person for p in child.players if p.side == "gote") == giver


async def test_commands_at_the_wrong_time_say_their_true_reason(at):
    game = await Game.begun(at)
    assert (await at.call(NEREA, "rematch")).said == "Esta partida aún no ha terminado."
    late = await at.call(NEREA, "words", text="ya")
    assert late.said == "Las palabras se añaden antes de empezar."
    assert (await game.table()).status == "playing"


async def test_a_board_in_words_and_a_spectator_s_welcome_are_for_one_person(at):
    game = await Game.begun(at)
    told = await at.call(EVA, "board", form="texto", table=game.code)
    assert isinstance(told, Said)
    assert told.private
    watches = await at.call(EVA, "join", table=game.code)
    assert isinstance(watches, Said)
    assert watches.private
    assert watches.leads.buttons, "a key to the board"


async def test_a_stranger_who_wants_a_rematch_may_set_up_a_game_of_their_own(at):
    game = await Game.begun(at)
    await at.surely(NEREA, "resign", table=game.code)
    refused = await at.press(EVA, game.board, "Revancha")
    assert not refused.good
    ((new,),) = refused.leads.buttons
    assert new.label == "Montar una partida" or new.code.startswith("P."), new


async def test_a_copy_of_a_board_that_does_not_change_has_a_key_that_renews_it(at):
    game = await Game.begun(at)
    mover, other = await game.people()
    mine = encode_click(Click(Action.MINE, game.code), at.facade.services.key)
    copy = at.card(await at.press(other, game.board, code=mine))
    assert "Ver el tablero" in copy.labels
    for _ in range(2):
        if (await game.people())[0] == mover:
            await at.press(mover, game.board, code=game.board.moves[0].code)
    renewed = await at.press(other, copy, "Ver el tablero")
    assert isinstance(renewed, MenuAnswer)
    assert renewed.screen.version == (await game.table()).version
    assert renewed.screen.headline.startswith("▶ Te toca")
