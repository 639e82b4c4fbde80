"""Metadata of a project that is there as sources, and how it is made importable in place, as `pip install -e` does."""

import configparser
import email
import os
import re
import tomllib

from pip import setup
from pip.modules import source_directory
from pip.packages import SITE, Compiled, Distribution, Refused, canonical, info_directory, with_record

TO_COMPILE = "has parts to be compiled for a machine, which cannot run in the browser. Its code in Python does not work without them."
# Build backends whose projects have parts that are compiled for a machine.
COMPILING = ("maturin", "mesonpy", "py_build_cmake", "scikit_build_core", "skbuild", "setuptools_rust", "sipbuild")


def link(path):
    """Makes the modules of a project importable where they are."""
    root = os.path.abspath(path)
    if not os.path.isdir(root):
        raise Refused(f"{path} is not a directory.")
    about = read(root)
    name, version = about["name"], version_of_project(root, about) or "0.0.0"
    info = info_directory(name, version)
    pth = f"__editable__.{canonical(name).replace('-', '_')}.pth"
    places = [os.path.join(root, part) for part in about.get("sources") or [source_directory(root)]]
    files = {**metadata_files(info, about, version), os.path.join(SITE, pth): "".join(f"{place}\n" for place in places).encode()}
    return Distribution(name, version, needs_of(about), info, with_record(files, info))


def needs_of(about):
    """Requirements of a project, those of its extras with a marker."""
    needs = list(about.get("requires", []))
    for extra, wanted in about.get("extras", {}).items():
        needs += [with_extra(need, extra) for need in wanted]
    return needs


def metadata_files(info, about, version):
    """Files of a dist-info directory (path → bytes), without RECORD."""
    lines = ["Metadata-Version: 2.1", f"Name: {about['name']}", f"Version: {version}", *(f"Requires-Dist: {need}" for need in needs_of(about))]
    scripts = "".join(f"{command} = {target}\n" for command, target in about.get("scripts", {}).items())
    files = {"METADATA": "\n".join(lines) + "\n", "INSTALLER": "pip\n", "entry_points.txt": f"[console_scripts]\n{scripts}"}
    return {os.path.join(info, name): text.encode() for name, text in files.items()}


def read(root, with_setup=False):
    """
    Metadata from pyproject.toml, setup.cfg and setup.py, up to the first that names the project; with `with_setup`
    from setup.py in each case, which says whether parts are compiled.
    """
    about, is_project = {}, False
    for part in (from_toml, from_cfg, from_setup):
        if about.get("name") and not (with_setup and part is from_setup):
            continue
        found = part(root)
        is_project = is_project or found is not None
        about = {**{key: value for key, value in (found or {}).items() if value}, **about}
    if not is_project:
        raise Refused(f"{os.path.basename(root)} does not appear to be a Python project: neither 'setup.py' nor 'pyproject.toml' found.")
    return about if about.get("name") else {**about, "name": os.path.basename(root)}


def from_toml(root):
    text = load_toml(root)
    if text is None:
        return None
    tool = text.get("tool", {})
    if "project" not in text and "poetry" in tool:
        return from_poetry(tool["poetry"])
    if "project" not in text and "metadata" in tool.get("flit", {}):
        return from_flit(tool["flit"])
    modules = modules_from_toml(tool)
    if "project" in text:
        project = text["project"]
        return {"name": project.get("name"), "version": project.get("version"), "requires": project.get("dependencies", []),
                "extras": project.get("optional-dependencies", {}), "scripts": project.get("scripts", {}), **modules}  # fmt: skip
    return modules if any(os.path.exists(os.path.join(root, name)) for name in ("setup.py", "setup.cfg")) else None


def load_toml(root):
    try:
        with open(os.path.join(root, "pyproject.toml"), "rb") as file:
            return tomllib.load(file)
    except FileNotFoundError:
        return None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refused(f"pyproject.toml cannot be read: {error}") from None


def modules_from_toml(tool):
    """Where the modules are, as the sections of setuptools, Hatch and Flit say."""
    tools = tool.get("setuptools", {})
    packages, directories = tools.get("packages"), tools.get("package-dir", {})
    found = packages.get("find", {}).get("where", []) if isinstance(packages, dict) else []
    sources = [os.path.normpath(part) for part in found] or [part for part in [directories.get("")] if part]
    hatch = tool.get("hatch", {}).get("build", {}).get("targets", {}).get("wheel", {}).get("packages", [])
    named = packages if isinstance(packages, list) else [os.path.basename(path) for path in hatch]
    flit = tool.get("flit", {}).get("module", {}).get("name")
    return {"sources": sources, "packages": [*named, *([flit] if flit else [])], "modules": tools.get("py-modules", []),
            "directories": {**directories, **{os.path.basename(path): path for path in hatch}}}  # fmt: skip


def refuse_compiled(root):
    """Refuses a project whose build backend compiles."""
    backend = (load_toml(root) or {}).get("build-system", {}).get("build-backend", "")
    if backend.partition(".")[0] in COMPILING:
        raise Compiled(f"{os.path.basename(root)} {TO_COMPILE}")


def from_flit(flit):
    """Metadata as Flit had it before `[project]`."""
    about = flit["metadata"]
    name = about.get("dist-name") or about.get("module")
    return {"name": name, "requires": about.get("requires", []), "extras": about.get("requires-extra", {}), "scripts": flit.get("scripts", {}),
            "modules": [], "packages": [about["module"]] if about.get("module") else []}  # fmt: skip


