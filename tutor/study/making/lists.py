"""Cards of lists: all items of one, by the line that opens it or by its heading."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tutor.map.lesson import Item, LessonPart, items_of
from tutor.map.wording import closed, is_whole, key_words, names_subject, refers, stands_alone
from tutor.model import Block, BlockKind
from tutor.study.card import Card, CardKind
from tutor.study.making.headings import named_topic, titles_over
from tutor.study.making.labels import announces, is_generic
from tutor.study.making.material import CardMaterial
from tutor.text.folding import folded
from tutor.text.numerals import SPELLED
from tutor.text.paragraphs import is_formula, joined_lines

_FEWEST, _MOST = 2, 7
_LONGEST_ITEM = 200
_STEPS = re.compile(
    r"\b(?:pasos|etapas|fases|ciclo|procedimiento|receta|secuencia|algoritmo|steps|stages|phases|order"
    r"|cycle|algorithm|procedure|recipe)\b"
)
_OPEN_ENDED = re.compile(
    r"\b(?:por ejemplo|entre otr[oa]s|tales? como|for example|e\.g\.|such as|including)",
    re.IGNORECASE,
)
"""Opening lines of lists that could be longer."""
_AND_SO_ON = re.compile(
    r"(?:\betc\b\.?|\b(?:entre|y) otr[oa]s(?: \w+)?|and (?:others|so on)|…|\.\.\.)\W*\Z",
    re.IGNORECASE,
)
"""How the last item of such a list ends."""
_LEADS = re.compile(
    r"\b(?:\d{1,2}|dos|tres|cuatro|cinco|seis|siete|ocho|siguientes?|así|two|three|four|five|six"
    r"|seven|eight|following)\b"
    r"|\b(?:son|es|eran?|fueron|serían?|tipos?|ser|como|si|s[ií]|cuando|a|al|por|para|en|de|con|que|mediante|deben?|pueden?|tienen?"
    r"|incluyen?|necesitan?|permiten?|utilizan?|realizan?|are|is|be|as|if|to|by|in|of|for|with|that"
    r"|can|must|should|have|has|includes?)\W*\Z",
    re.IGNORECASE,
)
"""What an opening line has that leaves something open: how many, or a word that wants another."""
_OPENS = re.compile(r"(?:hay|existen|podemos|there are)\s", re.IGNORECASE)
_HERE = re.compile(r"\b(?:siguientes?|following|podemos|a continuaci[oó]n)\b", re.IGNORECASE)
"""Words of an opening line that point to its own list."""
_ENUMERATED = re.compile(r"\(?\d")


def list_cards(material: CardMaterial) -> Iterator[Card]:
    """The cards of a document's lists."""
    for part in material.parts:
        for block in part.blocks:
            if block.kind is BlockKind.LIST and not _goes_on(material, block):
                yield from _of_list(material, part, block)


def _goes_on(material: CardMaterial, block: Block) -> bool:
    """Whether what follows a list may be the rest of it."""
    after = next(iter(material.text.blocks_in(block.end + 1, block.end + 3)), None)
    if after is None or after.kind is BlockKind.HEADING:
        return False
    return not material.text.text[after.start].isupper()


def _of_list(material: CardMaterial, part: LessonPart, block: Block) -> Iterator[Card]:
    items = list(items_of(material.text, block))
    if not _are_items(items):
        return
    frames = material.frames
    if block.lead < block.start:
        lead = joined_lines(material.slice(block.lead, block.start))
        if not _opens(lead):
            return
        question = frames.items.format(n=len(items), said=lead)
        subject = lead.rstrip(" :")
    elif part.headed and _is_headed(items, part.topic):
        subject = part.topic.rsplit(" › ", 1)[-1]
        question = frames.points.format(n=len(items), term=subject)
    else:
        return
    section = _section(material, part, block, subject)
    if not section and is_generic(subject):
        return
    words = tuple(item.text.rstrip(" ;,.") for item in items)
    ordered = all(_ENUMERATED.match(item.mark) for item in items) and bool(
        _STEPS.search(folded(f"{subject} {part.topic}"))
    )
    yield material.card(
        CardKind.LIST,
        question,
        "\n".join(f"{n}. {word}" if ordered else f"- {word}" for n, word in enumerate(words, 1)),
        (block.lead, block.end),
        (section, subject),
        items=words,
        ordered=ordered,
    )


def _section(material: CardMaterial, part: LessonPart, block: Block, subject: str) -> str:
    """The nearest heading that says more than the subject: a war is of its chapter."""
    told = set(key_words(subject))
    own = named_topic(material, part.topic, block.start), part.topic
    near, last = (title.removesuffix(f" › {subject}") for title in own)
    topics = (near, *titles_over(material, block.start), last)
    return next((title for title in topics if not told.issuperset(key_words(title))), "")


def _are_items(items: Sequence[Item]) -> bool:
    """Whether these are a few whole items, of one level, that can be learned."""
    marks = {"1" if _ENUMERATED.match(item.mark) else item.mark[:1] for item in items}
    return (
        _FEWEST <= len(items) <= _MOST
        and len(marks) == 1
        and all(_is_item(item.text) for item in items)
        and not _AND_SO_ON.search(items[-1].text)
    )


def _is_item(text: str) -> bool:
    return (
        len(text) <= _LONGEST_ITEM
        and bool(key_words(text))
        and (is_whole(closed(text)) or text.endswith("?"))
        and not refers(text)
    )


def _opens(lead: str) -> bool:
    """Whether an opening line says by itself what is listed."""
    text = _HERE.sub(" ", lead)
    return (
        (names_subject(text) or (bool(_OPENS.match(lead)) and len(key_words(text)) > _FEWEST))
        and stands_alone(text)
        and not _OPEN_ENDED.search(lead)
        and lead.endswith((":", "si", "cuando", "if"))
        and ":" not in lead[:-1]
        and (_LEADS.search(lead) is not None or any(map(announces, key_words(lead))))
    )


def _is_headed(items: Sequence[Item], title: str) -> bool:
    """Whether a heading says how many items there are, or that these numbered ones are steps."""
    heading = folded(title.rsplit(" › ", 1)[-1])
    counts = {SPELLED.get(word) for word in re.findall(r"(\w+) (?=\w+s\b)", heading)}
    steps = _STEPS.search(heading) and all(_ENUMERATED.match(item.mark) for item in items)
    return (str(len(items)) in counts or bool(steps)) and not any(
        is_formula(item.text) or item.text.endswith("?") for item in items
    )
