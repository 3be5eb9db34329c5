"""What people write in plain words: sentences that are deeds, and what others lead to."""

from __future__ import annotations

import pytest

from bot.port import Command, MenuAnswer, Press, Said, Where
from bot.presenters.button_codes import Action
from bot.presenters.command_specs import COMMANDS, SPOKEN, nearest_commands
from bot.presenters.typed_command_parser import parse_deed, parse_words
from bot.presenters.typed_names import texts_beside
from bot.texts import language
from games.core.shelf import shelf
from tests.fakes import UPDATES, desk, person
from tests.played import tables

SAID = {
    "es": {
        "me apunto al torneo": "enter",
        "¿cómo me apunto al torneo?": "enter",
        "apúntame": "enter",
        "quiero hacer un torneo": "tournament",
        "¿hay algún torneo?": "tournament",
        "jugar contra la máquina nivel fácil": "play fácil máquina",
        "¿quién es el mejor jugando al parchís?": "top parchís",
        "¿cómo se mueven las piezas?": "rules",
        "jugar con un amigo": "play amigo",
        "adiós": "help",
        "#EXCRP7": "board #EXCRP7",
        "pon el idioma en inglés": "language inglés",
        "cambia el idioma a español": "language español",
        "háblame en inglés": "language inglés",
        "¿en qué idiomas hablas?": "language",
        "el problema de hoy": "today",
        "¿cuál es la jugada de hoy?": "today",
        "el reto del día": "today",
        "mi puntuación": "profile",
        "¿cuántos puntos tengo?": "profile",
        "enséñame mis medallas": "profile",
        "ver la clasificación": "top",
        "¿quién es el mejor?": "top",
        "la clasificación de niya": "top niya",
        "no me avises": "settings",
        "quita los avisos": "settings",
        "cambia el tema": "settings",
        "ajustes del grupo": "place",
        "borra mis datos": "forgetme",
        "¿qué datos guardas de mí?": "privacy",
        "dame mis datos": "mydata",
        "¿dónde está el tablero?": "board",
        "enséñame el tablero del shogi": "board shogi",
        "dejo la partida": "leave",
        "¿cómo dejo la partida?": "help leave",
        "dame una pista": "hint",
        "¿quién va ganando?": "odds",
        "¿por qué perdí?": "review",
        "¿por qué no puedo?": "why",
        "la repetición": "replay",
        "descarga la partida": "record",
        "comparte la partida": "card",
        "¿son justos los dados?": "verify",
        "¿cuáles son las reglas del parchís?": "rules parchís",
        "explícame las reglas de niya": "rules niya",
        "no sé jugar": "learn",
        "quiero practicar": "learn",
        "dame un problema de shogi": "puzzle shogi",
        "mesas que hay": "join",
        "quiero unirme a una partida": "join",
        "¿en qué partidas estoy?": "games",
        "me voy de vacaciones": "holidays",
        "enlazar mi cuenta": "link",
        "mis resultados contra Javi": "versus Javi",
        "¿qué juegos hay?": "play",
        "quiero retar a Javi a parchís": "play parchís Javi",
        "quiero jugar con Javi": "play Javi",
        "juega al shogi contra Javi": "play shogi Javi",
        "parchís contra 3 ordenadores": "play 4 parchís ordenadores",
        "quiero jugar a shogi contra el ordenador fácil": "play shogi ordenador fácil",
        "niya fácil": "play niya fácil",
        "jugamos una al parchís": "play parchís",
        "explícame la revancha": "help rematch",
        "¿hay tablas?": "help draw",
        "ahora no puedo": "no",
        "otro día mejor": "no",
        "hoy no, lo siento": "no",
        "lo siento, no puedo": "no",
        "vale, juego yo": "yes",
        "por mí sí": "yes",
        "hoy": "today",
        "venga, otra": "rematch",
        "no puedo mover": "move",
        "¿cuánto tiempo me queda?": "board",
        "cómo voy de tiempo": "board",
        "revancha aceptada": None,
        "unirse quieren todos": None,
        "abre la puerta": None,
        "mi perfil es público": None,
        "hoy hace frío y no juego": "today hace frío y no juego",
    },
    "en": {
        "join the tournament": "enter",
        "how do I sign up?": "enter",
        "create a tournament": "tournament",
        "are there any tournaments?": "tournament",
        "change language to Spanish": "language Spanish",
        "speak English": "language English",
        "can you speak Spanish?": "language Spanish",
        "daily puzzle": "today",
        "puzzle of the day": "today",
        "what’s today’s puzzle?": "today",
        "leaderboard": "top",
        "show me the leaderboard": "top",
        "the leaderboard of shogi": "top shogi",
        "my rating": "profile",
        "what's my rating?": "profile",
        "show me my medals": "profile",
        "stop notifications": "settings",
        "turn off notifications": "settings",
        "dark mode": "settings",
        "delete my data": "forgetme",
        "what data do you have about me?": "privacy",
        "download my data": "mydata",
        "where is the board?": "board",
        "show me the board": "board",
        "I'm leaving the game": "leave",
        "give me a hint please": "hint",
        "who is winning?": "odds",
        "why did I lose?": "review",
        "why can't I move there?": "why",
        "show me a replay": "replay",
        "download the game": "record",
        "are the dice fair?": "verify",
        "explain the rules": "rules",
        "rules of shogi please": "rules shogi",
        "I don't know how to play": "learn",
        "give me a puzzle of shogi": "puzzle shogi",
        "any open games to join?": "join",
        "what am I playing?": "games",
        "I'm on holiday": "holidays",
        "link my telegram account": "link",
        "my results against Emma": "versus Emma",
        "what games do you have?": "play",
        "I want to play with Emma": "play Emma",
        "play shogi against Emma": "play shogi Emma",
        "challenge Emma to parchis": "play parchis Emma",
        "parchis against 3 computers": "play 4 parchis computers",
        "shogi against an easy computer": "play shogi computer easy",
        "shogi easy": "play shogi easy",
        "let's play some shogi": "play shogi",
        "what is a draw?": "help draw",
        "play against the computer on easy": "play computer easy",
        "play against a hard bot": "play bot hard",
        "can I play with my friend?": "play my friend",
        "how strong am I?": "profile",
        "how do the pieces move in shogi?": "rules shogi",
        "thanks, bye": "help",
        "EXCRP7": "board EXCRP7",
        "sure, why not": "yes",
        "okay, bring it on": "yes",
        "yes! let's go": "yes",
        "thanks but no thanks": "no",
        "tell me the board in words": "describe",
        "let's go": "yes",
        "not today, sorry": "no",
        "sorry, I can't right now": "no",
        "let's play niya": "play niya",
        "how much time do I have left?": "board",
        "excrp7": None,
        "PLEASE": None,
        "rematch accepted": None,
        "join the others": None,
        "open the door": None,
        "link my name": None,
    },
}
"""The command and its values, or ``None`` for what is no deed, by what is written."""


