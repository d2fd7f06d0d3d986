"""Takes out secrets that only the host's process holds, before a payload leaves it.

The service knows the shapes of common keys, but not the values that this process was started with. Known here are the
environment's variables and the profile's `.env`, where their names say that they hold a secret.
"""

from __future__ import annotations

import functools
import json
import os
import re

SECRET_CHARACTERS_MIN = 8

_SECRET_WORD = re.compile(
    r"(?:\w*(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|APIKEY)S?|KEYS?|PASS|O?AUTH|AUTHORIZATION|BEARER)\Z"
)
# Variables that say where a secret is, or how it is used, and hold none.
_ABOUT_A_SECRET = frozenset(
    "PATH PATHS FILE FILES DIR HOME SOCK SOCKET NAME TYPE MODE METHOD PROVIDER SCHEME ENABLED DISABLED REQUIRED "
    "TIMEOUT TTL LIMIT COUNT MAX MIN".split()
)
# The host's own routing ids; without them no session could be told from another.
_ROUTING = "HERMES_SESSION_"

_ENV_FILE_BYTES = 1 << 20
_env_files: dict = {}


@functools.lru_cache(maxsize=4096)
def looks_secret(name: str) -> bool:
    """Whether the value of a variable is a secret, by the variable's name."""
    words = name.upper().split("_")
    if name.upper().startswith(_ROUTING) or words[-1] in _ABOUT_A_SECRET:
        return False
    return any(_SECRET_WORD.match(word) for word in words) or (len(words) > 1 and words[-1] == "PWD")


class Redactor:
    """Replaces some values by their names. The time it takes grows with the text, whatever stands in it."""

    def __init__(self, secrets: tuple):
        """`secrets` are pairs of name and value."""
        self._names = {}
        for name, value in secrets:
            # Tools answer with JSON inside a string, where a value may stand escaped.
            for form in (value, _escaped(value)):
                self._names.setdefault(form, name)

    def redact(self, value, written: str) -> tuple:
        """A plain value without secrets, and how many were taken out. `written` is the value's compact JSON."""
        present = [form for form in self._names if _escaped(form) in written]
        if not present:
            return value, 0
        taken = 0

        def without(text: str) -> str:
            nonlocal taken
            kept, at = [], 0
            for start, end, form in _covered(text, present):
                kept += (text[at:start], f"[redacted:{self._names[form]}]")
                at, taken = end, taken + 1
            return "".join((*kept, text[at:]))

        return _in_strings(value, without), taken


def _covered(text: str, forms: list) -> list:
    """The stretches of a text that hold any of some values: start, end, and the longest value in it.

    Where values overlap they are one stretch, so that no end of one is left over.
    """
    found = []
    for form in forms:
        at = text.find(form)
        while at >= 0:
            found.append((at, at + len(form), form))
            at = text.find(form, at + len(form))
    stretches = []
    for start, end, form in sorted(found):
        if stretches and start < stretches[-1][1]:
            before = stretches.pop()
            stretches.append((before[0], max(before[1], end), max(before[2], form, key=len)))
        else:
            stretches.append((start, end, form))
    return stretches


def redactor_for(hermes: str) -> Redactor:
    """The secrets as they are now: the host may load its `.env` late, and anew."""
    variables = {*_env_file(os.path.join(hermes, ".env")).items(), *os.environ.items()}
    return _redactor(tuple(sorted((name, value) for name, value in variables if _is_secret(name, value))))


@functools.lru_cache(maxsize=8)
def _redactor(secrets: tuple) -> Redactor:
    return Redactor(secrets)


def _is_secret(name: str, value: str) -> bool:
    if len(value) < SECRET_CHARACTERS_MIN or not looks_secret(name):
        return False
    # A path to a file with a secret is judged as a path.
    return not (value.startswith(("/", "~")) and os.path.exists(os.path.expanduser(value)))


def _env_file(path: str) -> dict:
    """The variables of an `.env` file, read again when it has changed."""
    try:
        found = os.stat(path)
        stamp = (found.st_mtime_ns, found.st_size, found.st_ino)
        known = _env_files.get(path)
        if known is None or known[0] != stamp:
            with open(path, encoding="utf-8", errors="replace") as file:
                known = (stamp, _parsed_env(file.read(_ENV_FILE_BYTES)))
            _env_files[path] = known
        return known[1]
    except (OSError, ValueError):
        return {}


def _parsed_env(text: str) -> dict:
    values = {}
    for line in text.lstrip("\ufeff").splitlines():
        name, equals, value = line.strip().removeprefix("export ").partition("=")
        name, value = name.strip(), value.strip()
        if not equals or not name or name.startswith("#"):
            continue
        if value[:1] in ("'", '"') and value.find(value[0], 1) > 0:
            value = value[1 : value.find(value[0], 1)]
        else:
            value = value.partition(" #")[0].rstrip()
        values[name] = value
    return values


def _escaped(text: str) -> str:
    """As it stands inside a JSON string."""
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _in_strings(value, without):
    """The same plain value with every string in it, names of members too, put through `without`."""
    if isinstance(value, str):
        return without(value)
    if isinstance(value, list):
        return [_in_strings(member, without) for member in value]
    if isinstance(value, dict):
        members = {}
        for name, member in value.items():
            name = without(name)
            while name in members:
                name += " "
            members[name] = _in_strings(member, without)
        return members
    return value
