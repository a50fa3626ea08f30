"""Whatever is said is kept, to the letter where that can be, and breaks no document."""

from __future__ import annotations

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.passages import make_hit
from tutor.history import (
    SessionStore,
)
from tutor.history.rows import decoded, encoded
from tutor.history.sessions import title_of
from tutor.model import Answer, Citation, Ending, Route, WebCitation, WebResult
from tutor.model.marks import cited_places, marked_text, marks
from tutor.text.markdown import contained, escaped, escaped_lines
from tutor.text.terminal import storable

if TYPE_CHECKING:
    from markdown_it.token import Token

ANY = st.text(st.characters() | st.characters(categories=["Cs", "Cc", "Cf"]), max_size=80)
MARKUP = (
    "` `` ``` ~~~ < <b> <!-- --> </ [ ] [1] [1]: ( ) ](x) ](https://a.b) ![ \\ * _ # - + 1. > | $ &"
    " &lt; = === --- : word <script> <?x javascript:x https://a.b 🙂 é"
).split()
SHARDS = st.lists(
    st.sampled_from([*MARKUP, " ", "    ", "\n", "\n\n", "\t", "\r", "\u2028", "\0", "\ud800"]),
    max_size=25,
).map("".join)
LINES = st.lists(SHARDS, max_size=5).map("\n".join)
TEXTS = ANY | SHARDS | LINES
STORABLE = TEXTS.map(storable)
UNSTORABLE = frozenset(["\0", *map(chr, range(0xD800, 0xE000))])


@st.composite
def answers(draw: st.DrawFn) -> Answer:
    text = draw(TEXTS)
    spans = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).map(sorted)
    citations = []
    for start, end in draw(st.lists(spans, max_size=3)):
        hit = make_hit(draw(STORABLE), path=draw(STORABLE), title=draw(TEXTS))
        page = draw(st.integers(1, 9))
        citations.append(
            Citation(start, end, hit, 0, len(hit.chunk.text), page, page, draw(st.floats()))
        )
    web = [
        WebCitation(start, end, WebResult(1, draw(TEXTS), "", draw(TEXTS)), 1.0)
        for start, end in draw(st.lists(spans, max_size=2))
    ]
    return Answer(
        text=text,
        citations=tuple(citations),
        abstained=draw(st.booleans()),
        route=draw(st.sampled_from(Route)),
        model=draw(TEXTS),
        timings={draw(TEXTS): draw(st.floats())},
        unsupported=tuple((start, end) for start, end in draw(st.lists(spans, max_size=2))),
        web_citations=tuple(web),
        ending=draw(st.sampled_from(Ending)),
    )


@given(answers())
def test_an_answer_goes_through_strict_json_and_back(answer: Answer) -> None:
    record = encoded(answer)
    record.encode()
    json.loads(record, parse_constant=pytest.fail)
    kept = decoded(record)
    assert encoded(kept) == record
    assert kept.text == storable(answer.text)
    assert [c.quote for c in kept.citations] == [storable(c.quote) for c in answer.citations]
    assert [c.quote_span for c in kept.citations] == [c.quote_span for c in answer.citations]
    assert len(kept.web_citations) == len(answer.web_citations)
    assert (kept.route, kept.ending, kept.unsupported) == (
        answer.route,
        answer.ending,
        answer.unsupported,
    )


@given(TEXTS)
def test_only_what_cannot_be_stored_is_replaced_and_offsets_stay(text: str) -> None:
    kept = storable(text)
    kept.encode()
    assert len(kept) == len(text)
    assert all(
        a == b or (b == "\ufffd" and a in UNSTORABLE) for a, b in zip(text, kept, strict=True)
    )


@given(TEXTS, TEXTS, st.lists(TEXTS, max_size=4))
@settings(max_examples=40)
def test_a_turn_comes_out_as_it_went_in(question: str, rewritten: str, pieces: list[str]) -> None:
    with TemporaryDirectory() as folder, SessionStore(Path(folder) / "sessions.db") as store:
        session = store.create(rewritten, "es")
        with store.begin_turn(session.id, question) as writer:
            writer.rewritten(rewritten)
            for piece in pieces:
                writer.token(piece)
            writer.abandon(Ending.STOPPED)
        store.give_feedback(writer.turn, 1, question)
        (turn,) = store.turns(session.id)
        assert turn.question == storable(question)
        assert turn.standalone == storable(rewritten)
        assert turn.text == storable("".join(pieces))
        assert turn.feedback is not None
        assert turn.feedback.comment == storable(question)
        assert store.get(session.id).title == title_of(question)
        store.rename(session.id, rewritten)
        for words in (question, "".join(pieces)):
            if any(c.isalnum() for c in words):
                found = store.sessions(search=words)
                assert [each.id for each in found] == [session.id], words
        store.export_markdown(session.id).encode()


