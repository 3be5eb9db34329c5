"""The card of a finished game: what it says, how it is drawn, and where it leads."""

from __future__ import annotations

import io
from dataclasses import replace
from functools import partial

import pytest
from PIL import Image, ImageChops

from bot.port import Poster, PublicAddress
from bot.presenters.game_poster import cover_scene
from bot.presenters.table.composer import Composer
from bot.presenters.table.film import reel_of, scene_after
from bot.presenters.table.result_card import card_text, result_card
from bot.presenters.table.status import shift_text
from bot.presenters.table.viewers import Viewer
from bot.session.table import ENDED
from bot.standing.journal import Shift
from bot.standing.rating import MEAN, Rating
from games.core import Outcome, Titles
from games.core.shelf import shelf
from render.club.club_canvas import SEMIBOLD, WIDE, ClubCanvas
from render.kit.fonts import isolated
from render.kit.painters import paint
from render.kit.posters import podium_piece, poster_parts
from render.result_card import TALL, Result, Standing, card, film_card
from storage.records import PersonName
from tests.bot.test_keepsakes import KEY, NEREA, VERA, finished
from tests.fakes import FakeChat
from tests.played import tables

US = PublicAddress("Ludoteca", "https://t.me/ludoteca_bot")


async def test_a_finished_game_can_be_had_as_a_card(at):
    code = await finished(at)
    board = next(m for m in at.chat.messages.values() if m.screen.table == code)
    answer = await at.press(VERA, board, "Para compartir")
    assert isinstance(answer, Poster)
    shown = Image.open(io.BytesIO(answer.file.data))
    assert (shown.format, shown.size) == ("PNG", WIDE)
    assert len(answer.file.data) <= 120_000
    assert "; 9 jugadas, " in answer.alt
    again = await at.press(NEREA, board, "Para compartir")
    assert again.said == "Ya está aquí, un poco más arriba."


@pytest.mark.slow
async def test_the_same_card_may_be_had_tall_for_stories(at):
    code = await finished(at)
    board = next(m for m in at.chat.messages.values() if m.screen.table == code)
    answer = await at.press(VERA, board, "Para historias")
    shown = Image.open(io.BytesIO(answer.file.data))
    assert shown.size == TALL
    assert len(answer.file.data) <= 200_000


@pytest.mark.parametrize("names", [("Ana", "Eva"), ("M" * 24, "W " * 12), (*"ABC", "Q" * 24)])
def test_no_words_of_a_card_or_a_film_stand_on_others(monkeypatch, names):
    def noted(canvas, x, y, text, px, ink="ink", weight=SEMIBOLD, anchor="l", *rest, **how):
        wide = words(canvas, x, y, text, px, ink, weight, anchor, *rest, **how)
        left = x - {"l": 0, "m": wide / 2, "r": wide}[anchor]
        if not text:
            return wide
        for low, high, begin, end in found:
            apart = left >= end or left + wide <= begin
            assert apart or y - px * 0.3 >= high or y + px * 0.3 <= low, text
        found.append((y - px * 0.3, y + px * 0.3, left, left + wide))
        return wide

    words, found = ClubCanvas.words, []
    monkeypatch.setattr(ClubCanvas, "words", noted)
    podium = tuple(Standing(n + 1, name, figure="1500") for n, name in enumerate(names))
    said = (f"{names[0]} won", ", ".join(names[1:])) if names[2:] else (" beat ".join(names), "")
    board = paint(cover_scene(shelf()["cirya"], "light", "en"))
    result = Result("Title", podium, said, "today", "Cirya", "why", "Move 27 of 34", game="cirya")
    for drawn in (card, partial(card, tall=True), partial(film_card, like=board)):
        found.clear()
        drawn(result, board)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("code", ["es", "en"])
@pytest.mark.parametrize("key", sorted(shelf()))
def test_the_card_says_who_won_the_title_earned_and_three_numbers(key, code):
    *_, table = tables(shelf()[key], seed=2, looks=5)
    composer = Composer(table, Viewer(None, code), KEY)
    said = result_card(composer, reel_of(table), US)
    assert sorted(one.name for one in said.podium) == sorted(composer.names.values())
    first = [composer.names[seat] for seat in sorted(table.outcome.places[0])]
    assert [one.name for one in said.podium if one.place == 1] == first
    assert said.won == (table.outcome.winner is not None)
    assert [one.name for one in said.podium if one.star] == (first if said.won else [])
    words = card_text(composer, said)
    assert said.title in words
    assert said.why in words
    assert all(name in " ".join(said.said) for name in composer.names.values())


