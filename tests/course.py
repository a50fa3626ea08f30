"""A small course of real PDFs, and the real command run on it in a process of its own."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from tests import pdfs

REPO = Path(__file__).resolve().parent.parent
COMMAND = (sys.executable, "-c", "from tutor.cli.main import main; main()")

NEURAL = (
    (
        "Una red neuronal artificial es un modelo de cálculo formado por capas de neuronas "
        "conectadas entre sí. Cada neurona suma sus entradas ponderadas y aplica una función de "
        "activación. El aprendizaje consiste en ajustar los pesos con descenso de gradiente."
    ),
    (
        "La retropropagación calcula el gradiente del error respecto de cada peso mediante la "
        "regla de la cadena. La tasa de aprendizaje recomendada en el curso es 0,01."
    ),
)
TREES = (
    (
        "Un árbol de decisión parte los datos con preguntas sobre sus atributos. La ganancia de "
        "información mide cuánto baja la entropía al partir un nodo."
    ),
    "El bosque aleatorio entrena 100 árboles sobre muestras con reemplazo y promedia sus votos.",
)
CLUSTERS = (
    (
        "El algoritmo k-means asigna cada punto al centroide más cercano y recalcula los "
        "centroides hasta que ninguno cambia."
    ),
    (
        "La silueta de un punto vale entre -1 y 1, y compara la distancia a su grupo con la "
        "distancia al grupo vecino más cercano."
    ),
)
FILES = {
    "07_SEMANA_AI_20250915_1.pdf": ("Árboles", TREES),
    "08_SEMANA_AI_20250922_1.pdf": ("Agrupamiento", CLUSTERS),
    "09_SEMANA_AI_20250929_1.pdf": ("Redes neuronales", NEURAL),
}


def _listen_to_interrupts() -> None:
    """What a shell starts in the background ignores Ctrl-C, and so would its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@dataclass(frozen=True)
class Workspace:
    """A folder with notes, in which commands are run."""

    root: Path

    @property
    def notes(self) -> Path:
        return self.root / "notes"

    @property
    def store(self) -> Path:
        return self.root / "stores" / "default"

    def environment(self, **extra: str) -> dict[str, str]:
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("TUTOR_")}
        inherited.pop("OLLAMA_HOST", None)
        return {
            **inherited,
            "PYTHONPATH": str(REPO),
            "TUTOR_ROOT": str(self.root),
            "TUTOR_LANG": "en",
            "TUTOR_OLLAMA_HOST": "127.0.0.1:9",
            "TUTOR_EMBEDDER_KIND": "bundled",
            "TUTOR_EMBEDDER_PRECISION": "float32",  # the same on every processor
            "TUTOR_READING_WORKERS": "1",  # starting a second one takes longer than three PDFs
            **extra,
        }

    def run(
        self, *arguments: str, typed: str = "", **extra: str
    ) -> subprocess.CompletedProcess[str]:
        """Run `tutor` to its end; `typed` are the lines it is given."""
        return subprocess.run(
            [*COMMAND, *arguments],
            env=self.environment(**extra),
            cwd=self.root,
            capture_output=True,
            text=True,
            check=False,
            input=typed,
        )

    def run_here(
        self, *arguments: str, typed: str = "", **extra: str
    ) -> subprocess.CompletedProcess[str]:
        """The same command line in this process: no interpreter starts, nothing is imported again.

        For tests of what a command says and does; others show that it starts and ends well. Help
        texts keep the language in which they were first imported.
        """
        output, errors = io.StringIO(), io.StringIO()
        with redirect_stdout(output), redirect_stderr(errors):
            code = self.exit_code_here(*arguments, typed=typed, **extra)
        return subprocess.CompletedProcess(arguments, code, output.getvalue(), errors.getvalue())

    def exit_code_here(self, *arguments: str, typed: str = "", **extra: str) -> int:
        """Run `tutor` in this process with the standard output and error that this process has."""
        from tutor.cli.main import main

        with (
            mock.patch.dict(os.environ, self.environment(**extra), clear=True),
            mock.patch.object(sys, "stdin", io.StringIO(typed)),
            chdir(self.root),
        ):
            try:
                main(arguments)
            except SystemExit as end:
                return int(end.code or 0)
        return 0

    def json_here(self, *arguments: str, codes: tuple[int, ...] = (0,)) -> Any:
        """Run `tutor` in this process and read the JSON that it prints."""
        done = self.run_here(*arguments, "--json")
        assert done.returncode in codes, done.stderr
        return json.loads(done.stdout)

    def start(self, *arguments: str, typing: bool = False, **extra: str) -> subprocess.Popen[str]:
        """Run `tutor` and come back at once; with `typing` its standard input is a pipe."""
        return subprocess.Popen(
            [*COMMAND, *arguments],
            env=self.environment(**extra),
            cwd=self.root,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            stdin=subprocess.PIPE if typing else subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=_listen_to_interrupts,  # noqa: PLW1509 - it takes no lock
        )

    def json(self, *arguments: str, codes: tuple[int, ...] = (0,)) -> Any:
        """Run `tutor` and read the JSON that it prints."""
        done = self.run(*arguments, "--json")
        assert done.returncode in codes, done.stderr
        return json.loads(done.stdout)

    def manifest(self) -> dict[str, Any]:
        record: dict[str, Any] = json.loads((self.store / "manifest.json").read_text())
        return record


def make_workspace(root: Path) -> Workspace:
    """A workspace with the three PDFs of `FILES`, not yet indexed."""
    workspace = Workspace(root)
    workspace.notes.mkdir(parents=True)
    for name, (title, paragraphs) in FILES.items():
        pdfs.one_column(workspace.notes / name, paragraphs, title=title)
    return workspace


def index_with_map(workspace: Workspace) -> None:
    """Make its index and its map."""
    for command in ("index", "map"):
        done = workspace.run_here(command)
        assert done.returncode == 0, done.stderr
