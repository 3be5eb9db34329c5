"""Presses are answered at once, also where the boards must wait for the pace of a place."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from types import SimpleNamespace

import pytest

from bot.boards.pacing import KEPT, LIVELY, SPREAD
from bot.chats.telegram.chat import GROUP as GROUP_PACE
from bot.chats.telegram.chat import TelegramChat
from bot.chats.telegram.paced_messages import MOMENT, NOTICEABLE, TELLING
from bot.chats.telegram.reading import EPHEMERAL, PRESSES
from bot.port import Asker, Attachment, Poster, Press, Screen, Where
from bot.presenters.button_codes import Action
from bot.runtime.rate_limiter import Rank
from tests.chats.telegram_room import BRUNO, EVA, NEREA, Room, refusing, room
from tests.telegram_api import Refusal
from tests.telegram_messages import GROUP, private

HOME = private(NEREA)


class Shut:
    """A place that takes nothing until it is opened, however long that takes."""

    def __init__(self, at: Room, chat: dict) -> None:
        where = Where("telegram", str(chat["id"]), private=chat["id"] > 0)
        self.now = 0.0
        self.limiter = at.facade.services.delivery.pacing.limiter(where)
        self.limiter.clock = lambda: self.now
        self.limiter.pause(0.1)

    def open(self) -> None:
        self.now = 1000.0


async def test_who_presses_again_while_a_menu_waits_is_answered_at_once(at):
    await at.api.say(NEREA, "/jugar niya ordenador color=rojo empieza=rojo", HOME)
    board = await at.api.until(lambda: at.api.board(NEREA["id"]))
    await at.settle()
    more, words = board.code("Más"), board.code("En palabras")
    shut, edits = Shut(at, HOME), board.edits
    for code in (more, words, more, more):
        await at.api.press(NEREA, board, code)
    assert board.edits == edits
    shut.open()
    await at.api.until(lambda: not at.chat._answers.tasks.busy())
    assert board.edits == edits + 1, "only the last menu is shown"
    assert "Volver" in str(board.rows)


@pytest.mark.slow
async def test_in_a_group_too_the_next_press_does_not_wait_for_a_menu(at):
    board = await at.begun(game="storill setup=fixed")
    who, piece = at.mover(board), board.moves[0]
    shut, edits = Shut(at, GROUP), board.edits
    for _ in range(3):
        await at.api.press(who, board, piece)
    assert board.edits == edits
    shut.open()
    await at.api.until(lambda: board.edits > edits)
    assert board.edits == edits + 1


async def test_a_menu_that_comes_late_does_not_hide_a_newer_board(at):
    where = Where("telegram", str(NEREA["id"]), private=True)
    post = at.chat._outbound
    message = await post.send(where, Screen("AAAAAA", 4, "antes"), None)
    await post.edit(where, message, Screen("AAAAAA", 6, "ahora"), None)
    late = Screen("AAAAAA", 5, "un menú viejo")
    shown = await post.edit(where, message, late, None, unless_newer=True)
    assert not shown.fresh
    assert at.api.messages[NEREA["id"], int(message)].text == "ahora"
    await post.edit(where, message, Screen("AAAAAA", 6, "un menú"), None, unless_newer=True)
    assert at.api.messages[NEREA["id"], int(message)].text == "un menú"


@pytest.mark.slow
async def test_an_announcement_of_turns_ago_is_told_that_the_board_follows(at):
    board = await at.begun(game="cirya")
    announcement = ""
    while not announcement:  # it is offered once it can be true
        await at.press(at.mover(board), board, board.moves[0])
        codes = [button.get("callback_data", "") for row in board.rows for button in row]
        announcement = next((code for code in codes if code.startswith(Action.ASIDE)), "")
    shut = Shut(at, GROUP)
    for _ in range(2):
        table = await at.table(board)
        (seat,) = table.actors()
        who = NEREA if table.players[seat].name == "Nerea" else BRUNO
        typed = table.game.notation.written(table.present, table.present.legal_moves(seat)[0])
        await at.api.say(who, f"/mover {typed}")
        async with asyncio.timeout(60):
            while len((await at.table(board)).log) == len(table.log):
                await asyncio.sleep(0.005)
    for who in (NEREA, BRUNO):
        heard = await at.api.press(who, board, announcement)
        assert heard["text"].startswith("Acaba de pasar algo"), who["first_name"]
    shut.open()
    await at.settle()
    edits = board.edits
    heard = await at.press(NEREA, board, announcement)
    assert heard["text"] == "Ese botón es de antes: mira el tablero de ahora."
    assert board.edits == edits, "a refusal costs the board nothing"


@pytest.mark.slow
async def test_what_asks_a_person_back_is_never_given_up_in_a_busy_group(at):
    board = await at.begun()
    shut = Shut(at, GROUP)
    await at.api.say(NEREA, "/rendirse")
    await at.api.until(lambda: shut.limiter.ahead(Rank.LOOKS))
    shut.open()
    asked = await at.api.until(lambda: next((m for m in beside(at, board) if m.rows), None))
    assert any(".yes" in code for row in asked.rows for code in (row[0]["callback_data"],))


@pytest.mark.parametrize("opened", [True, False])
async def test_what_a_busy_group_does_not_take_soon_is_said_in_private_or_goes_first(at, opened):
    board = await at.begun()
    if opened:
        await at.api.say(EVA, "/start", private(EVA))
        await at.settle()
    shut = Shut(at, GROUP)
    if opened:
        shut.limiter.pause(60.0)
    await at.api.say(EVA, "/rendirse")
    if opened:
        told = await at.api.until(
            lambda: [m for m in at.api.messages.values() if m.chat == EVA["id"]][1:]
        )
        assert "no estás jugando" in told[0].text
        assert not beside(at, board)
        return
    await at.api.until(lambda: shut.limiter.ahead(Rank.ALONE))
    shut.open()
    assert await at.api.until(lambda: beside(at, board))


@pytest.mark.parametrize("line", ["/mesas", "/jugar"])
@pytest.mark.parametrize("pause", [1.0, 30.0])
async def test_what_makes_something_stands_in_the_group_unless_that_takes_too_long(at, line, pause):
    await at.api.say(NEREA, "/start", HOME)
    board = await at.begun()
    shut, before = Shut(at, GROUP), len(at_home(at))
    shut.limiter.pause(pause)
    await at.api.say(NEREA, line)
    if pause > MOMENT:
        (sheet,) = await at.api.until(lambda: at_home(at)[before:], seconds=5.0)
        assert sheet.text.startswith("En "), "it says where it will make something"
        assert sheet.rows
        assert not beside(at, board)
        return
    await at.api.until(lambda: shut.limiter.ahead(Rank.ALONE))
    shut.open()
    assert await at.api.until(lambda: beside(at, board))
    assert len(at_home(at)) == before


@pytest.mark.parametrize("pause", [1.0, 30.0])
async def test_what_a_busy_group_answered_in_private_is_pointed_to_soon_or_not_at_all(at, pause):
    await at.api.say(NEREA, "/start", HOME)
    await at.begun()
    shut = Shut(at, GROUP)
    shut.limiter.pause(pause)
    before = len(at_home(at))
    await at.api.say(NEREA, "/perfil")
    await at.api.say(NEREA, "/ayuda")
    await at.api.until(lambda: len(at_home(at)) == before + 2)
    await at.api.until(lambda: len(at.api.calls("setMessageReaction")) >= 2)
    assert all(one.text.startswith("En ") for one in at_home(at)[before:]), "a push says whence"
    if pause > MOMENT:
        await at.settle()
    shut.open()
    await at.settle()
    if pause > MOMENT:
        assert not heard_of_private(at), "it was read long before"
        return
    (led,) = heard_of_private(at)
    assert led.text == "Nerea: contesto en privado."
    (((key,),),) = (led.rows,)
    assert re.fullmatch(r"https://t\.me/\w+", key["url"])
    assert (str(led.chat), str(led.id)) in at.chat._answers.fleeting._messages


def at_home(at: Room):
    return [m for m in at.api.messages.values() if m.chat == NEREA["id"]]


def heard_of_private(at: Room):
    return [m for m in at.api.messages.values() if m.chat == GROUP["id"] and "privado" in m.text]


async def test_an_answer_with_no_other_way_goes_first_but_a_few_times_a_minute(at):
    posting, where = at.chat._answers.posting, Where("telegram", str(GROUP["id"]))
    ranks = [posting.only_way(where) for _ in range(11)]
    assert ranks == [Rank.ALONE] * 8 + [Rank.PLAYS] * 3


async def test_buttons_that_a_busy_group_does_not_take_soon_are_a_link_to_the_private_chat(at):
    board = await at.begun()
    await at.api.say(EVA, "/jugar")
    sheet = await at.api.until(lambda: next(iter(beside(at, board)), None))
    await at.settle()
    shut, before = Shut(at, GROUP), len(at.api.messages)
    shut.limiter.pause(60.0)
    heard = await at.api.press(EVA, sheet, sheet.code("Mesas que esperan gente"))
    assert f"start={PRESSES}" in heard["url"]
    assert len(at.api.messages) == before
    payload = heard["url"].partition("start=")[2]
    await at.api.say(EVA, f"/start {payload}", private(EVA))
    await at.api.until(lambda: [m for m in at.api.messages.values() if m.chat == EVA["id"]])
    shut.open()


def beside(at: Room, board):
    return [m for m in at.api.messages.values() if m.chat == board.chat and m is not board]


# -------------------------------------------------------------------- what is said of the delay


def spent(at: Room, calls: int) -> None:
    """Let so many calls have gone out in the group just now, as Telegram counts them."""
    limiter = at.facade.services.delivery.pacing.limiter(Where("telegram", str(GROUP["id"])))
    limiter.windows = GROUP_PACE.windows
    limiter._done = deque((limiter.clock() for _ in range(calls)), maxlen=18)


def full(at: Room, calls: int) -> None:
    """Let a game be played in the group, and so many calls have gone out in this minute."""
    spent(at, 0)
    limiter = at.facade.services.delivery.pacing.limiter(Where("telegram", str(GROUP["id"])))
    limiter.enliven(KEPT, SPREAD, LIVELY)
    ago = (limiter.clock() - 6.0 - calls + n for n in range(calls))
    limiter._done = deque(ago, maxlen=18)


async def opened(at: Room, *people: dict) -> None:
    """Let *people* open their private chats, and a game leave little room in the group."""
    for one in people:
        await at.api.say(one, "/start", private(one))
    await at.begun()
    await at.settle()
    full(at, calls=14)


async def test_a_busy_group_points_at_once_to_what_it_leaves_to_the_private_chat(at):
    await opened(at, NEREA)
    for line in ("/hoy", "/clasificacion", "/perfil", "/ajustes", "/aprender", "/partidas"):
        before = len(at_home(at))
        await at.api.say(NEREA, line)
        (led,) = await at.api.until(lambda: heard_of_private(at), seconds=5.0)
        if line != "/ajustes":  # it leads to what only a link may ask for
            (((key,),),) = (led.rows,)
            assert led.text == "Nerea: contesto en privado.", line
            assert re.fullmatch(r"https://t\.me/\w+", key["url"])
            await at.api.until(lambda n=before: len(at_home(at)) > n)
        await at.settle()
    full(at, calls=0)


async def test_one_pointer_names_all_and_whoever_it_names_costs_the_group_nothing(at):
    await opened(at, NEREA, BRUNO)
    await at.api.say(NEREA, "/perfil")
    await at.api.until(lambda: heard_of_private(at), seconds=5.0)
    await at.api.say(BRUNO, "/partidas")
    await at.api.say(EVA, "/partidas")
    (led,) = await at.api.until(lambda: [m for m in heard_of_private(at) if len(m.rows) == 3])
    assert re.fullmatch(r"(\w+), (\w+), (\w+): contesto en privado\.", led.text)
    await at.settle()
    keys = {key["text"]: key["url"].partition("start=")[2] for row in led.rows for key in row}
    assert keys["Eva: Abrir en privado"] == "do-games", "she has opened no private chat"
    assert keys["Nerea: Abrir en privado"] == ""
    before, there = len(at_home(at)), len(at.api.calls("sendMessage", "sendPhoto"))
    await at.api.say(NEREA, "/aprender")
    await at.api.until(lambda: len(at_home(at)) > before)
    await at.settle()
    assert heard_of_private(at) == [led]
    sent = at.api.calls("sendMessage", "sendPhoto")[there:]
    assert {one.values["chat_id"] for one in sent} == {str(NEREA["id"])}
    full(at, calls=0)


async def test_who_waits_longer_than_it_stands_is_named_with_all_who_wait(at):
    await opened(at, NEREA, BRUNO)
    pointers, where = at.chat._answers.commands.pointers, Where("telegram", str(GROUP["id"]))
    leads = [
        asyncio.create_task(pointers.lead(where, Asker("telegram", name, name), payload, None))
        for name in ("Ana", "Bea")
        for payload in ("", "do-games")
    ]
    await asyncio.sleep(0)
    pointers._leads.clear()  # the time of a pointer has passed
    full(at, calls=0)
    assert all(await asyncio.gather(*leads))
    await at.settle()
    (led,) = [one for one in at.api.messages.values() if "privado" in one.text]
    assert led.text == "Ana, Bea: contesto en privado."


async def test_who_asks_again_is_pointed_to_anew_where_no_reaction_says_that_it_was_seen(at):
    await opened(at, NEREA)
    await at.api.say(NEREA, "/perfil")
    (led,) = await at.api.until(lambda: heard_of_private(at), seconds=5.0)
    await at.settle()
    noticed = len(at.api.calls("setMessageReaction"))
    await at.api.say(NEREA, "/partidas")
    await at.api.until(lambda: len(at.api.calls("setMessageReaction")) > noticed)
    await at.settle()
    assert heard_of_private(at) == [led]
    invalid = Refusal(400, "Bad Request: REACTION_INVALID")
    at.api.refuse = refusing("setMessageReaction", invalid, times=9)
    await at.api.say(NEREA, "/aprender")
    await at.api.until(lambda: [m for m in heard_of_private(at) if m is not led], seconds=5.0)
    full(at, calls=0)


async def test_who_asks_while_a_pointer_waits_is_in_the_next_one_and_has_none_of_their_own(at):
    invalid = Refusal(400, "Bad Request: REACTION_INVALID")
    at.api.refuse = refusing("setMessageReaction", invalid, times=99)
    shut = Shut(at, GROUP)
    for one in (EVA, NEREA, BRUNO):
        for line in ("/vacaciones 2", "/vacaciones 3", "/vacaciones 4"):
            await at.api.say(one, line)
    await at.api.until(lambda: len(at.api.calls("setMessageReaction")) >= 9)
    before = len(at.api.calls("sendMessage"))
    shut.open()
    (led,) = await at.api.until(lambda: [m for m in heard_of_private(at) if len(m.rows) == 3])
    await at.settle()
    assert heard_of_private(at) == [led]
    assert len(at.api.calls("sendMessage")) - before <= 2


async def test_a_group_that_has_moved_keeps_one_pointer(at):
    def moved(asked):
        if asked.values.get("chat_id") == "-55":
            raise Refusal(400, "Bad Request: group chat was upgraded", migrate_to_chat_id=-1001)

    at.api.refuse = moved
    for n, line in enumerate(("/vacaciones 2", "/vacaciones 3", "/vacaciones 4"), 1):
        await at.api.say(EVA, line, {**GROUP, "id": -55, "type": "group"})
        await at.api.until(lambda many=2 * n: len(at.api.calls("sendMessage")) >= many)
        await at.settle()
    assert len(heard_of_private(at)) == 1


async def test_who_asks_again_while_a_pointer_names_them_hears_of_it_by_a_reaction(at):
    await at.api.say(EVA, "/vacaciones 2")
    (led,) = await at.api.until(lambda: heard_of_private(at), seconds=5.0)
    await at.settle()
    await at.api.say(EVA, "/vacaciones 2")
    await at.api.until(lambda: list(at.api.reactions.values()) == ["👀", "👀"], seconds=5.0)
    assert heard_of_private(at) == [led]


@pytest.mark.parametrize("line", ["/perfil", "/partidas", "/rendirse"])
async def test_what_comes_in_private_says_of_which_group_it_is_and_leads_back_there(at, line):
    await opened(at, NEREA)
    before = len(at_home(at))
    await at.api.say(NEREA, line)
    shown, *_ = await at.api.until(lambda: at_home(at)[before:], seconds=5.0)
    assert shown.text.startswith("En Club: ")
    back = shown.rows[-1][-1]
    assert back["text"] == "Volver al grupo"
    assert re.fullmatch(r"https://t\.me/c/1/\d+", back["url"])
    full(at, calls=0)


async def test_a_table_is_opened_at_once_in_a_group_whose_boards_are_spread(at):
    await at.api.say(NEREA, "/jugar niya ordenador", HOME)
    await at.settle()
    full(at, calls=17)
    await at.api.say(NEREA, "/jugar niya")
    board = await at.api.until(at.api.board, seconds=5.0)
    assert "Sentarme" in board.labels


async def test_a_board_that_is_asked_for_comes_at_once_in_a_group_whose_boards_are_spread(at):
    board = await at.begun()
    await at.press(at.mover(board), board, board.moves[0])
    full(at, calls=14)
    await at.api.say(NEREA, "/tablero")
    await at.api.until(lambda: (new := at.api.board()) and new.id > board.id, seconds=5.0)
    full(at, calls=0)


async def test_who_opens_a_table_in_a_group_that_takes_nothing_now_hears_so_at_once(at):
    await at.api.say(NEREA, "/jugar niya ordenador", HOME)
    await at.settle()
    full(at, calls=18)
    await at.api.say(NEREA, "/jugar niya")
    told = await at.api.until(lambda: [m for m in at.api.messages.values() if "lo tuyo" in m.text])
    assert [one.chat for one in told] == [NEREA["id"]]
    assert re.search(r"llega allí en menos de [45]0 s", told[0].text)
    assert at.api.board() is None
    full(at, calls=0)


@pytest.mark.slow
async def test_the_toast_says_what_was_done_and_when_the_board_follows(at):
    board = await at.begun()
    spent(at, 4)
    heard = await at.api.press(at.mover(board), board, board.moves[0])
    assert re.fullmatch(r"Tomas .+ Se ve aquí en menos de 20 s\.", heard["text"])
    await at.settle()
    assert len((await at.table(board)).log) == 17


async def test_the_keys_of_a_step_that_come_late_are_announced_by_what_was_chosen(at):
    board = await at.begun(game="storill setup=fixed")
    mover = at.mover(board)
    shut, edits = Shut(at, GROUP), board.edits
    shut.limiter._not_before = 0.0
    spent(at, 18)
    shut.limiter._done = deque((shut.limiter.clock() - 53.0 for _ in range(18)), maxlen=18)
    first = (await at.api.press(mover, board, board.moves[0]))["text"]
    again = (await at.api.press(mover, board, board.moves[0]))["text"]
    assert re.fullmatch(r".+\? Los botones llegan en menos de [123]0 s\.", first), first
    assert again == first, "the keys wait once"
    shut.open()
    await at.api.until(lambda: board.edits == edits + 1)


async def test_keys_that_others_may_delay_for_long_are_announced(at):
    board = await at.begun(game="storill setup=fixed")
    mover, edits = at.mover(board), board.edits
    shut = Shut(at, GROUP)
    shut.limiter._not_before = 0.0
    spent(at, 18)
    shut.limiter._done = deque((shut.limiter.clock() - 57.5 for _ in range(18)), maxlen=18)
    assert TELLING < shut.limiter.next_due(Rank.PLAYS) < NOTICEABLE
    heard = await at.api.press(mover, board, board.moves[0])
    assert re.search(r"\? Los botones llegan en menos de [12]0 s\.$", heard["text"]), heard
    shut.open()
    await at.api.until(lambda: board.edits == edits + 1)


async def test_a_poster_is_brought_by_the_rank_by_which_its_wait_was_told(at, monkeypatch):
    posting, ranks = at.chat._answers.posting, []
    where, eva = Where("telegram", str(GROUP["id"])), Asker("telegram", str(EVA["id"]), "Eva")

    async def bring(*_, rank=None, **__):
        ranks.append(rank)

    async def with_wait(words, press, rank=None):
        ranks.append(rank)
        return words

    async def answered(press):
        return Poster("", Attachment("a.png", b""))

    own = at.chat._answers.own
    monkeypatch.setattr(posting, "bring", bring)
    monkeypatch.setattr(posting, "with_wait", with_wait)
    monkeypatch.setattr(own.facade.requests, "press", answered)
    press = Press("1", where, eva, at.facade.boards.buttons.of(Action.TOURNAMENT), f"{EPHEMERAL}1")
    said = SimpleNamespace(say=lambda *_, **__: True)
    following = await own.use(press, said)
    assert following is not None
    await following
    assert len(ranks) == 2
    assert ranks[0] == ranks[1] is not None


@pytest.mark.slow
async def test_nothing_is_said_of_a_delay_that_nobody_notices(at):
    board = await at.begun()
    heard = await at.press(at.mover(board), board, board.moves[0])
    assert "llega" not in heard["text"]


@pytest.mark.slow
async def test_a_refusal_of_the_old_board_tells_when_the_new_one_comes(at):
    board = await at.begun()
    mover, taken = at.mover(board), board.moves[0]
    other = BRUNO if mover is NEREA else NEREA
    spent(at, 4)
    await at.api.press(mover, board, taken)
    heard = await at.api.press(other, board, taken)
    assert heard["show_alert"] == "true"
    assert re.search(r"Se ve aquí en menos de 20 s\.$", heard["text"])


@pytest.mark.slow
async def test_a_menu_in_a_group_shows_what_was_chosen_to_the_others_by_one_call(at):
    await at.api.say(NEREA, "/jugar parchis @bruno")
    board = await at.api.until(at.api.board)
    await at.settle()
    await at.press(BRUNO, board, board.code("Aceptar"))
    before, words = len(at.api.asked), board.text
    more = await at.facade.boards.knows(Where("telegram", str(board.chat)), str(board.id))
    assert more
    screen = Screen(board.code("Tirar").split(".")[1], 999, "▶", ("¿Adónde va la ficha azul?",))
    await at.chat._outbound.rekey(Where("telegram", str(board.chat)), str(board.id), screen)
    assert [one.method for one in at.api.asked[before:]] == ["editMessageCaption"]
    assert board.text != words
    assert "ficha azul" in board.text


async def test_passes_in_a_row_are_one_edit_where_the_board_waits(at):
    await at.api.say(NEREA, "/jugar parchis @bruno")
    board = await at.api.until(at.api.board)
    await at.settle()
    await at.press(BRUNO, board, board.code("Aceptar"))
    shut, throw, edits, passes = Shut(at, GROUP), board.code("Tirar"), board.edits, 0
    shut.limiter.windows = GROUP_PACE.windows
    while passes < 3:
        table = await at.table(board)
        mover = NEREA if table.players[min(table.actors())].name == "Nerea" else BRUNO
        heard = await at.api.press(mover, board, throw)
        assert heard["text"].startswith("Te sale un"), heard
        if "Elige" in heard["text"]:
            pytest.skip("These dice give a choice before three passes, and the board waits.")
        passes += "no puedes mover" in heard["text"]
    assert board.edits == edits
    shut.open()
    await at.settle()
    assert board.edits == edits + 1


@pytest.mark.slow
async def test_words_go_out_while_telegram_takes_its_time_with_the_last_ones(at, monkeypatch):
    """At two seconds a call, whoever presses again is not kept waiting, and hears his words."""
    monkeypatch.setattr("bot.chats.telegram.paced_messages.WATCHDOG", 30.0)
    board = await at.begun()
    mover, go_on, slow = at.mover(board), asyncio.Event(), []
    real = at.api.answercallbackquery

    async def late(asked):
        slow.append(asked)
        await go_on.wait()
        return await real(asked)

    at.api.answercallbackquery = late
    for query in ("one", "two"):
        body = {"id": query, "from": mover, "chat_instance": "c", "data": board.moves[0]}
        await at.api.give("callback_query", {**body, "message": board.data()})
    await at.api.until(lambda: len(slow) == 2)
    go_on.set()
    await at.settle()
    assert all(asked.values.get("text") for asked in slow)
    assert not [one for one in slow if one.values["text"] == "Un momento…"]


@pytest.mark.slow
async def test_a_removal_costs_no_pace_and_waits_for_nothing(at):
    await at.begun()
    where = Where("telegram", str(GROUP["id"]))
    message = await at.chat._outbound.say(where, "fuera")
    limiter = at.facade.services.delivery.pacing.limiter(where)
    limiter.pause(60.0)
    wait = limiter.due()
    await at.chat._answers.fleeting.note(where, message, 0.01)
    await at.api.until(lambda: at.api.calls("deleteMessage"))
    assert limiter.due() <= wait


@pytest.mark.slow
async def test_at_telegram_s_own_pace_every_press_of_many_is_answered_with_words(
    tmp_path, monkeypatch
):
    """Six tables in two groups, a call taking a fifth of a second: nothing is blank, none old."""
    monkeypatch.setattr("bot.chats.telegram.paced_messages.WATCHDOG", 30.0)
    async with room(tmp_path, TelegramChat) as at:
        boards = []
        for number in range(6):
            chat = {**GROUP, "id": -3000 - number % 2}
            await at.api.say(NEREA, "/jugar niya ordenador color=rojo empieza=rojo", chat)
            shown = await at.api.until(lambda: _new(at, boards))
            boards.append(shown)
        at.api.latency = 0.2
        heard = await asyncio.gather(
            *(at.api.press(NEREA, one, code) for one in boards for code in one.moves[:3])
        )
        await at.settle()
        assert all(one.get("text") for one in heard)
        assert not [one for one in heard if "es de antes" in one["text"]]
        refused = {one.refused for one in at.api.asked if "not modified" not in one.refused}
        assert refused == {""}
        assert not [one for one in heard if one["text"] == "Un momento…"]


def _new(at: Room, known: list):
    boards = [m for m in at.api.messages.values() if m.moves]
    return next((one for one in boards if one not in known), None)


@pytest.mark.slow
async def test_a_press_during_an_edit_is_answered_and_the_board_comes_right(at):
    """Telegram takes its time over the edit; the next player presses what he still sees."""
    board = await at.begun()
    mover, real, go_on = at.mover(board), at.api.editmessagemedia, asyncio.Event()
    other = BRUNO if mover is NEREA else NEREA

    async def late(asked):
        await go_on.wait()
        return await real(asked)

    at.api.editmessagemedia = late
    keys, before = board.moves, len(at.api.calls("editMessageMedia"))
    await at.api.press(mover, board, keys[0])
    await at.api.until(lambda: len(at.api.calls("editMessageMedia")) > before)
    table = await at.table(board)
    (seat,) = table.actors()
    legal = {one.code for one in table.present.legal_moves(seat)}
    heard = await at.api.press(other, board, next(k for k in keys if k.split(".")[3] in legal))
    assert heard["text"].startswith("Tomas")
    go_on.set()
    await at.settle()
    assert len((await at.table(board)).log) == 18
    assert at.mover(board) is mover
    assert f"{other['first_name']}: " in board.text


# -------------------------------------------------------------------- what a restart knows of it


@pytest.mark.parametrize("calls", [17, 18])
async def test_after_a_restart_a_group_takes_what_telegram_still_grants_it(tmp_path, calls):
    where = Where("telegram", str(GROUP["id"]))
    async with room(tmp_path, TelegramChat) as at:
        limiter = at.facade.services.delivery.pacing.limiter(where)
        limiter._done.extend(limiter.clock() - 40.0 for _ in range(calls - 1))
        limiter.note()
        await at.settle()
        api = at.api
    async with room(tmp_path, TelegramChat, api=api) as at:
        limiter = at.facade.services.delivery.pacing.limiter(where)
        assert (limiter.wait() > 0) == (calls == 18)
        assert limiter.due(19 - calls + 1) > 10.0


async def test_after_a_restart_a_pause_lasts_as_long_as_telegram_has_said(tmp_path):
    where = Where("telegram", str(GROUP["id"]))
    async with room(tmp_path) as at:
        at.facade.services.delivery.pacing.limiter(where).pause(60.0)
        await at.settle()
        api = at.api
    async with room(tmp_path, api=api) as at:
        limiter = at.facade.services.delivery.pacing.limiter(where)
        assert 50.0 < limiter.wait() < 61.0  # a wall clock may be set between two starts