def test_four_players_stand_on_the_podium_in_their_places():
    *_, table = tables(shelf()["parchis"], seed=3, looks=5, seats=4, most=3000)
    said = result_card(Composer(table, Viewer(None), KEY), reel_of(table), US)
    assert [one.place for one in said.podium] == [1, 2, 3, 4]


def test_the_turning_point_is_the_board_of_the_card_and_says_its_move():
    *_, table = tables(shelf()["parchis"], seed=3, looks=5)
    composer, story = Composer(table, Viewer(None), KEY), reel_of(table)
    scene = scene_after(composer, story, story.turning)
    assert scene.last[-1].before == story.told[story.turning].before.seen_by(None)
    number = story.moves.index(story.turning) + 1
    of = len(story.moves)
    said = result_card(composer, story, US).turning
    assert said == f"jugada decisiva · la {number} de {of}"
    ended = replace(story, turning=story.moves[-1])
    last = scene_after(composer, ended, ended.turning)
    assert last.seen == table.present.seen_by(None), "of the last move it is the end"
    assert result_card(composer, ended, US).turning.endswith(f"la {of} de {of}")
    assert result_card(composer, replace(story, turning=None), US).turning == ""


@pytest.mark.parametrize(("code", "day"), [("es", "22 nov 2026"), ("en", "Nov 22, 2026")])
def test_the_date_is_written_as_its_reader_does(code, day):
    *_, table = tables(shelf()["niya"], seed=2, looks=5)
    said = result_card(Composer(table, Viewer(None, code), KEY), reel_of(table), US)
    assert day in said.foot
    assert "2026-" not in said.foot


def test_a_name_keeps_its_own_direction_beside_another():
    *_, table = tables(shelf()["niya"], seed=2, looks=5)
    shift = Shift(1, "niya", 1, Rating(), Rating(mu=MEAN + 1))
    table = replace(table, shifts={0: shift}).called({1: PersonName(1, "محمد")})
    composer = Composer(table, Viewer(None), KEY)
    said = result_card(composer, reel_of(table), US)
    assert said.said == (f"{isolated(composer.names[1])} ganó a {isolated('محمد')}", "")
    (rated,) = [one for one in said.podium if one.figure]
    assert (rated.name, rated.figure, rated.change) == ("محمد", "1524?", 24)
    assert f"{isolated('محمد')} {shift_text(shift)}" in card_text(composer, said)


