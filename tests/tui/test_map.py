"""The map on its screen: topics, cards, pages, questions; made first, missing, broken."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

from filelock import FileLock
from textual.app import App, ComposeResult
from textual.widgets import Input, Static

from tests.tui.stage import playing, ready, settings, until
from tutor.index.store import read_manifest
from tutor.map.files import make_map
from tutor.map.model import Place
from tutor.model import CleanText, Route, SourceId
from tutor.presentation.topics import Line, MapTopic, TopicSummary
from tutor.study.making import course_cards
from tutor.study.schedule import Grade, Scheduler
from tutor.study.store import FILE_NAME, StudyStore
from tutor.tui.screens.map import MapScreen, TopicCard, TopicTree
from tutor.tui.screens.passage import PassageScreen
from tutor.tui.screens.study import StudyScreen
from tutor.tui.widgets.page_text import PageText
from tutor.tui.widgets.question_box import QuestionBox
from tutor.tui.widgets.turn import TurnView
from tutor.tui.workspace.mapping import Mapping
from tutor.tui.workspace.workspace import open_workspace

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from tests.course import Workspace
    from tutor.tui.app import TutorApp

OF_TREES = "entropía · ganancia de información"
ENTROPY = "La entropía de un conjunto es la cantidad media de información"


async def opened(pilot: Pilot[None], app: TutorApp) -> MapScreen:
    """The screen, with or without a map."""
    await ready(pilot)
    await pilot.press("f10")
    await until(pilot, lambda: isinstance(app.screen, MapScreen))
    assert isinstance(app.screen, MapScreen)
    return app.screen


async def shown(pilot: Pilot[None], app: TutorApp) -> MapScreen:
    """The screen with its first card."""
    screen = await opened(pilot, app)
    await until(pilot, lambda: card(screen))
    return screen


def heading(screen: MapScreen) -> str:
    return str(screen.query_one("#heading", Static).render())


def labels(screen: MapScreen) -> list[str]:
    """The lines of the tree that are in sight."""
    tree = screen.query_one(TopicTree)
    lines = (tree.get_node_at_line(n) for n in range(tree.last_line + 1))
    return [str(node.label) for node in lines if node]


def card(screen: MapScreen) -> str:
    return "\n".join(str(one.prompt) for one in screen.query_one(TopicCard).options)


async def look_for(pilot: Pilot[None], screen: MapScreen, words: str) -> None:
    """Type words from wherever the focus is, and wait for the first concept's card."""
    await pilot.press(*words)
    await until(pilot, lambda: "found" in heading(screen))
    await until(pilot, lambda: labels(screen) and card(screen).startswith(labels(screen)[0]))


async def page(pilot: Pilot[None], app: TutorApp) -> PassageScreen:
    """The page that was opened, with its words."""
    await until(pilot, lambda: isinstance(app.screen, PassageScreen))
    screen = app.screen
    assert isinstance(screen, PassageScreen)
    await until(pilot, lambda: screen.query_one(PageText).quote)
    return screen


async def test_topics_lead_to_cards_and_these_to_pages(mapped: Workspace) -> None:
    async with playing(mapped, size=(80, 24)) as (app, pilot):
        screen = await shown(pilot, app)
        assert "12 concepts" in heading(screen)
        assert "by topic" in heading(screen)
        assert OF_TREES in labels(screen)
        assert labels(screen)[-1] == "Other concepts"

        screen.query_one(TopicTree).move_cursor(screen.query_one(TopicTree).root.children[0])
        await pilot.press("right")  # opens it
        assert "entropía" in labels(screen)
        await pilot.press("down", "right", "down")  # to a concept, its card, its second line
        told = card(screen)
        assert "concept" in told
        assert f"«Definición (Entropía). {ENTROPY}" in told
        assert "Weeks: 3, 7" in told
        assert "Is needed for" in told
        assert " · nearly always together" in told, told
        assert "Where it is treated" in told

        await pilot.press("up", "enter")
        passage = await page(pilot, app)
        assert ENTROPY in " ".join(passage.citation.quote.split())
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is screen)

        await pilot.press("left", "left")  # to the tree, then to the topic above
        await until(pilot, lambda: card(screen).startswith(OF_TREES))
        await pilot.press("left")
        assert "entropía" not in labels(screen)
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.chat)


async def test_what_is_typed_finds_concepts_and_a_card_leads_to_others(mapped: Workspace) -> None:
    async with playing(mapped, size=(80, 24)) as (app, pilot):
        screen = await shown(pilot, app)
        await look_for(pilot, screen, "heuristica")
        assert labels(screen) == ["heurística admisible", "función heurística"]
        assert "Also: admissible heuristic" in card(screen)

        screen.query_one(TopicCard).focus()
        await pilot.press("down", "right")
        await until(pilot, lambda: card(screen).startswith("función heurística"))
        assert screen.query_one(Input).value == "función heurística"

        await pilot.press("escape")  # the tree again, where that concept stands
        await until(pilot, lambda: "by topic" in heading(screen))
        tree = screen.query_one(TopicTree)
        await until(pilot, lambda: tree.current and tree.current.title == "función heurística")
        assert screen.focused is tree

        await pilot.press(*"qwertz")
        await until(pilot, lambda: "No concept is called so." in card(screen))
        await pilot.press("ctrl+r", "f9")  # there is nothing to ask about
        assert app.screen is screen


