"""`hermes stele …`: the words go over as they are, and the exit code comes back."""

import argparse
import contextlib
import io
import json
import os
import sys
import unittest

import fake_service
from plugin_case import PluginCase


class Command(PluginCase):
    def setUp(self):
        super().setUp()
        path = os.path.join(self.hermes, "command.py")
        self.log = os.path.join(self.hermes, "log")
        with open(path, "w", encoding="utf-8") as file:
            file.write(
                "import json, os, sys\n"
                f"json.dump([sys.argv[1:], os.environ['STELE_HOME'], os.environ['HERMES_HOME']], open({self.log!r}, 'w'))\n"
                "sys.exit(int(sys.argv[-1]) if sys.argv[-1].isdigit() else 0)\n"
            )
        os.environ["STELE_COMMAND"] = json.dumps([sys.executable, path])

    def hermes_with(self, *words):
        """As the host does: a parser of its own with options of its own, and no look at what comes back."""
        set_up, run = self.context.commands["stele"]
        parser = argparse.ArgumentParser(prog="hermes")
        parser.add_argument("--profile", "-p")
        commands = parser.add_subparsers(dest="command")
        stele = commands.add_parser("stele", help="x", description="y")
        set_up(stele)
        stele.set_defaults(func=run)
        args = parser.parse_args(words)
        args.func(args)
        with open(self.log, encoding="utf-8") as file:
            return json.load(file)[0]

    def test_the_words_go_over_as_they_are(self):
        for words in (
            [],
            ["verify", "--json"],
            ["--help"],
            ["-h"],
            ["--version"],
            ["log", "-f", "--type", "a b", "-p", "x"],
            ["erase", "--index", "1", "2", "--", "--odd"],
            ["-q", "status"],
        ):
            self.assertEqual(self.hermes_with("stele", *words), words)
        self.assertEqual(self.hermes_with("--profile", "work", "stele", "status"), ["status"])

    def test_the_home_is_the_profiles(self):
        self.hermes_with("stele", "status")
        with open(self.log, encoding="utf-8") as file:
            self.assertEqual(json.load(file)[1:], [self.home, self.hermes])

    def test_an_exit_code_other_than_zero_goes_out(self):
        for code in (1, 2, 5):
            with self.assertRaises(SystemExit) as stopped:
                self.hermes_with("stele", "verify", str(code))
            self.assertEqual(stopped.exception.code, code)

    def test_the_command_of_the_service_that_is_there_comes_first(self):
        fake_service.write_service_json(self.home, command=[sys.executable, "-c", "raise SystemExit(7)"])
        with self.assertRaises(SystemExit) as stopped:
            self.hermes_with("stele", "status")
        self.assertEqual(stopped.exception.code, 7)

    def test_without_a_command_it_says_so_and_is_unavailable(self):
        del os.environ["STELE_COMMAND"]
        said = io.StringIO()
        with self.assertRaises(SystemExit) as stopped, contextlib.redirect_stderr(said):
            self.hermes_with("stele", "status")
        self.assertEqual(stopped.exception.code, 6)
        self.assertEqual(len(said.getvalue().splitlines()), 1)

    def test_words_that_the_host_did_not_give_are_none(self):
        _, run = self.context.commands["stele"]
        self.assertEqual(run(argparse.Namespace()), 0)


if __name__ == "__main__":
    unittest.main()
