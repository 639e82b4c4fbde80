import { isSyscallError } from '#computer/abi/client.ts';
import { isRepositoryWithTree } from '../discover.ts';
import { fatal } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { quotePath } from '../quote-path.ts';
import { cleanablePaths } from '../worktree/cleanable.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import { scanRepository } from '../worktree/scan.ts';

const OPTIONS = {
	directories: '-d',
	force: '-f --force',
	dryRun: '-n --dry-run',
	quiet: '-q --quiet',
	exclude: '-e --exclude =',
	ignoredToo: '-x',
	ignoredOnly: '-X',
	interactive: '-i --interactive'
};

export const clean: Command = (git, args) => {
	const options = parseOptions(
		'clean [-d] [-f] [-n] [-q] [-e <pattern>] [-x | -X] [--] [<pathspec>...]',
		args,
		OPTIONS
	);
	const { repository } = git;
	if (options.has('interactive'))
		throw fatal("interactive mode is not available here: use 'git clean -n' to look, then 'git clean -f'");
	if (options.has('ignoredToo') && options.has('ignoredOnly'))
		throw fatal("options '-x' and '-X' cannot be used together");
	if (!options.has('force') && !options.has('dryRun') && repository.config.flag('clean.requireforce', true)) {
		const set = repository.config.get('clean.requireforce') === undefined ? 'defaults to true' : 'set to true';
		throw fatal(`clean.requireForce ${set} and neither -i, -n, nor -f given; refusing to clean`);
	}
	const given = [...options.operands, ...(options.paths ?? [])];
	const inside = given.length === 0 && repository.prefix !== '' ? ['.'] : [];
	const pathspec = new Pathspec(repository, [...given, ...inside], true);
	const rules = { commandLine: options.all('exclude'), withoutFiles: options.has('ignoredToo') };
	const scan = scanRepository(repository, { listIgnored: true, rules });
	const repositories = options.all('force').length > 1;
	const paths = cleanablePaths(repository, scan, pathspec, {
		ignoredOnly: options.has('ignoredOnly'),
		directories: options.has('directories') || given.length > 0,
		repositories
	});
	const removal = new Removal(git, { isDry: options.has('dryRun'), isQuiet: options.has('quiet'), repositories });
	for (const path of paths) removal.remove(path);
	return removal.code;
};

interface RemovalHow {
	isDry: boolean;
	isQuiet: boolean;
	/** Also removes repositories inside a directory. */
	repositories: boolean;
}

/** Removes paths and prints them; reports paths that cannot be removed. */
class Removal {
	code = 0;

	constructor(
		private readonly git: Invocation,
		private readonly how: RemovalHow
	) {}

	/** @param path relative to the top of the worktree; a directory ends with a slash */
	remove(path: string): void {
		const removed = path.endsWith('/') ? this.#directory(path) : this.#file(path) ? null : [];
		for (const one of removed ?? [path]) this.#say(this.how.isDry ? 'Would remove' : 'Removing', one);
	}

	#say(what: string, path: string): void {
		if (this.how.isQuiet) return;
		const name = this.git.repository.toCwd(path.replace(/\/$/, '')) + (path.endsWith('/') ? '/' : '');
		this.git.out(`${what} ${quotePath(name)}\n`);
	}

	#file(path: string): boolean {
		const { repository } = this.git;
		return this.how.isDry || this.#attempt(path, () => repository.files.unlink(repository.absolute(path)));
	}

	/** Returns the paths removed inside a directory that remains; null if the whole directory was removed. */
	#directory(path: string): string[] | null {
		const { files, root } = this.git.repository;
		const full = `${root}/${path.slice(0, -1)}`;
		if (!this.how.repositories && isRepositoryWithTree({ files }, full)) {
			this.#say(this.how.isDry ? 'Would skip repository' : 'Skipping repository', path.slice(0, -1));
			return [];
		}
		const removed: string[] = [];
		let isWhole = true;
		for (const { name, kind } of this.#entries(full)) {
			const below = `${path}${name}${kind === 'directory' ? '/' : ''}`;
			const gone = kind === 'directory' ? this.#directory(below) : this.#file(below) ? null : [];
			isWhole &&= gone === null;
			removed.push(...(gone ?? [below]));
		}
		if (isWhole && (this.how.isDry || this.#attempt(path, () => files.rmdir(full)))) return null;
		return removed;
	}

	/** Entries of a directory; none if it is not readable, because it may still be empty and removable. */
	#entries(full: string) {
		try {
			return this.git.repository.files.readdir(full);
		} catch (error) {
			if (isSyscallError(error) && error.code === 'EACCES') return [];
			throw error;
		}
	}

	#attempt(path: string, act: () => void): boolean {
		try {
			act();
			return true;
		} catch (error) {
			if (!isSyscallError(error)) throw error;
			this.git.err(`warning: failed to remove ${path}: ${REASONS[error.code] ?? error.message}\n`);
			this.code = 1;
			return false;
		}
	}
}

/** The system's messages for common errors. */
const REASONS: Readonly<Record<string, string>> = {
	EACCES: 'Permission denied',
	EPERM: 'Operation not permitted',
	ENOTEMPTY: 'Directory not empty'
};
