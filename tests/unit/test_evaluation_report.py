"""A run as its readers get it: a terminal's sections, Markdown, JSON."""

from __future__ import annotations

import json
from typing import Any

from markdown_it import MarkdownIt

from tutor.evaluation.comparison import Results
from tutor.evaluation.metrics import HEADLINE
from tutor.evaluation.records import AnswerRecord, Outcome
from tutor.evaluation.report import ReportSection, as_json, headline, is_partial, markdown, sections

HOSTILE = "[x](javascript:alert(1)) <b>|`#*\x1b[31m\u202e"
RECORD: dict[str, Any] = {
    "created": "2026-01-02T03:04:05+00:00",
    "request": {"course": "ia", "source": "sample", "split": "test"},
    "judge": "rules/1 (e5)",
    "cases": {"sha256": "c0ffee", "problems": ["line 3: not valid JSON"]},
    "settings": [
        {"name": "fixed", "config": {"k": 4}},
        {"name": "semantic", "config": {"k": 8}},
    ],
    "index": {"sha256": "1dea", "documents": 3, "pages": 9, "embedder": "e5"},
    "versions": {"tutor": "0.1.0"},
    "machine": {"cores": 2},
}


def _outcome(n: int, setting: str, value: float) -> Outcome:
    return Outcome(
        case=f"c{n}",
        setting=setting,
        question=f"{HOSTILE} {n}",
        language="es",
        kind="formula",
        measures={
            HEADLINE: value,
            "snippet_hit@k": value,
            "acceptable": value,
            "rubric": 5 * value,
        },
        seconds={"retrieval_s": 0.01 + n / 1000},
        passages=(f"{setting}.pdf#3", HOSTILE),
        reply=AnswerRecord("Sí.", abstained=False, model="extractive"),
    )


def _comparison(second: float = 0.5) -> Results:
    outcomes = [
        _outcome(n, setting, value)
        for n in range(12)
        for setting, value in (("fixed", 1.0), ("semantic", second))
    ]
    failed = Outcome("c99", "fixed", "¿?", failure="a.pdf has no page 9")
    unjudged = Outcome("c98", "fixed", "¿?", judge_failure="The judge is gone.")
    return Results([*outcomes, failed, unjudged], ["fixed", "semantic"])


def _text(found: list[ReportSection]) -> str:
    return "\n".join(
        line for s in found for line in (s.title, *s.lines, *(" ".join(row) for row in s.rows))
    )


def test_a_report_names_course_split_judge_and_n() -> None:
    text = " ".join(headline(RECORD, _comparison()))
    for part in ("ia", "split test", "n = 14", "rules/1 (e5)", "fixed (k = 4)", "semantic (k = 8)"):
        assert part in text


def test_a_report_says_who_wins_and_where() -> None:
    found = sections(RECORD, _comparison(), full=False)
    by_title = {section.title: section for section in found}
    differences = {row[0]: row for row in by_title["Differences"].rows}
    assert differences["passage MRR@10"][1::3] == ["semantic − fixed", "fixed is better"]
    averages = {row[0]: row for row in by_title["Retrieval"].rows}
    assert averages["passage MRR@10"][1:] == ["12", "1.000 [1.000, 1.000]", "0.500 [0.500, 0.500]"]
    kinds = by_title["passage MRR@10 by kind"].rows
    assert [kinds[1][0], kinds[1][-1]] == ["formulas", "fixed"]
    differing = by_title["Questions on which they differ"].lines
    assert "differ on 12 questions" in differing[0]
    assert differing[2].startswith("  fixed 1.00: fixed.pdf#3, ")
    assert differing[3].startswith("  semantic 0.50: semantic.pdf#3, ")
    assert all(len({len(row) for row in section.rows}) <= 1 for section in found)
    assert "nan" not in _text(found)


def test_what_went_wrong_is_counted_and_named() -> None:
    text = _text(sections(RECORD, _comparison(), full=False))
    for part in ("Outcomes that failed: 1", "a.pdf has no page 9", "The judge is gone.", "line 3"):
        assert part in text
    assert is_partial(RECORD, _comparison())


def test_one_setting_has_no_verdicts() -> None:
    alone = Results([_outcome(1, "fixed", 1.0)], ["fixed"])
    titles = {section.title for section in sections(RECORD, alone, full=True)}
    assert not titles & {"Differences", "Questions on which they differ"}


def test_an_empty_run_is_reported_without_a_number() -> None:
    empty = Results([], ["fixed", "semantic"])
    assert "nan" not in _text(sections(RECORD, empty, full=True))
    assert json.loads(json.dumps(as_json(RECORD, empty), allow_nan=False))["averages"] == {}


def test_a_full_report_lists_every_question() -> None:
    short, full = (sections(RECORD, _comparison(), full=one) for one in (False, True))
    assert len(_text(full)) > len(_text(short))
    assert all(f"c{n}:" in _text(full) for n in range(12))


def test_nothing_in_the_notes_becomes_markup() -> None:
    text = markdown("Evaluation", [HOSTILE], sections(RECORD, _comparison(), full=True))
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    inline = [child for token in tokens for child in token.children or []]
    assert not {"html_inline", "link_open", "code_inline"} & {token.type for token in inline}
    assert not any(token.type == "html_block" for token in tokens)
    assert sum(token.type == "table_open" for token in tokens) >= 5
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_the_json_has_every_difference() -> None:
    record = json.loads(json.dumps(as_json(RECORD, _comparison()), allow_nan=False))
    first = next(one for one in record["differences"] if one["measure"] == HEADLINE)
    assert (first["better"], first["interval"]["estimate"]) == ("fixed", -0.5)
    assert (record["failed"], record["not_judged"]) == (1, 1)
