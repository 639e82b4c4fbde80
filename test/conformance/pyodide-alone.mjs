// Runs Pyodide as its package ships it, with an in-memory file system and without Sandglass:
// `pyodide-alone.mjs MODULE ROOT RESULTS` runs the tests of one module. A crash of the interpreter ends the process
// with 1.
import path from 'node:path';
import { loadPyodide } from 'pyodide';

const [module = '', root = '', results = ''] = process.argv.slice(2);
const python = await loadPyodide({
	env: { HOME: '/home/pyodide', TZ: 'UTC', PYTHONDONTWRITEBYTECODE: '1' },
	args: ['-'],
	stdout: () => {},
	stderr: () => {}
});
const { FS } = python;
for (const [folder, place] of [
	[root, '/suite'],
	[path.dirname(results), '/results']
]) {
	FS.mkdir(place);
	FS.mount(FS.filesystems.NODEFS, { root: folder }, place);
}
python.globals.set('words', python.toPy(['run.py', module, `/results/${path.basename(results)}`]));
try {
	python.runPython(`
import os, runpy, sys
sys.path.insert(0, "/suite/lib")
sys.argv = words
os.mkdir("/home/pyodide/_tmp")
os.chdir("/home/pyodide/_tmp")
runpy.run_path("/suite/run.py", run_name="__main__")
`);
} catch (error) {
	process.stderr.write(`${String(error).slice(0, 2000)}\n`);
	process.exitCode = 1;
}
