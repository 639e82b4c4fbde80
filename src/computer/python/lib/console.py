"""The interactive prompt."""

import code
import sys

from _sandglass.prompt import ask

HISTORY = "~/.python_history"


class Console(code.InteractiveConsole):
    def raw_input(self, prompt=""):
        return ask(prompt, HISTORY, self.complete, cancelled="")

    def complete(self, word):
        import rlcompleter

        completer = rlcompleter.Completer(self.locals)
        found = []
        while (choice := completer.complete(word, len(found))) is not None and len(found) < 200:
            found.append(choice)
        return found


def interact(names, banner=None):
    """Reads and runs lines until the end of input. SystemExit propagates to the caller."""
    sys.ps1 = getattr(sys, "ps1", ">>> ")
    sys.ps2 = getattr(sys, "ps2", "... ")
    if banner is None:
        banner = (
            f"Python {sys.version.splitlines()[0].split('[')[0].strip()} on {sys.platform}\n"
            'Type "help", "copyright", "credits" or "license" for more information.'
        )
    Console(names, filename="<stdin>").interact(banner=banner, exitmsg="")
