"""Settings side by side: verdicts, winners, the suggestion, and its way into the settings file."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tutor.config import Config, load_config
from tutor.errors import ConfigError
from tutor.evaluation.comparison import Results
from tutor.evaluation.metrics import HEADLINE
from tutor.evaluation.records import Outcome
from tutor.evaluation.settings import parse_settings, write_settings

N = 40


def _outcomes(
    setting: str,
    values: Sequence[float],
    *,
    measure: str = HEADLINE,
    seconds: float = 0.1,
    kinds: Sequence[str] = ("fact",),
) -> list[Outcome]:
    return [
        Outcome(
            case=f"c{n}",
            setting=setting,
            question=f"¿{n}?",
            language="en" if n % 4 == 0 else "es",
            kind=kinds[n % len(kinds)],
            measures={measure: value},
            seconds={"retrieval_s": seconds + n / 1e6},
            passages=(f"{setting}.pdf#{n + 1}",),
        )
        for n, value in enumerate(values)
    ]


GOOD, FAIR = [1.0, 1.0, 0.5, 1.0] * (N // 4), [0.5, 1.0, 0.5, 0.0] * (N // 4)


def _comparison(values: Mapping[str, Sequence[float]], **options: float) -> Results:
    found = [o for name, each in values.items() for o in _outcomes(name, each, **options)]  # pyrefly: ignore[bad-argument-type]
    return Results(found, list(values))


def test_a_difference_is_taken_case_by_case() -> None:
    comparison = _comparison({"good": GOOD, "fair": FAIR})
    (difference,) = comparison.differences(HEADLINE)
    assert (difference.first, difference.second, difference.better) == ("fair", "good", "good")
    assert difference.interval.estimate == pytest.approx(-0.375)
    assert difference.interval.n == N
    assert comparison.difference(HEADLINE, "good", "fair").better == "good"
    assert comparison.difference(HEADLINE, "good", "good").better is None
    assert comparison.averages(HEADLINE)["good"].estimate == pytest.approx(0.875)


def test_only_cases_that_both_have_are_compared() -> None:
    outcomes = [*_outcomes("a", [1.0] * 10), *_outcomes("b", [1.0] * 5 + [math.nan] * 5)]
    difference = Results(outcomes, ["a", "b"]).difference(HEADLINE, "a", "b")
    assert (difference.interval.n, difference.interval.estimate) == (5, 0)
    nothing = Results(_outcomes("a", [1.0]), ["a", "b"]).difference(HEADLINE, "a", "b")
    assert (nothing.interval.n, nothing.better) == (0, None)


def test_a_handful_of_cases_shows_nothing() -> None:
    few = _comparison({"good": [1.0] * 9, "bad": [0.0] * 9})
    assert few.difference(HEADLINE, "good", "bad").better is None
    enough = _comparison({"good": [1.0] * 10, "bad": [0.0] * 10})
    assert enough.difference(HEADLINE, "good", "bad").better == "good"


def test_of_seconds_and_false_refusals_less_is_better() -> None:
    outcomes = [*_outcomes("slow", GOOD, seconds=0.2), *_outcomes("quick", GOOD, seconds=0.1)]
    assert Results(outcomes, ["slow", "quick"]).differences("retrieval_s")[0].better == "quick"
    refusing = [
        *_outcomes("strict", [1.0, 0.0] * 20, measure="false_refusal"),
        *_outcomes("open", [0.0] * 40, measure="false_refusal"),
    ]
    found = Results(refusing, ["strict", "open"]).difference("false_refusal", "strict", "open")
    assert found.better == "open"


def test_refusal_precision_is_over_the_refused_of_each_setting() -> None:
    measure = "refusal_precision"
    outcomes = [
        *_outcomes("a", [1.0] * 20 + [math.nan] * 20, measure=measure),
        *_outcomes("b", [math.nan] * 20 + [0.0] * 20, measure=measure),
    ]
    both = Results(outcomes, ["a", "b"])
    assert [both.averages(measure)[name].estimate for name in "ab"] == [1, 0]
    assert both.differences(measure) == []  # they are other questions
    assert both.difference(measure, "a", "b").interval.n == 0


def test_groups_have_winners_where_there_are_enough_cases() -> None:
    kinds = ("definition", "fact", "concept", "formula")
    outcomes = [
        *_outcomes("good", GOOD, kinds=kinds),
        *_outcomes("fair", FAIR, kinds=kinds),
    ]
    groups = Results(outcomes, ["fair", "good"]).groups("kind")
    assert list(groups) == ["formulas", "concepts", "fact"]
    assert groups["concepts"].averages(HEADLINE)["good"].n == 20
    leaders = {name: group.leader() for name, group in groups.items()}
    assert leaders["formulas"] == leaders["concepts"] == ("good", True)
    assert not leaders["fact"][1]
    few = Results([o for o in outcomes if o.case in {"c3", "c7", "c11"}], ["fair", "good"])
    assert list(few.groups("language")) == ["es"]
    assert [group.leader() for group in few.groups("kind").values()] == [("good", False)]
    assert few.groups("kind", "acceptable") == {}


def test_the_best_is_suggested_where_its_lead_is_shown() -> None:
    comparison = _comparison({"fair": FAIR, "good": GOOD})
    suggestion = comparison.suggest("fair")
    assert suggestion is not None
    assert (suggestion.chosen, suggestion.ties) == ("good", ("good",))


def test_ties_go_to_the_setting_in_force_or_to_the_fastest() -> None:
    slightly = [*GOOD[:-1], 0.9]
    outcomes = [
        *_outcomes("slow", GOOD, seconds=0.3),
        *_outcomes("quick", slightly, seconds=0.1),
        *_outcomes("poor", FAIR, seconds=0.01),
    ]
    comparison = Results(outcomes, ["slow", "quick", "poor"])
    for present, chosen in ((None, "quick"), ("slow", "slow"), ("poor", "quick")):
        suggestion = comparison.suggest(present)
        assert suggestion is not None
        assert (suggestion.best, suggestion.chosen) == ("slow", chosen)
        assert set(suggestion.ties) == {"slow", "quick"}
    assert Results([], ["slow"]).suggest(None) is None


def test_a_suggestion_is_written_between_the_lines_that_are_there(tmp_path: Path) -> None:
    path = tmp_path / "tutor.toml"
    path.write_text('# mine\nlanguage = "en" # keep\n\n[ollama]\nmodel = "llama3.2:1b" # small\n')
    (setting,) = parse_settings("fixed+k=8+retrieval.mode=dense+ollama.num_ctx=4096")
    config = load_config(tmp_path, {})
    written = write_settings(path, setting, config)
    assert written["k"] == 8
    text = path.read_text()
    for kept in ("# mine", "# keep", 'model = "llama3.2:1b" # small'):
        assert kept in text
    assert tomllib.loads(text)["ollama"] == {"model": "llama3.2:1b", "num_ctx": 4096}
    again = load_config(tmp_path, {})
    assert (again.strategy, again.k, again.retrieval.mode) == ("fixed", 8, "dense")
    assert list(tmp_path.iterdir()) == [path]


def test_a_suggestion_makes_the_file_that_is_missing(tmp_path: Path) -> None:
    (setting,) = parse_settings("retrieval.mode=dense")
    write_settings(tmp_path / "tutor.toml", setting, Config())
    assert load_config(tmp_path, {}).retrieval.mode == "dense"


def test_what_no_file_can_say_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "tutor.toml"
    (setting,) = parse_settings("chunk=400")
    with pytest.raises(ConfigError, match="another kind of index"):
        write_settings(path, setting, Config())
    (setting,) = parse_settings("k=8")
    path.write_text("not toml at all")
    with pytest.raises(ConfigError, match="cannot be changed") as error:
        write_settings(path, setting, Config())
    assert "k = 8" in error.value.remedy
    assert path.read_text() == "not toml at all"
    path.write_text('retrieval = "a text"')
    (setting,) = parse_settings("retrieval.mode=dense")
    with pytest.raises(ConfigError, match="cannot be changed"):
        write_settings(path, setting, Config())
