"""What people say to one another over a table, each on his own page."""

from __future__ import annotations

import re
import uuid
from html import unescape

import pytest
from sqlalchemy import text

from bot.chats.web import DoorKeys
from bot.facade.table_talk import LONGEST_LINE
from bot.service import request_rate_limits
from storage.person.personal_data import export_person
from storage.table import talk
from storage.table.talk import house_lines
from tests.chats.pages import Json, Page, Visitor, guest_of, named, seated, server


async def look(page: Page, table: str) -> Json:
    """All that was said at *table*, as *page* is told when it looks there."""
    await page.send("look", table=table)
    return await page.until(lambda m: m["kind"] == "talk" and m["whole"])


async def heard(page: Page, table: str) -> Json:
    """What *page* hears next."""
    told = await page.until(lambda m: m["kind"] == "talk" and m["table"] == table)
    return told["lines"][-1]


def sure(asked: Json) -> Json:
    """The button that says yes to what is asked back."""
    rows = (asked.get("card") or asked["board"])["rows"]
    return next(button for row in rows for button in row if button["style"] == "danger")


def texts(talk: Json) -> list[str]:
    return [line["text"] for line in talk["lines"]]


async def with_onlooker(at, host: Page) -> tuple[str, Visitor, Visitor]:
    table = (await host.type("/play niya"))["open"]
    visitors = [Visitor(at), Visitor(at)]
    for visitor in visitors:
        assert await visitor.enter((await host.ask("invite", table=table))["link"]) == 200
    for visitor, name in zip(visitors, ("Bruno", "Eva"), strict=True):
        await named(visitor, name)
    await host.board(table, lambda board: board["picture"])
    return table, visitors[0], visitors[1]


async def test_what_one_says_the_other_reads_at_once_and_after_a_reload(at):
    host = await at.first()
    async with host.open() as page:
        table, guest = await seated(at, page)
        async with guest.open() as other:
            await look(other, table)
            answer = await page.ask("say", table=table, line="  Hola, <b>Bruno</b>  ")
            assert answer["good"]
            line = await heard(other, table)
            assert (line["who"], line["text"], line["mine"]) == (
                "Nerea",
                "Hola, <b>Bruno</b>",
                False,
            )
            assert not line["watches"]
        async with guest.open() as again:
            assert texts(await look(again, table)) == ["Hola, <b>Bruno</b>"]
        assert (await look(page, table))["lines"][0]["mine"]


@pytest.mark.slow
async def test_a_sentence_of_ours_is_read_by_each_in_his_own_language(at):
    host = await at.first()
    async with host.open() as page:
        table, guest = await seated(at, page)
        async with guest.open(language="en") as other:
            await look(other, table)
            await look(page, table)
            assert (await page.ask("say", table=table, code="luck"))["good"]
            assert (await heard(other, table))["text"] == "Good luck!"
            assert texts(await look(page, table)) == ["¡Suerte!"]


@pytest.mark.slow
async def test_the_same_words_sent_again_are_said_once(at):
    host = await at.first()
    async with host.open() as page:
        table, _ = await seated(at, page)
        update = str(uuid.uuid4())
        for _ in range(2):
            assert (await page.ask("say", update, table=table, line="hola"))["good"]
        at.chat._visits.clear()
    async with host.open() as page:
        # After a restart nothing is known of the answer, and the database knows of the words.
        assert (await page.ask("say", update, table=table, line="hola"))["good"]
        assert texts(await look(page, table)) == ["hola"]


@pytest.mark.sampled
@pytest.mark.parametrize(("line", "code"), [("", ""), (" \u200b\n", ""), ("", "nonsense")])
async def test_where_nothing_is_said_nothing_is_kept(at, line, code):
    host = await at.first()
    async with host.open() as page:
        table, _ = await seated(at, page)
        answer = await page.ask("say", table=table, line=line, code=code)
        assert not answer["good"]
        assert texts(await look(page, table)) == []


@pytest.mark.slow
async def test_a_long_speech_is_cut_and_nothing_in_it_rules_the_page(at):
    host = await at.first()
    async with host.open() as page:
        table, _ = await seated(at, page)
        await page.ask("say", table=table, line="a\u202eb\nc" + "x" * 400)
        (said,) = texts(await look(page, table))
        assert said.startswith("ab cx")
        assert len(said) == LONGEST_LINE


