import type { Part, Script } from './nodes.ts';

/** Characters of the private use area stand for `?*+@!(|)`, which the parser takes for operators in an argument. */
const HIDDEN = 0xe000;
const SHOWN = /[\ue021-\ue07c]/g;

/**
 * The script with its extended patterns (`!(*.txt|*.md)`) written as plain words, for a parser that knows them in `[[`
 * and `case` only. A script with here-documents is left as it is: their text must not change.
 */
export function withoutExtglob(source: string): string {
	if (!/[?*+@!]\(/.test(source) || source.includes('<<') || source.search(SHOWN) >= 0) return source;
	let result = '';
	/** Open parentheses: whether each belongs to a pattern. */
	const open: boolean[] = [];
	for (let at = 0; at < source.length; at++) {
		const char = source[at] ?? '';
		const next = source[at + 1] ?? '';
		if (char === '\\') {
			result += char + next;
			at++;
		} else if (char === "'" || char === '"') {
			const end = closingQuote(source, at);
			result += source.slice(at, end + 1);
			at = end;
		} else if ('?*+@!'.includes(char) && next === '(' && source[at - 1] !== '$') {
			result += hide(char) + hide(next);
			open.push(true);
			at++;
		} else if (char === '(') {
			open.push(false);
			result += char;
		} else if (char === ')') result += open.pop() ? hide(char) : char;
		else result += char === '|' && open.at(-1) ? hide(char) : char;
	}
	return result;
}

const hide = (char: string): string => String.fromCharCode(HIDDEN + char.charCodeAt(0));
const show = (text: string): string => text.replace(SHOWN, (char) => String.fromCharCode(char.charCodeAt(0) - HIDDEN));

function closingQuote(source: string, from: number): number {
	const quote = source[from];
	for (let at = from + 1; at < source.length; at++) {
		if (source[at] === '\\' && quote === '"') at++;
		else if (source[at] === quote) return at;
	}
	return source.length;
}

/** Gives the words back what {@link withoutExtglob} took: their pieces are patterns. */
export function restoreExtglob(script: Script): Script {
	restore(script);
	return script;
}

function restore(node: unknown): void {
	if (typeof node !== 'object' || node === null) return;
	for (const [key, value] of Object.entries(node)) {
		if (typeof value === 'string') {
			if (value.search(SHOWN) >= 0) Reflect.set(node, key, show(value));
		} else if (isHiding(value)) Reflect.set(node, key, { type: 'Glob', pattern: show(value.value) });
		else restore(value);
	}
}

const isHiding = (node: unknown): node is Extract<Part, { type: 'Literal' }> =>
	typeof node === 'object' &&
	node !== null &&
	'type' in node &&
	node.type === 'Literal' &&
	'value' in node &&
	typeof node.value === 'string' &&
	node.value.search(SHOWN) >= 0;
