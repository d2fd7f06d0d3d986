"""Which session a call belongs to. An old host speaks of an approval by the call's id alone."""

from __future__ import annotations

import threading
from collections import OrderedDict

_CALLS_MAX = 256

_lock = threading.Lock()
_sessions: OrderedDict[str, str] = OrderedDict()


def with_session(hook: str, kwargs: dict) -> dict:
    """The same keywords; with the session of their call, where the host left it out and the call was seen before it ran."""
    call = kwargs.get("tool_call_id")
    session = kwargs.get("session_id")
    if type(call) is not str or not call:
        return kwargs
    if type(session) is str and session:
        if hook == "pre_tool_call":
            _remember(call, session)
        return kwargs
    with _lock:
        known = _sessions.get(call)
    return kwargs if known is None else {**kwargs, "session_id": known}


def _remember(call: str, session: str) -> None:
    with _lock:
        _sessions.pop(call, None)
        _sessions[call] = session
        while len(_sessions) > _CALLS_MAX:
            _sessions.popitem(last=False)
