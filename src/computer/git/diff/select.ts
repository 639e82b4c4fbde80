import { absolute } from '#computer/abi/paths.ts';
import { decode } from '../bytes.ts';
import { fatal, GitError } from '../errors.ts';
import { missingAsNull } from '../objects/store.ts';
import type { Repository } from '../repository.ts';
import type { Options } from '../options.ts';
import type { Pathspec } from '../worktree/pathspec.ts';
import type { TreeFile } from '../worktree/tree-files.ts';
import { ignoredByConfig, ignoredState } from '../worktree/submodules.ts';
import { wildmatch } from '../worktree/wildmatch.ts';
import { isSubmodule, pathOf, type Change, type ChangeSide } from './change.ts';
import type { DIFF_OPTIONS } from './options.ts';
import { pickaxeTest, readsContents } from './pickaxe.ts';
import { prefetchChanges } from './prefetch-sides.ts';
import { findRenames, USUAL_RENAMES, type RenameHow } from './renames.ts';
import { SAME } from './similarity.ts';

type DiffOptions = Options<keyof typeof DIFF_OPTIONS>;

/** Context that determines which changes are selected. */
export interface SelectHow {
	/** Porcelain command: its config settings apply, and renames are detected by default. */
	isForPeople?: boolean;
	/** All files of the old side, for `--find-copies-harder`. */
	filesBefore?: (() => ReadonlyMap<string, TreeFile>) | undefined;
	/** `-S` and `-G` ignore case. */
	ignoresCase?: boolean;
}

/**
 * Limits changes to paths, finds renames among the rest, and applies `-S`, `-O` and `--diff-filter`, in git's order.
 */
export function selectChanges(
	repository: Repository,
	changes: Change[],
	pathspec: Pathspec,
	options: DiffOptions,
	{ isForPeople = true, filesBefore, ignoresCase = false }: SelectHow = {}
): Change[] {
	const named = pathspec.isEmpty ? changes : changes.filter((change) => pathspec.matches(pathOf(change)));
	const within = withoutIgnored(repository, named, options);
	const turned = options.has('turned') ? within.map(turnedRound) : within;
	const below = relativeTo(repository, options, isForPeople);
	const narrowed = below === '' ? turned : turned.flatMap((change) => relativeChange(change, below));
	const how = renameHow(repository, options, isForPeople);
	const files = filesBefore ?? USUAL_RENAMES.filesBefore;
	const found = how ? findRenames(repository, narrowed, { ...how, filesBefore: files }) : narrowed;
	const test = pickaxeTest(repository, options, ignoresCase);
	if (readsContents(options)) prefetchChanges(repository, found);
	const picked = !test || (options.has('pickaxeAll') && found.some(test)) ? found : found.filter(test);
	const ordered = rotated(inOrder(repository, picked, options, isForPeople), options);
	return filtered(ordered, options.all('filter').join(''));
}

/** Removes changes of submodules that an option or config setting ignores. */
function withoutIgnored(repository: Repository, changes: Change[], options: DiffOptions): Change[] {
	if (!changes.some(isSubmodule)) return changes;
	const given = ignoredState(options.get('ignoreSubmodules'));
	const stateOf = given === undefined ? ignoredByConfig(repository, 'untracked') : () => given;
	return changes.filter((change) => !isSubmodule(change) || stateOf(pathOf(change)) !== 'all');
}

/** Prefix that `--relative` strips from paths, with a trailing slash if it is a directory; '' for none. */
export function relativeTo(repository: Repository, options: DiffOptions, isForPeople = true): string {
	const last = options.latest('relative', 'noRelative');
	const isSet = isForPeople && repository.config.flag('diff.relative', false);
	if (last === 'noRelative' || (last === undefined && !isSet)) return '';
	const given = options.get('relative') ?? '';
	return last === 'relative' && given !== '' ? given : repository.prefix;
}

