"""Finding passages by their words: BM25 over stems, symbols and identifiers."""

from tutor.lexical.index import LEXICAL_VERSION, LexicalIndex, LexicalScores, lexical_name
from tutor.lexical.stopwords import Language
from tutor.lexical.terms import passage_terms, question_terms

__all__ = [
    "LEXICAL_VERSION",
    "Language",
    "LexicalIndex",
    "LexicalScores",
    "lexical_name",
    "passage_terms",
    "question_terms",
]
