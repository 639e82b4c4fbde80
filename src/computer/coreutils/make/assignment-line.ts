import { closing } from './names.ts';

/** `NAME = value` as source text. */
export interface Assignment {
	name: string;
	operator: '=' | ':=' | '?=' | '+=' | '!=';
	value: string;
}

/** Words before an assignment. */
export interface Modifiers {
	override: boolean;
	export: boolean;
	private: boolean;
}

/** Meaning of a line about a variable. */
export type VariableLine = { modifiers: Modifiers } & (
	{ kind: 'assignment'; assignment: Assignment } | { kind: 'define' | 'undefine'; rest: string }
);

/** Parses `NAME = value`; `null` if it is not an assignment: a name contains no blank, and a `:` ends the search. */
export function parseAssignment(text: string): Assignment | null {
	const line = text.replace(/^[ \t]+/, '');
	let end = -1;
	for (let at = 0; at < line.length; at++) {
		const letter = line[at] ?? '';
		if (letter === '#') return null;
		if (letter === '$') {
			if (end >= 0) return null;
			const next = line[at + 1] ?? '';
			const close = next === '(' || next === '{' ? closing(line, at + 1) : at + 1;
			if (close < 0) return null;
			at = close;
			continue;
		}
		if (/\s/.test(letter)) {
			if (end < 0) end = at;
			continue;
		}
		const [operator = ''] = /^(?:=|::?=|\+=|\?=|!=)/.exec(line.slice(at)) ?? [];
		if (operator !== '') {
			const value = line.slice(at + operator.length).replace(/^[ \t]+/, '');
			const sign = operator === '::=' ? ':=' : (operator as Assignment['operator']);
			return { name: line.slice(0, end < 0 ? at : end), operator: sign, value };
		}
		if (letter === ':' || end >= 0) return null;
	}
	return null;
}

/**
 * Parses a line with `override`, `export`, `private`, `define` and `undefine`.
 * @param ofTarget whether it follows `target:`
 */
export function parseVariableLine(text: string, ofTarget: boolean): VariableLine | null {
	const modifiers: Modifiers = { override: false, export: false, private: false };
	let rest = text.replace(/^[ \t]+/, '');
	while (rest !== '') {
		const assignment = parseAssignment(rest);
		if (assignment) return { kind: 'assignment', modifiers, assignment };
		const [, word = '', after = ''] = /^(\S+)\s*([^]*)$/.exec(rest) ?? [];
		if (!ofTarget && (word === 'define' || word === 'undefine')) return { kind: word, modifiers, rest: after };
		if (word !== 'override' && word !== 'export' && word !== 'private') return null;
		modifiers[word] = true;
		rest = after;
	}
	return null;
}
