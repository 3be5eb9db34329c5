"""``ludoteca person``: what is kept of somebody, for who runs the bot."""

import json

from bot.app.main import ID_FORMS
from tests.command_line import ludoteca
from tests.databases import database_in
from tests.standing.test_ratings_command import play

__all__ = ["ludoteca"]


def test_it_tells_what_is_kept_of_a_person_their_ratings_too(ludoteca, tmp_path, monkeypatch):
    monkeypatch.setitem(ID_FORMS, "fake", ".+")
    play(tmp_path)
    url = database_in(tmp_path)
    done = ludoteca(tmp_path, "person", "fake", "id-1", DATABASE_URL=url)
    kept = json.loads(done.stdout)
    assert done.returncode == 0
    assert kept["person"][0]["name"] == "Person 1"
    assert [row["pool"] for row in kept["rating"]] == ["niya"]
    assert len(kept["rating_change"]) == 2
    assert "Person 0" not in done.stdout


def test_nobody_by_that_id_gets_one_sentence(ludoteca, tmp_path, monkeypatch):
    monkeypatch.setitem(ID_FORMS, "fake", ".+")
    play(tmp_path)
    url = database_in(tmp_path)
    done = ludoteca(tmp_path, "person", "fake", "nobody", DATABASE_URL=url)
    assert (done.returncode, done.stderr) == (2, "Nobody is known as nobody on fake.\n")
