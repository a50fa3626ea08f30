"""Sentences that claim nothing about the subject: questions, offers, announcements, refusals."""

from __future__ import annotations

import re

from tutor.answer.verification.words import content_words
from tutor.text.folding import fold

_REMARKS = tuple(
    re.compile(pattern)
    for pattern in (
        # Greetings and courtesy
        (
            r"(?:hola|buen[oa]s (?:dias|tardes|noches)|saludos|estimad[oa]|hello|hi|dear|claro|"
            r"por supuesto|con (?:mucho )?gusto|of course|sure|certainly|gracias|thank|perfecto|"
            r"excelente pregunta|(?:es una )?(?:muy )?buena pregunta|(?:that is a )?(?:good|great) "
            r"question)\b.{0,30}$"
        ),
        # Offers and hopes
        (
            r"(?:si (?:tienes?|necesitas?|deseas?|quieres?|te (?:queda|interesa)|lo desea|"
            r"hay algo)|if you (?:have|need|want|would like))\b.{0,30}\b(?:dud|pregunta|ayuda|"
            r"sab|inform|aclar|profundi|algo\b|question|help|know|clarif|detail|anything)"
        ),
        (
            r"(?:espero que|i hope|hope this|no dude[s]? en|feel free|let me know|avisame|"
            r"estoy (?:aqui|a tu)|quedo a|(?:te |le )?(?:recomiendo|sugiero|invito)|"
            r"i (?:recommend|suggest)|puedo ayudarte|can i help|te gustaria|would you like|"
            r"happy to help)\b"
        ),
        # Announcements
        r"(?:a continuacion|veamos|vamos a|here (?:is|are)|let's|let us)\b[^.:]{0,80}[:.]?$",
        (
            r"(?:por ejemplo|ejemplos?|en (?:resumen|conclusion)|resumen|conclusion|para ello|nota|"
            r"respuesta|explicacion|in summary|to sum up|for example|the following|note|answer|"
            r"explanation)\b[^.:]{0,80}:$"
        ),
        (
            r"(?:ejemplos?|resumen|conclusion|nota|respuesta|explicacion|example|summary|note|answer|"
            r"explanation)\W*$"
        ),
        (
            r"(?:segun|de acuerdo con|based on|according to) (?:el|la|los|las|the)? ?(?:pasajes?|"
            r"apuntes|contexto|texto|notas|notes|passages?|context|text)[^.]{0,40}:$"
        ),
        (r"(?:lo siento|perdon|disculpa|i am sorry|i'm sorry|sorry|as an ai)\b"),
    )
)
_NOTES = (
    r"(?:los |las |el |la |estos |estas |este |the |these |this |mis |tus |your |my )?"
    r"(?:apuntes|notas|pasajes?|textos?|contexto|documentos?|materiales|material|fragmentos?|"
    r"informacion|fuentes|notes?|passages?|context|documents?|text|materials?|sources?|"
    r"information)"
)
_PROVIDED = r"(?: (?:del curso|de clase|de la clase|\w{4,12}(?:d[oa]s?|ed)|given|of the course))*"
_NOT_COVERED = tuple(
    re.compile(pattern)
    for pattern in (
        (
            rf"\b{_NOTES}{_PROVIDED} (?:no|tampoco) (?:lo |la |los |las |se )?(?:cubre|contien|"
            r"mencion|incluy|trata|abord|habla|ofrec|proporcion|dice|dan\b|da\b|especific|explic|"
            r"aparec|responde|detall|describ|indic|tiene|refier)"
        ),
        (
            rf"\b{_NOTES}{_PROVIDED} (?:do|does|did) ?(?:n't|n’t| not) (?:cover|contain|mention|"
            r"include|address|discuss|say|provide|specify|explain|answer|describe|give|state|have)"
        ),
        (
            rf"\b(?:no|ni) (?:se |lo |hay |esta |aparece |encuentr\w+ |existe |figura |tengo )"
            rf"[^.;]{{0,70}}\b(?:en|segun|sobre|de) {_NOTES}"
        ),
        (
            r"\bno (?:tengo|dispongo de|cuento con|hay|encuentro|encontre|he encontrado|"
            r"se encuentra|se encontro|existe|aparece)\b[^.;]{0,30}\b(?:informacion|respuesta|"
            r"mencion|datos|referencia|pasajes?)\b"
        ),
        (
            r"\bno (?:puedo|es posible|se puede|podria) (?:responder|contestar|determinar|dar una "
            r"respuesta|saber)"
        ),
        (
            r"\b(?:is|are) ?(?:n't|n’t| not) (?:covered|mentioned|included|discussed|addressed|"
            rf"answered|found|provided|present|explained|given)\b[^.;]{{0,20}}\b(?:in|by) {_NOTES}"
        ),
        r"\bno (?:information|mention|answer|passages?)\b[^.;]{0,40}\b(?:in|about|on|of)\b",
        r"\b(?:can ?not|can't|can’t|unable to) (?:answer|find|determine|provide)\b",
        (
            rf"\bno (?:esta|estan|se) (?:cubiert|mencionad|incluid|contemplad)\w*[^.;]{{0,20}}\b"
            rf"(?:en|por) {_NOTES}"
        ),
        r"^(?:no lo se|no se sabe|i (?:do not|don't) know)\b",
    )
)
_BUT = re.compile(r"\b(?:pero|sin embargo|no obstante|but|however)\b", re.IGNORECASE)
"""What turns from what the notes lack to what they have."""
_MAX_OTHER_WORDS = 10
"""Content words that an answer may have besides a refusal and still be one: a hint."""


def is_remark(sentence: str) -> bool:
    """Whether a sentence (plain text) claims nothing that passages could support."""
    plain = fold(sentence).strip(" *_#>-¡!\t\n")
    if not plain or plain.endswith(("?", "?.", "?)")) or plain.startswith("¿"):
        return True
    if plain.endswith(":") and len(content_words(plain)) <= 8 and not re.search(r"\d", plain):
        return True
    return _refuses(plain) or any(pattern.match(plain) for pattern in _REMARKS)


def declares_not_covered(text: str) -> bool:
    """Whether an answer says, as its message and not in passing, that the notes lack it."""
    sentences = [s for s in re.split(r"(?<=[.!?:])\s+|\n+", text) if content_words(s)]
    if not sentences:
        return False
    refusing = [_refuses(fold(sentence)) for sentence in sentences]
    if not any(refusing[:2]):
        return False
    others = [
        _BUT.split(s, maxsplit=1)[-1] if refuses and _BUT.search(s) else s
        for s, refuses in zip(sentences, refusing, strict=True)
        if (_BUT.search(s) if refuses else not is_remark(s))
    ]
    return sum(len(content_words(sentence)) for sentence in others) <= _MAX_OTHER_WORDS


def _refuses(folded: str) -> bool:
    return any(pattern.search(folded) for pattern in _NOT_COVERED)
