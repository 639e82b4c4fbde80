import type { Part, PartOf, Word } from '../ast/nodes.ts';
import { withTilde } from '../parser/word.ts';

/** A character that may be special, or a part that is not split. */
type Atom = string | Part;

/** Expands `{a,b}{1..3}` in a word, before any other expansion. */
export function expandBraces(word: Word): Word[] {
	if (!word.parts.some((part) => part.type === 'Literal' && part.value.includes('{'))) return [word];
	const atoms = word.parts.flatMap((part): Atom[] => (part.type === 'Literal' ? [...part.value] : [part]));
	const results = expand(atoms);
	if (results[0] === atoms) return [word];
	return results.map((result) => ({ type: 'Word', parts: withTilde(joined(result), false) }));
}

function expand(atoms: Atom[]): Atom[][] {
	for (let open = atoms.indexOf('{'); open >= 0; open = atoms.indexOf('{', open + 1)) {
		const close = closing(atoms, open);
		if (close < 0) continue;
		const choices = alternatives(atoms.slice(open + 1, close));
		if (!choices) continue;
		const before = atoms.slice(0, open);
		const after = expand(atoms.slice(close + 1));
		return choices.flatMap((choice) => after.map((rest) => [...before, ...choice, ...rest]));
	}
	return [atoms];
}

function closing(atoms: Atom[], open: number): number {
	let depth = 0;
	for (let at = open; at < atoms.length; at++) {
		if (atoms[at] === '{') depth++;
		else if (atoms[at] === '}' && --depth === 0) return at;
	}
	return -1;
}

/** Splits alternatives between two braces; null if there is no choice. */
function alternatives(body: Atom[]): Atom[][] | null {
	const items: Atom[][] = [[]];
	let depth = 0;
	for (const atom of body) {
		if (atom === '{') depth++;
		if (atom === '}') depth--;
		if (atom === ',' && depth === 0) items.push([]);
		else items.at(-1)?.push(atom);
	}
	if (items.length > 1) return items.flatMap(expand);
	return body.every((atom) => typeof atom === 'string') ? range(body.join('')) : null;
}

const NUMBERS = /^([-+]?\d+)\.\.([-+]?\d+)(?:\.\.([-+]?\d+))?$/;
const LETTERS = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.([-+]?\d+))?$/;

function range(text: string): Atom[][] | null {
	const numbers = NUMBERS.exec(text);
	const found = numbers ?? LETTERS.exec(text);
	if (!found) return null;
	const [, first = '', last = '', stepText] = found;
	if (numbers && ![first, last, stepText ?? '1'].every(isInteger)) return null;
	const [from, to] = numbers
		? [BigInt(first.replace(/^\+/, '')), BigInt(last.replace(/^\+/, ''))]
		: [BigInt(first.charCodeAt(0)), BigInt(last.charCodeAt(0))];
	const step = magnitude(BigInt((stepText ?? '1').replace(/^\+/, ''))) || 1n;
	const isPadded = numbers !== null && [first, last].some((one) => /^[-+]?0\d/.test(one));
	const width = isPadded ? Math.max(first.length, last.length) : 0;
	const values: Atom[][] = [];
	for (let value = from; from <= to ? value <= to : value >= to; value += from <= to ? step : -step) {
		if (!numbers) values.push([letter(Number(value))]);
		else {
			const digits = String(magnitude(value)).padStart(value < 0 ? width - 1 : width, '0');
			values.push([...(value < 0 ? '-' : ''), ...digits]);
		}
	}
	return values;
}

const magnitude = (value: bigint) => (value < 0n ? -value : value);

/** Returns whether a number fits into 64 bits. */
function isInteger(text: string): boolean {
	const value = BigInt(text.replace(/^\+/, ''));
	return BigInt.asIntN(64, value) === value;
}

/** Some of the characters between `Z` and `a` are special in words. */
function letter(code: number): Atom {
	const char = String.fromCharCode(code);
	if (char === '\\') return { type: 'Escaped', value: '' };
	if (char !== '`') return char;
	const operation = { type: 'BadSubstitution' as const };
	return { type: 'Parameter', text: char, name: '', subscript: null, indirect: false, operation };
}

/** Returns whether a character after `part` would extend its name: braces expand before `$name` is parsed. */
const takesChar = (part: Part | undefined, char: string): part is PartOf<'Parameter'> =>
	part?.type === 'Parameter' && /^\$[A-Za-z_]/.test(part.text) && /\w/.test(char);

function joined(atoms: Atom[]): Part[] {
	const parts: Part[] = [];
	for (const atom of atoms) {
		const last = parts.at(-1);
		if (typeof atom !== 'string') parts.push(atom);
		else if (takesChar(last, atom))
			parts[parts.length - 1] = { ...last, text: last.text + atom, name: last.name + atom };
		else if (last?.type === 'Literal') last.value += atom;
		else parts.push({ type: 'Literal', value: atom });
	}
	// A trailing backquote is literal.
	const last = parts.at(-1);
	if (last?.type === 'Parameter' && last.text === '`') parts[parts.length - 1] = { type: 'SingleQuoted', value: '`' };
	return parts;
}
