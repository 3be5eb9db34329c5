"""Files that people open: read as far as they can be, shown with help, played on, forgotten."""

from __future__ import annotations

import random
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.port import Answer, Asker, Card, Command, FileAnswer, Poster, Upload
from bot.service.computers import process
from bot.service.person import opened_files as person_files
from bot.session.opened_file import is_from_file
from games.core import Record
from games.core.recognition import MOST_PLIES
from games.core.record import LONGEST_RECORD
from games.core.shelf import find_game, shelf
from storage.person import opened_files, personal_data
from storage.records import OpenedFileRow
from tests.bot.test_rated_tables import BRUNO, NEREA, begun, on_turn, play, table_of
from tests.fakes import UPDATES, Desk, person
from tests.games.random_walks import walk

OLGA = person("Olga")
DATA = Path(__file__).resolve().parents[1] / "data" / "outside"
REVIEW, FILM, RECORD = "Repasar la partida", "Verla otra vez", "Por escrito"
ON = "Seguir jugando desde aquí"
KIF = (DATA / "01-star-head.kif").read_bytes()


async def sent(at: Desk, data: bytes, who: Asker = NEREA) -> Answer:
    """The answer to *who*, who opens a file with these bytes."""
    key = f"k{next(UPDATES)}"
    at.chat.files[key] = data
    call = Command(f"u-{key}", at.where, who, "open", upload=Upload("x.kif", len(data), key))
    return await at._known(await at.facade.requests.call(call))


async def kept(at: Desk) -> list[dict[str, object]]:
    """The files that are kept for Nerea, as she is told of her data."""
    number = await at.facade.services.people.number(NEREA)
    if number is None:
        return []
    return (await at.facade.store.read(personal_data.export_person, number))["opened_file"]


def played(game: str, seed: int, plies: int) -> Record:
    """A random game of so many plies at most."""
    known = find_game(game)
    setting = known.setting()
    log = tuple(one for _, one in walk(known, setting, random.Random(seed), plies) if one)
    return Record(game, setting.sides, setting.options, setting.first, log)


@pytest.mark.parametrize("file", sorted(DATA.iterdir()), ids=lambda file: file.name)
async def test_each_file_of_other_programs_is_shown_or_refused_in_a_sentence(at, file):
    answer = await sent(at, file.read_bytes())
    if isinstance(answer, Card):
        assert answer.picture
        assert "de un archivo: jugadas leídas" in answer.screen.headline
        assert RECORD in at.card(answer).labels
    else:
        assert not answer.good
        assert answer.said


@pytest.mark.parametrize("game", sorted(shelf()))
async def test_our_own_record_of_each_game_is_opened(at, game):
    answer = await sent(at, played(game, 3, 8).text().encode())
    assert isinstance(answer, Card), answer
    assert answer.picture


async def test_a_game_is_filmed_reviewed_practised_and_had_as_a_record(at):
    at.facade.services.advice.seconds = 2.0
    shown = at.card(await sent(at, played("niya", 4, 30).text().encode()))
    film = await at.press(NEREA, shown, FILM)
    assert isinstance(film, Poster)
    assert film.file.data.startswith(b"GIF")
    record = await at.press(NEREA, shown, RECORD)
    assert isinstance(record, FileAnswer)
    assert '[Game "niya"]' in record.file.data.decode()
    reviewed = await at.press(NEREA, shown, REVIEW)
    assert isinstance(reviewed, Card), reviewed
    assert reviewed.picture
    overview = at.card(reviewed)
    written = await at.press(NEREA, overview, "Repaso en .txt")
    assert isinstance(written, FileAnswer)
    again = await sent(at, written.file.data)
    assert any("variantes" in line for line in again.screen.lines), again.screen.lines
    practised = await at.press(NEREA, overview, "Practicar")
    assert isinstance(practised, Card), practised
    assert practised.picture


@pytest.mark.parametrize(
    ("result", "told"),
    [
        ("0/1 resign", True),
        ("0/1 hola", False),
        ("0/7 resign", False),
        ("0 resign", False),
        ("0/1 mate", True),
        ("0/1 mate {x}", False),
    ],
)
async def test_an_end_that_a_file_states_is_told_only_in_words_that_we_have(at, result, told):
    record = replace(played("shogi", 4, 4), tags={"Result": result, "Player0": "{n} <b>"})
    shown = await sent(at, record.text().encode())
    assert isinstance(shown, Card), shown
    assert (ON not in at.card(shown).labels) == told
    film = await at.press(NEREA, at.card(shown), FILM)
    assert isinstance(film, Poster), film


async def test_what_stands_beside_the_moves_of_a_file_is_in_its_record(at):
    tags = {"Note1": "uno", "Branch1": "0 1 a2", "Event": "Copa", "Date": "1999-01-01"}
    text = replace(played("cirya", 4, 6), tags=tags).text()
    shown = at.card(await sent(at, text.encode()))
    record = await at.press(NEREA, shown, RECORD)
    assert Record.read(record.file.data.decode()) == Record.read(text)


