import { blobId } from '#environment/blob-id.ts';
import { TreeIgnoreRules } from '#environment/ignore-rules.ts';
import { Mode } from '#environment/mode.ts';
import type { SessionStore, StoredSession } from '#session/contract.ts';
import { ChangedFiles } from '#workspace/changed-files.ts';
import type { ChangedFile, Comparison } from '#workspace/contract.ts';
import type { Project } from '../project/project.svelte.ts';
import { outcomeSince, type Outcome } from './outcome.ts';
import { forkPointOf } from './relatives.ts';

type Tree = ReadonlyMap<string, { mode: number; blob: string }>;

/** Results of one of two sessions since they diverged. */
export interface Side {
	outcome: Outcome;
	/** Changes since they diverged, without ignored files. */
	files: readonly ChangedFile[];
	compare(path: string): Promise<Comparison>;
}

/** Comparison of two sessions with a common start. */
export interface Compared {
	here: Side;
	there: Side;
	/** Paths whose files differ between the two. */
	differing: ReadonlySet<string>;
}

/** Reads another session of this browser as last stored, and compares it with the open one. */
export async function compareOutcomes(store: SessionStore, project: Project, otherId: string): Promise<Compared> {
	const other = await store.read(otherId);
	try {
		const { stored, workspace } = project;
		const [mine, theirs] = [stored.log.branch(), other.log.branch()];
		const base = await baseOf(stored, other);
		const { tree, contents } = await filesOf(other, project.root);
		const differences = await workspace.differencesFrom(base.tree);
		const sides = {
			here: {
				before: new Map(differences.flatMap(({ path, before }) => (before ? [[path, before]] : []))),
				after: new Map(differences.flatMap(({ path, after }) => (after ? [[path, after]] : [])))
			},
			there: await changesBetween(base.tree, tree, async (blob) => contents.get(blob) ?? (await base.read(blob)))
		};
		// The other session will be closed by the time a diff is rendered, so its blobs are read now.
		for (const { blob } of [...sides.here.before.values(), ...sides.there.before.values()])
			if (!contents.has(blob)) contents.set(blob, await base.read(blob));
		const read = async (blob: string): Promise<Uint8Array> => contents.get(blob) ?? (await workspace.readBlob(blob));
		const side = async (which: 'here' | 'there', outcome: Outcome): Promise<Side> => {
			const { before, after } = sides[which];
			const files = await new ChangedFiles(read).between(before, after, () => false);
			return { outcome, files, compare: (path) => contentsOf(before.get(path), after.get(path), read) };
		};
		return {
			here: await side('here', outcomeSince(mine, theirs)),
			there: await side('there', outcomeSince(theirs, mine)),
			differing: differingPaths(base.tree, sides.here, sides.there)
		};
	} finally {
		await other.close();
	}
}

interface Changes {
	before: Tree;
	after: Tree;
}

/** Files that both sessions had when they diverged; if unknown, those of the import. */
async function baseOf(
	here: StoredSession,
	there: StoredSession
): Promise<{ tree: Tree; read: (blob: string) => Promise<Uint8Array> }> {
	const order = here.log.branch().map(({ id }) => id);
	const shared = new Set(there.log.branch().map(({ id }) => id));
	const points = [];
	for (const stored of [here, there]) {
		const point = await forkPointOf(stored);
		if (!point) continue;
		const at = point.entryId === null ? 0 : shared.has(point.entryId) ? order.indexOf(point.entryId) : -1;
		if (at >= 0) points.push({ stored, at, tree: point.tree });
	}
	const [last] = points.sort((a, b) => b.at - a.at);
	const stored = last?.stored ?? here;
	const id = last?.tree ?? here.checkpoints()[0]?.tree;
	return { tree: id === undefined ? new Map() : await stored.readTree(id), read: (blob) => stored.readBlob(blob) };
}

/** Entries that differ between two trees, without files that git ignores in the second one. */
async function changesBetween(
	before: Tree,
	after: Tree,
	read: (blob: string) => Promise<Uint8Array>
): Promise<Changes> {
	const isIgnored = await new TreeIgnoreRules(read).of(after);
	const counts = ([path, { mode, blob }]: [string, { mode: number; blob: string }], other: Tree): boolean => {
		const same = other.get(path);
		if (same?.blob === blob && same.mode === mode) return false;
		return mode !== Mode.directory && !path.startsWith('.git/') && !isIgnored(path);
	};
	return {
		before: new Map([...before].filter((entry) => counts(entry, after))),
		after: new Map([...after].filter((entry) => counts(entry, before)))
	};
}

function differingPaths(base: Tree, here: Changes, there: Changes): Set<string> {
	const state = ({ before, after }: Changes, path: string): string => {
		const isChanged = before.has(path) || after.has(path);
		const entry = isChanged ? after.get(path) : base.get(path);
		return entry ? `${entry.mode} ${entry.blob}` : '';
	};
	const paths = [here, there].flatMap(({ before, after }) => [...before.keys(), ...after.keys()]);
	return new Set(paths.filter((path) => state(here, path) !== state(there, path)));
}

type Entry = { mode: number; blob: string } | undefined;

async function contentsOf(
	before: Entry,
	after: Entry,
	read: (blob: string) => Promise<Uint8Array>
): Promise<Comparison> {
	return {
		before: before ? await read(before.blob) : null,
		after: after ? await read(after.blob) : null,
		beforeMode: before?.mode ?? null,
		afterMode: after?.mode ?? null
	};
}

async function filesOf(
	stored: StoredSession,
	root: string
): Promise<{ tree: Tree; contents: Map<string, Uint8Array> }> {
	const tree = new Map<string, { mode: number; blob: string }>();
	const contents = new Map<string, Uint8Array>();
	for (const { path, mode, bytes } of await stored.readFiles()) {
		if (mode === Mode.directory || !path.startsWith(`${root}/`) || path.startsWith(`${root}/.git/`)) continue;
		const blob = await blobId(bytes);
		tree.set(path.slice(root.length + 1), { mode, blob });
		contents.set(blob, bytes);
	}
	return { tree, contents };
}
