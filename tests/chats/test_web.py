"""The browser chat on a real house: boards, answers, and what survives."""

import io
import random
import re
import uuid
from importlib import resources

import pytest
from PIL import Image, ImageColor

from bot.chats.web.inbound import WORDS
from bot.texts import LANGUAGES, language
from render.kit.themes import THEMES
from tests.chats.pages import Visitor, guest_of, seated, server


async def test_the_name_is_asked_first_and_cleaned(at):
    visitor = Visitor(at)
    await visitor.enter(at.told[0])
    async with visitor.open() as page:
        assert page.state["name"] == ""
        assert not (await page.type("/play niya"))["good"]
        assert not (await page.ask("name", name=" \u200b\u202e "))["good"]
        assert (await page.ask("name", name="  Íñigo\u202e " + "x" * 60))["good"]
        assert page.state["name"].startswith("Íñigo")
        assert len(page.state["name"]) <= 32
        assert "\u202e" not in page.state["name"]


async def test_the_page_speaks_the_language_of_the_browser_until_told_otherwise(at):
    visitor = await at.first()
    async with visitor.open(language="en-GB") as page:
        assert page.state["words"]["your-turn"] == "Your turn"
        await page.type("/idioma español")
        assert page.state["words"]["your-turn"] == "Te toca"
        assert page.state["language"] == "es"


def buttons_in(told: object) -> list[dict[str, str]]:
    """What can be pressed in *told*, however deep."""
    inner = told.values() if isinstance(told, dict) else told if isinstance(told, list) else ()
    own = [told] if isinstance(told, dict) and {"code", "label"} <= {*told} else []
    return [*own, *(button for one in inner for button in buttons_in(one))]


async def test_a_language_that_is_pressed_changes_all_of_the_page(at):
    visitor = await at.first()
    async with visitor.open(language="en-GB") as page:
        shown = await page.type("/language")
        (spanish,) = (one for one in buttons_in(shown) if one["label"] == "español")
        assert (await page.ask("press", code=spanish["code"]))["good"]
        assert page.state["words"]["your-turn"] == "Te toca"
        assert page.state["language"] == "es"


async def test_an_english_browser_gets_english_boards(tmp_path):
    async with server(tmp_path) as at:
        visitor = Visitor(at)
        await visitor.enter(at.told[0])
        async with visitor.open(language="en-US") as page:
            await page.ask("name", name="Ann")
            table = (await page.type("/play niya"))["open"]
            board = await page.board(table)
            assert board["status"] == "Waiting for people"
            assert board["headline"].startswith("Ann would like to play")


async def test_an_invited_guest_finds_the_table_on_his_page(at):
    host = await at.first()
    async with host.open() as page:
        table = (await page.type("/play niya"))["open"]
        link = (await page.ask("invite", table=table))["link"]
        guest = Visitor(at)
        await guest.enter(link)
        async with guest.open() as other:
            assert "Nerea te invita" in other.state["invited"]
            await other.ask("name", name="Bruno")
            board = await other.board(table, lambda board: board["picture"])
            assert board["with"] == "con Nerea"
        assert (await page.board(table, lambda board: board["with"]))["with"] == "con Bruno"


async def test_a_whole_game_by_buttons_is_pushed_to_both(at):
    host = await at.first()
    rng = random.Random(5)
    async with host.open() as page:
        table, guest = await seated(at, page)
        async with guest.open(theme="dark") as other:
            pages = (page, other)
            for _ in range(16):
                boards = [await one.board(table) for one in pages]
                if boards[0]["over"]:
                    break
                mover = pages[1] if boards[1]["mine"] else pages[0]
                version = boards[0]["version"]
                answer = await mover.press(table, rng.choice(mover.moves(table)))
                assert answer["good"], answer
                for one in pages:
                    await one.board(table, lambda board, old=version: board["version"] > old)
            assert page.boards[table]["over"]
            assert other.boards[table]["over"]
            assert other.boards[table]["status"] == "Terminada"
            # Each sees the board in the theme and from the side of his own.
            assert page.boards[table]["picture"] != other.boards[table]["picture"]


