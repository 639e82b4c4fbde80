"""Polls the kernel's descriptors: implements the waits of sockets, and `select` over them."""

import errno
import json
import math
import os
from select import select as select_files

from _sandglass import threads
from _sandglass.kernel import calls, value

READS, WRITES = 1, 4
INVALID = 32
ONESHOT = 1 << 30
CLOSES_ON_EXEC = 0o2000000

# Channels to the kernel's descriptors, by Python's number.
OPEN = {}


class Readable(threads.Parked):
    """Thread that waits for descriptors for a limited time."""

    def __init__(self, seconds, wishes):
        super().__init__(seconds)
        self._wishes = wishes

    def _wake_after(self, milliseconds, resume):
        return calls.pollThen(self._wishes, milliseconds, resume)


class Descriptors:
    """Means of waiting for descriptors, each `(descriptor, reads, writes)`."""

    can_happen = True
    # Seconds. A signal ends the kernel's wait.
    slice = blocked_slice = 1

    def __init__(self, wishes):
        self._wanted = wishes
        self._wishes = json.dumps([{"descriptor": number, "reads": bool(reads), "writes": bool(writes)} for number, reads, writes in wishes])

    def park(self, seconds):
        return Readable(seconds, self._wishes)

    def block(self, seconds):
        calls.poll(self._wishes, math.ceil(seconds * 1000))

    def look(self):
        """Current `(readable, room in bytes)` of each."""
        return [(found["readable"], found["room"]) for found in json.loads(value(calls.poll(self._wishes, 0)))]

    def is_ready(self):
        return any((reads and readable) or (writes and room) for (_, reads, writes), (readable, room) in zip(self._wanted, self.look()))


def wait(wishes, timeout):
    """Waits until one of the descriptors is ready. Returns false if `timeout` seconds pass before; None is no limit."""
    means = Descriptors(wishes)
    return threads.Waiters().wait(means.is_ready, timeout, means)


def number_of(file):
    number = file if isinstance(file, int) else file.fileno() if hasattr(file, "fileno") else None
    if not isinstance(number, int):
        raise TypeError("argument must be an int, or have a fileno() method.")
    if number < 0:
        raise ValueError(f"file descriptor cannot be a negative integer ({number})")
    return number


def is_open(number):
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def check_mask(mask, bits):
    if mask < 0:
        raise ValueError("can't convert negative value to C unsigned")
    if mask >> bits:
        raise OverflowError("Python int too large to convert to C unsigned")


class Poll:
    """`select.poll`. Uses the interpreter's own `select` for descriptors that are not sockets."""

    def __init__(self):
        self._masks = {}
        self._is_waiting = False

    def register(self, fd, eventmask=READS | 2 | WRITES):
        check_mask(eventmask, 16)
        self._masks[number_of(fd)] = eventmask

    def modify(self, fd, eventmask):
        number = number_of(fd)
        check_mask(eventmask, 16)
        if number not in self._masks:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        self._masks[number] = eventmask

    def unregister(self, fd):
        del self._masks[number_of(fd)]

    def poll(self, timeout=None):
        if timeout is not None and timeout >= 2**31:
            raise OverflowError("timeout is too large")
        if self._is_waiting:
            raise RuntimeError("concurrent poll() invocation")
        self._is_waiting = True
        try:
            return self.wait(None if timeout is None or timeout < 0 else timeout / 1000)
        finally:
            self._is_waiting = False

    def wait(self, seconds, waiters=None, is_called=bool):
        """`[(number, events)]` of what is ready within `seconds`; None is no limit.

        `waiters` can be woken from elsewhere: `is_called` true then ends the wait.
        """
        sockets = {number: mask for number, mask in self._masks.items() if number in OPEN}
        others = {number: mask for number, mask in self._masks.items() if number not in OPEN and mask & (READS | WRITES)}
        wishes = [(OPEN[number].descriptor, mask & READS, mask & WRITES) for number, mask in sockets.items() if OPEN[number].descriptor is not None]
        means = Descriptors(wishes) if self._masks else threads.OtherThreads
        found = []

        def is_over():
            found[:] = events_of(sockets, means.look() if sockets else ()) + events_of_others(others)
            return bool(found) or is_called()

        if others:
            # Only sockets notify: other descriptors are checked repeatedly.
            means.slice = means.blocked_slice = threads.BLOCKED_SLICE
        (waiters or threads.Waiters()).wait(is_over, seconds, means)
        return found


