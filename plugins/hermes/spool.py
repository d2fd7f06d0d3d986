"""Where payloads lie that could not be delivered, until the service takes them."""

from __future__ import annotations

import json
import os

# A service that is gone for good must not fill the disk.
SPOOL_BYTES = 64 << 20
SPOOL_FILES = 4096


class SpoolFull(Exception):
    """There is no room left; the payload is lost, and the next one that is answered says so."""


def spool(home: str, milliseconds: int, attach: str, seq: int, mac: str, body: bytes) -> str:
    """Writes one payload so that it is there as a whole or not at all, also after a power cut. Gives its path."""
    folder = _open_folder(home)
    line = {"attach": attach, "seq": seq, "mac": mac, "body": body.decode()}
    data = json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    _check_room(folder, len(data))
    path = os.path.join(folder, f"{milliseconds:013d}-{attach[:8]}-{seq:08d}.json")
    temporary = path + ".tmp"
    number = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.rename(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
    _sync_folder(folder)
    return path


def _open_folder(home: str) -> str:
    """The spool of a home. Both may be missing, since hooks can be heard before anybody ran Stele here.

    The host's own folder is never made: where that is gone, its profile was deleted, and must not come back.
    """
    folder = os.path.join(home, "spool")
    if not os.path.isdir(folder):
        for missing, mode in ((os.path.dirname(home), 0o755), (home, 0o700), (folder, 0o700)):
            try:
                os.mkdir(missing, mode)
                _sync_folder(os.path.dirname(missing))
            except FileExistsError:
                pass
    return folder


def _check_room(folder: str, size: int) -> None:
    files = 0
    with os.scandir(folder) as entries:
        for entry in entries:
            files += 1
            try:
                size += entry.stat(follow_symlinks=False).st_size
            except OSError:
                pass  # taken by the service meanwhile
    if files >= SPOOL_FILES or size > SPOOL_BYTES:
        raise SpoolFull


def _sync_folder(folder: str) -> None:
    """A name is durable only when its folder is. Windows opens no folders, and needs no such thing."""
    if os.name == "nt":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
