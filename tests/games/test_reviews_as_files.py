"""A review is written as a file, with its moments as comments and branches, and comes back."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

import pytest

from bot.presenters.school.analysis import Reviewed, moments, review_forms
from bot.presenters.table.composer import Composer
from bot.presenters.table.record_and_draw_proof import record_of, written_as
from bot.presenters.table.viewers import Viewer
from bot.service.computers.worker import Allowance
from bot.session.opened_file import table_of_file
from games.core import Record, advice
from games.core.annotations import Branch, annotations_of, branch_plays, branches_of
from games.core.recognition import read_file
from games.core.shelf import shelf
from tests.games.random_walks import walk

KEY = b"k" * 32
NODES = 12
"""So many positions are looked at for a decision: moments need no good player."""


def reviewed(game, seed: int, plies: int) -> Reviewed:
    """The review of a random game, by a computer that hardly thinks."""
    rng, setting = random.Random(seed), game.setting()
    log = tuple(entry for _, entry in walk(game, setting, rng, plies) if entry)
    record = Record(game.key, setting.sides, setting.options, setting.first, log)
    text = record.text()
    table = table_of_file("1ABCDE", read_file(text, shelf()), datetime(2026, 3, 1, tzinfo=UTC))
    share = lambda _: Allowance(float("inf"), NODES)  # noqa: E731
    found = tuple(advice.weighing(game, game.start(setting), log, share, rng.randrange))
    if not any(moments(found, one) for one in range(len(setting.sides))):
        # So little thinking finds nothing: what was played otherwise counts as a mistake.
        found = tuple(
            replace(one, before=1.0, after=-1.0) if log[one.number].text != one.best else one
            for one in found
        )
    return Reviewed(Composer(table, Viewer(), KEY), 0, found)


def comes_back(one: Reviewed, form: str) -> int:
    """How many branches of the review were read again from the file in this *form*."""
    table, told = one.composer.table, one.write_record()
    file = written_as(table, form, told)
    assert file is not None
    again = read_file(file.data.decode(), shelf())
    assert again.refusal is None, file.data.decode()
    assert [entry.text for entry in again.record.log] == [entry.text for entry in told.log]
    assert sorted(branches_of(again.record), key=repr) == sorted(branches_of(told), key=repr)
    said = {at: " ".join(text.split()) for at, text in annotations_of(told).items()}
    assert {at: " ".join(text.split()) for at, text in annotations_of(again.record).items()} == said
    # What is opened again and written again says the same.
    table = table_of_file("1ABCDF", again, table.created)
    assert record_of(table).tags == again.record.tags
    assert written_as(table, form).data == file.data or form != "record"
    return len(branches_of(again.record))


@pytest.mark.parametrize("game", shelf().values(), ids=shelf())
def test_a_review_comes_back_with_its_comments_and_branches(game):
    one = reviewed(game, 5, 120 if game.key == "parchis" else 30)
    worst = [moment for seat in range(4) for moment in moments(one.found, seat)]
    assert worst
    for form in review_forms(game):
        assert comes_back(one, form) == len(worst)
    for _, branch, _, moves in branch_plays(game, one.write_record()):
        assert moves, branch
        assert len(moves) == len(branch.moves)
    first = worst[0].weighed
    assert any(
        branch.after == first.number and branch.moves[0] == first.best
        for branch in branches_of(one.write_record())
    )


@pytest.mark.slow
def test_100_reviews_come_back_with_their_branches():
    count = 0
    for seed in range(20):
        for game in shelf().values():
            one = reviewed(game, seed, 24)
            count += sum(map(partial(comes_back, one), review_forms(game)))
    assert count > 300


def test_a_second_review_of_an_opened_file_keeps_what_stood_beside_the_moves():
    one = reviewed(shelf()["cirya"], 7, 20)
    again = read_file(
        written_as(one.composer.table, "ptn", one.write_record()).data.decode(), shelf()
    )
    table = table_of_file("1ABCDF", again, one.composer.table.created)
    twice = Reviewed(Composer(table, Viewer(), KEY), 0, one.found).write_record()
    assert len(branches_of(twice)) == 2 * len(branches_of(again.record))
    assert all(text in twice.tags[key] for key, text in again.record.tags.items())


def test_a_blank_within_a_move_is_kept_in_a_branch():
    told = Record("storilljudhjorrayc", (), tags={"Branch1": "0 2 T3_a3-a4 swap_PD_JM"})
    assert branches_of(told) == (Branch(0, 2, ("T3 a3-a4", "swap PD JM")),)
