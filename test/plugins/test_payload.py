"""The shape of a payload, what is cut out of it, and values that no JSON can say."""

import hashlib
import json
import os
import sys
import unittest

import fake_service
from plugin_case import ENFORCE, PluginCase


def described(text, count):
    """What the page puts in place of a value, from the value's compact JSON."""
    data = text.encode()
    return {"count": count, "bytes": len(data), "digest": hashlib.sha256(data).hexdigest()}


class PayloadCase(PluginCase):
    def setUp(self):
        super().setUp()
        self.service = self.serve()

    def sent(self, hook="pre_tool_call", **kwargs):
        """The payload that a call becomes, as the service reads it: strict JSON with no member twice."""
        self.fire(hook, **kwargs)
        body = self.service.bodies[self.service.seqs[-1]]
        return json.loads(body.decode("utf-8"), object_pairs_hook=members_once, parse_constant=refuse)


def members_once(pairs):
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a name twice")
    return dict(pairs)


def refuse(token):
    raise ValueError(token)


class Shape(PayloadCase):
    def test_a_tool_call_has_the_shape_that_the_host_gives_a_shell_hook(self):
        payload = self.sent(
            tool_name="memory",
            args={"action": "add", "content": "x"},
            task_id="k",
            session_id="s1",
            tool_call_id="c1",
            turn_id="t1",
            api_request_id="r1",
            middleware_trace=[],
        )
        host = payload.pop("host")
        self.assertEqual(
            payload,
            {
                "hook_event_name": "pre_tool_call",
                "tool_name": "memory",
                "tool_input": {"action": "add", "content": "x"},
                "session_id": "s1",
                "cwd": os.getcwd(),
                "profile": "default",
                "extra": {
                    "telemetry_schema_version": "hermes.observer.v1",
                    "task_id": "k",
                    "tool_call_id": "c1",
                    "turn_id": "t1",
                    "api_request_id": "r1",
                    "middleware_trace": [],
                },
            },
        )
        self.assertRegex(host["at"], r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\Z")
        self.assertEqual((host["unanswered"], host["redacted"], host["attended"]), ([], 0, "unknown"))

    def test_a_hook_without_a_tool_has_null_for_it(self):
        payload = self.sent("on_session_start", session_id="s1", model="m", platform="cli")
        self.assertEqual((payload["tool_name"], payload["tool_input"]), (None, None))
        self.assertEqual(payload["host"]["platform"], "cli")

    def test_a_hook_without_a_session_takes_the_parents_and_keeps_the_parents_own(self):
        payload = self.sent("subagent_start", parent_session_id="p1", child_session_id="c1")
        self.assertEqual((payload["session_id"], payload["extra"]["parent_session_id"]), ("p1", "p1"))
        payload = self.sent("pre_llm_call", session_id="", parent_session_id="p1")
        self.assertEqual((payload["session_id"], payload["extra"]["parent_session_id"]), ("p1", "p1"))
        payload = self.sent("pre_llm_call", session_id="s2", parent_session_id="p1")
        self.assertEqual((payload["session_id"], payload["extra"]["parent_session_id"]), ("s2", "p1"))
        self.assertEqual(self.sent("on_session_finalize", session_id=None)["session_id"], "")

    def test_arguments_that_are_no_object_are_shown_as_they_are(self):
        self.assertEqual(self.sent(tool_name="memory", args="[1]")["tool_input"], "[1]")
        self.assertEqual(self.sent(tool_name="memory", args=[1, 2])["tool_input"], [1, 2])
        self.assertIsNone(self.sent(tool_name="memory", args=None)["tool_input"])

    def test_a_folder_that_is_gone_is_no_folder(self):
        gone, before = os.path.join(self.hermes, "gone"), os.getcwd()
        os.mkdir(gone)
        os.chdir(gone)
        self.addCleanup(os.chdir, before)
        os.rmdir(gone)
        self.assertEqual(self.sent(tool_name="t", args={})["cwd"], "")

    def test_a_profile_that_the_host_does_not_name_is_null(self):
        for name in ("", None, 5, lambda: "x"):
            self.context.profile_name = name
            self.assertIsNone(self.sent(tool_name="t", args={})["profile"])


class Trimming(PayloadCase):
    def test_a_conversation_becomes_count_bytes_and_digest(self):
        history = [{"role": "user", "content": "héllo"}, {"role": "assistant", "content": ""}]
        payload = self.sent("pre_llm_call", session_id="s1", user_message="héllo", conversation_history=history)
        text = '[{"role":"user","content":"héllo"},{"role":"assistant","content":""}]'
        self.assertEqual(payload["extra"]["conversation_history"], described(text, 2))
        self.assertEqual(payload["extra"]["user_message"], "héllo")

    def test_an_empty_conversation_and_none_at_all_are_described_too(self):
        payload = self.sent("pre_llm_call", session_id="s1", conversation_history=[])
        self.assertEqual(payload["extra"]["conversation_history"], described("[]", 0))
        payload = self.sent("pre_llm_call", session_id="s1", conversation_history=None)
        self.assertEqual(payload["extra"]["conversation_history"], described("null", 0))

    def test_a_conversation_of_megabytes_does_not_go_over(self):
        history = [{"role": "user", "content": "word " * 200} for _ in range(10_000)]
        self.sent("pre_llm_call", session_id="s1", user_message="hi", conversation_history=history)
        self.assertLess(len(self.service.bodies[1]), 2000)

    def test_a_conversation_that_no_json_can_say_is_described_all_the_same(self):
        history = [{"role": "user", "content": b"x", 1: {1, 2}, "n": float("nan")}, "\ud800"]
        history.append(history)
        described = self.sent("pre_llm_call", conversation_history=history)["extra"]["conversation_history"]
        self.assertEqual(described["count"], 3)

    def test_a_lone_surrogate_is_digested_as_the_escape_that_other_writers_use(self):
        payload = self.sent("pre_llm_call", conversation_history=["a\ud800b"])
        self.assertEqual(payload["extra"]["conversation_history"], described('["a\\ud800b"]', 1))

    def test_a_long_member_of_extra_is_described_and_one_of_just_that_length_is_not(self):
        fits = "x" * (262144 - 2)
        extra = self.sent("post_tool_call", tool_name="t", args={}, result=fits, error_message=fits + "x")["extra"]
        self.assertEqual(extra["result"], fits)
        self.assertEqual(extra["error_message"], described(f'"{fits}x"', 0))

    def test_bytes_are_counted_and_not_characters(self):
        extra = self.sent("post_tool_call", tool_name="t", args={}, result="é" * 200_000, other={"a": "é" * 200_000})["extra"]
        self.assertEqual(extra["result"], described('"' + "é" * 200_000 + '"', 0))
        self.assertEqual(extra["other"]["count"], 1)

    def test_the_limit_is_the_services(self):
        fake_service.write_service_json(self.home, fieldBytes=10)
        extra = self.sent("post_tool_call", tool_name="t", args={}, result="x" * 9, turn_id="x" * 8)["extra"]
        self.assertEqual((extra["result"], extra["turn_id"]), (described('"xxxxxxxxx"', 0), "xxxxxxxx"))

    def test_a_limit_that_is_none_counts_as_the_usual_one(self):
        for limit in (0, -1, "5", True, None, 1.5):
            fake_service.write_service_json(self.home, fieldBytes=limit)
            self.assertEqual(self.sent(tool_name="t", args={}, turn_id="x" * 1000)["extra"]["turn_id"], "x" * 1000)

    def test_arguments_and_the_users_words_go_over_whole(self):
        long = "x" * 3_000_000
        self.assertEqual(self.sent(tool_name="t", args={"content": long})["tool_input"], {"content": long})
        payload = self.sent("pre_llm_call", user_message=[{"type": "text", "text": long}], conversation_history=[])
        self.assertEqual(payload["extra"]["user_message"], [{"type": "text", "text": long}])


class Odd:
    def __str__(self):
        return "an odd thing"


class Refuses:
    def __str__(self):
        raise ValueError("no text")

    __repr__ = __str__


class RefusingDict(dict):
    def items(self):
        raise RuntimeError("no items")


class OddValues(PayloadCase):
    def argument(self, value):
        return self.sent(tool_name="t", args={"value": value})["tool_input"]["value"]

    def test_what_is_json_stays_as_it_is(self):
        for value in (None, True, False, 0, -1, 1.5, "", "text", [], {}, [1, [2, {"a": None}]], "\x00\u2028\U0001f600"):
            self.assertEqual(self.argument(value), value)

    def test_what_is_no_json_becomes_its_text(self):
        self.assertEqual(self.argument(b"\xff"), "b'\\xff'")
        self.assertEqual(self.argument({1}), "{1}")
        self.assertEqual(self.argument(Odd()), "an odd thing")
        self.assertEqual(self.argument((1, "two")), [1, "two"])
        self.assertEqual(self.argument(1j), "1j")
        self.assertEqual(self.argument(float("nan")), "nan")
        self.assertEqual(self.argument([float("inf"), -float("inf")]), ["inf", "-inf"])

    def test_what_has_no_text_is_named_by_its_type(self):
        self.assertEqual(self.argument(Refuses()), "[unreadable Refuses]")
        self.assertEqual(self.argument([RefusingDict(a=1), 2]), ["[unreadable RefusingDict]", 2])

    def test_a_lone_surrogate_goes_over_as_its_escape(self):
        self.assertEqual(self.argument("a\ud800b"), "a\ud800b")
        self.assertIn(b"a\\ud800b", self.service.bodies[1])
        self.assertEqual(self.argument({"\udfff": "\ud83d\ude00"}), {"\udfff": "\U0001f600"})

    def test_keys_become_what_json_would_have_and_none_hides_another(self):
        value = self.argument({1: "a", "1": "b", None: "c", 1.5: "d", (1, 2): "e", float("nan"): "f"})
        self.assertEqual(value, {"1": "a", "1 (2)": "b", "null": "c", "1.5": "d", "(1, 2)": "e", "nan": "f"})
        self.assertEqual(self.argument({Refuses(): 1, Odd(): 2}), {"[unreadable Refuses]": 1, "an odd thing": 2})
        self.assertEqual(self.argument({False: 0, "false": 1}), {"false": 0, "false (2)": 1})

    def test_circles_are_cut_and_what_stands_twice_stands_twice(self):
        circle = {"a": 1}
        circle["self"] = [circle]
        self.assertEqual(self.argument(circle), {"a": 1, "self": ["[circular]"]})
        shared = [1]
        self.assertEqual(self.argument([shared, shared]), [[1], [1]])

    def test_deep_nesting_is_cut_where_the_service_could_not_read_it(self):
        for deep in (nested(99), nested(5000), nested_objects(100_000)):
            self.assertIsNotNone(self.argument(deep))
            self.assertLess(self.service.bodies[self.service.seqs[-1]].count(b"["), 192)
        self.assertEqual(self.argument(nested(50)), nested(50))

    def test_huge_integers_stay_readable(self):
        self.assertEqual(self.argument(2**64), 2**64)
        self.assertEqual(self.argument(2**20_000), hex(2**20_000))

    def test_ten_megabytes_of_text_go_over(self):
        self.assertEqual(len(self.argument("x" * 10_000_000)), 10_000_000)

    def test_a_payload_that_cannot_be_shown_blocks_in_enforce_and_leaves_its_mark(self):
        def fails(*_):
            raise MemoryError

        fake_service.write_service_json(self.home, modes=ENFORCE)
        self.patch(vars(self.plugin.hooks), "envelope", fails)
        self.assert_blocks(self.call(command="x"))
        (_, line), = self.spooled()
        body = json.loads(line["body"])
        self.assertEqual((body["hook_event_name"], body["tool_name"], body["tool_input"]), ("pre_tool_call", "terminal", None))
        self.assertEqual(self.service.payloads, [])

    def test_it_does_not_depend_on_how_deep_the_host_stands(self):
        def deeper(levels):
            return deeper(levels - 1) if levels else self.argument(nested(90))

        self.assertIsNotNone(deeper(sys.getrecursionlimit() // 2))


def nested(levels):
    value = []
    for _ in range(levels):
        value = [value]
    return value


def nested_objects(levels):
    value = {}
    for _ in range(levels):
        value = {"a": value}
    return value


if __name__ == "__main__":
    unittest.main()
