"""What is found out about the moment of a call, on hosts that tell much, little, and nothing."""

import os
import sys
import types
import unittest
from unittest import mock

from plugin_case import Context, PluginCase, host_modules


def says(**answers):
    """A module of the host whose functions answer so; an exception is raised."""

    def function(answer):
        def told(*_):
            if isinstance(answer, BaseException):
                raise answer
            return answer

        return told

    return {name: function(answer) for name, answer in answers.items()}


def new_host(**true):
    """The predicates of 0.21 and later."""
    names = ["_is_cron_approval_context", "_is_single_query_approval_context", "_is_unattended_platform_approval_context"]
    names += ["_is_interactive_cli", "_is_gateway_approval_context"]
    return host_modules(tools__approval_context=says(**{name: true.get(name, False) for name in names}))


def old_host(interactive=False, gateway=False):
    """The predicates of 0.19."""
    return host_modules(tools__approval=says(_is_interactive_cli=interactive, _is_gateway_approval_context=gateway))


def order(*callbacks):
    """A host that calls these for a tool call, and nothing for any other hook. What else it is stays as it is."""
    plugins, package = types.ModuleType("hermes_cli.plugins"), types.ModuleType("hermes_cli")
    plugins.iter_hook_callbacks = lambda name: callbacks if name == "pre_tool_call" else ()
    package.__path__ = []
    return mock.patch.dict(sys.modules, {"hermes_cli": package, **sys.modules, "hermes_cli.plugins": plugins})


class SurroundingsCase(PluginCase):
    def setUp(self):
        super().setUp()
        self.service = self.serve()

    def host(self, hook="pre_tool_call", **kwargs):
        self.fire(hook, **{"tool_name": "t", "args": {}, **kwargs})
        return self.service.payloads[-1][1]["host"]

    @property
    def decides(self):
        return self.context.hooks["pre_tool_call"]

    def wanted(self, *kinds):
        """From the next answer on."""
        self.service.wants = list(kinds)
        self.call()

    def versions(self, package, module):
        """What the host's package and its module say of themselves; None says nothing, an exception is raised."""
        surroundings = self.plugin.hooks.surroundings.__globals__
        surroundings["hermes_version"].cache_clear()

        def version(_):
            if package is None:
                raise LookupError
            return package

        def told(name):
            if name != "__version__" or module is None:
                raise AttributeError(name)
            if isinstance(module, BaseException):
                raise module
            return module

        self.patch(surroundings, "metadata", types.SimpleNamespace(version=version))
        host = types.ModuleType("hermes_cli")
        host.__path__, host.__getattr__ = [], told
        self.patch(sys.modules, "hermes_cli", host)

    def terminal(self, is_one):
        patch = mock.patch.object(sys, "stdin", types.SimpleNamespace(isatty=lambda: is_one))
        patch.start()
        self.addCleanup(patch.stop)