@pytest.mark.slow
async def test_a_board_is_words_picture_spots_and_buttons(at):
    host = await at.first()
    async with host.open() as page:
        table, guest = await seated(at, page)
        async with guest.open() as other:
            mover = page if page.boards[table]["mine"] else other
            watcher, visitor = (other, host) if mover is page else (page, guest)
            board = mover.boards[table]
            assert board["title"] == "Niya"
            assert "Te toca" in board["headline"]
            assert len(board["alt"]) > 100
            steps = [button["step"] for button in mover.moves(table)]
            assert [spot["step"] for spot in board["spots"]] == steps
            assert len(steps) == 12  # N4: the first card is one of the border
            for spot in board["spots"]:
                assert 0 <= spot["x"] < spot["x"] + spot["w"] <= 1
                assert 0 <= spot["y"] < spot["y"] + spot["h"] <= 1
                assert spot["x"] == round(spot["x"], 4)
            for button in (button for row in board["rows"] for button in row):
                more = button.keys() - {"label", "code", "style", "step"}
                assert all(button[key] for key in more), "what is empty is not sent"
                assert button.get("tap") != button["code"], "nor what is the same"
            assert watcher.boards[table]["spots"] == []
            status, picture = await visitor.get(f"{visitor.path}/{board['picture']}")
            assert status == 200
            assert picture.startswith(b"\x89PNG")
            assert int.from_bytes(picture[16:20]) == board["width"]


@pytest.mark.slow
async def test_the_board_in_view_comes_as_sprites_at_places_and_its_picture_stands_at_its_address(
    at,
):
    host = await at.first()
    async with host.open() as page:
        table, guest = await seated(at, page)
        async with guest.open() as other:
            mover, visitor = (page, host) if page.boards[table]["mine"] else (other, guest)
            await mover.send("look", table=table)
            await mover.until(lambda message: message["kind"] == "talk")
            version = mover.boards[table]["version"]
            await mover.press(table, mover.moves(table)[0])
            board = await mover.board(table, lambda board: board["version"] > version)
            assert "drawn" not in board
            scene = board["scene"]
            assert 30 < scene["parts"].count("|") < len(scene["parts"]) < 2_000
            _, picture = await visitor.get(f"{visitor.path}/{board['picture']}")
            size = int.from_bytes(picture[16:20]), int.from_bytes(picture[20:24])
            assert size == (scene["width"], scene["height"])


@pytest.mark.slow
async def test_a_press_is_answered_by_one_frame_with_the_board_and_other_pages_get_theirs(at):
    host = await at.first()
    async with host.open() as page, host.open() as second:
        table, guest = await seated(at, page)
        async with guest.open() as other:
            await second.board(table, lambda board: board["with"])
            if not page.boards[table]["mine"]:
                await other.press(table, other.moves(table)[0])
                await page.board(table, lambda board: board["mine"])
                await second.board(table, lambda board: board["mine"])
            version = page.boards[table]["version"]
            answer = await page.press(table, page.moves(table)[0])
            assert answer["current"]["version"] > version
            for one in (second, other):
                told = await one.until(lambda m: m["kind"] in ("board", "answer"))
                assert (told["kind"], told["version"]) == ("board", answer["current"]["version"])
            # What comes next is no second copy of the board.
            assert (await page.ask("lobby"))["kind"] == "answer"
            assert "current" not in await page.ask("lobby")


async def test_a_table_that_is_opened_by_a_line_comes_with_its_answer(at):
    host = await at.first()
    async with host.open() as page:
        answer = await page.type("/play niya")
        assert answer["current"]["table"] == answer["open"]


@pytest.mark.slow
async def test_from_the_shelf_one_begins_a_game_against_the_easy_computer_at_once(at):
    host = await at.first()
    async with host.open() as page:
        for game in page.state["games"]:
            opened = await page.type(game["try"])
            assert opened["good"], (game["key"], opened["said"])
            table = await at.facade.services.tables.get(opened["open"])
            assert [player.level for player in table.players if player.person is None] == [1]
            mine = next(seat for seat, one in enumerate(table.players) if one.person is not None)
            assert mine in table.actors() or game["key"] == "parchis"  # there a draw decides
            assert table.hints


@pytest.mark.slow
async def test_the_picture_follows_the_theme(at):
    host = await at.first()
    async with host.open(theme="light") as page:
        table, _ = await seated(at, page)
        light = page.boards[table]["picture"]
        await page.ask("theme", theme="dark")
        dark = await page.board(table, lambda board: board["picture"] != light)
    async with host.open(theme="dark") as again:
        assert again.boards[table]["picture"] == dark["picture"]


async def test_a_table_opened_in_the_dark_is_painted_dark_from_the_first(at):
    host = await at.first()
    async with host.open(theme="dark") as page:
        table = (await page.type("/play niya computer"))["open"]
        board = await page.board(table, lambda board: board["picture"])
        _, data = await host.get(f"{host.path}/{board['picture']}")
    with Image.open(io.BytesIO(data)) as picture:
        assert picture.convert("RGB").getpixel((2, 2)) == ImageColor.getrgb(THEMES["dark"]["paper"])


