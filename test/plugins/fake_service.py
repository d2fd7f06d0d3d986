"""A stand-in for the service, written from docs/service.md alone: it checks what it is sent, and answers as it is told.

MACs are computed here from the page and not with the plugin's code, so that one mistake cannot hide in both.
"""

import hashlib
import hmac
import http.server
import json
import os
import socket
import socketserver
import threading

TOKEN = "ab" * 32


def mac(secret, label, attach, seq, body):
    """Hex HMAC-SHA-256 as the page has it. `secret` is hex, as it goes over."""
    message = f"stele/{label}/v1\n{attach}\n{seq}\n".encode() + body
    return hmac.new(bytes.fromhex(secret), message, hashlib.sha256).hexdigest()


def write_service_json(home, **members):
    """`service.json` as a service leaves it, with whatever a test wants otherwise."""
    value = {
        "socket": os.path.join(home, "service.sock"),
        "pid": os.getpid(),
        "version": "0.1.0",
        "page": None,
        "token": None,
        "modes": {"provenance": "observe", "capability": "observe"},
        "command": ["/nowhere/stele"],
        "started": "2026-11-30T09:00:00.000Z",
        "fieldBytes": 262144,
        **members,
    }
    os.makedirs(home, mode=0o700, exist_ok=True)
    with open(os.path.join(home, "service.json"), "w", encoding="utf-8") as file:
        json.dump(value, file)


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def address_string(self):
        return "host"

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        status, headers, answer = self.server.service.handle(self.server, self.path, self.headers, body)
        if status is None:
            self.close_connection = True
            return
        self._send(status, headers, answer)

    def do_GET(self):
        self._send(*self.server.service.look(self.path, self.headers))

    def _send(self, status, headers, answer):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)


class _Server(socketserver.ThreadingMixIn):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_):
        pass  # a client that has hung up, or a service that was killed: both are what a test is about


class _UnixServer(_Server, socketserver.UnixStreamServer):

    def get_request(self):
        connection, _ = super().get_request()
        self.service.accepted(connection)
        return connection, ("host", 0)


class _TcpServer(_Server, socketserver.TCPServer):
    allow_reuse_address = True

    def finish_request(self, request, client_address):
        request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super().finish_request(request, client_address)

    def get_request(self):
        connection, address = super().get_request()
        self.service.accepted(connection)
        return connection, address


