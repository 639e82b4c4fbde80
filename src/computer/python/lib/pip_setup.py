"""Runs a project's setup.py as a build would, with a setuptools that only records the arguments of `setup`."""

import fnmatch
import importlib.abc
import importlib.machinery
import os
import runpy
import sys
import types

from pip.packages import Refused

TOOLS = ("setuptools", "distutils")


def record(root):
    """Arguments that setup.py gives to `setup`."""
    arguments = {}
    tools = Tools(arguments)
    before = os.getcwd(), sys.argv, sys.path
    replaced = {name: sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0] in TOOLS}
    os.chdir(root)
    sys.argv, sys.path = ["setup.py", "develop"], [root, *sys.path]
    sys.meta_path.insert(0, tools)
    try:
        runpy.run_path(os.path.join(root, "setup.py"), run_name="__main__")
    except SystemExit as end:
        if end.code not in (None, 0):
            raise Refused(f"setup.py ended: {end.code}") from None
    except Exception as error:
        raise Refused(f"setup.py failed: {type(error).__name__}: {error}") from None
    finally:
        os.chdir(before[0])
        sys.argv, sys.path = before[1:]
        sys.meta_path.remove(tools)
        for name in [name for name in sys.modules if name.partition(".")[0] in TOOLS]:
            del sys.modules[name]
        sys.modules.update(replaced)
    return arguments


class Tools(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds each module of setuptools and distutils, installed or not."""

    def __init__(self, arguments):
        self._arguments = arguments

    def find_spec(self, name, _path, _target=None):
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if name.partition(".")[0] in TOOLS else None

    def create_module(self, spec):
        return Module(spec.name)

    def exec_module(self, module):
        module.setup = lambda **arguments: self._arguments.update(arguments)
        module.find_packages = find_packages
        module.find_namespace_packages = find_namespace_packages
        module.PEP420PackageFinder = types.SimpleNamespace(find=find_namespace_packages)
        module.convert_path = lambda path: path


class Module(types.ModuleType):
    """A module whose other names are classes that do nothing: commands and extensions of setup.py, errors it handles."""

    def __getattr__(self, name):
        if name == "__version__":
            return "80.0.0"
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (Exception if name.endswith("Error") else Unused,), {})


class Unused:
    def __init__(self, *arguments, name=None, **_named):
        self.name = name or (arguments[0] if arguments else None)


def find_packages(where=".", exclude=(), include=("*",)):
    """Names of the packages below a directory."""
    return packages(where, exclude, include, False)


def find_namespace_packages(where=".", exclude=(), include=("*",)):
    """Names of the packages below a directory; they need no `__init__.py`."""
    return packages(where, exclude, include, True)


def packages(where, exclude, include, with_namespaces):
    found = []
    for directory, inner, files in os.walk(where):
        inner[:] = sorted(name for name in inner if name.isidentifier())
        name = os.path.relpath(directory, where).replace(os.sep, ".")
        if name == ".":
            continue
        if not with_namespaces and "__init__.py" not in files:
            inner.clear()
            continue
        if any(fnmatch.fnmatchcase(name, each) for each in include) and not any(fnmatch.fnmatchcase(name, each) for each in exclude):
            found.append(name)
    return found
