"""A file comes from the page in parts, and the game in it is shown."""

from __future__ import annotations

import base64

import pytest

from bot.chats.web.reading import PART, ClientFrame
from bot.chats.web.sent_files import LONGEST, SentFiles
from bot.port import ChatError, FileTooLarge, Upload
from games.core.record import LONGEST_RECORD
from tests.chats.test_opened_in_chats import CASES, NAMES, SAID


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("name", "data", "told"), CASES, ids=NAMES)
async def test_on_the_page_a_file_comes_in_parts_and_is_opened(at, name, data, told):
    host = await at.first()
    async with host.open() as page:
        parts = [data[at : at + 9000] for at in range(0, min(len(data), 30 * 9000), 9000)]
        for number, part in enumerate(parts, 1):
            sent = base64.b64encode(part).decode()
            rest = str(len(parts) - number)
            answer = await page.ask("file", code=name, data=sent, at=rest)
            assert answer["good"] or number == len(parts), answer
        shown = str(answer)
        assert SAID["es"][told] in shown, shown[:400]


def test_what_a_page_sends_is_fetched_once_and_no_more_of_it_than_is_wanted():
    def frame(data: str, rest: int) -> ClientFrame:
        number = "00000000-0000-0000-0000-000000000000"
        return ClientFrame(kind="file", id=number, code="f", data=data, at=str(rest))

    files = SentFiles()
    assert files.take("g", frame("YWJj", 1)) is None
    assert files.fetch(files.take("other", frame("YQ==", 0)), 1) == b"a", (
        "each has files of its own"
    )
    upload = files.take("g", frame("ZGVm", 0))
    assert isinstance(upload, Upload)
    with pytest.raises(FileTooLarge):
        files.fetch(upload, 5)
    with pytest.raises(ChatError):
        files.fetch(upload, 10)
    assert files.fetch(files.take("g", frame("ZGVm", 0)), 10) == b"def"
    with pytest.raises(ChatError):
        files.fetch(files.take("g", frame("no base64!", 0)), 10)
    part = "A" * PART
    for _ in range(LONGEST // PART):
        assert files.take("g", frame(part, 99)) is None
    endless = files.take("g", frame(part, 99))
    with pytest.raises(FileTooLarge):
        files.fetch(endless, LONGEST_RECORD)
