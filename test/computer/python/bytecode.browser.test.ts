import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PYTHON_VERSION } from '#computer/abi/versions.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { pythonSandbox } from './sandbox.ts';

let sandbox: ExecutionEnvironment;
/** The first interpreter of a page is slow on a busy machine. */
const LIMIT_MS = 170_000;
const [major, minor] = PYTHON_VERSION.split('.');
const CACHED = `a.cpython-${major}${minor}.pyc`;

async function run(command: string): Promise<string> {
	const { stdout, stderr } = await sandbox.exec(command, { timeoutMs: LIMIT_MS });
	return stdout + stderr;
}

beforeAll(async () => {
	sandbox = await pythonSandbox();
	await sandbox.writeFile('p/a.py', 'x = 1\n');
	await sandbox.writeFile('p/show.py', 'import sys, a\nprint(a.x, a.__cached__)\n');
}, LIMIT_MS);
afterAll(() => sandbox.cleanup());

describe('compiled modules', { timeout: LIMIT_MS }, () => {
	it('are kept beside their sources, and taken from there as long as those stay the same', async () => {
		const home = (await run('cd p && pwd')).trim();
		expect(await run('cd p && python3 show.py && ls __pycache__')).toBe(`1 ${home}/__pycache__/${CACHED}\n${CACHED}\n`);
		// A cached module of other content, which claims to be of this source.
		const swap = `
import os
from importlib import _bootstrap_external
source = os.stat('../a.py')
code = compile('x = "cached"', 'a.py', 'exec')
cached = _bootstrap_external._code_to_timestamp_pyc(code, int(source.st_mtime), source.st_size)
open('${CACHED}', 'wb').write(cached)
`;
		await sandbox.writeFile('swap.py', swap);
		expect(await run('cd p/__pycache__ && python3 ../../swap.py; cd .. && python3 -c "import a; print(a.x)"')).toBe(
			'cached\n'
		);
		await sandbox.writeFile('p/a.py', 'x = "changed"\n');
		expect(await run('cd p && python3 -c "import a; print(a.x)"')).toBe('changed\n');
	});

	it.each(['python3 -B', 'PYTHONDONTWRITEBYTECODE=1 python3'])('are not kept by %s', async (python) => {
		expect(await run(`cd p && rm -rf __pycache__ && ${python} -c "import a" && ls`)).toBe('a.py\nshow.py\n');
	});

	it.each([
		['PYTHONPYCACHEPREFIX=/tmp/cache python3', true],
		['python3 -X pycache_prefix=/tmp/cache', true],
		['PYTHONPYCACHEPREFIX=/tmp/cache python3 -E', false]
	])('are kept elsewhere by %s: %s', async (python, isElsewhere) => {
		const home = (await run('cd p && pwd')).trim();
		const elsewhere = isElsewhere ? `/tmp/cache${home}/${CACHED}` : `${home}/__pycache__/${CACHED}`;
		await run('rm -rf /tmp/cache p/__pycache__');
		expect(await run(`cd p && ${python} show.py && ls ${elsewhere}`)).toBe(`changed ${elsewhere}\n${elsewhere}\n`);
	});
});

describe('the first place of modules', { timeout: LIMIT_MS }, () => {
	it.each(['python3 -P', 'PYTHONSAFEPATH=1 python3', 'python3 -I'])(
		'is not the current folder with %s',
		async (python) => {
			expect(await run(`cd p && ${python} -c "import a"`)).toMatch(/ModuleNotFoundError: No module named 'a'\n$/);
			expect(await run(`cd p && ${python} show.py`)).toMatch(/ModuleNotFoundError: No module named 'a'\n$/);
		}
	);

	it('is the folder of PYTHONPATH, unless -E ignores it', async () => {
		expect(await run('PYTHONPATH=p python3 -c "import a; print(a.x)"')).toBe('changed\n');
		expect(await run('PYTHONPATH=p python3 -E -c "import a"')).toMatch(/ModuleNotFoundError/);
	});
});
