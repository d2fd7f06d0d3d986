"""What of a provider's request leaves the host, and what an answer may make of it: fewer of its tools, and nothing else."""

import copy
import enum
import json
import os
import unittest
from unittest import mock

from plugin_case import PluginCase


def chat(name, **members):
    """A tool as Chat Completions has it."""
    return {"type": "function", "function": {"name": name, "description": "secret words", "parameters": {"a": 1}, **members}}


def flat(name, **members):
    """A tool as Responses has it."""
    return {"type": "function", "name": name, "description": "secret words", "parameters": {"a": 1}, **members}


def names(*told):
    """An answer that keeps the tools of these names."""
    tools = [{"type": "function", "function": {"name": name, "parameters": {}}} for name in told]
    return {"request": {"tools": tools}, "source": "stele", "reason": "a greeting"}


class LlmRequestCase(PluginCase):
    def setUp(self):
        super().setUp()
        self.service = self.serve(wants=["llm_request"])
        self.call()

    def fired(self, request, **kwargs):
        return self.fire("llm_request", **{"request": request, "api_call_count": 1, "session_id": "s1", "turn_id": "t1", **kwargs})

    def sent(self, request, **kwargs):
        """The skeleton as the service reads it."""
        self.fired(request, **kwargs)
        return self.service.payload("llm_request")["extra"]["request"]


class WhenItIsSent(LlmRequestCase):
    def test_only_the_first_request_of_a_turn_goes_over(self):
        class One(enum.IntEnum):
            ONE = 1

        before = len(self.service.payloads)
        for count in (0, 2, -1, True, False, 1.0, "1", None, [1], One.ONE):
            self.assertIsNone(self.fired({"tools": []}, api_call_count=count))
        self.assertIsNone(self.fire("llm_request", request={"tools": []}, session_id="s1"))
        self.assertEqual(len(self.service.payloads), before)
        self.fired({"tools": []})
        self.assertEqual(len(self.service.payloads), before + 1)

    def test_it_is_not_sent_where_it_is_not_wanted(self):
        self.service.wants = ["tool_request"]
        self.call()
        before = len(self.service.payloads)
        self.assertIsNone(self.fired({"tools": []}))
        self.assertEqual(len(self.service.payloads), before)

    def test_the_ids_of_the_call_go_with_it_and_the_hosts_own_copy_does_not(self):
        self.fired({"model": "m"}, original_request={"model": "m", "secret": 1}, api_request_id="r1", task_id="k", model="m")
        payload = self.service.payload("llm_request")
        self.assertEqual(payload["session_id"], "s1")
        self.assertEqual(
            payload["extra"],
            {
                "telemetry_schema_version": "hermes.observer.v1",
                "request": {},
                "api_call_count": 1,
                "turn_id": "t1",
                "api_request_id": "r1",
                "task_id": "k",
                "model": "m",
            },
        )


