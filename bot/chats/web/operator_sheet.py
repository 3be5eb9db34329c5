"""What the operator's page shows, in HTML: sections of what goes on, and the forms."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from bot.chats.web.html_documents import said
from bot.facade import MOST_HOURS, HouseStatus, LivingTable
from bot.texts import Language
from games.core import phrase
from games.core.shelf import shelf

MINUTE = "%Y-%m-%d %H:%M UTC"
"""How an instant is written."""


def operator_html(
    tongue: Language, status: HouseStatus, copied: datetime | None, *, copies: bool
) -> str:
    """The sections of *status*; of *copies*, if they are made, the newest is of *copied*."""
    parts = [
        _facts(tongue, status, copied, copies=copies),
        _announcing(tongue, status),
        _living(tongue, "played", status.playing, _count(status, "playing")),
        _living(tongue, "waiting", status.waiting, _count(status, "open")),
        _aside(tongue, status),
        _duties(tongue, status),
        _keeping_out(tongue),
    ]
    return "".join(f'<section class="card">{one}</section>' for one in parts)


def _count(status: HouseStatus, state: str) -> int:
    return sum(count for (_, one), count in status.tables.items() if one == state)


def _facts(tongue: Language, status: HouseStatus, copied: datetime | None, *, copies: bool) -> str:
    def word(key: str) -> str:
        return tongue.say(phrase(f"operator.{key}"))

    newest = f"{copied:{MINUTE}}" if copied is not None else word("no-copy")
    chats = (
        (f"{word('chat')} {name}", word("connected" if well else "not-connected"))
        for name, well in status.connections.items()
    )
    rows = (
        (word("database"), status.database),
        *chats,
        (word("people"), str(status.people)),
        (word("owed"), str(status.owed)),
        (word("thinking"), str(status.thinking)),
        (word("updates"), str(status.updates_aside)),
        (word("copy"), newest if copies else word("no-copies")),
    )
    return f"<h2>{said(tongue, 'operator.now')}</h2>{_table((), rows)}"


def _living(tongue: Language, key: str, tables: Sequence[LivingTable], count: int) -> str:
    heads = [
        tongue.say(phrase(f"operator.head.{one}"))
        for one in ("table", "game", "players", "to-move", "touched")
    ]
    rows = [
        (
            one.code,
            _game(tongue, one.game),
            ", ".join(one.names),
            ", ".join(one.to_move),
            f"{one.touched:{MINUTE}}",
        )
        for one in tables
    ]
    more = f"<p>{said(tongue, 'operator.latest', n=len(rows))}</p>" if count > len(rows) else ""
    title = said(tongue, f"operator.{key}", count=count)
    return f"<h2>{title}</h2>{_or_none(tongue, title, heads, rows)}{more}"


def _aside(tongue: Language, status: HouseStatus) -> str:
    heads = [tongue.say(phrase(f"operator.head.{one}")) for one in ("table", "event", "why")]
    rows = [
        (one.game, "" if one.event is None else str(one.event), one.why) for one in status.set_aside
    ]
    title = said(tongue, "operator.aside")
    return f"<h2>{title}</h2>{_or_none(tongue, title, heads, rows)}"


def _duties(tongue: Language, status: HouseStatus) -> str:
    def process(number: int) -> str:
        if number == status.process:
            return tongue.say(phrase("operator.this-process"))
        return tongue.say(phrase("operator.process", number=number))

    heads = [tongue.say(phrase(f"operator.head.{one}")) for one in ("duty", "process")]
    rows = [(name, process(number)) for name, number in sorted(status.leases.items())]
    title = said(tongue, "operator.duties")
    return f"<h2>{title}</h2>{_or_none(tongue, title, heads, rows)}"


def _announcing(tongue: Language, status: HouseStatus) -> str:
    title = f"<h2>{said(tongue, 'operator.announce')}</h2>"
    now = ""
    if (stands := status.announced) is not None:
        until = f"{stands.until:{MINUTE}}"
        told = said(tongue, "operator.stands", until=until, text=stands.text)
        now = f"<p>{told}</p>{_form(_button(tongue, 'end'))}"
    text = _label(tongue, "text", '<input name="text" required maxlength="200">')
    limits = f'type="number" min="1" max="{MOST_HOURS}" value="12"'
    hours = _label(tongue, "hours", f'<input name="hours" required {limits}>')
    return f"{title}{now}{_form(text, hours, _button(tongue, 'announce'))}"


def _keeping_out(tongue: Language) -> str:
    options = "".join(
        f'<option value="{one}">{name}</option>'
        for one, name in (
            ("discord", "Discord"),
            ("telegram", "Telegram"),
            ("web", said(tongue, "operator.page")),
        )
    )
    platform = _label(tongue, "platform", f'<select name="platform">{options}</select>')
    known = _label(tongue, "id", '<input name="id" required maxlength="64" autocomplete="off">')
    buttons = (_button(tongue, "ban"), _button(tongue, "unban"))
    return f"<h2>{said(tongue, 'operator.out')}</h2>{_form(platform, known, *buttons)}"


def _form(*parts: str) -> str:
    return f'<form method="post" action="/operator/act">{"".join(parts)}</form>'


def _label(tongue: Language, key: str, control: str) -> str:
    return f"<label>{said(tongue, f'operator.{key}')} {control}</label>"


def _button(tongue: Language, act: str) -> str:
    word = said(tongue, f"operator.button.{act}")
    return f'<button class="key" name="act" value="{act}">{word}</button>'


def _game(tongue: Language, key: str) -> str:
    """The name of a game, its key where it is not installed any more."""
    return tongue.say(phrase(f"{key}.name")) if key in shelf() else key


def _or_none(
    tongue: Language, title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]
) -> str:
    """A table below *title*, in HTML, which its reader's screen moves sideways where it is wide."""
    if not rows:
        return f"<p>{said(tongue, 'operator.none')}</p>"
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{title}">'
        f"{_table(heads, rows)}</div>"
    )


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f'<th scope="col">{html.escape(one)}</th>' for one in heads)
    head = f"<thead><tr>{head}</tr></thead>" if heads else ""
    return f'<table class="facts">{head}<tbody>{"".join(_rows(rows))}</tbody></table>'


def _rows(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    for first, *rest in rows:
        cells = "".join(f"<td><bdi>{html.escape(one)}</bdi></td>" for one in rest)
        yield f'<tr><th scope="row"><bdi>{html.escape(first)}</bdi></th>{cells}</tr>'
