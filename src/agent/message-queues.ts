import type { ContentPart } from '#llm/types.ts';
import type { SteeringSource } from './loop/config.ts';

/** Queues of messages that arrived while the session was working. They survive a stop of the run. */
export class MessageQueues implements SteeringSource {
	#steering: { content: ContentPart[]; interrupt: boolean }[] = [];
	#followUps: ContentPart[][] = [];
	readonly #listeners = new Set<() => void>();

	steer(content: ContentPart[], interrupt: boolean): void {
		this.#steering.push({ content, interrupt });
		if (interrupt) for (const listener of [...this.#listeners]) listener();
	}

	take(): ContentPart[][] {
		const taken = this.#steering.map(({ content }) => content);
		this.#steering = [];
		return taken;
	}

	pending(): boolean {
		return this.#steering.length > 0;
	}

	interrupting(): boolean {
		return this.#steering.some(({ interrupt }) => interrupt);
	}

	onInterrupt(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	/**
	 * Removes one message, identical to the one in `steering` or `followUps`. Returns false when it is no longer
	 * queued.
	 */
	remove(message: readonly ContentPart[]): boolean {
		const before = this.#steering.length + this.#followUps.length;
		this.#steering = this.#steering.filter(({ content }) => content !== message);
		this.#followUps = this.#followUps.filter((content) => content !== message);
		return this.#steering.length + this.#followUps.length < before;
	}

	get steering(): ContentPart[][] {
		return this.#steering.map(({ content }) => content);
	}

	get followUps(): ContentPart[][] {
		return [...this.#followUps];
	}

	set followUps(messages: readonly ContentPart[][]) {
		this.#followUps = [...messages];
	}

	followUp(content: ContentPart[]): void {
		this.#followUps.push(content);
	}

	nextFollowUp(): ContentPart[] | undefined {
		return this.#followUps.shift();
	}
}
