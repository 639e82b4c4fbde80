import type { SyncSyscalls } from '#computer/abi/client.ts';
import type { WireDirent, WireStat } from '#computer/abi/syscalls.ts';

type Directory = Map<string, WireStat>;

interface KnownFile {
	path: string;
	/**
	 * Sort key in the order of a walk of sorted directories: entries of a directory before siblings whose longer names
	 * start with its name.
	 */
	key: string;
	size: number;
}

const byName = (a: WireDirent, b: WireDirent) => (a.name < b.name ? -1 : 1);

/**
 * Directory data for a search: one call transfers a whole tree, while listing it and reading ignore files per directory
 * would take thousands.
 */
export class KnownTree {
	#directories = new Map<string, Directory>();
	#lists = new Map<string, readonly WireDirent[]>();
	#left = new Set<string>();
	/** All files in the order of a search: by path. */
	#files: KnownFile[] = [];
	#order = new Map<string, number>();

	/** Set if a symbolic link leads into the tree: changes are then reported under other paths. */
	isLinked = false;

	/**
	 * @param files calls of the process that is currently searching
	 * @param ignores whether ignore files apply: what they exclude everywhere is not even walked then
	 */
	constructor(
		public files: SyncSyscalls,
		private readonly ignores: boolean
	) {}

	/** Entries of a directory, returned as the same list each time. @throws SyscallError */
	list(path: string): readonly WireDirent[] {
		let list = this.#lists.get(path);
		if (!list) this.#lists.set(path, (list = this.#read(path)));
		return list;
	}

	#read(path: string): readonly WireDirent[] {
		let directory = this.#directories.get(path);
		if (!directory) {
			this.#walk(path);
			directory = this.#directories.get(path);
		}
		if (!directory) return this.files.readdir(path);
		return [...directory].map(([name, { kind }]) => ({ name, kind })).sort(byName);
	}

	/** `null` if nothing exists there, `undefined` if that is not known here. Links are not followed. */
	lookup(path: string): WireStat | null | undefined {
		const slash = path.lastIndexOf('/');
		const name = path.slice(slash + 1);
		const parent = path.slice(0, slash) || '/';
		const directory = this.#directories.get(parent);
		if (!directory) return parent !== '/' && this.lookup(parent) === null ? null : undefined;
		return directory.get(name) ?? (this.#left.has(name) ? undefined : null);
	}

	/**
	 * `path` and the files after it, only small ones, up to `maxBytes` in total. Yields nothing for an unknown file.
	 */
	filesFrom(path: string, maxFileBytes: number, maxBytes: number): string[] {
		const at = this.#order.get(path);
		if (at === undefined) return [];
		const found: string[] = [];
		let total = 0;
		for (let index = at; index < this.#files.length; index++) {
			const { path: file, size } = this.#files[index]!;
			if (size > maxFileBytes) {
				if (index === at) return [];
				continue;
			}
			total += size;
			if (total > maxBytes && found.length > 0) break;
			found.push(file);
		}
		return found;
	}

	#walk(path: string): void {
		this.isLinked ||= this.files.realpath(path) !== path;
		const skip = this.ignores ? this.#ignoredEverywhere(path) : [];
		const found = this.files.walk(path, { skip });
		// `path` is a file itself.
		if (found.length === 1 && found[0]?.path === path) return;
		for (const name of skip) this.#left.add(name);
		this.#directories.set(path, new Map());
		const files: KnownFile[] = [];
		for (const { path: below, stat } of found) {
			const slash = below.lastIndexOf('/');
			this.#directories.get(below.slice(0, slash) || '/')?.set(below.slice(slash + 1), stat);
			if (stat.kind === 'directory') this.#directories.set(below, new Map());
			else if (stat.kind === 'file') files.push({ path: below, key: below.replaceAll('/', '\0'), size: stat.size });
		}
		for (const file of files.sort((a, b) => (a.key < b.key ? -1 : 1))) {
			if (this.#order.has(file.path)) continue;
			this.#order.set(file.path, this.#files.length);
			this.#files.push(file);
		}
	}

	/** Names such as `node_modules` that a repository's own `.gitignore` excludes, whatever else it contains. */
	#ignoredEverywhere(top: string): string[] {
		const at = (name: string) => `${top === '/' ? '' : top}/${name}`;
		const { files } = this;
		if (!files.statOrNull(at('.git')) || files.statOrNull(at('.ignore')) || files.statOrNull(at('.rgignore')))
			return [];
		if (files.statOrNull(at('.gitignore'))?.kind !== 'file') return [];
		const lines = new TextDecoder().decode(files.readFile(at('.gitignore'))).split('\n');
		if (lines.some((line) => line.startsWith('!'))) return [];
		return ['node_modules', 'target', '.venv', '__pycache__'].filter(
			(name) => lines.includes(name) || lines.includes(`${name}/`)
		);
	}
}
