import type { SyncSyscalls } from '#computer/abi/client.ts';
import { decode, encode } from '../bytes.ts';
import type { Config } from '../config/config.ts';
import type { GitIndex } from '../index/index.ts';
import { missingAsNull } from '../objects/store.ts';
import { ConePatterns } from './cone-patterns.ts';
import { SparsePatterns } from './sparse-patterns.ts';

/** Repository with its settings. */
interface Place {
	files: SyncSyscalls;
	config: Config;
	gitDir: string;
	warn(text: string): void;
}

/** Part of the tracked files that is checked out: the settings and patterns of a worktree. */
export class SparseCheckout {
	/** Null before they are first read. */
	#patterns: { known: SparsePatterns | ConePatterns | null } | null = null;

	constructor(private readonly repository: Place) {}

	/** Path of the file with the patterns. */
	get path(): string {
		return `${this.repository.gitDir}/info/sparse-checkout`;
	}

	/** Set if only a part of the files is checked out. */
	get isActive(): boolean {
		return this.repository.config.flag('core.sparsecheckout', false);
	}

	/** Set if patterns are restricted to directories. */
	get isCone(): boolean {
		return this.repository.config.flag('core.sparsecheckoutcone', false);
	}

	/** Text of the stored patterns; null if there are none. */
	text(): string | null {
		const bytes = missingAsNull(() => this.repository.files.readFile(this.path));
		return bytes && decode(bytes);
	}

	/** Patterns in effect; null if all files are checked out. */
	get patterns(): SparsePatterns | ConePatterns | null {
		this.#patterns ??= { known: this.#read() };
		return this.#patterns.known;
	}

	#read(): SparsePatterns | ConePatterns | null {
		const text = this.isActive ? this.text() : null;
		if (text === null) return null;
		return this.parse(text);
	}

	/** Parses patterns, in cone mode if they allow it. */
	parse(text: string): SparsePatterns | ConePatterns {
		const cone = this.isCone ? ConePatterns.parse(text, (warning) => this.repository.warn(warning)) : null;
		return cone ?? new SparsePatterns(text);
	}

	/** Makes patterns effective for this run, before they are stored. Null reads the stored ones again. */
	use(patterns: SparsePatterns | ConePatterns | null): void {
		this.#patterns = patterns && { known: patterns };
	}

	/** Stores patterns. */
	write(lines: readonly string[]): void {
		const { files, gitDir } = this.repository;
		files.mkdir(`${gitDir}/info`, { recursive: true });
		files.writeFile(this.path, encode(lines.map((line) => `${line}\n`).join('')));
	}

	/** Returns whether a path is checked out. */
	has(path: string): boolean {
		return this.patterns?.has(path) ?? true;
	}

	/** Same in cone mode; true in other modes. */
	isInCone(path: string): boolean {
		return !(this.patterns instanceof ConePatterns) || this.patterns.has(path);
	}
}

/**
 * Clears the skip-worktree mark of entries whose files exist nevertheless, since these are visible to the user.
 * A setting declares that such files are expected.
 */
export function unmarkPresent(
	{ sparse, config, files, root }: Pick<Place, 'files' | 'config'> & { sparse: SparseCheckout; root: string },
	index: GitIndex
): void {
	// The setting decides without a look at the entries, since this is done whenever an index is read.
	if (!sparse.isActive || config.flag('sparse.expectfilesoutsideofpatterns', false)) return;
	const known = new Map<string, boolean>([['', true]]);
	const exists = (path: string): boolean => {
		const before = known.get(path);
		if (before !== undefined) return before;
		const parent = path.slice(0, Math.max(path.lastIndexOf('/'), 0));
		const isThere =
			exists(parent) &&
			missingAsNull(() => files.lstat(parent === '' ? root : `${root}/${parent}`))?.kind === 'directory' &&
			missingAsNull(() => files.lstat(`${root}/${path}`)) !== null;
		known.set(path, isThere);
		return isThere;
	};
	for (const entry of index.entries()) if (entry.skipWorktree && exists(entry.path)) delete entry.skipWorktree;
}
