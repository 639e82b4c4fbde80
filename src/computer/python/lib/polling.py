"""What the kernel's descriptors do without waiting: the waits of sockets, and `select` over them."""

import json
import math
import os

from _sandglass import threads
from _sandglass.kernel import calls

READS, WRITES = 1, 4
ONESHOT = 1 << 30
ENDLESS_MS = 2**31 - 1

# Descriptors of the kernel behind numbers that Python has, by these.
OPEN = {}


class Readable(threads.Parked):
    """A thread that waits for descriptors, at most so long."""

    def __init__(self, seconds, wishes):
        super().__init__(seconds)
        self._wishes = wishes

    def _wake_after(self, milliseconds, resume):
        return calls.pollThen(self._wishes, milliseconds, resume)


class Descriptors:
    """The means of a wait for descriptors: `[descriptor, reads, writes]` each."""

    can_happen = True

    def __init__(self, wishes):
        self._wanted = wishes
        self._wishes = json.dumps([{"descriptor": number, "reads": bool(reads), "writes": bool(writes)} for number, reads, writes in wishes])

    def park(self, seconds):
        return Readable(seconds, self._wishes)

    def block(self, seconds):
        calls.poll(self._wishes, math.ceil(seconds * 1000))

    def look(self):
        """`(can be read, takes so many bytes)` of each, now."""
        from _sandglass.patches import value

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


class Poll:
    """`select.poll`. What is no socket is ready, as a file is."""

    def __init__(self):
        self._masks = {}

    def register(self, fd, eventmask=READS | 2 | WRITES):
        self._masks[number_of(fd)] = eventmask

    def modify(self, fd, eventmask):
        number = number_of(fd)
        if number not in self._masks:
            raise FileNotFoundError(2, os.strerror(2))
        self._masks[number] = eventmask

    def unregister(self, fd):
        del self._masks[number_of(fd)]

    def poll(self, timeout=None):
        return self.wait(None if timeout is None or timeout < 0 else timeout / 1000)

    def wait(self, seconds, waiters=None, is_called=bool):
        """`[(number, events)]` of what is ready within so many seconds; None is no limit.

        `waiters` can be woken from elsewhere, where `is_called` tells that it is over.
        """
        sockets = {number: mask for number, mask in self._masks.items() if number in OPEN}
        others = [(number, mask & (READS | WRITES)) for number, mask in self._masks.items() if number not in OPEN and mask & (READS | WRITES)]
        means = Descriptors([(OPEN[number].descriptor, mask & READS, mask & WRITES) for number, mask in sockets.items() if OPEN[number].descriptor is not None])
        found = []

        def is_over():
            found[:] = events_of(sockets, means.look())
            return bool(found) or is_called()

        (waiters or threads.Waiters()).wait(is_over, 0 if others else seconds, means)
        return found + others


def events_of(sockets, states):
    """Events of those sockets that are open, in the order of their states."""
    states = iter(states)
    found = []
    for number, mask in sockets.items():
        channel = OPEN[number]
        # A socket that is neither connected nor listens has hung up.
        readable, room = next(states) if channel.descriptor is not None else (True, 1)
        events = (READS if readable or channel.ahead else 0) | (WRITES if room else 0)
        if events & mask:
            found.append((number, events & mask))
    return found


class Epoll(Poll):
    """`select.epoll`, level-triggered."""

    def __init__(self, sizehint=-1, flags=0):
        super().__init__()
        self.closed = False

    def fileno(self):
        return -1

    def close(self):
        self.closed = True
        self._masks = {}

    def register(self, fd, eventmask=READS | 2 | WRITES):
        if number_of(fd) in self._masks:
            raise FileExistsError(17, os.strerror(17))
        super().register(fd, eventmask)

    def unregister(self, fd):
        if number_of(fd) not in self._masks:
            raise FileNotFoundError(2, os.strerror(2))
        super().unregister(fd)

    def poll(self, timeout=None, maxevents=-1):
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


def select(rlist, wlist, xlist, timeout=None, /):
    """`select.select`."""
    if timeout is not None and timeout < 0:
        raise ValueError("timeout must be non-negative")
    waiting = Poll()
    for files, event in ((rlist, READS), (wlist, WRITES)):
        for file in files:
            number = number_of(file)
            waiting.register(number, waiting._masks.get(number, 0) | event)
    found = dict(waiting.wait(timeout))
    return tuple([file for file in files if found.get(number_of(file), 0) & event] for files, event in ((rlist, READS), (wlist, WRITES))) + ([],)


def install():
    import select as module

    module.select = select
    module.poll = Poll
    module.epoll = Epoll
    for name, bit in {"IN": 1, "PRI": 2, "OUT": 4, "ERR": 8, "HUP": 16, "RDHUP": 0x2000, "ONESHOT": ONESHOT, "ET": 1 << 31, "EXCLUSIVE": 1 << 28}.items():
        setattr(module, f"EPOLL{name}", bit)
    module.EPOLL_CLOEXEC = 0o2000000
