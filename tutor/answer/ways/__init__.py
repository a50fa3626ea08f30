"""Questions about a course as a whole, answered from its map."""

from tutor.answer.ways.forms import Form, Way, forms_of
from tutor.answer.ways.leaning import Referent
from tutor.answer.ways.telling import Teller, Told

__all__ = ["Form", "Referent", "Teller", "Told", "Way", "forms_of"]
