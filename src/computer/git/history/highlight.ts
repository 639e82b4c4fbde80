import { ansiColor } from '../config/ansi-color.ts';
import { COLOR_RESET } from '../color-choice.ts';
import type { Repository } from '../repository.ts';

/** Patterns that select commits. */
export interface SearchPatterns {
	authors: readonly RegExp[];
	committers: readonly RegExp[];
	messages: readonly RegExp[];
}

/** Colors of matches, and of the rest of their lines. */
export interface Highlight extends SearchPatterns {
	match: string;
	line: string;
}

/** Highlights by `color.grep.matchSelected`, `color.grep.match` and `color.grep.selected`. */
export function highlightOf({ config }: Repository, patterns: SearchPatterns): Highlight {
	const color = (slot: string) => {
		const text = config.get(`color.grep.${slot}`);
		return text === undefined ? null : ansiColor(text);
	};
	return {
		...patterns,
		match: color('matchselected') ?? color('match') ?? '\x1b[1;31m',
		line: color('selected') ?? ''
	};
}

/** Highlights the matches in a line. */
export function highlighted(text: string, patterns: readonly RegExp[], { match, line }: Highlight): string {
	const colored = (color: string, part: string) =>
		color === '' || part === '' ? part : `${color}${part}${COLOR_RESET}`;
	let shown = '';
	let at = 0;
	for (;;) {
		let start = text.length;
		let end = text.length;
		for (const pattern of patterns) {
			const regex = new RegExp(pattern.source, `${pattern.flags.replace(/[gm]/g, '')}g`);
			regex.lastIndex = at;
			const found = regex.exec(text);
			if (!found || found[0] === '' || found.index > start) continue;
			const stop = found.index + found[0].length;
			end = found.index < start || end === start ? stop : Math.max(end, stop);
			start = found.index;
		}
		if (start === text.length) break;
		shown += colored(line, text.slice(at, start)) + colored(match, text.slice(start, end));
		at = end;
	}
	return at === 0 ? text : shown + colored(line, text.slice(at));
}
