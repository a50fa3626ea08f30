"""Read mutated PDFs, odd files and odd names as `tutor index` does, and count what comes of them.

    python -m scripts.fuzz_pdfs [--pdfs 2000] [--seconds S] [--seed 0]

The PDFs are typeset here and mutated with a fixed seed: bits, bytes, spans, numbers, names, what is
within compressed streams, pieces of other PDFs. They go through the product's own reading: its
processes, with its limits. An error that the product does not expect ends the run with its
traceback, as it would end `tutor index`.
"""

from __future__ import annotations

import argparse
import os
import re
import socket
import sys
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from multiprocessing import active_children
from pathlib import Path
from random import Random

from tests import pdfs
from tutor.cli.output import table
from tutor.config import ReadingConfig
from tutor.courses import Course, note_files
from tutor.index.build.plan import hash_files
from tutor.index.build.reading_processes import prepare_files
from tutor.index.store import Skipped
from tutor.ingest.prepared import Prepared

SETTINGS = ReadingConfig(ocr="off", timeout_s=20, memory_mb=1024)
_BATCH = 200
_NUMBER = re.compile(rb"(?<![\w.])-?\d+")
_NAME = re.compile(rb"/[A-Za-z]+")
_STREAM = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.DOTALL)
_NUMBERS = (b"0", b"-1", b"1", b"65536", b"2147483647", b"-2147483648", b"99999999999999999999")
SCANNED = "scanned"


@dataclass(slots=True)
class Outcome:
    """What came of files: how many for which reason (`read`: none), and what it took."""

    reasons: Counter[str] = field(default_factory=Counter)
    paths: dict[str, str] = field(default_factory=dict)
    """The reason by the path within the folder."""
    peak_mb: float = 0.0
    seconds: float = 0.0

    def add(self, path: str, reason: str) -> None:
        """Count one file."""
        self.reasons[reason] += 1
        self.paths[path] = reason


def seeds(folder: Path) -> dict[str, bytes]:
    """Sound PDFs of every kind that the tests know how to make, by kind."""
    makers: dict[str, Callable[[Path], object]] = {
        "column": pdfs.one_column,
        "columns": lambda path: pdfs.two_columns(path, [pdfs.LIPSUM] * 4, title="Título"),
        "slides": lambda path: pdfs.slides(path, [("Uno", ["a", "b"]), ("Dos", ["c", "d"])]),
        "formulas": pdfs.formulas,
        "table": pdfs.table_and_columns,
        "headers": pdfs.running_headers,
        "by hand": lambda path: pdfs.text_pages(path, [["Señal y ruido", "Año 2025"]] * 3),
        "accents": pdfs.pseudo_accents,
        "sideways": pdfs.sideways,
        "hostile": pdfs.hostile_characters,
        "locked": pdfs.owner_locked,
        "forms": lambda path: pdfs.nested_forms(path, levels=3, width=4),
        SCANNED: pdfs.scanned,
    }
    made = {}
    for kind, make in makers.items():
        path = folder / "seed"
        make(path)
        made[kind] = path.read_bytes()
    return made


def mutated(content: bytes, others: Sequence[bytes], random: Random) -> bytes:
    """The PDF after one to four changes."""
    for _change in range(random.randint(1, 4)):
        content = random.choice(_MUTATIONS)(content, random) if content else b""
    if random.random() < 0.1:
        other = random.choice(others)
        at, start = random.randrange(len(content) + 1), random.randrange(len(other))
        content = content[:at] + other[start : start + random.randint(1, 2000)] + content[at:]
    return content


def _bits(content: bytes, random: Random) -> bytes:
    changed = bytearray(content)
    for _bit in range(random.choice((1, 1, 3, 20, 200))):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def _noise(content: bytes, random: Random) -> bytes:
    start, length = _span(content, random)
    return content[:start] + random.randbytes(length) + content[start + length :]


def _gone(content: bytes, random: Random) -> bytes:
    start, length = _span(content, random)
    return content[:start] + content[start + length :]


def _doubled(content: bytes, random: Random) -> bytes:
    start, length = _span(content, random)
    return content[: start + length] + content[start:]


def _cut(content: bytes, random: Random) -> bytes:
    return content[: random.randrange(len(content))]


def _number(content: bytes, random: Random) -> bytes:
    return _replaced(_NUMBER, content, random, random.choice(_NUMBERS))


def _name(content: bytes, random: Random) -> bytes:
    names = _NAME.findall(content)
    return _replaced(_NAME, content, random, random.choice(names)) if names else content


