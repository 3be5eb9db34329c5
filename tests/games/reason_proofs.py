"""A second opinion on why a move is good, by the slow engines of the tests.

``wrong(game, position, move, reason)`` answers what is false in the *reason*, "" where nothing is.
Of the reason only its key and its cells are read; what they claim is worked out from the text of
the position by programs that share nothing with what gave the reason.
"""

from __future__ import annotations

from typing import Any

from games.core import Game, MoveReason
from tests.games.cirya_reference import Slow as SlowCirya
from tests.games.parchis_reference import EXITS, GREY, road
from tests.games.parchis_reference import Slow as SlowParchis
from tests.games.shogi_reference import ALL, square
from tests.games.shogi_reference import Slow as SlowShogi
from tests.games.storill_reference import Slow as SlowStorill


def wrong(game: Game, position: Any, move: Any, reason: MoveReason) -> str:
    """What is false in the *reason* for *move*, which is to be played in *position*."""
    key = reason.words.key.removeprefix(f"{game.key}.reason.")
    text, written = game.notation.text(position), game.notation.written(position, move)
    told = dict(reason.words.args)
    match game.key:
        case "shogi":
            holds = _shogi(SlowShogi(text), written, key, reason.cells, told)
        case "cirya":
            customs = position.customs
            limit = customs.size if customs.carry_limit else None
            slow = SlowCirya.read(text, customs.hallaciryar, customs.swapped, limit)
            holds = _cirya(slow, written, key, reason.cells, told)
        case "niya":
            holds = _niya(text, written, key, set(reason.cells))
        case "storilljudhjorrayc":
            after = game.notation.text(position.after(move))
            holds = _storill(text, after, written, key, reason.cells)
        case _:
            after = game.notation.text(position.after(move))
            holds = _parchis(text, after, written, key, reason.cells, told["n"])
    return "" if holds else f"{key} {reason.cells} is not so of {written} in {text}"


# ------------------------------------------------------------------------------------ Shogi

WORTH = {"P": 1, "L": 3, "N": 4, "S": 5, "G": 6, "B": 8, "R": 10, "K": 100}
PROMOTED = {"P": 6, "L": 6, "N": 6, "S": 6, "B": 10, "R": 12}


def _worth(piece: str) -> int:
    return PROMOTED[piece[-1].upper()] if piece[0] == "+" else WORTH[piece.upper()]


def _turned(slow: SlowShogi) -> SlowShogi:
    other = SlowShogi("9/9/9/9/9/9/9/9/9 b -")
    other.board, other.hands, other.sente = dict(slow.board), slow.hands, not slow.sente
    return other


def _after(slow: SlowShogi, usi: str) -> SlowShogi:
    return next(slow.played(s, t, p) for name, s, t, p in slow.tries() if name == usi)


def _on(slow: SlowShogi, name: str) -> str:
    return next((piece for where, piece in slow.board.items() if square(where) == name), "")


def _taking(slow: SlowShogi, name: str) -> list[str]:
    """The pieces of whoever is to move that may take on *name*."""
    if not _on(slow, name):
        return []
    return [_on(slow, one[:2]) for one in slow.legal() if one[1] != "*" and one[2:4] == name]


def _guarded(slow: SlowShogi, name: str) -> bool:
    piece = _on(slow, name)
    (where,) = (at for at in slow.board if square(at) == name)
    sente = slow.mine(piece, True)
    friends = [at for at, one in slow.board.items() if slow.mine(one, sente)]
    return any(at != where and slow.reaches(at, where) for at in friends)


def _hangs(slow: SlowShogi, name: str) -> bool:
    taking, worth = _taking(slow, name), _worth(_on(slow, name))
    guarded = bool(taking) and _guarded(slow, name)
    return any(not guarded or _worth(one) < worth for one in taking)


def _mates(slow: SlowShogi) -> set[str]:
    """Where a move of whoever is to move ends that mates at once."""
    legal = slow.legal()
    return {
        name[2:4]
        for name, start, target, piece in slow.tries()
        if name in legal and slow.played(start, target, piece).mated()
    }


