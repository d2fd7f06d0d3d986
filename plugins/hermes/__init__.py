"""Stele's plugin for Hermes: hands what the host's hooks say to the Stele service, and its answer back.

Nothing is imported from the host here, and `register` does nothing but register, the same set every time: hosts load
plugins in processes where neither Stele nor the rest of Hermes is there. The work begins with the first hook.
"""

from __future__ import annotations

from . import command, hooks


def register(ctx):
    """Called by the host, once for each profile."""
    ours = hooks.callbacks(ctx)
    for name in hooks.HOOKS:
        ctx.register_hook(name, ours[name])
    register_middleware = getattr(ctx, "register_middleware", None)
    if callable(register_middleware):
        for kind in hooks.MIDDLEWARE:
            register_middleware(kind, ours[kind])
    register_cli_command = getattr(ctx, "register_cli_command", None)
    if callable(register_cli_command):
        try:
            register_cli_command("stele", command.HELP, command.set_up, command.run)
        except Exception:
            # A host that keeps plugins in a process of their own has no commands for them; its hooks are what counts.
            pass
