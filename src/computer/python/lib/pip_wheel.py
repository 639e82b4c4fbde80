"""Reads wheels, and installs what is in them."""

import base64
import csv
import hashlib
import io
import os
import re
import zipfile

from pip.compiled import compiled_files, does_without
from pip.index import COMPILED
from pip.packages import SITE, Compiled, Distribution, Refused, requires_of, site_path


def read_wheel(data, filename):
    """Reads a wheel, the hashes of its files checked against RECORD."""
    label = os.path.basename(filename)
    parts = label.removesuffix(".whl").split("-")
    if len(parts) < 5:
        raise Refused(f"{label} is not a wheel: its name says no platform.")
    files, info = contents(data, label)
    is_pure = parts[-2:] == ["none", "any"]
    if not is_pure and not does_without(files):
        raise Compiled(f"{' '.join(parts[:2])} {COMPILED}")
    sums = {row[0]: row[1] for row in csv.reader(io.StringIO(files.get(f"{info}/RECORD", b"").decode("utf-8", "replace"))) if row}
    for name in [] if is_pure else compiled_files(files):
        del files[name]
    targets = {}
    for name, content in files.items():
        targets[site_path(re.sub(r"^[^/]+\.data/(purelib|platlib)/", "", name), label)] = content
        kind, _, wanted = sums.get(name, "").partition("=")
        if wanted and kind not in hashlib.algorithms_available:
            raise Refused(f"{label} is refused: its RECORD has hashes of an unknown kind, {kind}.")
        if wanted and base64.urlsafe_b64encode(hashlib.new(kind, content).digest()).rstrip(b"=").decode() != wanted:
            raise Refused(f"{label} is damaged: {name} is not what its RECORD says.")

    needs = requires_of(files[f"{info}/METADATA"].decode("utf-8", "replace"))
    return Distribution(parts[0], parts[1], needs, os.path.join(SITE, info), targets)


def contents(data, label):
    """Files of a wheel, and the name of its dist-info directory."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except zipfile.BadZipFile:
        raise Refused(f"{label} is damaged: it is not a zip file.") from None
    info = next((name.split("/")[0] for name in archive.namelist() if re.fullmatch(r"[^/]+\.dist-info/METADATA", name)), None)
    if info is None:
        raise Refused(f"{label} is not a wheel: it has no METADATA.")
    return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}, info
