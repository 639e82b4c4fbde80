import type { Invocation } from '../invocation.ts';
import type { Dialogue } from './dialogue.ts';

/** Item of a menu. */
export interface MenuItem {
	/** Text shown before its name. */
	before?: string;
	/** Name; a unique prefix can be typed instead of the number. */
	name: string;
}

/** Options for showing a menu. */
interface MenuLook {
	header?: string;
	prompt: string;
	/** Number of items per row. */
	columns?: number;
	/** The user chooses one item, and the menu closes. */
	isSingle?: boolean;
	/** The menu closes after the first answer. */
	endsAtOnce?: boolean;
}

/** Lets the user choose from a menu. @returns positions of the chosen items; null at the end of input */
export function chooseItems(
	git: Invocation,
	dialogue: Dialogue,
	items: readonly MenuItem[],
	{ header, prompt, columns = 1, isSingle = false, endsAtOnce = false }: MenuLook
): number[] | null {
	const chosen = new Set<number>();
	const names = items.map(({ name }) => name);
	const mark = (start: string) => {
		const painted = dialogue.paint('prompt', start);
		return painted === start ? `[${start}]` : painted;
	};
	for (;;) {
		if (header !== undefined) git.out(`${dialogue.paint('header', header)}\n`);
		for (const [at, { name, before = '' }] of items.entries()) {
			const end = at % columns === columns - 1 || at === items.length - 1 ? '\n' : '\t';
			git.out(
				`${chosen.has(at) ? '*' : ' '}${String(at + 1).padStart(2)}: ${before}${marked(name, names, mark)}${end}`
			);
		}
		const answer = dialogue.ask(`${dialogue.paint('prompt', prompt)}${isSingle ? '> ' : '>> '}`);
		if (answer === null) {
			git.out('\n');
			return isSingle ? null : sorted(chosen);
		}
		if (answer === '') return sorted(chosen);
		for (const word of answer.split(/[ \t,]+/).filter((one) => one !== '')) {
			const found = positions(word.replace(/^-(?=.)/, ''), items, isSingle);
			if (!found) {
				dialogue.refuse(`Huh (${word.replace(/^-(?=.)/, '')})?`);
				continue;
			}
			if (isSingle) return found;
			for (const at of found) {
				if (word.startsWith('-')) chosen.delete(at);
				else chosen.add(at);
			}
		}
		if (endsAtOnce || answer === '*') return sorted(chosen);
	}
}

const LONGEST_START = 4;

/** Highlights the shortest unique prefix of a name, if it is short and can be typed. */
function marked(name: string, names: readonly string[], mark: (start: string) => string): string {
	for (let length = 1; length <= Math.min(LONGEST_START, name.length); length++) {
		const start = name.slice(0, length);
		if (names.filter((other) => other.startsWith(start)).length > 1) continue;
		const isTypable = /^[^\s,\-*?0-9][^\s,]*$/.test(start);
		return isTypable ? mark(start) + name.slice(length) : name;
	}
	return name;
}

const sorted = (chosen: ReadonlySet<number>): number[] => [...chosen].sort((a, b) => a - b);

/** Positions selected by a word: a number, a range, all, or a unique prefix; null if invalid. */
function positions(word: string, items: readonly MenuItem[], isSingle: boolean): number[] | null {
	if (word === '*' && !isSingle) return items.map((_, at) => at);
	const range = /^(\d+)(-(\d*))?$/.exec(word);
	if (range) {
		const from = Number(range[1]);
		const last = range[2] === undefined ? from : range[3] === '' ? items.length : Number(range[3]);
		const to = Math.min(last, items.length);
		if (from < 1 || from > to) return null;
		return Array.from({ length: to - from + 1 }, (_, step) => from - 1 + step);
	}
	const exact = items.findIndex(({ name }) => name === word);
	if (exact >= 0) return [exact];
	const found = items.flatMap(({ name }, at) => (name.startsWith(word) ? [at] : []));
	return found.length === 1 ? found : null;
}
