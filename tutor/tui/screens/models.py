"""The models of the Ollama server: chosen to answer, fetched, looked at."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from typing import Any

from textual import getters
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import ProgressBar, Static
from textual.worker import get_current_worker

from tutor.config import OllamaConfig
from tutor.errors import TutorError
from tutor.i18n import _, plural
from tutor.listening import same_model
from tutor.llm import InstalledModel, ModelInfo, OllamaServer, PullProgress
from tutor.llm.server import ListedModel
from tutor.presentation.amounts import joined, pull_percent, pull_text, size
from tutor.text.terminal import one_line, plain
from tutor.tui.base import ItemList, TutorScreen, failure_text, safe
from tutor.tui.keys import N_, keys_of
from tutor.tui.screens.dialogs import FieldModal
from tutor.tui.threads import in_background
from tutor.tui.workspace.workspace import Workspace

IN_USE = "●"


class ModelList(ItemList[ListedModel]):
    """The models; Enter or a click chooses one."""

    BINDINGS = keys_of("model_list")

    def show(self, rows: Sequence[ListedModel], in_use: str) -> None:
        """Show these models, pointing at the same one as before, at first at the one in use."""
        pointed = self.current.model.name if self.current else in_use
        places = (n for n, row in enumerate(rows) if same_model(row.model.name, pointed))
        self.fill(rows, partial(_content, in_use=in_use), next(places, 0))


def _content(row: ListedModel, in_use: str) -> Content:
    """A model, marked if it is the one in use, and what is known of it."""
    mark = IN_USE if same_model(row.model.name, in_use) else " "
    model, tokens = row.model, f"{row.info.context_tokens or 0:_}".replace("_", " ")
    facts = [
        size(model.size) if model.size else "",
        _("%(n)s parameters") % {"n": model.parameters} if model.parameters else "",
        model.quantization,
        _("%(n)s tokens of context") % {"n": tokens} if row.info.context_tokens else "",
        _("%(size)s in memory") % {"size": size(row.loaded.size)} if row.loaded else "",
    ]
    if not row.info.chats:
        facts[3] = _("only embeds")
    about = safe(f"\n  {one_line(joined(*facts))}", "$text-muted")
    return safe(f"{mark} {one_line(model.name)}", "bold") + about


_SHOW_EVERY_S = 0.2
LOOK_EVERY_S = 3.0
"""How often a server that is not there is looked for."""
_GIB = 2**30
_FITTING = ((6, "llama3.2:1b"), (14, "llama3.2:3b"))
"""GiB of memory below which a model is advised: half of it is left to everything else."""
_LARGEST = "llama3.1:8b"


class Pull:
    """A model that is being fetched, which goes on on any screen."""

    def __init__(self, app: Any, settings: OllamaConfig, model: str) -> None:
        self.model = model
        self.progress: PullProgress | None = None

        def fetch() -> None:
            worker, server = get_current_worker(), OllamaServer(settings)
            for step in server.pull(model, lambda: worker.is_cancelled):
                if worker.is_cancelled:
                    break
                self.progress = step

        def fetched(_none: None) -> None:
            told = _("The model `%(model)s` is ready; F7 chooses it.") % {"model": plain(model)}
            app.notify(told)

        self.worker = in_background(app, fetch, fetched)
        """What fetches it; if that is cancelled, the server keeps what it has."""


class ModelsScreen(TutorScreen):
    """The server's models; left with the name of the one that was chosen, or None."""

    BINDINGS = keys_of("models")
    DOES = N_("Models")
    _list = getters.query_one(ModelList)
    _is_there = False

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[InstalledModel, ModelInfo] = {}

    def body(self) -> ComposeResult:
        yield Static(id="problem")
        yield ModelList()
        with Horizontal(id="pulling"):
            yield Static(id="pulled")
            yield ProgressBar(total=100, show_eta=False, show_percentage=False)

    def on_mount(self) -> None:
        host = self.workspace.config.ollama.host
        self.head(_("Asking %(host)s ...") % {"host": host})
        self._list.focus()
        self._show_pull()
        self.action_look()
        self.set_interval(LOOK_EVERY_S, lambda: self._is_there or self.action_look())
        self.set_interval(_SHOW_EVERY_S, self._show_pull)

    def can(self, action: str) -> bool:
        if action == "pull":
            return self._is_there and self.app.pull is None
        return action != "stop" or self.app.pull is not None

    # --- the server ---

    def action_look(self) -> None:
        """Ask the server for its models; while something else is done, that comes too early."""

        def look() -> tuple[str, list[ListedModel]]:
            server = OllamaServer(self.workspace.config.ollama)
            return server.version(), server.listed(self._known)

        if not self.is_busy:
            self.do(look, self._show, self._show_problem)

    def _show(self, found: tuple[str, list[ListedModel]]) -> None:
        version, rows = found
        model = answering_model(self.workspace)
        models = plural("%(n)d model", "%(n)d models", len(rows))
        use = f"{IN_USE} {model}" if model else _("answers are quotes: no model is in use")
        self._tell(rows, "" if rows else advice(is_there=True), f"Ollama {version}", models, use)

    def _show_problem(self, error: TutorError) -> None:
        install = _("Ollama runs language models on this machine: https://ollama.com/download")
        looking = _("Looking for it every few seconds ...")
        lines = [failure_text(error), install, "", advice(is_there=False), "", looking]
        self._tell(None, "\n".join(lines))

    def _tell(self, rows: Sequence[ListedModel] | None, problem: str, *server: str) -> None:
        """Show the models, None without a server, what keeps one from answering, and the server."""
        self._is_there = rows is not None
        self.query_one("#problem").display = bool(problem)
        self.query_one("#problem", Static).update(safe(problem))
        self._list.show(rows or (), answering_model(self.workspace))
        self.head(*server[:1], self.workspace.config.ollama.host, *server[1:])
        self.refresh_bindings()

    # --- choosing ---

    def on_option_list_option_selected(self) -> None:
        """Answer with the model that is pointed at, from now on and after the next start."""
        row = self._list.current
        if row is None or self.is_busy:
            return
        if not row.info.chats:
            self.notify(_("This model only embeds; it cannot answer."))
            return
        name = row.model.name

        def chosen(_none: None) -> None:
            self.app.preferences.keep("model", name)
            self.notify(_("Answers come from %(model)s from now on.") % {"model": name})
            self.dismiss(name)

        def failed(error: TutorError) -> None:
            self.app.report(error)
            self.action_look()

        self.do(lambda: self.workspace.choose_model(name), chosen, failed)

    # --- fetching ---

    def action_pull(self) -> None:
        settings = self.workspace.config.ollama
        chosen = "model" in settings.model_fields_set
        offered = settings.model if chosen else fitting_model(memory_gib())

        def fetch(model: str) -> None:
            self.app.pull = Pull(self.app, settings, model)
            self._show_pull()
            self.refresh_bindings()

        title = _("Model to fetch (ollama.com/library)")
        is_there = any(same_model(row.model.name, offered) for row in self._list.items)
        self.ask_for(FieldModal(title, "" if is_there else offered), fetch)

    def action_stop(self) -> None:
        self.app.pull.worker.cancel()
        self.notify(_("Stopped; fetching it again goes on from here."))

    def _show_pull(self) -> None:
        """Show how far a model is fetched; look at the models once that is over."""
        pull: Pull | None = self.app.pull
        if pull and pull.worker.is_finished and not self.is_busy:
            pull = self.app.pull = None
            self.action_look()
        self.query_one("#pulling").display = pull is not None
        if pull:
            step = pull.progress
            told, percent = pull.model, 0
            if step:
                told, percent = pull_text(pull.model, step), pull_percent(step) or 0
            self.query_one("#pulled", Static).update(safe(told))
            self.query_one(ProgressBar).update(progress=percent)


def answering_model(workspace: Workspace) -> str:
    """The model that answers now; empty where answers are quotes."""
    model = workspace.opened.agent.model if workspace.opened else None
    return model.name if model else ""


def memory_gib() -> int:
    """The memory of this machine; 0 where the system does not say."""
    try:
        return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / _GIB)
    except (AttributeError, ValueError, OSError):
        return 0


def fitting_model(gib: int) -> str:
    """A model of ollama.com/library that answers in so much memory; the usual one for 0."""
    if not gib:
        return _FITTING[-1][1]
    return next((model for below, model in _FITTING if gib < below), _LARGEST)


def advice(*, is_there: bool) -> str:
    """Which model to fetch, and how: `is_there` tells whether a server is that can do it."""
    gib = memory_gib()
    told = _("A model that fits this machine (%(gib)d GB of memory): %(model)s.")
    how = _("p fetches it.") if is_there else _("Once Ollama runs, p fetches it.")
    return f"{told % {'gib': gib, 'model': fitting_model(gib)}} {how}"
