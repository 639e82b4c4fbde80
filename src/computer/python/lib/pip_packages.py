"""Packages in the site directory and the commands they install."""

import configparser
import csv
import glob
import io
import os
import re
import shutil

SITE = "/home/user/.local/lib/python3.14/site-packages"
BIN = "/home/user/.local/bin"


class Refused(Exception):
    """Message for the user."""


class Compiled(Refused):
    """A package with parts that are compiled for a machine."""


class Distribution:
    """A package that was found: its requirements, and its files in the site directory (path → bytes)."""

    def __init__(self, name, version, needs, info, files):
        self.name = name
        self.version = version
        self.needs = needs
        self._info = info
        self._files = files

    def install(self):
        """Replaces the installed version of the package."""
        remove(self.name)
        for path, content in self._files.items():
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(content)
        write_commands(self._info)


def canonical(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def requires(info):
    """Requirements of an installed package."""
    with open(os.path.join(info, "METADATA"), encoding="utf-8", errors="replace") as file:
        return requires_of(file.read())


def requires_of(metadata):
    return re.findall(r"(?m)^Requires-Dist: (.+)$", re.split(r"\r?\n\r?\n", metadata)[0].replace("\r\n", "\n"))


def commands(info):
    """The commands of a package: name → `module:function`."""
    parser = configparser.ConfigParser(delimiters=("=",), interpolation=None)
    parser.optionxform = str
    parser.read(os.path.join(info, "entry_points.txt"), encoding="utf-8")
    found = dict(parser["console_scripts"]) if parser.has_section("console_scripts") else {}
    return {name: target for name, target in found.items() if re.fullmatch(r"[\w.+-]+", name) and re.match(r"[\w.]+:[\w.]+", target)}


def write_commands(info):
    for name, target in commands(info).items():
        module, _, function = re.match(r"[\w.]+:[\w.]+", target)[0].partition(":")
        os.makedirs(BIN, exist_ok=True)
        place = os.path.join(BIN, name)
        with open(place, "w", encoding="utf-8") as file:
            file.write(f"#!/usr/bin/env python3\nimport sys\nfrom {module} import {function.split('.')[0]}\nsys.exit({function}())\n")
        os.chmod(place, 0o755)


def info_directory(name, version):
    return os.path.join(SITE, f"{canonical(name).replace('-', '_')}-{version}.dist-info")


def site_path(name, label):
    """Path of a package's file in the site directory. Refuses one outside of it."""
    path = os.path.normpath(os.path.join(SITE, name))
    if not path.startswith(SITE + "/"):
        raise Refused(f"{label} is refused: {name} would be outside of the site directory.")
    return path


def with_record(files, info):
    """Adds the RECORD that lists the files (path → bytes) to them."""
    record = os.path.join(info, "RECORD")
    rows = io.StringIO()
    csv.writer(rows, lineterminator="\n").writerows((os.path.relpath(path, SITE), "", "") for path in [*files, record])
    return {**files, record: rows.getvalue().encode()}


def installed():
    """Canonical name → (name, version, its dist-info directory)."""
    found = {}
    for entry in sorted(os.listdir(SITE)) if os.path.isdir(SITE) else []:
        if entry.endswith(".dist-info"):
            name, version = entry.removesuffix(".dist-info").rsplit("-", 1)
            found[canonical(name)] = (name, version, os.path.join(SITE, entry))
    return found


def compiled(path):
    """Compiled files of a source, by whatever interpreter."""
    directory, name = os.path.split(path)
    stem, ending = os.path.splitext(name)
    return glob.glob(f"{glob.escape(os.path.join(directory, '__pycache__', stem))}.*.pyc") if ending == ".py" else []


def remove(name):
    found = installed().get(canonical(name))
    if not found:
        return None
    for name in commands(found[2]):
        if os.path.isfile(os.path.join(BIN, name)):
            os.unlink(os.path.join(BIN, name))
    with open(os.path.join(found[2], "RECORD"), encoding="utf-8", newline="") as file:
        paths = [os.path.normpath(os.path.join(SITE, row[0])) for row in csv.reader(file) if row]
    paths += [cached for path in paths for cached in compiled(path)]
    for path in paths:
        if path.startswith(SITE + "/") and os.path.isfile(path):
            os.unlink(path)
    shutil.rmtree(found[2], ignore_errors=True)
    for directory in sorted({os.path.dirname(path) for path in paths}, key=len, reverse=True):
        if directory.startswith(SITE + "/") and os.path.isdir(directory) and not os.listdir(directory):
            os.rmdir(directory)
    return found
