import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from '#test/fast-check.ts';
import { afterAll, expect, it } from 'vitest';
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

/** A file at a path, a link that leads nowhere, or an empty directory; few names, so that one stands where the other's folders are. */
const name = fc.constantFrom('a', 'b', 'c');
const step = fc.record({
	at: fc.array(name, { minLength: 1, maxLength: 4 }),
	text: fc.constantFrom('1', '2', 'link', null)
});
const steps = fc.array(step, { maxLength: 10 });

async function make(all: { at: string[]; text: string | null }[]): Promise<void> {
	for (const { at, text } of all) {
		const target = at.join('/');
		// Whatever is in its way stays: then there is no such file.
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
