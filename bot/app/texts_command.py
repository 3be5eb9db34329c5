"""``ludoteca texts``: the languages, how much of each is there, and what is wrong with it."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator

from bot.app.output import CommandError, say
from bot.app.shell_texts import from_below, shell_sentence
from bot.texts import FALLBACK, LANGUAGES, OUTSIDE, catalogues_of
from bot.texts.catalogues import Template


def run_texts_command(asked: argparse.Namespace) -> int:
    """List the languages, or tell of the one that is *asked* for; 1 where something is wrong."""
    if not asked.code:
        for code in LANGUAGES:
            say(from_below(_line(code)))
        return 0
    if asked.code not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise CommandError(shell_sentence("no-language", code=asked.code[:20], known=known), 1)
    if asked.missing:
        for line in _to_be_translated(asked.code):
            say(line)
        return 0
    say(from_below(_line(asked.code)))
    own, english = catalogues_of(asked.code).templates, catalogues_of(FALLBACK).templates
    wanted = Counter(key.partition(".")[0] for key in english)
    there = Counter(key.partition(".")[0] for key in english if key in own)
    for part, count in sorted(wanted.items()):
        say(from_below(f"  {part}: {there[part]} of {count}"))
    for fault in catalogues_of(asked.code).faults:
        say(from_below(f"WRONG  {fault}"))
    return 1 if catalogues_of(asked.code).faults else 0


def _line(code: str) -> str:
    """The language *code* in one line."""
    own, english = catalogues_of(code).templates, catalogues_of(FALLBACK).templates
    there = sum(key in own for key in english)
    name, faults = own.get("house.language", "no name"), len(catalogues_of(code).faults)
    wrong = f", {faults} wrong" if faults else ""
    origin = f" [{OUTSIDE[code]}]" if code in OUTSIDE else ""
    return f"{code}  {name}: {there} of {len(english)} texts{wrong}{origin}"


def _to_be_translated(code: str) -> Iterator[str]:
    """A catalogue of what *code* lacks, each text below the English one."""
    yield 'msgid ""'
    yield 'msgstr ""'
    yield f'"Language: {code}\\n"'
    yield '"Content-Type: text/plain; charset=UTF-8\\n"'
    yield '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"'
    own = catalogues_of(code).templates
    for key, template in catalogues_of(FALLBACK).templates.items():
        if key not in own:
            yield from _entry(key, template)


def _entry(key: str, template: Template) -> Iterator[str]:
    forms = (template,) if isinstance(template, str) else template
    yield ""
    yield from (f"#. {' '.join(form.split())}" for form in forms)
    yield f'msgid "{key}"'
    if isinstance(template, str):
        yield 'msgstr ""'
    else:
        yield f'msgid_plural "{key}"'
        yield from (f'msgstr[{number}] ""' for number in range(len(forms)))
