"""What `/play` understands of options, sides and who begins, and how it refuses the rest."""

from __future__ import annotations

import re
import unicodedata

import pytest

from bot.commands.opening import read_game_request
from bot.presenters.typed_line import parse
from bot.presenters.typed_names import begin_key, side_keys
from bot.session.draft import rules_of
from bot.texts import LANGUAGES, language
from games.core import RuleError, phrase
from games.core.shelf import shelf

OPTIONS = [(game, option) for game in shelf().values() for option in game.options]


def wished(line: str):
    read = parse(line)
    assert read is not None
    return read_game_request(read[1], mentioned=False)


def refused(line: str, code: str) -> str:
    with pytest.raises(RuleError) as raised:
        wished(line)
    return language(code).say(raised.value.phrase)


def unaccented(text: str) -> str:
    letters = unicodedata.normalize("NFD", text)
    return "".join(c for c in letters if not unicodedata.combining(c))


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


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(
    ("game", "option"), OPTIONS, ids=[f"{game.key}-{option.key}" for game, option in OPTIONS]
)
def test_every_option_is_understood_behind_its_value(game, option, code):
    tongue, key = language(code), f"{game.key}.option.{option.key}"
    others = {tongue.say(phrase(f"{game.key}.option.{other.key}")) for other in game.options}
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
    for side in game.sides:
        said = tongue.say(phrase(f"{game.key}.side.{side}"))
        assert wished(f"/play {game.key} color={said}").side == side
    for begins in game.begins:
        said = tongue.say(phrase(begin_key(game, begins)))
        assert wished(f"/play {game.key} empieza={said}").begins == begins


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("game", shelf().values(), ids=list(shelf()))
def test_a_refusal_names_things_as_the_reader_calls_them(game, code):
    """No key and no value of the program stands in it that is not what the reader calls it."""
    tongue = language(code)
    labels = {option.key: f"{game.key}.option.{option.key}" for option in game.options}
    lines = [
        f"/play {game.key} zzz=zzz",
        f"/play {game.key} side=zzz",
        f"/play {game.key} begins=zzz",
    ]
    lines += [f"/play {game.key} {key}=zzz" for key in labels]
    known = [phrase(label) for label in labels.values()]
    keys = {*labels, *game.sides, *game.begins}
    for option in game.options:
        keys |= {*option.values}
        known += [phrase(f"{labels[option.key]}.{value}") for value in option.values]
    known += [phrase(f"{game.key}.side.{side}") for side in game.sides]
    known += [phrase(begin_key(game, one)) for one in game.begins]
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
            "“bluish” will not do for “Set-up”. Choose one of “hidden, at the same time”, "
            "“open, green first”, and “the usual one”."
        )


def test_what_may_mean_two_values_is_no_value():
    for words in ("ventaja que da gote siete piezas", "ventaja que da gote=siete piezas"):
        assert "«siete piezas» no vale" in refused(f"/jugar shogi {words}", "es")
    assert "“seven pieces” will not do" in refused("/play shogi handicap seven pieces", "en")
    assert wished("/play shogi handicap seven pieces (left)").options["handicap"] == "left_7"
    assert wished("/jugar shogi handicap cinco piezas").options["handicap"] == "5"


@pytest.mark.parametrize("words", ["despliegue", "despliegue nivel 3", "despliegue @ana"])
def test_an_option_without_a_value_gets_one_sentence(words):
    assert refused(f"/jugar {BATTLE} {words}", "es") == (
        "No entiendo la opción «despliegue». Con /jugar a secas las reglas se eligen con botones."
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
        "No hay ninguna opción «jugadores». Las de este juego: «Tablero lleno», «Serie» y "
        "«Pistas». También se pueden escribir rival, nivel, color, empieza, sillas y reloj."
    )
    assert refused("/jugar shogi stalemate=azul", "es") == (
        "«azul» no vale para «Ahogado». "
        "Se puede elegir entre «tablas» y «pierde quien no puede mover»."
    )


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
    if game.levels < 3:
        pytest.skip("three levels are there to be named")
    wish = wished(f"/jugar {line.format(name)}")
    assert (wish.game, wish.level, wish.against_computer) == (game, 3, True)
    assert wish.named is None


@pytest.mark.parametrize(("name", "game"), NAMES, ids=[name for name, _ in NAMES])
@pytest.mark.parametrize("code", LANGUAGES)
def test_a_game_is_understood_wherever_it_stands(name, game, code):
    said = language(code).say(phrase(side_keys(game)[game.sides[0]]))
    for line in (
        f"{said} {name} 1",
        f"{said}, {name}, 1",
        f"1 {said} al {name}",
        f"1 {name} {said}",
    ):
        wish = wished(f"/jugar {line}")
        assert (wish.game, wish.side, wish.level) == (game, game.sides[0], 1), line
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


def test_whom_nobody_knows_is_still_told_so():
    said = "No sé quién es «Nivelina»: menciona a alguien, o escribe ordenador o cualquiera."
    assert refused("/jugar cirya Nivelina", "es") == said


@pytest.mark.parametrize(
    "words",
    ["nivel 3 gote", "gote nivel=3", "gote 3", "3 gote", "contra el ordenador 3 gote"],
)
def test_a_side_needs_no_name_before_it(words):
    wish = wished(f"/jugar shogi {words}")
    assert (wish.side, wish.level, wish.named, wish.against_computer) == ("gote", 3, None, True)


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
    for side in game.sides
    for code in LANGUAGES
    for name in str(language(code).templates.get(f"{game.key}.side.{side}.also", "")).split(", ")
    if name
]


@pytest.mark.parametrize(
    ("game", "side", "code", "name"), ALSO, ids=[f"{game.key}-{name}" for game, _, _, name in ALSO]
)
def test_every_other_name_of_a_side_is_understood_alone_and_named(game, side, code, name):
    for line in (f"/play {game.key} {name} @ana", f"/play {game.key} color={name.upper()} @ana"):
        wish = wished(line)
        assert (wish.side, wish.named) == (side, "@ana"), line
    if side in game.begins:
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


def test_a_person_who_is_no_side_is_asked_for_by_his_at():
    said = "No sé quién es «Blanca»: menciona a alguien, o escribe ordenador o cualquiera."
    assert refused("/jugar shogi Blanca", "es") == said


def test_a_side_is_understood_beside_somebody_who_was_mentioned():
    values = {"game": "shogi", "opponent": "@1", "level": "blancas"}
    assert read_game_request(values, mentioned=True).side == "gote"


def test_the_side_of_another_game_is_no_side_here():
    assert "«blanco»" in refused("/jugar parchis blanco", "es")
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
