"""One payload and its answer, over each of the two transports: attach, numbers, MACs, and what follows from no answer."""

import json
import os
import re
import shutil
import socket
import threading
import time
import unittest

import fake_service
from plugin_case import BLOCK, ENFORCE, PLUGIN, PluginCase, wait_until


class OverUnixSockets(PluginCase):
    loopback = False

    def serve(self, **members):
        return super().serve(loopback=self.loopback, **members)

    # --- attaching ---

    def test_the_first_hook_attaches_with_all_that_the_page_names(self):
        service = self.serve()
        self.fire("on_session_start", session_id="s1", model="m", platform="cli")
        self.assertEqual(len(service.attachments), 1)
        said = service.attachments[0]
        self.assertRegex(said["attach"], r"\A[0-9a-f]{32}\Z")
        self.assertRegex(said["secret"], r"\A[0-9a-f]{64}\Z")
        self.assertRegex(said["files"], r"\A[0-9a-f]{64}\Z")
        self.assertEqual((said["next"], said["pid"], said["host"]), (1, os.getpid(), "hermes"))
        self.assertEqual(said["plugin_version"], "0.3.0")
        self.assertIsInstance(said["host_version"], str)
        self.assertEqual(service.wrong, [])

    @unittest.skipUnless(hasattr(os, "memfd_create"), "the page says: Linux")
    def test_the_service_can_see_in_proc_who_attaches_and_afterwards_the_file_is_closed(self):
        service = self.serve()
        self.fire("on_session_start", session_id="s1")
        self.assertIs(service.attachments[0]["peer"], True)
        numbers = [os.path.join("/proc/self/fd", number) for number in os.listdir("/proc/self/fd")]
        open_files = [os.readlink(number) for number in numbers if os.path.islink(number)]
        self.assertEqual([name for name in open_files if "stele-peer" in name], [])

    def test_one_process_attaches_once_and_counts_from_one_without_gaps(self):
        service = self.serve()
        for number in range(5):
            self.call(command=f"echo {number}")
        self.assertEqual(len(service.attachments), 1)
        self.assertEqual(service.seqs, [1, 2, 3, 4, 5])
        self.assertEqual(service.wrong, [])

    def test_connections_are_kept(self):
        service = self.serve()
        for _ in range(5):
            self.call()
        self.assertEqual(len(service.connections), 1)

    def test_the_secret_goes_over_in_the_attach_alone_and_lies_in_no_file_and_no_environment(self):
        service = self.serve()
        self.call()
        service.stop()
        self.call()
        secret = service.attachments[0]["secret"]
        self.assertNotIn(secret, repr(service.payloads) + repr(dict(os.environ)))
        for folder, _, names in os.walk(self.hermes):
            for name in set(names) - {"service.sock"}:
                with open(os.path.join(folder, name), "rb") as file:
                    self.assertNotIn(secret.encode(), file.read())

    def test_an_attach_that_is_refused_is_no_answer_and_its_payload_is_spooled(self):
        service = self.serve(modes=ENFORCE)
        service.refuse_attach = 429
        self.assert_blocks(self.call())
        self.assertEqual(len(self.spooled()), 1)
        service.refuse_attach = None
        self.assertIsNone(self.call())
        self.assertEqual(service.attachments[-1]["next"], 1)

    # --- answers ---

    def test_an_empty_answer_is_no_directive(self):
        self.serve()
        for hook in self.context.hooks:
            self.assertIsNone(self.fire(hook, session_id="s1", tool_name="memory", args={}), hook)

    def test_a_block_is_handed_on_with_its_message(self):
        service = self.serve()
        service.directive = lambda payload: {"action": "block", "message": "No quote."}
        self.assertEqual(self.call(), {"action": "block", "message": "No quote."})

    def test_a_block_without_a_message_gets_one(self):
        service = self.serve()
        for message in (None, "", "  ", 5, ["no"]):
            service.directive = lambda payload, message=message: {"action": "block", "message": message}
            self.assert_blocks(self.call())
        service.directive = lambda payload: {"action": "block"}
        self.assert_blocks(self.call())

    def test_an_approve_is_handed_on_whole(self):
        service = self.serve()
        told = {"action": "approve", "message": "Ask.", "rule_key": "ab12"}
        service.directive = lambda payload: told
        self.assertEqual(self.call(), told)

    def test_pre_verify_and_pre_llm_call_hand_on_what_the_host_takes_there(self):
        service = self.serve()
        service.directive = lambda payload: {"action": "continue", "message": "Test it."}
        self.assertEqual(self.fire("pre_verify", session_id="s1"), {"action": "continue", "message": "Test it."})
        self.assertIsNone(self.fire("pre_llm_call", session_id="s1"))
        service.directive = lambda payload: {"context": "Mind the rules."}
        self.assertEqual(self.fire("pre_llm_call", session_id="s1"), {"context": "Mind the rules."})
        self.assertIsNone(self.fire("post_llm_call", session_id="s1"))

    def test_one_more_pass_is_asked_for_only_where_it_is_said_what_for(self):
        service = self.serve()
        wrong = [{"action": "continue", "message": message} for message in (None, "", " \n", 5, ["no"], {})]
        for told in (*wrong, {"action": "continue"}, {"message": "Test it."}, {"action": "stop", "message": "Test it."}):
            service.directive = lambda payload, told=told: told
            self.assertIsNone(self.fire("pre_verify", session_id="s1"), told)

    def test_nothing_is_blocked_where_nothing_can_be(self):
        for modes in (ENFORCE, None):
            service = self.serve(modes=modes, wants=["llm_request", "tool_request"])
            self.call()
            service.directive = lambda payload: {"action": "block", "decision": "block", "message": "no", "reason": "no"}
            fired = [*self.context.hooks, *self.context.middleware]
            fired.remove("pre_tool_call")
            for _ in range(2):
                for name in fired:
                    told = self.fire(name, session_id="s1", tool_name="memory", args={}, request={}, api_call_count=1)
                    self.assertIsNone(told, name)
                service.refuse = 500  # and once more without an answer
            self.assertEqual(len(self.spooled()), len(fired) * (1 if modes else 2))
            service.stop()

    def test_answers_that_are_no_json_object_are_no_answer(self):
        service = self.serve(modes=ENFORCE)
        for answer in (b"", b"[]", b"null", b"{", b"\xff\xfe", b'"block"', b"[" * 100_000):
            service.directive = lambda payload, answer=answer: answer
            self.assert_blocks(self.call())

    # --- middleware ---

    def test_middleware_is_sent_only_while_the_service_wants_it(self):
        service = self.serve()
        self.assertIsNone(self.fire("llm_request", request={"model": "m"}, api_call_count=1, session_id="s1"))
        self.call()
        self.fire("llm_request", request={"model": "m"}, api_call_count=1, session_id="s1")
        self.assertEqual([p["hook_event_name"] for _, p in service.payloads], ["pre_tool_call"])
        service.wants = ["llm_request"]
        self.call()
        self.fire("llm_request", request={"model": "m"}, api_call_count=1, session_id="s1")
        self.fire("tool_request", tool_name="memory", args={}, session_id="s1")
        self.assertEqual([p["hook_event_name"] for _, p in service.payloads][2:], ["llm_request"])
        service.wants = []
        self.call()
        self.fire("llm_request", request={"model": "m"}, api_call_count=1, session_id="s1")
        self.assertEqual([p["hook_event_name"] for _, p in service.payloads][3:], ["pre_tool_call"])
        self.assertEqual(service.seqs, [1, 2, 3, 4])

    def test_wants_of_the_attach_answer_count_at_once(self):
        service = self.serve(wants=["llm_request", "tool_request"])
        self.call()
        self.fire("tool_request", tool_name="memory", args={"action": "add"}, original_args={"a": 1}, session_id="s1")
        payload = service.payload("tool_request")
        self.assertEqual((payload["tool_name"], payload["tool_input"]), ("memory", {"action": "add"}))
        self.assertNotIn("original_args", payload["extra"])

    def test_a_call_before_it_runs_goes_over_as_it_does_when_it_runs_and_nothing_comes_of_it(self):
        service = self.serve(wants=["tool_request"])
        ids = {"session_id": "s1", "turn_id": "t1", "tool_call_id": "c1", "task_id": "k", "api_request_id": "r1"}
        args = {"command": "ls", "deep": [{"a": 1}]}
        for told in ({}, {"args": {"command": "rm"}}, {"action": "block", "message": "no"}, {"action": "approve"}):
            service.directive = lambda payload, told=told: told
            self.fire("pre_tool_call", tool_name="terminal", args=args, **ids)
            answer = self.fire("tool_request", tool_name="terminal", args=args, original_args=args, **ids)
            self.assertIsNone(answer)
        shown = [{**payload, "host": None} for _, payload in service.payloads[-2:]]
        self.assertEqual(shown[1], {**shown[0], "hook_event_name": "tool_request"})
        self.assertEqual(args, {"command": "ls", "deep": [{"a": 1}]})

    # --- no answer ---

    def test_errors_of_the_service_block_in_enforce_and_let_go_in_observe(self):
        for modes in (ENFORCE, None):
            service = self.serve(modes=modes)
            for status in (400, 403, 500, 502, 503, 204, 302):
                service.refuse = status
                if modes:
                    self.assert_blocks(self.call())
                else:
                    self.assertIsNone(self.call())
            service.stop()
        self.assertEqual(len(self.spooled()), 14)

    def test_in_provenance_block_the_tools_of_memory_are_blocked_and_others_go(self):
        service = self.serve(modes=BLOCK)
        service.refuse = 500
        self.assert_blocks(self.call("memory"))
        self.assert_blocks(self.call("skill_manage"))
        self.assertIsNone(self.call("terminal"))
        for hook in set(self.context.hooks) - {"pre_tool_call"}:
            self.assertIsNone(self.fire(hook, tool_name="memory", session_id="s1"), hook)

    def test_an_answer_with_a_wrong_mac_is_no_answer(self):
        service = self.serve(modes=ENFORCE)
        self.assertIsNone(self.call())
        service.forge = True
        self.assert_blocks(self.call())
        self.assertEqual([line["seq"] for _, line in self.spooled()], [2])

    def test_modes_of_an_attach_answer_with_a_wrong_mac_are_not_believed(self):
        service = self.serve(modes=ENFORCE)
        service.forge = True
        service.modes = {"provenance": "off", "capability": "off"}
        self.assert_blocks(self.call())
        self.assertEqual(service.payloads, [])

    def test_too_many_is_not_spooled_and_the_mode_decides(self):
        service = self.serve(modes=ENFORCE)
        self.assertIsNone(self.call())
        service.refuse = 429
        self.assert_blocks(self.call())
        self.assertEqual(self.spooled(), [])
        service.refuse = None
        self.assertIsNone(self.call())
        self.assertEqual(service.seqs, [1, 3])
        self.assertEqual(service.payload("pre_tool_call")["host"]["unanswered"], [])

    def test_too_many_that_the_service_has_not_signed_is_no_answer_and_is_spooled(self):
        service = self.serve(modes=ENFORCE)
        self.assertIsNone(self.call())
        service.refuse, service.forge = 429, True
        self.assert_blocks(self.call())
        self.assertEqual(len(self.spooled()), 1)
        service.refuse, service.forge = None, False
        self.assertIsNone(self.call())
        told = [{"seq": 2, "hook": "pre_tool_call", "did": "blocked"}]
        self.assertEqual(service.payload("pre_tool_call")["host"]["unanswered"], told)

    def test_the_log_tells_of_the_spool_only_where_something_was_put_there(self):
        log = self.plugin.hooks.client_now.__globals__["_log"]
        log.disabled = False
        service = self.serve()
        self.call()
        for status, forge, spools in ((429, False, False), (429, True, True), (500, False, True)):
            service.refuse, service.forge = status, forge
            with self.assertLogs(log, "WARNING") as logs:
                self.call()
            self.assertEqual("spool" in logs.output[0], spools, logs.output)
            service.refuse, service.forge = None, False
            self.call()

    def test_unanswered_payloads_are_told_until_one_that_told_of_them_is_answered(self):
        service = self.serve(modes=ENFORCE)
        self.assertIsNone(self.call())
        service.refuse = 500
        self.call()
        self.fire("post_tool_call", tool_name="terminal", args={}, session_id="s1")
        service.refuse = None
        told = [
            {"seq": 2, "hook": "pre_tool_call", "did": "blocked"},
            {"seq": 3, "hook": "post_tool_call", "did": "let_go"},
        ]
        service.forge = True  # the service has it, but we cannot know that
        self.call()
        service.forge = False
        self.call()
        self.call()
        unanswered = [payload["host"]["unanswered"] for _, payload in service.payloads]
        late = {"seq": 4, "hook": "pre_tool_call", "did": "blocked"}
        self.assertEqual(unanswered, [[], told, [*told, late], []])
        self.assertEqual(service.seqs, [1, 4, 5, 6])

    def test_of_very_many_unanswered_payloads_each_tells_the_oldest_and_none_is_forgotten(self):
        service = self.serve()
        self.fire("on_session_start", session_id="s1")
        service.refuse = 500
        for _ in range(100):
            self.fire("on_session_end", session_id="s1")
        service.refuse = None
        for _ in range(3):
            self.fire("on_session_end", session_id="s1")
        told = [[item["seq"] for item in p["host"]["unanswered"]] for _, p in service.payloads]
        self.assertEqual(told, [[], list(range(2, 66)), list(range(66, 102)), []])

    # --- a service that comes and goes ---

    def test_a_restarted_service_is_attached_to_again_with_the_same_id_secret_and_number(self):
        service = self.serve(modes=ENFORCE)
        self.call()
        service.restart()
        self.assertIsNone(self.call())
        first, second = service.attachments
        self.assertEqual((first["attach"], first["secret"]), (second["attach"], second["secret"]))
        self.assertEqual((first["next"], second["next"]), (1, 2))
        self.assertEqual(service.seqs, [1, 2])
        self.assertEqual(self.spooled(), [])

    def test_next_names_the_oldest_payload_that_was_never_answered(self):
        service = self.serve()
        self.call()
        service.refuse = 500
        self.call()
        service.refuse = None
        service.restart()
        self.call()
        self.assertEqual(service.attachments[-1]["next"], 2)
        for name, _ in self.spooled():  # as the service would, when it has taken them
            os.unlink(os.path.join(self.home, "spool", name))
        service.restart()
        self.call()
        self.assertEqual(service.attachments[-1]["next"], 4)

    def test_a_service_that_dies_in_the_middle_is_no_answer_and_the_next_hook_is_served(self):
        service = self.serve(modes=ENFORCE)
        self.call()
        service.close = 2  # the kept connection, and the new one
        self.assert_blocks(self.call())
        self.assertIsNone(self.call())
        self.assertEqual(service.seqs, [1, 3])

    def test_a_service_that_is_gone_leaves_the_strictest_modes_that_were_told(self):
        service = self.serve(modes=ENFORCE)
        self.call()
        service.stop()
        fake_service.write_service_json(self.home, modes={"provenance": "observe", "capability": "off"}, pid=None)
        self.assert_blocks(self.call())
        os.unlink(os.path.join(self.home, "service.json"))
        self.assert_blocks(self.call())

    def test_a_spooled_payload_carries_the_mac_that_it_would_have_been_sent_with(self):
        service = self.serve()
        self.call()
        service.stop()
        self.call(command="ls")
        (name, line), = self.spooled()
        self.assertRegex(name, rf"\A\d{{13}}-{line['attach'][:8]}-00000002\.json\Z")
        secret = service.attachments[0]["secret"]
        expected = fake_service.mac(secret, "hook", line["attach"], 2, line["body"].encode())
        self.assertEqual((line["seq"], line["mac"]), (2, expected))
        self.assertEqual(json.loads(line["body"])["tool_input"], {"command": "ls"})

    def test_a_host_that_was_there_before_the_service_attaches_late_and_starts_from_one(self):
        self.call(command="first")
        service = self.serve()
        self.call(command="second")
        self.assertEqual(service.attachments[0]["next"], 1)
        self.assertEqual(service.seqs, [2])
        self.assertEqual(service.payloads[0][1]["host"]["unanswered"], [{"seq": 1, "hook": "pre_tool_call", "did": "let_go"}])
        (_, line), = self.spooled()
        expected = fake_service.mac(service.attachments[0]["secret"], "hook", line["attach"], 1, line["body"].encode())
        self.assertEqual(line["mac"], expected)

    def test_after_spooling_the_return_of_the_service_is_looked_for_in_the_background(self):
        self.patch(self.plugin.hooks.client_now.__globals__, "_RETURN_SECONDS", (0.05,) * 100)
        self.call()
        self.assertTrue(self.client()._return.daemon)
        service = self.serve()
        self.assertTrue(wait_until(lambda: service.attachments))
        self.client()._return.join(5)
        self.assertFalse(self.client()._return.is_alive())
        self.assertEqual(service.payloads, [])

    # --- many at once ---

    def test_sixteen_threads_use_every_number_once(self):
        service = self.serve()
        failures = []

        def work(thread):
            for number in range(10):
                if self.call(command=f"{thread}-{number}") is not None:
                    failures.append((thread, number))

        threads = [threading.Thread(target=work, args=(n,)) for n in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(service.seqs), list(range(1, 161)))
        said = {payload["tool_input"]["command"] for _, payload in service.payloads}
        self.assertEqual(said, {f"{thread}-{number}" for thread in range(16) for number in range(10)})
        self.assertEqual((len(service.attachments), service.wrong, failures, self.spooled()), (1, [], [], []))

    def test_sixteen_threads_lose_nothing_while_the_service_is_killed_and_started(self):
        service = self.serve()
        stop = time.monotonic() + 1

        def work():
            while time.monotonic() < stop:
                self.call()

        threads = [threading.Thread(target=work) for _ in range(16)]
        for thread in threads:
            thread.start()
        for _ in range(3):
            time.sleep(0.2)
            service.restart()
        for thread in threads:
            thread.join()
        self.call()
        seqs = {*service.seqs, *(line["seq"] for _, line in self.spooled())}
        self.assertEqual(seqs, set(range(1, max(seqs) + 1)))
        self.assertEqual(service.wrong, [])

    @unittest.skipUnless(hasattr(os, "fork"), "there are no forks here")
    def test_a_forked_child_is_a_host_of_its_own(self):
        service = self.serve()
        self.call(command="parent")
        child = os.fork()
        if child == 0:
            code = 1
            try:
                code = 0 if self.call(command="child") is None else 2
            finally:
                os._exit(code)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        self.call(command="parent")
        first, second = service.attachments
        self.assertNotEqual(first["attach"], second["attach"])
        self.assertNotEqual(first["secret"], second["secret"])
        self.assertEqual((first["pid"], second["pid"]), (os.getpid(), child))
        self.assertEqual(service.seqs, [1, 1, 2])
        self.assertEqual(service.wrong, [])

    @unittest.skipUnless(hasattr(os, "fork"), "there are no forks here")
    def test_a_fork_in_the_middle_of_other_threads_hooks_does_not_hang_the_child(self):
        service = self.serve()
        stop = threading.Event()
        threads = [threading.Thread(target=lambda: [self.call() for _ in iter(stop.is_set, True)]) for _ in range(4)]
        for thread in threads:
            thread.start()
        try:
            for _ in range(5):
                child = os.fork()
                if child == 0:
                    try:
                        self.call(command="child")
                    finally:
                        os._exit(0)
                ended = []
                self.assertTrue(wait_until(lambda: ended.append(os.waitpid(child, os.WNOHANG)[0]) or ended[-1] == child))
        finally:
            stop.set()
            for thread in threads:
                thread.join()
        children = [said for said in service.attachments if said["pid"] != os.getpid()]
        self.assertEqual(len(children), 5)

    # --- homes ---

    def test_each_profile_has_a_home_an_attach_and_numbers_of_its_own(self):
        one = self.serve()
        self.call()
        other_home = os.path.join(self.hermes, "profiles", "work")
        two = fake_service.FakeService(os.path.join(other_home, "plugin-data", "stele"), loopback=self.loopback)
        self.addCleanup(two.stop)
        os.environ["HERMES_HOME"] = other_home
        self.call()
        os.environ["HERMES_HOME"] = self.hermes
        self.call()
        self.assertEqual((one.seqs, two.seqs), ([1, 2], [1]))
        self.assertNotEqual(one.attachments[0]["attach"], two.attachments[0]["attach"])

    def test_stele_home_counts_for_more_than_the_profile(self):
        service = fake_service.FakeService(os.path.join(self.hermes, "elsewhere"), loopback=self.loopback)
        self.addCleanup(service.stop)
        os.environ["STELE_HOME"] = service.home
        self.call()
        self.assertEqual(service.seqs, [1])


