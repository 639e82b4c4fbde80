import type { GrepOptions } from '../contract.ts';
import { EnvironmentError } from '../errors.ts';
import { ripgrep } from '../local/search.ts';
import { toAbsolute } from '../local/paths.ts';
import { globFiles } from '../search/glob-files.ts';
import { grepFiles } from '../search/grep-files.ts';
import { filesOf } from '../search/walked-tree.ts';
import type { TreeEntry } from '../tree/entry.ts';
import type { RemoteFiles } from './files.ts';
import type { Remote } from './remote.ts';
import type { RemoteTree } from './tree.ts';

/** Searches behind a prefix: with the remote ripgrep if there is one, otherwise locally in content read from there. */
export class RemoteSearch {
	constructor(
		private readonly remote: Remote,
		private readonly files: RemoteFiles,
		private readonly tree: RemoteTree,
		private readonly hasRipgrep: boolean
	) {}

	async grep(pattern: string, path: string, options: GrepOptions): Promise<string> {
		const { real, entry } = await this.files.find(path, true);
		const { workingDirectory } = this.remote.rules;
		const shown = path.startsWith('~') ? toAbsolute(this.remote.rules, path) : path;
		if (this.hasRipgrep) {
			const launch = (args: string[]) =>
				this.remote.prefix.run('cd -- "$1" && shift && exec rg "$@" </dev/null', [workingDirectory, ...args]);
			const found = await ripgrep(launch, pattern, shown, options, this.remote.prefix.beginning);
			if (found === undefined) throw new EnvironmentError('EIO', 'The command prefix could not be started.');
			return found;
		}
		if (entry.kind !== 'directory')
			return grepFiles(pattern, { shown, files: null, read: () => this.tree.read(real) }, options);
		const { files, entryOf } = await this.#below(real);
		const paths: string[] = [];
		for await (const below of files) if (entryOf(below)?.kind === 'file') paths.push(below);
		const read = this.tree.ahead(new Map(paths.map((below) => [`${real}/${below}`, entryOf(below)?.size ?? 0])));
		const each = async function* (): AsyncGenerator<string> {
			yield* paths;
		};
		return grepFiles(pattern, { shown, files: each(), read: (below) => read(`${real}/${below}`) }, options);
	}

	async glob(pattern: string, path: string): Promise<string[]> {
		const { real, entry } = await this.files.find(path, true);
		if (entry.kind !== 'directory') throw new EnvironmentError('ENOTDIR', `This is not a directory: ${path}`, path);
		const { files, entryOf } = await this.#below(real);
		const modifiedMs = (below: string): number | undefined => {
			const found = entryOf(below);
			return found && Number(found.modifiedNs) / 1e6;
		};
		return (await globFiles(pattern, files, modifiedMs)).map((below) => `${real}/${below}`);
	}

	/** Files below a directory, without those that ignore files exclude, and their entries. */
	async #below(
		start: string
	): Promise<{ files: AsyncIterable<string>; entryOf: (path: string) => TreeEntry | undefined }> {
		const { workingDirectory } = this.remote.rules;
		const base = start.startsWith(`${workingDirectory}/`) ? workingDirectory : start;
		const below = start === base ? '' : start.slice(base.length + 1);
		const all = await this.tree.walk(base);
		const files = filesOf(all, below, async (path) => {
			const bytes = await this.tree.read(`${base}/${path}`);
			return bytes && new TextDecoder().decode(bytes);
		});
		return { files, entryOf: (path) => all.get(below === '' ? path : `${below}/${path}`) };
	}
}
