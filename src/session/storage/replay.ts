import type { Damage } from './damage.ts';
import { FileState, journalLine, type JournalLine } from './file-journal.ts';

interface Replayed {
	state: FileState;
	/** Number of lines that were applied; later ones are discarded. */
	applied: number;
	warnings: string[];
	damage: Damage[];
}

type Write = Extract<JournalLine, { t: 'write' }>;

/** Maximum number of paths that are listed. */
const NAMED = 50;

/**
 * Computes the files from a journal's lines.
 *
 * A crash can leave lines whose contents never reached the disk. Contents are written in order, so the first line with
 * missing content then ends the journal: the files are as they were at one point in time, not a mixture of two. If the
 * content of a later line exists, the missing one was lost by damage, and only its file is affected.
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

/** Number of lines before the first one whose content a crash can have lost. */
function crashEnd(lines: readonly (JournalLine | null)[], hasBlob: (id: string) => boolean): number {
	const isMissing = (line: JournalLine | null): boolean => line?.t === 'write' && line.b !== '' && !hasBlob(line.b);
	const first = lines.findIndex(isMissing);
	if (first < 0) return lines.length;
	const isThere = (line: JournalLine | null): line is Write => line?.t === 'write' && hasBlob(line.b);
	const earlier = new Set(
		lines
			.slice(0, first)
			.filter(isThere)
			.map(({ b }) => b)
	);
	if (!lines.some((line) => isThere(line) && !earlier.has(line.b))) return first;
	// After the last existing content, a crash can have lost the rest.
	const last = lines.findLastIndex(isThere);
	const behind = lines.findIndex((line, index) => index > last && isMissing(line));
	return behind < 0 ? lines.length : behind;
}
