"""Terms that have several names, in a text."""

from __future__ import annotations

from tutor.text.other_names import terms_with_other_names


def test_the_longest_name_counts_and_small_words_do_not() -> None:
    text = "¿Cómo funciona el gradiente descendente estocástico en el descenso por gradiente?"
    first, second = terms_with_other_names(text)
    assert text[first.start : first.end] == "gradiente descendente estocástico"
    assert "descenso de gradiente estocástico" in first.other_names
    assert text[second.start : second.end] == "descenso por gradiente"
    assert "gradiente descendente" in second.other_names


def test_number_and_accents_do_not_count() -> None:
    text = "maquinas de vectores de soporte"
    (term,) = terms_with_other_names(text)
    assert (term.start, term.end) == (0, len(text))
    assert "SVM" in term.other_names
    (term,) = terms_with_other_names("what causes hallucinations?")
    assert "alucinación" in term.other_names


def test_what_is_not_so_is_another_thing() -> None:
    (informed,) = terms_with_other_names("búsqueda informada")
    (blind,) = terms_with_other_names("búsqueda no informada")
    assert not set(informed.other_names) & set(blind.other_names)


def test_what_has_one_name_only_is_none() -> None:
    assert terms_with_other_names("hola, ¿qué tal la semana?") == []


def test_a_short_stem_names_nothing_but_its_own_word() -> None:
    (goal,) = terms_with_other_names("¿cuál es la meta?")
    assert "estado objetivo" in goal.other_names
    assert terms_with_other_names("las metas")
    assert not terms_with_other_names("¿se pueden meter repetidos?")
