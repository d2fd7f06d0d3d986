"""What lies in the spool: its bytes, its order, its bounds."""

import json
import os
import re
import stat
import unittest
from unittest import mock

import fake_service
from plugin_case import ENFORCE, PluginCase


class Spool(PluginCase):
    def module(self):
        return self.client().ask.__globals__["spool"].__globals__

    def test_a_payload_is_one_line_of_four_members(self):
        self.call(command='say "héllo"\n\ud800')
        folder = os.path.join(self.home, "spool")
        (name,) = os.listdir(folder)
        with open(os.path.join(folder, name), "rb") as file:
            data = file.read()
        self.assertTrue(data.endswith(b"}\n"))
        self.assertEqual(data.count(b"\n"), 1)
        line = json.loads(data)
        self.assertEqual(list(line), ["attach", "seq", "mac", "body"])
        self.assertRegex(line["attach"], r"\A[0-9a-f]{32}\Z")
        self.assertRegex(line["mac"], r"\A[0-9a-f]{64}\Z")
        self.assertEqual(line["seq"], 1)
        body = json.loads(line["body"])
        self.assertEqual(body["tool_input"]["command"], 'say "héllo"\n\ud800')
        self.assertEqual(body["host"]["unanswered"], [])
        self.assertTrue(re.fullmatch(r"\d{13}-" + line["attach"][:8] + r"-00000001\.json", name))

    def test_names_are_in_the_order_of_the_numbers_also_when_the_clock_runs_back(self):
        times = iter([3_000, 1_000, 2_000, 9_000, 1])
        attach = self.client()._numbers.take.__globals__
        with mock.patch.object(attach["time"], "time_ns", lambda: next(times) * 1_000_000_000):
            for _ in range(5):
                self.call()
        self.assertEqual([line["seq"] for _, line in self.spooled()], [1, 2, 3, 4, 5])

    def test_row_P93_files_and_folders_are_the_owners_alone_after_a_wide_umask(self):
        before = os.umask(0)
        self.addCleanup(os.umask, before)
        self.call()
        folder = os.path.join(self.home, "spool")
        self.assertEqual(stat.S_IMODE(os.stat(self.home).st_mode), 0o700)
        self.assertEqual(stat.S_IMODE(os.stat(folder).st_mode), 0o700)
        for name in os.listdir(folder):
            self.assertEqual(stat.S_IMODE(os.stat(os.path.join(folder, name)).st_mode), 0o600)

    def test_the_file_is_synced_before_it_has_its_name_and_the_folder_after(self):
        self.call()  # makes the folders
        done = []
        module = self.module()
        sync, rename = os.fsync, os.rename

        def fsync(number):
            done.append("folder" if stat.S_ISDIR(os.fstat(number).st_mode) else "file")
            sync(number)

        def renamed(old, new):
            self.assertEqual(old, new + ".tmp")
            done.append("rename")
            rename(old, new)

        with mock.patch.object(module["os"], "fsync", fsync), mock.patch.object(module["os"], "rename", renamed):
            self.call()
        self.assertEqual(done, ["file", "rename", "folder"])

    def test_a_write_that_fails_leaves_nothing_behind_and_is_told_as_lost(self):
        service = self.serve(modes=ENFORCE)
        self.call()
        service.refuse = 500
        for broken in ("fsync", "rename"):
            with mock.patch.object(self.module()["os"], broken, side_effect=OSError(28, "no space")):
                self.assert_blocks(self.call())
        self.assertEqual(self.spooled(), [])
        service.refuse = None
        self.call()
        lost = [{"seq": seq, "hook": "pre_tool_call", "did": "lost"} for seq in (2, 3)]
        self.assertEqual(service.payload("pre_tool_call")["host"]["unanswered"], lost)

    def test_it_is_bounded_in_files_and_what_does_not_fit_is_told_as_lost(self):
        self.patch(self.module(), "SPOOL_FILES", 3)
        for _ in range(5):
            self.call()
        self.assertEqual([line["seq"] for _, line in self.spooled()], [1, 2, 3])
        service = self.serve()
        self.call()
        told = service.payload("pre_tool_call")["host"]["unanswered"]
        self.assertEqual([item["did"] for item in told], ["let_go", "let_go", "let_go", "lost", "lost"])

    def test_it_is_bounded_in_bytes(self):
        self.patch(self.module(), "SPOOL_BYTES", 20_000)
        for _ in range(5):
            self.call(content="x" * 8_000)
        self.assertEqual([line["seq"] for _, line in self.spooled()], [1, 2])
        self.call(content="short")
        self.assertEqual([line["seq"] for _, line in self.spooled()], [1, 2, 6])

    def test_the_bounds_are_64_mib_and_4096_files(self):
        self.assertEqual((self.module()["SPOOL_BYTES"], self.module()["SPOOL_FILES"]), (64 * 1024 * 1024, 4096))

    def test_room_that_the_service_has_made_is_used(self):
        self.patch(self.module(), "SPOOL_FILES", 1)
        self.call()
        self.call()
        os.unlink(os.path.join(self.home, "spool", self.spooled()[0][0]))
        self.call()
        self.assertEqual([line["seq"] for _, line in self.spooled()], [3])

    def test_a_profile_that_was_deleted_is_not_made_anew(self):
        gone = os.path.join(self.hermes, "profiles", "gone")
        os.environ["HERMES_HOME"] = gone
        self.assertIsNone(self.call())
        self.assertFalse(os.path.exists(os.path.dirname(gone)))

    def test_a_spool_that_is_no_folder_stops_nothing(self):
        os.makedirs(self.home)
        with open(os.path.join(self.home, "spool"), "w", encoding="utf-8") as file:
            file.write("x")
        self.assertIsNone(self.call())
        service = self.serve()
        self.call()
        self.assertEqual(service.payload("pre_tool_call")["host"]["unanswered"][0]["did"], "lost")

    def test_an_order_to_stop_goes_through_and_what_was_said_is_kept(self):
        fake_service.write_service_json(self.home)
        for order in (KeyboardInterrupt, SystemExit):
            with mock.patch.object(self.client()._pool, "post", side_effect=order):
                with self.assertRaises(order):
                    self.call()
        self.assertEqual([line["seq"] for _, line in self.spooled()], [1, 2])

    def test_an_error_of_our_own_is_no_answer_and_what_was_said_is_kept(self):
        fake_service.write_service_json(self.home, modes=ENFORCE)
        for error in (RuntimeError, MemoryError, RecursionError, AssertionError):
            with mock.patch.object(self.client()._pool, "post", side_effect=error):
                self.assert_blocks(self.call())
        self.assertEqual([line["seq"] for _, line in self.spooled()], [1, 2, 3, 4])


if __name__ == "__main__":
    unittest.main()
