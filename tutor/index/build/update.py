"""The work of an update: read, cut and embed at the same time, then commit."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeGuard

import numpy as np

from tutor.errors import StoreError
from tutor.i18n import _
from tutor.index.build import events
from tutor.index.build.derivations import CopiedDerivation
from tutor.index.build.embedding_queue import EmbeddingQueue, chunk_vectors
from tutor.index.build.pace import Pace
from tutor.index.build.sentences import FormerSentences, former_sentences
from tutor.index.store import Indexed, Skipped
from tutor.index.store.checksums import damaged_files
from tutor.index.store.derived import derived_path, versions
from tutor.index.store.writer import Update, commit, load_contents
from tutor.ingest.chunking import chunks_of
from tutor.model import Chunk, CleanText, SourceId, Strategy, Vectors
from tutor.text.terminal import one_line

if TYPE_CHECKING:
    from tutor.config import Config
    from tutor.courses import Course
    from tutor.embedding.embedder import Embedder
    from tutor.index.build.plan import Plan
    from tutor.index.build.preparing import Prepared
    from tutor.index.build.sentences import SentenceFiles
    from tutor.index.store import Derivation, Manifest, Recipe

_REASONS_SHOWN = 5


class IndexUpdate:
    """One update of a course's index, under the writer's lock; `base` is what it builds upon."""

    def __init__(
        self,
        course: Course,
        config: Config,
        embedder: Embedder,
        recipe: Recipe,
        plan: Plan,
        *,
        base: Manifest | None,
        derivations: Sequence[Derivation],
        sentences: SentenceFiles | None,
    ) -> None:
        self._course = course
        self._config = config
        self._embedder = embedder
        self._recipe = recipe
        self._plan = plan
        self._base = base
        self._derivations = derivations
        self._sentences = sentences
        self._contents = load_contents(course.store, base, embedder.dim)
        self._chunk_queue = EmbeddingQueue(course.store, embedder, chunk_vectors(self._contents))
        self._former = self._former_sentences()
        self._sentence_queue = (
            EmbeddingQueue(course.store, embedder, self._former.vectors) if sentences else None
        )
        self._pace = Pace()
        self._sizes = {hashed.file.relative: hashed.size for hashed in plan.to_read}
        self._bytes_read = 0
        self._started = time.perf_counter()
        self._indexed: list[Indexed] = []
        self._skipped: list[Skipped] = []
        self._chunks: dict[Strategy, list[Chunk]] = {one: [] for one in plan.strategies}
        self._texts: dict[SourceId, CleanText] = {}
        self._out_of_reach: list[Indexed] = []
        """Documents whose former version stays, since reading them failed for a passing reason."""
        self._files_done = 0
        self._pages = 0

    def run(
        self, read: Iterable[Prepared | Skipped | None], in_force: Manifest | None, *, refill: bool
    ) -> Iterator[events.IndexEvent]:
        """Do the work. `read` is what comes of the plan's files, as `preparing` gives it.

        `refill` fills Chroma anew. Where no index is in force, one that can be asked by words is
        committed before anything waits for the embedder.
        """
        for entry in self._plan.to_cut:
            self._cut_again(entry, self._contents.texts[entry.source.id])
        if self._plan.to_read:
            yield from self._take_all(read, reading_first=in_force is None)
            self._keep_former()
            if not refill and self._changes_nothing(self._base):
                self._chunk_queue.committed()
                yield events.RunDone(self._summary(self._base, changed=False))
                return
        self._refuse_to_be_empty()
        if in_force is None and any(queue.waiting for queue in self._queues):
            in_force = self._commit_words()
            folder = self._course.store / in_force.folder
            self._derivations = [
                CopiedDerivation(one, folder / one.name) for one in self._derivations
            ]
            yield events.Searchable()
        for _batch in self._chunk_queue.work(to_the_end=True):
            yield self._progress("")
        derivations = list(self._derivations)
        if self._sentences and self._sentence_queue:
            yield from self._embed_sentences(self._sentences, self._sentence_queue)
            derivations.insert(0, self._sentences)  # others read them
        yield events.Committing()
        manifest = commit(
            self._course.store,
            in_force,
            self._contents,
            replace(self._update, added=self._vectors()),
            self._config.chroma,
            refill=refill or self._base is None,
            derivations=derivations,
        )
        self._chunk_queue.committed()
        yield events.RunDone(self._summary(manifest))

    @property
    def _queues(self) -> list[EmbeddingQueue]:
        queues = [self._chunk_queue]
        return [*queues, self._sentence_queue] if self._sentence_queue else queues

    def _take_all(
        self, read: Iterable[Prepared | Skipped | None], *, reading_first: bool
    ) -> Iterator[events.IndexEvent]:
        """Take what was read as it comes; embed full batches between, unless reading goes first."""
        for result in read:
            path = ""
            if isinstance(result, Skipped):
                self._count(result.path)
                self._skipped.append(result)
                yield events.FileSkipped(result)
            elif result:
                path = result.source.path
                self._count(path)
                self._take(result)
            yield self._progress(path)
            if not reading_first:
                for _batch in self._chunk_queue.work(to_the_end=False):
                    yield self._progress(path)

    def _commit_words(self) -> Manifest:
        """Put in force what can be asked without vectors."""
        nothing = load_contents(self._course.store, None, 0)
        chunks = {
            strategy: (cut, np.empty((len(cut), 0), np.float32))
            for strategy, cut in self._chunks.items()
        }
        return commit(
            self._course.store,
            None,
            nothing,
            replace(self._update, added=chunks),
            self._config.chroma,
            derivations=self._derivations,
            vectors=False,
        )

    def _count(self, path: str) -> None:
        self._files_done += 1
        self._bytes_read += self._sizes[path]

    def _keep_former(self) -> None:
        """Leave in the index what was in it and could not be read this time."""
        passing = {file.path for file in self._skipped if file.is_passing}
        former = {one.source.path: one for one in self._base.indexed} if self._base else {}
        self._out_of_reach = [former[path] for path in former.keys() & passing]

    def _changes_nothing(self, base: Manifest | None) -> TypeGuard[Manifest]:
        """Whether all that was tried has failed just as it had before."""
        entries = {entry.source.id for entry in (*self._plan.kept, *self._out_of_reach)}
        derivations = [*self._derivations, *([self._sentences] if self._sentences else [])]
        return (
            base is not None
            and not self._indexed
            and entries == base.sources.keys()
            and set(self._plan.skipped) | set(self._skipped) == set(base.skipped)
            and dict(base.derived) == versions(derivations)
            and base.recipe == self._recipe
        )

    def _former_sentences(self) -> FormerSentences:
        """The sentences of the generation before, as far as they are wanted and sound."""
        base = self._base
        if self._sentences is None or base is None:
            return FormerSentences()
        store, name = self._course.store, self._sentences.name
        folder = derived_path(store, base, name)
        if folder is None or any(True for _name in damaged_files(store, base, name)):
            return FormerSentences()
        return former_sentences(folder, base.derived[name])

    def _embed_sentences(
        self, files: SentenceFiles, queue: EmbeddingQueue
    ) -> Iterator[events.IndexEvent]:
        """Embed the sentences of all documents; those of texts just read are in the queue."""
        queue.add(files.collect(self._not_read(), self._former.spans))
        queue.learn(self._chunk_queue.known)
        for _batch in queue.work(to_the_end=True):
            yield self._progress("", in_sentences=True)
        files.vectors = queue.known

    def _take(self, prepared: Prepared) -> None:
        self._pages += prepared.source.pages
        self._texts[prepared.source.id] = prepared.text
        self._indexed.append(
            Indexed(
                prepared.source,
                self._cut(prepared.text, self._plan.strategies),
                prepared.text.page_starts,
                prepared.pages_without_text,
                prepared.pages_by_ocr,
            )
        )
        if self._sentences and self._sentence_queue:
            self._sentence_queue.add(self._sentences.collect([prepared.text]))

    def _cut_again(self, entry: Indexed, text: CleanText) -> None:
        missing = [one for one in self._plan.strategies if one not in entry.chunks]
        counts = {**entry.chunks, **self._cut(text, missing)}
        self._indexed.append(replace(entry, chunks=counts))

    def _cut(self, text: CleanText, strategies: Iterable[Strategy]) -> dict[Strategy, int]:
        counts = {}
        for strategy in strategies:
            chunks = chunks_of(text, strategy)
            self._chunks[strategy] += chunks
            self._chunk_queue.add([chunk.text for chunk in chunks])
            counts[strategy] = len(chunks)
        return counts

    @property
    def _entries(self) -> Sequence[Indexed]:
        """All documents there will be."""
        return (*self._plan.kept, *self._out_of_reach, *self._indexed)

    def _not_read(self) -> Iterator[CleanText]:
        """The texts of the documents that stay as they were."""
        keys = (entry.source.id for entry in self._entries)
        return (self._contents.texts[key] for key in keys if key not in self._texts)

    def _refuse_to_be_empty(self) -> None:
        if self._entries:
            return
        files = (*self._plan.skipped, *self._skipped)[:_REASONS_SHOWN]
        raise StoreError(
            _("None of the PDFs of the course `%(course)s` could be read.")
            % {"course": self._course.name},
            "\n".join(one_line(f"{file.path}: {file.message} {file.remedy}") for file in files),
        )

    @property
    def _update(self) -> Update:
        """What changes, apart from the chunks."""
        return Update(
            recipe=self._recipe,
            indexed=tuple(sorted(self._entries, key=lambda entry: entry.source.path)),
            skipped=(*self._plan.skipped, *self._skipped),
            replaced={hashed.id for hashed in self._plan.to_read}
            - {entry.source.id for entry in self._out_of_reach},
            added={},
            texts=self._texts,
        )

    def _vectors(self) -> dict[Strategy, tuple[Sequence[Chunk], Vectors]]:
        vectors = self._chunk_queue.vectors
        return {one: (chunks, vectors(chunks)) for one, chunks in self._chunks.items()}

    def _progress(self, path: str, *, in_sentences: bool = False) -> events.Progress:
        chunks, sentences = self._chunk_queue, self._sentence_queue if in_sentences else None
        embedded = sum(queue.embedded for queue in self._queues)
        chars = sum(queue.chars for queue in self._queues)
        waiting = sum(queue.waiting_chars for queue in self._queues)
        self._pace.note(embedded, chars)
        return events.Progress(
            path=path,
            files_done=self._files_done,
            files=len(self._plan.to_read),
            pages=self._pages,
            chunks_done=chunks.found - chunks.waiting,
            chunks_found=chunks.found,
            texts_per_s=self._pace.texts_per_s,
            seconds_left=self._pace.seconds_for(waiting + self._unread_chars(chars + waiting)),
            sentences_done=sentences.found - sentences.waiting if sentences else 0,
            sentences_found=sentences.found if sentences else 0,
        )

    def _unread_chars(self, read: int) -> float:
        """How much the files still to be read will give to embed, if they are like the others."""
        unread = sum(self._sizes.values()) - self._bytes_read
        return read * unread / self._bytes_read if self._bytes_read else 0.0

    def _summary(self, manifest: Manifest, *, changed: bool = True) -> events.Summary:
        chunks, sentences = self._chunk_queue, self._sentence_queue
        return events.Summary(
            manifest=manifest,
            read=len(self._texts),
            unchanged=len(self._plan.kept) + len(self._out_of_reach),
            removed=len(self._plan.removed),
            embedded=chunks.embedded,
            reused=chunks.reused,
            changed=changed,
            seconds={
                "total": time.perf_counter() - self._started,
                "embedding": chunks.seconds,
                "sentences": sentences.seconds if sentences else 0.0,
            },
        )
