"""What every search engine offers, as a protocol."""

from __future__ import annotations

from typing import Protocol

from tutor.model import WebResult


class WebSearch(Protocol):
    """A search engine on the web; asking it sends the question away from this machine."""

    def search(self, query: str, language: str) -> list[WebResult]:
        """Results, best first, ranked from 1; `language` is `es` or `en`.

        Empty when nothing was found. Raises `WebSearchError`.
        """
        ...
