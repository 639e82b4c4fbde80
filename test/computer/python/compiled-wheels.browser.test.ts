import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { PackageIndex } from './package-index.ts';
import { pythonSandbox } from './sandbox.ts';

let sandbox: ExecutionEnvironment;
const index = new PackageIndex('https://index.test/simple/');
/** The first interpreter of a page is slow on a busy machine. */
const LIMIT_MS = 170_000;
const run = (command: string) => sandbox.exec(command, { timeoutMs: LIMIT_MS });

/** Creates wheels of CPython for Linux, of the sources in `wheels.json` and compiled files. */
const BUILD = `
import json, zipfile
for name, sources in json.load(open('wheels.json')).items():
    with zipfile.ZipFile(f'{name}-1.0-cp311-cp311-manylinux_2_17_x86_64.whl', 'w') as wheel:
        for path, text in sources.items():
            wheel.writestr(path, b'\\x7fELF' if '.so' in path or '/scripts/' in path else text)
        for path in ('METADATA', 'RECORD'): wheel.writestr(f'{name}-1.0.dist-info/{path}', '')
`;

const SO = 'cpython-311-x86_64-linux-gnu.so';
const FALLBACK = 'try:\n\tfrom ._fast import x\nexcept ImportError:\n\tx = 41\n';

/** Their Python code works alone. */
const WORKING = {
	direct: { 'direct/__init__.py': FALLBACK, [`direct/_fast.${SO}`]: '', 'direct.libs/libz.so.1': '' },
	indirect: {
		'indirect/__init__.py':
			'try:\n\tfrom . import native\n\tx = 1\nexcept ImportError:\n\tx = 41\nelse:\n\tfrom ._fast import y\n',
		'indirect/native.py': 'from indirect import _fast\n',
		[`indirect/_fast.${SO}`]: '',
		// The compiled module's old place.
		'_fast/__init__.py': 'from indirect._fast import *\n'
	},
	chosen: {
		'chosen/__init__.py':
			'try:\n\tfrom . import _fast\n\tfast = True\nexcept ImportError:\n\tfast = False\nif not fast:\n\tfrom ._slow import x\nelse:\n\tfrom ._fast import x\n',
		'chosen/_slow.py': 'x = 41\n',
		[`chosen/_fast.${SO}`]: ''
	},
	typed: {
		'typed/__init__.py':
			'from typing import TYPE_CHECKING\nfrom .both import x\nif TYPE_CHECKING:\n\tfrom ._fast import y\ntry:\n\tfrom ._fast import y\nexcept (ImportError, OSError):\n\tpass\n',
		'typed/both.py': 'x = 41\n',
		[`typed/both.${SO}`]: '',
		[`typed/_fast.${SO}`]: '',
		[`deadbeef__mypyc.${SO}`]: '',
		'typed/tests/test_fast.py': 'from typed import _fast\n'
	}
};

/** Their compiled parts are needed, or may be. */
const REFUSED = {
	needed: { 'needed/__init__.py': 'from ._fast import x\n', [`needed/_fast.${SO}`]: '' },
	late: { 'late/__init__.py': 'def f():\n\tfrom late import _fast\n', [`late/_fast.${SO}`]: '' },
	raising: {
		'raising/__init__.py': 'try:\n\tfrom ._fast import x\nexcept ImportError:\n\traise RuntimeError("no")\n',
		[`raising/_fast.${SO}`]: ''
	},
	other: { 'other/__init__.py': 'try:\n\tfrom . import _fast\nexcept KeyError:\n\tpass\n', [`other/_fast.${SO}`]: '' },
	offered: { 'offered/__init__.py': 'x = 41\n', [`offered/etree.${SO}`]: '' },
	submodule: {
		'submodule/__init__.py': 'x = 41\n',
		'submodule/image.py': 'from ._fast import x\n',
		[`submodule/_fast.${SO}`]: ''
	},
	unseen: { 'unseen/__init__.py': 'x = 41\n', [`unseen/_fast.${SO}`]: '' },
	alone: { [`alone.${SO}`]: '' },
	private: { '_private/__init__.py': 'from ._fast import x\n', [`_private/_fast.${SO}`]: '' },
	executable: { 'executable/__init__.py': 'x = 41\n', 'executable-1.0.data/scripts/executable': '' }
};

beforeAll(async () => {
	sandbox = await pythonSandbox((request) => index.answer(request));
	await sandbox.writeFile('build.py', BUILD);
	await sandbox.writeFile('wheels.json', JSON.stringify({ ...WORKING, ...REFUSED }));
	await run('python3 build.py');
}, LIMIT_MS);
afterAll(() => sandbox.cleanup());

it('installs the Python code of a compiled wheel where that works alone', { timeout: LIMIT_MS }, async () => {
	for (const name of Object.keys(WORKING)) {
		const { stdout, stderr } = await run(
			`pip install -q ./${name}-*.whl && python3 -c 'import ${name}; print(${name}.x)' && find ~/.local -name '*.so*'`
		);
		expect([name, stdout, stderr]).toEqual([name, '41\n', '']);
	}
	const wheel = 'direct-1.0-cp311-cp311-manylinux_2_17_x86_64.whl';
	const bytes = await sandbox.readBytes(wheel);
	for (const name of [wheel, wheel.replace('cp311-cp311', 'py3-none')]) {
		index.files.set(name, bytes);
		const { stdout } = await run(`pip uninstall -y direct; pip install --index-url ${index.address} direct`);
		expect(stdout).toContain('Successfully installed direct-1.0\n');
		index.files.delete(name);
	}
});

it('refuses a compiled wheel where the code needs its parts', { timeout: LIMIT_MS }, async () => {
	const script = Object.keys(REFUSED).map((name) => `pip install ./${name}-*.whl; echo $?`);
	const { stdout, stderr } = await run(script.join('; '));
	expect(stdout.match(/^1$/gmu)).toHaveLength(script.length);
	expect(stderr.match(/^ERROR: (\w+)(?= 1\.0 has no pure Python wheel)/gmu)).toEqual(
		Object.keys(REFUSED).map((name) => `ERROR: ${name}`)
	);
});
