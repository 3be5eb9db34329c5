"""Settings: the environment and ``.env``, read here and nowhere else.

The description of a field is the key of the sentence that says what its setting must be.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from dotenv.parser import parse_stream
from pydantic import (
    AfterValidator,
    AnyHttpUrl,
    BeforeValidator,
    Field,
    IPvAnyAddress,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.app.operator_client import DEFAULT_DATABASE, IN_MEMORY
from bot.app.output import CommandError
from bot.app.shell_texts import shell_sentence
from bot.texts import AMERICAN, LANGUAGES

WEBHOOK_PORTS = (443, 80, 88, 8443)
"""The ports that Telegram calls (Bot API, setWebhook)."""

_SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}")
"""The form of a secret that Telegram sends back (Bot API, setWebhook)."""

_PERSON = re.compile(r"(discord|telegram):[1-9][0-9]{0,19}")
"""Somebody as a platform numbers them."""


class BadSettings(CommandError):
    """A setting cannot be used; the sentence names it and shows no secret."""


def _bare(value: object) -> object:
    """Drop the blanks and quotes that copying leaves around a secret."""
    return value.strip().strip("\"'").strip() or None if isinstance(value, str) else value


def _callable(value: AnyHttpUrl | None, about: ValidationInfo) -> AnyHttpUrl | None:
    if value is None or about.data.get("telegram_api_url") is not None:
        # The operator's own Bot API server may call any address.
        return value
    if value.scheme != "https" or value.port not in WEBHOOK_PORTS:
        raise ValueError
    return value


def _origin(value: AnyHttpUrl | None) -> AnyHttpUrl | None:
    rest = value and (value.username, value.password, value.query, value.fragment)
    if value is None or (
        value.scheme == "https" and value.path in (None, "/") and not any(rest or ())
    ):
        return value
    raise ValueError


def _sendable(value: SecretStr | None) -> SecretStr | None:
    if value is not None and not _SECRET.fullmatch(value.get_secret_value()):
        raise ValueError
    return value


def _networks(value: str) -> str:
    for one in filter(None, value.split(",")):
        ip_network(one.strip())
    return value


def _platforms(value: str) -> str:
    named = {one.strip().lower() for one in value.split(",") if one.strip()}
    if named - {"discord", "telegram"}:
        raise ValueError
    return ",".join(sorted(named))


def _persons(value: str) -> str:
    named = [one.strip() for one in value.split(",") if one.strip()]
    if not all(map(_PERSON.fullmatch, named)):
        raise ValueError
    return ",".join(named)


def _spoken(value: str) -> str:
    if value not in (*LANGUAGES, AMERICAN):
        raise ValueError
    return value


_Secret = Annotated[SecretStr | None, BeforeValidator(_bare)]


class Settings(BaseSettings):
    """All settings, each named as in the environment."""

    model_config = SettingsConfigDict(
        env_file=".env", env_file_encoding="utf-8", extra="ignore", hide_input_in_errors=True
    )

    discord_token: _Secret = None
    discord_client_secret: _Secret = None
    discord_shards: int | None = Field(default=None, ge=2, le=10_000, description="must-be-shards")
    telegram_token: _Secret = None
    telegram_client_secret: _Secret = None
    telegram_api_url: AnyHttpUrl | None = Field(default=None, description="must-be-api")
    telegram_webhook_url: Annotated[AnyHttpUrl | None, AfterValidator(_callable)] = Field(
        default=None, description="must-be-webhook"
    )
    telegram_webhook_port: int = Field(default=8443, ge=0, le=65535, description="must-be-port")
    telegram_webhook_secret: Annotated[_Secret, AfterValidator(_sendable)] = Field(
        default=None, description="must-be-secret"
    )
    telegram_store_chat: int | None = Field(default=None, description="must-be-chat")
    database_url: str = DEFAULT_DATABASE
    backup_dir: Path | None = None
    backup_keep: int = Field(default=7, ge=1, le=1000, description="must-be-copies")
    web_host: str = "127.0.0.1"
    web_port: int = Field(default=8765, ge=0, le=65535, description="must-be-port")
    web_public_url: Annotated[AnyHttpUrl | None, AfterValidator(_origin)] = Field(
        default=None, description="must-be-origin"
    )
    web_trusted_proxy: Annotated[str, AfterValidator(_networks)] = Field(
        default="", description="must-be-networks"
    )
    web_lan_host: str = ""
    web_sign_in: Annotated[str, AfterValidator(_platforms)] = Field(
        default="", description="must-be-platforms"
    )
    web_open_house: bool = Field(default=False, description="must-be-yes-or-no")
    web_house_talk: bool = Field(default=False, description="must-be-yes-or-no")
    operators: Annotated[str, AfterValidator(_persons)] = Field(
        default="", description="must-be-persons"
    )
    health_port: int | None = Field(default=None, ge=1, le=65535, description="must-be-own-port")
    metrics_port: int | None = Field(default=None, ge=1, le=65535, description="must-be-own-port")
    metrics_host: IPvAnyAddress = Field(
        default=IPv4Address("127.0.0.1"), description="must-be-address"
    )
    ludoteca_language: Annotated[str, AfterValidator(_spoken)] = Field(
        default=LANGUAGES[0], description="must-be-language"
    )
    ludoteca_texts: str = ""
    computers: int | None = Field(default=None, ge=1, le=1024, description="must-be-count")
    shogi_engine: Path | None = None
    mine_puzzles: bool = Field(default=False, description="must-be-yes-or-no")
    log_format: Literal["plain", "json"] = Field(default="plain", description="must-be-log")

    @field_validator("*", mode="before")
    @classmethod
    def _empty_is_unset(cls, value: object, about: ValidationInfo) -> object:
        empty = isinstance(value, str) and not value.strip()
        return cls.model_fields[str(about.field_name)].default if empty else value

    @property
    def is_demo(self) -> bool:
        """Whether strangers come to a house that keeps nothing: nobody else will be there."""
        return self.web_open_house and self.database_url == IN_MEMORY

    @property
    def trusted_proxies(self) -> tuple[IPv4Network | IPv6Network, ...]:
        """The networks whose proxies are believed; loopback always is."""
        return tuple(ip_network(one.strip()) for one in self.web_trusted_proxy.split(",") if one)

    @property
    def webhook_host(self) -> str:
        """The address on which Telegram's updates are listened for."""
        return self.web_host if self.web_trusted_proxy else "127.0.0.1"

    @property
    def public_origin(self) -> str:
        """The public origin of the browser chat, without a slash at the end; empty for none."""
        return "" if self.web_public_url is None else str(self.web_public_url).rstrip("/")

    @property
    def discord_door(self) -> str:
        """Where people come back to who sign in with Discord on the page; empty for nobody."""
        opened = self.public_origin and "discord" in self.web_sign_in.split(",")
        return f"{self.public_origin}/door/discord/back" if opened else ""


