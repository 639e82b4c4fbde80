import { describe, expect, it } from 'vitest';
import { ALL_RIGHTS, READ_ONLY_RIGHTS } from '#environment/contract.ts';
import { codeOf, until } from '../checks.ts';
import { expectUnchanged, filesOf, NO_EFFECTS, prepareFixture, textOf, tried, type RightsContext } from './fixture.ts';
import { HARMLESS_LINES } from './lines.ts';

const SERVER =
	"require('http').createServer((q, s) => s.end('hi')).listen(0, function () { console.log(this.address().port) })";

export function describeTrials(context: RightsContext): void {
	const { environment, openOutside, itWith } = context;

	describe('a command on trial', () => {
		for (const command of HARMLESS_LINES)
			itWith('trial', `wants nothing and has the result of the real run: ${command}`, async () => {
				await prepareFixture(environment());
				const trial = await expectUnchanged(environment(), () => tried(environment(), command, READ_ONLY_RIGHTS));
				await trial.discard();
				expect(trial.effects).toEqual(NO_EFFECTS);
				const { stdout, stderr, exitCode } = await environment().exec(command);
				expect(trial.result).toMatchObject({ stdout, stderr, exitCode, timedOut: false });
			});

		itWith(
			'trial',
			'gets its input, its variables and its directory, and gives its code and both outputs',
			async () => {
				await prepareFixture(environment());
				const options = { stdin: 'typed', env: { GREETING: 'hello' }, cwd: 'deep' };
				const trial = await tried(
					environment(),
					'cat; echo " $GREETING"; ls; echo e >&2; exit 7',
					READ_ONLY_RIGHTS,
					options
				);
				expect(trial.result).toMatchObject({ stdout: 'typed hello\ner\nz.txt\n', stderr: 'e\n', exitCode: 7 });
				await trial.discard();
			}
		);

		itWith('trial', 'sees its own writes, which nobody else sees', async () => {
			await prepareFixture(environment());
			const command = 'echo mine > a.txt; rm b.txt; mkdir d; echo x > d/x; cat a.txt d/x; ls';
			const trial = await expectUnchanged(environment(), () => tried(environment(), command, READ_ONLY_RIGHTS));
			expect(trial.result.stdout).toBe('mine\nx\na.txt\nclosed\nd\ndeep\nopen\nrun.sh\n');
			await expectUnchanged(environment(), () => trial.discard());
		});

		itWith('trial', 'sees nothing of another one that runs at the same time', async () => {
			await prepareFixture(environment());
			const command = 'echo mine > made.txt; sleep 0.3; ls';
			const trials = await Promise.all(
				['made.txt', 'other.txt'].map((name) =>
					tried(environment(), command.replace('made.txt', name), READ_ONLY_RIGHTS)
				)
			);
			expect(trials[0]?.result.stdout).not.toContain('other.txt');
			expect(trials[1]?.result.stdout).not.toContain('made.txt');
			for (const trial of trials) await trial.discard();
		});

		itWith('trial', 'shows files before and after, until it is discarded', async () => {
			await prepareFixture(environment());
			const command = 'echo changed > a.txt; echo new > made.txt; rm b.txt';
			const trial = await tried(environment(), command, READ_ONLY_RIGHTS);
			const at = (name: string): string => `${environment().workingDirectory()}/${name}`;
			const both = async (name: string): Promise<(string | null)[]> => [
				textOf(await trial.read(at(name), 'before')),
				textOf(await trial.read(at(name), 'after'))
			];
			expect(await both('a.txt')).toEqual(['one\ntwo\nthree\n', 'changed\n']);
			expect(await both('made.txt')).toEqual([null, 'new\n']);
			expect(await both('b.txt')).toEqual(['b\n', null]);
			await trial.discard();
			await trial.discard();
			expect(await codeOf(trial.read(at('a.txt'), 'after'))).not.toBe('resolved');
		});

		itWith('trial', 'changes what lies in the home only when that is applied', async () => {
			const trial = await tried(environment(), 'echo x > ~/planted', READ_ONLY_RIGHTS);
			expect(trial.effects.files).toEqual([{ kind: 'added', path: expect.stringMatching(/^\/.*\/planted$/) }]);
			expect(await environment().fileExists('~/planted')).toBe(false);
			await trial.apply();
			expect(await environment().readFile('~/planted')).toBe('x\n');
		});

		itWith('trial', 'has scratch files that no command outside of trials finds, and no effect', async () => {
			const name = `/tmp/rights-${crypto.randomUUID()}`;
			const trial = await tried(environment(), `echo x > ${name} && cat ${name}`, READ_ONLY_RIGHTS);
			expect(trial).toMatchObject({ result: { stdout: 'x\n' }, effects: { files: [] } });
			await trial.apply();
			expect((await environment().exec(`cat ${name}`)).exitCode).not.toBe(0);
		});

		itWith('trial', 'is not taken for a change when it writes what was there', async () => {
			await prepareFixture(environment());
			const command = 'printf "b\\n" > b.txt; touch a.txt; cp a.txt c.txt; rm c.txt; mkdir d; rmdir d';
			const trial = await tried(environment(), command, READ_ONLY_RIGHTS);
			expect(trial.effects).toEqual(NO_EFFECTS);
			await trial.discard();
		});

		itWith('symlinks', 'tells the place behind a link that it wrote through', async () => {
			await prepareFixture(environment());
			await environment().exec('mkdir ~/elsewhere && echo old > ~/elsewhere/file.txt && ln -s ~/elsewhere out');
			const home = (await environment().exec('cd ~/elsewhere && pwd -P')).stdout.trim();
			const trial = await tried(environment(), 'echo new > out/file.txt', READ_ONLY_RIGHTS);
			expect(trial.effects.files).toEqual([{ kind: 'modified', path: `${home}/file.txt` }]);
			expect(await environment().readFile('~/elsewhere/file.txt')).toBe('old\n');
			await trial.discard();
			expect(await environment().readFile('~/elsewhere/file.txt')).toBe('old\n');
		});

		itWith('trial', 'is ended by its limit, and keeps what it did and printed', async () => {
			await prepareFixture(environment());
			const trial = await tried(environment(), 'echo x > made.txt; echo up; sleep 60', READ_ONLY_RIGHTS, {
				timeoutMs: 4_000
			});
			expect(trial.result).toMatchObject({ stdout: 'up\n', exitCode: 124, timedOut: true });
			expect(filesOf(environment(), trial.effects)).toEqual(['added made.txt']);
			await trial.discard();
		});

		itWith('trial', 'runs nothing when its signal has already fired', async () => {
			await prepareFixture(environment());
			const trial = await environment().runOnTrial?.('echo x > made.txt', {
				rights: READ_ONLY_RIGHTS,
				signal: AbortSignal.abort()
			});
			expect(trial).toMatchObject({ result: { exitCode: 130 }, effects: NO_EFFECTS });
			await trial?.discard();
		});
	});

	describe('a command on trial that wants more than files', () => {
		itWith('trial', 'reaches no host, and that it wanted to is told', async () => {
			const outside = await openOutside();
			const trial = await tried(environment(), outside.command, READ_ONLY_RIGHTS);
			expect(trial.result.exitCode).not.toBe(0);
			expect(outside.hits()).toBe(0);
			if (context.lacks['named hosts'] === undefined) expect(trial.effects.hosts).toEqual([outside.host]);
			else expect(trial.effects.unnamed).toBe(true);
			await trial.discard();
		});

		itWith('trial', 'reaches no host either when it is not told which it may', async () => {
			const outside = await openOutside();
			await (await tried(environment(), outside.command, undefined)).discard();
			expect(outside.hits()).toBe(0);
		});

		itWith('trial', 'reaches hosts it was given the right to', async () => {
			const outside = await openOutside();
			const trial = await tried(environment(), outside.command, { ...READ_ONLY_RIGHTS, network: 'all' });
			expect(trial).toMatchObject({ result: { exitCode: 0 }, effects: { hosts: [], unnamed: false } });
			expect(outside.hits()).toBeGreaterThan(0);
			await trial.discard();
		});

		itWith('signals', 'signals no process outside', async () => {
			const other = await environment().start('sleep 60');
			const trial = await tried(environment(), `kill -9 ${other.pid} 2>/dev/null; echo done`, READ_ONLY_RIGHTS);
			expect(trial.result.stdout).toBe('done\n');
			expect((await environment().exec(`kill -0 ${other.pid}`)).exitCode).toBe(0);
			if (context.lacks['named signals'] === undefined)
				expect(trial.effects.signals).toMatchObject([{ pid: other.pid, signal: 'SIGKILL' }]);
			await trial.discard();
			await other.kill('SIGKILL');
		});

		itWith('background', 'leaves nothing running, and what it left is told', async () => {
			const trial = await tried(environment(), 'sleep 61.5 > /dev/null 2>&1 & echo up', READ_ONLY_RIGHTS);
			expect(trial.result.stdout).toBe('up\n');
			expect(trial.effects.leftRunning.join('\n')).toMatch(/\bsleep 61\.5\b/);
			await trial.discard();
			const beat = 'while true; do echo x >> ~/beat; sleep 0.02; done';
			const applied = await tried(environment(), `(${beat}) > /dev/null 2>&1 & sleep 0.2`, READ_ONLY_RIGHTS);
			await applied.apply();
			const size = async (): Promise<number> => (await environment().stat('~/beat')).size;
			const before = await size();
			expect(before).toBeGreaterThan(0);
			await environment().exec('sleep 0.2');
			expect(await size()).toBe(before);
		});

		itWith('servers', 'tells the ports of a server that does not end', async () => {
			const trial = await tried(environment(), `node -e "${SERVER}"`, READ_ONLY_RIGHTS, { timeoutMs: 6_000 });
			const port = Number(trial.result.stdout);
			expect(port).toBeGreaterThan(0);
			// It may be stopped as soon as it is known to be a server.
			expect(trial.effects).toMatchObject({ servers: [port], files: [] });
			expect(trial.result.exitCode).not.toBe(0);
			await trial.discard();
		});

		itWith('trial', 'does not write where the caller may: its writes are effects all the same', async () => {
			await prepareFixture(environment());
			const trial = await expectUnchanged(environment(), () =>
				tried(environment(), 'echo x > made.txt', { ...READ_ONLY_RIGHTS, write: ALL_RIGHTS.write })
			);
			expect(filesOf(environment(), trial.effects)).toEqual(['added made.txt']);
			await trial.discard();
		});

		itWith('trial', 'tells its journal only what was applied', async () => {
			await prepareFixture(environment());
			const seen: string[] = [];
			const stop = environment().onChange(({ kind, path }) => seen.push(`${kind} ${path}`));
			const trial = await tried(environment(), 'echo x > made.txt; rm a.txt', READ_ONLY_RIGHTS);
			expect(seen).toEqual([]);
			await trial.apply();
			await until(() => seen.length >= 2);
			stop();
			const root = environment().workingDirectory();
			expect(seen.sort()).toEqual([`remove ${root}/a.txt`, `write ${root}/made.txt`]);
		});
	});

	describe('an environment that runs nothing on trial', () => {
		it.skipIf(context.lacks.trial === undefined)('has no such method', () => {
			expect(environment().runOnTrial).toBeUndefined();
		});
	});
}
