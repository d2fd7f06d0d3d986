"""A provider's request as the service sees it, and the request that its answer makes of the host's own.

Whether tools may be left out hangs on the shape of a request, the names of its tools and one short greeting. That is what
goes over; no other word of a conversation, no description, no schema, no setting. Values are read past what subclasses
make of them: what goes over is what is there.
"""

from __future__ import annotations

# One more than the service would look at, so that it sees that there are more.
_ITEMS_MAX = 33
_TOOLS_MAX = 512
# Of roles, kinds, names and greetings. What is longer is none.
_CHARACTERS_MAX = 256

_CONVERSATION = ("messages", "input")
_CALLS = ("tool_calls", "function_call")
_EARLIER = ("previous_response_id", "conversation")


def skeleton(request):
    """What goes over of a request; None for what is none, or cannot be read."""
    try:
        return _skeleton(request) if isinstance(request, dict) else None
    except Exception:
        return None


def shaped(own, told: dict):
    """What the host is to be given: the own request with those of its tools that were answered, in their own order.

    None unless these are some of them and not all. The request, its list and its tools stay as they are.
    """
    answered, tools = _tools_of(told.get("request")), _tools_of(own)
    if answered is None or tools is None:
        return None
    kept, names = _names(answered), _names(tools)
    if not kept or not names or not kept < names:
        return None
    request = dict(dict.items(own))
    request["tools"] = [tool for tool in tools if _name(tool) in kept]
    return {"request": request, **{name: told[name] for name in ("source", "reason") if isinstance(told.get(name), str)}}


def _skeleton(request: dict) -> dict:
    found: dict = {}
    for name in _CONVERSATION:
        if dict.__contains__(request, name):
            found[name] = _conversation(dict.get(request, name))
    tools = _tools_of(request)
    if tools is not None:
        found["tools"] = [_tool(tool) for tool in tools]
    if dict.__contains__(request, "tool_choice"):
        choice = dict.get(request, "tool_choice")
        word = _word(choice)
        found["tool_choice"] = {} if choice is not None and word is None else word
    for name in _EARLIER:
        if _is_given(dict.get(request, name)):
            found[name] = True
    return found


def _conversation(value):
    if not isinstance(value, list):
        return "..."  # there, and no list
    return [_item(item) for item in list.__getitem__(value, slice(_ITEMS_MAX))]


def _item(item):
    """A message: whose it is, and whether a tool was asked for in it. Words are the user's alone, and few."""
    if not isinstance(item, dict):
        return None
    role = _word(dict.get(item, "role"))
    found: dict = {"role": role}
    if role == "user":
        word = _word(dict.get(item, "content"))
        found["content"] = [] if word is None else word
    for name in _CALLS:
        if _is_given(dict.get(item, name)):
            found[name] = True
    return found


def _tools_of(request):
    """The tools of a request; None where there is no list of them, or one that nobody shortens."""
    tools = dict.get(request, "tools") if isinstance(request, dict) else None
    return list.copy(tools) if isinstance(tools, list) and list.__len__(tools) <= _TOOLS_MAX else None


def _tool(tool) -> dict:
    """Of a tool its kind, name and shape; of one in no known shape its kind alone."""
    if not isinstance(tool, dict):
        return {"type": None}
    kind, name = {"type": _word(dict.get(tool, "type"))}, _name(tool)
    if name is None:
        return kind
    inner: dict = {"name": name}
    if isinstance(dict.get(_named_part(tool), "parameters"), dict):
        inner["parameters"] = {}
    return {**kind, "function": inner} if dict.__contains__(tool, "function") else {**kind, **inner}


def _named_part(tool: dict):
    """Where the name of a tool and its parameters stand: in `function`, or beside `type`, and not in both."""
    if not dict.__contains__(tool, "function"):
        return tool
    inner = dict.get(tool, "function")
    is_flat = isinstance(dict.get(tool, "name"), str) and isinstance(dict.get(tool, "parameters"), dict)
    return inner if isinstance(inner, dict) and not is_flat else None


def _name(tool):
    part = _named_part(tool) if isinstance(tool, dict) else None
    return None if part is None else _word(dict.get(part, "name"))


def _names(tools: list):
    """The names of some tools; None where one has none, or has that of another."""
    names = {_name(tool) for tool in tools}
    return names if len(names) == len(tools) and None not in names else None


def _word(value):
    """A short text, as itself; None for everything else."""
    if not isinstance(value, str):
        return None
    word = str.__str__(value)
    return word if len(word) <= _CHARACTERS_MAX else None


def _is_given(value) -> bool:
    """There, and not empty. What will not say counts as there."""
    try:
        return bool(value)
    except Exception:
        return True
