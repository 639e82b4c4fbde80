import fc from '#test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { createVolume } from '#computer/volume/first-files.ts';
import { removeTree, renameEntry } from '#computer/volume/tree.ts';
import type { Volume } from '#computer/volume/volume.ts';
import { Journal } from '#computer/volume/journal.ts';
import { Snapshots } from '#computer/volume/snapshots.ts';
import { FileMirror } from '#computer/host/file-mirror.ts';
import type { SnapshotEntries } from '#environment/merged-entries.ts';
import { LastSnapshot } from '#computer/host/last-snapshot.ts';
import { SyscallError } from '#computer/abi/client.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const path = fc
	.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 })
	.map((parts) => `/workspace/${parts.join('/')}`);
type Step = (volume: Volume) => void;
const step: fc.Arbitrary<Step> = fc.oneof(
	fc.tuple(path, fc.string()).map(
		([at, text]): Step =>
			(volume) =>
				volume.writeFile(at, bytes(text))
	),
	fc.tuple(path, fc.string()).map(
		([at, text]): Step =>
			(volume) =>
				volume.appendFile(at, bytes(text))
	),
	path.map(
		(at): Step =>
			(volume) =>
				volume.mkdir(at, { recursive: true })
	),
	path.map(
		(at): Step =>
			(volume) =>
				volume.mkfifo(at)
	),
	path.map(
		(at): Step =>
			(volume) =>
				removeTree(volume, at, { recursive: true })
	),
	fc.tuple(path, path).map(
		([from, to]): Step =>
			(volume) =>
				renameEntry(volume, from, to)
	),
	fc.tuple(path, path).map(
		([from, to]): Step =>
			(volume) =>
				volume.link(from, to)
	),
	fc.tuple(path, path).map(
		([target, at]): Step =>
			(volume) =>
				volume.symlink(target, at)
	),
	path.map(
		(at): Step =>
			(volume) =>
				volume.chmod(at, 0o755)
	)
);

function attempt(run: () => void): void {
	try {
		run();
	} catch (error) {
		if (!(error instanceof SyscallError)) throw error;
	}
}

describe('after any changes', () => {
	it('a snapshot made of differences is the one a fresh look gives, and the page has the same bytes', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(fc.array(step, { maxLength: 12 }), { maxLength: 5 }), async (rounds) => {
				const volume = createVolume([]);
				const kept = new FileMirror();
				const journal = new Journal((entries) => {
					for (const entry of entries) kept.record(entry);
				});
				volume.onChange = (change) => {
					journal.record(change);
					journal.push();
				};
				const snapshots = new Snapshots(volume);
				const last = new LastSnapshot();
				for (const steps of rounds) {
					for (const one of steps) attempt(() => one(volume));
					const wire = snapshots.difference(last.id);
					const arrived = wire.entries.map(([at, mode, blob]): SnapshotEntries[number] => [at, { mode, blob }]);
					const snapshot = await last.apply(wire, arrived, new Set(wire.removed));
					const fresh = new Snapshots(volume).take();
					expect([...snapshot.entries]).toEqual(fresh.entries.map(([at, mode, blob]) => [at, { mode, blob }]));
					expect(snapshot.id).toBe(fresh.id);
					for (const [at, { mode, blob }] of snapshot.entries) {
						if (mode !== 0o40000) expect(kept.bytesAt(`/workspace/${at}`)).toEqual(snapshots.read(blob));
					}
					const listed = [...kept.files().map((file) => file.path), ...kept.emptyDirectories()].filter(
						(at) => at !== '/workspace'
					);
					expect(listed.sort()).toEqual([...snapshot.entries.keys()].map((at) => `/workspace/${at}`).sort());
				}
			}),
			{ numRuns: 60 }
		);
	});
});
