"""The page behind a citation, as text and as a picture; and texts of any length."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from filelock import FileLock
from PIL import Image
from textual.app import App

from tests.course import FILES
from tests.passages import make_hit
from tests.stores import LOCAL, apply, make_changes, make_chunks
from tests.tui.stage import playing, until
from tutor.index.store.reader import StoreReader
from tutor.model import ChunkId, Citation, CleanText, SourceId, Strategy, source_id
from tutor.tui.screens.passage import PassageScreen
from tutor.tui.screens.whole_text import WholeTextScreen
from tutor.tui.widgets.page_image import PageImage, Protocol, cut, image_class, protocol_of
from tutor.tui.widgets.page_text import PageText

if TYPE_CHECKING:
    from textual.pilot import Pilot
    from textual.strip import Strip

    from tests.course import Workspace
    from tutor.tui.app import TutorApp


NARROW, WIDE = (80, 24), (160, 50)
NETS = "09_SEMANA_AI_20250929_1.pdf"
TREES = "07_SEMANA_AI_20250915_1.pdf"
LONG = "10_SEMANA_AI_20251006_1.pdf"
LEARNING = "El aprendizaje consiste en ajustar los pesos con descenso de gradiente."


def cited(store: StoreReader, path: str, words: str) -> Citation:
    """A citation of these words, on whichever page they are."""
    source = store.sources[SourceId(source_id(path))]
    text = store.text(source.id)
    start = text.text.index(words)
    end = start + len(words)
    hit = make_hit(text.text[start:end], start=start)
    chunk = replace(hit.chunk, id=ChunkId("of an index that is gone"))
    return Citation(
        start=0,
        end=1,
        hit=replace(hit, chunk=chunk, source=source),
        quote_start=0,
        quote_end=len(words),
        first_page=text.page_at(start),
        last_page=text.page_at(end),
        support=1.0,
    )


def changed(citation: Citation, **of_source: str) -> Citation:
    """The same citation, of another state of its document."""
    source = replace(citation.source, **of_source)  # pyrefly: ignore[bad-argument-type]
    return replace(citation, hit=replace(citation.hit, source=source))


def requoted(citation: Citation, **of_chunk: object) -> Citation:
    """The same citation, of a passage that was different."""
    chunk = replace(citation.hit.chunk, **of_chunk)  # pyrefly: ignore[bad-argument-type]
    hit = replace(citation.hit, chunk=chunk)
    return replace(citation, hit=hit, quote_end=len(chunk.text))


async def shown(app: TutorApp, pilot: Pilot[None], *citations: Citation) -> PassageScreen:
    screen = PassageScreen(citations[0], citations)
    app.push_screen(screen)
    await until(pilot, lambda: screen.is_mounted and visible(screen).strip())
    return screen


def drawn(screen: PassageScreen | WholeTextScreen) -> list[Strip]:
    text = screen.query_one(PageText).region
    rows = screen._compositor.render_strips()[text.y : text.bottom]
    return [row.crop(text.x, text.right) for row in rows]


def visible(screen: PassageScreen | WholeTextScreen) -> str:
    return "\n".join(row.text.rstrip() for row in drawn(screen))


def heading(screen: PassageScreen | WholeTextScreen) -> str:
    return str(screen.query_one("#heading").render())


def store_of(app: TutorApp) -> StoreReader:
    assert app.workspace.opened
    return app.workspace.opened.store


def folded(text: str) -> str:
    return " ".join(text.replace("▌", " ").replace("│", " ").split())


def set_off(screen: PassageScreen | WholeTextScreen) -> str:
    """What is drawn in the style of a quote."""
    ground = screen.query_one(PageText).rich_style.bgcolor
    pieces = (piece for row in drawn(screen) for piece in row)
    words = [
        piece.text
        for piece in pieces
        if piece.style and piece.style.bold and piece.style.bgcolor != ground
    ]
    return " ".join(" ".join(words).split())


async def test_the_words_are_set_off_and_in_sight(indexed: Workspace) -> None:
    async with playing(indexed, size=NARROW) as (app, pilot):
        citation = cited(store_of(app), NETS, LEARNING)
        screen = await shown(app, pilot, citation)
        assert set_off(screen) == " ".join(citation.quote.split())
        assert "▌" in visible(screen)
        for known in ("Redes neuronales", NETS, "week 9", "2025-09-29", "page 1 of 1"):
            assert known in heading(screen)
        await pilot.press("c")
        await until(pilot, lambda: app.clipboard == " ".join(citation.quote.split()))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.chat)


async def test_wide_screens_show_the_picture_beside_the_text(indexed: Workspace) -> None:
    async with playing(indexed, size=WIDE) as (app, pilot):
        screen = await shown(app, pilot, cited(store_of(app), NETS, LEARNING))
        image = screen.query_one(PageImage)
        await until(pilot, lambda: image.picture)
        assert image.region.x >= screen.query_one(PageText).region.right
        assert image.picture
        colours = image.picture.getcolors(1 << 24) or []
        felt_pen = {colour: count for count, colour in colours}[255, 214, 0]
        assert felt_pen > 500
        await pilot.press("i")
        assert not image.region.area


async def test_a_shape_of_the_page_never_takes_the_place_of_its_text(indexed: Workspace) -> None:
    async with playing(indexed, size=NARROW) as (app, pilot):
        screen = await shown(app, pilot, cited(store_of(app), NETS, LEARNING))
        image, text = screen.query_one(PageImage), screen.query_one(PageText)
        assert not image.region.area
        await pilot.press("i")
        await until(pilot, lambda: image.picture)
        assert "▌" in visible(screen)
        assert text.region.width > 2 * image.region.width - 2
        assert text.region.right == image.region.x
        assert not screen.check_action("zoom", ())  # no letter can be read there


@pytest.fixture
def draws_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal that shows real pictures."""
    for name in ("TMUX", "SSH_CONNECTION", "SSH_TTY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-kitty")


