import type { Part, PartOf, Word } from '../ast/nodes.ts';

type BraceItem = PartOf<'BraceExpansion'>['items'][number];

/** `{a,b}{1..3}` in a word: the words it stands for, before any other expansion. */
export function expandBraces(word: Word): Word[] {
	let results: Part[][] = [[]];
	for (const part of word.parts) {
		if (part.type !== 'BraceExpansion') {
			for (const parts of results) parts.push(part);
			continue;
		}
		const choices = part.items.flatMap(expandItem);
		results = results.flatMap((parts) => choices.map((choice) => [...parts, ...choice]));
	}
	return results.map((parts) => ({ type: 'Word', parts }));
}

function expandItem(item: BraceItem): Part[][] {
	if (item.type === 'Word') return expandBraces(item.word).map((word) => word.parts);
	return range(item).map((value) => [{ type: 'Literal', value }]);
}

function range(item: Extract<BraceItem, { type: 'Range' }>): string[] {
	const letters = typeof item.start === 'string' && typeof item.end === 'string';
	const from = letters ? String(item.start).charCodeAt(0) : Number(item.start);
	const to = letters ? String(item.end).charCodeAt(0) : Number(item.end);
	const size = Math.abs(item.step ?? 1) || 1;
	const texts = [item.startStr ?? '', item.endStr ?? ''];
	const padded = !letters && texts.some((text) => /^-?0\d/.test(text));
	const width = padded ? Math.max(...texts.map((text) => text.length)) : 0;
	const values: string[] = [];
	for (let value = from; from <= to ? value <= to : value >= to; value += from <= to ? size : -size) {
		if (letters) values.push(String.fromCharCode(value));
		else values.push((value < 0 ? '-' : '') + String(Math.abs(value)).padStart(value < 0 ? width - 1 : width, '0'));
	}
	return values;
}
