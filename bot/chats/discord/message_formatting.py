"""Screens as Discord's components: text, picture and rows of buttons in one container."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from itertools import chain
from pathlib import PurePosixPath
from typing import Any, TypeVar
from urllib.parse import urlsplit

import discord
from discord import ui

from bot.chats.discord.emojis import COVER, Emojis
from bot.chats.discord.forms import MOST_LABEL, MOST_TITLE, apart, form_keys, present_choices
from bot.chats.discord.markdown import ellipsized, escape, link_commands, mark_up, pieces, printable
from bot.facade import NO_TABLE
from bot.port import Asker, Button, Choice, Screen
from bot.texts import language
from bot.texts.orthography import shortened
from games.core import phrase

MOST_COMPONENTS, MOST_TEXT = 40, 4000
"""Components of a message, nested ones included, and characters of all its texts."""

MOST_CONTENT = 2000
"""Characters of a plain message."""

LABEL, ALT = 80, 1024
"""Characters of an option's label, and of a picture's alt text."""

PLAIN_LABEL, FACED_LABEL = 38, 34
"""Characters of a button's label that are shown everywhere, without an emoji and beside one
(https://docs.discord.com/developers/components/reference#button-button-design-guidelines)."""

ROW, OPTIONS = 5, 25
"""Buttons in a row, and options of a list."""

FOLDED = 4
"""From so many keys on those of an ended board are a list, but for the first ones."""

LIST = "list:"
"""The prefix of a list's id; the choice is its value."""

BOARD = ("move", "blank")
"""The styles of buttons that make up a board."""

STYLES = {
    "move": discord.ButtonStyle.primary,
    "house": discord.ButtonStyle.secondary,
    "good": discord.ButtonStyle.success,
    "final": discord.ButtonStyle.success,
    "danger": discord.ButtonStyle.danger,
}

PRESSED = "pressed"
"""Among the data of an interaction: the components of the message that was pressed."""

NO_EMOJIS = Emojis()
"""Before any emoji is uploaded."""

Rows = list[list[Button]]
V = TypeVar("V", ui.View, ui.LayoutView, ui.Modal)


def layout(screen: Screen, picture: str | None = None, emojis: Emojis = NO_EMOJIS) -> ui.LayoutView:
    """*screen* as components; *picture* is the name of a file that the message has."""
    view = ui.LayoutView(timeout=None)
    beside, count, screen = ([], 0, screen) if screen.scene else _sections(screen, emojis)
    head, body, below = _texts(screen)
    text = ui.TextDisplay[ui.LayoutView]("\n".join(filter(None, (head, body[0], *below))))
    container = ui.Container[ui.LayoutView](text, *beside, accent_colour=screen.accent)
    if picture is not None:
        alt = ellipsized(screen.alt, ALT) or None
        shown_picture = discord.MediaGalleryItem(f"attachment://{picture}", description=alt)
        container.add_item(ui.MediaGallery(shown_picture))
    choices = apart(screen) if screen.forms else screen.choices
    lists = [ui.ActionRow(_list(choice)) for choice in choices]
    rows, more = _fold(screen) if screen.over else (screen.rows, None)
    lists += [] if more is None else [more]
    budget = MOST_COMPONENTS - 2 - (picture is not None) - 2 * len(lists) - count
    shown = button_rows([form_keys(screen), *rows] if screen.forms else rows, budget, emojis)
    for row in (*shown, *lists) if screen.over else (*lists, *shown):
        container.add_item(row)
    view.add_item(container)
    view.stop()
    return view


def _sections(screen: Screen, emojis: Emojis) -> tuple[list[ui.Item[ui.LayoutView]], int, Screen]:
    """The rows of *screen* that have a line of it, with that line, and what is left.

    The board of a game stands beside the line about it, and the row below, where there is room for
    that; else the first button beside the line. The number is that of their components.
    """
    written = mark_up if screen.marked else escape
    paired = {row[0].line: row for row in screen.rows if row[0].line is not None}
    others = tuple(row for row in screen.rows if row[0].line is None)
    room = MOST_COMPONENTS - 2 - 2 * len(screen.choices) - sum(len(row) + 1 for row in others)
    lines = tuple(line for n, line in enumerate(screen.lines) if n not in paired)
    for covers in (emojis.known, {}):
        found, count = list[ui.Item[ui.LayoutView]](), 0
        for number, row in paired.items():
            cover = covers.get(f"{row[0].game}/{COVER}")
            keys = [_button(one, emojis) for one in row]
            beside = keys.pop(0) if cover is None else ui.Thumbnail(cover.url)
            found.append(ui.Section(written(screen.lines[number]), accessory=beside))
            found += [ui.ActionRow(*keys)] if keys else []
            count += 3 + len(keys) + bool(keys)
        if count <= room:
            return found, count, replace(screen, lines=lines, rows=others)
    return [], 0, screen


def _fold(screen: Screen) -> tuple[Sequence[Sequence[Button]], ui.ActionRow[ui.LayoutView] | None]:
    """The first keys of an ended board, and a list of the others where there are many."""
    every = list(chain(*screen.rows))
    first = [one for one in every if one.style != "house"]
    rest = [one for one in every if one.style == "house"]
    if len(rest) < FOLDED:
        return screen.rows, None
    said = language(screen.language).say(phrase("discord.more"))
    more: ui.Select[ui.LayoutView] = ui.Select(custom_id="more", placeholder=said)
    for one in rest[1:]:
        more.add_option(label=_label(one), value=one.code)
    return [[*first, rest[0]]], ui.ActionRow(more)


def plain_kwargs(
    screen: Screen, files: Sequence[discord.File], emojis: Emojis = NO_EMOJIS
) -> dict[str, Any] | None:
    """*screen*, which mentions people, as a message of the older kind: phones tell its words.

    ``None`` where it does not fit one, or is a board. An edit makes components of it.
    """
    if screen.scene is not None or screen.choices or not screen.mentions:
        return None
    head, body, below = _texts(screen)
    content = "\n".join(filter(None, (head, body[0], *below)))
    rows = button_rows(screen.rows, MOST_COMPONENTS, emojis)
    if len(content) > MOST_CONTENT or len(rows) > ROW or len(body) > 1:
        return None
    for number, row in enumerate(rows):
        for item in row.children:
            item.row = number
    view = _fill(ui.View(timeout=None), *(item for row in rows for item in row.children))
    return {"content": content, "view": view, "files": list(files)}


def layout_with_picture(
    screen: Screen, picture: bytes | None, emojis: Emojis = NO_EMOJIS
) -> tuple[ui.LayoutView, list[discord.File], str | None]:
    """*screen* as components, with the file of its *picture* and the name of that."""
    if picture is None:
        return layout(screen, emojis=emojis), [], None
    name = picture_name(picture, screen)
    file = discord.File(BytesIO(picture), name, description=ellipsized(screen.alt, ALT) or None)
    return layout(screen, name, emojis=emojis), [file], name


def without_picture(screen: Screen) -> Screen:
    """*screen* for a place that takes no picture: what it would show stands in the words."""
    if screen.poster is not None:  # it says nothing that the words do not
        return screen
    told = language(screen.language).say(phrase("discord.no-pictures"))
    shown = screen.description_beyond(screen.lines)
    return replace(screen, lines=(*screen.lines, told, *filter(None, (shown,))))


def linked(view: ui.LayoutView, mentions: Mapping[str, str]) -> ui.LayoutView:
    """*view* with its commands as links, by *mentions*, where that fits."""
    texts = [part for part in view.walk_children() if isinstance(part, ui.TextDisplay)]
    new = [link_commands(part.content, mentions) for part in texts]
    if sum(map(len, new)) <= MOST_TEXT:
        for part, content in zip(texts, new, strict=True):
            part.content = content
    return view


def key_view(key: Button) -> ui.View:
    """The *key* below a message of the older kind."""
    return _fill(ui.View(timeout=None), _button(key, NO_EMOJIS))


def _fill(view: V, *items: ui.Item[Any]) -> V:
    """Put *items* into *view*; nothing waits for its presses."""
    for one in items:
        view.add_item(one)
    view.stop()
    return view


def words_layout(text: str) -> ui.LayoutView:
    """*text*, escaped already, as a message without picture and buttons."""
    return _fill(ui.LayoutView(timeout=None), ui.TextDisplay(text))


def form(code: str, title: str, label: str, longest: int, example: str = "") -> ui.Modal:
    """A form with one field of at most *longest* characters; it comes back under *code*.

    An *example* stands below its label.
    """
    made = ui.Modal(title=ellipsized(title, MOST_TITLE), custom_id=code)
    field: ui.TextInput[ui.Modal] = ui.TextInput(custom_id="text", max_length=longest)
    text, below = ellipsized(label, MOST_TITLE), ellipsized(example, MOST_LABEL) or None
    return _fill(made, ui.Label(text=text, description=below, component=field))


MENU = "-menu.png"
"""The end of a picture's name that shows a partial move."""


def picture_name(picture: bytes, screen: Screen) -> str:
    """The name of the file of *picture*; equal pictures have equal names."""
    half_made = screen.scene is not None and screen.scene.path
    return hashlib.sha256(picture).hexdigest()[:16] + (MENU if half_made else ".png")


def picture_shown(message: discord.Message | None) -> str | None:
    """The file name of the picture in *message*."""
    for top in message.components if message is not None else ():
        for part in (top, *getattr(top, "children", ())):
            if isinstance(part, discord.MediaGalleryComponent) and part.items:
                return PurePosixPath(urlsplit(part.items[0].media.url).path).name or None
    return next((one.filename for one in (() if message is None else message.attachments)), None)


def shows(message: discord.Message, view: ui.LayoutView | ui.View, picture: str | None) -> bool:
    """Whether *message* shows *picture* and the buttons of *view*."""
    there = component_codes(one.to_dict() for one in message.components)
    wanted = component_codes(one.to_component_dict() for one in view.children)
    return picture_shown(message) == picture and [*there] == [*wanted]


def walk_components(components: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """*components*, as Discord takes and tells them, and all that is in them."""
    for one in components:
        yield one
        yield from walk_components((*one.get("components", ()), *one.get("options", ())))
        if beside := one.get("accessory"):
            yield from walk_components([beside])


def component_codes(components: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The codes of the buttons and lists of *components*."""
    return (str(one["custom_id"]) for one in walk_components(components) if "custom_id" in one)


_READ = ("content", "label", "custom_id", "disabled", "default")
"""What people read of a component besides its picture, and what it does."""


def reads_alike(pressed: discord.Interaction[Any], view: ui.LayoutView) -> bool:
    """Whether the *pressed* message says and does what *view* does, besides their pictures."""
    data: dict[str, Any] = dict(pressed.data or {})
    new = (one.to_component_dict() for one in view.children)
    return _read(data.get(PRESSED, ())) == _read(new)


def _read(components: Iterable[Mapping[str, Any]]) -> list[list[object]]:
    return [[one.get(key) or None for key in _READ] for one in walk_components(components)]


def overflow(screen: Screen) -> list[str]:
    """The text of *screen* that does not fit its message, in pieces for further ones."""
    _, (_, *more), _ = _texts(screen)
    return [piece for part in more for piece in pieces(part, MOST_CONTENT)]


def _texts(screen: Screen) -> tuple[str, list[str], list[str]]:
    """The head of *screen*, its lines in pieces of what room is left, and what stands below them.

    That are the running time, which Discord counts down by itself, and in small print the game and
    the code of the table.
    """
    head = f"{mentions(screen.mentions)}**{escape(screen.headline)}**"
    below, counted, written = [], screen.countdown, mark_up if screen.marked else escape
    if counted is not None:
        below.append(f"{escape(counted.said)}: <t:{int(counted.until.timestamp())}:R>")
    if screen.table != NO_TABLE and screen.title:
        below.append(f"-# {escape(screen.title)} · {screen.table}")
    room = MOST_TEXT - len(head) - sum(map(len, below)) - 7  # and the ends of lines
    own = screen.lines[: len(screen.lines) - len(screen.pasted)]
    said = "\n".join((*map(written, own), *(present_choices(screen) if screen.forms else ())))
    if pasted := "\n".join(screen.pasted):
        said = f"{said}\n```\n{printable(pasted)}\n```"
    return head, pieces(said, room), below


def mentions(people: Sequence[Asker], roles: Sequence[str] = ()) -> str:
    """The mentions of *people* and *roles*, to stand before a text."""
    named = [f"<@{one.external}>" for one in people if one.external.isdigit()]
    named += [f"<@&{one}>" for one in roles if one.isdigit()]
    return f"{' '.join(named)}: " if named else ""


def mentioning(people: Sequence[Asker], roles: Sequence[str] = ()) -> discord.AllowedMentions:
    """The permission to mention *people* and *roles* and nobody else."""
    users = [discord.Object(int(one.external)) for one in people if one.external.isdigit()]
    named = [discord.Object(int(one)) for one in roles if one.isdigit()]
    return discord.AllowedMentions(
        everyone=False, roles=named or False, replied_user=False, users=users
    )


def button_rows(
    rows: Sequence[Sequence[Button]], budget: int, emojis: Emojis = NO_EMOJIS
) -> list[ui.ActionRow[ui.LayoutView]]:
    """The rows of a screen in at most *budget* components, rows and buttons counted.

    If they don't fit, buttons move together, then blank cells go, then the moves become a list.
    """
    unique = _unique(rows)
    full = [[b for b in row if b.style != "blank"] for row in unique]
    ways = (
        [_chunks(row) for row in unique],
        _pack(unique),
        _pack(full),
        [_chunks(list(chain(*full)))],
    )
    for folded in ways:
        found = [row for part in folded for row in part]
        if sum(len(row) + 1 for row in found) <= budget:
            return [ui.ActionRow(*(_button(one, emojis) for one in row)) for row in found]
    return _with_list(list(chain(*full)), budget, emojis)


def _unique(rows: Sequence[Sequence[Button]]) -> Rows:
    """The rows without repeated codes, which Discord refuses."""
    seen: set[str] = set()
    found: Rows = []
    for row in rows:
        kept = [b for b in row if not (b.code in seen or seen.add(b.code))]  # type: ignore[func-returns-value]
        if kept:
            found.append(kept)
    return found


def _chunks(buttons: Sequence[Button]) -> Rows:
    return [list(buttons[n : n + ROW]) for n in range(0, len(buttons), ROW)]


def _pack(rows: Rows) -> list[Rows]:
    """Moves together and other buttons together, five in a row."""
    buttons = list(chain(*rows))
    moves = [button for button in buttons if button.style in BOARD]
    return [_chunks(moves), _chunks([b for b in buttons if b.style not in BOARD])]


def _with_list(
    buttons: Sequence[Button], budget: int, emojis: Emojis
) -> list[ui.ActionRow[ui.LayoutView]]:
    moves = [button for button in buttons if button.style == "move"]
    rest = [button for button in buttons if button.style != "move"]
    found: list[ui.ActionRow[ui.LayoutView]] = []
    for start in range(0, len(moves), OPTIONS):
        choice: ui.Select[ui.LayoutView] = ui.Select(custom_id=f"list{start or ''}")
        for button in moves[start : start + OPTIONS]:
            emoji = emojis.known.get(button.face)
            choice.add_option(label=_label(button), value=button.code, emoji=emoji)
        found.append(ui.ActionRow(choice))
        budget -= 2
    # A full row is six components; the last buttons, which do not fit, matter least.
    whole, left = divmod(budget, ROW + 1)
    rest = rest[: whole * ROW + max(0, left - 1)]
    return found + [ui.ActionRow(*(_button(one, emojis) for one in row)) for row in _chunks(rest)]


def _list(choice: Choice) -> ui.Select[ui.LayoutView] | ui.UserSelect[ui.LayoutView]:
    """*choice* as a list; each option says what it is about."""
    if not choice.options:
        return ui.UserSelect(custom_id=choice.person, placeholder=_label(Button(choice.label, "")))
    shown: ui.Select[ui.LayoutView] = ui.Select(custom_id=f"{LIST}{choice.options[0].code}")
    for number, one in enumerate(choice.options[:OPTIONS]):
        said = f"{choice.label}: {one.label}" if choice.label else one.label
        label = _label(replace(one, label=said))
        shown.add_option(label=label, value=one.code, default=number == choice.chosen)
    return shown


def _button(button: Button, emojis: Emojis) -> ui.Button[ui.LayoutView]:
    emoji = emojis.known.get(button.face)
    room = PLAIN_LABEL if emoji is None else FACED_LABEL
    letter = f"{button.letter} · " if button.letter else ""
    return ui.Button(
        style=STYLES.get(button.style, discord.ButtonStyle.secondary),
        label=f"{letter}{shortened(_one_line(button.label), room - len(letter))}" or "·",
        custom_id=button.code,
        disabled=button.style == "blank",
        emoji=emoji,
    )


def _label(button: Button) -> str:
    return ellipsized(_one_line(button.full_label), LABEL) or "·"


def _one_line(text: str) -> str:
    return printable(text).replace("\n", " ").strip()