async def test_what_was_read_before_the_line_that_cannot_be_read_is_shown_with_its_reason(at):
    lines = KIF.decode("utf-8", "replace").splitlines()
    place = next(n for n, line in enumerate(lines) if line.strip().startswith("2 "))
    lines[place] = "   2 ９九宇宙(99)"
    answer = await sent(at, "\n".join(lines).encode())
    assert isinstance(answer, Card)
    assert "jugadas leídas, 1" in answer.screen.headline
    assert any(line.startswith("Hasta ahí se entiende.") for line in answer.screen.lines)


async def test_a_file_that_is_too_large_is_not_read_and_one_of_the_most_bytes_is(at):
    assert "256" in (await sent(at, KIF + b"\n" * (LONGEST_RECORD + 1 - len(KIF)))).said
    assert isinstance(await sent(at, KIF + b"\n" * (LONGEST_RECORD - len(KIF))), Card)


BOMBS = {
    "empty": b"",
    "zeros": b"\0" * 1000,
    "gzip": b"\x1f\x8b\x08" + bytes(range(256)) * 20,
    "brackets": b"[" * LONGEST_RECORD,
    "ones": b"1 " * 100_000,
    "nested": b"(" * 200_000 + b"a1",
    "pdf": b"%PDF-1.4 \xff\xfe",
}


@pytest.mark.parametrize("data", BOMBS.values(), ids=BOMBS)
async def test_a_bomb_is_refused_in_a_sentence_and_kept_nowhere(at, data):
    answer = await sent(at, data)
    assert not answer.good
    assert answer.said
    assert not await kept(at)


async def test_a_file_that_takes_a_worker_too_long_is_refused_and_the_next_one_is_read(
    at, monkeypatch
):
    thinkers, hung = at.facade.services.thinkers, list[process.Worker]()
    with monkeypatch.context() as slow:
        slow.setattr(process, "GLANCE", 0.05)
        slow.setattr(person_files, "READING", 0.1)
        slow.setattr(thinkers, "grace", 0.1)
        slow.setattr(thinkers, "_idle", hung)
        slow.setattr(thinkers, "command", (sys.executable, "-c", "while True: pass"))
        answer = await sent(at, KIF)
        assert "demasiado tiempo" in answer.said
        assert not await kept(at)
    for one in hung:
        await one.kill()
    assert isinstance(await sent(at, KIF), Card)


def wandering_kings(plies: int) -> str:
    """A game of bare kings, each on a round of its own, whose positions come back late."""
    files = "23456789"
    zigzag = [f"{file}{rank}" for file in files[::-1] for rank in ("hg", "gh")[int(file) % 2 == 0]]
    black = [f"{file}i" for file in f"1{files}"] + [*zigzag, "1g", "1h"]
    white = [one.translate(str.maketrans("ghi", "cba")) for one in black if one != "1g"]
    rounds, moves = (black, white), []
    for ply in range(plies):
        way, step = rounds[ply % 2], ply // 2
        moves.append(way[step % len(way)] + way[(step + 1) % len(way)])
    return f"position sfen 8k/9/9/9/9/9/9/9/8K b - 1 moves {' '.join(moves)}"


async def test_a_game_of_more_plies_than_people_play_is_shown_up_to_them(at):
    whole = at.card(await sent(at, wandering_kings(MOST_PLIES).encode()))
    assert f"jugadas leídas, {MOST_PLIES}" in whole.screen.headline
    assert not any("Hasta ahí" in line for line in whole.screen.lines)
    for plies in (MOST_PLIES + 40, 5_000):  # the second ends by repetition, behind what is read
        longer = at.card(await sent(at, wandering_kings(plies).encode()))
        assert f"jugadas leídas, {MOST_PLIES}" in longer.screen.headline
        (why,) = [line for line in longer.screen.lines if "Hasta ahí" in line]
        assert str(MOST_PLIES) in why


async def test_it_is_played_on_from_the_last_position_and_never_counts(at):
    shown = at.card(await sent(at, b"position startpos moves 7g7f"))
    answer = await at.press(NEREA, shown, ON)
    assert answer.good, answer
    board = list(at.chat.messages.values())[-1]
    table = await table_of(at, board.screen.table)
    assert table.start.startswith("lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/")
    assert (table.rated, table.status) == (False, "playing")
    me = table.seat_of(await at.facade.services.people.number(NEREA))
    assert table.players[me].side == "gote"
    await at.call(NEREA, "move", move="3c3d", table=table.code)
    await at.settle()
    assert len((await table_of(at, table.code)).log) >= 2
    record = Record.read((await at.call(NEREA, "record", table=table.code)).file.data.decode())
    assert record.tags["Position"] == table.start
    at.facade.services.tables.forget_all()
    assert (await table_of(at, table.code)).start == table.start


