"""Languages from outside: folders of catalogues that an operator or a package brings.

``LUDOTECA_TEXTS`` names folders, with ``:`` between them (``;`` on Windows), in the environment or
in the file ``.env``; a package names its folder by an entry point of the group ``ludoteca.texts``:
``pt = "ludoteca_pt"``. In such a folder ``pt/house.po``, ``pt/niya.po`` and so on hold what
``texts/en`` holds here, and ``pt/niya.md`` the rules. Whatever is missing is said in another
language.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from importlib import resources
from importlib.metadata import entry_points
from importlib.resources.abc import Traversable
from pathlib import Path

from dotenv import dotenv_values

VARIABLE = "LUDOTECA_TEXTS"
"""The setting that names folders."""

GROUP = "ludoteca.texts"
"""The group of entry points under which packages declare languages."""

CODE = re.compile(r"[a-z]{2,3}")
"""The form of a language's code, as in ISO 639."""

NAME = "house.po"
"""The catalogue that a language must have: it holds the language's own name."""


def outside_languages(ours: tuple[str, ...]) -> dict[str, Traversable]:
    """The folders of languages from outside by code; the first of several is taken.

    Folders named by the setting come before packages. What is called like one of *ours*, or has no
    ``house.po``, is no language.
    """
    found: dict[str, Traversable] = {}
    for code, folder in (*_in_folders(), *_in_packages()):
        if CODE.fullmatch(code) and code not in ours and folder.joinpath(NAME).is_file():
            found.setdefault(code, folder)
    return dict(sorted(found.items()))


def _in_folders() -> Iterator[tuple[str, Traversable]]:
    named = os.environ.get(VARIABLE) or dotenv_values(".env").get(VARIABLE) or ""
    for name in filter(None, named.split(os.pathsep)):
        folder = Path(name)
        if folder.is_dir():
            yield from ((one.name, one) for one in sorted(folder.iterdir()) if one.is_dir())


def _in_packages() -> Iterator[tuple[str, Traversable]]:
    for entry in sorted(entry_points(group=GROUP), key=lambda one: (one.name, one.value)):
        try:
            folder = resources.files(entry.value)
        except (ImportError, TypeError):
            continue  # an installation that is broken; the doctor tells what is there
        yield entry.name, folder.joinpath(entry.name)
