"""What one document gives to the map: its sections, names, definitions and citations.

Nothing here looks at other documents, so that it holds as long as the document stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain

from tutor.map.definitions import Cue, Definition, definitions
from tutor.map.lesson import Lesson
from tutor.map.parentheses import Cited, cited, glossed_terms, people_in
from tutor.map.wording import is_matter
from tutor.map.words import Run, key_of, runs_of_words
from tutor.model import Block, BlockKind, CleanText, Section, Source
from tutor.text.folding import folded
from tutor.text.paragraphs import cells_of, unnumbered
from tutor.text.sentences import split_sentences
from tutor.text.words import STOP_WORDS_OF_BOTH


@dataclass(frozen=True, slots=True)
class Name:
    """A name at `text[start:end]`. `other` is another name of the same thing, if one is given."""

    text: str
    cue: Cue
    start: int
    end: int
    other: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """All that a document says by itself."""

    source: Source
    text: CleanText
    names: tuple[Name, ...]
    definitions: tuple[Definition, ...]
    """One for each name: of "X y Y" there are two."""
    citations: tuple[Cited, ...]
    runs: tuple[tuple[Block, Run], ...]
    """Its words with the blocks that they are in, but for code and drawings."""


_AND = re.compile(r"\s*(?:[,:;]|(?<!\w)(?:y|e|o|and|or|vs\.?|frente a)(?!\w))\s+")
_BOTH = re.compile(r" (?:y|and) ")
_ARTICLE = re.compile(r"\A(?:el|la|los|las|una?|the|an?)\s+", re.IGNORECASE)
_GLOSS = re.compile(r"\s*\(([^()]{2,60})\)\s*")
_SUBJECT = re.compile(r"(?:El|La|Los|Las|Una?|The|An?) ([^,.;:()=]{2,60}?) (?=\([^()\d=]{2})")
""" "Una red neuronal convolucional (convolutional neural network, CNN) es …" """
_NO_TITLE = re.compile(
    r"\W*(?:c[oó]mo|cu[aá]\w+|por qu[eé]|para (?:qu[eé]|recordar)|qu[eé]|how|why|when|where|what"
    r"|parte \d|part \d|paso \d|step \d|ejemplo|example|en c[oó]digo|in code|agenda|resumen|summary"
    r"|glosario|glossary|lista de|receta|pr[oó]xima|evaluaci[oó]n del|breve|m[aá]s de|otr[oa]s)\b",
    re.IGNORECASE,
)
_NAMES_OF = frozenset(
    """metodo metodos tecnica tecnicas algoritmo algoritmos modelo modelos red redes arquitectura
    medida medidas metrica metricas variante variantes estrategia estrategias funcion funciones
    optimizador distribucion nombre termino concepto tipo criterio criterion method technique
    algorithm model measure metric term concept name etapa remedio enfoque""".split()
)
"""Heads of a table's first column under which names of things of the course stand."""
_AFTER_SOMEBODY = re.compile(
    r"\b(?:teorema|ley|desigualdad|regla|m[eé]todo|algoritmo|distancia|distribuci[oó]n|coeficiente"
    r"|[ií]ndice|prueba|ecuaci[oó]n|criterio|proceso de decisi[oó]n|cadena|suavizado|m[aá]quina)\s+"
    r"(?:de\s+)?(?!(?:La|El|Los|Las|Un|Una|Si|En)\b)[A-ZÁÉÍÓÚÑ][\w-]*"
    r"(?:[\s-](?:y\s)?[A-ZÁÉÍÓÚÑ][\w-]*){0,2}"
)
_YEARS = frozenset(("ano", "fecha", "year", "date"))
_ENGLISH = frozenset(("ingles", "english"))
_SPANISH = frozenset(("espanol", "castellano", "spanish"))
_VERB = re.compile(r"\w+[aei]r\b|Definici[oó]n|llama\b|caso\b|uso\b", re.IGNORECASE)
_NO_NAME = re.compile(r"[_=<>]|\d{2}")
_INFINITIVE = re.compile(r"\w+[aei]r(?:se)? \w|\w{4,}[aei]r\Z|.*…")
"""How a title begins that says what is done rather than what there is."""


def facts_of(source: Source, text: CleanText) -> Facts:
    """Read a document."""
    lesson = Lesson(source, text)
    defined = definitions(lesson)
    made = [
        *_of_titles(text),
        *_of_definitions(defined),
        *_of_sentences(lesson),
        *chain.from_iterable(
            _of_table(text, block) for block in text.blocks if block.kind is BlockKind.TABLE
        ),
        *_named_after(text),
    ]
    citations = tuple(cited(text))
    made += [
        Name(person, Cue.PERSON, one.start, one.end) for one in citations for person in one.people
    ]
    return Facts(
        source,
        text,
        tuple(made),
        tuple(
            replace(one, term=term.partition(" o ")[0])
            for one in defined
            for term in _BOTH.split(_bare(one.term))
        ),
        citations,
        tuple(_runs(text)),
    )


