import { parseAgentPatch, parseUnified, replacementLines, type DiffLine } from './diff-lines.ts';
import type { ItemOf } from './items.ts';
import { asRecord, textOf } from './tool-arguments.ts';

/**
 * Lines that an editing tool changes: from the diff in its result, and before there is one from the arguments received
 * so far.
 */
export function toolDiff(item: ItemOf<'tool'>): DiffLine[] {
	const details = asRecord(item.details);
	const diff = details && textOf(details, 'diff', 'patch', 'unifiedDiff');
	if (diff) {
		const lines = parseUnified(diff);
		if (lines.length > 0) return lines;
	}
	const args = item.arguments;
	const patch = textOf(args, 'patch', 'input');
	if (patch !== undefined && item.tool === 'patch') return parseAgentPatch(patch);
	const content = textOf(args, 'content');
	if (content !== undefined && item.tool === 'write') return replacementLines('', content.replace(/\n$/, ''));
	const edits = Array.isArray(args['edits']) ? args['edits'] : [args];
	return edits.flatMap((edit, index) => {
		const record = asRecord(edit);
		if (!record) return [];
		const before = textOf(record, 'old_string', 'oldText', 'old_text') ?? '';
		const after = textOf(record, 'new_string', 'newText', 'new_text') ?? '';
		const lines = replacementLines(before, after);
		return index === 0 ? lines : [{ kind: 'gap' as const, text: '' }, ...lines];
	});
}

/** File that a patch changes, or the number of files. */
export function patchPath(patch: string): string {
	const paths = [...patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].map((match) => match[1] ?? '');
	return paths.length <= 1 ? (paths[0] ?? '') : `${paths[0]} +${paths.length - 1}`;
}