def read_settings() -> Settings:
    """The settings; raises ``BadSettings`` with a sentence on each that cannot be used."""
    try:
        return Settings()
    except ValidationError as wrong:
        bad = dict.fromkeys(str(one["loc"][0]) for one in wrong.errors(include_url=False))
        raise BadSettings("\n".join(map(_refuse, bad))) from None
    except (UnicodeDecodeError, OSError) as wrong:
        raise BadSettings(shell_sentence("env-unread", why=type(wrong).__name__)) from None


def demo_settings() -> Settings:
    """Those of ``ludoteca demo``: the port, the language and the computers are the operator's."""
    theirs = {"web_host", "web_port", "ludoteca_language", "computers"}
    wanted = read_settings().model_dump(include=theirs)
    return Settings.model_construct(database_url=IN_MEMORY, web_open_house=True, **wanted)


def _refuse(name: str) -> str:
    must = Settings.model_fields[name].description or "must-be-other"
    ports, codes = ", ".join(map(str, WEBHOOK_PORTS)), ", ".join((*LANGUAGES, AMERICAN))
    return f"{with_place(name.upper())} {shell_sentence(must, ports=ports, codes=codes)}"


class EnvLine(NamedTuple):
    """A line of ``.env``: its *number*, the *name* it begins with, and whether it *sets* that."""

    number: int
    name: str
    sets: bool


def lines_of_env() -> Iterator[EnvLine]:
    """The lines of ``.env`` that are no comments; none where there is no such file."""
    if not Path(".env").is_file():
        return
    with Path(".env").open(encoding="utf-8") as file:
        for one in parse_stream(file):
            if written := one.original.string.strip():
                before = one.original.string.partition(written)[0]
                name = one.key or re.split(r"\W", written.removeprefix("export "))[0]
                if one.key or one.error:
                    number = one.original.line + before.count("\n")
                    yield EnvLine(number, name.upper(), one.value is not None)


def with_place(setting: str) -> str:
    """The name of a *setting* with the place where it is set: ``WEB_PORT (.env, line 3)``."""
    if setting in map(str.upper, os.environ):
        return f"{setting} ({shell_sentence('environment')})"
    lines = [one.number for one in lines_of_env() if one.name == setting and one.sets]
    return f"{setting} ({shell_sentence('line-of-env', line=lines[-1])})" if lines else setting