async def test_the_course_in_its_order_has_documents_and_sections(mapped: Workspace) -> None:
    async with playing(mapped, size=(80, 24)) as (app, pilot):
        screen = await shown(pilot, app)
        await pilot.press("ctrl+o")
        await until(pilot, lambda: "in the order of the course" in heading(screen))
        await until(pilot, lambda: card(screen).startswith("Week 2"))
        assert labels(screen)[:4] == ["Week 2", "Búsqueda", "Week 3", "Más árboles"]

        await pilot.press("enter")  # a week has no page
        assert labels(screen)[:2] == ["Week 2", "Week 3"]
        await pilot.press("down", "down", "right", "down")
        await until(pilot, lambda: card(screen).startswith("2.1 Ganancia de información"))
        assert "entropía · 2 times" in card(screen)
        await pilot.press("enter")
        assert (await page(pilot, app)).citation.quote.startswith("2.1 Ganancia de información")
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is screen)
        await pilot.press("up")
        await until(pilot, lambda: "03_SEMANA_AI_20250818_1.pdf" in card(screen))
        await pilot.press("enter")
        assert (await page(pilot, app)).citation.first_page == 1


async def test_a_concept_is_asked_about_and_practised(mapped: Workspace) -> None:
    async with playing(mapped, size=(80, 24)) as (app, pilot):
        screen = await shown(pilot, app)
        await look_for(pilot, screen, "entrop")
        await pilot.press("ctrl+r")
        await until(pilot, lambda: app.chat.query(TurnView))
        turn = app.chat.query(TurnView).last()
        assert turn.question == "What is entropía?"
        await until(pilot, lambda: turn.is_over)
        assert turn.answer
        assert ENTROPY in turn.answer.text

        screen = await shown(pilot, app)
        await look_for(pilot, screen, "entrop")
        await pilot.press("f9")
        await until(pilot, lambda: isinstance(app.screen, StudyScreen))
        question = app.screen.query_one("#question", Static)
        await until(pilot, lambda: "ntropía" in str(question.render()))


async def test_the_word_alone_opens_it_and_with_a_question_asks_it(mapped: Workspace) -> None:
    async with playing(mapped, size=(80, 24)) as (app, pilot):
        box = app.chat.query_one(QuestionBox)
        box.text = "/mapa"
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, MapScreen))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.chat)

        box.text = "/map ¿Qué debo saber antes de ganancia de información?"
        await pilot.press("enter")
        await until(pilot, lambda: app.chat.query(TurnView))
        turn = app.chat.query(TurnView).last()
        await until(pilot, lambda: turn.is_over)
        about = str(turn.query_one(".about", Static).render())
        assert about == "From the map of the course: what comes before it."
        assert turn.route is Route.MAP
        assert "map of the course" in str(turn.state_line.render())
        assert "index" not in str(turn.state_line.render())


async def fails(course: Workspace, told: str) -> None:
    """The screen says so, nothing on it does anything, and it can be left."""
    async with playing(course) as (app, pilot):
        screen = await opened(pilot, app)
        await until(pilot, lambda: told in card(screen))
        await pilot.press("x", "ctrl+o", "ctrl+r", "f9", "down", "enter")
        assert app.screen is screen
        assert labels(screen) == []
        await pilot.press("escape", "escape")
        await until(pilot, lambda: app.screen is app.chat)


async def test_a_map_that_cannot_be_made_says_why(indexed: Workspace) -> None:
    for file in indexed.store.glob("map*"):
        file.unlink()
    (indexed.store / "map.lock").mkdir()
    await fails(indexed, "cannot be written")


async def test_the_map_is_as_wide_as_the_screen(fresh: Workspace) -> None:
    async with playing(fresh, size=(124, 34)) as (app, pilot):
        screen = await opened(pilot, app)
        assert screen.query_one(TopicCard).region.right == 124


async def test_a_course_without_an_index_has_no_map(fresh: Workspace) -> None:
    fresh.store.mkdir(parents=True)
    with FileLock(fresh.store / "writer.lock"):
        await fails(fresh, "There is no index yet.")


async def test_a_map_is_made_first_and_nobody_has_to_wait(mapped: Workspace) -> None:
    for file in mapped.store.glob("map-*"):
        file.write_bytes(b"damaged")

    async with playing(mapped, size=(80, 24)) as (app, pilot):
        with FileLock(mapped.store / "map.lock"):  # another app makes it
            screen = await opened(pilot, app)
            await until(pilot, lambda: "Opening the map" in heading(screen))
            await pilot.press("ctrl+o", "a", "escape", "escape")
            await until(pilot, lambda: app.screen is app.chat)
        screen = await shown(pilot, app)
        assert OF_TREES in labels(screen)


