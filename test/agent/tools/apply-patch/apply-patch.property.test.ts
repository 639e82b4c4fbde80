import fc from '#test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { parsePatch } from '#agent/tools/apply-patch/parse.ts';
import { planPatch } from '#agent/tools/apply-patch/plan.ts';
import { isEnvironmentError } from '#environment/errors.ts';
import { entriesOf } from '#test/contract/environment/checks.ts';
import { createHarness } from '#test/contract/tools/harness.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';
import { treeChange, type Tree } from './trees.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The tree after a patch, computed without a disk. */
async function planned(before: Tree, patch: string): Promise<Tree> {
	const read = async (path: string): Promise<Uint8Array | null> => {
		const text = before.get(path);
		return text === undefined ? null : encode(text);
	};
	const after = new Map(before);
	for (const { path, after: bytes } of await planPatch(parsePatch(patch), read, {
		addExisting: 'refuse',
		maxFuzz: 3
	})) {
		if (bytes) after.set(path, new TextDecoder().decode(bytes));
		else after.delete(path);
	}
	return after;
}

describe('a patch made from a tree', () => {
	it('applied, is the tree it was made for', async () => {
		await fc.assert(
			fc.asyncProperty(treeChange, async ({ before, patch, after }) => {
				expect(new Map([...(await planned(before, patch))].sort())).toEqual(new Map([...after].sort()));
			}),
			{ numRuns: 400 }
		);
	});

	it('is on the disk what it is on paper', async () => {
		const environment = await createTemporary({ confinement: null });
		const { call } = createHarness(environment);
		await fc.assert(
			fc.asyncProperty(treeChange, async ({ before, patch, after }) => {
				for (const { path } of await environment.listDirectory('.', 1))
					await environment.remove(path, { recursive: true });
				await environment.load(entriesOf(Object.fromEntries(before)));
				const result = await call('apply_patch', { patch });
				expect(result.isError ? result.content : '').toBe('');
				const files = (await environment.listDirectory('.', 9)).filter(({ kind }) => kind === 'file');
				const texts = files.map(async ({ path }) => [path, await environment.readFile(path)] as const);
				expect(Object.fromEntries(await Promise.all(texts))).toEqual(Object.fromEntries(after));
			}),
			{ numRuns: 12 }
		);
		await environment.cleanup();
		await removeTemporary();
	});

	it('that does not fit says which file, which hunk and where the closest place is', async () => {
		const before = new Map([['src/a.ts', 'one\ntwo\nthree\nfour\n']]);
		const lines = [
			'*** Begin Patch',
			'*** Update File: src/a.ts',
			'@@',
			'-one',
			'+1',
			'@@',
			' two',
			'-drei',
			'+3',
			' four',
			'*** End Patch'
		];
		const error: unknown = await planned(before, lines.join('\n')).catch((reason: unknown) => reason);
		expect(isEnvironmentError(error)).toBe(false);
		expect(String(error)).toMatch(
			/hunk 2 of 2 in src\/a\.ts:\ntwo\ndrei\nfour\n The closest place is line 2, where 2 of 3 lines match\. It reads:\ntwo\nthree\nfour\n/
		);
	});
});
