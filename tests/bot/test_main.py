"""The command line and the settings: one sentence for what is wrong, and the right status."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import signal
import sqlite3
import subprocess
import sys
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.app import runner
from bot.app.logs import OneASecond, RatedLines, Redacted
from bot.app.output import STUMBLED
from bot.app.settings import read_settings
from games.core.shelf import find_game
from storage import Store
from storage.errors import DatabaseUnavailable
from storage.upgrade import newest_revision
from tests.command_line import one_sentence
from tests.storage.releases import restored

ROOT = Path(__file__).resolve().parents[2]
ADDRESS = "https://api.telegram.org/bot123456789:CANARY-6789012345678901234567890/getMe"


def test_games_lists_the_shelf_with_its_options(ludoteca, tmp_path):
    done = ludoteca(tmp_path, "games")
    assert done.returncode == 0
    assert "full_board = block, draw" in done.stdout


def test_perft_moves_and_best(ludoteca, tmp_path):
    assert ludoteca(tmp_path, "perft", "niya", "4").stdout.split() == [
        *("1", "12", "2", "72", "3", "360", "4", "1656")
    ]
    assert len(ludoteca(tmp_path, "moves", "okiya").stdout.split()) == 12
    position = "R,R,R,O4/A,A,V3,V4/M4,L2,M3,O1/L4,V1,A,O2 R O3"
    best = ludoteca(tmp_path, "best", "niya", "--position", position)
    assert best.stdout.splitlines()[0] == "O4", best.stderr


@pytest.mark.parametrize(
    ("game", "position", "said"),
    [
        ("shogi", "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", "Sente wins by checkmate"),
        ("cirya", "x5/x5/x5/x5/1,1,1,1,1 2 9", "The Swan wins by londë"),
        ("parchis", "A=72,72,72,72#1 R=0,0,0,0 - - 0 - -", "Yellow wins"),
        ("storilljudhjorrayc", "A:a2,T1:c2 A:i2 g 0,0 4", "Four passes in a row: a draw."),
    ],
)
def test_best_says_of_a_finished_game_that_it_is_over_and_who_has_won(
    ludoteca, tmp_path, game, position, said
):
    done = ludoteca(tmp_path, "best", game, "--position", position)
    assert one_sentence(done, 1).startswith(f"The game is over. {said}")


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("moves", "ajedrez"), "ajedrez"),
        (("moves", "niya", "--position", "nonsense"), "position"),
        (("moves", "niya", "--option", "full_board=perhaps"), "perhaps"),
        (("moves", "niya", "--option", "speed"), "speed"),
        (("perft", "niya", "99"), "20"),
        (("picture", "niya", "-o", "x.png", "--theme", "pink"), "pink"),
        (("picture", "niya", "-o", "x.png", "--size", "5"), "90"),
        (("best", "niya", "--level", "77"), "3"),
    ],
)
def test_bad_input_gets_one_sentence(ludoteca, tmp_path, arguments, word):
    assert word in one_sentence(ludoteca(tmp_path, *arguments), 1)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("WEB_PORT", "eighty"),
        ("WEB_PORT", "70000"),
        ("WEB_HOST", "0.0.0.0"),
        ("LUDOTECA_LANGUAGE", "fr"),
        ("LOG_FORMAT", "xml"),
        ("DATABASE_URL", "mysql://x"),
        ("DATABASE_URL", "sqlite+aiosqlite:////no/such/folder/x.db"),
        ("TELEGRAM_API_URL", "not an address"),
        ("TELEGRAM_WEBHOOK_URL", "http://bot.example/telegram"),
        ("TELEGRAM_WEBHOOK_URL", "https://bot.example:9999/telegram"),
        ("TELEGRAM_WEBHOOK_SECRET", "two words"),
        ("TELEGRAM_WEBHOOK_SECRET", "x" * 257),
    ],
)
def test_a_broken_setting_ends_with_a_sentence_and_status_2(ludoteca, tmp_path, setting, value):
    one_sentence(ludoteca(tmp_path, **{setting: value}), 2)


def test_copies_of_a_database_on_a_server_are_refused_before_anything_starts(ludoteca, tmp_path):
    (tmp_path / "copies").mkdir()
    address = "postgresql+asyncpg://house:s3cret@127.0.0.1:1/ludoteca"
    refused = ludoteca(tmp_path, DATABASE_URL=address, BACKUP_DIR="copies")
    assert "pg_dump" in one_sentence(refused, 2)


async def empty(address: str) -> None:
    """Make a database without a row."""
    store = await Store.open(address)
    await store.close()


def test_a_database_is_moved_by_one_command(ludoteca, tmp_path):
    addresses = [f"sqlite+aiosqlite:///{tmp_path}/{name}.db" for name in ("old", "new")]
    one_sentence(ludoteca(tmp_path, "move-database", *addresses), 2)
    asyncio.run(empty(addresses[0]))
    moved = ludoteca(tmp_path, "move-database", *addresses)
    assert moved.stdout.startswith("0 rows")
    one_sentence(ludoteca(tmp_path, "move-database", addresses[0], addresses[0]), 2)


def test_a_blank_setting_is_as_if_it_were_not_there(ludoteca, tmp_path):
    blank = {"WEB_PORT": "", "DATABASE_URL": " ", "DISCORD_TOKEN": "", "LUDOTECA_LANGUAGE": " "}
    assert ludoteca(tmp_path, "doctor", **blank).returncode == 0


def test_a_token_is_taken_without_the_blanks_and_quotes_around_it(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TELEGRAM_TOKEN", " '123:abc' ")
    monkeypatch.setenv("DISCORD_TOKEN", '"abc.def"\n')
    monkeypatch.setenv("TELEGRAM_WEBHOOK_SECRET", "''")
    read = read_settings()
    assert read.telegram_token is not None
    assert read.discord_token is not None
    assert read.telegram_token.get_secret_value() == "123:abc"
    assert read.discord_token.get_secret_value() == "abc.def"


def test_a_webhook_of_telegram_s_own_server_is_an_https_address(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for address in ("https://bot.example/telegram", "https://bot.example:8443/x"):
        monkeypatch.setenv("TELEGRAM_WEBHOOK_URL", address)
        assert str(read_settings().telegram_webhook_url) == address
    monkeypatch.setenv("TELEGRAM_WEBHOOK_URL", "http://bot.example/telegram")
    monkeypatch.setenv("TELEGRAM_API_URL", "http://127.0.0.1:8081/bot")
    assert read_settings().telegram_webhook_url is not None


def test_a_broken_env_file_is_named(ludoteca, tmp_path):
    (tmp_path / ".env").write_bytes(b"WEB_PORT=\xff\xfe\n")
    assert ".env" in one_sentence(ludoteca(tmp_path, "doctor"), 2)


def test_a_newer_database_is_refused_and_left_alone(ludoteca, tmp_path):
    database = sqlite3.connect(tmp_path / "ludoteca.db")
    database.execute("create table alembic_version (version_num varchar(32) not null)")
    database.execute("insert into alembic_version values ('9999')")
    database.commit()
    database.close()
    before = (tmp_path / "ludoteca.db").read_bytes()
    one_sentence(ludoteca(tmp_path), 2)
    assert (tmp_path / "ludoteca.db").read_bytes() == before


def test_doctor_and_backup(ludoteca, tmp_path):
    assert ludoteca(tmp_path, "doctor").returncode == 0
    one_sentence(ludoteca(tmp_path, "backup", "copy.db"), 2)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_position_of_any_number_of_seats_gets_its_picture(ludoteca, tmp_path, seats):
    game = find_game("parchis")
    text = game.notation.text(game.start(game.setting(seats=seats)))
    last = ("red", "red", "green")[seats - 2]
    wanted = ("picture", "parchis", "-o", "x.png", "--position", text, "--side", last)
    done = ludoteca(tmp_path, *wanted)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "x.png").exists()


def test_a_record_replays_to_its_end_or_to_the_first_bad_move(ludoteca, tmp_path):
    head = '[Ludoteca "1"]\n[Game "niya"]\n[Sides "red yellow"]\n[First "0"]\n[Options ""]\n\n'
    deck = [f"{colour}{index}" for colour in "MOLV" for index in range(1, 5)]
    deal = "".join(f"*{number} {card}\n" for number, card in enumerate(deck, 1))
    (tmp_path / "good.txt").write_text(f"{head}{deal}0 M1\n1 O1\n")
    good = ludoteca(tmp_path, "replay", "niya", "good.txt")
    assert good.stdout.splitlines()[0] == "*", good.stderr
    assert good.stdout.splitlines()[1].endswith(" R O1")
    (tmp_path / "bad.txt").write_text(f"{head}{deal}0 M1\n1 V2\n")
    assert "V2" in one_sentence(ludoteca(tmp_path, "replay", "niya", "bad.txt"), 1)
    (tmp_path / "other.txt").write_text("hello\n")
    one_sentence(ludoteca(tmp_path, "replay", "niya", "other.txt"), 1)


def test_a_record_that_the_players_ended_says_so(ludoteca, tmp_path):
    csa = "V2.2\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n"
    (tmp_path / "game.csa").write_text(csa)
    assert ludoteca(tmp_path, "replay", "shogi", "game.csa").stdout.startswith("resign gote\n")
    (tmp_path / "game.csa").write_text(csa.replace("%TORYO", "%CHUDAN"))
    assert ludoteca(tmp_path, "replay", "shogi", "game.csa").stdout.startswith("*\n")


def test_a_file_is_refused_in_the_words_of_the_notation_it_is_written_in(ludoteca, tmp_path):
    (tmp_path / "game.txt").write_text("V2.2\nPI\n+\n+7776FU\n-3334F\n%TORYO\n")
    said = one_sentence(ludoteca(tmp_path, "replay", "shogi", "game.txt"), 1)
    assert "Line 5" in said
    assert "-3334F" in said
    (tmp_path / "game.txt").write_text("\n")
    said = one_sentence(ludoteca(tmp_path, "replay", "shogi", "game.txt"), 1)
    assert said == "There is neither a tag nor a move in this."


def test_a_token_in_an_address_is_not_written_into_the_log():
    record = logging.LogRecord("x", logging.INFO, "", 0, "POST %s", (ADDRESS,), None)
    for form in ("plain", "json"):
        assert "CANARY" not in Redacted([], form).format(record)
    secret = logging.LogRecord("x", logging.INFO, "", 0, "a %s b", ("s3cret",), None)
    assert Redacted(["s3cret", ""], "plain").format(secret).endswith("a *** b")


def test_of_an_exception_the_log_has_its_class_and_place_and_nothing_that_was_written():
    written = "canary".upper()
    try:
        try:
            raise KeyError(written)
        except KeyError as wrong:
            raise ExceptionGroup(written, [ValueError(written)]) from wrong
    except ExceptionGroup:
        record = logging.LogRecord("bot", logging.ERROR, "", 0, "it failed", (), sys.exc_info())
    for form in ("plain", "json"):
        line = Redacted([], form).format(record)
        assert written not in line
        assert [name in line for name in ("KeyError", "ExceptionGroup", "ValueError")] == [True] * 3
        assert "test_main.py" in line
    told = DatabaseUnavailable("The disk is full.")
    record = logging.LogRecord("bot", logging.ERROR, "", 0, "x", (), (type(told), told, None))
    assert "The disk is full." in Redacted([], "plain").format(record)


def test_lines_that_a_stranger_can_cause_are_rated_with_their_tracebacks():
    now = [0.0]
    rated, written = RatedLines(lambda: now[0]), []
    for number in range(1201):
        now[0] = number / 10
        record = logging.LogRecord("bot", logging.ERROR, "", 0, "%s failed", (number,), None)
        if rated.filter(record):
            written.append(record.getMessage())
    assert 40 <= len(written) <= 41
    assert written[20] == "600 failed (and 580 more like this)"
    other = logging.LogRecord("bot", logging.ERROR, "", 0, "another matter", (), None)
    assert rated.filter(other)


def test_the_lines_of_libraries_about_requests_and_tasks_name_nobody():
    for words, args in (("Error handling request from %s", ("192.0.2.1",)), ("lost\nE('x')", ())):
        record = logging.LogRecord("asyncio", logging.ERROR, "", 0, words, args, None)
        assert OneASecond().filter(record)
        assert "192" not in record.getMessage()
        assert "'x'" not in record.getMessage()


@contextmanager
def running(folder: Path, **environment: str):
    """The bot itself, started in *folder*; yields the address it prints."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bot.app.main"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "WEB_PORT": "0", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip()
    finally:
        process.terminate()
        process.communicate(timeout=30)


