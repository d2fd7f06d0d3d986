"""Starting the service where it is not there: which command, how often, and for how long anybody waits."""

import json
import os
import stat
import sys
import threading
import time
import unittest

import fake_service
from plugin_case import ENFORCE, PluginCase, wait_until


class StarterCase(PluginCase):
    def script(self, name, body):
        """A command that notes how it was called, and then does something. Its command line."""
        path = os.path.join(self.hermes, name + ".py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(
                "import json, os, sys, time\n"
                f"with open({self.log(name)!r}, 'a') as file:\n"
                "    stdin = os.fstat(0).st_rdev == os.stat(os.devnull).st_rdev\n"
                "    print(json.dumps({'argv': sys.argv[1:], 'env': dict(os.environ), 'cwd': os.getcwd(), 'null': stdin,\n"
                "        'sid': os.getsid(0), 'pid': os.getpid()}), file=file)\n" + body
            )
        return [sys.executable, path]

    def log(self, name):
        return os.path.join(self.hermes, name + ".log")

    def calls(self, name):
        if not os.path.exists(self.log(name)):
            return []
        with open(self.log(name), encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def serve_when_called(self, name):
        """A service that comes to life when the command is called, as `serve --detach` would have it."""
        os.makedirs(self.home, mode=0o700, exist_ok=True)
        ready, go = os.path.join(self.hermes, "ready"), os.path.join(self.hermes, "go")
        command = self.script(
            name, f"open({go!r}, 'w').close()\nwhile not os.path.exists({ready!r}):\n    time.sleep(0.01)\n"
        )
        started = []

        def run():
            if wait_until(lambda: os.path.exists(go), 10):
                started.append(self.serve(modes=ENFORCE, command=command))
                open(ready, "w", encoding="utf-8").close()

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        self.addCleanup(thread.join)
        return command, started


class Starter(StarterCase):
    def test_the_first_hook_starts_the_service_waits_for_it_and_is_answered_by_it(self):
        command, started = self.serve_when_called("one")
        os.environ["STELE_COMMAND"] = json.dumps(command)
        self.assertIsNone(self.call(command="first"))
        self.assertEqual(started[0].seqs, [1])
        self.assertEqual(self.spooled(), [])
        (called,) = self.calls("one")
        self.assertEqual(called["argv"], ["serve", "--detach", "--home", self.home])

    def test_it_is_detached_from_the_hosts_terminal_folder_and_secrets(self):
        os.environ.update(STELE_COMMAND=json.dumps(self.script("one", "")), A_TOKEN="swordfish-1", HOMEWARD="yes")
        self.call()
        (called,) = self.calls("one")
        self.assertTrue(called["null"])
        self.assertEqual(called["sid"], called["pid"])
        self.assertEqual(called["cwd"], os.path.abspath(os.sep))
        self.assertNotIn("A_TOKEN", called["env"])
        self.assertEqual((called["env"]["HOMEWARD"], called["env"]["HERMES_HOME"]), ("yes", self.hermes))

    def test_the_command_of_service_json_comes_first_then_the_environments(self):
        one, two = self.script("one", ""), self.script("two", "")
        fake_service.write_service_json(self.home, command=one)
        os.environ["STELE_COMMAND"] = json.dumps(two)
        self.call()
        self.assertEqual((len(self.calls("one")), len(self.calls("two"))), (1, 0))

    def test_a_command_that_is_gone_or_is_none_gives_way_to_the_next(self):
        two = self.script("two", "")
        os.environ["STELE_COMMAND"] = json.dumps(two)
        for number, command in enumerate(
            (None, [], "stele", [5], [""], ["/nowhere/node"], [sys.executable, "/nowhere/main.js"], ["no-such-program"])
        ):
            fake_service.write_service_json(self.home, command=command)
            self.client()._starter._not_before = 0
            self.call()
            self.assertEqual(len(self.calls("two")), number + 1, command)

    def test_what_the_installer_wrote_beside_the_plugin_comes_before_the_path(self):
        one = self.script("one", "")
        installed = os.path.join(self.hermes, "stele.json")
        self.patch(self.client()._starter.start.__func__.__globals__, "__file__", os.path.join(self.hermes, "starter.py"))
        with open(installed, "w", encoding="utf-8") as file:
            json.dump({"command": one}, file)
        self.on_path("two")
        self.call()
        self.assertEqual((len(self.calls("one")), len(self.calls("two"))), (1, 0))
        for text in ("{", "[]", "{}", '{"command": "stele"}', '{"command": ["/nowhere"]}'):
            with open(installed, "w", encoding="utf-8") as file:
                file.write(text)
            self.client()._starter._not_before = 0
            self.call()
        self.assertEqual(len(self.calls("two")), 5)

    def on_path(self, name):
        command = self.script(name, "")
        path = os.path.join(self.empty, "stele")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\nexec {command[0]} {command[1]} \"$@\"\n")
        os.chmod(path, stat.S_IRWXU)

    def test_the_path_comes_last(self):
        self.on_path("two")
        self.call()
        self.assertEqual(len(self.calls("two")), 1)

    def test_a_command_that_fails_is_not_tried_again_at_once_and_nobody_waits(self):
        os.environ["STELE_COMMAND"] = json.dumps(self.script("one", "sys.exit(6)"))
        for _ in range(5):
            self.assertIsNone(self.call())
        self.assertEqual(len(self.calls("one")), 1)
        self.assertEqual(len(self.spooled()), 5)
        self.client()._starter._not_before = 0
        self.call()
        self.assertEqual(len(self.calls("one")), 2)

    def test_the_pause_between_attempts_grows_and_has_an_end(self):
        starter = self.client()._starter
        os.environ["STELE_COMMAND"] = json.dumps(["/nowhere/stele"])
        pauses = []
        for _ in range(8):
            starter._not_before = time.monotonic() - 1
            self.call()
            pauses.append(round(starter._not_before - time.monotonic()))
        self.assertEqual(pauses, [1, 2, 4, 8, 16, 32, 60, 60])
        starter._not_before = time.monotonic() - 3600
        self.call()
        self.assertEqual(round(starter._not_before - time.monotonic()), 1)

    def test_a_start_that_takes_long_is_waited_for_within_the_deadline_and_is_not_started_twice(self):
        self.hurry()
        os.environ["STELE_COMMAND"] = json.dumps(self.script("one", "time.sleep(3)"))
        began = time.monotonic()
        self.call()
        self.call()
        self.assertLess(time.monotonic() - began, 2.5)
        self.assertEqual(len(self.calls("one")), 1)
        process = self.client()._starter._process
        process.kill()
        process.wait()

    def test_one_that_hangs_is_not_waited_for_by_every_hook(self):
        self.hurry()
        os.environ["STELE_COMMAND"] = json.dumps(self.script("one", "time.sleep(30)"))
        self.call()
        starter = self.client()._starter
        starter._began -= 10
        waited = []
        self.patch(self.client()._starter.start.__func__.__globals__["time"].__dict__, "sleep", waited.append)
        self.call()
        self.assertEqual(waited, [])
        process = starter._process
        process.kill()
        process.wait()

    def test_an_attempt_that_never_ends_makes_room_for_another(self):
        self.hurry(0.5)
        os.environ["STELE_COMMAND"] = json.dumps(self.script("one", "time.sleep(30)"))
        self.call()
        starter = self.client()._starter
        first = starter._process
        starter._began -= 1000
        self.call()
        starter._not_before = 0
        self.call()
        self.assertIsNot(starter._process, first)
        self.assertEqual(len(self.calls("one")), 2)
        for process in (first, starter._process):
            process.kill()
            process.wait()

    def test_eight_threads_at_once_start_it_once_and_all_are_answered(self):
        command, started = self.serve_when_called("one")
        os.environ["STELE_COMMAND"] = json.dumps(command)
        answers = []
        threads = [threading.Thread(target=lambda: answers.append(self.call())) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(answers, [None] * 8)
        self.assertEqual(sorted(started[0].seqs), list(range(1, 9)))
        self.assertEqual((len(self.calls("one")), len(started[0].attachments)), (1, 1))

    def test_a_service_that_died_is_started_again_by_the_hook_that_finds_out(self):
        command, started = self.serve_when_called("one")
        first = fake_service.FakeService(self.home, modes=ENFORCE, command=command)
        self.addCleanup(first.stop)
        self.assertIsNone(self.call())
        first.stop()
        self.assertIsNone(self.call())
        self.assertEqual(started[0].seqs, [2])
        self.assertEqual(started[0].attachments[0]["secret"], first.attachments[0]["secret"])

    def test_a_service_that_answers_with_errors_is_not_started_again(self):
        service = self.serve(command=self.script("one", ""))
        service.refuse = 500
        self.call()
        self.assertEqual(self.calls("one"), [])

    def test_no_process_is_left_that_nobody_waited_for(self):
        os.environ["STELE_COMMAND"] = json.dumps(self.script("one", "sys.exit(1)"))
        self.call()
        self.assertRaises(ChildProcessError, os.waitpid, -1, os.WNOHANG)


if __name__ == "__main__":
    unittest.main()
