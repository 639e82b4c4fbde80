"""Finds test files, and the tests in them."""

import doctest
import fnmatch
import inspect
import itertools
import os
import unittest

import pytest
from pytest.asserts import load

IGNORED = {"node_modules", "venv", "__pycache__", "build", "dist"}


class Item:
    def __init__(self, path, module, owner, name, function, marks, arguments, label):
        self.path, self.module, self.owner, self.function, self.marks = path, module, owner, function, marks
        self.arguments, self.name = arguments, name + (f"[{label}]" if label else "")
        self.plain = name
        parts = [path, owner.__name__, self.name] if owner else [path, self.name]
        self.id = "::".join(parts)
        self.title = ".".join(parts[1:])


def is_test_file(name):
    return fnmatch.fnmatch(name, "test_*.py") or fnmatch.fnmatch(name, "*_test.py")


def files(paths, every=False):
    """Test files below the paths; if `every`, all Python files, for examples in docstrings."""
    for path in paths:
        if os.path.isfile(path):
            yield path
            continue
        for directory, below, names in os.walk(path):
            below[:] = sorted(name for name in below if name not in IGNORED and not name.startswith("."))
            for name in sorted(names):
                if is_test_file(name) or every and name.endswith(".py") and name != "setup.py":
                    yield os.path.normpath(os.path.join(directory, name))


def module_of(path):
    """Module name, and the directory to import from: the nearest that is no package."""
    directory, name = os.path.split(os.path.abspath(path))
    name = name.removesuffix(".py")
    while os.path.exists(os.path.join(directory, "__init__.py")):
        directory, package = os.path.split(directory)
        name = f"{package}.{name}"
    return name, directory


def import_file(path):
    import sys

    name, directory = module_of(path)
    if directory not in sys.path:
        sys.path.insert(0, directory)
    if "." in name:
        __import__(name.rpartition(".")[0])
    return load(name, path)


def marks_of(*holders):
    found = []
    for holder in holders:
        own = getattr(holder, "pytestmark", [])
        found += own if isinstance(own, list) else [own]
    return found


def collect(path):
    module = import_file(path)
    for name, value in list(vars(module).items()):
        if inspect.isclass(value) and issubclass(value, unittest.TestCase):
            for method in unittest.TestLoader().getTestCaseNames(value):
                yield Item(path, module, value, method, getattr(value, method), marks_of(module, value, getattr(value, method)), {}, "")
        elif inspect.isclass(value) and name.startswith("Test") and value.__init__ is object.__init__:
            for method in [m for base in reversed(value.__mro__) for m in vars(base)]:
                function = getattr(value, method)
                if method.startswith("test") and callable(function):
                    yield from cases(path, module, value, method, function)
        elif name.startswith("test") and inspect.isfunction(value):
            yield from cases(path, module, None, name, value)


def collect_examples(path):
    """One test for each docstring that has examples."""
    module = import_file(path)
    for found in doctest.DocTestFinder().find(module, module.__name__):
        if found.examples:
            yield Item(path, module, None, found.name, examples_of(found), [], {}, "")


def examples_of(found):
    def run():
        try:
            doctest.DebugRunner(verbose=False).run(found, clear_globs=False)
        except doctest.DocTestFailure as failure:
            line = (found.lineno or 0) + failure.example.lineno + 1
            difference = doctest.OutputChecker().output_difference(failure.example, failure.got, 0)
            source = failure.example.source.rstrip()
            raise AssertionError(f"{found.filename}:{line}: {source}\n{difference.rstrip()}") from None
        except doctest.UnexpectedException as unexpected:
            raise unexpected.exc_info[1]

    return run


def cases(path, module, owner, name, function):
    marks = marks_of(module, owner, function) if owner else marks_of(module, function)
    axes = []
    for mark in reversed([mark for mark in marks if mark.name == "parametrize"]):
        names, values, *_ = [*mark.args, *[mark.kwargs[key] for key in ("argnames", "argvalues") if key in mark.kwargs]]
        names = [part.strip() for part in names.split(",")] if isinstance(names, str) else list(names)
        axes.append([case(names, value, at, mark.kwargs.get("ids")) for at, value in enumerate(values)])
    for chosen in itertools.product(*axes):
        arguments = {key: value for part, _, _ in chosen for key, value in part.items()}
        more = [mark for _, _, extra in chosen for mark in extra]
        yield Item(path, module, owner, name, function, marks + more, arguments, "-".join(label for _, label, _ in chosen))


def case(names, value, at, ids):
    label, marks = None, []
    if isinstance(value, pytest.Param):
        label, marks, values = value.id, value.marks, value.values
    else:
        values = (value,) if len(names) == 1 else tuple(value)
    if len(values) != len(names):
        raise ValueError(f"parametrize: {len(names)} names and {len(values)} values: {value!r}")
    if label is None and ids is not None:
        label = ids(values[0]) if callable(ids) else ids[at]
    if label is None:
        label = "-".join(shown(name, part, at) for name, part in zip(names, values))
    return dict(zip(names, values)), str(label), marks


def shown(name, value, at):
    if value is None or isinstance(value, (str, int, float, bool)):
        return str(value)
    return getattr(value, "__name__", None) or f"{name}{at}"