@given(answers())
def test_marks_add_to_the_text_and_take_nothing_away(answer: Answer) -> None:
    saved = decoded(encoded(answer))
    numbers = [place.number for place in cited_places(saved)]
    assert numbers == list(range(1, len(numbers) + 1))
    marked, position = marked_text(saved), 0
    for offset, mark in marks(saved):
        head = saved.text[position:offset]
        gap = "\n\n" if re.fullmatch(r"[ \t]*(`{3,}|~{3,})", head.rpartition("\n")[2]) else " "
        before, found, marked = marked.partition(f"{head}{gap}{mark}")
        assert (before.strip(), found) == ("", f"{head}{gap}{mark}")
        position = offset
    assert marked in {saved.text[position:], f" {saved.text[position:]}"}


def tokens(document: str) -> list[Token]:
    """All tokens that a CommonMark reader sees, those within paragraphs included."""
    flat = []
    for token in MarkdownIt("commonmark").parse(document):
        flat += [token, *(token.children or [])]
    return flat


def harmless(flat: list[Token]) -> bool:
    """No HTML but our own code, no picture, no link but to the web."""
    html = [t.content for t in flat if t.type in {"html_inline", "html_block"}]
    links = [str(t.attrs["href"]) for t in flat if t.type == "link_open"]
    return (
        set(html) <= {"<code>", "</code>"}
        and not any(t.type == "image" for t in flat)
        and all(link.startswith(("http://", "https://")) for link in links)
    )


@given(TEXTS)
@settings(max_examples=400)
def test_an_answer_cannot_leave_its_block(text: str) -> None:
    flat = tokens(f"before\n\n{contained(text)}\n\nafter [1]\n")
    assert harmless(flat)
    assert not any(token.type == "link_open" for token in flat)
    top = [token for token in flat if token.block and token.level == 0]
    last = [token for token in flat if token.type == "inline"][-1]
    assert last.content == "after [1]"
    assert not any(child.type == "link_open" for child in last.children or [])
    kinds = {token.type for token in top}
    assert kinds <= {"paragraph_open", "paragraph_close", "blockquote_open", "blockquote_close"}


def test_no_link_of_a_quoted_text_is_live_where_bare_addresses_are() -> None:
    text = "Ve a http://evil.example/x, [aquí](https://evil.example) o www.evil.example: o [a]: //b"
    shown = MarkdownIt("gfm-like").render(contained(text))
    assert "href" not in shown
    assert "http://evil.example/x, [aquí](https://evil.example) o www.evil.example" in shown


@given(TEXTS)
@settings(max_examples=400)
def test_a_short_text_is_shown_to_the_letter(text: str) -> None:
    flat = tokens(f"{escaped(text)} end\n")
    assert {token.type for token in flat} <= {
        "paragraph_open",
        "paragraph_close",
        "inline",
        "text",
        "text_special",
    }
    shown = "".join(token.content for token in flat if token.type.startswith("text"))
    visible = re.sub("[\0-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\x0b\x0c]", "", text)
    assert "".join(shown.split()) == "".join(f"{visible} end".replace("\0", "").split())


@given(LINES)
def test_a_question_of_several_lines_stays_text(text: str) -> None:
    flat = tokens(f"{escaped_lines(text)}\n")
    assert {token.type for token in flat} <= {
        "paragraph_open",
        "paragraph_close",
        "inline",
        "text",
        "text_special",
        "hardbreak",
        "softbreak",
    }


@given(answers(), TEXTS)
@settings(max_examples=60)
def test_an_exported_conversation_has_the_parts_it_should(answer: Answer, question: str) -> None:
    with TemporaryDirectory() as folder, SessionStore(Path(folder) / "sessions.db") as store:
        session = store.create(question, "es").id
        for _turn in range(2):
            with store.begin_turn(session, question) as writer:
                writer.rewritten(answer.model)
                writer.finish(answer)
        store.give_feedback(writer.turn, -1, question)
        flat = tokens(store.export_markdown(session))
    assert harmless(flat)
    headings = [token.tag for token in flat if token.type == "heading_open" and token.level == 0]
    assert headings == ["h1", "h2", "h2"]
