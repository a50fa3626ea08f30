"""What is asked about a topic begins with what stands under its name."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.study_cards import card, origin
from tutor.model import Source, source_id
from tutor.study.card import Card, CardKind
from tutor.study.exams import drawn
from tutor.study.practice import Practice
from tutor.study.store import StudyStore
from tutor.study.topics import FoundIn, Selection, found_in, without_cards


def made(
    question: str,
    *,
    title: str = "Apuntes",
    section: str = "",
    answer: str = "algo",
    kind: CardKind = CardKind.CLOZE,
    subject: str = "",
    at: int = 0,
) -> Card:
    place = replace(origin(start=100 * at), title=title, section=section)
    return replace(card(question, answer, kind, place), subject=subject)


BUFFER = made("¿Qué guarda el buffer de memoria?", title="Procesos", at=0)
ANSWERED = made("¿Qué guarda el buffer?", title="Procesos", answer="Memoria intermedia", at=1)
TITLED = [made(f"¿Qué es el bit {n}?", title="Memoria II", at=2 + n) for n in range(3)]
COURSE = [BUFFER, ANSWERED, *TITLED]


@pytest.mark.parametrize(
    ("asked", "place"),
    [
        (TITLED[0], FoundIn.TITLE),
        (made("¿?", title="Memoria", section="Memoria virtual"), FoundIn.TITLE_AND_HEADING),
        (made("¿?", section="Memorias caché"), FoundIn.HEADING),
        (made("¿?", subject="Memoria"), FoundIn.HEADING),
        (made("¿?", answer="Memoria", kind=CardKind.TERM), FoundIn.HEADING),
        (made("¿?", title="Procesos, hilos, ficheros y memoria"), FoundIn.LONG_TITLE),
        (BUFFER, FoundIn.QUESTION),
        (ANSWERED, FoundIn.ANSWER),
        (made("¿Qué es memorizar?"), None),
    ],
)
def test_the_place_of_a_topic(asked: Card, place: FoundIn | None) -> None:
    assert found_in("memoria", asked) is place


def test_a_file_is_called_by_its_name_too() -> None:
    badly_titled = made("¿Qué es el DMA?", title="El SO debe: Generar comando")
    assert badly_titled.origin is not None
    place = replace(badly_titled.origin, path="so/06_ENTRADA-SALIDA.pdf")
    assert found_in("entradas y salidas", replace(badly_titled, origin=place)) is FoundIn.TITLE
    assert found_in("entrada", replace(badly_titled, origin=place)) is FoundIn.TITLE
    assert found_in("so", replace(badly_titled, origin=place)) is FoundIn.LONG_TITLE  # of its title


def test_letters_are_looked_for_where_a_topic_has_no_words() -> None:
    assert found_in("+", made("¿1 + 1?")) is FoundIn.QUESTION
    assert found_in("+", made("¿Uno?")) is None


@pytest.mark.parametrize(
    ("n", "expected"),
    [
        (2, TITLED[:2]),
        (3, TITLED),
        (4, [*TITLED, BUFFER]),
        (9, [*TITLED, BUFFER, ANSWERED]),
    ],
)
def test_what_has_it_elsewhere_only_fills_up(
    store: StudyStore, n: int, expected: list[Card]
) -> None:
    store.merge("ia", COURSE)
    chosen = Practice(n, Selection(None, "memoria")).chosen(store, "ia")
    assert [store.get(number).card for number in chosen] == expected
    exam = drawn(store.cards("ia"), n, random.Random(1), "memoria")
    assert {saved.card.id for saved in exam} <= {one.id for one in (expected if n > 2 else TITLED)}
    assert len(exam) == len(expected)


def test_an_exam_finds_a_topic_in_another_number_and_is_filled(store: StudyStore) -> None:
    kinds = (CardKind.TERM, CardKind.CHOICE, CardKind.TRUE_FALSE)
    store.merge(
        "ia",
        [
            made(f"¿{kind} {n}?", title="Enlace químico", kind=kind, at=n)
            for n in range(2)
            for kind in kinds
        ],
    )
    assert len(drawn(store.cards("ia"), 5, random.Random(1), "enlaces")) == 5


def test_the_newest_versions_without_a_card_are_told(store: StudyStore) -> None:
    paths = ("05_SEMANA_AI_20250901_1.pdf", "filosofia.pdf", "gases.pdf")
    sources = [Source(source_id(path), path, path, "0" * 64, 5) for path in paths]
    store.merge("ia", [card("¿?", place=origin(source_id("gases.pdf")))])
    assert without_cards(sources, store.cards("ia")) == sources[:2]


def test_an_option_and_a_conversation_choose_the_same_cards(store: StudyStore) -> None:
    others = [made("¿Qué es una memoria?", title="Otro", at=30 + n) for n in range(2)]
    letters = made("¿Qué es inmemorial?", title="Conmemorias", at=40)
    store.merge("ia", [*COURSE, *others, letters])
    which = Selection(None, "Memorias")  # in another number; not letters within another word
    chosen = set(Practice(10, which).chosen(store, "ia"))
    assert {saved.number for saved in store.cards("ia", which)} == chosen
    assert set(store.new("ia", 99, which)) == set(store.unseen("ia", which)) == chosen
    assert {store.get(number).card.id for number in store.new("ia", 3, which)} == {
        one.id
        for one in TITLED  # those above which it stands come first
    }
    assert letters.id not in {saved.card.id for saved in store.cards("ia", which)}
    assert len(chosen) == 6