def _runs(text: CleanText) -> Iterator[tuple[Block, Run]]:
    for block in text.blocks:
        if block.kind not in (BlockKind.CODE, BlockKind.FIGURE):
            for run in runs_of_words(text.text, block.start, block.end):
                yield block, run


def _of_definitions(defined: Iterable[Definition]) -> Iterator[Name]:
    """What definitions are of: "X y Y" are two things, "X o Y" is one thing with two names.

    "Definición (X). Una Y (translation) …" has two names for one thing, too.
    """
    for one in defined:
        cue = one.form
        for term in _BOTH.split(one.term):
            name, _or, other = term.partition(" o ")
            if cue is Cue.FORMAL and not other and (longer := _SUBJECT.match(one.said)):
                other = longer[1]
            if other and cue is Cue.FORMAL:
                yield Name(name, cue, one.start, one.end, other)
            else:
                yield _named(term, cue, one.start, one.end)


def _bare(term: str) -> str:
    return " ".join(_GLOSS.sub(" ", term).split())


def _within(term: str) -> str:
    found = _GLOSS.search(term)
    return re.split(r"[,;]", found[1])[0].strip() if found else ""


def _named(term: str, cue: Cue, start: int, end: int) -> Name:
    """A name, and the other one that stands in parentheses within it, if it is one."""
    name, other = _bare(term), _within(term)
    return Name(name, cue, start, end, other if _is_translated(name, other) else "")


def _of_titles(text: CleanText) -> Iterator[Name]:
    for section in text.sections:
        title = unnumbered(section.title)
        if is_matter(title) and not title.endswith("?") and not _NO_TITLE.match(title):
            yield from _parts_of(title, section)


def _parts_of(title: str, at: Section) -> Iterator[Name]:
    end = at.start + len(at.title)
    other = _within(title)
    bare = _bare(title)
    parts = [part.strip(" .¿?") for part in _AND.split(bare)]
    for named in parts:
        part = _ARTICLE.sub("", named, count=1)
        first = folded(part).split()[:1]
        if not STOP_WORDS_OF_BOTH.issuperset(first) and not _INFINITIVE.match(part):
            alone = other if len(parts) == 1 else ""
            cue = Cue.WHOLE_TITLE if len(parts) == 1 else Cue.TITLE
            yield Name(part, cue, at.start, end, alone)


def _of_sentences(lesson: Lesson) -> Iterator[Name]:
    for part in lesson.parts:
        for block in part.blocks:
            if block.kind not in (BlockKind.PARAGRAPH, BlockKind.DEFINITION, BlockKind.LIST):
                continue
            body = lesson.slice(block.start, block.end)
            if "(" not in body:
                continue
            flat = body.replace("\n", " ")
            for first, last in split_sentences(body, lesson.language):
                for start, end in glossed_terms(lesson, flat[first:last]):
                    named = flat[first + start : first + end]
                    place = block.start + first + start
                    name = _named(named, Cue.GLOSS, place, place + len(named))
                    if name.other:
                        yield name


def _is_translated(name: str, other: str) -> bool:
    """Whether a name is as long as the one in parentheses, so that none of its words is missing.

    "el recorte del gradiente (gradient clipping)" is of two words, "gradiente" of one.
    """
    if len(other) < 2 or _VERB.match(name) or _NO_NAME.search(other):
        return False
    words = len(key_of(name))
    if other.isupper() and " " not in other:
        return words > 1 and abs(words - len(other)) <= 1
    if name.isupper() and " " not in name:
        words = len(name)
    others = len(other.split())
    if words == len(key_of(other)):
        return True
    return words == others if 1 in (words, others) else abs(words - others) <= 1


def _named_after(text: CleanText) -> Iterator[Name]:
    for found in _AFTER_SOMEBODY.finditer(text.text):
        yield Name(" ".join(found[0].split()), Cue.NAMED, found.start(), found.end())


def _of_table(text: CleanText, block: Block) -> Iterator[Name]:
    lines = text.text[block.start : block.end].split("\n")
    heads = [folded(cell) for cell in cells_of(lines[0])]
    pairs = _glossary(heads)
    named, dated = heads[0] in _NAMES_OF, heads[0] in _YEARS
    start = block.start + len(lines[0]) + 1
    for line in lines[1:]:
        cells = cells_of(line)
        for english, spanish in pairs:
            if max(english, spanish) < len(cells) and cells[english] and cells[spanish]:
                yield Name(cells[spanish], Cue.GLOSS, start, start + len(line), cells[english])
        if named and cells[0]:
            yield _named(cells[0], Cue.ROW, start, start + len(line))
        if dated and len(cells) > 1:
            for person in people_in(cells[1]):
                yield Name(person, Cue.PERSON, start, start + len(line))
        start += len(line) + 1


def _glossary(heads: list[str]) -> list[tuple[int, int]]:
    """Columns of English names and of the Spanish ones beside them."""
    english = [place for place, head in enumerate(heads) if head in _ENGLISH]
    spanish = [place for place, head in enumerate(heads) if head in _SPANISH]
    return list(zip(english, spanish, strict=False))
