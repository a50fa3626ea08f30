"""The settings: their names, defaults and bounds, and what is said of a value that is refused."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
)
from pydantic_core import PydanticCustomError

from tutor.errors import ConfigError, command
from tutor.files import from_home
from tutor.i18n import _
from tutor.model import AnswerLength, Strategy

DEFAULT_OLLAMA_PORT = 11434

Layer: TypeAlias = Mapping[str, Any]


def _web_address(value: str) -> str:
    """An http address as typed; httpx would refuse control characters with an error of its own."""
    text = value.strip().rstrip("/")
    parts = urlsplit(text)
    if not text.isprintable() or parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError
    return text


def _http_address(value: str) -> str:
    """Ollama's own spellings of an address: `host`, `host:port`, `:port` or a URL."""
    text = value.strip()
    if "://" not in text:
        text = f"http://127.0.0.1{text}" if text.startswith(":") else f"http://{text}"
    parts = urlsplit(_web_address(text))
    host = str(parts.hostname).replace("0.0.0.0", "127.0.0.1")  # noqa: S104 - to bind to, not to reach
    host = f"[{host}]" if ":" in host else host
    port = parts.port or (443 if parts.scheme == "https" else DEFAULT_OLLAMA_PORT)
    return f"{parts.scheme}://{host}:{port}{parts.path}"


def _words(value: object) -> object:
    """A list of texts; an environment variable separates them by commas."""
    return value.split(",") if isinstance(value, str) else value


