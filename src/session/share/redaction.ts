import type { SessionEntry } from '#agent/session-log.ts';
import { redactSecrets } from './secrets.ts';

export interface ShareSecret {
	/** Stable for the same finding in the same session. */
	id: string;
	kind: string;
	/** A path, or `the conversation`. */
	where: string;
}

/** Removes secrets from all contents of a share, and records the findings. */
export class Redaction {
	readonly found: ShareSecret[] = [];
	readonly #keep: Set<string>;
	readonly #ids = new Map<string, ShareSecret>();

	/**
	 * Creates a redaction.
	 * @param keep ids of findings that the user restored
	 */
	constructor(keep: Set<string>) {
		this.#keep = keep;
	}

	/** A file's bytes without its secrets; unaffected bytes are returned unchanged, whatever their encoding. */
	file(path: string, bytes: Uint8Array): Uint8Array {
		if (bytes.includes(0)) return bytes;
		const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
		const clean = this.#text(text, path);
		return clean === text ? bytes : new TextEncoder().encode(clean);
	}

	entry(entry: SessionEntry): SessionEntry {
		return this.#value(entry, 'the conversation');
	}

	/** Every string in a JSON value. */
	#value<T>(value: T, where: string): T {
		if (typeof value === 'string') return this.#text(value, where) as T & string;
		if (Array.isArray(value)) return value.map((item: unknown) => this.#value(item, where)) as T & unknown[];
		if (typeof value !== 'object' || value === null) return value;
		return Object.fromEntries(
			Object.entries(value).map(([key, item]) => [key, this.#value<unknown>(item, where)])
		) as T & object;
	}

	#text(text: string, where: string): string {
		return redactSecrets(text, (kind, secret) => {
			const key = `${where}\0${secret}`;
			let finding = this.#ids.get(key);
			if (!finding) {
				finding = { id: `${where}#${this.#ids.size + 1}`, kind, where };
				this.#ids.set(key, finding);
				this.found.push(finding);
			}
			return this.#keep.has(finding.id);
		});
	}
}
