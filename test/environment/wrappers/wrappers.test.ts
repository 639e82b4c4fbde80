import { afterEach, describe, expect, it } from 'vitest';
import { DelegatingEnvironment } from '#environment/wrappers/delegating.ts';
import { LoggingExecutionEnvironment, type EnvironmentLogEntry } from '#environment/wrappers/logging.ts';
import { ReadOnlyExecutionEnvironment } from '#environment/wrappers/read-only.ts';
import { describeEnvironment } from '#test/contract/environment.ts';
import { codeOf, entriesOf } from '#test/contract/environment/checks.ts';
import { createHarness } from '#test/contract/tools/harness.ts';
import { createTemporary, removeTemporary } from '../local/temporary.ts';

describeEnvironment('LoggingExecutionEnvironment', {
	create: async () => new LoggingExecutionEnvironment(await createTemporary(), () => undefined),
	dispose: removeTemporary
});

describe('wrappers', () => {
	afterEach(removeTemporary);

	it('log what is asked and how it went, without contents [S-21]', async () => {
		const log: EnvironmentLogEntry[] = [];
		const environment = new LoggingExecutionEnvironment(await createTemporary(), (entry) => log.push(entry));
		await environment.writeFile('a.txt', 'private content');
		await environment.exec('exit 3');
		await codeOf(environment.readFile('nope'));
		expect(log).toMatchObject([
			{ operation: 'write', subject: 'a.txt' },
			{ operation: 'exec', subject: 'exit 3', exitCode: 3 },
			{ operation: 'read', subject: 'nope', error: expect.stringContaining('no such file') }
		]);
		expect(JSON.stringify(log)).not.toContain('private content');
		await environment.cleanup();
	});

	it('refuse every write and command when read-only, and let reading through [S-21]', async () => {
		const inner = await createTemporary();
		await inner.writeFile('a.txt', 'text\n');
		const snapshot = await inner.snapshot();
		const environment = new ReadOnlyExecutionEnvironment(inner);
		const refused = [
			environment.writeFile('a.txt'),
			environment.remove('a.txt'),
			environment.rename('a.txt'),
			environment.makeDirectory('d'),
			environment.symlink('a', 'b'),
			environment.setMode('a.txt'),
			environment.load(),
			environment.restore(),
			environment.exec('touch b'),
			environment.start('touch b'),
			environment.openTerminal({ columns: 80, rows: 24 }),
			environment.overlay()
		];
		expect(await Promise.all(refused.map(codeOf))).toEqual(refused.map(() => 'EPERM'));
		expect(await environment.readFile('a.txt')).toBe('text\n');
		expect(await environment.grep('text', '.')).toContain('a.txt');
		expect((await environment.snapshot()).id).toBe(snapshot.id);
		const allowing = new ReadOnlyExecutionEnvironment(inner, { allowCommands: true });
		expect((await allowing.exec('echo ok')).stdout).toBe('ok\n');
		expect(await codeOf(allowing.overlay())).toBe('EPERM');
		// A trial's effects could be applied, so the wrapper has none, even if the inner environment does.
		const trying = new (class extends DelegatingEnvironment {
			override get runOnTrial() {
				return () => Promise.reject(new Error('It was tried.'));
			}
		})(inner);
		expect(new ReadOnlyExecutionEnvironment(trying).runOnTrial).toBeUndefined();
		await expect(
			new ReadOnlyExecutionEnvironment(trying, { allowCommands: true }).runOnTrial?.('true')
		).rejects.toThrow('It was tried.');
		await environment.cleanup();
	});

	it('compose [S-21]', async () => {
		const log: EnvironmentLogEntry[] = [];
		const both = new LoggingExecutionEnvironment(new ReadOnlyExecutionEnvironment(await createTemporary()), (entry) =>
			log.push(entry)
		);
		expect(await codeOf(both.writeFile('a', 'b'))).toBe('EPERM');
		expect(log).toMatchObject([{ operation: 'write', error: expect.stringContaining('read-only') }]);
		await both.cleanup();
	});

	it('let a host bring an environment of its own, which the tools then use [9.4-6]', async () => {
		class Shouting extends DelegatingEnvironment {
			override async readBytes(path: string): Promise<Uint8Array> {
				return new TextEncoder().encode(new TextDecoder().decode(await super.readBytes(path)).toUpperCase());
			}
		}
		const inner = await createTemporary();
		await inner.load(entriesOf({ 'a.txt': 'quiet\n' }));
		expect((await createHarness(new Shouting(inner)).call('read', { path: 'a.txt' })).content).toBe('QUIET\n');
		await inner.cleanup();
	});
});
