"""Runs the tests of one module, each in its turn, and writes what became of it: `begin`, then `ok` or `not ok`.

A test that ends the interpreter is the last that was started; called again, this goes on behind it.
"""

import socket
import subprocess
import sys
import threading
import unittest

from test import support
from test.support import threading_helper


class Result(unittest.TestResult):
    def addSuccess(self, test):
        super().addSuccess(test)
        say("ok", test.id())

    def addFailure(self, test, error):
        say("not ok", test.id(), f"{error[0].__name__}: {error[1]}"[:300].replace("\n", " "))

    addError = addFailure

    def addSubTest(self, test, subtest, error):
        super().addSubTest(test, subtest, error)
        if error is not None:
            self.addFailure(subtest, error)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        say("skip", test.id(), reason.replace("\n", " "))


def say(*words):
    with open(results, "a", encoding="utf-8", errors="backslashreplace") as file:
        print(*words, file=file)


def flat(suite):
    for one in suite:
        if isinstance(one, unittest.TestSuite):
            yield from flat(one)
        else:
            yield one


class Announced(unittest.TestSuite):
    """Says which test begins, so that one without an end is known."""

    def __iter__(self):
        for test in self._tests:
            say("begin", test.id())
            yield test


module, results = sys.argv[1:]


def starts_threads():
    try:
        threading.Thread(target=int).start()
    except RuntimeError:
        return False
    return True


def connects():
    try:
        with socket.create_server(("127.0.0.1", 0)) as server:
            socket.create_connection(server.getsockname(), 1).close()
    except OSError:
        return False
    return True


# test.support infers from the platform's name that WebAssembly has none of these; the interpreter itself knows better.
support.has_subprocess_support = support.has_subprocess_support or subprocess._can_fork_exec
support.has_socket_support = support.has_socket_support or connects()
threading_helper.can_start_thread = threading_helper.can_start_thread or starts_threads()
with open(results, "a+", encoding="utf-8") as file:
    file.seek(0)
    first = sum(line.startswith("begin ") for line in file)
try:
    tests = list(flat(unittest.defaultTestLoader.loadTestsFromName("test.test_" + module)))
except unittest.SkipTest as reason:
    say("skip", "test.test_" + module, reason)
    tests = []
Announced(tests[first:]).run(Result())
say("end")
