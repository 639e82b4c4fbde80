import type { SyncSyscalls } from '../process/client.ts';
import type { WireDirent, WireStat } from '../process/syscalls.ts';

type Directory = Map<string, WireStat>;

/**
 * What a search needs to know of the directories it walks: one call brings a whole tree, where listing it and
 * asking each directory for ignore files would be thousands.
 */
export class KnownTree {
	#directories = new Map<string, Directory>();
	#left = new Set<string>();

	/** @param ignores whether ignore files count: what they leave out everywhere is then not even walked */
	constructor(
		private readonly files: SyncSyscalls,
		private readonly ignores: boolean
	) {}

	/** @throws SyscallError */
	list(path: string): WireDirent[] {
		let directory = this.#directories.get(path);
		if (!directory) {
			this.#walk(path);
			directory = this.#directories.get(path);
		}
		if (!directory) return this.files.readdir(path);
		return [...directory].map(([name, { kind }]) => ({ name, kind }));
	}

	/** `null` where there is nothing, `undefined` where that is not known here. Links are not followed. */
	lookup(path: string): WireStat | null | undefined {
		const slash = path.lastIndexOf('/');
		const name = path.slice(slash + 1);
		const found = this.#directories.get(path.slice(0, slash) || '/')?.get(name);
		if (found) return found;
		return this.#directories.has(path.slice(0, slash) || '/') && !this.#left.has(name) ? null : undefined;
	}

	/** How many files lie right in the directory of this file, as far as is known. */
	filesBeside(path: string): number {
		const directory = this.#directories.get(path.slice(0, path.lastIndexOf('/')) || '/');
		return directory ? [...directory.values()].filter(({ kind }) => kind === 'file').length : 0;
	}

	#walk(path: string): void {
		const skip = this.ignores ? this.#ignoredEverywhere(path) : [];
		const found = this.files.walk(path, { skip });
		// A file gives itself.
		if (found.length === 1 && found[0]?.path === path) return;
		for (const name of skip) this.#left.add(name);
		this.#directories.set(path, new Map());
		for (const { path: below, stat } of found) {
			const slash = below.lastIndexOf('/');
			this.#directories.get(below.slice(0, slash) || '/')?.set(below.slice(slash + 1), stat);
			if (stat.kind === 'directory') this.#directories.set(below, new Map());
		}
	}

	/** Names such as `node_modules` that a repository's own `.gitignore` leaves out, whatever else it says. */
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
