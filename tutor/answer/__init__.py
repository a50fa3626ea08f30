"""Question -> events: routes it, finds passages, lets an engine answer, ties each sentence to
a page or says that the notes do not answer it.

A question passes through these modules in order: `answering` (its whole way), `routing`, `finding`
(with `wording`, `asked`, `referring` and `restating`: what it means), `answerability`, `quoting`,
`details` (whether the quotes have what is asked for), `verification.contradiction` (what other
notes say otherwise), and where a model writes `prompting` (with `injection`), `generating`,
`streaming`, `verification`. `outline`, `gathering`, `mapped` with `ways`, and `web` answer what no
passage does; `abstaining` says that nothing does. `conversation` keeps the turns.
"""

from tutor.answer.agent import Agent
from tutor.answer.answering import answer
from tutor.answer.finding import find

__all__ = ["Agent", "answer", "find"]
