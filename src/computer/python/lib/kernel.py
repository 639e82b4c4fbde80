"""Calls of the sandbox's kernel: `value(calls.read(…))`. Available when a program runs, but not when the snapshot is made."""

import errno
import os


class Calls:
    def __getattr__(self, name):
        import _sandglass_calls

        found = self.__dict__[name] = getattr(_sandglass_calls, name)
        return found


calls = Calls()


def value(answer, path=None):
    """Value that a call returned. Raises OSError with the errno of the kernel's code."""
    failed, given = answer
    if failed is None:
        return given
    number = getattr(errno, failed, errno.EIO)
    place = () if path is None else (path,)
    raise OSError(number, os.strerror(number) if failed != "EIO" else given, *place)
