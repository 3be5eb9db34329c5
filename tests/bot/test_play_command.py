"""What `/play` understands of games, levels, sides and people, and how it refuses the rest."""

import re

import pytest

from bot.commands.table.creation import read_game_request
from bot.presenters.typed_command_parser import parse, parse_deed
from bot.presenters.typed_names import side_keys
from bot.session.draft import rules_of
from bot.texts import LANGUAGES, language
from games.core import phrase
from games.core.shelf import shelf
from tests.bot.read_play_line import refused, wished

OPTIONS = [(game, option) for game in shelf().values() for option in game.rules.options]


@pytest.mark.parametrize(
    "words",
    [
        *("nivel 3", "level 3", "nivel=3", "nivel: 3", "nivel:3", "Nivel3", "de nivel 3"),
        *("contra la máquina nivel 3", "contra la maquina, nivel 3", "vs. bot level 3"),
        *("contra el ordenador (nivel 3)", "against the computer at level 3", "ordenador 3"),
        *("3", "competente", "nivel competent", "computer Competente"),
    ],
)
def test_the_level_is_understood_as_people_say_it(words):
    wish = wished(f"/jugar cirya {words}")
    assert (wish.game.key, wish.level, wish.against_computer) == ("cirya", 3, True)
    assert wish.named is None


@pytest.mark.parametrize(
    "words", ["nivel 9", "9", "nivel", "nivel cero", "nivel -1", "ordenador 9", "bot virtuoso"]
)
def test_a_level_that_the_game_has_not_gets_one_sentence(words):
    assert refused(f"/jugar cirya {words}", "es") == (
        "En Cirya el nivel va de 1 (principiante) a 6 (maestro)."
    )
    assert refused(f"/play cirya {words}", "en") == (
        "In Cirya levels go from 1 (beginner) to 6 (master)."
    )


def test_what_else_is_chosen_is_named_by_a_word_as_well():
    wish = wished("/jugar al parchís con reloj 5m+5s, 4 jugadores, color azul empieza a dados")
    assert (wish.seats, wish.side, wish.begins) == (4, "blue", "rolls")
    assert wish.control is not None
    assert wish.control.text == "5m+5s"
    assert not wish.against_computer
    assert wished("/jugar cirya opciones size=6 nivel 2").options["size"] == "6"
    assert wished("/jugar cirya contra @ana.b reloj 3d").named == "@ana.b"


NAMES = [(name, game) for game in shelf().values() for name in (game.title, *game.aliases)]


@pytest.mark.parametrize(("name", "game"), NAMES, ids=[name for name, _ in NAMES])
@pytest.mark.parametrize(
    "line",
    [
        *("{} ordenador 3", "{}, nivel 3", "al {} contra la máquina, nivel 3", "{} bot nivel=3"),
        *("juego={} ordenador nivel=3", "nivel=3 game={}", "nivel 3 juego {}", "juego: {} bot 3"),
    ],
)
def test_a_game_is_understood_by_every_name_it_has_in_one_word_or_several(name, game, line):
    if game.computer.levels < 3:
        pytest.skip("three levels are there to be named")
    wish = wished(f"/jugar {line.format(name)}")
    assert (wish.game, wish.level, wish.against_computer) == (game, 3, True)
    assert wish.named is None


@pytest.mark.parametrize(("name", "game"), NAMES, ids=[name for name, _ in NAMES])
@pytest.mark.parametrize("code", LANGUAGES)
def test_a_game_is_understood_wherever_it_stands(name, game, code):
    said = language(code).say(phrase(side_keys(game)[game.rules.sides[0]]))
    for line in (
        f"{said} {name} 1",
        f"{said}, {name}, 1",
        f"1 {said} al {name}",
        f"1 {name} {said}",
    ):
        wish = wished(f"/jugar {line}")
        assert (wish.game, wish.side, wish.level) == (game, game.rules.sides[0], 1), line
    wish = wished(f"/jugar contra la máquina una partida de {name}")
    assert (wish.game, wish.against_computer, wish.named) == (game, True, None)


@pytest.mark.parametrize("words", ["@ana, rojo", "(@ana) rojo", "rojo, @ana;", "contra @ana, rojo"])
def test_what_is_written_behind_a_person_is_no_part_of_his_name(words):
    wish = wished(f"/jugar niya {words}")
    assert (wish.named, wish.side) == ("@ana", "red")
    assert wished("/jugar niya @ana.b., rojo").named == "@ana.b."


def test_a_person_called_like_a_game_is_known_by_his_at():
    wish = wished("/jugar @shogi niya")
    assert (wish.game.key, wish.named) == ("niya", "@shogi")


