"""Files of a project that belong into the site directory: its packages with their data, and its single modules."""

import os
import re

from pip.packages import canonical

# Directories beside the packages of a project, which are none of it.
BESIDE = re.compile(r"(tests?|docs?|documentation|examples?|benchmarks?|scripts?|tools?|utils?|bin|ci|debian|build|dist|htmlcov|news|changelog|manpages|tasks|setup|conftest|noxfile|[._].*)", re.IGNORECASE)
SOURCES_OF_EXTENSIONS = (".c", ".cc", ".cpp", ".h", ".pyx", ".pxd", ".rs", ".pyc")


def files_of(root, about):
    """Path below the site directory → file. `about` is what `project.read` returns."""
    found = {}
    directories = about.get("directories") or {}
    for name in [*(about.get("packages") or []), *(about.get("modules") or [])]:
        path = name.replace(".", "/")
        for place in (directory_of(name, directories), os.path.join(source_directory(root), path)):
            if os.path.isdir(os.path.join(root, place)):
                found.update(files_below(root, place, path))
                break
            if os.path.isfile(os.path.join(root, f"{place}.py")):
                found[f"{path}.py"] = os.path.join(root, f"{place}.py")
                break
    if about.get("packages") or about.get("modules"):
        return found
    for base in about.get("sources") or [source_directory(root)]:
        for entry in top_level(os.path.join(root, base), about["name"]):
            found.update(files_below(root, os.path.join(base, entry), entry))
    return found


def directory_of(name, directories):
    """Directory of a package by the `package_dir` of setuptools."""
    parts = name.split(".")
    for size in range(len(parts), -1, -1):
        base = directories.get(".".join(parts[:size]))
        if base is not None:
            return os.path.join(base, *parts[size:])
    return os.path.join(*parts)


def top_level(base, name):
    """The package or module named as the project; else all in the directory that are no part of its tests or tools."""
    module = canonical(name).replace("-", "_")
    entries = sorted(os.listdir(base)) if os.path.isdir(base) else []
    own = [entry for entry in entries if entry.removesuffix(".py").lower() == module and is_module(base, entry)]
    return own or [entry for entry in entries if not BESIDE.fullmatch(entry.removesuffix(".py")) and is_module(base, entry)]


def is_module(base, entry):
    path = os.path.join(base, entry)
    return entry.endswith(".py") and os.path.isfile(path) or os.path.isfile(os.path.join(path, "__init__.py"))


def files_below(root, directory, target):
    """Files of a package with its data, or a single module."""
    start = os.path.join(root, directory)
    if os.path.isfile(start):
        return {target: start}
    found = {}
    for place, inner, files in os.walk(start):
        inner[:] = [name for name in inner if name != "__pycache__"]
        below = os.path.relpath(place, start)
        for name in files:
            if not name.endswith(SOURCES_OF_EXTENSIONS):
                found[os.path.normpath(os.path.join(target, below, name))] = os.path.join(place, name)
    return found


def source_directory(root):
    """`src` if the modules are in it."""
    inner = os.path.join(root, "src")
    return "src" if os.path.isdir(inner) and not os.path.exists(os.path.join(inner, "__init__.py")) else "."
