import { displayWidth } from '../display-width.ts';

/**
 * Breaks text into lines of at most `width` cells.
 *
 * @param first indent of the first line
 * @param rest indent of the other lines
 * @param width 0 only indents
 */
export function wrapText(text: string, first: number, rest: number, width: number): string {
	if (width <= 0)
		return text.replace(/[^\n]*\n|[^\n]+$/g, (line, at: number) => ' '.repeat(at === 0 ? first : rest) + line);
	let shown = '';
	let used = first;
	let indent = first;
	let gap = '';
	let isFresh = true;
	for (let at = 0; ;) {
		const word = /^\S*/.exec(text.slice(at))![0];
		const end = at + word.length;
		if (isFresh && word === '' && end === text.length) return shown;
		const cells = displayWidth(word);
		if (!isFresh && used + cells > width) {
			shown += '\n';
			isFresh = true;
			indent = rest;
			continue;
		}
		shown += (isFresh ? ' '.repeat(indent) : gap) + word;
		used = (isFresh ? indent : used) + cells;
		if (end === text.length) return shown;
		const ended = lineEnd(text, end);
		if (ended !== null) {
			shown += ended.shown;
			at = ended.next;
			isFresh = true;
			indent = rest;
			continue;
		}
		const letter = text[end]!;
		if (letter === '\n') shown += ' ';
		used = (letter === '\t' ? used | 7 : used) + 1;
		gap = letter === '\n' ? '' : letter;
		isFresh = false;
		at = end + 1;
	}
}

/** Line break that is kept: before an empty line, or if the next line does not start with a word. */
function lineEnd(text: string, at: number): { shown: string; next: number } | null {
	if (text[at] !== '\n') return null;
	const next = text[at + 1] ?? '';
	if (next === '\n') return { shown: '\n\n', next: at + 2 };
	if (/[A-Za-z0-9]/.test(next)) return null;
	return { shown: '\n', next: at + 1 + (/\s/.test(next) ? 1 : 0) };
}
