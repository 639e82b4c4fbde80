import { unzlibSync } from 'fflate';
import { concat } from '../bytes.ts';
import { GitError } from '../errors.ts';
import { applyDelta } from '../objects/delta.ts';
import { FILE_BYTES } from '#computer/abi/limits.ts';
import { base85Bytes } from './base85.ts';

/** One direction of a binary patch. */
export interface BinaryChange {
	/** The bytes are the content itself, or a delta against the other side. */
	kind: 'literal' | 'delta';
	bytes: Uint8Array;
}

/**
 * Parses the contents of a binary patch.
 *
 * @param start the line after `GIT binary patch`
 * @throws GitError if the patch is corrupt
 */
export function readBinaryPatch(
	lines: readonly string[],
	start: number
): { forward: BinaryChange; back: BinaryChange | null; end: number } {
	const forward = readOne(lines, start);
	if (!forward) throw new GitError(`error: unrecognized binary patch at line ${start}`, 128);
	const back = readOne(lines, forward.end);
	return { forward: forward.change, back: back?.change ?? null, end: back?.end ?? forward.end };
}

function readOne(lines: readonly string[], start: number): { change: BinaryChange; end: number } | null {
	const [, kind, size] = /^(literal|delta) (\d+)\n$/.exec(lines[start] ?? '') ?? [];
	if (kind !== 'literal' && kind !== 'delta') return null;
	const parts: Uint8Array[] = [];
	const corrupt = (at: number) =>
		new GitError(`error: corrupt binary patch at line ${at + 1}: ${(lines[at] ?? '').replace(/\n$/, '')}`, 128);
	let at = start + 1;
	for (; at < lines.length && lines[at] !== '\n'; at++) {
		const bytes = base85Bytes((lines[at] ?? '').replace(/\n$/, ''));
		if (!bytes) throw corrupt(at);
		parts.push(bytes);
	}
	const length = Number(size);
	if (length > FILE_BYTES) throw corrupt(start);
	let bytes: Uint8Array;
	try {
		// The buffer has the stated size, so data that inflates to more is rejected without using more memory.
		bytes = unzlibSync(concat(parts), { out: new Uint8Array(length) });
	} catch (error) {
		if (error instanceof Error) throw corrupt(at - 1);
		throw error;
	}
	if (bytes.length !== length) throw corrupt(at - 1);
	return { change: { kind, bytes }, end: at + 1 };
}

/** Content after a change; null if the change does not apply. */
export function changedContent(before: Uint8Array, { kind, bytes }: BinaryChange): Uint8Array | null {
	if (kind === 'literal') return bytes;
	try {
		return applyDelta(before, bytes);
	} catch (error) {
		if (error instanceof RangeError) return null;
		throw error;
	}
}
