import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { loadPyodide } from 'pyodide';
import { importLibrary, writeLibrary } from './library.ts';
import { SETTINGS } from './settings.ts';

/** Run by the build, in Node: starts the interpreter as far as it needs no sandbox and writes its memory to the file named. */
const [, , file] = process.argv;
if (file === undefined) throw new Error('The file to write is missing.');
const indexURL = `${path.dirname(createRequire(import.meta.url).resolve('pyodide/package.json'))}/`;
const settings = { ...SETTINGS, indexURL, _makeSnapshot: true };
const python = await loadPyodide(settings as unknown as Parameters<typeof loadPyodide>[0]);
writeLibrary(python);
importLibrary(python);
python.runPython('import gc; gc.collect()');
writeFileSync(
	file,
	gzipSync((python as unknown as { makeMemorySnapshot(): Uint8Array }).makeMemorySnapshot(), { level: 9 })
);
