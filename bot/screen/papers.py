"""What can be read at a table: its rules, its record, and whether its draws were fair."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.port import Answer, Button, Card, File, FileAnswer, Said, Screen
from bot.screen.buttons import NO_TABLE, Act, Click, encode
from bot.table.sight import hides
from bot.table.table import PLAYING, Table
from bot.texts import language, rules
from games.core import Game, Record, RuleError, phrase
from games.core.record import result_of
from games.core.shelf import shelf
from games.core.verify import provable, verify
from render.kit import figure, png

MOST_FAULTS = 5
"""How many wrong lines of a record are told in one answer."""

_FIGURE = re.compile(r"!\[([^\]]*)\]\(figure:([a-z0-9-]+)\)")


@dataclass(frozen=True)
class Section:
    """One section of a rule text: its title, its paragraphs, and the first figure in it."""

    title: str
    text: str
    figure: str | None


def record_of(table: Table) -> Record:
    """The record of *table*: all that is needed to replay it and to check its draws."""
    tags = {
        "Table": table.code,
        "Date": table.created.date().isoformat(),
        "Commitment": table.commitment,
        "Words": table.chance_words,
        "Begins": table.begins,
        "Chairs": " ".join(map(str, table.chairs)),
        "Left": " ".join(map(str, sorted(table.leavers))),
    }
    for seat, player in enumerate(table.players):
        computer = f"computer {player.level}" if player.level else ""
        tags[f"Player{seat}"] = player.name or computer
    if table.lot is not None:
        tags["Draw0"] = f"{table.lot[0]} {table.lot[1]}"
    if table.secret is not None:
        tags["Secret"] = table.secret.hex()
    if table.outcome is not None:
        tags["Result"] = result_of(table.outcome)
    sides, options, first = table.setting.sides, table.setting.options, table.setting.first
    record = Record(table.game.key, sides, options, first, table.log, tags)
    return record if table.secret is None else provable(record, table.game)


def record_answer(table: Table, code: str) -> Answer:
    """The record as a file, and in its game's own notation where it has one."""
    tongue = language(code)
    hidden = hides(table, *range(len(table.players)))
    if table.position is None or (table.status == PLAYING and hidden):
        return Said(tongue.say(phrase("house.record.later")), good=False)
    data = record_of(table).text().encode()
    return FileAnswer(
        tongue.say(phrase("house.record.here", code=table.code, n=len(table.log))),
        File(f"ludoteca-{table.code}.txt", data),
    )


def verify_answer(table: Table, code: str) -> Answer:
    """Whether *table* was played as its seal, its draws and the rules demand, line by line."""
    tongue = language(code)
    try:
        verdict = verify(record_of(table), table.game)
    except RuleError as refused:
        return Said(tongue.say(refused.phrase), good=False)
    key = "house.verify.honest" if verdict.honest else "house.verify.false"
    lines = [tongue.say(phrase(key, n=len(verdict.draws), commitment=table.commitment))]
    told, rest = verdict.faults[:MOST_FAULTS], verdict.faults[MOST_FAULTS:]
    lines += [tongue.say(phrase("core.fault", line=one.line, why=one.why)) for one in told]
    if rest:
        lines.append(tongue.say(phrase("house.verify.more", n=len(rest))))
    lines += [tongue.say(phrase("core.unproved", what=one)) for one in verdict.unproved]
    common = verdict.frequencies.most_common()
    if common and common[0][1] > 1:
        counts = tuple(f"{text} ×{count}" for text, count in sorted(common))
        lines.append(tongue.say(phrase("house.verify.frequencies", counts=counts)))
    lines.append(tongue.say(phrase("house.verify.limit")))
    table_of_draws = "\n".join(
        f"{one.number}\t{one.cases}\t{one.case}\t{one.written}\t{one.expected}"
        for one in verdict.draws
    )
    file = File(f"ludoteca-{table.code}-draws.tsv", f"{table_of_draws}\n".encode())
    if not verdict.draws:
        return Said("\n".join(lines), good=verdict.honest)
    return FileAnswer("\n".join(lines), file, good=verdict.honest)


def sections(game: Game, code: str) -> tuple[Section, ...]:
    """The rule text of *game* by sections, in the order of the text."""
    parts = re.split(r"^## +", rules(game.key, code), flags=re.MULTILINE)
    found = []
    for number, part in enumerate(parts):
        title, _, body = part.partition("\n")
        if not number:
            title = title.lstrip("# ").strip()
        drawn = _FIGURE.search(body)
        plain = _FIGURE.sub(lambda m: f"[{m[1]}]", body)
        found.append(Section(title.strip(), _plain(plain), drawn[2] if drawn else None))
    return tuple(section for section in found if section.text)


def _plain(text: str) -> str:
    """Markdown without its marks, for chats that show plain text."""
    text = re.sub(r"\*\*([^*\n]+)\*\*", r"\1", text)
    text = re.sub(r"`([^`\n]+)`", r"\1", text)
    text = re.sub(r"\[([^\]\n]+)\]\(https?:[^)\n]+\)", r"\1", text)
    text = re.sub(r"^### +", "", text, flags=re.MULTILINE)
    text = re.sub(r"(?<!\n)\n(?![\n\-|0-9])", " ", text)
    return text.strip()


def rules_of_which(code: str, key: bytes) -> Card:
    """The question which game's rules are meant, with a button for each."""
    tongue = language(code)
    rows = tuple(
        (
            Button(
                tongue.say(phrase(f"{game}.name")),
                encode(Click(Act.RULES, NO_TABLE, 0, (game, "0")), key),
            ),
        )
        for game in shelf()
    )
    said = tongue.say(phrase("house.rules-of-which"))
    return Card(Screen(NO_TABLE, 0, said, rows=rows, language=code))


def rules_card(game: Game, code: str, page: int, key: bytes) -> Card:
    """Page *page* of the rules of *game*, with its figure and buttons to turn the page."""
    tongue = language(code)
    parts = sections(game, code)
    page = max(0, min(page, len(parts) - 1))
    part = parts[page]

    def turn(said: str, to: int) -> Button:
        click = Click(Act.RULES, NO_TABLE, 0, (game.key, str(to)))
        return Button(tongue.say(phrase(said)), encode(click, key))

    row = []
    if page > 0:
        row.append(turn("house.button.before", page - 1))
    if page + 1 < len(parts):
        row.append(turn("house.button.next", page + 1))
    headline = f"{part.title} ({page + 1}/{len(parts)})"
    screen = Screen(
        NO_TABLE, 0, headline, (part.text,), rows=(tuple(row),) if row else (), language=code
    )
    drawn = figure(game.key, part.figure, say=tongue.say) if part.figure else None
    return Card(screen, png(drawn) if drawn is not None else None)
