import { fatal, GitError } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { concludeMerge, mergeNotes, NOTES_STRATEGIES, WORKTREE, type NotesStrategy } from '../notes/merge-notes.ts';
import { fullNotesRef, notesRef } from '../notes/notes-refs.ts';
import { subjectOf } from '../objects/commit.ts';
import { missingAsNull } from '../objects/store.ts';
import { decode } from '../bytes.ts';
import { parseOptions, type Options } from '../options.ts';
import { findRevision } from '../refs/revision.ts';
import { linkedTrees } from '../worktree/linked.ts';

const USAGE = 'notes merge [<options>] <notes-ref>';
const [PARTIAL, TARGET] = ['NOTES_MERGE_PARTIAL', 'NOTES_MERGE_REF'];

const misuse = (text: string): GitError => new GitError(`error: ${text}\nusage: git ${USAGE}`, 129);

/** `git notes merge`: merges the notes of another ref, or concludes or aborts a merge with conflicts. */
export const notesMerge: Command = (git, args) => {
	const options = parseOptions(USAGE, args, {
		verbose: '-v --verbose',
		quiet: '-q --quiet',
		strategy: '-s --strategy =',
		commit: '--commit',
		abort: '--abort'
	});
	const given = [...options.operands, ...(options.paths ?? [])];
	const ends = options.has('commit') || options.has('abort');
	if ((options.has('commit') && options.has('abort')) || (ends && options.has('strategy')))
		throw misuse('cannot mix --commit, --abort or -s/--strategy');
	if (!ends && given.length !== 1) throw misuse('must specify a notes ref to merge');
	if (ends && given.length > 0) throw misuse('too many arguments');
	if (options.has('abort')) return giveUp(git);
	if (options.has('commit')) return conclude(git);
	return merge(git, options, given[0]!);
};

function merge(git: Invocation, options: Options<'strategy' | 'verbose' | 'quiet'>, name: string): number {
	const { repository } = git;
	const { refs, gitDir } = repository;
	const local = notesRef(repository);
	if (!local.startsWith('refs/notes/')) throw fatal(`refusing to merge notes in ${local} (outside of refs/notes/)`);
	const remote = findRevision(repository, name) === null ? fullNotesRef(name) : name;
	const level = 2 + options.all('verbose').length - options.all('quiet').length;
	const message = `Merged notes from ${remote} into ${local}`;
	const { id, hasConflicts } = mergeNotes(repository, {
		...{ local, remote, message },
		strategy: chosenStrategy(git, options, local),
		say: (wanted, text) => level >= wanted && git.out(`${text}\n`)
	});
	if (!hasConflicts) {
		refs.update(local, id, `notes: ${message}`);
		return 0;
	}
	refs.note(PARTIAL, id);
	const other = linkedTrees(repository).find(
		(tree) =>
			tree.gitDir !== gitDir &&
			decode(missingAsNull(() => repository.files.readFile(`${tree.gitDir}/${TARGET}`)) ?? new Uint8Array()).trim() ===
				`ref: ${local}`
	);
	if (other) throw fatal(`a notes merge into ${local} is already in-progress at ${other.path}`);
	refs.setSymbolic(TARGET, local);
	const shown = gitDir === `${repository.root}/.git` ? `.git/${WORKTREE}` : `${gitDir}/${WORKTREE}`;
	git.err(
		`Automatic notes merge failed. Fix conflicts in ${shown} and commit the result with 'git notes merge --commit', or abort the merge with 'git notes merge --abort'.\n`
	);
	return 1;
}

/** Strategy from the option, or from the settings of this notes ref or of all. @throws GitError if it is unknown */
function chosenStrategy({ repository }: Invocation, options: Options<'strategy'>, ref: string): NotesStrategy {
	const given = options.get('strategy');
	const key = `notes.${ref.slice('refs/notes/'.length)}.mergeStrategy`;
	const set = repository.config.get(key) ?? repository.config.get('notes.mergestrategy');
	const name = given ?? set ?? 'manual';
	const found = NOTES_STRATEGIES.find((known) => known === name);
	if (found) return found;
	if (given !== undefined) throw misuse(`unknown -s/--strategy: ${name}`);
	throw new GitError(
		`error: unknown notes merge strategy ${name}\nfatal: bad config variable 'notes.mergestrategy'`,
		128
	);
}

function conclude(git: Invocation): number {
	const { repository } = git;
	const { refs, objects } = repository;
	const partial = refs.resolve(PARTIAL);
	if (partial === null) throw fatal('failed to read ref NOTES_MERGE_PARTIAL');
	if (objects.find(partial)?.type !== 'commit') throw fatal('could not find commit from NOTES_MERGE_PARTIAL.');
	const target = refs.symbolic(TARGET);
	if (target === null) throw fatal('failed to resolve NOTES_MERGE_REF');
	const [before] = objects.commit(partial).parents;
	const now = refs.resolve(target);
	if (before !== undefined && now !== before)
		throw fatal(
			`update_ref failed for ref '${target}': cannot lock ref '${target}': is at ${now} but expected ${before}`
		);
	const id = concludeMerge(repository, partial);
	refs.update(target, id, `notes: ${subjectOf(objects.commit(partial).message)}`);
	return giveUp(git);
}

/** Removes a merge's refs and conflict files. Keeps the directory, which may be a working directory. */
function giveUp({ repository }: Invocation): number {
	const { refs, files, gitDir } = repository;
	refs.delete(PARTIAL);
	refs.delete(TARGET);
	const directory = `${gitDir}/${WORKTREE}`;
	if (files.statOrNull(directory)?.kind !== 'directory') return 0;
	for (const { name } of files.readdir(directory))
		files.remove(`${directory}/${name}`, { recursive: true, force: true });
	return 0;
}
