"""Runs the tests found and reports as pytest does."""

import os
import sys
import time
import traceback

import pytest
from pytest.builtin import Capture
from pytest.collecting import collect, collect_examples, files, is_test_file
from pytest.configuration import settings
from pytest.fixtures import Fixtures
from pytest.running import run_item

WIDTH = 80
USAGE = "usage: pytest [-k EXPRESSION] [-m MARKER] [-x] [--maxfail N] [-q] [-v] [-s] [--collect-only] [--doctest-modules] [--tb short|no] [file[::test]] ..."


def parse(args):
    options = {"k": "", "m": "", "maxfail": 0, "verbose": 0, "s": False, "collect": False, "doctest": False, "tb": "long", "paths": [], "rest": ""}
    args = list(args)
    while args:
        word = args.pop(0)
        name, equals, value = word.partition("=")
        if name in ("-k", "-m", "--maxfail", "--tb", "-p", "-o", "-W", "--rootdir", "-r", "--durations", "--color", "-n", "--import-mode"):
            value = value if equals else args.pop(0) if args else ""
            if name.strip("-") in options:
                options[name.strip("-")] = int(value) if name == "--maxfail" else value
        elif word in ("-x", "--exitfirst"):
            options["maxfail"] = 1
        elif word in ("-s", "--capture=no"):
            options["s"] = True
        elif word in ("--co", "--collect-only"):
            options["collect"] = True
        elif word == "--doctest-modules":
            options["doctest"] = True
        elif word in ("--quiet", "--verbose"):
            options["verbose"] += 1 if word == "--verbose" else -1
        elif word.startswith("-") and not word.startswith("--") and set(word[1:]) <= set("qv"):
            options["verbose"] += word.count("v") - word.count("q")
        elif word in ("--version", "-V", "-h", "--help"):
            options["rest"] = word
        elif word.startswith("-r") or word in ("-l", "--showlocals", "--no-header", "--strict-markers", "--strict-config", "--strict"):
            pass
        elif word.startswith("-"):
            raise ValueError(f"unrecognized arguments: {word}")
        else:
            options["paths"].append(word)
    return options


def chosen(text, names):
    """Returns whether `-k` or `-m` selects the names."""
    if not text:
        return True
    import re

    expression = re.sub(r"[^\s()]+", lambda word: word[0] if word[0] in ("and", "or", "not") else f"has({word[0]!r})", text)
    return bool(eval(expression, {"__builtins__": {}, "has": lambda word: any(word.lower() in name.lower() for name in names)}))


def bar(text, mark="="):
    print(f" {text} ".center(WIDTH, mark) if text else mark * WIDTH)


def run(args):
    try:
        configured = settings()
        options = parse([*configured.addopts, *args])
    except ValueError as error:
        print(f"ERROR: {USAGE}\npytest: error: {error}\nThis is Sandglass's own runner; `pip install pytest` installs pytest itself.", file=sys.stderr)
        return 4
    options["paths"] = options["paths"] or configured.testpaths
    sys.path[:0] = [os.path.abspath(path) for path in configured.pythonpath]
    if options["rest"]:
        print("pytest (Sandglass's own runner)" if "V" in options["rest"] or "version" in options["rest"] else USAGE)
        return 0
    begun = time.perf_counter()
    quiet, verbose = options["verbose"] < 0, options["verbose"] > 0
    if not quiet:
        bar("test session starts")
        print(f"platform {sys.platform} -- Python {sys.version.split()[0]}, Sandglass's own runner for pytest's tests\nrootdir: {os.getcwd()}")
        if configured.file:
            print(f"configfile: {configured.file}")
    missing = [path for path in options["paths"] if not os.path.exists(path.split("::")[0])]
    if missing:
        print(f"ERROR: file or directory not found: {missing[0]}\n", file=sys.stderr)
        return 4
    items, broken = gather(options)
    if not quiet:
        print(f"collected {len(items)} item{'s' * (len(items) != 1)}" + (f" / {len(broken)} error{'s' * (len(broken) != 1)}" if broken else ""))
    before = len(items)
    items = [
        item
        for item in items
        if chosen(options["k"], [item.id, *[mark.name for mark in item.marks]]) and (not options["m"] or chosen(options["m"], [mark.name for mark in item.marks]))
    ]
    if options["collect"]:
        for item in items:
            print(item.id)
        return 2 if broken else 0 if items else 5
    print("" if quiet else "\n", end="")
    results = [] if broken else run_all(items, options, verbose, quiet)
    return report(results, broken, before - len(items), time.perf_counter() - begun, options, quiet)


