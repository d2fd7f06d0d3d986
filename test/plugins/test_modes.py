"""What is done where nobody answers: as `service.json` says, and as the service itself last said."""

import json
import os
import unittest

import fake_service
from plugin_case import BLOCK, ENFORCE, PROJECT, PluginCase

OBSERVE = {"provenance": "observe", "capability": "observe"}


class Modes(PluginCase):
    def write(self, text):
        os.makedirs(self.home, exist_ok=True)
        with open(os.path.join(self.home, "service.json"), "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())

    def test_where_there_has_never_been_a_service_nothing_is_stopped(self):
        self.assertIsNone(self.call("memory"))
        self.assertIsNone(self.call("terminal"))

    def test_the_modes_of_the_file_decide(self):
        for modes, memory, terminal in (
            ({"provenance": "off", "capability": "off"}, False, False),
            ({"provenance": "observe", "capability": "observe"}, False, False),
            (BLOCK, True, False),
            (ENFORCE, True, True),
        ):
            self.forget()
            fake_service.write_service_json(self.home, modes=modes)
            for tool, blocks in (("memory", memory), ("skill_manage", memory), ("terminal", terminal)):
                answer = self.call(tool)
                self.assertEqual(answer is not None, blocks, (modes, tool))
                if blocks:
                    self.assert_blocks(answer)

    def test_a_file_that_cannot_be_read_counts_as_the_strictest(self):
        for text in ("", "{", "null", "[]", '"modes"', "5", b"\xff\xff", "[" * 100_000, "{}"):
            self.forget()
            self.write(text)
            self.assert_blocks(self.call("terminal"))
            self.assert_blocks(self.call("memory"))

    def test_modes_of_a_wrong_type_or_name_count_as_the_strictest_each_for_its_gate(self):
        for modes in (None, [], "observe", 5, {}, {"provenance": "observe"}, {"capability": "observe"}):
            self.forget()
            fake_service.write_service_json(self.home, modes=modes)
            self.assert_blocks(self.call("memory"))
        for wrong in (None, "", "Enforce", "enforced", 0, True, ["observe"], {}):
            self.forget()
            fake_service.write_service_json(self.home, modes={"provenance": "observe", "capability": wrong})
            self.assert_blocks(self.call("terminal"))
            self.forget()
            fake_service.write_service_json(self.home, modes={"provenance": wrong, "capability": "observe"})
            self.assert_blocks(self.call("memory"))
            self.assertIsNone(self.call("terminal"))

    def test_something_else_in_the_files_place_counts_as_the_strictest_and_is_not_waited_for(self):
        path = os.path.join(self.home, "service.json")
        os.makedirs(path)
        self.assert_blocks(self.call())
        os.rmdir(path)
        self.forget()
        os.mkfifo(path)
        self.assert_blocks(self.call())

    @unittest.skipIf(hasattr(os, "geteuid") and os.geteuid() == 0, "root reads everything")
    def test_a_file_without_permission_counts_as_the_strictest(self):
        fake_service.write_service_json(self.home)
        os.chmod(os.path.join(self.home, "service.json"), 0)
        self.assert_blocks(self.call())

    def test_a_file_that_was_there_and_is_gone_still_counts(self):
        fake_service.write_service_json(self.home, modes=ENFORCE)
        self.assert_blocks(self.call())
        os.unlink(os.path.join(self.home, "service.json"))
        self.assert_blocks(self.call())

    def test_what_the_service_said_counts_for_more_than_a_file_that_says_less_or_cannot_be_read(self):
        service = self.serve(modes=ENFORCE)
        self.assertIsNone(self.call())
        service.stop()
        fake_service.write_service_json(self.home)
        self.assert_blocks(self.call())

    def test_a_damaged_file_counts_as_the_strictest_whatever_the_service_said_before(self):
        service = self.serve()
        self.call()
        service.stop()
        self.write("{")
        self.assert_blocks(self.call())
        self.assert_blocks(self.call("memory"))
        # Mending the file by hand takes nothing back.
        fake_service.write_service_json(self.home)
        self.assert_blocks(self.call())

    def test_a_tightening_that_only_the_file_told_is_not_forgotten_when_the_file_is_rewritten(self):
        for tightened, tool in ((ENFORCE, "terminal"), (BLOCK, "memory")):
            self.forget()
            service = self.serve()
            self.assertIsNone(self.call(tool))
            fake_service.write_service_json(self.home, modes=tightened)
            self.assertIsNone(self.call(tool))
            fake_service.write_service_json(self.home, modes=OBSERVE)
            service.stop()
            self.assert_blocks(self.call(tool))
            os.unlink(os.path.join(self.home, "service.json"))
            self.assert_blocks(self.call(tool))

    def test_the_next_attach_answer_starts_anew(self):
        service = self.serve()
        self.call()
        fake_service.write_service_json(self.home, modes=ENFORCE)
        self.call()
        service.restart()
        self.assertIsNone(self.call())
        self.assertEqual(len(service.attachments), 2)
        service.stop()
        self.assertIsNone(self.call())

    def test_a_file_that_was_read_before_an_attach_answer_came_does_not_count_beside_it(self):
        client = self.client()
        read = client.service.__globals__["read_service"]
        fake_service.write_service_json(self.home, modes=ENFORCE)

        def attached_meanwhile(home):
            found = read(home)
            self.patch(client.service.__globals__, "read_service", read)
            service = self.serve()
            client._attach_now(self.plugin.hooks.Deadline())
            service.stop()
            return found

        self.patch(client.service.__globals__, "read_service", attached_meanwhile)
        self.assertEqual(client.service().modes, ENFORCE)
        self.assertEqual(client.modes(), OBSERVE)

    def test_a_file_that_the_service_has_tightened_since_counts(self):
        service = self.serve()
        self.call()
        fake_service.write_service_json(self.home, modes=ENFORCE)
        service.stop()
        self.assert_blocks(self.call())

    def test_a_home_that_is_no_folder_stops_nothing_and_nothing_is_raised(self):
        os.makedirs(os.path.dirname(self.home))
        with open(self.home, "w", encoding="utf-8") as file:
            file.write("x")
        self.assertIsNone(self.call())

    def test_the_cases_that_all_clients_and_the_service_have_in_common(self):
        home = vars(self.plugin)["hooks"].must_block.__globals__
        with open(os.path.join(PROJECT, "test", "fixtures", "unjudged-answers.json"), encoding="utf-8") as file:
            cases = json.load(file)
        self.assertGreater(len(cases), 20)
        for case in cases:
            call, modes = case["call"], home["read_modes"](case["modes"])
            blocks = home["must_block"](call.get("hook_event_name"), call.get("tool_name"), modes)
            self.assertIs(blocks, case["blocks"], case)

    def test_only_pre_tool_call_can_block(self):
        fake_service.write_service_json(self.home, modes={"provenance": "block", "capability": "enforce"})
        for hook in set(self.context.hooks) - {"pre_tool_call"}:
            self.assertIsNone(self.fire(hook, tool_name="memory", args={}, session_id="s1"), hook)

    def test_a_tool_whose_name_is_no_name_might_be_any_tool(self):
        fake_service.write_service_json(self.home, modes=BLOCK)
        for name in (None, "", 5, ["memory"], b"memory"):
            self.assert_blocks(self.fire("pre_tool_call", tool_name=name, args={}))

    def test_modes_of_the_attach_answer_that_are_none_count_as_the_strictest(self):
        service = self.serve()
        service.modes = "observe"
        self.call()
        service.stop()
        self.assert_blocks(self.call())

    def test_the_message_of_a_block_holds_no_word_of_the_payload(self):
        fake_service.write_service_json(self.home, modes=ENFORCE)
        message = self.call("terminal", command="echo swordfish")["message"]
        self.assertNotIn("swordfish", message)
        self.assertNotIn("swordfish", json.dumps(self.call("terminal", command="echo swordfish")))


if __name__ == "__main__":
    unittest.main()
