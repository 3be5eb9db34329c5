"""The command line forgives slips, checks what is meant first, and ends with the status it says."""

from __future__ import annotations

import asyncio
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import psutil
import pytest

from bot.app.main import COMMANDS
from bot.app.settings import Settings
from bot.app.shell_texts import _texts, other_words, shell_texts
from games.core.shelf import find_game
from storage import Store
from tests.bot.forgeries import as_of_0_1
from tests.bot.records import game_played
from tests.command_line import Ludoteca, one_sentence
from tests.live_bot import free_ports

ROOT = Path(__file__).parents[2]
ANA = "1" * 32


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("docter", "ludoteca doctor"),
        ("hlep", "ludoteca help"),
        ("restor", "ludoteca restore"),
        ("version", "ludoteca --version"),
        ("start", "ludoteca"),
        ("run", "ludoteca"),
        ("juegos", "ludoteca games"),
        ("Ayuda", "ludoteca help"),
        ("copia", "ludoteca backup"),
        ("copia de seguridad", "ludoteca backup"),
        ("restaurar", "ludoteca restore"),
        ("prohibir", "ludoteca ban"),
        ("expulsar", "ludoteca ban"),
        ("puzles", "ludoteca puzzles"),
        ("problemas", "ludoteca puzzles"),
        ("demostracion", "ludoteca demo"),
        ("versión", "ludoteca --version"),
        ("arrancar", "ludoteca"),
    ],
)
def test_a_slip_is_answered_with_the_command_that_is_meant(
    ludoteca: Ludoteca, tmp_path: Path, typed: str, meant: str
) -> None:
    for code, asked in ("en", "is `{}` meant?"), ("es", "¿querías decir `{}`?"):
        done = ludoteca(tmp_path, typed, LUDOTECA_LANGUAGE=code)
        assert done.returncode == 2
        assert asked.format(meant) in done.stderr
    assert "`ludoteca puzzles" not in ludoteca(tmp_path, "puzzles", "chek").stderr
    assert "`check`" in ludoteca(tmp_path, "puzzles", "chek").stderr


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("ban", "twitter", "1"), "discord, telegram, web"),
        (("ban", "dicord", "123"), "discord, telegram, web"),
        (("ban", "discord", "abc"), "abc"),
        (("ban", "discord", "@name"), "@name"),
        (("ban", "web", "902c"), "902c"),
        (("unban", "telegram", "-1"), "-1"),
        (("person", "web", "x" * 32), "x" * 32),
        (("forget", "discord"), "PLATFORM ID"),
        (("forget",), "PLATFORM ID"),
        (("export", "f", "matrix", "1"), "discord, telegram, web"),
        (("import", "f", "matrix", "1"), "discord, telegram, web"),
        (("import", "f", "discord", "abc"), "No place on discord can have the id abc"),
        (("export", "f", "telegram", "@group"), "No place on telegram can have the id @group"),
        (("picture", "niya", "-o", "x.jpg"), ".png"),
        (("invite", "--days", "0"), "1"),
    ],
)
def test_what_an_argument_means_is_checked_before_a_database_is_missed(
    ludoteca: Ludoteca, tmp_path: Path, arguments: tuple[str, ...], word: str
) -> None:
    done = ludoteca(tmp_path, *arguments)
    assert done.returncode == 2
    assert word in done.stderr
    assert "database" not in done.stderr
    assert list(tmp_path.iterdir()) == []


async def _made(folder: Path) -> None:
    url = Settings(_env_file=None).database_url  # type: ignore[call-arg]
    await (await Store.open(url.replace("ludoteca.db", f"{folder}/ludoteca.db"))).close()


def test_a_ban_says_whom_it_found_or_that_it_bars_in_advance(
    ludoteca: Ludoteca, tmp_path: Path
) -> None:
    asyncio.run(_made(tmp_path))
    done = ludoteca(tmp_path, "ban", "discord", "123")
    assert done.stdout.startswith("Banned in advance: nobody was ever here as 123 on discord")
    assert "already" in ludoteca(tmp_path, "ban", "discord", "123").stdout
    assert "Nobody is known" in one_sentence(ludoteca(tmp_path, "ban", "web", ANA), 2)
    done = ludoteca(tmp_path, "unban", "discord", "123", LANG="es_ES.UTF-8")
    assert done.stdout == "Puede volver a entrar.\n"


@pytest.mark.parametrize("typed", ["forget", "forget discord"])
def test_forget_says_whom_it_wants_in_both_languages(
    ludoteca: Ludoteca, tmp_path: Path, typed: str
) -> None:
    wanted = {"en": "Say whom: `ludoteca forget PLATFORM ID`", "es": "Di a quién: `ludoteca forget"}
    for code, sentence in wanted.items():
        done = ludoteca(tmp_path, *typed.split(), LUDOTECA_LANGUAGE=code)
        assert one_sentence(done, 2).startswith(sentence)
        assert "--imported" in done.stderr


