"""Installs wheels into the volume: by name from the index, or from files. Hashes are checked."""

import base64
import csv
import hashlib
import io
import json
import os
import re
import sys
import urllib.error
import urllib.parse
import urllib.request
import zipfile

from pip.compiled import compiled_files, does_without
from pip.options import Wanted
from pip.packages import SITE, Refused, canonical, installed, remove, requires, requires_of, write_commands

INDEX = "https://pypi.org/simple"
COMPILED = "has no pure Python wheel. It has parts compiled for a machine, which cannot run in the browser. Use a package written in Python, or an older version that is."
PERHAPS_PURE = 4_000_000
SIMPLE = "application/vnd.pypi.simple.v1+json, text/html;q=0.2"
USAGE = "Usage:\n  pip install [-r FILE] [-c FILE] [--no-deps] [--upgrade] [--pre] [--index-url URL] [-q] PACKAGE|FILE.whl|-e DIRECTORY[EXTRA] ...\n  pip uninstall [-y] PACKAGE ...\n  pip list | freeze | show [-f] PACKAGE | check"
# Commands of pip that have no meaning here, or no use.
ELSEWHERE = {
    "cache": "nothing that is downloaded is kept.",
    "config": "settings are options and PIP_INDEX_URL.",
    "download": "curl gets files from the index, and pip install installs them.",
    "index": "pip install names the versions if it finds none that fits.",
    "search": "the index has no search.",
    "wheel": "pip install -e . uses a project in place, and nothing is built.",
}
MARKERS = {"python_version": "3.14", "python_full_version": "3.14.2", "sys_platform": "emscripten", "os_name": "posix",
           "platform_system": "Emscripten", "implementation_name": "cpython", "platform_python_implementation": "CPython",
           "platform_machine": "wasm32"}  # fmt: skip


def order(version):
    """Version sort key: a pre-release precedes its release."""
    match = re.match(r"v?(?:\d+!)?(\d+(?:\.\d+)*)(?:[-_.]?(a|b|c|rc|alpha|beta|dev|post)[-_.]?(\d*))?", version)
    if not match:
        return ((0,), -9, 0)
    numbers = [int(part) for part in match[1].split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    rank = {None: 0, "post": 1, "rc": -1, "c": -1, "b": -2, "beta": -2, "a": -3, "alpha": -3, "dev": -4}[match[2]]
    return (tuple(numbers), rank, int(match[3] or 0))


def satisfies(version, specifiers):
    return all(holds(version, part.strip()) for part in specifiers.split(",") if part.strip())


def holds(version, specifier):
    operator, wanted = re.match(r"(===|==|~=|!=|<=|>=|<|>)\s*(.+)", specifier).groups()
    if wanted.endswith(".*"):
        same = (version + ".").startswith(wanted[:-1]) or version == wanted[:-2]
        return same if operator == "==" else not same
    have, want = order(version), order(wanted)
    if operator == "~=":
        return have >= want and (version + ".").startswith(wanted.rpartition(".")[0] + ".")
    return {"==": have == want, "===": version == wanted, "!=": have != want, "<=": have <= want, ">=": have >= want,
            "<": have < want, ">": have > want}[operator]  # fmt: skip


def requirement(text):
    """Parses a requirement into name, version specifiers, extras and marker."""
    text, _, marker = text.partition(";")
    match = re.match(r"\s*([A-Za-z0-9][\w.-]*)\s*(\[[^]]*\])?\s*\(?([^)]*)\)?\s*$", text)
    if not match:
        raise Refused(f"Invalid requirement: {text.strip()!r}")
    return match[1], match[3], re.findall(r"[\w.-]+", match[2] or ""), marker.strip()


def marker_holds(marker, extras=()):
    """Evaluates it for any extra or none."""
    if not marker:
        return True
    return any(holds_for(marker, extra) for extra in extras or [""])


def holds_for(marker, extra):
    tokens = re.sub(r"(python_(?:full_)?version)\s*(<=|>=|==|!=|<|>)\s*['\"]([^'\"]+)['\"]", lambda m: str(holds(MARKERS[m[1]], m[2] + m[3])), marker)
    try:
        return bool(eval(tokens, {"__builtins__": {}}, {**MARKERS, "extra": extra}))
    except Exception as error:
        raise Refused(f"Invalid marker: {marker!r} ({error})")


def fetch(url, accept="*/*"):
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers={"Accept": accept})) as response:
            status, body = response.status, response.read()
    except urllib.error.HTTPError as error:
        status, body = error.code, b""
    except urllib.error.URLError as error:
        host = re.sub(r"^\w+://([^/]+).*", r"\1", url)
        raise Refused(f"Could not reach {host}: {error.reason}\nAllow the host when the page asks, or install a file: pip install ./package.whl")
    if status == 404:
        return None
    if status != 200:
        raise Refused(f"{url} answered {status}.")
    return body


