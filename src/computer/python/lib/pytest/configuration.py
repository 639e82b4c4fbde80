"""Reads the settings that a project has for pytest."""

import configparser
import os
import shlex
import tomllib

#: Files in pytest's order, each with the section that makes it the configuration.
FILES = (
    ("pytest.ini", "pytest"),
    (".pytest.ini", "pytest"),
    ("pyproject.toml", None),
    ("tox.ini", "pytest"),
    ("setup.cfg", "tool:pytest"),
)


class Settings:
    """`file` is the file name, or None; the others are lists of words."""

    def __init__(self, file=None, values=None):
        values = values or {}
        self.file = file
        self.addopts, self.testpaths, self.pythonpath = (words(values.get(key)) for key in ("addopts", "testpaths", "pythonpath"))


def words(value):
    if value is None:
        return []
    return [str(word) for word in value] if isinstance(value, list) else shlex.split(str(value))


def settings():
    for name, section in FILES:
        if not os.path.isfile(name):
            continue
        values = of_toml(name) if section is None else of_ini(name, section)
        # The first two count even without the section.
        if values is not None or name.endswith("pytest.ini"):
            return Settings(name, values)
    return Settings()


def of_toml(name):
    with open(name, "rb") as file:
        tool = tomllib.load(file).get("tool", {})
    return tool.get("pytest", {}).get("ini_options") if isinstance(tool, dict) else None


def of_ini(name, section):
    parser = configparser.RawConfigParser(strict=False)
    parser.read(name, encoding="utf-8")
    return dict(parser[section]) if parser.has_section(section) else None
