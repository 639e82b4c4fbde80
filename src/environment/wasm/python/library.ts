import type { PyodideInterface } from 'pyodide';
import asyncioLoop from './lib/event_loop.py?raw';
import console from './lib/console.py?raw';
import installer from './lib/installer.py?raw';
import main from './lib/main.py?raw';
import patches from './lib/patches.py?raw';
import pip from './lib/pip.py?raw';
import sqliteShell from './lib/sqlite_shell.py?raw';
import subprocesses from './lib/subprocesses.py?raw';
import { pytestFiles } from './pytest.ts';
import web from './lib/web.py?raw';

/** The interpreter's own directory, in its memory: nothing of it is in the volume. */
const OWN = '/lib/python3.14/site-packages';

const FILES: Record<string, string> = {
	'_sandglass/__init__.py': '"""What Python needs of the sandbox."""\n',
	'_sandglass/main.py': main,
	'_sandglass/console.py': console,
	'_sandglass/patches.py': patches,
	'_sandglass/event_loop.py': asyncioLoop,
	'_sandglass/subprocesses.py': subprocesses,
	'_sandglass/sqlite_shell.py': sqliteShell,
	'_sandglass/web.py': web,
	'_sandglass/installer.py': installer,
	'pip/__init__.py': '"""Installs pure Python packages."""\n__version__ = "sandglass"\n',
	'pip/__main__.py': pip,
	...pytestFiles
};

/** Writes our own Python modules where the interpreter finds them, and imports the ones that every run needs. */
export function installLibrary(python: PyodideInterface): void {
	for (const [path, source] of Object.entries(FILES)) {
		const directory = `${OWN}/${path.slice(0, path.lastIndexOf('/'))}`;
		python.FS.mkdirTree(directory);
		python.FS.writeFile(`${OWN}/${path}`, source);
	}
	python.runPython('import _sandglass.main, traceback, linecache, signal, json, re, pathlib');
}