def _shogi(
    before: SlowShogi, usi: str, key: str, cells: tuple[str, ...], told: dict[str, Any]
) -> bool:
    then, at, target = _after(before, usi), cells[0], usi[2:4]
    match key:
        case "parries":
            return at in _mates(_turned(before)) and not _mates(then)
        case "free":
            return at == target and bool(_on(before, at)) and not _taking(then, at)
        case "gains":
            return at == target and _worth(_on(before, at)) > _worth(_on(before, usi[:2]))
        case "mates-next":
            return at in _mates(_turned(then))
        case "forks":
            return not _taking(then, target) and all(_hit(then, target, one) for one in cells)
        case "saves":
            now = target if at == usi[:2] else at
            left = _taking(then, now) if at == usi[:2] else _hangs(then, now)
            return _hangs(_turned(before), at) and not left
        case "threatens":
            mine = _turned(then)
            return _hangs(mine, at) and not _taking(before, at) and not _taking(then, target)
    return _quiet(before, then, usi, key, at, told)


def _quiet(
    before: SlowShogi, then: SlowShogi, usi: str, key: str, at: str, told: dict[str, Any]
) -> bool:
    """What is told where nothing is won, lost or threatened."""
    target = usi[2:4]
    match key:
        case "checks":
            return _on(then, at).upper() == "K" and then.in_check(then.sente)
        case "takes":
            return at == target and bool(_on(before, at))
        case "promotes":
            return usi.endswith("+")
        case "attacks":
            mine = before.sente
            enemy = bool(_on(then, at)) and not then.mine(_on(then, at), mine)
            seen = bool(_aimed(then, at, mine)), bool(_aimed(before, at, mine))
            return enemy and seen[0] and not seen[1] and not _taking(then, target)
        case "guards":
            mine = before.sente
            own = at != target and then.mine(_on(then, at), mine)
            return own and bool(_aimed(then, at, mine)) and not _aimed(before, at, mine)
        case "frees":
            was, now = (_room(one, before.sente) for one in (before, then))
            return was < now == told["n"]
    raise AssertionError(key)


def _aimed(slow: SlowShogi, name: str, sente: bool) -> set[str]:
    """Where the pieces of a side stand that reach *name*."""
    (where,) = (at for at in ALL if square(at) == name)
    own = [at for at, piece in slow.board.items() if slow.mine(piece, sente) and at != where]
    return {square(at) for at in own if slow.reaches(at, where)}


def _room(slow: SlowShogi, sente: bool) -> int:
    """How many moves on the board a side has, its king's safety apart."""
    turned = _turned(slow)
    turned.sente = sente
    return len({(start, target) for _, start, target, _ in turned.tries() if start})


def _hit(then: SlowShogi, start: str, name: str) -> bool:
    """Whether the piece on *start* attacks one on *name* that is worth it."""
    places = {square(at): at for at in then.board}
    piece, victim = _on(then, start), _on(then, name)
    enemies = then.mine(piece, True) != then.mine(victim, True)
    loose = _worth(victim) > _worth(piece) or not _guarded(then, name)
    return enemies and loose and then.reaches(places[start], places[name])


# ------------------------------------------------------------------------------------ Cirya


def _roads(slow: SlowCirya, player: int) -> set[str]:
    """The squares on which a move begins that completes a road of *player*, who is to move."""
    other = SlowCirya(
        slow.size, slow.stacks, player, slow.number, slow.caps, slow.swapped, slow.limit
    )
    return {_begins(name) for name, then in other.moves().items() if then.road(player)}


def _begins(ptn: str) -> str:
    return ptn.lstrip("SCF12345678")[:2]


def _cirya(
    before: SlowCirya, ptn: str, key: str, cells: tuple[str, ...], told: dict[str, Any]
) -> bool:
    then, mine, other = before.moves()[ptn.rstrip("'\"!?")], before.player, 3 - before.player
    match key:
        case "completes":
            return then.road(mine)
        case "parries":
            return cells[0] in _roads(before, other) and not _roads(then, other)
        case "threatens":
            return set(cells) <= _roads(then, mine)
        case "takes":
            tops = [(_top(before, name), _top(then, name)) for name in cells]
            return all(one == (other, mine) for one in tops)
        case "corners":
            edges = {"a", "1", "abcdefgh"[then.size - 1], str(then.size)}
            return cells[0] == ptn and set(cells[0]) <= edges
        case "hinders":
            return (_lacking_sati(before, other), _lacking_sati(then, other)) == (
                told["less"],
                told["n"],
            )
        case "nears":
            return _lacking_sati(before, mine) > _lacking_sati(then, mine) == told["n"]
        case "joins":
            return len(_joined(then, cells[0], mine)) == told["n"] > 1
    raise AssertionError(key)