class Attendance(SurroundingsCase):
    def test_without_a_host_to_ask_it_is_unknown(self):
        self.terminal(True)
        self.assertEqual(self.host()["attended"], "unknown")

    def test_cron_single_questions_and_unattended_platforms_are_unattended_whatever_else_is_true(self):
        for kind in ("cron", "single_query", "unattended_platform"):
            name = f"_is_{kind}_approval_context"
            with new_host(**{name: True}, _is_interactive_cli=True, _is_gateway_approval_context=True):
                self.assertEqual(self.host()["attended"], "unattended")

    def test_an_interactive_command_line_and_a_gateway_that_can_answer_are_attended(self):
        for name in ("_is_interactive_cli", "_is_gateway_approval_context"):
            with new_host(**{name: True}):
                self.assertEqual(self.host()["attended"], "attended")

    def test_a_host_that_says_no_to_everything_is_unknown(self):
        with new_host():
            self.assertEqual(self.host()["attended"], "unknown")

    def test_a_predicate_that_fails_or_says_something_else_says_nothing(self):
        with host_modules(tools__approval=says(_is_interactive_cli=RuntimeError(), _is_gateway_approval_context="yes")):
            self.assertEqual(self.host()["attended"], "unknown")

    def test_predicates_are_found_where_an_old_host_has_them(self):
        with old_host(gateway=True):
            self.assertEqual(self.host()["attended"], "attended")

    def test_an_old_host_is_attended_on_the_command_line_only_at_a_terminal(self):
        with old_host(interactive=True):
            self.terminal(True)
            self.assertEqual(self.host()["attended"], "attended")
            self.terminal(False)
            self.assertEqual(self.host()["attended"], "unknown")
            with mock.patch.object(sys, "stdin", None):
                self.assertEqual(self.host()["attended"], "unknown")

    def test_a_new_host_needs_no_terminal(self):
        self.terminal(False)
        with new_host(_is_interactive_cli=True):
            self.assertEqual(self.host()["attended"], "attended")

    def test_an_old_host_is_unattended_on_platforms_with_nobody_to_ask(self):
        self.terminal(True)
        with old_host(interactive=True, gateway=True):
            for platform in ("cron", "webhook", "msgraph_webhook", "api_server", "subagent", "curator"):
                self.assertEqual(self.host("pre_llm_call", platform=platform)["attended"], "unattended", platform)
            self.assertEqual(self.host("pre_llm_call", platform="telegram")["attended"], "attended")

    def test_an_old_host_is_unattended_in_a_cron_session(self):
        self.terminal(True)
        with old_host(interactive=True):
            for value in ("1", "true", "YES"):
                with mock.patch.dict(os.environ, HERMES_CRON_SESSION=value):
                    self.assertEqual(self.host()["attended"], "unattended")
            with mock.patch.dict(os.environ, HERMES_CRON_SESSION="0"):
                self.assertEqual(self.host()["attended"], "attended")

    def test_the_context_of_the_session_counts_before_the_environment(self):
        session = {"get_session_env": lambda name, default: {"HERMES_SESSION_PLATFORM": "webhook"}.get(name, default)}
        self.terminal(True)
        with old_host(interactive=True, gateway=True), host_modules(gateway__session_context=session):
            host = self.host()
            self.assertEqual((host["attended"], host["platform"]), ("unattended", "webhook"))

    def test_it_is_asked_anew_for_every_call(self):
        with new_host(_is_interactive_cli=True):
            self.assertEqual(self.host()["attended"], "attended")
        with new_host(_is_cron_approval_context=True):
            self.assertEqual(self.host()["attended"], "unattended")
        self.assertEqual(self.host()["attended"], "unknown")

    def test_row_P98_in_a_process_of_plugins_alone_the_host_is_not_believed(self):
        os.environ["HERMES_PLUGIN_HOST_PROCESS"] = "1"
        provenance = says(get_current_write_origin="foreground")
        callbacks = {"iter_hook_callbacks": lambda name: (self.context.hooks[name],)}
        with new_host(_is_interactive_cli=True), host_modules(tools__skill_provenance=provenance, hermes_cli__plugins=callbacks):
            host = self.host()
        self.assertEqual(host["attended"], "unknown")
        for name in ("write_origin", "last_in_order", "approvals_off"):
            self.assertNotIn(name, host)


