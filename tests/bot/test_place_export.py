"""A place is taken along as a file, and comes into another house as text that counts nowhere."""

from __future__ import annotations

import asyncio
import io
import json
import re
import struct
import zipfile
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from bot.app.operator_acts import ACTS
from bot.app.output import CommandError
from bot.port import Command, FileAnswer, MenuAnswer, PlaceStanding, Promised, Upload, Where
from bot.service.place import archive as place_archive
from bot.service.place.archive import BadArchive, read_archive
from games.core.record import Entry, Record
from storage.place import imports
from tests.fakes import Desk, desk, person

ANA, BRUNO = person("Ana"), person("Bruno")
HERE = ("fake", "group")


@asynccontextmanager
async def managed(folder: Path):
    folder.mkdir(exist_ok=True)
    async with desk(folder) as here:
        here.chat.standings[ANA.external, "group"] = PlaceStanding(manages=True)
        yield here


async def played(here: Desk, count: int = 1) -> None:
    """So many games of Niya, each resigned after a move."""
    for _ in range(count):
        await here.call(ANA, "play", game="niya")
        (line, *_) = await here.facade.services.tables.list_lines(("open",))
        await here.call(BRUNO, "join", table=line.code)
        board = here.chat.board(line.code)
        mover = ANA if board.screen.headline.startswith("Ana") else BRUNO
        await here.press(mover, board, code=board.moves[0].code)
        await here.surely(BRUNO, "resign", table=line.code)


async def exported(here: Desk) -> bytes:
    answer = await here.call(ANA, "export")
    assert isinstance(answer, FileAnswer), answer
    return answer.file.data


async def taken_in(here: Desk, folder: Path, data: bytes) -> str:
    file = folder / "export.zip"
    file.write_bytes(data)
    words = {"file": str(file), "platform": HERE[0], "place": HERE[1]}
    return await ACTS["import"](here.facade.operator, **words)


async def stored(here: Desk, **_: str):
    places = await here.facade.store.read(imports.imported_places, *HERE)
    (row, _) = places[0]
    games = await here.facade.store.read(imports.imported_games, *HERE, row.source, 0, 99)
    return row, games


