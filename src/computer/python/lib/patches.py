"""Features CPython lacks in a browser and the sandbox has."""

import errno
import functools
import os
import sys
import time

from _sandglass import alarms, channels, local_time, standard_input, threads
from _sandglass.kernel import calls, value

SIGNALS = {2: "SIGINT", 15: "SIGTERM", 9: "SIGKILL", 1: "SIGHUP", 13: "SIGPIPE", 10: "SIGUSR1", 12: "SIGUSR2", 14: "SIGALRM", 3: "SIGQUIT", 6: "SIGABRT", 28: "SIGWINCH"}


def sleep(seconds):
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")
    threads.sleep(seconds)


def kill(pid, number):
    import signal

    if pid == calls.pid and number in SIGNALS and callable(signal.getsignal(number)):
        return threads.raise_signal(number)
    if number and number not in SIGNALS:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
    value(calls.kill(pid, SIGNALS[number] if number else 0))


def terminal_size(descriptor=1):
    if not os.isatty(descriptor):
        raise OSError(errno.ENOTTY, os.strerror(errno.ENOTTY))
    size = value(calls.terminalSize())
    return os.terminal_size((size["columns"], size["rows"]))


def current_umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def mkfifo(path, mode=0o666, *, dir_fd=None):
    """Creates a named pipe: the interpreter's file system supports it, but its C library has no function."""
    if dir_fd is not None:
        raise NotImplementedError("dir_fd unavailable on this platform")
    mask = current_umask()
    value(calls.mkfifo(os.path.abspath(os.fsdecode(path)), mode & ~mask & 0o777), path)


def fork(*_arguments):
    raise OSError(errno.ENOSYS, "Python cannot fork in the browser. Use subprocess.run to start a command.")


def openpty():
    raise OSError(errno.ENOSYS, "Python cannot open terminals in the browser. Use pipes, or an option such as --color=never.")


LIBRARY = "/lib/python314.zip/"


def name_sources():
    """Sets the file of library modules to the source, which is in the archive, not the compiled form.

    Their code objects also name the source, and programs compare the two (dataclasses in rich).
    """
    import zipimport

    compiled = zipimport.zipimporter.get_filename

    def get_filename(importer, name):
        found = compiled(importer, name)
        return found[:-1] if found.startswith(LIBRARY) and found.endswith(".pyc") else found

    zipimport.zipimporter.get_filename = get_filename
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and file.startswith(LIBRARY) and file.endswith(".pyc"):
            module.__file__ = module.__spec__.origin = file[:-1]
    name_frozen(zipimport.zipimporter(LIBRARY))


def name_frozen(library):
    """Makes modules that are part of the interpreter name the archive, which has their sources: their spec names a file elsewhere."""
    for name, module in list(sys.modules.items()):
        spec = getattr(module, "__spec__", None)
        if spec is not None and spec.origin == "frozen" and spec.name == name and (found := library.find_spec(name)):
            module.__spec__, module.__loader__ = found, found.loader


def load_as_modules():
    """Wraps JavaScript objects in `sys.modules` in modules: programs iterate over it and store its values in sets."""
    from types import ModuleType

    import _sandglass_calls

    for name, found in list(sys.modules.items()):
        if not isinstance(found, ModuleType):
            module = sys.modules[name] = ModuleType(name)
            module.__getattr__ = functools.partial(getattr, found)


def apply():
    sys.excepthook = sys.__excepthook__
    # Where `python3` is. Reloaders ignore files below it: all files, for root.
    sys.prefix = sys.base_prefix = sys.exec_prefix = sys.base_exec_prefix = "/usr"
    name_sources()
    load_as_modules()
    sys.platform = "linux" if os.environ.get("SANDGLASS_PYTHON_PLATFORM") == "linux" else sys.platform
    time.sleep = sleep
    time.process_time = threads.process_time
    time.process_time_ns = lambda: round(threads.process_time() * 1e9)
    time.tzset = local_time.follow
    os.kill = kill
    os.getpid = lambda: calls.pid
    os.getppid = lambda: calls.parent
    os.umask(calls.umask)
    os.getuid = os.geteuid = os.getgid = os.getegid = lambda: 1000
    os.get_terminal_size = terminal_size
    os.fork = os.forkpty = fork
    os.mkfifo = mkfifo
    os.openpty = openpty
    os.cpu_count = os.process_cpu_count = lambda: 1
    os.system = system
    os.popen = popen
    threads.install()
    standard_input.install()
    alarms.install()
    if channels.INHERITED in os.environ:
        channels.inherit(os.environ.pop(channels.INHERITED))
    sys.meta_path.insert(0, AfterImport())
    for name, patch in LATER.items():
        if name in sys.modules:
            patch()


def system(command):
    import subprocess

    sys.stdout.flush()
    code = subprocess.call(command, shell=True)
    return code << 8 if code >= 0 else -code


def popen(command, mode="r", buffering=-1):
    import subprocess

    if mode not in ("r", "w"):
        raise ValueError(f"invalid mode {mode!r}")
    stream = subprocess.PIPE
    child = subprocess.Popen(command, shell=True, text=True, **{"stdout" if mode == "r" else "stdin": stream})
    return os._wrap_close(child.stdout if mode == "r" else child.stdin, child)


def patch_subprocess():
    from _sandglass import subprocesses

    subprocesses.install()


def patch_asyncio():
    from _sandglass import event_loop

    event_loop.install()


def patch_multiprocessing():
    from multiprocessing import context

    def refuse(_process):
        raise OSError(errno.ENOSYS, "multiprocessing cannot start processes in the browser. Use ThreadPoolExecutor, or subprocess to start a command.")

    for kind in ("Process", "ForkProcess", "SpawnProcess", "ForkServerProcess"):
        getattr(context, kind)._Popen = staticmethod(refuse)


def patch_hashlib():
    from _sandglass import key_derivation

    key_derivation.install()


def patch_ssl():
    from _sandglass import tls

    tls.install()


def patch_queue():
    import queue

    queue.SimpleQueue = queue._PySimpleQueue


def patch_termios():
    from _sandglass import terminal

    terminal.install()


LATER = {"queue": patch_queue, "hashlib": patch_hashlib, "multiprocessing.context": patch_multiprocessing, "termios": patch_termios, "subprocess": patch_subprocess, "asyncio": patch_asyncio, "ssl": patch_ssl}

# Packages that check the platform on import and on emscripten do without the sockets that are here, or give up: the
# platform with the same features.
PLATFORMS = {"trio": "android", "urllib3": "linux"}


class AfterImport:
    """Patches a module on import: most programs never import it."""

    def find_spec(self, name, path=None, target=None):
        if name not in LATER and name not in PLATFORMS or name in sys.modules:
            return None
        sys.meta_path.remove(self)
        try:
            import importlib.util

            spec = importlib.util.find_spec(name)
        finally:
            sys.meta_path.insert(0, self)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def exec_module(module):
            if name in PLATFORMS:
                load_on_platform(PLATFORMS[name], execute, module)
            else:
                execute(module)
                LATER[name]()

        spec.loader = Wrapped(spec.loader, exec_module)
        return spec


def load_on_platform(platform, execute, module):
    # Library modules that check the platform themselves go first.
    import ctypes
    import sysconfig

    sysconfig.get_config_vars()
    own, sys.platform = sys.platform, platform
    try:
        execute(module)
    finally:
        sys.platform = own


class Wrapped:
    def __init__(self, loader, exec_module):
        self.loader = loader
        self.exec_module = exec_module

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def __getattr__(self, name):
        return getattr(self.loader, name)
