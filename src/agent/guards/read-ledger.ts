import { toHex } from '#environment/blob-id.ts';
import type { ToolState } from '../tool.ts';

const LEDGER = Symbol('files the model has seen');
/** Limit for the remembered commands and outputs, of which the newest are last. */
const MAX_SHELL_CHARACTERS = 200_000;
/** Shorter texts, such as a brace, are printed by anything. */
const MIN_TELLING_CHARACTERS = 12;

/**
 * Records which version of each file the model has seen, as a hash of the whole content; timestamps are not
 * used.
 */
export class ReadLedger {
	readonly #seen = new Map<string, string>();
	#shell = '';

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

	/** The model wrote this command, or was shown this output. */
	noteShell(text: string): void {
		this.#shell = `${this.#shell}\n${text}`.slice(-MAX_SHELL_CHARACTERS);
	}

	/** Returns true for a text long enough to be no chance that a recent command or its output contained. */
	wasInShell(text: string): boolean {
		return text.trim().length >= MIN_TELLING_CHARACTERS && this.#shell.includes(text.trim());
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
