import { binaryBytes, splitLines } from '../diff/lines.ts';
import { objectId } from '../objects/object.ts';
import { Mode } from '#environment/mode.ts';
import { modeText } from '../objects/tree.ts';
import { isWorktreePath } from '../worktree/verify-path.ts';
import { applyHunks, type HunkRules } from './apply-hunks.ts';
import type { FileBlanks } from './blank-errors.ts';
import { changedContent } from './binary-change.ts';
import type { FilePatch, PatchedFile, PatchHunk } from './file-patch.ts';
import type { ThreeWay } from './three-way.ts';

/** Access to the files that patches are applied to. */
export interface PatchSource {
	/**
	 * Reads a file, or returns an error message if it cannot be patched, as worded by git.
	 *
	 * @param hasCrlf the patch expects lines that end with CRLF, so they are kept
	 */
	read(path: string, hasCrlf?: boolean): PatchedFile | string;
	/** Error message if something prevents creating a file, as worded by git; null if nothing does. */
	occupied(path: string): string | null;
	/** Content of an object, for binary patches that do not include it. */
	object(id: string): Uint8Array | null;
}

export interface TargetRules {
	hunks: HunkRules;
	blanksOf: (path: string) => FileBlanks;
	/** Leaves out hunks that cannot be applied. */
	rejects: boolean;
	/** Reports messages for the user. */
	warn: (text: string) => void;
	note: (text: string) => void;
	/** Merges patches if possible. */
	threeWay?: ThreeWay | undefined;
}

const TYPE = 0o170000;

/** Applies patches to files in memory: nothing is written until all of them are processed. */
export class PatchTarget {
	/** Result for each path; null to remove it. */
	readonly results = new Map<string, PatchedFile | null>();
	/** Rejected hunks of each patch, if hunks may be left out. */
	readonly rejected = new Map<FilePatch, readonly PatchHunk[]>();
	readonly #leaving = new Set<string>();

	constructor(
		private readonly source: PatchSource,
		private readonly rules: TargetRules
	) {}

	/** Applies patches in order. @returns error messages, as worded by git */
	takeAll(patches: readonly FilePatch[], before: (patch: FilePatch) => void = () => undefined): string[] {
		for (const { kind, oldPath } of patches) if (kind === 'delete' || kind === 'rename') this.#leaving.add(oldPath);
		return patches.flatMap((patch) => {
			before(patch);
			return this.#take(patch);
		});
	}