@pytest.mark.usefixtures("draws_pictures")
async def test_a_readable_picture_takes_the_place_of_the_text_where_both_have_no_room(
    indexed: Workspace,
) -> None:
    async with playing(indexed, size=NARROW) as (app, pilot):
        screen = await shown(app, pilot, cited(store_of(app), NETS, LEARNING))
        image = screen.query_one(PageImage)
        assert not image.region.area
        assert not screen.check_action("zoom", ())
        await pilot.press("i")
        await until(pilot, lambda: image.picture)
        assert screen.check_action("zoom", ())
        assert not screen.query_one(PageText).region.area
        large = image.picture
        assert large
        await pilot.press("z")
        await until(pilot, lambda: image.picture is not large)
        assert image.picture
        assert image.picture.width < large.width
        await pilot.press("i")
        await until(pilot, lambda: "▌" in visible(screen))
        await pilot.resize_terminal(*WIDE)
        await until(pilot, lambda: screen.query_one(PageText).size.width > 100)  # `i` has said no


def three_pages(folder: Path) -> StoreReader:
    """An index of two documents with three pages each, and two passages on a page."""
    changes = make_changes({LONG: 6, TREES: 6})
    texts = {
        source: CleanText(
            source,
            "".join(chunk.text.ljust(100) for chunk in make_chunks(path, 6, Strategy.FIXED)),
            (0, 200, 400),
        )
        for path in (LONG, TREES)
        for source in [source_id(path)]
    }
    manifest = apply(folder, None, replace(changes, texts=texts))
    return StoreReader(folder, manifest, LOCAL)


async def test_pages_and_citations_are_a_key_away(indexed: Workspace, tmp_path: Path) -> None:
    async with playing(indexed, size=NARROW) as (app, pilot):
        assert app.workspace.opened
        with three_pages(tmp_path / "store") as store:
            app.workspace.opened = replace(app.workspace.opened, store=store)
            third = cited(store, LONG, f"Fragmento 2 de {LONG}.")
            tree = cited(store, TREES, f"Fragmento 5 de {TREES}.")
            screen = await shown(app, pilot, third, tree, third)
            assert "page 2 of 3 · citation 1 of 2" in heading(screen)
            assert folded(visible(screen)).startswith(third.quote + " Fragmento 3")
            await pilot.press("right")
            await until(pilot, lambda: "page 3 of 3" in heading(screen))
            await until(pilot, lambda: "Fragmento 4" in visible(screen))
            await until(pilot, lambda: not set_off(screen))
            await pilot.press("right", "left", "left", "pageup", "left")
            await until(pilot, lambda: "page 1 of 3 · citation 1 of 2" in heading(screen))
            await pilot.press("pagedown")
            await until(pilot, lambda: "page 2 of 3 · citation 1 of 2" in heading(screen))
            await until(pilot, lambda: set_off(screen) == third.quote)
            await pilot.press("n")
            await until(pilot, lambda: set_off(screen) == tree.quote)
            assert "page 3 of 3 · citation 2 of 2" in heading(screen)
            await pilot.press("p")
            await until(pilot, lambda: set_off(screen) == third.quote)


async def test_what_has_changed_since_is_not_highlighted(indexed: Workspace) -> None:
    async with playing(indexed, size=WIDE) as (app, pilot):
        good = cited(store_of(app), NETS, LEARNING)
        gone = changed(good, id="0" * 16)
        screen = await shown(app, pilot, gone)
        assert "no longer in the index" in str(screen.query_one("#warning").render())
        assert folded(visible(screen)) == folded(good.quote)
        await pilot.press("escape")
        other = changed(good, sha256="0" * 64)
        rewritten = requoted(other, text="Esto ya no lo dice nadie.")
        screen = await shown(app, pilot, rewritten)
        assert "these words are gone" in str(screen.query_one("#warning").render())
        assert folded(visible(screen)) == rewritten.quote
        await pilot.press("escape")
        moved = requoted(other, start=0)
        screen = await shown(app, pilot, moved)
        assert "still stand here" in str(screen.query_one("#warning").render())
        assert set_off(screen) == folded(good.quote)


