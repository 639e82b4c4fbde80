"""Lines typed at a prompt, with arrow keys, history and Tab."""

import os
import sys

from _sandglass.kernel import calls, value



def ask(prompt, history, complete=lambda word: [], cancelled="\n"):
    """A line without its end. Raises EOFError at Ctrl-D and KeyboardInterrupt at Ctrl-C, having printed `cancelled`."""
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