def test_every_word_for_a_command_means_one_and_is_no_command() -> None:
    words = [
        word
        for code in ("en", "es")
        for key, said in _texts(code).items()
        if key.endswith(".also")
        for word in said.split(", ")
    ]
    known = other_words()
    assert sorted(known) == sorted(words)
    assert known.keys() & COMMANDS.keys() == set()
    assert {*known.values()} <= {*COMMANDS, "ludoteca", "--version"}


def test_what_is_refused_is_said_in_the_language_of_the_operator(
    ludoteca: Ludoteca, tmp_path: Path
) -> None:
    done = ludoteca(tmp_path, "ban", "discord", LANG="es_ES.UTF-8")
    assert done.stderr.startswith("uso: ")
    assert "faltan estos argumentos: ID" in done.stderr
    assert "argumentos:" in ludoteca(tmp_path, "help", "ban", LANG="es_ES.UTF-8").stdout
    assert "no hay docter" in ludoteca(tmp_path, "docter", LANG="es_ES.UTF-8").stderr


def test_no_sentence_says_to_install_a_name_of_the_index_that_is_not_ours() -> None:
    said = "".join(one.read_text() for one in (ROOT / "storage").glob("*.py"))
    said += "".join(shell_texts().values())
    assert re.findall(r"install ludoteca\b", said) == []


RAN = {
    ("games",): 0,
    ("--version",): 0,
    ("help", "ban"): 0,
    ("doctor",): 0,
    ("moves", "ajedrez"): 1,
    ("moves", "niya", "--position", "nonsense"): 1,
    ("check-game", "ajedrez"): 1,
    ("texts", "xx"): 1,
    ("status",): 1,
    ("replay", "niya", "ours.txt"): 1,
    ("verify", "lied.txt"): 1,
    ("nonsense",): 2,
    ("ban", "discord", "abc"): 2,
    ("ban", "discord", "123"): 2,
    ("backup", "copy.db"): 2,
    ("restore", "none.db"): 2,
    ("replay", "niya", "none.txt"): 2,
    ("verify", "none.txt"): 2,
    ("verify", "ours.txt"): 2,
    ("picture", "niya", "-o", "none/x.png"): 2,
    ("puzzles", "add", "shogi", "none.txt"): 2,
    ("verify", "old.txt"): 3,
}
"""What each command ends with in a folder of three files and no database."""


def told() -> set[int]:
    """The statuses of the page on the command line."""
    page = (ROOT / "docs/operate/commands.md").read_text()
    return {int(one) for one in re.findall(r"^\| (\d+) \|", page, re.MULTILINE)}


@pytest.mark.parametrize("arguments", RAN, ids=" ".join)
def test_each_command_ends_with_the_status_that_the_page_and_its_help_tell(
    ludoteca: Ludoteca, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    (tmp_path / "ours.txt").write_text("hello\n")
    record = game_played(find_game("niya"), random.Random(7))
    assert record
    secret = record.tags["Secret"]
    lied = record.text().replace(secret, secret[::-1])
    (tmp_path / "lied.txt").write_text(lied)
    (tmp_path / "old.txt").write_text(as_of_0_1(record).text())
    done = ludoteca(tmp_path, *arguments)
    assert done.returncode == RAN[arguments], done.stderr
    command = COMMANDS.get(arguments[0])
    assert done.returncode in {0, 2, *(command.statuses if command else ())}


def test_a_bot_that_ends_before_it_answers_gives_75(ludoteca: Ludoteca, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "ludoteca.db.sock"))
        listening.listen()
        ending = threading.Thread(target=lambda: listening.accept()[0].close())
        ending.start()
        done = ludoteca(tmp_path, "ban", "discord", "123")
        ending.join()
    assert "ended before it answered" in one_sentence(done, 75)


def test_ctrl_c_gives_130_and_no_other_status_is_told(tmp_path: Path) -> None:
    command = [sys.executable, "-u", "-m", "bot.app.main", "perft", "shogi", "20"]
    running = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert running.stdout is not None
    assert running.stdout.readline() == "1 30\n"
    running.send_signal(signal.SIGINT)
    _, wrong = running.communicate(timeout=30)
    assert (running.returncode, wrong) == (130, "")
    assert told() == {*RAN.values(), 75, 130}


@pytest.mark.skipif(shutil.which("unshare") is None or os.geteuid() != 0, reason="no namespaces")
def test_the_first_process_of_a_container_says_why_it_does_not_start_and_waits_for_a_stop(
    tmp_path: Path,
) -> None:
    (health,) = free_ports(1)
    settings = {"WEB_PORT": "eighty", "HEALTH_PORT": str(health), "LANG": "C"}
    # A process that is first in a namespace of its own is told to stop from without, as by Docker.
    command = ["unshare", "--pid", "--fork", sys.executable, "-u", "-m", "bot.app.main"]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, **settings},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as outer:
        assert outer.stdout is not None
        said = outer.stdout.readline()
        assert "WEB_PORT (environment) must be a whole number" in said
        assert "stop this container" in said
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", health), timeout=5)
        assert outer.poll() is None
        (first,) = psutil.Process(outer.pid).children()
        first.send_signal(signal.SIGTERM)
        _, wrong = outer.communicate(timeout=30)
    assert outer.returncode == 2
    assert wrong == said.partition(". ")[0] + ".\n"
