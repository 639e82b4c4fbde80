import { expand } from './expand.ts';
import { MakeFailure } from './failure.ts';
import { type MakeState, placeText } from './state.ts';

interface Branch {
	/** Its lines are in effect. */
	active: boolean;
	/** One of its branches was taken. */
	taken: boolean;
	/** The surrounding condition is active. */
	outer: boolean;
	hasElse: boolean;
}

/** The `ifeq` … `endif` blocks around the current line. */
export class Conditions {
	readonly #open: Branch[] = [];

	get isActive(): boolean {
		return this.#open.at(-1)?.active ?? true;
	}

	get isOpen(): boolean {
		return this.#open.length > 0;
	}

	/** Processes a line of a condition; false for any other. @throws MakeFailure */
	async take(state: MakeState, line: string): Promise<boolean> {
		const [, word = '', rest = ''] = /^(ifeq|ifneq|ifdef|ifndef|else|endif)(?=[\s(]|$)[ \t]*([^]*)$/.exec(line) ?? [];
		if (word === '') return false;
		if (word === 'endif') await this.#end(state, rest);
		else if (word === 'else') await this.#else(state, rest);
		else {
			const outer = this.isActive;
			const active = outer && (await holds(state, word, rest));
			this.#open.push({ active, taken: active, outer, hasElse: false });
		}
		return true;
	}

	async #end(state: MakeState, rest: string): Promise<void> {
		if (!this.#open.pop()) throw new MakeFailure("extraneous 'endif'", placeText(state.place));
		if (rest.trim() !== '') await extraText(state, 'endif');
	}

	async #else(state: MakeState, rest: string): Promise<void> {
		const top = this.#open.at(-1);
		if (!top) throw new MakeFailure("extraneous 'else'", placeText(state.place));
		if (top.hasElse) throw new MakeFailure("only one 'else' per conditional", placeText(state.place));
		const isFree = top.outer && !top.taken;
		const [, word = '', condition = ''] = /^(ifn?eq|ifn?def)(?=[\s(]|$)[ \t]*([^]*)$/.exec(rest) ?? [];
		if (word === '') {
			if (rest.trim() !== '') await extraText(state, 'else');
			top.hasElse = true;
		}
		top.active = isFree && (word === '' || (await holds(state, word, condition)));
		top.taken ||= top.active;
	}
}

const extraText = (state: MakeState, word: string): Promise<void> =>
	state.warn(`extraneous text after '${word}' directive`, state.place);

async function holds(state: MakeState, word: string, rest: string): Promise<boolean> {
	if (word === 'ifdef' || word === 'ifndef') {
		const name = (await expand(state, state.readScope, rest)).trim();
		if (name === '' || /\s/.test(name)) invalid(state);
		return ((state.readScope.find(name)?.value ?? '') !== '') === (word === 'ifdef');
	}
	const { left, right, after } = rest.startsWith('(') ? inBrackets(state, rest) : quoted(state, rest);
	if (after.trim() !== '') await extraText(state, word);
	const isEqual = (await expand(state, state.readScope, left)) === (await expand(state, state.readScope, right));
	return isEqual === (word === 'ifeq');
}

function invalid(state: MakeState): never {
	throw new MakeFailure('invalid syntax in conditional', placeText(state.place));
}

interface Compared {
	left: string;
	right: string;
	after: string;
}

/** Parses `(left,right)`. */
function inBrackets(state: MakeState, rest: string): Compared {
	let depth = 0;
	let comma = -1;
	for (let at = 1; at < rest.length; at++) {
		const letter = rest[at];
		if (letter === '(') depth++;
		else if (letter === ',' && depth === 0 && comma < 0) comma = at;
		else if (letter === ')' && --depth < 0) {
			if (comma < 0) break;
			return {
				left: rest.slice(1, comma).trimEnd(),
				right: rest.slice(comma + 1, at).trimStart(),
				after: rest.slice(at + 1)
			};
		}
	}
	return invalid(state);
}

/** Parses `"left" 'right'`. */
function quoted(state: MakeState, rest: string): Compared {
	const [, , left = '', , right = '', after] = /^(["'])(.*?)\1\s*(["'])(.*?)\3([^]*)$/s.exec(rest) ?? [];
	return after === undefined ? invalid(state) : { left, right, after };
}
