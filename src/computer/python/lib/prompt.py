"""Lines typed at a prompt, with arrow keys, history and Tab."""

import os
import sys

from _sandglass.kernel import calls, value



def ask(prompt, history, complete=lambda word: [], cancelled="\n"):
    """Reads a line (no newline). Ctrl-D raises EOFError; Ctrl-C prints `cancelled` and raises KeyboardInterrupt."""
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        asked = (prompt, os.path.expanduser(history), lambda word: "\n".join(complete(word)), cancelled)
        kind, line = value(calls.prompt(*asked))
    except InterruptedError:
        raise KeyboardInterrupt from None
    if kind == "end":
        print()
        raise EOFError
    if kind == "cancel":
        raise KeyboardInterrupt
    return line
