"""Posts payloads over a Unix socket on kept connections, as the plugin does, and prints the milliseconds of each as one JSON list.

Arguments: socket, path, payloads in all, clients side by side, a name that makes the payloads differ from other runs'.
"""
import http.client
import json
import socket
import sys
import threading
import time


class Connection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("stele")
        self.unix_path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.connect(self.unix_path)


def payload(name, client, number):
    return json.dumps({
        "hook_event_name": "pre_tool_call",
        "tool_name": "read_file",
        "tool_input": {"path": "/srv/agent/project/src/notes-%d.txt" % number, "limit": 200},
        "session_id": "bench-%s-%d" % (name, client),
        "cwd": "/srv/agent/project",
        "profile": "default",
        "extra": {
            "task_id": "d173ce9c-8537-4b9f-9045-7654158d35b4",
            "turn_id": "bench-%s-%d:turn" % (name, client),
            "tool_call_id": "call_%s_%d_%d" % (name, client, number),
            "api_request_id": "request_%d" % number,
            "middleware_trace": [],
            "telemetry_schema_version": "hermes.observer.v1",
        },
    }).encode()


def run(path, route, name, client, count, taken):
    connection = Connection(path)
    for number in range(count):
        body = payload(name, client, number)
        started = time.perf_counter()
        connection.request("POST", route, body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        answer.read()
        taken.append((time.perf_counter() - started) * 1000)
        if answer.status != 200:
            raise SystemExit("answered %d" % answer.status)


path, route, count, clients, name = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]
taken = []
threads = [
    threading.Thread(target=run, args=(path, route, name, client, count // clients, taken)) for client in range(clients)
]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(json.dumps([round(ms, 4) for ms in taken]))