def listed(name, index):
    """Files that an index has for a package, from its JSON (PEP 691) or HTML page (PEP 503); None if it has no such package."""
    page = f"{index.rstrip('/')}/{canonical(name)}/"
    body = fetch(page, SIMPLE)
    if body is None:
        return None
    if body.lstrip()[:1] == b"{":
        files = json.loads(body)["files"]
    else:
        from html.parser import HTMLParser

        files = []

        class Links(HTMLParser):
            def handle_starttag(self, tag, attributes):
                found = dict(attributes)
                url, _, sums = (found.get("href") or "").partition("#")
                if tag == "a" and url:
                    kind, _, value = sums.partition("=")
                    files.append({"filename": urllib.parse.unquote(url.rsplit("/", 1)[-1]), "url": url, "hashes": {kind: value},
                                  "requires-python": found.get("data-requires-python"), "yanked": "data-yanked" in found})  # fmt: skip

        Links().feed(body.decode("utf-8", "replace"))
    for file in files:
        file["url"] = urllib.parse.urljoin(page, file["url"])
        parts = file["filename"].removesuffix(".tar.gz").removesuffix(".zip").split("-")
        file["version"] = parts[1] if file["filename"].endswith(".whl") and len(parts) > 4 else parts[-1]
    return files


def pick(name, specifiers, index, pre=False):
    """Newest version that fits and has a wheel usable here, and the wheel."""
    files = listed(name, index)
    known = sorted({file["version"] for file in files or []}, key=order, reverse=True)
    fitting = [version for version in known if satisfies(version, specifiers)]
    fitting = [version for version in fitting if pre or order(version)[1] >= 0] or fitting
    compiled = None
    for version in fitting:
        usable = [file for file in files if file["version"] == version and not file.get("yanked") and satisfies("3.14.2", file.get("requires-python") or "")]
        for file in usable:
            if re.search(r"-py(2\.py)?3\d*-none-any\.whl$", file["filename"]):
                return version, file
        compiled = compiled or (usable and (version, usable))
    if compiled:
        version, usable = compiled
        # Small enough to see whether the Python code works alone. Larger ones consist of their compiled parts.
        wheels = [file for file in usable if re.search(r"-(cp3\d+-(cp3\d+|abi3)|py3-none)-(many|musl)linux", file["filename"]) and (file.get("size") or 0) < PERHAPS_PURE]
        if not wheels:
            raise Refused(f"{name} {version} {COMPILED}")
        return version, max(wheels, key=lambda file: ("-cp314-" in file["filename"], "-abi3-" in file["filename"]))
    raise Refused(f"Could not find a version that satisfies the requirement {name}{specifiers} (from versions: {', '.join(reversed(known)) or 'none'})\nNo matching distribution found for {name}{specifiers}")


