"""Make a course of paragraphs with questions, to be measured with `tutor eval`.

    python -m scripts.paragraph_course FILE.json FOLDER [--cut]

FILE has `paragraphs` (`id`, `text`, `title`) and `questions` (`paragraph_id`, `text`, `answers`,
and maybe `text_en`), as XQuAD for retrieval. Every title becomes a document with a page per
paragraph. Each paragraph is one chunk of the strategy `semantic`; with
`--cut` the documents are cut into chunks by both strategies, as notes are.

FOLDER gets the index (`stores/paragraphs`) and `cases.jsonl`: every other title is `test`, the
others `dev`. So there is nothing to read from PDFs, and the figures are of retrieval alone.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scripts._course import bundled
from tutor.evaluation.indices import commit_index
from tutor.index.store import Indexed, Recipe, VectorSpace
from tutor.index.store.journal import text_key
from tutor.index.store.sentences import Sentences
from tutor.ingest.chunking import CHUNKING_VERSION, chunks_of
from tutor.model import Chunk, CleanText, Source, Strategy, chunk_id, source_id
from tutor.text.sentences import split_sentences

if TYPE_CHECKING:
    from tutor.embedding.embedder import Embedder

GAP = "\n\n"


class Asked(NamedTuple):
    """A question, and the paragraph of a document that holds its answer."""

    id: str
    language: str
    question: str
    answer: str
    paragraph: int


class Article(NamedTuple):
    """A document to be: its paragraphs become pages."""

    title: str
    paragraphs: list[str]
    questions: list[Asked]

    @property
    def path(self) -> str:
        """What the course calls it."""
        return f"{self.title}.pdf"

    def text(self) -> CleanText:
        """Its display text."""
        starts = [0]
        for paragraph in self.paragraphs[:-1]:
            starts.append(starts[-1] + len(paragraph) + len(GAP))
        return CleanText.plain(source_id(self.path), GAP.join(self.paragraphs), tuple(starts))


def read_articles(path: Path) -> list[Article]:
    """The documents of a file."""
    record = json.loads(path.read_text(encoding="utf-8"))
    articles: dict[str, Article] = {}
    places: dict[str, tuple[Article, int]] = {}
    for one in record["paragraphs"]:
        article = articles.setdefault(one["title"], Article(one["title"], [], []))
        places[one["id"]] = (article, len(article.paragraphs))
        article.paragraphs.append(one["text"].lstrip("\ufeff").strip())
    for asked in record["questions"]:
        article, place = places[asked["paragraph_id"]]
        for language, key in (("es", "text"), ("en", "text_en")):
            if key in asked:
                name = f"{asked['id']}-{language}"
                article.questions.append(
                    Asked(name, language, asked[key], asked["answers"][0], place)
                )
    return list(articles.values())


def cases(articles: list[Article]) -> Iterator[dict[str, object]]:
    """The questions as `tutor eval` reads them; the snippet is the sentence with the answer."""
    for number, article in enumerate(articles):
        for asked in article.questions:
            paragraph = article.paragraphs[asked.paragraph]
            at = max(0, paragraph.find(asked.answer))
            spans = split_sentences(paragraph)
            start, end = next((s for s in spans if s[0] <= at < s[1]), (0, len(paragraph)))
            yield {
                "id": asked.id,
                "lang": asked.language,
                "question": asked.question,
                "answer": asked.answer,
                "file": article.path,
                "page": asked.paragraph + 1,
                "snippet": paragraph[start:end],
                "split": ("dev", "test")[number % 2],
            }


def whole_paragraphs(article: Article, text: CleanText) -> Iterator[Chunk]:
    """Each paragraph as one chunk."""
    source, strategy = text.source_id, Strategy.SEMANTIC
    for n, (start, body) in enumerate(zip(text.page_starts, article.paragraphs, strict=True)):
        end = start + len(body)
        name = chunk_id(source, strategy, start, end, body)
        yield Chunk(name, source, strategy, body, start, end, n + 1, n + 1, n)


def build(store: Path, articles: list[Article], embedder: Embedder, *, cut: bool) -> None:
    """Commit an index with everything that retrieval asks, sentences included."""
    texts = {text.source_id: text for text in (article.text() for article in articles)}
    added = {}
    counts: dict[str, dict[Strategy, int]] = {article.path: {} for article in articles}
    for strategy in Strategy if cut else (Strategy.SEMANTIC,):
        chunks: list[Chunk] = []
        for article in articles:
            text = texts[source_id(article.path)]
            own = chunks_of(text, strategy) if cut else list(whole_paragraphs(article, text))
            counts[article.path][strategy] = len(own)
            chunks += own
        added[strategy] = (chunks, embedder.embed_passages([chunk.text for chunk in chunks]))
    indexed = [
        Indexed(
            Source(source_id(a.path), a.path, a.title, a.title, len(a.paragraphs)),
            counts[a.path],
            texts[source_id(a.path)].page_starts,
        )
        for a in articles
    ]
    sentences = Sentences()
    wanted = sentences.collect(texts.values())
    vectors = embedder.embed_passages(wanted)
    sentence_vectors = {text_key(t): row for t, row in zip(wanted, vectors, strict=True)}
    space = VectorSpace(embedder.identity, embedder.dim, CHUNKING_VERSION)
    recipe = Recipe(space, 1, "paragraphs")
    commit_index(
        store,
        recipe,
        indexed=indexed,
        added=added,
        texts=texts,
        sentences=sentences,
        sentence_vectors=sentence_vectors,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cut", action="store_true")
    options = parser.parse_args()
    articles = read_articles(options.file)
    store = options.folder / "stores" / "paragraphs"
    build(store, articles, bundled(), cut=options.cut)
    lines = [json.dumps(case, ensure_ascii=False) for case in cases(articles)]
    path = options.folder / "cases.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"TUTOR_ROOT={options.folder} tutor eval --cases {path} --split test")


if __name__ == "__main__":
    main()