def from_poetry(poetry):
    wanted = {name: spec for name, spec in poetry.get("dependencies", {}).items() if name != "python"}
    lines = {name: poetry_line(name, spec) for name, spec in wanted.items()}
    needed = [line for name, line in lines.items() if not (isinstance(wanted[name], dict) and wanted[name].get("optional"))]
    extras = {extra: [lines[name] for name in names if name in lines] for extra, names in poetry.get("extras", {}).items()}
    packages = poetry.get("packages", [])
    parts = [package.get("from") for package in packages if package.get("from")]
    included = {package["include"]: os.path.join(package.get("from") or "", package["include"]) for package in packages if re.fullmatch(r"\w+", package.get("include", ""))}
    return {"name": poetry.get("name"), "version": poetry.get("version"), "requires": needed, "extras": extras,
            "scripts": {name: target for name, target in poetry.get("scripts", {}).items() if isinstance(target, str)}, "sources": parts,
            "packages": list(included), "directories": included}  # fmt: skip


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
    try:
        if not parser.read(os.path.join(root, "setup.cfg"), encoding="utf-8") or not parser.has_section("metadata"):
            return None
    except configparser.Error as error:
        raise Refused(f"setup.cfg cannot be read: {error}") from None
    lines = lambda section, key: [line.strip() for line in parser.get(section, key, fallback="").splitlines() if line.strip()]
    extras = {key: lines("options.extras_require", key) for key in parser["options.extras_require"]} if parser.has_section("options.extras_require") else {}
    scripts = dict(re.split(r"\s*=\s*", line, maxsplit=1) for line in lines("options.entry_points", "console_scripts"))
    version = parser.get("metadata", "version", fallback=None)
    where = [line.partition("=")[2].strip() for line in lines("options", "package_dir") if line.startswith("=")]
    packages = [line for line in lines("options", "packages") if not line.startswith("find")]
    return {"name": parser.get("metadata", "name", fallback=None), "version": None if version and ":" in version else version,
            "requires": lines("options", "install_requires"), "extras": extras, "scripts": scripts, "sources": where,
            "packages": packages, "modules": lines("options", "py_modules"), "directories": {"": where[0]} if where else {}}  # fmt: skip


def from_setup(root):
    """Metadata that setup.py gives to `setup`."""
    if not os.path.exists(os.path.join(root, "setup.py")):
        return None
    arguments = setup.record(root)
    if arguments.get("rust_extensions") or arguments.get("cffi_modules"):
        raise Compiled(f"{arguments.get('name', root)} {TO_COMPILE}")
    extensions = [str(getattr(extension, "name", "")) for extension in arguments.get("ext_modules") or []]
    points = arguments.get("entry_points") or {}
    scripts = dict(re.split(r"\s*=\s*", line, maxsplit=1) for line in listed(points.get("console_scripts") if isinstance(points, dict) else ""))
    directories = arguments.get("package_dir") or {}
    extras = {extra: listed(needs) for extra, needs in (arguments.get("extras_require") or {}).items()}
    version = arguments.get("version")
    return {"name": arguments.get("name"), "version": str(version) if version else None, "requires": listed(arguments.get("install_requires")),
            "extras": conditional(extras), "scripts": scripts, "sources": [directories[""]] if directories.get("") else [], "directories": directories,
            "packages": listed(arguments.get("packages")), "modules": listed(arguments.get("py_modules")), "extensions": extensions}  # fmt: skip


def listed(value):
    return [line.strip() for line in value.splitlines() if line.strip()] if isinstance(value, str) else list(value or [])


def conditional(extras):
    """Rewrites extras such as `:python_version<"3"`, which are conditions, for `with_extra`."""
    found = {}
    for extra, needs in extras.items():
        name, _, marker = extra.partition(":")
        found.setdefault(name, []).extend(f"{need}; {marker}" if marker else need for need in needs)
    return found


def with_extra(need, extra):
    text, _, marker = need.partition(";")
    if not extra:
        return need
    condition = f'extra == "{extra}"'
    return f"{text.strip()}; ({marker.strip()}) and {condition}" if marker.strip() else f"{text.strip()}; {condition}"


def version_of_project(root, about):
    """Version from the metadata, from PKG-INFO of an archive of sources, or `__version__` of the package; else None."""
    return about.get("version") or version_of_archive(root) or version_of_module(root, about)


def version_of_archive(root):
    try:
        with open(os.path.join(root, "PKG-INFO"), encoding="utf-8", errors="replace") as file:
            return email.message_from_file(file).get("Version")
    except FileNotFoundError:
        return None


def version_of_module(root, about):
    module = canonical(about["name"]).replace("-", "_")
    for part in about.get("sources") or [source_directory(root)]:
        for file in (f"{module}/__init__.py", f"{module}/_version.py", f"{module}/__about__.py", f"{module}.py"):
            try:
                with open(os.path.join(root, part, file), encoding="utf-8") as source:
                    match = re.search(r"(?m)^__version__\s*(?::[^=]*)?=\s*['\"]([^'\"]+)['\"]\s*(?:#.*)?$", source.read())
            except FileNotFoundError:
                continue
            if match:
                return match[1]
    return None
