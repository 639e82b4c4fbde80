"""Index of packages: which files it has of a package (PEP 691, PEP 503), and which of them can be installed here."""

import hashlib
import json
import platform
import re
import urllib.error
import urllib.parse
import urllib.request

from pip.packages import Refused, canonical
from pip.versions import Invalid, Version, is_version, names_prerelease, order, satisfies

INDEX = "https://pypi.org/simple"
COMPILED = "has no pure Python wheel. It has parts compiled for a machine, which cannot run in the browser. Use a package written in Python, or an older version that is."
PERHAPS_PURE = 4_000_000
SIMPLE = "application/vnd.pypi.simple.v1+json, text/html;q=0.2"
ARCHIVES = (".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".zip")
PURE_WHEEL = re.compile(r"-py(2\.py)?3\d*-none-any\.whl$")
LINUX_WHEEL = re.compile(r"-(cp3\d+-(cp3\d+|abi3)|py3-none)-(many|musl)linux")


def fetch(url, accept="*/*"):
    """Body of an address; None if there is nothing at it."""
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
    """Files that an index has of a package, each with its `version`; none if it has no such package."""
    page = f"{index.rstrip('/')}/{canonical(name)}/"
    body = fetch(page, SIMPLE)
    if body is None:
        return []
    files = json.loads(body)["files"] if body.lstrip()[:1] == b"{" else links(body.decode("utf-8", "replace"))
    for file in files:
        file["url"] = urllib.parse.urljoin(page, file["url"])
        file["version"] = version_of(file["filename"], name)
    return [file for file in files if file["version"] and not file.get("yanked")]


def links(page):
    """Files that the HTML page of an index links to."""
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

    Links().feed(page)
    return files


def version_of(filename, name):
    """Version in the name of a wheel or an archive of sources; None for other files and for versions that are none."""
    if filename.endswith(".whl"):
        parts = filename.split("-")
        version = parts[1] if len(parts) > 4 else ""
    else:
        suffix = next((suffix for suffix in ARCHIVES if filename.endswith(suffix)), None)
        spelled = "[-_.]+".join(map(re.escape, canonical(name).split("-")))
        match = suffix and re.fullmatch(f"{spelled}-(.+)", filename.removesuffix(suffix), re.IGNORECASE)
        version = match[1] if match else ""
    return version if is_version(version) else None


def candidates(name, specifiers, index, pre=False):
    """
    Files to install a package from, the newest version first: its pure wheel or, where a version has no wheels, its
    sources. Last, where there are only compiled wheels, the newest of these that may work without its compiled parts.
    """
    files = listed(name, index)
    known = sorted({file["version"] for file in files}, key=order, reverse=True)
    fitting = [version for version in known if satisfies(version, specifiers)]
    pre = pre or names_prerelease(specifiers)
    fitting = [version for version in fitting if pre or not Version(version).is_prerelease] or fitting
    python = platform.python_version()
    compiled, offers = None, 0
    for version in fitting:
        usable = [file for file in files if file["version"] == version and runs_on(python, file)]
        wheels = [file for file in usable if file["filename"].endswith(".whl")]
        pure = [file for file in wheels if PURE_WHEEL.search(file["filename"])]
        if pure or (usable and not wheels):
            offers += 1
            yield (pure or usable)[0]
        elif wheels:
            compiled = compiled or wheels
    # Small enough to see whether the Python code works alone. Larger ones consist of their compiled parts.
    small = [file for file in compiled or [] if LINUX_WHEEL.search(file["filename"]) and (file.get("size") or 0) < PERHAPS_PURE]
    if small:
        yield max(small, key=lambda file: ("-cp314-" in file["filename"], "-abi3-" in file["filename"]))
    elif compiled and offers == 0:
        raise Refused(f"{name} {compiled[0]['version']} {COMPILED}")
    elif offers == 0:
        raise Refused(f"Could not find a version that satisfies the requirement {name}{specifiers} (from versions: {', '.join(reversed(known)) or 'none'})\nNo matching distribution found for {name}{specifiers}")


def runs_on(python, file):
    try:
        return satisfies(python, file.get("requires-python") or "")
    except Invalid:
        return True  # As pip does: old packages have free text there.


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
