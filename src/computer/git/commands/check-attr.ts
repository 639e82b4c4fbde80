import { GitError } from '../errors.ts';
import { inputPaths } from '../input-lines.ts';
import type { Command } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { quotePath } from '../quote-path.ts';
import { Attributes, type Attribute } from '../worktree/attributes.ts';

const USAGE = 'check-attr [-a | --all | <attr>...] [--] <pathname>...';

const misuse = (text: string): GitError => new GitError(`error: ${text}\nusage: git ${USAGE}`, 129);

/** `git check-attr`: prints attributes of paths. */
export const checkAttributes: Command = (git, args) => {
	const options = parseOptions(USAGE, args, {
		all: '-a --all',
		cached: '--cached',
		stdin: '--stdin',
		zero: '-z'
	});
	const { repository } = git;
	const { names, paths } = namesAndPaths(options.operands, options.paths, options.has('all'), options.has('stdin'));
	if (options.has('stdin') && paths.length > 0) throw misuse("Can't specify files with --stdin");
	if (!options.has('stdin') && paths.length === 0) throw misuse('No file specified');
	for (const name of names)
		if (!/^[A-Za-z0-9._][-A-Za-z0-9._]*$/.test(name))
			throw new GitError(`error: ${name}: not a valid attribute name`, 255);
	const attributes = new Attributes(
		repository,
		options.has('cached') ? 'index' : repository.isBare ? 'files' : 'files first'
	);
	const show = (path: string): void => {
		const found = attributes.of(repository.fromCwd(path));
		for (const name of options.has('all') ? found.keys() : names) {
			const value = stateText(found.get(name));
			git.out(options.has('zero') ? `${path}\0${name}\0${value}\0` : `${quotePath(path)}: ${name}: ${value}\n`);
		}
	};
	for (const path of paths) show(path);
	if (!options.has('stdin')) return 0;
	for (const path of inputPaths(git, options.has('zero'), true)) {
		show(path);
		git.flush();
	}
	return 0;
};

/** Splits the arguments into attributes and paths. @throws GitError if attributes are missing or excluded by `--all` */
function namesAndPaths(
	operands: readonly string[],
	behind: readonly string[] | null,
	isAll: boolean,
	isRead: boolean
): { names: readonly string[]; paths: readonly string[] } {
	if (isAll) {
		if (behind !== null && operands.length > 0) throw misuse('Attributes and --all both specified');
		return { names: [], paths: behind ?? operands };
	}
	if (operands.length === 0) throw misuse('No attribute specified');
	if (behind !== null) return { names: operands, paths: behind };
	return isRead ? { names: operands, paths: [] } : { names: operands.slice(0, 1), paths: operands.slice(1) };
}

const stateText = (state: Attribute | undefined): string =>
	state === undefined ? 'unspecified' : state === true ? 'set' : state === false ? 'unset' : state;
