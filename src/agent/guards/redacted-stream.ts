import { endsInsidePrivateKey } from './private-keys.ts';
import { redactSecrets } from './redaction.ts';

/** A longer line is cut at a space, a longer word anywhere: no key is that long. */
const MAX_HELD_CHARACTERS = 16_384;
const MAX_HELD_KEY_CHARACTERS = 65_536;
/** Character that ends a prompt but never a key. */
const ENDS_A_PROMPT = /[\s:?>$#%)\]]$/;

/** Incomplete first line of a private key. */
const BEGINS_A_KEY = /-----BEGIN[A-Z0-9 ]{0,60}-{0,4}$/;

/**
 * Redacts secrets in a text that arrives in chunks, wherever the chunks end: a possible start of a secret is held back
 * until more text arrives. The concatenated output is the redacted text.
 */
export class RedactedStream {
	#held = '';
	/** Set if nothing has arrived since the last {@link peek}. */
	#isStale = false;

	/** Returns the text that can be shown now: complete lines. */
	push(text: string): string {
		this.#held += text;
		this.#isStale = false;
		const line = this.#held.lastIndexOf('\n') + 1;
		if (this.#held.length - line <= MAX_HELD_CHARACTERS) return this.#release(line);
		const word = this.#lastWord();
		return this.#release(this.#held.length - word <= MAX_HELD_CHARACTERS ? word : this.#held.length);
	}

	/**
	 * Returns also the unfinished last line of a running command, such as a prompt, up to a word that may be part of a
	 * key. Such a word is returned if nothing has been added by the next call.
	 */
	peek(): string {
		const isStale = this.#isStale;
		this.#isStale = true;
		return this.#release(isStale || ENDS_A_PROMPT.test(this.#held) ? this.#held.length : this.#lastWord());
	}

	/** Returns the rest, at the end of the text. */
	end(): string {
		const rest = redactSecrets(this.#held);
		this.#held = '';
		return rest;
	}

	#lastWord(): number {
		let at = this.#held.length;
		while (at > 0 && !/\s/.test(this.#held[at - 1] ?? '')) at--;
		return at;
	}

	#release(end: number): string {
		const inside = endsInsidePrivateKey(this.#held.slice(0, end));
		const begin = inside ?? this.#held.slice(0, end).search(BEGINS_A_KEY);
		const at = begin === -1 || this.#held.length - begin > MAX_HELD_KEY_CHARACTERS ? end : begin;
		const certain = this.#held.slice(0, at);
		this.#held = this.#held.slice(at);
		return certain === '' ? '' : redactSecrets(certain);
	}
}