class OverLoopback(OverUnixSockets):
    """Row P94: Python without Unix sockets, as it is on Windows."""

    loopback = True

    def setUp(self):
        super().setUp()
        kept = socket.AF_UNIX
        del socket.AF_UNIX
        self.addCleanup(setattr, socket, "AF_UNIX", kept)

    def test_the_token_goes_to_this_machine_alone(self):
        service = self.serve(modes=ENFORCE)
        for page in (
            "http://192.0.2.1:80",
            "http://localhost.example.org:80",
            "https://127.0.0.1:1",
            "http://127.0.0.1",
            "http://127.0.0.1:x",
            "127.0.0.1:80",
            "http://[::1",
        ):
            fake_service.write_service_json(self.home, page=page, token="ab" * 32, modes=ENFORCE)
            self.assert_blocks(self.call())
        self.assertEqual(service.connections, [])

    def test_the_port_of_a_service_that_was_stopped_in_order_is_not_spoken_to(self):
        service = self.serve()
        fake_service.write_service_json(self.home, page=f"http://{service.host}", token="ab" * 32, pid=None)
        self.call()
        self.assertEqual(service.connections, [])

    def test_a_copied_profile_does_not_speak_to_the_page_of_the_other_one(self):
        service = self.serve()
        for socket_of_service, reached in (
            (os.path.join(self.hermes, "other", "plugin-data", "stele", "service.sock"), 0),
            (os.path.join(self.home, "service.sock"), 1),
        ):
            page = f"http://{service.host}"
            fake_service.write_service_json(self.home, page=page, token=fake_service.TOKEN, socket=socket_of_service)
            self.call()
            self.assertEqual(len(service.connections), reached)

    def test_a_service_that_does_not_listen_is_no_answer(self):
        fake_service.write_service_json(self.home, modes=ENFORCE)
        self.assert_blocks(self.call())


