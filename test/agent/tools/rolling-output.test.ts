import { afterEach, beforeEach, expect, it } from 'vitest';
import { shellTail } from '#agent/tools/shell-tail.ts';
import { RollingOutput } from '#agent/tools/rolling-output.ts';
import type { LocalExecutionEnvironment } from '#environment/local/environment.ts';
import { createHarness, detail } from '#test/contract/tools/harness.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';

let environment: LocalExecutionEnvironment;
beforeEach(async () => {
	environment = await createTemporary({ confinement: null });
});
afterEach(async () => {
	await environment.cleanup();
	await removeTemporary();
});

/** Total length of the strings in an object, at any depth. */
function heldCharacters(value: unknown, seen = new Set<unknown>()): number {
	if (typeof value === 'string') return value.length;
	if (typeof value !== 'object' || value === null || seen.has(value)) return 0;
	seen.add(value);
	return Object.values(value).reduce((sum: number, part) => sum + heldCharacters(part, seen), 0);
}

it('keeps the last 100 KB of a command that prints 5 MB, and the whole in a file [J.2-3.1, S-34]', async () => {
	const inner = environment.exec.bind(environment);
	let result = { stdout: 'unset', stderr: 'unset' };
	environment.exec = async (command, options) => {
		const ended = await inner(command, options);
		result = ended;
		return ended;
	};
	const { context } = createHarness(environment);
	let characters = 0;
	const onProgress = (delta: string): void => void (characters += delta.length);
	const command = 'seq 1000000 1700000';
	const run = await shellTail.execute({ command, timeout: 60 }, { ...context, onProgress });
	const file = String(detail(run, 'outputFile'));
	expect((await environment.stat(file)).size).toBe(5_600_008);
	expect((await inner(`cmp ${file} <(${command})`)).exitCode).toBe(0);
	await environment.remove(file);
	expect(characters).toBe(5_600_008);
	// Neither the environment nor the tool keeps more of it.
	expect(result).toMatchObject({ stdout: '', stderr: '' });
	expect(heldCharacters(run)).toBeLessThan(160_000);
	expect(run.fullOutput).toMatch(/^\[5500008 earlier bytes\. Full output: /);
});

it('writes the whole to a file from 50 KB on, and a shorter one only where it is needed [S-34]', async () => {
	const path = (name: string): string => `${environment.workingDirectory()}/${name}`;
	const printed = (name: string, bytes: number): RollingOutput => {
		const output = new RollingOutput(environment, path(name));
		output.add('x'.repeat(bytes));
		output.end();
		return output;
	};
	expect(await printed('short', 50_000).wholeFile(false)).toBeUndefined();
	expect(await environment.fileExists('short')).toBe(false);
	expect(await printed('long', 50_001).wholeFile(false)).toBe(path('long'));
	expect((await environment.stat('long')).size).toBe(50_001);
	expect(await printed('needed', 5).wholeFile(true)).toBe(path('needed'));
	expect(await environment.readFile('needed')).toBe('xxxxx');
});

it('holds no more than the window while it runs, whole characters, and no half of a key', async () => {
	const output = new RollingOutput(environment, `${environment.workingDirectory()}/whole.log`);
	const key = `ghp_${'aB3d'.repeat(9)}`;
	let whole = '';
	for (let at = 0; at < 1_000; at++) {
		const piece = at % 50 === 0 ? `${key}\n` : '🌍é a\n'.repeat(at % 30);
		whole += piece.replace(key, '[secret left out: GitHub token]');
		for (let from = 0; from < piece.length; from += 37) output.add(piece.slice(from, from + 37));
		if (at % 100 !== 0) continue;
		const { text } = output.window();
		expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(100_000);
		expect(whole).toContain(text);
	}
	output.end();
	expect(await output.wholeFile(false)).toBe(`${environment.workingDirectory()}/whole.log`);
	expect(await environment.readFile('whole.log')).toBe(whole);
	expect(output.totalBytes).toBe(new TextEncoder().encode(whole).length);
	expect(output.totalLines).toBe(whole.split('\n').length - 1);
});

it('says so where the whole cannot be kept', async () => {
	const { context } = createHarness(environment);
	const start = environment.start.bind(environment);
	environment.start = (_, options) => start('exec 0<&-; exit 1', options);
	const run = await shellTail.execute({ command: 'seq 1 50000' }, context);
	expect(run.content).toContain('The whole could not be kept]');
	expect(run.details).not.toHaveProperty('outputFile');
});
