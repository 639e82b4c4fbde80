import { fatal } from './errors.ts';
import { findRevision, noSuchRevision } from './refs/revision.ts';
import type { Options } from './options.ts';
import type { Repository } from './repository.ts';

/** Splits operands into revisions and paths, as git guesses: what is both needs `--`. */
export function splitRevisions(
	repository: Repository,
	options: Options<string>
): { revisions: string[]; paths: string[] } {
	const { operands, paths } = options;
	if (paths !== null) return { revisions: operands, paths };
	const isPath = (text: string): boolean => {
		if (text === '.' || /[*?]/.test(text) || text.startsWith(':(')) return true;
		const [, magic, rest] = /^:([/!^])(.*)$/s.exec(text) ?? [];
		if (rest === '') return true;
		const path = magic === '/' ? (rest ?? '') : repository.fromCwd(rest ?? text);
		return path === '' || existsAt(repository, repository.absolute(path));
	};
	const isRange = (text: string) =>
		text.split(/\.\.\.?/).every((end) => end === '' || findRevision(repository, end) !== null);
	let count = 0;
	for (const text of operands) {
		const name = text.replace(/^\^/, '').replace(/\^(?:[!@]|-\d*)$/, '');
		const revision = name.includes('..') && name !== '..' ? isRange(name) : findRevision(repository, name) !== null;
		if (!revision) break;
		// Without a working tree, what names a revision is one.
		if (!repository.isBare && !text.includes('..') && (!text.includes(':') || /^:\/./.test(text)) && isPath(text)) {
			throw fatal(
				`ambiguous argument '${text}': both revision and filename\n` +
					"Use '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'"
			);
		}
		count++;
	}
	for (const text of operands.slice(count)) {
		if (isPath(text)) continue;
		throw noSuchRevision(repository, text);
	}
	return { revisions: operands.slice(0, count), paths: operands.slice(count) };
}

function existsAt(repository: Repository, path: string): boolean {
	const slash = path.lastIndexOf('/');
	if (repository.files.statOrNull(path)) return true;
	const parent = path.slice(0, slash) || '/';
	if (repository.files.statOrNull(parent)?.kind !== 'directory') return false;
	return repository.files.readdir(parent).some(({ name }) => name === path.slice(slash + 1));
}