@pytest.mark.slow
async def test_a_forgotten_picture_is_painted_again(at):
    host = await at.first()
    async with host.open() as page:
        table, _ = await seated(at, page)
        path = f"{host.path}/{page.boards[table]['picture']}"
    _, before = await host.get(path)
    at.facade.services.gallery._pictures.clear()
    assert await host.get(path) == (200, before)


async def test_a_typed_move_needs_no_slash_and_a_bad_one_is_explained(at):
    host = await at.first()
    async with host.open() as page:
        table, guest = await seated(at, page)
        async with guest.open() as other:
            mover = page if page.boards[table]["mine"] else other
            bad = await mover.type("zz9", table)
            assert not bad["good"]
            assert "zz9" in bad["said"]
            step = mover.moves(table)[0]["step"]
            good = await mover.type(step.lower(), table)
            assert good["good"], good
            await mover.board(table, lambda board: not board["mine"])


@pytest.mark.slow
async def test_what_is_typed_is_for_the_table_in_view(at):
    host = await at.first()
    async with host.open() as page:
        first = (await page.type("/play niya computer"))["open"]
        second = (await page.type("/play niya computer"))["open"]
        for table in (first, second):
            board = await page.board(table, lambda board: board["mine"])
            step = page.moves(table)[0]["step"]
            assert (await page.type(step, table))["good"]
            await page.board(table, lambda b, old=board: b["version"] > old["version"])


@pytest.mark.slow
async def test_a_finished_game_is_handed_over_as_a_film(at):
    host = await at.first()
    async with host.open() as page:
        table = (await page.type("/play niya computer"))["open"]
        assert not (await page.type("/replay", table))["good"]
        board = await page.board(table, lambda board: board["mine"])
        await page.type(page.moves(table)[0]["step"], table)
        await page.board(table, lambda b, old=board: b["version"] > old["version"])
        asked = await page.type("/resign", table)
        await page.press(table, asked["board"]["rows"][0][0])
        await page.board(table, lambda board: board["over"])
        film = await page.type("/replay", table)
        status, data = await host.get(f"{host.path}/{film['file']['href']}")
        assert status == 200
        assert data.startswith(b"GIF89a")
        assert film["file"]["name"].endswith(".gif")
        assert "seen" not in film, "the page plays it on its board"


@pytest.mark.slow
async def test_files_are_one_s_own_and_unknown_commands_are_refused(at):
    host = await at.first()
    async with host.open() as page:
        table, _ = await seated(at, page)
        record = await page.type("/record", table)
        status, data = await host.get(f"{host.path}/{record['file']['href']}")
        assert status == 200
        assert b"niya" in data
        other = (await page.type("/play niya"))["open"]
        hers = await at.guest(page, other, "Eva")
        assert (await hers.get(f"{hers.path}/{record['file']['href']}"))[0] == 404
        unknown = await page.type("/zumbar")
        assert not unknown["good"]
        assert "/ayuda" in unknown["said"]
        assert "/ajustes" in (await page.type("/ajustse"))["said"]


async def test_stale_foreign_and_forged_presses_change_nothing(at):
    host = await at.first()
    async with host.open() as page:
        table, guest = await seated(at, page)
        async with guest.open() as other:
            mover, watcher = (page, other) if page.boards[table]["mine"] else (other, page)
            stale = mover.moves(table)[0]
            foreign = await watcher.press(table, stale)
            assert foreign["said"].startswith("Ahora juega ")
            await mover.press(table, mover.moves(table)[1])
            await watcher.board(table, lambda board: board["mine"])
            version = watcher.boards[table]["version"]
            await watcher.press(table, watcher.moves(table)[0])
            await mover.board(table, lambda board: board["version"] > version)
            before = (await at.facade.services.tables.get(table)).version
            late = await mover.press(table, stale)
            assert not late["good"]
            assert "de antes" in late["said"]
            # A move of a page goes without a mac, and is one that is offered or none.
            own = mover.moves(table)[0]
            odd = own["code"].replace(own["step"], "Z9"), f"r.{table}.0..", f"x.{table}.0.."
            for code in ("", "m", stale["code"][:-1] + "?", "💥" * 16, "x" * 256, *odd):
                forged = await mover.press(table, {"code": code})
                assert not forged["good"], code
            assert (await at.facade.services.tables.get(table)).version == before