class FakeService:
    """One service on one home. What it was sent and what it found wrong are lists that a test looks at."""

    def __init__(self, home, loopback=False, modes=None, wants=(), stage_ms=None, **service_json):
        self.home = home
        self.loopback = loopback
        self.modes = modes or {"provenance": "observe", "capability": "observe"}
        self.wants = list(wants)
        self.stage_ms = stage_ms  # as the attach answer has it; None: it has none
        self.service_json = service_json
        self.secrets = {}
        self.attachments = []
        self.looked = []  # the paths that readers asked for
        self.payloads = []  # (seq, payload)
        self.bodies = {}
        self.wrong = []
        self.connections = []
        self.directive = lambda payload: {}
        self.refuse = None  # a status for every hook
        self.refuse_attach = None
        self.forge = False  # answers with a MAC of somebody else
        self.close = 0  # so many hooks get a closed connection for an answer
        self._lock = threading.Lock()
        self.server = None
        self.start()

    def start(self):
        os.makedirs(self.home, mode=0o700, exist_ok=True)
        if self.loopback:
            self.server = _TcpServer(("127.0.0.1", 0), _Handler)
            self.host = f"127.0.0.1:{self.server.server_address[1]}"
            place = {"socket": None, "page": f"http://{self.host}", "token": TOKEN}
        else:
            path = os.path.join(self.home, "service.sock")
            if os.path.exists(path):
                os.unlink(path)
            self.server = _UnixServer(path, _Handler)
            place = {"socket": path}
        self.server.service = self
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        write_service_json(self.home, modes=self.modes, **{**place, **self.service_json})

    def stop(self):
        """As a kill would: connections end, the files stay."""
        if self.server is None:
            return
        self.server.shutdown()
        self.server.server_close()
        self.server = None
        for connection in self.connections:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self.connections = []

    def restart(self):
        """A new process knows no secrets."""
        self.stop()
        self.secrets = {}
        self.start()

    def accepted(self, connection):
        self.connections.append(connection)

    @property
    def seqs(self):
        return [seq for seq, _ in self.payloads]

    def payload(self, hook):
        """The last payload of a hook."""
        return [payload for _, payload in self.payloads if payload["hook_event_name"] == hook][-1]

    def look(self, path, headers):
        """A reader's request; it waits for no hook."""
        if self.loopback:
            self._expect(headers["Authorization"] == f"Bearer {TOKEN}", "token")
        self.looked.append(path)
        return 200, {"Content-Type": "application/json"}, b"{}"

    def handle(self, server, path, headers, body):
        with self._lock:
            if self.loopback:
                self._expect(headers["Authorization"] == f"Bearer {TOKEN}", "token")
                self._expect(headers["Host"] == f"127.0.0.1:{server.server_address[1]}", "host")
            self._expect(headers["Content-Type"] == "application/json", "type")
            if path == "/v1/attach":
                return self._attach(body)
            self._expect(path == "/v1/hooks", "path")
            return self._hook(headers, body)

    def _attach(self, body):
        said = json.loads(body)
        self.attachments.append(said)
        if self.refuse_attach:
            return _error(self.refuse_attach, "SERVICE_BUSY")
        known = self.secrets.setdefault(said["attach"], said["secret"])
        if known != said["secret"]:
            return _error(403, "ATTACH_REFUSED")
        said["peer"] = self._peer(said)
        index = len(self.attachments)
        told = {"attach": said["attach"], "index": index, "modes": self.modes, "wants": self.wants}
        answer = json.dumps(told if self.stage_ms is None else {**told, "stageMs": self.stage_ms}).encode()
        return 200, {"Stele-Mac": self._answer_mac(said["attach"], 0, answer)}, answer

    def _peer(self, said):
        if "peer_fd" not in said:
            return None
        with open(f"/proc/{said['pid']}/fd/{said['peer_fd']}", "rb") as file:
            told = file.read().decode()
        message = f"stele/peer/v1\n{said['attach']}\n{said['pid']}".encode()
        return told == hmac.new(bytes.fromhex(said["secret"]), message, hashlib.sha256).hexdigest()

    def _hook(self, headers, body):
        attach, seq = headers["Stele-Attach"], int(headers["Stele-Seq"])
        if attach not in self.secrets:
            return _error(403, "ATTACH_UNKNOWN")
        if not hmac.compare_digest(headers["Stele-Mac"], mac(self.secrets[attach], "hook", attach, seq, body)):
            self.wrong.append("mac")
            return _error(403, "HOOK_FORGED")
        if self.close:
            self.close -= 1
            return None, {}, b""
        if self.refuse:
            status, headers, answer = _error(self.refuse, "SERVICE_BUSY")
            # Of its refusals it signs the one that makes a speaker forget what it said.
            return status, {"Stele-Mac": self._answer_mac(attach, seq, answer)} if status == 429 else headers, answer
        payload = json.loads(body)
        self.payloads.append((seq, payload))
        self.bodies[seq] = body
        answer = self.directive(payload)
        answer = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        answer_mac = self._answer_mac(attach, seq, answer)
        return 200, {"Stele-Mac": answer_mac, "Stele-Wants": ",".join(self.wants)}, answer

    def _answer_mac(self, attach, seq, answer):
        secret = "00" * 32 if self.forge else self.secrets[attach]
        return mac(secret, "answer", attach, seq, answer)

    def _expect(self, right, what):
        if not right:
            self.wrong.append(what)


def _error(status, code):
    return status, {}, json.dumps({"error": {"code": code, "message": "no"}}).encode()


class RawService:
    """A peer that talks no HTTP of its own: `talk(connection)` says what it does with each connection."""

    def __init__(self, home, talk, backlog=16, **service_json):
        os.makedirs(home, mode=0o700, exist_ok=True)
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(os.path.join(home, "service.sock"))
        self._socket.listen(backlog)
        self._connections = []
        if talk is not None:
            threading.Thread(target=self._accept, args=(talk,), daemon=True).start()
        write_service_json(home, **service_json)

    def _accept(self, talk):
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self._connections.append(connection)
            threading.Thread(target=_quietly, args=(talk, connection), daemon=True).start()

    def stop(self):
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._socket.close()
        for connection in self._connections:
            connection.close()


def _quietly(talk, connection):
    try:
        talk(connection)
    except OSError:
        pass  # the plugin has hung up, as it should