async def test_without_an_index_the_quote_is_there(fresh: Workspace) -> None:
    fresh.store.mkdir(parents=True)
    with FileLock(fresh.store / "writer.lock"):  # the app makes none meanwhile
        async with playing(fresh, size=NARROW) as (app, pilot):
            quote = "Lo [red]citado[/]\x1b]0;x\x07 entonces."
            hit = make_hit(quote, title="[bold]Título[/]\x1b[31m")
            citation = Citation(0, 1, hit, 0, len(quote), 3, 3, 1.0)
            screen = await shown(app, pilot, citation)
            assert "Lo [red]citado[/]]0;x entonces." in visible(screen)
            assert "[bold]Título[/]" in heading(screen)
            assert "p. 3" in heading(screen)
            await pilot.press("right", "n", "i")
            assert "\x1b" not in heading(screen)


async def test_a_file_that_is_gone_has_no_picture_but_its_text(indexed: Workspace) -> None:
    async with playing(indexed, size=WIDE) as (app, pilot):
        (indexed.notes / NETS).unlink()
        screen = await shown(app, pilot, cited(store_of(app), NETS, LEARNING))
        said = screen.query_one(PageImage).query_one(".said")
        await until(pilot, lambda: "no longer there" in str(said.render()))
        assert set_off(screen)


# --- the text ----------------------------------------------------------------------------------


async def test_a_selection_is_copied_over_the_edge_of_a_quote() -> None:
    class Reading(App[None]):
        def compose(self):
            yield PageText()

    app = Reading()
    async with app.run_test(size=(60, 10)) as pilot:
        text = app.query_one(PageText)
        text.show("primera línea\nsegunda línea", (8, 13))
        text.styles.height = 5
        await pilot.pause()
        await pilot.mouse_down(text, offset=(0, 0))
        await pilot.hover(text, offset=(7, 1))
        await pilot.mouse_up(text, offset=(7, 1))
        assert app.screen.get_selected_text() == "primera línea\nsegunda"


# --- pictures in terminals ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"TERM": "xterm-256color"}, "blocks"),
        ({"TERM": "xterm-kitty"}, "kitty"),
        ({"TERM": "xterm-ghostty"}, "kitty"),
        ({"TERM": "foot"}, "sixel"),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}, "sixel"),
        ({"TERM": "xterm-kitty", "SSH_CONNECTION": "1 2 3 4"}, "blocks"),
        ({"TERM": "tmux-256color", "KITTY_WINDOW_ID": "1"}, "blocks"),
        ({"TERM": "xterm-kitty", "TMUX": "/tmp/x"}, "blocks"),
        ({}, "blocks"),
    ],
)
def test_pictures_are_as_good_as_the_terminal_surely_shows(
    environ: dict[str, str], expected: Protocol
) -> None:
    assert protocol_of(environ, (10, 20)) == expected
    assert protocol_of(environ, None) == expected.replace("sixel", "blocks")


def test_each_way_has_its_widget() -> None:
    names = [image_class(protocol, (10, 20)).__name__ for protocol in ("kitty", "sixel", "blocks")]
    assert names == ["TGPImage", "Image", "HalfBlocks"]


def test_a_picture_is_cut_around_its_mark() -> None:
    page = Image.new("RGB", (10, 100), "white")
    page.putpixel((5, 80), (255, 0, 0))
    part = cut(page, [(4, 78, 6, 82)], 20)
    assert part.size == (10, 20)
    assert part.getpixel((5, 10)) == (255, 0, 0)
    assert cut(page, [], 200) is page


# --- whole texts -------------------------------------------------------------------------------


async def test_thousands_of_lines_are_read_searched_and_copied(indexed: Workspace) -> None:
    text = "\n".join(f"Línea {n} de [bold]todas[/]\x1b[31m" for n in range(3000))

    async with playing(indexed, size=NARROW) as (app, pilot):
        screen = WholeTextScreen("Una [red]pregunta", text)
        app.push_screen(screen)
        await until(pilot, lambda: screen.is_mounted and "Línea 3" in visible(screen))
        assert "Una [red]pregunta · 3000 lines" in heading(screen)
        await pilot.press(*"linea 90", "enter")
        await until(pilot, lambda: set_off(screen) == "Línea 90")
        await until(pilot, lambda: "place 1 of 11" in heading(screen))
        await pilot.press("n")
        await until(pilot, lambda: "Línea 900" in visible(screen))
        await pilot.press("p", "p")
        await until(pilot, lambda: "place 11 of 11" in heading(screen))
        await pilot.press("slash")
        await until(pilot, lambda: screen.query_one("#search").has_focus)
        await pilot.press(*"q%", "enter")
        await until(pilot, lambda: "not found" in heading(screen))
        await pilot.press("c")
        await until(pilot, lambda: app.clipboard == text.replace("\x1b", ""))
        await pilot.press("slash", "escape", "escape")
        await until(pilot, lambda: app.screen is app.chat)


def test_the_course_is_the_one_of_the_tests() -> None:
    assert {NETS, TREES} <= FILES.keys()
