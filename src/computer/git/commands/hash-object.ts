import { absolute } from '#computer/abi/paths.ts';
import { fatal, GitError } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { formatFault } from '../objects/object-format.ts';
import { objectId, OBJECT_TYPES } from '../objects/object.ts';
import { parseOptions, type Options } from '../options.ts';
import { pathsFromInput } from '../unquote-path.ts';

const USAGE = 'hash-object [-t <type>] [-w] [--path=<file> | --no-filters] [--stdin [--literally]] [--] <file>...';

const OPTIONS = {
	type: '-t =',
	write: '-w',
	stdin: '--stdin',
	stdinPaths: '--stdin-paths',
	// Contents are stored as they are here, so there is no path whose filters would count.
	path: '--path =',
	noFilters: '--no-filters',
	literally: '--literally'
};

/** `git hash-object`: ids of contents, which are kept on request. */
export const hashObject: Command = (git, args) => {
	const options = parseOptions(USAGE, args, OPTIONS);
	const files = [...options.operands, ...(options.paths ?? [])];
	checkOptions(options, files);
	const given = options.get('type') ?? 'blob';
	const isKnown = OBJECT_TYPES.some((type) => type === given);
	if (!isKnown && (!options.has('literally') || options.has('write'))) throw fatal(`invalid object type "${given}"`);
	if (options.has('stdin')) print(git, options, git.input());
	const listed = options.has('stdinPaths') ? pathsFromInput(git, false) : [];
	for (const file of [...files, ...listed]) print(git, options, contentOf(git, file));
	return 0;
};

/** @throws GitError for options that exclude each other */
function checkOptions(options: Options<keyof typeof OPTIONS>, files: readonly string[]): void {
	const fault = options.has('stdinPaths')
		? options.has('stdin')
			? "Can't use --stdin-paths with --stdin"
			: files.length > 0
				? "Can't specify files with --stdin-paths"
				: options.has('path')
					? "Can't use --stdin-paths with --path"
					: null
		: options.all('stdin').length > 1
			? 'Multiple --stdin arguments are not supported'
			: options.has('path') && options.has('noFilters')
				? "Can't use --path with --no-filters"
				: null;
	if (fault !== null) throw new GitError(`error: ${fault}\nusage: git ${USAGE}`, 129);
}

function contentOf(git: Invocation, file: string): Uint8Array {
	const path = absolute(file, git.cwd);
	if (git.context.sync.statOrNull(path)?.kind !== 'file')
		throw fatal(`could not open '${file}' for reading: No such file or directory`);
	return git.context.sync.readFile(path);
}

/** Prints the id of a content. @throws GitError for one that is not of its type */
function print(git: Invocation, options: Options<keyof typeof OPTIONS>, content: Uint8Array): void {
	const given = options.get('type') ?? 'blob';
	const type = OBJECT_TYPES.find((known) => known === given);
	if (type && !options.has('literally')) {
		const fault = formatFault(type, content);
		if (fault !== null) throw fatal(fault);
	}
	const id = type && options.has('write') ? git.repository.objects.write(type, content) : objectId(given, content);
	git.out(`${id}\n`);
}
