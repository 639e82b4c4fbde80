import { entryPathFault } from '#environment/entry-path.ts';
import { decode, encode } from '../bytes.ts';
import { fatal } from '../errors.ts';
import { serializeSignature, type Signature } from '../objects/commit.ts';
import { isObjectId } from '../objects/object-id.ts';
import { NULL_ID } from '../objects/object.ts';
import { missingAsNull } from '../objects/store.ts';
import type { SyncSyscalls } from '#computer/abi/client.ts';

export interface Ref {
	/** `refs/heads/main` */
	name: string;
	id: string;
}

/** One line of a reflog; in the file, the newest is last. */
export interface ReflogEntry {
	from: string;
	to: string;
	who: string;
	message: string;
}

/** References that get a reflog unless `core.logAllRefUpdates` is false. */
const IS_LOGGED = /^(?:HEAD$|refs\/(?:heads|remotes|notes)\/|refs\/stash$)/;

/** References that each working tree has for itself. */
const IS_PRIVATE = /^refs\/(?:bisect|worktree|rewritten)\//;

/** Maximum depth of symbolic refs, as in git. */
const MOST_HOPS = 5;

/** References to commits: branches, tags and HEAD, loose or packed. */
export class Refs {
	constructor(
		private readonly files: SyncSyscalls,
		private readonly gitDir: string,
		private readonly who: () => Signature,
		/** Returns whether new references of the usual kinds get a reflog; 'always' for references of all kinds. */
		private readonly keepsLogs: () => boolean | 'always' = () => true,
		/** Directory shared by all working trees. */
		private readonly commonDir = gitDir
	) {}

	/** The commit a ref points to, following symbolic refs, or null. */
	resolve(name: string): string | null {
		for (let hops = 0; hops < MOST_HOPS; hops++) {
			const value = this.#read(name);
			if (value === null) return this.#packed().get(name) ?? null;
			if (!value.startsWith('ref: ')) return isObjectId(value) ? value : null;
			name = value.slice(5).trim();
		}
		return null;
	}

	/** Target of a symbolic ref (`refs/heads/main`), or null if it is not symbolic. */
	symbolic(name: string): string | null {
		const value = this.#read(name);
		return value?.startsWith('ref: ') ? value.slice(5).trim() : null;
	}

	/** Returns whether a reference is only in `packed-refs`. */
	isPacked(name: string): boolean {
		return this.#read(name) === null && this.#packed().has(name);
	}

	/** Final target of a symbolic ref, as far as {@link resolve} follows it; any other ref itself. */
	target(name: string): string {
		for (let hops = 0; hops < MOST_HOPS; hops++) {
			const next = this.symbolic(name);
			if (next === null) break;
			name = next;
		}
		return name;
	}

	/** The current branch without `refs/heads/`; null if HEAD is detached. */
	currentBranch(): string | null {
		const target = this.symbolic('HEAD');
		return target?.startsWith('refs/heads/') ? target.slice(11) : null;
	}

