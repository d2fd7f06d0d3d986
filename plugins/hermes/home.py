"""Which home a call belongs to, and what the service left there for its clients: `service.json`."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import dataclass, field

from . import host

# The modes of each gate, from the loosest to the strictest.
MODES = {"provenance": ("off", "observe", "block"), "capability": ("off", "observe", "enforce")}
OBSERVING = {"provenance": "observe", "capability": "observe"}
STRICTEST = {gate: modes[-1] for gate, modes in MODES.items()}

# Tools by which an agent writes what it will later take for true.
MEMORY_TOOLS = ("memory", "skill_manage")

FIELD_BYTES = 262144
STAGE_MS_MAX = 10_000
_FILE_BYTES = 1 << 20


def hermes_home() -> str:
    """The host's own folder for the profile of this call. Never kept: one host process can serve several profiles."""
    told = host.ask("hermes_constants", "get_hermes_home")
    # Where there is none to ask, its documented rule.
    found = str(told) if told else os.environ.get("HERMES_HOME", "").strip() or os.path.expanduser("~/.hermes")
    return os.path.abspath(found)


def home_folder(hermes: str) -> str:
    """Stele's home for a profile that has its folder at `hermes`."""
    return os.path.abspath(os.environ.get("STELE_HOME") or os.path.join(hermes, "plugin-data", "stele"))


@dataclass(frozen=True)
class Service:
    """What `service.json` says. `there` and `readable` tell the file's absence and its damage apart."""

    there: bool = True
    readable: bool = True
    socket: str = ""
    pid: int = 0
    page: str = ""
    token: str = ""
    modes: dict = field(default_factory=lambda: dict(STRICTEST))
    command: tuple = ()
    field_bytes: int = FIELD_BYTES
    stage_ms: int = 0


def read_service(home: str) -> Service:
    """Reads `service.json`. What cannot be read counts as the strictest; it never raises."""
    try:
        value = json.loads(_read_file(os.path.join(home, "service.json")))
    except (FileNotFoundError, NotADirectoryError):
        return Service(there=False, modes=dict(OBSERVING))
    except (OSError, ValueError, RecursionError):
        return Service(readable=False)
    if not isinstance(value, dict):
        return Service(readable=False)
    command = value.get("command")
    return Service(
        socket=_string(value.get("socket")),
        pid=_positive(value.get("pid"), 0),
        page=_string(value.get("page")),
        token=_string(value.get("token")),
        modes=read_modes(value.get("modes")),
        command=tuple(command) if is_command(command) else (),
        field_bytes=_positive(value.get("fieldBytes"), FIELD_BYTES),
        stage_ms=read_stage_ms(value.get("stageMs")),
    )


def read_modes(value) -> dict:
    """The modes in a parsed value; a gate whose mode is no mode counts as its strictest."""
    told = value if isinstance(value, dict) else {}
    return {gate: told.get(gate) if _is_mode(gate, told.get(gate)) else modes[-1] for gate, modes in MODES.items()}


def read_stage_ms(value) -> int:
    """How many milliseconds the semantic model may take, 0 for none; what is no number says none."""
    if type(value) not in (int, float) or not value > 0:
        return 0
    return int(min(value, STAGE_MS_MAX))


def stricter(one: dict, other: dict) -> dict:
    """Gate by gate the stricter of two."""
    return {gate: max(one[gate], other[gate], key=modes.index) for gate, modes in MODES.items()}


def must_block(hook, tool, modes: dict) -> bool:
    """Whether a call that nobody judged must not run: the rule of docs/service.md, the same as the service's own.

    Only one hook can stop anything. A name that is no text, or an empty one, is none, and might be any tool's.
    """
    if _is_name(hook) and hook != "pre_tool_call":
        return False
    if modes["capability"] == "enforce":
        return True
    return modes["provenance"] == "block" and (not _is_name(tool) or str.__str__(tool) in MEMORY_TOOLS)


def is_command(value) -> bool:
    """Whether a parsed value is a command line: words, the first of them a program."""
    return isinstance(value, (list, tuple)) and len(value) > 0 and all(isinstance(w, str) and w for w in value)


def _read_file(path: str) -> bytes:
    """Only a regular file, and only so much: a pipe in its place would keep us waiting for ever."""
    with os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError("not a file")
        return file.read(_FILE_BYTES)


def _is_name(value) -> bool:
    return isinstance(value, str) and str.__str__(value) != ""


def _is_mode(gate: str, value) -> bool:
    return isinstance(value, str) and value in MODES[gate]


def _string(value) -> str:
    return value if isinstance(value, str) else ""


def _positive(value, otherwise: int) -> int:
    return value if type(value) is int and value > 0 else otherwise
