"""Settings: the environment and ``.env``, read here and nowhere else."""

from __future__ import annotations

import re
from ipaddress import IPv4Address
from pathlib import Path
from typing import Literal

from pydantic import (
    AnyHttpUrl,
    Field,
    IPvAnyAddress,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.app.output import CommandError
from bot.texts import LANGUAGES

WEBHOOK_PORTS = (443, 80, 88, 8443)
"""The ports that Telegram calls (Bot API, setWebhook)."""

_SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}")
"""The form of a secret that Telegram sends back (Bot API, setWebhook)."""


class BadSettings(CommandError):
    """A setting cannot be used; the sentence names it and shows no secret."""


class Settings(BaseSettings):
    """All settings, each named as in the environment."""

    model_config = SettingsConfigDict(
        env_file=".env", env_file_encoding="utf-8", extra="ignore", hide_input_in_errors=True
    )

    discord_token: SecretStr | None = None
    discord_shards: int | None = Field(default=None, ge=2, le=10_000)
    telegram_token: SecretStr | None = None
    telegram_api_url: AnyHttpUrl | None = None
    telegram_webhook_url: AnyHttpUrl | None = None
    telegram_webhook_port: int = Field(default=8443, ge=0, le=65535)
    telegram_webhook_secret: SecretStr | None = None
    database_url: str = "sqlite+aiosqlite:///ludoteca.db"
    backup_dir: Path | None = None
    backup_keep: int = Field(default=7, ge=1, le=1000)
    web_host: str = "127.0.0.1"
    web_port: int = Field(default=8765, ge=0, le=65535)
    web_public_url: AnyHttpUrl | None = None
    web_lan_host: str = ""
    health_port: int | None = Field(default=None, ge=1, le=65535)
    metrics_port: int | None = Field(default=None, ge=1, le=65535)
    metrics_host: IPvAnyAddress = IPv4Address("127.0.0.1")
    ludoteca_language: str = LANGUAGES[0]
    shogi_engine: Path | None = None
    log_format: Literal["plain", "json"] = "plain"

    @field_validator("*", mode="before")
    @classmethod
    def _empty_is_unset(cls, value: object, about: ValidationInfo) -> object:
        empty = isinstance(value, str) and not value.strip()
        return cls.model_fields[str(about.field_name)].default if empty else value

    @field_validator("discord_token", "telegram_token", "telegram_webhook_secret", mode="before")
    @classmethod
    def _bare(cls, value: object) -> object:
        """Drop the blanks and quotes that copying leaves around a secret."""
        return value.strip().strip("\"'").strip() if isinstance(value, str) else value

    @field_validator("telegram_webhook_url")
    @classmethod
    def _callable(cls, value: AnyHttpUrl | None, about: ValidationInfo) -> AnyHttpUrl | None:
        if value is None or about.data.get("telegram_api_url") is not None:
            # The operator's own Bot API server may call any address.
            return value
        if value.scheme != "https" or value.port not in WEBHOOK_PORTS:
            ports = ", ".join(map(str, WEBHOOK_PORTS))
            raise ValueError(f"Telegram calls https:// addresses only, on the ports {ports}")
        return value

    @field_validator("web_public_url")
    @classmethod
    def _origin(cls, value: AnyHttpUrl | None) -> AnyHttpUrl | None:
        rest = value and (value.username, value.password, value.query, value.fragment)
        if value is None or (
            value.scheme == "https" and value.path in (None, "/") and not any(rest or ())
        ):
            return value
        raise ValueError("it is the address of a proxy, https://NAME, without a path")

    @field_validator("telegram_webhook_secret")
    @classmethod
    def _sendable(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not _SECRET.fullmatch(value.get_secret_value()):
            raise ValueError("it has 1 to 256 letters of A-Z, a-z, 0-9, _ and -")
        return value

    @property
    def public_origin(self) -> str:
        """The public origin of the browser chat, without a slash at the end; empty for none."""
        return "" if self.web_public_url is None else str(self.web_public_url).rstrip("/")

    @field_validator("ludoteca_language")
    @classmethod
    def _spoken(cls, value: str) -> str:
        if value not in LANGUAGES:
            raise ValueError(f"is one of {', '.join(LANGUAGES)}")
        return value


def read_settings() -> Settings:
    """The settings; raises ``BadSettings`` with one sentence."""
    try:
        return Settings()
    except ValidationError as wrong:
        first = wrong.errors(include_input=False, include_url=False)[0]
        name = str(first["loc"][0]).upper() if first["loc"] else "settings"
        reason = first["msg"].removeprefix("Value error, ")
        raise BadSettings(f"The setting {name} cannot be used: {reason}.") from None
    except (UnicodeDecodeError, OSError) as wrong:
        raise BadSettings(f"The file .env cannot be read: {wrong.__class__.__name__}.") from None
