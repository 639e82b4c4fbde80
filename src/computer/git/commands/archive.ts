import { gzipSync } from 'fflate';
import { absolute, basename } from '#computer/abi/paths.ts';
import { ArchiveEntries } from '../archive/archive-entries.ts';
import type { ArchiveEntry, ArchiveHead } from '../archive/archive-entry.ts';
import { writeTar } from '../archive/write-tar.ts';
import { writeZip } from '../archive/write-zip.ts';
import { encode } from '../bytes.ts';
import { integerOf } from '../config/values.ts';
import { isBinary } from '../diff/lines.ts';
import { fatal, GitError } from '../errors.ts';
import { dateOf } from '../history/filter.ts';
import type { Command, Invocation } from '../invocation.ts';
import { objectId } from '../objects/object.ts';
import { isDirectory } from '../objects/tree.ts';
import { missingAsNull } from '../objects/store.ts';
import { parseOptions, type Options } from '../options.ts';
import { referenceNamed } from '../refs/named-ref.ts';
import { findRevision, pathColon, peel } from '../refs/revision.ts';
import { repositoryAt, type Repository } from '../repository.ts';
import { unquotePath } from '../unquote-path.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import { findInTree } from '../worktree/tree-files.ts';
import { ArchiveFormats, type ArchiveFormat } from './archive-formats.ts';
import { isInRepository } from './config.ts';
import { Mode } from '#environment/mode.ts';

const USAGE =
	'archive [<options>] <tree-ish> [<path>...]\n' +
	'   or: git archive --list\n' +
	'   or: git archive --remote <repo> [--exec <cmd>] [<options>] <tree-ish> [<path>...]\n' +
	'   or: git archive --remote <repo> [--exec <cmd>] --list';

const OPTIONS = {
	format: '--format =',
	prefix: '--prefix = !',
	addFile: '--add-file =',
	addVirtual: '--add-virtual-file =',
	output: '-o --output =',
	worktreeAttributes: '--worktree-attributes !',
	verbose: '-v --verbose !',
	mtime: '--mtime =',
	level: '-<number> =',
	list: '-l --list',
	remote: '--remote =',
	// Ignored: the remote repository is on this volume, so this program reads it.
	exec: '--exec ='
};

type ArchiveOptions = Options<keyof typeof OPTIONS>;

/** Mode bits cleared in archive entries, unless `tar.umask` says otherwise. */
const UMASK = 0o002;

/** `git archive`: makes an archive of the files of a tree. */
export const archive: Command = (git, args) => {
	const options = parseOptions(USAGE, args, OPTIONS);
	const remote = options.get('remote');
	const repository = remote === undefined ? (isInRepository(git) ? git.repository : null) : remoteAt(git, remote);
	const formats = new ArchiveFormats(repository?.config ?? null, remote !== undefined);
	if (options.has('list')) {
		git.out(
			formats
				.names()
				.map((name) => `${name}\n`)
				.join('')
		);
		return 0;
	}
	const [name, ...paths] = [...options.operands, ...(options.paths ?? [])];
	if (name === undefined) throw new GitError(`usage: git ${USAGE}`, 129);
	const output = options.get('output');
	const format = formats.chosen(options.get('format'), output === undefined ? '' : basename(output));
	const packed = new Archiving(git, repository ?? git.repository, options, remote !== undefined).packed(
		name,
		paths,
		format
	);
	const path = output === undefined ? null : absolute(output, git.cwd);
	if (format.command !== null) return runFilter(git, format.command, packed, path);
	if (path === null) git.out(packed);
	else git.context.sync.writeFile(path, packed);
	return 0;
};

