"""Whatever a host calls with, and whatever breaks: no callback raises, and an enforcing mode lets nothing through."""

import os
import unittest
from unittest import mock

import fake_service
from plugin_case import BLOCK, ENFORCE, PluginCase


class Hostile:
    """Refuses everything that is asked of it."""

    def _refuse(self, *_):
        raise RuntimeError("no")

    __str__ = __repr__ = __bool__ = __len__ = __iter__ = __eq__ = __hash__ = __getattr__ = __format__ = _refuse


class HostileText(str):
    def __str__(self):
        raise RuntimeError("no")

    __format__ = __eq__ = __len__ = __str__
    __hash__ = str.__hash__


class HostileDict(dict):
    def items(self):
        raise RuntimeError("no")

    __iter__ = __len__ = keys = values = get = __getitem__ = items


class HostileList(list):
    def __iter__(self):
        raise RuntimeError("no")

    __len__ = __getitem__ = __iter__


def garbage():
    circle = []
    circle.append(circle)
    scalars = [None, True, 0, -1, 2**70, 2**30_000, 1.5, float("nan"), float("inf"), 1j, NotImplemented, Ellipsis]
    texts = ["", "text", "\ud800\udfff", "\x00", "x" * 300_000, b"\xff\x00", bytearray(b"x"), memoryview(b"x")]
    containers = [[], {}, (), set(), frozenset([1]), {1: 2}, {(1, 2): 3}, {None: {True: 1.5}}, circle, range(5), iter([])]
    objects = [object(), object, print, lambda: 1, Exception("x"), type]
    hostile = [Hostile(), HostileText("memory"), HostileDict(a=1), HostileList([1])]
    within = [[Hostile()], {"a": Hostile()}, {"a": HostileDict(b=2)}]
    return [*scalars, *texts, *containers, *objects, *hostile, *within]


FIELDS = """tool_name args session_id parent_session_id platform user_message conversation_history request original_request
 turn_id tool_call_id result middleware_trace something_new""".split()


class Garbage(PluginCase):
    def every_callback(self):
        return [*self.context.hooks.items(), *self.context.middleware.items()]

    def test_no_field_of_any_kind_makes_any_callback_raise(self):
        service = self.serve(wants=["llm_request", "tool_request"])
        self.call()
        values = garbage()
        for name, callback in self.every_callback():
            for value in values:
                self.assertIsNone(callback(**{field: value for field in FIELDS}, api_call_count=1), name)
        self.assertEqual(len(service.payloads), len(self.every_callback()) * len(values) + 1)
        self.assertEqual((service.wrong, self.spooled()), ([], []))

    def test_each_field_alone_neither(self):
        service = self.serve(wants=["llm_request", "tool_request"])
        self.call()
        values = [value for value in garbage() if type(value) is not str or len(value) < 1000]
        for field in FIELDS:
            for value in values:
                callback = self.context.hooks["pre_tool_call"]
                self.assertIsNone(callback(**{"tool_name": "t", "args": {}, field: value}))
        self.assertEqual(service.wrong, [])

    def test_calls_without_any_field_are_answered(self):
        self.serve()
        for name, callback in self.every_callback():
            self.assertIsNone(callback(), name)

    def test_a_context_without_anything_does_not_matter(self):
        service = self.serve()
        with mock.patch.object(type(self.context), "profile_name", Hostile()):
            self.assertIsNone(self.call())
        self.assertIsNone(service.payloads[0][1]["profile"])

    def test_garbage_under_an_enforcing_mode_and_no_service_is_blocked_every_time(self):
        fake_service.write_service_json(self.home, modes=ENFORCE)
        for value in garbage():
            self.assert_blocks(self.fire("pre_tool_call", tool_name=value, args=value, session_id=value))

    def test_in_provenance_block_every_name_that_might_be_one_of_memory_is_blocked(self):
        fake_service.write_service_json(self.home, modes=BLOCK)
        for value in garbage():
            answer = self.fire("pre_tool_call", tool_name=value, args=value)
            if type(value) is str and value:
                self.assertIsNone(answer)
            else:
                self.assert_blocks(answer)

    def test_a_request_is_safe_from_garbage_wherever_it_stands(self):
        service = self.serve(wants=["llm_request"])
        self.call()
        tools = [{"type": "function", "name": name, "parameters": {}} for name in ("a", "b")]
        service.directive = lambda payload: {"request": {"tools": tools[:1]}, "source": "stele", "reason": "r"}
        for value in garbage():
            own = {"model": value, "messages": [value, {"role": value, "content": value, "tool_calls": value}], "input": value}
            own = {**own, "tool_choice": value, "previous_response_id": value, "conversation": value, "tools": tools}
            answer = self.request(own)
            self.assertEqual(answer["request"]["tools"], tools[:1])
            self.assertIs(answer["request"]["model"], value)
            for inner in ({"type": value, "function": value}, {"function": {"name": value, "parameters": value}}, {"name": value}):
                self.request({"tools": [*tools, inner]})
            for request in (value, {"tools": value}, {"tools": [value]}, {"tools": [*tools, value]}):
                self.assertIsNone(self.request(request))
        self.assertEqual((service.wrong, self.spooled()), ([], []))

    def test_an_answer_about_a_request_is_safe_from_garbage(self):
        service = self.serve(wants=["llm_request"])
        self.call()
        own = {"tools": [{"type": "function", "name": name, "parameters": {}} for name in ("a", "b")]}
        values = (None, True, 0, -1, 1.5, "", "a", [], ["a"], [["a"]], [None], {}, {"a": 1}, {"tools": None}, [{"name": ["a"]}])
        for value in values:
            for told in (value, {"request": value}, {"request": {"tools": value}}, {"request": {"tools": [value]}}):
                service.directive = lambda payload, told=told: told
                self.assertIsNone(self.request(own), told)

    def request(self, request):
        return self.context.middleware["llm_request"](request=request, api_call_count=1, session_id="s1")


