import { GitError } from '../errors.ts';

/** Commands that change each commit of a rewrite; empty if not given. */
interface Filters {
	/** Runs once before the first commit. */
	setup: string;
	env: string;
	tree: string;
	index: string;
	parent: string;
	message: string;
	commit: string;
	tagName: string;
}

/** Options of `git filter-branch`. */
export interface RewriteOptions {
	filters: Filters;
	/** Directory that becomes the top of each tree; null to keep all. */
	subdirectory: string | null;
	prunesEmpty: boolean;
	isForced: boolean;
	/** Moves references to the nearest rewritten ancestor if the selection leaves out their commit. */
	movesToAncestors: boolean;
	/** Namespace for the references as they were, with a slash at the end. */
	original: string;
	/** Directory for temporary files. */
	directory: string;
	/** Branch that stores the map of rewritten commits. */
	stateBranch: string | null;
	/** Revisions and paths. */
	rest: string[];
}

const FILTERS: Readonly<Record<string, keyof Filters>> = {
	'--setup': 'setup',
	'--env-filter': 'env',
	'--tree-filter': 'tree',
	'--index-filter': 'index',
	'--parent-filter': 'parent',
	'--msg-filter': 'message',
	'--commit-filter': 'commit',
	'--tag-name-filter': 'tagName'
};

const USAGE = `usage: git filter-branch [--setup <command>] [--subdirectory-filter <directory>] [--env-filter <command>]
	[--tree-filter <command>] [--index-filter <command>]
	[--parent-filter <command>] [--msg-filter <command>]
	[--commit-filter <command>] [--tag-name-filter <command>]
	[--original <namespace>]
	[-d <directory>] [-f | --force] [--state-branch <branch>]
	[--] [<rev-list options>...]`;

const noFilters = (): Filters => ({
	...{ setup: '', env: '', tree: '', index: '', parent: '', message: '', commit: '', tagName: '' }
});

/** Parses the arguments of `git filter-branch`. @throws GitError for an unknown option, or one without its value */
export function parseRewrite(args: readonly string[]): RewriteOptions {
	const rest = [...args];
	const found: RewriteOptions = {
		filters: noFilters(),
		...{ subdirectory: null, prunesEmpty: false, isForced: false, movesToAncestors: false },
		...{ original: 'refs/original/', directory: '.git-rewrite', stateBranch: null, rest }
	};
	for (let arg = rest[0]; arg?.startsWith('-'); arg = rest[0]) {
		rest.shift();
		if (arg === '--') break;
		if (arg === '-f' || arg === '--force') found.isForced = true;
		else if (arg === '--remap-to-ancestor') found.movesToAncestors = true;
		else if (arg === '--prune-empty') found.prunesEmpty = true;
		else takeValue(found, arg, rest.shift());
	}
	if (found.prunesEmpty && found.filters.commit !== '')
		throw new GitError('\nCannot set --prune-empty and --commit-filter at the same time', 1);
	return found;
}

function takeValue(found: RewriteOptions, option: string, value: string | undefined): void {
	const filter = FILTERS[option];
	if (value === undefined) throw new GitError(USAGE, 1);
	if (filter !== undefined) found.filters[filter] = value;
	else if (option === '-d') found.directory = value;
	else if (option === '--state-branch') found.stateBranch = value;
	else if (option === '--original') found.original = `${value.replace(/\/+$/, '')}/`;
	else if (option === '--subdirectory-filter') {
		found.subdirectory = value;
		found.movesToAncestors = true;
	} else throw new GitError(USAGE, 1);
}
