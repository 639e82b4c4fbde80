"""`python3 -m venv`: scripts that activate and deactivate; all share the sandbox's Python and packages."""

import argparse
import os
import shutil

ACTIVATE = """# Source this file: . {bin}/activate
deactivate () {{
    [ -n "${{_OLD_VIRTUAL_PATH:-}}" ] && PATH=$_OLD_VIRTUAL_PATH && export PATH
    [ -n "${{_OLD_VIRTUAL_PS1:-}}" ] && PS1=$_OLD_VIRTUAL_PS1
    unset _OLD_VIRTUAL_PATH _OLD_VIRTUAL_PS1 VIRTUAL_ENV VIRTUAL_ENV_PROMPT
    [ "${{1:-}}" = nondestructive ] || unset -f deactivate
}}
deactivate nondestructive
VIRTUAL_ENV={directory}
VIRTUAL_ENV_PROMPT={prompt}
_OLD_VIRTUAL_PATH=$PATH
PATH={bin}:$PATH
export VIRTUAL_ENV VIRTUAL_ENV_PROMPT PATH
if [ -n "${{PS1:-}}" ]; then
    _OLD_VIRTUAL_PS1=$PS1
    PS1="({prompt}) $PS1"
fi
hash -r 2>/dev/null || true
"""
CONFIG = "home = /usr/bin\ninclude-system-site-packages = true\nversion = 3.14.2\n# All environments of this sandbox share its Python and the packages that pip installs.\n"


def make(directory, prompt, clear):
    import shlex

    directory = os.path.abspath(directory)
    if clear:
        shutil.rmtree(directory, ignore_errors=True)
    place = os.path.join(directory, "bin")
    os.makedirs(place, exist_ok=True)
    os.makedirs(os.path.join(directory, "lib/python3.14/site-packages"), exist_ok=True)
    texts = {name: f'#!/bin/sh\nexec /usr/bin/{name} "$@"\n' for name in ("python", "python3", "pip", "pip3")}
    prompt = prompt or os.path.basename(directory)
    for name, text in texts.items():
        with open(os.path.join(place, name), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(os.path.join(place, name), 0o755)
    with open(os.path.join(place, "activate"), "w", encoding="utf-8") as file:
        file.write(ACTIVATE.format(bin=shlex.quote(place), directory=shlex.quote(directory), prompt=shlex.quote(prompt)))
    for name, text in (("pyvenv.cfg", CONFIG), (".gitignore", "*\n")):
        with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
            file.write(text)


def main():
    parser = argparse.ArgumentParser(prog="venv", description="Makes directories that can be activated as Python environments.")
    parser.add_argument("dirs", metavar="ENV_DIR", nargs="+")
    parser.add_argument("--prompt")
    parser.add_argument("--clear", action="store_true")
    for unused in ("--system-site-packages", "--without-pip", "--symlinks", "--copies", "--upgrade", "--upgrade-deps", "--without-scm-ignore-files"):
        parser.add_argument(unused, action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    for directory in options.dirs:
        make(directory, options.prompt, options.clear)


if __name__ == "__main__":
    main()
