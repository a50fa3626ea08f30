"""The models of the Ollama server: chosen to answer, fetched, looked at."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Footer, Input, ProgressBar, Static

from tutor.config import config_file
from tutor.errors import EngineError, TutorError
from tutor.i18n import _, ngettext
from tutor.llm import ModelInfo, OllamaServer
from tutor.llm.server import tagged
from tutor.presentation.pulls import pull_percent, pull_text
from tutor.settings_file import write_values
from tutor.tui.background import in_background
from tutor.tui.base import N_, TutorScreen, failure_text, safe
from tutor.tui.pulling import Pulled, Pulling, pull, pulled_now, stop_pulling
from tutor.tui.widgets.model_table import IN_USE, ModelRow, ModelTable

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.widgets import DataTable

    from tutor.tui.desk import Desk

LOOK_EVERY_S = 3.0
"""How often a server that is not there is looked for."""


class _Found(Message):
    """What the server has, or why it cannot be asked."""

    def __init__(
        self,
        rows: Sequence[ModelRow] = (),
        version: str = "",
        error: TutorError | None = None,
    ) -> None:
        super().__init__()
        self.rows = rows
        self.version = version
        self.error = error


class _Chosen(Message):
    """The desk answers with `model` from now on, or why it does not."""

    def __init__(self, model: str, kept_in: str = "", error: TutorError | None = None) -> None:
        super().__init__()
        self.model = model
        self.kept_in = kept_in
        self.error = error


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
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Look at the server, and go on looking for as long as it is not there."""
        self.query_one("#wanted").border_title = _("Model to fetch (ollama.com/library)")
        self.query_one("#server", Static).update(safe(self._asking_text()))
        self.query_one("#pulling").display = bool(pulled_now(self.tutor))
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
            return bool(pulled_now(self.tutor))
        if action == "pull":
            return self._is_there and not pulled_now(self.tutor)
        return True

    # --- the server ---

    def _asking_text(self) -> str:
        return _("Asking %(host)s ...") % {"host": self.desk.config.ollama.host}

    def _look_for_server(self) -> None:
        if not self._is_there:
            self.action_look()

    def action_look(self) -> None:
        """Ask the server what it has."""
        if not self._is_looking:
            self._is_looking = True
            in_background(self, self._look, group="look")

    def _look(self) -> _Found:
        server = OllamaServer(self.desk.config.ollama)
        try:
            version, models = server.version(), server.models()
            running = {tagged(model.name): model for model in server.running()}
            rows = [ModelRow(m, None, running.get(tagged(m.name))) for m in models]
            self.post_message(_Found(rows, version))
            rows = [ModelRow(r.model, self._info(server, r), r.loaded) for r in rows]
        except TutorError as error:
            return _Found(error=error)
        finally:
            self._is_looking = False
        return _Found(rows, version)

    def _info(self, server: OllamaServer, row: ModelRow) -> ModelInfo:
        """What a model can do; a single one that cannot be read leaves a gap in its row only."""
        key = (row.model.name, row.model.modified)
        if key not in self._known:
            try:
                self._known[key] = server.show(row.model.name)
            except EngineError:
                return ModelInfo()
        return self._known[key]

    def on__found(self, message: _Found) -> None:
        """Show what the server has."""
        self._is_there = message.error is None
        problem = self.query_one("#problem", Static)
        problem.display = not self._is_there
        if message.error:
            looking = _("Looking for it every few seconds ...")
            problem.update(safe(f"{failure_text(message.error)}\n\n{looking}"))
        self._table.show(message.rows, answering_model(self.desk))
        self.query_one("#server", Static).update(safe(self._server_text(message)))
        self.refresh_bindings()

    def _server_text(self, message: _Found) -> str:
        host = self.desk.config.ollama.host
        if message.error:
            return host
        n = len(message.rows)
        models = ngettext("%(n)d model", "%(n)d models", n) % {"n": n}
        model = answering_model(self.desk)
        use = f"{IN_USE} {model}" if model else _("answers are quotes: no model is in use")
        return " · ".join((f"Ollama {message.version}", host, models, use))

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
        name = row.model.name
        self._is_choosing = True
        in_background(self, lambda: self._choose(name, keep=keep), group="choose")

    def _choose(self, name: str, *, keep: bool) -> _Chosen:
        before = self.desk.config
        try:
            self.desk.choose_model(name)
            path = config_file(before.root, os.environ)
            if keep:
                engine = {"engine": "auto"} if before.engine == "extractive" else {}
                write_values(path, {**engine, "ollama.model": name})
        except TutorError as error:
            return _Chosen(name, error=error)
        finally:
            self._is_choosing = False
        return _Chosen(name, str(path) if keep else "")

    def on__chosen(self, message: _Chosen) -> None:
        """Leave with the model, or say why it cannot be had."""
        if message.error:
            self.tutor.report(message.error)
            self.action_look()
            return
        told = _("Answers come from %(model)s from now on.") % {"model": message.model}
        if message.kept_in:
            told += " " + _("Written: %(path)s") % {"path": message.kept_in}
        self.notify(told, markup=False)
        self.dismiss(message.model)

    # --- fetching ---

    def action_pull(self) -> None:
        """Ask which model to fetch."""
        wanted = self.query_one("#wanted", Input)
        configured = self.desk.config.ollama.model
        wanted.value = "" if self._table.has(configured) else configured
        wanted.display = True
        wanted.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Fetch it."""
        event.stop()
        self._hide_field()
        if model := event.value.strip():
            pull(self.tutor, self.desk.config.ollama, model)
            self.query_one("#pulled", Static).update(safe(model))
            self.query_one(ProgressBar).update(progress=0)
            self.query_one("#pulling").display = True
            self.refresh_bindings()

    def action_stop(self) -> None:
        """Stop fetching."""
        stop_pulling(self.tutor)
        self.notify(_("Stopped; fetching it again goes on from here."), markup=False)

    def on_pulling(self, message: Pulling) -> None:
        """Show how far it is."""
        if pulled_now(self.tutor):
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


def answering_model(desk: Desk) -> str:
    """The model that answers now; empty where answers are quotes."""
    model = desk.opened.agent.model if desk.opened else None
    return model.name if model else ""
