import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createVolume } from '#computer/volume/first-files.ts';
import { Snapshots } from '#computer/volume/snapshots.ts';
import { RetainedBlobs } from '#computer/host/retained-blobs.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
const pause = () => new Promise<void>((resolve) => setTimeout(resolve));

const bytes = (fill: number) => new Uint8Array(100).fill(fill);
const entriesOf = (...blobs: string[]) => new Map(blobs.map((blob) => [blob, { mode: 0o100644, blob }]));

describe('the contents of snapshots', () => {
	it('stay while someone holds the snapshot, and then go, the oldest first', async () => {
		const kept = new RetainedBlobs(300, 100);
		const held = entriesOf('1e1d');
		kept.hold(held);
		(() => kept.hold(entriesOf('01d3', '01d2', '2e3')))();
		for (const [index, blob] of ['01d3', '01d2', '1e1d', '2e3'].entries()) kept.add(blob, bytes(index));
		await pause();
		collect();
		expect(await kept.sweep(pause)).toEqual(['01d3', '01d2']);
		expect(['01d3', '01d2', '1e1d', '2e3'].map((blob) => kept.get(blob)?.[0])).toEqual([undefined, undefined, 2, 3]);
		// Nothing has arrived since: nothing is searched.
		expect(await kept.sweep(pause)).toEqual([]);
		expect(held.size).toBe(1);
	});

	it('stay when a snapshot that names them is taken while it is looked', async () => {
		const kept = new RetainedBlobs(300, 0);
		const first = entriesOf('a');
		kept.hold(first);
		for (const blob of ['a', 'b', 'c', 'd']) kept.add(blob, bytes(0));
		const later = entriesOf('c');
		let isFirst = true;
		const gone = await kept.sweep(async () => {
			if (!isFirst) return;
			isFirst = false;
			kept.hold(later);
			// Arrived as a part of a snapshot that is not complete yet.
			kept.add('d', bytes(0));
		});
		expect(gone).toEqual(['b']);
		expect([first.size, later.size]).toEqual([1, 1]);
	});

	it('go from the kernel too, but for those of the files as they are', () => {
		const volume = createVolume([]);
		const snapshots = new Snapshots(volume);
		const write = (text: string) => volume.writeFile('/workspace/file', new TextEncoder().encode(text));
		const blobAfter = (text: string): string => {
			write(text);
			return snapshots.take().entries.find(([path]) => path === 'file')?.[2] ?? '';
		};
		const [one, two] = [blobAfter('one'), blobAfter('two')];
		expect(new TextDecoder().decode(snapshots.read(one))).toBe('one');
		snapshots.forget([one, two]);
		expect(() => snapshots.read(one)).toThrow(/not known/);
		expect(new TextDecoder().decode(snapshots.read(two))).toBe('two');
		// Once written again, it is found again.
		expect(blobAfter('one')).toBe(one);
		expect(new TextDecoder().decode(snapshots.read(one))).toBe('one');
	});
});
