"""A runner for tests written for pytest, used until the real one is installed with `pip install pytest`.

Fixtures, parametrize, marks, raises, approx, conftest.py, plain asserts that show their values, unittest classes.
"""

import importlib
import math
import re
import warnings as _warnings

__version__ = "sandglass"


class Skipped(BaseException):
    pass


class Failed(AssertionError):
    pass


class XFailed(BaseException):
    pass


def skip(reason="", *, allow_module_level=False):
    raise Skipped(reason)


def fail(reason="", pytrace=True):
    raise Failed(reason)


def xfail(reason=""):
    raise XFailed(reason)


def importorskip(name, minversion=None, reason=None):
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise Skipped(reason or f"could not import {name!r}: {error}")


class Mark:
    def __init__(self, name, args=(), kwargs=None):
        self.name, self.args, self.kwargs = name, args, kwargs or {}

    def __call__(self, *args, **kwargs):
        if len(args) == 1 and not kwargs and callable(args[0]) and not isinstance(args[0], Mark):
            target = args[0]
            target.pytestmark = [*getattr(target, "pytestmark", []), self]
            return target
        return Mark(self.name, args, kwargs)


class Marks:
    def __getattr__(self, name):
        return Mark(name)


mark = Marks()


class Param:
    def __init__(self, values, id, marks):
        self.values, self.id, self.marks = values, id, marks


def param(*values, id=None, marks=()):
    return Param(values, id, [marks] if isinstance(marks, Mark) else list(marks))


class Fixture:
    def __init__(self, function, scope, params, autouse, name, ids):
        self.function, self.scope, self.params, self.autouse, self.ids = function, scope, params, autouse, ids
        self.name = name or function.__name__
        self.__wrapped__ = function

    def __call__(self, *args, **kwargs):
        raise Failed(f'Fixture "{self.name}" called directly. Fixtures are requested as parameters of a test.')


def fixture(function=None, *, scope="function", params=None, autouse=False, ids=None, name=None):
    def make(wanted):
        return Fixture(wanted, scope, params, autouse, name, ids)

    return make(function) if function is not None else make


class ExceptionInfo:
    value = type = tb = None

    def match(self, pattern):
        assert re.search(pattern, str(self.value)), f"Regex pattern did not match.\n  Expected regex: {pattern!r}\n  Actual message: {str(self.value)!r}"
        return True

    @property
    def typename(self):
        return self.type.__name__

    def exconly(self):
        return f"{self.typename}: {self.value}"


class raises:
    def __new__(cls, expected, *args, match=None, **kwargs):
        self = super().__new__(cls)
        self.expected, self.pattern = expected, match
        if not args:
            return self
        self.info = ExceptionInfo()
        with self:
            args[0](*args[1:], **kwargs)
        return self.info

    def __init__(self, *_args, **_kwargs):
        pass

    def __enter__(self):
        self.info = ExceptionInfo()
        return self.info

    def __exit__(self, kind, error, trace):
        if kind is None:
            raise Failed(f"DID NOT RAISE {self.expected!r}")
        if not issubclass(kind, self.expected):
            return False
        self.info.value, self.info.type, self.info.tb = error, kind, trace
        if self.pattern is not None:
            self.info.match(self.pattern)
        return True


class warns(_warnings.catch_warnings):
    def __init__(self, expected=Warning, *, match=None):
        super().__init__(record=True)
        self.expected, self.pattern = expected, match

    def __enter__(self):
        self.seen = super().__enter__()
        _warnings.simplefilter("always")
        return self.seen

    def __exit__(self, *error):
        super().__exit__(*error)
        if error[0] is None and not any(
            issubclass(w.category, self.expected) and (self.pattern is None or re.search(self.pattern, str(w.message))) for w in self.seen
        ):
            raise Failed(f"DID NOT WARN. No warnings of type {self.expected} were emitted.")


class approx:
    def __init__(self, expected, rel=None, abs=None, nan_ok=False):
        self.expected, self.rel, self.abs, self.nan_ok = expected, rel, abs, nan_ok

    def near(self, actual, expected):
        if isinstance(expected, (int, float)) and isinstance(actual, (int, float)):
            if math.isnan(expected) and math.isnan(actual):
                return self.nan_ok
            least = 1e-12 if self.abs is None else self.abs
            tolerance = max((1e-6 if self.rel is None and self.abs is None else self.rel or 0) * math.fabs(expected), least)
            return actual == expected or math.fabs(actual - expected) <= tolerance
        return actual == expected

    def __eq__(self, actual):
        wanted = self.expected
        if isinstance(wanted, dict):
            return set(actual) == set(wanted) and all(self.near(actual[key], wanted[key]) for key in wanted)
        if isinstance(wanted, (list, tuple)):
            return len(actual) == len(wanted) and all(map(self.near, actual, wanted))
        return self.near(actual, wanted)

    __hash__ = None

    def __repr__(self):
        return f"approx({self.expected!r})"


def main(args=None):
    """Runs tests in this process. Returns the exit code: 0 passed, 1 failed, 2 interrupted, 4 usage, 5 none found."""
    import sys

    from pytest.session import run

    return run(list(sys.argv[1:] if args is None else args))
