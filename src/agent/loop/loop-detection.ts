import type { ToolCallPart } from '#llm/types.ts';
import type { LoopDetection } from './config.ts';

export const DEFAULT_LOOP_WINDOW = 10;
export const DEFAULT_LOOP_WARNINGS = 2;
const PATTERN_LENGTHS = [1, 2, 3];

/** A pattern of repeated calls. */
export interface DetectedLoop {
	/** The tools of the pattern. */
	pattern: string[];
	/** Message for the model, and for the user if the run ends. */
	message: string;
	/** Set if the model ignored all warnings. */
	endsRun: boolean;
}

/**
 * Detects that the last calls repeat a pattern of one, two or three calls: the same tool with the same arguments (000
 * §2.10). It warns, warns again each time the pattern fills another window, and then ends the run.
 */
export class LoopDetector {
	readonly #signatures: string[] = [];
	readonly #names: string[] = [];
	readonly #warnings = new Map<string, number>();
	readonly #window: number;
	readonly #mostWarnings: number;
	readonly #enabled: boolean;
	#callsSinceWarning = Infinity;

	constructor({ enabled = true, window = DEFAULT_LOOP_WINDOW, warnings = DEFAULT_LOOP_WARNINGS }: LoopDetection = {}) {
		this.#enabled = enabled;
		this.#window = window;
		this.#mostWarnings = warnings;
	}

	/**
	 * @param answer answer of a polling tool, since checking a changing state is not a repetition; `null` for all other
	 * tools
	 */
	push(call: ToolCallPart, answer: string | null): void {
		this.#callsSinceWarning += 1;
		this.#names.push(call.name);
		// The texts themselves, not hashes: the window holds only a few, and equal texts are found without reading each
		// character in JavaScript.
		this.#signatures.push(`${call.name}\0${stableJson(call.arguments)}\0${answer ?? ''}`);
		if (this.#signatures.length > this.#window) {
			this.#signatures.shift();
			this.#names.shift();
		}
	}

	/** Returns the loop that the last calls form, or `null`. Call it after each round. */
	detect(): DetectedLoop | null {
		if (!this.#enabled || this.#signatures.length < this.#window || this.#callsSinceWarning < this.#window) return null;
		const recent = this.#signatures;
		for (const length of PATTERN_LENGTHS) {
			if (this.#window < 2 * length) continue;
			if (!recent.every((signature, index) => signature === recent[index % length])) continue;
			// Detects the same cycle at any rotation: ABAB… and BABA… are one pattern.
			const key = recent.slice(0, length).sort().join();
			const warnings = this.#warnings.get(key) ?? 0;
			this.#warnings.set(key, warnings + 1);
			this.#callsSinceWarning = 0;
			const endsRun = this.#mostWarnings > 0 && warnings >= this.#mostWarnings;
			const pattern = this.#names.slice(0, length);
			return { pattern, endsRun, message: endsRun ? this.#ending(pattern, warnings) : this.#warning() };
		}
		return null;
	}

	#warning(): string {
		return `Loop detected: the last ${this.#window} tool calls follow a repeating pattern. Try a different approach.`;
	}

	#ending(pattern: string[], warnings: number): string {
		const repeated = pattern.length === 1 ? 'the same call' : `the same ${pattern.length} calls`;
		const times = warnings === 1 ? 'a warning' : `${warnings} warnings`;
		return `The model went on repeating ${repeated} (${pattern.join(', ')}) after ${times}. Say what it should do instead to go on.`;
	}
}

function stableJson(value: unknown): string {
	return JSON.stringify(value, (_, inner: unknown) =>
		typeof inner === 'object' && inner !== null && !Array.isArray(inner)
			? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
			: inner
	);
}
