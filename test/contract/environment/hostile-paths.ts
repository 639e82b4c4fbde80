import fc from '#test/fast-check.ts';
import { expect } from 'vitest';
import type { ExecutionEnvironment, LoadEntry } from '#environment/contract.ts';
import { codeOf, entriesOf } from './checks.ts';

export const link = (path: string, target: string): LoadEntry => ({
	path,
	mode: 0o120000,
	bytes: new TextEncoder().encode(target)
});

export async function* inOrder(...parts: (LoadEntry | Record<string, string>)[]): AsyncGenerator<LoadEntry> {
	for (const part of parts) {
		if ('mode' in part && typeof part.mode === 'number' && part.bytes instanceof Uint8Array) yield part as LoadEntry;
		else yield* entriesOf(part as Record<string, string>);
	}
}

const part = fc.oneof(
	fc.constantFrom('..', '.', '', 'a', 'b', '~', 'C:', '\\', '..\\..', 'a b', 'é'),
	fc.string({ maxLength: 4, unit: 'grapheme' }).filter((text) => !text.includes('\n'))
);
const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
/** Only a few names, so that a link and a directory often have the same one. */
const shortPath = fc
	.array(fc.constantFrom('a', 'b', 'c', '..'), { minLength: 1, maxLength: 3 })
	.map((parts) => parts.join('/'));
const target = fc.constantFrom('..', '../..', '/', '.', '~', 'a', '../kept', '/tmp', 'a/../..');

/** Entries of one import: a file at any path; with links, up to five, some of which replace others. */
const entries = (hasLinks: boolean): fc.Arbitrary<(LoadEntry | Record<string, string>)[]> => {
	const file = path.map((one) => ({ [one]: 'x' }));
	if (!hasLinks) return fc.tuple(file);
	const near = fc.oneof(
		shortPath.map((one) => ({ [one]: 'x' })),
		fc.tuple(shortPath, target).map(([one, to]) => link(one, to))
	);
	return fc.array(fc.oneof({ weight: 4, arbitrary: near }, file), { minLength: 1, maxLength: 5 });
};

/**
 * Loads hostile content below one directory, each in an empty one. Nothing next to that directory may change.
 *
 * @param seed absent: the seed of all properties
 */
export async function playHostileLoads(
	environment: ExecutionEnvironment,
	{ count, seed, hasLinks }: { count: number; seed?: number; hasLinks: boolean }
): Promise<{ tried: number; refused: number }> {
	const figures = { tried: 0, refused: 0 };
	await environment.makeDirectory('w');
	await environment.writeFile('kept/kept.txt', 'kept');
	const root = `${environment.workingDirectory()}/w`;
	await fc.assert(
		fc.asyncProperty(entries(hasLinks), async (all) => {
			const code = await codeOf(environment.load(inOrder(...all), { root }));
			figures.tried++;
			if (code !== 'resolved') figures.refused++;
			expect(code).toMatch(/^(?:resolved|E[A-Z]+)$/);
			expect((await environment.listDirectory('.', 1)).map((entry) => entry.path)).toEqual(['kept', 'w']);
			expect((await environment.listDirectory('kept', 9)).map((entry) => entry.path)).toEqual(['kept.txt']);
			expect(await environment.readFile('kept/kept.txt')).toBe('kept');
			await environment.remove('w', { recursive: true });
			await environment.makeDirectory('w');
		}),
		{ numRuns: count, endOnFailure: true, ...(seed === undefined ? {} : { seed }) }
	);
	return figures;
}