/** Makes the paths of a change relative to a directory; returns nothing if the change is outside. */
function relativeChange(change: Change, prefix: string): Change[] {
	// As in git, any prefix can be stripped, not only a directory, but something must be left of the path.
	const isInside = (path: string) =>
		path.startsWith(prefix) && (prefix.endsWith('/') || path[prefix.length] === '/' || path.length > prefix.length);
	if (!isInside(pathOf(change))) return [];
	const strip = (side: ChangeSide | null) =>
		side && { ...side, source: side.source ?? side.path, path: side.path.slice(prefix.length).replace(/^\//, '') };
	return [{ ...change, before: strip(change.before), after: strip(change.after) }];
}

/** Options for finding renames; null if they are disabled. */
function renameHow(repository: Repository, options: DiffOptions, isForPeople: boolean): RenameHow | null {
	const last = options.latest('renames', 'copies', 'copiesHarder', 'noRenames');
	const breaks = options.has('breaks') ? breakHow(options.get('breaks') ?? '') : null;
	const setting = isForPeople ? (repository.config.get('diff.renames') ?? 'true').toLowerCase() : 'false';
	const isCopying = (last ?? setting).startsWith('cop');
	const isOff = last === 'noRenames' || (last === undefined && /^(?:false|no|off|0)$/.test(setting));
	if (isOff && !breaks) return null;
	const isHarder = options.has('copiesHarder') || options.all('copies').length > 1;
	const text = options.get(isCopying ? 'copies' : 'renames');
	const limit = options.get('renameLimit') ?? repository.config.get('diff.renamelimit');
	const empty = options.latest('renameEmpty', 'noRenameEmpty');
	return {
		...USUAL_RENAMES,
		least: isOff ? SAME + 1 : text === undefined || text === '' ? USUAL_RENAMES.least : scoreOf(text, 'find-renames'),
		copies: !isCopying ? 'none' : isHarder ? 'all' : 'changed',
		limit: limit === undefined ? USUAL_RENAMES.limit : Number(limit),
		pairsEmpty: empty !== 'noRenameEmpty',
		breaks
	};
}

/** Parses a similarity: `50%`, `.5`, or `5`, which means `.5`. */
export function scoreOf(text: string, option: string): number {
	const [, whole = '', dot, part = '', percent] = /^(\d*)(\.?)(\d*)(%?)$/.exec(text) ?? [];
	if (dot === undefined) throw new GitError(`error: invalid argument to ${option}`, 129);
	const digits = dot === '' ? whole : part;
	const scale = 10 ** digits.length;
	const value = percent === '%' ? Number(`${whole}.${part || '0'}`) / 100 : Number(digits || '0') / scale;
	return value >= 1 ? SAME : Math.floor(SAME * value);
}

function breakHow(text: string) {
	const [breaks = '', rewrites = ''] = text.split('/');
	return {
		breaks: breaks === '' ? SAME / 2 : scoreOf(breaks, 'break-rewrites'),
		rewrites: rewrites === '' ? (SAME * 3) / 5 : scoreOf(rewrites, 'break-rewrites')
	};
}

/** Sorts by the patterns of `-O`; paths that match none come last. */
function inOrder(repository: Repository, changes: Change[], options: DiffOptions, isForPeople: boolean): Change[] {
	const given = options.get('orderFile');
	const file = given ?? (isForPeople ? repository.config.get('diff.orderfile') : undefined);
	if (file === undefined || file === '' || (given === undefined && file === '/dev/null')) return changes;
	const base = given === undefined ? repository.root : repository.cwd;
	const bytes =
		file === '/dev/null' ? new Uint8Array(0) : missingAsNull(() => repository.files.readFile(absolute(file, base)));
	if (!bytes) throw fatal(`failed to read orderfile '${file}': No such file or directory`);
	const patterns = decode(bytes)
		.split('\n')
		.filter((line) => line !== '' && !line.startsWith('#'))
		.map((line) => wildmatch(line, true));
	const rank = (change: Change): number => {
		for (let path = pathOf(change); ; path = path.slice(0, path.lastIndexOf('/'))) {
			const found = patterns.findIndex((pattern) => pattern.test(path));
			if (found >= 0) return found;
			if (!path.includes('/')) return patterns.length;
		}
	};
	const ranks = new Map(changes.map((change) => [change, rank(change)]));
	return [...changes].sort((a, b) => ranks.get(a)! - ranks.get(b)!);
}

/** Starts at a path; moves earlier paths to the end (`--rotate-to`) or omits them (`--skip-to`). */
function rotated(changes: Change[], options: DiffOptions): Change[] {
	const last = options.latest('rotateTo', 'skipTo');
	if (last === undefined || changes.length === 0) return changes;
	const path = options.get(last)!;
	const at = changes.findIndex((change) => pathOf(change) === path);
	if (at < 0) throw fatal(`No such path '${path}' in the diff`);
	return last === 'skipTo' ? changes.slice(at) : [...changes.slice(at), ...changes.slice(0, at)];
}

/**
 * Applies `--diff-filter`: uppercase letters select kinds, lowercase ones exclude; `*` keeps all changes if any is
 * selected.
 */
function filtered(changes: Change[], filter: string): Change[] {
	if (filter === '') return changes;
	const wanted = filter.replace(/[^A-Z]/g, '');
	const unwanted = filter.replace(/[^a-z]/g, '').toUpperCase();
	const lettersOf = (change: Change) => (change.isRewrite ? `${change.status}B` : change.status);
	const has = (letters: string, change: Change) => [...lettersOf(change)].some((letter) => letters.includes(letter));
	const chosen = changes.filter((change) => !has(unwanted, change) && (wanted === '' || has(wanted, change)));
	return filter.includes('*') && chosen.length > 0 ? changes : chosen;
}

const TURNED: Partial<Record<Change['status'], Change['status']>> = { A: 'D', D: 'A' };

const turnedRound = (change: Change): Change => ({
	...change,
	status: TURNED[change.status] ?? change.status,
	before: change.after,
	after: change.before
});