LINKS = (
    "https://t.me/ludoteca_bot",
    "https://discord.com/oauth2/authorize?client_id=1234567890123456789&scope=bot+applications"
    ".commands&permissions=309237713920",
    "https://juegos.example.org",
)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "number", [pytest.param(n, marks=[pytest.mark.slow] if n >= 6 else []) for n in range(50)]
)
def test_a_camera_reads_from_the_card_where_to_find_us(number):
    zxingcpp = pytest.importorskip("zxingcpp")
    link = LINKS[number % 3].replace("ludoteca", f"ludoteca{number}")
    theme = ("light", "dark", "contrast", "safe")[number % 4]
    board = Image.new("P", (800, 960))
    board.putpalette([90, 120, 200])
    podium = tuple(Standing(n + 1, name) for n, name in enumerate(("Ana", "محمد")))
    who = ("Ana ganó a", "محمد")
    said = Result("Bien", podium, who, "hoy", find="Juega", link=link, theme=theme, game="niya")
    shown = card(said, board, tall=number % 2 == 1).convert("RGB")
    if number % 5 == 0:  # as a chat shows it on a phone
        shown = shown.resize((720, shown.height * 720 // shown.width))
    (code,) = zxingcpp.read_barcodes(shown)
    assert code.text == link


def test_a_short_link_is_told_in_words_and_a_long_one_left_to_cameras():
    *_, table = tables(shelf()["niya"], seed=2, looks=5)
    composer, story = Composer(table, Viewer(None), KEY), reel_of(table)
    told = [result_card(composer, story, PublicAddress("Ludo", link)).find for link in LINKS]
    assert told[0] == "Juega en t.me/ludoteca_bot"
    assert told[1] == "Escanéalo y juega con Ludo"
    assert result_card(composer, story, PublicAddress("Ludo")).find == "Juega con Ludo"


@pytest.mark.slow
async def test_the_card_leads_to_the_chat_or_else_to_the_public_page(at, monkeypatch):
    code = await finished(at)
    led = []

    def drawn(said, board, *, tall):
        led.append(said.link)
        return card(said, board, tall=tall)

    monkeypatch.setattr("bot.commands.table.film_and_card.painted", drawn)
    page = FakeChat()
    page.everywhere = True
    page.public_address = lambda: PublicAddress(link="https://juegos.example.org")
    chats = at.facade.services.chats

    async def asked():
        kept = at.facade.services.keepsakes
        kept._posted.clear()
        kept._kept.clear()
        assert (await at.call(NEREA, "card", table=code)).good
        return led[-1]

    assert await asked() == ""
    chats["web"] = page
    assert await asked() == "https://juegos.example.org"
    at.chat.public_address = lambda: PublicAddress("@us", "https://t.me/us")
    assert await asked() == "https://t.me/us"


@pytest.mark.parametrize("key", sorted(shelf()))
def test_a_game_given_up_at_once_has_a_title_too(key):
    *_, table = tables(shelf()[key], seed=2, looks=2, most=1)
    given_up = Outcome("resign", (frozenset({1}), frozenset({0})))
    table = replace(table, outcome=given_up, status=ENDED)
    composer = Composer(table, Viewer(None), KEY)
    said = result_card(composer, reel_of(table), US)
    assert said.title
    assert said.podium[0].name == "Bruno"


def test_a_game_that_tells_of_no_feats_has_a_card_all_the_same():
    *_, table = tables(shelf()["niya"], seed=2, looks=5)
    table = replace(table, game=replace(table.game, titles=Titles()))
    composer = Composer(table, Viewer(None), KEY)
    assert result_card(composer, reel_of(table), US).title == "Bien jugada"
    drawn = replace(table, outcome=Outcome("draw", (frozenset({0, 1}),)))
    composer = Composer(drawn, Viewer(None), KEY)
    said = result_card(composer, reel_of(drawn), US)
    assert (said.title, said.won) == ("Nadie pudo con nadie", False)
    assert [(one.place, one.name) for one in said.podium] == [(1, "Nerea"), (1, "Bruno")]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("tall", [False, True])
@pytest.mark.parametrize("theme", ["light", "dark", "light-western"])
def test_the_card_holds_the_longest_words_and_further_lines(theme, tall):
    *_, table = tables(shelf()["cirya"], seed=2, looks=5)
    final = paint(Composer(table, Viewer(None), KEY).board().scene)
    said = Result(
        "W" * 60,
        tuple(Standing(n, "W" * 40, n == 1, "swan", "1812?", -120) for n in (1, 2, 3, 4)),
        ("W" * 60, "W " * 60),
        "W" * 90,
        "W" * 60,
        "W" * 60,
        "W" * 24,
        "W" * 60,
        LINKS[1],
        theme,
        game="cirya",
    )
    bare = replace(said, podium=(), said=("", ""), title="", called="", why="", find="", foot="")
    shown, ground = (card(one, final, tall=tall).convert("RGB") for one in (said, bare))
    for x in (2, shown.width - 3):
        column = (x, 0, x + 1, shown.height)
        gap = ImageChops.difference(shown.crop(column), ground.crop(column)).convert("L")
        assert gap.getextrema()[1] < 40  # Palettes differ a little; letters are white.


@pytest.mark.parametrize("key", sorted(shelf()))
@pytest.mark.parametrize("theme", ["light", "contrast"])
def test_each_side_has_a_piece_of_its_own_for_the_podium(key, theme):
    game, parts = shelf()[key], poster_parts(key)
    medals = [podium_piece(parts, theme, side, 52) for side in game.rules.sides]
    assert all(medal.width == 52 and medal.height <= 62 for medal in medals)
    assert len({medal.tobytes() for medal in medals}) == len(game.rules.sides)


@pytest.mark.slow
def test_the_podium_shows_what_everybody_played():
    podium = (Standing(1, "Nerea", star=True, side="gote"), Standing(2, "Bruno", side="sente"))
    final = paint(cover_scene(shelf()["shogi"], "light", "es"))
    said = Result("Mate", podium, ("Nerea ganó a Bruno", ""), "hoy", game="shogi")
    bare = tuple(replace(one, side="") for one in podium)
    others = (said, replace(said, podium=bare), replace(said, podium=podium[::-1]))
    at_names = (36, 200, 440, 420)
    shown = {card(one, final).convert("RGB").crop(at_names).tobytes() for one in others}
    assert len(shown) == len(others)
