import type { Word } from './words.ts';

/** Lengths and indentations of the lines to create. */
interface Measure {
	width: number;
	goal: number;
	firstIndent: number;
	otherIndent: number;
	/** Length of the previous line; 0 for the first of a paragraph. */
	lastLength: number;
}

/** Chosen break for the line that begins with a word. */
interface Break {
	/** Index of the word that starts the next line. */
	next: number;
	length: number;
	/** Cost of this line and all following ones. */
	cost: number;
}

const square = (number: number) => number * number;
const shortCost = (missing: number) => square(missing * 10);
const raggedCost = (difference: number) => shortCost(difference) / 2;
const LINE_COST = square(70);
const NO_BREAK_COST = square(600);
const SENTENCE_BONUS = square(50);
const BONUS = square(40);
const widowCost = (length: number) => Math.trunc(square(200) / (length + 2));
const orphanCost = (length: number) => Math.trunc(square(150) / (length + 2));
/** Credit for a later position to split a long paragraph. */
const LINE_CREDIT = square(3);

/** Chooses the line breaks of a paragraph with the lowest total cost, using the weights of GNU's fmt. */
export function breaksOf(words: readonly Word[], measure: Measure): Break[] {
	const breaks: Break[] = [];
	breaks[words.length] = { next: words.length, length: 0, cost: 0 };
	for (let start = words.length - 1; start >= 0; start--) {
		let length = start === 0 ? measure.firstIndent : measure.otherIndent;
		let best: Break = { next: start + 1, length, cost: Infinity };
		for (let next = start; next < words.length && (next === start || length < measure.width);) {
			// The first word is always in the line, however long it is.
			length += (next > start ? (words[next - 1]?.space ?? 0) : 0) + (words[next]?.text.length ?? 0);
			if (next > start && length >= measure.width) break;
			next++;
			let cost = lineCost(breaks, words.length, next, length, measure.goal) + (breaks[next]?.cost ?? 0);
			if (start === 0 && measure.lastLength > 0) cost += raggedCost(length - measure.lastLength);
			if (cost < best.cost) best = { next, length, cost };
		}
		breaks[start] = { ...best, cost: best.cost + baseCost(words, start) };
	}
	return breaks;
}

/** Cost of a line by its length, relative to the goal and the next line. */
function lineCost(breaks: readonly Break[], end: number, next: number, length: number, goal: number): number {
	if (next === end) return 0;
	const below = breaks[next];
	const isLast = below === undefined || below.next === end;
	return shortCost(goal - length) + (isLast ? 0 : raggedCost(length - below.length));
}

/** Cost of a line that starts with a word. */
function baseCost(words: readonly Word[], at: number): number {
	const [word, before, second] = [words[at], words[at - 1], words[at - 2]];
	let cost = LINE_COST;
	if (before?.hasPeriod) cost += before.isFinal ? -SENTENCE_BONUS : NO_BREAK_COST;
	else if (before?.hasPunctuation) cost -= BONUS;
	else if (before && second?.isFinal) cost += widowCost(before.text.length);
	if (word?.opens) cost -= BONUS;
	else if (word?.isFinal) cost += orphanCost(word.text.length);
	return cost;
}

/** Index of the best word at which to split a paragraph that is too long. */
export function cutOf(breaks: readonly Break[], count: number): number {
	let [cut, best] = [count, Infinity];
	for (let at = breaks[0]?.next ?? count; at < count; at = breaks[at]?.next ?? count) {
		const { cost = 0, next = count } = breaks[at] ?? {};
		const own = cost - (breaks[next]?.cost ?? 0);
		if (own < best) [cut, best] = [at, own];
		best += LINE_CREDIT;
	}
	return cut;
}
