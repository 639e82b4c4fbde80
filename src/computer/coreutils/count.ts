import type { BuiltIn } from '#computer/shell/state/host.ts';
import { FileStream } from '#computer/shell/streams/file-stream.ts';
import { decode } from '#computer/process/text.ts';
import { eachInput } from './streams.ts';

interface Counts {
	lines: number;
	words: number;
	chars: number;
	bytes: number;
	longest: number;
}

const NONE: Counts = { lines: 0, words: 0, chars: 0, bytes: 0, longest: 0 };
const LONG: Record<string, string> = {
	'--lines': 'l',
	'--words': 'w',
	'--chars': 'm',
	'--bytes': 'c',
	'--max-line-length': 'L'
};

/** `wc`, with columns as wide as GNU makes them: by the sizes of the files, 7 for what is piped in. */
export const wc: BuiltIn = async (call) => {
	const names = call.args.filter((arg) => !/^-./.test(arg));
	const letters = call.args
		.filter((arg) => /^-./.test(arg))
		.map((arg) => LONG[arg] ?? arg.slice(1))
		.join('');
	const wanted = letters === '' ? 'lwc' : letters;
	const rows: { name: string; counts: Counts }[] = [];
	const status = await eachInput(call, names, async (file, name) => {
		rows.push({ name: names.length ? name : '', counts: count(await call.shell.control.race(file.readAll())) });
	});
	const total = rows.reduce((sum, { counts }) => add(sum, counts), NONE);
	const shown = (counts: Counts) =>
		[
			wanted.includes('l') ? counts.lines : null,
			wanted.includes('w') ? counts.words : null,
			wanted.includes('m') ? counts.chars : null,
			wanted.includes('c') ? counts.bytes : null,
			wanted.includes('L') ? counts.longest : null
		].filter((value) => value !== null);
	const single = shown(NONE).length === 1 && names.length < 2;
	const piped =
		(names.length === 0 || names.includes('-')) && !(call.shell.descriptors.get(0)?.stream instanceof FileStream);
	const width = single ? 1 : piped ? 7 : String(total.bytes).length;
	const line = (counts: Counts, name: string) =>
		`${shown(counts)
			.map((value) => String(value).padStart(width))
			.join(' ')}${name ? ` ${name}` : ''}\n`;
	for (const { name, counts } of rows) await call.out(line(counts, name));
	if (names.length > 1) await call.out(line(total, 'total'));
	return status;
};

function count(bytes: Uint8Array): Counts {
	const text = decode(bytes);
	const lines = text.split('\n');
	return {
		lines: lines.length - 1,
		words: text.split(/\s+/).filter(Boolean).length,
		chars: [...text].length,
		bytes: bytes.length,
		longest: lines.reduce((longest, line) => Math.max(longest, [...line].length), 0)
	};
}

const add = (a: Counts, b: Counts): Counts => ({
	lines: a.lines + b.lines,
	words: a.words + b.words,
	chars: a.chars + b.chars,
	bytes: a.bytes + b.bytes,
	longest: Math.max(a.longest, b.longest)
});
