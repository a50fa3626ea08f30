"""Measure what the product promises about speed, as ratios within one run.

    python -m scripts.speed [--notes FOLDER] [--runs 5] [--json]

Works on a copy of the notes in a temporary folder. Needs nothing but the bundled embedder.
Times are wall-clock seconds of whole commands in fresh processes unless it says otherwise; what
retrieval costs beside the embedder is measured by `tutor bench`.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tutor.app import find_course, make_embedder, open_course
from tutor.config import Config, load_config
from tutor.index.build.embedding_queue import EmbeddingQueue
from tutor.index.store.sentences import Sentences
from tutor.model import Strategy

if TYPE_CHECKING:
    from tutor.index.store import StoreReader

ROOT = Path(__file__).resolve().parent.parent

QUESTIONS = (
    "¿Qué es una red neuronal?",
    "¿Cómo se calcula la precisión?",
    "¿Para qué sirve la validación cruzada?",
    "What is gradient descent?",
    "¿Qué diferencia hay entre bagging y boosting?",
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--notes", type=Path, default=ROOT / "notes", help="folder of PDFs")
    parser.add_argument("--runs", type=int, default=5, help="repetitions of the quick commands")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    arguments = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # Python runs what it has compiled before
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        shutil.copytree(arguments.notes, root / "notes")
        os.environ.update(
            {"TUTOR_ROOT": folder, "TUTOR_EMBEDDER_KIND": "bundled", "TUTOR_COURSE": "default"}
        )
        results = measure(root, arguments.runs)
    print(json.dumps(results, indent=1) if arguments.json else as_table(results))
    return 0


def measure(root: Path, runs: int) -> dict[str, Any]:
    """Every figure, by name."""
    config = load_config(root, os.environ)
    largest = max((root / "notes").glob("*.pdf"), key=lambda path: path.stat().st_size)
    held_back = largest.rename(root / largest.name)
    results: dict[str, Any] = {"cpus": os.cpu_count()}
    results["python -c pass (s)"] = median_of(runs, [sys.executable, "-c", "pass"])
    results["tutor --help (s)"] = median_of(runs, tutor("--help"))
    before = processor_time()
    first, summary = timed_index()
    results["index: files, pages, chunks"] = [
        summary["documents"],
        summary["pages"],
        sum(summary["chunks"].values()),
    ]
    results["index (s)"] = first
    results["index: processor time (s)"] = processor_time() - before
    results["index: memory of the largest process (MB)"] = largest_process()
    with tempfile.TemporaryDirectory() as work:
        bare, of_processor = bare_embedding(config, Path(work))
    results["bare embedder, same texts and batches (s)"] = bare
    results["bare embedder: processor time (s)"] = of_processor
    results["index rate / bare embedder"] = bare / first
    again, unchanged = timed_index()
    results["index again, unchanged (s)"] = again
    results["index again: files read"] = unchanged["read"]
    results |= one_new_file(held_back, root / "notes", first, sum(summary["chunks"].values()))
    results["ask, cold, extractive (s)"] = median_of(
        runs, tutor("ask", "--engine", "extractive", QUESTIONS[0])
    )
    return results


def tutor(*arguments: str) -> list[str]:
    return [sys.executable, "-c", "from tutor.cli.main import main; main()", *arguments]


def seconds(command: list[str]) -> tuple[float, str]:
    started = time.perf_counter()
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    if run.returncode not in {0, 8}:
        raise SystemExit(f"{' '.join(command)} failed:\n{run.stderr}")
    return time.perf_counter() - started, run.stdout


def median_of(runs: int, command: list[str]) -> float:
    return statistics.median(seconds(command)[0] for _run in range(runs))


def processor_time() -> float:
    """Seconds of all processes that have ended, and of those they started."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def largest_process() -> int:
    """The most memory that one of them has held, mapped files included."""
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // unit


def timed_index() -> tuple[float, dict[str, Any]]:
    duration, output = seconds(tutor("index", "--json"))
    return duration, json.loads(output)["default"]


def bare_embedding(config: Config, work: Path) -> tuple[float, float]:
    """What the embedder alone needs for what the index needed it for; `work` is empty.

    Seconds by the clock, and of the processor.
    """
    embedder, _why = make_embedder(config)
    with opened(config) as store:
        chunks = [chunk.text for one in Strategy for chunk in store.chunks(one).chunks]
        sentences = Sentences().collect(map(store.text, store.sources))
    queue = EmbeddingQueue(work, embedder, {})
    embedder.embed_passages([""])
    before = time.process_time()
    for texts in (chunks, sentences):
        queue.add(texts)
        while queue.waiting:
            queue.embed_batch()
    return queue.counts.seconds, time.process_time() - before


def one_new_file(held_back: Path, notes: Path, first: float, chunks: int) -> dict[str, Any]:
    """Add the file that was held back, and name its share of the work."""
    held_back.rename(notes / held_back.name)
    before = processor_time()
    duration, added = timed_index()
    return {
        "index, one new file (s)": duration,
        "one new file: processor time (s)": processor_time() - before,
        "one new file: files read": added["read"],
        "one new file: its time / all the others' time": duration / first,
        "one new file: its chunks / all the others' chunks": sum(added["chunks"].values()) / chunks
        - 1,
    }


def opened(config: Config) -> StoreReader:
    embedder, _why = make_embedder(config)
    return open_course(config, find_course(config), embedder)


def as_table(results: dict[str, Any]) -> str:
    width = max(map(len, results))
    return "\n".join(f"{name:<{width}}  {_number(value)}" for name, value in results.items())


def _number(value: object) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    sys.exit(main())
