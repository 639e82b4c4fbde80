import { lstatSync, readdirSync, readFileSync, type BigIntStats } from 'node:fs';
import { join } from 'node:path';
import { foldersAbove } from '../folders.ts';
import { ignoreRules, type IsIgnored } from '../ignore-rules.ts';
import { isMissing } from '../node-errors.ts';
import { TimeSlice } from '../time-slice.ts';
import type { TreeEntry } from '../tree/entry.ts';
import { MAX_IGNORED_ENTRIES } from '../tree/left-behind.ts';
import { toTreeEntry, UNFINISHED } from './tree.ts';

interface IgnoreFile {
	entry: TreeEntry;
	text: string;
}

/**
 * Files of the workspace as journal and snapshots see them. Ignored directories with more than {@link
 * MAX_IGNORED_ENTRIES} entries are listed as `isLeftOut` without their contents, so that a walk costs only as much as
 * the files that users work on. Ignored files and smaller ignored directories such as `.env` or `dist` are included,
 * and so is `.git`.
 *
 * Uses synchronous calls in time slices: for many small entries they take a fifth of the time of asynchronous ones.
 */
export class WorkspaceTree {
	/** Inodes of directories known to be too large, by path. */
	readonly #large = new Map<string, bigint>();
	readonly #ignoreFiles = new Map<string, IgnoreFile>();
	/** Results of {@link #isIgnored} for directories. */
	readonly #verdicts = new Map<string, boolean>();
	#isIgnored: IsIgnored = ignoreRules(new Map());

	/** @param root absolute real path of the workspace */
	constructor(private readonly root: string) {}

	/** Returns everything that is not left out, by path relative to the root, parents before children. */
	async walk(): Promise<Map<string, TreeEntry>> {
		const entries = new Map<string, TreeEntry>();
		const slice = new TimeSlice();
		const pending = [''];
		for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
			const listed = this.#list(directory);
			if (slice.isExpired(listed.length + 1)) await slice.yieldThread();
			this.#readIgnoreFile(directory, listed);
			for (const [path, entry] of listed) {
				entries.set(path, entry);
				if (entry.kind !== 'directory') continue;
				if (!this.#isDirectoryIgnored(path)) pending.push(path);
				else for (const [below, found] of this.#ignoredBelow(path, entry)) entries.set(below, found);
			}
		}
		return entries;
	}

	/** Contents of an ignored directory; marks the directory as left out if there are too many. */
	#ignoredBelow(directory: string, entry: TreeEntry): [string, TreeEntry][] {
		const found: [string, TreeEntry][] = [];
		const pending = this.#large.get(directory) === entry.inode ? [] : [directory];
		if (pending.length === 0) entry.isLeftOut = true;
		for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
			for (const each of this.#list(next)) {
				found.push(each);
				if (each[1].kind === 'directory') pending.push(each[0]);
			}
			if (found.length <= MAX_IGNORED_ENTRIES) continue;
			this.#large.set(directory, entry.inode);
			entry.isLeftOut = true;
			return [];
		}
		return found;
	}

	/** Entries of a directory by path; empty if it is gone or unreadable. */
	#list(directory: string): [string, TreeEntry][] {
		const listed: [string, TreeEntry][] = [];
		for (const name of namesIn(join(this.root, directory))) {
			if (name.startsWith(UNFINISHED)) continue;
			const entry = entryAt(join(this.root, directory, name));
			if (entry) listed.push([directory === '' ? name : `${directory}/${name}`, entry]);
		}
		return listed;
	}

	/** Reads the directory's `.gitignore` if it is new, changed or gone. */
	#readIgnoreFile(directory: string, listed: readonly [string, TreeEntry][]): void {
		const path = directory === '' ? '.gitignore' : `${directory}/.gitignore`;
		const entry = listed.find(([each]) => each === path)?.[1];
		const known = this.#ignoreFiles.get(path);
		if (known?.entry.changedNs === entry?.changedNs && known?.entry.inode === entry?.inode) return;
		if (entry?.kind === 'file') this.#ignoreFiles.set(path, { entry, text: textOf(join(this.root, path)) });
		else this.#ignoreFiles.delete(path);
		this.#isIgnored = ignoreRules(new Map([...this.#ignoreFiles].map(([each, { text }]) => [each, text])));
		this.#verdicts.clear();
	}

	/** `.git` is part of the workspace: restoring a snapshot includes commits. */
	#isDirectoryIgnored(path: string): boolean {
		if (path === '.git' || path.startsWith('.git/')) return false;
		let verdict = this.#verdicts.get(path);
		if (verdict === undefined) this.#verdicts.set(path, (verdict = this.#isIgnored(`${path}/`)));
		return verdict;
	}
}

/** Returns true if a path is inside a directory that the walk left out. */
export function isBelowLeftOut(path: string, tree: ReadonlyMap<string, TreeEntry>): boolean {
	return foldersAbove(path).some((folder) => tree.get(folder)?.isLeftOut === true);
}

function namesIn(directory: string): string[] {
	try {
		return readdirSync(directory).sort();
	} catch (error) {
		return unlessUnreadable(error, []);
	}
}

function entryAt(path: string): TreeEntry | undefined {
	try {
		const stats: BigIntStats | undefined = lstatSync(path, { bigint: true, throwIfNoEntry: false });
		return stats && toTreeEntry(stats);
	} catch (error) {
		return unlessUnreadable(error, undefined);
	}
}

function textOf(path: string): string {
	try {
		return readFileSync(path, 'utf8');
	} catch (error) {
		return unlessUnreadable(error, '');
	}
}

/** A process may remove entries during the walk; a directory that may not be read has no known content. */
function unlessUnreadable<T>(error: unknown, value: T): T {
	if (isMissing(error) || (error instanceof Error && 'code' in error && error.code === 'EACCES')) return value;
	throw error;
}