def _within(content: bytes, random: Random) -> bytes:
    """Change what a compressed stream holds."""
    streams = list(_STREAM.finditer(content))
    if not streams:
        return content
    stream = random.choice(streams)
    try:
        plain = zlib.decompress(stream[1])
    except zlib.error:
        plain = stream[1]
        return content[: stream.start(1)] + _bits(plain or b" ", random) + content[stream.end(1) :]
    packed = zlib.compress(random.choice((_bits, _noise, _number))(plain or b" ", random))
    return content[: stream.start(1)] + packed + content[stream.end(1) :]


def _span(content: bytes, random: Random) -> tuple[int, int]:
    return random.randrange(len(content)), random.choice((1, 4, 16, 100, 1000))


def _replaced(pattern: re.Pattern[bytes], content: bytes, random: Random, new: bytes) -> bytes:
    matches = list(pattern.finditer(content))
    if not matches:
        return content
    one = random.choice(matches)
    return content[: one.start()] + new + content[one.end() :]


_MUTATIONS = (_bits, _noise, _gone, _doubled, _cut, _number, _number, _name, _within, _within)

_ODD_NAMES = (
    b"Ex\xe1men.pdf", b"Ex\xe2men.pdf", b"\xff\xfe.pdf", b"a\nb.pdf", b"a\tb.pdf", b"a\rb.pdf",
    b"\x1b[2J.pdf", b"\x1b]0;x\x07.pdf", b"\xc2\x9b31m.pdf", "\u202efdp.exe.pdf".encode(),
    "\u2066a.pdf".encode(), "a\u200bb.pdf".encode(), "\ufeffa.pdf".encode(), "ñ.pdf".encode(),
    "n\u0303.pdf".encode(), "日本語.pdf".encode(), "🎓.pdf".encode(), "ﬁn.pdf".encode(),
    b" .pdf", b"a .pdf", b"a. .pdf", b"-rf.pdf", b"--help.pdf", b"=1+1.pdf", b"+1.pdf", b"@x.pdf",
    b"'.pdf", b'".pdf', b"`id`.pdf", b"a$(id).pdf", b"a$HOME.pdf", b"~.pdf", b"*.pdf", b"?.pdf",
    b"[a].pdf", b"[b]x[].pdf", b"{a}.pdf", b"%s.pdf", b"%(file)s.pdf", b"a;b.pdf", b"a|b.pdf",
    b"a&b.pdf", b"a<b>.pdf", b"a\\b.pdf", b"a:b.pdf", b"con.pdf", b"nul.pdf", b"a..pdf.pdf",
    b"a..pdf", b"a.PDF", b"a.Pdf", b"a.pdf.pdf", b"x" * 200 + b".pdf", "ñ".encode() * 120 + b".pdf",
    b"99_SEMANA_AI_99999999_1.pdf", b"00_SEMANA_AI_00000000_0.pdf", b"01_SEMANA_AI_20250230_1.pdf",
    b"007_SEMANA_AI_20250804_999999999999.pdf", b"1_SEMANA_AI__.pdf", b"manifest.json.pdf",
)  # fmt: skip
"""Names of sound PDFs, all of which are to be read."""


def odd_names(folder: Path) -> None:
    """Sound PDFs, each another, under odd names."""
    folder.mkdir()
    for number, name in enumerate(_ODD_NAMES):
        pdfs.text_pages(folder / os.fsdecode(name), [[f"La entropía número {number}"]])


def odd_files(folder: Path) -> int:
    """What is called PDF and is none, or is one with something about it; gives how many."""
    folder.mkdir()
    sound = pdfs.text_pages(folder / "sound.pdf", [["La entropía"]]).read_bytes()
    contents = [
        b"", b"\0", b"\n", b"%PDF-", b"%PDF-1.7\n", b"%PDF-9.9\n%%EOF", b"%%EOF",
        b"%PDF-" * 10**5, b"\0" * 10**6, b"\xff" * 10**6, b"PK\x03\x04" + bytes(100),
        b"\x89PNG\r\n\x1a\n", b"\x1f\x8b", b"<!doctype html>", b"{}", "á".encode("utf-16"),
        zlib.compress(sound), sound[::-1],
        sound * 2, sound + bytes(10**6), bytes(1000) + sound, bytes(2000) + sound, sound[:-6],
        sound.replace(b"\n", b"\r"), sound.replace(b"\n", b"\r\n"), sound.replace(b"obj", b"OBJ"),
        sound.replace(b"endobj", b""), sound.replace(b"/Type", b"/Tipo"), sound.upper(),
        sound.replace(b"%PDF-1.7", b"%PDF-1.7" + b"%" * 10**6), sound.replace(b"0 R", b"1 R"),
        sound.replace(b"/Count", b"/Count 99999999 %"), sound.replace(b"/Kids", b"/Kids [1 0 R] %"),
        b"%PDF-1.7\n" + b"[" * 10**6, b"%PDF-1.7\n" + b"<<" * 10**6, b"%PDF-1.7\n" + b"(" * 10**6,
        b"%PDF-1.7\ntrailer <</Root 1 0 R>>\n1 0 obj <</Pages 1 0 R /Kids [1 0 R]>> endobj\n%%EOF",
    ]  # fmt: skip
    for number, content in enumerate(contents):
        (folder / f"odd{number}.pdf").write_bytes(content)
    os.mkfifo(folder / "pipe.pdf")
    (folder / "folder.pdf").mkdir()
    (folder / "loop.pdf").symlink_to("loop.pdf")
    (folder / "nowhere.pdf").symlink_to("nothing")
    (folder / "zero.pdf").symlink_to("/dev/zero")
    (folder / "self").symlink_to(folder)
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(os.path.relpath(folder / "socket.pdf"))
    return len(contents) + 8