def test_what_is_no_game_anywhere_is_told_as_such():
    assert refused("/jugar negras damas", "es") == refused("/jugar negras", "es")


def test_a_name_of_a_game_takes_no_word_more_than_it_has():
    assert wished("/jugar ajedrez japonés @ana").named == "@ana"
    assert wished("/play japanese chess against @ana").named == "@ana"
    assert "«ajedrez»" in refused("/jugar ajedrez francés", "es")


def test_a_word_that_means_nothing_else_is_a_name():
    assert wished("/jugar cirya Nivelina").named == "Nivelina"


@pytest.mark.parametrize("words", ["María José", "con María José, nivel 2", "gote María José 2"])
def test_a_name_may_have_several_words(words):
    wish = wished(f"/jugar shogi {words}, por favor")
    assert wish.named == "María José"


@pytest.mark.parametrize(
    "words", ["nivel 3 gote", "gote nivel=3", "gote 3", "3 gote", "contra el ordenador 3 gote"]
)
def test_a_side_needs_no_name_before_it(words):
    wish = wished(f"/jugar shogi {words}")
    assert (wish.side, wish.level, wish.named, wish.against_computer) == ("gote", 3, None, True)


@pytest.mark.sampled(9)
@pytest.mark.parametrize(
    "line",
    [
        *("/jugar shogi {} nivel 3", "/jugar shogi contra el ordenador 3 con las {}"),
        *("/jugar shogi {} contra el ordenador 3", "/jugar ajedrez japonés 3 color {}"),
        *("/play shogi level 3 {}", "/play shogi computer 3 with {}", "/play shogi 3 side: {}"),
    ],
)
@pytest.mark.parametrize(
    ("name", "side"),
    [
        *(("negras", "sente"), ("Negro", "sente"), ("black", "sente"), ("先手", "sente")),
        *(("blancas", "gote"), ("BLANCO", "gote"), ("White", "gote"), ("後手", "gote")),
    ],
)
def test_the_sides_of_shogi_are_called_by_their_colours_as_well(name, side, line):
    wish = wished(line.format(name))
    assert (wish.side, wish.level, wish.named, wish.against_computer) == (side, 3, None, True)


ALSO = [
    (game, side, code, name)
    for game in shelf().values()
    for side in game.rules.sides
    for code in LANGUAGES
    for name in str(language(code).templates.get(f"{game.key}.side.{side}.also", "")).split(", ")
    if name
]


@pytest.mark.sampled(7)
@pytest.mark.parametrize(
    ("game", "side", "code", "name"), ALSO, ids=[f"{game.key}-{name}" for game, _, _, name in ALSO]
)
def test_every_other_name_of_a_side_is_understood_alone_and_named(game, side, code, name):
    for line in (f"/play {game.key} {name} @ana", f"/play {game.key} color={name.upper()} @ana"):
        wish = wished(line)
        assert (wish.side, wish.named) == (side, "@ana"), line
    if side in game.rules.begins:
        assert wished(f"/play {game.key} empieza={name}").begins == side


@pytest.mark.parametrize("code", LANGUAGES)
def test_other_names_stand_beside_labels_that_there_are(code):
    labels = {key for game in shelf().values() for key in side_keys(game).values()}
    for rule in (rule for game in shelf().values() for rule in rules_of(game)):
        labels |= {rule.label, *(f"{rule.label}.{value}" for value in rule.values)}
    named = {key for key in language(code).templates if re.search(r"\.(option|side)\.", key)}
    also = {key.removesuffix(".also") for key in named if key.endswith(".also")}
    assert also
    assert also <= labels


@pytest.mark.parametrize("name", ["gote", "blanca", "blancas", "white"])
def test_whoever_is_called_like_a_side_is_known_by_his_at(name):
    """With an @ it is a person, since nothing else has one; without it nobody is called so."""
    for line in (f"/jugar shogi @{name}", f"/jugar shogi negras @{name}", f"/play shogi 3 @{name}"):
        assert wished(line).named == f"@{name}"
    wish = wished(f"/jugar shogi @{name} negras")
    assert (wish.side, wish.named) == ("sente", f"@{name}")


def test_whoever_is_called_nearly_like_a_side_needs_no_at():
    assert wished("/jugar shogi Blanca").named == "Blanca"


def test_a_side_is_understood_beside_somebody_who_was_mentioned():
    values = {"game": "shogi", "opponent": "@1", "level": "blancas"}
    assert read_game_request(values, mentioned=True).side == "gote"


def test_the_side_of_another_game_is_no_side_here():
    assert wished("/jugar parchis blanco").named == "blanco"
    assert "“black”" in refused("/play niya side=black", "en")


