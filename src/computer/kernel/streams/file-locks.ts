import type { Node } from '@jsonjoy.com/fs-core';
import type { LockMode } from '#computer/abi/syscalls.ts';
import { errno } from '#computer/abi/errno.ts';
import { lookup } from '#computer/volume/lookup.ts';
import type { Volume } from '#computer/volume/volume.ts';
import type { FileDescription } from './file-description.ts';

/** A program uses a handful; each costs the kernel memory and time. */
const MAX_LOCKS = 1024;

interface Lock {
	owner: FileDescription;
	start: number;
	/** First byte after the range. */
	end: number;
	isExclusive: boolean;
}

/**
 * Locks on byte ranges of files. They belong to the open file description, as with `F_OFD_SETLK`: two of one process
 * exclude each other, and a lock ends with its description, however its process ends. Advisory: only those who ask
 * for locks notice them. No call waits for a lock.
 */
export class FileLocks {
	readonly #held = new WeakMap<Node, Lock[]>();

	constructor(private readonly volume: Volume) {}

	/**
	 * Locks or unlocks `length` bytes from `start`, replacing what `owner` holds of them.
	 *
	 * @returns false if another description holds a lock that excludes this one
	 * @throws ENOENT, ENOLCK
	 */
	set(owner: FileDescription, start: number, length: number, mode: LockMode): boolean {
		const { link } = lookup(this.volume.root, owner.path, true);
		if (!link) throw errno('ENOENT', owner.path);
		const node = link.getNode();
		const held = this.#held.get(node) ?? [];
		const end = start + length;
		const isExclusive = mode !== 'shared';
		const overlapping = held.filter((lock) => lock.start < end && start < lock.end);
		const isExcluded = overlapping.some((lock) => lock.owner !== owner && (isExclusive || lock.isExclusive));
		if (mode !== 'none' && isExcluded) return false;
		if (mode === 'test') return true;
		const kept = held.flatMap((lock) => (lock.owner === owner ? outside(lock, start, end) : [lock]));
		if (mode !== 'none') kept.push({ owner, start, end, isExclusive });
		if (kept.length > MAX_LOCKS) throw errno('ENOLCK', owner.path, 'too many locks on this file');
		this.#held.set(node, kept);
		owner.onClosed(this, () => this.#release(node, owner));
		return true;
	}

	#release(node: Node, owner: FileDescription): void {
		const kept = (this.#held.get(node) ?? []).filter((lock) => lock.owner !== owner);
		this.#held.set(node, kept);
	}
}

/** Parts of a lock before `start` and from `end`. */
function outside(lock: Lock, start: number, end: number): Lock[] {
	const parts = [
		{ ...lock, end: Math.min(lock.end, start) },
		{ ...lock, start: Math.max(lock.start, end) }
	];
	return parts.filter((part) => part.start < part.end);
}