@pytest.mark.slow
async def test_who_talks_too_fast_waits(at, monkeypatch):
    monkeypatch.setattr(request_rate_limits, "TALK", ((3, 3600.0),))
    host = await at.first()
    async with host.open() as page:
        table, _ = await seated(at, page)
        answers = [await page.ask("say", table=table, line=str(n)) for n in range(4)]
        assert [answer["good"] for answer in answers] == [True, True, True, False]
        assert "espacio" in answers[3]["said"]
        assert texts(await look(page, table)) == ["0", "1", "2"]


async def test_at_a_table_that_is_not_on_the_page_nothing_is_heard_or_said(at):
    host = await at.first()
    async with host.open() as page:
        table, _ = await seated(at, page)
        own = (await page.type("/play cirya"))["open"]
        stranger = await at.guest(page, own, "Eva")
        await page.ask("say", table=table, line="hola")
        async with stranger.open() as other:
            assert not (await other.ask("say", table=table, line="¿qué decís?"))["good"]
            await other.send("look", table=table)
            await other.send("look", table=own)
            talk = await other.until(lambda m: m["kind"] == "talk")
            assert talk["table"] == own
            assert texts(talk) == []
        assert texts(await look(page, table)) == ["hola"]


@pytest.mark.slow
async def test_onlookers_are_marked_and_counted_and_heard_by_players_once_it_is_over(at):
    host = await at.first()
    async with host.open() as page:
        table, bruno, eva = await with_onlooker(at, page)
        async with bruno.open() as second, eva.open() as third:
            await look(page, table)
            await look(second, table)
            await third.send("look", table=table)
            counted = await page.until(lambda m: m["kind"] == "watching" and m["said"])
            assert counted["said"] == "1 mira"
            assert third.boards[table]["with"].startswith("miras a ")
            assert (await third.ask("say", table=table, line="¡Juega el cuatro!"))["good"]
            assert texts(await look(third, table)) == ["¡Juega el cuatro!"]
            assert texts(await look(page, table)) == []
            await second.ask("say", table=table, line="hola, Eva")
            assert texts(await look(third, table)) == ["¡Juega el cuatro!", "hola, Eva"]
            asked = await second.type("/resign", table)
            await second.press(table, sure(asked))
            await page.board(table, lambda board: board["over"])
            talk = await look(page, table)
            assert texts(talk) == ["¡Juega el cuatro!", "hola, Eva"]
            assert [line["watches"] for line in talk["lines"]] == [True, False]
        await page.until(lambda m: m["kind"] == "watching" and m["said"] == "")


@pytest.mark.slow
async def test_who_is_muted_is_not_read_until_he_is_again(at):
    host = await at.first()
    async with host.open() as page:
        table, guest = await seated(at, page)
        async with guest.open() as other:
            await other.ask("say", table=table, line="pesado")
            (line,) = (await look(page, table))["lines"]
            assert (await page.ask("mute", table=table, at=str(line["number"])))["good"]
            await other.ask("say", table=table, line="más pesado")
            lines = (await look(page, table))["lines"]
            assert [(one["text"], one["muted"]) for one in lines] == [("", True), ("", True)]
            assert texts(await look(other, table)) == ["pesado", "más pesado"]
            await page.ask("mute", table=table, at=str(line["number"]))
            assert texts(await look(page, table)) == ["pesado", "más pesado"]


@pytest.mark.slow
async def test_whoever_plays_from_another_chat_is_said_not_to_read_it(at):
    host = await at.first()
    async with host.open() as page:
        table, guest = await seated(at, page)
        talk = await look(page, table)
        assert (talk["readers"], talk["deaf"]) == (1, "")
        async with at.facade.store.transaction() as tx:
            await tx.execute(
                text("UPDATE view SET platform = 'telegram' WHERE place = :place"),
                {"place": guest.path[3:]},
            )
        talk = await look(page, table)
        assert talk["readers"] == 0
        assert "Bruno" in talk["deaf"]


@pytest.mark.slow
async def test_a_forgotten_player_leaves_no_words(at):
    host = await at.first()
    async with host.open() as page:
        table, guest = await seated(at, page)
        async with guest.open() as other:
            await other.ask("say", table=table, line="adiós")
            asked = await other.type("/forgetme")
            await other.press("", sure(asked))
        assert texts(await look(page, table)) == []


# ---------------------------------------------------------------- the whole house


