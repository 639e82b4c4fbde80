import type { ToolCallPart } from '../../llm/types.ts';
import type { LoopDetection } from './config.ts';

export const DEFAULT_LOOP_WINDOW = 10;
const PATTERN_LENGTHS = [1, 2, 3];

/**
 * Sees when the last calls repeat a pattern of one, two or three calls (000 §2.10). A call is the
 * same when its result is too: polling something that changes is no loop. A pattern is named once.
 */
export class LoopDetector {
	readonly #signatures: string[] = [];
	readonly #names: string[] = [];
	readonly #named = new Set<string>();
	readonly #window: number;
	readonly #enabled: boolean;

	constructor({ enabled = true, window = DEFAULT_LOOP_WINDOW }: LoopDetection = {}) {
		this.#enabled = enabled;
		this.#window = window;
	}

	push(call: ToolCallPart, result: string): void {
		this.#names.push(call.name);
		this.#signatures.push(hash(`${call.name}\0${stableJson(call.arguments)}\0${result}`));
		if (this.#signatures.length > this.#window) {
			this.#signatures.shift();
			this.#names.shift();
		}
	}

	/** The tool names of a pattern not yet named, or `null`. */
	detect(): string[] | null {
		if (!this.#enabled || this.#signatures.length < this.#window) return null;
		for (const length of PATTERN_LENGTHS) {
			const span = Math.floor(this.#window / length) * length;
			if (span < 2 * length) continue;
			const recent = this.#signatures.slice(-span);
			if (!recent.every((signature, index) => signature === recent[index % length])) continue;
			// The same cycle is met at each of its turnings: ABAB… and BABA… are one pattern.
			const key = recent.slice(0, length).sort().join();
			if (this.#named.has(key)) return null;
			this.#named.add(key);
			return this.#names.slice(-span).slice(0, length);
		}
		return null;
	}

	warning(): string {
		return (
			`Loop detected: the last ${this.#window} tool calls follow a repeating pattern. ` + `Try a different approach.`
		);
	}
}

function stableJson(value: unknown): string {
	return JSON.stringify(value, (_, inner: unknown) =>
		typeof inner === 'object' && inner !== null && !Array.isArray(inner)
			? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
			: inner
	);
}

/** 53 bits are plenty to tell ten calls apart, and keep large results out of memory. */
function hash(text: string): string {
	let high = 0xdeadbeef;
	let low = 0x41c6ce57;
	for (let index = 0; index < text.length; index++) {
		const unit = text.charCodeAt(index);
		high = Math.imul(high ^ unit, 2654435761);
		low = Math.imul(low ^ unit, 1597334677);
	}
	high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
	low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
	return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
}
