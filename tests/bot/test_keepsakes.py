"""What is worth keeping of a finished game: who may have it, what it shows, and how often."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from PIL import Image, ImageSequence

from bot.commands.table.film_and_card import LARGEST, film_of
from bot.port import Poster, PublicAddress
from bot.presenters.table.composer import Composer
from bot.presenters.table.film import (
    CLOSING,
    COVER,
    FEWEST,
    FIRST,
    HEAVY,
    LAST,
    LONGEST_FILM,
    MOST_MOVES,
    SWINGS,
    TOLD,
    TURNING,
    WHOLE,
    changes_of_leader,
    reel_of,
    shots,
    views_of,
)
from bot.presenters.table.viewers import Viewer
from games.core import CHANCE
from games.core.advice import Weighed
from games.core.shelf import shelf
from games.parchis.moves import Stage
from games.storilljudhjorrayc.move_types import Attack, Salvo
from render.kit.motion import tweens
from render.kit.painters import paint
from render.parchis.layout import CASAS
from tests.fakes import Desk, person
from tests.played import cirya, tables

pytestmark = pytest.mark.sampled

NEREA, BRUNO, VERA = person("Nerea"), person("Bruno"), person("Vera")
US = PublicAddress("Ludoteca")

KEY = b"k" * 32
COLUMN = 238
"""The room for the word of a number on a card."""


async def finished(at: Desk) -> str:
    """A game of Cirya in the group that is over; answers its code."""
    return await cirya(at, "e5 a1 b1 e4 c1 e3 d1 e2 e1")


# -- asking for it ------------------------------------------------------------------------


@pytest.mark.slow
async def test_a_finished_game_can_be_watched_again_by_anybody_there(at):
    code = await finished(at)
    board = next(m for m in at.chat.messages.values() if m.screen.table == code)
    answer = await at.press(VERA, board, "Verla otra vez")
    assert isinstance(answer, Poster)
    film = Image.open(io.BytesIO(answer.file.data))
    assert film.format == "GIF"
    assert film.n_frames >= 2 * 9
    assert answer.file.name == f"ludoteca-{code}.gif"
    assert "gana" in answer.said.lower() or "ganado" in answer.said.lower()
    assert answer.alt


@pytest.mark.slow
async def test_the_last_moves_alone_may_be_asked_for(at):
    code = await finished(at)
    answer = await at.call(NEREA, "replay", table=code, moves="3")
    assert answer.said.endswith("Las últimas 3 jugadas.")


@pytest.mark.slow
@pytest.mark.parametrize("moves", ["0", "101", "x", "-3", "²"])
async def test_how_many_must_be_a_number_that_can_be_shown(at, moves):
    code = await finished(at)
    answer = await at.call(NEREA, "replay", table=code, moves=moves)
    assert not answer.good
    assert answer.said == "Escribe cuántas jugadas quieres ver, de 1 a 100."


async def test_while_they_play_there_is_nothing_to_keep(at):
    code = await cirya(at, "e5 a1 b1")
    answer = await at.call(NEREA, "replay", table=code)
    assert not answer.good
    assert answer.said == "Eso llega cuando acabe la partida."


async def test_where_many_read_the_same_is_not_posted_twice_in_a_row(at):
    code = await finished(at)
    assert (await at.call(NEREA, "replay", table=code)).good
    again = await at.call(BRUNO, "replay", table=code)
    assert not again.good
    assert again.said == "Ya está aquí, un poco más arriba."
    assert (await at.call(BRUNO, "replay", table=code, moves="3")).good


@pytest.mark.slow
async def test_the_same_film_is_made_once(at, monkeypatch):
    code = await finished(at)
    first = await at.call(NEREA, "replay", table=code)
    monkeypatch.setattr(
        "bot.commands.table.film_and_card.film", lambda _: pytest.fail("made again")
    )
    at.facade.services.keepsakes._posted.clear()
    again = await at.call(BRUNO, "replay", table=code)
    assert again.file.data == first.file.data


# -- what it shows ------------------------------------------------------------------------


def plan(table, **asked):
    """The story of *table* and its film as everybody sees it."""
    found = reel_of(table, **asked)
    return found, list(shots(Composer(table, Viewer(None), KEY), found))


@pytest.mark.parametrize("key", sorted(shelf()))
def test_a_film_begins_before_the_first_move_and_ends_with_the_end(key):
    *_, table = tables(shelf()[key], seed=2, looks=5)
    found, shown = plan(table)
    assert len([one for one in shown if one.tweens]) == len(found.numbers) <= WHOLE
    assert shown[0].stands == FIRST
    assert shown[0].scene.last == ()
    assert shown[-1].stands == LAST
    assert shown[-1].scene.ended == table.outcome
    assert found.numbers[-1] == found.moves[-1]
    assert sum(one.stands * max(1, one.tweens) for one in shown) <= LONGEST_FILM + 100
    assert all(table.log[number].seat != CHANCE for number in found.numbers)


@pytest.mark.slow
@pytest.mark.parametrize("key", sorted(shelf()))
def test_every_move_is_seen_on_its_way_and_is_told_in_words(key):
    *_, table = tables(shelf()[key], seed=2, looks=5)
    found, shown = plan(table)
    feet = [one.foot.said for one in shown if one.tweens]
    places = [found.moves.index(number) + 1 for number in found.numbers]
    count = len(found.moves)
    heads = [said.partition(" · ")[0] for said in feet]
    assert heads == [
        f"{'Jugada decisiva, ' * (number == found.turning)}{place}/{count}"
        for number, place in zip(found.numbers, places, strict=True)
    ]
    shares = [one.foot.share for one in shown]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    for one in shown:
        if one.tweens:
            pictures = [picture.tobytes() for picture in tweens(one.scene, one.tweens)]
            # A shot stands where it goes until whoever it strikes falls.
            least = 2 if isinstance(one.scene.last[-1].move, Attack | Salvo) else one.tweens
            assert not pictures or least <= len(set(pictures)) <= len(pictures) == one.tweens


@pytest.mark.slow
def test_a_long_game_is_told_by_what_weighs_most_and_says_where_it_jumps():
    *_, table = tables(shelf()["parchis"], seed=3, looks=5, seats=4, most=3000)
    found, shown = plan(table)
    views = views_of(table, found.told, found.moves)
    heaviest = changes_of_leader(found.moves, views)[:SWINGS]
    assert len(heaviest) == SWINGS
    assert {*heaviest, found.turning, found.moves[-1]} <= set(found.numbers)
    assert len(found.numbers) == TOLD < len(found.moves)
    jumps = [one.foot.said for one in shown if "después" in one.foot.said]
    left = sum(int(said.split()[1]) for said in jumps)
    assert left == len(found.moves) - len(found.numbers)


@pytest.mark.slow
def test_heavy_moves_are_seen_longer_on_their_way():
    *_, table = tables(shelf()["parchis"], seed=3, looks=5, seats=4, most=3000)
    found, shown = plan(table)
    weight = table.game.speech.weight
    ways = [one.tweens for one in shown if one.tweens]
    for number, tweened in zip(found.numbers, ways, strict=True):
        one = found.told[number]
        heavy = weight(one.before, one.move) > 1
        assert not heavy or tweened == HEAVY


@pytest.mark.slow
def test_the_die_of_each_move_lies_in_the_casa_of_who_moves():
    *_, table = tables(shelf()["parchis"], seed=3, looks=5, seats=4, most=3000)
    _, shown = plan(table)
    looked_at = 0
    for one in shown:
        last = one.scene.last[-1] if one.scene.last else None
        if not one.scene.calm or one.tweens or last is None or last.before.stage is not Stage.DIE:
            continue
        looked_at += 1
        # While they played, the die lay there in the same way.
        then = replace(one.scene, seen=last.before, last=(), calm=False)
        assert casa(one.scene, last) == casa(then, last)
    assert looked_at >= 10


def casa(scene, last):
    """The pixels of the die in the casa of who moves."""
    x, y = CASAS[last.before.colours[last.before.turn]]
    box = (round(x) - 26, round(y) - 26, round(x) + 26, round(y) + 26)
    return paint(scene).convert("RGB").crop(box).tobytes()


def test_the_turning_point_is_lifted_out_and_marked_on_the_bar():
    *_, table = tables(shelf()["parchis"], seed=3, looks=5)
    found, shown = plan(table)
    gold = [one for one in shown if one.foot.gold]
    at = (found.moves.index(found.turning) + 1) / len(found.moves)
    assert [one.foot.share for one in gold] == [at, at, 1]
    assert {one.foot.turning for one in shown} == {at}


def test_of_many_moves_that_are_asked_for_the_last_ones_are_told():
    *_, table = tables(shelf()["parchis"], seed=3, looks=5)
    found, _ = plan(table, last=WHOLE)
    assert found.numbers == found.moves[-WHOLE:]
    found, _ = plan(table, last=MOST_MOVES)
    assert len(found.numbers) == TOLD
    assert found.numbers[0] == found.moves[-MOST_MOVES]


@pytest.mark.parametrize("key", ["niya", "parchis"])
def test_a_film_begins_with_who_plays_and_ends_with_the_way_to_us(key):
    zxingcpp = pytest.importorskip("zxingcpp")
    *_, table = tables(shelf()[key], seed=3, looks=5)
    composer = Composer(table, Viewer(None), KEY)
    link = "https://t.me/ludoteca_bot"
    data = film_of(composer, reel_of(table), None, None, PublicAddress("Ludoteca", link))
    with Image.open(io.BytesIO(data)) as shown:
        cover = shown.convert("RGB")
        assert shown.info["duration"] == 10 * COVER
        lasts = [frame.info["duration"] for frame in ImageSequence.Iterator(shown)]
        end = shown.convert("RGB")
    assert sum(lasts[-12:]) >= 10 * CLOSING - 400
    assert sum(lasts) <= 10 * LONGEST_FILM + 1000
    (code,) = zxingcpp.read_barcodes(end)
    assert code.text == link
    assert cover.getpixel((4, 4)) == end.getpixel((4, 4))


@pytest.mark.parametrize("key", sorted(shelf()))
def test_a_jump_stands_long_enough_to_be_read_and_the_turning_point_is_named(key):
    *_, table = tables(shelf()[key], seed=3, looks=5)
    shown = [*shots(Composer(table, Viewer(None), KEY), reel_of(table))]
    jumps = [one for one in shown if "después" in one.foot.said]
    assert all(one.stands >= 80 for one in jumps)
    turned = [one.foot.said for one in shown if one.foot.gold and one is not shown[-1]]
    assert [one for one in turned if one.startswith("Jugada decisiva, ")] == turned[:2]


@pytest.mark.slow
def test_a_film_that_would_be_too_large_is_told_in_fewer_moves(monkeypatch):
    *_, table = tables(shelf()["parchis"], seed=3, looks=5)
    composer = Composer(table, Viewer(None), KEY)
    found = reel_of(table)
    usual = film_of(composer, found, None, None, US)
    assert len(usual) <= LARGEST
    monkeypatch.setattr("bot.commands.table.film_and_card.LARGEST", len(usual) - 1)
    told = []
    monkeypatch.setattr(
        "bot.commands.table.film_and_card.shots",
        lambda composer, reel: told.append(len(reel.numbers)) or shots(composer, reel),
    )
    assert len(film_of(composer, found, None, None, US)) < len(usual)
    assert told == [TOLD, FEWEST]


def test_a_hidden_set_up_is_no_part_of_what_everybody_sees():
    for table in tables(shelf()["storilljudhjorrayc"], seed=2, looks=2, most=12):
        composer = Composer(table, Viewer(None), KEY)
        for shot in shots(composer, reel_of(table)):
            assert shot.scene.seen == shot.scene.seen.seen_by(None)


def test_the_dearest_mistake_of_the_loser_is_the_turning_point_where_it_is_known():
    *_, table = tables(shelf()["cirya"], seed=3, looks=5)
    (loser,) = table.outcome.places[-1]
    review = [
        Weighed(number, entry.seat, 0.5, 0.5 - lost, "a1")
        for number, (entry, lost) in enumerate(zip(table.log, [0.1, 0.2, 0.9, 1.0], strict=False))
    ]
    wanted = max((one for one in review if one.seat == loser), key=lambda one: one.lost)
    found = reel_of(table, found=review)
    assert found.turning == wanted.number
    held = [shot for shot in shots(Composer(table, Viewer(None), KEY), found) if not shot.tweens]
    assert [shot.stands for shot in held].index(TURNING) == wanted.number + 1


def test_without_a_review_the_game_turns_where_the_winner_was_last_behind():
    *_, table = tables(shelf()["parchis"], seed=3, looks=5)
    winner, glance = table.outcome.winner, table.game.computer.glance
    found = reel_of(table)
    assert found.turning is not None
    told = found.told
    after = [told[n].before for n in range(found.turning + 1, len(told))]
    assert all(glance(position, winner) > 0 for position in after if position.actors() != {CHANCE})


def test_a_game_that_nobody_won_has_no_turning_point():
    *_, table = tables(shelf()["niya"], seed=3, looks=5, most=3)
    assert reel_of(table).turning is None
