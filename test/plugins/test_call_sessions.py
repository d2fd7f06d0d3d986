"""An approval that an old host announces by its call alone is sent under the session of that call."""

import json
import unittest

from plugin_case import PluginCase


class CallSessions(PluginCase):
    def setUp(self):
        super().setUp()
        self.service = self.serve()

    def session_sent(self, hook, **kwargs):
        self.fire(hook, **kwargs)
        return json.loads(self.service.bodies[self.service.seqs[-1]])["session_id"]

    def call(self, call, session):
        return self.session_sent("pre_tool_call", tool_name="terminal", args={}, session_id=session, tool_call_id=call)

    def asked(self, **kwargs):
        return self.session_sent("pre_approval_request", command="ls", surface="cli", **kwargs)

    def test_the_session_of_the_call_stands_in_where_the_host_names_none(self):
        self.call("call-1", "one")
        self.call("call-2", "two")
        self.assertEqual(self.asked(tool_call_id="call-1"), "one")
        self.assertEqual(self.asked(tool_call_id="call-2", session_id=""), "two")
        self.assertEqual(self.session_sent("post_approval_response", tool_call_id="call-1", choice="once"), "one")

    def test_what_the_host_names_itself_is_let_be(self):
        self.call("call-1", "one")
        self.assertEqual(self.asked(tool_call_id="call-1", session_id="other"), "other")

    def test_a_call_that_is_not_known_has_no_session(self):
        self.call("call-1", "one")
        for call in ("call-2", "", None, 7, ["call-1"]):
            self.assertEqual(self.asked(tool_call_id=call), "", call)

    def test_the_newest_session_of_a_call_counts_and_old_calls_are_forgotten(self):
        self.call("call-1", "one")
        self.call("call-1", "two")
        self.assertEqual(self.asked(tool_call_id="call-1"), "two")
        for number in range(256):
            self.call(f"later-{number}", "three")
        self.assertEqual(self.asked(tool_call_id="call-1"), "")


if __name__ == "__main__":
    unittest.main()
