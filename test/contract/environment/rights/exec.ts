import { describe, expect, it } from 'vitest';
import { ALL_RIGHTS, READ_ONLY_RIGHTS, type Rights } from '#environment/contract.ts';
import { until } from '../checks.ts';
import { expectUnchanged, prepareFixture, type RightsContext } from './fixture.ts';
import { CHANGING_LINES } from './lines.ts';

export function describeExecRights({ environment, openOutside, itWith, lacks }: RightsContext): void {
	const writing = (...names: string[]): Rights => ({
		...READ_ONLY_RIGHTS,
		write: names.map((name) => `${environment().workingDirectory()}/${name}`)
	});

	describe('a command with less than all rights', () => {
		it('reads, computes and prints', async () => {
			await prepareFixture(environment());
			const result = await environment().exec('cat a.txt | sort | head -n 1; pwd; exit 3', {
				rights: READ_ONLY_RIGHTS
			});
			expect(result).toMatchObject({ stdout: `one\n${environment().workingDirectory()}\n`, exitCode: 3 });
		});

		it('gets its input, its variables and its directory', async () => {
			await prepareFixture(environment());
			const options = { rights: READ_ONLY_RIGHTS, stdin: 'typed', env: { GREETING: 'hello' }, cwd: 'deep' };
			const result = await environment().exec('cat; echo " $GREETING"; ls', options);
			expect(result.stdout).toBe('typed hello\ner\nz.txt\n');
		});

		for (const { command, needs } of CHANGING_LINES) {
			const reason = needs === undefined ? undefined : lacks[needs];
			const title = `changes nothing by: ${command}${reason === undefined ? '' : ` (skipped: ${reason})`}`;
			it.skipIf(reason !== undefined)(title, async () => {
				await prepareFixture(environment());
				// Commands that wait for their own write are ended by the limit.
				const options = { rights: READ_ONLY_RIGHTS, timeoutMs: command.includes('while') ? 1_500 : 30_000 };
				await expectUnchanged(environment(), () => environment().exec(command, options));
			});
		}

		it('changes nothing in the home', async () => {
			await environment().exec('echo x > ~/planted; mkdir ~/made', { rights: READ_ONLY_RIGHTS });
			expect(await environment().fileExists('~/planted')).toBe(false);
			expect(await environment().fileExists('~/made')).toBe(false);
		});

		it('is held to them when it runs in the background', async () => {
			await prepareFixture(environment());
			const result = await expectUnchanged(environment(), async () => {
				const process = await environment().start('echo x > made.txt; rm a.txt; echo end', {
					rights: READ_ONLY_RIGHTS
				});
				return process.exited;
			});
			expect(result.stdout).toBe('end\n');
		});

		it('writes below the directories it may write to, and nowhere else', async () => {
			await prepareFixture(environment());
			const command = [
				'echo x > open/new.txt; echo y >> open/file.txt; mkdir open/sub; echo z > open/sub/deep.txt',
				'echo x > closed/new.txt; echo y >> closed/file.txt; echo x > ./new.txt',
				'mv closed/file.txt open/stolen.txt; mv open/file.txt closed/given.txt; rm closed/file.txt',
				'cp a.txt open/../closed/a.txt; echo x > opened; rm -r deep'
			].join('\n');
			await environment().exec(command, { rights: writing('open') });
			expect(await environment().readFile('open/new.txt')).toBe('x\n');
			expect(await environment().readFile('open/sub/deep.txt')).toBe('z\n');
			expect(await environment().readFile('closed/file.txt')).toBe('closed\n');
			const paths = (await environment().listDirectory('closed', 2)).map(({ path }) => path);
			expect(paths).toEqual(['file.txt']);
			for (const path of ['new.txt', 'opened']) expect(await environment().fileExists(path)).toBe(false);
			expect(await environment().fileExists('deep/er/x.txt')).toBe(true);
		});

		itWith('symlinks', 'does not write out of them through a link', async () => {
			await prepareFixture(environment());
			await environment().symlink('../closed', 'open/out');
			await environment().symlink('../closed/file.txt', 'open/one.txt');
			const command = [
				'echo x > open/out/new.txt; echo x > open/out/file.txt; echo x > open/one.txt',
				'ln -s ../closed open/own; echo x > open/own/new.txt; rm open/own/file.txt',
				'ln -s "$(pwd)" open/root; echo x > open/root/new.txt'
			].join('\n');
			await environment().exec(command, { rights: writing('open') });
			expect(await environment().readFile('closed/file.txt')).toBe('closed\n');
			expect((await environment().listDirectory('closed', 1)).map(({ path }) => path)).toEqual(['file.txt']);
			expect(await environment().fileExists('new.txt')).toBe(false);
		});

		itWith('symlinks', 'gets no right to the target of a link that is named', async () => {
			await prepareFixture(environment());
			await environment().symlink('closed', 'named');
			await environment().exec('echo x > named/new.txt; echo x > closed/new.txt', { rights: writing('named') });
			expect((await environment().listDirectory('closed', 1)).map(({ path }) => path)).toEqual(['file.txt']);
		});

		itWith('hard links', 'does not write out of them through a hard link', async () => {
			await prepareFixture(environment());
			const command = 'ln closed/file.txt open/hard.txt && echo x > open/hard.txt; ln open/file.txt closed/hard.txt';
			await environment().exec(command, { rights: writing('open') });
			expect(await environment().readFile('closed/file.txt')).toBe('closed\n');
			expect(await environment().fileExists('closed/hard.txt')).toBe(false);
		});

		itWith('modes', 'does not change modes outside of them', async () => {
			await prepareFixture(environment());
			await environment().exec('chmod 755 open/file.txt; chmod 755 closed/file.txt', { rights: writing('open') });
			expect((await environment().stat('open/file.txt')).mode).toBe(0o755);
			expect((await environment().stat('closed/file.txt')).mode).toBe(0o644);
		});

		it('writes one file that it may write, and not its neighbour', async () => {
			await prepareFixture(environment());
			await environment().exec('echo x >> a.txt; echo x >> b.txt', { rights: writing('a.txt') });
			expect(await environment().readFile('a.txt')).toBe('one\ntwo\nthree\nx\n');
			expect(await environment().readFile('b.txt')).toBe('b\n');
		});

		it('reaches no host, while one with all rights does', async () => {
			const outside = await openOutside();
			for (const write of [[], 'all'] as const) {
				const rights: Rights = { ...READ_ONLY_RIGHTS, write };
				expect((await environment().exec(outside.command, { rights, timeoutMs: 30_000 })).exitCode).not.toBe(0);
				await environment().exec(`sh -c '${outside.command.replaceAll("'", "'\\''")}' & wait`, {
					rights,
					timeoutMs: 30_000
				});
			}
			expect(outside.hits()).toBe(0);
			expect((await environment().exec(outside.command, { rights: ALL_RIGHTS })).exitCode).toBe(0);
			expect(outside.hits()).toBeGreaterThan(0);
		});

		itWith('signals', 'signals its own processes and no others', async () => {
			const other = await environment().start('sleep 60');
			let otherEnded = false;
			void other.exited.then(() => (otherEnded = true));
			const rights = READ_ONLY_RIGHTS;
			const kills = `kill ${other.pid}; kill -9 ${other.pid}; kill -9 -${other.pid}; sh -c 'kill -9 ${other.pid}'`;
			await environment().exec(kills, { rights });
			// The process that the signal would have ended could no longer be found.
			expect((await environment().exec(`kill -0 ${other.pid}`)).exitCode).toBe(0);
			expect(otherEnded).toBe(false);
			const own = await environment().exec('sleep 60 & kill -9 $!; wait $!; echo $?', { rights });
			expect(own.stdout).toBe('137\n');
			await other.kill('SIGKILL');
		});

		itWith('background', 'is ended with its children by its limit', async () => {
			const seen: string[] = [];
			const run = environment().exec('sleep 60 & echo up; sleep 60', {
				rights: READ_ONLY_RIGHTS,
				timeoutMs: 4_000,
				onOutput: ({ data }) => seen.push(data)
			});
			await until(() => seen.length > 0);
			expect(await run).toMatchObject({ stdout: 'up\n', exitCode: 124, timedOut: true });
		});

		it('writes as ever with all rights, which is what it has unless configured otherwise', async () => {
			await prepareFixture(environment());
			await environment().exec('echo x > made.txt');
			await environment().exec('rm a.txt', { rights: ALL_RIGHTS });
			expect(await environment().readFile('made.txt')).toBe('x\n');
			expect(await environment().fileExists('a.txt')).toBe(false);
		});
	});
}
