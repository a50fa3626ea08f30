"""Week, date and version from the names that files really have."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tutor.ingest.metadata import FileNameFields, parse_file_name

AUGUST = date(2025, 8, 4)


@pytest.mark.parametrize(
    ("name", "week", "when", "version"),
    [
        ("1_SEMANA_AI_20250804_1.pdf", 1, AUGUST, "1"),
        ("01_SEMANA_AI_20250804_v2.pdf", 1, AUGUST, "2"),
        ("12_semana_ai_2025-08-04_V1.2.PDF", 12, AUGUST, "1.2"),
        ("3_SEMANA_AI_04-08-2025_2.pdf", 3, AUGUST, "2"),
        ("3_SEMANA_AI_04082025_1.10.pdf", 3, AUGUST, "1.10"),
        ("3_SEMANA_AI_2025_08_04_3.pdf", 3, AUGUST, "3"),
        ("3_SEMANA_AI_04.08.2025_v3.pdf", 3, AUGUST, "3"),
        ("3_SEMANA_AI_20250804_2 (1).pdf", 3, AUGUST, "2"),
        ("3_SEMANA_AI_20250804_2(12).pdf", 3, AUGUST, "2"),
        ("3_SEMANA_AI_20250804_2 - copia.pdf", 3, AUGUST, "2"),
        ("3_SEMANA_AI_20250804_2_apuntes_finales.pdf", 3, AUGUST, "2"),
        ("Apuntes 3 SEMANA IA 20250804 version 2.pdf", 3, AUGUST, "2"),
        ("Semana 3 - IA - 2025-08-04 - versión 2.pdf", 3, AUGUST, "2"),
        ("semana_03_20250804.pdf", 3, AUGUST, None),
        ("3_SEMANA_AI_v2.pdf", 3, None, "2"),
        ("3_SEMANA_AI.pdf", 3, None, None),
        ("week 5 notes.pdf", 5, None, None),
        ("SEMANA_12-08-2025_1.pdf", None, date(2025, 8, 12), "1"),
        ("20122025.pdf", None, date(2025, 12, 20), None),
        ("notas_v3.pdf", None, None, "3"),
        ("3_SEMANA_AI_20251340_1.pdf", 3, None, None),
        ("3_SEMANA_AI_30-02-2025.pdf", 3, None, None),
    ],
)
def test_a_name_of_the_pattern(
    name: str, week: int | None, when: date | None, version: str | None
) -> None:
    assert parse_file_name(name) == FileNameFields(week, when, version)


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".pdf",
        "apuntes.pdf",
        "Tema 3.pdf",
        "12_T-test.pdf",
        "clase1_2025.pdf",
        "lshort-a4.pdf",
        "123_SEMANAS.pdf",
        "semanario 7x7.pdf",
        "IMG_00012345678901.pdf",
        "revisado.pdf",
        "nota_v2x.pdf",
        "\u0663_\u202e\x00.pdf",
    ],
)
def test_a_name_of_another_pattern_says_nothing(name: str) -> None:
    assert parse_file_name(name) == FileNameFields()


@settings(deadline=None)
@given(st.text(max_size=80) | st.text(alphabet="0123456789_-. semanvSEMANV()", max_size=80))
@example("1" * 100_000)
@example("_SEMANA" * 50_000)
@example("99999999_SEMANA_00_00_0000")
def test_no_name_is_too_strange(name: str) -> None:
    fields = parse_file_name(name)
    assert fields.week is None or 0 <= fields.week <= 99
    assert fields.version is None or fields.version.replace(".", "").isdigit()


@given(
    week=st.integers(0, 99),
    when=st.dates(date(1990, 1, 1), date(2099, 12, 31)),
    version=st.from_regex(r"[1-9][0-9]{0,2}(\.[0-9]{1,3})?", fullmatch=True),
    day=st.sampled_from(["%Y%m%d", "%Y-%m-%d", "%d-%m-%Y"]),
    mark=st.sampled_from(["", "v", "V"]),
)
@settings(deadline=None)
def test_what_the_pattern_writes_is_read_back(
    week: int, when: date, version: str, day: str, mark: str
) -> None:
    name = f"{week}_SEMANA_AI_{when.strftime(day)}_{mark}{version}.pdf"
    assert parse_file_name(name) == FileNameFields(week, when, version)
