import { decode } from '../bytes.ts';
import type { IndexEntry } from '../index/index-file.ts';
import type { Command, Invocation } from '../invocation.ts';
import { Mode } from '#environment/mode.ts';
import { parseOptions } from '../options.ts';
import { inputPaths } from '../input-lines.ts';
import { absolute } from '#computer/abi/paths.ts';
import { lstatOrNull, writeFile } from '../worktree/checkout.ts';
import { prefetchFiles } from '../worktree/prefetch-files.ts';
import { conversionOf } from '../worktree/conversion.ts';
import { changedFile } from '../worktree/file-state.ts';

/** `git checkout-index`: copies files from the index to the worktree, or to paths with another prefix. */
export const checkoutIndex: Command = (git, args) => {
	const options = parseOptions('checkout-index [<options>] [--] [<file>...]', args, {
		all: '-a --all',
		force: '-f --force',
		quiet: '-q --quiet',
		noCreate: '-n --no-create',
		index: '-u --index',
		prefix: '--prefix =',
		stage: '--stage =',
		temporary: '--temp --no-temp',
		stdin: '--stdin',
		zero: '-z',
		sparse: '--ignore-skip-worktree-bits'
	});
	const { repository } = git;
	const { index } = repository;
	const given = [...options.operands, ...(options.paths ?? [])];
	if (options.has('stdin')) given.push(...inputPaths(git, options.has('zero')));
	const stage = options.get('stage') ?? '0';
	const how = {
		prefix: options.get('prefix') ?? '',
		force: options.has('force'),
		quiet: options.has('quiet'),
		noCreate: options.has('noCreate'),
		updates: options.has('index')
	};
	if (options.has('temporary') || stage === 'all') return writeTemporary(git, given, stage, options.has('all'));
	let code = 0;
	const wanted: IndexEntry[] = [];
	if (options.has('all')) {
		const below = repository.prefix;
		wanted.push(...index.entries().filter((entry) => entry.stage === Number(stage) && entry.path.startsWith(below)));
	}
	for (const text of given) {
		const path = repository.fromCwd(text);
		const entry = index.get(path, Number(stage));
		if (entry) wanted.push(entry);
		else {
			code = 1;
			if (!how.quiet) complain(git, text, path, stage);
		}
	}
	prefetchFiles(repository, wanted);
	for (const entry of wanted) if (!checkOutOne(git, entry, how)) code = 1;
	index.save();
	return code;
};

/** Reports why a path has no entry at this stage. */
function complain(git: Invocation, shown: string, path: string, stage: string): void {
	const others = stage === '0' ? 'is unmerged' : `does not exist at stage ${stage}`;
	git.err(`git checkout-index: ${shown} ${git.repository.index.has(path) ? others : 'is not in the cache'}\n`);
}

interface CheckoutHow {
	prefix: string;
	force: boolean;
	quiet: boolean;
	noCreate: boolean;
	updates: boolean;
}

/** Returns false if an existing file prevents the checkout. */
function checkOutOne(git: Invocation, entry: IndexEntry, how: CheckoutHow): boolean {
	const { repository } = git;
	const { index } = repository;
	if (how.prefix !== '') {
		placeBelow(git, how.prefix, entry);
		return true;
	}
	const stat = lstatOrNull(repository, repository.absolute(entry.path));
	if (stat && stat.kind !== 'directory' && !changedFile(repository, entry, stat)) return true;
	if (stat && !how.force) {
		if (!how.quiet) git.err(`${entry.path} already exists, no checkout\n`);
		return false;
	}
	if (!stat && how.noCreate) return true;
	const made = writeFile(repository, entry.path, entry, 'files first');
	if (how.updates) index.refresh(entry, made.size, made.modifiedMs);
	return true;
}

/** Writes an entry's content to the path with the prefix, which need not end with a slash. */
function placeBelow(git: Invocation, prefix: string, entry: IndexEntry): void {
	const { files } = git.surroundings;
	const { repository } = git;
	const full = absolute(prefix + entry.path, repository.root);
	const content = repository.objects.read(entry.id, 'blob');
	files.mkdir(full.slice(0, full.lastIndexOf('/')), { recursive: true });
	files.remove(full, { force: true });
	if (entry.mode === Mode.symlink) files.symlink(decode(content), full);
	else
		files.writeFile(full, conversionOf(repository).toWorktree(entry.path, content, 'files first'), {
			mode: entry.mode === Mode.executable ? 0o755 : 0o644
		});
}

let temporaries = 0;

/** Writes contents to temporary files and prints the name of each. */
function writeTemporary(git: Invocation, given: readonly string[], stage: string, isAll: boolean): number {
	const { repository } = git;
	const { index, files } = repository;
	const stages = stage === 'all' ? [1, 2, 3] : [Number(stage)];
	const paths = isAll
		? [...new Set(index.entries().map(({ path }) => path))]
		: given.map((text) => repository.fromCwd(text));
	let code = 0;
	for (const path of paths) {
		const entries = stages.map((number) => index.get(path, number));
		if (entries.every((entry) => entry === undefined)) {
			if (isAll) continue;
			complain(git, path, path, stage);
			code = 1;
			continue;
		}
		const names = entries.map((entry) => {
			if (!entry) return '.';
			const name = `.merge_file_${git.context.pid.toString(36)}${(temporaries++).toString(36).padStart(3, '0')}`;
			const content = repository.objects.read(entry.id, 'blob');
			files.writeFile(`${repository.root}/${name}`, conversionOf(repository).toWorktree(path, content, 'files first'), {
				mode: entry.mode === Mode.executable ? 0o755 : 0o644
			});
			return name;
		});
		git.out(`${names.join(' ')}\t${repository.toCwd(path)}\n`);
	}
	return code;
}
