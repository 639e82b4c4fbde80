import type { ExecutionEnvironment, Snapshot } from '#environment/contract.ts';
import { isEnvironmentError } from '#environment/errors.ts';
import { foldersAbove } from '#environment/folders.ts';
import { TreeIgnoreRules } from '#environment/ignore-rules.ts';
import { ignoredDirectories, isInOneOf, MAX_IGNORED_ENTRIES } from '#environment/tree/left-behind.ts';

interface Side {
	environment: ExecutionEnvironment;
	rules: TreeIgnoreRules;
}

/**
 * Large ignored directories, such as installed packages: while a session is on a machine, they are not copied between
 * the two sides. Their contents were built for one machine and can be built again.
 */
export class LeftAlone {
	readonly #directories = new Set<string>();
	readonly #here: Side;
	readonly #there: Side;

	constructor(here: ExecutionEnvironment, there: ExecutionEnvironment) {
		const side = (environment: ExecutionEnvironment): Side => ({
			environment,
			rules: new TreeIgnoreRules((blob) => environment.readBlob(blob))
		});
		this.#here = side(here);
		this.#there = side(there);
	}

	/**
	 * Returns a predicate for paths in such directories of either tree. A directory that was once excluded stays
	 * excluded.
	 */
	async in(here: Snapshot, there: Snapshot): Promise<(path: string) => boolean> {
		await this.#look(this.#here, here, this.#there, there);
		await this.#look(this.#there, there, this.#here, here);
		return isInOneOf(this.#directories);
	}

	async #look(side: Side, { entries }: Snapshot, other: Side, otherTree: Snapshot): Promise<void> {
		const found = await ignoredDirectories(entries, await side.rules.of(entries));
		const listed = new Set([...otherTree.entries.keys()].flatMap((path) => [path, ...foldersAbove(path)]));
		for (const [directory, count] of found) {
			if (this.#directories.has(directory)) continue;
			// Some environments do not list the contents of such a directory.
			const isLarge = count > MAX_IGNORED_ENTRIES;
			if (isLarge || (!listed.has(directory) && (await isDirectory(other.environment, directory))))
				this.#directories.add(directory);
		}
	}
}

async function isDirectory(environment: ExecutionEnvironment, path: string): Promise<boolean> {
	try {
		return (await environment.stat(path)).kind === 'directory';
	} catch (error) {
		if (isEnvironmentError(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return false;
		throw error;
	}
}
