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
from tutor.index.build.derivations import Again
from tutor.index.build.embedded import EmbeddingQueue, chunk_vectors
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
    from tutor.index.store.writer import Contents

_REASONS_SHOWN = 5


class IndexUpdate:
    """One update of a course's index, under the writer's lock."""

    def __init__(
        self,
        course: Course,
        config: Config,
        embedder: Embedder,
        recipe: Recipe,
        plan: Plan,
        *,
        derivations: Sequence[Derivation] = (),
        sentences: SentenceFiles | None = None,
    ) -> None:
        self._course = course
        self._config = config
        self._embedder = embedder
        self._recipe = recipe
        self._plan = plan
        self._derivations = derivations
        self._sentences = sentences
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
        self,
        read: Iterable[Prepared | Skipped | None],
        in_force: Manifest | None,
        base: Manifest | None,
        *,
        refill: bool,
    ) -> Iterator[events.IndexEvent]:
        """Do the work. `read` is what comes of the plan's files, as `preparing` gives it.

        `base` is the manifest to build upon; `refill` fills Chroma anew. Where none is in force,
        one that can be asked by words is committed before anything waits for the embedder.
        """
        store = self._course.store
        contents = load_contents(store, base, self._embedder.dim)
        queue = EmbeddingQueue(store, self._embedder, chunk_vectors(contents))
        former = self._former_sentences(base)
        later = EmbeddingQueue(store, self._embedder, former.vectors) if self._sentences else None
        for entry in self._plan.to_cut:
            self._cut_again(entry, contents.texts[entry.source.id], queue)
        if self._plan.to_read:
            yield from self._take_all(read, queue, later, reading_first=in_force is None)
            self._keep_former(base)
            if not refill and self._changes_nothing(base):
                queue.committed()
                yield events.Done(self._summary(base, queue, later, changed=False))
                return
        self._refuse_to_be_empty()
        if in_force is None and (queue.waiting or (later and later.waiting)):
            in_force = self._commit_words()
            folder = self._course.store / in_force.folder
            self._derivations = [Again(one, folder / one.name) for one in self._derivations]
            yield events.Searchable()
        for _batch in queue.work(to_the_end=True):
            yield self._progress("", queue, later)
        derivations = list(self._derivations)
        if self._sentences and later:
            later.add(self._sentences.collect(self._not_read(contents), former.spans))
            yield from self._embed_sentences(self._sentences, queue, later)
            derivations.insert(0, self._sentences)  # others read them
        yield events.Committing()
        manifest = commit(
            store,
            in_force,
            contents,
            replace(self._update, added=self._vectors(queue)),
            self._config.chroma,
            refill=refill or base is None,
            derivations=derivations,
        )
        queue.committed()
        yield events.Done(self._summary(manifest, queue, later))

    def _take_all(
        self,
        read: Iterable[Prepared | Skipped | None],
        queue: EmbeddingQueue,
        later: EmbeddingQueue | None,
        *,
        reading_first: bool,
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
                self._take(result, queue)
                if self._sentences and later:
                    later.add(self._sentences.collect([result.text]))
            yield self._progress(path, queue, later)
            if not reading_first:
                for _batch in queue.work(to_the_end=False):
                    yield self._progress(path, queue, later)

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

    def _keep_former(self, base: Manifest | None) -> None:
        """Leave in the index what was in it and could not be read this time."""
        passing = {file.path for file in self._skipped if file.is_passing}
        former = {entry.source.path: entry for entry in base.indexed} if base else {}
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

    def _former_sentences(self, base: Manifest | None) -> FormerSentences:
        """The sentences of the generation before, as far as they are wanted and sound."""
        if self._sentences is None or base is None:
            return FormerSentences()
        store, name = self._course.store, self._sentences.name
        folder = derived_path(store, base, name)
        if folder is None or any(True for _name in damaged_files(store, base, name)):
            return FormerSentences()
        return former_sentences(folder, base.derived[name])

    def _embed_sentences(
        self, files: SentenceFiles, queue: EmbeddingQueue, later: EmbeddingQueue
    ) -> Iterator[events.IndexEvent]:
        """Embed the sentences that were collected."""
        later.learn(queue.known)
        for _batch in later.work(to_the_end=True):
            yield self._progress("", queue, later, in_sentences=True)
        files.vectors = later.known

    def _take(self, prepared: Prepared, queue: EmbeddingQueue) -> None:
        self._pages += prepared.source.pages
        self._texts[prepared.source.id] = prepared.text
        self._indexed.append(
            Indexed(
                prepared.source,
                self._cut(prepared.text, self._plan.strategies, queue),
                prepared.text.page_starts,
                prepared.pages_without_text,
                prepared.pages_by_ocr,
            )
        )

    def _cut_again(self, entry: Indexed, text: CleanText, queue: EmbeddingQueue) -> None:
        missing = [one for one in self._plan.strategies if one not in entry.chunks]
        counts = {**entry.chunks, **self._cut(text, missing, queue)}
        self._indexed.append(replace(entry, chunks=counts))

    def _cut(
        self, text: CleanText, strategies: Iterable[Strategy], queue: EmbeddingQueue
    ) -> dict[Strategy, int]:
        counts = {}
        for strategy in strategies:
            chunks = chunks_of(text, strategy)
            self._chunks[strategy] += chunks
            queue.add([chunk.text for chunk in chunks])
            counts[strategy] = len(chunks)
        return counts

    @property
    def _entries(self) -> Sequence[Indexed]:
        """All documents there will be."""
        return (*self._plan.kept, *self._out_of_reach, *self._indexed)

    def _not_read(self, contents: Contents) -> Iterator[CleanText]:
        """The texts of the documents that stay as they were."""
        keys = (entry.source.id for entry in self._entries)
        return (contents.texts[key] for key in keys if key not in self._texts)

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

    def _vectors(self, queue: EmbeddingQueue) -> dict[Strategy, tuple[Sequence[Chunk], Vectors]]:
        return {one: (chunks, queue.vectors(chunks)) for one, chunks in self._chunks.items()}

    def _progress(
        self,
        path: str,
        queue: EmbeddingQueue,
        later: EmbeddingQueue | None,
        *,
        in_sentences: bool = False,
    ) -> events.Progress:
        queues = [queue, later] if later else [queue]
        self._pace.note(sum(one.embedded for one in queues), sum(one.chars for one in queues))
        waiting = sum(one.waiting_chars for one in queues)
        return events.Progress(
            path=path,
            files_done=self._files_done,
            files=len(self._plan.to_read),
            pages=self._pages,
            chunks_done=queue.found - queue.waiting,
            chunks_found=queue.found,
            texts_per_s=self._pace.texts_per_s,
            seconds_left=self._pace.seconds_for(waiting + self._unread_chars(queues)),
            sentences_done=later.found - later.waiting if later and in_sentences else 0,
            sentences_found=later.found if later and in_sentences else 0,
        )

    def _unread_chars(self, queues: Sequence[EmbeddingQueue]) -> float:
        """How much the files still to be read will give to embed, if they are like the others."""
        chars = sum(one.chars + one.waiting_chars for one in queues)
        unread = sum(self._sizes.values()) - self._bytes_read
        return chars * unread / self._bytes_read if self._bytes_read else 0.0

    def _summary(
        self,
        manifest: Manifest,
        queue: EmbeddingQueue,
        later: EmbeddingQueue | None,
        *,
        changed: bool = True,
    ) -> events.Summary:
        return events.Summary(
            manifest=manifest,
            read=len(self._texts),
            unchanged=len(self._plan.kept) + len(self._out_of_reach),
            removed=len(self._plan.removed),
            embedded=queue.embedded,
            reused=queue.reused,
            changed=changed,
            seconds={
                "total": time.perf_counter() - self._started,
                "embedding": queue.seconds,
                "sentences": later.seconds if later else 0.0,
            },
        )