def test_two_apps_make_one_map(mapped: Workspace) -> None:
    for file in mapped.store.glob("map-*"):
        file.unlink()
    both = [open_workspace(settings(mapped)) for _app in range(2)]
    mappings, made = [Mapping(), Mapping()], []

    def concepts(place: int) -> int:
        return mappings[place].open(both[place], lambda: made.append(place))

    with ThreadPoolExecutor() as threads:
        assert list(threads.map(concepts, range(2))) == [12, 12]
    assert len(made) == 1
    assert mappings[0].topics("", by_week=False) == mappings[1].topics("", by_week=False)
    for mapping, workspace in zip(mappings, both, strict=True):
        mapping.close()
        workspace.close()


async def test_a_course_without_concepts_shows_its_documents(indexed: Workspace) -> None:
    manifest = read_manifest(indexed.store)
    assert manifest
    for file in indexed.store.glob("map-*"):
        file.unlink()
    make_map(indexed.store, manifest, lambda source: CleanText(source, "", (0,)))

    async with playing(indexed, size=(80, 24)) as (app, pilot):
        screen = await shown(pilot, app)
        assert "0 concepts" in heading(screen)
        assert labels(screen)[:2] == ["Week 7", "Árboles"]
        await pilot.press("ctrl+o")
        await until(pilot, lambda: not labels(screen))
        await pilot.press("ctrl+o")
        await until(pilot, lambda: labels(screen))


def test_cards_that_were_asked_are_counted_by_topic(mapped: Workspace) -> None:
    workspace = open_workspace(settings(mapped))
    with workspace.using() as held:
        store = held.store
        made = course_cards((one, store.text(one.id)) for one in store.sources.values())
    mapping = Mapping()
    mapping.open(workspace, lambda: None)
    assert not any(topic.coverage.cards for topic in mapping.topics("", by_week=True))
    mapping.close()

    with StudyStore(workspace.config.stores_path / FILE_NAME) as study:
        study.merge("default", made)
        of_entropy = [
            saved
            for saved in study.cards("default")
            if saved.card.origin and ENTROPY in saved.card.origin.text
        ]
        for saved in of_entropy:
            study.grade(saved.number, Grade.EASY, Scheduler(0.9))

    mapping = Mapping()
    mapping.open(workspace, lambda: None)
    weeks = {topic.title: topic.coverage for topic in mapping.topics("", by_week=True)}
    assert weeks["Week 3"].known == len(of_entropy) > 0
    assert weeks["Week 3"].cards > weeks["Week 3"].known
    assert weeks["Week 2"].known == 0 < weeks["Week 2"].cards
    [section] = mapping.topics("", by_week=True)[1].parts[0].parts
    assert section.title == "2.1 Ganancia de información"
    assert section.practice == "Quiz me on Ganancia de información"
    assert section.coverage.known == 0 < section.coverage.cards
    entropy = mapping.topics("entropía", by_week=False)[0]
    assert entropy.coverage.known == entropy.coverage.cards > 0
    [community] = [topic for topic in mapping.topics("", by_week=False) if entropy in topic.parts]
    assert community.coverage.cards > entropy.coverage.cards
    card = mapping.card(entropy)
    n, known = entropy.coverage.cards, entropy.coverage.known
    cards = "1 card" if n == 1 else f"{n} cards"
    assert f"{cards}; you know {known}" in card.facts
    mapping.close()
    workspace.close()


EVIL = "[red]uno[/red] \x1b[31mdos\u202e [link=file:///etc]tres[/link]"
PLAIN = "[red]uno[/red] [31mdos [link=file:///etc]tres[/link]"


async def test_what_a_pdf_says_is_only_text() -> None:
    class Shown(App[None]):
        def compose(self) -> ComposeResult:
            yield TopicTree()
            yield TopicCard()

    app = Shown()
    async with app.run_test() as pilot:
        place = Place(SourceId("a"), 1, 0, 3)
        topic = MapTopic(EVIL, place)
        tree, card = app.query_one(TopicTree), app.query_one(TopicCard)
        tree.show([topic, replace(topic, title="otro")], replace(topic, title="otro"))
        line = Line(place, EVIL, EVIL, EVIL, EVIL)
        card.show(TopicSummary(topic, (EVIL,), (line,)))
        await pilot.pause()
        assert tree.current
        assert tree.current.title == "otro"
        assert str(tree.root.children[0].label) == PLAIN
        told = "\n".join(str(one.prompt) for one in card.options)
        assert told.count(PLAIN) == 6
        assert "\x1b" not in told
        assert "\u202e" not in told
