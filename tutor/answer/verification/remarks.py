"""Sentences that claim nothing about the subject: questions, offers, announcements, refusals."""

from __future__ import annotations

import re

from tutor.text.folding import fold
from tutor.text.terms import content_words

_COURTESY = re.compile(
    r"(?:hola|buen[oa]s (?:dias|tardes|noches)|saludos|hello|hi|dear|claro|por supuesto|con gusto"
    r"|of course|sure|certainly|gracias|thank|excelente pregunta|(?:muy )?buena pregunta"
    r"|(?:good|great) question)\b.{0,30}$"
    r"|(?:si|if) .{0,40}\b(?:dudas?|preguntas?|ayuda|questions?|help)\b"
    r"|(?:espero que|i hope|hope this|no dudes en|feel free|let me know|avisame|quedo a"
    r"|(?:te )?(?:recomiendo|sugiero)|i (?:recommend|suggest)|puedo ayudarte|happy to help"
    r"|lo siento|perdon|disculpa|i am sorry|i'm sorry|sorry|as an ai)\b"
)
_ANNOUNCEMENT = re.compile(
    r"(?:a continuacion|veamos|vamos a|here (?:is|are)|let's|let us)\b[^.:]{0,80}[:.]?$"
    r"|(?:por ejemplo|ejemplos?|en (?:resumen|conclusion)|resumen|conclusion|nota|respuesta"
    r"|explicacion|in summary|for example|example|summary|note|answer|explanation)"
    r"(?:\W*|\b[^.:]{0,80}:)$"
)
_NOTES = (
    r"(?:apuntes|notas|pasajes?|textos?|contexto|documentos?|material(?:es)?|fragmentos?"
    r"|informacion|fuentes|notes?|passages?|context|documents?|materials?|sources?|information)"
)
_NOT_COVERED = re.compile(
    rf"\b{_NOTES}(?: (?:del? (?:la )?(?:curso|clase)|\w{{4,12}}(?:d[oa]s?|ed)))?"
    r" (?:(?:no|tampoco)(?: l[aeo]s?| se)? \w+|(?:do|does|did|is|are) ?(?:n't|n’t| not) \w+)"
    rf"|\b(?:no|ni) (?:se |l[ao]s? |hay |esta\w* |aparece |encuentr\w+ |existe |figura |tengo )"
    rf"[^.;]{{0,70}}\b(?:en|segun|sobre|de|por) (?:el |l[ao]s? |est[aeo]s? )?{_NOTES}"
    r"|\bno (?:tengo|dispongo de|hay|encuentro|encontre|existe|aparece)\b[^.;]{0,30}"
    r"\b(?:informacion|respuesta|mencion|datos|referencia|pasajes?)\b"
    r"|\bno (?:puedo|es posible|se puede) (?:responder|contestar|determinar|saber)"
    rf"|\b(?:is|are) ?(?:n't|n’t| not) \w+\b[^.;]{{0,20}}\b(?:in|by) (?:the )?{_NOTES}"
    r"|\bno (?:information|mention|answer|passages?)\b[^.;]{0,40}\b(?:in|about|on|of)\b"
    r"|\b(?:can ?not|can't|can’t|unable to) (?:answer|find|determine|provide)\b"
    r"|^(?:no lo se|no se sabe|i (?:do not|don't) know)\b"
)
_BUT = re.compile(r"\b(?:pero|sin embargo|no obstante|but|however)\b", re.IGNORECASE)
"""What turns from what the notes lack to what they have."""
_MAX_OTHER_WORDS = 10
"""Content words that an answer may have besides a refusal and still be one: a hint."""
_MAX_OPENING_WORDS = 8
"""Content words of a line that only opens what follows."""


def is_remark(sentence: str) -> bool:
    """Whether a sentence (plain text) claims nothing that passages could support."""
    plain = fold(sentence).strip(" *_#>-¡!\t\n")
    if not plain or plain.startswith("¿") or plain.endswith(("?", "?.", "?)")):
        return True
    opens = plain.endswith(":") and not re.search(r"\d", plain)
    if opens and len(content_words(plain)) <= _MAX_OPENING_WORDS:
        return True
    return bool(_NOT_COVERED.search(plain) or _COURTESY.match(plain) or _ANNOUNCEMENT.match(plain))


def declares_not_covered(text: str) -> bool:
    """Whether an answer says, as its message and not in passing, that the notes lack it."""
    sentences = [s for s in re.split(r"(?<=[.!?:])\s+|\n+", text) if content_words(s)]
    refusing = [bool(_NOT_COVERED.search(fold(sentence))) for sentence in sentences]
    if not any(refusing[:2]):
        return False
    others = [
        _BUT.split(sentence, maxsplit=1)[-1] if refuses else sentence
        for sentence, refuses in zip(sentences, refusing, strict=True)
        if (_BUT.search(sentence) if refuses else not is_remark(sentence))
    ]
    return sum(len(content_words(sentence)) for sentence in others) <= _MAX_OTHER_WORDS
