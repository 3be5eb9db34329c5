"""Documents of a table: its record and the proof of its draws."""

from __future__ import annotations

from bot.port import Answer, Attachment, Button, Card, FileAnswer, Said
from bot.presenters.base import PagePresenter
from bot.presenters.button_codes import Action
from bot.presenters.table.invitation import is_dealt, legible_seal
from bot.session.game_clock import NONE
from bot.session.offers import foreseen
from bot.session.table import ENDED, PLAYING, Table
from bot.session.visibility import hides
from bot.texts import language
from games.core import CHANCE, Record, RuleError, Unreadable, phrase
from games.core.chance import commitment
from games.core.record import CLOCK, result_of, spent_tag
from games.core.record_verification import provable, verify

WHOLE = "whole"
"""The path of a button, and what a file asks for, that tells the whole check."""

MOST_FAULTS = 5
"""How many wrong lines of a record one answer tells."""


def record_of(table: Table) -> Record:
    """The record of *table*, from which it can be replayed and its draws checked.

    That of a game from a file is as it was read, with all that stands beside the moves.
    """
    if table.record is not None:
        return table.record
    tags = {
        "Table": table.code,
        "Date": table.created.date().isoformat(),
        "Commitment": table.commitment,
        "Words": table.chance_words,
        "Begins": table.begins,
        "Chairs": " ".join(str(sorted(table.chairs).index(one)) for one in table.chairs),
        "Left": " ".join(map(str, sorted(table.leavers))),
    }
    for seat, player in enumerate(table.players):
        computer = f"computer {player.level}" if player.level else ""
        tags[f"Player{seat}"] = player.name or computer
    if table.start:
        tags["Position"] = table.start
    if table.lot is not None:
        tags["Draw0"] = f"{table.lot[0]} {table.lot[1]}"
    if table.secret is not None:
        tags["Secret"] = table.secret.hex()
    if table.clock is not None:
        tags[CLOCK] = table.control
        tags |= spent_tag([None if one == NONE else one for one in table.clock.spent])
    if table.match is not None:
        tags["Match"] = table.match.text
    if table.outcome is not None:
        tags["Result"] = result_of(table.outcome)
    sides, options, first = table.setting.sides, table.setting.options, table.setting.first
    record = Record(table.game.key, sides, options, first, table.log, tags)
    return record if table.secret is None else provable(record, table.game)


RECORD = "record"
"""The form of a record that all games have."""


def record_answer(
    table: Table, code: str, form: str = RECORD, record: Record | None = None
) -> Answer:
    """The record as a file; *form* and *record* are as ``written_as`` says."""
    say, file = language(code).say, written_as(table, form, record)
    if file is None:
        return Said(say(phrase("house.record.later")), good=False)
    moves = sum(entry.seat != CHANCE for entry in table.log)
    return FileAnswer(say(phrase("house.record.here", code=table.code, n=moves)), file)


def forms_of(table: Table) -> tuple[str, ...]:
    """The forms of the record of *table*; none while a set-up is hidden."""
    hidden = table.status == PLAYING and hides(table, *range(len(table.players)))
    if table.position is None or hidden:
        return ()
    return (RECORD, *(form.key for form in table.game.records.formats))


def written_as(table: Table, form: str, record: Record | None = None) -> Attachment | None:
    """The record of *table* in one of its *forms*; ``None`` where that form cannot say it.

    In its place *record*, where one is given: the same with more beside the moves.
    """
    if form not in forms_of(table):
        return None
    name, record = f"ludoteca-{table.code}", record or record_of(table)
    own = next((one for one in table.game.records.formats if one.key == form), None)
    if own is None:
        return Attachment(f"{name}.txt", record.text().encode())
    try:
        data = own.write(table.game, record).encode()
    except Unreadable:
        return None
    return Attachment(f"{name}{f'-{form}' if own.suffix == '.txt' else ''}{own.suffix}", data)


def is_verifiable(table: Table) -> bool:
    """Whether there is anything to check at *table*, or a seal to be told before its end."""
    return table.status == ENDED or is_dealt(table.game)


def verify_answer(table: Table, pages: PagePresenter, *, whole: bool) -> Answer:
    """The check of *table* against its seal, its draws and the rules.

    Before the end it tells the seal, against which all can be checked later. What is well is told
    in a sentence with a button to the *whole*, line by line and with all draws.
    """
    say, seal = language(pages.language).say, legible_seal(table.commitment)
    if table.status != ENDED and is_dealt(table.game):
        return Said(say(phrase("house.commitment", code=seal)))
    try:
        verdict = verify(record_of(table), table.game, table.commitment)
    except RuleError as refused:
        return Said(say(refused.phrase), good=False)
    key = "house.verify.honest" if verdict.honest else "house.verify.false"
    lines = [phrase(key, n=len(verdict.draws), commitment=seal)]
    if verdict.honest and not whole:
        how = pages.code(Action.VERIFY, WHOLE, table=table.code)
        keys = [Button(pages.say("house.button.how-known"), how)]
        return Card(pages.page(say(lines[0]), rows=[keys]), said=say(lines[0]))
    if verdict.honest:
        lines.append(phrase("house.verify.seal", commitment=seal))
    if table.child is None and not table.tournament and is_dealt(table.game):
        following, secret = foreseen(table, pages.key)
        after = legible_seal(commitment(secret))
        lines.append(phrase("house.verify.next", code=following, seal=after))
    told, rest = verdict.faults[:MOST_FAULTS], verdict.faults[MOST_FAULTS:]
    lines += [phrase("core.fault", line=one.line, why=one.why) for one in told]
    if rest:
        lines.append(phrase("house.verify.more", n=len(rest)))
    lines += [one.said for one in verdict.unproved]
    common = verdict.frequencies.most_common()
    if common and common[0][1] > 1:
        counts = tuple(f"{text} ×{count}" for text, count in sorted(common))
        lines.append(phrase("house.verify.frequencies", counts=counts))
    said = "\n".join(map(say, (*lines, phrase("house.verify.limit"))))
    if not verdict.draws:
        return Said(said, good=verdict.honest)
    draws = "".join(
        f"{one.number}\t{one.cases}\t{one.case}\t{one.written}\t{one.expected}\n"
        for one in verdict.draws
    )
    file = Attachment(f"ludoteca-{table.code}-draws.tsv", draws.encode())
    return FileAnswer(said, file, good=verdict.honest)
