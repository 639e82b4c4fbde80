"""Installs a package from its archive of sources, where all of it is Python."""

import io
import os
import shutil
import tarfile
import tempfile
import zipfile

from pip import project
from pip.compiled import does_without
from pip.index import version_of
from pip.modules import files_of
from pip.packages import SITE, Compiled, Distribution, Refused, info_directory, site_path, with_record


def read_source(data, filename):
    """Unpacks an archive of sources and reads its metadata, which may run its setup.py."""
    label = os.path.basename(filename)
    place = tempfile.mkdtemp(prefix="pip-")
    try:
        unpack(data, label, place)
        entries = os.listdir(place)
        return read_project(os.path.join(place, entries[0]) if len(entries) == 1 else place, label)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def read_project(root, label):
    project.refuse_compiled(root)
    about = project.read(root, with_setup=True)
    name = about["name"]
    version = project.version_of_project(root, about) or version_of(label, name)
    if not version:
        raise Refused(f"{label} does not say its version.")
    contents = {}
    for target, file in files_of(root, about).items():
        with open(file, "rb") as content:
            contents[site_path(target, label)] = content.read()
    if not contents:
        raise Refused(f"{label} has no Python modules where its metadata says.")
    extensions = {f"{name.replace('.', '/')}.so": b"" for name in about.get("extensions", [])}
    if extensions and not does_without({**{os.path.relpath(path, SITE): content for path, content in contents.items()}, **extensions}):
        raise Compiled(f"{name} {version} {project.TO_COMPILE}")
    info = info_directory(name, version)
    contents.update(project.metadata_files(info, about, version))
    return Distribution(name, version, project.needs_of(about), info, with_record(contents, info))


def unpack(data, label, place):
    """Unpacks an archive. Members that would be outside of the directory are refused or put into it."""
    try:
        if label.endswith(".zip"):
            zipfile.ZipFile(io.BytesIO(data)).extractall(place)
        else:
            tarfile.open(fileobj=io.BytesIO(data)).extractall(place, filter="data")
    except (tarfile.TarError, zipfile.BadZipFile, EOFError) as error:
        raise Refused(f"{label} is damaged or refused: {error}") from None
