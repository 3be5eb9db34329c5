"""Choices that are made together: the keys that open a form, its fields, and what was chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from discord import ui

from bot.chats.discord.markdown import ellipsized, escape, printable
from bot.port import Button, Choice, Form, Screen

FORM = "form:"
"""Begins the code of a key that opens a form: its number and the code of the screen follow."""

MOST_TITLE, MOST_LABEL, MOST_OPTIONS = 45, 100, 25
"""Characters of a form's title or a field's label and of an option, and options of a field."""

RADIOS = 3
"""Up to so many options are all shown at once."""

Field = ui.RadioGroup[ui.Modal] | ui.Select[ui.Modal]


def apart(screen: Screen) -> list[Choice]:
    """The choices of *screen* that are in no form."""
    together = {number for form in screen.forms for number in form.choices}
    return [one for number, one in enumerate(screen.choices) if number not in together]


def present_choices(screen: Screen) -> list[str]:
    """A line for each form of *screen*: what it is about, and what is chosen there."""
    lines = []
    for form in screen.forms:
        said = (
            f"{escape(one.label)}: {escape(one.options[one.chosen].label)}"
            for one in [screen.choices[number] for number in form.choices]
            if one.chosen is not None
        )
        lines.append(f"**{escape(form.label)}** · {' · '.join(said)}")
    return lines


def form_keys(screen: Screen) -> list[Button]:
    """The keys that open the forms of *screen*."""
    return [
        Button(f"{form.label}…", f"{FORM}{number}:{form.code}")
        for number, form in enumerate(screen.forms)
    ]


def read_form(code: str) -> tuple[int, str] | None:
    """The number of the form that the key with this *code* opens, and the code of its screen."""
    number, _, sheet = code.removeprefix(FORM).partition(":")
    return (int(number), sheet) if code.startswith(FORM) and number.isdecimal() else None


def filled_form(screen: Screen, form: Form, code: str) -> ui.Modal:
    """The fields of *form* with what is chosen now; it comes back under *code*."""
    made = ui.Modal(title=ellipsized(form.label, MOST_TITLE), custom_id=code)
    for number in form.choices:
        choice = screen.choices[number]
        field: Field = ui.Select(custom_id=str(number))
        if len(choice.options) <= RADIOS:
            field = ui.RadioGroup(custom_id=str(number))
        for at, one in enumerate(choice.options[:MOST_OPTIONS]):
            said = ellipsized(printable(one.label), MOST_LABEL)
            field.add_option(label=said, value=one.code, default=at == choice.chosen)
        made.add_item(ui.Label(text=ellipsized(choice.label, MOST_TITLE), component=field))
    made.stop()
    return made


def changed_codes(screen: Screen, form: Form, sent: Mapping[str, Any]) -> Iterator[str]:
    """The codes of what was chosen anew in *form*, whose answers Discord has *sent*."""
    given = {}
    for part in sent.get("components", ()):
        field: Mapping[str, Any] = part.get("component") or {}
        values: Sequence[Any] = field.get("values") or [field.get("value")]
        given[str(field.get("custom_id"))] = values[0]
    for number in form.choices:
        choice, code = screen.choices[number], given.get(str(number))
        codes = [one.code for one in choice.options]
        if code in codes and codes.index(code) != choice.chosen:
            yield str(code)
