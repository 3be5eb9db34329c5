"""A line being typed: what it means, and what completes it."""

from __future__ import annotations

import pytest

from bot.chats.web.completion import complete_line, with_line
from bot.port import Asker, Command, Suggestion, Where

ASKER = Asker("web", "a", "Nerea", "es")
CALL = Command("u", Where("web", "a", private=True), ASKER, "", reply_to="K7QXYZ")


class House:
    """Suggests what it was asked, so that one sees what that was."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, str], str, str]] = []

    async def suggest(self, call: Command, parameter: str, text: str):
        self.asked.append((call.name, dict(call.values), parameter, text))
        return [Suggestion(f"{text}1 · una nota", f"{text}1"), Suggestion(f"{text}2", f"{text}2")]


async def ask(line: str, code: str = "es"):
    facade = House()
    return await complete_line(facade, CALL, line, code), facade.asked


@pytest.mark.parametrize(
    ("line", "name", "values"),
    [
        ("e4", "move", {"move": "e4"}),
        ("  Z1>45 x ", "move", {"move": "Z1>45 x"}),
        ("/mover e4", "move", {"move": "e4"}),
        ("/move e4 f5", "move", {"move": "e4 f5"}),
        (
            "/jugar niya ordenador 2",
            "play",
            {"game": "niya", "opponent": "ordenador", "level": "2"},
        ),
        ("/jugar juego=niya nivel=1", "play", {"game": "niya", "level": "1"}),
        ("/jugar niya, nivel 2", "play", {"game": "niya", "level": "2"}),
        ("/partidas", "games", {}),
        ("/volar alto", "volar", {}),
        ("/", "", {}),
    ],
)
def test_what_a_line_means(line, name, values):
    call = with_line(CALL, line)
    assert (call.name, call.values) == (name, values)
    assert call.reply_to == "K7QXYZ"


async def test_an_empty_line_has_nothing_to_complete():
    for line in ("", "   "):
        found, asked = await ask(line)
        assert not found.found
        assert not asked


@pytest.mark.parametrize(("code", "first"), [("es", "/jugar"), ("en", "/play")])
async def test_a_slash_lists_the_commands_in_the_readers_language(code, first):
    found, _ = await ask("/", code)
    assert found.found[0].label == first
    assert found.found[0].line == f"{first} "
    assert len(found.found[0].note) > 10
    assert len(found.found) > 12


async def test_commands_are_found_by_their_names_in_both_languages():
    for line in ("/tabler", "/boa"):
        found, _ = await ask(line)
        assert [one.label for one in found.found] == ["/tablero"]


async def test_a_command_without_parameters_gets_no_blank():
    found, _ = await ask("/partidas")
    assert [one.line for one in found.found] == ["/partidas"]


@pytest.mark.parametrize(
    ("line", "asked", "signature", "first"),
    [
        ("/jugar ", ("play", {}, "game", ""), "juego", "/jugar 1 "),
        ("/jugar ni", ("play", {}, "game", "ni"), "juego", "/jugar ni1 "),
        ("/jugar niya ord", ("play", {"game": "niya"}, "opponent", "ord"), "rival", None),
        ("/jugar niya nivel=", ("play", {"game": "niya"}, "level", ""), "nivel", None),
        ("/jugar niya nivel ", ("play", {"game": "niya"}, "level", ""), "nivel", None),
        ("/jugar niya color r", ("play", {"game": "niya"}, "side", "r"), "color", None),
        ("/jugar niya level=2", ("play", {"game": "niya"}, "level", "2"), "nivel", None),
        (
            "/jugar niya full_board=d",
            ("play", {"game": "niya"}, "options", "full_board=d"),
            "opciones",
            "/jugar niya full_board=d1 ",
        ),
        ("/mover ", ("move", {"table": "K7QXYZ"}, "move", ""), "jugada", "/mover 1"),
        ("/mover e4 f", ("move", {"table": "K7QXYZ"}, "move", "e4 f"), "jugada", "/mover e4 f1"),
        ("/unirse K7", ("join", {}, "table", "K7"), "mesa", "/unirse K71"),
        ("e", ("move", {"table": "K7QXYZ"}, "move", "e"), "jugada", "e1"),
    ],
)
async def test_a_parameter_is_completed_by_the_house(line, asked, signature, first):
    found, told = await ask(line)
    assert told == [asked]
    assert found.parameter == signature
    if first is not None:
        assert found.found[0].line == first
    assert found.found[0].note == "una nota"
    assert found.found[1].note == ""


async def test_a_finished_line_and_an_unknown_command_ask_nothing():
    for line in ("/partidas x", "/volar alto"):
        found, asked = await ask(line)
        assert not found.found
        assert not asked


async def test_a_completion_is_a_line_that_means_what_it_shows():
    found, _ = await ask("/jugar niya full_board=d")
    assert with_line(CALL, found.found[0].line).values == {"game": "niya", "full_board": "d1"}
