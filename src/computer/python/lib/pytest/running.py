"""Runs one test."""

import asyncio
import inspect
import linecache
import os
import sys
import unittest

import pytest
from pytest.fixtures import Request, names_of

OWN = os.path.dirname(__file__)
LETTERS = {"PASSED": ".", "FAILED": "F", "ERROR": "E", "SKIPPED": "s", "XFAIL": "x", "XPASS": "X"}


class Result:
    def __init__(self, item, word, error=None, suffix=""):
        self.id, self.title, self.word = item.id + suffix, item.title + suffix, word
        self.letter, self.failed = LETTERS[word], word in ("FAILED", "ERROR")
        self.reason = first_line(error) if error is not None else ""
        self.details = details(error, item) if self.failed and error is not None else ""
        self.out = self.err = ""


def first_line(error):
    text = str(error).split("\n")[0]
    if isinstance(error, AssertionError) and text.startswith("assert "):
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def run_item(item, fixtures, capture):
    for chosen in fixtures.variants(item):
        suffix = "".join(f"[{value if isinstance(value, (str, int, float, bool)) else name + str(at)}]" for name, (at, value) in chosen.items())
        if capture:
            capture.begin()
        try:
            result = judged(item, fixtures, capture, chosen, suffix)
        finally:
            out, err = capture.readouterr() if capture else ("", "")
            if capture:
                capture.end()
        result.out, result.err = out, err
        yield result


def judged(item, fixtures, capture, chosen, suffix):
    expected = None
    for mark in item.marks:
        condition = mark.args[0] if mark.args and mark.name != "skip" else True
        if isinstance(condition, str) and mark.name in ("skipif", "xfail"):
            condition = eval(condition, dict(vars(item.module)))
        if mark.name == "skip" or mark.name == "skipif" and condition:
            return Result(item, "SKIPPED", suffix=suffix)
        if mark.name == "xfail" and condition:
            expected = mark
    try:
        call(item, fixtures, capture, chosen)
    except (pytest.Skipped, unittest.SkipTest):
        return Result(item, "SKIPPED", suffix=suffix)
    except pytest.XFailed:
        return Result(item, "XFAIL", suffix=suffix)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if expected and isinstance(error, expected.kwargs.get("raises", Exception)):
            return Result(item, "XFAIL", suffix=suffix)
        return Result(item, "ERROR" if isinstance(error, LookupError) and "fixture" in str(error) else "FAILED", error, suffix)
    if expected:
        strict = expected.kwargs.get("strict")
        return Result(item, "FAILED", AssertionError("[XPASS(strict)]"), suffix) if strict else Result(item, "XPASS", suffix=suffix)
    return Result(item, "PASSED", suffix=suffix)


def call(item, fixtures, capture, chosen):
    if item.owner and issubclass(item.owner, unittest.TestCase):
        outcome = unittest.TestResult()
        case = item.owner(item.plain)
        keep = []
        outcome.addError = outcome.addFailure = lambda _test, found: keep.append(found[1])
        case.run(outcome)
        if keep:
            raise keep[0]
        if outcome.skipped:
            raise pytest.Skipped(outcome.skipped[0][1])
        return
    request = Request(item, capture)
    request.chosen, request.fixtures = chosen, fixtures
    request.instance = item.owner() if item.owner else None
    around = [(request.instance, "method")] if item.owner else [(item.module, "function")]
    try:
        for name, found in fixtures.known(item).items():
            if found.autouse:
                fixtures.value(name, request)
        for mark in item.marks:
            if mark.name == "usefixtures":
                for name in mark.args:
                    fixtures.value(name, request)
        given = {name: fixtures.value(name, request) for name in names_of(item.function)}
        for holder, kind in around:
            hook(holder, f"setup_{kind}", item)
        try:
            function = getattr(request.instance, item.plain) if request.instance else item.function
            value = function(**given)
            if inspect.iscoroutine(value):
                asyncio.run(value)
        finally:
            for holder, kind in around:
                hook(holder, f"teardown_{kind}", item)
    finally:
        for finalizer in reversed(request.finalizers):
            finalizer()
        fixtures.finish({"function"})


def hook(holder, name, item):
    function = getattr(holder, name, None)
    if function:
        function(*([item.function] if inspect.signature(function).parameters else []))


def details(error, item):
    """Test source up to the line that failed, and the error, in pytest's format."""
    frames, trace = [], error.__traceback__
    while trace:
        path = trace.tb_frame.f_code.co_filename
        if not path.startswith(OWN) and "/unittest/" not in path and not path.endswith("/doctest.py"):
            frames.append((trace.tb_frame.f_code, trace.tb_lineno))
        trace = trace.tb_next
    lines = []
    for at, (code, number) in enumerate(frames):
        path = os.path.relpath(code.co_filename) if code.co_filename.startswith("/workspace") else code.co_filename
        lines.append("")
        for line in range(code.co_firstlineno, number + 1):
            text = linecache.getline(code.co_filename, line).rstrip()
            lines.append((">" + text[1:] if text[:1] == " " else "> " + text) if line == number else text)
            lines[-1] = ("    " + lines[-1]) if line != number else (">   " + text)
        if at == len(frames) - 1:
            head, *rest = str(error).split("\n")
            name = "" if isinstance(error, AssertionError) and head.startswith("assert ") else type(error).__name__ + (": " if head else "")
            lines += ["E       " + name + head, *("E       " + line for line in rest)]
        lines += ["", f"{path}:{number}: " + (type(error).__name__ if at == len(frames) - 1 else "")]
    return "\n".join(lines) if frames else "\n".join("E       " + line for line in f"{type(error).__name__}: {error}".split("\n"))
