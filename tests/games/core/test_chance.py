"""Draws: fixed by secret, table, words and number; fair; checked by anybody."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from dataclasses import replace

import pytest

from games.core import CHANCE, Entry, Record, RuleError
from games.core.chance import Draws, commitment, draw, public_draws
from games.core.record import result_of
from games.core.record_verification import provable, verify
from tests import toy

SECRET = bytes([1]) * 32
VECTOR = [3, 4, 3, 5, 0, 4, 1, 5, 1, 5, 5, 1]


def test_the_vector_of_the_docstring():
    assert [draw(SECRET, "TEST", "hola", number, 6) for number in range(12)] == VECTOR


def test_a_draw_is_the_first_accepted_byte_of_the_hmac():
    message = b"ludoteca-dice-1|TEST|3|hola|0"
    digest = hmac.new(SECRET, message, hashlib.sha256).digest()
    first = next(byte for byte in digest if byte < 252)
    assert draw(SECRET, "TEST", "hola", 3, 6) == first % 6


def test_the_commitment_hides_nothing_but_the_secret():
    assert commitment(SECRET) == hashlib.sha256(b"ludoteca-dice-1|" + SECRET).hexdigest()


def test_words_table_and_number_all_change_the_draws():
    base = [draw(SECRET, "TEST", "hola", n, 256) for n in range(8)]
    assert base != [draw(SECRET, "TEST", "adios", n, 256) for n in range(8)]
    assert base != [draw(SECRET, "TABLE", "hola", n, 256) for n in range(8)]
    assert len(set(base)) > 1


@pytest.mark.parametrize("cases", [0, 257, -1])
def test_a_draw_of_impossibly_many_cases_is_a_fault(cases):
    with pytest.raises(ValueError, match="cases"):
        draw(SECRET, "TEST", "", 0, cases)


@pytest.mark.parametrize("cases", [2, 6, 7, 16, 200])
def test_every_case_is_equally_likely(cases):
    """Chi-square stays below its 99.99 % point, taken as mean plus five deviations."""
    draws = 300 * cases
    counts = Counter(draw(SECRET, "TEST", "", n, cases) for n in range(draws))
    assert set(counts) == set(range(cases))
    chi = sum((count - 300) ** 2 / 300 for count in counts.values())
    assert chi < cases - 1 + 5 * (2 * (cases - 1)) ** 0.5


def test_numbers_are_never_used_again():
    draws = Draws(SECRET, "TEST", "hola", 3)
    assert draws(6) == (3, VECTOR[3])
    assert draws(6) == (4, VECTOR[4])
    assert public_draws()(6)[0] == 0


def played() -> Record:
    """A finished game of the toy with honest draws."""
    game = toy.GAME
    setting = game.setting({"heap": "9"})
    draws = Draws(SECRET, "TEST", "hola", 0)
    position, log = game.start(setting), []
    while position.actors():
        seat = min(position.actors())
        move = position.legal_moves(seat)[0]
        number = None
        if seat == CHANCE:
            number, case = draws(6)
            move = position.legal_moves(CHANCE)[case]
        log.append(Entry(seat, toy.GAME.notation.written(position, move), draw=number))
        position = position.after(move)
    tags = {
        "Table": "TEST",
        "Words": "hola",
        "Secret": SECRET.hex(),
        "Commitment": commitment(SECRET),
        "Result": result_of(position.outcome()),
    }
    return Record("toy", setting.sides, setting.options, 0, tuple(log), tags)


def told() -> Record:
    """The same with everything by which a record shows its draws."""
    tags = {"Date": "2026-03-01", "Begins": toy.GAME.rules.sides[0], "Chairs": "0 1", "Left": ""}
    record = played()
    names = {f"Player{seat}": "" for seat in range(len(record.sides))}
    return provable(replace(record, tags={**record.tags, **tags, **names}), toy.GAME)


def test_an_honest_record_is_found_honest():
    verdict = verify(told(), toy.GAME)
    assert verdict.honest, (verdict.faults, verdict.lacking)
    assert not verify(played(), toy.GAME).honest, "which shows too little"
    assert len(verdict.draws) == 9
    assert sum(verdict.frequencies.values()) == 9


def test_one_changed_die_is_found():
    record = played()
    index, entry = next((n, e) for n, e in enumerate(record.log) if e.seat == CHANCE)
    other = Entry(CHANCE, "d1" if entry.text != "d1" else "d2", draw=entry.draw)
    log = (*record.log[:index], other, *record.log[index + 1 :])
    verdict = verify(replace(record, log=log), toy.GAME)
    assert not verdict.honest
    assert [one.number for one in verdict.draws if not one.honest] == [entry.draw]


def test_a_number_used_twice_is_found():
    record = played()
    log = tuple(replace(e, draw=0) if e.seat == CHANCE else e for e in record.log)
    assert not verify(replace(record, log=log), toy.GAME).honest


def test_another_secret_is_found():
    tags = {**played().tags, "Commitment": commitment(bytes(32))}
    assert not verify(replace(played(), tags=tags), toy.GAME).honest


@pytest.mark.parametrize("secret", ["", "zz", "0101", "01" * 33])
def test_without_its_secret_a_record_cannot_be_checked(secret):
    with pytest.raises(RuleError):
        verify(replace(played(), tags={**played().tags, "Secret": secret}), toy.GAME)
