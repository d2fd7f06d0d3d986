"""How long a hook may keep the host waiting: one deadline for everything that is done for it."""

from __future__ import annotations

import time

# The host gives a policy hook 30 s, an old one for ever. What is ours to do takes milliseconds; after two seconds
# nothing more is coming.
DEADLINE_SECONDS = 2.0

# What a hook that can stop nothing gives a service that did not answer the last time: one that hangs must not cost
# every hook of a turn its whole deadline.
IMPATIENT_SECONDS = 0.3

# Hooks in which the service may ask the semantic model. Their answer may take as long as the service says beyond that.
# The one that can stop a call is none of them: there it looks only at what it knows already.
MODEL_HOOKS = ("pre_llm_call", "tool_request", "pre_verify")

# Of the deadline, kept back for writing the payload down after nobody answered.
SPOOLING_SECONDS = 0.1


class Deadline:
    """One moment that connecting, sending and reading have in common, so that no slow peer can stretch it."""

    def __init__(self, seconds: float = DEADLINE_SECONDS - SPOOLING_SECONDS):
        self._end = time.monotonic() + seconds

    def within(self, seconds: float) -> Deadline:
        """The same, but no later than so many seconds from now."""
        return Deadline(min(seconds, self.left()))

    def later(self, seconds: float) -> Deadline:
        """The same, so many seconds later."""
        return Deadline(self._end - time.monotonic() + seconds)

    def left(self) -> float:
        """Seconds that are left, 0 where it is over."""
        return max(0.0, self._end - time.monotonic())

    def timeout(self) -> float:
        """Seconds that are left, as a socket wants them: 0 would mean something else, so it raises TimeoutError."""
        left = self.left()
        if left <= 0:
            raise TimeoutError
        return left
