"""The files by which an operator runs the bot, read by the tools they are for."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import babel
import pytest
import yaml

from bot.app.main import parser
from bot.app.output import REFUSED, STUMBLED
from bot.app.settings import Settings
from bot.runtime import metrics
from bot.texts import OURS

ROOT = Path(__file__).parents[1]
UNIT = ROOT / "docs/operate/ludoteca.service"
PAGE = (ROOT / "docs/operate/README.md").read_text()
SETTINGS = {name.upper() for name in Settings.model_fields}


def recipe() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile with their words, a continued one whole."""
    text = re.sub(r"^#.*\n", "", (ROOT / "Dockerfile").read_text(), flags=re.MULTILINE)
    lines = text.replace("\\\n", " ").splitlines()
    return [(line.split()[0], line.partition(" ")[2]) for line in lines if line.strip()]


def compose() -> dict[str, dict[str, dict[str, object]]]:
    read: dict[str, dict[str, dict[str, object]]] = yaml.safe_load(
        (ROOT / "compose.yaml").read_text()
    )
    return read


def test_systemd_finds_no_fault_in_the_unit_and_little_exposed(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd-analyze here (Debian: apt-get install systemd)")
    program = tmp_path / "ludoteca"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    unit = tmp_path / "ludoteca.service"
    unit.write_text(UNIT.read_text().replace("/opt/ludoteca/bin/ludoteca", str(program)))
    verified = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", unit], capture_output=True, text=True, check=False
    )
    assert (verified.returncode, verified.stderr) == (0, "")
    told = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=20", unit],
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stdout[-300:]


def test_the_unit_starts_again_what_may_go_better_and_nothing_else() -> None:
    told = dict(line.split("=", 1) for line in UNIT.read_text().splitlines() if "=" in line)
    assert told["Restart"] == "on-failure"
    assert told["RestartPreventExitStatus"] == str(REFUSED)
    assert str(STUMBLED) in PAGE


def test_the_container_runs_as_nobody_and_holds_no_secret() -> None:
    told = recipe()
    bases = [words.split()[0] for what, words in told if what == "FROM"]
    assert all(re.search(r":\d+\.\d+", base) for base in bases), "a base without a version"
    users = [words for what, words in told if what == "USER"]
    assert users
    assert all(int(user.split(":")[0]) >= 1000 for user in users)
    assert "ADD" not in {what for what, _ in told}
    named = {
        pair.partition("=")[0] for what, words in told if what == "ENV" for pair in words.split()
    }
    assert not {name for name in named if re.search("TOKEN|SECRET|PASSWORD", name)}
    assert {name for name in named if not name.startswith("PYTHON")} <= SETTINGS


def test_the_container_has_neither_an_installer_nor_languages_that_nobody_speaks(
    tmp_path: Path,
) -> None:
    told = recipe()
    assert "--without-pip" in next(words for what, words in told if "venv" in words)
    (pruned,) = (words for what, words in told if what == "RUN" and "locale-data" in words)
    (spoken,) = (words.partition("=")[2].strip('"') for what, words in told if what == "ARG")
    folder = tmp_path / "babel/locale-data"
    shutil.copytree(Path(babel.__file__).parent / "locale-data", folder)
    pruned = re.sub(r"/opt/\S+/babel", f"{tmp_path}/babel", pruned)
    pruned = pruned.replace("/kept", f"{tmp_path}/kept")
    environment = {"PATH": os.defpath, "LANGUAGES": spoken}
    subprocess.run(["sh", "-ec", pruned], env=environment, check=True)
    kept = {one.stem.partition("_")[0] for one in folder.glob("*.dat")}
    assert kept == {"root", *spoken.split()}
    assert set(OURS) <= kept


def test_the_services_are_started_again_after_a_reboot_too() -> None:
    assert {one["restart"] for one in compose()["services"].values()} == {"unless-stopped"}


def test_what_the_container_is_built_from_is_there_and_nothing_else() -> None:
    taken = (ROOT / ".dockerignore").read_text().split()
    assert taken[0] == "*"
    wanted = [line[1:] for line in taken if line.startswith("!")]
    assert all((ROOT / name).exists() for name in wanted)
    assert not {".env", ".git", "tests"} & set(wanted)
    copied = [shlex.split(words) for what, words in recipe() if what == "COPY"]
    sources = {name for words in copied for name in words[:-1] if not name.startswith("--from")}
    assert sources - {".", "/opt/ludoteca"} <= set(wanted)


def test_the_services_wait_for_each_other_and_may_write_nothing_but_their_data() -> None:
    services = compose()["services"]
    bot = services["bot"]
    assert bot["read_only"] is True
    assert bot["cap_drop"] == ["ALL"]
    assert bot["depends_on"] == {"database": {"condition": "service_healthy"}}
    assert "healthcheck" in services["database"]
    assert {name for name, service in services.items() if "ports" in service} == {"proxy"}
    environment = bot["environment"]
    assert isinstance(environment, dict)
    assert set(environment) <= SETTINGS
    kept = {
        str(volume).partition(":")[0]
        for service in services.values()
        for volume in service["volumes"]  # type: ignore[attr-defined]
    }
    assert kept == set(compose()["volumes"])


def test_every_command_of_the_page_is_one_of_ours() -> None:
    ours = set(re.findall(r"^    (\S+)(?:  +|$)", parser().format_help(), flags=re.MULTILINE))
    named = set(re.findall(r"`ludoteca ([a-z-]+)", PAGE))
    assert named
    assert named <= ours


def test_every_setting_of_the_page_is_one_of_ours() -> None:
    named = set(re.findall(r"`([A-Z][A-Z_]{4,})`", PAGE)) - {"POSTGRES_PASSWORD", "FILE"}
    assert {name for name in named if "_" in name} <= SETTINGS


def test_alarms_and_dashboard_ask_for_what_is_counted_and_the_page_tells_of_each_alarm() -> None:
    rules = yaml.safe_load((ROOT / "docs/operate/alerts.yaml").read_text())["groups"][0]["rules"]
    board = json.loads((ROOT / "docs/operate/dashboard.json").read_text())
    asked = [rule["expr"] for rule in rules]
    asked += [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    counted = set(re.findall(r"^# TYPE (\S+)", metrics.exposed().decode(), flags=re.MULTILINE))
    named = {name for one in asked for name in re.findall(r"ludoteca_\w+", one)}
    assert {re.sub("_(bucket|count|sum)$", "", name) for name in named} <= counted
    told = re.findall(r"^### (Ludoteca\w+)\n\n\((\w+)\)", PAGE, flags=re.MULTILINE)
    assert told == [(rule["alert"], rule["labels"]["severity"]) for rule in rules]


def test_each_alarm_says_what_to_do_and_where_to_read_more() -> None:
    rules = yaml.safe_load((ROOT / "docs/operate/alerts.yaml").read_text())["groups"][0]["rules"]
    for rule in rules:
        notes = rule["annotations"]
        assert set(notes) == {"summary", "description", "runbook_url"}
        page, _, anchor = notes["runbook_url"].partition("#")
        assert (ROOT / page).is_file()
        assert anchor == rule["alert"].lower()


def test_each_alarm_is_a_rule_that_prometheus_takes(tmp_path: Path) -> None:
    tool = shutil.which("promtool")
    if tool is None:
        pytest.skip("there is no promtool here (Debian: apt-get install prometheus)")
    command = [tool, "check", "rules", ROOT / "docs/operate/alerts.yaml"]
    checked = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert checked.returncode == 0, checked.stderr
