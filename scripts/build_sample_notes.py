"""Typeset the sample course: `scripts/sample_notes/*.typ` to `notes/*.pdf`.

The same sources give the same bytes on every machine: only the fonts that come with typst are
used, and the date inside a PDF is that in its name. `--check` fails when a PDF is missing, has no
source, or is not what its source gives.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import typst

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "scripts" / "sample_notes"
NOTES = ROOT / "notes"
LIBRARY = "lib.typ"
NAME = re.compile(r"\d{2}_SEMANA_AI_(\d{8})_\d+", re.ASCII)


class BuildError(Exception):
    """A source that cannot be typeset as it stands; the text says what to do."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--only", metavar="PATTERN", default="*", help="build the sources whose stem matches"
    )
    parser.add_argument("--check", action="store_true", help="compare and write nothing")
    options = parser.parse_args(arguments)
    sources = find_sources(options.only)
    if not sources:
        print(
            f"no source in {SOURCES} matches {options.only!r}; "
            "sources are named like 01_SEMANA_AI_20250804_1.typ",
            file=sys.stderr,
        )
        return 2
    problems = check(sources, options.only) if options.check else build(sources)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


def find_sources(pattern: str) -> list[Path]:
    """The sources whose stem matches the shell pattern, in the order of their names."""
    return sorted(path for path in SOURCES.glob(f"{pattern}.typ") if path.name != LIBRARY)


def build(sources: Sequence[Path]) -> list[str]:
    """Write the PDF of each source; what could not be written is returned."""
    problems: list[str] = []
    NOTES.mkdir(exist_ok=True)
    for target, content in typeset_all(sources, problems):
        if not target.exists() or target.read_bytes() != content:
            target.write_bytes(content)
            print(f"wrote {target.relative_to(ROOT)}")
    return problems


def check(sources: Sequence[Path], pattern: str) -> list[str]:
    """What differs between the sources and the PDFs in `notes/`."""
    problems: list[str] = []
    for target, content in typeset_all(sources, problems):
        if not target.exists():
            problems.append(f"{target.name} is missing; run scripts/build_sample_notes.py")
        elif target.read_bytes() != content:
            problems.append(
                f"{target.name} is not what its source gives; run scripts/build_sample_notes.py"
            )
    stems = {source.stem for source in sources}
    problems += [
        f"{path.name} has no source in scripts/sample_notes; remove it or add the source"
        for path in sorted(NOTES.glob(f"{pattern}.pdf"))
        if NAME.fullmatch(path.stem) and path.stem not in stems
    ]
    return problems


def typeset_all(sources: Sequence[Path], problems: list[str]) -> Iterator[tuple[Path, bytes]]:
    """Where each PDF stands, and its content; what cannot be typeset is added to `problems`."""
    for source in sources:
        try:
            yield NOTES / f"{source.stem}.pdf", typeset(source)
        except BuildError as error:
            problems.append(str(error))


def typeset(source: Path) -> bytes:
    """The PDF of a source, dated as its name says.

    Raises BuildError for a name that breaks the pattern, and for any error or warning of typst:
    a warning means a missing font or glyph, which would differ between machines.
    """
    match = NAME.fullmatch(source.stem)
    if match is None:
        raise BuildError(
            f"{source.name}: rename it to <week>_SEMANA_AI_<date>_<version>.typ, "
            "for example 01_SEMANA_AI_20250804_1.typ"
        )
    day = datetime.strptime(match[1], "%Y%m%d").replace(tzinfo=UTC)
    compiler = typst.Compiler(str(source), root=str(SOURCES), ignore_system_fonts=True)
    try:
        content, warnings = compiler.compile_with_warnings(
            format="pdf", timestamp=int(day.timestamp())
        )
    except typst.TypstError as error:
        raise BuildError(f"{source.name}: {error.diagnostic}") from error
    if warnings:
        raise BuildError(f"{source.name}: " + "; ".join(w.message for w in warnings))
    if not isinstance(content, bytes):
        raise BuildError(f"{source.name}: typst gave no PDF; does the source end early?")
    return content


if __name__ == "__main__":
    sys.exit(main())
