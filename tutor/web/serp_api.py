"""Google's results through SerpAPI (https://serpapi.com/search-api)."""

from __future__ import annotations

import json
import re

from tutor.config import WebConfig
from tutor.errors import WebSearchError
from tutor.i18n import _
from tutor.model import WebResult
from tutor.text.terminal import visible_line
from tutor.web.results import clean, results

LONGEST_QUERY = 1000
"""Characters; Google itself looks at some 30 words."""
_COUNTRIES = {"es": "es", "en": "us"}
_LONGEST_REASON = 200
_KNOWN = {"search_metadata", "search_parameters", "search_information", "organic_results"}
_NOTHING = re.compile(r"has(?:n.t| not) returned any results|no results", re.IGNORECASE)
_BAD_KEY = re.compile(r"api.?key", re.IGNORECASE)
_QUOTA = re.compile(r"r[ua]n out|used (?:all|up)|quota", re.IGNORECASE)


class SerpApi:
    """A web search. Its key appears in no message, error or log."""

    def __init__(self, settings: WebConfig) -> None:
        self._settings = settings
        self._key = settings.api_key.get_secret_value().strip()

    def why_not(self) -> WebSearchError | None:
        """Why nothing can be searched, as far as it can be told without asking the service."""
        if not self._key:
            return WebSearchError(
                _("The web was not searched: there is no key for it."),
                _(
                    "serpapi.com gives one: put it into tutor.toml, as api_key below [web], or into"
                    " SERPAPI_API_KEY, and start tutor again."
                ),
            )
        # Other characters would fail while the address is made, in an error that quotes them.
        if not (self._key.isascii() and self._key.isprintable()):
            return _bad_key()
        return None

    def search(self, query: str, language: str) -> list[WebResult]:
        """Results, best first, ranked from 1; at most as many as configured.

        Empty when nothing was found. Raises `WebSearchError`; without a key, before anything
        leaves this machine.
        """
        # Imported here: requests takes 150 ms, and most questions never leave this machine.
        from tutor.web.service import ask  # noqa: PLC0415

        if failure := self.why_not():
            raise failure
        query = visible_line(query)[:LONGEST_QUERY].rstrip()
        if not query:
            raise WebSearchError(
                _("There is nothing to search the web for."), _("Write a question after /web.")
            )
        parameters = {
            "engine": "google",
            "q": query,
            "hl": language,
            "num": str(self._settings.results),
            "api_key": self._key,
        }
        if country := _COUNTRIES.get(language):
            parameters["gl"] = country
        status, body = ask(parameters, self._settings)
        try:
            record = json.loads(body)
        except (ValueError, RecursionError):
            record = None
        return self._results(status, record)

    def _results(self, status: int, record: object) -> list[WebResult]:
        named = record if isinstance(record, dict) else {}
        error = named.get("error")
        # The service's own words, without the key should they quote it.
        reason = clean(error, _LONGEST_REASON).replace(self._key, "***")
        if status != 200:
            raise _refused(status, reason)
        if found := results(named, self._settings.results):
            return found
        metadata = named.get("search_metadata")
        done = isinstance(metadata, dict) and metadata.get("status") == "Success"
        if reason and not done and not _NOTHING.search(reason):
            if _BAD_KEY.search(reason):
                raise _bad_key()
            message = _("The web search failed: %(reason)s") % {"reason": reason}
            raise WebSearchError(message, _("Try again later."))
        if named.get("organic_results") or not named.keys() & _KNOWN:
            raise WebSearchError(
                _("The web search's answer makes no sense."),
                _("Try again later; if it stays so, check web.url in tutor.toml."),
            )
        return []


def _refused(status: int, reason: str) -> WebSearchError:
    if status in {401, 403}:
        return _bad_key()
    if status == 429 and _QUOTA.search(reason):
        return WebSearchError(
            _("The key's searches are used up."),
            _("Wait for the next month or change the plan on serpapi.com. The notes can be asked."),
        )
    if status == 429:
        return WebSearchError(
            _("Too many searches in a short time."),
            _("Wait a little and ask again; serpapi.com shows how many searches are left."),
        )
    if status >= 500:
        return WebSearchError(
            _("The web search service is out of order (HTTP status %(status)d).")
            % {"status": status},
            _("Try again later. The notes can be asked meanwhile."),
        )
    shown = f"HTTP {status}" + (f": {reason}" if reason else "")
    return WebSearchError(
        _("The web search refused the question (%(reason)s).") % {"reason": shown},
        _("Ask in other words, or check web.url in tutor.toml."),
    )


def _bad_key() -> WebSearchError:
    return WebSearchError(
        _("The web search does not accept the key."),
        _("Check SERPAPI_API_KEY or web.api_key in tutor.toml; serpapi.com shows your key."),
    )