@pytest.mark.slow
def test_a_second_process_and_a_busy_port_are_refused(ludoteca, tmp_path):
    (tmp_path / "first").mkdir()
    (tmp_path / "second").mkdir()
    with running(tmp_path / "first") as (_, address):
        assert address.startswith("http://127.0.0.1:")
        port = address.split(":")[2].split("/")[0]
        same = one_sentence(ludoteca(tmp_path / "first"), STUMBLED)
        assert "Another process" in same
        busy = one_sentence(ludoteca(tmp_path / "second", WEB_PORT=port), 2)
        assert port in busy


def test_sigterm_ends_it_well_and_a_copy_can_be_taken_beside_it(ludoteca, tmp_path):
    with running(tmp_path) as (process, _):
        assert ludoteca(tmp_path, "backup", "copy.db").returncode == 0
        assert ludoteca(tmp_path, "doctor").returncode == 0
        assert "stop it first" in one_sentence(ludoteca(tmp_path, "restore", "copy.db"), 2)
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=25) == 0
    assert (tmp_path / "copy.db").stat().st_size > 0
    done = ludoteca(tmp_path, "restore", "copy.db")
    assert done.returncode == 0
    aside = re.fullmatch(r"The copy copy.db is .*; the old one is kept as (.*)\.\n", done.stdout)
    assert Path(aside[1]).is_file()


