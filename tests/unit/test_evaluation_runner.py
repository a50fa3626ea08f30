"""Cases asked in several settings: measures, failures that stop nothing, records that survive."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests import stores
from tests.scripted import BrokenStore, NearestStore
from tutor.answer import Agent, answer
from tutor.cli.evaluating import documents_of
from tutor.config import Config
from tutor.embedding import BundledEmbedder
from tutor.errors import NotesError, StoreError
from tutor.evaluation.cases import Case, CasePlace, Request
from tutor.evaluation.judges import Judgement, RuleJudge, Sample
from tutor.evaluation.records import (
    AnswerRecord,
    Outcome,
    RunFolder,
    changed_since,
    deciding_settings,
    run_record,
)
from tutor.evaluation.runner import run
from tutor.evaluation.settings import ReadySetting, Setting
from tutor.events import Retrieved
from tutor.index.store import open_store
from tutor.ingest.chunking import chunks_of
from tutor.model import (
    Block,
    BlockKind,
    CleanText,
    Filter,
    Hit,
    Route,
    Source,
    SourceId,
    Strategy,
    Turn,
    source_id,
)

TEXTS = {
    "redes.pdf": (
        "La tasa de aprendizaje recomendada en el curso es 0,01.",
        "La retropropagación calcula el gradiente con la regla de la cadena.",
    ),
    "arboles.pdf": ("El bosque aleatorio entrena 100 árboles y promedia sus votos.",),
}
RATE = Case(
    "rate",
    "¿Cuál es la tasa de aprendizaje recomendada?",
    language="es",
    kind="fact",
    answer="La tasa de aprendizaje recomendada es 0,01.",
    places=(CasePlace("redes.pdf", 1),),
    snippet="La tasa de aprendizaje recomendada en el curso es 0,01.",
    split="dev",
)
FOREST = Case(
    "forest",
    "¿Y cuántos árboles entrena?",
    language="es",
    kind="follow-up",
    answer="100",
    places=(CasePlace("arboles.pdf", 1),),
    snippet="entrena 100 árboles",
    history=(Turn("¿Qué es un bosque aleatorio?", "", "Un conjunto de árboles."),),
    standalone="¿Cuántos árboles entrena el bosque aleatorio?",
)
LOST = Case("lost", "¿Qué dice la página 9?", places=(CasePlace("redes.pdf", 9),), snippet="x")
NONE = Case("none", "¿Quién descubrió América?", answerable=False)


def _source(path: str) -> Source:
    return Source(source_id(path), path, path, "sha", len(TEXTS[path]))


def _text(path: str) -> CleanText:
    pages = TEXTS[path]
    starts = [sum(len(page) + 1 for page in pages[:n]) for n in range(len(pages))]
    blocks = tuple(
        Block(BlockKind.PARAGRAPH, start, start + len(page), start)
        for start, page in zip(starts, pages, strict=True)
    )
    return CleanText(source_id(path), " ".join(pages), tuple(starts), blocks)


class Index(NearestStore):
    """The documents of `TEXTS`, one page per sentence, cut as the product cuts them."""

    def __init__(self) -> None:
        self.embedder = BundledEmbedder()
        self._texts = {source_id(path): _text(path) for path in TEXTS}
        self.hits = [
            Hit(chunk, _source(path), 1.0, 1)
            for path in TEXTS
            for chunk in chunks_of(_text(path), Strategy.SEMANTIC)
        ]
        self.cut = [hit.chunk for hit in self.hits]
        super().__init__(self.hits, self.embedder)

    def text(self, source: SourceId) -> CleanText:
        return self._texts[source]

    def page_at(self, source: SourceId, offset: int) -> int:
        return self._texts[source].page_at(offset)


class DyingJudge:
    """A judge that dies after its first judgement."""

    name = "dying/1"

    def __init__(self) -> None:
        self.asked: list[Sample] = []

    def judge(self, sample: Sample) -> Judgement:
        self.asked.append(sample)
        if len(self.asked) > 1:
            return Judgement(failure="The server is gone.")
        return Judgement({"faithfulness": 0.5}, 4)


@pytest.fixture(scope="module")
def index() -> Index:
    return Index()


def _subject(index: Index, name: str = "semantic", k: int = 2) -> ReadySetting:
    agent = Agent(store=index, embedder=index.embedder, strategy=Strategy.SEMANTIC, k=k)
    return ReadySetting(name, agent, index.cut)


def test_every_case_is_asked_in_every_setting_taking_turns(index: Index) -> None:
    subjects = [_subject(index, "one"), _subject(index, "two", k=1)]
    outcomes = list(run([RATE, FOREST], subjects, index))
    assert [o.key for o in outcomes] == [
        ("rate", "one"),
        ("rate", "two"),
        ("forest", "two"),
        ("forest", "one"),
    ]
    rate = outcomes[0]
    assert rate.measures["snippet_mrr@10"] == rate.measures["page_hit@1"] == 1
    assert rate.measures["snippet_recall@k"] == 1
    assert (rate.kind, rate.language, rate.split) == ("fact", "es", "dev")
    assert rate.passages[0] == "redes.pdf#1"
    assert rate.seconds["retrieval_s"] > 0
    assert rate.reply is None


def test_a_follow_up_is_asked_after_its_conversation(index: Index) -> None:
    (outcome,) = run([FOREST], [_subject(index)], index)
    assert outcome.question == FOREST.question
    assert "bosque aleatorio" in outcome.searched
    assert outcome.measures["snippet_hit@1"] == 1


def test_the_evaluation_searches_as_the_product_does(index: Index) -> None:
    """Filters count, and what is searched for is what `answer` searches for."""
    subject = _subject(index)
    chosen = Filter(documents=(source_id("arboles.pdf"),))
    filtered = replace(subject, agent=replace(subject.agent, filter=chosen))
    for one, case in ((subject, FOREST), (subject, RATE), (filtered, RATE)):
        searched, hits = one.search(case.question, case.history, 2)
        events = list(answer(case.question, one.agent, case.history, Route.SEMANTIC))
        (shown,) = [event for event in events if isinstance(event, Retrieved)]
        assert [hit.chunk.id for hit in hits] == [hit.chunk.id for hit in shown.hits[:2]]
        assert searched
    assert {hit.source.path for hit in hits} == {"arboles.pdf"}


def test_what_is_done_is_not_asked_again(index: Index) -> None:
    subjects = [_subject(index, "one"), _subject(index, "two")]
    done = {("rate", "one"), ("forest", "one"), ("forest", "two")}
    assert [o.key for o in run([RATE, FOREST], subjects, index, done=done)] == [("rate", "two")]


def test_answers_are_judged_and_their_citations_looked_up(index: Index) -> None:
    (outcome,) = run([RATE], [_subject(index)], index, answers=True, judge=RuleJudge())
    assert outcome.reply is not None
    assert "0,01" in outcome.reply.text
    assert outcome.reply.citations == ("redes.pdf#1",)
    assert outcome.measures["rubric"] >= 4
    assert outcome.measures["acceptable"] == 1
    assert outcome.measures["citation_precision"] == outcome.measures["citation_recall"] == 1
    assert outcome.measures["place_cited"] == 1
    assert outcome.measures["false_refusal"] == 0
    assert outcome.measures["context_recall"] == 1
    assert outcome.seconds["total_s"] > 0


def test_a_question_without_answer_has_no_place_to_be_found(index: Index) -> None:
    (outcome,) = run([NONE], [_subject(index)], index, answers=True)
    assert not any(name.startswith(("page_", "snippet_")) for name in outcome.measures)
    assert outcome.measures["refusal_recall"] == outcome.measures["refused"]
    assert "rubric" not in outcome.measures


def test_what_fails_is_named_and_the_rest_goes_on(index: Index) -> None:
    agent = replace(_subject(index).agent, store=BrokenStore(index.hits))
    broken = ReadySetting("broken", agent, index.cut)
    outcomes = list(run([LOST, RATE], [_subject(index), broken], index))
    failures = {o.key: o.failure for o in outcomes}
    assert failures["lost", "semantic"] == "redes.pdf has no page 9"
    assert failures["rate", "broken"] == "The index is broken."
    assert failures["rate", "semantic"] == ""


def test_a_judge_that_dies_costs_its_marks_only(index: Index) -> None:
    judge = DyingJudge()
    first, second = run([RATE, FOREST], [_subject(index)], index, answers=True, judge=judge)
    assert (first.judge_failure, first.measures["faithfulness"]) == ("", 0.5)
    assert second.judge_failure == "The server is gone."
    assert second.failure == ""
    assert "faithfulness" not in second.measures
    assert second.measures["snippet_hit@1"] == 1
    assert second.reply is not None


def test_the_judge_gets_the_question_that_stands_alone(index: Index) -> None:
    judge = DyingJudge()
    list(run([FOREST], [_subject(index)], index, answers=True, judge=judge))
    assert judge.asked[0].question == FOREST.standalone
    assert judge.asked[0].reference == "100"
    assert judge.asked[0].contexts


OUTCOME = Outcome(
    case="c",
    setting="fixed",
    question="¿Qué? \ud800",
    measures={"page_hit@1": 1.0},
    seconds={"search": 0.1},
    passages=("a.pdf#1",),
    reply=AnswerRecord("No.", abstained=True, model="extractive", citations=("a.pdf#1",)),
)


def test_outcomes_come_back_as_they_were_written(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    folder.begin({"format": 1})
    whole = replace(OUTCOME, question="¿Qué?")
    folder.append(whole)
    folder.append(replace(whole, setting="semantic", failure="No."))
    folder.append(replace(whole, setting="semantic"))
    assert folder.outcomes() == [whole, replace(whole, setting="semantic")]
    assert folder.record() == {"format": 1}
    folder.append(replace(OUTCOME, case="odd"))
    assert len(folder.outcomes()) == 3


@pytest.mark.parametrize("torn", [b'{"case": "x", "set', b"\x00\xff", b"[]", b'{"case": 1}'])
def test_a_torn_line_costs_one_outcome(tmp_path: Path, torn: bytes) -> None:
    folder = RunFolder(tmp_path)
    whole = replace(OUTCOME, question="¿Qué?")
    folder.append(whole)
    with (tmp_path / "outcomes.jsonl").open("ab") as file:
        file.write(torn)
    folder.append(replace(whole, case="d"))
    assert [o.case for o in folder.outcomes()] == ["c", "d"]


def test_a_folder_without_a_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotesError, match="no evaluation"):
        RunFolder(tmp_path).record()
    assert RunFolder(tmp_path).outcomes() == []
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be written"):
        RunFolder(tmp_path / "file" / "run").begin({})


def test_an_index_without_text_is_nothing_to_evaluate(tmp_path: Path) -> None:
    stores.apply(tmp_path, None, stores.make_changes({}))
    opened = open_store(tmp_path, stores.SPACE, stores.LOCAL)
    with opened as store, pytest.raises(NotesError, match="no text"):
        documents_of(store)


def test_no_secret_is_recorded_and_every_change_of_a_case_is_seen(
    tmp_path: Path, index: Index
) -> None:
    config = Config().varied({"web.api_key": "s3cret"})
    assert "s3cret" not in json.dumps(deciding_settings(config))
    assert deciding_settings(config)["k"] == config.k
    request = Request(
        "ia", "sample", "test", None, None, None, answers=False, judge=None, options={}
    )
    stores.apply(tmp_path, None, stores.make_changes({"a.pdf": 3}))
    with open_store(tmp_path, stores.SPACE, stores.LOCAL) as store:
        first, edited, turned = (
            run_record(
                request,
                cases,
                [],
                [Setting("fixed", {"strategy": "fixed"})],
                config=config,
                store=store,
                embedder=index.embedder,
                judge=None,
            )
            for cases in ([RATE, FOREST], [replace(RATE, answer="0,1"), FOREST], [FOREST, RATE])
        )
    assert changed_since(first, json.loads(json.dumps(first))) == []
    assert changed_since(first, edited) == changed_since(first, turned) == ["cases"]
    assert changed_since(first, {**first, "judge": "rules/0"}) == ["judge"]
    assert first["versions"]["onnxruntime"]
