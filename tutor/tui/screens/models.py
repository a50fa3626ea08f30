"""The models of the Ollama server: chosen to answer, fetched, looked at."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual.binding import Binding
from textual.containers import Horizontal
from textual.widgets import Input, ProgressBar, Static

from tutor.config import config_file
from tutor.errors import EngineError
from tutor.i18n import _, ngettext
from tutor.llm import ModelInfo, OllamaServer
from tutor.llm.server import tagged
from tutor.presentation.pulls import pull_percent, pull_text
from tutor.settings_file import write_values
from tutor.tui.base import N_, TutorScreen, failure_text, safe
from tutor.tui.messages import WorkFailed
from tutor.tui.pulling import Pulled, Pulling, pull, pulled_now, stop_pulling
from tutor.tui.widgets.key_bar import KeyBar
from tutor.tui.widgets.model_table import IN_USE, ModelRow, ModelTable
from tutor.tui.workers import in_background
from tutor.tui.workspace.machine import fitting_model, memory_gib

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.widgets import DataTable

    from tutor.errors import TutorError
    from tutor.llm import InstalledModel
    from tutor.tui.workspace.workspace import Workspace

LOOK_EVERY_S = 3.0
"""How often a server that is not there is looked for."""


class _Server(NamedTuple):
    """What the server has: its version and its models."""

    version: str
    rows: Sequence[ModelRow]


class ModelsScreen(TutorScreen):
    """The server's models; left with the name of the one that was chosen, or None."""

    CSS_PATH = "../styles/models.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "choose(True)", N_("Choose for good"), id="model.keep"),
        Binding("p", "pull", N_("Fetch"), id="model.pull"),
        Binding("x", "stop", N_("Stop fetching"), id="model.stop"),
        Binding("r", "look", N_("Refresh"), id="model.refresh"),
        Binding("escape,f7", "back", N_("Back"), id="model.back"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._is_there = False
        self._is_looking = False
        self._is_choosing = False
        self._known: dict[tuple[str, object], ModelInfo] = {}

    def compose(self) -> ComposeResult:
        """Server, what keeps it from answering, models, what is being fetched."""
        yield Static(id="server")
        yield Static(id="problem")
        yield ModelTable()
        with Horizontal(id="pulling"):
            yield Static(id="pulled")
            yield ProgressBar(total=100, show_eta=False, show_percentage=False)
        yield Input(id="wanted")
        yield KeyBar()

    def on_mount(self) -> None:
        """Look at the server, and go on looking for as long as it is not there."""
        self.query_one("#wanted").border_title = _("Model to fetch (ollama.com/library)")
        self.query_one("#server", Static).update(safe(self._asking_text()))
        self.query_one("#pulling").display = bool(pulled_now(self.app))
        self._table.focus()
        self.action_look()
        self.set_interval(LOOK_EVERY_S, self._look_for_server)

    @property
    def _table(self) -> ModelTable:
        return self.query_one(ModelTable)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - the library's signature
        """Keys that would do nothing now are not shown."""
        if action == "choose":
            return self._table.current is not None
        if action == "stop":
            return bool(pulled_now(self.app))
        if action == "pull":
            return self._is_there and not pulled_now(self.app)
        return True

    # --- the server ---

    def _asking_text(self) -> str:
        return _("Asking %(host)s ...") % {"host": self.workspace.config.ollama.host}

    def _look_for_server(self) -> None:
        if not self._is_there:
            self.action_look()

    def action_look(self) -> None:
        """Ask the server what it has."""
        if not self._is_looking:
            self._is_looking = True
            in_background(self, self._look, self._show, failed=self._show_problem, group="look")

    def _look(self) -> _Server:
        server = OllamaServer(self.workspace.config.ollama)
        version, models = server.version(), server.models()
        running = {tagged(model.name): model for model in server.running()}
        return _Server(
            version,
            [ModelRow(m, self._info(server, m), running.get(tagged(m.name))) for m in models],
        )

    def _info(self, server: OllamaServer, model: InstalledModel) -> ModelInfo:
        """What a model can do; a single one that cannot be read leaves a gap in its row only."""
        key = (model.name, model.modified)
        if key not in self._known:
            try:
                self._known[key] = server.show(model.name)
            except EngineError:
                return ModelInfo()
        return self._known[key]

    def _show(self, found: _Server) -> None:
        """Show what the server has."""
        self._is_looking, self._is_there = False, True
        n = len(found.rows)
        self._explain("" if n else _advice())
        models = ngettext("%(n)d model", "%(n)d models", n) % {"n": n}
        model = answering_model(self.workspace)
        use = f"{IN_USE} {model}" if model else _("answers are quotes: no model is in use")
        host = self.workspace.config.ollama.host
        self._show_rows(found.rows, " · ".join((f"Ollama {found.version}", host, models, use)))

    def _show_problem(self, error: TutorError) -> None:
        """Say why there is no server to be asked."""
        self._is_looking, self._is_there = False, False
        install = _("Ollama runs language models on this machine: https://ollama.com/download")
        looking = _("Looking for it every few seconds ...")
        self._explain("\n".join([failure_text(error), install, "", _advice(), "", looking]))
        self._show_rows((), self.workspace.config.ollama.host)

    def _explain(self, text: str) -> None:
        problem = self.query_one("#problem", Static)
        problem.display = bool(text)
        problem.update(safe(text))

    def _show_rows(self, rows: Sequence[ModelRow], server: str) -> None:
        self._table.show(rows, answering_model(self.workspace))
        self.query_one("#server", Static).update(safe(server))
        self.refresh_bindings()

    # --- choosing ---

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        """Answer with it."""
        event.stop()
        self.action_choose(keep=False)

    def action_choose(self, keep: bool) -> None:
        """Answer with the model that is pointed at; `keep`: also after the next start."""
        row = self._table.current
        if row is None or self._is_choosing:
            return
        if not row.answers:
            self.notify(_("This model only embeds; it cannot answer."), markup=False)
            return
        name, self._is_choosing = row.model.name, True
        in_background(
            self,
            lambda: self._choose(name, keep=keep),
            lambda kept_in: self._leave_with(name, kept_in),
            failed=self._not_chosen,
            group="choose",
        )

    def _choose(self, name: str, *, keep: bool) -> str:
        """Answer with it from now on. Returns the file in which that is kept, or nothing."""
        before = self.workspace.config
        self.workspace.choose_model(name)
        if not keep:
            return ""
        path = config_file(before.root, os.environ)
        engine = {"engine": "auto"} if before.engine == "extractive" else {}
        write_values(path, {**engine, "ollama.model": name})
        return str(path)

    def _leave_with(self, model: str, kept_in: str) -> None:
        told = _("Answers come from %(model)s from now on.") % {"model": model}
        if kept_in:
            told += " " + _("Written: %(path)s") % {"path": kept_in}
        self.notify(told, markup=False)
        self.dismiss(model)

    def _not_chosen(self, error: TutorError) -> None:
        self._is_choosing = False
        self.post_message(WorkFailed(error))
        self.action_look()

    # --- fetching ---

    def action_pull(self) -> None:
        """Ask which model to fetch."""
        wanted = self.query_one("#wanted", Input)
        settings = self.workspace.config.ollama
        chosen = "model" in settings.model_fields_set
        offered = settings.model if chosen else fitting_model(memory_gib())
        wanted.value = "" if self._table.has(offered) else offered
        wanted.display = True
        wanted.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Fetch it."""
        event.stop()
        self._hide_field()
        if model := event.value.strip():
            pull(self.app, self.workspace.config.ollama, model)
            self.query_one("#pulled", Static).update(safe(model))
            self.query_one(ProgressBar).update(progress=0)
            self.query_one("#pulling").display = True
            self.refresh_bindings()

    def action_stop(self) -> None:
        """Stop fetching."""
        stop_pulling(self.app)
        self.notify(_("Stopped; fetching it again goes on from here."), markup=False)

    def on_pulling(self, message: Pulling) -> None:
        """Show how far it is."""
        if pulled_now(self.app):
            self.query_one("#pulled", Static).update(
                safe(pull_text(message.model, message.progress))
            )
            self.query_one(ProgressBar).update(progress=pull_percent(message.progress) or 0)
            self.query_one("#pulling").display = True

    def on_pulled(self, _message: Pulled) -> None:
        """It has ended: look what is there now."""
        self.query_one("#pulling").display = False
        self.refresh_bindings()
        self.action_look()

    def _hide_field(self) -> None:
        self.query_one("#wanted").display = False
        self._table.focus()

    def action_back(self) -> None:
        """Out of the field, or out of here; what is being fetched goes on."""
        if self.query_one("#wanted").display:
            self._hide_field()
        else:
            self.dismiss(None)


def answering_model(workspace: Workspace) -> str:
    """The model that answers now; empty where answers are quotes."""
    model = workspace.opened.agent.model if workspace.opened else None
    return model.name if model else ""


def _advice() -> str:
    """Which model to fetch."""
    gib = memory_gib()
    told = _("A model that fits this machine (%(gib)d GB of memory): %(model)s. p fetches it.")
    return told % {"gib": gib, "model": fitting_model(gib)}