@pytest.mark.slow
def test_the_bot_copies_its_database_where_it_is_told_to_and_the_doctor_finds_the_copy(
    ludoteca, tmp_path
):
    one_sentence(ludoteca(tmp_path, BACKUP_DIR="copies"), 2)
    (tmp_path / "copies").mkdir()
    with running(tmp_path, BACKUP_DIR="copies") as (process, _):
        for line in process.stderr:
            if "copied to" in line:
                break
        (copy,) = (tmp_path / "copies").glob("*.db")
    assert f"{copy.name} is sound" in ludoteca(tmp_path, "doctor", BACKUP_DIR="copies").stdout


def test_a_line_for_programs_has_its_zone_and_its_traceback_in_fields_of_their_own():
    try:
        raise ValueError("s3cret")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "", 0, "a %s", ("fault",), sys.exc_info())
    told = json.loads(Redacted(["s3cret"], "json").format(record))
    assert datetime.fromisoformat(told["at"]).utcoffset() == timedelta()
    assert told["line"].endswith("ERROR x: a fault")
    assert "Traceback" not in told["line"]
    assert told["exception"].endswith("builtins.ValueError"), "what it says may repeat people"
    record.exc_info = None
    assert "exception" not in json.loads(Redacted([], "json").format(record))


def test_the_first_address_is_no_line_of_a_log_for_programs(tmp_path, caplog):
    caplog.set_level(logging.INFO)
    told = runner._written_down(tmp_path)
    told("http://127.0.0.1:8765/?t=onlyonce")
    file = tmp_path / runner.ADDRESS
    assert file.read_text() == "http://127.0.0.1:8765/?t=onlyonce\n"
    assert file.stat().st_mode & 0o077 == 0
    assert "onlyonce" not in caplog.text
    assert str(file) in caplog.text
    told("http://127.0.0.1:8765/")
    runner._written_down(tmp_path / "none")("http://127.0.0.1:8765/?t=onlyonce")
    assert "cannot be written" in caplog.text
    assert "onlyonce" not in caplog.text


