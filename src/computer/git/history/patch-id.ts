import { sha1 } from '#environment/sha1.ts';
import { toHex } from '../bytes.ts';
import { compareTrees, pathOf, type Change } from '../diff/change.ts';
import { comparedFile } from '../diff/compared-file.ts';
import { NO_DIFF } from '../diff/format.ts';
import { binaryBytes } from '../diff/lines.ts';
import { printPatch } from '../diff/print.ts';
import { NULL_ID } from '../objects/object.ts';
import type { Repository } from '../repository.ts';
import type { Pathspec } from '../worktree/pathspec.ts';

const BYTES = 20;

/**
 * Hash of a commit's changes against its first parent, independent of blanks and of positions in the files. Commits with
 * equal hashes make the same change.
 */
export function patchId(repository: Repository, id: string, pathspec?: Pathspec): string {
	const { tree, parents } = repository.commit(id);
	const before = parents[0] === undefined ? null : repository.commit(parents[0]).tree;
	const sum = new HashSum();
	for (const change of compareTrees(repository.objects, before, tree)) {
		if (pathspec && !pathspec.isEmpty && !pathspec.matches(pathOf(change))) continue;
		sum.add(hashedText(printPatch(repository, change, NO_DIFF)) + binaryIds(repository, change));
	}
	return sum.id;
}

/** Sum of hashes of texts, independent of their order. */
export class HashSum {
	readonly #sum = new Uint8Array(BYTES);

	/** @param text binary text */
	add(text: string): void {
		const hash = sha1(binaryBytes(text));
		let carry = 0;
		for (let i = 0; i < BYTES; i++) {
			carry += this.#sum[i]! + hash[i]!;
			this.#sum[i] = carry & 255;
			carry >>= 8;
		}
	}

	get id(): string {
		return toHex(this.#sum);
	}
}

/** Patch of a file without positions, ids and blanks. */
function hashedText(patch: string): string {
	return patch
		.split('\n')
		.filter((line) => !/^(?:index |@@ -|\\ |Binary files )/.test(line))
		.map((line) => line.replace(/[ \t\r\n]/g, ''))
		.join('');
}

/** Ids of a binary file's contents, hashed instead of its lines. */
function binaryIds(repository: Repository, change: Change): string {
	if (!comparedFile(repository, change, { text: false }).isBinary) return '';
	return (change.before?.id ?? NULL_ID) + (change.after?.id ?? NULL_ID);
}
