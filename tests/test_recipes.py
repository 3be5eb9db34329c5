"""The recipes of docs/operate, line by line: each ends in a bot that answers."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import yaml

from bot.app.output import REFUSED
from tests import postgres
from tests.live_bot import LiveBot, asked, free_ports, settings_of, until
from tests.supervisor import Supervisor, Unit, below, interpreter
from tests.test_operating import ROOT, compose, recipe

PAGE = (ROOT / "docs/operate/README.md").read_text()
SECTIONS = {part.partition("\n")[0]: part for part in re.split(r"^## ", PAGE, flags=re.MULTILINE)}


def blocks(section: str, kind: str = "sh") -> list[list[str]]:
    """The lines of each fenced block of a *kind*, without their comments."""
    found = re.findall(rf"^```{kind}\n(.*?)^```", SECTIONS[section], flags=re.MULTILINE | re.DOTALL)
    return [[line.partition("  #")[0].rstrip() for line in one.splitlines()] for one in found]


@dataclass
class House:
    """A machine of an operator, below a folder: what stands in the recipes is done there."""

    root: Path
    installs: bool = False
    """Whether what pip does is done, or a program that runs this checkout put there."""
    settings: dict[str, str] = field(default_factory=dict)
    ports: list[int] = field(default_factory=lambda: free_ports(3))
    supervisor: Supervisor | None = None

    def __post_init__(self) -> None:
        self.root.chmod(0o755)
        self.bin = self.root / "bin"
        self.bin.mkdir(exist_ok=True)
        run = self.bin / "systemd-run"
        call = shlex.join([sys.executable, "-m", "tests.supervisor", str(self.root)])
        run.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {call} "$@"\n')
        run.chmod(0o755)
        for folder in ("opt", "etc/systemd/system", "usr/local/sbin", "var/lib"):
            (self.root / folder).mkdir(parents=True, exist_ok=True)

    def do(self, *lines: str) -> str:
        """Do *lines* of a recipe in the checkout; answers what they print."""
        return "".join(self._line(line) for line in lines)

    def _line(self, line: str) -> str:
        words = shlex.split(line)
        if words[0] == "systemctl":
            self._systemctl(words[1:])
            return ""
        if not self.installs and ("pip" in line.split("install")[0] or "-m venv" in line):
            self._stand_in()
            return ""
        path = f"{self.bin}:{self.root}/usr/local/sbin:{os.environ['PATH']}"
        done = subprocess.run(
            ["sh", "-ec", self._ours(below(self.root, line))],
            cwd=ROOT,
            env={"PATH": path, "HOME": str(self.root), **self._of_pip()},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, (line, done.stdout, done.stderr)
        self._configure()
        return done.stdout

    def _ours(self, line: str) -> str:
        """The *line* with the Python of the tests, where it makes a new environment."""
        return re.sub(r"^python3 ", f"{sys.executable} ", line)

    def _of_pip(self) -> dict[str, str]:
        return {name: value for name, value in os.environ.items() if name.startswith("PIP_")}

    def _stand_in(self) -> None:
        program = self.root / "opt/ludoteca/bin/ludoteca"
        program.parent.mkdir(parents=True, exist_ok=True)
        python, path = (os.geteuid() == 0 and interpreter()) or (sys.executable, ROOT)
        program.write_text(f'#!/bin/sh\nexport PYTHONPATH={path}\nexec {python} -m bot "$@"\n')
        program.chmod(0o755)

    def _configure(self) -> None:
        """Write into the file of settings what an operator would, and paths below our root."""
        file = self.root / "etc/ludoteca.env"
        if file.exists() and "COMPUTERS=1" not in (text := file.read_text()):
            wanted = settings_of(*self.ports, "") | {"DATABASE_URL": ""} | self.settings
            names = [name for name, value in wanted.items() if value]
            text = re.sub(rf"^({'|'.join(names)})=.*\n", "", text, flags=re.MULTILINE)
            text += "".join(f"{name}={wanted[name]}\n" for name in names)
            file.write_text(text)
        script = self.root / "usr/local/sbin/ludoteca-run"
        if script.exists():
            script.write_text(below(self.root, script.read_text()))

    def _systemctl(self, words: Sequence[str]) -> None:
        match words:
            case ["daemon-reload"]:
                unit = self.root / "etc/systemd/system/ludoteca.service"
                read = Unit.of(self.root, unit.read_text().splitlines())
                self.supervisor = Supervisor(read, self.root / "log")
            case ["enable", "--now", "ludoteca"] | ["start", "ludoteca"]:
                self.service.start()
            case ["stop", "ludoteca"]:
                self.service.stop()
            case ["restart", "ludoteca"]:
                self.service.stop()
                self.service.start()
            case _:
                raise AssertionError(words)

    @property
    def service(self) -> Supervisor:
        assert self.supervisor is not None
        return self.supervisor

    @property
    def state(self) -> Path:
        """The folder of the state."""
        return self.root / "var/lib/ludoteca"

    def bot(self) -> LiveBot:
        """The bot that the service runs."""
        until(lambda: self.service.process)
        assert self.service.process is not None
        return LiveBot(self.service.process, self.root / "log", *self.ports)

    def answers(self) -> None:
        """Wait until the bot answers."""
        until(lambda: self.service.state == "failed" or self.bot().answers())
        assert self.service.state == "active", (self.root / "log").read_text()


@pytest.fixture
def house() -> Iterator[House]:
    """A new machine. Others than us must be able to look into its folder."""
    root = Path(tempfile.mkdtemp(prefix="ludoteca-house-"))
    made = House(root)
    try:
        yield made
    finally:
        if made.supervisor is not None:
            made.supervisor.stop()
        shutil.rmtree(root, ignore_errors=True)


def first_start(house: House) -> None:
    (lines,) = blocks("First start")
    house.do(*lines)
    house.answers()


@pytest.mark.slow
def test_the_recipe_of_systemd_ends_in_a_bot_that_answers_and_copies_go_there_and_back(
    house: House,
) -> None:
    house.settings["BACKUP_DIR"] = str(house.state / "copies")
    first_start(house)
    (unit,) = re.findall(r"^Documentation=file://(.*)", house_unit(), flags=re.MULTILINE)
    assert Path(below(house.root, unit)).is_file()
    house.do("ludoteca-run doctor")
    (lines,) = blocks("Backup and restore")
    house.do(*lines)
    house.answers()
    owner = house.state.stat().st_uid
    for name in ("ludoteca.db", "ludoteca.db.lock"):
        kept = (house.state / name).stat()
        assert (kept.st_uid, kept.st_mode & 0o777) == (owner, 0o600), name
    assert (house.state / "copies/before.db").is_file()
    assert len([*house.state.glob("ludoteca.db.20*")]) >= 1, "the old one is kept"


def house_unit() -> str:
    return (ROOT / "docs/operate/ludoteca.service").read_text()


@pytest.mark.slow
@pytest.mark.skipif(
    os.geteuid() != 0 or interpreter() is None, reason="only the administrator gives files away"
)
def test_a_copy_that_root_puts_back_belongs_to_whom_the_database_belonged(house: House) -> None:
    first_start(house)
    house.do("ludoteca-run backup copies/before.db", "systemctl stop ludoteca")
    for gone in ((), ("ludoteca.db", "ludoteca.db.lock")):
        for name in gone:
            (house.state / name).unlink()
        restored = subprocess.run(
            [sys.executable, "-m", "bot", "restore", "copies/before.db"],
            cwd=house.state,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
        )
        assert restored.returncode == 0, restored.stderr
        for name in ("ludoteca.db", "ludoteca.db.lock"):
            kept = (house.state / name).stat()
            assert (kept.st_uid, kept.st_mode & 0o777) == (house.service.unit.user, 0o600)
    house.do("systemctl start ludoteca")
    house.answers()


@pytest.mark.slow
def test_the_recipe_of_an_upgrade_and_the_way_back_end_in_a_bot_that_answers(house: House) -> None:
    first_start(house)
    (lines,) = blocks("Upgrade")
    house.do(*lines)
    house.answers()
    # What an upgrade leaves beside the database, and the way back that the page tells.
    house.do("ludoteca-run backup ludoteca.db.schema-REVISION")
    (back,) = blocks("Upgrade", "sh back")
    house.do(*back)
    house.answers()


@pytest.mark.slow
def test_a_killed_bot_is_started_again_and_a_refused_setting_is_not(house: House) -> None:
    first_start(house)
    house.service.hurry = 20
    house.service.kill()
    until(lambda: house.service.statuses)
    house.answers()
    house.do("systemctl stop ludoteca")
    file = house.root / "etc/ludoteca.env"
    file.write_text(file.read_text() + "WEB_HOST=192.0.2.1\n")
    house.do("systemctl start ludoteca")
    until(lambda: house.service.state == "failed")
    assert house.service.statuses[-1] == REFUSED


@pytest.mark.slow
@pytest.mark.skipif(postgres.programs() is None, reason=postgres.ABSENT)
def test_the_unit_waits_for_a_server_that_is_away_and_starts_anew_after_it_was_killed(
    house: House,
) -> None:
    own = postgres.OwnServer()
    try:
        house.settings["DATABASE_URL"] = f"{own.address}/postgres"
        lines = [line for line in blocks("First start")[0] if "doctor" not in line]
        house.do(*lines)
        until(lambda: asked(house.ports[1], "/healthz")[0] == 503)
        house.service.hurry = 20
        house.service.kill()
        until(lambda: house.service.statuses)
        until(lambda: asked(house.ports[1], "/healthz")[0] == 503)
        own.start()
        house.answers()
        assert house.service.statuses == [-9]
    finally:
        if house.supervisor is not None:
            house.supervisor.stop()
        own.remove()


@pytest.mark.slow
def test_the_recipe_of_systemd_with_everything_installed_ends_in_a_bot_that_answers(
    house: House,
) -> None:
    python = Path(sys.executable).resolve()
    if not all(one.stat().st_mode & 0o001 for one in (python, *python.parents)):
        pytest.skip("only its owner may run this Python, and the unit runs as somebody else")
    house.installs = True
    first_start(house)
    program = house.root / "opt/ludoteca/bin/python"
    found = subprocess.run(
        [program, "-c", "import asyncpg, bot; print(bot.__file__)"],
        cwd="/",
        capture_output=True,
        text=True,
    )
    assert found.stdout.startswith(str(house.root)), found.stderr
    (lines,) = blocks("Upgrade")
    house.do(*lines)
    house.answers()


# ---------------------------------------------------------------- containers


def interpolated(text: str, env: dict[str, str]) -> str:
    """*text* with its variables, as compose puts them in."""

    def value(found: re.Match[str]) -> str:
        given = env.get(found[1], "")
        if found[2] == ":?":
            assert given, found[3]
        return given or (found[3] if found[2] == ":-" else "")

    return re.sub(r"\$\{(\w+)(?:(:-|:\?)([^}]*))?\}", value, text)


def environment_of(service: str, env_file: dict[str, str]) -> dict[str, str]:
    """The environment of a container: the image's, then ``env_file``, then ``environment``."""
    of_image = dict(
        pair.split("=", 1) for what, words in recipe() if what == "ENV" for pair in words.split()
    )
    told = compose()["services"][service]
    found = of_image | (env_file if told.get("env_file") else {})
    given = told["environment"]
    assert isinstance(given, dict)
    return found | {name: interpolated(str(value), env_file) for name, value in given.items()}


