import { expect, it } from 'vitest';
import { ChangeBatch } from '#session/change-batch.ts';

const change = (bytes: number) => ({
	seq: 1,
	path: '/workspace/a',
	kind: 'write' as const,
	mode: 0o100644,
	bytes: new Uint8Array(bytes)
});

it('is full by its bytes, or by the number of small files', () => {
	const large = new ChangeBatch();
	expect([large.take(change(3_000_000)), large.take(change(3_000_000)), large.take(change(1))]).toEqual([
		true,
		true,
		false
	]);
	const exactly = new ChangeBatch();
	expect([exactly.take(change(4_000_000)), exactly.take(change(0))]).toEqual([true, false]);
	const removals = new ChangeBatch();
	const removal = { seq: 1, path: '/workspace/a', kind: 'remove' as const, mode: 0o100644 };
	expect([removals.take(removal), removals.take(removal)]).toEqual([true, true]);
	expect(removals.close()).toEqual([removal, removal]);
	const small = new ChangeBatch();
	for (let count = 0; count < 3_000; count++) expect([count, small.take(change(1))]).toEqual([count, count < 2_000]);
	expect(small.close()).toHaveLength(2_000);
	const closed = new ChangeBatch();
	closed.close();
	expect(closed.take(change(1))).toBe(false);
});