def _sea(slow: SlowCirya, player: int) -> dict[str, int]:
    """What each square costs a road of *player*: nothing, one stone, or it is barred."""
    found = {}
    for file in range(slow.size):
        for rank in range(slow.size):
            top = slow.stacks.get((file, rank), [(0, "F")])[-1]
            if top[0] == 0 or (top[0] == player and top[1] != "S"):
                found[slow.name((file, rank))] = int(top[0] == 0)
    return found


def _near_by(name: str) -> list[str]:
    file, rank = ord(name[0]), int(name[1])
    return [f"{chr(file + x)}{rank + y}" for x, y in ((0, 1), (0, -1), (1, 0), (-1, 0))]


def _lacking_sati(slow: SlowCirya, player: int) -> int:
    """The fewest stones that complete a road of *player*: every square is relaxed many times."""
    sea, last, best = _sea(slow, player), slow.size, []
    for begins, ends in (
        (lambda one: one[0] == "a", lambda one: one[0] == "abcdefgh"[last - 1]),
        (lambda one: one[1] == "1", lambda one: one[1] == str(last)),
    ):
        cost = {one: sea[one] if begins(one) else 99 for one in sea}
        for _ in sea:
            for one in sea:
                cost[one] = min([cost[one], *(cost.get(n, 99) + sea[one] for n in _near_by(one))])
        best += [cost[one] for one in sea if ends(one)]
    return min(best, default=99)


def _joined(slow: SlowCirya, name: str, player: int) -> set[str]:
    """The squares of *player* that hang together with *name*."""
    own = {one for one, price in _sea(slow, player).items() if not price}
    found = {name} & own
    for _ in own:
        found |= {near for one in found for near in _near_by(one)} & own
    return found


def _top(slow: SlowCirya, name: str) -> int:
    return next(pieces[-1][0] for at, pieces in slow.stacks.items() if slow.name(at) == name)


# ------------------------------------------------------------------------------------- Niya

LINES = [
    *({4 * row + n for n in range(4)} for row in range(4)),
    *({4 * n + file for n in range(4)} for file in range(4)),
    *({0, 5, 10, 15}, {3, 6, 9, 12}),
    *({4 * r + f, 4 * r + f + 1, 4 * r + f + 4, 4 * r + f + 5} for r in range(3) for f in range(3)),
]


def _niya(text: str, card: str, key: str, named: set[str]) -> bool:
    rows, own, _ = text.split()
    cells = [cell for row in rows.split("/") for cell in row.split(",")]
    other = "A" if own == "R" else "R"
    then = [own if cell == card else cell for cell in cells]
    names = [
        cell if len(cell) == 2 else f"{'abcd'[n % 4]}{4 - n // 4}" for n, cell in enumerate(cells)
    ]
    cells_named = {n for n, name in enumerate(names) if name in named}
    left = {
        n for n, cell in enumerate(then) if len(cell) == 2 and (cell[0] in card or cell[1] in card)
    }
    match key:
        case "completes":
            return cells_named in LINES and all(then[n] == own for n in cells_named)
        case "blocks":
            return not left
        case "denies":
            return cells_named == {cells.index(card)} and cells_named <= _lacking(cells, other)
        case "bars":
            return cells_named == _lacking(cells, other) and not cells_named & left
        case "threatens":
            return bool(cells_named) and cells_named == _lacking(then, own) - _lacking(cells, own)
        case "leaves":
            return cells_named == left and 0 < len(left) < 3
    raise AssertionError(key)


def _lacking(cells: list[str], marker: str) -> set[int]:
    """The cards with which *marker* would complete a line."""
    return {
        n
        for line in LINES
        for n in line
        if len(cells[n]) == 2 and all(cells[one] == marker for one in line - {n})
    }


