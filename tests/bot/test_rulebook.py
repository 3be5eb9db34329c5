"""The rules as pages: every figure once, no mark that leaks, and ways to every chapter."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import discord
import pytest

import games
from bot.chats.discord.markdown import link_commands, mark_up
from bot.chats.discord.message_formatting import layout
from bot.chats.telegram.message_formatting import CAPTION, TEXT, body, units
from bot.chats.web.message_formatting import screen_json
from bot.port import Card, Press, Said, Where
from bot.presenters.command_specs import BY_NAME, COMMANDS, by_topic, find_topic
from bot.presenters.rulebook import (
    chapter_title,
    chapters_card,
    figure_file,
    rules_card,
    rules_chapters,
    rules_pages,
)
from bot.presenters.table.viewers import LOOK
from bot.presenters.typed_command_parser import parse
from bot.texts import LANGUAGES, language, rules
from bot.texts.inline_markup import unmarked
from games.core import phrase
from games.core.shelf import shelf
from tests.chat_capabilities import CAPABILITIES
from tests.fakes import UPDATES, Desk, FakeChat, person

pytestmark = pytest.mark.sampled(2)

GAMES = pytest.mark.parametrize("game", shelf().values(), ids=lambda game: game.key)
CODES = pytest.mark.parametrize("code", LANGUAGES)
FIGURE = re.compile(r"!\[([^\]]*)\]\(figure:([a-z0-9-]+)\)")


def cards(game, code) -> list[Card]:
    return [rules_card(game, code, n, b"key", LOOK) for n in range(len(rules_pages(game, code)))]


@GAMES
@CODES
def test_every_figure_of_the_text_is_on_a_page_with_its_words(game, code):
    wanted = FIGURE.findall(rules(game.key, code))
    shown = rules_pages(game, code)
    assert [(page.alt, page.figure) for page in shown if page.figure] == wanted
    for page, card in zip(shown, cards(game, code), strict=True):
        assert (card.picture is not None) == bool(page.figure)
        assert card.screen.alt == page.alt


@GAMES
@CODES
def test_no_word_of_the_text_is_lost(game, code):
    def letters(text: str) -> str:
        text = re.sub(r"\[([^\]\n]+)\]\(https?:[^)\n]+\)", r"\1", text)
        return re.sub(r"[\s*#`]+", "", text)

    said = "".join(
        (page.title if not n or shown[n - 1].chapter != page.chapter else "") + unmarked(page.text)
        for shown in [rules_pages(game, code)]
        for n, page in enumerate(shown)
    )
    assert letters(said) == letters(FIGURE.sub("", rules(game.key, code)))


@GAMES
@CODES
async def test_discord_sets_bold_and_italics_and_describes_the_figure(game, code):
    for card in cards(game, code):
        view = layout(card.screen, "x.png" if card.picture else None)
        text = "".join(
            p.content for p in view.walk_children() if isinstance(p, discord.ui.TextDisplay)
        )
        assert r"\*" not in text.replace(r"\*5", "")
        galleries = [p for p in view.walk_children() if isinstance(p, discord.ui.MediaGallery)]
        assert [item.description for one in galleries for item in one.items] == (
            [card.screen.alt] if card.picture else []
        )


@GAMES
@CODES
def test_telegram_sets_them_as_html_and_tells_no_caption_twice(game, code):
    for card in cards(game, code):
        shown = body(card.screen, TEXT)
        assert "<blockquote" not in shown
        assert "**" not in shown
        short = body(card.screen, CAPTION)
        assert units(re.sub("<[^>]+>", "", short)) <= CAPTION


@GAMES
@CODES
def test_the_browser_gets_them_without_marks(game, code):
    for card in cards(game, code):
        assert not any("**" in line or "`" in line for line in screen_json(card.screen)["lines"])


@GAMES
@CODES
def test_every_page_names_the_game_and_leads_to_every_chapter(game, code):
    name = language(code).say(phrase(f"{game.key}.name"))
    every = list(dict.fromkeys(page.title for page in rules_pages(game, code)))
    for card in cards(game, code):
        assert card.screen.headline.startswith(f"{name}: ")
        (chapter,) = card.screen.choices
        assert [one.label for one in chapter.options] == every
        assert len(chapter.options) <= 25
        assert every[chapter.chosen] in card.screen.headline
    listed = [b.label for row in chapters_card(game, code, b"key").screen.rows for b in row]
    assert listed == every


def test_marks_are_set_and_everything_else_is_only_text():
    assert mark_up("**Rey** (王, *ō*): `K5i` y 2*3 <@1>") == (
        r"**Rey** (王, *ō*): `K5i` y 2\*3 \<\@1\>".replace(r"\@", r"\@")
    )
    assert mark_up("- una\n- dos") == "- una\n- dos"


def test_a_command_in_a_sentence_can_be_tapped():
    mentions = {"play": "</play:7>", "jugar": "</play:7>"}
    assert link_commands("/jugar abre una mesa; /otra no, a/jugar tampoco.", mentions) == (
        "</play:7> abre una mesa; /otra no, a/jugar tampoco."
    )


def test_a_command_that_stands_as_typed_text_is_a_link_or_stays_as_it_is_typed():
    mentions = {"jugar": "</play:7>"}
    said = mark_up("Con `/jugar` se abre, con `/jugar niya` también.")
    assert link_commands(said, mentions) == "Con </play:7> se abre, con `/jugar niya` también."


# ---------------------------------------------------------------- asked for

NEREA = person("Nerea")
ALONE = Where("fake", "id-Nerea", private=True)


async def test_a_chapter_is_two_presses_away(at: Desk):
    card = await at.call(NEREA, "rules", game="shogi")
    (chapter,) = card.screen.choices
    message = await _pressed(at, chapter.opens)
    wanted = next(b for row in message.screen.rows for b in row if b.label == "Cómo se escribe")
    assert "Cómo se escribe" in (await _pressed(at, wanted.code)).screen.headline


@pytest.mark.slow
async def test_figures_are_dark_where_boards_are_and_as_the_person_or_the_place_has_chosen(
    at: Desk,
):
    dark, places, people = (
        figure_of("niya", "dark"),
        at.facade.services.places,
        at.facade.services.people,
    )
    light = figure_of("niya", "light")
    assert light != dark
    assert (await first_figure(at, at.where)) == light
    at.facade.chats["discord"] = FakeChat("discord", CAPABILITIES["discord"])
    discord_s = replace(at.where, platform="discord")
    assert (await first_figure(at, discord_s)) == dark
    await places.choose(at.where, theme="dark")
    assert (await first_figure(at, at.where)) == dark
    nerea = await people.of(NEREA)
    await people.choose(nerea.id, theme="light")
    assert (await first_figure(at, at.where)) == light


async def first_figure(at: Desk, where: Where) -> bytes | None:
    """The picture of the first page of the rules of niya that has one, turned to by its button."""
    number = next(n for n, page in enumerate(rules_pages(shelf()["niya"], "es")) if page.figure)
    card = await at.call(NEREA, "rules", where, game="niya")
    for _ in range(number):
        (ways,) = card.screen.rows
        card = await _pressed(at, ways[-1].code, where)
    return card.picture


def figure_of(game: str, theme: str) -> bytes:
    name = next(page.figure for page in rules_pages(shelf()[game], "es") if page.figure)
    return figure_file(shelf()[game], name, theme, "es")


async def _pressed(at: Desk, code: str, where: Where | None = None):
    return await at.facade.requests.press(
        Press(f"u{next(UPDATES)}", where or at.where, NEREA, code, "m1")
    )


def test_every_command_stands_in_the_help_once():
    listed = [command.name for commands in by_topic().values() for command in commands]
    assert sorted(listed) == sorted(command.name for command in COMMANDS)


async def test_help_asks_what_one_wants_and_has_all_commands_behind_a_button(at: Desk):
    asked = at.card(await at.call(NEREA, "help", ALONE), ALONE)
    assert asked.screen.headline == "¿Qué quieres hacer?"
    assert not asked.screen.lines
    chapter = (await at.press(NEREA, asked, "Todas las órdenes »")).screen
    assert chapter.lines[0].startswith("/jugar:")
    titles = [one.label for one in chapter.choices[0].options]
    assert titles == ["Jugar", "En la mesa", "Leer y preguntar", "Lo demás"]


async def test_help_says_how_a_person_is_picked_where_people_are_picked_from_a_list(at: Desk):
    at.facade.chats["discord"] = FakeChat("discord", CAPABILITIES["discord"])
    typed = (await at.call(NEREA, "help", command="play")).said
    picked = await at.call(NEREA, "help", replace(at.where, platform="discord"), command="play")
    assert "«cualquiera»" in typed
    assert "«cualquiera»" not in picked.said
    assert "si lo dejas vacío, quien quiera" in picked.said


@pytest.mark.parametrize(
    ("typed", "game"),
    [
        ("cirya", "Cirya"),
        ("Parchís", "Parchís"),
        ("el parchis", "Parchís"),
        ("ajedrez japones", "Shogi"),
        ("cómo se mueve en el ajedrez japonés", "Shogi"),
        ("japanese chess", "Shogi"),
        ("cómo va okiya", "Niya"),
        ("storilljuðjorrayc", "Storilljuðjorrayc"),
    ],
)
async def test_help_with_a_game_is_the_first_page_of_its_rules(at: Desk, typed, game):
    asked = await at.call(NEREA, "help", command=typed)
    assert isinstance(asked, Card)
    assert asked.screen.headline.startswith(game)
    assert asked == await at.call(NEREA, "rules", game=game)


def test_another_name_of_a_command_is_less_than_the_name_of_a_game():
    assert find_topic("cómo se mueve en el ajedrez japonés") is shelf()["shogi"]
    assert find_topic("cómo se mueve") is BY_NAME["move"]
    assert find_topic("mover en el ajedrez japonés") is BY_NAME["move"]


@pytest.mark.parametrize("line", ["/ayuda ajedrez japonés", "/reglas ajedrez japonés"])
def test_a_game_may_be_named_in_two_words(line):
    read = parse(line)
    assert read is not None
    assert list(read[1].values()) == ["ajedrez japonés"]


@pytest.mark.parametrize("typed", ["play", "/jugar", "jugar cirya", "por qué", "why a game"])
async def test_help_with_a_command_is_about_the_command(at: Desk, typed):
    answer = await at.call(NEREA, "help", command=typed)
    assert isinstance(answer, Said)
    assert answer.said.startswith("/")


async def test_help_with_what_is_neither_says_so(at: Desk):
    answer = await at.call(NEREA, "help", command="zzz " * 2000)
    assert not answer.good
    assert answer.said.startswith("No conozco esa orden ni ese juego.")


@GAMES
def test_the_chapters_are_the_same_in_every_language(game):
    def drawn(code: str) -> list[list[str]]:
        return [re.findall(r"figure:(\w+)", body) for _, body in rules_chapters(game, code)]

    first, *others = map(drawn, LANGUAGES)
    assert all(other == first for other in others)


@CODES
@GAMES
def test_the_first_chapter_is_five_rules_read_in_half_a_minute(game, code):
    _, first = next(iter(rules_chapters(game, code)))
    assert sum(line.startswith("- ") for line in first.splitlines()) == 5
    assert len(first.split()) <= 125, "half a minute at 250 words a minute"


RULE = re.compile(r'(?:Refusal|_no|_refused)\(\s*f?"([A-Z]{1,2}\d+)"|"([A-Z]\d+)", "[a-z]+[-"]')
"""How the games name the rule of a refusal."""


@GAMES
def test_every_rule_that_forbids_a_move_is_told_in_a_chapter(game):
    modules = sorted((Path(games.__file__).parent / game.key).glob("*.py"))
    found = {
        one for file in modules for pair in RULE.findall(file.read_text("utf-8")) for one in pair
    } - {""}
    assert len(found) > 2
    for rule in sorted(found):
        for code in LANGUAGES:
            assert chapter_title(game, code, rule), rule
    assert chapter_title(game, "es", "") == ""
