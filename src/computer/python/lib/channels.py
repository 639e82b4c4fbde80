"""Maps Python's descriptor numbers to the kernel's, for sockets and pipes of commands."""

import errno
import json
import os

from _sandglass import polling
from _sandglass.kernel import calls, value

AF_UNIX = 1


def fault(number):
    return OSError(number, os.strerror(number))


class Channel:
    """State shared by all duplicates of one socket."""

    def __init__(self, descriptor=None, local=None, remote=None):
        # None until bound or connected. An address comes with its family.
        self.descriptor = descriptor
        self.local = local
        self.remote = remote
        self.listens = False
        self.ends_reading = False
        self.ends_writing = False
        self.is_reset = False
        # Bytes peeked at.
        self.ahead = b""
        self.holders = 0
        self.is_inheritable = False

    def hold(self, wanted=None):
        """Reserves a descriptor number in the interpreter: `wanted`, if it is given. Returns the number."""
        number = os.open("/dev/null", os.O_RDWR)
        if wanted is not None and number != wanted:
            os.dup2(number, wanted)
            close_file(number)
            number = wanted
        polling.OPEN[number] = self
        self.holders += 1
        return number

    def wait(self, reads, timeout):
        """Waits for bytes, a connection or room: forever (None), not at all (0), or `timeout` seconds."""
        if not polling.wait([(self.descriptor, reads, not reads)], timeout):
            raise fault(errno.EAGAIN) if timeout == 0 else TimeoutError("timed out")

    def fill(self, size, timeout):
        """Fills `ahead` with up to `size` bytes; none at end of input."""
        if not self.ahead and not self.ends_reading and size > 0:
            self.wait(True, timeout)
        elif not 0 < len(self.ahead) < size or not polling.Descriptors([(self.descriptor, True, False)]).is_ready():
            return
        # More may have arrived since the last peek.
        self.ahead += value(calls.read(self.descriptor, size - len(self.ahead))).to_bytes()

    def read(self, size, timeout):
        self.fill(size, timeout)
        taken, self.ahead = self.ahead[:size], self.ahead[size:]
        return taken

    def write(self, view, timeout):
        """Writes what there is room for. Returns the byte count."""
        from pyodide.ffi import to_js

        means = polling.Descriptors([(self.descriptor, False, True)])
        room = means.look()[0][1]
        if room == 0 and len(view) > 0:
            self.wait(False, timeout)
            room = means.look()[0][1]
        size = min(len(view), room)
        try:
            value(calls.write(self.descriptor, to_js(bytes(view[:size]))))
        except BrokenPipeError:
            # Over TCP, a sender learns that its peer has closed by the answer to what it sent.
            if not self._is_tcp() or self.is_reset:
                raise
            self.is_reset = True
        return size

    def _is_tcp(self):
        return self.remote is not None and self.remote[1] != AF_UNIX

    def events(self):
        """`(readable, room)` without a descriptor: a socket neither connected nor listening has hung up."""
        return True, 1

    def end_writing(self):
        self.ends_writing = True
        value(calls.shutdown(self.descriptor))

    def release(self):
        self.holders -= 1
        if self.holders == 0 and self.descriptor is not None:
            value(calls.close(self.descriptor))
            self.descriptor = None


def close(number):
    """Closes a descriptor or a socket."""
    channel = polling.OPEN.pop(number, None)
    if channel is not None:
        channel.release()
    close_file(number)


def limit_of(number):
    return None if os.get_blocking(number) else 0


def read(number, length, /):
    """`os.read`, also for sockets and commands' pipes."""
    channel = polling.OPEN.get(number)
    return read_file(number, length) if channel is None else channel.read(length, limit_of(number))


def write(number, data, /):
    """`os.write`, also for sockets and commands' pipes."""
    channel = polling.OPEN.get(number)
    return write_file(number, data) if channel is None else channel.write(memoryview(data).cast("B"), limit_of(number))


close_file, read_file, write_file = os.close, os.read, os.write
get_inheritable, set_inheritable = os.get_inheritable, os.set_inheritable


def is_inheritable(number, /):
    return polling.OPEN[number].is_inheritable if number in polling.OPEN else get_inheritable(number)


def make_inheritable(number, inheritable, /):
    if number in polling.OPEN:
        polling.OPEN[number].is_inheritable = bool(inheritable)
    else:
        set_inheritable(number, inheritable)


# Environment variable that describes to a child the sockets it inherits.
INHERITED = "SANDGLASS_PYTHON_SOCKETS"


def bequeath(what, numbers=()):
    """Passes inheritable sockets, and those with these numbers, to a child about to be started."""
    given = {
        number: channel
        for number, channel in polling.OPEN.items()
        if channel.descriptor is not None and (channel.is_inheritable or number in numbers)
    }
    if given:
        what["descriptors"] = [[number, channel.descriptor] for number, channel in given.items()]
        described = [[number, channel.listens, channel.local, channel.remote] for number, channel in given.items()]
        what["env"][INHERITED] = json.dumps(described)


def inherit(described):
    """Takes over sockets from a parent: only those that arrived, as the variable may have passed through a shell."""
    there = json.loads(calls.descriptors)
    for number, listens, local, remote in json.loads(described):
        if number not in there:
            continue
        channel = Channel(number, address_of(local), address_of(remote))
        channel.listens = listens
        channel.hold(number)


def address_of(described):
    """Address restored from JSON, which has no tuples."""
    return described and (tuple(described[0]) if isinstance(described[0], list) else described[0], described[1])


def dup(number):
    if number not in polling.OPEN:
        return os.dup(number)
    return polling.OPEN[number].hold()


def install():
    os.close, os.read, os.write = close, read, write
    os.get_inheritable, os.set_inheritable = is_inheritable, make_inheritable
