import type { Damage } from './damage.ts';
import { FileState, journalLine, type JournalLine } from './file-journal.ts';

interface Replayed {
	state: FileState;
	/** How many lines count; those after them do not. */
	applied: number;
	warnings: string[];
	damage: Damage[];
}

/** At most so many paths are named. */
const NAMED = 50;

/**
 * Makes the files of a journal's lines.
 *
 * A crash can leave lines whose contents never reached the disk. Contents get there in order, so then the first line
 * whose content is missing ends the journal: the files are as they were at one moment, not a mixture of two. Where a
 * later line brought a content that is there, the missing one was lost by damage, and only its file is.
 */
export function replay(values: readonly unknown[], hasBlob: (id: string) => boolean): Replayed {
	const lines = values.map((value) => journalLine.safeParse(value).data ?? null);
	const end = crashEnd(lines, hasBlob);
	const state = new FileState();
	const warnings: string[] = [];
	const damage: Damage[] = [];
	let [strange, checkpoints] = [0, 0];
	for (const line of lines.slice(0, end)) {
		if (line === null) {
			strange++;
			warnings.push('A line of the file journal makes no sense and was left out.');
			continue;
		}
		const problem = state.apply(line);
		if (problem === null) continue;
		checkpoints++;
		warnings.push(problem);
	}
	if (strange > 0) damage.push({ kind: 'change_lines', count: strange });
	if (checkpoints > 0) damage.push({ kind: 'checkpoints', count: checkpoints });
	const lost = lines.slice(end);
	if (lost.length > 0) {
		warnings.push(`The last ${lost.length} changes to files were not stored; the files are as they were before.`);
		const paths = [...new Set(lost.flatMap((line) => (line && line.t !== 'tree' ? [line.p] : [])))];
		damage.push({ kind: 'last_changes', count: lost.length, paths: paths.slice(0, NAMED) });
	}
	return { state, applied: end, warnings, damage };
}

/** How many lines there are before the first of which a crash can have taken the content. */
function crashEnd(lines: readonly (JournalLine | null)[], hasBlob: (id: string) => boolean): number {
	const isMissing = (line: JournalLine | null): boolean => line?.t === 'write' && line.b !== '' && !hasBlob(line.b);
	const first = lines.findIndex(isMissing);
	if (first < 0) return lines.length;
	const earlier = new Set(lines.slice(0, first).flatMap((line) => (line?.t === 'write' ? [line.b] : [])));
	const isLaterThere = lines
		.slice(first)
		.some((line) => line?.t === 'write' && line.b !== '' && hasBlob(line.b) && !earlier.has(line.b));
	if (!isLaterThere) return first;
	// Behind the last content that is there, a crash can still have taken what follows.
	const last = lines.findLastIndex((line) => line?.t === 'write' && line.b !== '' && hasBlob(line.b));
	const behind = lines.findIndex((line, index) => index > last && isMissing(line));
	return behind < 0 ? lines.length : behind;
}
