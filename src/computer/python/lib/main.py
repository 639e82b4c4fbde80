"""Entry point of `python3`: options, what to run, and how it ends. Exit codes are CPython's."""

import atexit
import builtins
import io
import json
import logging
import os
import random
import runpy
import sys
import time

from _sandglass import local_time
from _sandglass.kernel import calls

USAGE = "usage: python3 [option] ... [-c cmd | -m mod | file | -] [arg] ..."
HELP = USAGE + """
-B     : don't write .pyc files on import; also PYTHONDONTWRITEBYTECODE=x
-c cmd : program passed in as string (terminates option list)
-E     : ignore PYTHON* environment variables (such as PYTHONPATH)
-i     : inspect interactively after running script
-I     : isolate Python from the user's environment (implies -E and -P)
-m mod : run library module as a script (terminates option list)
-P     : don't prepend a potentially unsafe path to sys.path; also PYTHONSAFEPATH
-q     : don't print version and copyright messages on interactive startup
-u     : force the stdout and stderr streams to be unbuffered
-V     : print the Python version number and exit (also --version)
-W arg : warning control
-X pycache_prefix=PATH : write .pyc files to a parallel tree; also PYTHONPYCACHEPREFIX
file   : program read from script file
-      : program read from stdin (default; interactive mode if a tty)
"""
SITE = "/home/user/.local/lib/python3.14/site-packages"
FALLBACK = "/lib/python314.zip/_sandglass/fallback"
FLAGS = "BEIPiqu"
# Accepted without effect.
ALONE = "bdORsSvx"


def start(described):
    """Runs what the arguments say. Returns the exit code."""
    calls.limitStack()
    described = json.loads(described)
    os.environ.clear()
    os.environ.update(described["env"])
    begin()
    os.chdir(described["cwd"])
    os.environ["PWD"] = described["cwd"]
    from _sandglass import patches

    patches.apply()
    try:
        code = run(described["argv"])
    except SystemExit as end:
        code = exit_code(end)
    except BaseException as error:
        code = uncaught(error)
    return finish(code)


def begin():
    """Resets per-process state: this memory is a snapshot of an earlier start on another machine."""
    random.seed()
    logging._startTime = time.time_ns()
    local_time.follow()


def run(argv):
    called = os.path.basename(argv[0])
    if called in COMMANDS:
        argv = ["python3", "-m", COMMANDS[called], *argv[1:]]
    elif called in COMPRESSORS:
        argv = ["python3", "-m", "_sandglass.compressors", called, *argv[1:]]
    options, rest = parse(argv)
    if options["error"] is not None:
        print(options["error"], file=sys.stderr)
        print(USAGE + "\nTry `python3 -h' for more information.", file=sys.stderr)
        return 2
    environ = {} if options["E"] or options["I"] else os.environ
    open_streams(options["u"] or bool(environ.get("PYTHONUNBUFFERED")))
    if options["version"]:
        print("Python " + sys.version.split()[0])
        return 0
    if options["help"]:
        print(HELP, end="")
        return 0
    for choice in options["W"]:
        warn(choice)
    sys.executable = sys._base_executable = "/usr/bin/python3"
    sys.argv = rest
    sys.orig_argv = list(argv)
    sys.path[:] = [entry for entry in sys.path if entry]
    cache(options, environ)
    wanted = [entry for entry in environ.get("PYTHONPATH", "").split(os.pathsep) if entry]
    sys.path[:0] = wanted
    if os.path.isdir(SITE):
        import site

        site.addsitedir(SITE)
    sys.path.append(FALLBACK)
    safe = options["P"] or options["I"] or bool(environ.get("PYTHONSAFEPATH"))
    code = 0
    try:
        what = options["what"]
        if what == "c":
            prepend("", safe)
            run_source(options["code"] + "\n", "<string>")
        elif what == "m":
            prepend(os.getcwd(), safe)
            run_module(options["code"])
        elif rest and rest[0] != "-":
            code = run_file(rest[0], safe)
        else:
            prepend("", safe)
            sys.argv = rest or [""]
            if sys.stdin.isatty():
                options["i"] = False
                from _sandglass import console

                console.interact(namespace(), banner="" if options["q"] else None)
            else:
                run_source(sys.stdin.read(), "<stdin>")
    except SystemExit as end:
        if not options["i"]:
            raise
        code = exit_code(end)
    except BaseException as error:
        code = uncaught(error)
    if options["i"]:
        from _sandglass import console

        console.interact(namespace(), banner="")
    return code


def cache(options, environ):
    """Sets whether compiled modules are kept, as Pyodide does not by itself, and where."""
    sys.dont_write_bytecode = options["B"] or bool(environ.get("PYTHONDONTWRITEBYTECODE"))
    prefix = environ.get("PYTHONPYCACHEPREFIX")
    for choice in options["X"]:
        name, _, value = choice.partition("=")
        if name == "pycache_prefix":
            prefix = value
    sys.pycache_prefix = prefix or None


def prepend(folder, safe):
    """Makes a folder the first place of modules, unless `-P` forbids it."""
    if not safe:
        sys.path.insert(0, folder)


