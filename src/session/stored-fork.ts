import * as z from 'zod/mini';
import type { ForkStore, ForkContents } from '#agent/api.ts';
import type { StoredSession } from './contract.ts';

const KEY = 'fork';
const StoredTrees = z.object({ common: z.string(), now: z.string() });

/** Stores the open fork of a session beside its files, so that a reload restores it. */
export class StoredFork implements ForkStore {
	/** Contents from forks that this session already stores. */
	readonly #sent = new Set<string>();

	constructor(private readonly stored: StoredSession) {}

	async keep(fork: ForkContents | null): Promise<void> {
		if (!fork) return this.stored.writePageState(KEY, null);
		const { common, now, readBlob } = fork;
		const known = new Set([...common.entries.values()].map(({ blob }) => blob));
		const fresh = new Set<string>();
		for (const { blob } of now.entries.values()) {
			if (blob !== '' && !known.has(blob) && !this.#sent.has(blob)) fresh.add(blob);
		}
		await this.stored.keepTree(common.id, common.entries, [], readBlob);
		await this.stored.keepTree(now.id, now.entries, [...fresh], readBlob);
		for (const blob of fresh) this.#sent.add(blob);
		// Referenced only after it is stored.
		await this.stored.writePageState(KEY, { common: common.id, now: now.id });
	}

	async load(): Promise<ForkContents | null> {
		const parsed = z.safeParse(StoredTrees, await this.stored.readPageState<unknown>(KEY));
		if (!parsed.success) return null;
		const { common, now } = parsed.data;
		const [before, after] = await Promise.all([this.stored.readTree(common), this.stored.readTree(now)]);
		return {
			common: { id: common, entries: before },
			now: { id: now, entries: after },
			readBlob: (blob) => this.stored.readBlob(blob)
		};
	}
}
