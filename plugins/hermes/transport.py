"""HTTP to the service: over its Unix socket, or over loopback with the token where Python has no such sockets.

Every call has one absolute deadline for connecting, sending and reading together: a timeout for each read would let a
peer that sends a byte now and then hold the host for ever. Connections are kept in one small pool and not by thread,
since newer hosts run each callback on a thread of its own.
"""

from __future__ import annotations

import http.client
import io
import os
import socket
import stat
import threading
import time
from typing import NamedTuple
from urllib.parse import urlsplit

from .deadline import Deadline
from .home import Service
from .socket_place import known_socket_place

_KEPT = 8
_ANSWER_BYTES = 16 << 20
_BACKLOG_PAUSE_SECONDS = 0.01


class NoAnswer(Exception):
    """The service did not answer for a payload. `why` is for people."""

    def __init__(self, why: str):
        super().__init__(why)
        self.why = why


class Unreachable(NoAnswer):
    """Nobody is there: starting the service may help."""


class Answer(NamedTuple):
    status: int
    headers: dict
    body: bytes


class Unix(NamedTuple):
    path: str
    host = "localhost"
    token = ""


class Loopback(NamedTuple):
    host: str
    at: tuple
    token: str


class Pool:
    """The connections to the service of one home."""

    def __init__(self, home: str):
        self._home = home
        self._lock = threading.Lock()
        self._address = None
        self._idle: list[socket.socket] = []

    def post(
        self, service: Service, path: str, headers: dict, body: bytes, deadline: Deadline, thinking: float = 0.0
    ) -> Answer:
        """Posts JSON. Raises NoAnswer where no whole answer came in time.

        `thinking` is how many seconds beyond the deadline the answer may take, once the request is there.
        """
        said = {"Content-Type": "application/json", "Content-Length": len(body), **headers}
        return self._ask(service, f"POST {path}", said, body, deadline, thinking)

    def get(self, service: Service, path: str, deadline: Deadline) -> Answer:
        """Raises NoAnswer like `post`."""
        return self._ask(service, f"GET {path}", {}, b"", deadline, 0.0)

    def _ask(self, service: Service, what: str, headers: dict, body: bytes, deadline: Deadline, thinking: float) -> Answer:
        try:
            address = _address_of(service, self._home)
            request = _request(address, what, headers, body)
            kept = self._take(address)
            if kept is not None:
                try:
                    return self._exchange(kept, address, request, deadline, thinking)
                except Unreachable:
                    pass  # closed while it lay idle; the number of the payload makes sending it twice harmless
            return self._exchange(_connect(address, self._home, deadline), address, request, deadline, thinking)
        except TimeoutError:
            raise NoAnswer("it did not answer in time") from None

    def abandon(self) -> None:
        """Closes this process's ends of the idle connections; a parent goes on with its own."""
        for connection in self._idle:
            connection.close()

    def _exchange(self, connection, address, request: bytes, deadline: Deadline, thinking: float) -> Answer:
        keep = False
        try:
            try:
                connection.settimeout(deadline.timeout())
                connection.sendall(request)
            except (BrokenPipeError, ConnectionResetError):
                pass  # it may have answered before it closed
            reader = _TimedReader(connection, deadline.later(thinking))
            response = http.client.HTTPResponse(reader, method=request[: request.index(b" ")].decode())
            response.begin()
            body = response.read(_ANSWER_BYTES + 1)
            if response.length or len(body) > _ANSWER_BYTES:
                raise NoAnswer("its answer broke off")
            keep = response.isclosed() and not response.will_close
            return Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, body)
        except ConnectionError:
            raise Unreachable("it closed the connection") from None
        except TimeoutError:
            raise
        except (OSError, http.client.HTTPException, ValueError):
            raise NoAnswer("its answer could not be read") from None
        finally:
            if not keep or not self._give_back(address, connection):
                connection.close()

    def _take(self, address):
        """An idle connection that is still open."""
        while True:
            with self._lock:
                if address != self._address:
                    stale, self._idle, self._address = self._idle, [], address
                    for connection in stale:
                        connection.close()
                if not self._idle:
                    return None
                connection = self._idle.pop()
            if _is_quiet(connection):
                return connection
            connection.close()

    def _give_back(self, address, connection) -> bool:
        with self._lock:
            if address != self._address or len(self._idle) >= _KEPT:
                return False
            self._idle.append(connection)
            return True