# ------------------------------------------------------------------------- Storilljuðjorrayc


def _dangers(text: str, seat: int) -> dict[str, str]:
    """The units of *seat* that the other side could capture now, by where they stand."""
    slow = SlowStorill(text)
    slow.turn = 1 - seat
    hit = set()
    for unit in slow.own:
        if unit in ("KÞ", "KD"):
            hit |= {one[2:] for one in slow.shot(unit) if one.startswith("e:")}
        else:
            hit |= {one for one, at in slow.enemy.items() if slow.can_attack(unit, at)}
    return {unit: slow.enemy[unit] for unit in hit}


def _storill(text: str, after: str, act: str, key: str, cells: tuple[str, ...]) -> bool:
    seat = "gp".index(text.split()[2])
    before, then = SlowStorill(text), SlowStorill(after)
    fallen = set(before.sides[1 - seat].values()) - set(then.sides[1 - seat].values())
    match key:
        case "wins":
            return not {"A", "KM"} & set(then.sides[1 - seat])
        case "free":
            actor = act.split()[0]
            return set(cells) == fallen - {"~"} and actor not in _dangers(after, seat)
        case "saves":
            was, now = _dangers(text, seat), _dangers(after, seat)
            return any(unit not in now for unit, at in was.items() if at == cells[0])
        case "threatens":
            was, now = _dangers(text, 1 - seat), _dangers(after, 1 - seat)
            new = {at for unit, at in now.items() if unit not in was}
            return bool(cells) and set(cells) <= new
        case "takes":
            return bool(fallen) and set(cells) == fallen - {"~"}
        case "hides":
            units = then.sides[seat]
            return any(units.get(u) == "~" != at for u, at in before.sides[seat].items())
        case "secure":
            return not _dangers(after, seat)
    raise AssertionError(key)


# ---------------------------------------------------------------------------------- Parchís


def _behind(slow: SlowParchis, piece: str, others: str) -> set[str]:
    """The pieces of the colours *others* that one throw may bring onto *piece*, if it counts."""
    box = slow.where[piece]
    if not box.isdigit() or box in GREY or box in EXITS.values() or slow.closed(box, ""):
        return set()
    found = set()
    for one, at in slow.where.items():
        if one[0] not in others or at.endswith("casa"):
            continue
        furthest = 6 if f"{one[0]}casa" in _boxes(slow, one[0]) else 7
        way = road(one[0])
        if box in way and 0 < way.index(box) - way.index(at) <= furthest:
            found.add(one)
    return found


def _boxes(slow: SlowParchis, colour: str) -> list[str]:
    return [at for piece, at in slow.where.items() if piece[0] == colour]


def _parchis(text: str, after: str, move: str, key: str, cells: tuple[str, ...], n: object) -> bool:
    options = {"mixed_barriers": "no", "barriers_only_safe": "no"}
    before, then = SlowParchis(text, options), SlowParchis(after, options)
    piece = move.split(">")[0].split(",")[0]
    mine, others = piece[0], before.colours.replace(piece[0], "")
    match key:
        case "eats":
            lost = sum(road(one[0]).index(before.where[one]) for one in cells)
            home = all(then.where[one] == f"{one[0]}casa" for one in cells)
            return lost == n and home
        case "saves":
            was, now = _behind(before, piece, others), _behind(then, piece, others)
            return was == set(cells) and not now
        case "chases":
            was = [piece in _behind(before, one, mine) for one in cells]
            now = [piece in _behind(then, one, mine) for one in cells]
            return all(now) and not any(was) and not _behind(then, piece, others)
        case "arrives":
            return then.where[piece] == f"{mine}meta"
        case "enters":
            return then.where[piece].startswith(f"{mine}p")
        case "leaves":
            return then.where[piece] == EXITS[mine] and before.where[piece] == f"{mine}casa"
        case "shelters":
            return then.where[piece] in GREY | set(EXITS.values())
        case "bars":
            return {one[0] for one in then.lying(then.where[piece])} == {mine}
        case "clear":
            return not _behind(then, piece, others) and then.where[piece].isdigit()
    raise AssertionError(key)
