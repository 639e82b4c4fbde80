"""Calls of the sandbox's kernel: `calls.read(…)`. They are there when a program runs, and not yet when the snapshot is made."""

import sys


class Calls:
    def __getattr__(self, name):
        return getattr(sys.modules["_sandglass_calls"], name)


calls = Calls()
