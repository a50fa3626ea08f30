"""Cards of commands and of patterns of text that the notes list, each with what it does."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from tutor.map.lesson import LessonPart, items_of
from tutor.map.wording import capitalised, closed, is_readable, is_whole, key_words, stands_alone
from tutor.model import Block, BlockKind
from tutor.study.card import OPTION, Card, CardKind
from tutor.study.making.choosing import WRONG, alike, shuffled, stands_out, stems
from tutor.study.making.headings import named_topic
from tutor.study.making.material import CardMaterial
from tutor.text.folding import folded

_ITEM = re.compile(
    r"(?P<code>\S.{0,78}?)(?:\s?:|\s(?:=|[-–—]|-+>|=>|→))\s+(?P<said>\S.+)", re.DOTALL
)
_COMMENTED = re.compile(r"[ \t]*(?P<code>\S.*?)[ \t]+(?:#|//) *(?P<said>[^\s#].*)")
"""A line of a listing with what it does: "docker ps    # ver contenedores"."""
_COMMAND = re.compile(
    r"(?:sudo )?(?P<name>[a-z][a-z0-9-]*)(?P<rest>(?:\s(?!(?:[=+*<]|<-|==) )\S+)*)"
)
_SIGN = re.compile(r"[<>\[\]{}$|~*]|(?<!\S)--?\w|/")
_TOOLS = frozenset(
    "apt apt-get awk brew cargo cd chgrp chmod chown conda cp curl df dnf docker docker-compose"
    " dpkg du git grep gunzip gzip ifconfig ip journalctl kubectl ln ls mkdir mv nano npm npx pip"
    " pip3 ps pwd rm rmdir scp sed ssh sudo systemctl tar terraform umask unzip useradd usermod vi"
    " vim wget yarn yum".split()
)
"""Commands whose name is no word of a language."""
_PATTERN = re.compile(
    r"/\S(?:.*\S)?/[a-z]{0,4}|\\[a-zA-Z]|\{\d+,?\d*\}|\[\^?\S+\][*+?]?|\^\S{0,9}|\S{0,9}\$|[.*+?|]"
)
_OF_PATTERNS = re.compile(r"\b(?:reg ?exp?|expresion(?:es)? regular(?:es)?|regular expressions?)\b")
"""What headings say over a list of such patterns, folded."""
_DOES = re.compile(
    r"\W*(?:(?:se |te |nos )?(?:\w{2,}[aei]r(?:se)?"
    r"|abre|activa|actualiza|agrega|anade|arranca|asigna|baja|borra|busca|cambia|cancela|carga|cierra"
    r"|combina|compila|comprueba|configura|construye|convierte|copia|crea|deja|descarga|deshace"
    r"|detiene|devuelve|ejecuta|elimina|entra|envia|establece|finaliza|fuerza|fusiona|genera|guarda"
    r"|imprime|indica|inicia|inicializa|instala|lista|mata|modifica|monta|mueve|muestra"
    r"|obtiene|ordena|para|permite|publica|quita|recupera|reemplaza|reinicia|renombra|restaura|revisa"
    r"|sale|selecciona|sirve|sube|trae|une|usa|utiliza|vacia|verifica|visualiza|vuelve)"
    r"|(?:add|apply|build|change|check|clear|close|connect|copie|copy|create|delete|deploy|discard"
    r"|display|download|exit|fetch|find|get|give|install|kill|leave|list|make|merge|move|open|print"
    r"|pull|push|remove|rename|restart|restore|return|run|save|search|send|set|show|start|stop|switch"
    r"|undo|unset|update|upload|view|write)(?:s|es)?)\b"
)
"""How it is told, folded, what a command does."""
_NO_OBJECT = re.compile(r"\w+(?: (?:y|o|and|or) \w+)?\W*\Z")
_OPEN = re.compile(r"\betc\b|\.\.|…|\b(?:tambi[eé]n|also|adem[aá]s|lo mismo|same)\b", re.IGNORECASE)
"""What is said of a command beside another one, or could be longer."""
_AS_WELL = re.compile(r"\b(?:alternativ[aeo]?|equivale\w*|lo mismo que|same as)\b", re.IGNORECASE)
"""How a list tells that two of its commands do one thing."""
_GIVEN = re.compile(rf"{OPTION.pattern}|<[^<>]*>")
"""Options and what is to be filled in."""
_MARKED = re.compile(r"\*\*|\[\[|->")
"""What would be taken for the marks of an editor."""
_THAT = re.compile(r"(?:Que|That) ")
"""How it may be told what a pattern finds: "Que comience con Cal"."""
_PLACEHOLDER = re.compile(r"<[^<>]*>|\[[A-ZÁÉÍÓÚÑ_]+\]")
_SPECIAL = re.compile(r"[^\w\s/]|(?<=/)[a-z]+\Z")
"""What makes a pattern more than the words that it finds."""
_NO_WORDS = re.compile(r"[\\=<>{}\[\]]")
_FEWEST, _FEWEST_PATTERNS = 2, 3
_SHARE = 0.6
"""Of a list: the rest may be notes to one of them."""
_FEWEST_TOLD = 2
"""Words that carry meaning."""
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class _Told:
    """Code with what is said of it, and where; `name` is the command's, empty for a pattern."""

    code: str
    said: str
    place: tuple[int, int]
    topic: str
    name: str = ""


