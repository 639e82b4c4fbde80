import { UsageError } from '../../options.ts';
import { PatternError, posixPattern } from '../posix-pattern.ts';

/** Position at which `csplit` cuts: before a line given by its number or by a pattern. */
export interface Cut {
	/** The operand, for messages. */
	text: string;
	line: number | null;
	expression: RegExp | null;
	offset: number;
	/** Skips the text before it (`%…%`). */
	isSkipped: boolean;
	/** Number of repetitions; Infinity for `{*}`. */
	repeats: number;
}

/** Parses the operands after the file's name. Warnings are passed to `warn`. @throws UsageError */
export function readCuts(operands: readonly string[], warn: (text: string) => void): Cut[] {
	const cuts: Cut[] = [];
	let before = 0;
	for (const text of operands) {
		const last = cuts.at(-1);
		if (text.startsWith('{') && last?.repeats === 0) {
			last.repeats = repeatsOf(text);
			continue;
		}
		const cut = /^[/%]/.test(text) ? expressionOf(text) : lineOf(text);
		if (cut.line !== null) {
			if (cut.line < before)
				throw new UsageError(`line number '${text}' is smaller than preceding line number, ${before}`);
			if (cut.line === before) warn(`warning: line number '${text}' is the same as preceding line number`);
			before = cut.line;
		}
		cuts.push(cut);
	}
	return cuts;
}

function repeatsOf(text: string): number {
	if (!text.endsWith('}')) throw new UsageError(`'${text}': '}' is required in repeat count`);
	const count = text.slice(1, -1);
	if (count === '*') return Infinity;
	if (count === '') throw new UsageError(`'{'}: integer required between '{' and '}'`);
	if (!/^\s*\+?\d+$/.test(count)) throw new UsageError(`'${text}': integer required between '{' and '}'`);
	return Number(count);
}

function lineOf(text: string): Cut {
	if (!/^\s*\+?\d+$/.test(text)) throw new UsageError(`'${text}': invalid pattern`);
	const line = Number(text);
	if (line === 0) throw new UsageError(`${text}: line number must be greater than zero`);
	return { text, line, expression: null, offset: 0, isSkipped: false, repeats: 0 };
}

function expressionOf(text: string): Cut {
	const delimiter = text.charAt(0);
	const end = text.lastIndexOf(delimiter);
	if (end === 0) throw new UsageError(`${text}: closing delimiter '${delimiter}' missing`);
	const offset = text.slice(end + 1);
	if (!/^(?:\s*[-+]?\d+)?$/.test(offset)) throw new UsageError(`'${text}': integer expected after delimiter`);
	let expression: RegExp;
	try {
		expression = posixPattern(text.slice(1, end), { extended: false });
	} catch (error) {
		if (!(error instanceof PatternError)) throw error;
		throw new UsageError(`'${text}': invalid regular expression: ${error.message}`);
	}
	return { text, line: null, expression, offset: Number(offset), isSkipped: delimiter === '%', repeats: 0 };
}
