import type { Snapshot } from '../../contract.ts';
import type { Operations } from '../protocol.ts';

type WireSnapshot = Operations['snapshot']['result'];

export function fromWireSnapshot({ id, entries }: WireSnapshot): Snapshot {
	return { id, entries: new Map(entries.map(([path, mode, blob]) => [path, { mode, blob }])) };
}

export function toWireEntries({ entries }: Snapshot): WireSnapshot['entries'] {
	return [...entries].map(([path, { mode, blob }]) => [path, mode, blob]);
}
