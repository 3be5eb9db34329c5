"""A tournament on the page: set up, entered, begun and played by the buttons of its cards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bot.presenters.button_codes import Click
from tests.chats.pages import Page, server


def buttons(card: dict[str, Any]) -> dict[str, str]:
    """The codes of *card* by their labels, those of its choices too."""
    found = {one["label"]: one["code"] for row in card["rows"] for one in row}
    for choice in card["choices"]:
        found |= {one["label"]: one["code"] for one in choice["options"]}
    return found


async def pressed(page: Page, card: dict[str, Any], label: str) -> dict[str, Any]:
    """The card that follows a press on the button *label* of *card*."""
    code = next(code for said, code in buttons(card).items() if said.startswith(label))
    answer = await page.ask("press", code=code, message="")
    assert answer["good"], answer
    return answer["card"] or answer


async def test_a_tournament_is_set_up_and_entered_on_the_page(tmp_path: Path):
    async with server(tmp_path) as at:
        host = await at.first("Nerea")
        async with host.open() as page:
            card = (await page.type("/torneo"))["card"]
            card = await pressed(page, card, "Torneo de Niya")
            card = await pressed(page, card, "Abrir el torneo")
            click: Click | None = at.facade.boards.buttons.click(buttons(card)["Apuntarme"])
            assert click is not None
            assert "Todavía no se ha apuntado nadie" in " ".join(card["lines"])
            card = await pressed(page, card, "Apuntarme")
            assert "Nerea" in card["lines"]
            assert card["picture"]
            words = await page.type(f"/torneo {click.table}")
            assert "Nerea" in words["card"]["lines"]
            card = await pressed(page, card, "Dejar el torneo")
            assert "Nerea" not in card["lines"]


async def test_the_people_of_a_page_are_those_of_one_house(tmp_path: Path):
    """A tournament opened on the page takes in who else is there, and offers what each may do."""
    async with server(tmp_path) as at:
        host = await at.first("Nerea")
        async with host.open() as page:
            card = (await page.type("/torneo"))["card"]
            card = await pressed(page, card, "Torneo de Niya")
            card = await pressed(page, card, "Abrir el torneo")
            assert {"Apuntarme", "Empezar ya"} <= buttons(card).keys()
            assert "Dejar el torneo" not in buttons(card)
            table = (await page.type("/play niya"))["open"]
            guest = await at.guest(page, table)
            async with guest.open() as other:
                listed = (await other.type("/torneo"))["card"]
                assert "Apuntarme" in buttons(listed)
                assert "Empezar ya" not in buttons(listed)
                entered = await pressed(other, listed, "Apuntarme")
                assert "Bruno" in entered["lines"]
                assert "Apuntarme" not in buttons(entered)
                assert "Dejar el torneo" in buttons(entered)
                assert "Apuntarme" not in buttons((await other.type("/torneo"))["card"])