def changed(data: bytes, **entries: bytes | None) -> bytes:
    """The file *data* with these entries; ``None`` takes one out."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(made, "w") as new:
        kept = {name: old.read(name) for name in old.namelist()} | {
            name.replace("__", "/"): entry for name, entry in entries.items()
        }
        for name, entry in kept.items():
            if entry is not None:
                new.writestr(name, entry, zipfile.ZIP_DEFLATED)
    return made.getvalue()


async def test_every_record_comes_over_and_twice_is_once(tmp_path: Path) -> None:
    async with managed(tmp_path / "one") as here:
        await played(here, 2)
        data = await exported(here)
        again = read_archive(io.BytesIO(await exported(here)))
        assert again.texts == read_archive(io.BytesIO(data)).texts
    async with managed(tmp_path / "other") as there:
        said = await taken_in(there, tmp_path, data)
        assert said == "2 games imported, 0 were there already."
        _, games = await stored(there)
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            records = {
                name: archive.read(name).decode()
                for name in archive.namelist()
                if name.startswith("records/")
            }
        assert {f"records/{one.code}.txt": one.record for one in games} == records
        assert all(set(one.names.split()) == {"Ana", "Bruno"} for one in games)
        said = await taken_in(there, tmp_path, data)
        assert said == "0 games imported, 2 were there already."
        assert len((await stored(there))[1]) == 2
        # Nobody is known by it, and nothing counts.
        assert await there.facade.services.tables.list_lines(("ended",)) == ()


async def test_only_whoever_manages_the_place_takes_it_along(tmp_path: Path) -> None:
    async with managed(tmp_path / "one") as here:
        answer = await here.call(BRUNO, "export")
        assert answer.said == "Eso lo decide quien administra."
        assert not answer.good


async def test_people_stand_in_the_file_by_their_names_alone(tmp_path: Path) -> None:
    async with managed(tmp_path / "one") as here:
        await played(here)
        with zipfile.ZipFile(io.BytesIO(await exported(here))) as archive:
            whole = b"".join(map(archive.read, archive.namelist()))
        assert b"Ana" in whole
        for secret in (ANA.external, BRUNO.external, "group", here.facade.services.key.hex()):
            assert secret.encode() not in whole


async def test_what_was_imported_is_shown_as_such_with_its_records(tmp_path: Path) -> None:
    async with managed(tmp_path / "one") as here:
        await played(here)
        data = await exported(here)
        await taken_in(here, tmp_path, data)
        page = here.card(await here.call(BRUNO, "import"))
        assert page.screen.lines[0] == "Estas partidas se jugaron en otra parte y aquí no cuentan."
        answer = await here.press(BRUNO, page, "Partidas de Sitio 1")
        page = replace(page, screen=answer.screen)
        label = next(one for one in page.labels if "Ana" in one)
        record = await here.press(BRUNO, page, label)
        assert isinstance(record, FileAnswer)
        assert Record.read(record.file.data.decode()).game == "niya"


async def test_a_manager_erases_a_name_and_nobody_else(tmp_path: Path) -> None:
    async with managed(tmp_path / "one") as here:
        await played(here, 2)
        await taken_in(here, tmp_path, await exported(here))
        page = here.card(await here.call(ANA, "import"))
        for begin in ("Partidas de", "Nombres en", "Borrar Bruno"):
            label = next(one for one in page.labels if one.startswith(begin))
            code = page.button(label).code
            answer = await here.press(ANA, page, code=code)
            assert isinstance(answer, MenuAnswer)
            page = replace(page, screen=answer.screen)
        _, games = await stored(here)
        assert "Bruno" not in "".join(one.names + one.record for one in games)
        assert all("Ana" in one.names for one in games)
        answer = await here.press(BRUNO, page, code=code)
        assert not answer.good


async def test_a_name_is_erased_from_the_shell_in_records_and_ladders(tmp_path: Path) -> None:
    async with managed(tmp_path / "one") as here:
        await played(here)
        data = await exported(here)
        head = json.loads(zipfile.ZipFile(io.BytesIO(data)).read("ludoteca.json"))
        head["ladder"] = {"niya": [{"name": "Bruno", "rating": 1600}, {"name": "Ana", "rating": 9}]}
        data = changed(data, **{"ludoteca.json": json.dumps(head).encode()})
        await taken_in(here, tmp_path, data)
        said = await ACTS["forget-imported"](here.facade.operator, erased="Bruno")
        assert said == "Erased in 1 imported games, and on their ladders."
        row, games = await stored(here)
        assert "Bruno" not in json.dumps(row.data) + games[0].record
        assert "Ana" in json.dumps(row.data)


NAMES = ("Zoë", "Αλέξης", "Мария", "שרה", "ليلى", "さくら", "王芳", "지민", "अनु", "สมชาย")


async def test_names_in_ten_scripts_and_forged_results_are_text(tmp_path: Path) -> None:
    async with managed(tmp_path / "one") as here:
        await played(here)
        data = await exported(here)
        name = next(n for n in zipfile.ZipFile(io.BytesIO(data)).namelist() if "records" in n)
        record = Record.read(zipfile.ZipFile(io.BytesIO(data)).read(name).decode())
        forged = {}
        for number, who in enumerate(NAMES):
            tags = {**record.tags, "Player0": who, "Result": "0/1 nonsense"}
            forged[f"records/F2F{number}.txt"] = replace(record, tags=tags).text().encode()
        forged["records/BADBAD.txt"] = b"no record"
        forged["records/HUGE22.txt"] = b'[Ludoteca "1"]\n' * 10
        said = await taken_in(here, tmp_path, changed(data, **forged))
        assert said == (
            "11 games imported, 0 were there already; 2 records cannot be read and were left out."
        )
        _, games = await stored(here)
        assert {one.names.split("\n")[1] for one in games} >= set(NAMES)


def damaged_head(data: bytes, **told: object) -> bytes:
    head = json.loads(zipfile.ZipFile(io.BytesIO(data)).read("ludoteca.json"))
    return changed(data, **{"ludoteca.json": json.dumps({**head, **told}).encode()})


def lying(data: bytes) -> bytes:
    """A record of 3 MB whose head tells of few bytes."""
    made = changed(data, records__BOMB22=None, **{"records/BOMB22.txt": b"A" * 3_000_000})
    return made.replace(struct.pack("<I", 3_000_000), struct.pack("<I", 10))


def twice(data: bytes) -> bytes:
    made = io.BytesIO(data)
    with zipfile.ZipFile(made, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("ludoteca.json", b"{}")
    return made.getvalue()


BAD = {
    "no zip": lambda data: b"no zip",
    "half": lambda data: data[: len(data) // 2],
    "damaged": lambda data: data[:60] + bytes(one ^ 255 for one in data[60:80]) + data[80:],
    "no head": lambda data: changed(data, **{"ludoteca.json": None}),
    "another form": lambda data: damaged_head(data, ludoteca=2),
    "no source": lambda data: damaged_head(data, source="../x"),
    "a head that is a list": lambda data: changed(data, **{"ludoteca.json": b"[]"}),
    "a deep head": lambda data: changed(data, **{"ludoteca.json": b"[" * 100_000}),
    "a path": lambda data: changed(data, **{"../../etc/passwd": b"x"}),
    "an absolute path": lambda data: changed(data, **{"/records/AAAA.txt": b"x"}),
    "another file": lambda data: changed(data, **{"records/AAAA.exe": b"x"}),
    "an entry twice": twice,
    "a large record": lambda data: changed(data, **{"records/AAAA22.txt": b"A" * 300_000}),
    "a bomb that lies": lying,
    "a bomb": lambda data: changed(
        data, **{f"records/B{n:03}.txt": bytes(250_000) for n in range(900)}
    ),
    "too many": lambda data: changed(data, **{f"records/{n:05}.txt": b"x" for n in range(10_001)}),
}


@pytest.fixture(scope="module")
def export() -> bytes:
    head = place_archive.PlaceHead(ludoteca=1, source="0" * 32, made="2026-11-26T10:00:00+00:00")
    record = Record("niya", ("red", "yellow"), tags={"Player0": "Ana"}).text()
    return place_archive.write_archive(head, {"AB2CD3": record})


def test_the_export_of_these_tests_is_good(export: bytes) -> None:
    assert list(read_archive(io.BytesIO(export)).records) == ["AB2CD3"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("how", BAD)
def test_a_bad_file_is_refused_in_one_sentence(how: str, export: bytes) -> None:
    with pytest.raises(BadArchive) as refused:
        read_archive(io.BytesIO(BAD[how](export)))
    assert str(refused.value).count(".") >= 1


async def test_a_bad_file_changes_nothing(tmp_path: Path, export: bytes) -> None:
    async with managed(tmp_path / "one") as here:
        with pytest.raises(CommandError, match="was not imported"):
            await taken_in(here, tmp_path, BAD["a path"](export))
        missing = {"file": str(tmp_path / "none"), "platform": "fake", "place": "group"}
        with pytest.raises(CommandError, match="No such file"):
            await ACTS["import"](here.facade.operator, **missing)
        assert await here.facade.store.read(imports.imported_places, *HERE) == ()


# ---------------------------------------------------------------- sent by whoever manages the place


async def sent(
    here: Desk, who, data: bytes, *, size: int | None = None, where: Where | None = None
):
    """What is answered to the file that *who* sends with the command."""
    here.chat.files["k"] = data
    upload = Upload("export.zip", len(data) if size is None else size, "k")
    call = Command("u-file", where or here.where, who, "import", upload=upload)
    call = replace(call, update=f"u-{len(here.chat.files)}-{len(data)}-{who.external}-{size}")
    answer = await here.facade.requests.call(call)
    return await answer.answer if isinstance(answer, Promised) else answer


async def test_a_manager_sends_a_file_and_twice_is_once(tmp_path: Path, export: bytes) -> None:
    async with managed(tmp_path / "one") as here:
        answer = await sent(here, ANA, export)
        assert (answer.good, answer.said) == (
            True,
            "Partidas importadas: 1; ya estaban aquí: 0. Con /importar se ven.",
        )
        again = await sent(here, ANA, export, size=len(export) - 1)
        assert again.said.startswith("Partidas importadas: 0; ya estaban aquí: 1.")
        row, games = await stored(here)
        assert row.source == "0" * 32
        assert [one.code for one in games] == ["AB2CD3"]


async def test_nobody_else_does(tmp_path: Path, export: bytes) -> None:
    async with managed(tmp_path / "one") as here:
        answer = await sent(here, BRUNO, export)
        assert (answer.good, answer.said) == (False, "Eso lo decide quien administra.")
        private = Where("fake", ANA.external, private=True)
        answer = await sent(here, ANA, export, where=private)
        assert not answer.good
        assert "servidor o grupo" in answer.said
        assert await here.facade.store.read(imports.imported_places, *HERE) == ()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("how", BAD)
async def test_a_bad_file_that_is_sent_is_refused_in_a_sentence(
    tmp_path: Path, how: str, export: bytes
) -> None:
    async with managed(tmp_path / "one") as here:
        answer = await sent(here, ANA, BAD[how](export))
        assert not answer.good
        assert re.search(r"archivo|MB", answer.said)
        assert "{" not in answer.said
        assert await here.facade.store.read(imports.imported_places, *HERE) == ()


async def test_a_file_above_the_limits_is_not_even_fetched(
    tmp_path: Path, export: bytes, monkeypatch
) -> None:
    async with managed(tmp_path / "one") as here:
        answer = await sent(here, ANA, export, size=9 * 1024 * 1024)
        assert "hasta 8 MB" in answer.said
        monkeypatch.setattr("bot.service.place.imports.SENT_UNPACKED", 100)
        assert "pasa de 40 MB" in (await sent(here, ANA, export)).said
        here.chat.files.clear()
        upload = Upload("export.zip", 10, "gone")
        answer = await here.facade.requests.call(
            Command("u-gone", here.where, ANA, "import", upload=upload)
        )
        answer = await answer.answer if isinstance(answer, Promised) else answer
        assert answer.said == "No he podido recoger el archivo. Envíalo otra vez."
        assert await here.facade.store.read(imports.imported_places, *HERE) == ()


async def test_a_place_takes_in_so_many_others(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("bot.service.place.imports.MOST_PLACES", 2)
    record = Record("niya", ("red", "yellow"), tags={"Player0": "Ana"}).text()

    def of(source: str) -> bytes:
        head = place_archive.PlaceHead(
            ludoteca=1, source=source * 32, made="2026-11-26T10:00:00+00:00"
        )
        return place_archive.write_archive(head, {"AB2CD3": record})

    async with managed(tmp_path / "one") as here:
        assert (await sent(here, ANA, of("1"))).good
        assert (await sent(here, ANA, of("2"), size=2)).good
        assert not (await sent(here, ANA, of("3"), size=3)).good
        assert (await sent(here, ANA, of("2"), size=4)).good
        assert len(await here.facade.store.read(imports.imported_places, *HERE)) == 2


# ---------------------------------------------------------------- from the shell


@pytest.mark.slow
async def test_the_shell_writes_what_a_place_takes_along(tmp_path: Path) -> None:
    async with managed(tmp_path / "one") as here:
        file = tmp_path / "place.zip"
        words = {"file": str(file), "platform": HERE[0], "place": HERE[1]}
        with pytest.raises(CommandError, match="No finished game is known at 'group' on 'fake'"):
            await ACTS["export"](here.facade.operator, **words)
        assert not file.exists()
        await played(here, 2)
        assert await ACTS["export"](here.facade.operator, **words) == f"{file}: 2 games."
        by_chat = read_archive(io.BytesIO(await exported(here)))
        assert read_archive(io.BytesIO(file.read_bytes())).texts == by_chat.texts
        before = file.read_bytes()
        with pytest.raises(CommandError, match=r"was not written\. File exists"):
            await ACTS["export"](here.facade.operator, **words)
        assert file.read_bytes() == before


async def test_one_file_is_held_at_a_time_and_one_of_a_place_waits(
    tmp_path: Path, export: bytes
) -> None:
    fetched, go_on = [], asyncio.Event()
    async with managed(tmp_path / "one") as here:
        takes = here.facade.services.imports.take_in

        def coming(place: str):
            async def fetch() -> bytes:
                fetched.append(place)
                await go_on.wait()
                return export

            return asyncio.create_task(takes(fetch, Where("fake", place)))

        first, other = coming("one"), coming("other")
        with pytest.raises(BadArchive, match="Another file"):
            await coming("one")
        assert fetched == ["one"]
        go_on.set()
        assert [one.new for one in await asyncio.gather(first, other)] == [1, 1]
        assert (await coming("one")).known == 1


def test_records_are_kept_without_their_entries() -> None:
    record = Record("niya", ("red", "yellow"), log=(Entry(1, "M1"),), tags={"Player0": "Ana"})
    head = place_archive.PlaceHead(ludoteca=1, source="0" * 32, made="2026-11-26")
    read = read_archive(io.BytesIO(place_archive.write_archive(head, {"AB2CD3": record.text()})))
    assert read.records["AB2CD3"] == replace(record, log=(), tags=read.records["AB2CD3"].tags)
    assert read.texts == {"AB2CD3": record.text()}