def unpack(data, filename):
    """Reads a wheel, the hashes of its files checked against RECORD. Returns its requirements and a function that installs it."""
    parts = os.path.basename(filename).removesuffix(".whl").split("-")
    if len(parts) < 5:
        raise Refused(f"{os.path.basename(filename)} is not a wheel: its name says no platform.")
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except zipfile.BadZipFile:
        raise Refused(f"{os.path.basename(filename)} is damaged: it is not a zip file.")
    info = next((name.split("/")[0] for name in archive.namelist() if re.fullmatch(r"[^/]+\.dist-info/METADATA", name)), None)
    if info is None:
        raise Refused(f"{os.path.basename(filename)} is not a wheel: it has no METADATA.")
    sums = {row[0]: row[1] for row in csv.reader(io.TextIOWrapper(archive.open(f"{info}/RECORD"), "utf-8")) if row}
    files = {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
    is_pure = parts[-2:] == ["none", "any"]
    if not is_pure and not does_without(files):
        raise Refused(f"{' '.join(parts[:2])} {COMPILED}")
    for name in [] if is_pure else compiled_files(files):
        del files[name]
    contents = {}
    for name, content in files.items():
        target = os.path.normpath(os.path.join(SITE, re.sub(r"^[^/]+\.data/(purelib|platlib)/", "", name)))
        if not target.startswith(SITE + "/"):
            raise Refused(f"{filename} is refused: {name} would be outside of the site directory.")
        contents[target] = content
        kind, _, wanted = sums.get(name, "").partition("=")
        if wanted and base64.urlsafe_b64encode(hashlib.new(kind, content).digest()).rstrip(b"=").decode() != wanted:
            raise Refused(f"{filename} is damaged: {name} is not what its RECORD says.")

    def install():
        remove(parts[0])
        for target, content in contents.items():
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as file:
                file.write(content)
        write_commands(os.path.join(SITE, info))

    return requires_of(files[f"{info}/METADATA"].decode("utf-8", "replace")), install


def limits_of(constraints):
    """Canonical name → version specifiers of the constraints that apply here."""
    limits = {}
    for text in constraints:
        name, specifiers, _, marker = requirement(text)
        if marker_holds(marker):
            limits[canonical(name)] = ",".join(filter(None, [limits.get(canonical(name)), specifiers]))
    return limits


def read_wheel(path, ready):
    """Returns `name-version` of a wheel in a file and its requirements."""
    with open(path.removeprefix("file://"), "rb") as file:
        needs, write = unpack(file.read(), path)
    name, version = os.path.basename(path).split("-")[:2]
    ready[canonical(name)] = version, needs, write
    return f"{name}-{version}", needs


def install(args):
    wanted = Wanted(args)
    options = wanted.options
    if options.help:
        return print(USAGE)
    if not wanted.packages:
        raise Refused('You must give at least one requirement to install (see "pip help install")')
    index, again = wanted.index or os.environ.get("PIP_INDEX_URL", INDEX), options.upgrade
    say = (lambda _text: None) if options.quiet else print
    limits = limits_of(wanted.constraints)
    hashes = {canonical(requirement(text)[0]): allowed for text, allowed in wanted.hashes}
    waiting = [(text, []) for text in wanted.packages]
    # Canonical name → version, requirements and how to install it: nothing is installed before everything is found.
    ready, done, seen = {}, [], set()
    while waiting:
        # Requirement, and extras of its dependent.
        text, wanting = waiting.pop(0)
        if text.endswith(".whl"):
            say(f"Processing {text}")
            (label, needs), extras = read_wheel(text, ready), []
            done.append(label)
        elif is_directory(text):
            from pip import project

            path, _, names = text.removeprefix("file://").partition("[")
            say(f"Obtaining file://{os.path.abspath(path)}")
            label, needs = project.link(path)
            extras = re.findall(r"[\w.-]+", names)
            done.append(label)
        else:
            name, specifiers, extras, marker = requirement(text)
            specifiers = ",".join(filter(None, [specifiers, limits.get(canonical(name))]))
            key = (canonical(name), *sorted(extras))
            if not marker_holds(marker, wanting) or key in seen:
                continue
            seen.add(key)
            if canonical(name) == "pip":
                # The real one would replace this, and could take no package whose Python code works alone.
                say(f"Requirement already satisfied: {text} (the sandbox's own)")
                continue
            have = installed().get(canonical(name))
            is_again = again and not any(one[0] == key[0] for one in seen - {key})
            if canonical(name) in ready and satisfies(ready[canonical(name)][0], specifiers):
                needs = ready[canonical(name)][1]
            elif have and satisfies(have[1], specifiers) and not is_again:
                say(f"Requirement already satisfied: {text} in {SITE} ({have[1]})")
                needs = requires(have[2])
            else:
                say(f"Collecting {text}")
                version, file = pick(name, specifiers, index, options.pre)
                say(f"  Downloading {file['filename']}" + (f" ({file['size'] / 1000:.0f} kB)" if file.get("size") else ""))
                needs, write = unpack(download(file, hashes.get(canonical(name))), file["filename"])
                ready[canonical(name)] = version, needs, write
                done.append(f"{name}-{version}")
        if not options.no_deps:
            waiting += [(need, extras) for need in needs]
    for _, _, write in ready.values():
        write()
    if done:
        say("Successfully installed " + " ".join(done))


def download(file, allowed):
    """Downloads a file and checks it against the index's hash and any hashes in the requirements file."""
    listed_hash = (file.get("hashes") or {}).get("sha256")
    if not listed_hash:
        raise Refused(f"The index gives no SHA-256 hash for {file['filename']}. It was not installed.")
    if allowed and f"sha256:{listed_hash}" not in allowed:
        raise Refused(f"{file['filename']} has none of the hashes that the requirements file names. It was not installed.")
    data = fetch(file["url"])
    if data is None or hashlib.sha256(data).hexdigest() != listed_hash:
        raise Refused(f"{file['filename']} does not match the hash that the index gives. It was not installed.")
    return data


def is_directory(text):
    """Detects a project path as pip does: `.`, `./x[dev]`, `/x`."""
    path = text.removeprefix("file://").partition("[")[0]
    return path.startswith((".", "/")) or os.sep in path and os.path.isdir(path)


def main(args):
    command = args.pop(0) if args else "help"
    if command == "install":
        install(args)
    elif command in ("uninstall", "remove"):
        quiet = any(re.fullmatch(r"--quiet|-y?q+y?", word) for word in args)
        for name in [word for word in args if not word.startswith("-")]:
            found = remove(name)
            if found and not quiet:
                print(f"Successfully uninstalled {found[0]}-{found[1]}")
            elif not found:
                print(f"WARNING: Skipping {name} as it is not installed.", file=sys.stderr)
    elif command in ("list", "freeze", "show", "check"):
        from pip import reports

        return reports.report(command, args, requirement, marker_holds, satisfies)
    elif command in ELSEWHERE:
        raise Refused(f"pip {command} is not there in the browser: {ELSEWHERE[command]}")
    elif command in ("--version", "-V"):
        print("pip (Sandglass's own: pure Python wheels) (python 3.14)")
    elif command in ("help", "--help", "-h"):
        print(USAGE)
    else:
        raise Refused(f'unknown command "{command}"\n{USAGE}')
    return 0


if __name__ == "__main__":
    # Keeps output and errors in order if sent to one file.
    sys.stdout.reconfigure(line_buffering=True)
    try:
        code = main(sys.argv[1:])
    except Refused as refusal:
        print(f"ERROR: {refusal}", file=sys.stderr)
        code = 1
    except OSError as error:
        print(f"ERROR: {error}", file=sys.stderr)
        code = 1
    sys.exit(code)