class Skeleton(LlmRequestCase):
    def test_a_greeting_of_chat_completions(self):
        request = {
            "model": "large",
            "messages": [{"role": "system", "content": "secret words"}, {"role": "user", "content": "hello", "name": "Ada"}],
            "tools": [chat("terminal"), chat("clarify")],
            "tool_choice": "auto",
            "max_tokens": 5,
            "timeout": float("inf"),
            "extra_headers": {"Authorization": "Bearer x"},
        }
        self.assertEqual(
            self.sent(request),
            {
                "messages": [{"role": "system"}, {"role": "user", "content": "hello"}],
                "tools": [
                    {"type": "function", "function": {"name": "terminal", "parameters": {}}},
                    {"type": "function", "function": {"name": "clarify", "parameters": {}}},
                ],
                "tool_choice": "auto",
            },
        )

    def test_a_greeting_of_responses(self):
        request = {"input": [{"role": "user", "content": "hi"}], "instructions": "secret words", "tools": [flat("terminal")]}
        self.assertEqual(
            self.sent(request),
            {
                "input": [{"role": "user", "content": "hi"}],
                "tools": [{"type": "function", "name": "terminal", "parameters": {}}],
            },
        )

    def test_no_other_word_of_a_request_leaves_the_host(self):
        word = "swordfish"
        inner = {word: word, "role": "assistant", "content": [word], "reasoning": word, "tool_calls": [word], "function_call": word}
        request = {
            word: word,
            "messages": [inner, {"role": "tool", "content": word}, {"role": "user", "content": [{"text": word}]}, word],
            "input": word,
            "tools": [chat("a", description=word, strict=word), flat("b", parameters={word: word}), word, {"kind": word}],
            "tool_choice": {"function": {"name": word}},
            "previous_response_id": word,
            "conversation": {"id": word},
            "metadata": {"user": word},
        }
        self.fired(request, original_request=request)
        body = self.service.bodies[self.service.seqs[-1]]
        self.assertNotIn(word.encode(), body)

    def test_words_are_the_users_alone_and_few(self):
        contents = ["hello", "x" * 256, "é" * 256, "x" * 257, "", None, 5, {"text": "hello"}, [{"type": "text", "text": "hello"}]]
        messages = [{"role": "user", "content": content} for content in contents]
        told = [item["content"] for item in self.sent({"messages": [*messages, {"role": "user"}]})["messages"]]
        self.assertEqual(told, ["hello", "x" * 256, "é" * 256, [], "", [], [], [], [], []])
        others = ("system", "developer", "assistant", "tool", "User", "", "x" * 256)
        sent = self.sent({"messages": [{"role": role, "content": "hello"} for role in others]})
        self.assertEqual(sent["messages"], [{"role": role} for role in others])

    def test_a_role_that_is_none_is_null(self):
        for role in (None, 5, ["user"], "x" * 257):
            self.assertEqual(self.sent({"messages": [{"role": role, "content": "hello"}]})["messages"], [{"role": None}])
        self.assertEqual(self.sent({"messages": [{"content": "hello"}]})["messages"], [{"role": None}])

    def test_that_a_tool_was_asked_for_goes_over_and_not_what(self):
        for value, told in (([{"id": 1}], True), ({"name": "a"}, True), ("a", True), ([], None), ({}, None), (None, None), ("", None)):
            message = {"role": "assistant", "tool_calls": value, "function_call": value}
            expected = {"role": "assistant", **({"tool_calls": True, "function_call": True} if told else {})}
            self.assertEqual(self.sent({"input": [message]})["input"], [expected])

    def test_items_that_are_no_object_are_null(self):
        sent = self.sent({"messages": ["hello", None, 5, ["user"], {"role": "user", "content": "hi"}]})
        self.assertEqual(sent["messages"], [None, None, None, None, {"role": "user", "content": "hi"}])

    def test_of_a_long_conversation_so_much_goes_over_that_it_is_seen_to_be_long(self):
        for count, told in ((0, 0), (32, 32), (33, 33), (34, 33), (100_000, 33)):
            sent = self.sent({"messages": [{"role": "user", "content": "hi"}] * count})
            self.assertEqual(sent["messages"], [{"role": "user", "content": "hi"}] * told)

    def test_a_conversation_that_is_no_list_is_there_all_the_same(self):
        for value in ("hello", None, {"role": "user"}, 5, ({"role": "user", "content": "hi"},)):
            self.assertEqual(self.sent({"input": value}), {"input": "..."})
            self.assertEqual(self.sent({"messages": value, "input": []}), {"messages": "...", "input": []})

    def test_tools_keep_their_own_shape(self):
        for own, told in (
            (chat("a"), {"type": "function", "function": {"name": "a", "parameters": {}}}),
            (chat("a", parameters=None), {"type": "function", "function": {"name": "a"}}),
            ({"type": "function", "function": {"name": "a"}}, {"type": "function", "function": {"name": "a"}}),
            (flat("a"), {"type": "function", "name": "a", "parameters": {}}),
            (flat("a", parameters=[]), {"type": "function", "name": "a"}),
            (flat("a", type=None), {"type": None, "name": "a", "parameters": {}}),
            ({"name": "a", "input_schema": {}}, {"type": None, "name": "a"}),
            ({"type": "web_search"}, {"type": "web_search"}),
            (flat(5), {"type": "function"}),
            (flat("x" * 257), {"type": "function"}),
            (chat(None), {"type": "function"}),
            ({"type": "function", "function": "a"}, {"type": "function"}),
            ({**flat("a"), "function": None}, {"type": "function"}),
            ({**flat("a"), **chat("b")}, {"type": "function"}),
            ({"type": 5}, {"type": None}),
            ({"type": "x" * 257}, {"type": None}),
            ("terminal", {"type": None}),
            (None, {"type": None}),
        ):
            self.assertEqual(self.sent({"tools": [own]})["tools"], [told], own)

    def test_of_too_many_tools_or_what_is_no_list_of_them_none_go_over(self):
        self.assertEqual(len(self.sent({"tools": [flat(str(number)) for number in range(512)]})["tools"]), 512)
        for tools in ([flat(str(number)) for number in range(513)], [flat("a")] * 1_000_000, None, {"a": 1}, "terminal", (flat("a"),)):
            self.assertEqual(self.sent({"tools": tools}), {})

    def test_a_choice_of_tools_goes_over_where_it_is_a_word(self):
        for choice, told in (("auto", "auto"), ("", ""), (None, None), ({"type": "function"}, {}), (5, {}), (True, {}), ("x" * 257, {})):
            self.assertEqual(self.sent({"tool_choice": choice}), {"tool_choice": told})

    def test_that_there_was_something_earlier_goes_over_and_not_what(self):
        for value in ("resp_1", {"id": "c"}, ["x"], 1):
            sent = self.sent({"previous_response_id": value, "conversation": value})
            self.assertEqual(sent, {"previous_response_id": True, "conversation": True})
        for value in ("", None, {}, [], 0, False):
            self.assertEqual(self.sent({"previous_response_id": value, "conversation": value}), {})

    def test_what_is_no_request_is_null(self):
        for request in (None, [], "request", 5, [{"tools": []}]):
            self.assertIsNone(self.sent(request))

    def test_a_skeleton_of_more_than_the_limit_of_a_field_goes_over_as_its_size(self):
        self.service.stop()
        self.service = self.serve(wants=["llm_request"], fieldBytes=50)
        self.call()
        self.assertEqual(set(self.sent({"tools": [flat("a"), flat("b")]})), {"count", "bytes", "digest"})
        self.service.directive = lambda payload: names("a")
        self.assertEqual(self.fired({"tools": [flat("a"), flat("b")]})["request"]["tools"], [flat("a")])

    def test_a_secret_of_the_environment_in_a_greeting_is_taken_out(self):
        with mock.patch.dict(os.environ, SOME_TOKEN="abcdefgh12345"):
            sent = self.sent({"messages": [{"role": "user", "content": "abcdefgh12345"}]})
        self.assertEqual(sent["messages"], [{"role": "user", "content": "[redacted:SOME_TOKEN]"}])


