import { concat, decode, encode } from '#computer/process/text.ts';
import { reason } from '#computer/shell/execution/redirections.ts';
import type { WireStat } from '#computer/abi/syscalls.ts';
import type { Collector, Source } from './collect.ts';
import type { Name } from './names.ts';
import { type Run, TarFailure } from './run.ts';

/** A directory as the last run recorded it. */
interface Known {
	name: string;
	inode: number;
	modifiedMs: number;
	/** Its names, each prefixed with `Y`, `N` or `D`. */
	contents: string[];
}

interface Snapshot {
	startedMs: number;
	directories: Known[];
}

/** A directory found by this run. */
interface Found extends Source {
	names: string[] | null;
	contents: string[];
	/** Renames to perform before restoring. */
	renames: string[];
	isNew: boolean;
}

const FIRST_LINE = 'GNU tar-1.34-2\n';

/** Archives only what changed since a snapshot: directories first, with listings of their contents. */
export class IncrementalDump {
	#snapshot: Snapshot = { startedMs: Number.NEGATIVE_INFINITY, directories: [] };
	readonly #startedMs = nextMillisecond();
	readonly #directories: Found[] = [];
	readonly #files: Source[] = [];
	readonly #file: string | null;

	constructor(
		private readonly run: Run,
		private readonly collector: Collector
	) {
		this.#file = run.options.get('g') ?? null;
		if (this.#file !== null && run.options.get('level') !== '0') this.#snapshot = readSnapshot(run, this.#file);
	}

	async dump(names: readonly Name[]): Promise<void> {
		for (const name of names) {
			const path = name.text.startsWith('/') ? name.text : `${name.directory}/${name.text}`;
			await this.#collect(path, name.text);
		}
		this.#findRenames();
		for (const found of this.#directories) {
			const listing = concat([...found.renames, ...found.contents, ''].map((text) => encode(`${text}\0`)));
			await this.collector.addDirectory(found, listing);
		}
		for (const file of this.#files) await this.collector.addFile(file);
		for (const { path, name, contents } of this.#directories) {
			for (const content of contents) {
				if (!content.startsWith('Y')) continue;
				const one = content.slice(1);
				const source = await this.collector.find(`${path}/${one}`, `${name.replace(/\/$/, '')}/${one}`);
				if (source) await this.collector.addFile(source);
			}
		}
		if (this.#file !== null && this.#file !== '/dev/null') this.#writeSnapshot(this.#file);
	}

	/** Collects a file, or a directory with all directories below it. */
	async #collect(path: string, name: string): Promise<void> {
		const source = await this.collector.find(path, name);
		if (!source) return;
		if (source.stat.kind !== 'directory') {
			this.#files.push(source);
			return;
		}
		const found = await this.#directory(source);
		if (!found) return;
		this.#directories.push(found);
		for (const content of found.contents)
			if (content.startsWith('D'))
				await this.#collect(`${path}/${content.slice(1)}`, `${name.replace(/\/$/, '')}/${content.slice(1)}`);
	}

	async #directory(source: Source): Promise<Found | null> {
		const { run, collector } = this;
		const known = this.#knownAs(source);
		const isNew = !known;
		if (isNew && run.verbosity > 0) await run.warn(`${run.shown(source.name)}: Directory is new`);
		if (known && known.name !== source.name && run.verbosity > 0)
			await run.warn(`${run.shown(source.name)}: Directory has been renamed from '${known.name}'`);
		const tag = collector.tagIn(source.path);
		if (tag) await collector.sayTag(tag, source.name);
		if (tag?.leavesOut === 'all') return null;
		const names = await collector.namesIn(source.path, source.name);
		const contents = (names ?? []).flatMap((one) => {
			const kept = !tag || (tag.leavesOut === 'contents' && one === tag.name);
			const inner = `${source.name.replace(/\/$/, '')}/${one}`;
			if (!kept || run.exclusions.isExcluded(inner)) return [];
			const stat = run.sync.lstat(`${source.path}/${one}`);
			return [`${this.#letter(stat, isNew)}${one}`];
		});
		return { ...source, names, contents, renames: [], isNew };
	}

	/** Finds the snapshot entry of this directory by inode, even if it was renamed. */
	#knownAs({ stat }: Source): Known | undefined {
		return this.#snapshot.directories.find(({ inode }) => inode === stat.inode);
	}

