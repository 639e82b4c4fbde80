import { toHex } from '#environment/blob-id.ts';
import type { ToolState } from '../tool.ts';

const LEDGER = Symbol('files the model has seen');
/** Limit for commands and their outputs together, newest last. */
const MAX_SHELL_CHARACTERS = 200_000;
/** Minimum length of a text: shorter ones, such as a brace, may occur in any output. */
const MIN_TELLING_CHARACTERS = 12;

/**
 * Records which version of each file the model has seen, as a hash of the whole content; timestamps are not
 * used.
 */
export class ReadLedger {
	readonly #seen = new Map<string, string>();
	#shell = '';

	/** Ledger of a session. */
	static of(state: ToolState): ReadLedger {
		return state.get(LEDGER, () => new ReadLedger());
	}

	/** Records that the model has seen or written this file. */
	async note(path: string, content: Uint8Array): Promise<void> {
		this.#seen.set(path, await contentHash(content));
	}

	forget(path: string): void {
		this.#seen.delete(path);
	}

	/** Records a command that the model wrote, or an output that it has seen. */
	noteShell(text: string): void {
		this.#shell = `${this.#shell}\n${text}`.slice(-MAX_SHELL_CHARACTERS);
	}

	/**
	 * Returns true if a recent command or its output contained this text, and the text is too long for a coincidence.
	 */
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