/** Repository for a remote's name or a path of this volume. @throws GitError if there is none */
function remoteAt(git: Invocation, name: string): Repository {
	const url = (isInRepository(git) ? git.repository.config.get(`remote.${name}.url`) : undefined) ?? name;
	const top = isInRepository(git) && url !== name ? git.repository.root : git.cwd;
	const found = repositoryAt(git.surroundings, absolute(url.replace(/^file:\/\//, ''), top));
	if (!found) throw fatal(`'${url}' does not appear to be a git repository`);
	return found;
}

/** Pipes a tar archive through the filter command of a format. */
function runFilter(git: Invocation, command: string, packed: Uint8Array, output: string | null): number {
	const { sync, pid } = git.context;
	const place = `/tmp/git-archive-${pid}`;
	sync.mkdir('/tmp', { recursive: true });
	sync.writeFile(place, packed, { mode: 0o600 });
	try {
		git.flush();
		const child = sync.spawn({
			argv: ['sh', '-c', `(${command}) <"$0"${output === null ? '' : ' >"$1"'}`, place, output ?? ''],
			cwd: git.cwd,
			env: git.env
		});
		const { code } = sync.waitPid(child);
		if (code !== 0) throw fatal(`'${command}' filter reported error`);
		return 0;
	} finally {
		sync.remove(place, { force: true });
	}
}

/** Builds an archive from a tree of a repository. */
class Archiving {
	constructor(
		private readonly git: Invocation,
		private readonly repository: Repository,
		private readonly options: ArchiveOptions,
		private readonly isRemote: boolean
	) {}

	packed(name: string, paths: readonly string[], format: ArchiveFormat): Uint8Array {
		const { options, repository, git } = this;
		const start = this.#start(name);
		const pathspec = new Pathspec(repository, paths);
		const prefix = options.isTakenBack('prefix') ? '' : (options.get('prefix') ?? '');
		const source = {
			...start,
			repository,
			pathspec,
			prefix,
			readsWorktreeAttributes: options.has('worktreeAttributes')
		};
		this.#requireMatches(start.tree, start.below, pathspec);
		const head: ArchiveHead = {
			commit: start.commit,
			seconds: this.#seconds(start.commit),
			level: this.#level(format)
		};
		const entries = this.#shown([...new ArchiveEntries(source).all(), ...this.#added()]);
		if (format.base === 'zip') return writeZip(entries, head);
		const umask = repository.config.get('tar.umask');
		const tar = writeTar(entries, head, umask === undefined || umask === 'user' ? UMASK : (integerOf(umask) ?? UMASK));
		git.flush();
		if (!format.isGzip || format.command !== null) return tar;
		return gzipSync(tar, { level: (head.level ?? 6) as 6, mtime: 0 });
	}

	#level({ base, isGzip }: ArchiveFormat): number | null {
		const text = this.options.get('level');
		if (text === undefined) return null;
		const level = Number(text);
		if (level > 9 || (base === 'tar' && !isGzip)) throw fatal(`Argument not supported for format '${base}': -${text}`);
		return level;
	}

	/** Resolves a tree-ish; in a subdirectory of the worktree, only to the tree of that directory. */
	#start(name: string): { top: string; tree: string; below: string; commit: string | null } {
		const { repository, isRemote } = this;
		const colon = pathColon(name);
		if (isRemote && !repository.config.flag('uploadarchive.allowunreachable', false)) {
			const base = colon < 0 ? name : name.slice(0, colon);
			if (referenceNamed(repository, base) === null) throw fatal(`no such ref: ${base}`);
		}
		const id = findRevision(repository, name);
		if (id === null) throw fatal(`not a valid object name: ${name}`);
		const commit = colon < 0 ? peel(repository, id, 'commit') : null;
		const top = peel(repository, id, 'tree');
		if (top === null) throw fatal(`not a tree object: ${id}`);
		const below = isRemote || repository.isBare ? '' : repository.prefix;
		if (below === '') return { top, tree: top, below, commit };
		const part = findInTree(repository.objects, top, below.slice(0, -1));
		if (!part || !isDirectory(part.mode)) throw fatal('current working directory is untracked');
		return { top, tree: part.id, below, commit };
	}

	#requireMatches(tree: string, below: string, pathspec: Pathspec): void {
		if (pathspec.isEmpty) return;
		const { objects } = this.repository;
		const found: string[] = [];
		const visit = (id: string, directory: string): void => {
			for (const { mode, name, id: part } of objects.tree(id)) {
				found.push(directory + name);
				if (isDirectory(mode)) visit(part, `${directory}${name}/`);
			}
		};
		visit(tree, below);
		const missing = pathspec.unmatched(found);
		if (missing !== undefined) throw fatal(`pathspec '${missing}' did not match any files`);
	}

	#seconds(commit: string | null): number {
		const { files } = this.repository;
		const asked = this.options.get('mtime');
		if (asked !== undefined) return dateOf(asked, files.now());
		return commit === null ? Math.floor(files.now() / 1000) : this.repository.commit(commit).committer.seconds;
	}

	/** Files from `--add-file` and `--add-virtual-file`, each with the last `--prefix` given before it. */
	*#added(): Generator<ArchiveEntry> {
		const { sync } = this.git.context;
		let prefix = '';
		for (const { name, value } of this.options.inOrder('prefix', 'addFile', 'addVirtual')) {
			if (name === 'prefix') prefix = value;
			else if (name === 'addVirtual') {
				const [path, text] = virtualFile(value);
				yield addedFile(prefix + path, Mode.file, encode(text));
			} else {
				const path = absolute(value, this.git.cwd);
				const stat = sync.statOrNull(path);
				if (!stat) throw fatal(`File not found: ${value}`);
				if (stat.kind !== 'file') throw fatal(`Not a regular file: ${value}`);
				const content = missingAsNull(() => sync.readFile(path)) ?? new Uint8Array(0);
				yield addedFile(prefix + basename(value), (stat.mode & 0o100) !== 0 ? Mode.executable : Mode.file, content);
			}
		}
	}

	*#shown(entries: Iterable<ArchiveEntry>): Generator<ArchiveEntry> {
		for (const entry of entries) {
			if (this.options.has('verbose')) this.git.err(`${entry.path}\n`);
			yield entry;
		}
	}
}

const addedFile = (path: string, mode: number, content: Uint8Array): ArchiveEntry => ({
	...{ path, mode, content, id: objectId('blob', content), isBinary: isBinary(content) }
});

/** Splits `<path>:<content>`, where the path may be quoted. @throws GitError if the colon is missing */
function virtualFile(text: string): [path: string, content: string] {
	const [, quoted, plain, content] = /^(?:("(?:[^"\\]|\\.)*")|([^:"][^:]*)):(.*)$/s.exec(text) ?? [];
	if (content === undefined) throw new GitError(`error: missing colon: '${text}'`, 129);
	return [quoted === undefined ? (plain ?? '') : unquotePath(quoted), content];
}