def command_cards(material: CardMaterial, taken: AbstractSet[int]) -> Iterator[Card]:
    """The cards of the commands and patterns that a document lists; of none that begins at a place
    that is `taken` by what it defines.
    """
    lists = [
        [one for one in told if one.place[0] not in taken]
        for part in material.parts
        for block in part.blocks
        if (told := _told(material, part, block))
    ]
    known = [one for told in lists for one in told]
    for told in lists:
        for one in told:
            yield _what_it_does(material, one)
            if not any(one is not other and alike(one.said, other.said) for other in known):
                yield from _which_code(material, one, told)


# --- what a list says ---


def _told(material: CardMaterial, part: LessonPart, block: Block) -> list[_Told]:
    """What a list or a listing says of commands or patterns, if most of it does."""
    if block.kind is BlockKind.LIST:
        lines = list(_of_items(material, block))
    elif block.kind is BlockKind.CODE:
        lines = list(_of_lines(material, block))
    else:
        return []
    found = [(one, place) for one, place in lines if one is not None]
    if len(found) < max(_FEWEST, _SHARE * len(lines)) or any(
        _AS_WELL.search(one["said"]) for one, _place in found
    ):
        return []
    topic = named_topic(material, part.topic, block.start)
    codes = [one["code"].strip("` ") for one, _place in found]
    names = _names(codes)
    if not names and block.kind is BlockKind.LIST and _is_of_patterns(material, part, codes):
        names = {code: "" for code in codes if _PATTERN.fullmatch(code)}
    told = [
        _Told(code, closed(one["said"].strip("` ")), place, topic, names[code])
        for code, (one, place) in zip(codes, found, strict=True)
        if code in names
    ]
    return [one for one in told if _is_clear(one)] if len(told) >= _SHARE * len(lines) else []


def _of_items(
    material: CardMaterial, block: Block
) -> Iterator[tuple[re.Match[str] | None, tuple[int, int]]]:
    """The items of a list's outer level, with what is said of each."""
    items = list(items_of(material.text, block))
    for item in items:
        if item.mark[:1] == items[0].mark[:1] or item.mark[:1].isdigit():
            yield _ITEM.match(item.text), (item.start, item.end)


def _of_lines(
    material: CardMaterial, block: Block
) -> Iterator[tuple[re.Match[str] | None, tuple[int, int]]]:
    """The lines of a listing that have a comment, with what it says."""
    start = block.start
    for line in material.slice(block.start, block.end).split("\n"):
        if found := _COMMENTED.fullmatch(line):
            yield found, (start + found.start("code"), start + len(line))
        start += len(line) + 1


