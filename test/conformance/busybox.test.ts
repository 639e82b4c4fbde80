import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { busybox } from './busybox.ts';

it('makes a case of each call of testing and of each older file', async () => {
	const folder = await mkdtemp(path.join(tmpdir(), 'busybox-'));
	try {
		await mkdir(path.join(folder, 'testsuite/cat'), { recursive: true });
		await writeFile(path.join(folder, 'Makefile'), 'VERSION = 1\nPATCHLEVEL = 35\n');
		await writeFile(path.join(folder, 'testsuite/testing.sh'), 'exit 1\n');
		await writeFile(path.join(folder, 'testsuite/cat/cat-prints'), 'true\n');
		const calls = `. ./testing.sh\nfor i in 1 2; do testing "same" "cat" "a\\n" "" "a\\n"; done\ntesting "" "cat input" "" "" ""\n`;
		await writeFile(path.join(folder, 'testsuite/cat.tests'), calls);
		const { cases, version } = await busybox.load(folder);
		expect(version).toBe('1.35');
		expect(cases.map(({ name, env }) => [name, env])).toEqual([
			['cat: cat-prints', { SUITE_FILE: 'cat/cat-prints' }],
			['cat: same', { SUITE_CASE: '0' }],
			['cat: same (2)', { SUITE_CASE: '1' }],
			['cat: cat input', { SUITE_CASE: '2' }]
		]);
	} finally {
		await rm(folder, { recursive: true });
	}
});
