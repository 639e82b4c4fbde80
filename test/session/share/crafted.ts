import type { SessionEntry } from '#agent/session-log.ts';
import type { ShareBundle } from '#session/contract.ts';
import { unpackBundle } from '#session/share/bundle.ts';
import { compress } from '#session/share/compression.ts';

/** A share without a conversation. */
export const emptyShare: ShareBundle = {
	version: 1,
	origin: { kind: 'files', name: 'files' },
	title: 'A share',
	files: {},
	removed: [],
	before: {},
	entries: [],
	checkpoints: [],
	viewOnly: false
};

/** Packs any value as a share: anyone can do that without our code. */
export function crafted(value: unknown): Promise<Uint8Array> {
	return compress(new TextEncoder().encode(JSON.stringify(value)));
}

/** Opens a share with this conversation and these other fields. */
export async function openCrafted(entries: unknown[], fields: object = {}): Promise<ShareBundle> {
	return unpackBundle(await crafted({ ...emptyShare, ...fields, entries }));
}

type Body<Entry = SessionEntry> = Entry extends SessionEntry ? Omit<Entry, 'id' | 'parentId' | 'timestamp'> : never;

/** Entries, each below the previous one, with ids `e0`, `e1` …. */
export function chain(bodies: readonly (Body | Record<string, unknown>)[]): Record<string, unknown>[] {
	return bodies.map((body, index) => ({
		id: `e${index}`,
		parentId: index === 0 ? null : `e${index - 1}`,
		timestamp: index,
		...body
	}));
}

/** An event's entry, without its position. */
export function eventBody(event: Record<string, unknown>): Record<string, unknown> {
	return { type: 'event', event: { sessionId: 's', seq: 1, timestamp: 0, ...event } };
}

/** A message's entry, without its position. */
export function messageBody(role: string, ...content: Record<string, unknown>[]): Record<string, unknown> {
	return { type: 'message', message: { role, content } };
}
