"""The nouns of the product: frozen records that one stage hands to the next,
by stage: documents, passages, answers.

Offsets are counted in characters (Unicode code points) of the display text,
pages are numbered from 1 as a PDF viewer numbers them, scores are cosines
unless a field says otherwise.
"""

from tutor.model.answers import (
    EXTRACTIVE,
    Answer,
    Answerability,
    AnswerLength,
    Chunk,
    ChunkId,
    Citation,
    Ending,
    Filter,
    Hit,
    Message,
    Prompt,
    RetrieverScore,
    Route,
    Strategy,
    Turn,
    Usage,
    Vectors,
    WebCitation,
    WebResult,
    chunk_id,
)
from tutor.model.documents import (
    Block,
    BlockKind,
    CleanText,
    Document,
    Page,
    PageLine,
    PdfInfo,
    Section,
    Source,
    SourceId,
    Statement,
    TextOrigin,
    readable_name,
    source_id,
)
