import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from '#test/fast-check.ts';
import { expect } from 'vitest';
import { createHarness } from '#test/contract/tools/harness.ts';
import { createTemporary } from '#test/environment/local/temporary.ts';
import { wildCall } from './calls.ts';

/** No call here takes long; one that exceeds this hangs. */
const LIMIT_MS = 30_000;

/** Outcomes of the calls of one tool. */
interface Outcomes {
	refused: number;
	done: number;
	/** Total time in milliseconds. */
	ms: number;
}

/**
 * Sends wild calls through the registry: each must get a result, none may throw or hang, and nothing outside the
 * workspace may be changed.
 *
 * @param ripgrep `null` searches in JavaScript
 */
export async function playWildCalls(
	seed: number,
	count: number,
	ripgrep?: null
): Promise<{ refused: number; done: number; byTool: Record<string, Outcomes> }> {
	const inner = await createTemporary(ripgrep === null ? { ripgrep } : {});
	const workspace = inner.workingDirectory();
	const outside = join(dirname(workspace), 'outside');
	await mkdir(outside);
	await writeFile(join(outside, 'passwd'), 'untouched');
	await inner.cleanup();
	// Only the workspace is accessible: its own home would be another root.
	const environment = await createTemporary({
		workingDirectory: workspace,
		roots: [workspace],
		...(ripgrep === null ? { ripgrep } : {})
	});
	await environment.symlink('../outside', 'out');
	await environment.writeFile(`${'a'.repeat(200)}.log`, 'a'.repeat(5_000));
	const { call } = createHarness(environment);
	const byTool = new Map<string, Outcomes>();
	await fc.assert(
		fc.asyncProperty(wildCall(ripgrep === null ? 40 : 4), async ({ name, args }) => {
			let timer: ReturnType<typeof setTimeout> | undefined;
			const late = new Promise<never>((_, reject) => {
				timer = setTimeout(() => reject(new Error('It hangs.')), LIMIT_MS);
			});
			if (!(await environment.fileExists('a.txt')))
				await environment.writeFile('a.txt', 'one\ntwo\n').catch(() => undefined);
			const started = performance.now();
			const result = await Promise.race([call(name, args), late]);
			clearTimeout(timer);
			expect(typeof result.content).toBe('string');
			// An empty file has an empty result; an error never does.
			if (result.isError) expect(result.content).not.toBe('');
			// Our own faults have no specific message.
			expect(result.content).not.toMatch(/^Tool error/);
			const outcomes = byTool.get(name) ?? { refused: 0, done: 0, ms: 0 };
			byTool.set(name, outcomes);
			outcomes[result.isError ? 'refused' : 'done']++;
			outcomes.ms += performance.now() - started;
		}),
		{ numRuns: count, seed }
	);
	await environment.cleanup();
	expect(await readdir(outside)).toEqual(['passwd']);
	expect((await readdir(dirname(workspace))).sort()).toEqual(['outside', 'workspace']);
	await chmod(outside, 0o755);
	const sum = (key: 'refused' | 'done'): number => [...byTool.values()].reduce((all, one) => all + one[key], 0);
	return { refused: sum('refused'), done: sum('done'), byTool: Object.fromEntries(byTool) };
}