class OtherSurroundings(SurroundingsCase):
    def test_without_a_host_nothing_is_guessed(self):
        host = self.host()
        self.assertEqual(set(host), {"at", "attended", "redacted", "unanswered"})

    def test_the_write_origin_is_the_hosts_own_word(self):
        for hook in ("pre_tool_call", "pre_llm_call"):
            with host_modules(tools__skill_provenance=says(get_current_write_origin="background_review")):
                self.assertEqual(self.host(hook)["write_origin"], "background_review")
        for answer in ("", None, 5, RuntimeError()):
            with host_modules(tools__skill_provenance=says(get_current_write_origin=answer)):
                self.assertNotIn("write_origin", self.host())

    def test_the_place_in_the_order_is_told_where_the_host_shows_it(self):
        ours = self.context.hooks["pre_tool_call"]
        for callbacks, last in (((ours,), True), ((print, ours), True), ((ours, print), False)):
            with host_modules(hermes_cli__plugins={"iter_hook_callbacks": lambda name, callbacks=callbacks: callbacks}):
                self.assertIs(self.host()["last_in_order"], last)
                self.assertNotIn("last_in_order", self.host("post_tool_call"))
        for callbacks in ((print,), (), None, "abc"):
            with host_modules(hermes_cli__plugins={"iter_hook_callbacks": lambda name, callbacks=callbacks: callbacks}):
                self.assertNotIn("last_in_order", self.host())

    def test_before_a_call_runs_it_is_told_what_is_told_when_it_runs(self):
        self.wanted("tool_request")
        approval = says(is_approval_bypass_active=False)
        config = says(load_config_readonly={"terminal": {"backend": "docker"}})
        with new_host(_is_interactive_cli=True), order(self.decides), host_modules(tools__approval=approval, hermes_cli__config=config):
            told = [self.host(hook) for hook in ("tool_request", "pre_tool_call")]
        for name in ("attended", "last_in_order", "approvals_off", "terminal_backend"):
            self.assertEqual(told[0][name], told[1][name])
        self.assertEqual((told[0]["attended"], told[0]["approvals_off"]), ("attended", False))
        self.assertEqual((told[0]["last_in_order"], told[0]["terminal_backend"]), (True, "docker"))

    def test_before_a_call_runs_the_place_is_that_of_the_callback_that_will_decide(self):
        self.wanted("tool_request")
        prepares = self.context.middleware["tool_request"]
        for callbacks, last in (((print, self.decides), True), ((self.decides, print), False), ((self.decides, prepares), False)):
            with order(*callbacks):
                self.assertIs(self.host("tool_request")["last_in_order"], last)
        with order(prepares):
            self.assertNotIn("last_in_order", self.host("tool_request"))

    def test_each_registration_looks_for_its_own_callback(self):
        self.wanted("tool_request")
        other = Context()
        self.plugin.register(other)
        with order(self.decides, other.hooks["pre_tool_call"]):
            for context, last in ((self.context, False), (other, True)):
                for callback in (context.middleware["tool_request"], context.hooks["pre_tool_call"]):
                    callback(tool_name="t", args={}, session_id="s1")
                    self.assertIs(self.service.payloads[-1][1]["host"]["last_in_order"], last)

    def test_where_any_block_wins_the_order_does_not_matter(self):
        self.wanted("tool_request")
        for version in ("0.21.5", "0.21.10", "0.22", "0.22.2", "0.22.2.post1", "0.21.5+abc.1", "1.0.0"):
            self.versions(package=version, module=version)
            for callbacks in ((self.decides, print), (print,)):
                with order(*callbacks):
                    for hook in ("pre_tool_call", "tool_request"):
                        self.assertIs(self.host(hook)["last_in_order"], True, version)
        # Also where nothing is told of the order, and where only another process could tell it.
        self.assertIs(self.host()["last_in_order"], True)
        with mock.patch.dict(os.environ, HERMES_PLUGIN_HOST_PROCESS="1"):
            self.assertIs(self.host()["last_in_order"], True)

    def test_where_the_first_word_wins_or_may_win_the_order_counts(self):
        unclear = ("", "0.0.0", "x", "0.21.5rc1", "0.21.5.dev3", "0.22-beta", "2026.10.1", " 0.22.2", "0.22.2\n", "22", 5, None)
        for version in ("0.19.0", "0.21.3", "0.21.4", "0.20.99", *unclear):
            self.versions(package=None, module=version)
            with order(self.decides, print):
                self.assertIs(self.host()["last_in_order"], False, version)
            with order(print, self.decides):
                self.assertIs(self.host()["last_in_order"], True, version)

    def test_a_host_with_two_versions_must_be_late_enough_by_both(self):
        for package, module, last in (
            ("0.22.2", "0.0.0", True),
            ("0.22.2", None, True),
            (None, "0.22.2", True),
            ("0.22.2", RuntimeError(), True),
            ("0.22.2", "0.19.0", False),
            ("0.19.0", "0.22.2", False),
            ("0.22.2", "main", False),
        ):
            self.versions(package=package, module=module)
            with order(self.decides, print):
                self.assertIs(self.host()["last_in_order"], last, (package, module))

    def test_approvals_are_off_by_the_environment(self):
        for value in ("1", "true", "on"):
            with mock.patch.dict(os.environ, HERMES_YOLO_MODE=value):
                self.assertIs(self.host()["approvals_off"], True)

    def test_approvals_are_off_by_the_hosts_own_predicate(self):
        for answer in (True, False):
            with host_modules(tools__approval=says(is_approval_bypass_active=answer)):
                self.assertIs(self.host()["approvals_off"], answer)

    def test_approvals_are_off_by_its_parts_on_a_host_without_that_predicate(self):
        for session, process, told in ((True, False, True), (False, True, True), (False, False, False)):
            approval = {**says(is_current_session_yolo_enabled=session), "_YOLO_MODE_FROZEN": process}
            with host_modules(tools__approval=approval):
                self.assertIs(self.host()["approvals_off"], told)
        with host_modules(tools__approval=says(is_current_session_yolo_enabled=False)):
            self.assertNotIn("approvals_off", self.host())

    def test_approvals_are_off_by_the_hosts_settings(self):
        for mode in ("off", False):
            with host_modules(hermes_cli__config=says(load_config_readonly={"approvals": {"mode": mode}})):
                self.assertIs(self.host()["approvals_off"], True)
        with host_modules(hermes_cli__config=says(load_config_readonly={"approvals": {"mode": "manual"}})):
            self.assertNotIn("approvals_off", self.host())

    def test_the_terminal_is_where_the_environment_or_the_settings_say(self):
        with host_modules(hermes_cli__config=says(load_config_readonly={"terminal": {"backend": "Docker"}})):
            self.assertEqual(self.host()["terminal_backend"], "docker")
            with mock.patch.dict(os.environ, TERMINAL_ENV=" ssh "):
                self.assertEqual(self.host()["terminal_backend"], "ssh")
        with host_modules(hermes_cli__config=says(load_config={"terminal": {"env_type": "local"}})):
            self.assertEqual(self.host()["terminal_backend"], "local")
        wrong = ({"terminal": None}, {"terminal": {"backend": 5}}, {"terminal": {"backend": " "}})
        for config in (None, {}, *wrong, RuntimeError()):
            with host_modules(hermes_cli__config=says(load_config_readonly=config)):
                self.assertNotIn("terminal_backend", self.host())

    def test_the_version_is_the_hosts_own(self):
        with host_modules(hermes_cli={"__version__": "0.22.2"}):
            self.assertEqual(self.host()["hermes_version"], "0.22.2")
            self.assertEqual(self.service.attachments[0]["host_version"], "0.22.2")

    def test_the_home_of_the_profile_is_the_hosts_own_word(self):
        other = os.path.join(self.hermes, "profiles", "work")
        with host_modules(hermes_constants=says(get_hermes_home=other)):
            self.assertEqual(self.client().home, os.path.join(other, "plugin-data", "stele"))
        for broken in (None, RuntimeError()):
            with host_modules(hermes_constants=says(get_hermes_home=broken)):
                self.assertEqual(self.client().home, self.home)

    def test_somebody_elses_package_of_the_same_name_is_not_imported(self):
        folder = os.path.join(self.hermes, "lib")
        os.makedirs(os.path.join(folder, "tools"))
        for name in ("__init__", "approval", "skill_provenance"):
            with open(os.path.join(folder, "tools", name + ".py"), "w", encoding="utf-8") as file:
                file.write("raise SystemExit\n")
        with mock.patch.object(sys, "path", [folder, *sys.path]):
            self.assertEqual(self.host()["attended"], "unknown")
        self.assertNotIn("tools", sys.modules)

    def test_a_module_of_the_loaded_host_is_imported_when_it_is_needed(self):
        folder = os.path.join(self.hermes, "lib", "tools")
        os.makedirs(folder)
        with open(os.path.join(folder, "skill_provenance.py"), "w", encoding="utf-8") as file:
            file.write("def get_current_write_origin(): return 'foreground'\n")
        package = types.ModuleType("tools")
        package.__path__ = [folder]
        with mock.patch.dict(sys.modules, tools=package):
            self.assertEqual(self.host()["write_origin"], "foreground")


if __name__ == "__main__":
    unittest.main()
