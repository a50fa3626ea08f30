"""The judge that computes: what it makes of answers, and how far it agrees with a person."""

from __future__ import annotations

import math
import subprocess
import sys
from typing import Any

import pandas as pd
import pytest

from scripts.part_quality import agreement_rows, judged, judged_answers
from tutor.cli.output import table
from tutor.evaluation.judges import RuleJudge, Sample
from tutor.evaluation.wording import contained, news, numbers, share, words, yes_or_no

JUDGE = RuleJudge()
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


def _sample(**changes: Any) -> Sample:
    fields = {name: getattr(A_STAR, name) for name in Sample.__dataclass_fields__}
    return Sample(**{**fields, **changes})


def test_a_right_answer() -> None:
    judgement = JUDGE.judge(A_STAR)
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
    ],
)
def test_answers_that_are_right_and_wrong(answer: str, acceptable: bool) -> None:
    assert JUDGE.judge(_sample(answer=answer)).acceptable is acceptable


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
    assert JUDGE.judge(sample).marks.get("context_recall") == recall


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
        assert JUDGE.judge(sample).rubric == rubric


def test_marks_are_missing_instead_of_nan() -> None:
    for sample in (
        _sample(answer="", contexts=()),
        _sample(contexts=()),
        _sample(reference=""),
        _sample(answer="1968."),
        _sample(answer="?!…", contexts=("", " \n")),
        _sample(answer="\x00" * 50 + "<b>" * 200, question=""),
    ):
        judgement = JUDGE.judge(sample)
        assert all(math.isfinite(mark) and 0 <= mark <= 1 for mark in judgement.marks.values())
    assert "faithfulness" not in JUDGE.judge(_sample(answer="1968.")).marks
    assert JUDGE.judge(_sample(reference="")).rubric is None


def test_the_judge_does_not_ask_what_it_judges() -> None:
    """The product's own verifier is not even loaded."""
    code = "import sys, tutor.evaluation.judges; print('tutor.answer.verification' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize(
    ("answer", "faithful"),
    [
        ("A* fue publicado por Hart, Nilsson y Raphael en 1968.", 1.0),
        ("A* fue publicado por Hart, Nilsson y Raphael en 1986.", 0.0),
        ("Lo publicó Hart. El presupuesto lunar sumaba noventa millones de coronas.", 0.5),
        ("A* was published by Hart, Nilsson and Raphael in 1968.", 1.0),
    ],
)
def test_a_sentence_stands_in_the_passages_with_its_numbers(answer: str, faithful: float) -> None:
    assert JUDGE.judge(_sample(answer=answer)).marks["faithfulness"] == faithful


@pytest.mark.parametrize(
    ("question", "reference", "answer", "acceptable"),
    [
        ("¿Es simétrica?", "No: no lo es.", "Sí, siempre.", False),
        ("¿Es simétrica?", "No: no lo es.", "No.", True),
        ("¿Cuántos con 10 clases?", "Con 10 clases, 45.", "Con 10 clases, 90.", False),
        ("¿Cuántos con 10 clases?", "Con 10 clases, 45.", "45", True),
        ("¿De cuántos son los grupos?", "De tres personas.", "De 3.", True),
        ("¿De cuántos son los grupos?", "De tres personas.", "De cuatro personas.", False),
    ],
)
def test_yes_no_and_numbers_decide(
    question: str, reference: str, answer: str, acceptable: bool
) -> None:
    sample = _sample(question=question, reference=reference, answer=answer, contexts=())
    assert JUDGE.judge(sample).acceptable is acceptable


def test_words_are_compared_across_languages_and_numbers_across_spellings() -> None:
    assert share(words("una función continua"), "The continuous function is symmetric.") == 1
    assert numbers("0,5 y tres") == {"0.5", "3"}
    assert news("¿Qué es la poda?", "La poda quita ramas.") == words("quita ramas")
    assert contained("¿?", ["texto"]) is None
    assert yes_or_no("Si hay datos, sí") is None


def test_the_labelled_answers_are_whole_and_split_by_question() -> None:
    every = list(judged_answers())
    halves = [[one for one in every if one[0]["split"] == split] for split in ("dev", "test")]
    dev, test = ({sample.question for _hand, sample in half} for half in halves)
    assert not dev & test
    for hand, sample in every:
        assert hand["rubric"] in range(1, 6)
        assert sample.contexts
        if not sample.answerable:
            assert hand["rubric"] in {1, 5}
        if hand["kind"] == "refusal":
            assert hand["faithful"] is None
    kinds = {"right", "reworded", "part", "addition", "wrong number", "wrong concept"}
    kinds |= {"contradiction", "other language", "refusal", "off-topic"}
    for half in halves:
        assert len(half) >= 45
        assert kinds <= {hand["kind"] for hand, _sample in half}


def test_the_judge_agrees_with_a_person_beyond_chance() -> None:
    found = judged(JUDGE)
    assert found["judge"].notna().all()
    heading, dev, test, *_kinds = agreement_rows(found, JUDGE.name)
    for row in (dev, test):
        shown = dict(zip(heading, row, strict=True))
        kappa, low, _high = (float(x.strip("[],")) for x in shown["kappa [95 %]"].split())
        assert kappa > 0.55
        assert low > 0.35
        assert float(shown["faithful or not, kappa [95 %]"].split()[0]) > 0.15


def test_failures_are_counted_apart_and_nothing_is_nan() -> None:
    rows = [("test", "right", hand, judge, None, None) for hand, judge in ((5, 5), (1, math.nan))]
    columns = ["split", "group", "hand", "judge", "hand_faithful", "judge_faithful"]
    shown = agreement_rows(pd.DataFrame(rows, columns=columns), "nobody")
    assert shown[1][:4] == ["nobody, test, all", "2", "1", "1.000 [1.000, 1.000]"]
    assert "nan" not in table(shown)
