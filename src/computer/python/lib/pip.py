"""Installs packages that consist of Python into the volume: by name from the index, or from files. Hashes are checked."""

import re
import sys

from pip.install import install
from pip.packages import Refused, remove

USAGE = "Usage:\n  pip install [-r FILE] [-c FILE] [--no-deps] [--upgrade] [--pre] [--index-url URL] [-q] PACKAGE|FILE|URL|-e DIRECTORY[EXTRA] ...\n  pip uninstall [-y] PACKAGE ...\n  pip list | freeze | show [-f] PACKAGE | check"
# Commands of pip that have no meaning here, or no use.
ELSEWHERE = {
    "cache": "nothing that is downloaded is kept.",
    "config": "settings are options and PIP_INDEX_URL.",
    "download": "curl gets files from the index, and pip install installs them.",
    "index": "pip install names the versions if it finds none that fits.",
    "search": "the index has no search.",
    "wheel": "pip install -e . uses a project in place, and nothing is built.",
}


def main(args):
    command = args.pop(0) if args else "help"
    if command == "install":
        install(args, USAGE)
    elif command in ("uninstall", "remove"):
        uninstall(args)
    elif command in ("list", "freeze", "show", "check"):
        from pip import reports

        return reports.report(command, args)
    elif command in ELSEWHERE:
        raise Refused(f"pip {command} is not there in the browser: {ELSEWHERE[command]}")
    elif command in ("--version", "-V"):
        print("pip (Sandglass's own: packages in Python) (python 3.14)")
    elif command in ("help", "--help", "-h"):
        print(USAGE)
    else:
        raise Refused(f'unknown command "{command}"\n{USAGE}')
    return 0


def uninstall(args):
    quiet = any(re.fullmatch(r"--quiet|-y?q+y?", word) for word in args)
    for name in [word for word in args if not word.startswith("-")]:
        found = remove(name)
        if found and not quiet:
            print(f"Successfully uninstalled {found[0]}-{found[1]}")
        elif not found:
            print(f"WARNING: Skipping {name} as it is not installed.", file=sys.stderr)


if __name__ == "__main__":
    # Keeps output and errors in order if sent to one file.
    sys.stdout.reconfigure(line_buffering=True)
    try:
        code = main(sys.argv[1:])
    except (OSError, Refused) as error:
        print(f"ERROR: {error}", file=sys.stderr)
        code = 1
    sys.exit(code)
