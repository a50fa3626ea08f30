"""A judge that asks a language model, and believes only a reply that makes sense.

The model's whole reply has to obey a JSON schema, which native models do and some servers'
others do not; whatever comes is checked again. What cannot be used is asked for once more with
the reason, and then recorded as a failure: it is never a mark.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tutor.errors import ContextOverflowError, EngineError
from tutor.evaluation.judge_prompt import (
    MAX_CLAIMS,
    SCALE,
    judging_messages,
    judging_schema,
    once_more,
)
from tutor.evaluation.judging import WRONG, Judgement, refusal_rubric
from tutor.events import Token
from tutor.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tutor.evaluation.judging import Sample
    from tutor.ports import ChatModel
    from tutor.types import Message

RETRIES = 2
"""How often a judgement is asked for again."""
_MAX_TOKENS = 500
_PASSAGE_CHARS = 1200
_LEAST_PASSAGE_CHARS = 150
_LONGEST_REPLY = 20_000


class _UselessReplyError(ValueError):
    """Why a reply cannot be a judgement, in words that the model is told."""


@dataclass(frozen=True, slots=True)
class ModelJudge:
    """Has a model give the marks; refusals need none, what they are worth follows from the case.

    `language_of` gives a text's language, `es` or `en`: the model is asked in the question's.
    """

    model: ChatModel
    language_of: Callable[[str], str]

    @property
    def name(self) -> str:
        """Kind, version and model."""
        return f"model/1 ({self.model.name})"

    def judge(self, sample: Sample) -> Judgement:
        """Marks and rubric; a server or model that fails is the judgement's failure."""
        if sample.refuses:
            return Judgement({}, refusal_rubric(answerable=sample.answerable))
        language = "en" if self.language_of(sample.question) == "en" else "es"
        chars, why, reply = _PASSAGE_CHARS, "", ""
        for _attempt in range(RETRIES + 1):
            messages = judging_messages(sample, language, chars)
            if reply:
                messages = once_more(messages, reply, why, language)
            try:
                reply = self._reply(messages, judging_schema(len(sample.contexts)))
                return _judgement(_record(reply, len(sample.contexts)), sample)
            except ContextOverflowError as error:
                why, reply, chars = error.message, "", max(_LEAST_PASSAGE_CHARS, chars // 3)
            except EngineError as error:
                why, reply = error.message, ""
            except _UselessReplyError as error:
                why, reply = str(error), reply or "{}"
        reason = _("The judge gave no usable judgement in %(n)d attempts: %(why)s")
        return Judgement(failure=reason % {"n": RETRIES + 1, "why": why})

    def _reply(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> str:
        pieces: list[str] = []
        length = 0
        stream = self.model.stream(messages, max_tokens=_MAX_TOKENS, schema=schema)
        try:
            for event in stream:
                if isinstance(event, Token):
                    pieces.append(event.text)
                    length += len(event.text)
                if length > _LONGEST_REPLY:
                    break
        finally:
            stream.close()
        return "".join(pieces)


def _record(reply: str, passages: int) -> dict[str, Any]:
    """The reply's object, every field of the right type and within its limits."""
    try:
        record = json.loads(reply)
    except (ValueError, RecursionError) as error:
        message = "it is not one complete JSON object"
        raise _UselessReplyError(message) from error
    if not isinstance(record, dict):
        message = "it is not a JSON object"
        raise _UselessReplyError(message)
    for name in ("rubric", "relevance"):
        _expect(_whole(record, name) in SCALE, f"`{name}` must be 1, 2, 3, 4 or 5")
    for part, whole in (
        ("supported_claims", "claims"),
        ("reference_supported", "reference_claims"),
    ):
        _expect(0 <= _whole(record, whole) <= MAX_CLAIMS, f"`{whole}` must be 0 to {MAX_CLAIMS}")
        fine = 0 <= _whole(record, part) <= record[whole]
        _expect(fine, f"`{part}` must be between 0 and `{whole}`")
    useful = record.get("useful_passages")
    _expect(
        isinstance(useful, list)
        and len(useful) == passages
        and all(isinstance(one, bool) for one in useful),
        f"`useful_passages` must have {passages} times true or false",
    )
    return record


def _whole(record: Mapping[str, Any], name: str) -> int:
    value = record.get(name)
    if isinstance(value, bool) or not isinstance(value, int):
        message = f"`{name}` must be a whole number"
        raise _UselessReplyError(message)
    return value


def _expect(fine: bool, message: str) -> None:
    if not fine:
        raise _UselessReplyError(message)


def _judgement(record: Mapping[str, Any], sample: Sample) -> Judgement:
    marks = {"answer_relevance": (record["relevance"] - 1) / 4}
    if record["claims"]:
        marks["faithfulness"] = record["supported_claims"] / record["claims"]
    if not sample.answerable:
        return Judgement(marks, WRONG)
    if record["reference_claims"]:
        marks["context_recall"] = record["reference_supported"] / record["reference_claims"]
    marks["context_precision"] = _precision(record["useful_passages"])
    marks["correctness"] = (record["rubric"] - 1) / 4
    return Judgement(marks, record["rubric"])


def _precision(useful: Sequence[bool]) -> float:
    """The mean of the precisions at the ranks of the useful passages; 0 without any."""
    ranks = [rank for rank, one in enumerate(useful, start=1) if one]
    return sum(n / rank for n, rank in enumerate(ranks, start=1)) / len(ranks) if ranks else 0.0
