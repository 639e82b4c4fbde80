import fc from '#test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { createVolume } from '#computer/volume/first-files.ts';
import { Journal, type JournalEntry } from '#computer/volume/journal.ts';
import { Snapshots } from '#computer/volume/snapshots.ts';
import { decodeReply, encodeReply } from '#computer/abi/reply-codec.ts';

describe('a reply', () => {
	it('comes out as it went in, whatever its parts are called', () => {
		const part = fc.oneof(fc.uint8Array(), fc.string(), fc.integer(), fc.constant(null), fc.array(fc.string()));
		const name = fc.oneof(fc.string(), fc.constant('__proto__'), fc.constant('plain'), fc.constant('lengths'));
		fc.assert(
			fc.property(fc.array(fc.tuple(name, part)), (entries) => {
				const value = Object.fromEntries(entries);
				const decoded = decodeReply(encodeReply(value));
				expect(Object.entries(decoded as object).sort()).toEqual(Object.entries(value).sort());
			})
		);
		expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
	});

	it('tells of a file and of none as it would in JSON', () => {
		const volume = createVolume([]);
		volume.symlink('nowhere', '/workspace/link');
		for (const path of ['/workspace', '/workspace/link', '/dev/null']) {
			const stat = volume.lstat(path);
			expect(decodeReply(encodeReply(stat))).toEqual(stat);
		}
		expect(decodeReply(encodeReply(null))).toBeNull();
	});
});

describe('the journal', () => {
	const bytes = Uint8Array.of(1);
	const write = (path: string) => ({ path, kind: 'write' as const, mode: 0o100644, bytes });

	it('sends one batch at a time, in order, numbered without a gap', async () => {
		const batches: JournalEntry[][] = [];
		const journal = new Journal((entries) => batches.push(entries));
		journal.record(write('/a'));
		await Promise.resolve();
		for (const path of ['/b', '/b', '/b', '/c', '/b']) journal.record(write(path));
		await Promise.resolve();
		expect(batches.map((batch) => batch.map(({ seq, path }) => `${seq}${path}`))).toEqual([['1/a']]);
		const settled = journal.settled();
		journal.taken();
		expect(batches[1]?.map(({ seq, path }) => `${seq}${path}`)).toEqual(['2/b', '3/c', '4/b']);
		journal.taken();
		await settled;
	});

	it('sends much that happened at once in several batches, and is settled when the last was taken', async () => {
		const batches: JournalEntry[][] = [];
		const journal = new Journal((entries) => batches.push(entries));
		for (let number = 0; number < 600; number++) journal.record(write(`/${number}`));
		const settled = journal.settled().then(() => batches.length);
		expect(batches.map(({ length }) => length)).toEqual([250, 250, 100]);
		expect(batches.flat().map(({ seq, path }) => `${seq - 1}` === path.slice(1))).not.toContain(false);
		journal.record(write('/later'));
		journal.taken();
		journal.taken();
		expect(batches).toHaveLength(3);
		journal.taken();
		journal.taken();
		expect(await settled).toBe(4);
	});
});

describe('snapshots of 10,000 files', () => {
	it('find exactly what changed, and go back', () => {
		const volume = createVolume([]);
		const encoder = new TextEncoder();
		for (let i = 0; i < 10_000; i++) {
			volume.makeParents(`/workspace/d${i % 100}/f${i}`);
			volume.writeFile(`/workspace/d${i % 100}/f${i}`, encoder.encode(`file ${i} `.repeat(50)));
		}
		const snapshots = new Snapshots(volume);
		const first = snapshots.take();
		for (let i = 0; i < 20; i++) volume.writeFile(`/workspace/d${i}/f${i}`, encoder.encode(`changed ${i}`));
		const start = performance.now();
		const second = snapshots.take();
		console.info(`snapshot with 20 of 10,000 files dirty: ${(performance.now() - start).toFixed(1)} ms`);
		const before = new Map(first.entries.map(([path, , blob]) => [path, blob]));
		expect(second.entries.filter(([path, , blob]) => before.get(path) !== blob)).toHaveLength(20);
		snapshots.restore(first.entries);
		expect(snapshots.take().id).toBe(first.id);
	});
});
