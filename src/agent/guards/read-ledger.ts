import { toHex } from '#environment/blob-id.ts';
import type { ToolState } from '../tool.ts';

const LEDGER = Symbol('files the model has seen');

/**
 * Records which version of each file the model has seen, as a hash of the whole content; timestamps are not
 * used.
 */
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

	/** Compares the file with the version that the model has seen. */
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
