"""What some questions ask for by a word of theirs: a reason, a formula, an example or a list."""

from __future__ import annotations

import re
from collections.abc import Container

from tutor.model import BlockKind
from tutor.text.folding import folded

_WHY = re.compile(r"\b(?:por ?que|para que|why|razon|motivo|sirve|reason)\b")
_REASON = re.compile(
    r"\b(?:porque|ya que|pues|debido a|por (?:lo tanto|eso|tanto|esta razon)|asi(?: se| que)?"
    r"|evita\w*|permite\w*|para (?:que|evitar|reducir)|gracias a"
    r"|because|since|therefore|so that|avoids?|allows?|prevents?)\b"
)
_COMPUTED = re.compile(
    r"\b(?:formula|ecuacion|expresion|equation|calcular?|computed?|calculate"
    r"|se define matematicamente)\b"
)
_RELATION = re.compile(r"[=≈∝≤≥]")
_EXAMPLE = re.compile(
    r"(?<!el )(?<!los )\bejemplos? (?:\w+ )?(?:de|del|con|para|sobre|en)\b"
    r"|(?<!the )\bexamples? (?:of|for|with)\b|\b(?:ejemplos?|examples?)\W*$"
)
_EXAMPLES = re.compile(r"\b(?:ejemplos?|examples?)\b")
_LABELLED = re.compile(r"\W*(?:ejemplos?|examples?)\b")
_LISTED = re.compile(
    r"\b(?:pasos|etapas|fases|procedimiento|lista|enumera|cuales son|tipos|clases de|variantes"
    r"|formas|maneras|metodos|tecnicas|estrategias|propiedades|caracteristicas|capacidades"
    r"|condiciones|supuestos|requisitos|criterios|elementos|componentes|partes|argumentos|modos"
    r"|ventajas|desventajas|beneficios|problemas|limitaciones|riesgos|causas|motivos|razones"
    r"|consejos|soluciones|remedios|metricas|heuristicas|sesgos"
    r"|steps|stages|checklist|list|types|kinds|ways|methods|properties|conditions|assumptions"
    r"|criteria|elements|components|parts|advantages|disadvantages|limitations|risks|causes"
    r"|reasons)\b"
)


class AnswerKind:
    """The kind of answer that a question asks for."""

    def __init__(self, question: str) -> None:
        plain = folded(question)
        self._reason = bool(_WHY.search(plain))
        self._formula = bool(_COMPUTED.search(plain))
        self._example = bool(_EXAMPLE.search(plain))
        self._list = bool(_LISTED.search(plain))

    @property
    def kind(self) -> bool:
        """Whether a word of the question asks for any of these."""
        return self._reason or self._formula or self._example or self._list

    def for_reason(self, statement: str) -> bool:
        """Whether a reason is asked for, and a statement gives one."""
        return self._reason and bool(_REASON.search(folded(statement)))

    def for_formula(self, excerpt: str) -> bool:
        """Whether a formula is asked for, and an excerpt holds one."""
        return self._formula and bool(_RELATION.search(excerpt))

    def for_example(self, title: str, excerpt: str) -> bool:
        """Whether an example is asked for, and an excerpt or the heading above is called one."""
        return self._example and bool(
            _LABELLED.match(folded(excerpt)) or _EXAMPLES.search(folded(title))
        )

    def for_list(self, kinds: Container[BlockKind]) -> bool:
        """Whether several things of a kind are asked for, and there is a list among blocks."""
        return self._list and BlockKind.LIST in kinds
