"""No phrase outside the catalogues, none missing and none unused, in every language."""

from __future__ import annotations

import ast
import re
import string
from functools import cache
from pathlib import Path

import pytest
from bidi import get_base_level

from bot.chats.web.inbound import WORDS
from bot.presenters.command_specs import COMMANDS
from bot.session.names import cleaned
from bot.texts import AMERICAN, LANGUAGES, YOURS, ZERO, MissingText, catalogues_of, language, rules
from bot.tournament.standings import TieBreak
from games.core import Who, phrase
from games.core.shelf import shelf
from tests.source_trees import tree_of

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted(
    file for package in ("bot", "games", "render") for file in (ROOT / package).rglob("*.py")
)
TEMPLATES = "".join(
    file.read_text("utf-8") for file in (ROOT / "bot" / "chats" / "web" / "templates").iterdir()
)
"""The templates of HTML, which say keys as well."""
SPEAKERS = {"phrase", "button", "turn"}
"""The functions whose first argument is a key."""
REFUSERS = {"refuse_if", "need", "raise_if", "reject_if"}
"""Those whose second is one."""


def pattern_of(told: ast.JoinedStr) -> str:
    """The pattern of what an f-string makes."""
    parts = told.values
    return "".join(re.escape(str(p.value)) if isinstance(p, ast.Constant) else ".+" for p in parts)


@cache
def keys_in_code() -> tuple[set[str], set[str]]:
    """The literal keys, and the patterns of keys put together, that the code says."""
    literal = set(re.findall(r'"([a-z]+(?:\.[a-z0-9_-]+)+)"', TEMPLATES))
    patterns: set[str] = set()
    for file in SOURCES:
        for node in ast.walk(tree_of(file)):
            match node:
                case ast.Call(func=ast.Name(id="own_phrase"), args=[ast.Constant(value=text)]):
                    literal.add(f"{file.relative_to(ROOT / 'games').parts[0]}.{text}")
                case ast.Call(func=ast.Name(id="own_phrase"), args=[ast.JoinedStr() as told]):
                    patterns.add(
                        rf"{file.relative_to(ROOT / 'games').parts[0]}\.{pattern_of(told)}"
                    )
                case ast.Constant(value=str(text)) if re.fullmatch(r"[a-z]+(\.[a-z0-9_-]+)+", text):
                    literal.add(text)
                case ast.JoinedStr():
                    pattern = pattern_of(node)
                    # A key's pattern has a literal word beside a dot; other f-strings do not count.
                    if (
                        re.fullmatch(r"([a-z-]+\\\.|\.\+\\\.[a-z-]+).*", pattern)
                        and " " not in pattern
                        # What puts the name of its game before any key shows no use of one.
                        and pattern.removesuffix(r"\..+") not in shelf()
                    ):
                        patterns.add(pattern)
    return literal, patterns


@cache
def required_keys() -> set[str]:
    """The keys that the house needs of every game and command."""
    keys = set()
    for game in shelf().values():
        keys |= {f"{game.key}.name", f"{game.key}.blurb", f"{game.key}.lasts"}
        keys |= {f"{game.key}.ease", f"{game.key}.first-step"}
        keys |= {f"{game.key}.side.{side}" for side in game.rules.sides}
        for option in game.rules.options:
            keys |= {f"{game.key}.option.{option.key}{more}" for more in ("", ".about")}
            keys |= {f"{game.key}.option.{option.key}.{value}" for value in option.values}
    for command in COMMANDS:
        for parameter in command.parameters:
            keys.add(f"command.{command.name}.{parameter.name}")
            keys.add(f"command.{command.name}.{parameter.name}.name")
        keys |= {f"command.{command.name}", f"command.{command.name}.name"}
    return keys


@cache
def spoken_keys() -> set[str]:
    """The keys that stand as they are in whatever makes phrases."""
    found = set(re.findall(r'\bsay\("([^"]*[^".])"[,)]', TEMPLATES))
    for file in SOURCES:
        for node in ast.walk(tree_of(file)):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            first = node.args[0]
            if name == "own_phrase" and isinstance(first, ast.Constant):
                found.add(f"{file.relative_to(ROOT / 'games').parts[0]}.{first.value}")
            elif name in SPEAKERS and isinstance(first, ast.Constant) and "." in str(first.value):
                found.add(str(first.value))
            elif name in REFUSERS and isinstance(node.args[1], ast.Constant):
                found.add(str(node.args[1].value))
    return found


@pytest.mark.sampled
@pytest.mark.parametrize("code", LANGUAGES)
def test_no_phrase_is_missing(code):
    missing = (spoken_keys() | required_keys()) - language(code).templates.keys()
    assert not missing


@pytest.mark.sampled
@pytest.mark.parametrize("code", LANGUAGES)
def test_no_phrase_is_unused(code):
    literal, patterns = keys_in_code()
    together = re.compile("|".join(sorted(patterns)))
    unused = {
        key
        for key in language(code).templates.keys() - literal - required_keys()
        if key.removesuffix(ZERO).removesuffix(YOURS) not in literal
        # The page's own words are held against the page by the tests of the browser chat.
        if not together.fullmatch(key) and not key.startswith(WORDS)
    }
    assert not unused


