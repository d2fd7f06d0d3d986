"""One home's service as the hooks see it: every payload gets an answer, its own or the one that the modes give.

The order of things: attach if need be, take a number, send, and where nobody answers, write the payload down.
"""

from __future__ import annotations

import contextlib
import glob
import hashlib
import json
import logging
import os
import threading
import time
from dataclasses import dataclass

from .attach import Attach, Numbers
from .deadline import DEADLINE_SECONDS, IMPATIENT_SECONDS, MODEL_HOOKS, Deadline
from .home import OBSERVING, Service, home_folder, hermes_home, must_block, read_modes, read_service, read_stage_ms, stricter
from .payload import compact
from .spool import spool
from .starter import Starter
from .surroundings import hermes_version
from .transport import Answer, NoAnswer, Pool, Unreachable

PLUGIN_VERSION = "0.3.0"

# When to look whether the service is back, so that it learns who we are and can vouch for what lies in the spool, also
# where no further hook comes.
_RETURN_SECONDS = (1, 2, 4, 8, 15, 30)

# Something small to ask for, to see that somebody is there; whatever comes is an answer.
_SIGN_OF_LIFE = "/v1/entries/0"

_log = logging.getLogger(__name__)


@dataclass
class _Said:
    """One payload on its way. Its number is 0 until the moment of sending."""

    hook: str
    tool: object
    body: bytes
    seq: int = 0
    milliseconds: int = 0


class TooMany(NoAnswer):
    """The service has counted the payload and will not take it."""