async def test_a_file_that_stands_as_a_rated_game_of_its_opener_gets_no_help_and_says_why(at):
    code = await begun(at, "shogi", rated="")
    await play(at, code, 2)
    table = await table_of(at, code)
    assert table.competes
    alike = Record("shogi", ("sente", "gote"), log=table.log).text().encode()
    shown = at.card(await sent(at, alike))
    assert any(code in line for line in shown.screen.lines), shown.screen.lines
    assert not {REVIEW, ON} & set(shown.labels)
    assert REVIEW in at.card(await sent(at, played("shogi", 9, 8).text().encode())).labels
    # Who does not play there may look as they like.
    assert REVIEW in at.card(await sent(at, alike, who=OLGA)).labels


@pytest.mark.parametrize("form", ["position sfen {}", "sfen {}", "{}"])
async def test_a_typed_position_that_stands_as_a_rated_game_gets_no_help_and_says_why(at, form):
    code = await begun(at, "shogi", rated="")
    await play(at, code, 2)
    table = await table_of(at, code)
    typed = form.format(table.game.notation.text(table.position)).encode()
    shown = at.card(await sent(at, typed))
    assert any(code in line for line in shown.screen.lines), shown.screen.lines
    assert not {REVIEW, ON} & set(shown.labels)
    assert ON in at.card(await sent(at, typed, who=OLGA)).labels


async def test_a_position_in_a_record_of_other_colours_stands_as_the_rated_game(at):
    code = await begun(at, "niya", rated="")
    table = await table_of(at, code)
    written = table.game.notation.text(table.position)
    setting = table.game.setting({"colours": "lvry"}, first=table.position.turn)
    tags = {"Position": written}
    sly = Record("niya", setting.sides, setting.options, setting.first, (), tags=tags)
    shown = at.card(await sent(at, sly.text().encode()))
    assert any(code in line for line in shown.screen.lines), shown.screen.lines
    assert not {REVIEW, ON} & set(shown.labels)


async def test_a_button_of_before_gives_no_help_once_a_rated_game_stands_so(at):
    shown = at.card(await sent(at, b"position startpos moves 7g7f 3c3d 2g2f"))
    assert {REVIEW, ON} <= set(shown.labels)
    code = await begun(at, "shogi", rated="")
    for move in ("7g7f", "3c3d"):
        await at.call(await on_turn(at, code), "move", move=move, table=code)
    assert len((await table_of(at, code)).log) == 2
    for label in (REVIEW, ON):
        assert code in (await at.press(NEREA, shown, label)).said


async def test_only_who_opened_a_file_finds_it_by_its_code(at):
    shown = at.card(await sent(at, KIF))
    (row,) = await kept(at)
    code = row["code"]
    assert is_from_file(code)
    assert "ya no está" in (await at.press(BRUNO, shown, RECORD)).said
    assert "ya no está" in (await at.call(BRUNO, "record", table=code)).said
    assert isinstance(await at.call(NEREA, "record", table=code), FileAnswer)


async def test_a_file_is_kept_for_thirty_days_and_twenty_for_a_person(at, clock):
    shown = at.card(await sent(at, KIF))
    services, me = at.facade.services, await at.facade.services.people.number(NEREA)
    clock.wait(timedelta(days=31))
    assert "30 días" in (await at.press(NEREA, shown, RECORD)).said
    await at.facade.store.write(services.heartbeat.alive)
    assert not await kept(at)
    for number in range(opened_files.KEPT_FILES + 2):
        row = OpenedFileRow(me, f"1{number}", "x", clock.shown + timedelta(seconds=number))
        await at.facade.store.write(opened_files.add_opened_file, row)
    codes = {one["code"] for one in await kept(at)}
    assert len(codes) == opened_files.KEPT_FILES
    assert not codes & {"10", "11"}


async def test_files_are_told_of_and_erased_with_their_person(at):
    await sent(at, KIF)
    assert await kept(at)
    me = await at.facade.services.people.number(NEREA)
    await at.facade.store.write(personal_data.erase_person_data, me)
    assert not (await at.facade.store.read(personal_data.export_person, me))["opened_file"]


async def test_names_in_a_file_are_text_and_nobodys_identity(at):
    text = replace(played("niya", 2, 6), tags={"Player0": "Nerea\u202e"}).text()
    assert isinstance(await sent(at, text.encode()), Card)
    (row,) = await kept(at)
    services, me = at.facade.services, await at.facade.services.people.number(NEREA)
    table, _ = await services.opened_files.find(me, row["code"])
    assert table.seat_of(me) is None
    assert table.players[0].name == "Nerea"


async def test_without_a_file_the_command_says_how_one_is_sent(at):
    assert "256 KB" in (await at.call(NEREA, "open")).said
