"""Languages from outside: found, spoken as far as they go, and named where they are wrong."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bot import texts
from bot.presenters.typed_names import move_named
from bot.texts import catalogues_of
from bot.texts.catalogues import outside_languages, read_outside
from bot.texts.orthography import Contractions, bare
from games.core import phrase
from games.core.shelf import find_game
from tests.fakes import desk, person

ROOT = Path(__file__).resolve().parents[2]
HEAD = """msgid ""
msgstr ""
"Language: pt\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n > 1);\\n"
"""
NAME = 'msgid "house.language"\nmsgstr "Português"\n'
ENGLISH = catalogues_of("en").templates


def folder_of(tmp_path: Path, text: str = "", code: str = "pt") -> Path:
    folder = tmp_path / "texts" / code
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "house.po").write_text(f"{HEAD}\n{NAME}", "utf-8")
    if text:
        (folder / "more.po").write_text(f"{HEAD}\n{text}", "utf-8")
    return folder


@pytest.fixture
def portuguese(tmp_path, monkeypatch):
    """A process that speaks a little Portuguese."""
    wrong = 'msgid "house.stale"\nmsgstr "{nada}"\n'
    own = 'msgid "house.button.resign"\nmsgstr "Desistir"\n'
    monkeypatch.setattr(texts, "OUTSIDE", {"pt": folder_of(tmp_path, f"{own}\n{wrong}")})
    monkeypatch.setattr(texts, "LANGUAGES", ("es", "en", "pt"))
    for cached in (texts._load, catalogues_of):
        cached.cache_clear()
    texts.fall_back_on("en")
    yield
    texts.fall_back_on("en")
    for cached in (texts._load, catalogues_of):
        cached.cache_clear()


def test_what_is_missing_or_wrong_is_said_in_the_operators_language_and_else_in_english(portuguese):
    assert texts.spoken("pt-BR") == "pt"
    assert texts.language("pt-BR").say(phrase("house.language")) == "Português"
    english = texts.language("en").say(phrase("house.stale"))
    assert texts.language("pt").say(phrase("house.stale")) == english
    texts.fall_back_on("es")
    assert texts.language("pt").say(phrase("house.stale")) != english
    assert texts.rules("niya", "pt") == texts.rules("niya", "es")


def test_a_language_that_we_have_or_without_a_name_is_no_language(tmp_path, monkeypatch):
    for code in ("es", "PT", "x", "pt-BR"):
        folder_of(tmp_path, code=code)
    (tmp_path / "texts" / "fr").mkdir()
    folder_of(tmp_path, code="gl")
    monkeypatch.setenv("LUDOTECA_TEXTS", f"{tmp_path / 'texts'}{os.pathsep}{tmp_path / 'none'}")
    assert list(outside_languages(("es", "en"))) == ["gl"]


def test_the_folder_may_be_named_in_the_file_of_settings(tmp_path, monkeypatch):
    folder_of(tmp_path)
    (tmp_path / ".env").write_text("LUDOTECA_TEXTS=texts\n")
    monkeypatch.chdir(tmp_path)
    assert list(outside_languages(("es", "en"))) == ["pt"]


def entry(key: str, text: str) -> str:
    return f'msgid "{key}"\nmsgstr "{text}"\n'


LABEL = next(k for k, t in ENGLISH.items() if k.startswith("house.button.") and isinstance(t, str))
COUNTED = next(key for key, template in ENGLISH.items() if isinstance(template, tuple))
SENTENCE = next(k for k, t in ENGLISH.items() if isinstance(t, str) and t.endswith("."))
BROKEN = {
    "a placeholder": (entry(SENTENCE, "{nada}."), "{nada}"),
    "an open brace": (entry(SENTENCE, "{who."), "not closed"),
    "a long label": (entry(LABEL, "x" * 200), "200 characters where 60 fit"),
    "a book for a sentence": (entry(SENTENCE, f"{'x' * 5000}."), "too long"),
    "one plural form": (
        f'msgid "{COUNTED}"\nmsgid_plural "{COUNTED}"\nmsgstr[0] "a"\n',
        "is empty",
    ),
    "three plural forms": (
        f'msgid "{COUNTED}"\nmsgid_plural "{COUNTED}"\n'
        'msgstr[0] "a"\nmsgstr[1] "b"\nmsgstr[2] "c"\n',
        "more translations",
    ),
    "an unknown key": (entry("house.nothing-like-it", "x"), "no text that we know"),
    "a name with a blank": (entry("command.play.name", "jogar ja"), "no name of a command"),
    "a name twice": (
        f"{entry('command.play.name', 'jogar')}\n{entry('command.board.name', 'jogar')}",
        "the name of another one",
    ),
    "no catalogue": ("rubbish\n", "more.po"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_each_broken_text_is_named_in_a_line_and_everything_else_is_spoken(tmp_path, what):
    text, why = BROKEN[what]
    found = read_outside(folder_of(tmp_path, text), "pt", ENGLISH)
    assert len(found.faults) == 1, found.faults
    assert why in found.faults[0]
    assert "\n" not in found.faults[0]
    assert found.templates["house.language"] == "Português"


def test_the_words_that_melt_may_be_as_many_as_a_language_has(tmp_path):
    melting = ", ".join(f"{one} o → {one[0]}o" for one in ("de", "em", "por", "a") * 4)
    found = read_outside(folder_of(tmp_path, entry("grammar.contractions", melting)), "pt", ENGLISH)
    assert found.faults == []


def test_ours_have_no_faults_by_the_same_rules():
    for code in texts.OURS:
        folder = Path(texts.__file__).parent / code
        assert read_outside(folder, code, ENGLISH).faults == []


def test_the_example_has_no_faults_and_tells_the_rules_in_the_chapters_and_figures_of_english():
    folder = ROOT / "examples" / "ludoteca-pt" / "ludoteca_pt" / "pt"
    found = read_outside(folder, "pt", ENGLISH)
    assert found.faults == []
    assert found.templates["house.language"] == "Português"
    assert [found.plural(n) for n in (0, 1, 2)] == [0, 0, 1]
    form = re.compile(r"^##|\(figure:.*\)$", re.MULTILINE)
    english = (Path(texts.__file__).parent / "en" / "niya.md").read_text("utf-8")
    assert form.findall((folder / "niya.md").read_text("utf-8")) == form.findall(english)


def test_words_melt_as_a_language_says_and_names_stay():
    melted = Contractions("de o → do, de a → da, em o → no")
    assert melted.contracted("De o computador em o tabuleiro") == "Do computador no tabuleiro"
    assert melted.contracted("de O Greco, de a Ana") == "de O Greco, de a Ana"
    assert Contractions("—").contracted("de o rei") == "de o rei"
    assert bare("o rei", {"o", "a"}) == "rei"
    assert bare("rei", {"o", "a"}) == "rei"


def ran(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "LUDOTECA_TEXTS": "texts"}
    return subprocess.run(
        [sys.executable, "-m", "bot", *command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )


@pytest.mark.slow
def test_the_command_tells_how_much_is_there_and_writes_what_is_missing(tmp_path):
    folder = folder_of(tmp_path, entry(SENTENCE, "{nada}."))
    told = ran(tmp_path, "texts", "pt")
    assert told.returncode == 1
    assert told.stdout.startswith(f"pt  Português: 1 of {len(ENGLISH)} texts, 1 wrong")
    assert "WRONG  more.po: " in told.stdout
    (folder / "more.po").write_text(ran(tmp_path, "texts", "pt", "--missing").stdout, "utf-8")
    found = read_outside(folder, "pt", ENGLISH)
    assert len(found.faults) == len(ENGLISH) - 1, "all are there, and empty"
    assert all(fault.endswith("is empty") for fault in found.faults)


@pytest.fixture
def brazilian(monkeypatch):
    """A process with the Portuguese of the examples."""
    folder = ROOT / "examples" / "ludoteca-pt" / "ludoteca_pt" / "pt"
    monkeypatch.setattr(texts, "OUTSIDE", {"pt": folder})
    monkeypatch.setattr(texts, "LANGUAGES", ("es", "en", "pt"))
    for cached in (texts._load, catalogues_of):
        cached.cache_clear()
    yield texts.language("pt")
    for cached in (texts._load, catalogues_of):
        cached.cache_clear()


OFFERED = """
import asyncio, json
from unittest.mock import Mock
import discord
from bot.chats.discord.commands import CommandTranslator, CommandTree
from bot.chats.discord.inbound import Inbound
from bot.chats.telegram.bot_profile import set_profile

