import type { Invocation } from '../invocation.ts';
import { prettyName, shownUrl } from './fetch-head.ts';

/** Terminal width that git assumes. */
const COLUMNS = 80;
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
	readonly #width: number;

	/** @param names pairs of source and target, which determine the column width */
	constructor(
		private readonly git: Invocation,
		private readonly url: string,
		private readonly quiet: boolean,
		names: readonly (readonly [from: string, to: string])[]
	) {
		const widths = names
			.map(([from, to]) => [prettyName(from).length, prettyName(to).length] as const)
			.filter(([from, to]) => 21 + from + 4 + to < COLUMNS)
			.map(([from]) => from);
		this.#width = Math.max(LEAST_WIDTH, ...widths);
	}

	line({ mark, summary, from, to, note }: ReportLine): void {
		if (this.quiet && mark !== '!') return;
		if (!this.#isOpen) this.git.err(`From ${shownUrl(this.url)}\n`);
		this.#isOpen = true;
		const names = `${prettyName(from).padEnd(this.#width)} -> ${prettyName(to)}`;
		this.git.err(` ${mark} ${summary.padEnd(SUMMARY_WIDTH)} ${names}${note === undefined ? '' : `  (${note})`}\n`);
	}
}
