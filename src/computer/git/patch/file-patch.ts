import { GitError } from '../errors.ts';
import { readBinaryPatch, type BinaryChange } from './binary-change.ts';
import { gitNames, plainNames, stripped } from './patch-names.ts';
import { unquotePath } from '../unquote-path.ts';

export interface PatchHunk {
	oldStart: number;
	newStart: number;
	/** Binary text; each line has its sign and its line ending, unless the file has no newline there. */
	lines: string[];
	/** Line number of the hunk header in the patch. */
	line: number;
	/** Line numbers of its lines in the patch. */
	lineNumbers: number[];
}

/** Changes to one file in a patch. */
export interface FilePatch {
	kind: 'modify' | 'create' | 'delete' | 'rename' | 'copy';
	/** The patch does not rule out that the file is new: it is new if it does not exist. */
	isPerhapsNew: boolean;
	/** Path without the stripped leading components. */
	oldPath: string;
	newPath: string;
	oldMode: number | null;
	newMode: number | null;
	/** Ids of both sides as abbreviated in the patch, or ''. */
	oldId: string;
	newId: string;
	/** Similarity of a rename or copy in percent. */
	similarity: number;
	isRewrite: boolean;
	/** Created by git: paths are relative to the top level of the working tree. */
	isGit: boolean;
	isBinary: boolean;
	/** Contents of a binary file; null if the patch does not include them. */
	binary: { forward: BinaryChange; back: BinaryChange | null } | null;
	hunks: PatchHunk[];
}

/** Content and mode of a file before or after a patch. */
export interface PatchedFile {
	mode: number;
	content: Uint8Array;
}

/** Options for parsing a patch. */
export interface PatchRules {
	/** Number of leading path components to strip; null to guess it for patches not created by git. */
	strip: number | null;
	/** Current directory relative to the top level, with a trailing slash, or ''. */
	prefix: string;
	/** Counts the lines of hunks instead of using the counts in their headers. */
	recounts: boolean;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/**
 * Parses the patches in a text as `git apply` does; other text is skipped.
 *
 * @param lines binary text with line endings
 * @throws GitError if a hunk does not match its header
 */
export function parsePatches(lines: readonly string[], rules: PatchRules): FilePatch[] {
	return new PatchReader(lines, rules).read();
}

/** Reverses a patch. */
export function reversed(patch: FilePatch): FilePatch {
	const kinds = { create: 'delete', delete: 'create', modify: 'modify', rename: 'rename', copy: 'delete' } as const;
	const flip = (line: string) => (line.startsWith('+') ? '-' : line.startsWith('-') ? '+' : ' ') + line.slice(1);
	const { binary } = patch;
	return {
		...patch,
		kind: kinds[patch.kind],
		isPerhapsNew: false,
		oldPath: patch.newPath,
		newPath: patch.kind === 'copy' ? patch.newPath : patch.oldPath,
		oldMode: patch.newMode,
		newMode: patch.oldMode,
		oldId: patch.newId,
		newId: patch.oldId,
		binary: binary && (binary.back ? { forward: binary.back, back: binary.forward } : null),
		hunks: patch.hunks.map((hunk) => ({
			...hunk,
			oldStart: hunk.newStart,
			newStart: hunk.oldStart,
			lines: hunk.lines.map(flip)
		}))
	};
}

const emptyPatch = (oldPath: string, newPath: string, isGit: boolean): FilePatch => ({
	kind: 'modify',
	isPerhapsNew: false,
	oldPath,
	newPath,
	oldMode: null,
	newMode: null,
	oldId: '',
	newId: '',
	similarity: 0,
	isRewrite: false,
	isGit,
	isBinary: false,
	binary: null,
	hunks: []
});

const failed = (text: string): GitError => new GitError(`error: ${text}`, 128);

class PatchReader {
	#at = 0;
	#strip: number | null;

	constructor(
		private readonly lines: readonly string[],
		private readonly rules: PatchRules
	) {
		this.#strip = rules.strip;
	}

	read(): FilePatch[] {
		const patches: FilePatch[] = [];
		while (this.#at < this.lines.length) {
			const line = this.#line();
			if (line.startsWith('diff --git ')) {
				const patch = this.#readGit();
				if (patch) patches.push(patch);
			} else if (this.#isHeader() && HUNK.test(this.#line(2))) patches.push(this.#readPlain());
			else if (HUNK.test(line))
				throw failed(`patch fragment without header at line ${this.#at + 1}: ${line.replace(/\n$/, '')}`);
			else this.#at++;
		}
		return patches;
	}

	#line(ahead = 0): string {
		return this.lines[this.#at + ahead] ?? '';
	}

	#isHeader(): boolean {
		return this.#line().startsWith('--- ') && this.#line(1).startsWith('+++ ');
	}

