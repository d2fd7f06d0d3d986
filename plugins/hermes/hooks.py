"""The callbacks that the host calls: each hands its call over, and gives back what the host understands.

None of them raises. In the one hook that can stop a call this is what keeps an old host from running it: there an
exception of a plugin is logged, and the tool runs.
"""

from __future__ import annotations

from .call_sessions import with_session
from .client import block_message, client_now
from .deadline import Deadline
from .home import must_block
from .payload import bare_envelope, dumps, envelope
from .redaction import redactor_for
from .request_skeleton import shaped
from .surroundings import surroundings

HOOKS = (
    "pre_llm_call",
    "post_llm_call",
    "pre_tool_call",
    "post_tool_call",
    "pre_verify",
    "on_session_start",
    "on_session_end",
    "on_session_finalize",
    "on_session_reset",
    "subagent_start",
    "subagent_stop",
    "pre_approval_request",
    "post_approval_response",
)
MIDDLEWARE = ("llm_request", "tool_request")


def callbacks(ctx) -> dict:
    """The callbacks of one registration, by the names of their hooks and middleware.

    They know each other: what is said before a call runs hangs on where the one that decides about it stands.
    """
    ours: dict = {}
    for name in (*HOOKS, *MIDDLEWARE):
        ours[name] = _callback_for(name, ctx, ours)
    return ours


def _callback_for(name: str, ctx, ours: dict):
    """The callback for one hook or middleware. It takes keywords alone: hosts add fields from release to release."""

    def callback(**kwargs):
        try:
            return _answer(name, kwargs, ctx, ours["pre_tool_call"])
        except (KeyboardInterrupt, SystemExit):
            # Orders, not errors. No host runs the call after one of them has passed through it.
            raise
        except BaseException:
            return _fallback(name, kwargs)

    callback.__name__ = callback.__qualname__ = f"stele_{name}"
    return callback


def _answer(name: str, kwargs: dict, ctx, decides):
    client = client_now()
    if name in MIDDLEWARE and not (name in client.wants and _is_asked_about(name, kwargs)):
        return None
    deadline = Deadline()
    tool = kwargs.get("tool_name")
    kwargs = with_session(name, kwargs)
    try:
        shown = envelope(name, kwargs, _profile(ctx), client.service().field_bytes)
        payload, redacted = redactor_for(client.hermes).redact(shown, dumps(shown))
        payload["host"] = {**surroundings(name, kwargs, decides), "redacted": redacted}
    except Exception:
        # Nothing may be decided on a payload that cannot be shown; but that there was a call is said.
        return _directive(name, client.keep(tool, bare_envelope(name, kwargs), "its fields could not be read"), kwargs)
    return _directive(name, client.ask(tool, payload, deadline), kwargs)


def _is_asked_about(name: str, kwargs: dict) -> bool:
    """Of the requests of a turn only the first may lose tools; the others are nobody's business."""
    count = kwargs.get("api_call_count")
    return name != "llm_request" or (type(count) is int and count == 1)


def _fallback(name: str, kwargs: dict):
    """Where we failed ourselves. What cannot be known counts as the strictest."""
    if name != "pre_tool_call":
        return None
    try:
        if not must_block(name, kwargs.get("tool_name"), client_now().modes()):
            return None
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:
        pass
    return {"action": "block", "message": block_message("the plugin failed")}


def _profile(ctx):
    """The host's name for the profile, where it has one; read each time, since it follows the call."""
    try:
        name = ctx.profile_name
    except Exception:
        return None
    return (str.__str__(name) or None) if isinstance(name, str) else None


def _directive(name: str, told: dict, kwargs: dict):
    """What the host understands in this place, from what the service said."""
    if not told:
        return None
    if name == "pre_tool_call":
        return _with_message(told)
    if name == "pre_verify":
        return told if told.get("action") == "continue" and _is_said(told.get("message")) else None
    if name == "pre_llm_call":
        context = told.get("context")
        return {"context": context} if isinstance(context, str) and context else None
    if name == "llm_request":
        return shaped(kwargs.get("request"), told)
    return None


def _with_message(told: dict) -> dict:
    """The host ignores a block without a message, and would run the call."""
    if told.get("action") == "block" and not _is_said(told.get("message")):
        return {**told, "message": "Blocked by Stele."}
    return told


def _is_said(message) -> bool:
    return isinstance(message, str) and message.strip() != ""
