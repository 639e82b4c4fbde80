import type { GitObject } from './object.ts';
import type { ReceivedPack } from './pack-receiver.ts';

/** Object store of a partial clone, which lacks objects that its promisor remotes have (gitglossary(7)). */
export interface LackingStore {
	has(id: string): boolean;
	findStored(id: string): GitObject | null;
	/** @param promised content of the `.promisor` file, which marks a pack of a promisor remote */
	keepPack(pack: ReceivedPack, promised: string): boolean;
}

/** Source of the objects that a store lacks. */
export interface PromisorSource {
	/** True if there is a promisor remote. */
	readonly isThere: boolean;
	/** Fetches missing objects into a store. Those that no remote has are still missing afterwards. */
	fetch(store: LackingStore, ids: readonly string[]): void;
}
