"""The players' pages in ``docs/play``, written from what the bot itself says and draws.

``python -m tests.tools.play_pages`` writes them anew, after a change of the texts, the commands,
the options or the painters.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from bot.presenters.command_specs import by_topic
from bot.presenters.rulebook import FIGURE, figure_file
from bot.presenters.table.setup import game_facts
from bot.session.draft import Rule, rules_of
from bot.texts import LANGUAGES, language, rules
from games.core import Game, phrase
from games.core.shelf import find_game, shelf
from render.kit import png

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "play"
FIGURES = FOLDER / "figures"

SMALLER = 2
"""A figure of the pages is so many times smaller than that of the bot."""

COLOURS = 64
"""The colours of a figure of the pages."""


@dataclass(frozen=True)
class Words:
    """What the pages say besides the bot's own texts."""

    title: str
    intro: str
    games: str
    commands: str
    grouped: str
    columns: str
    play: str
    option: str
    chapter: str
    options: str
    options_intro: str
    chance: str
    chance_text: str
    back: str
    other: str


WORDS = {
    "en": Words(
        title="How to play",
        intro=(
            "Write `/play` in a Discord server, in a Telegram group or on the page in the browser, "
            "and choose a game: buttons do the rest. With somebody else, they press *Sit down*; "
            "alone, play against the computer. Nobody needs to learn a command."
        ),
        games="The games",
        commands="The commands",
        grouped=(
            "On Discord, what is done with a game stands in `/game` (`/game resign`), your own "
            "affairs in `/me`, and those of the server in `/place`; typing the name finds it."
        ),
        columns="| command | | does |",
        play="What `/play` takes at once",
        option=(
            "| option | what it decides, or what another value changes "
            "| values, the first is the usual one |"
        ),
        chapter="Options",
        options="House rules",
        options_intro=(
            "Choose them by button before the table opens, or type them: "
            "`/play {game} {key}={value}`."
        ),
        chance="Chance that can be checked",
        chance_text=(
            "Before a game with cards or dice begins, they are already fixed and locked away, and "
            "`/verify` tells a code of it. Every card and every roll follows from a secret and "
            "from words that the players may add with `/words`. At the end the secret is shown, "
            "and `/verify` recomputes them all and compares the code "
            "([more](../../evidence/fairness.md))."
        ),
        back="All games and commands",
        other="En español",
    ),
    "es": Words(
        title="Cómo se juega",
        intro=(
            "Escribe `/jugar` en un servidor de Discord, en un grupo de Telegram o en la página "
            "del navegador y elige un juego: lo demás va con botones. Si juegas con alguien, pulsa "
            "*Sentarme*; si no, juega contra el ordenador. Nadie tiene que aprenderse una orden."
        ),
        games="Los juegos",
        commands="Las órdenes",
        grouped=(
            "En Discord, lo de una partida está en `/partida` (`/partida rendirse`), lo tuyo en "
            "`/yo` y lo del servidor en `/sitio`; si escribes el nombre, aparece."
        ),
        columns="| orden | | qué hace |",
        play="Lo que `/jugar` entiende de una vez",
        option=(
            "| opción | qué decide, o qué cambia con otro valor "
            "| valores; el primero es el habitual |"
        ),
        chapter="Opciones",
        options="Reglas de la casa",
        options_intro=(
            "Se eligen con botones antes de abrir la mesa, o se escriben: "
            "`/jugar {game} {key}={value}`."
        ),
        chance="Un azar que se puede comprobar",
        chance_text=(
            "Antes de una partida con cartas o dados, la suerte ya está echada y guardada bajo "
            "llave, y `/verificar` dice su código. Cada carta y cada tirada salen de un secreto y "
            "de las palabras que los jugadores añadan con `/palabras`. Al final se enseña el "
            "secreto, y `/verificar` las vuelve a calcular todas y compara el código "
            "([más, en inglés](../../evidence/fairness.md))."
        ),
        back="Todos los juegos y las órdenes",
        other="In English",
    ),
}


def pages() -> dict[str, str]:
    """Every page by its path in ``docs/play``."""
    found = {}
    for code in LANGUAGES:
        found[f"{code}/README.md"] = _home(code)
        for game in shelf().values():
            found[f"{code}/{game.key}.md"] = _game(game, code)
    return found


def figures(game: Game) -> dict[str, bytes]:
    """The figures of *game* by file name: one for all languages where they look the same."""
    found = {}
    for _, name in FIGURE.findall(rules(game.key, LANGUAGES[0])):
        drawn = {code: _drawn(game.key, name, code) for code in LANGUAGES}
        if len(set(drawn.values())) == 1:
            found[f"{game.key}-{name}.png"] = drawn[LANGUAGES[0]]
        else:
            found |= {f"{game.key}-{name}-{code}.png": data for code, data in drawn.items()}
    return found


def _file(key: str, name: str, code: str) -> str:
    """The file of the figure *name*: that with the words of *code*, if there is one."""
    own = f"{key}-{name}-{code}.png"
    return own if (FIGURES / own).exists() else f"{key}-{name}.png"


