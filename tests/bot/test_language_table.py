"""Every cell of place × server × opener × viewer × choice, lived through in a house.

The law itself is held cell by cell in ``test_languages``; here a table is opened, looked at, and
asked about by people of every client and every choice, in places of every kind.
"""

from __future__ import annotations

import itertools

import pytest

from bot.port import Asker, Home, PlaceStanding, Where
from tests.fakes import Desk, person
from tests.slow_parameters import by_turns

LANGUAGES = ("es", "en")
CHOICES = (None, *LANGUAGES)
CLIENTS = {"es-ES": "es", "en-GB": "en", "fr": None}
"""What the clients of people speak, and which of our languages that is."""

SERVERS = {None: None, "es-ES": "es", "en-US": "en", "ja": None}
DEFAULT = "es"
"""What the operator of ``desk`` has set."""

OPENS = {"es": "abre una mesa", "en": "would like to play"}
NOTHING = {"es": "No tienes", "en": "You have no"}
PLACES = by_turns(CHOICES, SERVERS)
PEOPLE = list(itertools.product(CLIENTS, CHOICES))


def first(*found: str | None) -> str:
    """The first of *found* that is a language."""
    return next(one for one in found if one is not None)


async def people(at: Desk) -> dict[tuple[str, str | None], Asker]:
    """Somebody of each client and each choice, the choice made by the command."""
    known = {}
    for client, choice in PEOPLE:
        known[client, choice] = person(f"{client}-{choice}", language=client)
        if choice is not None:
            alone = Where("fake", f"{client}-{choice}", private=True)
            await at.call(known[client, choice], "language", alone, language=choice)
    return known


@pytest.mark.sampled
@pytest.mark.parametrize(("place", "server"), PLACES)
async def test_each_opener_and_each_viewer(at, place, server):
    home = None if server is None else Home("server", server, "channel")
    where = Where("fake", "channel", home=home)
    await at.facade.services.places.speak(where, place)
    known = await people(at)
    for (client, choice), opener in known.items():
        told = first(place, SERVERS[server], choice, CLIENTS[client], DEFAULT)
        assert (await at.call(opener, "play", where, game="niya")).good
        (message,) = at.chat.messages.values()
        assert message.screen.language == told, (client, choice)
        assert OPENS[told] in message.screen.headline, (client, choice)
        await at.call(opener, "leave", where, table=message.screen.table)
        at.chat.messages.clear()
    shared = first(place, SERVERS[server], DEFAULT)
    await at.call(person("Host", language="fr"), "play", where, game="niya")
    (message,) = at.chat.messages.values()
    for (client, choice), viewer in known.items():
        told = first(choice, CLIENTS[client], shared)
        answer = await at.call(viewer, "games", where)
        assert answer.said.startswith(NOTHING[told]), (client, choice, answer.said)
    assert message.screen.language == shared, "whoever passes by changes nothing"
    assert message.edits == 0


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("client", "choice"), PEOPLE)
async def test_each_person_in_his_private_chat(at, client, choice):
    alone = Where("fake", f"{client}-{choice}", private=True)
    known = await people(at)
    told = first(choice, CLIENTS[client], DEFAULT)
    await at.call(known[client, choice], "play", alone, game="niya")
    (message,) = at.chat.messages.values()
    assert message.screen.language == told
    assert OPENS[told] in message.screen.headline


async def test_who_manages_a_place_learns_where_its_language_is_chosen(at):
    chief, guest = person("Nerea"), person("Bruno")
    at.chat.standings[chief.external, at.where.place] = PlaceStanding(manages=True)
    told = await at.call(chief, "language", language="es")
    assert told.said.endswith("El idioma de este sitio está en /sitio.")
    told = await at.call(guest, "language", language="es")
    assert "/sitio" not in told.said
