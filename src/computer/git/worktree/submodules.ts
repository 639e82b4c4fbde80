import { decode } from '../bytes.ts';
import { parseConfig } from '../config/config-file.ts';
import { fatal } from '../errors.ts';
import { walkHistory } from '../history/walk.ts';
import { mergeBases } from '../history/walk.ts';
import { Mode } from '#environment/mode.ts';
import { subjectOf } from '../objects/commit.ts';
import { missingAsNull } from '../objects/store.ts';
import type { Change } from '../diff/change.ts';
import type { Repository } from '../repository.ts';
import { quotePath } from '../quote-path.ts';

const IGNORED = ['none', 'untracked', 'dirty', 'all'] as const;

/** Part of a submodule's state to ignore: none of it, untracked files, all files, or everything. */
export type IgnoredState = (typeof IGNORED)[number];

/** State of the repository that a submodule has checked out. */
export interface SubmoduleState {
	head: string;
	/** Set if the checked out commit differs from the staged one. */
	isMoved: boolean;
	isModified: boolean;
	hasUntracked: boolean;
}

/** Parses `--ignore-submodules`. @throws GitError for an unknown value */
export function ignoredState(word: string | undefined): IgnoredState | undefined {
	if (word === undefined) return undefined;
	const found = IGNORED.find((one) => one === (word === '' ? 'all' : word));
	if (!found) throw fatal(`bad --ignore-submodules argument: ${word}`);
	return found;
}

/**
 * Returns a function that looks up the configured ignore state of a submodule by path; the repository's config
 * overrides `.gitmodules`.
 */
export function ignoredByConfig(repository: Repository, usual: IgnoredState = 'none'): (path: string) => IgnoredState {
	const { files, root, config } = repository;
	const bytes = missingAsNull(() => files.readFile(`${root}/.gitmodules`));
	const shared = new Map<string, string>();
	for (const { key, value } of bytes ? parseConfig(decode(bytes)) : []) shared.set(key, value ?? '');
	const names = new Map<string, string>();
	for (const [key, value] of shared) {
		const name = /^submodule\.(.*)\.path$/.exec(key)?.[1];
		if (name !== undefined) names.set(value, name);
	}
	const known = (word: string | undefined) => IGNORED.find((one) => one === word);
	return (path) => {
		const name = names.get(path);
		const own =
			name === undefined
				? undefined
				: (config.get(`submodule.${name}.ignore`) ?? shared.get(`submodule.${name}.ignore`));
		return known(own) ?? known(config.get('diff.ignoresubmodules')) ?? usual;
	};
}

/** Uncommitted changes in a nested repository. */
interface Changed {
	isModified: boolean;
	hasUntracked: boolean;
}

/** States of the submodules that differ from what was staged. */
export function submoduleStates(
	repository: Repository,
	ignored: (path: string) => IgnoredState,
	changesOf: (nested: Repository) => Changed
): Map<string, SubmoduleState> {
	const states = new Map<string, SubmoduleState>();
	for (const { path, mode, id, stage } of repository.index.entries()) {
		const hidden = mode === Mode.commit && stage === 0 ? ignored(path) : 'all';
		const nested = hidden === 'all' ? null : repository.nested(path);
		if (!nested && hidden !== 'all') requireWhole(repository, path);
		const head = nested?.head() ?? null;
		if (!nested || head === null) continue;
		const changed = hidden === 'dirty' ? { isModified: false, hasUntracked: false } : changesOf(nested);
		const hasUntracked = changed.hasUntracked && hidden === 'none';
		const state = { head, isMoved: head !== id, isModified: changed.isModified, hasUntracked };
		if (state.isMoved || state.isModified || hasUntracked) states.set(path, state);
	}
	return states;
}

/** @throws GitError if a submodule that is checked out has a damaged repository */
function requireWhole(repository: Repository, path: string): void {
	const place = repository.absolute(`${path}/.git`);
	if (repository.files.statOrNull(place)?.kind === 'directory')
		throw fatal(`'${path}/.git' not recognized as a git repository`);
}

/** Suffix for the path of a submodule: `(new commits, modified content)`. */
export function stateNote({ isMoved, isModified, hasUntracked }: SubmoduleState): string {
	const parts = [
		...(isMoved ? ['new commits'] : []),
		...(isModified ? ['modified content'] : []),
		...(hasUntracked ? ['untracked content'] : [])
	];
	return ` (${parts.join(', ')})`;
}

/** Commits between the two sides of changed submodules. @param most maximum number of commits listed for each */
export function submoduleSummary(repository: Repository, changes: readonly Change[], most: number): string {
	return changes
		.filter(({ before, after }) => (after ?? before)?.mode === Mode.commit)
		.map((change) => summaryOf(repository, change, most))
		.join('');
}

function summaryOf(repository: Repository, { before, after }: Change, most: number): string {
	const path = (after ?? before)?.path ?? '';
	const nested = repository.nested(path);
	const short = (id: string | undefined) => id?.slice(0, 7) ?? '0'.repeat(7);
	const title = `* ${quotePath(repository.toCwd(path))} ${short(before?.id)}...${short(after?.id)}`;
	if (!nested || [before, after].some((side) => side && nested.objects.find(side.id) === null)) return `${title}:\n\n`;
	const base = before && after ? mergeBases(nested, before.id, after.id) : [];
	const from = (id: string | undefined, mark: string) =>
		id === undefined
			? []
			: [...walkHistory(nested, { include: [id], exclude: base }, true)].map(
					({ commit }) => `  ${mark} ${subjectOf(commit.message)}\n`
				);
	const lines = [...from(after?.id, '>'), ...from(before?.id, '<')];
	return `${title} (${lines.length}):\n${lines.slice(0, most).join('')}\n`;
}