def fields(template: str | tuple[str, ...]) -> set[str]:
    texts = (template,) if isinstance(template, str) else template
    return {name for text in texts for _, name, _, _ in string.Formatter().parse(text) if name}


def test_no_key_stands_twice_in_a_catalogue():
    """The reader of catalogues would let the last one win without a word."""
    for file in sorted((ROOT / "bot" / "texts").rglob("*.po")):
        keys = re.findall(r'^msgid "(.+)"$', file.read_text("utf-8"), re.MULTILINE)
        assert len(set(keys)) == len(keys), file


def test_all_languages_have_the_same_keys():
    first, *others = (language(code) for code in LANGUAGES)
    for other in others:
        assert first.templates.keys() == other.templates.keys()


def test_translations_use_the_same_fields():
    spanish, english = (language(code).templates for code in ("es", "en"))
    different = {key for key in spanish if fields(spanish[key]) != fields(english[key])}
    # A language may leave out a number that its plural form says already.
    assert not {key for key in different if not isinstance(spanish[key], tuple)}


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_sentence_is_left_empty(code):
    for key, template in language(code).templates.items():
        assert all((template,) if isinstance(template, str) else template), key


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_game_has_its_rules_in_words(code):
    for key in shelf():
        text = rules(key, code)
        assert text.count("\n## ") >= 3


@pytest.mark.parametrize(
    ("code", "sentences"),
    [
        ("es", ["Le toca al ordenador (nivel 2), con x", "El ordenador (nivel 2): y."]),
        ("es-419", ["Le toca a la computadora (nivel 2), con x", "La computadora (nivel 2): y."]),
        ("en", ["The computer (level 2) to move, as x", "The computer (level 2): y."]),
    ],
)
def test_a_computer_has_its_article_as_the_sentence_wants_it(code, sentences):
    tongue = language(code)
    names = {0: tongue.say(phrase("house.computer", level=2))}
    turn = tongue.say(phrase("house.turn.theirs", who=Who(0), side="x"), names)
    played = tongue.say(phrase("house.played", who=Who(0), what="y"), names)
    assert [turn.removeprefix("▶ "), played] == sentences


def test_whose_turn_it_is_is_said_of_a_computer_without_its_level():
    said, name = language("en").say, language("en").say(phrase("house.computer", level=2))
    turn = phrase("house.others-turn", who=Who(0))
    assert said(turn, {0: name}) == "It’s the computer’s turn."
    assert said(turn, {0: f"{name[:-1]}, yellow)"}) == "It’s the computer (yellow)’s turn."
    assert said(turn, {0: "Ana (red)"}) == "It’s Ana (red)’s turn."


def test_a_name_written_from_the_right_does_not_turn_the_words_beside_it():
    said = language("es").say(phrase("standing.versus", me="علي", other="Sergio"))
    assert said == "\u2068علي\u2069 contra Sergio"
    assert get_base_level("علي contra Sergio")
    assert not get_base_level(said), "the sentence is Spanish, whoever stands first in it"
    assert language("es").say(phrase("house.turn.yours", name="Ana", side="x")).isprintable()


def test_a_long_name_says_that_it_is_cut():
    long = "María del Mar Fernández-Villanueva"
    assert (cleaned(long), len(cleaned(long))) == ("María del Mar Fernández-Villanu…", 32)


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_tie_break_has_a_heading_and_a_sentence(code):
    for key in TieBreak:
        assert language(code).say(phrase(f"tournament.head.{key}"))
        assert language(code).say(phrase(f"tournament.break.{key}", value="1"))


def test_a_missing_phrase_is_a_fault_and_not_silence():
    with pytest.raises(MissingText):
        language("es").say(phrase("no.such-key"))
    with pytest.raises(MissingText):
        language("es").say(phrase("core.seat"))


def test_lists_plurals_and_names_are_those_of_the_language():
    fits = phrase("core.ambiguous", text="x", fits=("a", "b", "c"))
    assert "a, b y c" in language("es").say(fits)
    assert "a, b, and c" in language("en").say(fits)
    assert language("es").say(phrase("house.too-few", n=1)).startswith("Hace falta")
    assert language("es").say(phrase("house.too-few", n=2)).startswith("Hacen falta")
    said = phrase("house.played", who=Who(1), what="e4")
    assert language("en").say(said, {1: "Ada"}) == "Ada: e4."


@pytest.mark.parametrize(
    ("asked", "spoken"), [("es-ES", "es"), ("en_GB", "en"), ("fr", "es"), ("", "es")]
)
def test_the_region_of_a_language_falls_back(asked, spoken):
    assert language(asked).code == spoken


@pytest.mark.parametrize("code", LANGUAGES)
def test_command_names_suit_every_chat(code):
    names = [command.name_in(code) for command in COMMANDS]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z0-9_]{1,32}", name) for name in names)
    for command in COMMANDS:
        assert len(command.help_in(code)) <= 100
        for parameter in command.parameters:
            assert re.fullmatch(r"[a-z0-9_]{1,32}", command.parameter_in(parameter, code))
            assert len(command.parameter_help(parameter, code)) <= 100