def _names(codes: Sequence[str]) -> dict[str, str]:
    """Those that are commands, with their names: known ones, and others that several of them have
    where signs show that they are no words.
    """
    found = {code: named for code in codes if (named := _COMMAND.fullmatch(code))}
    times = Counter(named["name"] for named in found.values())
    signed = {named["name"] for named in found.values() if _SIGN.search(named["rest"])}
    return {
        code: named["name"]
        for code, named in found.items()
        if named["name"] in _TOOLS or (times[named["name"]] > 1 and named["name"] in signed)
    }


def _is_of_patterns(material: CardMaterial, part: LessonPart, codes: Sequence[str]) -> bool:
    """Whether most of these are patterns, under a heading or a title that says so."""
    titles = folded(f"{part.topic} {material.title}")
    few = sum(_PATTERN.fullmatch(code) is not None for code in codes) < _FEWEST_PATTERNS
    return not few and _OF_PATTERNS.search(titles) is not None


def _is_clear(one: _Told) -> bool:
    """Whether what is said is a whole phrase, that tells what the code does by itself."""
    said = one.said
    does = not one.name or _DOES.match(folded(said)) is not None
    return (
        does
        and len(key_words(said)) >= _FEWEST_TOLD
        and len(said) <= _LONGEST
        and not _NO_OBJECT.fullmatch(said)
        and not _OPEN.search(said)
        and not said.endswith(("?", ":"))
        and not said.startswith("(")
        and not _MARKED.search(f"{one.code} {said}")
        and one.code.count('"') % 2 == 0  # not cut within: git commit -m "fix: …"
        and (one.name != "" or not _NO_WORDS.search(said))
        and stands_alone(said if one.name else capitalised(_THAT.sub("", said)))
        and is_whole(said)
        and is_readable(said)
    )


# --- what is asked of it ---


def _what_it_does(material: CardMaterial, one: _Told) -> Card:
    frames = material.frames
    frame = frames.does if one.name else frames.stands_for
    about = one.topic, one.code
    return material.card(
        CardKind.DEFINITION, frame.format(term=one.code), capitalised(one.said), one.place, about
    )


def _which_code(material: CardMaterial, one: _Told, told: Sequence[_Told]) -> Iterator[Card]:
    """The card that asks for a command, and the same with others of its list to choose from.

    What a pattern is made of differs with the example: only among others it can be told.
    """
    frames, said = material.frames, capitalised(one.said)
    above = _above(one, told)
    given = any(sign in said for sign in _GIVEN.findall(one.code))
    if given or stems(f"{above} {said}") & stems(_own(one)):
        return
    if one.name and len(key_words(said)) > _FEWEST_TOLD:
        question = frames.which_command.format(said=said)
        yield material.card(CardKind.CODE, question, one.code, one.place, (above, ""))
    others = [other for other in told if other.code != one.code and not _fits(other, one)]
    wrong = shuffled(said, (other.code for other in others))[:WRONG]
    if len(wrong) == WRONG and not stands_out(one.code, wrong, f"{above} {said}"):
        frame = frames.which_command if one.name else frames.which_pattern
        card = material.card(
            CardKind.CHOICE, frame.format(said=said), one.code, one.place, (above, "")
        )
        yield replace(card, choices=shuffled(card.id, (one.code, *wrong)))


def _fits(other: _Told, one: _Told) -> bool:
    """Whether what is said of a command or a pattern holds of another one, too."""
    more = not one.name and _signs(other.code) >= _signs(one.code)
    return more or alike(other.said, one.said)


def _signs(pattern: str) -> set[str]:
    return set(_SPECIAL.findall(pattern))


def _above(one: _Told, told: Sequence[_Told]) -> str:
    """The heading over a question, with the program whose commands the whole list is of."""
    names = {other.name for other in told}
    whose = one.name if len(names) == 1 and one.name not in key_words(one.topic) else ""
    return " › ".join(filter(None, (whose, one.topic)))


def _own(one: _Told) -> str:
    """The words of a command but for its program's name, which many have, and for what is to be
    filled in.
    """
    code = _PLACEHOLDER.sub(" ", one.code)
    return code.removeprefix(one.name) if " " in code.strip() else code
