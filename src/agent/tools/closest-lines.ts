import { asciiForm } from './edit-space.ts';

/** Maximum lines shown: more would amount to reading the file again. */
const MAX_SHOWN_LINES = 12;
const MAX_SHOWN_CHARACTERS = 1_500;
/** Maximum lines compared: enough to identify a place. */
const MAX_COMPARED = 24;

export interface ClosestPlace {
	/** 0-based. */
	at: number;
	/** Number of informative lines found there. */
	matched: number;
	of: number;
}

const form = (line: string): string => asciiForm(line).trim();

/**
 * Finds the place most similar to the lines: where most of them occur (ignoring whitespace and typographic characters),
 * or where a line of the file shares the most words with the most informative one.
 */
export function closestPlace(lines: readonly string[], wanted: readonly string[]): ClosestPlace | undefined {
	const needle = wanted.slice(0, MAX_COMPARED).map(form);
	const telling = needle.filter((line) => line !== '').length;
	if (telling === 0) return undefined;
	const formed = lines.map(form);
	let best = { at: 0, matched: 0 };
	for (let at = 0; at < formed.length; at++) {
		let matched = 0;
		for (let index = 0; index < needle.length; index++)
			if (needle[index] !== '' && formed[at + index] === needle[index]) matched++;
		if (matched > best.matched) best = { at, matched };
	}
	return best.matched > 0 ? { ...best, of: telling } : byWords(formed, needle, telling);
}

function byWords(formed: readonly string[], needle: readonly string[], of: number): ClosestPlace | undefined {
	const longest = needle.reduce((a, b) => (b.length > a.length ? b : a), '');
	const wanted = new Set(words(longest));
	let best = { at: -1, score: 0.34 };
	for (const [at, line] of formed.entries()) {
		if (line === '') continue;
		const own = words(line);
		const shared = own.filter((word) => wanted.has(word)).length;
		const score = (2 * shared) / (own.length + wanted.size);
		if (score > best.score) best = { at, score };
	}
	if (best.at === -1) return undefined;
	return { at: Math.max(0, best.at - needle.indexOf(longest)), matched: 0, of };
}

const words = (line: string): string[] => line.slice(0, 500).match(/[\p{L}\p{N}_]+/gu) ?? [];

/** Describes the place with its exact lines, for an error message; empty if there is none. */
export function describeClosest(lines: readonly string[], wanted: readonly string[]): string {
	const place = closestPlace(lines, wanted);
	if (!place) return '';
	const { at, matched, of } = place;
	const shown = lines.slice(at, at + Math.min(wanted.length, MAX_SHOWN_LINES)).join('\n');
	const how = matched > 0 ? `where ${matched} of ${of} lines match` : 'which reads alike';
	return ` The closest place is line ${at + 1}, ${how}. It reads:\n${shown.slice(0, MAX_SHOWN_CHARACTERS)}\n`;
}
