import { binaryBytes } from '../diff/lines.ts';
import { decode } from '../bytes.ts';
import { GitError } from '../errors.ts';
import { unquotePath } from '../unquote-path.ts';

export interface PatchHunk {
	oldStart: number;
	newStart: number;
	/** Binary text, each with its sign and its line end, but for a line that has none in the file. */
	lines: string[];
}

/** Changes of a patch to one file. */
export interface FilePatch {
	kind: 'modify' | 'create' | 'delete' | 'rename' | 'copy';
	/** Without the stripped leading parts. */
	oldPath: string;
	newPath: string;
	oldMode: number | null;
	newMode: number | null;
	/** Similarity of a rename or copy in percent. */
	similarity: number;
	/** Written by git: paths are relative to the top of the working tree. */
	isGit: boolean;
	isBinary: boolean;
	hunks: PatchHunk[];
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/**
 * Reads the patches of a text, as `git apply` does; what is around them is passed over.
 *
 * @param lines binary text with line ends
 * @param strip leading parts of a path that are left out
 * @throws GitError where a hunk is not what its head says
 */
export function parsePatches(lines: readonly string[], strip: number): FilePatch[] {
	const patches: FilePatch[] = [];
	for (let at = 0; at < lines.length;) {
		const line = lines[at] ?? '';
		if (line.startsWith('diff --git ')) at = readGit(lines, at, strip, patches);
		else if (isHeader(lines, at) && HUNK.test(lines[at + 2] ?? '')) {
			const [from, to] = [headerName(line, strip), headerName(lines[at + 1] ?? '', strip)];
			const name = plainName(from, to);
			const patch = emptyPatch(name, name, false);
			if (from === null) patch.kind = 'create';
			else if (to === null) patch.kind = 'delete';
			patches.push(patch);
			at = readHunks(lines, at + 2, patch);
		} else if (HUNK.test(line)) {
			throw new GitError(`error: patch fragment without header at line ${at + 1}: ${line.trimEnd()}`, 128);
		} else at++;
	}
	return patches;
}

/** The patch that undoes another. */
export function reversed(patch: FilePatch): FilePatch {
	const kinds = { create: 'delete', delete: 'create', modify: 'modify', rename: 'rename', copy: 'delete' } as const;
	const flip = (line: string) => (line.startsWith('+') ? '-' : line.startsWith('-') ? '+' : ' ') + line.slice(1);
	return {
		...patch,
		kind: kinds[patch.kind],
		oldPath: patch.newPath,
		newPath: patch.kind === 'copy' ? patch.newPath : patch.oldPath,
		oldMode: patch.newMode,
		newMode: patch.oldMode,
		hunks: patch.hunks.map(({ oldStart, newStart, lines }) => ({
			oldStart: newStart,
			newStart: oldStart,
			lines: lines.map(flip)
		}))
	};
}

/** Selects one of the two names of a diff not made by git: not `file.orig`, and not `/dev/null`. */
function plainName(from: string | null, to: string | null): string {
	if (from === null || to === null) return from ?? to ?? '';
	return to.startsWith(from) ? from : to;
}

const isHeader = (lines: readonly string[], at: number) =>
	lines[at]?.startsWith('--- ') === true && lines[at + 1]?.startsWith('+++ ') === true;

const emptyPatch = (oldPath: string, newPath: string, isGit: boolean): FilePatch => ({
	kind: 'modify',
	oldPath,
	newPath,
	oldMode: null,
	newMode: null,
	similarity: 0,
	isGit,
	isBinary: false,
	hunks: []
});

/** Reads what follows `diff --git`. @returns where it ends */
function readGit(lines: readonly string[], start: number, strip: number, patches: FilePatch[]): number {
	const named = sameName((lines[start] ?? '').slice('diff --git '.length).trimEnd(), strip);
	const patch = emptyPatch(named, named, true);
	patches.push(patch);
	let at = start + 1;
	for (; at < lines.length; at++) {
		const line = (lines[at] ?? '').replace(/\r?\n$/, '');
		const value = (prefix: string) => (line.startsWith(prefix) ? line.slice(prefix.length) : null);
		const mode = value('old mode ') ?? value('deleted file mode ') ?? value('new file mode ') ?? value('new mode ');
		if (mode !== null) {
			if (line.startsWith('new')) patch.newMode = Number.parseInt(mode, 8);
			else patch.oldMode = Number.parseInt(mode, 8);
			if (line.startsWith('new file')) patch.kind = 'create';
			if (line.startsWith('deleted')) patch.kind = 'delete';
		} else if (/^(rename|copy) (from|to) /.test(line)) {
			const [, kind = '', side = '', name = ''] = /^(rename|copy) (from|to) (.*)$/s.exec(line) ?? [];
			patch.kind = kind === 'rename' ? 'rename' : 'copy';
			// These names have no `a/` in front.
			if (side === 'from') patch.oldPath = stripped(unquotePath(name), strip - 1);
			else patch.newPath = stripped(unquotePath(name), strip - 1);
		} else if (/^(dis)?similarity index /.test(line)) {
			const percent = Number.parseInt(line.split(' ')[2] ?? '', 10);
			patch.similarity = line.startsWith('dis') ? 100 - percent : percent;
		} else if (line.startsWith('index ')) {
			const found = / (\d+)$/.exec(line)?.[1];
			if (found !== undefined) patch.oldMode ??= Number.parseInt(found, 8);
		} else if (isHeader(lines, at)) {
			const [from, to] = [headerName(line, strip), headerName(lines[at + 1] ?? '', strip)];
			patch.oldPath = from ?? to ?? patch.oldPath;
			patch.newPath = to ?? from ?? patch.newPath;
			at++;
		} else if (line === 'GIT binary patch' || /^Binary files .* differ$/.test(line)) patch.isBinary = true;
		else break;
	}
	return readHunks(lines, at, patch);
}

function readHunks(lines: readonly string[], start: number, patch: FilePatch): number {
	let at = start;
	for (let head = HUNK.exec(lines[at] ?? ''); head; head = HUNK.exec(lines[at] ?? '')) {
		let [oldLeft, newLeft] = [Number(head[2] ?? 1), Number(head[4] ?? 1)];
		const hunk: PatchHunk = { oldStart: Number(head[1]), newStart: Number(head[3]), lines: [] };
		for (at++; oldLeft > 0 || newLeft > 0; at++) {
			const line = lines[at];
			const sign = line === '\n' ? ' ' : (line?.[0] ?? '');
			if (line === undefined || !' +-\\'.includes(sign) || sign === '')
				throw new GitError(`error: corrupt patch at line ${at + 1}`, 128);
			if (sign === '\\') {
				withoutEnd(hunk);
				continue;
			}
			if (sign !== '+') oldLeft--;
			if (sign !== '-') newLeft--;
			hunk.lines.push(line === '\n' ? ' \n' : line.endsWith('\n') ? line : `${line}\n`);
		}
		if (oldLeft < 0 || newLeft < 0) throw new GitError(`error: corrupt patch at line ${at}`, 128);
		if (lines[at]?.startsWith('\\')) {
			withoutEnd(hunk);
			at++;
		}
		patch.hunks.push(hunk);
	}
	return at;
}

/** `\ No newline at end of file`: the line before has none. */
function withoutEnd(hunk: PatchHunk): void {
	const last = hunk.lines.pop();
	if (last !== undefined) hunk.lines.push(last.replace(/\n$/, ''));
}

/** The name in a `---` or `+++` line; null for `/dev/null`. */
function headerName(line: string, strip: number): string | null {
	const text = line.slice(4).replace(/\r?\n$/, '');
	const name = text.startsWith('"') ? unquotePath(text) : decode(binaryBytes(text.split('\t')[0] ?? ''));
	return name === '/dev/null' ? null : stripped(name, strip);
}

/** The name in `a/x b/x`, where both are the same. */
function sameName(text: string, strip: number): string {
	if (text.startsWith('"')) return stripped(unquotePath(text), strip);
	const middle = (text.length - 1) / 2;
	const [one, other] = [text.slice(0, middle), text.slice(middle + 1)];
	const name = stripped(decode(binaryBytes(one)), strip);
	return stripped(decode(binaryBytes(other)), strip) === name ? name : '';
}

function stripped(name: string, count: number): string {
	return name.split('/').slice(Math.max(0, count)).join('/');
}
