"""Programs of people: their keys are made, changed and removed in private alone."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from bot.facade import ActRefused
from bot.port import Capabilities, Card, MenuAnswer, Screen, Where
from storage.person.people import PROGRAM_NOTE, PROGRAM_PLATFORM, programs_of
from tests.fakes import Desk, FakeChat, Message, desk, person

ANA, BRUNO = person("Ana"), person("Bruno")
ALONE = Where("fake", "ana-alone", private=True)


def takes_programs(here: Desk) -> None:
    programs = FakeChat(PROGRAM_PLATFORM, Capabilities(programs=True))
    here.facade.chats[PROGRAM_PLATFORM] = programs


async def opened(here: Desk) -> Message:
    settings = here.card(await here.call(ANA, "settings", ALONE), ALONE)
    answer = await here.press(ANA, settings, "Mis programas »")
    return here.card(answer, ALONE)


async def pressed(here: Desk, page: Message, label: str) -> Message:
    answer = await here.press(ANA, page, label)
    assert isinstance(answer, MenuAnswer), answer
    return replace(page, screen=answer.screen)


def key_in(screen: Screen) -> str:
    (line,) = screen.lines
    return line.rpartition(" ")[2]


async def test_a_key_is_shown_once_and_only_its_hash_is_kept(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        takes_programs(here)
        page = await opened(here)
        assert page.screen.lines[-1] == "Todavía no tienes ninguno."
        page = await pressed(here, page, "Añadir un programa")
        key, programs = key_in(page.screen), here.facade.services.programs
        found = await programs.of_key(key)
        assert found is not None
        assert found.name == "Programa 1"
        ana = await here.facade.services.people.of(ANA)
        kept = await here.facade.store.read(programs_of, ana.id)
        assert key.partition(".")[2] not in json.dumps(dict(kept))
        again = await opened(here)
        assert key not in "".join(again.screen.lines)


async def test_another_key_voids_the_one_before_and_removing_both(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        takes_programs(here)
        page = await pressed(here, await opened(here), "Añadir un programa")
        programs, old = here.facade.services.programs, key_in(page.screen)
        page = await pressed(here, page, "Otra clave para Programa 1")
        new = key_in(page.screen)
        assert await programs.of_key(old) is None
        assert await programs.of_key(new) is not None
        page = await pressed(here, page, "Quitar Programa 1")
        assert await programs.of_key(new) is not None
        label = "¿Quitar Programa 1 de verdad? Abandona sus partidas."
        page = await pressed(here, page, label)
        assert await programs.of_key(new) is None
        assert page.labels == ["Añadir un programa", "« Ajustes"]


async def test_a_person_has_three_programs_and_nobody_elses(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        takes_programs(here)
        page = await opened(here)
        for _ in range(3):
            page = await pressed(here, page, "Añadir un programa")
        answer = await here.press(ANA, page, "Añadir un programa")
        assert answer.said == "Puedes tener 3 programas. Quita uno antes."
        theirs = page.button("Otra clave para Programa 1").code
        answer = await here.press(BRUNO, page, code=theirs)
        assert answer.said == "Ese programa ya no está."


async def test_no_key_is_shown_in_a_group_and_none_leads_to_it(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        takes_programs(here)
        settings = here.card(await here.call(ANA, "settings", ALONE), ALONE)
        shown = await here.call(ANA, "settings", whispered="yes")
        assert isinstance(shown, Card)
        assert "Mis programas »" not in here.card(shown).labels
        old = settings.button("Mis programas »").code
        answer = await here.press(ANA, here.card(shown), code=old)
        assert answer.said == "Tus ajustes te los enseño en privado."
        assert not answer.good


async def test_programs_are_offered_only_where_they_can_play(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        shown = here.card(await here.call(ANA, "settings", ALONE), ALONE)
        assert "Mis programas »" not in shown.labels


async def test_who_is_forgotten_has_no_program_any_more(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        takes_programs(here)
        page = await pressed(here, await opened(here), "Añadir un programa")
        ana = await here.facade.services.people.of(ANA)
        data = await here.call(ANA, "mydata", ALONE)
        assert PROGRAM_NOTE.encode() in data.file.data
        await here.surely(ANA, "forgetme", ALONE)
        assert await here.facade.services.programs.of_key(key_in(page.screen)) is None
        assert await here.facade.store.read(programs_of, ana.id) == {}


async def test_linked_people_have_the_programs_of_both(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        takes_programs(here)
        await pressed(here, await opened(here), "Añadir un programa")
        people = here.facade.services.people
        ana, bruno = await people.of(ANA), await people.of(BRUNO)
        async with here.facade.store.transaction() as tx:
            await people.join(tx, bruno.id, ana.id)
        (one,) = await here.facade.services.programs.of_owner(bruno.id)
        assert one.name == "Programa 1"


async def test_a_program_is_kept_out_with_whose_it_is(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        takes_programs(here)
        page = await pressed(here, await opened(here), "Añadir un programa")
        program = await here.facade.services.programs.of_key(key_in(page.screen))
        assert program is not None
        tables = here.facade.programs
        assert not isinstance(await tables.open(program, "a", {"game": "niya"}), ActRefused)
        await here.facade.operator.ban(ANA.platform, ANA.external)
        assert isinstance(await tables.open(program, "b", {"game": "niya"}), ActRefused)
