import { execFileSync } from 'node:child_process';
import { isUtf8 } from 'node:buffer';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { filesBelow } from './files-below.ts';
import type { Answer, LoadedSuite, Suite } from './suite.ts';

/** Modules that are tested: files and processes, databases and archives, data types, text, numbers and times. */
const MODULES = `os shutil tempfile glob fnmatch io fileio file stat genericpath posixpath zipfile tarfile gzip bz2 zlib
	csv configparser json sqlite3 subprocess re string str bytes dict list set int float complex math cmath random
	statistics decimal fractions datetime calendar time collections itertools functools operator heapq bisect struct
	array copy pickle dataclasses enum typing abc contextlib argparse textwrap pprint difflib hashlib hmac base64
	binascii uuid urlparse html xml_etree ast inspect pathlib generators traceback warnings logging getopt shlex`.split(
	/\s+/
);

/** Runs the tests of one module and prints those that succeed, each in a line. */
const RUNNER = `import sys, unittest
class Result(unittest.TestResult):
    def addSuccess(self, test):
        super().addSuccess(test)
        print("ok", test.id(), file=out, flush=True)
    def addFailure(self, test, error):
        print("not ok", test.id(), str(error[1])[:200].replace(chr(10), " "), file=out, flush=True)
    addError = addFailure
out = open(sys.argv[2], "w")
unittest.defaultTestLoader.loadTestsFromName("test.test_" + sys.argv[1]).run(Result())
`;

/** CPython's own tests of the modules that programs use; each test counts by itself. */
export const python: Suite = {
	name: 'python',
	title: "CPython's tests",
	place: 'SANDGLASS_SUITE_PYTHON',
	repository: 'https://github.com/python/cpython',
	limitMs: 120_000,
	async load(folder): Promise<LoadedSuite> {
		const library = (await readdir(path.join(folder, 'lib'))).find((name) => /^python3\.\d+$/.test(name));
		if (!library) throw new Error(`${folder} holds no installation of Python with its tests.`);
		const files: Record<string, string> = { 'run.py': RUNNER };
		const binaries: Record<string, string> = {};
		const isLeftOut = (name: string) =>
			/\/(?:__pycache__|test_asyncio|test_tkinter|test_ttk|test_lib2to3|test_importlib|test_free_threading|leakers)$/.test(
				name
			);
		for await (const file of filesBelow(path.join(folder, 'lib', library), 'test', isLeftOut)) {
			if (/cjkencodings|\/__pycache__\/|\.pyc$/.test(file)) continue;
			const bytes = await readFile(path.join(folder, 'lib', library, file));
			if (isUtf8(bytes)) files[`lib/${file}`] = bytes.toString('utf8');
			else binaries[`lib/${file}`] = bytes.toString('base64');
		}
		const native = execFileSync(path.join(folder, 'bin/python3'), ['--version'], { encoding: 'utf8' }).trim();
		return {
			version: native.replace('Python ', ''),
			native,
			cases: MODULES.map((name) => ({
				name,
				group: 'modules',
				script: `cd _tmp && python3 "$SUITE_ROOT/run.py" ${name} ../results >/dev/null; cat ../results`
			})),
			files,
			binaries,
			isCase: (answer) => succeeded(answer).size > 0,
			assertions: succeeded,
			env: (root) => ({
				SUITE_ROOT: root,
				PATH: `${path.resolve(folder)}/bin:/usr/local/bin:/usr/bin:/bin`,
				PYTHONPATH: `${root}/lib`,
				PYTHONDONTWRITEBYTECODE: '1'
			})
		};
	}
};

/** Tests of a module that succeed. */
export function succeeded({ stdout }: Pick<Answer, 'stdout'>): Set<string> {
	return new Set([...stdout.matchAll(/^ok (\S+)$/gm)].map(([, name = '']) => name.replace(/^test\.test_/, '')));
}
