"""What can be quoted whole: blocks of the notes that belong together, around the passages found."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from tutor.map.runs import ENDS, LONGEST_HEADING, runs
from tutor.model import Block, BlockKind, CleanText, Hit, SourceId, Statement
from tutor.text.folding import folded

Span: TypeAlias = tuple[int, int]

_LEADER = re.compile(r"\.\.\. ?\d+")
"""The dots that lead to a page: more than one, and it is a table of contents."""
_CONTENTS = frozenset(
    ("agenda", "indice", "contenido", "contenidos", "temario", "contents", "outline")
)
"""What heads a list of what will come: each item has its section, which says it."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """`document.text[start:end]`, a part of the notes that makes sense by itself.

    `hit` is the best passage that touches it; `blocks` are the blocks that it is made of, `title`
    the heading above them.
    """

    hit: Hit
    document: CleanText
    start: int
    end: int
    blocks: tuple[Block, ...]
    title: str = ""

    @property
    def text(self) -> str:
        """As it stands in the notes."""
        return self.document.text[self.start : self.end]

    @property
    def kinds(self) -> frozenset[BlockKind]:
        """What it is made of."""
        return frozenset(block.kind for block in self.blocks)

    def statements(self) -> tuple[Statement, ...]:
        """Its sentences, rows and lines, in order."""
        return tuple(
            statement
            for block in self.blocks
            for statement in self.document.statements(
                replace(block, start=max(block.start, self.start))
            )
        )

    def table_of(self, statement: Statement) -> Block | None:
        """The table of which a statement is a row, or the caption."""
        block = self.document.block_at(statement.start)
        if block and block.kind is BlockKind.CAPTION:
            block = next((b for b in self.blocks if b.lead == block.start and b != block), None)
        if block is None or block.kind is not BlockKind.TABLE:
            return None
        return block if any(self.document.rows(block)) else None

    def around(self, statement: Statement, wanted: int) -> Excerpt:
        """The whole statements about one, as many as fit into `wanted` characters."""
        spans = [(s.start, s.end) for s in self.statements()]
        first = last = spans.index((statement.start, statement.end))
        grown = True
        while grown:
            grown = False
            if first and spans[last][1] - spans[first - 1][0] <= wanted:
                first, grown = first - 1, True
            if last + 1 < len(spans) and spans[last + 1][1] - spans[first][0] <= wanted:
                last, grown = last + 1, True
        start, end = spans[first][0], spans[last][1]
        return replace(self, start=start, end=end, blocks=self.document.blocks_in(start, end))


def excerpts(hits: Sequence[Hit], document_of: Callable[[SourceId], CleanText]) -> list[Excerpt]:
    """What stands in the passages, each part once, by its best passage."""
    kept: dict[tuple[SourceId, int, int], Excerpt] = {}
    for hit in hits:
        document = document_of(hit.source.id)
        for title, blocks in runs(document):
            if all(b.kind is BlockKind.CAPTION for b in blocks) or _is_title(document, blocks):
                continue
            if folded(title).strip(" .:#") in _CONTENTS and _is_list(blocks):
                continue
            if len(_LEADER.findall(document.text, blocks[0].start, blocks[-1].end)) > 1:
                continue
            start, end = blocks[0].lead, blocks[-1].end
            if start < hit.chunk.end and end > hit.chunk.start:
                key = (hit.source.id, start, end)
                kept.setdefault(key, Excerpt(hit, document, start, end, blocks, title))
    return list(kept.values())


def _is_title(document: CleanText, blocks: Sequence[Block]) -> bool:
    """Whether blocks are a line that is no sentence."""
    text = document.text[blocks[0].start : blocks[-1].end]
    told = all(block.kind is BlockKind.PARAGRAPH for block in blocks)
    return told and len(text) <= LONGEST_HEADING and not text.endswith((*ENDS, ":"))


def _is_list(blocks: Sequence[Block]) -> bool:
    return all(block.kind is BlockKind.LIST for block in blocks)