def _drawn(key: str, name: str, code: str) -> bytes:
    """The figure in the language *code*, small enough for a page of text."""
    whole = Image.open(io.BytesIO(figure_file(find_game(key), name, "light", code))).convert("RGB")
    size = (whole.width // SMALLER, whole.height // SMALLER)
    return png(whole.resize(size, Image.Resampling.LANCZOS).quantize(COLOURS))


def _say(code: str, key: str) -> str:
    return language(code).say(phrase(key))


def _linked(code: str, page: str) -> str:
    other = next(one for one in LANGUAGES if one != code)
    return f"[{WORDS[code].other}](../{other}/{page})"


def _home(code: str) -> str:
    words = WORDS[code]
    lines = [f"# {words.title}", "", _linked(code, "README.md"), "", words.intro, ""]
    lines += [f"## {words.games}", ""]
    for game in shelf().values():
        lines.append(
            f"- **[{_say(code, f'{game.key}.name')}]({game.key}.md)**. "
            f"{_say(code, f'{game.key}.blurb')}"
        )
    lines += ["", f"## {words.commands}", "", words.grouped, ""]
    for topic, commands in by_topic().items():
        lines += [f"### {_say(code, f'house.help.{topic}').lstrip('▸ ')}", ""]
        lines += [words.columns, "|---|---|---|"]
        for one in commands:
            names = " | ".join(f"`/{one.name_in(each)}`" for each in _first(code))
            lines.append(f"| {names} | {_sentence(one.help_in(code))} |")
        lines.append("")
    lines += [f"## {words.play}", ""]
    play = by_topic()["play"][0]
    lines += [
        f"- `{play.parameter_in(one, code)}`: {_sentence(play.parameter_help(one, code))}"
        for one in play.parameters
    ]
    lines += ["", f"## {words.chance}", "", words.chance_text]
    return "\n".join(lines) + "\n"


def _sentence(text: str) -> str:
    """*text* with its first letter large and an end."""
    return f"{text[0].upper()}{text[1:]}" + ("" if text.endswith((".", "…", "?", "!")) else ".")


def _first(code: str) -> list[str]:
    """The languages, *code* first."""
    return sorted(LANGUAGES, key=lambda one: one != code)


def _game(game: Game, code: str) -> str:
    words = WORDS[code]
    text = _with_house_rules(game, code)
    drawn = FIGURE.sub(lambda one: f"![{one[1]}](../figures/{_file(game.key, one[2], code)})", text)
    ways = f"[{words.back}](README.md) · {_linked(code, f'{game.key}.md')}"
    head = [f"# {_say(code, f'{game.key}.name')}", "", ways, ""]
    facts = language(code).say(game_facts(game))
    head += [f"*{facts}.* {_say(code, f'{game.key}.blurb')}", ""]
    return "\n".join([*head, drawn]) + "\n"


def _with_house_rules(game: Game, code: str) -> str:
    """The rules of *game*, with the table of its house rules in the place of their chapter."""
    chapters = re.split(r"^(?=## )", rules(game.key, code).strip(), flags=re.MULTILINE)
    (number,) = (
        n for n, one in enumerate(chapters) if one.startswith(f"## {WORDS[code].chapter}\n")
    )
    told = dict(re.findall(r"^(?:- )?\*\*(.+?)\*\*: (.+)$", chapters[number], re.MULTILINE))
    chapters[number] = "\n".join([*_options(game, code, told), "", ""])
    return "".join(chapters).strip()


def _options(game: Game, code: str, told: Mapping[str, str]) -> Iterator[str]:
    """The table of the house rules of *game*, each with the longer of the two sentences on it.

    One is that of the option itself, the other is *told* in the rules, by the option's name.
    """
    words, first = WORDS[code], game.rules.options[0]
    yield f"## {words.options}"
    yield ""
    yield words.options_intro.format(game=game.key, key=first.key, value=first.values[-1])
    yield ""
    yield words.option
    yield "|---|---|---|"
    for rule in rules_of(game):
        name, about = _say(code, rule.label), _say(code, f"{rule.label}.about")
        also = next((text for of, text in told.items() if name.startswith(of)), "")
        longer = _sentence(max(about, also, key=len))
        yield f"| **{name}** `{rule.key}` | {longer} | {_values(rule, code)} |"


def _values(rule: Rule, code: str) -> str:
    """The values of *rule* as they are typed, each with what players read."""
    return " · ".join(f"`{one}` {_say(code, f'{rule.label}.{one}')}" for one in rule.values)


def main() -> None:
    """Write the pages and their figures, and drop figures that no page shows any more."""
    drawn = {name: data for game in shelf().values() for name, data in figures(game).items()}
    FIGURES.mkdir(parents=True, exist_ok=True)
    for old in FIGURES.glob("*.png"):
        if old.name not in drawn:
            old.unlink()
    for name, data in drawn.items():
        (FIGURES / name).write_bytes(data)
    for path, text in pages().items():
        file = FOLDER / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
        print(file.relative_to(FOLDER.parents[1]))


if __name__ == "__main__":
    main()
