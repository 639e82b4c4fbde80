import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PrefixExecutionEnvironment } from '#environment/prefix/environment.ts';
import { codeOf, entriesOf, until } from '#test/contract/environment/checks.ts';
import { noSshServer, startSshServer, type SshServer } from './ssh-server.ts';
import { createPrefixed, removePrefixed } from './temporary.ts';

const LIMIT_MS = 120_000;

describe.skipIf(noSshServer !== undefined)(
	`over ssh${noSshServer === undefined ? '' : ` (skipped: ${noSshServer})`}`,
	() => {
		let server: SshServer;
		let environment: PrefixExecutionEnvironment;
		beforeAll(async () => {
			server = await startSshServer();
			environment = await createPrefixed(server.prefix);
		}, LIMIT_MS);
		afterAll(async () => {
			await environment.cleanup();
			await server.stop();
			await removePrefixed();
		}, LIMIT_MS);

		it(
			'keeps files, links and modes, and refuses what lies outside',
			async () => {
				const bytes = new Uint8Array([0, 255, 10, 13, 128]);
				await environment.writeFile('d/odd "name" $x.bin', bytes);
				expect([...(await environment.readBytes('d/odd "name" $x.bin'))]).toEqual([...bytes]);
				await environment.load(entriesOf({ 'a.txt': 'needle\n', 'd/b.txt': 'b\n' }));
				await environment.symlink('/etc', 'out');
				expect(await codeOf(environment.readFile('out/passwd'))).toBe('EACCES');
				await environment.remove('out');
				expect(await environment.grep('needle', '.')).toMatch(/a\.txt:1:needle/);
			},
			LIMIT_MS
		);

		it(
			'runs commands with their input, both outputs and their code',
			async () => {
				const { stdout, stderr, exitCode } = await environment.exec('cat; echo "it\'s" >&2; exit 5', { stdin: 'in' });
				expect([stdout, stderr, exitCode]).toEqual(['in', "it's\n", 5]);
			},
			LIMIT_MS
		);

		it(
			'ends the whole tree of a command on the other side',
			async () => {
				const seen: string[] = [];
				// No other run of this test on the machine sleeps for the same time.
				const nap = `sleep 61.${process.pid}`;
				const running = await environment.start(`${nap} & ${nap} & echo up; wait`, {
					onOutput: ({ data }) => seen.push(data)
				});
				const sleeping = (): string[] =>
					execFileSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8' })
						.split('\n')
						.filter((row) => !row.startsWith('Z') && row.endsWith(` ${nap}`) && !row.includes('echo up'));
				// A child is a copy of its shell for a moment.
				await until(() => seen.join('').includes('up') && sleeping().length === 2);
				await running.kill();
				expect(sleeping()).toEqual([]);
				expect((await running.exited).exitCode).toBe(143);
			},
			LIMIT_MS
		);

		it(
			'takes snapshots and puts them back',
			async () => {
				const before = await environment.snapshot();
				await environment.exec('echo other > a.txt; rm -r d; mkdir new');
				await environment.restore(before);
				expect((await environment.snapshot()).id).toBe(before.id);
				expect(await environment.readFile('d/b.txt')).toBe('b\n');
			},
			LIMIT_MS
		);
	}
);
