"""What is sent to a page: the newest, whatever it was put together from."""

import asyncio
import json

from bot.chats.web.outbound import OpenPage, primed_packer
from render.kit.sprite_placements import Cutout, Filled, Placed, Scenery
from render.scene import Scene
from tests.chats.pages import unpacked


class Socket:
    """Keeps what is sent."""

    def __init__(self):
        self.sent = []

    async def send_str(self, text):
        self.sent.append(json.loads(text))


def board(version, table="AAAAAA"):
    return {"kind": "board", "table": table, "version": version, "mine": False}


def form(version, table="AAAAAA"):
    return {"table": table, "version": version, "mine": False}


async def sent(*messages):
    """What a page is sent of *messages*, each with its key."""
    socket = Socket()
    page = OpenPage(socket, "1", "light")
    writing = asyncio.create_task(page.write())
    for key, message in messages:
        page.send(key, message)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    writing.cancel()
    await asyncio.gather(writing, return_exceptions=True)
    return socket.sent


async def test_a_state_that_took_long_does_not_bring_an_old_board_back():
    late = {"kind": "state", "boards": [form(4), form(9, "BBBBBB")]}
    first, state = await sent(("board AAAAAA", board(5)), ("1", late))
    assert first["version"] == 5
    assert [one["version"] for one in state["boards"]] == [5, 9]


async def test_a_state_of_the_same_version_is_shown_as_it_is():
    dark = {"kind": "state", "boards": [{**form(5), "picture": "dark"}]}
    *_, state = await sent(("board AAAAAA", board(5)), ("1", dark), ("2", dark))
    assert state["boards"] == dark["boards"]


async def test_of_several_boards_of_a_table_that_wait_only_the_newest_is_sent():
    socket = Socket()
    page = OpenPage(socket, "1", "light")
    for version in (3, 4, 5):
        page.send("board AAAAAA", board(version))
    writing = asyncio.create_task(page.write())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    writing.cancel()
    await asyncio.gather(writing, return_exceptions=True)
    assert [one["version"] for one in socket.sent] == [5]


async def answered(*boards, times=1):
    """What a page is sent that awaits an answer, to which *boards* are attached in this order."""
    socket = Socket()
    page = OpenPage(socket, "1", "light")
    page.awaits("1")
    assert [page.attach("1", one) for one in boards] == [True] * len(boards)
    for _ in range(times):
        page.send("1", {"kind": "answer", "id": "1", "good": True})
    assert not page.attach("1", board(9))
    writing = asyncio.create_task(page.write())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    writing.cancel()
    await asyncio.gather(writing, return_exceptions=True)
    return socket.sent


async def test_the_board_of_an_awaited_answer_is_sent_in_its_frame():
    (told,) = await answered(board(4))
    assert (told["kind"], told["current"]["version"]) == ("answer", 4)


async def test_an_answer_that_is_given_twice_at_once_keeps_its_board():
    (told,) = await answered(board(4), times=2)
    assert told["current"]["version"] == 4


async def test_an_answer_brings_no_board_back_that_is_older_than_the_page_has():
    socket = Socket()
    page = OpenPage(socket, "1", "light")
    page.awaits("1")
    page.attach("1", board(4))
    page.send("board AAAAAA", board(5))
    page.send("1", {"kind": "answer", "id": "1", "good": True})
    writing = asyncio.create_task(page.write())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    writing.cancel()
    await asyncio.gather(writing, return_exceptions=True)
    assert socket.sent[-1]["current"]["version"] == 5


COUNTED = {"said": "You run out of time", "until": 1_800_000_010_000, "plain": "15 Jan"}
LEFT = {"said": "You run out of time", "left": 9_500, "plain": "15 Jan"}
NOW = 1_800_000_000.5


async def test_what_is_left_of_a_countdown_is_told_when_it_is_sent_and_not_its_end():
    socket = Socket()
    page = OpenPage(socket, "1", "light", lambda: NOW)
    writing = asyncio.create_task(page.write())
    page.awaits("2")
    page.attach("2", {**board(7), "countdown": COUNTED})
    page.send("1", {"kind": "state", "boards": [{**form(6), "countdown": COUNTED}]})
    page.send("2", {"kind": "answer", "board": {**form(7), "countdown": COUNTED}})
    page.send("board BBBBBB", {**board(3, "BBBBBB"), "countdown": None})
    await asyncio.sleep(0.01)
    writing.cancel()
    state, answer, other = socket.sent
    assert state["boards"][0]["countdown"] == LEFT
    assert answer["board"]["countdown"] == answer["current"]["countdown"] == LEFT
    assert other["countdown"] is None