@pytest.mark.parametrize(("text", "meant"), [*SAID["es"].items(), *SAID["en"].items()])
def test_a_sentence_in_plain_words_is_the_deed_that_it_asks_for(text, meant):
    read = parse_words(text)
    if read is not None and read[0] in SPOKEN:
        read = (read[0], {})
    assert (None if read is None else " ".join((read[0].name, *read[1].values()))) == meant


@pytest.mark.parametrize("code", ["es", "en"])
@pytest.mark.parametrize("command", [*COMMANDS, *SPOKEN], ids=lambda one: one.name)
def test_every_command_has_sentences_in_both_languages(command, code):
    said = language(code).templates.get(f"command.{command.name}.said", "")
    assert len(str(said).split(", ")) >= 2


def test_a_sentence_asks_for_one_command_alone():
    owners: dict[str, set[str]] = {}
    for command in (*COMMANDS, *SPOKEN):
        for sentence in texts_beside(f"command.{command.name}.said"):
            read = parse_deed(sentence)
            assert read is not None, sentence
            owners.setdefault(sentence, set()).add(command.name)
            assert read[0].name == command.name or len(owners[sentence]) > 1, sentence
    assert {one: names for one, names in owners.items() if len(names) > 1} == {}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("key", sorted(shelf()))
def test_no_move_is_read_as_a_sentence(key):
    """Neither as it is written nor as it is typed."""
    options = {"setup": "fixed"} if key == "storilljudhjorrayc" else {}
    for table in tables(shelf()[key], options, most=60):
        game, position = table.game, table.present
        for seat in table.actors():
            for move in [*position.legal_moves(seat)][:12]:
                typed = language("es").say(game.typed(position, move))
                for text in (game.notation.written(position, move), typed):
                    read = parse_words(text)
                    assert read is None or read[0].act in (Action.MOVE, Action.ANSWER), text


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("me gustaría que me explicaras por qué perdí", ["review"]),
        ("rematch accepted", ["rematch"]),
        ("I'd like the game in writing", ["record"]),
        ("pásame la partida por escrito", ["record"]),
        ("quiero los tableros en modo oscuro", ["settings"]),
        ("the weather is nice", []),
        ("asdf qwer", []),
    ],
)
def test_what_is_no_deed_is_near_to_commands_by_its_rare_words(text, names):
    assert [one.name for one in nearest_commands(text, "said")][: len(names) or 1] == names


