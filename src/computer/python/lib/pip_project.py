"""Makes a project's own modules importable in place, without building anything, as `pip install -e .` does."""

import configparser
import os
import re
import runpy
import sys
import tomllib
import types

from pip.packages import SITE, Refused, canonical, remove, write_commands


def link(path):
    """Returns `name-version` and its requirements."""
    root = os.path.abspath(path)
    if not os.path.isdir(root):
        raise Refused(f"{path} is not a directory.")
    about = read(root)
    name, version = about["name"], about.get("version") or found_version(root, about) or "0.0.0"
    remove(name)
    info = os.path.join(SITE, f"{canonical(name).replace('-', '_')}-{version}.dist-info")
    os.makedirs(info, exist_ok=True)
    needs = list(about.get("requires", []))
    for extra, wanted in about.get("extras", {}).items():
        needs += [with_extra(need, extra) for need in wanted]
    pth = f"__editable__.{canonical(name).replace('-', '_')}.pth"
    scripts = "".join(f"{command} = {target}\n" for command, target in about.get("scripts", {}).items())
    files = {
        os.path.join(info, "METADATA"): f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n" + "".join(f"Requires-Dist: {need}\n" for need in needs),
        os.path.join(info, "INSTALLER"): "pip\n",
        os.path.join(info, "entry_points.txt"): f"[console_scripts]\n{scripts}",
        os.path.join(SITE, pth): "".join(f"{os.path.join(root, part)}\n" for part in about.get("sources") or [sources(root)]),
    }
    files[os.path.join(info, "RECORD")] = "".join(f"{os.path.relpath(file, SITE)},,\n" for file in files)
    for file, text in files.items():
        with open(file, "w", encoding="utf-8") as output:
            output.write(text)
    write_commands(info)
    return f"{name}-{version}", needs


def read(root):
    """Metadata from pyproject.toml, setup.cfg and setup.py, up to the first that names the project."""
    about, is_project = {}, False
    for part in (from_toml, from_cfg, from_setup):
        told = part(root)
        is_project = is_project or told is not None
        about = {**{key: value for key, value in (told or {}).items() if value}, **about}
        if about.get("name"):
            return about
    if not is_project:
        raise Refused(f"{root} does not appear to be a Python project: neither 'setup.py' nor 'pyproject.toml' found.")
    return {**about, "name": os.path.basename(root)}


def from_toml(root):
    try:
        with open(os.path.join(root, "pyproject.toml"), "rb") as file:
            text = tomllib.load(file)
    except FileNotFoundError:
        return None
    except tomllib.TOMLDecodeError as error:
        raise Refused(f"pyproject.toml cannot be read: {error}")
    tool = text.get("tool", {})
    where = [os.path.normpath(part) for part in tool.get("setuptools", {}).get("packages", {}).get("find", {}).get("where", [])] if isinstance(tool.get("setuptools", {}).get("packages"), dict) else []
    where = where or [part for part in [tool.get("setuptools", {}).get("package-dir", {}).get("")] if part]
    if "project" in text:
        project = text["project"]
        return {"name": project.get("name"), "version": project.get("version"), "requires": project.get("dependencies", []),
                "extras": project.get("optional-dependencies", {}), "scripts": project.get("scripts", {}), "sources": where}  # fmt: skip
    if "poetry" in tool:
        return from_poetry(tool["poetry"])
    return {"sources": where} if os.path.exists(os.path.join(root, "setup.py")) or os.path.exists(os.path.join(root, "setup.cfg")) else None


def from_poetry(poetry):
    wanted = {name: spec for name, spec in poetry.get("dependencies", {}).items() if name != "python"}
    lines = {name: poetry_line(name, spec) for name, spec in wanted.items()}
    needed = [line for name, line in lines.items() if not (isinstance(wanted[name], dict) and wanted[name].get("optional"))]
    extras = {extra: [lines[name] for name in names if name in lines] for extra, names in poetry.get("extras", {}).items()}
    parts = [package.get("from") for package in poetry.get("packages", []) if package.get("from")]
    return {"name": poetry.get("name"), "version": poetry.get("version"), "requires": needed, "extras": extras,
            "scripts": {name: target for name, target in poetry.get("scripts", {}).items() if isinstance(target, str)}, "sources": parts}  # fmt: skip


