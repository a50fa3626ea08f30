"""How far false and foreign documents among the notes mislead retrieval, quotes and the map.

    python -m scripts.map_robustness FOLDER [--kinds another,version,foreign] [--shares 10,50,100]
        [--foreign PDFS]

Copies the sample course into FOLDER, adds documents to it, indexes them as the product does, and
asks the shipped questions without a language model. `another`: the notes typeset anew with false
contents under another author's name, a day later; `version`: the same as newer versions by the
same authors; `foreign`: PDFs of another course, from `--foreign`. A share of 100 doubles the
course (or adds all PDFs that there are). FOLDER keeps the indexes: a second run only asks.

False contents: the bodies of definitions change places, and so do the terms in bold; numbers are
others, opposites are exchanged and sentences negated. What holds nothing of that stays true.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path

import pandas as pd
import typst

from scripts._course import ROOT, ask, course_agent, share
from scripts.build_sample_notes import LIBRARY, SOURCES, find_sources
from scripts.quotes import QUESTIONS, Known, holds, read_questions
from tutor.answer import Agent
from tutor.config import load_config
from tutor.errors import ExitCode
from tutor.evaluation.cases import Case, sample_questions
from tutor.map.course_map import open_map
from tutor.model import Citation
from tutor.text.folding import folded

SOMEBODY = "Marco Vidal Soto"
OPPOSITES = """nunca siempre mayor menor mayores menores máximo mínimo máxima mínima maximizar
minimizar maximiza minimiza aumenta disminuye aumentar disminuir sube baja crece decrece positivo
negativo positiva negativa positivos negativos alto bajo alta baja sobreajuste subajuste rápido
lento rápida lenta mejor peor primero último más menos antes después todos ningún""".split()
_OTHER = {word: OPPOSITES[place ^ 1] for place, word in reversed(list(enumerate(OPPOSITES)))}
_OPPOSITE = re.compile(rf"\b(?:{'|'.join(_OTHER)})\b")
_DEFINITION = re.compile(r'^#definicion\("([^"]+)"\)\[(.+)\]$', re.MULTILINE)
_BOLD = re.compile(r"(?<![\\\w])\*(?=\w)([^*\n$_\[\]#\\@`]{3,40})(?<=\w)\*(?!\w)")
_NUMBER = re.compile(r"(?<![\w.@\"\\#-])(\d*\.?\d*)(\d)(?![\w.\"]*[\d(:\"])")
_APART = re.compile(r"(\$[^$]*\$|`[^`]*`|\"[^\"]*\"|#\w+(?:\([^)]*\))?|@[\w-]+)")
"""What has to stay as it is to be typeset: formulas, code, texts, calls and references."""
_TOLD = re.compile(r"[^\W\d_*«¿]|[-+] |\*|«|¿|  \[")
"""How a line begins that says something."""


def false_course(folder: Path, kind: str) -> list[Path]:
    """The notes with false contents, typeset into a folder: each where it stands among them."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(SOURCES / LIBRARY, folder)
    sources = [(path, path.read_text(encoding="utf-8")) for path in find_sources("*")]
    defined = [match for _path, text in sources for match in _DEFINITION.findall(text)]
    made = []
    for path, original in sources:
        week, rest = path.stem.split("_SEMANA_AI_")
        day, version = rest.split("_")
        when = date.fromisoformat(day)
        authors = r"\g<0>"
        if kind == "another":
            when += timedelta(days=1)
            authors = f'autores: ("{SOMEBODY}",),'
        else:
            version = str(int(version) + 2)
        head = f'fecha: "{when}", version: "{version}"'
        text = re.sub(r"autores: \([^\n]*\),", authors, original, count=1)
        text = re.sub(r'fecha: "[^"]*", version: "[^"]*"', head, text)
        target = folder / f"{week}_SEMANA_AI_{when:%Y%m%d}_{version}.pdf"
        if not target.exists():
            source = target.with_suffix(".typ")
            source.write_text(falsified(text, defined), encoding="utf-8")
            target.write_bytes(
                typst.compile(str(source), root=str(folder), ignore_system_fonts=True)
            )
        made.append(target)
    return made


def falsified(text: str, defined: Sequence[tuple[str, str]]) -> str:
    """A source that says other things than this one and looks like it."""
    bodies = {term: defined[(n + 1) % len(defined)] for n, (term, _body) in enumerate(defined)}
    head, separator, body = text.partition("\n)\n")
    terms = _BOLD.findall(body)
    turned = iter([*terms[1:], *terms[:1]])
    body = _BOLD.sub(lambda _match: f"*{next(turned)}*", body)
    body = _DEFINITION.sub(lambda match: _moved(match[1], *bodies[match[1]]), body)
    lines, code = [], False
    for line in body.split("\n"):
        code ^= line.startswith("```")
        lines.append(line if code or not _TOLD.match(line) else _turned(line))
    return head + separator + "\n".join(lines)


def _moved(term: str, other: str, said: str) -> str:
    """A definition with the body of another one, which speaks of this term now."""
    said = re.sub(re.escape(other), term.lower(), said, flags=re.IGNORECASE)
    return f'#definicion("{term}")[{said}]'