	#letter(stat: WireStat, isNew: boolean): string {
		if (stat.kind === 'directory') return 'D';
		const { startedMs } = this.#snapshot;
		return isNew || stat.modifiedMs >= startedMs || stat.changedMs >= startedMs ? 'Y' : 'N';
	}

	/** Stores all renames in the first directory's list, so that they are done before the new names are used. */
	#findRenames(): void {
		const moves: { from: string; to: string }[] = [];
		const roots = new Set(this.#directories.filter((one) => !one.name.includes('/')).map(({ name }) => name));
		for (const found of this.#directories) {
			const known = this.#knownAs(found);
			if (!known || known.name === found.name || roots.has(found.name)) continue;
			const parent = this.#directories.findLast(({ name }) => found.name.startsWith(`${name.replace(/\/$/, '')}/`));
			const before = parent && this.#knownAs(parent);
			// Contents of a renamed directory moved with it.
			if (before && before.name !== parent.name && known.name === before.name + found.name.slice(parent.name.length))
				continue;
			moves.push({ from: known.name, to: found.name });
		}
		const [first] = this.#directories;
		if (first) first.renames.push(...orderedMoves(moves));
	}

	#writeSnapshot(file: string): void {
		const seconds = (ms: number) => `${Math.floor(ms / 1000)}\0${Math.round((ms % 1000) * 1e6)}\0`;
		const lines = this.#directories.map(
			({ name, stat, contents }) =>
				`0\0${seconds(stat.modifiedMs)}1\0${stat.inode}\0${name}\0${contents.map((one) => `${one}\0`).join('')}\0\0`
		);
		const { run } = this;
		run.sync.writeFile(run.shell.path(file), encode(`${FIRST_LINE}${seconds(this.#startedMs)}${lines.join('')}`), {
			mode: 0o666 & ~run.shell.umask
		});
	}
}

/** Waits for the next clock tick, so that a file written just before is older than this run. */
function nextMillisecond(): number {
	const before = Date.now();
	let now = before;
	while (now === before) now = Date.now();
	return now;
}

/** Orders renames so that no target is a name still in use; a cycle is broken by a temporary name. */
function orderedMoves(moves: readonly { from: string; to: string }[]): string[] {
	const left = [...moves];
	const lines: string[] = [];
	while (left.length) {
		const index = left.findIndex(({ to }) => !left.some(({ from }) => from === to));
		const move = left[Math.max(0, index)]!;
		if (index >= 0) {
			lines.push(`R${move.from}`, `T${move.to}`);
			left.splice(index, 1);
			continue;
		}
		lines.push(`X${move.from.replace(/\/[^/]*$/, '')}`, `R${move.from}`, 'T');
		left[0] = { from: '', to: move.to };
	}
	return lines;
}

function readSnapshot(run: Run, file: string): Snapshot {
	const none = { startedMs: Number.NEGATIVE_INFINITY, directories: [] };
	if (file === '/dev/null') return none;
	const path = run.shell.path(file);
	if (!run.sync.statOrNull(path)) return none;
	let text: string;
	try {
		text = decode(run.sync.readFile(path));
	} catch (error) {
		throw new TarFailure(`${file}: Cannot open: ${reason(error)}`);
	}
	if (text === '') return none;
	const start = text.indexOf('\n') + 1;
	if (!/^GNU tar-[\d.]+-2\n/.test(text)) throw new TarFailure(`${file}: Unsupported incremental format`);
	const fields = text.slice(start).split('\0');
	const ms = (seconds = '0', nanos = '0') => Number(seconds) * 1000 + Number(nanos) / 1e6;
	const snapshot: Snapshot = { startedMs: ms(fields[0], fields[1]), directories: [] };
	for (let at = 2; at + 6 < fields.length;) {
		const [, seconds, nanos, , inode = '', name = ''] = fields.slice(at, at + 6);
		at += 6;
		const contents: string[] = [];
		while (at < fields.length && fields[at] !== '') contents.push(fields[at++]!);
		at += 2;
		snapshot.directories.push({ name, inode: Number(inode), modifiedMs: ms(seconds, nanos), contents });
	}
	return snapshot;
}
