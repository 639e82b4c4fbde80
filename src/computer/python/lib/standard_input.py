"""Standard input that lets other threads run while one waits for it: the interpreter's own read stops all of them."""

import io
import os

from _sandglass import polling, threads

CHUNK = 64 * 1024


def wait():
    if threads.others_can_run():
        polling.wait([(0, True, False)], None)


def is_standard(number):
    """Returns whether a descriptor is standard input, also after `os.dup`."""
    try:
        return os.readlink(f"/proc/self/fd/{number}") == "/dev/stdin"
    except OSError:
        return False


class StandardInput(io.FileIO):
    def readinto(self, buffer, /):
        wait()
        return super().readinto(buffer)

    def read(self, size=-1, /):
        if size is None or size < 0:
            return self.readall()
        wait()
        return super().read(size)

    def readall(self):
        parts = []
        while part := self.read(CHUNK):
            parts.append(part)
        return b"".join(parts)


open_file = os.fdopen
read_file = os.read


def fdopen(fd, mode="r", buffering=-1, encoding=None, errors=None, newline=None, closefd=True, *rest, **named):
    if not isinstance(fd, int) or "r" not in mode or "+" in mode or not is_standard(fd):
        return open_file(fd, mode, buffering, encoding, errors, newline, closefd, *rest, **named)
    raw = StandardInput(fd, "r", closefd)
    is_binary = "b" in mode
    if buffering == 0:
        if not is_binary:
            raise ValueError("can't have unbuffered text I/O")
        return raw
    buffered = io.BufferedReader(raw) if buffering < 2 else io.BufferedReader(raw, buffering)
    if is_binary:
        return buffered
    text = io.TextIOWrapper(buffered, encoding or "utf-8", errors, newline, line_buffering=buffering == 1)
    text.mode = mode
    return text


def read(fd, length, /):
    if threads.others_can_run() and is_standard(fd):
        wait()
    return read_file(fd, length)


def install():
    global read_file
    read_file = os.read
    os.read, os.fdopen = read, fdopen
