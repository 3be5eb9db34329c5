"""Settings: the environment and ``.env``, read here and nowhere else.

The description of a field is what its setting must be, as the operator reads it after a mistake.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from difflib import get_close_matches
from ipaddress import IPv4Address, IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Literal

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
from pydantic_settings import BaseSettings, DotEnvSettingsSource, SettingsConfigDict

from bot.app.output import CommandError
from bot.texts import AMERICAN, LANGUAGES

WEBHOOK_PORTS = (443, 80, 88, 8443)
"""The ports that Telegram calls (Bot API, setWebhook)."""

_SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}")
"""The form of a secret that Telegram sends back (Bot API, setWebhook)."""

_PERSON = re.compile(r"(discord|telegram):[1-9][0-9]{0,19}")
"""Somebody as a platform numbers them."""

_ALIKE = 0.85
"""How like a setting a name must be to be taken for a slip of the pen (``difflib``)."""

_OWN_PORT = "a whole number from 1 to 65535"
_ANY_PORT = "a whole number from 0 to 65535; 0 takes a free port"


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
    discord_shards: int | None = Field(
        default=None, ge=2, le=10_000, description="a whole number from 2 to 10000"
    )
    telegram_token: _Secret = None
    telegram_client_secret: _Secret = None
    telegram_api_url: AnyHttpUrl | None = Field(
        default=None, description="a whole address such as http://127.0.0.1:8081/bot"
    )
    telegram_webhook_url: Annotated[AnyHttpUrl | None, AfterValidator(_callable)] = Field(
        default=None,
        description="a whole address such as https://bot.example.org/telegram, and Telegram "
        f"calls the ports {', '.join(map(str, WEBHOOK_PORTS))} only",
    )
    telegram_webhook_port: int = Field(default=8443, ge=0, le=65535, description=_ANY_PORT)
    telegram_webhook_secret: Annotated[_Secret, AfterValidator(_sendable)] = Field(
        default=None, description="1 to 256 letters of A-Z, a-z, 0-9, _ and -"
    )
    telegram_store_chat: int | None = Field(
        default=None, description="the number of a chat, such as -1001234567890"
    )
    database_url: str = "sqlite+aiosqlite:///ludoteca.db"
    backup_dir: Path | None = None
    backup_keep: int = Field(default=7, ge=1, le=1000, description="a whole number from 1 to 1000")
    web_host: str = "127.0.0.1"
    web_port: int = Field(default=8765, ge=0, le=65535, description=_ANY_PORT)
    web_public_url: Annotated[AnyHttpUrl | None, AfterValidator(_origin)] = Field(
        default=None,
        description="a whole address such as https://play.example.org, and nothing after the name",
    )
    web_trusted_proxy: Annotated[str, AfterValidator(_networks)] = Field(
        default="", description="addresses or networks with commas between, such as 10.0.0.0/8"
    )
    web_lan_host: str = ""
    web_sign_in: Annotated[str, AfterValidator(_platforms)] = Field(
        default="", description="discord, telegram, or both with a comma between"
    )
    web_open_house: bool = Field(default=False, description="yes or no")
    web_house_talk: bool = Field(default=False, description="yes or no")
    operators: Annotated[str, AfterValidator(_persons)] = Field(
        default="", description="persons with commas between, such as discord:123,telegram:456"
    )
    health_port: int | None = Field(default=None, ge=1, le=65535, description=_OWN_PORT)
    metrics_port: int | None = Field(default=None, ge=1, le=65535, description=_OWN_PORT)
    metrics_host: IPvAnyAddress = Field(
        default=IPv4Address("127.0.0.1"), description="an address such as 127.0.0.1, not a name"
    )
    ludoteca_language: Annotated[str, AfterValidator(_spoken)] = Field(
        default=LANGUAGES[0], description=f"one of {', '.join((*LANGUAGES, AMERICAN))}"
    )
    ludoteca_texts: str = ""
    computers: int | None = Field(
        default=None, ge=1, le=1024, description="a whole number from 1 to 1024"
    )
    shogi_engine: Path | None = None
    mine_puzzles: bool = Field(default=False, description="yes or no")
    log_format: Literal["plain", "json"] = Field(default="plain", description="plain or json")

    @field_validator("*", mode="before")
    @classmethod
    def _empty_is_unset(cls, value: object, about: ValidationInfo) -> object:
        empty = isinstance(value, str) and not value.strip()
        return cls.model_fields[str(about.field_name)].default if empty else value

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
    """The settings; raises ``BadSettings`` with one sentence."""
    try:
        return Settings()
    except ValidationError as wrong:
        first = wrong.errors(include_input=False, include_url=False)[0]
        name = str(first["loc"][0])
        wanted = Settings.model_fields[name].description or "something else"
        raise BadSettings(f"{name.upper()} must be {wanted}.") from None
    except (UnicodeDecodeError, OSError) as wrong:
        raise BadSettings(f"The file .env cannot be read: {wrong.__class__.__name__}.") from None


def doubts(settings: Settings) -> Iterator[str]:
    """Sentences on what does not hinder the start, and is hardly meant so."""
    for platform in filter(None, settings.web_sign_in.split(",")):
        token, secret = f"{platform}_token", f"{platform}_client_secret"
        needs = ("web_public_url", token, secret)
        if lacking := [name.upper() for name in needs if getattr(settings, name) is None]:
            closed = f"the door by {platform} stays closed"
            yield f"WEB_SIGN_IN: {closed} without {' and '.join(lacking)}."
    for person in filter(None, settings.operators.split(",")):
        platform = person.partition(":")[0]
        if platform not in settings.web_sign_in.split(","):
            yield f"OPERATORS: {person} cannot sign in without WEB_SIGN_IN={platform}."
    known = [name.upper() for name in Settings.model_fields]
    names = {name.upper() for name in (*DotEnvSettingsSource(Settings).env_vars, *os.environ)}
    for name in sorted(names.difference(known)):
        for meant in get_close_matches(name, known, 1, _ALIKE):
            yield f"There is no setting {name}; is {meant} meant?"
    engine = settings.shogi_engine
    if engine is not None and shutil.which(engine) is None:
        told = "is no program that can be run; the strongest level of shogi is played by our own"
        yield f"SHOGI_ENGINE: {engine} {told}."


def database_file(url: str) -> Path | None:
    """The file of the database at *url*; ``None`` of one in memory or on a server."""
    kind, _, file = url.partition(":///")
    name = file.partition("?")[0]
    return Path(name) if kind.startswith("sqlite") and name not in ("", ":memory:") else None


def folder_of(url: str) -> Path:
    """The folder of the database at *url*; the present one for a database on a server."""
    file = database_file(url)
    return Path() if file is None else file.parent
