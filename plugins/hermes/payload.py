"""What goes over: the host's own fields in the shape of its shell hooks, made safe for JSON and cut to what is needed.

A conversation is megabytes and rides on every hook, so it goes over as count, size and digest, and of what a provider is
asked with only a skeleton goes. Arguments and the user's own words are what gates judge; they go over whole.
"""

from __future__ import annotations

import hashlib
import json
import math
import os

from .request_skeleton import skeleton

# Second copies, of what goes over already or need not.
_COPIES = ("original_args", "original_request")

# The service refuses what is nested deeper than some 190 levels; the host's own stack may be deep already.
DEPTH_MAX = 100
# Python refuses to print longer integers, by a limit that the host may lower to 640 digits.
_INTEGER_BITS_MAX = 2048

_LIFTED = ("tool_name", "args", "session_id")


def envelope(hook: str, kwargs: dict, profile, field_bytes: int) -> dict:
    """The payload of one call as plain JSON values; `host` is not in it yet."""
    # The parent's id stands in as with the host's shell hooks; unlike there it stays in `extra` as well.
    session = _string(kwargs.get("session_id")) or _string(kwargs.get("parent_session_id"))
    return {
        "hook_event_name": hook,
        "tool_name": _name(kwargs.get("tool_name")),
        "tool_input": plain(kwargs.get("args")),
        "session_id": session,
        "cwd": _folder(),
        "profile": profile,
        "extra": {
            name: _trimmed(name, value, field_bytes)
            for name, value in kwargs.items()
            if name not in _LIFTED and name not in _COPIES
        },
    }


def bare_envelope(hook: str, kwargs: dict) -> dict:
    """Says that a call there was, where its fields cannot be read at all."""
    return {
        "hook_event_name": hook,
        "tool_name": _string(kwargs.get("tool_name")) or None,
        "tool_input": None,
        "session_id": _string(kwargs.get("session_id")),
        "cwd": "",
        "profile": None,
        "extra": {},
    }


def dumps(value) -> str:
    """Compact JSON of a plain value."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def compact(value) -> bytes:
    """The same in UTF-8. A lone surrogate has none, and becomes the JSON escape that other writers use for it."""
    return dumps(value).encode("utf-8", "backslashreplace")


def plain(value):
    """A copy that JSON can say. What it cannot say becomes its text, as with the host's shell hooks."""
    return _plain(value, 0, set())


def _plain(value, depth: int, around: set):
    if value is None or value is True or value is False:
        return value
    try:
        if isinstance(value, str):
            return str.__str__(value)
        if isinstance(value, int):
            return int(value) if value.bit_length() <= _INTEGER_BITS_MAX else hex(value)
        if isinstance(value, float):
            return float(value) if math.isfinite(value) else str(float(value))
        if not isinstance(value, (dict, list, tuple)):
            return _text(value)
        if id(value) in around:
            return "[circular]"
        if depth >= DEPTH_MAX:
            return "[nested too deep]"
        around.add(id(value))
        try:
            if isinstance(value, dict):
                members = {}
                for name, member in list(value.items()):
                    members[_free(_key(name), members)] = _plain(member, depth + 1, around)
                return members
            return [_plain(member, depth + 1, around) for member in list(value)]
        finally:
            around.discard(id(value))
    except RecursionError:
        return "[nested too deep]"
    except Exception:
        return f"[unreadable {type(value).__name__}]"


def _text(value) -> str:
    return str.__str__(str(value))


def _key(name) -> str:
    """The name of a member, as JSON would have it."""
    if name is None or isinstance(name, (str, int, float)):
        written = _plain(name, 0, set())
        return written if isinstance(written, str) else dumps(written)
    try:
        return _text(name)
    except Exception:
        return f"[unreadable {type(name).__name__}]"


def _free(name: str, members: dict) -> str:
    """Two keys may be written alike, 1 and "1"; neither may hide the other."""
    unique, number = name, 2
    while unique in members:
        unique, number = f"{name} ({number})", number + 1
    return unique


def _string(value) -> str:
    return str.__str__(value) if isinstance(value, str) else ""


def _name(value):
    """A tool's name, whatever the host takes for one."""
    return None if value is None else _text(plain(value))


def _folder() -> str:
    try:
        return os.getcwd()
    except OSError:
        return ""


def _trimmed(name: str, value, field_bytes: int):
    """One member of `extra`, or what stands for it."""
    if name == "conversation_history":
        return _stand_in(value)
    value = plain(skeleton(value) if name == "request" else value)
    if name == "user_message":
        return value
    written = compact(value)
    return value if len(written) <= field_bytes else _described(value, written)


def _stand_in(value) -> dict:
    """Stands for a conversation. It is nearly always plain already, and written without a copy."""
    try:
        return _described(value, compact(value))
    except Exception:
        value = plain(value)
        return _described(value, compact(value))


def _described(value, written: bytes) -> dict:
    count = len(value) if isinstance(value, (dict, list, tuple)) else 0
    return {"count": count, "bytes": len(written), "digest": hashlib.sha256(written).hexdigest()}
