"""Where the socket of a home lies, by the same rule as the service's own: in the home, or, where its path would be too
long, in a private folder elsewhere."""

from __future__ import annotations

import hashlib
import os

# Systems allow 104 bytes and more, with the zero at the end.
_PATH_BYTES = 100
_NAME = "service.sock"


def known_socket_place(home: str, told: str) -> str:
    """Where a client finds the socket: where `service.json` says, since the service may have been started under another
    environment; but never that of another home, as the `service.json` of a copied home would have it."""
    folder = os.path.dirname(told)
    is_of_this_home = os.path.isabs(told) and folder != home and os.path.basename(folder).startswith(_name_elsewhere(home))
    return told if is_of_this_home else socket_place(home)


def socket_place(home: str) -> str:
    """Where a service of this home listens that is started under this environment."""
    return os.path.join(home if _fits(home) else _folder_elsewhere(home), _NAME)


def _fits(folder: str) -> bool:
    return len(os.fsencode(os.path.join(folder, _NAME))) <= _PATH_BYTES


def _folder_elsewhere(home: str) -> str:
    name = _name_elsewhere(home)
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if runtime and _fits(os.path.join(runtime, name)):
        return os.path.join(runtime, name)
    found = _temporary_folder()
    user = os.getuid() if hasattr(os, "getuid") else 0
    return os.path.join(found if _fits(os.path.join(found, name)) else "/tmp", f"{name}-{user}")


def _temporary_folder() -> str:
    """As Node finds it, and not as Python does, which tries what it finds."""
    found = next(filter(None, map(os.environ.get, ("TMPDIR", "TMP", "TEMP"))), "/tmp")
    return found[:-1] if len(found) > 1 and found.endswith("/") else found


def _name_elsewhere(home: str) -> str:
    return f"stele-{hashlib.sha256(os.fsencode(home)).hexdigest()[:16]}"
