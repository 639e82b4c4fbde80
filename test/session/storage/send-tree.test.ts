import { expect, it } from 'vitest';
import type { Storage } from '#session/storage/client.ts';
import type { Tree } from '#session/storage/file-journal.ts';
import { sendTree } from '#session/storage/send-tree.ts';

/** Sizes of the messages for a tree of this many files; the last one marks it as complete. */
async function sent(files: number): Promise<number[]> {
	const tree: Tree = new Map(Array.from({ length: files }, (_, at) => [`f${at}`, { mode: 0o100644, blob: `${at}` }]));
	const parts: { call: string; part: Tree }[] = [];
	const take = (call: string) => async (session: string, id: string, part: Tree) => {
		expect([session, id]).toEqual(['s', 't']);
		parts.push({ call, part: new Map(part) });
	};
	await sendTree({ addTreePart: take('part'), addTree: take('whole') } as unknown as Storage, 's', 't', tree);
	expect(parts.map(({ call }) => call)).toEqual([...Array(parts.length - 1).fill('part'), 'whole']);
	expect(new Map(parts.flatMap(({ part }) => [...part]))).toEqual(tree);
	return parts.map(({ part }) => part.size);
}

it('sends a tree of many files in parts of at most a thousand', async () => {
	expect(await sent(2_500)).toEqual([1_000, 1_000, 500]);
	expect(await sent(999)).toEqual([999]);
	expect(await sent(1_000)).toEqual([1_000, 0]);
	expect(await sent(0)).toEqual([0]);
});
