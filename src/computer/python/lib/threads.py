"""Threads that take turns: each has its own stack, and yields to the others when it waits."""

import _thread
import collections
import functools
import math
import signal
import sys
import threading
import time

from pyodide.ffi import can_run_sync, create_proxy, run_sync

from _sandglass.kernel import calls

# Seconds a thread runs before it yields at the next lock, as in CPython.
SWITCH = 0.005

# Seconds between checks for signals in a waiting thread.
SLICE = 0.1

# Seconds to block the engine at a time if no other thread can run, so that Ctrl-C is seen in between.
BLOCKED_SLICE = 0.02

MAIN = _thread.get_ident()


class Turn:
    """The running thread, the number of others that have not ended, and the latest thread ident."""

    ident = MAIN
    others = 0
    latest = MAIN
    # Time after which it yields at a lock.
    end = 0.0
    # Processor time of all turns before this one, and the clock at which this one began.
    used = since = 0.0
    # Signals that arrived in another thread, for the main thread.
    signals = []


def get_ident():
    return Turn.ident


def pause():
    """Ends a turn's processor time: the interpreter's clock goes on while it waits."""
    Turn.used = process_time()


def go_on():
    Turn.since = clock()


clock = time.process_time


def process_time():
    """`time.process_time`."""
    return Turn.used + clock() - Turn.since


class Parked:
    """A waiting thread. For Pyodide, it is a future: `run_sync` waits for it."""

    _asyncio_future_blocking = False
    result = functools.partial(bool)

    def __init__(self, seconds):
        self._seconds = seconds
        self._resume = self._wake = None
        self._is_woken = False

    def __await__(self):
        return self

    def add_done_callback(self, callback, *, context=None):
        self._resume = create_proxy(functools.partial(callback, self))
        seconds = 0 if self._is_woken else max(self._seconds, 0)
        self._wake = self._wake_after(seconds * 1000, self._resume)

    def _wake_after(self, milliseconds, resume):
        return calls.wakeAfter(milliseconds, resume)

    def wake(self):
        # Pyodide adds its callback shortly after the thread yields.
        self._is_woken = True
        if self._wake is not None:
            self._wake()

    def wait(self):
        """Lets other threads run until it is woken or times out."""
        ident = Turn.ident
        calls.mainRuns(False)
        try:
            notice_signal()
            pause()
            run_sync(self)
        finally:
            go_on()
            calls.mainRuns(ident == MAIN)
            Turn.ident = ident
            Turn.end = time.monotonic() + SWITCH
            if self._wake is not None:
                self._wake()
                self._resume.destroy()
        take_interrupt()
        while ident == MAIN and Turn.signals:
            signal.raise_signal(Turn.signals.pop(0))


def notice_signal():
    """Does nothing: the call makes the interpreter raise a pending signal here, not in another thread."""


def take_interrupt():
    """Raises Ctrl-C or an alarm in the main thread: the interpreter itself only checks from time to time."""
    if Turn.ident == MAIN and (number := calls.takeInterrupt()):
        signal.raise_signal(number)


def can_start():
    """Returns whether the engine can switch stacks at this call."""
    return can_run_sync()


def others_can_run():
    return Turn.others > 0 and can_start()


def give_way():
    """Lets other ready threads run."""
    if others_can_run():
        Parked(0).wait()


def sleep(seconds):
    """Waits while other threads run."""
    if seconds == 0:
        give_way()
    Waiters().wait(lambda: False, seconds)


class OtherThreads:
    """Means of waiting for what another thread does."""

    can_happen = False
    slice, blocked_slice = SLICE, BLOCKED_SLICE
    park = Parked

    def block(seconds):
        calls.sleep(seconds * 1000)


class Waiters:
    """Threads that wait for one thing, first come first served."""

    def __init__(self):
        self._parked = collections.deque()

    def wait(self, is_over, timeout, means=OtherThreads):
        """Waits until a condition holds. Returns false if `timeout` seconds pass before; None is no limit.

        `means` does the waiting: it parks the thread, or blocks if no other thread can run.
        """
        end = None if timeout is None else time.monotonic() + timeout
        while not is_over():
            left = math.inf if end is None else end - time.monotonic()
            if left <= 0:
                return False
            if others_can_run():
                self._park(means.park(min(left, means.slice, max(calls.alarmLeft(), 0))))
            elif end is None and not means.can_happen:
                raise RuntimeError("deadlock: this waits for another thread, and none can run")
            else:
                pause()
                means.block(min(left, means.blocked_slice, max(calls.alarmLeft(), 0)))
                go_on()
                take_interrupt()
        return True

    def _park(self, parked):
        self._parked.append(parked)
        try:
            parked.wait()
        finally:
            if parked in self._parked:
                self._parked.remove(parked)

    def wake(self):
        if self._parked:
            self._parked.popleft().wake()

    def wake_all(self):
        while self._parked:
            self._parked.popleft().wake()


