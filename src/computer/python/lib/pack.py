"""Writes the standard library and our own modules, each also compiled, into one archive. Run by the build."""

import importlib.util
import zipfile
from importlib import _bootstrap_external as external

ARCHIVE = "/lib/python314.zip"


def pack(own, target):
    """`own`: name in the archive → source. Compiles here, because that is most of the cost of an import."""
    with zipfile.ZipFile(ARCHIVE) as given, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        files = {name: given.read(name) for name in given.namelist() if not name.endswith("/")}
        files.update((name, source.encode()) for name, source in own.items())
        for name, content in sorted(files.items()):
            put(made, name, content)
            if name.endswith(".py"):
                put(made, name + "c", compiled(name, content))


def compiled(name, source):
    """Bytecode file as in CPython, valid for any source timestamp."""
    code = compile(source, f"{ARCHIVE}/{name}", "exec", dont_inherit=True)
    return bytes(external._code_to_hash_pyc(code, importlib.util.source_hash(source), checked=False))


def put(archive, name, content):
    archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
