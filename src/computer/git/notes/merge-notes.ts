import { binaryBytes, splitLines } from '../diff/lines.ts';
import { fatal } from '../errors.ts';
import { mergeBases } from '../history/walk.ts';
import { mergeText } from '../merge/merge-text.ts';
import { isObjectId } from '../objects/object-id.ts';
import type { Repository } from '../repository.ts';
import { concatenate, overwrite, sortedLines } from './combine.ts';
import { NotesTree, openNotes } from './notes-tree.ts';

/** Strategies for notes that both sides changed. */
export const NOTES_STRATEGIES = ['manual', 'ours', 'theirs', 'union', 'cat_sort_uniq'] as const;
export type NotesStrategy = (typeof NOTES_STRATEGIES)[number];

/** Merge of the notes of two refs. */
export interface NotesMerge {
	local: string;
	remote: string;
	strategy: NotesStrategy;
	/** Commit message. */
	message: string;
	/** Reports progress: level 1 conflicts, 2 other steps, 3 details. */
	say: (level: number, text: string) => void;
}

/** Note that both sides changed, as its ids; undefined on a side without the note. */
interface Conflict {
	object: string;
	base: string | undefined;
	ours: string | undefined;
	theirs: string | undefined;
}

export const WORKTREE = 'NOTES_MERGE_WORKTREE';

/** Merges notes. Returns the commit and whether conflicts were written to files. @throws GitError if both are empty */
export function mergeNotes(repository: Repository, merge: NotesMerge): { id: string; hasConflicts: boolean } {
	const { refs, objects } = repository;
	const ours = refs.resolve(merge.local);
	const theirs = refs.resolve(merge.remote);
	if (ours === null && theirs === null)
		throw fatal(`Cannot merge empty notes ref (${merge.remote}) into empty notes ref (${merge.local})`);
	if (ours === null || theirs === null) return { id: ours ?? theirs ?? '', hasConflicts: false };
	const [base, ...more] = mergeBases(repository, ours, theirs);
	if (base === undefined) merge.say(3, 'No merge base found; performing history-less merge');
	else if (more.length > 0) merge.say(3, `Multiple merge bases found. Using the first (${base.slice(0, 7)})`);
	if (base === theirs) {
		merge.say(2, 'Already up to date.');
		return { id: ours, hasConflicts: false };
	}
	if (base === ours) {
		merge.say(2, 'Fast-forward');
		return { id: theirs, hasConflicts: false };
	}
	const notesOf = (commit: string) => new NotesTree(repository, '').load(objects.commit(commit).tree);
	const merger = new Merger(repository, merge, openNotes(repository, merge.local));
	return merger.run(base === undefined ? null : notesOf(base), notesOf(theirs), [ours, theirs]);
}

class Merger {
	#conflicts = 0;
	#message: string;

	constructor(
		private readonly repository: Repository,
		private readonly how: NotesMerge,
		private readonly local: NotesTree
	) {
		this.#message = how.message;
	}

	run(base: NotesTree | null, theirs: NotesTree, parents: readonly string[]): { id: string; hasConflicts: boolean } {
		const objects = new Set([...(base?.entries() ?? []), ...theirs.entries()].map(([object]) => object));
		for (const object of [...objects].sort())
			this.#take({
				object,
				base: base?.get(object),
				ours: this.local.get(object),
				theirs: theirs.get(object)
			});
		const id = this.local.writeCommit(this.#message, parents);
		return { id, hasConflicts: this.#conflicts > 0 };
	}

	#take(change: Conflict): void {
		const { object, base, ours, theirs } = change;
		if (theirs === base || theirs === ours) return;
		if (ours === base) this.#put(object, theirs);
		else this.#decide(change);
	}

	#put(object: string, note: string | undefined): void {
		if (note === undefined) this.local.remove(object);
		else this.local.add(object, note, overwrite);
	}

	#decide(change: Conflict): void {
		const { object, ours, theirs } = change;
		const { say, strategy } = this.how;
		if (strategy === 'manual') return this.#leave(change);
		if (strategy === 'ours') return say(2, `Using local notes for ${object}`);
		if (strategy === 'theirs') {
			say(2, `Using remote notes for ${object}`);
			return this.#put(object, theirs);
		}
		const isUnion = strategy === 'union';
		say(2, `Concatenating ${isUnion ? '' : 'unique lines in '}local and remote notes for ${object}`);
		if (theirs !== undefined) this.local.add(object, theirs, isUnion ? concatenate : sortedLines);
		else if (!isUnion && ours !== undefined) this.local.add(object, ours, sortedLines);
	}

	/** Writes a conflict to a file for the user, and removes the note. */
	#leave({ object, base, ours, theirs }: Conflict): void {
		const { say, local, remote } = this.how;
		const { objects } = this.repository;
		if (this.#conflicts === 0) {
			requireNoMerge(this.repository);
			this.#message += '\n\nConflicts:\n';
		}
		this.#conflicts++;
		this.#message += `\t${object}\n`;
		say(2, `Auto-merging notes for ${object}`);
		const left = ours ?? theirs;
		if (ours === undefined || theirs === undefined) {
			const [gone, kept] = ours === undefined ? [local, remote] : [remote, local];
			say(
				1,
				`CONFLICT (delete/modify): Notes for object ${object} deleted in ${gone} and modified in ${kept}. Version from ${kept} left in tree.`
			);
			if (left !== undefined) this.#write(object, objects.read(left, 'blob'));
		} else {
			const kind = base === undefined ? 'add/add' : 'content';
			say(1, `CONFLICT (${kind}): Merge conflict in notes for object ${object}`);
			const lines = (id: string | undefined) => (id === undefined ? [] : splitLines(objects.read(id, 'blob')));
			const labels = { ours: local, theirs: remote, base: '', style: 'merge' as const };
			const merged = mergeText(lines(base), lines(ours), lines(theirs), labels);
			this.#write(object, binaryBytes(merged.lines.join('')));
		}
		this.local.remove(object);
	}

	#write(object: string, content: Uint8Array): void {
		const { files, gitDir } = this.repository;
		files.mkdir(`${gitDir}/${WORKTREE}`, { recursive: true });
		files.writeFile(`${gitDir}/${WORKTREE}/${object}`, content);
	}
}

/** @throws GitError if an earlier merge still has conflicts */
function requireNoMerge({ files, gitDir }: Repository): void {
	const directory = `${gitDir}/${WORKTREE}`;
	if (files.statOrNull(directory)?.kind !== 'directory' || files.readdir(directory).length === 0) return;
	throw fatal(
		'You have not concluded your previous notes merge (.git/NOTES_MERGE_* exists).\n' +
			"Please, use 'git notes merge --commit' or 'git notes merge --abort' to commit/abort the previous merge before you start a new notes merge."
	);
}

/** Adds the resolved files to the notes of a merge, and returns the commit. */
export function concludeMerge(repository: Repository, partial: string): string {
	const { files, gitDir, objects } = repository;
	const { message, parents, tree } = objects.commit(partial);
	const notes = new NotesTree(repository, '', overwrite).load(tree);
	const directory = `${gitDir}/${WORKTREE}`;
	const names = files.statOrNull(directory)?.kind === 'directory' ? files.readdir(directory) : [];
	for (const { name } of names) {
		if (!isObjectId(name)) continue;
		notes.add(name, objects.write('blob', files.readFile(`${directory}/${name}`)));
	}
	return notes.writeCommit(message, parents);
}