class Client:
    """What this process knows of the service of one home. Any number of threads may ask at once."""

    def __init__(self, home: str, hermes: str):
        self.home = home
        self.hermes = hermes
        self.wants: frozenset = frozenset()  # the middleware calls that the service asked to be sent
        self._stage_ms = 0  # how long the model may take, by the last attach answer
        self._attach = Attach()
        self._numbers = Numbers()
        self._pool = Pool(home)
        self._starter = Starter(home, hermes)
        self._attach_lock = threading.Lock()
        self._attached = 0  # the number of the attachment in force, 0 for none
        self._attachments = 0
        self._modes_lock = threading.Lock()
        self._modes = dict(OBSERVING)  # the strictest that we were told since the last attach answer, and by it
        self._modes_told = 0  # how many attach answers told us modes
        self._return_lock = threading.Lock()
        self._return = None
        self._silent = False

    def ask(self, tool, envelope: dict, deadline: Deadline) -> dict:
        """The directive for a payload; without an answer, the one that the modes in force give."""
        told = self._numbers.unanswered()
        envelope["host"] = {**envelope.get("host", {}), "unanswered": told}
        said = _Said(envelope["hook_event_name"], tool, compact(envelope))
        try:
            attached, deadline = self._reached(said, deadline)
            said.seq, said.milliseconds = self._numbers.take()
            directive = self._delivered(attached, said, deadline)
        except BaseException as failure:
            # An order to stop is kept too: what was said must not be lost with the process.
            answer = self._unanswered(said, failure)
            if not isinstance(failure, Exception):
                raise
            return answer
        self._numbers.answered(said.seq, told)
        self._note(None)
        return directive

    def keep(self, tool, envelope: dict, why: str) -> dict:
        """For a payload that cannot be shown as it is: it is put into the spool, and nobody is asked."""
        return self._unanswered(_Said(envelope["hook_event_name"], tool, compact(envelope)), NoAnswer(why))

    def service(self) -> Service:
        """What `service.json` says now."""
        told = self._modes_told
        service = read_service(self.home)
        with self._modes_lock:
            # What was read before an attach answer came is not what the file says since then.
            if told == self._modes_told:
                self._modes = stricter(self._modes, service.modes)
        return service

    def modes(self) -> dict:
        """The strictest of what an attach answer with a good MAC said last and what `service.json` said since then.

        An unreadable file counts as the strictest; one that is gone says nothing. The next attach answer starts anew.
        """
        self.service()
        with self._modes_lock:
            return self._modes

    def abandon(self) -> None:
        """Lets go of what a forked child has inherited, without taking a lock that no thread is left to release."""
        self._pool.abandon()

    # --- reaching it ---

    def _reached(self, said: _Said, deadline: Deadline) -> tuple[int, Deadline]:
        """The attachment in force, and how long the payload may take: not long where the service was silent last time.

        Silent is who does not answer what needs no model. How long a model takes says nothing of that, so where one may
        be asked it is found out first, within the short time; who gives a sign of life has all of it then.
        """
        if not self._silent or must_block(said.hook, said.tool, self.modes()):
            return self._attached or self._attach_now(deadline), deadline
        soon = deadline.within(IMPATIENT_SECONDS)
        may_think = self._thinking(said.hook, self.service()) > 0
        if may_think and self._attached:
            self._asked(lambda service: self._pool.get(service, _SIGN_OF_LIFE, soon), soon)
        return self._attached or self._attach_now(soon), deadline if may_think else soon

    def _thinking(self, hook: str, service: Service) -> float:
        """How many seconds beyond its deadline a hook may take: the longer of what we were told and what the file says.

        By a file that somebody shortens no answer of the model is missed.
        """
        return max(self._stage_ms, service.stage_ms) / 1000 if hook in MODEL_HOOKS else 0.0

    # --- sending ---

    def _delivered(self, attached: int, said: _Said, deadline: Deadline) -> dict:
        answer = self._send(said, deadline)
        if _error_code(answer) == "ATTACH_UNKNOWN":
            # It was started anew and does not know us any more.
            self._lost(attached)
            self._attach_now(deadline)
            answer = self._send(said, deadline)
        if answer.status == 429 and self._attach.vouches(answer.headers.get("stele-mac"), said.seq, answer.body):
            # Without its word for it nobody may make us forget a payload.
            raise TooMany("it is flooded")
        directive = self._vouched(answer, said.seq)
        wants = answer.headers.get("stele-wants")
        if wants is not None:
            self.wants = frozenset(word.strip() for word in wants.split(","))
        return directive

    def _send(self, said: _Said, deadline: Deadline) -> Answer:
        headers = {"Stele-Attach": self._attach.id, "Stele-Seq": said.seq, "Stele-Mac": self._mac(said)}
        return self._asked(
            lambda service: self._pool.post(
                service, "/v1/hooks", headers, said.body, deadline, self._thinking(said.hook, service)
            ),
            deadline,
        )

    def _mac(self, said: _Said) -> str:
        return self._attach.mac("hook", said.seq, said.body)

    def _asked(self, ask, deadline: Deadline) -> Answer:
        """What the service answers to `ask`; it is started where nobody is there."""
        while True:
            service = self.service()
            try:
                return ask(service)
            except Unreachable:
                # Whoever is started next does not know us. The starter pauses between attempts, so this ends.
                self._attached = 0
                if not self._starter.start(service, deadline):
                    raise

    def _vouched(self, answer: Answer, seq: int) -> dict:
        """What an answer says, if it is one and comes from whom it should."""
        if answer.status != 200:
            raise NoAnswer(f"it answered with an error ({answer.status})")
        if not self._attach.vouches(answer.headers.get("stele-mac"), seq, answer.body):
            raise NoAnswer("the answer was not signed by it")
        try:
            value = json.loads(answer.body)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise NoAnswer("its answer could not be read")
        return value

    # --- attaching ---

    def _attach_now(self, deadline: Deadline) -> int:
        """Makes this process known to the service, unless another thread has just done so."""
        if not self._attach_lock.acquire(timeout=deadline.left()):
            raise NoAnswer("it did not answer in time")
        try:
            if not self._attached:
                self._introduce(deadline)
                self._attachments += 1
                self._attached = self._attachments
            return self._attached
        finally:
            self._attach_lock.release()

    def _introduce(self, deadline: Deadline) -> None:
        with self._attach.peer_file() as peer:
            said = {
                "attach": self._attach.id,
                "secret": self._attach.secret,
                "next": self._numbers.next(),
                "pid": os.getpid(),
                "host": "hermes",
                "host_version": (hermes_version() or "")[:64],
                "plugin_version": PLUGIN_VERSION,
                "files": _files_digest(),
                **({} if peer is None else {"peer_fd": peer}),
            }
            body = compact(said)
            answer = self._asked(lambda service: self._pool.post(service, "/v1/attach", {}, body, deadline), deadline)
            value = self._vouched(answer, 0)
        with self._modes_lock:
            self._modes = read_modes(value.get("modes"))
            self._modes_told += 1
        self._stage_ms = read_stage_ms(value.get("stageMs"))
        wants = value.get("wants")
        self.wants = frozenset(filter(_is_word, wants)) if isinstance(wants, list) else frozenset()

    def _lost(self, attached: int) -> None:
        if self._attached == attached:
            self._attached = 0

    # --- without an answer ---

    def _unanswered(self, said: _Said, failure: BaseException) -> dict:
        why = failure.why if isinstance(failure, NoAnswer) else "the plugin failed"
        answer = {}
        if must_block(said.hook, said.tool, self.modes()):
            answer = {"action": "block", "message": block_message(why)}
        if isinstance(failure, TooMany):
            self._numbers.counted(said.seq)
        else:
            self._keep(said, "blocked" if answer else "let_go")
        self._note(why, not isinstance(failure, TooMany))
        return answer

    def _keep(self, said: _Said, did: str) -> None:
        """Writes a payload down under the number that it was sent with, or would have been."""
        path = ""
        if not said.seq:
            said.seq, said.milliseconds = self._numbers.take()
        try:
            path = spool(self.home, said.milliseconds, self._attach.id, said.seq, self._mac(said), said.body)
        except Exception:
            did = "lost"
        finally:
            self._numbers.kept(said.seq, said.hook, did, path)
        if not self._attached:
            self._look_for_return()

    def _look_for_return(self) -> None:
        """In the background, on a thread that keeps no process alive."""
        with self._return_lock:
            if self._return is not None and self._return.is_alive():
                return
            self._return = threading.Thread(target=self._attach_on_return, name="stele-return", daemon=True)
            try:
                self._return.start()
            except RuntimeError:
                self._return = None  # the interpreter is on its way out

    def _attach_on_return(self) -> None:
        for seconds in _RETURN_SECONDS:
            time.sleep(seconds)
            try:
                if not self._attached:
                    self._attach_now(Deadline(DEADLINE_SECONDS))
                return
            except Exception:
                continue

    def _note(self, why, kept=True) -> None:
        """Tells the host's log when the service falls silent and when it is back, not each time."""
        silent, self._silent = self._silent, why is not None
        if why is not None and not silent:
            fate = f"what was said waits in {self.home}/spool" if kept else "what was said is counted there and not kept"
            _log.warning("stele: no answer from the service: %s; %s", why, fate)
        elif why is None and silent:
            _log.info("stele: the service answers again")