def env_of_example() -> dict[str, str]:
    """A copy of ``.env.example``, with the password written into it."""
    lines = (ROOT / ".env.example").read_text().splitlines()
    pairs = (line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))
    return dict(pairs) | {"POSTGRES_PASSWORD": "s3cret"}


@pytest.mark.slow
@pytest.mark.skipif(postgres.programs() is None, reason=postgres.ABSENT)
@pytest.mark.parametrize(
    "public", [pytest.param("", marks=pytest.mark.slow), "https://play.example.org"]
)
def test_the_containers_give_a_bot_that_is_healthy_and_that_the_proxy_alone_reaches(
    tmp_path: Path, public: str
) -> None:
    env = env_of_example() | ({"WEB_PUBLIC_URL": public} if public else {})
    assert blocks("First start", "sh docker") == [
        ["docker compose up -d"],
        ["docker compose --profile public up -d"],
    ]
    services = compose()["services"]
    environment = environment_of("bot", env)
    assert (environment["HEALTH_PORT"], environment["LOG_FORMAT"]) == ("8766", "json")
    # Here the container's network is loopback, its names an address, its ports free ones.
    web, health, _ = free_ports(3)
    database = postgres.database(str(tmp_path))
    user, _, place = environment["DATABASE_URL"].partition("@")
    assert (user, place) == ("postgresql+asyncpg://ludoteca:s3cret", "database/ludoteca")
    environment |= {"WEB_PORT": str(web), "HEALTH_PORT": str(health), "DATABASE_URL": database}
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "bot"],
            cwd=tmp_path,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **environment},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            (check,) = (words for what, words in recipe() if what == "HEALTHCHECK")
            probe = yaml.safe_load(check.partition("CMD ")[2])
            code = probe[-1].replace("8766", str(health))
            healthy = [sys.executable, *probe[1:-1], code]
            until(lambda: subprocess.run(healthy, capture_output=True).returncode == 0)
            command = interpolated(str(services["proxy"]["command"]), env)
            (name,) = re.findall(r"--from https://(\S+) --to bot:8765$", command)
            passed = {"Host": name, "X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https"}
            assert asked(web, "/", passed)[0] in (200, 401)
            assert asked(web, "/", {"Host": f"127.0.0.1:{web}"})[0] == 421
            lines = (tmp_path / "log").read_text().splitlines()
            assert all(line.startswith("{") for line in lines), lines
            token = (tmp_path / "ludoteca-address.txt").read_text()
            assert token.startswith(f"https://{name}/?t=")
            assert (tmp_path / "ludoteca-address.txt").stat().st_mode & 0o077 == 0
        finally:
            process.terminate()
            assert process.wait(30) == 0


def test_the_proxy_publishes_its_ports_and_nobody_else_any() -> None:
    services = compose()["services"]
    published = {name: service["ports"] for name, service in services.items() if "ports" in service}
    assert published == {"proxy": ["80:80", "443:443"]}
