"""Who we are to the service: an id and a secret, in this process's memory alone, and the numbers of what we say."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import secrets
import threading
import time

# How many unanswered payloads one payload tells of, oldest first. Without a bound a long silence would make every
# spooled payload longer than the one before; the rest rides on those that follow.
UNANSWERED_TOLD = 64


class Attach:
    """The identity of one process towards one home: never in a file, in the environment or in a forked child."""

    def __init__(self):
        self.id = secrets.token_hex(16)
        self._secret = secrets.token_bytes(32)

    @property
    def secret(self) -> str:
        """As it goes over once, in `/v1/attach`."""
        return self._secret.hex()

    def mac(self, label: str, seq: int, body: bytes) -> str:
        """Binds bytes to this attach and number. `label` keeps what we say and what we are told apart."""
        return self._hex(f"stele/{label}/v1\n{self.id}\n{seq}\n".encode() + body)

    def vouches(self, mac, seq: int, body: bytes) -> bool:
        """Whether an answer comes from whoever knows the secret."""
        told = mac.encode("utf-8", "replace") if isinstance(mac, str) else b""
        return hmac.compare_digest(told, self.mac("answer", seq, body).encode())

    @contextlib.contextmanager
    def peer_file(self):
        """A nameless file by which the service can see in /proc that this very process speaks; None elsewhere."""
        try:
            number = os.memfd_create("stele-peer")
        except (AttributeError, OSError):
            yield None
            return
        try:
            os.write(number, self._hex(f"stele/peer/v1\n{self.id}\n{os.getpid()}".encode()).encode())
            yield number
        finally:
            os.close(number)

    def _hex(self, message: bytes) -> str:
        return hmac.new(self._secret, message, hashlib.sha256).hexdigest()


class Numbers:
    """Counts what this process says, without gaps, and remembers what nobody answered."""

    def __init__(self):
        self._lock = threading.Lock()
        self._last = 0
        self._milliseconds = 0
        self._under_way: set[int] = set()
        self._unanswered: dict[int, dict] = {}
        self._spooled: dict[int, str] = {}

    def take(self) -> tuple[int, int]:
        """The next number, and the time in milliseconds, which never runs back: files are named and ordered by it."""
        with self._lock:
            self._last += 1
            self._milliseconds = max(self._milliseconds, time.time_ns() // 1_000_000)
            self._under_way.add(self._last)
            return self._last, self._milliseconds

    def unanswered(self) -> list[dict]:
        """What the next payload has to tell of."""
        with self._lock:
            return [self._unanswered[seq] for seq in sorted(self._unanswered)[:UNANSWERED_TOLD]]

    def answered(self, seq: int, told: list[dict]) -> None:
        """A payload was answered for, and with it what it told of."""
        with self._lock:
            self._under_way.discard(seq)
            for item in told:
                self._unanswered.pop(item["seq"], None)

    def counted(self, seq: int) -> None:
        """The service would not take a payload, but has counted it: there is nothing left to tell."""
        with self._lock:
            self._under_way.discard(seq)

    def kept(self, seq: int, hook: str, did: str, path: str) -> None:
        """Nobody answered; what was done instead, and where the payload lies (empty: nowhere)."""
        with self._lock:
            self._under_way.discard(seq)
            self._unanswered[seq] = {"seq": seq, "hook": hook, "did": did}
            if path:
                self._spooled[seq] = path

    def next(self) -> int:
        """Every payload with a lower number has been answered, or has been taken from the spool and told of."""
        with self._lock:
            self._spooled = {seq: path for seq, path in self._spooled.items() if os.path.exists(path)}
            return min([self._last + 1, *self._under_way, *self._unanswered, *self._spooled])