def block_message(why: str) -> str:
    """What the model is told where nobody could be asked. Never empty: the host ignores a block without a message."""
    return (
        f"Blocked by Stele: nobody could be asked about this call ({why}), and the mode in force lets no such "
        "call run unrecorded. The owner can run `stele doctor`."
    )


# --- one client for each home, in this process ---

_clients: dict = {}
_clients_lock = threading.Lock()


def client_now() -> Client:
    """The client for the profile of this call."""
    hermes = hermes_home()
    home = home_folder(hermes)
    with _clients_lock:
        client = _clients.get(home)
        if client is None:
            client = _clients[home] = Client(home, hermes)
        return client


def _forget_clients() -> None:
    """A forked child is another process: another attach, and none of its parent's connections and locks."""
    global _clients, _clients_lock
    for client in _clients.values():
        client.abandon()
    _clients, _clients_lock = {}, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_clients)


def _error_code(answer: Answer) -> str:
    if answer.status != 403:
        return ""
    try:
        return json.loads(answer.body)["error"]["code"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return ""


def _is_word(value) -> bool:
    return isinstance(value, str)


def _files_digest() -> str:
    """SHA-256 over the plugin's own files: a line `name`, space, SHA-256 in hex for each, in the order of their names.

    The host pulls and removes plugins under a running process; what is gone is not in it.
    """
    folder = os.path.dirname(os.path.abspath(__file__))
    lines = []
    for path in sorted(glob.glob(os.path.join(glob.escape(folder), "*"))):
        if path.endswith((".py", ".yaml")):
            with contextlib.suppress(OSError), open(path, "rb") as file:
                lines.append(f"{os.path.basename(path)} {hashlib.sha256(file.read()).hexdigest()}\n")
    return hashlib.sha256("".join(lines).encode()).hexdigest()