class SocketFolder(PluginCase):
    """Whoever can write to the folder of the socket can take the service's place."""

    def test_a_socket_in_a_folder_that_others_can_write_to_is_not_used(self):
        service = self.serve(modes=ENFORCE)
        for mode in (0o720, 0o702, 0o777):
            os.chmod(self.home, mode)
            self.assert_blocks(self.call())
        self.assertEqual(service.connections, [])
        os.chmod(self.home, 0o700)
        self.assertIsNone(self.call())

    def test_a_folder_that_others_can_read_is_no_reason(self):
        self.serve(modes=ENFORCE)
        os.chmod(self.home, 0o755)
        self.assertIsNone(self.call())

    def test_a_link_in_place_of_the_folder_is_not_followed(self):
        service = self.serve(modes=ENFORCE)
        link = self.folder_elsewhere()
        os.mkdir(os.path.dirname(link))
        os.symlink(self.home, link)
        fake_service.write_service_json(self.home, socket=os.path.join(link, "service.sock"), modes=ENFORCE)
        self.assert_blocks(self.call())
        self.assertEqual(service.connections, [])

    def test_a_private_folder_elsewhere_is_used(self):
        other = self.folder_elsewhere()
        service = fake_service.FakeService(other, modes=ENFORCE)
        self.addCleanup(service.stop)
        fake_service.write_service_json(self.home, socket=os.path.join(other, "service.sock"), modes=ENFORCE)
        self.assertIsNone(self.call())
        self.assertEqual(service.seqs, [1])

    @unittest.skipUnless(hasattr(os, "geteuid") and os.geteuid() == 0, "needs to give folders away")
    def test_a_folder_of_another_user_is_not_used_unless_the_home_is_theirs_too(self):
        service = self.serve(modes=ENFORCE)
        run = self.folder_elsewhere()
        os.makedirs(run, 0o700)
        os.rename(os.path.join(self.home, "service.sock"), os.path.join(run, "service.sock"))
        fake_service.write_service_json(self.home, socket=os.path.join(run, "service.sock"), modes=ENFORCE)
        os.chown(run, 65534, 65534)
        self.assert_blocks(self.call())
        self.assertEqual(service.connections, [])
        os.chown(self.home, 65534, 65534)
        self.assertIsNone(self.call())

    def test_a_socket_that_is_no_absolute_path_is_not_used(self):
        other = self.folder_elsewhere()
        service = fake_service.FakeService(other)
        self.addCleanup(service.stop)
        os.chdir(os.path.dirname(other))
        self.addCleanup(os.chdir, PLUGIN)
        for path in (os.path.join(os.path.basename(other), "service.sock"), "service.sock", "", None, 5):
            fake_service.write_service_json(self.home, socket=path, modes=ENFORCE)
            self.assert_blocks(self.call())
        self.assertEqual(service.connections, [])

    def test_a_copied_profile_never_speaks_to_the_service_of_the_other_one(self):
        other = fake_service.FakeService(os.path.join(self.hermes, "other", "plugin-data", "stele"))
        self.addCleanup(other.stop)
        os.makedirs(self.home, 0o700)
        shutil.copy(os.path.join(other.home, "service.json"), self.home)
        self.assertIsNone(self.call())
        self.assertEqual((other.connections, len(self.spooled())), ([], 1))
        # A service of its own lies where its own home says, whatever the file said before.
        own = self.serve()
        shutil.copy(os.path.join(other.home, "service.json"), self.home)
        self.assertIsNone(self.call())
        self.assertEqual((other.connections, own.seqs), ([], [2]))


class Messages(PluginCase):
    def test_a_block_says_why_and_what_to_do(self):
        fake_service.write_service_json(self.home, modes=ENFORCE)
        message = self.call()["message"]
        self.assertTrue(re.search(r"nobody listens", message))
        self.assertIn("stele doctor", message)


if __name__ == "__main__":
    unittest.main()
