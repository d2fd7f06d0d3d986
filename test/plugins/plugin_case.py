"""What every test of the plugin needs: a profile of its own, a fresh copy of the plugin, and hosts that are none."""

import hashlib
import importlib.util
import json
import os
import shutil
import sys
import tempfile
import time
import types
import unittest
from unittest import mock

import fake_service

sys.dont_write_bytecode = True

PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PLUGIN = os.path.join(PROJECT, "plugins", "hermes")
ENFORCE = {"provenance": "observe", "capability": "enforce"}
BLOCK = {"provenance": "block", "capability": "observe"}

_loaded = 0


def load_plugin():
    """A copy of the plugin with no memory, loaded as the host does it."""
    global _loaded
    _loaded += 1
    name = f"stele_under_test_{_loaded}"
    place = os.path.join(PLUGIN, "__init__.py")
    spec = importlib.util.spec_from_file_location(name, place, submodule_search_locations=[PLUGIN])
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


class Context:
    """A host's plugin context that keeps what is registered."""

    profile_name = "default"

    def __init__(self):
        self.hooks = {}
        self.middleware = {}
        self.commands = {}

    def register_hook(self, name, callback):
        self.hooks[name] = callback

    def register_middleware(self, kind, callback):
        self.middleware[kind] = callback

    def register_cli_command(self, name, help, setup_fn, handler_fn=None, description=""):
        self.commands[name] = (setup_fn, handler_fn)


class PluginCase(unittest.TestCase):
    """A temporary profile, and an environment without anything of this machine's owner."""

    def setUp(self):
        self.hermes = tempfile.mkdtemp(prefix="stele-")
        self.addCleanup(shutil.rmtree, self.hermes, ignore_errors=True)
        self.home = os.path.join(self.hermes, "plugin-data", "stele")
        self.empty = os.path.join(self.hermes, "bin")
        os.mkdir(self.empty)
        environment = {"HERMES_HOME": self.hermes, "PATH": self.empty, "HOME": self.hermes}
        patch = mock.patch.dict(os.environ, environment, clear=True)
        patch.start()
        self.addCleanup(patch.stop)
        self.plugin = load_plugin()
        # Whether the service is back is looked for in the background; tests that want it call it.
        self.patch(self.plugin.hooks.client_now.__globals__, "_RETURN_SECONDS", ())
        self.patch(self.plugin.hooks.client_now.__globals__["_log"], "disabled", True)
        self.context = Context()
        self.plugin.register(self.context)

    def patch(self, where, name, value):
        """Replaces a member of a module's globals or of an object until the test ends."""
        patch = mock.patch.dict(where, {name: value}) if isinstance(where, dict) else mock.patch.object(where, name, value)
        patch.start()
        self.addCleanup(patch.stop)

    def hurry(self, seconds=0.3):
        """For tests that wait for a deadline to pass, and not for how long that is."""
        deadline = vars(sys.modules[self.plugin.__name__ + ".deadline"])["Deadline"]
        self.patch(vars(self.plugin.hooks), "Deadline", lambda: deadline(seconds))

    def serve(self, **members):
        service = fake_service.FakeService(self.home, **members)
        self.addCleanup(service.stop)
        return service

    def serve_raw(self, talk, **members):
        service = fake_service.RawService(self.home, talk, **members)
        self.addCleanup(service.stop)
        return service

    def fire(self, hook, **kwargs):
        """As the host does: keywords alone, and its schema version beside them."""
        registered = self.context.hooks.get(hook) or self.context.middleware[hook]
        return registered(telemetry_schema_version="hermes.observer.v1", **kwargs)

    def call(self, tool="terminal", **args):
        """One tool call in a session."""
        return self.fire("pre_tool_call", tool_name=tool, args=args, session_id="s1", tool_call_id="c1", turn_id="t1")

    def client(self):
        return self.plugin.hooks.client_now()

    def forget(self):
        """As if the process had just been started: nobody told it anything yet."""
        clients = self.client().ask.__globals__["_clients"]
        for client in clients.values():
            client.abandon()
        clients.clear()

    def folder_elsewhere(self):
        """A folder for the socket of this home that is not the home, named as the page has it."""
        name = f"stele-{hashlib.sha256(self.home.encode()).hexdigest()[:16]}"
        return os.path.join(self.hermes, "run", name)

    def spooled(self):
        """The spool's files in the order of their names: (name, line)."""
        folder = os.path.join(self.home, "spool")
        lines = []
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                lines.append((name, json.loads(file.read())))
        return lines

    def assert_blocks(self, answer):
        self.assertEqual(answer["action"], "block")
        self.assertIsInstance(answer["message"], str)
        self.assertGreater(len(answer["message"].strip()), 0)


def host_modules(**modules):
    """Stands in for modules of the host: `host_modules(tools__approval={…})` is `tools.approval`."""
    found = {}
    for name, members in modules.items():
        name = name.replace("__", ".")
        parts = name.split(".")
        for end in range(1, len(parts)):
            parent = ".".join(parts[:end])
            found.setdefault(parent, types.ModuleType(parent)).__path__ = []
        module = found.setdefault(name, types.ModuleType(name))
        vars(module).update(members)
    return mock.patch.dict(sys.modules, found)


def wait_until(condition, seconds=5.0):
    """Whether something comes true soon."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return condition()