class Refuses(dict):
    """An object whose every reading is refused; what is in it is in it all the same."""

    def _refuse(self, *_):
        raise RuntimeError("no")

    __iter__ = __len__ = __contains__ = __getitem__ = __bool__ = __eq__ = get = items = keys = values = copy = _refuse


class RefusesList(list):
    def _refuse(self, *_):
        raise RuntimeError("no")

    __iter__ = __len__ = __contains__ = __getitem__ = __bool__ = __eq__ = copy = index = _refuse


class Lies(dict):
    """An object that shows other members than it has."""

    def get(self, *_):
        return "assistant"

    __getitem__ = get

    def __contains__(self, _):
        return True


class RefusingKey(str):
    """Looks like `tools` until it is looked at."""

    def __eq__(self, other):
        raise RuntimeError("no")

    __hash__ = str.__hash__


class HostileShapes(LlmRequestCase):
    def test_what_refuses_to_be_read_is_read_as_what_it_holds(self):
        tools = RefusesList([Refuses(flat("a")), Refuses(type="function", function=Refuses(name="b", parameters=Refuses()))])
        request = Refuses(messages=RefusesList([Refuses(role="user", content="hi")]), tools=tools, conversation=Refuses())
        self.assertEqual(
            self.sent(request),
            {
                "messages": [{"role": "user", "content": "hi"}],
                "tools": [
                    {"type": "function", "name": "a", "parameters": {}},
                    {"type": "function", "function": {"name": "b", "parameters": {}}},
                ],
                "conversation": True,
            },
        )
        self.service.directive = lambda payload: names("b")
        answer = self.fired(request)["request"]
        self.assertIs(type(answer), dict)
        self.assertEqual(len(answer["tools"]), 1)
        self.assertIs(answer["tools"][0], list.__getitem__(tools, 1))

    def test_what_lies_about_its_members_is_read_as_what_it_holds(self):
        self.assertEqual(self.sent({"messages": [Lies(role="user", content="hi")]})["messages"], [{"role": "user", "content": "hi"}])

    def test_a_member_that_cannot_be_looked_up_makes_it_no_request(self):
        self.service.directive = lambda payload: names("a")
        request = {RefusingKey("tools"): [flat("a"), flat("b")]}
        self.assertIsNone(self.fired(request))
        self.assertIsNone(self.service.payload("llm_request")["extra"]["request"])
        self.assertEqual(self.spooled(), [])


