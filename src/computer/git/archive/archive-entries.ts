import { Mode } from '#environment/mode.ts';
import { decode, encode } from '../bytes.ts';
import { DiffDrivers } from '../diff/driver.ts';
import { isBinary } from '../diff/lines.ts';
import { formatCommit } from '../history/format.ts';
import { isDirectory } from '../objects/tree.ts';
import type { Repository } from '../repository.ts';
import { Attributes } from '../worktree/attributes.ts';
import { conversionOf } from '../worktree/conversion.ts';
import { prefetchFiles } from '../worktree/prefetch-files.ts';
import { treeFiles } from '../worktree/tree-files.ts';
import type { Pathspec } from '../worktree/pathspec.ts';
import type { ArchiveEntry } from './archive-entry.ts';

/** Source of an archive's content, and filters. */
export interface ArchiveSource {
	repository: Repository;
	/** Root tree, whose attribute files apply. */
	top: string;
	/** Tree to archive, and its path below the root; the path ends with a slash unless it is the root itself. */
	tree: string;
	below: string;
	commit: string | null;
	pathspec: Pathspec;
	/** Prefix for each path. */
	prefix: string;
	readsWorktreeAttributes: boolean;
}

const FORMAT = /\$Format:([^$\n]*)\$/g;

/**
 * Members of an archive, without those excluded by the attribute `export-ignore`; each directory precedes its files.
 */
export class ArchiveEntries {
	readonly #attributes: Attributes;
	readonly #drivers: DiffDrivers;
	#isDescribed = false;

	constructor(private readonly source: ArchiveSource) {
		const place = source.readsWorktreeAttributes ? 'files first' : { tree: source.top };
		this.#attributes = new Attributes(source.repository, place);
		this.#drivers = new DiffDrivers(source.repository, place);
	}

	*all(): Generator<ArchiveEntry> {
		const { prefix, tree } = this.source;
		this.#prefetch();
		// A prefix that ends with a slash gets its own directory entry.
		if (prefix.endsWith('/')) yield this.#directory(prefix, tree);
		yield* this.#parts(tree, '', []);
	}

	#prefetch(): void {
		const { repository, tree, below, pathspec } = this.source;
		const isContained = (path: string) => pathspec.matches(path) && !this.#isLeftOut(path, false);
		prefetchFiles(
			repository,
			[...treeFiles(repository.objects, tree)].flatMap(([path, file]) => (isContained(below + path) ? [file] : []))
		);
	}

	#directory(path: string, id: string): ArchiveEntry {
		return { path, mode: Mode.directory, id, content: new Uint8Array(0), isBinary: false };
	}

	/** @param above directories that are written before the first file in them */
	*#parts(tree: string, directory: string, above: ArchiveEntry[]): Generator<ArchiveEntry> {
		const { repository, pathspec, prefix, below } = this.source;
		for (const { mode, name, id } of repository.objects.tree(tree)) {
			const path = directory + name;
			const isTree = isDirectory(mode);
			if (this.#isLeftOut(below + path, isTree)) continue;
			if (isTree) {
				const own = [...above, this.#directory(`${prefix}${path}/`, id)];
				for (const entry of this.#parts(id, `${path}/`, own)) {
					above.length = 0;
					yield entry;
				}
				continue;
			}
			if (!pathspec.matches(below + path)) continue;
			yield* above.splice(0);
			if (mode === Mode.commit) yield this.#directory(`${prefix}${path}/`, id);
			else yield this.#file(path, mode, id);
		}
	}

	#isLeftOut(path: string, isTree: boolean): boolean {
		if (this.#attributes.get(path, 'export-ignore') === true) return true;
		return isTree && this.#attributes.get(`${path}/`, 'export-ignore') === true;
	}

	#file(path: string, mode: number, id: string): ArchiveEntry {
		const { repository, prefix, below } = this.source;
		const full = below + path;
		const stored = repository.objects.read(id, 'blob');
		const isLink = mode === Mode.symlink;
		const converted = isLink ? stored : conversionOf(repository).toWorktreeBy(full, stored, this.#attributes);
		const content = isLink ? stored : this.#substituted(full, converted);
		const binary = this.#drivers.of(full).isBinary ?? isBinary(content);
		return { path: prefix + path, mode, id, content, isBinary: binary };
	}

	/** Expands `$Format:$` placeholders for the commit, if the attribute `export-subst` is set. */
	#substituted(path: string, content: Uint8Array): Uint8Array {
		const { repository, commit } = this.source;
		if (commit === null || this.#attributes.get(path, 'export-subst') !== true) return content;
		const revision = { id: commit, commit: repository.commit(commit) };
		const text = decode(content).replace(FORMAT, (whole, format: string) => {
			// Computing a description is slow: allow one per archive.
			if (/%\(describe/.test(format)) {
				if (this.#isDescribed) return whole;
				this.#isDescribed = true;
			}
			return formatCommit(repository, revision, {
				...{ name: format, separated: false, abbreviate: false, date: 'default', decorate: false }
			});
		});
		return encode(text);
	}
}
