import { FileStream } from '#computer/shell/streams/file-stream.ts';
import { decode } from '#computer/process/text.ts';
import { shellEscaped } from '../shell-escape.ts';
import { namesOfFiles0 } from '../files/files0.ts';
import { UsageError, utility } from '../options.ts';
import { eachInput } from '../input/each-input.ts';

interface Counts {
	lines: number;
	words: number;
	chars: number;
	bytes: number;
	longest: number;
}

const NONE: Counts = { lines: 0, words: 0, chars: 0, bytes: 0, longest: 0 };
/** `wc`, with GNU's column widths: determined by the sizes of the files, 7 for piped input. */
export const wc = utility('l|lines w|words m|chars c|bytes L|max-line-length files0-from=', async (call, options) => {
	const listed = options.get('files0-from');
	if (listed !== undefined && options.operands.length > 0)
		throw new UsageError(
			`extra operand '${options.operands[0]}'` + '\nfile operands cannot be combined with --files0-from',
			true
		);

	const given = ['l', 'w', 'm', 'c', 'L'].filter((letter) => options.has(letter));
	const wanted = given.length === 0 ? ['l', 'w', 'c'] : given;
	const rows: { name: string; counts: Counts }[] = [];
	let status = 0;
	const names: string[] = [...options.operands];
	if (listed !== undefined) for await (const name of namesOfFiles0(call, listed, () => (status = 1))) names.push(name);
	if (listed === undefined || names.length > 0) {
		const found = await eachInput(call, names, async (file, name) => {
			const counts = count(await call.shell.control.race(file.readAll()));
			rows.push({ name: names.length ? name : '', counts });
		});
		status ||= found;
	}
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
			.join(' ')}${name ? ` ${/\n/.test(name) ? shellEscaped(name) : name}` : ''}\n`;
	for (const { name, counts } of rows) await call.out(line(counts, name));
	if (names.length > 1) await call.out(line(total, 'total'));
	return status;
});

function count(bytes: Uint8Array): Counts {
	const text = decode(bytes);
	const lines = text.split('\n');
	return {
		lines: lines.length - 1,
		words: text.split(/[\s\u2060]+/).filter(Boolean).length,
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