async def test_f3_what_is_sent_again_is_done_once(at):
    host = await at.first()
    once = str(uuid.uuid4())
    async with host.open() as page:
        table = (await page.type("/play niya computer"))["open"]
        await page.board(table, lambda board: board["mine"])
        button = page.moves(table)[0]
        # Sent, and the connection lost before the answer.
        await page.send("press", once, code=button["code"], message=table)
    async with host.open() as page:
        answers = [await page.press(table, button, once) for _ in range(5)]
        assert all(answer["good"] for answer in answers)
        # The board comes with the first answer alone.
        words = [{**answer, "current": None} for answer in answers]
        assert all(one == words[0] for one in words)
        await page.board(table, lambda board: board["mine"] or board["over"])
    told = await at.facade.services.tables.get(table)
    seat = next(n for n, player in enumerate(told.players) if player.person is not None)
    assert [entry.text for entry in told.log if entry.seat == seat] == [button["step"]]


async def test_f3_also_after_a_restart(tmp_path):
    once, line = str(uuid.uuid4()), "/play niya"
    async with server(tmp_path) as at:
        host = await at.first()
        async with host.open() as page:
            await page.ask("call", once, line=line)
            assert len(page.boards) == 1 or await page.until(lambda m: m["kind"] == "board")
    async with server(tmp_path) as again:
        host.server = again
        async with host.open() as page:
            await page.ask("call", once, line=line)
            assert len(page.state["boards"]) == 1
            person = (await again.facade.services.people.of((await guest_of(again, host)).asker)).id
            assert len(await again.facade.services.tables.list_lines(("open",), person=person)) == 1


async def test_the_last_moves_are_told_as_the_viewer_may_know_them(at):
    host = await at.first()
    async with host.open() as page:
        table = (await page.type("/play niya computer"))["open"]
        board = await page.board(table, lambda board: board["mine"])
        step = page.moves(table)[0]["step"]
        await page.press(table, page.moves(table)[0])
        board = await page.board(table, lambda b: b["version"] > board["version"] and b["mine"])
        told = board["told"]
        assert told[-1]["who"] == "El ordenador (nivel 2)"
        assert told[-1]["number"] == board["count"] - 1
        assert step not in [one["note"] for one in told]


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_word_of_the_page_is_kept_and_every_one_kept_is_said(code):
    folder = resources.files("bot.chats.web").joinpath("static")
    page = "".join(one.read_text() for one in folder.iterdir() if one.suffix in (".js", ".html"))
    kept = {key.removeprefix(WORDS) for key in language(code).templates if key.startswith(WORDS)}
    asked = {
        # ``term.words`` are the spellings of a term of the game.
        *re.findall(r"(?<!term\.)\bwords(?:\(\))?\.(\w+)", page),
        *re.findall(r'\bwords\["([\w-]+)"\]', page),
    }
    asked |= set(re.findall(r'data-(?:word|label|title)="([\w-]+)"', page))
    assert asked <= kept
    # Doors have words of their own, put together with the screen to which each leads.
    rest = {word: re.sub("^(door|want)-", "", word) for word in kept - asked}
    assert [word for word, last in rest.items() if f'"{last}"' not in page] == []


@pytest.mark.slow
async def test_the_row_of_tables_has_small_pictures_of_what_was_shown(at):
    host = await at.first()
    async with host.open() as page:
        table = (await page.type("/play niya opponent=computer side=red begins=red"))["open"]
        large = (await page.board(table, lambda board: board["picture"]))["picture"]
        small = large.replace("picture/", "thumb/")
        status, data = await host.get(f"{host.path}/{small}")
        assert status == 200
        assert int.from_bytes(data[16:20]) == 112
        assert len(data) < 10_000 < len((await host.get(f"{host.path}/{large}"))[1])
        other = await at.guest(page, (await page.type("/play niya"))["open"])
        assert (await other.get(f"{other.path}/{small}"))[0] == 404
        at.chat._pictures._scenes.clear()
        assert (await host.get(f"{host.path}/{small}"))[1] == data


@pytest.mark.slow
async def test_a_roll_that_is_over_is_told_with_the_die_as_it_fell(at):
    host = await at.first()
    async with host.open() as page:
        line = "/play parchis opponent=computer level=1 side=yellow"
        table = (await page.type(line))["open"]
        await page.board(table, lambda board: board["mine"])
        before = page.boards[table]["count"]
        answer = await page.press(table, page.moves(table)[0])
        board = answer.get("current") or await page.board(table, lambda one: one["count"] > before)
        said = [one["text"] for one in board["told"] if one["number"] >= before]
        eyes = next(text[-1] for text in said if text.startswith("sale un "))
        moved = [one for came in page.shown for one in came["motions"]]  # the computer's as well
        rolls = [one for one in moved if one.get("spins") and one["number"] >= before]
        assert rolls[0].get("face", "") in (f"parchis-die{eyes}", "")
        status, _ = await host.get(f"{host.path}/face/parchis-die{eyes}.png")
        assert status == 200
