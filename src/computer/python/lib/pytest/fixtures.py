"""Provides fixtures to tests by their parameters' names."""

import inspect
import os

import pytest
from pytest.asserts import load
from pytest.builtin import FIXTURES


class Request:
    def __init__(self, item, capture, param=None):
        self.node = self.item = item
        self.function, self.module, self.cls = item.function, item.module, item.owner
        self.capture, self.param, self.finalizers = capture, param, []
        self.config = self

    def addfinalizer(self, function):
        self.finalizers.append(function)

    def getfixturevalue(self, name):
        return self.fixtures.value(name, self)


class Fixtures:
    """All fixtures of a run, with the values that outlive a test."""

    def __init__(self):
        self.kept = {}
        self.conftests = {}

    def known(self, item):
        found = {name: pytest.Fixture(function, "function", None, False, name, None) for name, function in FIXTURES.items()}
        for holder in [*self.above(item.path), item.module, *([item.owner] if item.owner else [])]:
            for name, value in inspect.getmembers(holder, lambda member: isinstance(member, pytest.Fixture)):
                found[value.name if value.name != value.function.__name__ else name] = value
        return found

    def above(self, path):
        directory, found = os.path.dirname(os.path.abspath(path)), []
        while True:
            conftest = os.path.join(directory, "conftest.py")
            if conftest not in self.conftests:
                self.conftests[conftest] = load("conftest:" + directory, conftest) if os.path.exists(conftest) else None
            if self.conftests[conftest]:
                found.insert(0, self.conftests[conftest])
            if directory in (os.getcwd(), "/"):
                return found
            directory = os.path.dirname(directory)

    def variants(self, item):
        """One set of parameters for each combination of values of the test's parametrized fixtures."""
        known, chosen, seen = self.known(item), [{}], set()
        waiting = [*names_of(item.function), *(name for name, one in known.items() if one.autouse)]
        while waiting:
            name = waiting.pop(0)
            if name in seen or name not in known or name in item.arguments:
                continue
            seen.add(name)
            waiting += names_of(known[name].function)
            if known[name].params is not None:
                chosen = [{**before, name: (at, value)} for before in chosen for at, value in enumerate(known[name].params)]
        return chosen

    def value(self, name, request):
        item = request.item
        if name == "request":
            return request
        if name in item.arguments and name not in getattr(request, "making", ()):
            return item.arguments[name]
        known = self.known(item)
        if name not in known:
            raise LookupError(f"fixture {name!r} not found\navailable fixtures: {', '.join(sorted(known))}")
        found = known[name]
        param = request.chosen.get(name, (0, None))
        key = (found.function, param[0], {"session": None, "package": None, "module": item.path, "class": (item.path, item.owner)}.get(found.scope, item.id))
        if key in self.kept:
            return self.kept[key][0]
        own = Request(item, request.capture, param[1])
        own.chosen, own.fixtures = request.chosen, self
        instance = [request.instance] if item.owner and inspect.ismethod(getattr(request.instance, found.function.__name__, None)) else []
        parameters = [wanted for wanted in names_of(found.function)]
        own.instance = request.instance
        given = {wanted: own if wanted == "request" else self.value(wanted, own) for wanted in parameters}
        value = found.function(*(instance or ([request.instance] if takes_self(found.function) else [])), **given)
        if inspect.isgenerator(value):
            made, value = value, next(value)
            own.addfinalizer(lambda: next(made, None))
        self.kept[key] = (value, own.finalizers, found.scope)
        return value

    def finish(self, scopes):
        """Runs the finalizers of fixtures of these scopes, the last created first."""
        for key, (_, finalizers, scope) in reversed(list(self.kept.items())):
            if scope in scopes:
                del self.kept[key]
                for finalizer in reversed(finalizers):
                    finalizer()


def names_of(function):
    wanted = inspect.signature(inspect.unwrap(function)).parameters.values()
    return [p.name for p in wanted if p.default is p.empty and p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) and p.name != "self"]


def takes_self(function):
    return "self" in inspect.signature(function).parameters