class Answer(LlmRequestCase):
    def answered(self, told, request):
        self.service.directive = lambda payload: told
        return self.fired(request)

    def test_some_of_the_tools_are_left_in_their_own_order_and_everything_else_as_it_is(self):
        messages, patience = [{"role": "user", "content": "hello"}], object()
        tools = [chat("terminal"), chat("clarify"), chat("patch"), chat("todo")]
        request = {"model": "m", "messages": messages, "tools": tools, "timeout": float("inf"), "client": patience}
        before = copy.copy(request)
        answer = self.answered(names("todo", "clarify"), request)
        self.assertEqual((answer["source"], answer["reason"]), ("stele", "a greeting"))
        self.assertEqual(set(answer), {"request", "source", "reason"})
        self.assertEqual(answer["request"], {**request, "tools": [tools[1], tools[3]]})
        self.assertEqual(list(answer["request"]), list(request))
        for own, given in ((messages, answer["request"]["messages"]), (tools[1], answer["request"]["tools"][0])):
            self.assertIs(given, own)
        self.assertIs(answer["request"]["client"], patience)
        # The own one is as it was, its list too.
        self.assertIsNot(answer["request"], request)
        self.assertEqual(request, before)
        self.assertIs(request["tools"], tools)
        self.assertEqual(tools, [chat("terminal"), chat("clarify"), chat("patch"), chat("todo")])

    def test_the_service_is_believed_its_names_and_nothing_else(self):
        told = names("a")
        told["request"]["tools"][0]["function"]["description"] = "other words"
        told["request"] |= {"model": "small", "messages": [], "tool_choice": "required"}
        told["args"] = {"a": 1}
        answer = self.answered(told, {"model": "m", "tools": [flat("a"), flat("b")]})
        self.assertEqual(answer["request"], {"model": "m", "tools": [flat("a")]})
        self.assertEqual(set(answer), {"request", "source", "reason"})

    def test_an_answer_in_either_shape_is_understood(self):
        told = {"request": {"tools": [{"type": "function", "name": "b", "parameters": {}}]}, "source": "stele", "reason": "r"}
        self.assertEqual(self.answered(told, {"tools": [flat("a"), flat("b")]})["request"], {"tools": [flat("b")]})

    def test_an_empty_an_equal_and_a_larger_set_change_nothing(self):
        request = {"tools": [chat("a"), chat("b")]}
        for told in (names(), names("a", "b"), names("b", "a"), names("a", "b", "c"), {}, {"request": {}}):
            self.assertIsNone(self.answered(told, request))
        self.assertIsNone(self.answered(names("a"), {"tools": [chat("a")]}))

    def test_a_name_that_is_not_known_or_stands_twice_changes_nothing(self):
        for told in (names("c"), names("a", "c"), names("a", "a"), names("A"), names("a", "a", "b")):
            self.assertIsNone(self.answered(told, {"tools": [chat("a"), chat("b"), chat("d")]}))

    def test_own_tools_that_are_not_plain_functions_with_names_of_their_own_stay(self):
        others = (chat("a"), flat("a"), chat("b"), {"type": "web_search"}, flat(5), chat(None), None, {**flat("c"), **chat("d")}, flat("x" * 257))
        for other in others:
            self.assertIsNone(self.answered(names("a"), {"tools": [chat("a"), chat("b"), other]}), other)

    def test_without_a_list_of_tools_nothing_changes(self):
        for request in ({}, {"tools": None}, {"tools": []}, {"tools": {"a": 1}}, {"tools": (chat("a"), chat("b"))}, None, [], "x"):
            self.assertIsNone(self.answered(names("a"), request))
        self.assertIsNone(self.answered(names("1"), {"tools": [flat(str(number)) for number in range(513)]}))

    def test_what_is_told_about_the_change_is_text_or_is_not_handed_on(self):
        for source, reason in ((None, 5), (["stele"], {})):
            told = {**names("a"), "source": source, "reason": reason}
            self.assertEqual(self.answered(told, {"tools": [flat("a"), flat("b")]}), {"request": {"tools": [flat("a")]}})

    def test_a_tool_whose_name_is_a_secret_is_not_left_out_by_it(self):
        self.service.directive = lambda payload: {"request": {"tools": payload["extra"]["request"]["tools"][:1]}}
        with mock.patch.dict(os.environ, SOME_TOKEN="abcdefgh12345"):
            self.assertIsNone(self.fired({"tools": [flat("abcdefgh12345"), flat("b")]}))

    def test_without_an_answer_and_with_one_that_is_none_the_request_goes_on_as_it_is(self):
        request = {"tools": [flat("a"), flat("b")]}
        for told in (b"", b"[]", b"{", json.dumps({"request": None}).encode()):
            self.assertIsNone(self.answered(told, request))
        self.service.forge = True
        self.assertIsNone(self.answered(names("a"), request))
        self.service.stop()
        self.assertIsNone(self.fired(request))


if __name__ == "__main__":
    unittest.main()
