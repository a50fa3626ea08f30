"""Keep the message catalogs: `update` after a change of texts, `check` in CI.

`update` collects the texts that the code and its libraries show, merges them into
`tutor/locales/es/LC_MESSAGES/tutor.po` and compiles that; untranslated ones are listed.
`check` fails when a text is missing, untranslated, doubtful, or its compiled form is old.
"""

from __future__ import annotations

import argparse
import io
import re
import sys
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "tutor"
KEYWORDS = {"_": None, "N_": None, "gettext": None, "ngettext": (1, 2), "plural": (1, 2)}
# Message ids of libraries, a singular and its plural with " | " between.
LIBRARY_TEXTS = {name: ROOT / "scripts" / f"{name}_messages.txt" for name in ("click", "textual")}
LANGUAGE = "es"
CATALOG = PACKAGE / "locales" / LANGUAGE / "LC_MESSAGES" / "tutor.po"
_PLACEHOLDER = re.compile(r"%\(\w+\)[-+ #0-9.]*[a-zA-Z]|\{[^}]*\}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("action", choices=["update", "check"])
    action = parser.parse_args().action
    catalog = _read()
    template = _extract()
    if action == "update":
        catalog.update(template, no_fuzzy_matching=True)
        catalog.obsolete.clear()
        _write(catalog)
    problems = [*_problems(catalog, template)]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


def _extract() -> Catalog:
    template = Catalog(locale=LANGUAGE, charset="utf-8")
    found = extract_from_dir(PACKAGE, [("**.py", "python")], keywords=KEYWORDS)
    for path, _line, text, comments, _context in found:
        template.add(text, locations=[(f"tutor/{path}", 0)], auto_comments=comments)
    for library, file in LIBRARY_TEXTS.items():
        for text in file.read_text(encoding="utf-8").splitlines():
            singular, _bar, plural = text.partition(" | ")
            template.add((singular, plural) if plural else singular, locations=[(library, 0)])
    return template


def _read() -> Catalog:
    if not CATALOG.exists():
        return Catalog(locale=LANGUAGE, project="tutor", charset="utf-8")
    with CATALOG.open("rb") as file:
        return read_po(file, locale=LANGUAGE)


def _write(catalog: Catalog) -> None:
    CATALOG.parent.mkdir(parents=True, exist_ok=True)
    with CATALOG.open("wb") as file:
        write_po(file, catalog, width=100, sort_output=True, include_lineno=False)
    CATALOG.with_suffix(".mo").write_bytes(_compiled(catalog))


def _compiled(catalog: Catalog) -> bytes:
    buffer = io.BytesIO()
    write_mo(buffer, catalog)
    return buffer.getvalue()


def _problems(catalog: Catalog, template: Catalog) -> list[str]:
    problems = [
        f"not in the catalog: {message.id!r}"
        for message in template
        if message.id and message.id not in catalog
    ]
    for message in catalog:
        if message.id:
            problems += [f"{what}: {message.id!r}" for what in _faults(message)]
    compiled = CATALOG.with_suffix(".mo")
    if not compiled.exists() or compiled.read_bytes() != _compiled(catalog):
        problems.append(
            "tutor.mo is not compiled from tutor.po; run: scripts/translations.py update"
        )
    return problems


def _faults(message: Message) -> list[str]:
    given = message.string or ""
    texts = [given] if isinstance(given, str) else list(given)
    if not all(texts):
        return ["not translated"]
    if message.fuzzy:
        return ["doubtful (fuzzy)"]
    wanted = [message.id] if isinstance(message.id, str) else list(message.id)
    allowed = {tuple(sorted(_PLACEHOLDER.findall(text))) for text in wanted}
    if any(tuple(sorted(_PLACEHOLDER.findall(text))) not in allowed for text in texts):
        return ["placeholders differ"]
    return []


if __name__ == "__main__":
    sys.exit(main())