async def answer_to(at, who, where: Where, text: str, **more):
    command, values = parse_words(text, more.get("keys", ())) or (None, {"move": text})
    name = "move" if command is None else command.name
    call = Command(f"p{next(UPDATES)}", where, who, name, values, **more)
    return await at.facade.requests.call(call)


@pytest.mark.parametrize("private", [True, False], ids=["private", "group"])
@pytest.mark.parametrize(
    ("code", "text", "labels"),
    [
        ("es", "revancha aceptada", ["/revancha", "Ayuda"]),
        ("en", "the tournament was fun", ["Tournaments", "Help"]),
        ("en", "is shogi hard", ["Shogi", "Help"]),
        ("es", "¿y los torneos qué tal van?", ["Torneos", "Ayuda"]),
    ],
)
async def test_what_is_not_understood_leads_to_what_its_words_are_near_to(
    tmp_path, private, code, text, labels
):
    who = person("Nerea", language=code)
    where = Where("fake", "id-Nerea", private=True) if private else Where("fake", "group")
    async with desk(tmp_path) as at:
        said = await answer_to(at, who, where, text)
        assert isinstance(said, Said)
        assert [one.label for row in said.leads.rows for one in row] == labels


async def test_whoever_wants_to_play_with_somebody_is_asked_the_game_alone(at):
    nerea, bruno = person("Nerea"), person("Bruno")
    await at.call(bruno, "play", game="niya")
    await at.call(nerea, "games")
    sheet = await answer_to(at, nerea, at.where, "quiero jugar con Bruno")
    assert sheet.screen.headline == "¿A qué retas a Bruno?"


async def test_a_language_is_chosen_by_its_name_in_any_language(at):
    who = person("Nerea")
    for text, said in (
        ("pon el idioma en inglés", "From now on I’ll speak English with you."),
        ("change language to Spanish", "Desde ahora te hablo en español."),
        ("habla castellano", "Desde ahora te hablo en español."),
    ):
        answer = await answer_to(at, who, Where("fake", "id-Nerea", private=True), text)
        assert answer.said == said