async def house_heard(visitor: Visitor) -> list[tuple[str, str]] | None:
    """Who said what to the house, as *visitor* reads it; ``None`` where there is no such talk."""
    status, data = await visitor.get(f"{visitor.path}/sheets/people")
    body = unescape(data.decode())
    assert status == 200
    if "<form>" not in body:
        assert "Charla de la casa" not in body
        return None
    return re.findall(r"<b><bdi>(.*?)</bdi></b> (.*?)</span>", body)


@pytest.fixture
async def talking(tmp_path):
    async with server(tmp_path, doors=DoorKeys(open_house=True), house_talk=True) as opened:
        yield opened


async def test_members_talk_to_the_house_and_hear_it_at_once(talking):
    host = await talking.first("Nerea")
    other = await talking.guest_of_house("Bruno")
    async with host.open() as page, other.open() as listening:
        assert await house_heard(host) == []
        assert (await page.ask("say", line="¿Quién juega <b>hoy</b>?"))["good"]
        await listening.until(lambda told: told["kind"] == "house", 5.0)
        assert (await listening.ask("say", line="Yo"))["good"]
        await page.until(lambda told: told["kind"] == "house", 5.0)
        said = [("Nerea", "¿Quién juega <b>hoy</b>?"), ("Bruno", "Yo")]
        assert [await house_heard(one) for one in (host, other)] == [said, said]
        assert b"<b>hoy" not in (await host.get(f"{host.path}/sheets/people"))[1]
        assert not (await page.ask("say", line=" "))["good"]


async def test_who_is_muted_in_the_talk_of_the_house_is_silent_for_that_reader_alone(talking):
    host, third = await talking.first("Nerea"), await talking.guest_of_house("Bruno")
    async with host.open() as page, third.open() as other:
        await other.ask("say", line="Yo")
        await page.until(lambda told: told["kind"] == "house", 5.0)
        for said in ("en silencio", "Yo"):
            sheet = (await host.get(f"{host.path}/sheets/people"))[1].decode()
            assert (await page.ask("mute", at=re.findall(r'data-code="(\d+)"', sheet)[-1]))["good"]
            assert await house_heard(host) == [("Bruno", said)]
            assert await house_heard(third) == [("Bruno", "Yo")]
        assert (await page.ask("mute", at="7"))["good"]
        assert await house_heard(host) == [("Bruno", "Yo")]


async def test_who_came_by_nobodys_leave_neither_hears_nor_says_anything(talking):
    host, passing = await talking.first("Nerea"), Visitor(talking)
    await passing.enter(f"{talking.url}/door/guest?on&to=")
    await named(passing, "Eva")
    async with host.open() as page, passing.open() as other:
        await page.ask("say", line="Hola")
        assert await house_heard(passing) is None
        answer = await other.ask("say", line="Mal")
        assert (answer["good"], "quienes son de la casa" in answer["said"]) == (False, True)
        assert await house_heard(host) == [("Nerea", "Hola")]


async def test_where_the_operator_did_not_turn_it_on_there_is_no_talk_of_the_house(at):
    host = await at.first()
    async with host.open() as page:
        assert await house_heard(host) is None
        assert not (await page.ask("say", line="Hola"))["good"]
        assert await at.facade.store.read(house_lines) == []


async def test_the_oldest_lines_go_and_those_of_who_is_forgotten_too(talking, monkeypatch):
    monkeypatch.setattr(talk, "HOUSE_LINES", 2)
    host, other = await talking.first("Nerea"), await talking.guest_of_house("Bruno")
    people = talking.facade.services.people
    me = (await people.of((await guest_of(talking, host)).asker)).id
    async with host.open() as page, other.open() as second:
        for n, one in enumerate((page, page, second)):
            assert (await one.ask("say", line=f"línea {n}"))["good"]
        assert await house_heard(other) == [("Nerea", "línea 1"), ("Bruno", "línea 2")]
        told = await talking.facade.store.read(export_person, me)
        assert [row["value"] for row in told["setting"] if "línea" in row["value"]] == ["línea 1"]
        await talking.facade.operator.forget(me)
        assert await house_heard(other) == [("Bruno", "línea 2")]


async def test_a_muted_person_is_not_heard_in_the_house(talking):
    host, other = await talking.first("Nerea"), await talking.guest_of_house("Bruno")
    people = talking.facade.services.people
    me, them = [(await people.of((await guest_of(talking, one)).asker)).id for one in (host, other)]
    async with other.open() as page:
        assert (await page.ask("say", line="Hola"))["good"]
    await people.choose(me, muted=(them,))
    assert await house_heard(host) == [("Bruno", "en silencio")]
    assert await house_heard(other) == [("Bruno", "Hola")]
