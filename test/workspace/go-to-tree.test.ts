import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from '#test/fast-check.ts';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { EnvironmentError } from '#environment/errors.ts';
import { LocalExecutionEnvironment } from '#environment/local/environment.ts';
import { goToTree } from '#workspace/go-to-tree.ts';
import { putTree } from '#workspace/put-tree.ts';
import { removeIfThere } from '#workspace/remove-if-there.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'sandglass-go-'));
const environment = new LocalExecutionEnvironment({ workingDirectory: folder });
await environment.initialize();
afterAll(async () => {
	await environment.cleanup();
	await rm(folder, { recursive: true });
});

/** A file, a dangling link, or an empty directory at a path; few names, so that they collide with other folders. */
const name = fc.constantFrom('a', 'b', 'c');
const step = fc.record({
	at: fc.array(name, { minLength: 1, maxLength: 4 }),
	text: fc.constantFrom('1', '2', 'link', null)
});
const steps = fc.array(step, { maxLength: 10 });

async function make(all: { at: string[]; text: string | null }[]): Promise<void> {
	for (const { at, text } of all) {
		const target = at.join('/');
		// Anything in its way stays: then there is no such file.
		const making =
			text === null
				? environment.makeDirectory(target)
				: text === 'link'
					? environment.symlink('nowhere', target)
					: environment.writeFile(target, text);
		await making.catch(() => {});
	}
}

it('makes the files as any tree has them, from any other', async () => {
	await fc.assert(
		fc.asyncProperty(steps, steps, async (first, second) => {
			for (const top of ['a', 'b', 'c', 'nowhere']) await removeIfThere(environment, top);
			await make(first);
			const before = await environment.snapshot();
			for (const top of ['a', 'b', 'nowhere']) await removeIfThere(environment, top);
			await make(second);
			const after = await environment.snapshot();
			for (const [from, to] of [
				[after, before],
				[before, after]
			] as const) {
				await goToTree(environment, from.entries, to.entries, (blob) => environment.readBlob(blob));
				expect([...(await environment.snapshot()).entries].sort()).toEqual([...to.entries].sort());
			}
			await putTree(environment, before.entries, [...after.entries.keys(), ...before.entries.keys()], (blob) =>
				environment.readBlob(blob)
			);
			expect([...(await environment.snapshot()).entries].sort()).toEqual([...before.entries].sort());
		}),
		{ numRuns: 15 }
	);
});

describe('what stands in the way of a tree', () => {
	const readBlob = (blob: string) => environment.readBlob(blob);

	/** Two states of the folder; the second is the current one. */
	async function states() {
		for (const top of ['a', 'b', 'c', 'nowhere']) await removeIfThere(environment, top);
		await make([
			{ at: ['a', 'b', 'c'], text: '1' },
			{ at: ['a', 'c'], text: '1' },
			{ at: ['b'], text: '1' },
			{ at: ['c', 'a'], text: '1' },
			{ at: ['a', 'd'], text: '1' },
			{ at: ['a', 'e'], text: null }
		]);
		const first = await environment.snapshot();
		for (const gone of ['a/b', 'b', 'c', 'a/d', 'a/e']) await removeIfThere(environment, gone);
		await make([
			{ at: ['a', 'c'], text: '2' },
			{ at: ['b', 'a'], text: '2' },
			{ at: ['b', 'b'], text: '2' },
			{ at: ['c'], text: null },
			{ at: ['a', 'd'], text: null },
			{ at: ['a', 'e'], text: '2' }
		]);
		return { first, second: await environment.snapshot() };
	}

	/** Paths that were removed meanwhile: a program that watches a merely changed file must see no removal. */
	async function removedBy(work: () => Promise<void>): Promise<string[]> {
		const remove = vi.spyOn(environment, 'remove');
		await work();
		const paths = remove.mock.calls.map(([path]) => path.replace(/^\.\//, ''));
		remove.mockRestore();
		return paths.sort();
	}

	it('is removed, folders at once, and a changed file is written where it is', async () => {
		const { first, second } = await states();
		expect(await removedBy(() => goToTree(environment, second.entries, first.entries, readBlob))).toEqual([
			'a/d',
			'a/e',
			'b',
			'c'
		]);
		expect([...(await environment.snapshot()).entries].sort()).toEqual([...first.entries].sort());
		expect(await removedBy(() => goToTree(environment, first.entries, second.entries, readBlob))).toEqual([
			'a/b',
			'a/d',
			'a/e',
			'b',
			'c'
		]);
		expect([...(await environment.snapshot()).entries].sort()).toEqual([...second.entries].sort());
	});

	it('is nothing where only given paths are put back as they were', async () => {
		const { first } = await states();
		expect(await removedBy(() => putTree(environment, first.entries, ['a/c'], readBlob))).toEqual([]);
		expect(await environment.readFile('a/c')).toBe('1');
		expect(await environment.readFile('b/a')).toBe('2');
	});

	it('is a folder that the tree lists as empty, which stays, and one without files, which goes', async () => {
		await states();
		const before = await environment.snapshot();
		await environment.writeFile('a/d/x/y', 'new');
		await environment.writeFile('new/x/y', 'new');
		await putTree(environment, before.entries, ['a/d/x/y', 'new/x/y', 'never/there'], readBlob);
		expect([...(await environment.snapshot()).entries].sort()).toEqual([...before.entries].sort());
		expect(await environment.fileExists('new')).toBe(false);
	});

	it('is back with names that no import may bring, as a program made them', async () => {
		await states();
		const names = ['C:', '\\a', 'a\\..\\b'];
		for (const name of names) await environment.writeFile(name, name);
		const { entries } = await environment.snapshot();
		const remove = () => Promise.all(names.map((name) => removeIfThere(environment, name)));
		await remove();
		await goToTree(environment, (await environment.snapshot()).entries, entries, readBlob);
		expect(await Promise.all(names.map((name) => environment.readFile(name)))).toEqual(names);
		await remove();
		await putTree(environment, entries, names, readBlob);
		expect(await Promise.all(names.map((name) => environment.readFile(name)))).toEqual(names);
		await remove();
	});

	it('is left where it cannot be removed, with the reason', async () => {
		await states();
		const remove = vi.spyOn(environment, 'remove').mockRejectedValue(new EnvironmentError('EACCES', 'not yours'));
		await expect(removeIfThere(environment, 'b')).rejects.toMatchObject({ code: 'EACCES' });
		remove.mockRejectedValue(new TypeError('gone'));
		await expect(removeIfThere(environment, 'b')).rejects.toThrow('gone');
		remove.mockRestore();
		await removeIfThere(environment, 'b/a/deeper');
		await removeIfThere(environment, 'nowhere');
	});
});
