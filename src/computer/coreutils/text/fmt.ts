import { LineSource } from '../input/line-source.ts';
import { utility } from '../options.ts';

/** `fmt`: paragraphs filled up to a width. */
export const fmt = utility('w|width= s u t c p= g=', async (call, options) => {
	const width = options.number('w', 75);
	const goal = Math.floor(width * 0.93);
	const lines = new LineSource(call, options.operands);
	let words: string[] = [];
	const flush = async () => {
		if (words.length)
			await call.out(
				filled(words, width, goal)
					.map((line) => `${line}\n`)
					.join('')
			);
		words = [];
	};
	for (let line = await lines.next(); line; line = await lines.next()) {
		if (line.text.trim() === '') {
			await flush();
			await call.out('\n');
		} else words.push(...line.text.trim().split(/\s+/));
	}
	await flush();
	return lines.status;
});

/** Breaks where the lines come nearest to the goal together; the last may be short. */
function filled(words: readonly string[], width: number, goal: number): string[] {
	const best: { cost: number; next: number }[] = [];
	best[words.length] = { cost: 0, next: words.length };
	for (let start = words.length - 1; start >= 0; start--) {
		let length = -1;
		let choice = { cost: Infinity, next: start + 1 };
		for (let next = start + 1; next <= words.length; next++) {
			length += 1 + (words[next - 1]?.length ?? 0);
			if (length > width && next > start + 1) break;
			const last = next === words.length;
			const cost = (last ? 0 : (goal - length) ** 2) + (best[next]?.cost ?? 0);
			if (cost < choice.cost) choice = { cost, next };
		}
		best[start] = choice;
	}
	const lines: string[] = [];
	for (let at = 0; at < words.length; at = best[at]?.next ?? words.length)
		lines.push(words.slice(at, best[at]?.next).join(' '));
	return lines;
}
