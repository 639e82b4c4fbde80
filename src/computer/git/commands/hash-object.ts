import { absolute } from '#computer/abi/paths.ts';
import { fatal, GitError } from '../errors.ts';
import { inputPaths } from '../input-lines.ts';
import type { Command, Invocation } from '../invocation.ts';
import { objectId, OBJECT_TYPES } from '../objects/object.ts';
import { requireFormat } from '../objects/object-format.ts';
import { parseOptions } from '../options.ts';
import type { Repository } from '../repository.ts';
import { isInRepository } from './config.ts';
import { conversionOf } from '../worktree/conversion.ts';

const USAGE = 'hash-object [-t <type>] [-w] [--path=<file> | --no-filters] [--stdin [--literally]] [--] <file>...';

/** Options for hashing contents. */
interface HashHow {
	type: string;
	isLiteral: boolean;
	isWritten: boolean;
	/** Null outside a repository. */
	repository: Repository | null;
}

/** `git hash-object`: prints the object ids of contents. */
export const hashObject: Command = (git, args) => {
	const options = parseOptions(USAGE, args, {
		type: '-t =',
		write: '-w',
		stdin: '--stdin',
		stdinPaths: '--stdin-paths',
		path: '--path =',
		noFilters: '--no-filters',
		literally: '--literally'
	});
	const given = [...options.operands, ...(options.paths ?? [])];
	const named = options.get('path');
	const fault = options.has('stdinPaths')
		? options.has('stdin')
			? "Can't use --stdin-paths with --stdin"
			: given.length > 0
				? "Can't specify files with --stdin-paths"
				: named !== undefined
					? "Can't use --stdin-paths with --path"
					: null
		: options.all('stdin').length > 1
			? 'Multiple --stdin arguments are not supported'
			: named !== undefined && options.has('noFilters')
				? "Can't use --path with --no-filters"
				: null;
	if (fault !== null) throw new GitError(`error: ${fault}\nusage: git ${USAGE}`, 129);
	const isWritten = options.has('write');
	const how: HashHow = {
		type: options.get('type') ?? 'blob',
		isLiteral: options.has('literally'),
		isWritten,
		repository: isWritten || isInRepository(git) ? git.repository : null
	};
	if (!how.isLiteral && !OBJECT_TYPES.some((known) => known === how.type))
		throw fatal(`invalid object type "${how.type}"`);
	const show = (content: Uint8Array, path: string | null) => git.out(`${hashed(content, path, how)}\n`);
	const filtered = (file: string) => (options.has('noFilters') ? null : (named ?? file));
	if (options.has('stdin')) show(git.input(), named ?? null);
	for (const file of given) show(fileContent(git, file), filtered(file));
	if (!options.has('stdinPaths')) return 0;
	for (const file of inputPaths(git, false)) {
		show(fileContent(git, file), filtered(file));
		git.flush();
	}
	return 0;
};

/** Object id of a content. @param path path whose attributes are used for conversion; null for none */
function hashed(content: Uint8Array, path: string | null, { type, isLiteral, isWritten, repository }: HashHow): string {
	const isConverted = type === 'blob' && path !== null && repository !== null && !isLiteral;
	const stored = isConverted
		? conversionOf(repository).toStore(pathIn(repository, path), content, isWritten ? 'keep' : 'compare')
		: content;
	if (!isLiteral) requireFormat(type, stored);
	return isWritten && repository ? repository.objects.write(type, stored) : objectId(type, stored);
}

/** Path relative to the top of the worktree, or as given if outside, where attributes may still match its name. */
function pathIn(repository: Repository, path: string): string {
	const full = absolute(path, repository.cwd);
	return full.startsWith(`${repository.root}/`) ? full.slice(repository.root.length + 1) : path.replace(/^\/+/, '');
}

function fileContent(git: Invocation, file: string): Uint8Array {
	const { sync } = git.context;
	const path = absolute(file, git.cwd);
	const stat = sync.statOrNull(path);
	if (stat?.kind === 'directory') throw fatal(`Unable to hash ${file}`);
	if (!stat) throw fatal(`could not open '${file}' for reading: No such file or directory`);
	return sync.readFile(path);
}