class Breakage(PluginCase):
    def test_whatever_breaks_inside_an_enforcing_mode_blocks(self):
        self.serve(modes=ENFORCE, wants=["llm_request", "tool_request"])
        self.call()
        hooks = vars(self.plugin.hooks)
        for name in ("client_now", "envelope", "surroundings", "redactor_for", "dumps", "Deadline", "_directive"):
            for error in (RuntimeError, MemoryError, RecursionError, GeneratorExit, AssertionError):
                # The modes are read by what may be broken itself; then they count as the strictest.
                with mock.patch.dict(hooks, {name: mock.Mock(side_effect=error)}):
                    self.assert_blocks(self.call())
                    self.assertIsNone(self.fire("post_tool_call", tool_name="t", args={}))
                    for open_to_all in ("llm_request", "tool_request", "pre_verify", "pre_llm_call"):
                        told = self.fire(open_to_all, tool_name="memory", args={}, request={}, api_call_count=1)
                        self.assertIsNone(told, (open_to_all, name, error))

    def test_whatever_breaks_while_everything_observes_stops_nothing(self):
        self.serve()
        for name in ("envelope", "surroundings", "redactor_for", "dumps", "Deadline", "_directive"):
            with mock.patch.dict(vars(self.plugin.hooks), {name: mock.Mock(side_effect=RuntimeError)}):
                self.assertIsNone(self.call())

    def test_orders_to_stop_go_through(self):
        for order in (KeyboardInterrupt, SystemExit):
            with mock.patch.dict(vars(self.plugin.hooks), client_now=mock.Mock(side_effect=order)):
                self.assertRaises(order, self.call)

    def test_a_disk_without_room_blocks_in_enforce_and_lets_go_in_observe(self):
        full = OSError(28, "No space left on device")
        for modes in (ENFORCE, None):
            fake_service.write_service_json(self.home, **({"modes": modes} if modes else {}))
            self.forget()
            with mock.patch.object(os, "fsync", side_effect=full):
                answer = self.call()
            if modes:
                self.assert_blocks(answer)
            else:
                self.assertIsNone(answer)
        self.assertEqual(self.spooled(), [])

    def test_a_home_that_is_deleted_under_a_running_service_leaves_the_modes_in_force(self):
        service = self.serve(modes=ENFORCE)
        self.assertIsNone(self.call())
        service.stop()
        for folder, names, files in os.walk(self.home, topdown=False):
            for name in files:
                os.unlink(os.path.join(folder, name))
            os.rmdir(folder)
        self.assert_blocks(self.call())

    def test_threads_that_cannot_be_started_any_more_stop_nothing(self):
        threads = self.client().ask.__globals__["threading"]
        with mock.patch.object(threads.Thread, "start", side_effect=RuntimeError("can't start new thread")):
            self.assertIsNone(self.call())
        self.assertEqual(len(self.spooled()), 1)


if __name__ == "__main__":
    unittest.main()
