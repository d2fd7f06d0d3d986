"""A service that hangs, wherever it hangs: the host goes on after two seconds at most."""

import os
import socket
import subprocess
import sys
import threading
import time
import unittest

import fake_service
from plugin_case import ENFORCE, PLUGIN, PluginCase

DEADLINE_SECONDS = 2.0
# For a machine that is busy with other things; no test is about how fast this is.
GRACE_SECONDS = 1.5


def read_request(connection):
    """Reads until the whole request is there."""
    received = b""
    while b"\r\n\r\n" not in received:
        received += connection.recv(65536)
    head, _, body = received.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
    while len(body) < length:
        body += connection.recv(65536)
    return body


def never_answers(connection):
    read_request(connection)
    time.sleep(10)


def never_reads(connection):
    time.sleep(10)


def stops_in_the_headers(connection):
    read_request(connection)
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-")
    time.sleep(10)


def stops_in_the_body(connection):
    read_request(connection)
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
    time.sleep(10)


def drips(connection):
    """A byte now and then: each read comes back in time, and the whole never."""
    read_request(connection)
    for byte in b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + b" " * 1000:
        connection.sendall(bytes([byte]))
        time.sleep(0.05)


def continues_for_ever(connection):
    read_request(connection)
    while True:
        connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        time.sleep(0.01)


def breaks_off(connection):
    read_request(connection)
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}")
    connection.close()


def speaks_no_http(connection):
    read_request(connection)
    connection.sendall(b"\x00\xff" * 1000 + b"\r\n\r\n")
    connection.close()


def answers_without_end(connection):
    read_request(connection)
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n")
    while True:
        connection.sendall(b" " * 65536)


def hangs_up(connection):
    connection.close()


class HungService(PluginCase):
    def timed(self, modes=ENFORCE, **args):
        began = time.monotonic()
        answer = self.call(**args)
        took = time.monotonic() - began
        return answer, took

    def assert_given_up(self, talk, **args):
        self.serve_raw(talk, modes=ENFORCE)
        answer, took = self.timed(**args)
        self.assert_blocks(answer)
        self.assertLess(took, DEADLINE_SECONDS + GRACE_SECONDS)
        self.assertEqual([line["seq"] for _, line in self.spooled()], [1])
        return took

    def test_the_deadline_is_two_seconds_in_all_and_is_waited_for(self):
        took = self.assert_given_up(never_answers)
        self.assertGreater(took, DEADLINE_SECONDS / 2)

    def test_a_byte_now_and_then_does_not_stretch_it(self):
        self.assert_given_up(drips)

    def test_a_service_that_never_accepts(self):
        self.hurry()
        self.assert_given_up(None)

    def test_a_service_whose_backlog_is_full(self):
        self.hurry()
        service = self.serve_raw(None, backlog=0, modes=ENFORCE)
        others = []
        for _ in range(4):
            other = socket.socket(socket.AF_UNIX)
            other.setblocking(False)
            try:
                other.connect(os.path.join(self.home, "service.sock"))
            except BlockingIOError:
                pass
            others.append(other)
        answer, took = self.timed()
        self.assert_blocks(answer)
        self.assertLess(took, DEADLINE_SECONDS)
        for other in others:
            other.close()
        service.stop()

    def test_a_service_that_never_reads_a_long_payload(self):
        self.hurry()
        self.assert_given_up(never_reads, content="x" * 4_000_000)

    def test_other_ways_to_give_no_answer(self):
        self.hurry()
        for talk in (
            stops_in_the_headers,
            stops_in_the_body,
            continues_for_ever,
            breaks_off,
            speaks_no_http,
            answers_without_end,
            hangs_up,
        ):
            with self.subTest(talk.__name__):
                service = self.serve_raw(talk, modes=ENFORCE)
                answer, took = self.timed()
                self.assert_blocks(answer)
                self.assertLess(took, DEADLINE_SECONDS)
                service.stop()
                os.unlink(os.path.join(self.home, "service.sock"))

    def test_in_observe_a_hung_service_stops_nothing(self):
        self.hurry(0.1)
        self.serve_raw(never_answers)
        for hook in self.context.hooks:
            self.assertIsNone(self.fire(hook, session_id="s1", tool_name="memory", args={}), hook)

    def test_threads_that_wait_for_each_other_wait_no_longer_than_one_alone(self):
        self.hurry(0.5)
        self.serve_raw(never_answers, modes=ENFORCE)
        answers = []
        threads = [threading.Thread(target=lambda: answers.append(self.call())) for _ in range(8)]
        began = time.monotonic()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertLess(time.monotonic() - began, 0.5 + GRACE_SECONDS)
        for answer in answers:
            self.assert_blocks(answer)
        self.assertEqual(sorted(line["seq"] for _, line in self.spooled()), list(range(1, 9)))

    def test_a_service_that_hung_and_is_back_is_used_again(self):
        self.hurry()
        hung = self.serve_raw(never_answers, modes=ENFORCE)
        self.assert_blocks(self.call())
        hung.stop()
        service = self.serve(modes=ENFORCE)
        self.assertIsNone(self.call())
        self.assertEqual(service.seqs, [2])

    def test_only_the_first_hook_of_a_hung_service_is_waited_for_in_full_where_nothing_can_be_stopped(self):
        self.serve_raw(never_answers)
        first = self.timed()[1]
        rest = [self.timed()[1] for _ in range(3)]
        self.assertGreater(first, DEADLINE_SECONDS / 2)
        self.assertLess(sum(rest), first)
        self.assertEqual([line["seq"] for _, line in self.spooled()], [1, 2, 3, 4])

    def test_a_hung_service_is_given_every_time_where_a_call_could_be_stopped(self):
        self.hurry(0.8)
        self.serve_raw(never_answers, modes=ENFORCE)
        for _ in range(2):
            answer, took = self.timed()
            self.assert_blocks(answer)
            self.assertGreater(took, 0.5)

    def test_a_service_that_is_not_there_is_not_waited_for(self):
        fake_service.write_service_json(self.home, modes=ENFORCE)
        answer, took = self.timed()
        self.assert_blocks(answer)
        self.assertLess(took, GRACE_SECONDS)


class Leaving(PluginCase):
    def test_a_hung_service_and_a_thread_in_the_background_keep_no_process_alive(self):
        self.serve_raw(never_answers)
        code = f"""
import importlib.util, os, sys
sys.dont_write_bytecode = True
place = {os.path.join(PLUGIN, "__init__.py")!r}
spec = importlib.util.spec_from_file_location("p", place, submodule_search_locations=[{PLUGIN!r}])
module = importlib.util.module_from_spec(spec)
sys.modules["p"] = module
spec.loader.exec_module(module)
hooks = {{}}
class Context:
    def register_hook(self, name, callback): hooks[name] = callback
module.register(Context())
hooks["on_session_end"](session_id="s1")
sys.modules["p.client"].client_now()._look_for_return()
import atexit
atexit.register(lambda: hooks["on_session_finalize"](session_id="s1", reason="shutdown"))
"""
        began = time.monotonic()
        subprocess.run([sys.executable, "-I", "-c", code], check=True, timeout=20)
        self.assertLess(time.monotonic() - began, 2 * DEADLINE_SECONDS + 2 * GRACE_SECONDS)
        self.assertEqual([line["seq"] for _, line in self.spooled()], [1, 2])


if __name__ == "__main__":
    unittest.main()
