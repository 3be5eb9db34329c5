"""Positions and moves of every game go to other processes, also those of the faster build."""

import pickle

import pytest

from games.core.shelf import shelf
from tests.games.computer_choices import positions


@pytest.mark.parametrize("key", shelf())
def test_a_position_and_its_moves_survive_a_pickle(key):
    game = shelf()[key]
    for seed in range(4):
        position = positions(game, seed)
        said = position, list(position.legal_moves(min(position.actors())))
        assert pickle.loads(pickle.dumps(said)) == said
