"""Runs memory and skill calls with Hermes' own tools: one JSON line a call on standard input, one result a line on standard output."""

import json
import os
import sys

output = sys.stdout
sys.stdout = sys.stderr  # What the tools print is no result.

from tools.memory_tool import MemoryStore, memory_tool  # noqa: E402
from tools.skill_manager_tool import skill_manage  # noqa: E402

MEMORY = ("action", "target", "content", "old_text", "operations")
SKILL = (
    "action name content category file_path file_content old_string new_string replace_all absorbed_into".split()
)

for line in sys.stdin:
    call = json.loads(line)
    os.environ["HERMES_HOME"] = call["home"]
    arguments = call["arguments"]
    try:
        if call["tool"] == "memory":
            store = MemoryStore(memory_char_limit=100_000, user_char_limit=100_000)
            store.load_from_disk()
            result = memory_tool(store=store, **{name: arguments[name] for name in MEMORY if name in arguments})
        else:
            given = {name: arguments[name] for name in SKILL if name in arguments}
            result = skill_manage(**{"action": "", "name": "", **given})
    except Exception as error:  # noqa: BLE001
        result = json.dumps({"success": False, "error": repr(error)})
    output.write(json.dumps(json.loads(result)) + "\n")
    output.flush()