def _turned(line: str) -> str:
    """A line with other numbers and opposites, or a verb negated, outside of what is typeset."""
    parts = _APART.split(line)
    parts[::2] = [_false(part) for part in parts[::2]]
    return "".join(parts)


def _false(part: str) -> str:
    part = _NUMBER.sub(lambda match: f"{match[1]}{(int(match[2]) + 3) % 10}", part)
    turned = _OPPOSITE.sub(lambda match: _OTHER[match[0]], part)
    if turned == part:
        turned = re.sub(r"\bno (?=\w+[aeo]n?\b)", "", part, count=1)
    if turned == part:
        turned = re.sub(r"(?<= )(es|son|tiene|puede) ", r"no \1 ", part, count=1)
    return turned


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kinds", default="another,version,foreign")
    parser.add_argument("--shares", default="10,50,100")
    parser.add_argument("--foreign", type=Path)
    chosen = parser.parse_args()
    clean: dict[str, str] = {}
    for name, course in courses(chosen):
        index(course)
        told, defined = measured(course)
        clean = clean or {key: said for key, (_path, said) in defined.items()}
        false = [
            float(not (ROOT / "notes" / path).exists() and said != clean[key])
            for key, (path, said) in defined.items()
            if key in clean
        ]
        row = {"course": name, **{column: share(told[column].dropna()) for column in told.columns}}
        row["false definitions"] = share(false)
        print(*(f"{name}: {value}" for name, value in row.items()), sep="\n", flush=True)
    return 0


def courses(chosen: argparse.Namespace) -> Iterator[tuple[str, Path]]:
    """The course as it is, then with more and more documents of each kind. A name and a folder."""
    base: Path = chosen.folder / "clean"
    _copied(base, [])
    yield "clean", base
    for kind in chosen.kinds.split(","):
        if kind == "foreign":
            added = sorted(chosen.foreign.rglob("*.pdf"))
        else:
            added = false_course(chosen.folder / "false" / kind, kind)
        random.Random(1).shuffle(added)
        before = base
        for percent in map(int, chosen.shares.split(",")):
            course = chosen.folder / f"{kind}-{percent}"
            number = round(percent / 100 * len(list((ROOT / "notes").glob("*.pdf"))))
            if not (course / "stores").exists():
                _copied(course, added[:number])
                shutil.copytree(before / "stores", course / "stores")
            yield f"{kind}, {min(number, len(added))} documents", course
            before = course


def _copied(course: Path, added: Sequence[Path]) -> None:
    notes = course / "notes"
    notes.mkdir(parents=True, exist_ok=True)
    for path in [*(ROOT / "notes").glob("*.pdf"), *added]:
        shutil.copy(path, notes / path.name)


def index(course: Path) -> None:
    """Bring its index up to date, as far as its PDFs can be read."""
    command = [sys.executable, "-m", "tutor", "index"]
    done = subprocess.run(command, env=_environment(course), check=False, stdout=subprocess.DEVNULL)
    if done.returncode not in (0, ExitCode.PARTIAL):
        raise SystemExit(done.returncode)


def _environment(course: Path) -> dict[str, str]:
    named = {"TUTOR_ROOT": str(course), "TUTOR_STORES_DIR": str(course / "stores")}
    return {**os.environ, **named, "PYTHONPATH": str(ROOT)}


def measured(course: Path) -> tuple[pd.DataFrame, dict[str, tuple[str, str]]]:
    """What came of each shipped question; of each concept defined where, and in which words."""
    config = load_config(course, _environment(course), {"engine": "extractive"})
    known = {case.id: case for case in read_questions(QUESTIONS)}
    with course_agent(config) as agent, open_map(agent.store) as made:
        told = pd.DataFrame([_outcome(c, known.get(c.id), agent) for c in sample_questions()])
        places = {folded(one.name): one.place for one in made.concepts.values() if one.defined}
        return told, {
            name: (
                agent.store.sources[at.document].path,
                " ".join(agent.store.text(at.document).text[at.start : at.end].split()),
            )
            for name, at in places.items()
        }


def _outcome(case: Case, known: Known | None, agent: Agent) -> dict[str, float]:
    made, _route, hits, _verdict = ask(case.question, agent, agent.strategy)
    if known is None:
        return {"refused rightly": float(made.abstained)}
    found = [
        {(hit.source.path, n) for n in range(hit.chunk.first_page, hit.chunk.last_page + 1)}
        for hit in hits
    ]
    pages = [not here.isdisjoint(case.pages) for here in found]
    quotes = [one for one in made.citations if isinstance(one, Citation)]
    first = made.text[quotes[0].start : quotes[0].end] if quotes else ""
    false = bool(quotes) and not (ROOT / "notes" / quotes[0].hit.source.path).exists()
    misled = false and not holds(first, known)
    parted = float("\n> " in made.text)
    return {
        "page@4": float(any(pages[:4])),
        "MRR@10": next((1 / n for n, hit in enumerate(pages[:10], 1) if hit), 0.0),
        "first quote": float(holds(first, known)),
        "answer": float(holds(made.text, known)),
        "first quote false": float(misled),
        "disagreement shown": parted,
        **({"and where the first quote is false": parted} if misled else {}),
        "refused wrongly": float(made.abstained),
    }


if __name__ == "__main__":
    sys.exit(main())
