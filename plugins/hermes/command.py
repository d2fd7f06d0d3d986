"""`hermes stele …`: hands the words over to the `stele` command, and its exit code back."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

from .home import hermes_home, home_folder, read_service
from .starter import commands

HELP = "proof of what the agent was told, claimed and was allowed to do"

_UNAVAILABLE = 6
_INTERRUPTED = 130


def set_up(parser) -> None:
    """All words are the command's own, options and `--help` too: to the host's parser nothing here begins an option."""
    parser.prefix_chars = "\0"
    parser.add_argument("words", nargs=argparse.REMAINDER, help="see `hermes stele --help`")


def run(args) -> int:
    """Called by the host, which does not look at what is returned: an exit code goes out as SystemExit."""
    code = _run(list(getattr(args, "words", None) or []))
    if code != 0:
        raise SystemExit(code)
    return 0


def _run(words: list) -> int:
    hermes = hermes_home()
    home = home_folder(hermes)
    environment = {**os.environ, "HERMES_HOME": hermes, "STELE_HOME": home}
    for command in commands(read_service(home)):
        try:
            return subprocess.call([*command, *words], env=environment)
        except KeyboardInterrupt:
            return _INTERRUPTED
        except (OSError, ValueError):
            continue
    print("stele: the command was not found; install it with npm, or set STELE_COMMAND", file=sys.stderr)
    return _UNAVAILABLE