menus = {}

class Bot:
    id = 1
    async def set_my_commands(self, lines, scope, language_code):
        menus[language_code] = [one.command for one in lines]
    async def nothing(self, *_, **__):
        pass
    set_my_description = set_my_short_description = set_chat_menu_button = nothing

class Notes:
    async def read(self, key, how):
        return None
    async def put(self, key, value):
        pass

async def main():
    inbound = Inbound(Mock(), Mock())
    tree = CommandTree(discord.Client(intents=discord.Intents.none()), inbound)
    names = CommandTranslator()
    told = [await one.get_translated_payload(tree, names) for one in tree.get_commands()]
    await set_profile(Bot(), Notes(), "en", "")
    print(json.dumps({"discord": told, "telegram": menus}))

asyncio.run(main())
"""


@pytest.mark.slow
def test_the_names_of_commands_are_offered_to_the_platforms_in_a_language_from_outside(tmp_path):
    shelf = ROOT / "examples" / "ludoteca-pt" / "ludoteca_pt"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "LUDOTECA_TEXTS": str(shelf)}
    done = subprocess.run(
        [sys.executable, "-c", OFFERED],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    play = next(one for one in told["discord"] if one["name"] == "play")
    # Discord knows the Portuguese of Brazil alone.
    assert play["name_localizations"]["pt-BR"] == "jogar"
    assert play["description_localizations"]["pt-BR"] != play["description"]
    game = next(one for one in play["options"] if one["name"] == "game")
    assert game["name_localizations"]["pt-BR"] == "jogo"
    assert "jogar" in told["telegram"]["pt"]
    assert "play" in told["telegram"]["en"]
    assert "play" in told["telegram"]["null"]


TABLE = "M1,O2,L3,V4/O1,M2,V2,V3/L1,M3,L4,O3/V1,M4,O4,L2 R -"


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("text", "code"),
    [
        *(("roxo 1", "M1"), ("ROXO  4", "M4"), ("Azul-escuro 2", "O2"), ("azul escuro 4", "O4")),
        *(("azul-claro 3", "L3"), ("verde 1", "V1"), ("roxo 2", None), ("roxo", None)),
        *(("roxo 1" * 40, None), ("", None), ("nada", None)),
    ],
)
def test_moves_are_typed_in_the_words_of_a_language_from_outside(brazilian, text, code):
    game = find_game("niya")
    position = game.notation.read(TABLE, game.chosen({}))
    found = move_named(game, position, 0, text, brazilian)
    # M2 lies in the middle, where nobody begins.
    assert (None if found is None else found.code) == code


@pytest.mark.slow
async def test_somebody_who_speaks_it_plays_by_such_words(brazilian, tmp_path):
    ana, bruno = person("Ana", language="pt"), person("Bruno", language="pt")
    async with desk(tmp_path) as here:
        await here.call(ana, "play", game="niya")
        (line,) = await here.facade.services.tables.list_lines(("open",), person=1)
        await here.call(bruno, "join", table=line.code)
        table = await here.facade.services.tables.get(line.code)
        (seat,) = table.actors()
        mover = ana if table.players[seat].name == "Ana" else bruno
        card = table.present.legal_moves(seat)[0]
        words = {"M": "roxo", "O": "azul-escuro", "L": "azul-claro", "V": "verde"}
        said = f"{words[card.colour]} {card.index}"
        assert (await here.call(mover, "move", move=said, table=line.code)).good
        table = await here.facade.services.tables.get(line.code)
        assert table.log[-1].text == card.code