	/** Sorted by name. @param prefix `refs/heads/` */
	list(prefix: string): Ref[] {
		const found = new Map([...this.#packed()].filter(([name]) => name.startsWith(prefix)));
		for (const name of this.#looseNames(prefix)) {
			const id = this.resolve(name);
			if (id !== null) found.set(name, id);
		}
		return [...found].map(([name, id]) => ({ name, id })).sort((a, b) => (a.name < b.name ? -1 : 1));
	}

	/** Symbolic references below `refs/`, even if their target does not exist. */
	symbolicNames(): string[] {
		return this.#looseNames('refs/')
			.filter((name) => this.symbolic(name) !== null)
			.sort();
	}

	/** Names of loose references, including those private to this working tree. */
	#looseNames(prefix: string): string[] {
		return [...new Set([this.commonDir, this.gitDir])].flatMap((root) => {
			const directory = `${root}/${prefix.replace(/\/$/, '')}`;
			if (this.files.statOrNull(directory)?.kind !== 'directory') return [];
			return this.files
				.walk(directory)
				.filter(({ stat }) => stat.kind === 'file')
				.map(({ path }) => path.slice(root.length + 1))
				.filter((name) => this.#root(name) === root);
		});
	}

	/**
	 * Points a ref to a commit. For HEAD, updates the current branch.
	 * @param reason for the reflog (`commit: Fix it`)
	 */
	update(name: string, id: string, reason: string): void {
		const target = name === 'HEAD' ? (this.symbolic('HEAD') ?? 'HEAD') : name;
		const before = this.resolve(target) ?? NULL_ID;
		// A packed reference that stays the same is not written beside `packed-refs` again.
		if (before !== id || this.symbolic(target) !== null) this.#write(target, id);
		if (before !== id || target === 'HEAD') this.log(target, before, id, reason);
		if (target !== 'HEAD' && this.symbolic('HEAD') === target) this.log('HEAD', before, id, reason);
	}

	/** Writes a pseudo-ref, such as ORIG_HEAD, without a reflog. */
	note(name: string, id: string): void {
		this.#write(name, id);
	}

	/** Points HEAD to a branch, or directly to a commit. */
	moveHead(to: { branch: string } | { id: string }, reason: string): void {
		const before = this.resolve('HEAD') ?? NULL_ID;
		this.#write('HEAD', 'branch' in to ? `ref: refs/heads/${to.branch}` : to.id);
		const after = this.resolve('HEAD');
		if (after) this.log('HEAD', before, after, reason);
	}

	/** Makes a symbolic ref point directly to a commit. */
	detach(name: string, id: string, reason: string): void {
		const before = this.resolve(name) ?? NULL_ID;
		this.#write(name, id);
		this.log(name, before, id, reason);
	}

	setSymbolic(name: string, target: string): void {
		this.#write(name, `ref: ${target}`);
	}

	delete(name: string): void {
		this.#removeFile(this.#path(name));
		this.#removeFile(this.#logPath(name));
		this.#removeEmptyParents(name);
		const packed = missingAsNull(() => this.files.readFile(`${this.commonDir}/packed-refs`));
		if (!packed || !this.#packed().has(name)) return;
		const kept: string[] = [];
		let gone = false;
		for (const line of decode(packed).split('\n')) {
			gone = line.startsWith('^') ? gone : line.endsWith(` ${name}`);
			if (!gone) kept.push(line);
		}
		this.files.writeFile(`${this.commonDir}/packed-refs`, encode(kept.join('\n')));
	}

	/**
	 * Moves loose references into `packed-refs`.
	 *
	 * @param all includes branches, not only tags and refs that are already packed
	 * @param prune removes the loose files
	 * @param peel returns the target of a tag
	 */
	pack(all: boolean, prune: boolean, peel: (id: string) => string): void {
		const packed = this.#packed();
		const moved = this.list('refs/').filter(
			({ name }) =>
				!IS_PRIVATE.test(name) &&
				this.symbolic(name) === null &&
				(all || packed.has(name) || name.startsWith('refs/tags/'))
		);
		const ids = new Map([...packed, ...moved.map(({ name, id }): [string, string] => [name, id])]);
		const lines = [...ids]
			.sort(([a], [b]) => (a < b ? -1 : 1))
			.map(([name, id]) => {
				const target = peel(id);
				return `${id} ${name}\n${target === id ? '' : `^${target}\n`}`;
			});
		const head = '# pack-refs with: peeled fully-peeled sorted \n';
		this.files.writeFile(`${this.commonDir}/packed-refs`, encode(head + lines.join('')));
		if (!prune) return;
		for (const { name } of moved) {
			this.#removeFile(this.#path(name));
			this.#removeEmptyParents(name);
		}
	}

	/** Removes a file; a directory at its place belongs to other references. */
	#removeFile(path: string): void {
		if (this.files.statOrNull(path)?.kind !== 'directory') this.files.remove(path, { force: true });
	}

	/** Removes the empty parent directories of a deleted reference, so that another can have their name. */
	#removeEmptyParents(name: string): void {
		for (const below of ['', '/logs']) {
			for (let end = name.lastIndexOf('/'); end > 'refs/heads'.length; end = name.lastIndexOf('/', end - 1)) {
				const directory = this.#path(name.slice(0, end), below);
				const isThere = this.files.statOrNull(directory)?.kind === 'directory';
				if (!isThere || this.files.readdir(directory).length > 0) break;
				this.files.rmdir(directory);
			}
		}
	}

	/** Existing reference whose name conflicts, since one would be a directory of the other; null if none. */
	conflictOf(name: string, without: string | null = null): string | null {
		const packed = this.#packed();
		for (let end = name.indexOf('/', 'refs/'.length); end >= 0; end = name.indexOf('/', end + 1)) {
			const above = name.slice(0, end);
			if (above !== without && (packed.has(above) || this.#read(above) !== null)) return above;
		}
		return this.list(`${name}/`).find((one) => one.name !== without)?.name ?? null;
	}

	/** Renames a reference with its reflog. @param reason for the reflog; if absent, no entry is added */
	rename(from: string, to: string, reason?: string): void {
		const id = this.resolve(from);
		const log = missingAsNull(() => this.files.readFile(this.#logPath(from)));
		const isHead = this.symbolic('HEAD') === from;
		if (id !== null) this.delete(from);
		if (id !== null) this.#write(to, id);
		if (log) this.#writeAt(this.#logPath(to), log);
		if (isHead) this.#write('HEAD', `ref: ${to}`);
		if (id === null || reason === undefined) return;
		this.log(to, id, id, reason);
		if (!isHead) return;
		this.log('HEAD', id, NULL_ID, reason);
		this.log('HEAD', NULL_ID, id, reason);
	}

	/** Copies a reference with its reflog. */
	copy(from: string, to: string, reason: string): void {
		const id = this.resolve(from);
		if (id === null) return;
		const log = missingAsNull(() => this.files.readFile(this.#logPath(from)));
		this.#write(to, id);
		if (log) this.#writeAt(this.#logPath(to), log);
		this.log(to, id, id, reason);
	}

	log(name: string, from: string, to: string, reason: string): void {
		const path = this.#logPath(name);
		const isThere = this.files.statOrNull(path) !== null;
		const keeps = this.keepsLogs();
		if (!isThere && keeps !== 'always' && !(keeps && IS_LOGGED.test(name))) return;
		const line = encode(`${from} ${to} ${serializeSignature(this.who())}${reason === '' ? '' : `\t${reason}`}\n`);
		if (!isThere) this.#writeAt(path, line);
		else this.files.appendFile(path, line);
	}

	/** Returns whether the reflog of a reference is a symbolic link. */
	isLogLinked(name: string): boolean {
		return missingAsNull(() => this.files.lstat(this.#logPath(name)))?.kind === 'symlink';
	}

	/** Creates the reflog of a ref, even if the ref would not get one by default. */
	startReflog(name: string): void {
		const path = this.#logPath(name);
		if (this.files.statOrNull(path) === null) this.#writeAt(path, new Uint8Array());
	}

	/** Returns whether a ref has a reflog, even an empty one. */
	hasReflog(name: string): boolean {
		return entryPathFault(name) === null && this.files.statOrNull(this.#logPath(name))?.kind === 'file';
	}

	/** Names of the refs that have a reflog, HEAD and other pseudo-refs last. */
	reflogNames(): string[] {
		const places = [...new Set([`${this.gitDir}/logs`, `${this.commonDir}/logs`])];
		const found = places.flatMap((root) =>
			this.files.statOrNull(root)?.kind === 'directory'
				? this.files
						.walk(root)
						.filter(({ stat }) => stat.kind === 'file')
						.map(({ path }) => path.slice(root.length + 1))
				: []
		);
		const isShared = (name: string) => name.startsWith('refs/');
		const names = [...new Set(found)].sort();
		return [...names.filter(isShared), ...names.filter((name) => !isShared(name))];
	}

	/** Newest first. */
	reflog(name: string): ReflogEntry[] {
		if (entryPathFault(name) !== null) return [];
		const bytes = missingAsNull(() => this.files.readFile(this.#logPath(name)));
		if (!bytes || bytes.length === 0) return [];
		const entries = decode(bytes)
			.trimEnd()
			.split('\n')
			.map((line) => {
				const [head = '', message = ''] = line.split('\t', 2);
				return { from: head.slice(0, 40), to: head.slice(41, 81), who: head.slice(82), message };
			});
		return entries.reverse();
	}

	writeReflog(name: string, newestFirst: readonly ReflogEntry[]): void {
		const lines = [...newestFirst].reverse().map(({ from, to, who, message }) => `${from} ${to} ${who}\t${message}\n`);
		this.#writeAt(this.#logPath(name), encode(lines.join('')));
	}

	/**
	 * @throws GitError if the name leads outside the directory: refs also come from servers and from imported
	 * repositories
	 */
	#path(name: string, below = ''): string {
		if (entryPathFault(name) !== null) throw fatal(`bad ref name '${name}'`);
		return `${this.#root(name)}${below}/${name}`;
	}

	/** Directory of a reference: that shared by all working trees, or that of this one. */
	#root(name: string): string {
		const isShared = name.startsWith('refs/') && !IS_PRIVATE.test(name);
		return isShared ? this.commonDir : this.gitDir;
	}

	#logPath(name: string): string {
		return this.#path(name, '/logs');
	}

	#read(name: string): string | null {
		if (entryPathFault(name) !== null) return null;
		const bytes = missingAsNull(() =>
			this.files.statOrNull(this.#path(name))?.kind === 'file' ? this.files.readFile(this.#path(name)) : null
		);
		const text = bytes ? decode(bytes).trim() : null;
		// FETCH_HEAD has one line per fetched reference, with its source after the id.
		return name === 'FETCH_HEAD' && text !== null ? text.slice(0, 40) : text;
	}

	/** @throws GitError if another reference is in the way */
	#write(name: string, value: string): void {
		const path = this.#path(name);
		if (name.startsWith('refs/') && this.#read(name) === null) {
			const other = this.conflictOf(name);
			if (other !== null) throw fatal(`cannot lock ref '${name}': '${other}' exists; cannot create '${name}'`);
			const why = this.blockedBy(name);
			if (why !== null) throw fatal(`cannot lock ref '${name}': ${why}`);
		}
		this.#writeAt(path, encode(`${value}\n`));
	}

	/** Removes empty directories in the place of a reference; returns why it cannot be written if they contain files. */
	blockedBy(name: string): string | null {
		const path = this.#path(name);
		if (this.#removeEmptyTree(path)) return null;
		return `there is a non-empty directory '${this.#shown(path)}' blocking reference '${name}'`;
	}

	/** Returns whether the file of a reference contains neither an id nor the name of another one. */
	isBroken(name: string): boolean {
		const value = this.#read(name);
		return value !== null && !value.startsWith('ref: ') && !isObjectId(value);
	}

	/** Removes a directory that contains only directories; returns false if it contains a file. */
	#removeEmptyTree(path: string): boolean {
		const isDirectory = missingAsNull(() => this.files.lstat(path))?.kind === 'directory';
		if (!isDirectory) return true;
		if (this.files.walk(path).some(({ stat }) => stat.kind !== 'directory')) return false;
		this.files.remove(path, { recursive: true });
		return true;
	}

	/** Path as git prints it, which works from the top of the tree. */
	#shown(path: string): string {
		const isUsual = this.commonDir === this.gitDir && this.gitDir.endsWith('/.git');
		return isUsual ? path.slice(this.gitDir.length - '.git'.length) : path;
	}

	#writeAt(path: string, bytes: Uint8Array): void {
		this.files.mkdir(path.slice(0, path.lastIndexOf('/')), { recursive: true });
		this.files.writeFile(path, bytes);
	}

	#packed(): Map<string, string> {
		const path = `${this.commonDir}/packed-refs`;
		const bytes = missingAsNull(() => this.files.readFile(path));
		const found = new Map<string, string>();
		if (!bytes) return found;
		const lines = decode(bytes).split('\n');
		const rest = lines.pop() ?? '';
		if (rest !== '') throw fatal(`unterminated line in ${this.#shown(path)}: ${rest}`);
		for (const line of lines) {
			if (line.startsWith('#') || line.startsWith('^')) continue;
			if (!isObjectId(line.slice(0, 40)) || line[40] !== ' ')
				throw fatal(`unexpected line in ${this.#shown(path)}: ${line}`);
			found.set(line.slice(41), line.slice(0, 40));
		}
		return found;
	}
}
