"""`_multiprocessing`: semaphores between the threads of one process. Python cannot fork another process here."""

import threading

from _sandglass import threads

RECURSIVE_MUTEX, SEMAPHORE = 0, 1
flags = {"HAVE_SEM_OPEN": 1, "HAVE_SEM_TIMEDWAIT": 1}


def sem_unlink(name):
    """Does nothing: a semaphore has no name outside its process."""


class SemLock:
    SEM_VALUE_MAX = 2**31 - 1

    def __init__(self, kind, value, maxvalue, name, unlink):
        if kind not in (RECURSIVE_MUTEX, SEMAPHORE):
            raise ValueError("unrecognized kind")
        # No name: names are registered with a tracker process that removes them at the end.
        self.kind, self.maxvalue, self.name, self.handle = kind, maxvalue, None, id(self)
        self._value = value
        self._owner, self._times = None, 0
        self._waiters = threads.Waiters()

    @classmethod
    def _rebuild(cls, handle, kind, maxvalue, name):
        raise RuntimeError("A semaphore cannot be sent to another process here.")

    def acquire(self, block=True, timeout=None):
        ident = threading.get_ident()
        if self.kind == RECURSIVE_MUTEX and self._owner == ident:
            self._times += 1
            return True
        limit = max(timeout, 0) if block and timeout is not None else None if block else 0
        if self._value == 0 and not self._waiters.wait(lambda: self._value > 0, limit):
            return False
        self._value -= 1
        self._owner, self._times = ident, self._times + 1
        return True

    def release(self):
        if self.kind == RECURSIVE_MUTEX:
            if self._owner != threading.get_ident():
                raise AssertionError("attempt to release recursive lock not owned by thread")
            if self._times > 1:
                self._times -= 1
                return
            self._owner = None
        elif self._value >= self.maxvalue:
            raise ValueError("semaphore or lock released too many times")
        self._times -= 1
        self._value += 1
        self._waiters.wake()

    def _count(self):
        return self._times

    def _is_mine(self):
        return self._times > 0 and self._owner == threading.get_ident()

    def _get_value(self):
        return self._value

    def _is_zero(self):
        return self._value == 0

    def _after_fork(self):
        self._times = 0

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *_error):
        self.release()
