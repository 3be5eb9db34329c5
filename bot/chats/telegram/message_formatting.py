"""Words and buttons as Telegram takes them: HTML, cut to its limits, mentioning nobody.

Telegram counts the UTF-16 units of the text without its tags. It finds mentions and commands in
plain text by itself; a word joiner behind ``@`` and ``/`` prevents that.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import Any, ClassVar
from urllib.parse import quote, urlencode

from telegram import CopyTextButton, InlineKeyboardButton, InlineKeyboardMarkup
from telegram.constants import InlineKeyboardMarkupLimit

from bot.facade import COMMANDS, NO_TABLE
from bot.port import Asker, Button, KeyRows, Screen
from bot.texts import LANGUAGES, language
from bot.texts.inline_markup import Mark, spans, unmarked
from bot.texts.orthography import JOINER, fitted, shortened, unlinked
from games.core import phrase

CAPTION, TEXT, TOAST = 1024, 4096, 200
"""Units of a caption, of a message, and of the answer to a press (Bot API, sendPhoto, sendMessage,
answerCallbackQuery)."""

LABEL = 64
"""Units of a button's label; phones show less."""

BLANK = "blank"
"""The style of a key that does nothing."""

STYLES = {"move": "primary", "good": "success", "final": "success", "danger": "danger"}
"""The colours of buttons (Bot API 9.4); older clients show all alike."""

_CALLS = re.compile(r"@(?=\w)|(?<![^\W_])[/#](?=(\w+))")


_QUOTED = re.compile(rf"([“«])/{JOINER}(\w+)((?: [^”»\n/]*)?)([”»])")
"""A command that no tap sends, in quotes with what is typed behind it."""


def units(text: str) -> int:
    """The length of *text* in UTF-16 units."""
    return len(text.encode("utf-16-le", "replace")) // 2


def cut(text: str, most: int) -> str:
    """*text* in at most *most* units; if cut, it ends with a whole word and an ellipsis."""
    if units(text) <= most:
        return text
    kept = text[: max(0, most - 1)]
    while kept and units(kept) > most - 1:
        kept = kept[:-1]
    head, _, tail = kept.rpartition(" ")
    if head and len(tail) < 40:
        kept = head
    return f"{kept.rstrip()}…" if most > 0 else ""


def harmless(text: str) -> str:
    """*text* without control characters, links, mentions, and commands like a name ``/resign``."""
    kept = text
    if not text.replace("\n", " ").isprintable():
        kept = "".join(c for c in text if c == "\n" or unicodedata.category(c) not in ("Cc", "Cs"))
    called = _CALLS.sub(
        lambda found: found[0] if found[1] in _tappable() else found[0] + JOINER, kept
    )
    return unlinked(called)


@cache
def _tappable() -> frozenset[str]:
    return frozenset(one.name_in(code) for one in COMMANDS if one.harmless for code in LANGUAGES)


def html_escaped(text: str) -> str:
    """*text* as HTML that shows it as it is, without links and mentions."""
    return html.escape(harmless(text), quote=False)


_TAGS = {Mark.TYPED: "code", Mark.BOLD: "b", Mark.ITALIC: "i"}


def html_marked(text: str) -> str:
    """*text* with marks (``bot.texts.inline_markup``) as HTML."""
    parts = ((_TAGS.get(mark), html_escaped(part)) for mark, part in spans(text))
    return "".join(f"<{tag}>{part}</{tag}>" if tag else part for tag, part in parts)


@cache
def _names() -> frozenset[str]:
    return frozenset(one.name_in(code) for one in COMMANDS for code in LANGUAGES)


def sentence(text: str, most: int = TEXT) -> str:
    """One of our answers as HTML; a command in quotes, to be typed elsewhere, a tap copies."""
    shown = html.escape(cut(harmless(text), most), quote=False)
    return _QUOTED.sub(lambda found: _copy(found) if found[2] in _names() else found[0], shown)


def _copy(found: re.Match[str]) -> str:
    """A quoted command as code, in which Telegram finds no commands by itself."""
    quote, name, rest, end = found.groups()
    return f"{quote}<code>/{name}{rest}</code>{end}"


def linked(text: str, link: str) -> str:
    """*text*, one of our sentences, as HTML, linked to the address *link* if there is one."""
    shown = html.escape(cut(harmless(text), TEXT), quote=False)
    return f'<a href="{html.escape(link)}">{shown}</a>' if link else sentence(text)


def toast(text: str) -> str:
    """*text* as the answer to a press, which is plain text."""
    return cut(harmless(text).strip(), TOAST)