class _TimedReader(io.RawIOBase):
    """A socket as http.client reads it, with the time that is left as the limit of each read."""

    def __init__(self, connection, deadline: Deadline):
        self._connection = connection
        self._deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        self._connection.settimeout(self._deadline.timeout())
        return self._connection.recv_into(buffer)

    def makefile(self, _mode: str):
        return io.BufferedReader(self)


def _address_of(service: Service, home: str):
    place = known_socket_place(home, service.socket)
    if hasattr(socket, "AF_UNIX"):
        return Unix(place)
    # A copied home names the page of the service that it was copied from, too; by the socket beside it we can tell.
    if service.socket and os.path.normcase(service.socket) != os.path.normcase(place):
        raise Unreachable("what it left is of another home")
    # The token and the secret go to whoever listens there: not to the next owner of a port that was given up.
    if not service.page or not service.token or not service.pid:
        raise Unreachable("it does not listen")
    try:
        page = urlsplit(service.page)
        name, port = page.hostname, page.port
    except ValueError:
        raise NoAnswer("its address cannot be read") from None
    if page.scheme != "http" or name not in ("127.0.0.1", "::1", "localhost") or not port:
        raise NoAnswer("its address is not on this machine")
    return Loopback(page.netloc, ("127.0.0.1" if name == "localhost" else name, port), service.token)


def _request(address, what: str, headers: dict, body: bytes) -> bytes:
    lines = {"Host": address.host, **headers}
    if address.token:
        lines["Authorization"] = f"Bearer {address.token}"
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"{what} HTTP/1.1\r\n{head}\r\n".encode("ascii", "replace") + body


def _connect(address, home: str, deadline: Deadline):
    try:
        if isinstance(address, Loopback):
            # No name is looked up: it is a number, or we would not be here.
            return _connected(socket.AF_INET6 if ":" in address.at[0] else socket.AF_INET, address.at, deadline)
        _check_folder(os.path.dirname(address.path), home)
        return _connected(socket.AF_UNIX, address.path, deadline)
    except (FileNotFoundError, NotADirectoryError, ConnectionError):
        raise Unreachable("nobody listens at its socket") from None
    except TimeoutError:
        raise
    except (OSError, ValueError):
        raise NoAnswer("its socket cannot be used") from None


def _connected(family, at, deadline: Deadline):
    connection = socket.socket(family, socket.SOCK_STREAM)
    try:
        if isinstance(at, tuple):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while True:
            try:
                connection.settimeout(deadline.timeout())
                connection.connect(at)
                return connection
            except BlockingIOError:
                # A full backlog of a Unix socket is said at once, whatever the timeout.
                time.sleep(_BACKLOG_PAUSE_SECONDS)
    except BaseException:
        connection.close()
        raise


def _check_folder(folder: str, home: str) -> None:
    """Whoever can write to a socket's folder can put a socket of their own there, and would be sent the secret."""
    found = os.lstat(folder)
    owners = {os.geteuid()}
    try:
        owners.add(os.stat(home).st_uid)
    except OSError:
        pass
    if not stat.S_ISDIR(found.st_mode) or found.st_uid not in owners or found.st_mode & 0o022:
        raise NoAnswer("the folder of its socket is open to others")


def _is_quiet(connection) -> bool:
    """Whether an idle connection is still open: nothing has come, not even its end."""
    try:
        connection.settimeout(0)
        connection.recv(1, socket.MSG_PEEK)
        return False
    except BlockingIOError:
        return True
    except OSError:
        return False