@pytest.mark.parametrize("value", ["cisne", "el Cisne", "EL CISNE", "swan", "the Swan"])
def test_a_side_needs_no_article(value):
    assert wished(f"/jugar cirya bando={value}").side == "swan"


@pytest.mark.parametrize("value", ["5x5", "5×5", "5"])
def test_the_size_of_a_board_is_typed_with_the_letter_as_well(value):
    assert wished(f"/jugar cirya tablero={value}").options["size"] == "5"


@pytest.mark.parametrize("head", ["/porque", "/porqué", "/por qué", "/por-qué", "/POR_QUE", "/why"])
def test_why_is_asked_however_it_is_written(head):
    read = parse(f"{head} P-5e")
    assert read is not None
    assert (read[0].name, read[1]) == ("why", {"move": "P-5e"})


@pytest.mark.parametrize("line", ["/jugar ajedrez @juan japonés", "/jugar @juan ajedrez japonés"])
def test_a_person_may_stand_within_the_name_of_a_game(line):
    wish = wished(line)
    assert (wish.game.key, wish.named) == ("shogi", "@juan")


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        *(("/por_escrito", "record"), ("/acta", "record"), ("/Jugadas", "record")),
        *(("/posibilidades", "odds"), ("/opciones", "odds"), ("/record", "record")),
    ],
)
def test_a_command_keeps_the_names_that_it_had(typed, command):
    read = parse(typed)
    assert read is not None
    assert read[0].name == command


@pytest.mark.parametrize("line", ["/jugar niya 🎲", "/jugar niya 1️⃣", "/jugar niya ♟️ 🎲🎲"])
def test_an_emoji_is_neither_a_level_nor_a_person(line):
    assert wished(line) == wished("/jugar niya")


@pytest.mark.parametrize(
    ("words", "name"),
    [
        *((one, "undo") for one in ("quiero deshacer la jugada", "¿cómo deshago una jugada?")),
        *((one, "undo") for one in ("how do I take back a move?", "can I take back my move?")),
        *((one, "resign") for one in ("¿cómo me rindo?", "how do I resign?")),
        *((one, "hint") for one in ("can I get a hint?", "¿puedo pedir una pista?")),
        *((one, "draw") for one in ("¿puedo pedir tablas?", "can I offer a draw?")),
        ("¿se puede parar el reloj?", "pause"),
        *((one, "rules") for one in ("¿cómo se come?", "¿cómo se gana?", "how do I win?")),
        *((one, "play") for one in ("¿cómo invito a un amigo?", "how do I invite a friend?")),
        *((one, "holidays") for one in ("me voy unos días", "I’ll be away for a few days")),
        ("takeback", "undo"),
        ("can I take the knight?", None),
        # Without asking back it would be done: only help tells how.
        *((one, "help") for one in ("how do I leave?", "¿puedo cerrar la mesa?")),
    ],
)
def test_who_asks_whether_or_how_something_is_done_is_led_to_it(words, name):
    found = parse_deed(words)
    assert (None if found is None else found[0].name) == name


@pytest.mark.parametrize("line", ["/jugar stor", "/jugar storillju ordenador", "/storill"])
def test_the_beginning_of_its_name_is_enough_for_a_game(line):
    assert wished(line).game.key == "storilljudhjorrayc"


@pytest.mark.parametrize(
    "words", ["quiero jugar al parch", "vamos a jugar a parch contra la máquina"]
)
def test_so_it_is_in_a_sentence(words):
    read = parse_deed(words)
    assert read is not None
    assert read_game_request(read[1], mentioned=False).game.key == "parchis"


@pytest.mark.parametrize(
    "words", ["una partida de parchís entre todos", "a game of parchís with everyone"]
)
def test_a_game_among_all_is_open_to_anyone(words):
    read = parse_deed(words)
    assert read is not None
    wish = read_game_request(read[1], mentioned=True)
    assert (wish.game.key, wish.named) == ("parchis", None)


@pytest.mark.parametrize("words", ["show me my profile", "¿me enseñas mi perfil?", "mi perfil"])
def test_who_wants_to_see_their_profile_is_shown_it(words):
    read = parse_deed(words)
    assert read is not None
    assert read[0].name == "profile"


@pytest.mark.parametrize("line", ["/mueve 2g2f", "/muevo 2g2f"])
def test_a_move_is_told_as_one_speaks(line):
    read = parse(line)
    assert read is not None
    assert (read[0].name, read[1]) == ("move", {"move": "2g2f"})


def test_several_are_named_as_one_opponent():
    assert wished("/jugar parchís @carmen_t y @luis_t 4 jugadores").named == "@carmen_t y @luis_t"
    assert wished("/jugar parchís con Carmen y Luis").named == "Carmen y Luis"
