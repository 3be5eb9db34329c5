"""What storage and the chats tell the operator in English has Spanish words, and no others have."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import storage.errors
from bot.app.shell_texts import from_below, shell_texts
from bot.texts import catalogues_of
from tests.command_line import Ludoteca, one_sentence
from tests.source_trees import tree_of

ROOT = Path(__file__).resolve().parents[2]
FILES = [*(ROOT / "storage").rglob("*.py"), *(ROOT / "bot" / "app").glob("*.py")]
FILES += (ROOT / "bot" / "chats").rglob("*.py")


def subclasses(kind: type) -> Iterator[type]:
    """*kind* and all that are made of it."""
    yield kind
    for one in kind.__subclasses__():
        yield from subclasses(one)


BELOW = {
    code: {k: v for k, v in catalogues_of(code).templates.items() if k.startswith("shell.below.")}
    for code in ("en", "es")
}
TOLD = {one.__name__ for one in subclasses(storage.errors.StorageError)}
TOLD |= {"Finding", "Diagnosis"}
LEFT = {
    "{} ({}{}).",
    "Discord has {} of {} faces for buttons{}",
    "{}: {}.",
    "{} {}",
    "{}.",
    "T{}",
    "{} First fault: {}",
    "{}; {}.",
    "{} {}.",
}
LEFT |= {
    "{} The strongest level is played by our own.",
    "{}, with {} texts.",
    "The database {} {}.",
}
"""What has no words of its own, or only continues a sentence."""

COMPOSED = {" is set aside at event ", " waits, nobody there since ", "(proved); expects "}
COMPOSED |= {"duties of this process: none"}
COMPOSED |= {" faces for buttons; the rest is sent while the bot runs."}
COMPOSED |= {
    f" is {why}: its boards live by presses alone " for why in ("gone", "not open to the bot")
}
"""What is put together of pieces where it is told."""


def form(node: ast.AST, known: Mapping[str, str]) -> str | None:
    """The text of a string with ``{}`` for what is filled in, unless it is *known* by its name."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Name(id=name):
            return known.get(name)
        case ast.FormattedValue(value=value):
            return (isinstance(value, ast.Name) and known.get(value.id)) or "{}"
        case ast.JoinedStr(values=parts):
            return "".join(form(one, known) or "" for one in parts)
    return None


def spoken() -> Iterator[tuple[ast.AST, str]]:
    """Every text of the files and where it stands: a call's argument, or another node.

    A sentence that is put together of two texts is told whole: the first has a name before.
    """
    for file in FILES:
        known: dict[str, str] = {}
        nodes = [*ast.walk(tree_of(file))]
        for node in sorted(nodes, key=lambda one: getattr(one, "lineno", 0)):
            inside = node.args if isinstance(node, ast.Call) else [node]
            yield from ((node, text) for one in inside if (text := form(one, known)))
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    known = {}
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    known[name] = form(value, known) or "{}"
                case ast.AugAssign(target=ast.Name(id=name), value=value):
                    known[name] = f"{known.get(name)}{form(value, known) or '{}'}"


def told() -> Iterator[str]:
    """The sentences that stand where an error or a finding is made."""
    for node, text in spoken():
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in TOLD and " " in text:
            yield text


def test_every_sentence_of_an_error_or_a_finding_has_spanish_words(monkeypatch):
    monkeypatch.setenv("LUDOTECA_LANGUAGE", "es")
    sentences = {one.replace("{}", "XYZ") for one in told() if one not in LEFT}
    assert len(sentences) > 40
    assert [one for one in sentences if from_below(one) == one] == []


def test_no_words_are_kept_for_what_nobody_tells():
    known = "\n".join(text for _, text in spoken())
    gone = {
        piece
        for said in BELOW["en"].values()
        for piece in re.split(r"\{\d\}|(?<=\W)(?=\()", str(said))
        if len(piece) > 12 and piece.strip(" .:;(),") not in known
    }
    assert gone == COMPOSED


def test_both_languages_fill_in_the_same():
    assert BELOW["es"].keys() == BELOW["en"].keys()
    for key, said in BELOW["en"].items():
        places = set(re.findall(r"\{\d\}", str(BELOW["es"][key])))
        assert places <= set(re.findall(r"\{\d\}", str(said))), key


@pytest.mark.parametrize(
    ("said", "spanish"),
    [
        ("There is no database /a b.db yet.", "Todavía no hay ninguna base de datos /a b.db."),
        (
            "The newest copy /c is not sound: The file /c is damaged or no database; put a copy in "
            "its place with ludoteca restore FILE, which keeps this one aside.",
            "La copia más nueva, /c, no está sana: El archivo /c está dañado o no es una base de "
            "datos: pon una copia en su lugar con ludoteca restore FILE, que guarda este aparte.",
        ),
        ("What nobody has translated.", "What nobody has translated."),
    ],
)
def test_a_sentence_is_known_by_its_form_and_what_stands_in_it_too(monkeypatch, said, spanish):
    monkeypatch.setenv("LUDOTECA_LANGUAGE", "es")
    assert from_below(said) == spanish
    monkeypatch.setenv("LUDOTECA_LANGUAGE", "en")
    assert from_below(said) == said
    assert "shell.say.error" in shell_texts()


@pytest.mark.parametrize("typed", ["backup x.db", "restore x.db", "ratings", "upgrade"])
def test_commands_refuse_in_spanish(ludoteca: Ludoteca, tmp_path, typed):
    (tmp_path / "ludoteca.db").write_bytes(b"no database " * 99)
    sentence = one_sentence(ludoteca(tmp_path, *typed.split(), LUDOTECA_LANGUAGE="es"), 2)
    assert re.search(r"dañado|No hay ninguna copia", sentence), sentence
