import { binaryBytes } from '../diff/lines.ts';
import { compareTrees, pathOf } from '../diff/change.ts';
import { GitError } from '../errors.ts';
import { buildTrees } from '../index/write-tree.ts';
import type { Invocation } from '../invocation.ts';
import { applyMerged } from '../merge/apply.ts';
import { FAKE_BASE } from '../sequence/replay.ts';
import { mergeTrees } from '../merge/merge-trees.ts';
import type { Options } from '../options.ts';
import { applyHow, type APPLY_OPTIONS, type ApplyHow } from '../patch/apply-options.ts';
import type { FilePatch } from '../patch/file-patch.ts';
import { repositorySource, treeSource, writePatched } from '../patch/patch-sources.ts';
import { rejectText } from '../patch/reject.ts';
import { PatchTarget } from '../patch/target.ts';
import { quotePath } from '../quote-path.ts';
import { entriesOf, type TreeFile } from '../worktree/tree-files.ts';

type ApplyOptions = Options<keyof typeof APPLY_OPTIONS>;

/** Applies the patch of a mail to index and working tree. */
export class MailPatch {
	readonly #how: ApplyHow;
	readonly #patches: readonly FilePatch[];

	/** @param patch binary text @param say writes to stderr */
	constructor(
		private readonly git: Invocation,
		patch: string,
		private readonly options: ApplyOptions,
		private readonly name: string,
		private readonly say: (text: string) => void
	) {
		this.#how = applyHow(git.repository, options, say, { prefix: '' });
		this.#patches = this.#how.read(binaryBytes(patch), name).patches;
	}

	/** Applies the patch as it is. @param isQuiet suppresses messages @returns false if it does not apply */
	apply(isQuiet: boolean): boolean {
		const { git, options } = this;
		const { repository } = git;
		const say = (text: string) => !isQuiet && this.say(text);
		if (this.#patches.length === 0) {
			say('error: No valid patches in input (allow with "--allow-empty")\n');
			return false;
		}
		const target = this.#target(repositorySource(repository, 'both'), say, options.has('reject'));
		const problems = target.takeAll(this.#patches);
		for (const problem of problems) say(`error: ${problem}\n`);
		if (problems.length > 0 || this.#how.blanks.mustFail) {
			this.#how.blanks.report(false);
			return false;
		}
		writePatched(repository, target, 'both');
		this.#how.blanks.report(true);
		for (const [patch, hunks] of target.rejected) {
			const path = repository.absolute(`${patch.newPath}.rej`);
			repository.files.writeFile(path, binaryBytes(rejectText(patch, hunks)));
		}
		return target.rejected.size === 0;
	}

	#target(source: ConstructorParameters<typeof PatchTarget>[0], say: (text: string) => void, rejects: boolean) {
		return new PatchTarget(source, {
			hunks: this.#how.hunks,
			blanksOf: (path) => this.#how.blanks.forFile(path, this.name),
			rejects,
			warn: say,
			note: () => undefined
		});
	}

	/**
	 * Applies the patch to the files it was made for, and merges the result.
	 *
	 * @param ours tree to merge with
	 * @param label of the other side
	 * @returns false if there are conflicts
	 * @throws GitError if the files are not in the repository, or the patch does not apply to them
	 */
	merge(ours: string, label: string, isQuiet: boolean, tell: (text: string) => void): boolean {
		const { git } = this;
		const { repository } = git;
		const { objects } = repository;
		const base = this.#filesBefore();
		tell('Using index info to reconstruct a base tree...\n');
		const treeOf = (files: ReadonlyMap<string, TreeFile>) =>
			buildTrees(entriesOf(new Map(files)), (content) => objects.write('tree', content)).id;
		const baseTree = treeOf(base);
		const changed = compareTrees(objects, ours, baseTree).filter(({ status }) => status === 'M' || status === 'A');
		for (const change of changed) tell(`${change.status}\t${quotePath(pathOf(change))}\n`);
		const target = this.#target(treeSource(repository, base), () => undefined, false);
		if (target.takeAll(this.#patches).length > 0)
			throw new GitError(
				'error: Did you hand edit your patch?\nIt does not apply to blobs recorded in its index.',
				128
			);
		tell('Falling back to patching base and 3-way merge...\n');
		const theirs = new Map(base);
		for (const [path, file] of target.results) {
			if (file) theirs.set(path, { mode: file.mode, id: objects.write('blob', file.content) });
			else theirs.delete(path);
		}
		const labels = { ours: 'HEAD', theirs: label, base: FAKE_BASE, ignoresDirectoryRenames: true };
		const merged = mergeTrees(git, { base: baseTree, ours, theirs: treeOf(theirs) }, labels);
		applyMerged(git, ours, merged, isQuiet ? 'all' : false);
		return merged.isClean;
	}

	/** Files that the patch was made for, by its index lines. */
	#filesBefore(): Map<string, TreeFile> {
		const { objects, index } = this.git.repository;
		const files = new Map<string, TreeFile>();
		const missing = (path: string) =>
			new GitError(
				`error: sha1 information is lacking or useless (${path}).\nerror: could not build fake ancestor`,
				128
			);
		for (const { kind, oldPath, oldId, oldMode, hunks, isBinary, isPerhapsNew } of this.#patches) {
			if (kind === 'create' || (isPerhapsNew && oldId === '')) continue;
			const [id, ...others] = oldId === '' || /^0+$/.test(oldId) ? [] : objects.idsWithPrefix(oldId);
			const staged = index.get(oldPath);
			// A pure rename or mode change has no ids and applies to the file as staged.
			const found =
				id !== undefined && others.length === 0 ? id : hunks.length === 0 && !isBinary ? staged?.id : undefined;
			if (found === undefined || objects.find(found)?.type !== 'blob') throw missing(oldPath);
			files.set(oldPath, { mode: oldMode ?? staged?.mode ?? 0o100644, id: found });
		}
		return files;
	}
}
