"""The file that a place can be taken along in: a zip of records, with its ladder and settings.

Read with distrust: whatever it says is text, and what breaks a limit is refused as a whole.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Annotated, BinaryIO, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from games.core import Unreadable
from games.core.record import LONGEST_RECORD, Record

VERSION: Final = 1
"""Of the form of the file; another one is refused."""

ENTRIES: Final = 10_000
"""The most entries of a file."""

MB: Final = 1024 * 1024

UNPACKED: Final = 200 * MB
"""The most bytes of all that is in it."""

HEAD: Final = "ludoteca.json"
LONGEST_HEAD: Final = 4 * 1024 * 1024
"""The entry that tells of the place, and the most bytes of it."""

_RECORD = re.compile(r"records/([0-9A-Z]{4,8})\.txt", re.ASCII)
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_EPOCH = (1980, 1, 1, 0, 0, 0)

Word = Annotated[str, Field(max_length=128)]


class BadArchive(Exception):
    """A file that is no export, or breaks a limit; says why, and the *reason* in a word."""

    def __init__(self, said: str, reason: str) -> None:
        super().__init__(said)
        self.reason = reason


class ArchivedStanding(BaseModel):
    """A line of a ladder as it stood: a *name*, a rating, and what was won, drawn and lost."""

    model_config = ConfigDict(frozen=True)

    name: Word
    rating: int
    won: int = 0
    drawn: int = 0
    lost: int = 0


class PlaceHead(BaseModel):
    """What a file tells of its place besides the records."""

    model_config = ConfigDict(frozen=True)

    ludoteca: int
    source: str = Field(pattern=r"^[0-9a-f]{32}$")
    """Names the place, and says nothing of it."""
    title: Word = ""
    made: str = Field(max_length=40)
    language: Word = ""
    settings: dict[Word, bool | int | Word | None] = Field(default_factory=dict, max_length=100)
    ladder: dict[Word, list[ArchivedStanding]] = Field(default_factory=dict, max_length=100)


@dataclass(frozen=True)
class PlaceArchive:
    """A place that was taken along: its *head*, and its records by the codes of their tables.

    The records are without their logs, which *texts* have. *unread* are the codes of records that
    cannot be read.
    """

    head: PlaceHead
    records: Mapping[str, Record]
    texts: Mapping[str, str] = field(default_factory=dict)
    unread: Sequence[str] = ()


def write_archive(head: PlaceHead, records: Mapping[str, str]) -> bytes:
    """The file of a place; the same *head* and *records* give the same bytes."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        _put(archive, HEAD, json.dumps(head.model_dump(mode="json"), ensure_ascii=False, indent=1))
        for code, text in sorted(records.items()):
            _put(archive, f"records/{code}.txt", text)
    return made.getvalue()


def _put(archive: zipfile.ZipFile, name: str, text: str) -> None:
    entry = zipfile.ZipInfo(name, _EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, text.encode())


def read_archive(file: BinaryIO, most: int = UNPACKED) -> PlaceArchive:
    """The place in *file*, which has *most* bytes unpacked; raises ``BadArchive``."""
    try:
        with zipfile.ZipFile(file) as archive:
            entries = _check(archive, most)
            head = _head(archive, entries)
            left = most
            texts = {}
            for name, entry in entries.items():
                if found := _RECORD.fullmatch(name):
                    data = _read(archive, entry, min(LONGEST_RECORD, left))
                    left -= len(data)
                    texts[found[1]] = data.decode("utf-8", "replace")
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError) as wrong:
        raise BadArchive(f"The file is damaged or no zip: {wrong}.", "damaged") from None
    return _parse(head, texts)


def _parse(head: PlaceHead, texts: Mapping[str, str]) -> PlaceArchive:
    records, unread = {}, []
    for code, text in texts.items():
        record = None
        with suppress(Unreadable):
            record = Record.read(text)
        if record is None or len(record.game) > 64 or "\0" in text:
            unread.append(code)
        else:
            # Half a million entries at once would make the collector stop everything for 0.1 s.
            records[code] = replace(record, log=())
    kept = {code: text for code, text in texts.items() if code in records}
    return PlaceArchive(head, records, kept, tuple(unread))


def _check(archive: zipfile.ZipFile, most: int) -> Mapping[str, zipfile.ZipInfo]:
    """The entries by their names, all of which are as we write them."""
    infos = archive.infolist()
    if len(infos) > ENTRIES:
        raise BadArchive(f"The file has more than {ENTRIES} entries.", "entries")
    entries: dict[str, zipfile.ZipInfo] = {}
    for info in infos:
        if info.filename in entries:
            raise BadArchive("The file has an entry twice.", "twice")
        if info.filename != HEAD and not _RECORD.fullmatch(info.filename):
            raise BadArchive(
                f"The file has an entry that no export has: {info.filename[:64]!r}.", "foreign"
            )
        if info.flag_bits & 1 or info.compress_type not in _METHODS:
            raise BadArchive(
                "The file is encrypted, or packed in a way that no export is.", "packed"
            )
        entries[info.filename] = info
    if sum(info.file_size for info in infos) > most:
        raise BadArchive(f"Unpacked, the file has more than {most // MB} MB.", "size")
    if HEAD not in entries:
        raise BadArchive(f"The file is no export: it has no {HEAD}.", "none")
    return entries


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, most: int) -> bytes:
    """The bytes of *entry*, of which its head may tell less than there are."""
    with archive.open(entry) as reading:
        data = reading.read(most + 1)
    if len(data) > most:
        raise BadArchive(f"{entry.filename} is larger than any export has it.", "large")
    return data


def _head(archive: zipfile.ZipFile, entries: Mapping[str, zipfile.ZipInfo]) -> PlaceHead:
    data = _read(archive, entries[HEAD], LONGEST_HEAD)
    try:
        told = json.loads(data)
        version = told.get("ludoteca") if isinstance(told, dict) else None
        if version != VERSION:
            said = version if isinstance(version, int) else "none"
            raise BadArchive(
                f"The export has the form {said}; this release reads {VERSION}.", "form"
            )
        return PlaceHead.model_validate_json(json.dumps(told, ensure_ascii=False).encode())
    except (ValidationError, ValueError, RecursionError):
        raise BadArchive(f"{HEAD} does not say what an export says.", "none") from None