	/** Parses a patch not created by git. */
	#readPlain(): FilePatch {
		const [from, to] = [this.#line(), this.#line(1)];
		const names = plainNames(from, to, this.#strip, this.rules.prefix);
		if (!names) throw failed(`unable to find filename in patch at line ${this.#at + 1}`);
		this.#strip = names.strip;
		const patch = { ...emptyPatch(names.name, names.name, false), kind: names.kind };
		this.#at += 2;
		this.#readHunks(patch);
		const hasOld = patch.hunks.some(({ lines }) => lines.some((line) => !line.startsWith('+')));
		patch.isPerhapsNew = names.isUncertain && !hasOld && patch.hunks.length === 1;
		return patch;
	}

	/** Parses a patch that begins with `diff --git`; null if the line only looks like that. */
	#readGit(): FilePatch | null {
		const start = this.#at;
		const strip = this.rules.strip ?? 1;
		const head = { old: null as string | null, now: null as string | null };
		const patch = emptyPatch('', '', true);
		for (this.#at++; this.#at < this.lines.length; this.#at++) {
			const line = this.#line().replace(/\n$/, '');
			if (this.#isHeader()) {
				const names = gitNames(line, this.#line(1), strip);
				head.old = names.old ?? head.old;
				head.now = names.now ?? head.now;
				this.#at += 2;
				break;
			}
			if (!this.#readExtended(line, patch, head, strip)) break;
		}
		if (this.#at === start + 1 && !this.#hasContent()) return null;
		const usual = commonName((this.lines[start] ?? '').slice('diff --git '.length).replace(/\r?\n$/, ''), strip);
		const old = head.old ?? (head.now !== null && patch.kind !== 'create' && usual === null ? head.now : usual);
		const now = head.now ?? (head.old !== null && usual === null ? head.old : usual);
		const name = old ?? now;
		if (name === null || name === '') {
			const parts = `${strip} leading pathname component${strip === 1 ? '' : 's'}`;
			throw failed(`git diff header lacks filename information when removing ${parts} (line ${this.#at + 1})`);
		}
		patch.oldPath = patch.kind === 'create' ? (now ?? name) : (old ?? name);
		patch.newPath = patch.kind === 'delete' ? patch.oldPath : (now ?? name);
		this.#readContent(patch);
		return patch;
	}

	#hasContent(): boolean {
		return HUNK.test(this.#line()) || this.#line().startsWith('GIT binary patch');
	}

	/** Parses an extended header line. @returns false if the line is not one */
	#readExtended(
		line: string,
		patch: FilePatch,
		head: { old: string | null; now: string | null },
		strip: number
	): boolean {
		const [, word = '', value = ''] =
			/^(old mode|new mode|deleted file mode|new file mode|(?:rename|copy) (?:from|to)|rename (?:old|new)|(?:dis)?similarity index|index) (.*)$/s.exec(
				line
			) ?? [];
		// These names have no `a/` prefix.
		const name = () => stripped(value.startsWith('"') ? unquotePath(value) : value, strip - 1) ?? '';
		switch (word) {
			case 'old mode':
			case 'deleted file mode':
				patch.oldMode = this.#mode(value);
				break;
			case 'new mode':
			case 'new file mode':
				patch.newMode = this.#mode(value);
				break;
			case 'similarity index':
				patch.similarity = Number.parseInt(value, 10);
				return true;
			case 'dissimilarity index':
				patch.similarity = Number.parseInt(value, 10);
				patch.isRewrite = true;
				return true;
			case 'index': {
				const [, old = '', now = '', mode] = /^([0-9a-f]+)\.\.([0-9a-f]+)(?: (\d+))?/.exec(value) ?? [];
				[patch.oldId, patch.newId] = [old, now];
				if (mode !== undefined) patch.oldMode ??= this.#mode(mode);
				return true;
			}
			case '':
				return false;
			default:
				patch.kind = word.startsWith('rename') ? 'rename' : 'copy';
				if (/(?:from|old)$/.test(word)) head.old = name();
				else head.now = name();
				return true;
		}
		if (word === 'new file mode') patch.kind = 'create';
		if (word === 'deleted file mode') patch.kind = 'delete';
		return true;
	}

	#mode(text: string): number {
		if (!/^[0-7]+\s*$/.test(text)) throw failed(`invalid mode on line ${this.#at + 1}: ${text}`);
		return Number.parseInt(text, 8);
	}

	#readContent(patch: FilePatch): void {
		const line = this.#line();
		if (line === 'GIT binary patch\n') {
			const found = readBinaryPatch(this.lines, this.#at + 1);
			patch.isBinary = true;
			patch.binary = found;
			this.#at = found.end;
		} else if (/^(?:Binary files|Files) .* differ$/.test(line.replace(/\r?\n$/, ''))) {
			patch.isBinary = true;
			this.#at++;
		} else this.#readHunks(patch);
	}

	#readHunks(patch: FilePatch): void {
		for (let head = HUNK.exec(this.#line()); head; head = HUNK.exec(this.#line())) {
			const hunk: PatchHunk = {
				oldStart: Number(head[1]),
				newStart: Number(head[3]),
				lines: [],
				line: this.#at + 1,
				lineNumbers: []
			};
			this.#at++;
			const counts = { old: Number(head[2] ?? 1), now: Number(head[4] ?? 1) };
			this.#readLines(hunk, this.rules.recounts ? this.#recounted() : counts);
			if (patch.kind === 'create' && hunk.lines.some((line) => !line.startsWith('+')))
				throw failed(`new file ${patch.newPath} depends on old contents`);
			if (patch.kind === 'delete' && hunk.lines.some((line) => !line.startsWith('-')))
				throw failed(`deleted file ${patch.oldPath} still has contents`);
			patch.hunks.push(hunk);
		}
	}

	#readLines(hunk: PatchHunk, counts: { old: number; now: number }): void {
		let [oldLeft, newLeft] = [counts.old, counts.now];
		for (; oldLeft > 0 || newLeft > 0; this.#at++) {
			const line = this.lines[this.#at];
			const sign = line === '\n' ? ' ' : (line?.[0] ?? '');
			if (line === undefined || !' +-\\'.includes(sign) || sign === '')
				throw failed(`corrupt patch at line ${this.#at + 1}`);
			if (sign === '\\') {
				withoutEnd(hunk);
				continue;
			}
			if (sign !== '+') oldLeft--;
			if (sign !== '-') newLeft--;
			hunk.lines.push(line === '\n' ? ' \n' : line.endsWith('\n') ? line : `${line}\n`);
			hunk.lineNumbers.push(this.#at + 1);
		}
		if (oldLeft < 0 || newLeft < 0) throw failed(`corrupt patch at line ${this.#at}`);
		if (this.#line().startsWith('\\')) {
			withoutEnd(hunk);
			this.#at++;
		}
	}

	/** Counts the lines of a hunk up to the first line that cannot belong to it. */
	#recounted(): { old: number; now: number } {
		const counts = { old: 0, now: 0 };
		for (let at = this.#at; at < this.lines.length; at++) {
			const line = this.lines[at]!;
			if (!/^[ +\-\\\n]/.test(line)) break;
			// The signature separator of a mail is not a removed line.
			if (line === '-- \n' && at + 2 >= this.lines.length) break;
			if (line.startsWith('\\')) continue;
			if (!line.startsWith('+')) counts.old++;
			if (!line.startsWith('-')) counts.now++;
		}
		return counts;
	}
}

/** Handles `\ No newline at end of file`: removes the newline of the previous line. */
function withoutEnd(hunk: PatchHunk): void {
	const last = hunk.lines.pop();
	if (last !== undefined) hunk.lines.push(last.replace(/\n$/, ''));
}

/** Name in `a/x b/x` if both are equal without their prefixes; null otherwise. */
function commonName(text: string, strip: number): string | null {
	const [, first, second] = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)$/s.exec(text) ?? [];
	const plain = (name: string) => stripped(name.startsWith('"') ? unquotePath(name) : name, strip);
	if (first !== undefined && second !== undefined) {
		const name = plain(first);
		return name !== null && plain(second) === name ? name : null;
	}
	for (let at = text.indexOf(' '); at > 0; at = text.indexOf(' ', at + 1)) {
		const name = plain(text.slice(0, at));
		if (name !== null && name !== '' && plain(text.slice(at + 1)) === name) return name;
	}
	return null;
}
