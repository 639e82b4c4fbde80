import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { bash } from './bash.ts';

const hasBash = spawnSync('bash', ['--version']).status === 0;

it.runIf(hasBash)('makes a case of each script that runs tests, with the helper programs beside it', async () => {
	const folder = await mkdtemp(path.join(tmpdir(), 'scripts-'));
	try {
		await mkdir(path.join(folder, 'tests/misc'), { recursive: true });
		await writeFile(path.join(folder, 'configure.ac'), 'define(bashvers, 5.2)\n');
		for (const name of ['run-all', 'run-array', 'array.tests', 'misc/run-other'])
			await writeFile(path.join(folder, 'tests', name), 'exit 0\n');
		await writeFile(path.join(folder, 'tests/bytes'), Uint8Array.of(0xff));
		const { cases, files, binaries, version, isCase } = await bash.load(folder);
		expect(version).toBe('5.2');
		expect(cases.map(({ name }) => name)).toEqual(['array']);
		expect(Object.keys(files)).toContain('tests/array.tests');
		expect(binaries).toEqual({ 'tests/bytes': '/w==' });
		expect(isCase?.({ stdout: '1d0\n', status: 1 })).toBe(false);
		const { stdout } = spawnSync('bash', ['-c', files['bin/recho'] ?? '', 'recho', 'a b', '\x01\n\x7f', '']);
		expect(stdout.toString()).toBe('argv[1] = <a b>\nargv[2] = <^A^J^?>\nargv[3] = <>\n');
	} finally {
		await rm(folder, { recursive: true });
	}
});
