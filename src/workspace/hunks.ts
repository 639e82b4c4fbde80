import { applyPatch, reversePatch, structuredPatch, type StructuredPatch } from 'diff';

/**
 * Text after one hunk of the difference was reverted.
 *
 * @param hunk counted from 0, as in the unified diff with three lines of context
 * @throws RangeError when there is no such hunk
 */
export function withoutHunk(before: string, after: string, hunk: number): string {
	const patch = structuredPatch('a', 'b', before, after, '', '', { context: 3 });
	const wanted = patch.hunks[hunk];
	if (!wanted)
		throw new RangeError(
			`The file has no change number ${hunk + 1}. It may have changed since; look at the diff again.`
		);
	const single: StructuredPatch = { ...patch, hunks: [wanted] };
	const result = applyPatch(after, reversePatch(single), { autoConvertLineEndings: false });
	if (result === false) throw new RangeError('The file has changed since this diff was made. Look at the diff again.');
	return result;
}
