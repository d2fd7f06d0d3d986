"""What is registered, and that nothing else happens on the way."""

import json
import os
import subprocess
import sys
import unittest

from plugin_case import PLUGIN, PROJECT, Context, PluginCase, load_plugin

HOOKS = """
pre_llm_call post_llm_call pre_tool_call post_tool_call pre_verify on_session_start on_session_end on_session_finalize
on_session_reset subagent_start subagent_stop pre_approval_request post_approval_response
""".split()


def read_manifest():
    """The flat part of YAML that a manifest needs: `key: value`, and lists of names."""
    manifest, key = {}, ""
    with open(os.path.join(PLUGIN, "plugin.yaml"), encoding="utf-8") as file:
        for line in file.read().splitlines():
            if line.startswith("  - "):
                manifest[key].append(line[4:])
                continue
            key, _, value = line.partition(": ") if ": " in line else (line.rstrip(":"), "", "")
            manifest[key] = [] if value in ("", "[]") else value
    return manifest


class ProbeContext:
    """As the host's `validate` has it: some methods record, every other attribute is a function that does nothing."""

    profile_name = "default"
    plugin_config = {}

    def __init__(self):
        self.recorded = []

    def register_hook(self, name, callback):
        self.recorded.append(("hook", name))

    def register_middleware(self, kind, callback):
        self.recorded.append(("middleware", kind))

    def register_cli_command(self, *args, **kwargs):
        self.recorded.append(("command", args[0]))

    def __getattr__(self, name):
        return lambda *args, **kwargs: None


class OldContext:
    """A host that knows hooks and nothing else."""

    def __init__(self):
        self.hooks = []

    def register_hook(self, name, callback):
        self.hooks.append(name)


class RefusingContext(Context):
    """A host that isolates plugins has no commands for them."""

    def register_cli_command(self, *args, **kwargs):
        raise RuntimeError("not here")


class Registration(unittest.TestCase):
    def test_vector_H13_row_J60_the_manifest_declares_what_is_registered_and_no_tools(self):
        manifest, context = read_manifest(), Context()
        load_plugin().register(context)
        self.assertEqual(sorted(manifest["provides_hooks"]), sorted(context.hooks))
        self.assertEqual(sorted(manifest["provides_middleware"]), sorted(context.middleware))
        self.assertEqual(manifest["provides_tools"], [])

    def test_the_hooks_and_middleware_are_those_that_stele_needs(self):
        context = Context()
        load_plugin().register(context)
        self.assertEqual(sorted(context.hooks), sorted(HOOKS))
        self.assertEqual(sorted(context.middleware), ["llm_request", "tool_request"])

    def test_the_manifest_names_the_plugin_its_kind_and_the_version_of_the_package(self):
        manifest = read_manifest()
        with open(os.path.join(PROJECT, "package.json"), encoding="utf-8") as file:
            version = json.load(file)["version"]
        self.assertEqual((manifest["name"], manifest["kind"]), ("stele", "standalone"))
        self.assertEqual(manifest["version"], version)
        self.assertEqual(sys.modules[load_plugin().__name__ + ".client"].PLUGIN_VERSION, version)
        self.assertTrue(manifest["description"])

    def test_the_hosts_probe_is_given_the_same_set_every_time(self):
        plugin = load_plugin()
        first, second = ProbeContext(), ProbeContext()
        plugin.register(first)
        plugin.register(second)
        self.assertEqual(first.recorded, second.recorded)
        self.assertEqual(len(first.recorded), len(HOOKS) + 2 + 1)

    def test_a_host_with_hooks_alone_gets_the_hooks(self):
        context = OldContext()
        load_plugin().register(context)
        self.assertEqual(sorted(context.hooks), sorted(HOOKS))

    def test_a_host_that_refuses_commands_gets_hooks_and_middleware(self):
        context = RefusingContext()
        load_plugin().register(context)
        self.assertEqual((len(context.hooks), len(context.middleware)), (len(HOOKS), 2))

    def test_callbacks_carry_a_name_that_says_whose_they_are(self):
        context = Context()
        load_plugin().register(context)
        self.assertEqual(context.hooks["pre_tool_call"].__name__, "stele_pre_tool_call")

    def test_the_first_lines_do_not_look_like_another_kind_of_plugin_to_the_host(self):
        with open(os.path.join(PLUGIN, "__init__.py"), encoding="utf-8") as file:
            beginning = file.read(8192)
        for word in ("register_memory_provider", "MemoryProvider", "register_provider", "ProviderProfile"):
            self.assertNotIn(word, beginning)


class Imports(PluginCase):
    def test_row_P13_importing_and_registering_loads_the_standard_library_alone(self):
        code = f"""
import importlib.util, sys
sys.dont_write_bytecode = True
before = set(sys.modules)
spec = importlib.util.spec_from_file_location("probe", {os.path.join(PLUGIN, "__init__.py")!r},
    submodule_search_locations=[{PLUGIN!r}])
module = importlib.util.module_from_spec(spec)
sys.modules["probe"] = module
spec.loader.exec_module(module)
class Context:
    def __getattr__(self, name): return lambda *args, **kwargs: None
module.register(Context())
print("\\n".join(set(name.partition(".")[0] for name in set(sys.modules) - before)
    - set(sys.stdlib_module_names) - {{"probe"}}))
"""
        told = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True, env={})
        self.assertEqual(told.stdout.strip(), "")
        self.assertEqual(told.stderr, "")

    def test_registering_makes_no_file_and_no_connection(self):
        service = self.serve()
        self.plugin.register(Context())
        self.assertEqual(service.connections, [])
        self.assertEqual(sorted(os.listdir(self.home)), ["service.json", "service.sock"])


if __name__ == "__main__":
    unittest.main()
