import type { GitObject } from '../objects/object.ts';
import { PackWriter } from './pack-writer.ts';

/**
 * Writes objects to a single pack without deltas, to be sent.
 *
 * @returns null if there are no objects
 * @throws RangeError with `tooLarge` if they do not fit
 */
export function onePack(objects: Iterable<GitObject>, tooLarge: string): Uint8Array | null {
	let whole: Uint8Array | null = null;
	const writer = new PackWriter(({ pack }) => {
		if (whole) throw new RangeError(tooLarge);
		whole = pack;
	});
	for (const { type, content } of objects) writer.add(type, content);
	writer.finish();
	return whole;
}
