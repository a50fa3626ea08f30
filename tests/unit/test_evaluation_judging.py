"""The judge that computes: what it makes of answers, and how far it agrees with a person."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tutor.chunking import split_sentences
from tutor.chunking.language import detect_language
from tutor.cli.output import table
from tutor.embedding import BundledEmbedder
from tutor.errors import EmbedderError
from tutor.evaluation.agreement import compare, main_clause
from tutor.evaluation.judging import Judgement, RuleJudge, Sample
from tutor.evaluation.validation import (
    JudgedAnswer,
    JudgedPair,
    agreement,
    agreement_rows,
    by_kind,
    confusion_rows,
    judged_answers,
    validate,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tutor.evaluation.validation import Validation
    from tutor.types import Vectors

A_STAR = Sample(
    question="¿Quién inventó A* y en qué año?",
    reference="Hart, Nilsson y Raphael lo publicaron en 1968.",
    answer="Lo publicaron Hart, Nilsson y Raphael en 1968.",
    contexts=(
        "La memoria de la búsqueda en anchura se agota antes que el tiempo.",
        "A* fue publicado por Hart, Nilsson y Raphael en 1968. Expande el nodo de menor f(n).",
    ),
    abstained=False,
    answerable=True,
)


@cache
def _judge() -> RuleJudge:
    return RuleJudge(BundledEmbedder(), split_sentences, detect_language)


def _sample(**changes: Any) -> Sample:
    fields = {name: getattr(A_STAR, name) for name in Sample.__dataclass_fields__}
    return Sample(**{**fields, **changes})


def test_a_right_answer() -> None:
    judgement = _judge().judge(A_STAR)
    assert judgement.rubric == 5
    assert judgement.acceptable
    assert judgement.marks["faithfulness"] == 1.0
    assert judgement.marks["context_recall"] == 1.0
    assert judgement.marks["context_precision"] == 0.5  # the second of two passages
    assert judgement.marks["correctness"] > 0.8


@pytest.mark.parametrize(
    ("answer", "acceptable"),
    [
        ("Hart, Nilsson y Raphael en 1986.", False),
        ("Edsger Dijkstra en 1959.", False),
        ("La memoria de la búsqueda en anchura se agota antes que el tiempo.", False),
        ("Hart, Nilsson and Raphael published it in 1968.", True),
        (
            (
                "A* fue publicado por Hart, Nilsson y Raphael en 1968. "
                "El presupuesto del proyecto lunar era de noventa millones de coronas suecas."
            ),
            False,
        ),
    ],
)
def test_answers_that_are_right_and_wrong(answer: str, acceptable: bool) -> None:
    assert _judge().judge(_sample(answer=answer)).acceptable is acceptable


@pytest.mark.parametrize(
    ("reference", "passage", "recall"),
    [
        ("45.", "La mediana de los alquileres es 45.", 1.0),
        ("45.", "La mediana de los alquileres es 54.", 0.0),
        ("45.", "Hay 45 pupitres en el aula.", 0.0),
        ("El 8,7 %.", "La mediana de los alquileres bajó un 8.7 %.", 1.0),
        ("No.", "La mediana de los alquileres es 45.", None),
    ],
)
def test_a_reference_without_words_is_looked_up_by_its_numbers(
    reference: str, passage: str, recall: float | None
) -> None:
    question = "¿Cuál es la mediana de los alquileres?"
    sample = _sample(question=question, reference=reference, contexts=(passage,))
    assert _judge().judge(sample).marks.get("context_recall") == recall


@pytest.mark.parametrize(
    ("answerable", "refused", "rubric"), [(True, True, 3), (False, True, 5), (False, False, 1)]
)
def test_refusals_and_answers_to_what_cannot_be_answered(
    answerable: bool, refused: bool, rubric: int
) -> None:
    said = "No encontré en los apuntes nada sobre eso." if refused else "Lo inventó Turing."
    for sample in (
        _sample(answer=said, answerable=answerable),
        _sample(answer=said, answerable=answerable, abstained=refused),
    ):
        assert _judge().judge(sample).rubric == rubric


def test_marks_are_missing_instead_of_nan() -> None:
    for sample in (
        _sample(answer="", contexts=()),
        _sample(contexts=()),
        _sample(reference=""),
        _sample(answer="1968."),
        _sample(answer="?!…", contexts=("", " \n")),
        _sample(answer="\x00" * 50 + "<b>" * 200, question=""),
    ):
        judgement = _judge().judge(sample)
        assert all(math.isfinite(mark) and 0 <= mark <= 1 for mark in judgement.marks.values())
    assert "faithfulness" not in _judge().judge(_sample(answer="1968.")).marks
    assert _judge().judge(_sample(reference="")).rubric is None


def test_an_embedder_that_fails_is_a_failure_of_the_judgement() -> None:
    class Broken(BundledEmbedder):
        def embed_passages(self, texts: Sequence[str]) -> Vectors:
            message = "the embedder is gone"
            raise EmbedderError(message)

    judgement = RuleJudge(Broken(), split_sentences, detect_language).judge(A_STAR)
    assert judgement == Judgement(failure="the embedder is gone")


def test_the_judge_is_named_with_its_embedder() -> None:
    assert _judge().name == f"rules/2 ({BundledEmbedder().identity})"


@pytest.mark.parametrize(
    ("question", "reference", "answer", "same"),
    [
        ("¿Es simétrica?", "No: no lo es.", "Sí, siempre.", False),
        ("¿Es simétrica?", "No: no lo es.", "No.", True),
        ("¿RAG o fine tuning?", "RAG: se indexa en minutos.", "Fine-tuning, no RAG.", False),
        ("¿RAG o fine tuning?", "RAG: se indexa en minutos.", "Conviene RAG.", True),
        ("¿Cuándo conviene?", "Si hay pocos datos.", "Si los datos son pocos.", None),
    ],
)
def test_yes_no_and_choices(question: str, reference: str, answer: str, same: bool | None) -> None:
    assert compare(question, reference, answer, across=False).same_side is same


def test_numbers_that_the_question_has_count_for_nothing() -> None:
    wording = compare(
        "¿Cuántos con 10 clases?", "Con 10 clases, 45.", "Con 10 clases, 90.", across=False
    )
    assert wording.wrong_number
    bare = compare("¿Cuántos con 10 clases?", "Con 10 clases, 45.", "45", across=False)
    assert bare.right_numbers
    assert not bare.wrong_number


def test_the_main_clause_keeps_decimal_numbers_whole() -> None:
    assert main_clause("La tasa es 0.507, porque sí") == "La tasa es 0.507"
    assert main_clause("RAG: los datos nuevos") == "RAG"


def test_the_labelled_answers_are_whole_and_split_by_question() -> None:
    dev, test = judged_answers("dev"), judged_answers("test")
    assert len(dev) >= 45
    assert len(test) >= 45
    assert not {a.sample.question for a in dev} & {a.sample.question for a in test}
    for one in (*dev, *test):
        assert one.rubric in range(1, 6)
        assert one.sample.contexts
        if not one.sample.answerable:
            assert one.rubric in {1, 5}
        if one.kind == "refusal":
            assert one.faithful is None
    kinds = {"right", "reworded", "part", "addition", "wrong number", "wrong concept"}
    kinds |= {"contradiction", "other language", "refusal", "off-topic"}
    assert kinds <= {a.kind for a in dev}
    assert kinds <= {a.kind for a in test}


def test_the_judge_agrees_with_a_person_beyond_chance_on_answers_it_was_not_fitted_to() -> None:
    validation = validate(_judge(), judged_answers("test"), group="test")
    assert validation.failures == 0
    assert validation.kappa.low > 0.3
    assert validation.spearman.low > 0.3
    shown = table(agreement_rows([validation, *by_kind(validation)]))
    assert f"{validation.kappa.estimate:.3f} [" in shown


def _agreement(rubrics: Sequence[tuple[int, int | None]]) -> Validation:
    pairs = [
        JudgedPair(
            JudgedAnswer(str(n), "dev", "right", "es", A_STAR, hand, None), Judgement({}, judged)
        )
        for n, (hand, judged) in enumerate(rubrics)
    ]
    return agreement("nobody", pairs)


def test_kappa_against_a_calculation_by_hand() -> None:
    # 20 both acceptable, 15 both not, 5 and 10 differ: observed 0.7, by chance 0.5.
    rubrics = [(5, 5)] * 20 + [(1, 1)] * 15 + [(5, 2)] * 5 + [(1, 4)] * 10
    validation = _agreement(rubrics)
    assert validation.accuracy.estimate == pytest.approx(0.7)
    assert validation.kappa.estimate == pytest.approx(0.4)
    assert validation.kappa.low < 0.4 < validation.kappa.high


def test_the_rank_correlation_against_ranks_by_hand() -> None:
    rubrics = [(1, 2), (2, 1), (3, 3), (4, 5), (5, 5), (5, 4)]
    hand = np.array([1, 2, 3, 4, 5.5, 5.5])
    judged = np.array([2, 1, 3, 5.5, 5.5, 4])
    expected = np.corrcoef(hand, judged)[0, 1]
    assert _agreement(rubrics).spearman.estimate == pytest.approx(expected)


def test_failures_are_counted_apart_and_nothing_is_nan() -> None:
    validation = _agreement([(5, 5), (1, None), (5, 5)])
    assert (validation.n, validation.failures) == (3, 1)
    assert validation.accuracy.estimate == 1.0
    assert validation.kappa.estimate == 0.0
    assert "nan" not in table(agreement_rows([validation, _agreement([])]))
    assert confusion_rows(validation)[5] == ["5", "0", "0", "0", "0", "2"]
