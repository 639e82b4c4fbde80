import { splitLines } from '../../../environment/lines.ts';
import { describeClosest } from '../closest-lines.ts';
import { asciiForm, trimSpaces } from '../edit-space.ts';
import { findSequence } from '../find-sequence.ts';
import { ToolError } from '../result.ts';
import type { PatchHunk } from './parse.ts';

/** How far a match may be from the letter: exact, spaces at line ends, spaces around lines, typographic characters. */
export const FUZZ_LEVELS: readonly ((line: string) => string)[] = [
	(line) => line,
	trimSpaces,
	(line) => line.trim(),
	(line) => asciiForm(line).trim()
];

interface FileLine {
	text: string;
	/** `\n`, `\r\n`, or nothing for the last line of a file without a final line end. */
	end: string;
}

/**
 * The text after the hunks. Each is looked for behind the one before; the first match wins, with
 * `*** End of File` the last. Unchanged lines stay byte for byte.
 *
 * @param maxFuzz 0 to 3, an index of {@link FUZZ_LEVELS}
 * @throws ToolError naming the file, the hunk and the closest place
 */
export function applyHunks(original: string, hunks: readonly PatchHunk[], path: string, maxFuzz = 3): string {
	const mark = original.startsWith('\ufeff') ? '\ufeff' : '';
	const lines = fileLines(original.slice(mark.length));
	const ending = lines.find(({ end }) => end !== '')?.end ?? '\n';
	const result: FileLine[] = [];
	let cursor = 0;
	for (const [index, hunk] of hunks.entries()) {
		const label = `hunk ${index + 1} of ${hunks.length} in ${path}`;
		const from = afterContext(lines, hunk, cursor, label, maxFuzz);
		const old = hunk.lines.filter(({ kind }) => kind !== 'add').map(({ text }) => text);
		const at =
			old.length === 0 ? insertionPoint(lines, hunk, from) : place(lines, old, from, hunk.endOfFile, label, maxFuzz);
		result.push(...lines.slice(cursor, at));
		cursor = at;
		for (const { kind, text } of hunk.lines) {
			if (kind === 'add') {
				closeLast(result, ending);
				result.push({ text, end: ending });
			} else {
				const line = lines[cursor++];
				if (kind === 'context' && line) result.push(line);
			}
		}
	}
	const rest = lines.slice(cursor);
	if (rest.length > 0) closeLast(result, ending);
	return mark + [...result, ...rest].map(({ text, end }) => text + end).join('');
}

/** Something follows, so the line before it must end. */
function closeLast(lines: FileLine[], ending: string): void {
	const last = lines.at(-1);
	if (last && last.end === '') lines[lines.length - 1] = { text: last.text, end: ending };
}

function insertionPoint(lines: FileLine[], hunk: PatchHunk, from: number): number {
	return hunk.context.length > 0 && !hunk.endOfFile ? from : lines.length;
}

function afterContext(lines: FileLine[], hunk: PatchHunk, cursor: number, label: string, maxFuzz: number): number {
	let from = cursor;
	for (const context of hunk.context) {
		const found = seek(lines, [context], from, false, maxFuzz);
		// The named line is often the hunk's own first line, or a part of a longer one.
		const at = found ?? lines.findIndex(({ text }, index) => index >= from && text.includes(context.trim()));
		if (at === -1)
			throw new ToolError(
				`Could not find the line "${context}" for ${label}.${closest(lines, [context])} Read the file again and correct the @@ line.`
			);
		const first = hunk.lines.find(({ kind }) => kind !== 'add')?.text;
		const repeats = first !== undefined && first.trim() === lines[at]?.text.trim();
		from = repeats ? at : at + 1;
	}
	return from;
}

function place(
	lines: FileLine[],
	old: string[],
	from: number,
	endOfFile: boolean,
	label: string,
	maxFuzz: number
): number {
	const at = seek(lines, old, from, endOfFile, maxFuzz);
	if (at !== undefined) return at;
	const looser =
		maxFuzz < FUZZ_LEVELS.length - 1 ? seek(lines, old, from, endOfFile, FUZZ_LEVELS.length - 1) : undefined;
	if (looser !== undefined)
		throw new ToolError(
			`The lines of ${label} match only loosely, at line ${looser + 1}. Read the file again and give the context as it is there.`
		);
	throw new ToolError(
		`Could not find the lines of ${label}:\n${old.join('\n')}\n${closest(lines, old)}${earlier(lines, old, from, maxFuzz)} Read the file again and give the lines as they are there.`
	);
}

function seek(lines: FileLine[], wanted: string[], from: number, last: boolean, maxFuzz: number): number | undefined {
	const end = lines.length - wanted.length;
	for (const form of FUZZ_LEVELS.slice(0, maxFuzz + 1)) {
		const needle = wanted.map(form);
		const isLast = (): boolean => needle.every((text, index) => form(lines[end + index]?.text ?? '') === text);
		if (last && end >= from && isLast()) return end;
		const formed = lines.map(({ text }, index) => (index < from ? '' : form(text)));
		const [first] = findSequence(formed, needle, from);
		if (first !== undefined) return first;
	}
	return undefined;
}

function earlier(lines: FileLine[], wanted: string[], from: number, maxFuzz: number): string {
	const at = from > 0 ? seek(lines, wanted, 0, false, maxFuzz) : undefined;
	return at === undefined
		? ''
		: ` They stand at line ${at + 1}, before the hunk above: put the hunks in the order of the file.`;
}

function closest(lines: FileLine[], wanted: string[]): string {
	return describeClosest(
		lines.map(({ text }) => text),
		wanted
	);
}

function fileLines(text: string): FileLine[] {
	return splitLines(text).map((line) => {
		const end = line.endsWith('\r\n') ? '\r\n' : line.endsWith('\n') ? '\n' : '';
		return { text: line.slice(0, line.length - end.length), end };
	});
}
