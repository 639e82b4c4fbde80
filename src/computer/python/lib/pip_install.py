"""`pip install`: finds everything that is asked for and needed, then installs all of it."""

import hashlib
import os
import re
import urllib.parse

from pip.index import ARCHIVES, INDEX, candidates, download, fetch
from pip.options import Wanted
from pip.packages import SITE, Compiled, Refused, canonical, installed, requires
from pip.project import link
from pip.requirements import Requirement
from pip.source import read_source
from pip.versions import satisfies
from pip.wheel import read_wheel


def install(args, usage):
    wanted = Wanted(args)
    if wanted.options.help:
        return print(usage)
    if not wanted.packages:
        raise Refused('You must give at least one requirement to install (see "pip help install")')
    search = Search(wanted)
    for text in wanted.packages:
        search.take(text, [], None)
    search.finish()


class Search:
    """Finds packages and what they need. Nothing is installed before everything is found."""

    def __init__(self, wanted):
        self._options = wanted.options
        self._index = wanted.index or os.environ.get("PIP_INDEX_URL", INDEX)
        self._say = (lambda _text: None) if wanted.options.quiet else print
        self._hashes = {canonical(Requirement(text).name): allowed for text, allowed in wanted.hashes if not is_file(text)}
        # Canonical name → pairs of version specifiers for it and the package that has them, None for the user.
        self._limits = {}
        # Canonical name → distribution.
        self._found = {}
        self._installed = installed()
        self._seen = set()
        self._waiting = []
        for text in wanted.constraints:
            requirement = Requirement(text)
            if requirement.applies():
                self._limit(requirement, None)

    def take(self, text, extras, dependent):
        """Adds a requirement of a package (None: of the user), with the extras that are asked of that package."""
        self._waiting.append((text, extras, dependent))

    def finish(self):
        while self._waiting:
            text, extras, dependent = self._waiting.pop(0)
            if dependent is None and is_file(text):
                self._add(self._read(text), extras_of(text))
            else:
                self._require(Requirement(text), extras, dependent)
        for found in self._found.values():
            found.install()
        if self._found:
            self._say("Successfully installed " + " ".join(sorted(f"{found.name}-{found.version}" for found in self._found.values())))

    def _require(self, requirement, extras, dependent):
        key = canonical(requirement.name)
        if not requirement.applies(extras) or (key, requirement.text) in self._seen:
            return
        self._seen.add((key, requirement.text))
        if key == "pip":
            # The real one would replace this, and could take no package whose Python code works alone.
            self._say(f"Requirement already satisfied: {requirement.text} (the sandbox's own)")
        elif requirement.url:
            self._add(self._read(requirement.url), requirement.extras)
        else:
            self._limit(requirement, dependent)
            self._meet(requirement, dependent)

    def _limit(self, requirement, dependent):
        self._limits.setdefault(canonical(requirement.name), []).append((requirement.specifiers, dependent))

    def _meet(self, requirement, dependent):
        """Takes what is found or installed already, or the newest version within all limits so far."""
        key = canonical(requirement.name)
        limits = ",".join(specifiers for specifiers, _ in self._limits[key])
        found, have = self._found.get(key), self._installed.get(key)
        if found and satisfies(found.version, limits):
            self._need(found.needs, requirement.extras, key)
        elif not found and have and satisfies(have[1], limits) and not (self._options.upgrade and dependent is None):
            self._say(f"Requirement already satisfied: {requirement.text} in {SITE} ({have[1]})")
            self._need(requires(have[2]), requirement.extras, key)
        else:
            self._say(f"Collecting {requirement.text}")
            try:
                self._add(self._choose(requirement.name, limits), requirement.extras)
            except Refused as error:
                asked = [f"{requirement.name}{specifiers} by {by or 'you'}" for specifiers, by in self._limits[key] if specifiers]
                if len(asked) < 2:
                    raise
                raise Refused(f"{error}\nIt is asked for as {', '.join(asked)}. Ask for versions of these that go together.") from None

    def _choose(self, name, limits):
        """The newest candidate that consists of Python alone."""
        refusal = None
        for file in candidates(name, limits, self._index, self._options.pre):
            size = f" ({file['size'] / 1000:.0f} kB)" if file.get("size") else ""
            self._say(f"  Downloading {file['filename']}{size}")
            try:
                return read(download(file, self._hashes.get(canonical(name))), file["filename"])
            except Compiled as error:
                refusal = refusal or error
        raise refusal

    def _read(self, text):
        """Reads a wheel or an archive of sources at a path or an address, or a project in a directory."""
        if re.match(r"(git|hg|svn|bzr)\+", text):
            raise Refused(f"{text} is not supported in the browser. Clone the repository, and install the directory: pip install ./DIRECTORY")
        if re.match(r"https?://", text):
            self._say(f"Collecting {text}")
            return read(fetch_checked(text), urllib.parse.unquote(urllib.parse.urlsplit(text).path))
        path = without_extras(text.removeprefix("file://"))
        if os.path.isdir(path) or not path.endswith((".whl", *ARCHIVES)):
            self._say(f"Obtaining file://{os.path.abspath(path)}")
            return link(path)
        self._say(f"Processing {text}")
        with open(path, "rb") as file:
            return read(file.read(), path)

    def _add(self, found, extras):
        key = canonical(found.name)
        # What another version of it asked for no longer counts.
        self._limits = {name: [limit for limit in limits if limit[1] != key] for name, limits in self._limits.items()}
        self._found[key] = found
        self._need(found.needs, extras, key)

    def _need(self, needs, extras, key):
        if self._options.no_deps:
            return
        for need in needs:
            self.take(need, extras, key)


def is_file(text):
    """Detects a path or an address, as pip does: `.`, `./x[dev]`, `/x`, `x.whl`, `https://…`, `git+https://…`."""
    path = without_extras(text)
    if re.match(r"[\w.-]+\s*(\[[^]]*\])?\s*@", path):
        return False
    return path.startswith((".", "/")) or "://" in path or path.endswith((".whl", *ARCHIVES)) or os.sep in path and os.path.isdir(path)


def without_extras(text):
    return re.sub(r"\[[^]]*\]$", "", text)


def extras_of(text):
    match = re.search(r"\[([^]]*)\]$", text)
    return re.findall(r"[\w.-]+", match[1]) if match else []


def fetch_checked(address):
    """Fetches a file and checks it against the hash in its address."""
    url, _, fragment = address.partition("#")
    data = fetch(url)
    if data is None:
        raise Refused(f"{url} was not found.")
    wanted = re.search(r"\bsha256=([0-9a-f]+)", fragment)
    if wanted and hashlib.sha256(data).hexdigest() != wanted[1]:
        raise Refused(f"{url} does not match the hash in its address. It was not installed.")
    return data


def read(data, filename):
    if filename.endswith(".whl"):
        return read_wheel(data, filename)
    if filename.endswith(ARCHIVES):
        return read_source(data, filename)
    raise Refused(f"{filename} is neither a wheel nor an archive of sources.")
