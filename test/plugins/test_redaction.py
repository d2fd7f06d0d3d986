"""Secrets of the host's process: which variables hold one, and that none leaves with a payload."""

import json
import os
import unittest

from plugin_case import PluginCase


class Redaction(PluginCase):
    def setUp(self):
        super().setUp()
        self.service = self.serve()

    def sent(self, hook="pre_tool_call", **kwargs):
        """The payload as it left; on a machine that is busy it may have gone into the spool."""
        before = len(self.service.payloads)
        self.fire(hook, **kwargs)
        if len(self.service.payloads) > before:
            return self.service.payloads[-1][1]
        return json.loads(self.spooled()[-1][1]["body"])

    def write_env(self, text):
        with open(os.path.join(self.hermes, ".env"), "w", encoding="utf-8") as file:
            file.write(text)

    def test_a_secret_of_the_environment_is_replaced_by_its_name_wherever_it_stands(self):
        os.environ["OPENROUTER_API_KEY"] = "sk-or-12345678"
        payload = self.sent(
            tool_name="terminal",
            args={"command": "curl -H 'x: sk-or-12345678'", "sk-or-12345678": ["a", {"b": "sk-or-12345678sk-or-12345678"}]},
            session_id="s sk-or-12345678",
            turn_id="sk-or-12345678",
        )
        self.assertNotIn("sk-or-12345678", json.dumps(payload))
        self.assertEqual(payload["tool_input"]["command"], "curl -H 'x: [redacted:OPENROUTER_API_KEY]'")
        self.assertEqual(payload["tool_input"]["[redacted:OPENROUTER_API_KEY]"][0], "a")
        self.assertEqual(payload["host"]["redacted"], 6)

    def test_a_secret_of_the_profiles_env_file_is_replaced(self):
        self.write_env("# comment\nexport GITHUB_TOKEN='ghp_abcdefgh'\nDB_PASSWORD=hunter2hunter2 # ours\nBROKEN\n=x\n")
        payload = self.sent(tool_name="t", args={"a": "ghp_abcdefgh hunter2hunter2"})
        self.assertEqual(payload["tool_input"]["a"], "[redacted:GITHUB_TOKEN] [redacted:DB_PASSWORD]")
        self.assertEqual(payload["host"]["redacted"], 2)

    def test_an_env_file_that_has_changed_is_read_again(self):
        self.write_env("A_TOKEN=firstfirst\n")
        self.assertEqual(self.sent(tool_name="t", args={"a": "firstfirst"})["tool_input"]["a"], "[redacted:A_TOKEN]")
        self.write_env("A_TOKEN=secondsecond\n")
        self.assertEqual(self.sent(tool_name="t", args={"a": "secondsecond"})["tool_input"]["a"], "[redacted:A_TOKEN]")

    def test_both_values_count_where_environment_and_file_differ(self):
        os.environ["A_TOKEN"] = "environment"
        self.write_env("A_TOKEN=inthefile\n")
        payload = self.sent(tool_name="t", args={"a": "environment inthefile"})
        self.assertEqual(payload["tool_input"]["a"], "[redacted:A_TOKEN] [redacted:A_TOKEN]")

    def test_the_longest_counts_where_one_holds_another(self):
        os.environ.update(SHORT_KEY="abcdefgh", LONG_KEY="abcdefgh-and-more")
        payload = self.sent(tool_name="t", args={"a": "abcdefgh-and-more", "b": "abcdefgh"})
        self.assertEqual(payload["tool_input"], {"a": "[redacted:LONG_KEY]", "b": "[redacted:SHORT_KEY]"})

    def test_a_name_that_was_put_in_is_not_replaced_again(self):
        os.environ.update(A_SECRET="redacted:B", B_SECRET="xxxxxxxxx")
        payload = self.sent(tool_name="t", args={"a": "xxxxxxxxx"})
        self.assertEqual(payload["tool_input"]["a"], "[redacted:B_SECRET]")

    def test_a_secret_with_quotes_and_lines_is_found_also_inside_json_in_a_string(self):
        secret = 'line "one"\nline\\two'
        os.environ["PRIVATE_KEY"] = secret
        payload = self.sent("post_tool_call", tool_name="t", args={"a": secret}, result=json.dumps({"out": secret}))
        self.assertEqual(payload["tool_input"]["a"], "[redacted:PRIVATE_KEY]")
        self.assertEqual(payload["extra"]["result"], '{"out": "[redacted:PRIVATE_KEY]"}')

    def test_characters_that_mean_something_in_a_pattern_mean_themselves(self):
        os.environ["A_TOKEN"] = "a+b.c(d|e)*[f]"
        payload = self.sent(tool_name="t", args={"a": "a+b.c(d|e)*[f]", "b": "aab.c(d|e)*[f]"})
        self.assertEqual(payload["tool_input"], {"a": "[redacted:A_TOKEN]", "b": "aab.c(d|e)*[f]"})

    def test_what_is_spooled_is_redacted_too(self):
        os.environ["A_TOKEN"] = "swordfish-1"
        self.service.stop()
        self.fire("pre_tool_call", tool_name="t", args={"a": "swordfish-1"})
        (_, line), = self.spooled()
        self.assertNotIn("swordfish-1", line["body"])

    def test_names_that_say_secret_and_names_that_do_not(self):
        looks_secret = self.client().ask.__globals__["Starter"].start.__globals__["looks_secret"]
        for name in """API_KEY OPENAI_API_KEY AWS_SECRET_ACCESS_KEY AWS_ACCESS_KEY_ID GITHUB_TOKEN TELEGRAM_BOT_TOKEN DB_PASSWORD
                MYSQL_PWD SMTP_PASS PGPASSWORD SSH_PASSPHRASE AZURE_CREDENTIALS BASIC_AUTH OAUTH_CLIENT AUTHORIZATION MYAPIKEY
                client_secret STELE_PASSPHRASE SIGNING_KEYS ACCESS_TOKENS""".split():
            self.assertTrue(looks_secret(name), name)
        for name in """PATH HOME PWD OLDPWD SSH_AUTH_SOCK GOOGLE_KEY_PATH TOKEN_FILE TOKENIZERS_PARALLELISM GIT_AUTHOR_NAME
                KEYBOARD LESSKEYIN XAUTHORITY HERMES_SESSION_KEY HERMES_SESSION_ID AUTH_MODE PASSWORD_STORE_DIR MONKEY
                HERMES_HOME LANG TERM COMPASS SECRET_NAME KEY_TYPE""".split():
            self.assertFalse(looks_secret(name), name)

    def test_short_values_and_paths_to_files_are_left(self):
        path = os.path.join(self.hermes, "key.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write("{}")
        os.environ.update(A_TOKEN="1234567", GOOGLE_APPLICATION_CREDENTIALS=path)
        payload = self.sent(tool_name="t", args={"a": "1234567", "path": path})
        self.assertEqual(payload["tool_input"], {"a": "1234567", "path": path})
        self.assertEqual(payload["host"]["redacted"], 0)

    def test_eight_characters_are_enough(self):
        os.environ["A_TOKEN"] = "12345678"
        self.assertEqual(self.sent(tool_name="t", args={"a": "12345678"})["tool_input"]["a"], "[redacted:A_TOKEN]")

    def test_names_of_members_stay_apart_when_they_are_redacted(self):
        os.environ.update(A_TOKEN="secret-one", B_TOKEN="other-secret")
        payload = self.sent(tool_name="t", args={"secret-one": 1, "[redacted:A_TOKEN]": 2})
        self.assertEqual(sorted(payload["tool_input"].values()), [1, 2])

    def test_an_env_file_that_is_none_hides_nothing_and_raises_nothing(self):
        os.mkdir(os.path.join(self.hermes, ".env"))
        self.assertEqual(self.sent(tool_name="t", args={"a": "b"})["tool_input"], {"a": "b"})

    def test_values_that_overlap_leave_no_end_of_one_behind(self):
        os.environ.update(A_TOKEN="abcdefgh", B_TOKEN="efghijklmnop")
        payload = self.sent(tool_name="t", args={"a": "(abcdefghijklmnop)", "b": "abcdefghabcdefgh"})
        self.assertEqual(payload["tool_input"]["a"], "([redacted:B_TOKEN])")
        self.assertEqual(payload["tool_input"]["b"], "[redacted:A_TOKEN][redacted:A_TOKEN]")
        self.assertEqual(payload["host"]["redacted"], 3)

    def test_a_long_text_of_nothing_but_the_beginnings_of_secrets_is_no_trouble(self):
        """By trying every value at every character this would take minutes."""
        for number in range(60):
            os.environ[f"S{number:02}_TOKEN"] = "a" * (200 + number) + "b"
        text = "a" * 300_000
        every = "|".join("a" * (200 + number) + "b" for number in range(60))
        payload = self.sent(tool_name="t", args={"text": text, "every": every, "list": ["aab"] * 50_000})
        self.assertEqual(payload["tool_input"]["text"], text)
        self.assertEqual(payload["tool_input"]["every"], "|".join(f"[redacted:S{number:02}_TOKEN]" for number in range(60)))
        self.assertEqual(payload["host"]["redacted"], 60)


if __name__ == "__main__":
    unittest.main()
