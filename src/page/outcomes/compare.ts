import { blobId } from '../../environment/blob-id.ts';
import type { SessionStore, StoredSession } from '../../session/contract.ts';
import type { ChangedFile, Comparison } from '../../workspace/contract.ts';
import { asText, lineCounts } from '../../workspace/text.ts';
import type { Project } from '../project/project.svelte.ts';
import { outcomeSince, type Outcome } from './outcome.ts';

const DIRECTORY = 0o40000;

/** Two sessions that began as one, beside each other. */
export interface Compared {
	here: Outcome;
	there: Outcome;
	/** What turns the other session's files into those of this one. */
	files: ChangedFile[];
	compare(path: string): Promise<Comparison>;
}

/** Reads another session of this browser, as it was stored last, and compares it with the open one. */
export async function compareOutcomes(store: SessionStore, project: Project, otherId: string): Promise<Compared> {
	const other = await store.open(otherId);
	try {
		const [mine, theirs] = [project.stored.log.branch(), other.log.branch()];
		const there = await filesOf(other, project.environment.workingDirectory());
		const contents = new Map([...there].map(([, { blob, bytes }]) => [blob, bytes]));
		const { workspace } = project;
		const differences = await workspace.differencesFrom(there);
		const read = async (entry: { blob: string } | null): Promise<Uint8Array | null> =>
			entry && (contents.get(entry.blob) ?? (await workspace.readBlob(entry.blob)));
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
		const files = await Promise.all(
			differences.map(async ({ path, before, after }): Promise<ChangedFile> => {
				const sizes = await countsOf(await compare(path));
				const kind = !before ? 'added' : !after ? 'removed' : 'modified';
				return { path, kind, ...sizes, version: `${before?.blob} ${after?.blob}` };
			})
		);
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
		if (mode === DIRECTORY || !path.startsWith(`${root}/`) || path.startsWith(`${root}/.git/`)) continue;
		files.set(path.slice(root.length + 1), { mode, blob: await blobId(bytes), bytes });
	}
	return files;
}

async function countsOf({ before, after }: Comparison): Promise<Pick<ChangedFile, 'added' | 'removed' | 'binary'>> {
	const [old, now] = [before ? asText(before) : '', after ? asText(after) : ''];
	if (old === null || now === null) return { added: 0, removed: 0, binary: true };
	return { ...lineCounts(old, now), binary: false };
}
