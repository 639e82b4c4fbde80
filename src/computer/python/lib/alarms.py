"""`signal.alarm` and `signal.setitimer`. The interpreter finds SIGALRM as it finds Ctrl-C: when it looks for signals."""

import errno
import math
import os
import signal

from _sandglass.kernel import calls

handle = signal.signal


def signal_with_alarm(signalnum, handler):
    before = handle(signalnum, handler)
    if signalnum == signal.SIGALRM:
        calls.alarmEnds(handler == signal.SIG_DFL)
    return before


def setitimer(which, seconds, interval=0.0, /):
    before = getitimer(which)
    if which != signal.ITIMER_REAL:
        raise signal.ItimerError(errno.EINVAL, "Only ITIMER_REAL is measured in the browser.")
    first, next = float(seconds), float(interval)
    if not (0 <= first < math.inf and 0 <= next < math.inf):
        raise signal.ItimerError(errno.EINVAL, os.strerror(errno.EINVAL))
    calls.setAlarm(first * 1000, next * 1000)
    return before


def getitimer(which, /):
    if which not in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
        raise signal.ItimerError(errno.EINVAL, os.strerror(errno.EINVAL))
    left = calls.alarmLeft() if which == signal.ITIMER_REAL else math.inf
    return (0.0, 0.0) if left == math.inf else (max(left, 1e-6), calls.alarmInterval())


def alarm(seconds, /):
    if not isinstance(seconds, int):
        raise TypeError(f"'{type(seconds).__name__}' object cannot be interpreted as an integer")
    left, _ = setitimer(signal.ITIMER_REAL, seconds)
    return math.ceil(left)


def install():
    signal.signal, signal.setitimer, signal.getitimer, signal.alarm = signal_with_alarm, setitimer, getitimer, alarm