def parse(argv):
    options = {"what": None, "code": None, "version": False, "help": False, "W": [], "X": [], "error": None}
    options.update(dict.fromkeys(FLAGS, False))
    at = 1
    while at < len(argv):
        word = argv[at]
        if word == "--":
            at += 1
            break
        if word in ("--version", "--help"):
            options[word[2:]] = True
        elif not word.startswith("-") or word == "-":
            break
        elif word.startswith("--"):
            options["error"] = "unknown option " + word
            return options, []
        else:
            for place, letter in enumerate(word[1:], 2):
                if letter in "cmWX":
                    value = word[place:]
                    if not value:
                        at += 1
                        if at >= len(argv):
                            options["error"] = f"Argument expected for the -{letter} option"
                            return options, []
                        value = argv[at]
                    if letter in "WX":
                        options[letter].append(value)
                    elif letter in "cm":
                        options["what"], options["code"] = letter, value
                        return options, ["-" + letter, *argv[at + 1 :]]
                    break
                if letter == "V":
                    options["version"] = True
                elif letter in "h?":
                    options["help"] = True
                elif letter in FLAGS:
                    options[letter] = True
                elif letter not in ALONE:
                    options["error"] = f"unknown option -{letter}"
                    return options, []
        at += 1
    return options, list(argv[at:])


def warn(choice):
    import warnings

    try:
        warnings._setoption(choice)
    except warnings._OptionError as error:
        print(f"Invalid -W option ignored: {error}", file=sys.stderr)


def open_streams(unbuffered):
    """Opens new text streams: the interpreter started before they were known."""

    def text(descriptor, mode, errors, lines):
        raw = os.fdopen(descriptor, mode + "b", closefd=False)
        stream = io.TextIOWrapper(raw, encoding="utf-8", errors=errors, line_buffering=lines, write_through=unbuffered)
        stream.mode = mode
        return stream

    sys.stdin = sys.__stdin__ = text(0, "r", "strict", False)
    sys.stdout = sys.__stdout__ = text(1, "w", "strict", os.isatty(1) or unbuffered)
    sys.stderr = sys.__stderr__ = text(2, "w", "backslashreplace", True)
    for stream, name in ((sys.stdin, "<stdin>"), (sys.stdout, "<stdout>"), (sys.stderr, "<stderr>")):
        stream.buffer.raw.name = name


def namespace():
    main = sys.modules["__main__"].__dict__
    main.setdefault("__builtins__", builtins)
    main["__name__"] = "__main__"
    return main


def run_source(source, name):
    import linecache

    text = source if isinstance(source, str) else source.decode("utf-8", "replace")
    if name.startswith("<"):
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    own(lambda: exec(compile(source, name, "exec", dont_inherit=True), namespace()))


def run_module(name):
    """Runs `-m`: tracebacks show runpy's frames, as usual."""
    name = INSTEAD.get(name, name)
    if name in REFUSED:
        print(f"python3: {REFUSED[name]}", file=sys.stderr)
        raise SystemExit(1)
    own(lambda: runpy._run_module_as_main(name))


def run_file(path, safe):
    if os.path.isdir(path) or path.endswith((".zip", ".pyz")):
        sys.path.insert(0, path)
        own(lambda: runpy._run_module_as_main("__main__", False))
        return 0
    try:
        with io.open_code(os.path.abspath(path)) as file:
            source = file.read()
    except OSError as error:
        print(f"python3: can't open file {os.path.abspath(path)!r}: [Errno {2 if isinstance(error, FileNotFoundError) else error.errno}] {error.strerror}", file=sys.stderr)
        return 2
    from importlib.machinery import SourceFileLoader

    prepend(os.path.dirname(os.path.realpath(path)), safe)
    names = namespace()
    names["__file__"] = os.path.abspath(path)
    names["__loader__"] = SourceFileLoader("__main__", names["__file__"])
    names["__cached__"] = None
    own(lambda: exec(compile(source, names["__file__"], "exec", dont_inherit=True), names))
    return 0


def own(work):
    """Calls `work` so that tracebacks begin with the program's first frame."""
    try:
        work()
    except BaseException as error:
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename == own.__code__.co_filename:
            trace = trace.tb_next
        error.__traceback__ = trace
        mark(error, trace)
        raise


def mark(error, trace):
    error.__dict__["_sandglass_traceback"] = trace


def uncaught(error):
    """Prints it as CPython does. Ctrl-C returns 130."""
    trace = error.__dict__.get("_sandglass_traceback", error.__traceback__) if hasattr(error, "__dict__") else error.__traceback__
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        pass  # stdout is no longer read; the rest goes to stderr.
    error.__traceback__ = trace
    sys.last_exc = error
    try:
        sys.excepthook(type(error), error, trace)
    except SystemExit as end:
        return exit_code(end)
    return 130 if isinstance(error, KeyboardInterrupt) else 1


def exit_code(end):
    code = end.code
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 0xFF
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        pass
    print(code, file=sys.stderr)
    return 1


def finish(code):
    import threading

    try:
        threading._shutdown()
        atexit._run_exitfuncs()
    except BaseException as error:
        code = uncaught(error)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            code = code or 120
        except (OSError, ValueError, AttributeError):
            pass  # Closed by the program itself.
    return code


COMMANDS = {"pip": "pip", "pip3": "pip", "pytest": "pytest", "py.test": "pytest", "sqlite3": "_sandglass.sqlite_shell"}
COMPRESSORS = "bzip2 bunzip2 bzcat xz unxz xzcat lzma unlzma lzcat zstd unzstd zstdcat".split()

# Modules that cannot work here, and their replacements.
INSTEAD = {"venv": "_sandglass.venv", "http.server": "_sandglass.http_server"}

REFUSED = {
    "ensurepip": "pip is already here: use `pip install <package>`.",
    "idlelib": "there are no windows here. Use `python3` for an interactive prompt.",
    "tkinter": "there are no windows here.",
    "turtledemo": "there are no windows here.",
}
