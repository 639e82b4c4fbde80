"""The interactive prompt, a line at a time."""

import code
import sys


class Console(code.InteractiveConsole):
    def raw_input(self, prompt=""):
        sys.stdout.write(prompt)
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line.rstrip("\n")


def interact(names, banner=None):
    """Reads and runs lines until the end of input. SystemExit goes through to the caller."""
    sys.ps1 = getattr(sys, "ps1", ">>> ")
    sys.ps2 = getattr(sys, "ps2", "... ")
    if banner is None:
        banner = (
            f"Python {sys.version.splitlines()[0].split('[')[0].strip()} on {sys.platform}\n"
            'Type "help", "copyright", "credits" or "license" for more information.'
        )
    Console(names, filename="<stdin>").interact(banner=banner, exitmsg="")
