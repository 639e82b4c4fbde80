import { describe, expect, it } from 'vitest';
import { READ_ONLY_RIGHTS } from '#environment/contract.ts';
import { expectUnchanged, filesOf, prepareFixture, tried, type RightsContext } from './fixture.ts';
import { CHANGING_LINES } from './lines.ts';

export function describeTrialMerges({ environment, itWith, lacks }: RightsContext): void {
	describe('what a command did on trial', () => {
		for (const { command, effects, needs } of CHANGING_LINES) {
			const reason = lacks.trial ?? (needs === undefined ? undefined : lacks[needs]);
			const title = `is told, and discarded or applied as the real run does it: ${command}`;
			it.skipIf(reason !== undefined)(reason === undefined ? title : `${title} (skipped: ${reason})`, async () => {
				await prepareFixture(environment());
				const trial = await expectUnchanged(environment(), async () => {
					await (await tried(environment(), command, READ_ONLY_RIGHTS)).discard();
					return tried(environment(), command, READ_ONLY_RIGHTS);
				});
				expect(filesOf(environment(), trial.effects)).toEqual(effects);
				expect(trial.effects).toMatchObject({ hosts: [], servers: [], signals: [], leftRunning: [], unnamed: false });
				expect(await trial.apply()).toEqual({ merged: trial.effects.files, conflicts: [] });
				const applied = await environment().snapshot();
				await prepareFixture(environment());
				const real = await environment().exec(command);
				expect([...applied.entries]).toEqual([...(await environment().snapshot()).entries]);
				const { stdout, stderr, exitCode } = trial.result;
				expect({ stdout, stderr, exitCode }).toEqual({
					stdout: real.stdout,
					stderr: real.stderr,
					exitCode: real.exitCode
				});
			});
		}

		itWith('trial', 'does not replace what changed outside meanwhile, and says so', async () => {
			await prepareFixture(environment());
			const command = 'echo trial > a.txt; echo trial > b.txt; echo trial > made.txt; rm deep/z.txt; rm deep/er/x.txt';
			const trial = await tried(environment(), command, READ_ONLY_RIGHTS);
			await environment().writeFile('a.txt', 'outside\n');
			await environment().writeFile('made.txt', 'outside\n');
			await environment().writeFile('deep/z.txt', 'outside\n');
			const { merged, conflicts } = await trial.apply();
			const at = (kind: string, path: string): unknown => ({
				kind,
				path: `${environment().workingDirectory()}/${path}`
			});
			expect(conflicts).toEqual([at('modified', 'a.txt'), at('removed', 'deep/z.txt'), at('added', 'made.txt')]);
			expect(merged).toEqual([at('modified', 'b.txt'), at('removed', 'deep/er/x.txt')]);
			for (const path of ['a.txt', 'made.txt', 'deep/z.txt'])
				expect(await environment().readFile(path)).toBe('outside\n');
			expect(await environment().readFile('b.txt')).toBe('trial\n');
			expect(await environment().fileExists('deep/er/x.txt')).toBe(false);
		});

		itWith('trial', 'does not conflict with the same change made outside', async () => {
			await prepareFixture(environment());
			const trial = await tried(environment(), 'echo same > a.txt; rm b.txt; echo same > made.txt', READ_ONLY_RIGHTS);
			await environment().writeFile('a.txt', 'same\n');
			await environment().remove('b.txt');
			await environment().writeFile('made.txt', 'same\n');
			const { conflicts } = await trial.apply();
			expect(conflicts).toEqual([]);
			expect(await environment().readFile('a.txt')).toBe('same\n');
			expect(await environment().fileExists('b.txt')).toBe(false);
		});

		itWith('trial', 'leaves other changes made outside as they are', async () => {
			await prepareFixture(environment());
			const trial = await tried(environment(), 'echo trial > a.txt; rm -r deep', READ_ONLY_RIGHTS);
			await environment().writeFile('b.txt', 'outside\n');
			await environment().writeFile('deep/new.txt', 'outside\n');
			expect((await trial.apply()).conflicts).toEqual([]);
			expect(await environment().readFile('b.txt')).toBe('outside\n');
			// The trial had not seen this file when it removed the directory.
			expect(await environment().readFile('deep/new.txt')).toBe('outside\n');
			expect(await environment().fileExists('deep/er')).toBe(false);
		});

		itWith('symlinks', 'is not written through a link that was put there meanwhile', async () => {
			await prepareFixture(environment());
			await environment().exec('mkdir ~/elsewhere && echo old > ~/elsewhere/x.txt');
			const trial = await tried(environment(), 'echo trial > deep/er/x.txt', READ_ONLY_RIGHTS);
			await environment().exec('rm -r deep/er && ln -s ~/elsewhere deep/er');
			const { merged, conflicts } = await trial.apply();
			expect(merged).toEqual([]);
			expect(conflicts).toHaveLength(1);
			expect(await environment().readFile('~/elsewhere/x.txt')).toBe('old\n');
		});
	});
}
