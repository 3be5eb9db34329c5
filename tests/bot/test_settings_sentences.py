"""What an operator reads of a setting that cannot be used, or is hardly meant so."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from bot.app.settings import BadSettings, Settings, read_settings
from bot.app.shell_texts import shell_texts
from bot.app.start_checks import check_settings
from bot.texts import language
from games.core import phrase
from tests.command_line import one_sentence

TONGUE = re.compile(
    r"valid|parse|input|None|pydantic|literal|string|integer|URL with", re.IGNORECASE
)
"""Words of programs' errors that no operator should have to read."""


@pytest.fixture(autouse=True)
def _alone(monkeypatch, tmp_path) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("setting", "value", "wanted"),
    [
        ("WEB_PORT", "eighty", "a whole number from 0 to 65535"),
        ("WEB_PORT", "70000", "a whole number from 0 to 65535"),
        ("HEALTH_PORT", "0", "a whole number from 1 to 65535"),
        ("BACKUP_KEEP", "many", "a whole number from 1 to 1000"),
        ("DISCORD_SHARDS", "1", "a whole number from 2 to 10000"),
        ("WEB_PUBLIC_URL", "play.example.org", "a whole address such as https://play.example.org"),
        ("WEB_PUBLIC_URL", "https://a.org/b", "a whole address such as https://play.example.org"),
        ("TELEGRAM_API_URL", "here", "a whole address such as http://127.0.0.1:8081/bot"),
        ("TELEGRAM_WEBHOOK_URL", "https://a.org:9", "a whole address such as https://bot."),
        ("TELEGRAM_WEBHOOK_SECRET", "a b", "1 to 256 letters"),
        ("METRICS_HOST", "here", "an address such as 127.0.0.1"),
        ("LUDOTECA_LANGUAGE", "fr", "one of es, en, es-419"),
        ("LOG_FORMAT", "xml", "plain or json"),
    ],
)
def test_a_setting_that_cannot_be_used_says_what_it_must_be(monkeypatch, setting, value, wanted):
    monkeypatch.setenv(setting, value)
    with pytest.raises(BadSettings) as refused:
        read_settings()
    said = str(refused.value)
    assert said.startswith(f"{setting} (environment) must be {wanted}")
    assert said.endswith(".")
    assert not TONGUE.search(said.replace(setting, ""))


def test_each_setting_that_can_be_refused_says_what_it_must_be():
    lenient = {"str", "Path", "SecretStr"}
    for name, field in Settings.model_fields.items():
        free = str(field.annotation).replace("pydantic.types.", "").replace("pathlib.", "")
        plain = {part.strip("<> '") for part in re.split(r"[|]", free)} - {"None"}
        if not plain <= {*lenient, "class 'str", "class 'pathlib.Path"}:
            assert f"shell.say.{field.description}" in shell_texts(), name


def test_the_spanish_of_america_may_be_the_language_of_whoever_has_chosen_none(monkeypatch):
    monkeypatch.setenv("LUDOTECA_LANGUAGE", "es-419")
    code = read_settings().ludoteca_language
    computer = phrase("house.sheet.against.computer")
    assert language(code).say(computer) != language("es").say(computer)


def told(**environment: str) -> list[str]:
    return [one.text for one in check_settings(Settings(_env_file=None, **environment))]


def test_a_name_that_is_nearly_a_setting_is_named_with_the_right_one(monkeypatch):
    Path(".env").write_text("WEB_PROT=1\nPOSTGRES_PASSWORD=x\nWEB_PORT=0\n")
    monkeypatch.setenv("TELEGRAM_TOKENS", "1:a")
    assert told() == [
        "There is no setting TELEGRAM_TOKENS (environment); is TELEGRAM_TOKEN meant?",
        "There is no setting WEB_PROT (.env, line 1); is WEB_PORT meant?",
    ]


def test_what_an_environment_holds_besides_is_no_doubt():
    assert told() == []


def test_a_shogi_engine_that_does_not_exist_is_named(tmp_path):
    (said,) = told(shogi_engine=tmp_path / "none")
    assert said.startswith(f"SHOGI_ENGINE: {tmp_path / 'none'} is no program")
    assert told(shogi_engine=sys.executable) == []


@pytest.mark.parametrize(
    "wrong", ["ana", "web:1", "discord:", "discord:x", "telegram:0", "discord:1;"]
)
def test_operators_are_named_by_platform_and_id(wrong):
    with pytest.raises(ValueError, match="operators"):
        Settings(_env_file=None, operators=wrong)
    named = Settings(_env_file=None, operators=" discord:12 , telegram:7,")
    assert named.operators == "discord:12,telegram:7"


def test_an_operator_who_cannot_sign_in_is_doubted():
    (doubt,) = told(operators="discord:12")
    assert doubt == "OPERATORS: discord:12 cannot sign in without discord in WEB_SIGN_IN."


def test_the_start_tells_its_doubts(ludoteca, tmp_path):
    refused = ludoteca(tmp_path, WEB_PROT="1", WEB_HOST="0.0.0.0")
    assert refused.returncode == 2
    assert "There is no setting WEB_PROT (environment); is WEB_PORT meant?" in refused.stderr


def test_a_refused_setting_is_one_sentence_of_the_command(ludoteca, tmp_path):
    said = one_sentence(ludoteca(tmp_path, "doctor", WEB_PUBLIC_URL="play.example.org"), 2)
    assert said.startswith("WEB_PUBLIC_URL (environment) must be a whole address")
