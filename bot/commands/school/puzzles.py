"""Puzzles: one at the asker's strength, solved by the buttons and squares of play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from bot.commands.request import Request, in_time
from bot.commands.school import daily, first_steps, mistakes
from bot.commands.school.exercises import (
    Tried,
    answer_typed,
    ask_for_text,
    begin_exercise,
    board_of,
    chosen_answer,
    exercise_of,
    game_in,
    in_words,
    known_at,
    refuse_exercise,
    shown_to_asker,
    solution_film,
)
from bot.commands.services_of_handlers import SchoolRoom
from bot.port import Answer, PrivateRefusal
from bot.presenters.button_codes import TYPED
from bot.presenters.command_specs import says
from bot.presenters.school.exercises import FIVE, GAME, MISTAKES, TODAY, WORDS
from bot.presenters.school.mistakes import DROP
from bot.presenters.school.puzzles import (
    GIVEN,
    LIKED,
    MINE,
    STORM,
    THEMES,
    PuzzleScreens,
    solution,
)
from bot.presenters.typed_names import spelling
from bot.service.club.medals import give_for_deeds
from bot.service.school.puzzles import STORM_SECONDS, Scored, Storm, has_theme
from bot.session.daily_calendar import GIVEN_UP, SOLVED, day_with, sign_of_miss
from bot.session.exercise_catalogue import IN_FRONT, Exercise
from bot.session.unit_of_work import Refused, need, refuse_if
from games.core import Game, Menu, phrase
from games.core.school import motifs
from games.core.shelf import find_game
from storage.school import attempts

REFUTING = 3
"""How many plies are told of what refutes a wrong answer."""


async def show_puzzle(request: Request, room: SchoolRoom) -> Answer:
    """Show a puzzle, or take an answer to one."""
    if request.is_press or request.path:
        word, *rest = request.path or ("",)
        if (button := _BUTTONS.get(word)) is not None:
            return await button(request, room, *rest)
        return await _choose(request, room, word, rest)
    typed = " ".join(filter(None, (request.value("game"), request.value("answer"))))
    for word in (MISTAKES, THEMES, STORM, TODAY, FIVE):
        if says(typed, f"puzzle.word.{word}"):
            return await _BUTTONS[word](request, room)
    game, text = game_in(typed)
    if text:
        return await _take_typed(request, room, game, text)
    return await (_games(request, room) if game is None else _next(request, room, game.key))


async def _take_typed(request: Request, room: SchoolRoom, game: Game | None, text: str) -> Answer:
    """Take *text* as a theme of the *game* that is named, or as an answer to what was open last."""
    if game is not None:
        for one in game.computer.motifs:
            if spelling(text) == spelling(request.pages.say(f"{game.key}.motif.{one}")):
                return await _next(request, room, game.key, one)
    last = await room.store.read(attempts.latest_attempt, request.person.id, course=False)
    if last is None or (game is not None and last.game != game.key):
        raise Refused(phrase("puzzle.nothing-begun"))
    return await _answered(request, room, last.exercise, last.state, text)


async def _answered(request: Request, room: SchoolRoom, code: str, state: int, text: str) -> Answer:
    """Take *text* as an answer to the puzzle or mistake *code* at *state*."""
    found = await room.collection.find(code)
    if found is None:
        return await mistakes.type_mistake(request, room, code, text)
    return await _judge(request, room, answer_typed(request, found, state, text))


async def answer_open_exercise(request: Request, room: SchoolRoom) -> Answer | None:
    """Take the typed move as an answer to the exercise that the asker has opened lately, if any.

    One that they have solved since is in front of them no more.
    """
    last = await room.store.read(attempts.latest_attempt, request.person.id)
    solved = last is not None and last.solved is not None and last.solved >= last.at
    if last is None or solved or last.at + IN_FRONT <= room.clock.now():
        return None
    text = request.value("move")
    if last.step:
        exercise = exercise_of(last.exercise)
        return await first_steps.take_typed(request, room, exercise, last.state, text)
    return await _answered(request, room, last.exercise, last.state, text)


async def _exercise(request: Request, room: SchoolRoom, code: str) -> Exercise:
    found = await room.collection.find(code)
    return found or (await mistakes.kept_mistake(request, room, code)).mistake.exercise


async def _worded(request: Request, room: SchoolRoom, code: str) -> Answer:
    """The board in words."""
    return in_words(request, await _exercise(request, room, code), request.turn)


async def _asked(request: Request, room: SchoolRoom, code: str) -> Answer:
    """Take the move that was typed into the field of the button, or say how to type it."""
    if request.form_text:
        return await _answered(request, room, code, request.turn, request.form_text)
    return ask_for_text(request, await _exercise(request, room, code), "puzzle.how-to-type")


async def _games(request: Request, room: SchoolRoom, what: str = GAME) -> Answer:
    records, me = room.puzzles, request.person.id
    solved = {
        game: ((await records.record(me, game)).solved, len(every))
        for game, every in (await room.collection.by_game()).items()
    }
    waiting = len((await room.mistakes.agenda(me)).waiting)
    return request.answer_in_place(_screens(request).games(solved, waiting, what))


async def _list(request: Request, room: SchoolRoom, page: str) -> Answer:
    listed = await room.puzzles.tried_by(request.person.id, int(page))
    return request.answer_in_place(_screens(request).tried(listed))


async def _themes(request: Request, room: SchoolRoom, key: str = "") -> Answer:
    """The themes of the game *key*, or the games that have some."""
    if not key:
        return await _games(request, room, THEMES)
    game, every = find_game(key), await room.collection.of(key)
    many = Counter(theme for one in every for theme in motifs(game, one.lesson))
    return request.answer_in_place(_screens(request).themes(game, many))


async def _storm(request: Request, room: SchoolRoom, key: str = "") -> Answer:
    """Let three minutes of the game *key* begin, or ask for the game."""
    if not request.discreet:
        return PrivateRefusal(request.pages.say("puzzle.storm-alone"), "do-puzzle")
    if not key:
        return await _games(request, room, STORM)
    # A page counts down to the end itself.
    where = request.by.where
    told = None if request.chats[where.platform].everywhere else where
    await room.puzzles.begin_storm(request.person.id, key, told, request.language)
    return await _go_on(request, room, key)


async def _go_on(request: Request, room: SchoolRoom, key: str, *said: str) -> Answer:
    """The next puzzle of the storm that runs in the game *key*, under what is *said*."""
    me = request.person.id
    storm = await room.puzzles.storm_of(me, key)
    found = await room.puzzles.next_for(me, key, 0, storm=storm.solved if storm else 0)
    if found is None:
        return request.answer_in_place(_screens(request).all_solved(find_game(key)))
    return await _show(request, room, found, 0, *said)


async def _opine(request: Request, room: SchoolRoom, code: str, sign: str) -> Answer:
    """Note what the asker thinks of a puzzle whose solution is in front of them."""
    await room.collection.rate(request.person.id, await _exercise(request, room, code), sign)
    return request.said(phrase("puzzle.thanks"))


async def _next(request: Request, room: SchoolRoom, key: str, theme: str = "") -> Answer:
    """The next puzzle of the game *key*, or the one that was begun and not answered yet."""
    game = find_game(key)
    every = [one for one in await room.collection.of(game.key) if has_theme(one, theme)]
    refuse_if(not every, "puzzle.no-puzzles", game=phrase(f"{game.key}.name"))
    tried = await room.store.read(attempts.attempts_of, request.person.id, game=game.key)
    known, today = {one.code: one for one in every}, await room.people.today(request.person.id)
    # That of a day is not chosen for anybody, however hard it is.
    for code in [one.exercise for one in tried if not one.solved and not one.wrong]:
        if code in known and day_with(code, today) is None:
            return await _show(request, room, known[code])
    turn = sum(one.exercise in known for one in tried)
    found = await room.puzzles.next_for(request.person.id, game.key, turn, theme=theme)
    if found is None:
        return request.answer_in_place(_screens(request).all_solved(game))
    return await _show(request, room, found)


async def _show(
    request: Request, room: SchoolRoom, exercise: Exercise, state: int = 0, *said: str
) -> Answer:
    known = await refuse_exercise(request, room, exercise, state)
    await begin_exercise(request, room, exercise, state)
    await daily.note_opening(request, room, exercise)
    screens = await _screens_of(request, room, exercise)
    me, key = request.person.id, exercise.game.key
    storm = None if screens.day else await room.puzzles.storm_of(me, key)
    if storm is not None and storm.left:
        screens = replace(screens, ends=storm.began + timedelta(seconds=STORM_SECONDS))
        said = (*said, screens.say("puzzle.storm", n=storm.solved, best=storm.record))
    screen = screens.asking(board_of(request, exercise, state, known), (), *said)
    return await shown_to_asker(request, screen)


async def _choose(request: Request, room: SchoolRoom, code: str, path: Sequence[str]) -> Answer:
    """The next question after the pressed steps, or what comes of the whole move."""
    exercise = await room.collection.find(code)
    if exercise is None:
        return await mistakes.answer_mistake(request, room, code, path)
    if not path:
        return await _show(request, room, exercise, request.turn)
    found = chosen_answer(exercise, request.turn, path)
    if isinstance(found, Menu):
        board = board_of(request, exercise, request.turn, known_at(exercise, request.turn))
        screens = await _screens_of(request, room, exercise)
        return await shown_to_asker(request, screens.asking(board, path))
    return await _judge(request, room, found)


async def _judge(request: Request, room: SchoolRoom, attempt: Tried) -> Answer:
    """What the answer was worth: the first one counts, others are for learning."""
    exercise, puzzles = attempt.exercise, room.puzzles
    screens = await _screens_of(request, room, exercise)
    storm = None if screens.day else await puzzles.storm_of(request.person.id, exercise.game.key)
    if storm is not None and storm.left:
        return await _judge_in_storm(request, room, attempt, storm)
    over = list[str]()
    if storm is not None:
        await puzzles.put_storm(request.person.id, exercise.game.key, None, storm.solved)
        over.append(screens.say("puzzle.storm-over", n=storm.solved, best=storm.record))
    await begin_exercise(request, room, exercise, attempt.state)
    if attempt.then is None:
        sign = sign_of_miss(exercise.game, attempt.known, attempt.move)
        scored = await puzzles.count_missed(request.person.id, exercise, sign)
        said = (request.pages.say("puzzle.wrong", move=attempt.spoken), *_score(request, scored))
        wrong = _wrong(request, room, attempt, screens, (*said, *over))
        return await in_time(request, wrong, in_place=request.is_press and request.own)
    if not attempt.then.is_solved:
        await begin_exercise(request, room, exercise, attempt.next_state)
        board = board_of(request, exercise, attempt.next_state, attempt.then)
        line = request.pages.say("school.right-so-far", why=board.last_reply())
        return await shown_to_asker(request, screens.asking(board, (), line))
    scored = await puzzles.count_solved(request.person.id, exercise)
    await give_for_deeds(room.store, request.person.id, room.clock.now())
    board = board_of(request, exercise, attempt.state, attempt.then)
    screen = screens.solved(board, *_score(request, scored), *over)
    return await shown_to_asker(request, await daily.with_result(request, room, exercise, screen))


async def _judge_in_storm(
    request: Request, room: SchoolRoom, attempt: Tried, storm: Storm
) -> Answer:
    """Go on with the solution, or with the next puzzle of the *storm*."""
    exercise, then = attempt.exercise, attempt.then
    if then is not None and not then.is_solved:
        return await _show(request, room, exercise, attempt.next_state)
    await room.puzzles.count_in_storm(request.person.id, exercise, storm, solved=bool(then))
    said = request.pages.say("puzzle.solved" if then else "puzzle.storm-missed")
    return await _go_on(request, room, exercise.game.key, said)


async def _wrong(
    request: Request, room: SchoolRoom, attempt: Tried, screens: PuzzleScreens, said: Sequence[str]
) -> Answer:
    """The puzzle once more, with what is *said* of the wrong move and what refutes it."""
    exercise, after = attempt.exercise, attempt.known.position.after(attempt.move)
    board = board_of(request, exercise, attempt.state, attempt.known)
    written = exercise.game.notation.written(attempt.known.position, attempt.move)
    why = board.proof_in_words()
    if not why and (found := await room.advice.refute(exercise, after, written)) is not None:
        line = board.line_in_words(after, found.line[:REFUTING])
        why = request.pages.say("puzzle.refuted", how=line)
    said = (said[0], *filter(None, (why,)), *said[1:])
    return await shown_to_asker(request, screens.asking(board, (), *said))


def _score(request: Request, scored: Scored | None) -> tuple[str, ...]:
    """What an answer made of the rating."""
    if scored is None or not scored.change:
        return ()
    points = f"{scored.after.shown}{'?' if scored.after.provisional else ''}"
    change = f"{scored.change:+d}".replace("-", "−")
    said = (request.pages.say("puzzle.rating", points=points, change=change),)
    return (*said, request.pages.say("puzzle.early")) if scored.early else said


async def _give_up(request: Request, room: SchoolRoom, code: str, over: str = "") -> Answer:
    """The solution as a film; for whoever has not answered yet that is a wrong answer.

    Where *over* says that everybody may know it, it costs no points, and wins none afterwards.
    """
    exercise = await room.collection.find(code)
    if exercise is None:
        return await mistakes.give_mistake(request, room, code)
    await refuse_exercise(request, room, exercise)
    await begin_exercise(request, room, exercise, 0)
    if over:
        await room.store.write(attempts.miss_attempt, request.person.id, exercise.code)
    else:
        await room.puzzles.count_missed(request.person.id, exercise, GIVEN_UP)
    keys = (await _screens_of(request, room, exercise)).below_film(exercise)
    solved = solution(exercise)
    film = solution_film(request, room.keepsakes, exercise, solved, "puzzle.solution", keys)
    return await in_time(request, film)


async def _today(request: Request, room: SchoolRoom, *path: str) -> Answer:
    """The move of the day, or what else a button of it wants."""
    if path[:1] == (FIVE,):
        return await _five(request, room, *path[1:])
    if path:
        return await daily.change_daily(request, room, *path)
    exercise = need(await room.daily_moves.exercise(request.person.id), "daily.none")
    result = await room.daily_moves.result(request.person.id, exercise)
    if result is None and (text := request.value("answer")):
        last = await room.store.read(attempts.latest_attempt, request.person.id, course=False)
        state = last.state if last is not None and last.exercise == exercise.code else 0
        return await _judge(request, room, answer_typed(request, exercise, state, text))
    if result is None:
        return await _show(request, room, exercise)
    return await _told_again(request, room, exercise, result.row.signs)


async def _five(request: Request, room: SchoolRoom, code: str = "") -> Answer:
    """The next of the daily five behind that with this *code*, or how they went."""
    me = request.person.id
    five = await room.daily_moves.five(me, await room.people.today(me))
    refuse_if(not five, "daily.none")
    behind = next((n for n, (one, _) in enumerate(five, 1) if one.code == code), 0)
    for exercise, row in [*five[behind:], *five[:behind]]:
        if not row.is_over:
            return await _show(request, room, exercise)
    return await _told_again(request, room, exercise, row.signs)


async def _told_again(request: Request, room: SchoolRoom, exercise: Exercise, signs: str) -> Answer:
    """A puzzle of the day that is over, tried with these *signs*, and the row to paste."""
    known = solution(exercise) if signs.endswith(SOLVED) else known_at(exercise, 0)
    screens = await _screens_of(request, room, exercise)
    screen = screens.after_today(board_of(request, exercise, 0, known))
    return await shown_to_asker(request, await daily.with_result(request, room, exercise, screen))


async def _screens_of(request: Request, room: SchoolRoom, exercise: Exercise) -> PuzzleScreens:
    today = await room.people.today(request.person.id)
    if day_with(exercise.code, today) != today:
        return _screens(request)
    five = [one.code for one, _ in await room.daily_moves.five(request.person.id, today)]
    at = five.index(exercise.code) + 1 if exercise.code in five else 0
    return PuzzleScreens(request.language, request.key, today, at)


def _screens(request: Request) -> PuzzleScreens:
    return PuzzleScreens(request.language, request.key)


_BUTTONS: Mapping[str, Callable[..., Awaitable[Answer]]] = {
    "": _games,
    GAME: _next,
    MISTAKES: mistakes.put_next,
    MINE: _list,
    DROP: mistakes.drop_mistake,
    GIVEN: _give_up,
    THEMES: _themes,
    STORM: _storm,
    LIKED: _opine,
    WORDS: _worded,
    TYPED: _asked,
    TODAY: _today,
    FIVE: _five,
}
"""What the paths of buttons begin with, and who takes the rest; others begin with a puzzle."""
