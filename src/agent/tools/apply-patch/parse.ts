import { ToolError } from '../result.ts';

export type PatchOperation =
	| { kind: 'add'; path: string; text: string }
	| { kind: 'delete'; path: string }
	| { kind: 'update'; path: string; moveTo?: string; hunks: PatchHunk[] };

export interface PatchHunk {
	/** Text after `@@`: lines to find first, in order. */
	context: string[];
	lines: PatchLine[];
	/** The hunk ends where the file ends. */
	endOfFile: boolean;
}

export interface PatchLine {
	kind: 'context' | 'delete' | 'add';
	text: string;
}

const BEGIN = '*** Begin Patch';
const END = '*** End Patch';
const ADD = '*** Add File: ';
const DELETE = '*** Delete File: ';
const UPDATE = '*** Update File: ';
const MOVE = '*** Move to: ';
const END_OF_FILE = '*** End of File';

/**
 * Parses a patch in the v4a format (000, Appendix A). Spaces around the markers and a shell's here-document around the
 * whole are tolerated; the first hunk may omit its `@@`. Inside an update, a line that starts with a space is always a
 * line of the file, even if it looks like a header.
 *
 * @throws ToolError naming the invalid line
 */
export function parsePatch(patch: string): PatchOperation[] {
	const lines = withoutHereDocument(patch.replace(/\r\n/g, '\n').trim()).split('\n');
	if (lines[0]?.trim() !== BEGIN) throw invalid(1, `The first line must be "${BEGIN}".`);
	if (lines.at(-1)?.trim() !== END) throw invalid(lines.length, `The last line must be "${END}".`);
	// Models sometimes close a patch twice.
	while (lines.at(-2)?.trim() === END) lines.pop();
	const operations: PatchOperation[] = [];
	let at = 1;
	const last = lines.length - 1;
	while (at < last) {
		const header = (lines[at] ?? '').trim();
		const isUpdate = header.startsWith(UPDATE);
		const end = nextIndex(lines, at + 1, last, isUpdate ? isHeader : (line) => isHeader(line.trimStart()));
		const body = lines.slice(at + 1, end);
		if (header.startsWith(ADD)) operations.push(parseAdd(header.slice(ADD.length).trim(), body, at + 2));
		else if (header.startsWith(DELETE)) {
			if (body.some((line) => line.trim() !== '')) throw invalid(at + 2, 'Nothing may follow "*** Delete File:".');
			operations.push({ kind: 'delete', path: header.slice(DELETE.length).trim() });
		} else if (isUpdate) operations.push(parseUpdate(header.slice(UPDATE.length).trim(), body, at + 2));
		else if (header !== '')
			throw invalid(at + 1, `"${header}" is no file header. Valid are "${ADD}…", "${DELETE}…" and "${UPDATE}…".`);
		at = header === '' ? at + 1 : end;
	}
	if (operations.length === 0) throw new ToolError('Invalid patch: it changes no file.');
	return operations;
}

const isHeader = (line: string): boolean => [ADD, DELETE, UPDATE].some((marker) => line.startsWith(marker));

/** Lists which files a patch requires and which it creates (001 §6.2), before anything is applied. */
export function pathsOfPatch(patch: string): { reads: string[]; adds: string[] } {
	const operations = parsePatch(patch);
	return {
		reads: operations.filter(({ kind }) => kind !== 'add').map(({ path }) => path),
		adds: operations.filter(({ kind }) => kind === 'add').map(({ path }) => path)
	};
}

function parseAdd(path: string, body: string[], lineNumber: number): PatchOperation {
	while (body.at(-1)?.trim() === '') body.pop();
	const wrong = body.findIndex((line) => !line.startsWith('+'));
	if (wrong !== -1) throw invalid(lineNumber + wrong, `Each line of the new file ${path} must begin with "+".`);
	return { kind: 'add', path, text: body.map((line) => `${line.slice(1)}\n`).join('') };
}

function parseUpdate(path: string, body: string[], firstLine: number): PatchOperation {
	let start = 0;
	let moveTo: string | undefined;
	if (body[0]?.trim().startsWith(MOVE)) {
		moveTo = body[0].trim().slice(MOVE.length).trim();
		start = 1;
	}
	const hunks: PatchHunk[] = [];
	let hunk: PatchHunk | undefined;
	const empty = new Set<PatchLine>();
	const open = (): PatchHunk => {
		const made: PatchHunk = { context: [], lines: [], endOfFile: false };
		hunks.push(made);
		return made;
	};
	for (const [index, line] of body.slice(start).entries()) {
		if (line === '@@' || line.startsWith('@@ ') || line.trim() === '@@') {
			if (!hunk || hunk.lines.length > 0 || line.trim() === '@@') hunk = open();
			const context = line.slice(3);
			if (context.trim() !== '') hunk.context.push(context.replace(/ @@$/, ''));
		} else if (line.trimEnd() === END_OF_FILE) {
			if (!hunk) throw invalid(firstLine + start + index, `"${END_OF_FILE}" must stand at the end of a hunk.`);
			hunk.endOfFile = true;
		} else {
			const kind = kindOf(line);
			if (!kind)
				throw invalid(
					firstLine + start + index,
					`In ${path}: "${line}" must begin with a space, "+" or "-", or be a "@@" header.`
				);
			hunk = hunk && !hunk.endOfFile ? hunk : open();
			const read: PatchLine = { kind, text: line.slice(1) };
			if (line === '') empty.add(read);
			hunk.lines.push(read);
		}
	}
	const filled = hunks.filter(({ lines }) => lines.length > 0);
	for (const { lines } of filled) dropTrailingEmpty(lines, empty);
	if (filled.length < hunks.length || (filled.length === 0 && moveTo === undefined))
		throw new ToolError(`Invalid patch: the update of ${path} has an empty hunk. Give the lines to change.`);
	return { kind: 'update', path, ...(moveTo === undefined ? {} : { moveTo }), hunks: filled };
}

function kindOf(line: string): PatchLine['kind'] | undefined {
	// Models omit the space of an empty context line.
	if (line === '' || line.startsWith(' ')) return 'context';
	if (line.startsWith('+')) return 'add';
	return line.startsWith('-') ? 'delete' : undefined;
}

/** Removes trailing empty lines: between two sections they are not context, unless they start with a space. */
function dropTrailingEmpty(lines: PatchLine[], empty: ReadonlySet<PatchLine>): void {
	for (let last = lines.at(-1); last && lines.length > 1 && empty.has(last); last = lines.at(-1)) lines.pop();
}

function withoutHereDocument(text: string): string {
	const match = /^(?:.*?<<-?\s*)(['"]?)(\w+)\1\n([\s\S]*)\n\2\s*\)?$/.exec(text);
	return (match?.[3] ?? text).trim();
}

function nextIndex(lines: string[], from: number, end: number, matches: (line: string) => boolean): number {
	for (let index = from; index < end; index++) if (matches(lines[index] ?? '')) return index;
	return end;
}

const invalid = (line: number, reason: string): ToolError => new ToolError(`Invalid patch, line ${line}: ${reason}`);
