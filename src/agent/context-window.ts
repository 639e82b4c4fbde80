import type { ContentPart, Message, Usage } from '#llm/types.ts';

/** Average number of characters per token (000 §5.5). */
const CHARACTERS_PER_TOKEN = 4;
/** 003 §6.2. */
const IMAGE_TOKENS = 1200;
/** 000 §5.5. */
const WARNING_SHARE = 0.8;

/** Approximate tokens of one message: characters / 4, images at a flat price. */
export function approximateTokens(message: Message): number {
	let characters = 0;
	let images = 0;
	for (const part of message.content) {
		characters += charactersOf(part);
		if (part.type === 'image' || part.type === 'image_url') images += 1;
		if (part.type === 'tool_result') images += part.images?.length ?? 0;
	}
	return Math.ceil(characters / CHARACTERS_PER_TOKEN) + images * IMAGE_TOKENS;
}

function charactersOf(part: ContentPart): number {
	switch (part.type) {
		case 'text':
		case 'thinking':
			return part.text.length;
		case 'tool_call':
			return part.name.length + (part.rawArguments ?? JSON.stringify(part.arguments)).length;
		case 'tool_result':
			return part.content.length;
		case 'document':
		case 'audio':
		case 'redacted_thinking':
			return part.data.length;
		case 'image':
		case 'image_url':
		case 'opaque':
			return 0;
	}
}

/**
 * Estimates how full the model's context is: the usage last reported by the provider plus an estimate of the
 * messages added since. Adding a message costs time proportional to that message, not to the history.
 */
export class ContextMeter {
	#reported = 0;
	#since = 0;
	#warned = false;

	constructor(messages: readonly Message[] = []) {
		this.restart(messages);
	}

	/** Discards reported usage, after a compaction or a fork. */
	restart(messages: readonly Message[]): void {
		this.#reported = 0;
		this.#since = 0;
		for (const message of messages) this.add(message);
	}

	add(message: Message): void {
		this.#since += approximateTokens(message);
	}

	/** Sets the size of the conversation so far to the usage that a response reported. */
	report(usage: Usage): void {
		const total = usage.inputTokens + usage.outputTokens;
		if (total === 0) return;
		this.#reported = total;
		this.#since = 0;
	}

	get usedTokens(): number {
		return this.#reported + this.#since;
	}

	/** Returns the percentage when usage has just exceeded 80 %, once each time; otherwise `null`. */
	passedWarning(windowTokens: number): number | null {
		const over = windowTokens > 0 && this.usedTokens > windowTokens * WARNING_SHARE;
		const passed = over && !this.#warned;
		this.#warned = over;
		return passed ? Math.round((this.usedTokens / windowTokens) * 100) : null;
	}
}
