import { rememberResolutions } from '../rerere/rerere.ts';
import { encode } from '../bytes.ts';
import { headTree } from '../diff/sides.ts';
import { GitError } from '../errors.ts';
import { mergeBases } from '../history/walk.ts';
import type { Invocation } from '../invocation.ts';
import { applyMerged } from '../merge/apply.ts';
import { mergeOctopus } from '../merge/octopus.ts';
import { mergeTrees } from '../merge/merge-trees.ts';
import { strategyOptions } from '../merge/strategy.ts';
import { serializeCommit } from '../objects/commit.ts';
import { EMPTY_TREE, NULL_ID } from '../objects/object.ts';
import { findRevision, peel } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { switchTree } from '../worktree/switch-tree.ts';
import { commitStep, reflogAction } from './rebase-commit.ts';
import { hints, noteStop, RESOLVE_ADVICE, reword, type StepOutcome } from './rebase-pick.ts';
import { noteAuthor, noteRebase, type RebaseState } from './rebase-state.ts';
import type { RebaseStep } from './rebase-steps.ts';
import { noteConflicts } from './replay.ts';

const LABELS = 'refs/rewritten/';

/** Creates an empty commit, as the base for rebasing all commits of a branch. */
export function emptyStart(repository: Repository): string {
	const people = { author: repository.committer(), committer: repository.committer() };
	const { objects } = repository;
	objects.write('tree', new Uint8Array(0));
	return objects.write('commit', serializeCommit({ tree: EMPTY_TREE, parents: [], ...people, message: '' }));
}

/** `label`: names HEAD for the duration of the rebase. @throws GitError for an invalid name */
export function labelHead({ repository }: Invocation, name: string): void {
	const head = repository.head();
	if (name === '#') throw new GitError(`error: illegal label name: '${name}'`, 1);
	if (head === null) throw new GitError('error: could not read HEAD', 1);
	repository.refs.update(`${LABELS}${name}`, head, `rebase (label) '${name}'`);
	const list = repository.note('rebase-merge/refs-to-delete') ?? '';
	repository.files.writeFile(`${repository.gitDir}/rebase-merge/refs-to-delete`, encode(`${list}${LABELS}${name}\n`));
}

/** Commit of a label or of any other revision. @throws GitError if there is none */
function labelled(repository: Repository, name: string): string {
	const found = repository.refs.resolve(`${LABELS}${name}`) ?? findRevision(repository, name);
	const id = found === null ? null : peel(repository, found, 'commit');
	if (id === null) {
		const type = found === null ? undefined : repository.objects.find(found)?.type;
		const odd = type === undefined ? '' : `error: object ${found} is a ${type}, not a commit\n`;
		throw new GitError(`${odd}error: could not resolve '${name}'`, 1);
	}
	return id;
}

/** `reset`: moves HEAD to a label. */
export function resetToLabel(git: Invocation, state: RebaseState, text: string): void {
	const { repository } = git;
	const isNewRoot = text === '[new root]';
	const name = isNewRoot ? text : (text.split(/\s/)[0] ?? '');
	if (isNewRoot && state.start === undefined) {
		state.start = emptyStart(repository);
		noteRebase(repository, state, 'squash-onto', `${state.start}\n`);
	}
	const id = isNewRoot ? state.start! : labelled(repository, name);
	switchTree(repository, headTree(repository), repository.commit(id).tree, { verb: 'reset', target: name });
	repository.index.save();
	repository.refs.update('HEAD', id, `${reflogAction(repository, 'reset')}: '${isNewRoot ? text : name}'`);
}

