"""Find a Python that can run the program. This one file must also run on Python 3.6."""

import os
import shutil
import subprocess
import sys

OLDEST = (3, 11)
TESTED = ((3, 13), (3, 12), (3, 11))
_PROBE = "import sys; print('%d.%d' % sys.version_info[:2])"


def in_language(spanish: str, english: str) -> str:
    """The text in the language of `TUTOR_LANG`; Spanish unless English is asked for."""
    return english if os.environ.get("TUTOR_LANG", "es").lower().startswith("en") else spanish


def ensure() -> None:
    """Return if this Python will do; otherwise start the script again in one that will, or exit.

    A Python newer than the tested ones is used only where no tested one is found: some
    dependency may have no build for it yet.
    """
    running = sys.version_info[:2]
    if running in TESTED:
        return
    for version in TESTED:
        command = _find(version)
        if command:
            _restart(command + sys.argv)
    if running < OLDEST:
        sys.exit(_too_old(running))


def _find(version: "tuple[int, int]") -> "list[str]":
    """The command that starts this version, or nothing. A name on PATH alone proves nothing."""
    name = "%d.%d" % version
    commands = [["python" + name]]
    if os.name == "nt":
        commands.append(["py", "-" + name])
    for command in commands:
        if shutil.which(command[0]) and _answers(command, name):
            return command
    return []


def _answers(command: "list[str]", version: str) -> bool:
    try:
        answer = subprocess.check_output(
            [*command, "-c", _PROBE],
            stdin=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=20,
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return answer.decode("ascii", "replace").strip() == version


def _restart(command: "list[str]") -> None:
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name == "nt":
        sys.exit(subprocess.call(command))
    os.execvp(command[0], command)


def _too_old(running: "tuple[int, int]") -> str:
    return (
        in_language(
            "tutor necesita Python 3.11 o posterior; este es Python %d.%d y no hay otro a mano.\n"
            "Instala Python 3.12 (por ejemplo: sudo apt install python3.12 python3.12-venv, "
            "o brew install python@3.12) y repite la orden.",
            "tutor needs Python 3.11 or later; this is Python %d.%d; no other was found.\n"
            "Install Python 3.12 (for example: sudo apt install python3.12 python3.12-venv, "
            "or brew install python@3.12) and repeat the command.",
        )
        % running
    )
