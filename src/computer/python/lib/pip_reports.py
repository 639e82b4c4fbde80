"""What `pip list`, `freeze`, `show` and `check` say of the installed packages."""

import argparse
import csv
import email
import json
import os
import sys

from pip.packages import SITE, Refused, canonical, installed, requires
from pip.requirements import Requirement
from pip.versions import satisfies


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Refused(message)


def report(command, args):
    """Runs one of the commands. Returns its exit code."""
    if command in ("list", "freeze"):
        return listing(command, args)
    return show(args) if command == "show" else check()


def needed(info):
    """Requirements of an installed package that apply here."""
    found = [Requirement(text) for text in requires(info)]
    return [requirement for requirement in found if requirement.applies()]


def listing(command, args):
    parser = Parser(prog=f"pip {command}", add_help=False, allow_abbrev=False)
    parser.add_argument("--format", choices=("columns", "freeze", "json"), default="columns" if command == "list" else "freeze")
    parser.add_argument("--exclude", action="append", default=[])
    parser.add_argument("--disable-pip-version-check", action="store_true")
    # All packages here are of the user, and none of them is pip.
    for name in ("--user", "--local", "-l", "--all"):
        parser.add_argument(name, action="store_true")
    options = parser.parse_args(args)
    without = {canonical(name) for name in options.exclude}
    found = [(name, version) for key, (name, version, _) in sorted(installed().items()) if key not in without]
    if options.format == "json":
        print(json.dumps([{"name": name, "version": version} for name, version in found]))
    elif options.format == "freeze":
        for name, version in found:
            print(f"{name}=={version}")
    elif found:
        widths = [max(len(row[column]) for row in [("Package", "Version"), *found]) for column in (0, 1)]
        for row in (("Package", "Version"), ("-" * widths[0], "-" * widths[1]), *found):
            print(f"{row[0]:{widths[0]}} {row[1]}")
    return 0


def show(args):
    with_files = {"-f", "--files"} & set(args)
    names = [name for name in args if name not in ("-f", "--files")]
    if not names:
        print("WARNING: ERROR: Please provide a package name or names.", file=sys.stderr)
        return 1
    known = installed()
    missing = [name for name in names if canonical(name) not in known]
    if missing:
        print(f"WARNING: Package(s) not found: {', '.join(sorted(missing))}", file=sys.stderr)
    parts = [description(known, canonical(name), with_files) for name in names if name not in missing]
    if parts:
        print("\n---\n".join(parts))
    return 0 if parts else 1


def description(known, key, with_files):
    name, version, info = known[key]
    with open(os.path.join(info, "METADATA"), encoding="utf-8", errors="replace") as file:
        about = email.message_from_file(file)
    users = [other for other, _, place in known.values() if key in {canonical(need.name) for need in needed(place)}]
    license = about.get("License-Expression") or about.get("License") or ""
    lines = [f"Name: {name}", f"Version: {version}", f"Summary: {about.get('Summary') or ''}", f"Home-page: {about.get('Home-page') or ''}",
             f"Author: {about.get('Author') or ''}", f"Author-email: {about.get('Author-email') or ''}", f"License: {license}",
             f"Location: {SITE}", f"Requires: {', '.join(sorted((need.name for need in needed(info)), key=str.lower))}",
             f"Required-by: {', '.join(sorted(users, key=str.lower))}"]  # fmt: skip
    if with_files:
        with open(os.path.join(info, "RECORD"), encoding="utf-8", newline="") as file:
            lines += ["Files:", *(f"  {row[0]}" for row in sorted(csv.reader(file)) if row)]
    return "\n".join(lines)


def check():
    known = installed()
    broken = []
    for name, version, info in known.values():
        for need in needed(info):
            have = known.get(canonical(need.name))
            if canonical(need.name) == "pip":
                continue
            if have is None:
                broken.append(f"{name} {version} requires {need.name}, which is not installed.")
            elif not satisfies(have[1], need.specifiers):
                broken.append(f"{name} {version} has requirement {need.text}, but you have {have[0]} {have[1]}.")
    print("\n".join(broken) or "No broken requirements found.")
    return 1 if broken else 0
