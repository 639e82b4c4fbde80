"""Parses options of `pip install` and requirements files. Accepts options that have no effect here; refuses those that would change the result."""

import argparse
import os
import re
import shlex

from pip.packages import Refused

# Options that only affect caches, builds, questions and output: the result is the same without them.
FLAGS = ("--no-cache-dir", "--disable-pip-version-check", "--no-input", "--user", "--break-system-packages", "--no-build-isolation",
         "--prefer-binary", "--no-warn-script-location", "--no-warn-conflicts", "--no-compile", "--compile", "--use-pep517", "--no-python-version-warning",
         "--no-color", "--isolated", "--require-virtualenv", "--require-hashes", "--check-build-dependencies")  # fmt: skip
VALUES = ("--timeout", "--retries", "--trusted-host", "--progress-bar", "--root-user-action", "--cache-dir", "--only-binary",
          "--upgrade-strategy", "--exists-action", "--log", "--proxy", "--cert", "--use-feature")  # fmt: skip
# Options that install elsewhere or pick other packages.
MISSING_VALUES = ("--extra-index-url", "--find-links", "--no-binary", "--target", "--prefix", "--root", "--platform", "--python-version", "--abi", "--src", "--group")
MISSING_FLAGS = ("--dry-run", "--no-index")
SHORT = {"--find-links": ["-f"], "--target": ["-t"]}


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Refused(message)


class Missing(argparse.Action):
    def __call__(self, _parser, _namespace, _values, option_string=None):
        raise Refused(f"{option_string} is not supported in the browser. Run the command without it.")


def parser():
    options = Parser(prog="pip install", add_help=False, allow_abbrev=False)
    options.add_argument("packages", nargs="*")
    options.add_argument("-r", "--requirement", action="append", default=[])
    options.add_argument("-c", "--constraint", action="append", default=[])
    options.add_argument("-e", "--editable", action="append", default=[])
    options.add_argument("-i", "--index-url", "--pypi-url")
    options.add_argument("--no-deps", "--no-dependencies", action="store_true")
    options.add_argument("-U", "--upgrade", "--force-reinstall", "-I", "--ignore-installed", action="store_true")
    options.add_argument("--pre", action="store_true")
    options.add_argument("-q", "--quiet", action="count", default=0)
    options.add_argument("-v", "--verbose", action="count", default=0)
    options.add_argument("-h", "--help", action="store_true")
    options.add_argument("--hash", action="append", default=[])
    for name in FLAGS:
        options.add_argument(name, action="store_true")
    for name in VALUES:
        options.add_argument(name)
    for name in MISSING_VALUES:
        options.add_argument(name, *SHORT.get(name, []), dest="missing", action=Missing)
    for name in MISSING_FLAGS:
        options.add_argument(name, dest="missing", action=Missing, nargs=0)
    return options


def parse(args):
    options, unknown = parser().parse_known_intermixed_args(args)
    if unknown:
        raise Refused(f"no such option: {unknown[0].partition('=')[0]}")
    return options


class Wanted:
    """Requests of a command line and its requirements files."""

    def __init__(self, args):
        self.options = parse(args)
        self.index = None
        self.packages = []
        # Lines of constraints files; and (requirement as written, hashes of which the file must have one).
        self.constraints = []
        self.hashes = []
        self._take(self.options, "")

    def _take(self, options, base):
        self.index = options.index_url or self.index
        self.packages += options.packages + options.editable
        for path in options.requirement:
            self._read(os.path.join(base, path))
        for path in options.constraint:
            self.constraints += [line for line in lines_of(os.path.join(base, path)) if not line.startswith("-")]

    def _read(self, path):
        for line in lines_of(path):
            if line.startswith("-"):
                self._take(parse(shlex.split(line)), os.path.dirname(path))
                continue
            text, *hashes = re.split(r"\s+--hash[= ]", line)
            self.packages.append(text.strip())
            if hashes:
                self.hashes.append((text.strip(), {value.strip() for value in hashes}))


def lines_of(path):
    """Lines of a requirements or constraints file without comments; a final backslash continues a line."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except OSError as error:
        raise Refused(f"Could not open requirements file: {error}") from None
    for line in re.sub(r"\\\n", " ", text).splitlines():
        line = re.sub(r"(^|\s)#.*", "", line).strip()
        if line:
            yield line