def poetry_line(name, spec):
    """Rewrites Poetry's `^1.2` and `~1.2` for PEP 508."""
    version = spec if isinstance(spec, str) else spec.get("version", "*")
    parts = []
    for part in version.split(","):
        part = part.strip()
        numbers = [int(number) for number in re.findall(r"\d+", part)]
        if part[:1] in "^~" and numbers:
            at = next((index for index, number in enumerate(numbers) if number), len(numbers) - 1) if part[0] == "^" else min(1, len(numbers) - 1)
            top = [*numbers[:at], numbers[at] + 1]
            parts.append(f">={part[1:]},<{'.'.join(map(str, top))}")
        elif part != "*":
            parts.append(part if part[:1] in "<>=!~" else f"=={part}")
    extras = "" if isinstance(spec, str) or not spec.get("extras") else f"[{','.join(spec['extras'])}]"
    return f"{name}{extras}{','.join(parts)}"


def from_cfg(root):
    parser = configparser.ConfigParser(interpolation=None)
    if not parser.read(os.path.join(root, "setup.cfg"), encoding="utf-8") or not parser.has_section("metadata"):
        return None
    lines = lambda section, key: [line.strip() for line in parser.get(section, key, fallback="").splitlines() if line.strip()]
    extras = {key: lines("options.extras_require", key) for key in parser["options.extras_require"]} if parser.has_section("options.extras_require") else {}
    scripts = dict(re.split(r"\s*=\s*", line, maxsplit=1) for line in lines("options.entry_points", "console_scripts"))
    version = parser.get("metadata", "version", fallback=None)
    where = [line.partition("=")[2].strip() for line in lines("options", "package_dir") if line.startswith("=")]
    return {"name": parser.get("metadata", "name", fallback=None), "version": None if version and ":" in version else version,
            "requires": lines("options", "install_requires"), "extras": extras, "scripts": scripts, "sources": where}  # fmt: skip


def from_setup(root):
    """Runs setup.py as a build would, with a `setup` that only records arguments."""
    file = os.path.join(root, "setup.py")
    if not os.path.exists(file):
        return None
    told = {}
    tools = types.ModuleType("setuptools")
    core = types.ModuleType("distutils.core")
    tools.setup = core.setup = lambda **arguments: told.update(arguments)
    tools.find_packages = tools.find_namespace_packages = lambda *_, **__: []
    tools.Extension = core.Extension = tools.Command = core.Command = type("Unused", (), {"__init__": lambda self, *_, **__: None})
    before = os.getcwd(), sys.argv, {name: sys.modules.get(name) for name in ("setuptools", "distutils.core")}
    os.chdir(root)
    sys.argv = ["setup.py", "develop"]
    sys.modules.update({"setuptools": tools, "distutils.core": core})
    try:
        runpy.run_path(file, run_name="__main__")
    except Exception as error:
        raise Refused(f"setup.py failed: {type(error).__name__}: {error}")
    finally:
        os.chdir(before[0])
        sys.argv = before[1]
        for name, module in before[2].items():
            if module is None:
                sys.modules.pop(name, None)
            else:
                sys.modules[name] = module
    if told.get("ext_modules"):
        raise Refused(f"{told.get('name', root)} has parts to be compiled for a machine, which cannot run in the browser.")
    listed = lambda value: [line.strip() for line in value.splitlines() if line.strip()] if isinstance(value, str) else list(value or [])
    points = told.get("entry_points") or {}
    scripts = dict(re.split(r"\s*=\s*", line, maxsplit=1) for line in listed(points.get("console_scripts") if isinstance(points, dict) else ""))
    directory = (told.get("package_dir") or {}).get("")
    extras = {extra: listed(needs) for extra, needs in (told.get("extras_require") or {}).items()}
    return {"name": told.get("name"), "version": str(told["version"]) if told.get("version") else None, "requires": listed(told.get("install_requires")),
            "extras": extras, "scripts": scripts, "sources": [directory] if directory else []}  # fmt: skip


def with_extra(need, extra):
    text, _, marker = need.partition(";")
    condition = f'extra == "{extra}"'
    return f"{text.strip()}; ({marker.strip()}) and {condition}" if marker.strip() else f"{text.strip()}; {condition}"


def sources(root):
    """`src` if the modules are in it."""
    inner = os.path.join(root, "src")
    return "src" if os.path.isdir(inner) and not os.path.exists(os.path.join(inner, "__init__.py")) else "."


def found_version(root, about):
    """`__version__` of the package, if the project has no version elsewhere."""
    module = canonical(about["name"]).replace("-", "_")
    for part in about.get("sources") or [sources(root)]:
        for file in (f"{module}/__init__.py", f"{module}/_version.py", f"{module}/__about__.py", f"{module}.py"):
            try:
                with open(os.path.join(root, part, file), encoding="utf-8") as source:
                    match = re.search(r"(?m)^__version__\s*(?::[^=]*)?=\s*['\"]([^'\"]+)['\"]", source.read())
            except FileNotFoundError:
                continue
            if match:
                return match[1]
    return None
