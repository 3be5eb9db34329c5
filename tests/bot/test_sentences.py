"""What whole games say, read aloud: sentences, brackets and one verb for each thing."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from bot.port import Button
from bot.presenters.base import with_zone
from bot.presenters.club.club_week import ComingTournament, WeekCard
from bot.presenters.table.composer import Composer
from bot.presenters.table.viewers import Viewer
from bot.presenters.typed_command_parser import parse
from bot.session.table import Player
from bot.standing.view_models import ClubWeek
from bot.texts import LANGUAGES, NOUNS, OURS, language, rules
from games.core import Who, phrase
from games.core.shelf import shelf
from tests.played import tables

KEY = b"k" * 32

GAMES = [(key, {}) for key in sorted(shelf())]
GAMES += [("cirya", {"size": "6"}), ("storilljudhjorrayc", {"setup": "fixed"})]

SQUARE = re.compile(r"[a-p]?\d")
"""What a sentence may begin with as it is written."""


FOREIGN = {
    "es": re.compile(
        r"\b(the|of|with|and|to|by|your|you|is|are|moves?|turn|promotes?|board|wins?|draw|lost|from"
        r"|for|table|player|side|game)\b",
        re.IGNORECASE,
    ),
    "en": re.compile(
        r"\b(el|la|los|las|del|con|una|tu|te|que|(?-i:y)|se|por|para|su|mesa|juega|gana|casilla"
        r"|fichas?|tablas)\b",
        re.IGNORECASE,
    ),
}
"""Words of the other language that no proper term of a game is made of."""

NONE = re.compile(r"(?<![\d:.,×+-])\b0 (?!h\b)[^\W\d_]{3,}")
"""A count of nothing before a noun: people say none."""


def said(key: str, options: dict[str, str], code: str) -> set[str]:
    """Every line and every sentence of the descriptions of a game of computers."""
    found: set[str] = set()
    for number, table in enumerate(tables(shelf()[key], options, most=90)):
        composer = Composer(table, Viewer(None if number % 2 else 0, code), KEY)
        found |= {*composer.board().lines, *composer.description()}
    return found


@pytest.mark.sampled(3)
@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(("key", "options"), GAMES)
def test_whole_games_are_told_in_sentences(key, options, code):
    lines = said(key, options, code)
    assert len(lines) > 15
    for line in lines:
        assert not re.search(r"\([^)]*\(", line), f"brackets in brackets: {line}"
        assert line[-1] in ".?!…", f"no end: {line}"
        assert not re.search(r"\.\.|[!?]\.", line), f"two ends: {line}"
        begins = line.lstrip("¿¡«“▶★🔒 ")
        assert begins[0].isupper() or SQUARE.match(begins), f"no capital: {line}"
        assert not re.search(r"\b(a|de) el\b", line), f"not contracted: {line}"
        assert not FOREIGN[code].search(line), f"the other language: {line}"
        assert not NONE.search(line), f"no “none”: {line}"


BESIDE_THEIR_KEYS = frozenset(
    {
        *("house.alt-cut", "house.invitation-all", "house.verify.limit", "mistake.none"),
        *("telegram.page-waits-not", "tournament.starts-by-hand", "tournament.starts.now"),
        *("web.activity.from-discord", "cirya.terms", "cirya.learn.say", "cirya.learn.say.right"),
    }
)
"""Sentences that stand where the key does, in the same language, or tell of words of a game."""

QUOTED = re.compile("[«“]([^»”]+)[»”]")


@pytest.mark.parametrize("code", OURS)
def test_a_sentence_names_a_key_as_the_message_does_that_has_it(code):
    """Who hears it may read another language than the message that was pressed."""
    spoken = language(code).templates
    keys = {text for name, text in spoken.items() if ".button." in name}
    texts = [
        (name, t) for name, one in spoken.items() for t in ((one,) if isinstance(one, str) else one)
    ]
    naming = {name for name, text in texts if keys & {*QUOTED.findall(text)}}
    assert naming <= BESIDE_THEIR_KEYS
    assert {name for name, text in texts if "{button}" in text} >= {"house.not-seated.open"}


@pytest.mark.parametrize("code", OURS)
@pytest.mark.parametrize("noun", NOUNS)
def test_a_sentence_that_begins_with_a_name_begins_with_a_capital(code, noun):
    """Also where the name is a noun, as that of a computer or of a rival without a name."""
    spoken = language(code)
    name, begun = spoken.say(phrase(noun, level=3)), 0
    for key, one in spoken.templates.items():
        found = re.match(r"\{([a-z]\w*)\} ", one) if isinstance(one, str) else None
        fields = {field: Who(0) for field in re.findall(r"\{(\w+)\}", str(one))}
        if found and one[-1] in ".?!" and "n" not in fields:
            begun += 1
            assert not spoken.say(phrase(key, **fields), {0: name})[0].islower(), key
    assert begun > 50


@pytest.mark.parametrize("code", LANGUAGES)
def test_one_language_is_spoken_at_a_time(code):
    """Every sentence of every screen, and every line of the rules that is read."""
    spoken = language(code).templates
    texts = [t for one in spoken.values() for t in ((one,) if isinstance(one, str) else one)]
    assert len(texts) > 1000
    read = [re.sub(r"\{\w+\}|\b[A-Z]{4}\b", "", text) for text in texts]
    read += [re.sub(r"\(figure:\w+\)", "", rules(key, code)) for key in shelf()]
    assert [found[0] for text in read if (found := FOREIGN[code].search(text))] == []


@pytest.mark.parametrize(
    ("key", "spanish", "english"),
    [
        ("cirya.reserve.ciryar", "ninguna cirya", "no cirya"),
        ("cirya.reserve.hallaciryar", "ninguna hallacirya", "no hallacirya"),
        ("niya.in-hand.0", "A Ana no le quedan fichas rojas.", "Ana has no red markers left."),
    ],
)
def test_none_are_spoken_of_as_none(key, spanish, english):
    told = phrase(key, n=0, who="Ana")
    assert (language("es").say(told), language("en").say(told)) == (spanish, english)
    for code in LANGUAGES:
        assert "1" in language(code).say(phrase(key, n=1, who="Ana"))
        assert "2" in language(code).say(phrase(key, n=2, who="Ana"))


@pytest.mark.parametrize("key", sorted(shelf()))
def test_headlines_name_the_side_without_brackets(key):
    for code, begin in (("es", "▶ Le toca a "), ("en", "▶ ")):
        table = next(iter(tables(shelf()[key], {"setup": "fixed"} if key[:2] == "st" else {})))
        headline = Composer(table, Viewer(None, code), KEY).board().headline
        assert headline.startswith(begin)
        assert {"es": ", con ", "en": ", as "}[code] in headline
        # Only what a foreign word means stands in brackets beside it.
        assert "(" not in re.sub(r"(negras|blancas|black|white) \((sente|gote)\)", "", headline)


def test_the_sides_of_shogi_are_explained_where_they_are_first_named():
    table = next(iter(tables(shelf()["shogi"])))
    headlines = {
        code: Composer(table, Viewer(None, code), KEY).board().headline for code in ("es", "en")
    }
    assert "con las negras (sente)" in headlines["es"]
    assert "as black (sente)" in headlines["en"]


@pytest.mark.parametrize(
    ("code", "word"),
    [
        ("es", r"promocion\w*"),
        ("en", r"eats?|eaten|eating"),
        ("en", r"casas?|seguros?|salidas?|barreras?|pasillos?"),
    ],
)
def test_there_is_one_word_for_each_thing(code, word):
    spoken = language(code).templates
    texts = [t for one in spoken.values() for t in ((one,) if isinstance(one, str) else one)]
    found = [t for t in texts if re.search(rf"\b({word})\b", t, re.IGNORECASE)]
    assert found == []
    if "casas" not in word:  # The rule text says once what things are called in Spain.
        for key in shelf():
            assert not re.search(rf"\b({word})\b", rules(key, code), re.IGNORECASE), key


def test_apostrophes_are_those_of_the_language():
    for key, one in language("en").templates.items():
        for text in (one,) if isinstance(one, str) else one:
            assert not re.search(r"\w'\w|s' ", text), key


def test_who_gives_up_at_a_table_of_two_is_named():
    ended = phrase("house.end.resign", winner="Ana", loser="Bob", n=1)
    assert language("es").say(ended) == "Gana Ana: Bob se ha rendido."
    assert language("en").say(ended) == "Ana wins: Bob has resigned."


@pytest.mark.parametrize(
    "line", ["/jugar shogi bando=gote", "/jugar shogi color=gote", "/play shogi side=gote"]
)
def test_a_side_is_asked_for_by_any_of_its_names(line):
    read = parse(line)
    assert read is not None
    assert read[1] == {"game": "shogi", "side": "gote"}


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("/tablero texto", {"form": "texto"}),
        ("/board text", {"form": "text"}),
        ("/board ABC234 text", {"table": "ABC234", "form": "text"}),
        ("/board ABC234", {"table": "ABC234"}),
    ],
)
def test_a_board_in_words_needs_no_code(line, values):
    read = parse(line)
    assert read is not None
    assert read[1] == values


def of_computers(key: str, code: str) -> Composer:
    """The first board of a game that only computers play."""
    table = next(iter(tables(shelf()[key])))
    players = tuple(Player(level=2, side=one.side) for one in table.players)
    return Composer(replace(table, players=players), Viewer(None, code), KEY)


@pytest.mark.parametrize(("code", "plate"), [("es", "ordenador"), ("en", "computer")])
def test_the_plate_of_a_computer_is_one_word_that_is_not_cut(code, plate):
    composer = of_computers("parchis", code)
    scene = composer.board().scene
    assert scene is not None
    assert set(scene.names) == {plate}
    assert any("2" in name for name in composer.names.values()), "the words tell the level"


@pytest.mark.parametrize(("code", "inside"), [("es", "; el ordenador"), ("en", "; the computer")])
def test_a_computer_within_a_sentence_is_not_written_with_a_capital(code, inside):
    told = " ".join(of_computers("parchis", code).board().lines)
    assert inside in told


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("Lucía", "Íñigo"), "Lucía e Íñigo"),
        (("Bruno", "Eva", "Hilario"), "Bruno, Eva e Hilario"),
        (("Íñigo", "Lucía"), "Íñigo y Lucía"),
        (("Eva", "Yolanda"), "Eva y Yolanda"),
        (("Eva", "hielo"), "Eva y hielo"),
        (("Iris",), "Iris"),
    ],
)
def test_before_a_name_that_sounds_alike_the_spanish_and_is_another(names, told):
    assert language("es").say(phrase("house.turn.several", who=names)) == f"▶ Les toca a {told}"
    assert " e " not in language("en").say(phrase("house.turn.several", who=names))


@pytest.mark.parametrize(("zone", "said"), [("", "18:00 UTC"), ("Europe/Madrid", "18:00 (Madrid)")])
def test_a_time_says_whose_it_is(zone, said):
    assert with_zone("18:00", "es", zone) == said


def test_so_does_the_beginning_of_the_tournament_that_the_week_of_a_club_tells():
    coming = ComingTournament(
        "niya", Button("Torneo", "k"), 4, datetime(2026, 11, 30, 18, tzinfo=UTC)
    )
    card = WeekCard("es", KEY, ClubWeek(date(2026, 11, 30)), coming=coming)
    assert card.picture().coming == ("Torneo", "lun 18:00 UTC · 4 personas")