def _stripped(value: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(text.strip() for text in value if text.strip())


Words: TypeAlias = Annotated[tuple[str, ...], BeforeValidator(_words), AfterValidator(_stripped)]

_KEY = re.compile(
    r"(?:(?:ctrl|alt|shift|super|hyper|meta)\+)*(?:(?!f\d)[a-z][a-z0-9_]*|f(?:[1-9]|1\d|2[0-4])|\S)"
)


def _pairs(value: object) -> object:
    """Names and keys; an environment variable writes them `name=key`, with blanks between.

    `mark.next = "n"` is a table within a table to TOML, and the name `mark.next` to us.
    """
    if isinstance(value, str):
        return {name: key for name, _is, key in (pair.partition("=") for pair in value.split())}
    return dict(flattened(value)) if isinstance(value, Mapping) else value


def flattened(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The values of nested tables by their dotted names."""
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from flattened(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _key(value: str) -> str:
    """One key or several, separated by commas, each as `ctrl+r`, `f9` or a single character."""
    keys = [key.strip() for key in value.split(",")]
    if not all(_KEY.fullmatch(key) for key in keys):
        raise PydanticCustomError("key_name", "no key")
    return ",".join(keys)


Keys: TypeAlias = Annotated[
    dict[str, Annotated[str, AfterValidator(_key)]], BeforeValidator(_pairs)
]


Seconds: TypeAlias = Annotated[float, Field(gt=0, le=86_400)]
"""Up to a day; some thousand years are more than a system's clock can hold."""


def _folder(value: object) -> object:
    """A path as it is typed: `~` is a home folder, as it is to a shell."""
    try:
        return from_home(value) if isinstance(value, str) else value
    except FileNotFoundError:
        raise PydanticCustomError("home_folder", "no home folder") from None


Folder: TypeAlias = Annotated[Path, BeforeValidator(_folder)]


class _SettingsGroup(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class ReadingConfig(_SettingsGroup):
    """How PDFs are read."""

    backend: Literal["pdfium", "pdfminer"] = "pdfium"
    ocr: Literal["auto", "off"] = "auto"
    max_pages: int = Field(2000, ge=1, le=100_000)
    workers: int = Field(0, ge=0, le=64)
    """Processes that read PDFs; 0: as many as there are cores."""
    timeout_s: Seconds = 300.0
    """Seconds of computing after which a PDF that cannot be finished is left out."""
    memory_mb: int = Field(1024, ge=128, le=1_048_576)
    """Megabytes that a process which reads or draws PDFs may take for one of them."""


class EmbedderConfig(_SettingsGroup):
    """Which embedding model, and where it runs."""

    kind: Literal["auto", "bundled", "onnx", "sentence-transformers", "ollama"] = "auto"
    model: str | None = None
    device: Literal["auto", "cpu", "cuda", "mps"] = "auto"
    batch_size: int | None = Field(None, ge=1, le=4096)
    """Texts at a time, for sentence-transformers and Ollama; ONNX Runtime's share tokens."""
    precision: Literal["auto", "float32", "int8"] = "auto"
    """What the bundled model computes in; `auto`: 8 bits where the processor multiplies bytes."""
    allow_download: bool = False
    """Whether a model that is not on disk may be fetched from its hub."""


class OllamaConfig(_SettingsGroup):
    """The language model's server."""

    host: Annotated[str, AfterValidator(_http_address)] = "http://127.0.0.1:11434"
    model: str = Field("llama3.2", min_length=1)
    temperature: float = Field(0.2, ge=0, le=2)
    num_ctx: int = Field(8192, ge=512, le=1_048_576)
    """Context window in tokens; sent with every request, since another value reloads the model."""
    num_predict: int = Field(1024, ge=1, le=1_048_576)
    """Longest answer, in tokens; this much of the window is kept free for it."""
    keep_alive: str = "10m"
    connect_timeout_s: Seconds = 3.0
    silence_timeout_s: Seconds = 600.0
    """Longest wait for the next sign of life: loading and reading the prompt count."""


class RoutingConfig(_SettingsGroup):
    """Which words in a question send it to the web; accents and case do not matter."""

    web_keywords: Words = (
        "web",
        "internet",
        "investiga",
        "busca en línea",
        "busca online",
        "googlear",
        "search the web",
        "search online",
        "look it up online",
    )


class WebConfig(_SettingsGroup):
    """The web search (SerpAPI)."""

    api_key: SecretStr = SecretStr("")
    """Also read from SERPAPI_API_KEY. Never printed."""
    results: int = Field(5, ge=1, le=20)
    timeout_s: Seconds = 15.0
    url: Annotated[str, AfterValidator(_web_address)] = "https://serpapi.com"
    """Where the search service answers."""


class PersonaConfig(_SettingsGroup):
    """The tutor's instructions to the language model, per language; empty: the built-in ones."""

    es: str = ""
    en: str = ""


class RetrievalConfig(_SettingsGroup):
    """How passages are found."""

    mode: Literal["hybrid", "dense"] = "hybrid"
    """`hybrid`: meaning and words together; `dense`: the cosine of chunk and question alone."""
    sentences: bool = True
    """Whether sentences are embedded, too, while indexing: better ranking for a longer indexing."""


class ChromaConfig(_SettingsGroup):
    """A Chroma server instead of files in the store's folder."""

    host: str | None = None
    port: int = Field(8000, ge=1, le=65535)
    ssl: bool = False


class StudyConfig(_SettingsGroup):
    """How cards are scheduled."""

    retention: float = Field(0.9, ge=0.7, le=0.97)
    """How likely a card is to be remembered on the day that it comes back."""
    new_per_day: int = Field(20, ge=0, le=9999)
    """Cards a day that were never seen before."""


class TuiConfig(_SettingsGroup):
    """How the terminal app looks, and its keys."""

    theme: Literal["auto", "dark", "light"] = "dark"
    """`auto`: as light or dark as the terminal says that it is, dark where it says nothing."""
    keys: Keys = Field(default_factory=dict)
    """Other keys for the app's actions, by the names that its help shows: `sessions = "f9"`."""


class Config(_SettingsGroup):
    """Every setting. Relative paths are taken from the folder of the project (`root`)."""

    language: Literal["es", "en"] = "es"
    course: str | None = None
    """Course to use; without one, the PDFs directly in the notes folder, or its only sub-folder."""
    notes_dir: Folder = Path("notes")
    stores_dir: Folder = Path("stores")
    strategy: Strategy = Strategy.FIXED
    k: int = Field(4, ge=1, le=50)
    """Passages per question."""
    length: AnswerLength = AnswerLength.NORMAL
    """How much of the notes an answer quotes, and how much a model is asked to write."""
    engine: Literal["auto", "ollama", "extractive"] = "auto"
    reading: ReadingConfig = ReadingConfig()
    embedder: EmbedderConfig = EmbedderConfig()
    ollama: OllamaConfig = OllamaConfig()
    persona: PersonaConfig = PersonaConfig()
    routing: RoutingConfig = RoutingConfig()
    web: WebConfig = WebConfig()
    retrieval: RetrievalConfig = RetrievalConfig()
    chroma: ChromaConfig = ChromaConfig()
    study: StudyConfig = StudyConfig()
    tui: TuiConfig = TuiConfig()
    root: Path = Field(default_factory=Path.cwd, exclude=True)

    def varied(self, changes: Mapping[str, Any]) -> Config:
        """These settings with some changed, by their dotted names. Raises `ConfigError`."""
        values = self.model_dump(exclude={"root"}, exclude_unset=True)
        for name, value in changes.items():
            if value is not None:
                put_value(values, name, value)
        return validated(values, self.root, _("the variation"))

    @property
    def notes_path(self) -> Path:
        """The notes folder, absolute."""
        return self.root / self.notes_dir

    @property
    def stores_path(self) -> Path:
        """The folder of all stores, absolute."""
        return self.root / self.stores_dir


def setting_names(section: type[BaseModel] = Config, prefix: str = "") -> tuple[str, ...]:
    """Every setting's dotted path."""
    names: list[str] = []
    for name, field in section.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, _SettingsGroup):
            names += setting_names(kind, f"{prefix}{name}.")
        elif not field.exclude:
            names.append(f"{prefix}{name}")
    return tuple(names)


def put_value(layer: dict[str, Any], name: str, value: object) -> None:
    """Set a setting by its dotted name in nested tables."""
    *sections, key = name.split(".")
    for section in sections:
        layer = layer.setdefault(section, {})
    layer[key] = value


def merge_values(base: dict[str, Any], layer: Layer) -> None:
    """Lay `layer` over `base`, section by section; None means "not given"."""
    for key, value in layer.items():
        if isinstance(value, Mapping):
            below = base.get(key)
            base[key] = dict(below) if isinstance(below, Mapping) else {}
            merge_values(base[key], value)
        elif value is not None:
            base[key] = value


def validated(values: Layer, root: Path, origin: str) -> Config:
    """The settings of these values. Raises `ConfigError`, which names `origin` and the setting."""
    if "root" in values:
        raise ConfigError(
            _("%(origin)s: `%(key)s` is not a setting.") % {"origin": origin, "key": "root"},
            _("Use the environment variable TUTOR_ROOT."),
        )
    try:
        return Config.model_validate({**values, "root": root})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
    names: dict[str, Any] = {
        "origin": origin,
        "key": ".".join(map(str, first["loc"])),
        "value": first["input"],
    }
    if first["type"] == "extra_forbidden":
        raise ConfigError(
            _("%(origin)s: `%(key)s` is not a setting.") % names,
            advice_on_name(names["key"], setting_names()),
        )
    raise ConfigError(
        _("%(origin)s: `%(key)s` cannot be %(value)r.") % names,
        _what_is_allowed(first["type"], first.get("ctx", {})),
    )


def _what_is_allowed(kind: str, context: Mapping[str, Any]) -> str:
    """What pydantic's kind of error means to who wrote the setting."""
    one_of = _("It must be one of: %(expected)s.")
    families = {
        "greater_than_equal": _("It must be at least %(ge)s."),
        "greater_than": _("It must be greater than %(gt)s."),
        "less_than_equal": _("It must be at most %(le)s."),
        "less_than": _("It must be less than %(lt)s."),
        "literal_error": one_of,
        "enum": one_of,
        "value_error": _("It must be an address such as 127.0.0.1:11434."),
        "key_name": _("It must be a key such as f9, ctrl+r or x; several need commas between."),
        "dict_type": _('It must be a section of keys, each on a line such as: sessions = "f9"'),
        "int": _("It must be a whole number."),
        "float": _("It must be a number."),
        "finite_number": _("It must be a number."),
        "bool": _("It must be true or false."),
        "path": _("It must be the path of a folder, in quotation marks."),
        "home_folder": no_home_folder(),
        "string": _("It must be a text in quotation marks, not empty."),
        "model": _("It must be a section, written [like this] on a line of its own."),
    }
    values = {name: str(value).replace(" or ", ", ") for name, value in context.items()}
    allowed = (advice % values for family, advice in families.items() if kind.startswith(family))
    return next(allowed, _all_settings())


def no_home_folder() -> str:
    """What to do about a `~` that leads nowhere."""
    return _("`~` stands for a home folder, and this one is not known: write the whole path.")


def _all_settings() -> str:
    return _("This lists every setting: %(command)s") % {"command": command("config show")}


def advice_on_name(name: str, known: Iterable[str]) -> str:
    """What to type instead of a name that is no setting: the closest one, if any is close."""
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return _("Did you mean `%(name)s`?") % {"name": close[0]} if close else _all_settings()