class Lock:
    """`_thread.lock` between threads that take turns."""

    def __init_subclass__(cls):
        raise TypeError("type '_thread.lock' is not an acceptable base type")

    __slots__ = ("_locked", "_waiters", "__weakref__")

    def __init__(self):
        self._locked = False
        self._waiters = None

    def acquire(self, blocking=True, timeout=-1):
        if not blocking and timeout != -1:
            raise ValueError("can't specify a timeout for a non-blocking call")
        if timeout < 0 and timeout != -1:
            raise ValueError("timeout value must be a non-negative number")
        if timeout > threading.TIMEOUT_MAX:
            raise OverflowError("timeout value is too large")
        if Turn.others > 0 and time.monotonic() > Turn.end:
            give_way()
        if self._locked:
            if not blocking:
                return False
            self._waiters = self._waiters or Waiters()
            if not self._waiters.wait(lambda: not self._locked, None if timeout == -1 else timeout):
                return False
        self._locked = True
        return True

    acquire_lock = acquire

    def release(self):
        if not self._locked:
            raise RuntimeError("release unlocked lock")
        self._locked = False
        if self._waiters:
            self._waiters.wake()

    release_lock = release

    def locked(self):
        return self._locked

    locked_lock = locked

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *_error):
        self.release()

    def _at_fork_reinit(self):
        self._locked = False
        self._waiters = None

    def __repr__(self):
        return f"<{'locked' if self._locked else 'unlocked'} _thread.lock object at {id(self):#x}>"


class Handle:
    """`_thread._ThreadHandle`: joins a thread."""

    def __init__(self, ident=None):
        self.ident = ident
        self._done = False
        self._waiters = Waiters()

    def is_done(self):
        return self._done

    def _set_done(self):
        if self.ident is None:
            raise RuntimeError("thread not started")
        self._done = True
        self._waiters.wake_all()

    def join(self, timeout=None):
        if self.ident is None:
            raise RuntimeError("thread not started")
        if self.ident == Turn.ident and not self._done:
            raise RuntimeError("Cannot join current thread")
        self._waiters.wait(self.is_done, None if timeout is None or timeout < 0 else timeout)


# Handles of threads to join at program exit.
NON_DAEMONS = set()


def start_joinable_thread(function, handle=None, daemon=True):
    """Starts `function` on a stack of its own. The calling thread continues until it waits."""
    return start(function, (), {}, Handle() if handle is None else handle, daemon)


def start(function, args, kwargs, handle, daemon=True):
    if not can_start():
        raise RuntimeError(
            "can't start new thread: this browser has no stack switching (JSPI). Call the function directly, or use asyncio."
        )
    if handle.ident is not None:
        raise RuntimeError("thread already started")
    Turn.latest += 8
    handle.ident = ident = Turn.latest
    Turn.others += 1

    def run():
        Turn.ident = ident
        go_on()
        calls.limitStack()
        if asyncio := sys.modules.get("asyncio"):
            # Each stack starts inside Pyodide's loop.
            asyncio._set_running_loop(None)
        try:
            function(*args, **kwargs)
        except SystemExit:
            pass
        except BaseException:
            error = sys.exc_info()
            sys.unraisablehook(Unraisable(*error, f"Exception ignored in thread started by {function!r}", None))
        finally:
            Turn.others -= 1
            pause()
            go_on()
            handle._set_done()
            NON_DAEMONS.discard(handle)
            started.destroy()

    if not daemon:
        NON_DAEMONS.add(handle)
    started = create_proxy(run)
    calls.startThread(started)
    return handle


Unraisable = collections.namedtuple("Unraisable", "exc_type exc_value exc_traceback err_msg object")


def start_new_thread(function, args, kwargs={}):
    if not callable(function):
        raise TypeError("first arg must be callable")
    if not isinstance(args, tuple):
        raise TypeError("2nd arg must be a tuple")
    return start(function, args, kwargs, Handle()).ident


def raise_signal(number):
    """Handles a signal in the main thread, when it next runs."""
    if Turn.ident == MAIN:
        signal.raise_signal(number)
    else:
        Turn.signals.append(number)


def interrupt_main(signum=signal.SIGINT):
    if signum not in signal.valid_signals():
        raise ValueError("signal number out of range")
    if callable(signal.getsignal(signum)):
        raise_signal(signum)


def shutdown():
    while NON_DAEMONS:
        next(iter(NON_DAEMONS)).join()


def install():
    import _threading_local

    threading.local = _thread._local = _threading_local.local
    _thread.start_new_thread = _thread.start_new = start_new_thread
    _thread.start_joinable_thread = threading._start_joinable_thread = start_joinable_thread
    _thread.interrupt_main = interrupt_main
    _thread._count = lambda: Turn.others
    _thread.get_ident = threading.get_ident = get_ident
    _thread.get_native_id = threading.get_native_id = get_ident
    _thread.allocate_lock = _thread.allocate = _thread.lock = _thread.LockType = Lock
    threading.Lock = threading._LockType = threading._allocate_lock = Lock
    threading._CRLock = None
    _thread.RLock = threading._RLock
    # Names as in CPython: programs compare them.
    Lock.__module__ = threading._RLock.__module__ = "_thread"
    Lock.__name__ = Lock.__qualname__ = "lock"
    threading._RLock.__name__ = threading._RLock.__qualname__ = "RLock"
    _thread._ThreadHandle = threading._ThreadHandle = Handle
    _thread._make_thread_handle = threading._make_thread_handle = Handle
    _thread._shutdown = threading._thread_shutdown = shutdown