def test_the_answer_to_a_ping_sets_all_countdowns_right_and_none_ends_before_it_ends():
    page = OpenPage(Socket(), "1", "light", lambda: NOW)
    over = {**COUNTED, "until": 1_799_999_000_000}
    page.send("board AAAAAA", {**board(5), "countdown": COUNTED})
    page.send("board BBBBBB", {**board(3, "BBBBBB"), "countdown": over})
    page.send("board CCCCCC", {**board(3, "CCCCCC"), "countdown": None})
    left = {"AAAAAA": 9_500, "BBBBBB": 0}
    assert page.pong("9") == {"kind": "pong", "id": "9", "left": left}


SCENE = Scene("niya", None, ("Ana", "Bo"))


async def scenery(scene):
    assert scene is SCENE
    cutouts = {one.name: one for one in (Cutout(8, 9, b"a card"), Cutout(2, 2, b"a marker"))}
    parts = (Filled("#f4efe6", 0, 0, 800, 954), *(Placed(name, 5, 6) for name in cutouts))
    return Scenery(800, 954, parts, cutouts)


async def test_a_board_in_view_comes_as_sprites_at_places_and_each_sprite_once():
    socket = Socket()
    page = OpenPage(socket, "1", "light", scenery=scenery, looks_at="AAAAAA")
    writing = asyncio.create_task(page.write())
    named = {"picture": "picture/light.png", "scene": SCENE}
    page.send(
        "1", {"kind": "state", "boards": [{**form(1), **named}, {**form(1, "BBBBBB"), **named}]}
    )
    await asyncio.sleep(0.01)
    page.send("board AAAAAA", {**board(2), **named})
    page.send("board BBBBBB", {**board(2, "BBBBBB"), **named})
    await asyncio.sleep(0.01)
    page.looks_at = "BBBBBB"
    page.again("BBBBBB")
    await asyncio.sleep(0.01)
    writing.cancel()
    state, move, other, again = socket.sent
    first = state["boards"][0]["scene"]
    ground, *placed = first["parts"].split("|")
    assert ground == "#f4efe6 0 0 800 954"
    assert [part.split(" ") for part in placed] == [[name, "5", "6"] for name in first["sprites"]]
    assert sorted(first["sprites"].values()) == [[2, 2], [8, 9]]
    assert state["boards"][1]["scene"] is other["scene"] is None
    assert move["scene"] == again["scene"] == {**first, "sprites": {}}


class Packing(Socket):
    """Tells packed messages from plain ones."""

    def __init__(self):
        super().__init__()
        self.packed = []

    async def send_bytes(self, data):
        _, prime = primed_packer("es")
        if data != prime:
            self.packed.append(len(data))
            self.sent.append(json.loads(unpacked(data, prime)))


async def test_a_board_is_packed_unless_it_repeats_what_somebody_else_has_typed():
    socket = Packing()
    page = OpenPage(socket, "1", "light", differs=True)

    async def told(typed=True, **message) -> bool:
        packed, seats = len(socket.packed), []
        if "alt" in message or "current" in message:
            told = [("Nerea", True, True), ("Bruno", False, typed)]
            seats = [{"who": who, "mine": mine, "typed": one} for who, mine, one in told]
        board = {"clocks": seats, "language": "es"}
        whole = {"current": board} if "current" in message else board
        await page._write({**message, **whole}, json.dumps(message))
        assert socket.sent[-1] == message
        return len(socket.packed) > packed

    for number in range(2):
        whole = {"kind": "board", "alt": f"{number}, Nerea, {'abcdefgh' * 9}"}
        assert await told(**whole), "only one's own name"
    assert socket.packed[1] > socket.packed[0] - 8, (
        "the length tells nothing of what was told before"
    )
    assert await told(kind="answer", said="Nerea", current={})
    assert not await told(kind="board", alt="Bruno: c3."), "the other's name"
    assert await told(typed=False, kind="board", alt="Bruno: c3."), "a name of ours"
    assert not await told(kind="talk", lines=["hello"])
    assert not await told(kind="state", boards=[])
    assert not await told(kind="answer", card={"clocks": []})
    page.differs = False
    assert not await told(**whole), "an old script"
