"""What can be known about the moment of a call: who could answer a question, who writes, what else decides.

All of these are internal names of the host, and differ between its releases (0.19 to 0.22 were looked at). Each is
asked anew for every call, since most depend on its context. What cannot be found out is left out, never guessed.
"""

from __future__ import annotations

import functools
import os
import re
import sys
from datetime import datetime, timezone
from importlib import metadata

from . import host

# Platforms with nobody to ask, for a host that cannot tell so itself.
_UNATTENDED_PLATFORMS = ("webhook", "msgraph_webhook", "api_server", "subagent", "curator")
_TRUE = ("1", "true", "yes", "on")

# Where something is decided about a call, or prepared to be.
_DECIDING = ("pre_tool_call", "tool_request")

# From this one on a host lets any block win over any approve, whoever said it first.
_ANY_BLOCK_WINS_SINCE = (0, 21, 5)
# A release as hosts number them. One before a release (`0.21.5rc1`) is none, and neither is a date.
_RELEASE = re.compile(r"(\d{1,3})\.(\d{1,5})(?:\.(\d{1,5}))?(?:\.post\d+)?(?:\+[a-z0-9.]+)?")
# What a host says that was started from its sources and knows no number.
_NO_RELEASE = "0.0.0"


def surroundings(hook: str, kwargs: dict, decides) -> dict:
    """The members of `host` for one call. What it takes some work to find is found where something is decided.

    `decides` is our callback for `pre_tool_call`, the one hook that can stop a call.
    """
    platform = _platform(kwargs)
    found = {
        "at": datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "hermes_version": hermes_version(),
        "attended": attendance(platform),
        "write_origin": _write_origin(),
        "platform": platform,
    }
    if hook in _DECIDING:
        found["last_in_order"] = _last_in_order(decides)
        found["approvals_off"] = _approvals_off()
        found["terminal_backend"] = _terminal_backend()
    return {name: value for name, value in found.items() if value is not None}


@functools.lru_cache(maxsize=1)
def hermes_version():
    """The host's version; None where it does not say."""
    try:
        return str(metadata.version("hermes-agent"))
    except Exception:
        # Not a PackageNotFoundError alone: whatever is broken about the installation is not ours to report.
        told = host.attribute("hermes_cli", "__version__")
        return told if isinstance(told, str) else None


def attendance(platform) -> str:
    """Whether a person could answer a question now. Where it is not certain, it is unknown."""
    cron = _told("_is_cron_approval_context")
    if cron is None:
        cron = _is_true(_session("HERMES_CRON_SESSION")) or platform == "cron"
    remote = _told("_is_unattended_platform_approval_context")
    if remote is None:
        remote = platform in _UNATTENDED_PLATFORMS or _session("HERMES_SESSION_PLATFORM") in _UNATTENDED_PLATFORMS
    single = _told("_is_single_query_approval_context")
    if cron or remote or single:
        return "unattended"
    interactive = _told("_is_interactive_cli")
    if interactive and single is None:
        # Such a host calls a single question on the command line interactive as well.
        interactive = _has_terminal()
    return "attended" if interactive or _told("_is_gateway_approval_context") else "unknown"


def _told(predicate: str):
    """What the host says of the approval context; None where it does not say."""
    for module in ("tools.approval_context", "tools.approval"):
        answer = _ask(module, predicate)
        if isinstance(answer, bool):
            return answer
    return None


def _write_origin():
    origin = _ask("tools.skill_provenance", "get_current_write_origin")
    return origin if isinstance(origin, str) and origin else None


def _platform(kwargs: dict):
    platform = kwargs.get("platform")
    told = str.__str__(platform) if isinstance(platform, str) else ""
    return told or _session("HERMES_SESSION_PLATFORM") or None


def _last_in_order(decides):
    """Whether no other plugin's opinion could be hidden by ours: an old host takes the first that it is given."""
    if _any_block_wins():
        return True
    if _is_plugin_host():
        return None
    callbacks = _ask("hermes_cli.plugins", "iter_hook_callbacks", "pre_tool_call")
    if not isinstance(callbacks, (tuple, list)) or not any(one is decides for one in callbacks):
        return None
    return callbacks[-1] is decides


def _any_block_wins() -> bool:
    """Whether the host looks at all opinions, so that an approve of ours hides nobody's block.

    Nothing that we know of shows the rule itself from outside, and trying it out would call everybody's hooks. So the
    version is all there is. Each that the host says must be late enough; where it says none, or what is none, the order
    counts.
    """
    told = (hermes_version(), host.attribute("hermes_cli", "__version__"))
    known = [version for version in told if version is not None and version != _NO_RELEASE]
    return len(known) > 0 and all(_is_since(version, _ANY_BLOCK_WINS_SINCE) for version in known)


def _is_since(version, first: tuple) -> bool:
    numbers = _RELEASE.fullmatch(version) if isinstance(version, str) else None
    return numbers is not None and tuple(int(number or 0) for number in numbers.groups()) >= first


def _approvals_off():
    """Whether the host would wave through what it is told to ask about."""
    if _is_true(os.environ.get("HERMES_YOLO_MODE")) or _config("approvals", "mode") in ("off", False):
        return True
    bypass = _ask("tools.approval", "is_approval_bypass_active")
    if isinstance(bypass, bool):
        return bypass
    session = _ask("tools.approval", "is_current_session_yolo_enabled")
    process = None if _is_plugin_host() else host.attribute("tools.approval", "_YOLO_MODE_FROZEN")
    if session is True or process is True:
        return True
    return False if session is False and process is False else None


def _terminal_backend():
    backend = os.environ.get("TERMINAL_ENV") or _config("terminal", "backend") or _config("terminal", "env_type")
    return backend.strip().lower() or None if isinstance(backend, str) else None


def _session(name: str) -> str:
    """A value of the host's session: its context first, the environment second."""
    value = _ask("gateway.session_context", "get_session_env", name, "")
    value = os.environ.get(name) if value is None else value
    return value if isinstance(value, str) else ""


def _config(section: str, name: str):
    config = host.ask("hermes_cli.config", "load_config_readonly")
    if config is None:
        config = host.ask("hermes_cli.config", "load_config")
    part = config.get(section) if isinstance(config, dict) else None
    return part.get(name) if isinstance(part, dict) else None


def _ask(module: str, function: str, *args):
    """What the host says of this call; None where it would speak of another process."""
    return None if _is_plugin_host() else host.ask(module, function, *args)


def _is_plugin_host() -> bool:
    """A host that isolates plugins runs them in a child. Its context is not the caller's, whatever it says."""
    return _is_true(os.environ.get("HERMES_PLUGIN_HOST_PROCESS"))


def _has_terminal() -> bool:
    try:
        return sys.stdin.isatty()
    except (AttributeError, ValueError):
        return False


def _is_true(value) -> bool:
    return isinstance(value, str) and value.strip().lower() in _TRUE
