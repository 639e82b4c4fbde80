import { concat } from '#computer/process/text.ts';
import { LineSource } from '../input/line-source.ts';
import { utility } from '../options.ts';
import { eachInput } from '../streams.ts';

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

const TABLE = Uint32Array.from({ length: 256 }, (_entry, index) => {
	let value = index << 24;
	for (let bit = 0; bit < 8; bit++) value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1;
	return value >>> 0;
});

/** `cksum`: POSIX's checksum, over the bytes and their number. */
export const cksum = utility('a=', async (call, options) =>
	eachInput(call, options.operands, async (file, name) => {
		const bytes = concat([await call.shell.control.race(file.readAll())]);
		let sum = 0;
		const add = (byte: number) => (sum = ((sum << 8) ^ (TABLE[((sum >>> 24) ^ byte) & 255] ?? 0)) >>> 0);
		for (const byte of bytes) add(byte);
		for (let length = bytes.length; length > 0; length = Math.floor(length / 256)) add(length & 255);
		await call.out(`${~sum >>> 0} ${bytes.length}${name === '-' ? '' : ` ${name}`}\n`);
	})
);
