"""Starts the service where it is not there: one attempt at a time, and no wait longer than the caller may."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
import time

from .deadline import Deadline
from .home import Service, is_command
from .redaction import looks_secret

# What a hook waits for an attempt that is under way. One that takes longer goes on without being waited for.
_PATIENCE_SECONDS = 4.0
_ATTEMPT_SECONDS = 20.0
# Between two attempts, doubled each time, for a service that does not start and for one that does not last. So long
# without an attempt, and it begins anew.
_PAUSE_SECONDS = 1.0
_PAUSE_SECONDS_MAX = 60.0
_LOOK_SECONDS = 0.02


class Starter:
    """The attempts to start the service of one home."""

    def __init__(self, home: str, hermes: str):
        self._home = home
        self._hermes = hermes
        self._lock = threading.Lock()
        self._process = None
        self._began = 0.0
        self._not_before = 0.0
        self._pause = _PAUSE_SECONDS

    def start(self, service: Service, deadline: Deadline) -> bool:
        """True when the service should be there now. `serve --detach` returns when it answers, whoever started it."""
        process = self._attempt(service)
        if process is None:
            return False
        while deadline.left() > 0 and time.monotonic() < self._began + _PATIENCE_SECONDS:
            code = process.poll()
            if code is not None:
                self._ended(process)
                return code == 0
            time.sleep(min(_LOOK_SECONDS, deadline.left()))
        return False

    def _attempt(self, service: Service):
        """The attempt under way, or a new one; None where there is no command or it is too early to try again."""
        with self._lock:
            now = time.monotonic()
            if self._process is not None and now > self._began + _ATTEMPT_SECONDS:
                self._end()
            if self._process is None and now >= self._not_before:
                if now > self._not_before + _PAUSE_SECONDS_MAX:
                    self._pause = _PAUSE_SECONDS
                self._began = now
                self._process = self._launch(service)
                if self._process is None:
                    self._end()
            return self._process

    def _ended(self, process) -> None:
        with self._lock:
            if self._process is process:
                self._end()

    def _end(self) -> None:
        self._process = None
        self._not_before = time.monotonic() + self._pause
        self._pause = min(self._pause * 2, _PAUSE_SECONDS_MAX)

    def _launch(self, service: Service):
        # The service needs no secret of ours, and what it does not have it cannot lose.
        environment = {name: value for name, value in os.environ.items() if not looks_secret(name)}
        environment["HERMES_HOME"] = self._hermes
        for command in commands(service):
            try:
                return subprocess.Popen(
                    [*command, "serve", "--detach", "--home", self._home],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    cwd=os.path.abspath(os.sep),  # not the agent's folder, which would be held for as long as it runs
                    env=environment,
                    start_new_session=True,  # Ctrl-C in the host's terminal is not meant for it
                    creationflags=getattr(subprocess, "DETACHED_PROCESS", 0),
                )
            except (OSError, ValueError, RuntimeError):
                continue  # not there, or the interpreter is on its way out
        return None


def commands(service: Service):
    """The command lines that may start this Stele, the likeliest first."""
    told = [service.command, _parsed(os.environ.get("STELE_COMMAND")), _installed()]
    for command in told:
        # Node is found where a script was, and fails then: a command with a path that has gone is the command of old.
        if is_command(command) and all(os.path.exists(word) for word in command if os.path.isabs(word)):
            yield list(command)
    on_path = shutil.which("stele")
    if on_path:
        yield [on_path]


def _installed():
    """What `stele hermes install` wrote beside this file."""
    try:
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "stele.json"), encoding="utf-8") as file:
            value = _parsed(file.read())
    except (OSError, ValueError):
        return None
    return value.get("command") if isinstance(value, dict) else None


def _parsed(text):
    try:
        return json.loads(text) if text else None
    except (ValueError, RecursionError):
        return None
