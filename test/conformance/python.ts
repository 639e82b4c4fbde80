import { spawn } from 'node:child_process';
import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { filesBelow } from './files-below.ts';
import type { Answer, LoadedSuite, Suite } from './suite.ts';
import { versionLine } from './version-line.ts';

/** Parts of asyncio except TLS and Windows. */
const ASYNCIO = `base_events buffered_proto context eager_task_factory events futures futures2 graph locks pep492
	protocols queues runners selector_events sendfile server sock_lowlevel staggered streams subprocess taskgroups tasks
	threads timeouts transports unix_events waitfor`.split(/\s+/);

/**
 * Tested modules: files and processes, databases and archives, data types, text, numbers and times, threads, sockets
 * and servers.
 */
const MODULES = `os shutil tempfile glob fnmatch io fileio file stat genericpath posixpath zipfile tarfile gzip bz2 zlib
	csv configparser json sqlite3 subprocess re string str bytes dict list set int float complex math cmath random
	statistics decimal fractions datetime calendar time collections itertools functools operator heapq bisect struct
	array copy pickle dataclasses enum typing abc contextlib argparse textwrap pprint difflib hashlib hmac base64
	binascii uuid urlparse html xml_etree ast inspect pathlib generators traceback warnings logging getopt shlex
	thread threading threading_local queue concurrent_futures.test_thread_pool select selectors poll epoll mmap socket
	socketserver httpservers httplib urllib2_localnet ftplib smtplib xmlrpc wsgiref
	${ASYNCIO.map((name) => `asyncio.test_${name}`).join(' ')}`.split(/\s+/);

/** CPython's own tests of the modules that programs use; each test is counted separately. */
export const python: Suite = {
	name: 'python',
	title: "CPython's tests",
	place: 'SANDGLASS_SUITE_PYTHON',
	repository: 'https://github.com/python/cpython',
	limitMs: 1_000_000,
	causes: [
		[/^(?:pickle|ast|decimal)\b/, 'Pyodide cannot import the tests or their `_decimal`'],
		[
			/test_system_transitions$/,
			'summer time of single years, and old offsets with seconds: the C library infers them from `Date`'
		]
	],
	peer: { title: 'Pyodide alone', answer: answerAlone },
	async load(folder): Promise<LoadedSuite> {
		const library = (await readdir(path.join(folder, 'lib'))).find((name) => /^python3\.\d+$/.test(name));
		if (!library) throw new Error(`${folder} holds no installation of Python with its tests.`);
		const files: Record<string, string> = {
			'run.py': await readFile(path.join(import.meta.dirname, 'python-run.py'), 'utf8'),
			'run.sh': await readFile(path.join(import.meta.dirname, 'python-run.sh'), 'utf8')
		};
		const binaries: Record<string, string> = {};
		const isLeftOut = (name: string) =>
			/\/(?:__pycache__|test_tkinter|test_ttk|test_lib2to3|test_importlib|test_free_threading|leakers)$/.test(name);
		for await (const file of filesBelow(path.join(folder, 'lib', library), 'test', isLeftOut)) {
			if (/cjkencodings|\/__pycache__\/|\.pyc$/.test(file)) continue;
			const bytes = await readFile(path.join(folder, 'lib', library, file));
			if (isUtf8(bytes)) files[`lib/${file}`] = bytes.toString('utf8');
			else binaries[`lib/${file}`] = bytes.toString('base64');
		}
		const native = versionLine(path.join(folder, 'bin/python3'));
		return {
			version: native.replace('Python ', ''),
			native,
			cases: MODULES.map((name) => ({
				name,
				group: name,
				script: `cd _tmp && bash "$SUITE_ROOT/run.sh" ${name}`
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

/** Passed tests of a module. */
export function succeeded({ stdout }: Pick<Answer, 'stdout'>): Set<string> {
	return new Set([...stdout.matchAll(/^ok (\S+)$/gm)].map(([, name = '']) => name.replace(/^test\.test_/, '')));
}

/**
 * Runs the tests of a module in Pyodide without Sandglass, and continues after a test that ends the interpreter, as
 * `python-run.sh` does.
 */
async function answerAlone(root: string, module: string, limitMs: number): Promise<Answer> {
	const folder = await mkdtemp(path.join(tmpdir(), 'pyodide-alone-'));
	const results = path.join(folder, 'results');
	await writeFile(results, '');
	const end = Date.now() + limitMs;
	let [stdout, stderr, begun] = ['', '', -1];
	try {
		while (Date.now() < end) {
			stderr = await runAlone([module, root, results], results, end);
			stdout = await readFile(results, 'utf8');
			const before = begun;
			begun = stdout.match(/^begin /gm)?.length ?? 0;
			if (/^end$/m.test(stdout) || begun === before) break;
		}
		return { stdout, stderr, status: 0 };
	} finally {
		await rm(folder, { recursive: true });
	}
}

/** Milliseconds without progress, since the first test started, after which a test counts as endless. */
const QUIET_MS = 90_000;

/** Runs the tests that have not started yet. Returns the output of the process. */
async function runAlone(words: string[], results: string, end: number): Promise<string> {
	const child = spawn(process.execPath, [path.join(import.meta.dirname, 'pyodide-alone.mjs'), ...words], {
		stdio: ['ignore', 'ignore', 'pipe']
	});
	let diagnosis = '';
	child.stderr.on('data', (piece: Buffer) => (diagnosis = (diagnosis + piece.toString()).slice(-2000)));
	const before = statSync(results).mtimeMs;
	const timer = setInterval(() => {
		const progress = statSync(results).mtimeMs;
		const isQuiet = progress !== before && Date.now() - progress > QUIET_MS;
		if (Date.now() > end || isQuiet) child.kill('SIGKILL');
	}, 500);
	await once(child, 'close');
	clearInterval(timer);
	return diagnosis;
}
