import { toHex } from '#environment/blob-id.ts';
import type { ToolState } from '../tool.ts';

const LEDGER = Symbol('files the model has seen');

/** What the model has seen of each file, as a hash of the whole content then; times play no part. */
export class ReadLedger {
	readonly #seen = new Map<string, string>();

	/** The one ledger of a session. */
	static of(state: ToolState): ReadLedger {
		return state.get(LEDGER, () => new ReadLedger());
	}

	/** The model was shown this file, or wrote it. */
	async note(path: string, content: Uint8Array): Promise<void> {
		this.#seen.set(path, await contentHash(content));
	}

	forget(path: string): void {
		this.#seen.delete(path);
	}

	/** Whether the model has seen the file, and as it is now. */
	async compare(path: string, content: Uint8Array): Promise<'unread' | 'stale' | 'current'> {
		const seen = this.#seen.get(path);
		if (seen === undefined) return 'unread';
		return seen === (await contentHash(content)) ? 'current' : 'stale';
	}
}

/** SHA-256, hexadecimal. */
async function contentHash(content: Uint8Array): Promise<string> {
	return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(content))));
}
