import type { Expansion } from './expansion.ts';
import { MakeFailure } from './failure.ts';
import { functions } from './functions.ts';
import { closing, parted, replacePattern, splitOutside, words } from './names.ts';

const DEEPEST = 200;

/** A text with its `$` references replaced. @throws MakeFailure */
export async function expand(scope: Expansion, text: string, depth = 0): Promise<string> {
	if (!text.includes('$')) return text;
	if (depth > DEEPEST) throw new MakeFailure('Recursive variable references itself (eventually).', scope.place());
	let result = '';
	for (let at = 0; at < text.length; at++) {
		const letter = text[at] ?? '';
		if (letter !== '$') {
			result += letter;
			continue;
		}
		const next = text[++at] ?? '';
		if (next === '$') result += '$';
		else if (next === '(' || next === '{') {
			const end = closing(text, at);
			if (end < 0) throw new MakeFailure('unterminated variable reference.', scope.place());
			result += await reference(scope, text.slice(at + 1, end), depth + 1);
			at = end;
		} else result += await valueOf(scope, next, depth + 1);
	}
	return result;
}

/** Value of a variable, with its references expanded. */
export async function valueOf(scope: Expansion, name: string, depth = 0): Promise<string> {
	const directory = /^([@<^+?*%|])([DF])$/.exec(name);
	if (directory) {
		const names = words(await valueOf(scope, directory[1] ?? '', depth));
		return names.map((one) => parted(one)[directory[2] === 'D' ? 0 : 1].replace(/(.)\/$/, '$1')).join(' ');
	}
	const variable = scope.variables.find(name);
	if (!variable) return '';
	return variable.recursive ? expand(scope, variable.value, depth) : variable.value;
}

async function reference(scope: Expansion, inner: string, depth: number): Promise<string> {
	const [, called = '', rest = ''] = /^([a-z-]+)[ \t]+(.*)$/s.exec(inner) ?? [];
	const found = functions[called];
	if (found) {
		return found(scope, splitOutside(rest, ','), {
			expand: (within, text) => expand(within, text, depth),
			valueOf: (within, name) => valueOf(within, name, depth)
		});
	}
	const [head = '', pattern] = splitOutside(inner, ':', 2);
	const name = await expand(scope, head, depth);
	if (pattern?.includes('=')) {
		const [from = '', to = ''] = splitOutside(await expand(scope, pattern, depth), '=', 2);
		const [start, end] = from.includes('%') ? [from, to] : [`%${from}`, `%${to}`];
		const names = words(await valueOf(scope, name, depth));
		return names.map((one) => replacePattern(start, end, one)).join(' ');
	}
	return valueOf(scope, await expand(scope, inner, depth), depth);
}
