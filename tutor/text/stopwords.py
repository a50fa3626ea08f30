"""Words too frequent to tell one text from another, without accents and in lower case.

The lists are those of bm25s; the few words added are those with which students ask.
"""

from __future__ import annotations

from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from tutor.text.folding import folded
from tutor.text.language import Language


def _lists() -> Any:
    """The module `bm25s.stopwords` without its package, which loads SciPy and tqdm (0.25 s)."""
    package = find_spec("bm25s")
    assert package is not None  # noqa: S101 - a dependency
    assert package.origin is not None  # noqa: S101
    path = Path(package.origin).with_name("stopwords.py")
    spec = spec_from_file_location("bm25s_stopwords", path)
    assert spec is not None  # noqa: S101
    assert spec.loader is not None  # noqa: S101
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_LISTS = _lists()
STOP_WORDS: dict[Language, frozenset[str]] = {
    "es": frozenset(
        [
            *map(folded, _LISTS.STOPWORDS_SPANISH),
            *"""cada cuales cuanta cuantas cuanto cuantos cuya cuyo hace hacer hacen segun sirve
            aclarame ayudame cuentame dame define defineme describe dime ensename enumerame explica
            explicame explicarme hazme hola indicame listame mencioname muestrame podrias ponme
            puedes quisiera recuerdame resumeme
            contame decime definime describime haceme mostrame podes poneme queres recordame
            resumi resumime sabes vos
            aclarar alguien aparece aparecen aprendimos ayuda ayudar buenas comprender
            comprendo concepto consiste consisten contaron cubre das describeme dice
            dicen dijeron dijo duda dudas echame ensenan ensenaron enseno entender
            entiende entiendo estudiamos estudian explican explicaron explicas explico
            favor gustaria habla hablame hablamos hablan hablaron hablo info menciona
            mencionan mencionaron menciono necesito onda pasame platicame porfa profe
            queda quedo quiero refiere sabe saber significa significan tratan vemos
            vieron vimos vio
            debemos debes debo haces hacemos hago podemos puedo""".split(),
        ]
    ),
    "en": frozenset(
        [
            *_LISTS.STOPWORDS_EN_PLUS,
            *"""define describe don explain explained get give hello hi info know mention mentioned
            mentions please said saw say says see seen talk talked tell understand want
            whose""".split(),
        ]
    ),
}
STOP_WORDS_OF_BOTH = STOP_WORDS["es"] | STOP_WORDS["en"]
