"""The fixtures that come with the runner."""

import collections
import io
import os
import pathlib
import sys
import tempfile

MISSING = object()
Captured = collections.namedtuple("CaptureResult", "out err")


class MonkeyPatch:
    def __init__(self):
        self.undos = []

    def setattr(self, target, name, value=MISSING, raising=True):
        if isinstance(target, str):
            value, (module, _, name) = name, target.rpartition(".")
            target = __import__("importlib").import_module(module)
        old = getattr(target, name, MISSING)
        if old is MISSING and raising:
            raise AttributeError(f"{target!r} has no attribute {name!r}")
        if isinstance(target, type):
            old = target.__dict__.get(name, MISSING)
        self.undos.append(lambda: delattr(target, name) if old is MISSING else setattr(target, name, old))
        setattr(target, name, value)

    def delattr(self, target, name, raising=True):
        old = getattr(target, name, MISSING)
        if old is MISSING:
            if raising:
                raise AttributeError(name)
            return
        self.undos.append(lambda: setattr(target, name, old))
        delattr(target, name)

    def setitem(self, mapping, name, value):
        old = mapping.get(name, MISSING)
        self.undos.append(lambda: mapping.pop(name, None) if old is MISSING else mapping.__setitem__(name, old))
        mapping[name] = value

    def delitem(self, mapping, name, raising=True):
        if name not in mapping:
            if raising:
                raise KeyError(name)
            return
        old = mapping.pop(name)
        self.undos.append(lambda: mapping.__setitem__(name, old))

    def setenv(self, name, value, prepend=None):
        if prepend and name in os.environ:
            value = value + prepend + os.environ[name]
        self.setitem(os.environ, name, str(value))

    def delenv(self, name, raising=True):
        self.delitem(os.environ, name, raising)

    def syspath_prepend(self, path):
        sys.path.insert(0, str(path))
        self.undos.append(lambda: sys.path.remove(str(path)))

    def chdir(self, path):
        old = os.getcwd()
        self.undos.append(lambda: os.chdir(old))
        os.chdir(path)

    def undo(self):
        while self.undos:
            self.undos.pop()()


class Capture:
    """Captures a test's output, shown if it fails or read by the test."""

    def __init__(self):
        self.begin()

    def begin(self):
        self.out, self.err = io.StringIO(), io.StringIO()
        sys.stdout, sys.stderr = self.out, self.err

    def readouterr(self):
        captured = Captured(self.out.getvalue(), self.err.getvalue())
        self.begin()
        return captured

    def end(self):
        sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__


def monkeypatch(request):
    patch = MonkeyPatch()
    request.addfinalizer(patch.undo)
    return patch


def tmp_path(request):
    return pathlib.Path(tempfile.mkdtemp(prefix="pytest-"))


def tmp_path_factory(request):
    class Factory:
        def mktemp(self, name, numbered=True):
            return pathlib.Path(tempfile.mkdtemp(prefix=name))

    return Factory()


def capsys(request):
    return request.capture


def caplog(request):
    import logging

    class Handler(logging.Handler):
        def __init__(self):
            super().__init__()
            self.records = []

        def emit(self, record):
            self.records.append(record)

        @property
        def text(self):
            return "".join(f"{r.levelname} {r.name}:{r.filename}:{r.lineno} {r.getMessage()}\n" for r in self.records)

        @property
        def messages(self):
            return [record.getMessage() for record in self.records]

        def set_level(self, level, logger=None):
            logging.getLogger(logger).setLevel(level)

    handler = Handler()
    root = logging.getLogger()
    root.addHandler(handler)
    request.addfinalizer(lambda: root.removeHandler(handler))
    return handler


FIXTURES = {f.__name__: f for f in (monkeypatch, tmp_path, tmp_path_factory, capsys, caplog)}
