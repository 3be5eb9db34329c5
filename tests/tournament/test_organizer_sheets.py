"""The organizer's sheets lead back, and an old one tells what is so no more, and of whom."""

from __future__ import annotations

import pytest

from bot.port import Card, MenuAnswer
from bot.presenters.button_codes import Action, Click, encode_click
from bot.presenters.tournament.tools import TournamentTools
from bot.presenters.tournament.tournament import TournamentScreens
from tests.bot.test_ways_on import labels
from tests.fakes import Message, person
from tests.tournament.evening import entered, opened
from tests.tournament.test_bad_days import begun
from tests.tournament.test_own_screens import home_of, opened_in_private, shown

KEY = b"k" * 32


async def test_every_sheet_leads_back_and_every_question_takes_a_no(at, clock):
    evening = await begun(at, clock, ("format", "robin"))
    now = await evening.now()
    tools = TournamentTools(TournamentScreens("en", KEY, now, {}))
    (_, _, game), *_ = now.games()
    for sheet in (
        tools.tools(),
        tools.whom_to_remove(),
        tools.games_to_fix(),
        tools.results(game),
        tools._places(game, "1"),
    ):
        assert labels(sheet)[-1] == "Back"
    for asked in (
        tools.sure("tournament.sure.end", "end"),
        tools.sure("tournament.sure.remove", "out", "1", name="P1"),
    ):
        assert labels(asked) == ["Yes", "No"]


@pytest.mark.parametrize("path", ["tools", "out", "end"])
async def test_the_way_back_of_a_sheet_is_pressed_to_the_tournament(at, clock, path):
    evening = await entered(await opened(at, clock, ("format", "robin")), 3)
    sheet = await evening.press(evening.manager, path)
    assert isinstance(sheet, MenuAnswer)
    for _ in range(3):
        if "Empezar ya" in labels(sheet.screen) and "Organización" in labels(sheet.screen):
            return
        back = sheet.screen.rows[-1][-1]
        assert back.label in ("Volver", "No")
        sheet = await at.press(
            evening.manager,
            Message("card", at.where, sheet.screen, None, card=True),
            code=back.code,
        )
    pytest.fail(f"{path} leads nowhere")


async def test_the_start_stands_on_the_sheet_that_covers_it(at, clock):
    evening = await entered(await opened(at, clock, ("format", "robin")), 3)
    sheet = await evening.press(evening.manager, "tools")
    assert "Empezar ya" in labels(sheet.screen)


@pytest.mark.parametrize("sure", [(), ("yes",)])
@pytest.mark.parametrize("left", [False, True])
async def test_an_old_sheet_removes_nobody_else_and_names_who_is_gone(at, clock, sure, left):
    evening = await entered(await opened(at, clock, ("format", "robin")), 4)
    sheet = await evening.press(evening.manager, "out")
    button = next(one for row in sheet.screen.rows for one in row if one.label == "P2")
    click = at.facade.boards.buttons.click(button.code)
    gone = evening.people[1]
    if left:
        await evening.press(gone, "leave")
    else:
        await evening.press(evening.manager, *click.path, "yes")
    again = await evening.press(evening.manager, *click.path, *sure)
    assert again.said == "P2 ya no está en este torneo."
    assert not again.good
    assert [one for one in labels(again.screen) if one.startswith("P")] == ["P1", "P3", "P4"]
    assert len((await evening.now()).present) == 3


async def test_a_sheet_in_private_shows_the_first_games_as_soon_as_they_stand(at, clock):
    evening = await opened_in_private(at, clock)
    home = at.where
    for n in range(3):
        who = person(f"P{n}")
        evening.people.append(who)
        await at.call(who, "tournament", home_of(who), code=evening.code)
        await at.press(who, shown(at, home_of(who), evening.code), "Apuntarme")
    mine = shown(at, home, evening.code)
    card = at.card(await at.press(evening.manager, mine, "Organización"), home)
    assert isinstance(card, Message)
    started = await at.press(evening.manager, card, "Empezar ya")
    assert started.good
    await evening.look()
    told = shown(at, home, evening.code)
    assert "Ronda 1 de 3:" in told.screen.lines
    assert not isinstance(started, Card | MenuAnswer)


async def test_who_may_open_none_in_a_group_opens_one_in_private_and_lets_the_group_in(at, clock):
    group, luz = at.where, person("Luz")
    refused = at.card(await at.call(luz, "tournament"))
    assert "En privado abres tú uno con /torneo" in "\n".join(refused.screen.lines)
    at.where = home_of(luz)
    evening = await opened(at, clock, ("format", "robin"))
    assert evening.code in shown(at, at.where, evening.code).screen.headline
    await at.call(person("Ana"), "tournament", group, code=evening.code)
    there = shown(at, group, evening.code)
    listed = at.card(await at.call(person("Eva"), "tournament", group))
    assert any(evening.code in label for label in labels(listed.screen))
    assert (await at.press(person("Ana"), there, "Apuntarme")).good
    assert len((await evening.now()).present) == 1


async def test_who_has_entered_is_not_told_what_happens_if_they_enter(at, clock):
    evening = await entered(await opened(at, clock, ("format", "robin")), 1)
    (mine,) = evening.people
    for who, is_told in ((mine, False), (person("Luz"), True)):
        screen = (await evening.press(who, "more")).screen
        assert any("Si te apuntas" in line for line in screen.lines) == is_told
    assert any("Si te apuntas" in line for line in evening.message.screen.lines)


async def test_a_tournament_is_called_by_its_game_and_its_sheet_speaks_of_a_tournament(at, clock):
    evening = await opened(at, clock, ("format", "robin"))
    card = at.card(await at.call(evening.manager, "tournament"))
    new = next(one for one in labels(card.screen) if "Nuevo" in one)
    sheet = at.card(await at.press(evening.manager, card, new))
    code = at.facade.boards.buttons.click(sheet.screen.rows[0][0].code)
    click = Click(Action.TOURNAMENT, "0000", code.turn, ("game", "niya"))
    theirs = await at.press(person("Luz"), sheet, code=encode_click(click, evening.services.key))
    assert theirs.said.startswith("Este torneo lo está preparando otra persona: ")
    assert "/torneo" not in theirs.said, "it might refuse them"
    sheet = at.card(
        await at.press(evening.manager, sheet, code=encode_click(click, evening.services.key))
    )
    told = await at.press(evening.manager, sheet, "Abrir el torneo")
    assert told.said == "El torneo de Niya está abierto: la gente se apunta en su mensaje."


async def test_whoever_opens_a_tournament_in_private_enters_by_a_key(at):
    luz = person("Luz")
    at.where = home_of(luz)
    listed = at.card(await at.call(luz, "tournament"))
    sheet = at.card(await at.press(luz, listed, labels(listed.screen)[0]))
    code = at.facade.boards.buttons.click(sheet.screen.rows[0][0].code)
    click = Click(Action.TOURNAMENT, "0000", code.turn, ("game", "niya"))
    pressed = encode_click(click, at.facade.services.key)
    sheet = at.card(await at.press(luz, sheet, code=pressed))
    told = await at.press(luz, sheet, "Abrir el torneo")
    assert told.said == "El torneo de Niya está abierto: la gente se apunta en su mensaje."
    assert "Apuntarme" in labels(told.screen)
