"""What some questions ask for by a word of theirs: a reason, or a formula."""

from __future__ import annotations

import re

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


class Asked:
    """The kind of answer that a question asks for."""

    def __init__(self, question: str) -> None:
        plain = folded(question)
        self._reason = bool(_WHY.search(plain))
        self._formula = bool(_COMPUTED.search(plain))

    def for_reason(self, statement: str) -> bool:
        """Whether a reason is asked for, and a statement gives one."""
        return self._reason and bool(_REASON.search(folded(statement)))

    def for_formula(self, excerpt: str) -> bool:
        """Whether a formula is asked for, and an excerpt holds one."""
        return self._formula and bool(_RELATION.search(excerpt))