def test_upgrade_brings_the_database_to_this_release_and_ends(ludoteca, tmp_path):
    done = ludoteca(tmp_path, "upgrade")
    assert done.returncode == 0
    assert newest_revision() in done.stdout
    assert "copy" not in done.stdout
    assert (tmp_path / "ludoteca.db").is_file()


def test_upgrade_names_the_copy_that_it_makes_before(ludoteca, tmp_path):
    restored("0008", tmp_path / "ludoteca.db")
    done = ludoteca(tmp_path, "upgrade")
    (copy,) = tmp_path.glob("ludoteca.db.schema-*")
    assert f"the copy made before is {copy.resolve()}." in done.stdout
    assert copy.name == "ludoteca.db.schema-0008"


def test_the_lines_of_the_start_are_in_the_language_of_the_shell(capsys, monkeypatch):
    lines = {"en": "Open this address in a browser", "es": "Abre esta dirección en un navegador"}
    for code, sentence in lines.items():
        monkeypatch.setenv("LUDOTECA_LANGUAGE", code)
        runner._say_address("http://127.0.0.1:8765/?t=once")
        first, second = capsys.readouterr().out.splitlines()
        assert first == "http://127.0.0.1:8765/?t=once"
        assert second.startswith(sentence)
        runner._say_address("http://127.0.0.1:8765/")
        assert capsys.readouterr().out == "http://127.0.0.1:8765/\n"
