import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { loadPyodide, type PyodideInterface } from 'pyodide';
import { OWN } from './library.ts';
import pack from './lib/pack.py?raw';
import { SETTINGS } from './settings.ts';

/**
 * Run by the build, in Node: writes `library.zip`, the compiled standard library and our own modules, and
 * `snapshot.gz`, the memory of an interpreter started with it, into the given directory.
 */
const [, , directory] = process.argv;
if (directory === undefined) throw new Error('The directory to write to is missing.');
claimStackSwitching();
mkdirSync(directory, { recursive: true });
const library = path.join(directory, 'library.zip');
writeFileSync(library, await packed());
writeFileSync(path.join(directory, 'snapshot.gz'), gzipSync(await memory(library), { level: 9 }));

async function packed(): Promise<Uint8Array> {
	const python = await start({});
	python.runPython(pack);
	(python.globals.get('pack') as (own: unknown, target: string) => void)(python.toPy(OWN), '/tmp/library.zip');
	return python.FS.readFile('/tmp/library.zip') as Uint8Array;
}

async function memory(stdLibURL: string): Promise<Uint8Array> {
	const python = await start({ stdLibURL, _makeSnapshot: true });
	// Needed by every run, and by pytest and unittest at their start.
	python.runPython('import _sandglass.sockets; _sandglass.sockets.install()');
	python.runPython('import _sandglass.main, traceback, linecache, signal, json, re, pathlib, gc; gc.collect()');
	return (python as PyodideInterface & { makeMemorySnapshot(): Uint8Array }).makeMemorySnapshot();
}

/**
 * Claims that the engine can switch stacks: the interpreter checks it only once, and the tab's engine can while this
 * Node cannot. Nothing is suspended here.
 */
function claimStackSwitching(): void {
	function Suspending(run: unknown): unknown {
		return run;
	}
	Object.assign(WebAssembly, { Suspending, promising: (run: unknown) => run });
}

function start(more: object): Promise<PyodideInterface> {
	const indexURL = `${path.dirname(createRequire(import.meta.url).resolve('pyodide/package.json'))}/`;
	const settings = { ...SETTINGS, indexURL, ...more };
	return loadPyodide(settings as unknown as Parameters<typeof loadPyodide>[0]);
}