def read_all(folder: Path, settings: ReadingConfig = SETTINGS) -> Outcome:
    """Read every PDF of a folder as a course's notes are read."""
    outcome, started = Outcome(), time.monotonic()
    hashed, unreadable = hash_files(note_files(Course("fuzz", folder, folder / "no store")))
    for file in unreadable:
        outcome.add(file.path, file.reason)
    with closing(prepare_files(hashed, settings)) as results:
        for result in results:
            outcome.peak_mb = max(outcome.peak_mb, _children_mb())
            if isinstance(result, Skipped):
                outcome.add(result.path, result.reason)
            elif isinstance(result, Prepared):
                outcome.add(result.source.path, "read")
    outcome.seconds = time.monotonic() - started
    return outcome


def _children_mb() -> float:
    """The most that one of our processes has ever held, in MB."""
    most = 0.0
    for child in active_children():
        try:
            status = Path(f"/proc/{child.pid}/status").read_text()
        except OSError:
            continue
        found = re.search(r"VmHWM:\s+(\d+) kB", status)
        most = max(most, int(found[1]) / 1024 if found else 0.0)
    return most


def write_mutated(folder: Path, made: dict[str, bytes], random: Random, count: int) -> None:
    """Write so many mutated PDFs, each named after its seed."""
    folder.mkdir()
    kinds = list(made)
    for number in range(count):
        kind = random.choice(kinds)
        content = mutated(made[kind], list(made.values()), random)
        (folder / f"{kind} {number:05d}.pdf").write_bytes(content)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pdfs", type=int, default=2000, metavar="N")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no more then")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    random, total = Random(options.seed), Outcome()
    called_scanned = with_text = 0
    with tempfile.TemporaryDirectory() as name:
        root, left = Path(name), options.pdfs
        made = seeds(root)
        while left and total.seconds < options.seconds:
            count = min(_BATCH, left)
            left -= count
            write_mutated(root / f"left {left}", made, random, count)
            outcome = read_all(root / f"left {left}")
            total.reasons += outcome.reasons
            total.seconds += outcome.seconds
            total.peak_mb = max(total.peak_mb, outcome.peak_mb)
            textual = {p: r for p, r in outcome.paths.items() if not p.startswith(SCANNED)}
            with_text += len(textual)
            called_scanned += sum(reason == "no_text" for reason in textual.values())
            for path, reason in outcome.paths.items():
                if reason in {"crash", "memory", "too_long", "stalled", "killed"}:
                    print(f"{reason}: {path}", file=sys.stderr)
        odd_names(root / "names")
        names = read_all(root / "names")
        number = odd_files(root / "files")
        files = read_all(root / "files")
    done = total.reasons.total()
    reasons = sorted(total.reasons | names.reasons | files.reasons)
    rows = [["came of it", "mutated", "odd names", "odd files"]]
    rows += [[r, *(str(one.reasons[r]) for one in (total, names, files))] for r in reasons]
    print(table(rows))
    print(
        f"\n{done} mutated PDFs in {total.seconds:.0f} s: {1000 * total.seconds / done:.0f} ms each"
    )
    print(f"{len(_ODD_NAMES)} odd names in {names.seconds:.0f} s")
    print(f"{number} odd files in {files.seconds:.0f} s")
    peak = max(one.peak_mb for one in (total, names, files))
    print(f"The most that a reading process held: {peak:.0f} MB.")
    print(f"Called scanned: {called_scanned} of {with_text} damaged PDFs that had a text layer.")


if __name__ == "__main__":
    main()
