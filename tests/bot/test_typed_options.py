"""What `/play` understands of the options of a game, and how it refuses the rest."""

import re

import pytest

from bot.commands.table.creation import read_game_request
from bot.presenters.typed_command_parser import parse
from bot.presenters.typed_names import begin_key
from bot.texts import LANGUAGES, language
from games.core import phrase
from games.core.shelf import shelf
from tests.bot.read_play_line import refused, unaccented, wished

OPTIONS = [(game, option) for game in shelf().values() for option in game.rules.options]


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(
    ("game", "option"), OPTIONS, ids=[f"{game.key}-{option.key}" for game, option in OPTIONS]
)
def test_every_option_is_understood_as_it_is_called(game, option, code):
    tongue, key = language(code), f"{game.key}.option.{option.key}"
    for value in option.values:
        label, said = tongue.say(phrase(key)), tongue.say(phrase(f"{key}.{value}"))
        for line in (
            f"/play {game.key} {label}={said}",
            f"/play {label.upper()} = {said.upper()} {game.key} computer",
            f"/play {game.key} {option.key}={value}",
            f"/play {game.key} {label} {said}",
            f"/play {game.key} {label}: {said}, level 1",
            f"/play {unaccented(label).lower()} {unaccented(said).upper()} {game.key} computer",
            f"/play {game.key} @ana {option.key} {value}",
        ):
            assert wished(line).options[option.key] == value, line


@pytest.mark.sampled(9)
@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(
    ("game", "option"), OPTIONS, ids=[f"{game.key}-{option.key}" for game, option in OPTIONS]
)
def test_every_option_is_understood_behind_its_value(game, option, code):
    tongue, key = language(code), f"{game.key}.option.{option.key}"
    keys = {other.key for other in game.rules.options}
    others = keys | {tongue.say(phrase(f"{game.key}.option.{other}")) for other in keys}
    for value in option.values:
        label, said = tongue.say(phrase(key)), tongue.say(phrase(f"{key}.{value}"))
        if any(other.lower() in said.lower() for other in others):
            continue  # «el ancho del tablero» speaks of an option itself
        for line in (
            f"/play {said} {label}, {game.key} level 1",
            f"/play {game.key} level 1 {unaccented(said).upper()} {label.lower()}",
            f"/play {game.key} {said.lower()} {label}",
        ):
            assert wished(line).options[option.key] == value, line


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(
    ("game", "option"), OPTIONS, ids=[f"{game.key}-{option.key}" for game, option in OPTIONS]
)
def test_every_option_fits_on_a_button_of_a_phone(game, option, code):
    tongue, key = language(code), f"{game.key}.option.{option.key}"
    for value in option.values:
        label, said = tongue.say(phrase(key)), tongue.say(phrase(f"{key}.{value}"))
        assert len(f"{label}: {said}") <= 45, said
        assert ":" not in said
        assert said[0].islower() or not said[0].isalpha() or option.key == "mode", said


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("game", shelf().values(), ids=list(shelf()))
def test_sides_and_who_begins_are_understood_as_they_are_called(game, code):
    tongue = language(code)
    for side in game.rules.sides:
        said = tongue.say(phrase(f"{game.key}.side.{side}"))
        assert wished(f"/play {game.key} color={said}").side == side
    for begins in game.rules.begins:
        said = tongue.say(phrase(begin_key(game, begins)))
        assert wished(f"/play {game.key} empieza={said}").begins == begins


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("game", shelf().values(), ids=list(shelf()))
def test_a_refusal_names_things_as_the_reader_calls_them(game, code):
    """No key and no value of the program stands in it that is not what the reader calls it."""
    tongue = language(code)
    labels = {option.key: f"{game.key}.option.{option.key}" for option in game.rules.options}
    lines = [
        f"/play {game.key} zzz=zzz",
        f"/play {game.key} side=zzz",
        f"/play {game.key} begins=zzz",
    ]
    lines += [f"/play {game.key} {key}=zzz" for key in labels]
    known = [phrase(label) for label in labels.values()]
    keys = {*labels, *game.rules.sides, *game.rules.begins}
    for option in game.rules.options:
        keys |= {*option.values}
        known += [phrase(f"{labels[option.key]}.{value}") for value in option.values]
    known += [phrase(f"{game.key}.side.{side}") for side in game.rules.sides]
    known += [phrase(begin_key(game, one)) for one in game.rules.begins]
    known += [phrase(f"command.play.{one}.name") for one in ("opponent", "level", "side", "seats")]
    known += [phrase("command.play.begins.name")]
    said = {word for one in known for word in re.findall(r"\w+", tongue.say(one).casefold())}
    for line in lines:
        text = refused(line, code)
        assert "zzz" in text
        told = {*re.findall(r"\w+", text.casefold())}
        frame = {"no", "de", "a", "o", "none"} if code == "es" else {"no", "one", "first", "of"}
        assert not (told & keys) - said - frame, text
        assert len(re.findall(r"[.!?](?:\s|$)", text)) <= 3


BATTLE = "storilljudhjorrayc"


@pytest.mark.parametrize(
    "words",
    [
        *("despliegue fijo", "despliegue=fijo", "Despliegue: fijo", "despliegue el de siempre"),
        *("DESPLIEGUE EL DE SIEMPRE", "opciones despliegue fijo", "formación de siempre"),
        *("deployment fixed", "set-up the usual one", "Set up: usual", "setup=fixed"),
    ],
)
def test_an_option_and_its_value_stand_side_by_side(words):
    for line in (
        f"/jugar {BATTLE} {words}",
        f"/play {words} {BATTLE} level 3",
        f"/jugar {BATTLE} ordenador 3, {words}, verde",
        f"/jugar {BATTLE} @ana {words} reloj 5m+5s",
    ):
        wish = wished(line)
        assert wish.options["setup"] == "fixed", line
        assert wish.named == ("@ana" if "@" in line else None), line
        assert wish.level == (3 if "3" in line else 2), line


