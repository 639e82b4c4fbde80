import { printWord } from '../ast/print.ts';
import type { Part, Word } from '../ast/nodes.ts';
import { quoteSubscript } from '../parser/subscript.ts';
import type { Shell } from '../state/shell.ts';

/**
 * Marks brackets after names in a word as subscripts, so that their content is expanded once and not again when the
 * element is looked up: operands of `[[ -v ]]` and `[[ -eq ]]`, `unset a[$key]`.
 */
export function withSubscripts(word: Word): Word {
	const isPlain = word.parts.length < 2 || word.assignment;
	if (isPlain || !word.parts.some((part) => part.type === 'Literal' && part.value.includes('['))) return word;
	const pieces = word.parts.flatMap(piecesOf);
	const parts: Part[] = [];
	for (let at = 0; at < pieces.length; at++) {
		const end = isLiteral(pieces[at], '[') && endsInName(parts.at(-1)) ? closing(pieces, at) : -1;
		if (end < 0) {
			parts.push(pieces[at]!);
			continue;
		}
		const inner = pieces.slice(at + 1, end).map(asText);
		parts.push({
			type: 'Subscript',
			parts: inner,
			text: printWord({ type: 'Word', parts: pieces.slice(at, end + 1) })
		});
		at = end;
	}
	return { ...word, parts };
}

/** Returns whether a word is written as an array element. */
export function isElement(word: Word): boolean {
	const [first, second, ...more] = withSubscripts(word).parts;
	return (
		first?.type === 'Literal' && /^[A-Za-z_]\w*$/.test(first.value) && second?.type === 'Subscript' && !more.length
	);
}

/** Returns whether `assoc_expand_once` is on and applies to the keys of an array. */
export const isExpandedOnce = (shell: Shell, name: string): boolean =>
	shell.shopt.has('assoc_expand_once') && shell.variables.find(name)?.associative !== undefined;

/** Quotes keys that must not be expanded again in the text of an expression. */
export function withExpandedKeys(shell: Shell, text: string): string {
	if (!shell.shopt.has('assoc_expand_once')) return text;
	return text.replace(/([A-Za-z_]\w*)\[([^\]]*)\]/g, (whole, name: string, key: string) =>
		isExpandedOnce(shell, name) ? `${name}[${quoteSubscript(key)}]` : whole
	);
}

/** Splits text without expansions, with each bracket as a separate part. */
function piecesOf(part: Part): Part[] {
	if (part.type !== 'Literal') return [part];
	return part.value
		.split(/([[\]])/)
		.filter((text) => text !== '')
		.map((value) => ({ type: 'Literal', value }));
}

const isLiteral = (part: Part | undefined, value: string): boolean => part?.type === 'Literal' && part.value === value;
const endsInName = (part: Part | undefined): boolean => part?.type === 'Literal' && /\w$/.test(part.value);

/** Index of the bracket that closes the one at `open`; -1 if there is none. */
function closing(pieces: readonly Part[], open: number): number {
	let depth = 0;
	for (let at = open; at < pieces.length; at++) {
		if (isLiteral(pieces[at], '[')) depth++;
		else if (isLiteral(pieces[at], ']') && --depth === 0) return at;
	}
	return -1;
}

/** Process substitutions in a subscript are literal text. */
const asText = (part: Part): Part =>
	part.type === 'ProcessSubstitution' ? { type: 'Literal', value: printWord({ type: 'Word', parts: [part] }) } : part;
