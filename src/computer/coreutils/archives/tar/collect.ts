import type { WireStat } from '#computer/abi/syscalls.ts';
import { decode } from '#computer/process/text.ts';
import { reason } from '#computer/shell/execution/redirections.ts';
import { UsageError } from '../../options.ts';
import { changedMode } from '../../files/modes.ts';
import type { Entry } from './entry.ts';
import type { Tag } from './exclusions.ts';
import { nameExpression, PLAIN } from './matching.ts';
import { headersOf, padded, Unstorable } from './headers.ts';
import type { Run } from './run.ts';
import type { ArchivePiece } from './volumes.ts';

/** File to archive: its path, and the name given for it. */
export interface Source {
	path: string;
	name: string;
	stat: WireStat;
}

/** The only user, who owns all files here. */
const OWNER = { name: 'user', id: 1000 };

/** Creates members from files: their headers and their order. */
export class Collector {
	readonly pieces: ArchivePiece[] = [];
	/** Archived files, for `--remove-files`. */
	readonly archived: Source[] = [];
	readonly entries: { entry: Entry; source: Source }[] = [];
	/** Name in the archive of each file with several hard links. */
	readonly #linked = new Map<number, string>();
	readonly #owner: { name: string; id: number };
	readonly #group: { name: string; id: number };
	readonly #archive: number[];
	#saidLeading = new Set<string>();