def events_of_others(masks):
    """Events of descriptors other than sockets."""
    opened = [number for number in masks if is_open(number)]
    closed = [(number, INVALID) for number in masks if number not in opened]
    if not opened:
        return closed
    reads, writes, _ = select_files([n for n in opened if masks[n] & READS], [n for n in opened if masks[n] & WRITES], [], 0)
    return closed + [(n, (READS if n in reads else 0) | (WRITES if n in writes else 0)) for n in opened if n in reads or n in writes]


def events_of(sockets, states):
    """Events of sockets. `states` has those of the open ones, in order."""
    states = iter(states)
    found = []
    for number, mask in sockets.items():
        channel = OPEN[number]
        readable, room = next(states) if channel.descriptor is not None else channel.events()
        events = (READS if readable or channel.ahead or channel.ends_reading else 0) | (WRITES if room else 0)
        if events & mask:
            found.append((number, events & mask))
    return found


class Epoll(Poll):
    """`select.epoll`, level-triggered."""

    def __init__(self, sizehint=-1, flags=0):
        super().__init__()
        if sizehint < -1 or sizehint == 0:
            raise ValueError("negative sizehint")
        if flags not in (0, CLOSES_ON_EXEC):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        self._number = os.open("/dev/null", os.O_RDONLY)

    @property
    def closed(self):
        return self._number < 0

    def fileno(self):
        if self.closed:
            raise ValueError("I/O operation on closed epoll object")
        return self._number

    def close(self):
        if not self.closed:
            os.close(self._number)
            self._number = -1

    def _checked(self, fd, is_known):
        self.fileno()
        number = number_of(fd)
        if not is_open(number):
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        if (number in self._masks) != is_known:
            code = errno.ENOENT if is_known else errno.EEXIST
            raise OSError(code, os.strerror(code))
        return number

    def register(self, fd, eventmask=READS | 2 | WRITES):
        check_mask(eventmask, 32)
        self._masks[self._checked(fd, False)] = eventmask

    def modify(self, fd, eventmask):
        check_mask(eventmask, 32)
        self._masks[self._checked(fd, True)] = eventmask

    def unregister(self, fd):
        del self._masks[self._checked(fd, True)]

    def poll(self, timeout=None, maxevents=-1):
        self.fileno()
        if maxevents < -1 or maxevents == 0:
            raise ValueError(f"maxevents must be greater than 0, got {maxevents}")
        for number in [number for number in self._masks if not is_open(number)]:
            del self._masks[number]
        found = self.wait(None if timeout is None or timeout < 0 else timeout)
        found = found[:maxevents] if maxevents > 0 else found
        for number, _ in found:
            if self._masks[number] & ONESHOT:
                self._masks[number] = 0
        return found

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.close()


class Select:
    def select(self, rlist, wlist, xlist, timeout=None, /):
        """`select.select`."""
        if timeout is not None and timeout < 0:
            raise ValueError("timeout must be non-negative")
        waiting = Poll()
        asked = [[(number_of(file), file) for file in list(files)] for files in (rlist, wlist, xlist)]
        for files, event in zip(asked, (READS, WRITES, 0)):
            for number, _ in files:
                if not is_open(number):
                    raise OSError(errno.EBADF, os.strerror(errno.EBADF))
                waiting._masks[number] = waiting._masks.get(number, 0) | event
        found = dict(waiting.wait(timeout))
        return tuple([file for number, file in files if found.get(number, 0) & event] for files, event in zip(asked, (READS, WRITES, 0)))


def install():
    import select as module

    # A function would become a method of a class that stores it.
    module.select = Select().select
    module.poll = Poll
    module.epoll = Epoll
    for name, bit in {"IN": 1, "PRI": 2, "OUT": 4, "ERR": 8, "HUP": 16, "RDHUP": 0x2000, "ONESHOT": ONESHOT, "ET": 1 << 31, "EXCLUSIVE": 1 << 28}.items():
        setattr(module, f"EPOLL{name}", bit)
    module.EPOLL_CLOEXEC = CLOSES_ON_EXEC
