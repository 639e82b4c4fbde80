import type { DiffLine } from '../timeline/diff-lines.ts';
import { highlightLines, type Span } from './highlight.ts';

/**
 * Highlights the lines of a diff: each side is parsed as a separate text.
 *
 * @returns spans by line index; `null` if there is no grammar or the text is too large
 */
export async function diffColours(path: string, lines: readonly DiffLine[]): Promise<(Span[] | undefined)[] | null> {
	const after = await side(path, lines, 'added');
	const before = lines.some(({ kind }) => kind === 'removed') ? await side(path, lines, 'removed') : [];
	if (!after || !before) return null;
	let [now, old] = [0, 0];
	return lines.map(({ kind }) => {
		if (kind === 'removed') return before[old++];
		if (kind === 'added') return after[now++];
		old += 1;
		return after[now++];
	});
}

/** A gap stands for omitted lines; it counts as an empty line. */
function side(path: string, lines: readonly DiffLine[], kind: 'added' | 'removed'): Promise<Span[][] | null> {
	const own = lines.filter((line) => line.kind === kind || line.kind === 'same' || line.kind === 'gap');
	return highlightLines(path, own.map((line) => (line.kind === 'gap' ? '' : line.text)).join('\n'));
}
