"""The covers of the shelf: every game shows a moment in the middle of its demo."""

import threading

import pytest

from bot.presenters.game_poster import cover_scene, poster
from bot.texts import language
from games.core import phrase
from games.core.move_parsing import demo_position
from games.core.shelf import shelf
from render.kit.painters import paint
from render.kit.sprite_cache import STORE
from tests.fakes import desk, person


@pytest.mark.parametrize("key", sorted(shelf()))
def test_the_cover_shows_a_game_that_goes_on_as_everybody_may_see_it(key):
    game = shelf()[key]
    scene = cover_scene(game, "light", "es")
    begun = demo_position(game, game.setting(game.rules.solo), played=False)
    assert scene.seen == scene.seen.seen_by(None)
    assert scene.seen != begun.seen_by(None)
    assert scene.seen.outcome() is None
    assert paint(scene).width == 800


@pytest.mark.parametrize("key", sorted(shelf()))
def test_the_cover_is_the_same_at_every_start(key):
    game = shelf()[key]
    assert cover_scene(game, "dark", "en") == cover_scene(game, "dark", "en")


@pytest.mark.parametrize("key", sorted(shelf()))
def test_the_poster_names_the_game_beside_its_board_and_is_the_same_at_every_start(key):
    shown = poster(shelf()[key], "dark", "en")
    assert shown == poster(shelf()[key], "dark", "en")
    assert shown.board.calm
    assert shown.title == language("en").say(phrase(f"{key}.name"))


async def test_an_invitation_and_the_sheet_before_it_show_the_poster_of_their_game(tmp_path):
    async with desk(tmp_path) as at:
        gallery = at.facade.services.gallery
        gallery.picture(poster(shelf()["niya"], "light", "es"))
        sheet = at.card(await at.call(person("Ana"), "play"))
        assert sheet.screen.poster is None
        sheet = at.card(await at.press(person("Ana"), sheet, "Niya · 2 jugadores, 10 min"))
        assert sheet.screen.poster.title == "Niya"
        assert sheet.picture == gallery.picture(sheet.screen.poster)
        assert "Cartel de Niya" in sheet.screen.alt
        await at.call(person("Ana"), "play", game="shogi")
        (invitation,) = at.chat.messages.values()
        assert invitation.screen.poster.title == "Shogi"
        assert invitation.picture == gallery.picture(invitation.screen.poster)
        await at.press(person("Bruno"), invitation, "Sentarme")
        started = at.chat.messages[invitation.id]
        assert started.screen.poster is None
        assert started.picture != invitation.picture


async def test_a_game_without_parts_for_a_poster_is_invited_to_in_words(tmp_path, monkeypatch):
    monkeypatch.setattr("bot.presenters.game_poster.poster_parts", lambda _: None)
    async with desk(tmp_path) as at:
        await at.call(person("Ana"), "play", game="shogi")
        (invitation,) = at.chat.messages.values()
        assert (invitation.screen.poster, invitation.picture) == (None, None)


async def test_a_sheet_does_not_wait_for_its_poster(tmp_path, monkeypatch):
    going_on = threading.Event()
    # A poster that was painted before would be there at once.
    monkeypatch.setattr(STORE, "get", lambda _: None)
    monkeypatch.setattr("render.kit.painters.paint", lambda _: going_on.wait(30))
    async with desk(tmp_path) as at:
        sheet = at.card(await at.call(person("Ana"), "play"))
        sheet = at.card(await at.press(person("Ana"), sheet, "Niya · 2 jugadores, 10 min"))
        going_on.set()
        assert sheet.screen.headline
        assert (sheet.screen.poster, sheet.screen.alt, sheet.picture) == (None, "", None)
