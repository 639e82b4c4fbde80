import { blobId } from '#environment/blob-id.ts';
import type { SessionStore, StoredSession } from '#session/contract.ts';
import type { ChangedFile, Comparison } from '#workspace/contract.ts';
import { ChangedFiles } from '#workspace/changed-files.ts';
import type { Project } from '../project/project.svelte.ts';
import { outcomeSince, type Outcome } from './outcome.ts';
import { Mode } from '#environment/mode.ts';

/** Two sessions that began as one, beside each other. */
export interface Compared {
	here: Outcome;
	there: Outcome;
	/** Changes from the other session's files to those of this one. */
	files: ChangedFile[];
	compare(path: string): Promise<Comparison>;
}

/** Reads another session of this browser, as it was stored last, and compares it with the open one. */
export async function compareOutcomes(store: SessionStore, project: Project, otherId: string): Promise<Compared> {
	const other = await store.open(otherId);
	try {
		const [mine, theirs] = [project.stored.log.branch(), other.log.branch()];
		const there = await filesOf(other, project.root);
		const contents = new Map([...there].map(([, { blob, bytes }]) => [blob, bytes]));
		const { workspace } = project;
		const differences = await workspace.differencesFrom(there);
		const contentOf = async (blob: string): Promise<Uint8Array> =>
			contents.get(blob) ?? (await workspace.readBlob(blob));
		const read = async (entry: { blob: string } | null): Promise<Uint8Array | null> =>
			entry && (await contentOf(entry.blob));
		const sides = new Map(differences.map((difference) => [difference.path, difference]));
		const compare = async (path: string): Promise<Comparison> => {
			const { before = null, after = null } = sides.get(path) ?? {};
			return {
				before: await read(before),
				after: await read(after),
				beforeMode: before?.mode ?? null,
				afterMode: after?.mode ?? null
			};
		};
		const side = (which: 'before' | 'after') =>
			new Map(differences.flatMap(({ path, [which]: entry }) => (entry ? [[path, entry] as const] : [])));
		const files = await new ChangedFiles(contentOf).between(side('before'), side('after'), () => false);
		return { here: outcomeSince(mine, theirs), there: outcomeSince(theirs, mine), files, compare };
	} finally {
		await other.close();
	}
}

async function filesOf(
	stored: StoredSession,
	root: string
): Promise<Map<string, { mode: number; blob: string; bytes: Uint8Array }>> {
	const files = new Map<string, { mode: number; blob: string; bytes: Uint8Array }>();
	for (const { path, mode, bytes } of await stored.readFiles()) {
		if (mode === Mode.directory || !path.startsWith(`${root}/`) || path.startsWith(`${root}/.git/`)) continue;
		files.set(path.slice(root.length + 1), { mode, blob: await blobId(bytes), bytes });
	}
	return files;
}
