"""The card of a finished game: what it says, how it is drawn, and where it leads."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from PIL import Image

from bot.port import Poster, PublicAddress
from bot.presenters.game_poster import cover_scene
from bot.presenters.table.composer import Composer
from bot.presenters.table.film import reel_of
from bot.presenters.table.result_card import card_text, result_card, turning_scene
from bot.presenters.table.status import shift_text
from bot.presenters.table.viewers import Viewer
from bot.session.table import ENDED
from bot.standing.journal import Shift
from bot.standing.rating import MEAN, Rating
from games.core import Outcome, Titles
from games.core.shelf import shelf
from render.kit import fonts
from render.kit.bidi import isolated
from render.kit.painters import paint
from render.kit.posters import poster_parts
from render.result_card import MEDAL, SIDE, Result, Standing, card
from storage.records import PersonName
from tests.bot.test_keepsakes import KEY, NEREA, VERA, finished
from tests.fakes import FakeChat
from tests.played import tables

COLUMN = 300
"""The room for the word of a number on a card."""

US = PublicAddress("Ludoteca", "https://t.me/ludoteca_bot")


async def test_a_finished_game_can_be_had_as_a_card(at):
    code = await finished(at)
    board = next(m for m in at.chat.messages.values() if m.screen.table == code)
    answer = await at.press(VERA, board, "Para compartir")
    assert isinstance(answer, Poster)
    shown = Image.open(io.BytesIO(answer.file.data))
    assert (shown.format, shown.size) == ("PNG", (1080, 1080))
    assert len(answer.file.data) <= 150_000
    assert "; jugadas: 9, " in answer.alt
    again = await at.press(NEREA, board, "Para compartir")
    assert again.said == "Ya está aquí, un poco más arriba."


@pytest.mark.slow
async def test_the_same_card_may_be_had_tall_for_stories(at):
    code = await finished(at)
    board = next(m for m in at.chat.messages.values() if m.screen.table == code)
    answer = await at.press(VERA, board, "Para historias")
    shown = Image.open(io.BytesIO(answer.file.data))
    assert shown.size == (1080, 1920)
    assert len(answer.file.data) <= 200_000


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
    assert len(said.numbers) == 3
    assert all(number.isdigit() and int(number) >= 0 for number, _ in said.numbers)
    words = card_text(composer, said)
    assert all(what in words and number in words for number, what in said.numbers)
    assert words.startswith(f"{said.title}: ")
    for _, what in said.numbers:
        assert fonts.fitting_text(what, 26, COLUMN) == what, "a word of the card is cut"
    assert fonts.width(said.title, 30) < 632


def test_four_players_stand_on_the_podium_in_their_places():
    *_, table = tables(shelf()["parchis"], seed=3, looks=5, seats=4, most=3000)
    said = result_card(Composer(table, Viewer(None), KEY), reel_of(table), US)
    assert [one.place for one in said.podium] == [1, 2, 3, 4]


def test_the_turning_point_stands_beside_the_end_and_says_its_move():
    *_, table = tables(shelf()["parchis"], seed=3, looks=5)
    composer, story = Composer(table, Viewer(None), KEY), reel_of(table)
    scene = turning_scene(composer, story)
    assert scene.last[-1].before == story.told[story.turning].before.seen_by(None)
    number = story.moves.index(story.turning) + 1
    assert result_card(composer, story, US).turning == f"Jugada decisiva: la {number}"
    ended = replace(story, turning=story.moves[-1])
    assert turning_scene(composer, ended) is None
    assert result_card(composer, ended, US).turning == ""


@pytest.mark.parametrize(("code", "day"), [("es", "22 de noviembre de 2026"), ("en", "2026")])
def test_the_date_is_written_as_its_reader_does(code, day):
    *_, table = tables(shelf()["niya"], seed=2, looks=5)
    said = result_card(Composer(table, Viewer(None, code), KEY), reel_of(table), US)
    assert day in said.foot
    assert "2026-" not in said.foot


def test_a_name_keeps_its_own_direction_beside_its_rating():
    *_, table = tables(shelf()["niya"], seed=2, looks=5)
    shift = Shift(1, "niya", 1, Rating(), Rating(mu=MEAN + 1))
    table = replace(table, shifts={0: shift}).called({1: PersonName(1, "محمد")})
    (note,) = result_card(Composer(table, Viewer(None), KEY), reel_of(table), US).notes
    assert note == f"{isolated('محمد')} {shift_text(shift)}"


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
    numbers = (("12", "jugadas"), ("3", "minutos"), ("4", "golpes"))
    podium = tuple(Standing(n + 1, name) for n, name in enumerate(("Ana", "محمد")))
    said = Result("Bien", podium, numbers, "Niya", find="Juega", link=link, theme=theme)
    shown = card(said, board, board, tall=number % 2 == 1).convert("RGB")
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

    def drawn(said, *boards, tall):
        led.append(said.link)
        return card(said, *boards, tall=tall)

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


def test_a_line_of_a_card_covers_no_sign_below_the_letters_of_the_line_above():
    """Without its two dots the last letter of «علي» is another one."""
    two = (Standing(1, "علي"), Standing(2, "Bo"))
    shown = Image.new("P", (800, 900))
    shown.putpalette(bytes(768))

    def drawn(*notes: str) -> bytes:
        said = Result("Tablas", two, (), "", notes=notes, won=False)
        line = card(said, shown).convert("L").crop((200, 257, SIDE - 200, 307))
        return line.point([0] * 128 + [255] * 128).tobytes()

    assert drawn("علي") == drawn("علي", "." * 20)
    assert drawn("علي") != drawn("على")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("tall", [False, True])
@pytest.mark.parametrize("theme", ["light", "dark", "light-western"])
def test_the_card_holds_the_longest_words_and_further_lines(theme, tall):
    *_, table = tables(shelf()["cirya"], seed=2, looks=5)
    final = paint(Composer(table, Viewer(None), KEY).board().scene)
    said = Result(
        "W" * 60,
        tuple(Standing(n, "W" * 40) for n in (1, 2, 3, 4)),
        (("12345", "W" * 40),) * 3,
        "W" * 90,
        turning="W" * 60,
        notes=("W" * 90, "W" * 90),
        find="W" * 60,
        link=LINKS[1],
        theme=theme,
    )
    shown = card(said, final, final, tall=tall).convert("RGB")
    ground = shown.getpixel((0, 0))
    for x in (2, shown.width - 3):
        assert {shown.getpixel((x, y)) for y in range(shown.height)} == {ground}
    for y in (2, shown.height - 3):
        assert {shown.getpixel((x, y)) for x in range(shown.width)} == {ground}


@pytest.mark.parametrize("key", sorted(shelf()))
@pytest.mark.parametrize("theme", ["light", "contrast"])
def test_each_side_has_a_piece_of_its_own_for_the_podium(key, theme):
    game, parts = shelf()[key], poster_parts(key)
    medals = [parts.podium_piece(theme, side, MEDAL) for side in game.rules.sides]
    assert all(medal.width == MEDAL and medal.height <= 62 for medal in medals)
    assert len({medal.tobytes() for medal in medals}) == len(game.rules.sides)


@pytest.mark.slow
def test_the_podium_shows_what_everybody_played():
    podium = (Standing(1, "Nerea", star=True, side="gote"), Standing(2, "Bruno", side="sente"))
    final = paint(cover_scene(shelf()["shogi"], "light", "es"))
    said = Result("Mate", podium, (("12", "jugadas"),), "Shogi", game="shogi")
    shown, bare = (card(one, final).convert("RGB") for one in (said, replace(said, game="")))
    at_names = (100, 128, 170, 252)
    assert shown.crop(at_names).tobytes() != bare.crop(at_names).tobytes()
    other = card(replace(said, podium=podium[::-1]), final).convert("RGB")
    assert shown.crop(at_names).tobytes() != other.crop(at_names).tobytes()
