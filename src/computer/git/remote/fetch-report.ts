import type { Invocation } from '../invocation.ts';
import { prettyName, shownUrl } from './fetch-head.ts';

/** Terminal width that git assumes. */
const COLUMNS = 80;
/** Part of the width that the first names may take up in the short form. */
const SHORT_PART = 2 / 3;
const LEAST_WIDTH = 10;
const SUMMARY_WIDTH = 17;

/** One line about a reference. */
interface ReportLine {
	mark: ' ' | '+' | '-' | '*' | '!' | '=' | 't';
	summary: string;
	from: string;
	to: string;
	/** Shown in parentheses at the end. */
	note?: string;
}

/** Reports on stderr which references a fetch updates, in git's format. */
export class FetchReport {
	#isOpen = false;
	#width = LEAST_WIDTH;

	constructor(
		private readonly git: Invocation,
		private readonly url: string,
		private readonly how: { quiet: boolean; isCompact?: boolean }
	) {}

	/** Makes the first column wide enough. @param names pairs of source and target of the lines that follow */
	fit(names: readonly (readonly [from: string, to: string])[]): void {
		const { isCompact } = this.how;
		// In the short form, little is known about the width of the second name.
		const most = isCompact ? COLUMNS * SHORT_PART : COLUMNS;
		const widths = names
			.map(([from, to]) => [prettyName(from).length, prettyName(to).length] as const)
			.filter(([from, to]) => 21 + from + 4 + (isCompact ? 0 : to) < most)
			.map(([from]) => from);
		this.#width = Math.max(LEAST_WIDTH, ...widths);
	}

	line({ mark, summary, from, to, note }: ReportLine): void {
		if (this.how.quiet && mark !== '!') return;
		if (!this.#isOpen) this.git.err(`From ${shownUrl(this.url)}\n`);
		this.#isOpen = true;
		const [first, second] = this.how.isCompact
			? compactNames(prettyName(from), prettyName(to))
			: [prettyName(from), prettyName(to)];
		const names = `${first.padEnd(this.#width)} -> ${second}`;
		this.git.err(` ${mark} ${summary.padEnd(SUMMARY_WIDTH)} ${names}${note === undefined ? '' : `  (${note})`}\n`);
	}
}

/** Names of which one is `*` where it repeats the other. */
function compactNames(from: string, to: string): readonly [from: string, to: string] {
	if (from === to) return [from, '*'];
	const shorter = replaced(from, to);
	return shorter === null ? [from, replaced(to, from) ?? to] : [shorter, to];
}

/** Name with `*` in place of whole components that are `part`; null if there are none. */
function replaced(name: string, part: string): string | null {
	const at = name.endsWith(part) ? name.length - part.length : name.indexOf(part);
	if (at < 0 || (at > 0 && name[at - 1] !== '/')) return null;
	const end = at + part.length;
	return end < name.length && name[end] !== '/' ? null : `${name.slice(0, at)}*${name.slice(end)}`;
}
