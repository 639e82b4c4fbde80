import { describe, expect, it } from 'vitest';
import { VolumeClone } from '#computer/volume/clone.ts';
import { createVolume } from '#computer/volume/first-files.ts';
import { walkTree } from '#computer/volume/tree.ts';
import type { Volume } from '#computer/volume/volume.ts';
import fc from '#test/fast-check.ts';
import { apply, change } from '../volume/changes.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

/** Everything that a program could see below the workspace, except inode numbers and times. */
function contentsOf(volume: Volume): string[] {
	return walkTree(volume, '/workspace')
		.map(({ path, stat }) => {
			const { kind, mode, size, links } = stat;
			const content =
				kind === 'file'
					? new TextDecoder().decode(volume.readFile(path))
					: kind === 'symlink'
						? volume.readlink(path)
						: '';
			return `${path} ${kind} ${mode.toString(8)} ${kind === 'file' ? `${size} ${links}` : ''} ${content}`;
		})
		.sort();
}

describe('a copy of a volume', () => {
	it('shows the moment it was made, whatever happens to either side in any order', () => {
		fc.assert(
			fc.property(
				fc.array(change, { maxLength: 12 }),
				fc.array(fc.record({ onCopy: fc.boolean(), change, reads: fc.boolean() }), { maxLength: 16 }),
				(before, after) => {
					// The same history on a volume that is never copied, and on one that only gets the copy's changes.
					const [original, untouched, copied] = [createVolume([]), createVolume([]), createVolume([])];
					for (const volume of [original, untouched, copied]) apply(volume, before);
					const copy = new VolumeClone(original);
					const frozen = new VolumeClone(original);
					const atCopy = contentsOf(untouched);
					for (const { onCopy, change: one, reads } of after) {
						apply(onCopy ? copy : original, [one]);
						apply(onCopy ? copied : untouched, [one]);
						if (reads) contentsOf(copy);
					}
					expect(contentsOf(original)).toEqual(contentsOf(untouched));
					expect(contentsOf(copy)).toEqual(contentsOf(copied));
					expect(contentsOf(frozen)).toEqual(atCopy);
					expect([original.used, copy.used]).toEqual([untouched.used, copied.used]);
				}
			),
			{ numRuns: 300 }
		);
	});

	it('costs what is read of it, not what the volume holds', () => {
		const volume = createVolume([]);
		for (let at = 0; at < 200; at++) volume.mkdir(`/workspace/${at}/deep`, { recursive: true });
		const copy = new VolumeClone(volume);
		copy.stat('/workspace/7/deep');
		const made = copy.store.ino;
		expect(made).toBeLessThan(250);
		volume.writeFile('/workspace/8/deep/file', bytes('x'));
		expect(copy.store.ino - made).toBeLessThan(3);
		expect(copy.readdir('/workspace/8/deep')).toEqual([]);
	});

	it('is left alone by its original once it is released', () => {
		const volume = createVolume([]);
		const copy = new VolumeClone(volume);
		expect(volume.dependents.size).toBe(1);
		copy.release();
		expect(volume.dependents.size).toBe(0);
	});
});
