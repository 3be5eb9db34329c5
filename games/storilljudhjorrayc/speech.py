"""Storilljuðjorrayc in words: the picture, moves, warnings, answers, and the winner's title."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from games.core import Asking, Deed, Feat, Outcome, Phrase, Seat, Speech, Who, casefolded
from games.storilljudhjorrayc.battle_phase import (
    PASSES_IN_A_ROW,
    QUIET_PLIES,
    SAME_POSITION,
    Battle,
)
from games.storilljudhjorrayc.geometry import FOREST, SPACES, Space
from games.storilljudhjorrayc.move_types import (
    Act,
    Ambuscade,
    Attack,
    BothLords,
    Pass,
    Preset,
    Put,
    Ready,
    Salvo,
    SetupSwap,
    Step,
    StorillMove,
    Switch,
)
from games.storilljudhjorrayc.names import own_phrase, side, standing_on, unit, unit_with_place
from games.storilljudhjorrayc.reach import salvo, targets
from games.storilljudhjorrayc.refusals import refusal
from games.storilljudhjorrayc.rules import StorillPosition
from games.storilljudhjorrayc.setup import ZONES, SetUp
from games.storilljudhjorrayc.units import (
    AMBUSH,
    AMBUSH_USES,
    ARCHERS,
    FLANKS,
    GUARDMASTER,
    GUARDS,
    KING,
    LORDS,
    SWORDSMEN,
    UNITS,
    WARMASTER,
    Label,
    label_named,
)

QUIET_WARNING = 80
"""From so many plies without a capture on, everybody is told (G16)."""


def spoken(position: StorillPosition, move: StorillMove) -> Phrase:
    """*move* in words for the log."""
    stage = position.stage
    match move:
        case SetupSwap(_, label, other):
            return own_phrase("spoken.swap", unit=unit(label), other=unit(other))
        case Put(_, label, target):
            return own_phrase("spoken.put", unit=unit(label), target=target)
        case Preset(_, name):
            return own_phrase("spoken.preset", preset=own_phrase(f"preset.{name}"))
        case Ready():
            return own_phrase("spoken.ready")
        case _ if isinstance(stage, Battle):
            return _spoken_act(stage, move)
    raise ValueError(f"{move} does not belong to the set-up")


def weight(_position: StorillPosition, move: StorillMove) -> int:
    """Captures are vital."""
    return 2 if isinstance(move, Attack | Salvo | Ambuscade) else 1


def _spoken_act(battle: Battle, act: Act) -> Phrase:
    match act:
        case Step():
            return _spoken_step(act)
        case Attack(label, origin, target):
            victim = _unit_on(battle, target)
            return own_phrase("spoken.attack", unit=unit_with_place(label, origin), victim=victim)
        case Salvo(label, origin):
            shooter = unit_with_place(label, origin)
            standing, fallen = battle.board.standing, battle.fallen(act)
            hit = [(standing[space][0] == battle.turn, _unit_on(battle, space)) for space in fallen]
            own = tuple(one for mine, one in hit if mine)
            enemies = tuple(one for mine, one in hit if not mine)
            if own:
                return own_phrase("spoken.salvo-own", unit=shooter, own=own, enemies=enemies)
            return own_phrase("spoken.salvo", unit=shooter, enemies=enemies, n=len(enemies))
        case Ambuscade(target):
            count = battle.ambushes[battle.turn] + 1
            named = {"unit": unit(AMBUSH), "victim": _unit_on(battle, target)}
            if count == AMBUSH_USES:
                return own_phrase("spoken.last-ambush", **named)
            return own_phrase("spoken.ambush", **named, count=count, most=AMBUSH_USES)
        case Switch(label, origin, target):
            guard = _unit_on(battle, target)
            return own_phrase("spoken.switch", unit=unit_with_place(label, origin), guard=guard)
        case BothLords(left, right):
            return own_phrase("spoken.lords", one=_spoken_step(left), two=_spoken_step(right))
        case Pass():
            return own_phrase("spoken.pass")


def _spoken_step(step: Step) -> Phrase:
    match step:
        case Step(label, origin, "~"):
            return own_phrase("spoken.enter", unit=unit_with_place(label, origin))
        case Step(label, "~", target):
            return own_phrase("spoken.leave", unit=unit(label), target=target)
        case Step(label, origin, target):
            return own_phrase("spoken.step", unit=unit(label), origin=origin, target=target)


def _unit_on(battle: Battle, space: Space) -> Phrase:
    return unit_with_place(battle.board.standing[space][1], space)


def notices(position: StorillPosition) -> Sequence[Phrase]:
    """Captured royals, abandoned guards, a draw near; in the set-up, nothing."""
    stage = position.stage
    # A player's «ready» was told at once; afterwards the turn says it.
    return () if isinstance(stage, SetUp) else tuple(_notices(stage))


def _notices(battle: Battle) -> Iterator[Phrase]:
    for seat in (0, 1):
        yield from _notices_of(battle, seat)
    if battle.passes:
        yield own_phrase("notice.passes", n=battle.passes, most=PASSES_IN_A_ROW)
    if battle.quiet >= QUIET_WARNING:
        yield own_phrase("notice.quiet", n=battle.quiet, most=QUIET_PLIES)
    if battle.times_seen == SAME_POSITION - 1:
        yield own_phrase("notice.repetition", n=battle.times_seen)


def _notices_of(battle: Battle, seat: Seat) -> Iterator[Phrase]:
    board = battle.board
    king, warmaster = (board.place(seat, royal) is not None for royal in (KING, WARMASTER))
    if king != warmaster:
        # G11: the game goes on until the other one falls too.
        gone, left = (WARMASTER, KING) if king else (KING, WARMASTER)
        yield own_phrase("notice.royal", who=Who(seat), gone=unit(gone), left=unit(left))
    guards = tuple(label for label in GUARDS if board.place(seat, label) is not None)
    if guards and board.is_abandoned(seat):
        yield own_phrase("notice.abandoned", who=Who(seat), guards=guards, n=len(guards))


TURNS = frozenset({"storilljudhjorrayc.words.turn"})
"""The keys of whose turn it is."""


def describe(seen: StorillPosition) -> Sequence[Phrase]:
    """What *seen* shows: the mover, each army on the board, in the forest and lost."""
    if isinstance(seen.stage, SetUp):
        return tuple(_setup(seen.stage))
    return tuple(_battle(seen.stage))


def _battle(battle: Battle) -> Iterator[Phrase]:
    if battle.outcome is None:
        yield own_phrase("words.turn", side=side(battle.turn))
    else:
        yield own_phrase("words.over", side=side(1 - battle.turn))
    for seat in (0, 1):
        yield from _army(battle, seat)
    if battle.passes:
        yield own_phrase("notice.passes", n=battle.passes, most=PASSES_IN_A_ROW)


def _army(battle: Battle, seat: Seat) -> Iterator[Phrase]:
    board = battle.board
    standing: dict[Label, Phrase] = {}
    for label in board.left(seat):
        where = board.place(seat, label)
        if where is None or where == FOREST:
            continue
        key = "standing-abandoned" if label in GUARDS and board.is_abandoned(seat) else "standing"
        standing[label] = own_phrase(f"{key}", label=label, place=where)
    yield _on_board(seat, standing)
    hidden = [label for label in board.left(seat) if board.place(seat, label) == FOREST]
    if hidden:
        yield own_phrase("words.forest", side=side(seat), units=tuple(map(unit, hidden)))
    lost = [label for label in battle.variant.units if board.place(seat, label) is None]
    if lost:
        yield own_phrase("words.lost", side=side(seat), units=tuple(lost))
    uses = battle.ambushes[seat]
    if uses:
        yield own_phrase("words.ambush", side=side(seat), n=uses, most=AMBUSH_USES)


_RANKS: tuple[tuple[str, tuple[Label, ...]], ...] = (
    *((royal, (royal,)) for royal in (KING, WARMASTER, GUARDMASTER)),
    *(("S", LORDS), ("J", GUARDS), ("K", ARCHERS), ("P", FLANKS), ("T", SWORDSMEN)),
    (AMBUSH, (AMBUSH,)),
)
"""The units in the order of every text, by what they are."""


def _on_board(seat: Seat, standing: Mapping[Label, Phrase]) -> Phrase:
    """What stands on the board, kind by kind: «rey A b1; señores SÞ b2 y SD c2; …»."""
    ranks = [(name, tuple(standing[one] for one in of if one in standing)) for name, of in _RANKS]
    told = [own_phrase(f"rank.{name}", n=len(units), units=units) for name, units in ranks if units]
    if not told:
        return own_phrase("words.none", side=side(seat))
    *first, units = told
    for one in reversed(first):
        units = own_phrase("ranks", one=one, more=units)
    return own_phrase("words.board", side=side(seat), units=units, n=len(standing))


def _setup(setup: SetUp) -> Iterator[Phrase]:
    yield own_phrase("words.setup", side=side(setup.first))
    for seat in (0, 1):
        line = setup.lines[seat]
        if line is None:
            yield own_phrase("words.hidden", side=side(seat))
        else:
            pairs = list(zip(line, ZONES[seat], strict=True))
            units = {one: own_phrase("standing", label=one, place=s) for one, s in pairs if one}
            yield _on_board(seat, units)
            empty = tuple(space for label, space in pairs if label is None)
            yield own_phrase("words.empty", side=side(seat), spaces=empty)
        if setup.ready[seat]:
            yield own_phrase("words.ready", side=side(seat))


Standing = dict[Space, tuple[Seat, Label]]


def at(seen: StorillPosition, name: str) -> Sequence[Phrase]:
    """The units on a space, a radius (its letter) or a circuit (its number), or where a unit is."""
    wanted, standing = casefolded(name), _standing(seen)
    if wanted in SPACES:
        return (_on(seen, wanted, standing),)
    # A small letter is a radius, a capital one a unit: «a», «A».
    label = None if len(name) == 1 and name.islower() else label_named(name)
    if label is not None:
        return tuple(_where(seen, label))
    row = [space for space in SPACES if wanted and wanted in (space[0], space[1:])]
    if not row:
        return ()
    hidden = tuple(dict.fromkeys(one for space in row for one in _tell_hidden(seen, space)))
    if hidden:
        return hidden
    there = tuple(_owned(*standing[space], space) for space in row if space in standing)
    if not there:
        return (own_phrase("asked.empty-row", row=wanted),)
    return (own_phrase("asked.row", row=wanted, units=there),)


def _standing(seen: StorillPosition) -> Standing:
    stage = seen.stage
    if isinstance(stage, Battle):
        return dict(stage.board.standing)
    return {
        space: (seat, label)
        for seat, line in enumerate(stage.lines)
        for label, space in zip(line or (), ZONES[seat], strict=False)
        if label is not None
    }


def _tell_hidden(seen: StorillPosition, space: Space) -> Iterator[Phrase]:
    """That an arrangement is hidden which may have a unit on *space*."""
    stage = seen.stage
    if not isinstance(stage, Battle):
        for seat, line in enumerate(stage.lines):
            if line is None and space in ZONES[seat]:
                yield own_phrase("words.hidden", side=side(seat))


def _on(seen: StorillPosition, space: Space, standing: Standing) -> Phrase:
    if space not in standing:
        return next(_tell_hidden(seen, space), own_phrase("asked.empty", space=space))
    seat, label = standing[space]
    return own_phrase("asked.space", space=space, unit=unit(label), who=Who(seat))


def _owned(seat: Seat, label: Label, space: Space) -> Phrase:
    return own_phrase("asked.owned", unit=unit_with_place(label, space), colour=side(seat))


def _where(seen: StorillPosition, label: Label) -> Iterator[Phrase]:
    stage, standing = seen.stage, _standing(seen)
    for seat in (0, 1):
        where = next((s for s, one in standing.items() if one == (seat, label)), None)
        if isinstance(stage, Battle):
            where = stage.board.place(seat, label)
        if where is not None:
            at_place = standing_on(where)
            yield own_phrase("asked.unit", unit=unit(label), where=at_place, who=Who(seat))
        elif isinstance(stage, Battle):
            yield own_phrase("asked.gone", unit=unit(label), who=Who(seat))


def threats(seen: StorillPosition, seat: Seat) -> Sequence[Phrase]:
    """Each unit of *seat* that an enemy could capture now, with who could."""
    stage = seen.stage
    if isinstance(stage, SetUp) or stage.outcome:
        return ()
    board, variant, enemy = stage.board, stage.variant, 1 - seat
    by: dict[Space, list[Phrase]] = {}
    for label in UNITS:
        where = board.place(enemy, label)
        reached = salvo if label in ARCHERS else targets
        for space in reached(board, enemy, label, variant):
            if where is not None and board.standing[space][0] == seat:
                by.setdefault(space, []).append(unit_with_place(label, where))
    return tuple(
        own_phrase("asked.danger", unit=_unit_on(stage, space), by=tuple(by[space]))
        for space in SPACES
        if space in by
    )


ASKING = Asking(at, threats)


MANY, FEW = 10, 3
"""From how many captures on there was no quarter, and up to how many it was a raid."""


def chronicle(deeds: Sequence[Deed], _last: StorillPosition, outcome: Outcome) -> Feat:
    """The title goes by how the last blow fell, or by how many the winner captured."""
    own = [one for one in deeds if one.seat == outcome.winner]
    taken = sum(_captures(one) for one in own)
    final = deeds[-1].move if deeds and deeds[-1].seat == outcome.winner else None
    feats = {
        "ambush": isinstance(final, Ambuscade),
        "salvo": isinstance(final, Salvo),
        "no-quarter": taken >= MANY,
        "raid": taken <= FEW,
    }
    title = next((feat for feat, holds in feats.items() if holds), "other")
    return Feat(own_phrase(f"feat.{title}"), taken, own_phrase("feat.taken", n=taken))


def _captures(deed: Deed) -> int:
    """How many enemies fell (a salvo may fell own ones too: G9)."""
    stage = deed.before.stage if isinstance(deed.before, StorillPosition) else None
    if not isinstance(stage, Battle):
        return 0
    standing = stage.board.standing
    return sum(standing[space][0] != deed.seat for space in stage.fallen(deed.move))


SPEECH: Speech[StorillPosition, StorillMove] = Speech(
    describe, spoken, weight, notices=notices, refusal=refusal, turns=TURNS
)
