import { comparePaths } from '../bytes.ts';
import { splitLines } from '../diff/lines.ts';
import { plainHunks } from '../diff/plain-hunks.ts';
import type { Invocation } from '../invocation.ts';
import { isDirectory, modeText, type TreeEntry } from '../objects/tree.ts';
import { mergeContents } from './merge-blobs.ts';
import { isSame, MergePlan, type OfSides } from './merge-plan.ts';

/** A path that a merge without renames changes on our side, or leaves in conflict. */
interface TrivialChange {
	path: string;
	files: OfSides<TreeEntry | null>;
	/** Resolved to their version, because ours equals the base. */
	isResolved: boolean;
}

/** Merges trees entry by entry and describes the changes, without producing a result. */
export class TrivialMerge {
	readonly #plan: MergePlan;
	readonly #changes: TrivialChange[] = [];

	constructor(
		private readonly git: Invocation,
		trees: OfSides<string>
	) {
		this.#plan = new MergePlan(git, trees, { ours: '.our', theirs: '.their', style: 'merge' }, 0);
		this.#visit(trees, '');
	}

	#visit(trees: OfSides<string | null>, prefix: string): void {
		const { objects } = this.git.repository;
		const entries = trees.map((id) => new Map(id === null ? [] : objects.tree(id).map((entry) => [entry.name, entry])));
		const names = new Set(entries.flatMap((known) => [...known.keys()]));
		for (const name of [...names].sort(comparePaths))
			this.#decide(prefix + name, entries.map((known) => known.get(name) ?? null) as OfSides<TreeEntry | null>);
	}

	#decide(path: string, files: OfSides<TreeEntry | null>): void {
		const [base, ours, theirs] = files;
		if (isSame(ours, theirs)) return;
		if (base && theirs && isSame(base, ours) && !isDirectory(theirs.mode))
			return void this.#changes.push({ path, files, isResolved: true });
		if (isSame(base, theirs)) return;
		const isTree = (file: TreeEntry | null) => file !== null && isDirectory(file.mode);
		if (files.some(isTree))
			this.#visit(files.map((file) => (isTree(file) ? file!.id : null)) as OfSides<string | null>, `${path}/`);
		const plain = files.map((file) => (isTree(file) ? null : file)) as OfSides<TreeEntry | null>;
		if (plain.some((file) => file)) this.#changes.push({ path, files: plain, isResolved: false });
	}

	/** Describes the changes as binary text: the versions of each side, and the resulting change to ours. */
	text(): string {
		return this.#changes.map((change) => this.#paragraph(change)).join('');
	}

	#paragraph({ path, files, isResolved }: TrivialChange): string {
		const [base, ours, theirs] = files;
		const line = (word: string, file: TreeEntry | null) =>
			file ? `  ${word.padEnd(6)} ${modeText(file.mode)} ${file.id} ${path}\n` : '';
		const { objects } = this.git.repository;
		const lines = (file: TreeEntry | null) => (file ? splitLines(objects.read(file.id, 'blob')) : []);
		if (isResolved)
			return `merged\n${line('result', theirs)}${line('our', ours)}${plainHunks(lines(ours), lines(theirs))}`;
		const head = `${explanation(files)}\n${line('base', base)}${line('our', ours)}${line('their', theirs)}`;
		if (ours && theirs) {
			const ids: OfSides<string | null> = [base?.id ?? null, ours.id, theirs.id];
			const { bytes } = mergeContents(this.#plan, path, ids, [path, path, path], 0);
			for (const { text } of this.#plan.notices()) this.git.err(`${text}\n`);
			return head + plainHunks(lines(ours), splitLines(bytes));
		}
		return head + plainHunks(lines(ours), base ? [] : lines(ours ?? theirs));
	}
}

function explanation([base, ours, theirs]: OfSides<TreeEntry | null>): string {
	if (!base) return ours ? (theirs ? 'added in both' : 'added in local') : 'added in remote';
	if (ours) return theirs ? 'changed in both' : 'removed in remote';
	return theirs ? 'removed in local' : 'removed in both';
}
