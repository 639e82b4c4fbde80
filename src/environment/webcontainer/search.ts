import type { GrepOptions } from '../contract.ts';
import { EnvironmentError, isEnvironmentError } from '../errors.ts';
import { globFiles } from '../search/glob-files.ts';
import { grepFiles } from '../search/grep-files.ts';
import { filesOf } from '../search/walked-tree.ts';
import type { TreeEntry } from '../tree/entry.ts';
import type { JournalTree } from '../tree/journal.ts';
import type { ContainerFiles } from './files.ts';
import { toAbsolute } from './layout.ts';

/** Search in JavaScript: the container has no ripgrep. */
export class ContainerSearch {
	constructor(
		private readonly files: ContainerFiles,
		private readonly tree: JournalTree
	) {}

	async grep(pattern: string, path: string, options: GrepOptions): Promise<string> {
		const { real, entry } = await this.files.find(path, true);
		const isFile = entry.kind !== 'directory';
		const shown = path.startsWith('~') ? toAbsolute(this.files.rules, path) : path;
		const files = isFile ? null : (await this.#below(real)).files;
		const read = (below: string): Promise<Uint8Array | undefined> =>
			this.#read(below === '' ? path : `${real}/${below}`);
		return grepFiles(pattern, { shown, files, read }, options);
	}

	async glob(pattern: string, path: string): Promise<string[]> {
		const { real, entry } = await this.files.find(path, true);
		if (entry.kind !== 'directory') throw new EnvironmentError('ENOTDIR', `This is not a directory: ${path}`, path);
		const { files, entries } = await this.#below(real);
		const modifiedMs = (below: string): number | undefined => {
			const found = entries(below);
			return found && Number(found.modifiedNs) / 1e6;
		};
		return (await globFiles(pattern, files, modifiedMs)).map((below) => `${real}/${below}`);
	}

	/** Files below a directory, without those that ignore files exclude, and their entries. */
	async #below(start: string): Promise<{
		files: AsyncIterable<string>;
		entries: (path: string) => TreeEntry | undefined;
	}> {
		const { workingDirectory } = this.files.rules;
		const base = start.startsWith(`${workingDirectory}/`) ? workingDirectory : start;
		const below = start === base ? '' : start.slice(base.length + 1);
		const all = await this.tree.walk(base);
		const files = filesOf(all, below, async (path) => {
			const bytes = await this.#read(`${base}/${path}`);
			return bytes && new TextDecoder().decode(bytes);
		});
		return { files, entries: (path) => all.get(below === '' ? path : `${below}/${path}`) };
	}

	/** `undefined` for files that were removed meanwhile, are unreadable, or are links out of the project. */
	async #read(path: string): Promise<Uint8Array | undefined> {
		try {
			return await this.files.readBytes(path);
		} catch (error) {
			if (isEnvironmentError(error) && error.code !== 'EIO') return undefined;
			throw error;
		}
	}
}
