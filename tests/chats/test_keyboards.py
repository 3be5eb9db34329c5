"""Every screen of every game as the chats lay it out: their limits, and boards of buttons."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from statistics import median
from typing import Any

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st
from telegram import InlineKeyboardButton

from bot.chats.discord.message_formatting import MOST_COMPONENTS, button_rows, layout
from bot.chats.telegram.message_formatting import STYLES, Key, keyboard
from bot.port import Screen
from bot.presenters.button_codes import LONGEST_CODE
from bot.presenters.table.composer import Composer
from bot.presenters.table.keyboard import BLANK, page_of
from bot.presenters.table.viewers import Viewer
from bot.session.events import OfferKind
from bot.session.table import PLAYING, Offer, Player, Table
from bot.texts import LANGUAGES
from games.core import CHANCE, Game, Move, Position, Seat, Setting
from games.core.shelf import find_game, shelf
from tests.chat_capabilities import CAPABILITIES
from tests.fakes import Desk, desk, person
from tests.games.random_walks import random_setting, walk

EVERY = pytest.mark.parametrize("game", shelf().values(), ids=lambda game: game.key)
SEEDS = st.integers(0, 2**32)
MOST_OF_A_KEYBOARD = 8192
"""Bytes of a board's buttons on Telegram, with room for those that lead elsewhere."""

LATE = 36**4 - 1
"""A table's turn after more moves than any game has."""


@pytest.mark.parametrize("style", [None, *STYLES.values()])
def test_a_button_is_written_as_telegram_s_library_writes_it(style: str | None) -> None:
    told = {"text": "M2", "callback_data": "m.K7", "style": style}
    assert Key(**told).to_dict() == InlineKeyboardButton(**told).to_dict()


def table_at(game: Game, position: Position[Move], setting: Setting, **more: Any) -> Table:
    """A table of people who play *game* and have come to *position*, with every offer open."""
    now = datetime(2026, 11, 22, tzinfo=UTC)
    kinds = [OfferKind.UNDO, *([OfferKind.DRAW] if game.rules.draw_by_agreement else [])]
    told = {"offers": tuple(Offer(kind, 0, frozenset({0})) for kind in kinds), **more}
    return Table(
        code="ABCDEF",
        game=game,
        options=setting.options,
        begins="",
        host=1,
        players=tuple(
            Player(n, f"Persona {n}", side=side) for n, side in enumerate(setting.sides, 1)
        ),
        commitment="0" * 64,
        created=now,
        touched=now,
        version=LATE,
        status=PLAYING,
        position=position,
        turns=(LATE,) * len(setting.sides),
        **told,
    )


def screens(table: Table, seat: Seat, rng: random.Random, platform: str) -> Iterator[Screen]:
    """Every screen on the way through the menus of *seat* to a move, for all and for him alone."""
    space = CAPABILITIES[platform].space
    for own in (None, seat):
        for language in LANGUAGES:
            viewer = Viewer(own, language, personal=own is not None, space=space)
            composer = Composer(table, viewer, b"key")
            yield composer.more(seat, board=True)
            yield composer.more(seat, board=False)
            path: tuple[str, ...] = ()
            while True:
                yield composer.board(path)
                page = page_of(table.game, table.present, seat, path, space)
                if page.turn is not None and page.turn not in (path, (*page.path, "»0")):
                    path = page.turn
                    continue
                chosen = rng.choice(page.choices)
                if chosen.plays:
                    break
                path = chosen.path


def tables(game: Game, seed: int) -> Iterator[tuple[Table, Seat]]:
    """A table somewhere in a random game, for each seat that may act."""
    rng = random.Random(seed)
    setting = random_setting(game, rng)
    *_, (position, _) = walk(game, setting, rng, rng.randrange(70))
    for seat in position.actors() - {CHANCE}:
        yield table_at(game, position, setting), seat


def shown_by_discord(screen: Screen) -> tuple[int, list[str]]:
    """How many components the message has, and what can be pressed or chosen."""
    parts = list(layout(screen, "x.png").walk_children())
    codes = [p.custom_id for p in parts if isinstance(p, discord.ui.Button) and not p.disabled]
    for part in parts:
        if isinstance(part, discord.ui.Select):
            assert len(part.options) <= 25
            codes += [option.value for option in part.options]
    return len(parts), [code for code in codes if code is not None]


