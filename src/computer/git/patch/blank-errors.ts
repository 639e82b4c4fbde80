import { checkBlanks, fixBlanks, problemNames, type WhitespaceRule } from '../diff/whitespace-rule.ts';
import { binaryBytes } from '../diff/lines.ts';
import { decode } from '../bytes.ts';
import { failure } from '../errors.ts';
import type { FilePatch } from './file-patch.ts';

/** Handling of whitespace errors that a patch introduces. */
export type BlankAction = 'nowarn' | 'warn' | 'error' | 'error-all' | 'fix';

/** Number of errors that are shown individually, unless all are requested. */
const MOST_SHOWN = 5;

/** Parses `--whitespace` and `apply.whitespace`. @throws GitError if the value is unknown */
export function blankAction(text: string): BlankAction {
	if (text === 'strip') return 'fix';
	if (['nowarn', 'warn', 'error', 'error-all', 'fix'].includes(text)) return text as BlankAction;
	throw failure(`unrecognized whitespace option '${text}'`, 129);
}

/** Whitespace errors in the patches of one run. */
export class BlankErrors {
	count = 0;
	fixedLines = 0;

	constructor(
		readonly action: BlankAction,
		private readonly ruleOf: (path: string) => WhitespaceRule,
		private readonly say: (text: string) => void
	) {}

	/** Reports whitespace errors that a patch introduces. @param name of the patch file, for messages */
	check(patch: FilePatch, name: string): void {
		if (this.action === 'nowarn') return;
		const rule = this.ruleOf(patch.newPath);
		for (const hunk of patch.hunks)
			for (const [i, line] of hunk.lines.entries()) {
				if (!line.startsWith('+') && (this.action !== 'fix' || !line.startsWith(' '))) continue;
				const text = line.slice(1).replace(/\n$/, '');
				const found = problemNames(checkBlanks(text, rule).problems);
				if (found !== '') this.#note(`${name}:${hunk.lineNumbers?.[i] ?? hunk.line + 1 + i}: ${found}.`, text);
			}
	}

	/** Whitespace handling for the lines of one file while a patch is applied. */
	forFile(path: string, name: string): FileBlanks {
		const rule = this.ruleOf(path);
		return {
			rule,
			isFixing: this.action === 'fix',
			fixed: (text) => {
				// Lines are only processed if there was an error.
				if (this.count === 0) return text;
				const { text: fixed, isFixed } = fixBlanks(text, rule);
				if (isFixed) this.fixedLines++;
				return fixed;
			},
			atFileEnd: (line) => {
				if (this.action !== 'nowarn') this.#note(`${name}:${line}: new blank line at EOF.`, '+');
			}
		};
	}

	get mustFail(): boolean {
		return this.count > 0 && (this.action === 'error' || this.action === 'error-all');
	}

	/** Prints the summary. @param isApplied whether the patches were applied */
	report(isApplied: boolean): void {
		if (this.count === 0) return;
		const most = this.action === 'error-all' ? Infinity : MOST_SHOWN;
		const squelched = this.count - most;
		if (squelched > 0) this.say(`warning: squelched ${squelched} whitespace error${squelched === 1 ? '' : 's'}\n`);
		const adds = this.count === 1 ? '1 line adds' : `${this.count} lines add`;
		if (this.mustFail) this.say(`error: ${adds} whitespace errors.\n`);
		else if (this.fixedLines > 0 && isApplied)
			this.say(
				`warning: ${this.fixedLines} line${this.fixedLines === 1 ? '' : 's'} applied after fixing whitespace errors.\n`
			);
		else this.say(`warning: ${adds} whitespace errors.\n`);
	}

	#note(head: string, text: string): void {
		this.count++;
		if (this.action === 'error-all' || this.count <= MOST_SHOWN) this.say(`${head}\n${decode(binaryBytes(text))}\n`);
	}
}

/** Whitespace handling for one file that patches are applied to. */
export interface FileBlanks {
	rule: WhitespaceRule;
	isFixing: boolean;
	/** Fixes whitespace errors in a new line. */
	fixed: (text: string) => string;
	/** Reports a new blank line at the end of the file. @param line of the patch */
	atFileEnd: (line: number) => void;
}
