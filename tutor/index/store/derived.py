"""Which folders of a generation are computed from its contents, and by which version."""

from __future__ import annotations

from tutor.index.lexical import LEXICAL_VERSION, lexical_name
from tutor.index.store.sentences import SENTENCES, SENTENCES_VERSION
from tutor.model import Strategy


def derived_versions(*, sentences: bool) -> dict[str, str]:
    """The version of each derived folder there should be; without `sentences` none of those.

    Those of another version are made anew by the next update.
    """
    versions = {lexical_name(strategy): LEXICAL_VERSION for strategy in Strategy}
    return {SENTENCES: SENTENCES_VERSION, **versions} if sentences else versions