	constructor(private readonly run: Run) {
		this.#owner = ownerOf(run.options.get('owner'));
		this.#group = ownerOf(run.options.get('group'));
		const { sync, shell } = run;
		this.#archive = run.archives.flatMap((name) => {
			const stat = name === '-' || name.startsWith('/dev/') ? null : sync.statOrNull(shell.path(name));
			return stat ? [stat.inode] : [];
		});
	}

	/** Archives a file, and the entries of a directory. */
	async add(path: string, name: string, recursion: boolean, ignored: readonly RegExp[] = []): Promise<void> {
		const source = await this.find(path, name);
		if (!source) return;
		if (source.stat.kind !== 'directory') {
			await this.addFile(source);
			return;
		}
		const tag = this.tagIn(path);
		if (tag) await this.sayTag(tag, `${name.replace(/\/+$/, '')}/`);
		if (tag?.leavesOut === 'all') return;
		await this.addDirectory(source, null);
		if (tag) {
			if (tag.leavesOut === 'contents') await this.add(`${path}/${tag.name}`, `${withSlash(name)}${tag.name}`, false);
			return;
		}
		if (recursion) await this.#addBelow(source, ignored);
	}

	async #addBelow({ path, name }: Source, ignored: readonly RegExp[]): Promise<void> {
		const { run } = this;
		const names = await this.namesIn(path, name);
		const own: RegExp[] = [];
		const below = [...ignored];
		for (const file of run.exclusions.ignoreFiles) {
			if (!names?.includes(file.name)) continue;
			const patterns = decode(run.sync.readFile(`${path}/${file.name}`))
				.split('\n')
				.filter(Boolean);
			const how = { ...PLAIN, wildcards: true, anchored: false };
			(file.isRecursive ? below : own).push(...patterns.map((one) => nameExpression(one, how)));
		}
		for (const one of names ?? []) {
			if ([...own, ...below].some((pattern) => pattern.test(one))) continue;
			const inner = withSlash(name) + one;
			if (!run.exclusions.isExcluded(inner)) await this.add(`${path}/${one}`, inner, true, below);
		}
	}

	/** Sorted names in a directory; null if it cannot be read. */
	async namesIn(path: string, name: string): Promise<string[] | null> {
		try {
			const { sync } = this.run;
			if (!(sync.stat(path).mode & 0o400)) throw Object.assign(new Error(), { code: 'EACCES' });
			return sync
				.readdir(path)
				.map((entry) => entry.name)
				.sort();
		} catch (error) {
			await this.#unreadable(`${this.run.shown(name)}: %Cannot open: ${reason(error)}`);
			return null;
		}
	}

	async #unreadable(text: string): Promise<void> {
		if (this.run.options.has('ignore-failed-read')) await this.run.warn(text.replace('%', 'Warning: '));
		else await this.run.fail(text.replace('%', ''));
	}

	/** Looks up a file; null if it is missing, is the archive itself, or has not changed since `--newer`. */
	async find(path: string, name: string): Promise<Source | null> {
		const { run } = this;
		let stat: WireStat;
		try {
			stat = run.options.has('h') ? run.sync.stat(path) : run.sync.lstat(path);
		} catch (error) {
			await this.#unreadable(`${run.shown(name)}: %Cannot stat: ${reason(error)}`);
			return null;
		}
		if (this.#archive.includes(stat.inode) && stat.kind === 'file') {
			await run.warn(`${run.shown(name)}: file is the archive; not dumped`);
			return null;
		}
		if (stat.kind === 'socket') {
			await run.warn(`${run.shown(name)}: socket ignored`);
			return null;
		}
		const since = run.options.get('N') ?? run.options.get('newer-mtime');
		if (since !== undefined && stat.kind !== 'directory') {
			const limit = run.moment(since);
			const isOld = stat.modifiedMs < limit && (run.options.has('newer-mtime') || stat.changedMs < limit);
			if (isOld) return null;
		}
		return { path, name, stat };
	}

	/** Tag file in a directory that excludes it. */
	tagIn(path: string): Tag | undefined {
		const { sync } = this.run;
		return this.run.exclusions.tags.find(({ name, signature }) => {
			const stat = sync.statOrNull(`${path}/${name}`);
			if (!stat) return false;
			return !signature || (stat.kind === 'file' && decode(sync.readFile(`${path}/${name}`)).startsWith(signature));
		});
	}

	async sayTag(tag: Tag, shown: string): Promise<void> {
		const what = tag.leavesOut === 'all' ? 'directory' : 'contents';
		await this.run.warn(`${this.run.shown(shown)}: contains a cache directory tag ${tag.name}; ${what} not dumped`);
	}

	/** Archives only the directory itself; with a listing of its entries in an incremental archive. */
	async addDirectory(source: Source, listing: Uint8Array | null): Promise<void> {
		const name = withSlash(source.name);
		await this.#write({ ...source, name }, { type: listing ? 'D' : '5', listing });
	}

	async addFile(source: Source): Promise<void> {
		const { run } = this;
		const { stat, path, name } = source;
		if (stat.links > 1 && stat.kind !== 'directory' && !run.options.has('hard-dereference')) {
			const first = this.#linked.get(stat.inode);
			if (first !== undefined) {
				await this.#write(source, { type: '1', target: run.transformed(first, 'hardlink') ?? first });
				return;
			}
			this.#linked.set(stat.inode, run.keepsAbsolute ? name : name.replace(/^\/+/, ''));
		}
		if (stat.kind === 'symlink') {
			const target = run.sync.readlink(path);
			await this.#write(source, { type: '2', target: run.transformed(target, 'symlink') ?? target });
		} else if (stat.kind === 'fifo') await this.#write(source, { type: '6' });
		else {
			try {
				if (!(stat.mode & 0o400)) throw Object.assign(new Error(), { code: 'EACCES' });
				await this.#write(source, { type: '0', content: run.sync.readFile(path) });
			} catch (error) {
				if (error instanceof UsageError) throw error;
				await this.#unreadable(`${run.shown(name)}: %Cannot open: ${reason(error)}`);
			}
		}
	}

	async #write(source: Source, what: Partial<Entry>): Promise<void> {
		const { run } = this;
		const stored = await this.#memberName(source.name);
		const transformed = run.transformed(stored);
		if (transformed === null) return;
		const entry: Entry = {
			...{ name: transformed, type: '0', target: '', content: new Uint8Array(), listing: null, ...what },
			...{ mode: this.#mode(source.stat), modifiedMs: this.#time(source) },
			...{ user: this.#owner.name, userId: this.#owner.id, group: this.#group.name, groupId: this.#group.id }
		};
		let headers: Uint8Array;
		try {
			headers = headersOf(entry, run.format);
		} catch (error) {
			if (!(error instanceof Unstorable)) throw error;
			await run.fail(`${run.shown(stored)}: ${error.message}`);
			return;
		}
		if (run.verbosity > 0) await run.say(run.listed(source.name, transformed));
		this.pieces.push({ bytes: headers, entry, isContent: false });
		const content = entry.type === 'D' && run.format !== 'posix' ? entry.listing! : entry.content;
		if (content.length) this.pieces.push({ bytes: padded(content), entry, isContent: true });
		this.archived.push(source);
		this.entries.push({ entry, source });
	}

	/** Removes a prefix that leads out of a directory from a name, unless absolute names are requested. */
	async #memberName(name: string): Promise<string> {
		if (this.run.keepsAbsolute) return name;
		const prefix = /^(?:.*\/)?\.\.(?=\/|$)\/?|^\/+/s.exec(name)?.[0] ?? '';
		if (prefix !== '' && !this.#saidLeading.has(prefix)) {
			this.#saidLeading.add(prefix);
			await this.run.warn(`Removing leading \`${prefix}' from member names`);
		}
		return name.slice(prefix.length).replace(/^\/+/, '') || './';
	}

	#mode({ mode, kind }: WireStat): number {
		const text = this.run.options.get('mode');
		if (text === undefined) return mode & 0o7777;
		const changed = changedMode(mode & 0o7777, text, kind === 'directory', this.run.shell.umask);
		if (changed === null) throw new UsageError(`${text}: Invalid mode given on option`);
		return changed;
	}

	#time({ stat }: Source): number {
		const text = this.run.options.get('mtime');
		const ms = this.run.format === 'posix' ? stat.modifiedMs : Math.floor(stat.modifiedMs / 1000) * 1000;
		if (text === undefined) return ms;
		const wanted = this.run.moment(text);
		return this.run.options.has('clamp-mtime') ? Math.min(ms, wanted) : wanted;
	}
}

const withSlash = (name: string) => (name.endsWith('/') ? name : `${name}/`);

/** Parses `NAME`, `NAME:ID` or a number. */
function ownerOf(text: string | undefined): { name: string; id: number } {
	if (text === undefined) return OWNER;
	const [, name = '', id] = /^(.*?)(?::(\d+))?$/s.exec(text) ?? [];
	if (id !== undefined) return { name, id: Number(id) };
	if (/^\+?\d+$/.test(name)) return { name: '', id: Number(name) };
	if (name === 'root') return { name, id: 0 };
	if (name !== OWNER.name) throw new UsageError(`${name}: Invalid owner`);
	return OWNER;
}