async def test_a_key_is_pressed_by_its_words_or_the_name_of_its_command_in_a_reply(at):
    """An emoji on it does not count."""
    who = person("Nerea")
    home = Where("fake", "id-Nerea", private=True)
    menu = await at.call(who, "help", home)
    keys = {f"🎲 {one.label}": one.code for row in menu.screen.rows for one in row}
    for text in ("clasificación", "Mesas que esperan gente", "ver la clasificación"):
        answer = await answer_to(at, who, home, text, keys=keys, reply_to="77")
        assert isinstance(answer, MenuAnswer)


@pytest.mark.parametrize("text", ["quiero dejar la partida", "¿cómo dejo la partida?"])
async def test_words_that_lead_to_a_key_get_one_short_sentence(at, text):
    told = await answer_to(at, person("Nerea"), at.where, text)
    assert told.said == "/salir: Deja una mesa."
    assert told.leads is not None


ACCEPTS = ("venga", "vale, juego yo", "sure, why not", "let's go", "por mí sí", "sounds good")
DECLINES = ("ahora no puedo", "otro día mejor", "hoy no, lo siento", "sorry, I can't", "not today")


@pytest.mark.parametrize("replies", [True, False], ids=["reply", "alone"])
@pytest.mark.parametrize("offer", ["challenge", "draw", "undo", "rematch"])
@pytest.mark.parametrize("text", [*ACCEPTS, *DECLINES])
async def test_an_offer_is_answered_in_everyday_words(at, text, offer, replies):
    nerea, bruno, yes = person("Nerea"), person("Bruno"), text in ACCEPTS
    game = {"game": "shogi", "side": "sente"}
    if offer == "draw":
        game = {"game": "storilljudhjorrayc", "options": "setup=fixed"}
    await at.call(nerea, "play", opponent=bruno, **game)
    board = list(at.chat.messages.values())[-1]
    code, read = board.screen.table, at.facade.services.tables.get
    if offer != "challenge":
        await at.press(bruno, board, "Aceptar")
        if offer == "undo":
            await at.call(nerea, "move", move="7g7f")
        if offer == "rematch":
            await at.surely(nerea, "resign")
        await at.call(nerea, offer)
    reply = at.chat.board(code, at.where).id if replies else None
    assert (await answer_to(at, bruno, at.where, text, reply_to=reply)).good
    await at.settle()
    table = await read(code)
    done = {
        "challenge": table.status == "playing",
        "draw": table.status == "ended",
        "undo": not table.recent,
        "rematch": table.child is not None,
    }
    assert done[offer] is yes
    assert not table.offers


LABELS = {
    "challenge": {"Aceptar", "No, gracias"},
    "draw": {"Aceptar tablas", "Rechazar tablas"},
    "rematch": {"Aceptar la revancha", "No, sin revancha"},
}


@pytest.mark.parametrize("offer", LABELS)
async def test_what_is_asked_has_its_keys_below_an_answer_that_nobody_understands(at, offer):
    nerea, bruno = person("Nerea"), person("Bruno")
    game = {"game": "storilljudhjorrayc", "options": "setup=fixed"}
    await at.call(nerea, "play", opponent=bruno, **game)
    board = list(at.chat.messages.values())[-1]
    if offer != "challenge":
        await at.press(bruno, board, "Aceptar")
        if offer == "rematch":
            await at.surely(nerea, "resign")
        await at.call(nerea, offer)
    told = await answer_to(at, bruno, at.where, "pues según cómo venga la tarde")
    assert told.said.startswith("No te he entendido, pero esto espera tu respuesta.\n")
    assert "Nerea" in told.said
    keys = [one for row in told.leads.buttons for one in row]
    assert {one.label for one in keys} >= LABELS[offer]
    code = next(one.code for one in keys if one.label in LABELS[offer])
    assert (await at.facade.requests.press(Press("k1", at.where, bruno, code, None))).good
    stranger = await answer_to(at, person("Carla"), at.where, "pues según cómo venga la tarde")
    assert "esto espera tu respuesta" not in stranger.said