@pytest.mark.sampled
@EVERY
@given(seed=SEEDS)
async def test_every_screen_is_at_most_forty_components_on_discord(game, seed):
    rng = random.Random(seed)
    for table, seat in tables(game, seed):
        for screen in screens(table, seat, rng, "discord"):
            count, codes = shown_by_discord(screen)
            assert count <= MOST_COMPONENTS
            real = [b.code for row in screen.rows for b in row if b.style != "blank"]
            # The same code twice is one button.
            assert set(codes) == set(real)


@pytest.mark.slow
@EVERY
@given(seed=SEEDS)
def test_every_screen_is_at_most_a_hundred_buttons_eight_a_row_on_telegram(game, seed):
    rng = random.Random(seed)
    for table, seat in tables(game, seed):
        for screen in screens(table, seat, rng, "telegram"):
            markup = keyboard(screen.rows)
            # Telegram takes about 10 KB (https://github.com/tginfo/Telegram-Limits/issues/187).
            assert markup is None or len(markup.to_json().encode()) < MOST_OF_A_KEYBOARD
            assert markup is not None
            rows = markup.inline_keyboard
            assert all(len(row) <= 8 for row in rows)
            shown = [button.callback_data for row in rows for button in row]
            assert shown == [button.code for row in screen.rows for button in row]
            assert len(shown) <= 100
            assert all(len(str(code).encode()) <= LONGEST_CODE for code in shown)


@pytest.mark.sampled(1)
@EVERY
@given(seed=SEEDS)
@pytest.mark.parametrize("platform", ["discord", "telegram"])
def test_a_board_that_fits_is_laid_out_as_it_is_with_blanks_for_the_rest(game, platform, seed):
    for table, seat in tables(game, seed):
        space = CAPABILITIES[platform].space
        grid, page = (game.menus.grid(table.present), page_of(game, table.present, seat, (), space))
        if grid is None or len(grid) > space.widest or page.path:
            assert not page.grid
            continue
        rows = Composer(table, Viewer(space=space), b"key").board().rows[: len(grid)]
        for cells, row in zip(grid, rows, strict=True):
            assert [button.step for button in row if button.step] == [
                cell for cell in cells if cell in {choice.step for choice in page.choices}
            ]
            assert len(row) == len(cells)
            for cell, button in zip(cells, row, strict=True):
                assert button.step == cell or (button.label, button.style) == (BLANK, "blank")
        assert page.turn is None


def fresh(game: str, platform: str, **options: str) -> Screen:
    """The board of *game* before the first move."""
    found = find_game(game)
    setting = found.setting(options, found.rules.seats[0], 0)
    table = table_at(found, found.start(setting), setting, offers=())
    return Composer(table, Viewer(space=CAPABILITIES[platform].space), b"key").board()


@pytest.mark.parametrize("platform", ["discord", "telegram"])
async def test_no_square_of_a_five_by_five_board_hides_behind_a_page(platform):
    rows = fresh("cirya", platform, size="5").rows
    assert [[button.label for button in row] for row in rows[:5]] == [
        [f"{file}{rank}" for file in "abcde"] for rank in "54321"
    ]
    assert not any("»" in button.label for row in rows for button in row)


def test_a_six_by_six_board_is_one_page_on_telegram_and_two_on_discord():
    six = fresh("cirya", "telegram", size="6").rows
    assert [len(row) for row in six[:6]] == [6] * 6
    assert any("»" in b.label for row in fresh("cirya", "discord", size="6").rows for b in row)


@pytest.mark.parametrize("platform", ["discord", "telegram"])
def test_niyas_buttons_bear_the_tags_of_the_picture_four_a_row(platform):
    rows = fresh_niya(platform).rows
    assert [len(row) for row in rows[:4]] == [4] * 4
    labels = {button.label for row in rows[:4] for button in row}
    tags = {f"{colour}{number}" for colour in "MOLV" for number in "1234"}
    assert labels <= tags | {BLANK}
    assert len(labels - {BLANK}) == 12


