import { absolute } from '#computer/abi/paths.ts';
import { fatal, type GitError } from './errors.ts';
import { findRevision, noSuchRevision } from './refs/revision.ts';
import type { Options } from './options.ts';
import type { Repository } from './repository.ts';

/** Splits operands into revisions and paths, as git guesses: ambiguous ones require `--`. */
export function splitRevisions(
	repository: Repository,
	options: Options<string>
): { revisions: string[]; paths: string[] } {
	const { operands, paths } = options;
	if (paths !== null) return { revisions: operands, paths };
	let count = 0;
	for (const text of operands) {
		const name = text.replace(/^\^/, '').replace(/\^(?:[!@]|-\d*)$/, '');
		const revision =
			name.includes('..') && name !== '..' ? isRange(repository, name) : findRevision(repository, name) !== null;
		if (!revision) break;
		// Without a working tree, a name that is a revision is not ambiguous.
		const mayBePath = !repository.isBare && !text.includes('..') && (!text.includes(':') || /^:\/./.test(text));
		if (mayBePath && isPathArgument(repository, text)) {
			throw fatal(
				`ambiguous argument '${text}': both revision and filename\n` +
					"Use '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'"
			);
		}
		count++;
	}
	for (const [at, text] of operands.slice(count).entries()) {
		const fault = pathArgumentFault(repository, text, at === 0);
		if (fault) throw fault;
	}
	return { revisions: operands.slice(0, count), paths: operands.slice(count) };
}

const isRange = (repository: Repository, text: string): boolean =>
	text.split(/\.\.\.?/).every((end) => end === '' || findRevision(repository, end) !== null);

/**
 * Error for an argument that is neither a path of the working tree nor a pathspec; null if it is one.
 *
 * @param isFirst set if the argument may be meant as a revision: the error then describes it as such
 */
export function pathArgumentFault(repository: Repository, text: string, isFirst: boolean): GitError | null {
	if (text.startsWith('-')) return fatal(`option '${text}' must come before non-option arguments`);
	if (isPathArgument(repository, text)) return null;
	if (isFirst) return noSuchRevision(repository, text);
	return fatal(
		`${text}: no such path in the working tree.\n` +
			"Use 'git <command> -- <path>...' to specify paths that do not exist locally."
	);
}

function isPathArgument(repository: Repository, text: string): boolean {
	// An escaped character stands for itself.
	if (text === '.' || /[*?[]/.test(text.replace(/\\./gs, '')) || text.startsWith(':(')) return true;
	const plain = /^:(?:\/|[!^])(.*)$/s.exec(text)?.[1];
	if (plain === '') return true;
	return existsAt(repository, absolute(plain ?? text, text.startsWith(':/') ? repository.root : repository.cwd));
}

function existsAt(repository: Repository, path: string): boolean {
	const slash = path.lastIndexOf('/');
	if (repository.files.statOrNull(path)) return true;
	const parent = path.slice(0, slash) || '/';
	if (repository.files.statOrNull(parent)?.kind !== 'directory') return false;
	return repository.files.readdir(parent).some(({ name }) => name === path.slice(slash + 1));
}
