"""Reaches into the host, whose insides differ from release to release: what is not there is None, and nothing raises.

Only modules of packages that the host has loaded are looked at. What is not loaded is not the host that called us, and
importing it would run code on the way to a decision, or find somebody else's package of that name.
"""

from __future__ import annotations

import importlib
import sys

# A module that is not there will not come; looking each time costs the import lock, and a fork can leave that locked.
_missing: set[str] = set()


def ask(module: str, function: str, *args):
    """What a function of the host says."""
    found = attribute(module, function)
    try:
        return found(*args) if callable(found) else None
    except Exception:
        return None


def attribute(module: str, name: str):
    """A member of one of the host's modules. Some are worked out only when they are asked for, and that may fail."""
    try:
        return getattr(_module(module), name, None)
    except Exception:
        return None


def _module(name: str):
    found = sys.modules.get(name)
    if found is not None or name in _missing or name.partition(".")[0] not in sys.modules:
        return found
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        _missing.add(name)
    except Exception:
        pass  # broken, or half-way through its own import
    return None
