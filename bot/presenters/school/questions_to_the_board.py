"""Answers of the board to questions in words. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from bot.presenters.base import TablePresenter
from bot.presenters.button_codes import Action
from bot.presenters.command_specs import words_of
from bot.presenters.typed_names import spelling
from bot.texts import LANGUAGES, language
from games.core import Move, Phrase, Seat, phrase, verbatim
from games.core.move_parsing import casefolded, spelled

MOST_CHOICES = 16
"""How many moves or choices one answer tells."""

QUESTION = re.compile(r"\s*¿|.*\s.*\?\s*$", re.DOTALL)
"""A typed question: it begins with «¿», or has several words and ends with a question mark."""


def answer_question(presenter: TablePresenter, question: str) -> Sequence[Phrase]:
    """The answer to *question*, from what the viewer of *presenter* may see."""
    words = _words(question)
    if any(word in words_of("ask.words.threat") for word in words):
        return _threats(presenter)
    idle = words_of("ask.words.idle") | words_of("ask.words.can")
    names = [
        word
        for number, word in enumerate(question_words(question))
        if spelling(word) not in idle or _unit(word, number)
    ]
    if any(word in words_of("ask.words.can") for word in words):
        return _possible(presenter, names)
    several = (" ".join(names),) if len(names) > 1 else ()
    # All words together first: «la morada 1» is one thing.
    for name in (*several, *reversed(names or question_words(question)[-1:])):
        found = _at(presenter, name)
        if found:
            return found
    if names:
        return (phrase("ask.nothing-there", what=" ".join(names)[:40]),)
    return (phrase("ask.help"),)


def advice_asked(question: str) -> Action | None:
    """The analysis that a *question* asks for, such as who wins; ``None`` for none."""
    words = set(_words(question))
    if words & words_of("ask.words.odds"):
        return Action.ODDS
    return Action.HINT if words & words_of("ask.words.hint") else None


def question_words(question: str) -> list[str]:
    """The words of *question*, as they were typed."""
    return re.findall(r"[^\s¿?¡!.,;:«»“”\"()]+", question)


def _words(question: str) -> list[str]:
    return [spelling(word) for word in question_words(question)]


def _threats(presenter: TablePresenter) -> Sequence[Phrase]:
    seat, asking = presenter.viewer.seat, presenter.table.game.asking
    if seat is None:
        return (phrase("house.not-seated"),)
    if presenter.table.competes:
        return (phrase("standing.no-threats"),)
    if asking.threats is None:
        return (phrase("ask.no-threats-told"),)
    return asking.threats(presenter.seen.position, seat) or (phrase("ask.no-threat"),)


def _at(presenter: TablePresenter, name: str) -> Sequence[Phrase]:
    """What the game tells of *name*, else the sentences of the board that contain it."""
    seen, game = presenter.seen.position, presenter.table.game
    found = game.asking.at(seen, name)
    if found or len(name) < 2:
        return found
    wanted = casefolded(name)
    said = map(presenter.say, game.speech.describe(seen))
    return tuple(verbatim(one) for one in said if wanted in map(casefolded, question_words(one)))


def _possible(presenter: TablePresenter, names: Sequence[str]) -> Sequence[Phrase]:
    """The legal moves whose first step has all of *names*, or the first steps to choose from."""
    seat, table = presenter.viewer.seat, presenter.table
    game, position, what = table.game, presenter.seen.position, " ".join(names)[:40]
    if seat is None or seat not in table.actors():
        there = not names or any(map(partial(_at, presenter), names))
        return (phrase("ask.only-own") if there else phrase("ask.nothing-there", what=what),)
    moves = spelled(game, position, position.legal_moves(seat))
    wanted = {spelling(name) for name in names}
    first = {steps[0]: _call(presenter, seat, steps[0]) for steps in moves}
    meant = [step for step, called in first.items() if wanted <= {*called, spelling(step)}]
    if wanted and not meant:
        if not any(map(partial(_at, presenter), names)):
            return (phrase("ask.nothing-there", what=what),)
        # The thing is there but may not move: tell what may be chosen instead.
        instead = (_choices(presenter, seat, list(first)),) if len(first) <= MOST_CHOICES else ()
        return (phrase("ask.not-now", what=what), *instead)
    told = [move for steps, move in moves.items() if steps[0] in meant]
    many = len(told) > MOST_CHOICES and not wanted
    return (_choices(presenter, seat, meant),) if many else _moves_told(presenter, told)


def _moves_told(presenter: TablePresenter, moves: Sequence[Move]) -> tuple[Phrase, ...]:
    game, position = presenter.table.game, presenter.seen.position
    spoken = [
        phrase("ask.can", text=game.typed(position, one), what=game.speech.spoken(position, one))
        for one in moves
    ]
    rest = len(spoken) - MOST_CHOICES
    return (*spoken[:MOST_CHOICES], phrase("ask.more", n=rest)) if rest > 0 else tuple(spoken)


def _unit(word: str, number: int) -> bool:
    """Whether a *word* of a question, with its *number*, is a unit: «A», the king, is no «a»."""
    return len(word) == 1 and word.isupper() and number > 0 and word != "I"


def _choices(presenter: TablePresenter, seat: Seat, steps: Sequence[str]) -> Phrase:
    label, position = presenter.table.game.menus.label, presenter.seen.position
    labels = (presenter.say(label(position, seat, (), step)) for step in steps)
    return phrase("ask.may", what=tuple(labels))


def _call(presenter: TablePresenter, seat: Seat, step: str) -> frozenset[str]:
    """The words by which the first step of a move is called, in every language."""
    game, position = presenter.table.game, presenter.seen.position
    label = game.menus.label(position, seat, (), step)
    said = (language(code).say(label, presenter.names) for code in LANGUAGES)
    return frozenset(word for one in said for word in _words(one))