def gather(options):
    items, broken, paths = [], [], options["paths"] or [os.curdir]
    for wanted in paths:
        path, *names = wanted.split("::")
        for file in files([path], options["doctest"]):
            try:
                found = list(collect_examples(file)) if options["doctest"] else []
                # A file given as an argument always counts as a test file.
                if is_test_file(os.path.basename(file)) or os.path.isfile(path):
                    found += collect(file)
            except pytest.Skipped:
                continue
            except BaseException as error:
                if isinstance(error, KeyboardInterrupt):
                    raise
                broken.append((file, error))
                continue
            tail = "::".join(names)
            items += [item for item in found if not names or item.id.split("::", 1)[1] == tail or item.id.split("::", 1)[1].startswith((tail + "::", tail + "["))]
    return items, broken


def run_all(items, options, verbose, quiet):
    results, fixtures, column = [], Fixtures(), 0
    capture = None if options["s"] else Capture()
    if capture:
        capture.end()
    total, last = len(items), None
    for at, item in enumerate(items):
        if item.path != last:
            if last is not None:
                fixtures.finish({"module", "class"})
                if not verbose:
                    print(f" [{at * 100 // total:3}%]".rjust(WIDTH - column))
            if not verbose and not quiet:
                print(item.path + " ", end="")
            column = 0 if quiet else len(item.path) + 1
            last = item.path
        for result in run_item(item, fixtures, capture):
            results.append(result)
            if verbose:
                line = f"{result.id} {result.word}"
                print(line + f"[{(at + 1) * 100 // total:3}%]".rjust(max(1, WIDTH - len(line))))
            else:
                print(result.letter, end="", flush=True)
                column += 1
        if options["maxfail"] and sum(result.failed for result in results) >= options["maxfail"]:
            break
    fixtures.finish({"module", "class", "package", "session"})
    if not verbose and items:
        print(f" [{(at + 1) * 100 // total:3}%]".rjust(WIDTH - column))
    return results


def report(results, broken, deselected, seconds, options, quiet):
    failures = [result for result in results if result.failed]
    if broken:
        print()
        bar("ERRORS")
        for path, error in broken:
            bar(f"ERROR collecting {path}", "_")
            print("".join("E   " + line for line in "".join(traceback.format_exception_only(error)).splitlines(True)))
    if failures and options["tb"] != "no":
        print()
        bar("FAILURES")
        for result in failures:
            bar(result.title, "_")
            print(result.details)
            for name, text in (("stdout", result.out), ("stderr", result.err)):
                if text:
                    bar(f"Captured {name} call", "-")
                    print(text, end="" if text.endswith("\n") else "\n")
    if failures or broken:
        bar("short test summary info")
        for result in failures:
            print(f"{result.word} {result.id}" + (f" - {result.reason}" if result.reason else ""))
        for path, error in broken:
            print(f"ERROR {path}" + (f" - {type(error).__name__}: {error}" if str(error) else ""))
        if broken:
            bar(f"Interrupted: {len(broken)} error{'s' * (len(broken) != 1)} during collection", "!")
    elif not quiet:
        print()
    words = {"FAILED": "failed", "PASSED": "passed", "SKIPPED": "skipped", "XFAIL": "xfailed", "XPASS": "xpassed", "ERROR": "error"}
    counts = [(sum(result.word == word for result in results), name) for word, name in words.items()]
    parts = [f"{count} {name}" for count, name in counts if count]
    if deselected:
        parts.append(f"{deselected} deselected")
    if broken:
        parts.append(f"{len(broken)} error{'s' * (len(broken) != 1)}")
    line = f"{', '.join(parts) or 'no tests ran'} in {seconds:.2f}s"
    print(line) if quiet else bar(line)
    return 2 if broken else 1 if failures else 0 if results else 5
