"""`termios` for the sandbox's terminal, limited to settings that it has."""

import json
import os
import termios

from _sandglass.kernel import calls, value


IFLAG, OFLAG, CFLAG, LFLAG = range(4)
FLAGS = [
    (IFLAG, termios.ICRNL, "returnsAreFeeds"),
    (OFLAG, termios.OPOST, "feedsReturn"),
    (LFLAG, termios.ISIG, "signals"),
    (LFLAG, termios.ICANON, "lines"),
    (LFLAG, termios.ECHO, "echo"),
]
KEYS = b"\x03\x1c\x7f\x15\x04\x00\x01"
KEPT = 32
SPEED = termios.B38400


def number_of(terminal):
    number = terminal if isinstance(terminal, int) else terminal.fileno()
    if not os.isatty(number):
        raise termios.error(25, "Inappropriate ioctl for device")
    return number


def tcgetattr(terminal):
    number_of(terminal)
    settings = json.loads(value(calls.terminalSettings("{}")))
    modes = [termios.IXON, termios.ONLCR, termios.CS8 | termios.CREAD, termios.ECHOE | termios.ECHOK | termios.IEXTEN]
    for index, bit, name in FLAGS:
        modes[index] |= bit if settings[name] else 0
    keys = [bytes([key]) for key in KEYS] + [b"\x00"] * (KEPT - len(KEYS))
    if not settings["lines"]:
        keys[termios.VMIN], keys[termios.VTIME] = 1, 0
    return [*modes, SPEED, SPEED, keys]


def tcsetattr(terminal, when, attributes):
    number_of(terminal)
    change = {name: bool(attributes[index] & bit) for index, bit, name in FLAGS}
    value(calls.terminalSettings(json.dumps(change)))


def tcgetwinsize(terminal):
    number_of(terminal)
    size = value(calls.terminalSize())
    return size["rows"], size["columns"]


def nothing(terminal, *_what):
    """Checks the descriptor only: there is no serial line."""
    number_of(terminal)


def install():
    for function in (tcgetattr, tcsetattr, tcgetwinsize):
        setattr(termios, function.__name__, function)
    for name in ("tcdrain", "tcflush", "tcflow", "tcsendbreak"):
        setattr(termios, name, nothing)