@pytest.mark.parametrize("asked", ["es-419", "es-MX", "es_AR", "es-Latn-CO", "ES-us"])
def test_spanish_of_america_is_spoken_as_there(asked):
    said = language(asked).say(phrase("house.call.turn-all", game="Niya"))
    assert said == "les toca en Niya."
    assert "computadora" in language(asked).say(phrase("command.play"))
    assert language(asked).say(phrase("house.button.rules")) == "Reglas"


def test_the_catalogue_of_america_holds_only_what_is_said_otherwise_there():
    spanish, american = language("es").templates, catalogues_of(AMERICAN).templates
    assert american.keys() <= spanish.keys()
    assert [key for key in american if american[key] == spanish[key]] == []
    assert [key for key in american if fields(american[key]) != fields(spanish[key])] == []


def test_nothing_peninsular_is_left_in_the_spanish_of_america():
    peninsular = re.compile(
        r"[Oo]rdenador|\b[Aa]ñad|\b[Oo]s\b|[Vv]uestr|[Vv]osotr|\w[áé]is\b(?<!séis)|\b(sois|decís|móvil|cog\w+)\b"
    )
    texts = {**language(AMERICAN).templates, **{game: rules(game, AMERICAN) for game in shelf()}}
    understood = {"house.word.computer", "house.word.computers", "ask.words.can"}
    found = {
        key
        for key, said in texts.items()
        for text in ((said,) if isinstance(said, str) else said)
        if peninsular.search(text) and key not in understood and not key.endswith(".said")
    }
    assert found == set()


def test_no_english_clause_ends_in_a_contracted_verb():
    contracted = re.compile(r"\b(I|you|we|they|he|she|it|who|what|there)’\w+([.,;:!?)”]|$)", re.I)
    said = {**texts("en"), **{game: rules(game, "en") for game in shelf()}}
    read = {key: text for key, text in said.items() if not key.endswith(".said")}
    assert [key for key, text in read.items() if contracted.search(text)] == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_behind_a_full_stop_stands_a_capital_or_a_whole_sentence(code):
    """What is put in there begins small: «sente», «verde», «el ordenador»."""
    found = {
        (key, name)
        for key, template in language(code).templates.items()
        for text in ((template,) if isinstance(template, str) else template)
        for name in re.findall(r"[^\d}][.!?] \{(\w+)\}", text)
    }
    assert {name for _, name in found} <= {"how", "why"}, found


def texts(code: str) -> dict[str, str]:
    """All that the catalogue says in one language, its plural forms joined."""
    return {
        key: template if isinstance(template, str) else " ".join(template)
        for key, template in language(code).templates.items()
    }


@pytest.mark.parametrize("code", [*LANGUAGES, AMERICAN])
def test_commands_are_called_by_their_names_in_the_language(code):
    """Only the page's field for typing names none: «/orden» there stands for any."""
    own = {command.name_in(code) for command in COMMANDS}
    own |= {"setinline", "setinlinefeedback"}  # those of @BotFather
    said = {**texts(code), **{game: rules(game, code) for game in shelf()}}
    found = {
        (key, name)
        for key, text in said.items()
        for name in re.findall(r"(?<![\w/.:])/([a-z_]{2,})", text)
        if name not in own
    }
    assert {key for key, _ in found} <= {"web.page.placeholder"}, found


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("key", ["house.odds.seat", "parchis.at.pasillo"])
def test_no_comma_stands_within_what_a_list_has_commas_between(code, key):
    assert "," not in texts(code)[key]


def test_a_guard_is_feminine_in_spanish_everywhere():
    told = texts("es") | {"rules": rules("storilljudhjorrayc", "es")}
    masculine = re.compile(r"\b([Ee]l|[Ll]os|[Uu]n|[Uu]nos) \W*guardias?\b")
    assert {key for key, text in told.items() if masculine.search(text)} == set()


WRITTEN_SO = {"command.play.options", "clock.bare", "tournament.start.bare", "parchis.read.shape"}
WRITTEN_SO |= {"shell.say.no-value-in-line"}
"""What shows by an example how something is typed that has an equals sign in it."""


@pytest.mark.parametrize("code", LANGUAGES)
def test_quotes_are_curved_and_no_sentence_has_the_syntax_of_a_command(code):
    found = {key for key, text in texts(code).items() if re.search(r"['\"=]", text)}
    assert found - WRITTEN_SO == set()
    for game in shelf():
        plain = re.sub(r"`[^`\n]*`", "", rules(game, code))
        assert re.findall(r"[^\n]{0,30}['\"][^\n]{0,30}", plain) == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_name_stands_in_brackets_because_a_computers_has_its_own(code):
    names = "who|winner|loser|mover|other|name|host|guest|side"
    found = {
        key for key, text in texts(code).items() if re.search(rf"\([^)]*\{{({names})\}}", text)
    }
    assert found == set()


def test_in_spanish_pieces_are_crowned_and_never_promoted():
    words = " ".join(texts("es").values()) + "".join(rules(game, "es") for game in shelf())
    assert not re.search(r"promoci|promuev|promov", words)