def body(screen: Screen, most: int, link: str | None = None) -> str:
    """The words of *screen* as HTML of at most *most* units: headline, lines, description.

    The description is cut first. *link* is the address of the table's code in the headline.
    """
    headline = cut(harmless(screen.headline), min(most, 300))
    room = most - units(headline) - sum(units(one.name) + 2 for one in screen.mentions)
    shown = _headline(screen, headline, link)
    parts = [f"<b>{shown}</b>"] if shown else []
    said = [unmarked(line) if screen.marked else line for line in screen.lines]
    count = screen.countdown
    if count is not None:
        room -= units(harmless(count.said)) + 2 + units(harmless(count.plain)) + 1
    whole = harmless("\n".join(said))
    lines = cut(whole, room - 1) if room > 1 else ""
    if lines:
        sets = screen.marked and lines == whole
        parts.append(
            html_marked("\n".join(screen.lines)) if sets else html.escape(lines, quote=False)
        )
        room -= units(lines) + 1
    if count is not None:
        # Older clients show the time inside the element.
        shown = f'<tg-time unix="{int(count.until.timestamp())}" format="r">'
        parts.append(f"{html_escaped(count.said)}: {shown}{html_escaped(count.plain)}</tg-time>")
    words = _description(screen, said, room - 1)
    if words:
        parts.append(f"<blockquote expandable>{html.escape(words, quote=False)}</blockquote>")
    return "\n".join(parts) or JOINER


def _headline(screen: Screen, headline: str, link: str | None) -> str:
    """*headline* as HTML, with the mentions of *screen*, and *link* on the table's code."""
    shown = html.escape(headline, quote=False)
    if screen.mentions:
        shown = mention_links(screen.mentions) + shown
    if link is not None and screen.table in headline:
        shown = shown.replace(screen.table, f'<a href="{html.escape(link)}">{screen.table}</a>', 1)
    return shown


def _description(screen: Screen, said: Sequence[str], room: int) -> str:
    """The description of the picture in *room* units, without the lines *said* above."""
    # A poster says nothing that the words above do not, and a caption is read by everybody.
    words = harmless("" if screen.poster is not None else screen.description_beyond(said))
    if screen.table == NO_TABLE:
        return _fit_lines(words, room)
    rest = language(screen.language).say(phrase("house.alt-cut"))
    return fitted(words, room, harmless(rest), units)


def _fit_lines(words: str, room: int) -> str:
    """As many lines of *words* as fit in *room* units; more is behind the buttons below."""
    if units(words) <= room:
        return words
    lines = words.split("\n")
    if len(lines) == 1:
        return fitted(words, room, "…", units)
    while lines and units("\n".join([*lines, "…"])) > room:
        lines.pop()
    return "\n".join([*lines, "…"]) if lines else ""


def keyboard(rows: KeyRows) -> InlineKeyboardMarkup | None:
    """The buttons of a screen: at most eight a row and a hundred in all."""
    most = int(InlineKeyboardMarkupLimit.BUTTONS_PER_ROW)
    left = int(InlineKeyboardMarkupLimit.TOTAL_BUTTON_NUMBER)
    shown: list[list[InlineKeyboardButton]] = []
    for row in rows:
        for start in range(0, len(row), most):
            part = [_button(button) for button in row[start : start + most]][:left]
            left -= len(part)
            if part:
                shown.append(part)
    return InlineKeyboardMarkup(shown) if shown else None


def with_copy(markup: InlineKeyboardMarkup | None, screen: Screen) -> InlineKeyboardMarkup | None:
    """*markup* and the key by which the reader copies what *screen* has to be pasted."""
    if not screen.pasted:
        return markup
    said = language(screen.language).say(phrase("web.page.copy-key"))
    key = InlineKeyboardButton(said, copy_text=CopyTextButton("\n".join(screen.pasted)))
    return InlineKeyboardMarkup((*(markup.inline_keyboard if markup else ()), (key,)))


def share_link(link: str, words: str) -> str:
    """The address by which its reader sends *words* and *link* into a chat of their choice."""
    return f"https://t.me/share/url?{urlencode({'url': link, 'text': words}, quote_via=quote)}"


class Key(InlineKeyboardButton):
    """A button of a board: the library takes long to write its own, and a board has many."""

    __slots__ = ()
    disables: ClassVar[bool] = True
    """Whether the server knows keys that do nothing (Bot API 10.3)."""

    def to_dict(self, recursive: bool = True) -> dict[str, Any]:  # noqa: ARG002 (its caller's)
        """The button as JSON."""
        if self.style == BLANK and Key.disables:
            return {"text": self.text, "disabled": {}}
        style = {} if self.style in (None, BLANK) else {"style": self.style}
        return {"text": self.text, "callback_data": self.callback_data, **style}


def _button(button: Button) -> InlineKeyboardButton:
    label = shortened(harmless(button.full_label).strip(), LABEL) or "·"
    style = BLANK if button.style == BLANK else STYLES.get(button.style)
    return Key(label, callback_data=button.code, style=style)


def mention_links(people: Sequence[Asker]) -> str:
    """The mentions of *people* as HTML, to stand before a text."""
    called = ", ".join(map(_mention, people))
    return f"{called}: " if called else ""


def _mention(person: Asker) -> str:
    if not person.external.isdigit():
        # Known by an @name alone, which Telegram takes as a mention.
        return html.escape(person.external, quote=False)
    return f'<a href="tg://user?id={int(person.external)}">{html_escaped(person.name)}</a>'
