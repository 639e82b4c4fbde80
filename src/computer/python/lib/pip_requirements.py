"""Requirements on packages: name, extras, versions or an address, and the marker that says where they apply (PEP 508)."""

import platform
import re
import sys

from pip.packages import Refused, canonical
from pip.versions import Invalid, is_version, satisfies, split

NAME = re.compile(r"\s*([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(?:\[([^]]*)\])?\s*", re.ASCII)
TOKEN = re.compile(r"""\s*(?:(?P<text>"[^"]*"|'[^']*')|(?P<operator>===|==|~=|!=|<=|>=|<|>|not\s+in\b|in\b)|(?P<word>and\b|or\b|[()])|(?P<name>[a-z_.]+))""")
OLD_NAMES = {
    "os.name": "os_name",
    "sys.platform": "sys_platform",
    "platform.version": "platform_version",
    "platform.machine": "platform_machine",
    "platform.python_implementation": "platform_python_implementation",
    "python_implementation": "platform_python_implementation",
}
# Parentheses of a marker: it is parsed by recursion, and comes from outside.
DEEPEST = 50
# Names whose values are compared as versions.
VERSIONS = {"python_version", "python_full_version", "implementation_version", "platform_release"}


def environment():
    """Values of the names that a marker may use."""
    full = ".".join(map(str, sys.version_info[:3]))
    return {
        "implementation_name": "cpython",
        "implementation_version": full,
        "os_name": "posix",
        "platform_machine": "wasm32",
        "platform_python_implementation": "CPython",
        "platform_release": platform.release(),
        "platform_system": "Emscripten",
        "platform_version": platform.version(),
        "python_full_version": full,
        "python_version": ".".join(map(str, sys.version_info[:2])),
        "sys_platform": "emscripten",
    }


class Requirement:
    """A parsed requirement: `name`, `extras`, `specifiers` or `url`, and `marker` as it is written."""

    def __init__(self, text):
        self.text = text.strip()
        match = NAME.match(text)
        if not match:
            raise Refused(f"Invalid requirement: {self.text!r}")
        self.name = match[1]
        self.extras = sorted({extra.strip() for extra in (match[2] or "").split(",") if extra.strip()})
        rest = text[match.end() :]
        self.url = None
        if rest.startswith("@"):
            # A marker is separated from an address by a space, since addresses may contain semicolons.
            self.url, _, self.marker = (part.strip() for part in re.sub(r"\s;", " \0", rest[1:]).partition("\0"))
            self.specifiers = ""
            return
        specifiers, _, marker = rest.partition(";")
        self.marker = marker.strip()
        self.specifiers = re.sub(r"^\((.*)\)$", r"\1", specifiers.strip())
        try:
            split(self.specifiers)
        except Invalid as error:
            raise Refused(f"Invalid requirement: {self.text!r} ({error})") from None

    def applies(self, extras=()):
        """Returns whether it applies here, for any of the extras or, without them, for none."""
        if not self.marker:
            return True
        try:
            condition = Marker(self.marker)
            return any(condition.holds(extra) for extra in extras or [""])
        except ValueError as error:
            raise Refused(f"Invalid marker: {self.marker!r} ({error})") from None


class Marker:
    """An expression such as `python_version < "3.9" and extra == "dev"`. Raises ValueError where it is not one."""

    def __init__(self, text):
        if text.count("(") > DEEPEST:
            raise ValueError("too many parentheses")
        self._tokens = list(tokens(text))
        self._tree = self._any_of()
        if self._tokens:
            raise ValueError(f"unexpected {self._tokens[0][1]}")

    def holds(self, extra):
        return evaluate(self._tree, {**environment(), "extra": extra})

    def _next_is(self, word):
        if self._tokens[:1] != [("word", word)]:
            return False
        self._tokens.pop(0)
        return True

    def _any_of(self):
        parts = [self._all_of()]
        while self._next_is("or"):
            parts.append(self._all_of())
        return any, parts

    def _all_of(self):
        parts = [self._comparison()]
        while self._next_is("and"):
            parts.append(self._comparison())
        return all, parts

    def _comparison(self):
        if self._next_is("("):
            inner = self._any_of()
            if not self._next_is(")"):
                raise ValueError("a parenthesis is not closed")
            return inner
        left, operator, right = self._take("text", "name"), self._take("operator"), self._take("text", "name")
        return left, operator[1], right

    def _take(self, *kinds):
        if not self._tokens or self._tokens[0][0] not in kinds:
            raise ValueError(f"{kinds[-1]} expected" + (f", not {self._tokens[0][1]}" if self._tokens else " at its end"))
        return self._tokens.pop(0)


def tokens(text):
    at, text = 0, text.rstrip()
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise ValueError(f"unexpected {text[at:].strip()}")
        at, kind = match.end(), match.lastgroup
        yield kind, re.sub(r"\s+", " ", match[kind]) if kind == "operator" else match[kind]


def evaluate(tree, values):
    if len(tree) == 2:
        combine, parts = tree
        return combine(evaluate(part, values) for part in parts)
    left, operator, right = tree
    names = {OLD_NAMES.get(word, word) for kind, word in (left, right) if kind == "name"}
    ours, theirs = value_of(left, values), value_of(right, values)
    if "extra" in names:
        ours, theirs = canonical(ours), canonical(theirs)
    return compare(ours, operator, theirs, bool(names & VERSIONS))


def value_of(token, values):
    kind, text = token
    if kind == "text":
        return text[1:-1]
    name = OLD_NAMES.get(text, text)
    if name not in values:
        raise ValueError(f"unknown name {text}")
    return values[name]


def compare(left, operator, right, are_versions):
    if operator in ("in", "not in"):
        return (left in right) == (operator == "in")
    if are_versions and is_version(left) and is_version(right.removesuffix(".*")):
        return satisfies(left, operator + right)
    if operator in ("==", "==="):
        return left == right
    if operator == "!=":
        return left != right
    if operator == "~=":
        raise ValueError(f"{left!r} {operator} {right!r} compares no versions")
    return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[operator]
