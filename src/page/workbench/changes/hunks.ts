import { structuredPatch } from 'diff';
import type { DiffLine } from '../../timeline/diff-lines.ts';

/** One hunk of a file's diff, numbered as in `WorkspaceApi.revertHunk`. */
export interface Hunk {
	index: number;
	header: string;
	lines: DiffLine[];
}

/** One row of a side-by-side diff; an absent side is empty. */
export interface SideRow {
	left?: DiffLine;
	right?: DiffLine;
}

/**
 * Computes the hunks between two texts.
 *
 * @param context lines around each change
 */
export function hunksOf(path: string, before: string, after: string, context = 3): Hunk[] {
	const patch = structuredPatch(path, path, before, after, '', '', { context });
	return patch.hunks.map((hunk, index) => {
		let oldNumber = hunk.oldStart;
		let newNumber = hunk.newStart;
		const lines = hunk.lines.flatMap((line): DiffLine[] => {
			const text = line.slice(1);
			if (line.startsWith('+')) return [{ kind: 'added', text, newNumber: newNumber++ }];
			if (line.startsWith('-')) return [{ kind: 'removed', text, oldNumber: oldNumber++ }];
			if (line.startsWith(' ')) return [{ kind: 'same', text, oldNumber: oldNumber++, newNumber: newNumber++ }];
			return [];
		});
		const header = `${hunk.oldStart},${hunk.oldLines} → ${hunk.newStart},${hunk.newLines}`;
		return { index, header, lines };
	});
}

/** All lines of a text, including those that its earlier version had instead. */
export function wholeDiff(path: string, before: string, after: string): DiffLine[] {
	const [hunk] = hunksOf(path, before, after, Number.MAX_SAFE_INTEGER);
	if (hunk) return hunk.lines;
	const lines = after.replace(/\n$/, '').split('\n');
	return lines.map((text, index) => ({ kind: 'same', text, oldNumber: index + 1, newNumber: index + 1 }));
}

/** Pairs removed lines with the added ones that follow them. */
export function sideBySide(lines: readonly DiffLine[]): SideRow[] {
	const rows: SideRow[] = [];
	let removed: DiffLine[] = [];
	let added: DiffLine[] = [];
	const flush = (): void => {
		for (let index = 0; index < Math.max(removed.length, added.length); index += 1) {
			rows.push({ left: removed[index], right: added[index] });
		}
		removed = [];
		added = [];
	};
	for (const line of lines) {
		if (line.kind === 'removed') {
			if (added.length > 0) flush();
			removed.push(line);
		} else if (line.kind === 'added') added.push(line);
		else {
			flush();
			rows.push({ left: line, right: line });
		}
	}
	flush();
	return rows;
}