def fresh_niya(platform: str) -> Screen:
    game, rng = find_game("niya"), random.Random(1)
    setting = game.setting({}, 2, 0)
    *_, (position, _) = walk(game, setting, rng, 16)
    table = table_at(game, position, setting, offers=())
    return Composer(table, Viewer(space=CAPABILITIES[platform].space), b"key").board()


def test_what_is_no_piece_stands_last_and_looks_different():
    """Storilljuðjorrayc: nobody ends his set-up or passes by pressing the first button he sees."""
    rows = fresh("storilljudhjorrayc", "discord").rows
    # Both arrange at once, so that the shared message asks nobody.
    assert not any(button.style == "final" for row in rows for button in row)
    game = find_game("storilljudhjorrayc")
    setting = game.setting({}, 2, 0)
    table = table_at(game, game.start(setting), setting, offers=())
    own = Composer(table, Viewer(0, "es", personal=True), b"key").board()
    choices = [button for row in own.rows for button in row if button.style in ("move", "final")]
    assert [button.label for button in choices if button.style == "final"] == [choices[-1].label]
    assert choices[-1].label == "¡Listo! Me quedo así"
    assert choices[0].label == "A rey"


# ---------------------------------------------------------------- a blank that is pressed

NEREA, BRUNO = person("Nerea"), person("Bruno")


@pytest.fixture
async def at(tmp_path):
    async with desk(tmp_path) as opened:
        yield opened


async def test_a_blank_says_one_polite_sentence_and_changes_nothing(at: Desk):
    await at.call(NEREA, "play", game="cirya", opponent=BRUNO)
    (message,) = at.chat.messages.values()
    await at.press(BRUNO, message, "Aceptar")
    code = message.screen.table
    for _ in range(2):
        found = await at.facade.services.tables.get(code)
        (seat,) = found.actors()
        mover = NEREA if found.players[seat].name == "Nerea" else BRUNO
        other = BRUNO if mover is NEREA else NEREA
        board = at.chat.board(code)
        blanks = [b for row in board.screen.rows for b in row if b.style == "blank"]
        if not blanks:
            await at.press(mover, board, code=board.moves[12].code)
    edits, version = board.edits, found.version
    said = await at.press(mover, board, code=blanks[0].code)
    assert said.said == "Esa casilla no se puede elegir ahora."
    assert said.good
    assert at.chat.board(code).edits == edits
    refused = await at.press(other, board, code=blanks[0].code)
    assert not refused.good
    assert (await at.facade.services.tables.get(code)).version == version


@pytest.mark.sampled
@pytest.mark.parametrize("key", ["shogi", "storilljudhjorrayc"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_crowd_of_pieces_is_hardly_taller_than_the_board_on_discord(key, language):
    game, heights = find_game(key), []
    for seed in range(3):
        rng = random.Random(seed)
        setting = random_setting(game, rng)
        for number, (position, _) in enumerate(walk(game, setting, rng, 60)):
            if number % 10 == 0 and position.actors() - {CHANCE}:
                table = table_at(game, position, setting, offers=())
                screen = Composer(table, Viewer(language=language), b"key").board()
                heights.append(len(button_rows(screen.rows, MOST_COMPONENTS - 3)))
    assert max(heights) <= 10
    assert median(heights) <= 9


def test_what_may_be_said_shares_a_row_and_a_half_made_choice_keeps_the_rest():
    game = find_game("cirya")
    rng = random.Random(1)
    setting = random_setting(game, rng)
    for position, _ in walk(game, setting, rng, 60):
        said = partial(game.menus.timely, position)
        seats = [
            seat
            for seat in position.actors()
            if sum(said(seat, aside) for aside in position.asides(seat)) > 1
        ]
        if not seats:
            continue
        table = table_at(game, position, setting, offers=())
        composer = Composer(table, Viewer(seats[0], "es", personal=True), b"key")
        rows = [[one.label for one in row] for row in composer.board().rows]
        assert ["¡Londë!", "¡Londetúrë!"] in rows
        page = page_of(game, table.present, seats[0], (), CAPABILITIES["discord"].space)
        (path, *_) = [one.path for one in page.choices if not one.plays]
        last = [one.label for one in composer.board(path).rows[-1]]
        assert last == ["Volver", "En palabras", "Más"]
        return
    pytest.fail("nobody could say anything")
