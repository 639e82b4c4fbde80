import { fatal, GitError } from '../errors.ts';
import { mergeBases } from '../history/walk.ts';
import { findFile, peel, resolveCommit, resolveRevision } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';

export const DIFF_USAGE = `diff [<options>] [<commit>] [--] [<path>...]
   or: git diff [<options>] --cached [--merge-base] [<commit>] [--] [<path>...]
   or: git diff [<options>] [--merge-base] <commit> [<commit>...] <commit> [--] [<path>...]
   or: git diff [<options>] <commit>...<commit> [--] [<path>...]
   or: git diff [<options>] <blob> <blob>
   or: git diff [<options>] --no-index [--] <path> <path>`;

export const diffMisused = (): GitError => new GitError(`usage: git ${DIFF_USAGE}`, 129);

/** A blob to compare, with its mode and path if it was named by a path. */
export interface NamedBlob {
	name: string;
	id: string;
	mode: number | null;
	path: string | null;
}

interface NamedTree {
	/** Object that was named; the tree may be that of a commit. */
	id: string;
	tree: string;
	/** Written as the excluded end of a range. */
	isExcluded: boolean;
	/** A parent that stands for the commit whose parents were asked for. */
	isParent: boolean;
}

/** Objects that a comparison names; both lists are empty for the index. */
export interface DiffEnds {
	trees: NamedTree[];
	blobs: NamedBlob[];
}

/** Resolves the revisions to compare. @throws GitError with the usage if a range is combined with others */
export function diffEnds(repository: Repository, revisions: readonly string[], warn: (text: string) => void): DiffEnds {
	const ranges = revisions.map((text) => /^(.*?)(\.\.\.?)(.*)$/s.exec(text));
	if (revisions.length > 1 && ranges.some((range) => range !== null)) throw diffMisused();
	const ends: DiffEnds = { trees: [], blobs: [] };
	for (const [i, text] of revisions.entries()) {
		const [, left, dots, right] = ranges[i] ?? [];
		if (left === undefined || right === undefined) {
			addRevision(repository, ends, text);
			continue;
		}
		const [from, to] = [left || 'HEAD', right || 'HEAD'];
		add(repository, ends, dots === '...' ? newestBase(repository, from, to, warn) : from, { isExcluded: true });
		add(repository, ends, to);
	}
	return ends;
}

/** Adds a revision, which may be excluded (`^main`) or stand for a commit's parents (`main^!`, `main^@`, `main^-`). */
function addRevision(repository: Repository, ends: DiffEnds, text: string): void {
	const [, name, suffix] = /^(.*)\^(!|@|-\d*)$/s.exec(text) ?? [];
	if (name === undefined || suffix === undefined) {
		const isExcluded = text.startsWith('^');
		return add(repository, ends, isExcluded ? text.slice(1) : text, { isExcluded });
	}
	const id = resolveCommit(repository, name || 'HEAD');
	const { parents } = repository.commit(id);
	const chosen = suffix.startsWith('-') ? parents.slice(Number(suffix.slice(1) || 1) - 1).slice(0, 1) : parents;
	for (const parent of chosen) add(repository, ends, parent, { isExcluded: suffix !== '@', isParent: true });
	if (suffix !== '@') add(repository, ends, id);
}

function add(
	repository: Repository,
	ends: DiffEnds,
	name: string,
	{ isExcluded = false, isParent = false }: { isExcluded?: boolean; isParent?: boolean } = {}
): void {
	const id = resolveRevision(repository, name);
	const tree = peel(repository, id, 'tree');
	if (tree !== null) {
		ends.trees.push({ id, tree, isExcluded, isParent });
		return;
	}
	const blob = peel(repository, id, 'blob');
	if (blob === null) throw fatal(`bad object ${name}`);
	if (ends.blobs.length >= 2) throw fatal(`more than two blobs given: '${name}'`);
	const file = findFile(repository, name);
	ends.blobs.push({ name, id: blob, mode: file?.mode ?? null, path: file?.path ?? null });
}

/** Merge base that `left...right` is compared from; of several, the newest. */
function newestBase(repository: Repository, left: string, right: string, warn: (text: string) => void): string {
	const commits = [left, right].map((name) => peel(repository, resolveRevision(repository, name), 'commit'));
	const [one, other] = commits;
	if (one === null || one === undefined || other === null || other === undefined)
		throw fatal(`Invalid symmetric difference expression ${left}...${right}`);
	const [base, ...more] = mergeBases(repository, one, other);
	if (base === undefined) throw fatal(`${left}...${right}: no merge base`);
	if (more.length > 0) warn(`warning: ${left}...${right}: multiple merge bases, using ${base}\n`);
	return base;
}

/** Tree of the only merge base of the commits for `--merge-base`; one commit is compared with HEAD. */
export function singleMergeBase(repository: Repository, trees: readonly NamedTree[]): string {
	if (trees.some(({ isExcluded }) => isExcluded)) throw fatal('--merge-base does not work with ranges');
	const [one = null, other = repository.head()] = trees.map(({ id }) => peel(repository, id, 'commit'));
	if (one === null || (trees.length > 1 && other === null)) throw fatal('--merge-base only works with commits');
	if (other === null) throw fatal('unable to get HEAD');
	const [base, ...more] = mergeBases(repository, one, other);
	if (base === undefined) throw fatal('no merge base found');
	if (more.length > 0) throw fatal('multiple merge bases found');
	return repository.commit(base).tree;
}
