import { binaryText } from '../diff/lines.ts';
import { splitLines } from '#environment/lines.ts';
import { GitError } from '../errors.ts';
import { HashSum } from '../history/patch-id.ts';
import type { Command } from '../invocation.ts';
import { NULL_ID } from '../objects/object.ts';
import { parseOptions } from '../options.ts';
import { repositoryOrDirectory } from '../repository-or-directory.ts';

const USAGE = 'patch-id [--stable | --unstable | --verbatim]';

/** `git patch-id`: prints an id for each patch on stdin, which does not depend on line numbers. */
export const patchIdCommand: Command = (git, args) => {
	const options = parseOptions(USAGE, args, { unstable: '--unstable', stable: '--stable', verbatim: '--verbatim' });
	const kinds = options.inOrder('unstable', 'stable', 'verbatim').map(({ name }) => name);
	if (new Set(kinds).size > 1)
		throw new GitError(`error: option \`${kinds[1]}' is incompatible with --${kinds[0]}`, 129);
	const { config } = repositoryOrDirectory(git);
	const isVerbatim = kinds[0] ? kinds[0] === 'verbatim' : config.flag('patchid.verbatim', false);
	const isStable = kinds[0] ? kinds[0] !== 'unstable' : isVerbatim || config.flag('patchid.stable', false);
	const lines = splitLines(binaryText(git.input()))[Symbol.iterator]();
	let commit = NULL_ID;
	for (let isMore = true; isMore;) {
		const patch = new PatchHash(isStable, isVerbatim);
		let next: string | null = null;
		for (;;) {
			const line = lines.next();
			isMore = line.done !== true;
			if (line.done === true) break;
			next = commitOf(line.value);
			if (next !== null || !patch.take(line.value)) break;
		}
		const id = patch.end();
		if (id !== null) git.out(`${id} ${commit}\n`);
		commit = next ?? NULL_ID;
	}
	return 0;
};

/** Commit id in a line that `git log` or a mail puts above a patch; null for any other line. */
const commitOf = (line: string): string | null =>
	/^(?:commit |From )?([0-9a-f]{40})/i.exec(line)?.[1]?.toLowerCase() ?? null;

/** Minimum length of a `\\ No newline at end of file` line in any language. */
const LEAST_NOTE = 12;

/** Hash of one patch, computed line by line. */
class PatchHash {
	readonly #sum = new HashSum();
	#text = '';
	#isEmpty = true;
	#place: 'head' | 'hunks' | 'binary' = 'head';
	/** Remaining lines of the current hunk on both sides. */
	#left = { old: 0, new: 0 };
	#ids = '';

	constructor(
		/** The order of files does not affect the id. */
		private readonly isStable: boolean,
		/** Whitespace affects the id. */
		private readonly isVerbatim: boolean
	) {}

	/** @returns false at the end of the patch */
	take(line: string): boolean {
		if (line.startsWith('\\ ') && line.length > LEAST_NOTE) {
			if (this.isVerbatim) this.#text += line;
			return true;
		}
		const isStart = line.startsWith('diff ');
		if (this.#isEmpty && !isStart) return true;
		if (this.#place === 'binary') {
			if (isStart) this.#place = 'head';
			return true;
		}
		if (this.#place === 'head') {
			const isDone = this.#takeHead(line);
			if (isDone !== null) return isDone;
		}
		if (this.#place === 'hunks' && this.#left.old === 0 && this.#left.new === 0) {
			const range = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))?/.exec(line);
			if (range) {
				this.#left = { old: Number(range[1] ?? 1), new: Number(range[2] ?? 1) };
				return true;
			}
			if (!isStart) return false;
			this.#endFile();
			this.#place = 'head';
		}
		if (/^[- ]/.test(line)) this.#left.old--;
		if (/^[+ ]/.test(line)) this.#left.new--;
		const text = this.isVerbatim ? line : line.replace(/[ \t\n\v\f\r]/g, '');
		this.#text += text;
		if (text !== '') this.#isEmpty = false;
		return true;
	}

	/** Processes a header line. @returns null if the line is to be hashed, else the result of {@link take} */
	#takeHead(line: string): boolean | null {
		if (/^(?:GIT binary patch|Binary files)/.test(line)) {
			this.#place = 'binary';
			this.#text += this.#ids;
			this.#endFile();
			return true;
		}
		const ids = /^index ([^.]*)\.\.([^ \n]*)/.exec(line);
		if (ids) {
			this.#ids = `${ids[1]}${ids[2]}`;
			return true;
		}
		if (line.startsWith('--- ')) {
			this.#place = 'hunks';
			this.#left = { old: 1, new: 1 };
		} else if (!/^[A-Za-z]/.test(line)) return false;
		return null;
	}

	#endFile(): void {
		if (!this.isStable) return;
		this.#sum.add(this.#text);
		this.#text = '';
	}

	/** Returns the patch id; null if there was no patch. */
	end(): string | null {
		this.#sum.add(this.#text);
		return this.#isEmpty ? null : this.#sum.id;
	}
}