/** `merge`: merges labels into HEAD, with the message of a commit or a new one. */
export function mergeLabels(git: Invocation, state: RebaseState, step: RebaseStep): StepOutcome {
	const { repository } = git;
	const head = repository.head();
	if (head === null) throw new GitError('error: cannot merge without a current revision', 1);
	const [, names = '', , oneline] = /^(.*?)(\s*#(?:\s+(.*))?)?$/.exec(step.text) ?? [];
	const given = names.split(/\s+/).filter((name) => name !== '');
	const others = given.map((name) => ({ name, id: labelled(repository, name) }));
	const [other] = others;
	if (!other) throw new GitError(`error: nothing to merge: '${step.text}'`, 1);
	if (head === state.start) {
		if (others.length > 1) throw new GitError('error: octopus merge cannot be executed on top of a [new root]', 1);
		return forward(git, other.id);
	}
	const original = step.id === '' ? null : repository.commit(step.id);
	const parents = original?.parents ?? [];
	const isSame = [head, ...others.map(({ id }) => id)].join() === parents.join();
	const canForward = isSame && !state.isForced && !state.signsOff && !state.keepsDate && !state.resetsDate;
	const isEdited = step.flag === '-c' || step.id === '';
	// The message is edited after the commit is made.
	const reworded = () => {
		if (!isEdited) return 'done';
		return reword(git, state, step.id === '' ? { ...step, id: repository.head() ?? head } : step);
	};
	if (canForward) {
		forward(git, step.id);
		return reworded();
	}
	const standard = `Merge ${others.length > 1 ? 'branches' : 'branch'} '${names.trim()}'\n`;
	const message = original?.message ?? (oneline ? `${oneline}\n` : standard);
	const author = original?.author ?? repository.author();
	noteAuthor(repository, state, author);
	if (others.length > 1) return octopus(git, head, others, message);
	const bases = mergeBases(repository, head, other.id);
	if (bases[0] === other.id) return 'done';
	const base = bases[0] === undefined ? EMPTY_TREE : repository.commit(bases[0]).tree;
	const labels = { ours: 'HEAD', theirs: `${LABELS}${other.name}`, base: 'merged common ancestors' };
	const theirs = repository.commit(other.id).tree;
	const ours = headTree(repository);
	const merged = mergeTrees(
		git,
		{ base, ours, theirs },
		{ ...labels, options: strategyOptions(state.strategyOptions) }
	);
	applyMerged(git, ours, merged, true);
	const made = { message, author, merged: [other.id], action: 'merge' };
	if (merged.isClean) return commitStep(git, state, made) === null ? 'stopped' : reworded();
	repository.refs.note('MERGE_HEAD', other.id);
	repository.files.writeFile(`${repository.gitDir}/MERGE_MODE`, encode('no-ff'));
	noteConflicts(repository, message, merged.conflicts);
	rememberResolutions(git, state.autoupdate);
	noteRebase(repository, state, 'message', repository.note('MERGE_MSG') ?? message);
	const about = step.id === '' ? step.text : `${repository.objects.abbreviate(step.id)}... ${step.text}`;
	git.err(`${hints(RESOLVE_ADVICE)}Could not ${step.id === '' ? 'merge' : 'apply'} ${about}\n`);
	if (step.id !== '') noteStop(git, state, step);
	return 'stopped';
}

/** Fast-forwards HEAD to an existing commit that already has the wanted result. */
function forward({ repository }: Invocation, id: string): StepOutcome {
	switchTree(repository, headTree(repository), repository.commit(id).tree);
	repository.index.save();
	repository.refs.update('HEAD', id, `${reflogAction(repository, 'merge')}: fast-forward`);
	return 'done';
}

function octopus(
	git: Invocation,
	head: string,
	others: readonly { name: string; id: string }[],
	message: string
): StepOutcome {
	const how = { message, noFastForward: true, onlyFastForward: false, quiet: true };
	return mergeOctopus(git, others, head, how) === 0 ? 'done' : 'stopped';
}

const UPDATES = 'rebase-merge/update-refs';

/** Branch that is updated along with the rebased commits (`--update-refs`). */
export interface MovingRef {
	name: string;
	before: string;
	/** New commit of the branch; null until the rebase reaches it. */
	after: string | null;
}

export function movingRefs(repository: Repository): MovingRef[] {
	const lines = (repository.note(UPDATES) ?? '').split('\n').filter((line) => line !== '');
	const found: MovingRef[] = [];
	for (let at = 0; at + 2 < lines.length; at += 3) {
		const after = lines[at + 2]!;
		found.push({ name: lines[at]!, before: lines[at + 1]!, after: /^0+$/.test(after) ? null : after });
	}
	return found;
}

export function saveMovingRefs(repository: Repository, moving: readonly MovingRef[]): void {
	const text = moving.map(({ name, before, after }) => `${name}\n${before}\n${after ?? NULL_ID}\n`).join('');
	repository.files.mkdir(`${repository.gitDir}/rebase-merge`, { recursive: true });
	repository.files.writeFile(`${repository.gitDir}/${UPDATES}`, encode(text));
}

/** Adjusts the branches to update to those named in a list. */
export function keepMovingRefs(repository: Repository, steps: readonly RebaseStep[]): void {
	const named = steps.filter(({ action }) => action === 'update-ref').map(({ text }) => text);
	const moving = movingRefs(repository);
	const kept = moving.filter(({ name, after }) => after !== null || named.includes(name));
	const added = named.filter((name) => !moving.some((one) => one.name === name));
	if (kept.length === moving.length && added.length === 0) return;
	const before = (name: string) => repository.refs.resolve(name) ?? NULL_ID;
	const all = [...kept, ...[...new Set(added)].map((name) => ({ name, before: before(name), after: null }))];
	saveMovingRefs(
		repository,
		all.sort((a, b) => (a.name < b.name ? -1 : 1))
	);
}

/** `update-ref`: records the new commit of a branch. */
export function placeRef({ repository }: Invocation, name: string): void {
	const after = repository.head();
	const moving = movingRefs(repository);
	const known = moving.find((one) => one.name === name);
	if (known) known.after = after;
	saveMovingRefs(repository, moving);
}

/** Updates the recorded branches at the end, and reports which were updated. */
export function moveRefs(git: Invocation, moving: readonly MovingRef[], isQuiet: boolean): number {
	const { repository } = git;
	const failed: string[] = [];
	const moved: string[] = [];
	for (const { name, before, after } of moving) {
		if (after === null) continue;
		if ((repository.refs.resolve(name) ?? NULL_ID) !== before) failed.push(name);
		else {
			repository.refs.update(name, after, 'rewritten during rebase');
			moved.push(name);
		}
	}
	const list = (names: readonly string[]) => names.map((name) => `\t${name}\n`).join('');
	if (moved.length > 0 && !isQuiet) git.err(`Updated the following refs with --update-refs:\n${list(moved)}`);
	if (failed.length > 0) git.err(`Failed to update the following refs with --update-refs:\n${list(failed)}`);
	return failed.length > 0 ? 1 : 0;
}
