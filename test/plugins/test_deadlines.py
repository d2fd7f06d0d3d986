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
    length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0] or 0)
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


# What a hook has beside the time of the model, in the tests of the model, and how long the model takes in them.
SHORT_SECONDS = 0.4
MODEL_SECONDS = 0.7
MODEL_HOOKS = ("pre_llm_call", "tool_request", "pre_verify")


def slowly(payload):
    """A healthy service whose model takes its time."""
    if payload["hook_event_name"] in MODEL_HOOKS:
        time.sleep(MODEL_SECONDS)
    return {"action": "continue", "message": "Test it.", "context": "Mind the rules."}


class SlowModel(PluginCase):
    def heard(self, hook):
        """Whether a hook, which is sent in any case, waited for its answer. What was not answered lies in the spool."""
        sent, before = self.client()._numbers._last, len(self.spooled())
        self.fire(hook, session_id="s1", tool_name="terminal", args={})
        self.assertEqual(self.client()._numbers._last, sent + 1)
        return len(self.spooled()) == before

    def timed(self, hook):
        began = time.monotonic()
        answer = self.fire(hook, session_id="s1", tool_name="terminal", args={})
        return answer, time.monotonic() - began

    def attached(self, **members):
        """A service that has answered once, and answers slowly from now on where it asks its model."""
        service = self.serve(wants=["llm_request", "tool_request"], **members)
        self.call()
        service.directive = slowly
        self.hurry(SHORT_SECONDS)
        return service

    def silenced(self, service):
        """Let it be silent once, and be well again."""
        service.refuse = 500
        self.fire("post_tool_call", session_id="s1", tool_name="terminal", args={})
        service.refuse = None

    def test_hooks_in_which_the_model_may_be_asked_wait_for_it(self):
        service = self.attached(stage_ms=5000)
        self.assertEqual(self.fire("pre_verify", session_id="s1"), slowly({"hook_event_name": "other"}))
        self.assertEqual(self.fire("pre_llm_call", session_id="s1"), {"context": "Mind the rules."})
        self.assertTrue(self.heard("tool_request"))
        self.assertEqual((service.seqs, self.spooled()), ([1, 2, 3, 4], []))

    def test_the_time_of_the_model_stands_in_the_file_or_in_the_attach_answer_and_the_longer_counts(self):
        for file, answer in ((5000, None), (None, 5000), (0, 5000), (5000, 0), (1, 5000), ("x", 5000)):
            self.forget()
            service = self.attached(stage_ms=answer, stageMs=file)
            self.assertTrue(self.heard("tool_request"), (file, answer))
            service.stop()

    def test_without_a_time_for_the_model_those_hooks_are_as_any_other(self):
        for file, answer in ((None, None), (0, 0), (-5000, "5000"), (True, [5000])):
            self.forget()
            service = self.attached(stage_ms=answer, stageMs=file)
            self.assertFalse(self.heard("tool_request"), (file, answer))
            service.stop()

    def test_the_next_attach_answer_tells_the_time_anew(self):
        service = self.attached(stage_ms=5000)
        service.stage_ms = None
        service.restart()
        self.assertTrue(self.heard("post_tool_call"))
        self.assertFalse(self.heard("tool_request"))

    def test_every_other_hook_keeps_its_deadline_and_the_one_that_can_stop_a_call_too(self):
        service = self.attached(stage_ms=5000, modes=ENFORCE)

        def late(payload):
            time.sleep(MODEL_SECONDS)
            return {}

        service.directive = late
        for hook in ("pre_tool_call", "post_tool_call", "on_session_end"):
            self.client()._silent = False
            answer, took = self.timed(hook)
            self.assertLess(took, MODEL_SECONDS)
            if hook == "pre_tool_call":
                self.assert_blocks(answer)
            # The one at a time of the stand-in is over.
            time.sleep(MODEL_SECONDS)
        self.assertEqual(len(self.spooled()), 3)

    def test_times_that_are_none_are_none_and_no_time_is_longer_than_ten_seconds(self):
        read = vars(self.plugin.hooks)["must_block"].__globals__["read_stage_ms"]
        nothing = (None, True, False, "5000", "", [5000], {}, -1, -0.5, 0, 0.0, float("nan"), -float("inf"))
        for value in nothing:
            self.assertEqual(read(value), 0, value)
        for value, told in ((1, 1), (2500, 2500), (2500.9, 2500), (10_000, 10_000), (10_001, 10_000), (10**400, 10_000)):
            self.assertEqual(read(value), told)
        self.assertEqual(read(float("inf")), 10_000)

    def test_a_hung_service_costs_the_time_of_the_model_once(self):
        service = self.attached(stageMs=1500)
        service.stop()
        os.unlink(os.path.join(self.home, "service.sock"))
        self.serve_raw(never_answers, stageMs=1500)
        took = [self.timed(hook)[1] for hook in ("tool_request", "pre_verify", "pre_llm_call", "post_tool_call")]
        self.assertGreater(took[0], 1.5)
        self.assertLess(took[0], SHORT_SECONDS + 1.5 + GRACE_SECONDS)
        self.assertLess(sum(took[1:]), 1.5)
        self.assertEqual(len(self.spooled()), 4)

    def test_who_does_not_even_let_us_attach_is_not_given_the_time_of_the_model(self):
        self.hurry(SHORT_SECONDS)
        self.serve_raw(never_answers, stageMs=10_000)
        for hook in ("pre_llm_call", "pre_verify"):
            self.assertLess(self.timed(hook)[1], SHORT_SECONDS + GRACE_SECONDS)

    def test_who_does_not_read_what_is_sent_is_not_given_the_time_of_the_model(self):
        service = self.attached(stageMs=10_000)
        service.stop()
        os.unlink(os.path.join(self.home, "service.sock"))
        self.serve_raw(never_reads, stageMs=10_000)
        began = time.monotonic()
        self.fire("tool_request", session_id="s1", tool_name="terminal", args={"content": "x" * 4_000_000})
        self.assertLess(time.monotonic() - began, SHORT_SECONDS + GRACE_SECONDS)

    def test_a_slow_model_is_waited_for_also_after_the_service_was_silent(self):
        service = self.attached(stage_ms=5000)
        for hook in MODEL_HOOKS:
            self.silenced(service)
            spooled = len(self.spooled())
            self.assertTrue(self.heard(hook), hook)
            self.assertEqual(len(self.spooled()), spooled)
        # It was asked for a sign of life, and only then.
        self.assertEqual(service.looked, ["/v1/entries/0"] * 3)
        self.heard("tool_request")
        self.assertEqual(len(service.looked), 3)

    def test_who_gave_a_sign_of_life_has_the_usual_deadline_too(self):
        service = self.attached(stage_ms=200)
        self.hurry(2.0)
        self.silenced(service)
        self.assertTrue(self.heard("tool_request"))

    def test_no_sign_of_life_is_asked_for_where_no_model_is_waited_for(self):
        service = self.attached()
        for hook in (*MODEL_HOOKS, "pre_tool_call", "post_tool_call"):
            service.directive = lambda payload: {}
            self.silenced(service)
            self.assertTrue(self.heard(hook))
        self.assertEqual(service.looked, [])

    def test_a_service_that_was_started_anew_meanwhile_is_given_the_time_of_the_model(self):
        service = self.attached(stage_ms=5000)
        service.stop()
        self.assertFalse(self.heard("post_tool_call"))
        service.restart()
        self.assertTrue(self.heard("tool_request"))
        self.assertEqual(len(service.attachments), 2)

    def test_over_loopback_the_same_holds(self):
        kept = socket.AF_UNIX
        del socket.AF_UNIX
        self.addCleanup(setattr, socket, "AF_UNIX", kept)
        service = self.attached(loopback=True, stage_ms=5000)
        self.silenced(service)
        self.assertTrue(self.heard("tool_request"))
        self.assertEqual((service.looked, service.wrong), (["/v1/entries/0"], []))

    def test_a_service_that_ends_while_its_model_is_asked_is_not_waited_for(self):
        service = self.attached(stage_ms=10_000)
        ends = threading.Timer(0.2, service.stop)

        def never(payload):
            ends.start()
            time.sleep(3)
            return {}

        service.directive = never
        self.assertLess(self.timed("tool_request")[1], SHORT_SECONDS + GRACE_SECONDS)
        ends.join()
        self.assertEqual(len(self.spooled()), 1)


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
