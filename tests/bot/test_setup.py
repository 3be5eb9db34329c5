"""The sheet on which somebody sets a table up, by buttons alone."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from datetime import timedelta

import pytest

from bot.port import Answer, Asker, BoardAnswer, Button, Card, MenuAnswer, Press, Screen, Where
from bot.presenters.button_codes import LONGEST_CODE
from bot.presenters.table.setup import SetupScreens
from bot.session.draft import TableDraft as SheetRow
from bot.session.table import OPEN, PLAYING
from bot.texts import LANGUAGES
from games.core.shelf import shelf
from tests.fakes import Desk, person

NEREA, BRUNO, EVA = person("Nerea"), person("Bruno"), person("Eva")
ALONE = Where("fake", "private", private=True)
PRESSES = itertools.count(1)


@dataclass
class Sheet:
    """A sheet as it stands before its opener, and the last answer."""

    at: Desk
    where: Where
    answer: Answer

    @property
    def screen(self) -> Screen:
        assert isinstance(self.answer, Card | MenuAnswer)
        return self.answer.screen

    @property
    def labels(self) -> list[str]:
        return [button.label for row in self.screen.buttons for button in row]

    @property
    def codes(self) -> list[str]:
        codes = [b.code for row in self.screen.buttons for b in row]
        codes += [b.code for choice in self.screen.choices for b in choice.options]
        return [*codes, *(c.person for c in self.screen.choices if c.person)]

    def button(self, label: str) -> Button:
        found = [b for row in self.screen.buttons for b in row if b.label.startswith(label)]
        assert found, f"no button {label!r} among {self.labels}"
        return found[0]

    async def press(self, label: str, who: Asker = NEREA) -> Answer:
        answer = await self.code(self.button(label).code, who)
        if isinstance(answer, MenuAnswer):
            self.answer = answer
        return answer

    async def code(
        self, code: str, who: Asker = NEREA, picked: Asker | None = None, text: str = ""
    ) -> Answer:
        update = f"s{next(PRESSES)}"
        press = Press(update, self.where, who, code, "sheet", person=picked, text=text)
        answer = await self.at.facade.requests.press(press)
        await self.at.settle()
        return answer

    async def pick(self, picked: Asker | None) -> Answer:
        (choice,) = [one for one in self.screen.choices if one.person]
        answer = await self.code(choice.person, picked=picked)
        if isinstance(answer, MenuAnswer):
            self.answer = answer
        return answer


async def begun(at: Desk, where: Where | None = None, **values: str) -> Sheet:
    answer = await at.call(NEREA, "play", where, **values)
    return Sheet(at, where or at.where, answer)


async def tables(at: Desk):
    codes = dict.fromkeys(message.screen.table for message in at.chat.messages.values())
    return [await at.facade.services.tables.get(code) for code in codes]


async def test_play_alone_offers_every_game_with_its_players_and_its_time(at):
    sheet = await begun(at)
    assert sheet.screen.headline == "¿A qué jugamos?"
    assert sheet.labels == [
        "Cirya · 2 jugadores, 20 min",
        "Niya · 2 jugadores, 10 min",
        "Parchís · 2 a 4 jugadores, 45 min",
        "Shogi · 2 jugadores, 1 h",
        "Storilljuðjorrayc · 2 jugadores, 1 h",
        "Mesas que esperan gente",
        "Aprender",
    ]
    assert len(sheet.screen.lines) == 5
    assert not at.chat.messages


@pytest.mark.sampled
@pytest.mark.parametrize("key", shelf())
async def test_two_presses_lead_from_a_private_chat_to_the_first_choice_of_a_move(at, key):
    sheet = await begun(at, ALONE)
    await sheet.press(shelf()[key].title)
    answer = await sheet.press("Empezar")
    assert isinstance(answer, BoardAnswer)
    (table,) = await tables(at)
    assert (table.game.key, table.status) == (key, PLAYING)
    assert [player.level for player in table.players].count(2) == 1
    if table.seat_of(1) in table.actors():
        assert at.chat.board(table.code).moves


async def test_in_a_group_whoever_comes_may_sit_down(at):
    sheet = await begun(at)
    await sheet.press("Niya")
    assert "✓ Con quien se apunte" in sheet.labels
    await sheet.press("Abrir la mesa")
    (table,) = await tables(at)
    assert table.status == OPEN
    await at.press(BRUNO, at.chat.board(table.code), "Sentarme")
    assert at.chat.board(table.code).moves


@pytest.mark.parametrize(
    ("opponent", "chosen"), [("", "ordenador"), ("máquina", "ordenador"), ("amigo", "yo invite")]
)
async def test_in_private_a_computer_plays_unless_somebody_else_is_wished(at, opponent, chosen):
    sheet = await begun(at, ALONE, opponent=opponent)
    await sheet.press("Niya")
    assert [one for one in sheet.labels if one.startswith("✓ Con") and chosen in one], sheet.labels


async def test_a_person_is_picked_from_a_list_and_challenged(at):
    sheet = await begun(at)
    await sheet.press("Shogi")
    await sheet.pick(BRUNO)
    assert "✓ Con Bruno" in sheet.labels
    await sheet.press("Retar a Bruno")
    (table,) = await tables(at)
    refused = await at.press(EVA, at.chat.board(table.code), "Aceptar")
    assert not refused.good
    await at.press(BRUNO, at.chat.board(table.code), "Aceptar")
    assert at.chat.board(table.code).moves


async def test_who_is_named_with_the_command_stands_on_the_sheet(at):
    sheet = await begun(at, opponent=BRUNO)
    await sheet.press("Niya")
    assert "Retar a Bruno" in sheet.labels
    sheet = await begun(at, opponent="ordenador")
    await sheet.press("Niya")
    assert "✓ Con el ordenador" in sheet.labels


async def test_nobody_challenges_himself_or_a_bot(at):
    sheet = await begun(at)
    await sheet.press("Niya")
    assert not (await sheet.pick(NEREA)).good
    assert not (await sheet.pick(None)).good
    assert "✓ Con quien se apunte" in sheet.labels


@pytest.mark.slow
async def test_level_side_and_rules_of_the_house_are_those_of_the_table(at):
    sheet = await begun(at)
    await sheet.press("Shogi")
    await sheet.press("Con el ordenador")
    await sheet.press("Nivel 2: novato")
    assert len(sheet.labels) == shelf()["shogi"].computer.levels + 1
    await sheet.press("Volver")
    await sheet.press("Nivel 2: novato")
    await sheet.press("Nivel 3: aprendiz")
    assert "Nivel 3: aprendiz" in sheet.labels
    await sheet.press("Tu bando: a suertes")
    assert "Tu bando: las negras (sente)" in sheet.labels
    await sheet.press("Reglas de la casa")
    await sheet.press("Ahogado: tablas")
    assert "Ahogado: pierde quien no puede mover" in sheet.labels
    await sheet.press("Listo")
    assert "Ahogado: pierde quien no puede mover." in sheet.screen.lines
    await sheet.press("Empezar")
    (table,) = await tables(at)
    assert table.options["stalemate"] == "loss"
    assert [(p.level, p.side) for p in table.players] == [(None, "sente"), (3, "gote")]


async def test_a_rule_of_many_values_opens_a_page_with_them_all(at):
    sheet = await begun(at)
    await sheet.press("Shogi")
    await sheet.press("Reglas de la casa")
    await sheet.press("Ventaja que da gote")
    assert len(sheet.labels) == 17
    await sheet.press("dos piezas")
    assert "Ventaja que da gote: dos piezas" in sheet.labels


async def test_from_the_clocks_one_comes_back_to_the_sheet(at):
    sheet = await begun(at)
    await sheet.press("Shogi")
    before = sheet.labels
    await sheet.press("Reloj: sin reloj")
    assert len(sheet.labels) > 4
    await sheet.press("Volver")
    assert sheet.labels == before


async def test_parchis_asks_how_many_play_and_who_rolls(at):
    sheet = await begun(at, ALONE)
    await sheet.press("Parchís")
    await sheet.press("4 jugadores")
    await sheet.press("Reglas de la casa")
    await sheet.press("El dado: lo tiras tú")
    await sheet.press("Listo")
    await sheet.press("Empezar")
    (table,) = await tables(at)
    assert table.options["rolling"] == "auto"
    assert [player.level for player in table.players].count(2) == 3


async def test_another_game_keeps_whom_one_plays(at):
    sheet = await begun(at)
    await sheet.press("Niya")
    await sheet.pick(BRUNO)
    await sheet.press("Otro juego")
    await sheet.press("Cirya")
    assert "Retar a Bruno" in sheet.labels


async def test_the_sheet_says_that_chance_is_locked_away_only_where_it_matters(at):
    sheet = await begun(at, ALONE)
    await sheet.press("Niya")
    (line,) = [one for one in sheet.screen.lines if "sellado" in one]
    assert not any(letter.isdigit() for letter in line)
    sheet = await begun(at, ALONE)
    await sheet.press("Cirya")
    assert not [one for one in sheet.screen.lines if "sellado" in one]


@pytest.mark.parametrize("key", shelf())
@pytest.mark.parametrize("code", LANGUAGES)
def test_each_rule_of_the_house_is_explained_in_one_short_sentence(key, code):
    game = shelf()[key]
    shown = SetupScreens(code, b"key", 1, private=False).rules(SheetRow("AAAAAA", "00", game=key))
    assert len(shown.lines) == len(game.rules.options) + (len(game.rules.begins) > 1) + 3, (
        "and match, hints and computers' clock"
    )
    for line in shown.lines:
        about = line.partition(": ")[2]
        assert re.fullmatch(r"[^.]{10,110}\.", about), line


async def test_the_openers_own_words_go_from_the_sheet_into_the_draws(at):
    sheet = await begun(at, ALONE)
    await sheet.press("Niya")
    field = sheet.button("Mis palabras para la suerte").code
    for words in ("luna", "sol y sombra"):
        sheet.answer = await sheet.code(field, text=words)
        assert f"Palabras de los jugadores: {words}." in sheet.screen.lines
    assert not (await sheet.code(field, text="|")).good
    await sheet.press("Empezar")
    (table,) = await tables(at)
    assert table.words == ("sol y sombra",)
    assert table.status == PLAYING


async def test_a_key_that_asks_for_no_text_takes_none_and_does_what_it_says(at):
    sheet = await begun(at, ALONE)
    await sheet.press("Niya")
    await sheet.press("Reglas de la casa")
    key = sheet.button("Pistas: no")
    sheet.answer = await sheet.code(key.code, text="luna")
    assert key.label not in sheet.labels
    await sheet.press("Listo")
    assert not [line for line in sheet.screen.lines if line.startswith("Palabras")]


async def test_where_no_field_opens_the_words_are_typed_as_a_command(at):
    sheet = await begun(at, ALONE)
    await sheet.press("Niya")
    answer = await sheet.press("Mis palabras para la suerte")
    assert "/palabras" in answer.said
    sheet.answer = await at.call(NEREA, "words", ALONE, text="luna")
    assert "Palabras de los jugadores: luna." in sheet.screen.lines
    await sheet.press("Empezar")
    (table,) = await tables(at)
    assert table.words == ("luna",)


async def test_a_clock_of_ones_own_is_typed_into_a_field_of_the_sheet(at):
    sheet = await begun(at, ALONE)
    await sheet.press("Niya")
    field = sheet.button("Otro reloj").code
    refused = await sheet.code(field, text="mañana")
    assert not refused.good
    assert "mañana" in refused.said
    sheet.answer = await sheet.code(field, text="7 min + 3 s")
    await sheet.press("Empezar")
    (table,) = await tables(at)
    assert table.control == "7m+3s"


async def test_where_no_field_opens_the_clock_is_typed_as_a_command(at):
    sheet = await begun(at, ALONE)
    await sheet.press("Niya")
    assert "/jugar reloj=" in (await sheet.press("Otro reloj")).said
    sheet.answer = await at.call(NEREA, "play", ALONE, clock="10m+3x30s")
    assert isinstance(sheet.answer, Card)
    await sheet.press("Empezar")
    (table,) = await tables(at)
    assert (table.game.key, table.control) == ("niya", "10m+3x30s")


async def test_a_sheet_begins_with_the_clock_that_was_typed_before_any_game(at):
    sheet = await begun(at, ALONE, clock="2h")
    await sheet.press("Niya")
    await sheet.press("Empezar")
    (table,) = await tables(at)
    assert table.control == "2h"


async def test_without_draws_there_is_no_field_for_words(at):
    sheet = await begun(at, ALONE)
    await sheet.press("Shogi")
    assert "Mis palabras para la suerte" not in sheet.labels
    assert not (await at.call(NEREA, "words", ALONE, text="luna")).good


@pytest.mark.slow
async def test_another_person_is_refused_and_changes_nothing(at):
    sheet = await begun(at)
    for code in sheet.codes[:-2]:  # the last show open tables and courses to whoever presses
        assert not (await sheet.code(code, EVA)).good
    await sheet.press("Niya")
    before = sheet.labels
    for code in sheet.codes:
        assert not (await sheet.code(code, EVA, picked=EVA)).good
    await sheet.press("✓ Con quien se apunte")
    assert sheet.labels == before
    assert not await tables(at)


async def test_a_sheet_opens_one_table_however_often_it_is_pressed(at):
    sheet = await begun(at, ALONE)
    await sheet.press("Niya")
    start = sheet.button("Empezar").code
    await sheet.code(start)
    again = await sheet.code(start)
    assert not again.good
    assert len(await tables(at)) == 1


@pytest.mark.parametrize(("second", "game"), [("play", "Shogi"), ("tournament", "Torneo de Shogi")])
async def test_a_sheet_goes_on_beside_a_second_one(at, second, game):
    sheet = await begun(at, ALONE)
    other = Sheet(at, ALONE, await at.call(NEREA, second, ALONE))
    await sheet.press("Niya")
    assert (await sheet.press("Empezar")).good
    (table,) = await tables(at)
    assert table.game.key == "niya"
    assert (await other.press(game)).good


async def test_a_sheet_that_is_used_offers_a_new_one(at):
    sheet = await begun(at, ALONE)
    await sheet.press("Niya")
    level = sheet.button("Nivel 1: principiante").code
    await sheet.press("Empezar")
    sheet.answer = await sheet.code(level)
    assert sheet.labels == ["Preparar una partida"]
    await sheet.press("Preparar una partida")
    assert sheet.screen.headline == "¿A qué jugamos?"


async def test_a_sheet_is_gone_after_an_hour(at):
    sheet = await begun(at)
    now = at.facade.services.clock.now
    at.facade.services.clock.now = lambda: now() + timedelta(minutes=61)
    assert not (await sheet.press("Niya")).good
    assert sheet.labels == ["Preparar una partida"]


async def test_a_start_that_is_delivered_twice_is_not_refused(at):
    sheet = await begun(at, ALONE)
    await sheet.press("Niya")
    press = Press("twice", ALONE, NEREA, sheet.button("Empezar").code, "sheet")
    assert (await at.facade.requests.press(press)).good
    assert (await at.facade.requests.press(press)).good
    await at.settle()
    assert len(await tables(at)) == 1


async def test_a_button_that_is_no_sheets_gives_whoever_presses_it_his_own(at):
    code = at.facade.boards.buttons.sheet("niya")
    sheet = Sheet(at, at.where, Card(Screen("", 0, "")))
    for who in (NEREA, EVA):
        answer = await sheet.code(code, who)
        assert isinstance(answer, Card)
        assert answer.screen.headline.startswith("Niya")


@pytest.mark.sampled
@pytest.mark.parametrize("key", shelf())
async def test_every_code_of_every_page_fits_a_button(at, key):
    sheet = await begun(at)
    await sheet.press(shelf()[key].title)
    codes = sheet.codes
    await sheet.press("Reglas de la casa")
    assert all(len(code.encode()) <= LONGEST_CODE for code in (*codes, *sheet.codes))
