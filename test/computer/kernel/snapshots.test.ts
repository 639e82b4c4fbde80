import fc from '#test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { createVolume } from '#computer/volume/first-files.ts';
import { Journal } from '#computer/volume/journal.ts';
import { Snapshots } from '#computer/volume/snapshots.ts';
import { FileMirror } from '#computer/host/file-mirror.ts';
import type { SnapshotEntries } from '#environment/merged-entries.ts';
import { LastSnapshot } from '#computer/host/last-snapshot.ts';
import { apply, change } from '../volume/changes.ts';

describe('after any changes', () => {
	it('a snapshot made of differences is the one a fresh look gives, and the page has the same bytes', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(fc.array(change, { maxLength: 12 }), { maxLength: 5 }), async (rounds) => {
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
					apply(volume, steps);
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
