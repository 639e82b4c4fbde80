import { fatal } from '../errors.ts';
import { findFaults, faultLevel, linkedIds } from './object-faults.ts';
import type { PackReceiver } from './pack-receiver.ts';
import type { ObjectStore } from './store.ts';

/**
 * Checks the objects of a received pack.
 *
 * @param known has the objects that the pack may refer to; null to skip the check for missing objects
 * @throws GitError if an object is invalid or refers to a missing one
 */
export function requireRight(
	receiver: PackReceiver,
	known: ObjectStore | null,
	output: { err(text: string): void; levels: (kind: string) => string | undefined }
): void {
	const own = new Set(receiver.placed().map(({ id }) => id));
	let isWrong = false;
	for (const { id, type, content } of receiver.contents()) {
		findFaults(
			type,
			content,
			(kind, text) => {
				const level = faultLevel(kind, true, output.levels);
				if (level === 'ignore') return false;
				output.err(`${level === 'error' ? 'error' : 'warning'}: object ${id}: ${kind}: ${text}\n`);
				isWrong ||= level === 'error';
				return level === 'error';
			},
			{ isStrict: true }
		);
		if (isWrong) throw fatal('fsck error in packed object');
		if (known && linkedIds(type, content).some((part) => !own.has(part) && !known.has(part)))
			throw fatal(`Not all child objects of ${id} are reachable`);
	}
}