	#take(given: FilePatch): string[] {
		const hostile = [given.oldPath, given.newPath].find((path) => !isWorktreePath(path));
		if (hostile !== undefined) return [`invalid path '${hostile}'`];
		const patch = given.isPerhapsNew && this.#isMissing(given.oldPath) ? { ...given, kind: 'create' as const } : given;
		const { kind, oldPath, newPath } = patch;
		const isNew = kind === 'create';
		const { threeWay } = this.rules;
		let isInTheWay = false;
		if (isNew || ((kind === 'rename' || kind === 'copy') && newPath !== oldPath)) {
			const problem = this.#inTheWay(newPath);
			if (problem !== null && !(threeWay && isNew)) return [problem];
			isInTheWay = problem !== null;
		}
		const before =
			isNew && !isInTheWay
				? { mode: patch.newMode ?? Mode.file, content: new Uint8Array(0) }
				: this.#before(oldPath, expectsCrlf(patch));
		if (typeof before === 'string') return [before];
		const problem = isNew ? null : this.#checkMode(patch, before.mode);
		if (problem !== null) return [problem];
		const content = this.#content(given, patch, before, isInTheWay);
		const unfit = `${given.newPath}: patch does not apply`;
		if (Array.isArray(content)) return [...content, unfit];
		if (kind === 'delete' && content.length > 0) return ['removal patch leaves file contents', unfit];
		if (kind === 'delete' || kind === 'rename') this.results.set(oldPath, null);
		if (kind !== 'delete') this.results.set(newPath, { mode: patch.newMode ?? before.mode, content });
		return [];
	}

	/** Applies a patch to a file's content. @returns the result, or an error message */
	#content(given: FilePatch, patch: FilePatch, before: PatchedFile, isInTheWay: boolean): Uint8Array | string[] {
		const { threeWay, warn } = this.rules;
		const apply = (content: Uint8Array) =>
			patch.isBinary ? this.#binary(patch, content) : this.#text(given, patch, content);
		if (!threeWay) return apply(before.content);
		const merged = threeWay.suits(patch, isInTheWay)
			? threeWay.merge(patch, before, isInTheWay, (base) => {
					const result = apply(base);
					if (!Array.isArray(result)) return result;
					for (const problem of result) warn(`error: ${problem}\n`);
					return null;
				})
			: null;
		if (merged) return merged;
		if (isInTheWay) return [];
		warn('Falling back to direct application...\n');
		return apply(before.content);
	}

	#isMissing(path: string): boolean {
		const earlier = this.results.get(path);
		if (earlier !== undefined) return earlier === null;
		const found = this.source.read(path);
		return typeof found === 'string' && /: (?:No such file or directory|does not exist in index)$/.test(found);
	}

	#checkMode({ oldPath, oldMode }: FilePatch, mode: number): string | null {
		if (oldMode === null || oldMode === mode) return null;
		if ((oldMode & TYPE) !== (mode & TYPE)) return `${oldPath}: wrong type`;
		this.rules.warn(`warning: ${oldPath} has type ${modeText(mode)}, expected ${modeText(oldMode)}\n`);
		return null;
	}

	#text(given: FilePatch, { oldPath, newPath, hunks }: FilePatch, before: Uint8Array): Uint8Array | string[] {
		const { rules } = this;
		const applied = applyHunks(splitLines(before), hunks, rules.hunks, rules.blanksOf(newPath));
		for (const note of applied.notes) rules.note(`${note}\n`);
		const [failed] = applied.failed;
		if (failed && !rules.rejects) return [`patch failed: ${oldPath}:${failed.oldStart}`];
		if (failed) {
			this.rejected.set(given, applied.failed);
			for (const hunk of applied.failed) rules.warn(`error: patch failed: ${oldPath}:${hunk.oldStart}\n`);
		}
		return binaryBytes(applied.lines.join(''));
	}

	#binary(patch: FilePatch, before: Uint8Array): Uint8Array | string[] {
		const { oldId, newId, binary, kind } = patch;
		const name = kind === 'create' ? patch.newPath : patch.oldPath;
		if (oldId.length !== 40 || newId.length !== 40)
			return [`cannot apply binary patch to '${name}' without full index line`];
		const id = objectId('blob', before);
		if (kind !== 'create' && id !== oldId)
			return [`the patch applies to '${name}' (${id}), which does not match the current contents.`];
		if (/^0+$/.test(newId)) return new Uint8Array(0);
		const known = this.source.object(newId);
		if (known) return known;
		const missing = `binary patch does not apply to '${name}'`;
		if (!binary) return [`missing binary patch data for '${name}'`, missing];
		const content = changedContent(before, binary.forward);
		if (!content) return [missing];
		const made = objectId('blob', content);
		return made === newId
			? content
			: [`binary patch to '${name}' creates incorrect result (expecting ${newId}, got ${made})`];
	}

	#before(path: string, hasCrlf: boolean): PatchedFile | string {
		const earlier = this.results.get(path);
		if (earlier) return earlier;
		return earlier === null ? `path ${path} has been renamed/deleted` : this.source.read(path, hasCrlf);
	}

	#inTheWay(path: string): string | null {
		const earlier = this.results.get(path);
		if (earlier === null || (earlier === undefined && this.#leaving.has(path))) return null;
		if (earlier) return `${path}: already exists in working directory`;
		return this.source.occupied(path);
	}
}

/** Returns whether a patch expects a line that ends with CRLF. */
const expectsCrlf = ({ hunks }: FilePatch): boolean =>
	hunks.some(({ lines }) => lines.some((line) => !line.startsWith('+') && line.endsWith('\r\n')));