@pytest.mark.parametrize(
    "words", ["despliegue fijo", "deployment fixed", "set-up the usual one", "fixed set-up"]
)
def test_the_words_of_the_parameter_options_are_read_alike(words):
    """Where a chat has a field of its own for them, they are not part of a line."""
    assert read_game_request({"game": BATTLE, "options": words}, mentioned=False).options[
        "setup"
    ] == ("fixed")


def test_options_side_by_side_stand_beside_others():
    wish = wished("/jugar cirya tablero 6x6 modo nutacirya Serie al mejor de 3 ordenador 2")
    assert (wish.options["size"], wish.options["mode"]) == ("6", "nutacirya")
    assert (wish.level, wish.match is not None) == (2, True)


def test_a_value_that_an_option_has_not_gets_one_sentence_wherever_it_stands():
    for words in ("despliegue azulado", "despliegue=azulado", "nivel 3 despliegue: azulado, verde"):
        assert refused(f"/jugar {BATTLE} {words}", "es") == (
            "«azulado» no vale para «Despliegue». Se puede elegir entre «oculto y a la vez», "
            "«a la vista, verde primero» y «el de siempre»."
        )
    for words in ("deployment bluish", "set-up bluish", "level 3 setup: bluish, green"):
        assert refused(f"/play {BATTLE} {words}", "en") == (
            "“bluish” doesn’t work for “Set-up”. Choose one of “hidden, at the same time”, "
            "“open, green first”, and “the usual one”."
        )


def test_what_may_mean_two_values_is_no_value():
    for words in ("ventaja que da gote siete piezas", "ventaja que da gote=siete piezas"):
        assert "«siete piezas» no vale" in refused(f"/jugar shogi {words}", "es")
    assert "“seven pieces” doesn’t work" in refused("/play shogi handicap seven pieces", "en")
    assert wished("/play shogi handicap seven pieces (left)").options["handicap"] == "left_7"
    assert wished("/jugar shogi handicap cinco piezas").options["handicap"] == "5"


@pytest.mark.parametrize("words", ["despliegue", "despliegue nivel 3", "despliegue @ana"])
def test_an_option_without_a_value_gets_one_sentence(words):
    assert refused(f"/jugar {BATTLE} {words}", "es") == (
        "No entiendo la opción «despliegue». Con /jugar a secas, las reglas se eligen con botones."
    )


@pytest.mark.parametrize(
    "words", ["p\u0131stas no", "first×5 one", "f\u0131rst 5 one", "first_5 x"]
)
def test_an_option_in_strange_letters_is_refused_as_any_other(words):
    assert refused(f"/jugar parchis {words}", "es")


@pytest.mark.parametrize(
    "words", ["first\u03015 one", "first-5: one", "ＦＩＲＳＴ 5 one", "first5=one", "one first 5"]
)
def test_accents_and_signs_make_no_difference_to_an_option(words):
    assert wished(f"/jugar parchis {words}").options["first_five"] == "one"


def test_a_sign_of_punctuation_behind_a_named_value_is_no_part_of_it():
    wish = wished("/play game=niya, level=2, clock=3d, opponent=bot, side=red.")
    assert (wish.game.key, wish.level, wish.side, wish.against_computer) == ("niya", 2, "red", True)
    assert wish.control is not None
    assert wish.control.text == "3d"


@pytest.mark.parametrize(
    "words", ["3 seats=2 clock=3d", "level: 3 seats 2", "3 2 players", "level 3 @ana 2 players"]
)
def test_a_level_and_a_number_of_seats_may_stand_side_by_side(words):
    wish = wished(f"/play niya {words}")
    assert (wish.level, wish.seats) == (3, 2)


def test_an_option_of_another_game_is_told_as_such():
    assert "ninguna opción «despliegue»" in refused("/jugar niya despliegue fijo", "es")
    assert "no option “deployment”" in refused("/play niya deployment fixed", "en")
    assert "«serie»" in refused("/jugar serie cirya", "es")


def test_whoever_is_called_like_an_option_is_known_by_his_at():
    assert wished(f"/jugar {BATTLE} @despliegue").named == "@despliegue"


def test_what_is_chosen_for_every_game_is_named_where_no_option_is_called_so():
    assert refused("/jugar niya jugadores=2", "es") == (
        "No hay ninguna opción «jugadores». Las de este juego: «Tablero lleno», «Colores», "
        "«Serie», «Pistas» y «Reloj del ordenador». También se pueden escribir rival, nivel, "
        "color, empieza, sillas, reloj y puntos."
    )
    assert refused("/jugar shogi stalemate=azul", "es") == (
        "«azul» no vale para «Ahogado». "
        "Se puede elegir entre «tablas» y «pierde quien no puede mover»."
    )


@pytest.mark.parametrize("joining", ["con", "a", "against", "with"])
def test_a_word_with_a_sign_is_a_name_and_no_part_of_a_value_before_it(joining):
    _, values = parse(f"/jugar niya tablero {joining}=6x6")
    assert values == {"tablero": "", joining: "6x6", "game": "niya"}
